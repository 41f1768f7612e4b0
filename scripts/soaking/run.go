package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// callLimit is how long a call may take before it counts as hanging. Servers end a call
// after 30 seconds by themselves.
const callLimit = time.Minute

// lastBreath is how long after its last word a process may take to be gone.
const lastBreath = 10 * time.Second

// longRun is how long a run takes that must have done all that it is for.
const longRun = time.Minute

// maxWrongs is how many wrongs are told; a run ends at the first rounds that had some.
const maxWrongs = 20

// run is what all parts of a run share.
type run struct {
	*options

	dir     string
	tally   *tally
	skipped []string // what can't be done on this machine

	mu    sync.Mutex
	wrong []string
}

// newRun returns a run of the program in the folder.
func newRun(o *options, program, dir string) *run {
	own := *o
	own.program = program
	return &run{options: &own, dir: dir, tally: newTally()}
}

// fail notes what is wrong.
func (r *run) fail(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.wrong) < maxWrongs {
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
}

// wrongs returns what was wrong.
func (r *run) wrongs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrong
}

// part is one of the things that are done at the same time. It is done once a round, in
// a folder of its own, until the time is over, and looks at what came of it.
type part struct {
	name  string
	round func(ctx context.Context, dir string, random *rand.Rand) error
}

// all returns the parts of a run.
func (r *run) all() []part {
	parts := []part{
		{"edits", r.edits},
		{"reads", r.reads},
		{"lines", r.lines},
		{"disk", r.fullDisk},
	}
	for _, kind := range []string{"file", "git", "jj"} {
		parts = append(parts, part{"plans-" + kind, r.plansIn(kind)})
	}
	return parts
}

// work does the parts at once until the time is over, or something is wrong.
func (r *run) work(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.time)
	defer cancel()
	var running sync.WaitGroup
	var undo []func()
	for i, p := range r.all() {
		if !r.wants(p.name) {
			continue
		}
		after, err := r.prepare(p.name)
		if err != nil {
			r.skipped = append(r.skipped, p.name+": "+err.Error())
			continue
		}
		undo = append(undo, after)
		random := rand.New(rand.NewPCG(r.seed, uint64(i)))
		running.Go(func() { r.rounds(ctx, p, random) })
	}
	running.Wait()
	for _, after := range undo {
		after()
	}
	if len(r.wrongs()) == 0 {
		for _, wrong := range r.whyNone() {
			r.fail("%s", wrong)
		}
	}
}

// wants reports whether a part shall be done.
func (r *run) wants(name string) bool {
	return r.parts == "" || slices.Contains(strings.Split(r.parts, ","), name)
}

// prepare sees that a part can be done here. The function undoes what was done for it.
func (r *run) prepare(name string) (undo func(), err error) {
	undo = func() {}
	if name == "disk" {
		path, err := mountSmall(r.dir)
		if err != nil {
			return undo, err
		}
		return func() { unmount(path) }, nil
	}
	if kind, isPlan := strings.CutPrefix(name, "plans-"); isPlan {
		_, err = storeProgram(kind)
	}
	return undo, err
}

// rounds does a part again and again.
func (r *run) rounds(ctx context.Context, p part, random *rand.Rand) {
	for n := 0; (n == 0 || ctx.Err() == nil) && len(r.wrongs()) == 0; n++ {
		dir := filepath.Join(r.dir, p.name, fmt.Sprint(n))
		err := os.MkdirAll(dir, 0o755)
		if err == nil {
			round, cancel := context.WithTimeout(ctx, r.round)
			err = p.round(round, dir, random)
			cancel()
		}
		if err != nil {
			r.fail("%s, round %d: %v", p.name, n, err)
			return
		}
		r.tally.add("rounds that were checked", 1)
		if len(r.wrongs()) == 0 && !r.keep {
			_ = os.RemoveAll(dir) // what stays is in the way of nobody
		}
	}
}

// pause waits up to so long, by chance, or until the time is over.
func pause(ctx context.Context, random *rand.Rand, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(random.Int64N(int64(most)))):
	}
}

// newChance returns chance that goes by other chance, for a goroutine of its own.
func newChance(random *rand.Rand) *rand.Rand {
	return rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
}

// pick returns one of the list, by chance.
func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// badLog returns the first line of a program's log that none may write, or nothing.
func badLog(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "panic") || strings.Contains(line, "goroutine ") || strings.Contains(line, "internal_error") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
