// Package racing tells tests whether the race detector runs, which makes them several
// times slower. What works through much data in one goroutine takes less of it then,
// or none: there is no race to be found, and the run without the detector takes all.
package racing

import "testing"

// Some returns n, or with the detector a fraction of it that is at least 1.
func Some(n, fraction int) int {
	if Detector {
		return max(1, n/fraction)
	}
	return n
}

// OneGoroutine skips a test of one goroutine if the detector runs.
func OneGoroutine(t testing.TB) {
	t.Helper()
	if Detector {
		t.Skip("all happens in one goroutine; it runs without the race detector")
	}
}
