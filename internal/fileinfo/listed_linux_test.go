package fileinfo_test

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestListedOfExFAT: names are those that are listed also where the file system numbers a file anew
// for each form of its name.
func TestListedOfExFAT(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "exfat", TestListed)
	}
}
