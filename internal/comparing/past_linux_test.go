package comparing

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestPastOfNTFS is TestPastInAnotherCase where the test may mount a file system.
func TestPastOfNTFS(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "ntfs", TestPastInAnotherCase)
	}
}
