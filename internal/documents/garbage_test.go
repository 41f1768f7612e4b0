package documents

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// TestGarbagePercent: little in use may have some megabytes of garbage, and much as much again.
func TestGarbagePercent(t *testing.T) {
	for _, tt := range []struct {
		live int64
		want int
	}{{0, 400}, {1 << 20, 400}, {3 << 20, 400}, {4 << 20, 300}, {6 << 20, 200}, {12 << 20, 100}, {1 << 30, 100}} {
		if got := garbagePercent(tt.live); got != tt.want {
			t.Errorf("%d bytes in use: %d %%, want %d", tt.live, got, tt.want)
		}
	}
}

// TestClearOften: what a large document lets be of garbage is little, and in a server usual
// again after some of it was cleared away.
func TestClearOften(t *testing.T) {
	percent := func() int {
		now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(now)
		return int(now[0].Value.Uint64())
	}
	defer debug.SetGCPercent(percent())
	clearOften()
	if got := percent(); got != leastPercent {
		t.Fatalf("%d %%, want %d", got, leastPercent)
	}
	tuneGarbage(struct{}{})
	if got := percent(); got < usualPercent {
		t.Errorf("%d %% in a server, want %d at least", got, usualPercent)
	}
	clearOften()
	for range 1000 { // the cleanup runs beside the program
		runtime.GC()
		if percent() >= usualPercent {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("it stays at %d %%", percent())
}
