package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// longRun is how long a part takes that must have done all that it is for.
const longRun = time.Minute

// maxWrongs is how many wrongs are told; a run ends at the first rounds that had some.
const maxWrongs = 20

// findings is what is wrong.
type findings struct {
	mu    sync.Mutex
	wrong []string
}

// run is what a part of a run works with.
type run struct {
	*options

	dir   string
	tally *tally    // of the part
	found *findings // of all parts
}

// newRun returns a run of the program in the folder.
func newRun(o *options, program, dir string) *run {
	own := *o
	own.program = program
	return &run{options: &own, dir: dir, tally: newTally(), found: new(findings)}
}

// fail notes what is wrong.
func (r *run) fail(format string, args ...any) {
	r.found.mu.Lock()
	defer r.found.mu.Unlock()
	if len(r.found.wrong) < maxWrongs {
		r.found.wrong = append(r.found.wrong, fmt.Sprintf(format, args...))
	}
}

// wrongs returns what was wrong.
func (r *run) wrongs() []string {
	r.found.mu.Lock()
	defer r.found.mu.Unlock()
	return r.found.wrong
}

// part is one of the things that are done at the same time. A round of it is done again
// and again, each in a folder of its own, until the time is over, and looks at what came
// of it.
type part struct {
	*run

	name   string
	chance uint64   // which tells its chance from that of the others
	must   []string // lines of the table that count something in a long run

	// prepare is done before; an error says that the part can't be done here, and one of
	// errors.ErrUnsupported that no program could mend that.
	prepare func() (undo func(), err error)
	without string // what of it can't be done here, if prepare has found that
	round   func(ctx context.Context, dir string, random *rand.Rand) error
	end     func() // after the last round

	lasted time.Duration
}

// all returns the parts of a run.
func (r *run) all() (parts []*part) {
	add := func(name string, must ...string) *part {
		own := *r
		own.tally = newTally()
		p := &part{
			run: &own, name: name, chance: uint64(len(parts)), must: append([]string{roundsChecked}, must...),
			prepare: func() (func(), error) { return func() {}, nil }, end: func() {},
		}
		parts = append(parts, p)
		return p
	}
	p := add("edits", "edits acknowledged", "edits acknowledged: with a hash", "edits refused: conflict", "edits refused: structure changed",
		"edits without an answer", "commands killed", "commands killed while they write", "servers killed")
	p.round = p.edits

	p = add("disk", "edits acknowledged", "edits refused: disk full", "commands killed", "servers killed")
	d := &smallDisk{part: p}
	p.prepare, p.round = d.prepare, d.round

	p = add("saves", "edits acknowledged", "saves by another program", "saves while an edit is written")
	p.prepare, p.round, p.end = canSuspend, p.saves, p.judgeSaves

	p = add("foreign", "saves among edits", "edits among saves")
	p.prepare, p.round = canTellWriters, p.foreigns

	p = add("reads", "reads of a whole version", "reads of what was half written", "reads refused: other file or none there",
		"outlines of a whole version", "outlines of what was half written", "outlines refused: other file or none there")
	reads := &reading{part: p}
	p.prepare, p.round, p.end = reads.prepare, reads.round, reads.end

	p = add("lines", "good lines answered", "malformed lines answered with their id", "malformed lines answered with no id", "lines without an answer")
	p.round = p.lines

	for _, kind := range []string{"file", "git", "jj"} {
		p := add("plans-"+kind, "plan marks acknowledged", "plan writes acknowledged: with a version",
			"plan writes refused: concurrent change", "servers killed")
		p.prepare = func() (func(), error) {
			_, err := storeProgram(kind)
			return func() {}, err
		}
		p.round = p.plansIn(kind)
	}
	return parts
}

// report is what came of a run beside its wrongs.
type report struct {
	sum     *tally
	skipped []string // what can't be done on this machine
}

// work does the parts at once until the time is over, or something is wrong.
func (r *run) work(ctx context.Context) report {
	result := report{sum: newTally()}
	var parts []*part
	var undo []func()
	for _, p := range r.all() {
		if !r.wants(p.name) {
			continue
		}
		after, err := p.prepare()
		if err != nil {
			result.skipped = append(result.skipped, p.name+": "+err.Error())
			if os.Getenv("SECTILE_REQUIRE_TOOLS") != "" && !errors.Is(err, errors.ErrUnsupported) {
				r.fail("skipped, which SECTILE_REQUIRE_TOOLS forbids: %s: %v", p.name, err)
			}
			continue
		}
		if p.without != "" {
			result.skipped = append(result.skipped, p.name+", of it: "+p.without)
		}
		undo, parts = append(undo, after), append(parts, p)
	}
	if len(parts) == 0 {
		r.fail("none of the parts can be done here, so that nothing is proved")
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.time)
	defer cancel()
	var working sync.WaitGroup
	for _, p := range parts {
		random := rand.New(rand.NewPCG(r.seed, p.chance))
		working.Go(func() {
			p.rounds(ctx, random)
			p.lasted = time.Since(begin)
		})
	}
	working.Wait()
	for _, after := range undo {
		after()
	}
	for _, p := range parts {
		result.sum.addAll(p.tally)
	}
	if len(r.wrongs()) == 0 {
		for _, p := range parts {
			p.judgeCounts()
		}
	}
	return result
}

// judgeCounts sees that a part that lasted did all that it is for. A shorter one may have had
// no luck.
func (p *part) judgeCounts() {
	for _, must := range p.must {
		if p.lasted >= longRun && p.tally.get(must) == 0 {
			p.fail("%s: %q counts none, so that nothing is proved; run it for longer, or on a disk that is slower", p.name, must)
		}
	}
}

// wants reports whether a part shall be done.
func (r *run) wants(name string) bool {
	return r.parts == "" || slices.Contains(strings.Split(r.parts, ","), name)
}

// checkParts says which of the parts that are asked for there are not.
func (r *run) checkParts() error {
	if r.parts == "" {
		return nil
	}
	var names []string
	for _, p := range r.all() {
		names = append(names, p.name)
	}
	for name := range strings.SplitSeq(r.parts, ",") {
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no part %q; the parts are %s", name, strings.Join(names, ","))
		}
	}
	return nil
}

// rounds does a part again and again.
func (p *part) rounds(ctx context.Context, random *rand.Rand) {
	defer p.end()
	for n := 0; (n == 0 || ctx.Err() == nil) && len(p.wrongs()) == 0; n++ {
		dir := filepath.Join(p.dir, p.name, fmt.Sprint(n))
		err := os.MkdirAll(dir, 0o755)
		if err == nil {
			round, cancel := context.WithTimeout(ctx, p.options.round)
			err = p.round(round, dir, random)
			cancel()
		}
		if err != nil {
			p.fail("%s, round %d: %v", p.name, n, err)
			return
		}
		p.tally.add(roundsChecked, 1)
		if len(p.wrongs()) == 0 && !p.keep {
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
