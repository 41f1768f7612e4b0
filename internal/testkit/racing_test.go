package testkit

import "testing"

func TestSome(t *testing.T) {
	for _, tt := range []struct {
		detector          bool
		n, fraction, want int
	}{{false, 100, 10, 100}, {true, 100, 10, 10}, {true, 100, 1000, 1}, {true, 7, 2, 3}} {
		if got := some(tt.detector, tt.n, tt.fraction); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
	if got := Some(100, 10); got != some(RaceDetector, 100, 10) {
		t.Errorf("with the detector %v: %d", RaceDetector, got)
	}
}

func TestSkip(t *testing.T) {
	for _, detector := range []bool{false, true} {
		skipped := false
		t.Run("", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			skip(detector, t, "why")
		})
		if skipped != detector {
			t.Errorf("skipped: %v, with the detector: %v", skipped, detector)
		}
	}
	t.Run("OneGoroutine", func(t *testing.T) { OneGoroutine(t) })
	t.Run("OtherProcess", func(t *testing.T) { OtherProcess(t) })
}
