package files

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestPlacesOfExFAT is TestPlacesInAnotherCase where the system numbers a folder anew for each form
// of its name.
func TestPlacesOfExFAT(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "exfat", TestPlacesInAnotherCase)
	}
}

// TestPlacesOfNTFS is TestPlacesInAnotherCase with links.
func TestPlacesOfNTFS(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "ntfs", TestPlacesInAnotherCase)
	}
}
