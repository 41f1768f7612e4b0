package testkit

import (
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(RunInMemory(m.Run)) }

// TestInMemory looks where temporary files are.
func TestInMemory(t *testing.T) {
	memory := freeMemory(1 << 30)
	if disk == "" && memory != "" && os.Getenv("TMPDIR") == "" {
		t.Error("there is memory, and the run is on the disk")
	}
	if disk != "" && (!strings.HasPrefix(t.TempDir(), memory+"/sectile-") || strings.HasPrefix(OnDisk(t), memory)) {
		t.Errorf("in memory: %s, on the disk: %s", t.TempDir(), OnDisk(t))
	}
	if dir := freeMemory(1 << 62); dir != "" {
		t.Errorf("%s has room for everything", dir)
	}
	var kept string
	t.Run("ends", func(t *testing.T) {
		kept = OnDisk(t)
		if err := os.WriteFile(kept+"/a", nil, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("the folder is kept: %v", err)
	}
}
