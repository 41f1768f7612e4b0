package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// served is a way to start a server, of the tool that it belongs to.
type served struct {
	serverKind
	start, cold, warm, parallel sample // milliseconds
	list                        int    // bytes of the answer to tools/list
}

// warmCalls is how many calls of a warm server each round has; atOnce how many are
// sent before the first answer is read.
const (
	warmCalls = 20
	atOnce    = 32
)

// measureServers measures servers of tools as a client sees them.
func measureServers(ctx context.Context, b *bench) error {
	folder := filepath.Join(b.machine.scratch, "served")
	doc := testkit.LargeFixture()
	if err := writeAll(folder, []document{{doc.Name, doc.Source}}); err != nil {
		return err
	}
	var all []*served
	for i := range b.tools {
		t := &b.tools[i]
		for _, kind := range t.servers {
			if kind.read != nil {
				all = append(all, &served{serverKind: kind})
			}
		}
	}
	failed := map[string]bool{}
	for round := -1; round < b.rounds; round++ {
		for i := range all {
			s := all[(i+max(round, 0))%len(all)]
			if round < 0 {
				s = &served{serverKind: s.serverKind} // a round that is not counted
			}
			if failed[s.name] {
				continue
			}
			if err := s.round(ctx, folder, doc.Name); err != nil {
				if err := b.fails(ctx, "Servers", s.name, err); err != nil {
					return err
				}
				failed[s.name] = true
			}
		}
	}
	all = slices.DeleteFunc(all, func(s *served) bool { return failed[s.name] })
	b.reportServers(all, doc)
	return b.measureFinding(ctx, all)
}

// round starts a server and measures it once.
func (s *served) round(ctx context.Context, folder, file string) error {
	begin := time.Now()
	server, err := startServer(ctx, s.command(folder))
	if err != nil {
		return err
	}
	defer server.close()
	list, err := server.request("tools/list", map[string]any{})
	if err != nil {
		return err
	}
	s.start = append(s.start, milliseconds(time.Since(begin)))
	s.list = len(list)
	read := s.read(filepath.Join(folder, file), "L100")
	for i := range 1 + warmCalls {
		begin = time.Now()
		if _, err := server.call(read); err != nil {
			return err
		}
		if i == 0 {
			s.cold = append(s.cold, milliseconds(time.Since(begin)))
		} else {
			s.warm = append(s.warm, milliseconds(time.Since(begin)))
		}
	}
	begin = time.Now()
	for range atOnce {
		if _, err := server.send("tools/call", read); err != nil {
			return err
		}
	}
	replies := make([]*reply, atOnce)
	for i := range replies {
		if replies[i], err = server.answer(); err != nil {
			return err
		}
	}
	s.parallel = append(s.parallel, milliseconds(time.Since(begin)))
	return allRead(replies)
}

// allRead returns the first error of replies to calls: an error that comes fast must
// not count as a fast read.
func allRead(replies []*reply) error {
	for _, r := range replies {
		if r.Error != nil {
			return fmt.Errorf("a read among many: %w", refusal{r.Error.Message})
		}
		if _, err := textOf(r.Result); err != nil {
			return fmt.Errorf("a read among many: %w", err)
		}
	}
	return nil
}

func (b *bench) reportServers(all []*served, doc testkit.Fixture) {
	reads := fmt.Sprintf("of a document of %s lines (server-filesystem: all of it, sectile: a section)", thousands(doc.Lines))
	collect := func(of func(*served) sample) []measured {
		values := make([]measured, len(all))
		for i, s := range all {
			values[i] = measured{tool: s.name, values: of(s)}
		}
		return values
	}
	r := b.report
	r.compare("Server: process start to the answers of initialize and tools/list", "ms",
		collect(func(s *served) sample { return s.start }), &panel{title: "Server: start to its list of tools", unit: "ms", better: fewer})
	r.compare("Server: first read "+reads, "ms", collect(func(s *served) sample { return s.cold }), nil)
	for i, s := range all {
		line := row{measure: "Server: every further read", tool: s.name, result: figure(s.warm.median()) + " ms", detail: "95 of 100 within " + figure(s.warm.quantile(0.95)) + " ms"}
		if i > 0 {
			line.beside = times(s.warm.over(all[0].warm))
		}
		r.add(line)
	}
	r.compare(fmt.Sprintf("Server: %d reads at once", atOnce), "ms", collect(func(s *served) sample { return s.parallel }), nil)
	for i, s := range all {
		line := row{measure: "Server: its list of tools", tool: s.name, result: thousands(s.list) + " bytes"}
		if i > 0 {
			line.beside = times(float64(s.list) / float64(all[0].list))
		}
		r.add(line)
	}
}

// target is a section that is looked for: the line and title of its heading, and its
// text with LF.
type target struct {
	line  int
	title string
	text  string
}

// sizes are classes of documents by their bytes.
var sizes = []struct {
	name string
	from int
}{
	{"under 4,000 bytes", 0},
	{"4,000 to 20,000 bytes", 4000},
	{"20,000 bytes and more", 20_000},
}

// measureFinding counts the characters of all replies that a caller gets who looks
// for a section in a document that it has never seen, and reads it.
func (b *bench) measureFinding(ctx context.Context, all []*served) error {
	groups := b.targets()
	for i, class := range sizes {
		measure := fmt.Sprintf("Characters to find and read a section, in %d documents of %s", len(groups[i]), class.name)
		var values []measured
		for _, s := range all {
			if s.find == nil || len(groups[i]) == 0 {
				continue
			}
			tool, _, _ := strings.Cut(s.name, " ") // which flags it has does not matter
			counts, err := b.find(ctx, s, groups[i])
			if err != nil {
				if err := b.fails(ctx, measure, s.name, err); err != nil {
					return err
				}
				continue
			}
			values = append(values, measured{tool: tool + ", " + s.way, values: counts})
		}
		foundByAll(values)
		b.report.compare(measure, "characters", values, &panel{title: "Characters to find and read a section, in documents of " + class.name, better: fewer})
	}
	return nil
}

// foundByAll leaves in figures of the same things only those of what all have found,
// and counts what each has not: that is not a number. Who has found nothing at all is
// not one of them, and has no figure.
func foundByAll(all []measured) {
	for i := range all {
		all[i].missed = len(slices.DeleteFunc(slices.Clone(all[i].values), func(v float64) bool { return !math.IsNaN(v) }))
		if all[i].missed == len(all[i].values) {
			all[i].values = nil
		}
	}
	found := make([]sample, len(all))
	most := 0
	for i := range all {
		most = max(most, len(all[i].values))
	}
	for at := range most {
		if slices.ContainsFunc(all, func(m measured) bool { return m.values != nil && math.IsNaN(m.values[at]) }) {
			continue
		}
		for i, m := range all {
			if m.values != nil {
				found[i] = append(found[i], m.values[at])
			}
		}
	}
	for i := range all {
		all[i].values = found[i]
	}
}

// lookup is a section of a document that is looked for.
type lookup struct {
	document
	target
}

// targets chooses a section of each of some documents of each size. Who wants more
// than half of a document reads all of it.
func (b *bench) targets() [][]lookup {
	r := rand.New(rand.NewPCG(b.seed, 9))
	groups := make([][]lookup, len(sizes))
	for _, at := range r.Perm(len(b.docs)) {
		d := b.docs[at]
		headings := b.reference[d.name]
		class := 0
		for i := range sizes {
			if len(d.source) >= sizes[i].from {
				class = i
			}
		}
		if len(headings) < 2 || len(groups[class]) == b.tasks {
			continue
		}
		t := lookFor(r, d.source, sections(d.source, headings))
		if len(t.text) <= len(d.source)/2 {
			groups[class] = append(groups[class], lookup{d, t})
		}
	}
	return groups
}

// lookFor chooses a section of a document, with all that is below it.
func lookFor(r *rand.Rand, source []byte, all []section) target {
	s := pick(r, all)
	starts := lineStarts(source)
	end := len(source)
	for i := range all[s.ordinal+1:] {
		if after := &all[s.ordinal+1+i]; after.level <= s.level {
			end = starts[after.line-1]
			break
		}
	}
	return target{s.line, s.text, unified(source[starts[s.line-1]:end])}
}

// find has a server find sections, each in a file that it has not seen before. Of one
// that it did not find the figure is not a number.
func (b *bench) find(ctx context.Context, s *served, lookups []lookup) (sample, error) {
	folder, err := os.MkdirTemp(b.machine.scratch, "find-")
	if err != nil {
		return nil, err
	}
	server, err := startServer(ctx, s.command(folder))
	if err != nil {
		return nil, err
	}
	defer server.close()
	counts := make(sample, len(lookups))
	for i, l := range lookups {
		path := filepath.Join(folder, fmt.Sprintf("%d.md", i))
		if err := os.WriteFile(path, l.source, 0o600); err != nil {
			return nil, err
		}
		n, err := s.find(server, path, l.target)
		counts[i] = float64(n)
		if r, ok := errors.AsType[refusal](err); ok {
			counts[i] = math.NaN()
			if b.verbose {
				fmt.Fprintf(os.Stderr, "%s: %s, line %d, is not found: %.200s\n", s.name, l.name, l.line, r.text)
			}
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return counts, nil
}
