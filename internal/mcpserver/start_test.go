package mcpserver

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testprogram"
)

// Start-up is a feature: what a package does before main is paid for by every
// command. The limit is for the fastest of many runs, so that a busy machine fails
// no test; the first runs are mostly enough.
func TestNoPackageIsSlowToStart(t *testing.T) {
	const (
		limit = 0.3 // milliseconds
		least = 5   // runs
		most  = 300
	)
	fastest := map[string]float64{}
	slow := func() (names []string) {
		for name, ms := range fastest {
			if ms > limit {
				names = append(names, fmt.Sprintf("%s (%.3f ms)", name, ms))
			}
		}
		return names
	}
	for n := 0; n < least || n < most && len(slow()) > 0; n++ {
		traceStart(t, fastest)
	}
	if len(fastest) < 5 {
		t.Fatalf("only %d packages were traced", len(fastest))
	}
	if names := slow(); len(names) > 0 {
		t.Errorf("packages that take more than %.1f ms at start: %s", limit, strings.Join(names, ", "))
	}
}

// traceStart runs the program once, and notes the packages that were faster than
// ever before.
func traceStart(t *testing.T, fastest map[string]float64) {
	t.Helper()
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
