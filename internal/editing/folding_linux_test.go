package editing

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestNamesInAnotherCaseOfExFAT is TestNamesInAnotherCase where the system numbers a file anew for
// each form of its name.
func TestNamesInAnotherCaseOfExFAT(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "exfat", TestNamesInAnotherCase)
	}
}
