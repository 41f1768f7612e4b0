package documents

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A server that answers small requests has little memory in use, and makes garbage with each
// answer. The runtime clears that away whenever there is as much again as is in use, which
// for a few megabytes is every few calls and takes a fifth of their time. So there may be
// some megabytes of it in any case, and beyond that as usual.

// leastGarbage is how many bytes of garbage there may be.
const leastGarbage = 12 << 20

// The runtime's percentage of garbage to what is in use: at least, as usual, and at most.
const (
	leastPercent = 25
	usualPercent = 100
	mostPercent  = 400
)

// allowGarbage lets leastGarbage be there from now on, unless the user has said how often
// it is to be cleared away. It is for the whole program.
var allowGarbage = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		tuneGarbage(struct{}{})
	}
})

// tuneGarbage sets the percentage by what is in use, and does so again whenever garbage was
// cleared away.
func tuneGarbage(struct{}) {
	now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(now)
	percent := garbagePercent(int64(now[0].Value.Uint64())) //nolint:gosec // no memory is so large
	if percent != int(now[1].Value.Uint64()) {              //nolint:gosec // it is 400 at most
		debug.SetGCPercent(percent)
	}
	type cleared struct{ _ *int }
	runtime.AddCleanup(new(cleared), tuneGarbage, struct{}{})
}

// clearOften lets little garbage be there, for what a document beyond the limit takes is to
// depend on what is needed of it: in a server until garbage is cleared away for the first
// time, in a command until it ends.
func clearOften() { debug.SetGCPercent(leastPercent) }

// garbagePercent is the percentage for so many bytes in use.
func garbagePercent(live int64) int {
	return int(min(max(100*leastGarbage/max(live, 1), usualPercent), mostPercent))
}
