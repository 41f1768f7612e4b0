package testkit

import "testing"

// The race detector makes tests several times slower. What works through much data in one
// goroutine takes less of it then, or none: there is no race to be found, and the run
// without the detector takes all.

// Some returns n, or with the detector a fraction of it that is at least 1.
func Some(n, fraction int) int { return some(RaceDetector, n, fraction) }

func some(detector bool, n, fraction int) int {
	if detector {
		return max(1, n/fraction)
	}
	return n
}

// OneGoroutine skips a test of one goroutine if the detector runs, or of several that
// wait for each other, such as a client that sends one call after the other.
func OneGoroutine(t testing.TB) {
	t.Helper()
	skip(RaceDetector, t, "one thing happens after the other; it runs without the race detector")
}

// OtherProcess skips a test of a program that was built without the detector if this one
// runs with it: nothing would be found in there.
func OtherProcess(t testing.TB) {
	t.Helper()
	skip(RaceDetector, t, "the program is a process without the race detector; this runs without it")
}

func skip(detector bool, t testing.TB, why string) {
	t.Helper()
	if detector {
		t.Skip(why)
	}
}
