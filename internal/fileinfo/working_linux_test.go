package fileinfo_test

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestSettleOfExFAT is TestSettleWorkingDirectory where a folder that is entered in another case is
// another one to the system.
func TestSettleOfExFAT(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "exfat", TestSettleWorkingDirectory)
	}
}

// TestSettleOfNTFS is TestSettleWorkingDirectory where the system calls the folder as anybody has
// named it last.
func TestSettleOfNTFS(t *testing.T) {
	if testkit.WithMounts(t) {
		testkit.Folding(t, "ntfs", TestSettleWorkingDirectory)
	}
}
