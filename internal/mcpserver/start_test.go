package mcpserver

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testprogram"
)

// Start-up is a feature: what a package does before main is paid for by every
// command. The limit is for the fastest of some runs, so that a busy machine fails
// no test.
func TestNoPackageIsSlowToStart(t *testing.T) {
	const (
		limit = 0.3 // milliseconds
		runs  = 10
	)
	fastest := map[string]float64{}
	for range runs {
		cmd := exec.Command(testprogram.Build(t), "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		// init unicode @0.49 ms, 0.021 ms clock, 11400 bytes, 16 allocs
		for line := range strings.Lines(string(out)) {
			fields := strings.Fields(line)
			if len(fields) < 6 || fields[0] != "init" {
				continue
			}
			ms, err := strconv.ParseFloat(fields[4], 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if old, seen := fastest[fields[1]]; !seen || ms < old {
				fastest[fields[1]] = ms
			}
		}
	}
	if len(fastest) < 5 {
		t.Fatalf("only %d packages were traced", len(fastest))
	}
	for name, ms := range fastest {
		if ms > limit {
			t.Errorf("package %s takes %.3f ms at start, want at most %.1f", name, ms, limit)
		}
	}
}
