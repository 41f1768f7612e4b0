package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// The table of ratios: what sectile takes beside the least that the same work can take, with
// the figure that is wanted beside each. All of it is measured in one run, over the corpus
// alone, with the program as it is released.

// speedFiles are what the table is measured on.
type speedFiles struct {
	docs    []document
	folder  string // that has them
	large   string // all of them in one file
	size    int    // bytes of that file
	program string // sectile, as it is released
	line    string // a program in Go that prints a line
}

// measureSpeed makes the table of ratios.
func measureSpeed(ctx context.Context, b *bench) error {
	if b.corpus == "" {
		b.report.note("The table of ratios needs a corpus (-corpus DIR)")
		return nil
	}
	f, err := b.speedPrograms(ctx)
	if err != nil {
		return err
	}
	for _, measure := range []func(context.Context, *speedFiles) error{
		b.speedOfStart, b.speedDocuments, b.speedOfOutlines, b.speedOfLinks, b.speedOfBlocks, b.speedOfInline, b.memoryOfOutline, b.speedOfCalls, b.speedOfHuge,
	} {
		if err := errors.Join(measure(ctx, f), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// reach adds a line of the table.
func (b *bench) reach(g goal) {
	b.report.goals = append(b.report.goals, g)
	fmt.Fprintf(os.Stderr, "speed: %s: %s%s (%s)\n", g.what, figure(g.figure), g.unit, g.wantedText())
}

// speedPrograms builds the programs.
func (b *bench) speedPrograms(ctx context.Context) (*speedFiles, error) {
	at := func(name string) string { return filepath.Join(b.machine.scratch, "speed", name) }
	f := &speedFiles{folder: at("corpus"), large: at("large.md"), program: at("sectile"), line: at("line")}
	source := at("line.go")
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(source), 0o750),
		os.WriteFile(source, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"a line\") }\n"), 0o600),
	); err != nil {
		return nil, err
	}
	return f, errors.Join(
		released(ctx, b.root, f.program, "./cmd/sectile"),
		released(ctx, b.root, f.line, source),
	)
}

// speedDocuments reads the corpus and writes its documents. Until then this program is a small
// one, which starts others as fast as can be.
func (b *bench) speedDocuments(_ context.Context, f *speedFiles) error {
	docs, skipped, err := readFolder(b.corpus, "")
	if err != nil {
		return err
	}
	b.report.noteAll("files of the corpus are left out", skipped)
	f.docs = docs
	var all []byte
	for _, d := range docs {
		all = append(all, d.source...)
	}
	f.size = len(all)
	return errors.Join(writeAll(f.folder, docs), os.WriteFile(f.large, all, 0o600))
}

// released builds a program as releases are built (.goreleaser.yaml).
func released(ctx context.Context, root, program, source string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-C", root, "-trimpath", "-ldflags=-s -w -buildid=", "-o", program, source)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w: %s", source, err, out)
	}
	return nil
}

// besideOf measures two contenders in turns, so many rounds of the run for each of its own.
func (b *bench) besideOf(more int, all ...contender) (took []sample, err error) {
	took, failed := inTurns(more*b.rounds, all)
	return took, errors.Join(failed...)
}

// speedOfStart is the start of the program beside one that prints a line, as it does.
func (b *bench) speedOfStart(ctx context.Context, f *speedFiles) error {
	took, err := b.besideOf(4, silent(ctx, ours, []string{f.program, "--version"}), silent(ctx, "line", []string{f.line}))
	if err != nil {
		return err
	}
	b.reach(goal{
		what: "start of the stripped release build, against a Go program that prints a line",
		ours: figure(took[0].median()) + " ms", beside: figure(took[1].median()) + " ms",
		unit: " ×", figure: took[0].over(took[1]), wanted: 1.8,
	})
	return nil
}

// speedOfOutlines is an outline in JSON beside ripgrep's count of lines that may be headings.
func (b *bench) speedOfOutlines(ctx context.Context, f *speedFiles) error {
	if _, err := exec.LookPath("rg"); err != nil {
		b.report.note("Outlines were not measured beside ripgrep: %v. To have it: apt-get install ripgrep", err)
		return nil
	}
	for _, line := range []struct {
		what, path string
		wanted     float64
	}{
		{fmt.Sprintf("outline of a folder (%s documents, JSON) against `rg -c '^#'`", thousands(len(f.docs))), f.folder, 1.15},
		{fmt.Sprintf("outline of one document of %s MB against `rg -c '^#'`", figure(float64(f.size)/1e6)), f.large, 1.8},
	} {
		took, err := b.besideOf(2,
			silent(ctx, ours, []string{f.program, "tree", "--json", line.path}),
			silent(ctx, "ripgrep", []string{"rg", "-c", "^#", line.path}))
		if err != nil {
			return err
		}
		b.reach(goal{
			what: line.what, ours: figure(took[0].median()) + " ms", beside: figure(took[1].median()) + " ms",
			unit: " ×", figure: took[0].over(took[1]), wanted: line.wanted,
		})
	}
	return nil
}

// speedOfLinks is a check of all links beside the time of reading the same files, which cat
// takes.
func (b *bench) speedOfLinks(ctx context.Context, f *speedFiles) error {
	for _, name := range []string{"find", "cat"} {
		if _, err := exec.LookPath(name); err != nil {
			b.report.note("The check of links was not measured beside cat: %v", err)
			return nil
		}
	}
	check := contender{ours, func() error {
		_, err := run(ctx, []string{f.program, "links", "--broken", f.folder})
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 { // there are broken ones
			return nil
		}
		return err
	}}
	took, err := b.besideOf(4, check, silent(ctx, "cat", []string{"find", f.folder, "-type", "f", "-exec", "cat", "{}", "+"}))
	if err != nil {
		return err
	}
	b.reach(goal{
		what: fmt.Sprintf("check of all links (%s documents) against `cat` of them", thousands(len(f.docs))),
		ours: figure(took[0].median()) + " ms", beside: figure(took[1].median()) + " ms",
		unit: " ×", figure: took[0].over(took[1]), wanted: 3,
	})
	return nil
}

// speedOfBlocks is the parse of blocks beside the search for the end of each line, on one
// processor.
func (b *bench) speedOfBlocks(_ context.Context, f *speedFiles) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var p markdown.Parser
	var kept *markdown.Document
	lines := 0
	took, err := b.besideOf(2, contender{"newlines", func() error {
		for i := range f.docs {
			lines += countLines(f.docs[i].source)
		}
		return nil
	}}, contender{"reused", func() (err error) {
		for i := range f.docs {
			_, failed := p.Parse(f.docs[i].source)
			err = errors.Join(err, failed)
		}
		return err
	}}, contender{"kept", func() (err error) {
		for i := range f.docs {
			doc, failed := markdown.Parse(f.docs[i].source)
			err = errors.Join(err, failed)
			kept = doc
		}
		return err
	}})
	if err != nil {
		return err
	}
	runtime.KeepAlive(kept)
	speed := func(s sample) string { return figure(float64(f.size)/1000/s.median()) + " MB/s" }
	for i, line := range []struct {
		how    string
		wanted float64
	}{{"reused", 60}, {"kept", 50}} {
		b.reach(goal{
			what: "block parse against a newline scan, " + line.how, ours: speed(took[1+i]), beside: speed(took[0]),
			unit: " %", figure: 100 * took[0].over(took[1+i]), wanted: line.wanted, atLeast: true,
		})
	}
	return nil
}

// countLines is the least that anything which knows lines must do.
func countLines(source []byte) (lines int) {
	for {
		i := bytes.IndexByte(source, '\n')
		if i < 0 {
			return lines
		}
		source = source[i+1:]
		lines++
	}
}

// speedOfInline is the parse of blocks and inline content beside md4c.
func (b *bench) speedOfInline(ctx context.Context, f *speedFiles) error {
	theirs := md4c(b.machine)
	if err := theirs.find(ctx, b.machine); err != nil {
		b.report.note("The parse of inline content was not measured beside md4c: %v. To have it: %s", err, theirs.install)
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	all, err := b.packedContenders(ctx, f.docs, []packedParser{
		{ours, []string{self, packedArgument, "inline"}}, {theirs.parser(), theirs.parsePacked()},
	})
	if err != nil {
		return err
	}
	took, err := b.besideOf(1, all...)
	if err != nil {
		return err
	}
	took = withoutStart(took)
	speed := func(s sample) string { return figure(float64(size(f.docs)*packedTimes)/1000/s.median()) + " MB/s" }
	b.reach(goal{
		what: "blocks and inline content against md4c's full parse", ours: speed(took[0]), beside: speed(took[1]),
		unit: " ×", figure: took[1].over(took[0]), wanted: 1.3, atLeast: true,
	})
	return nil
}

// memoryOfOutline is the largest size of the program on a large document, beside that of the
// document.
func (b *bench) memoryOfOutline(ctx context.Context, f *speedFiles) error {
	largest, err := b.peakProgram(ctx)
	if err != nil {
		return err
	}
	var peaks sample
	for range b.rounds {
		out, err := run(ctx, []string{largest, f.program, "tree", "--json", f.large})
		if err != nil {
			b.report.note("The memory of an outline was not measured: %v", err)
			return ctx.Err()
		}
		peak, err := strconv.Atoi(string(out))
		if err != nil {
			return err
		}
		peaks = append(peaks, float64(peak))
	}
	b.reach(goal{
		what: "peak memory for one large document ÷ its size, outline",
		ours: figure(peaks.median()/1e6) + " MB", beside: figure(float64(f.size)/1e6) + " MB",
		unit: " ×", figure: peaks.median() / float64(f.size), wanted: 1.5,
	})
	return nil
}

// The calls of a warm server: how many are made one after another, and at once.
const (
	callsAlone  = 200
	callsAtOnce = 256
)

// speedOfCalls is what a call of a tool takes on a document that has not changed since the
// last one: alone, from the request to its answer, and of many that are sent at once.
func (b *bench) speedOfCalls(ctx context.Context, f *speedFiles) error {
	folder := filepath.Join(b.machine.scratch, "speed", "served")
	if err := writeAll(folder, []document{{"a.md", testkit.Sections(2500)}}); err != nil {
		return err
	}
	s, err := startServer(ctx, []string{f.program, "mcp", "--root", folder})
	if err != nil {
		return err
	}
	defer s.close()
	tree := call{"markdown_tree", map[string]any{"file_path": "a.md", "max_depth": 2}}
	var alone, atOnce sample
	for i := range 1 + callsAlone {
		took, err := s.pipelined(tree, 1)
		if err != nil {
			return err
		}
		if i > 0 {
			alone = append(alone, took)
		}
	}
	for range b.rounds {
		took, err := s.pipelined(tree, callsAtOnce)
		if err != nil {
			return err
		}
		atOnce = append(atOnce, took/callsAtOnce)
	}
	b.reach(goal{what: "warm tool call, 2,500 lines, process and pipe", ours: figure(alone.median()) + " ms", unit: " ms", figure: alone.median(), wanted: 0.25})
	b.reach(goal{
		what: fmt.Sprint(callsAtOnce, " calls pipelined on one document, each"),
		ours: figure(atOnce.median()) + " ms", unit: " ms", figure: atOnce.median(), wanted: 0.15,
	})
	return nil
}

// pipelined sends so many calls in one go and returns the milliseconds until all are answered.
func (s *server) pipelined(c call, times int) (float64, error) {
	var lines []byte
	for range times {
		s.last++
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": "tools/call", "params": c})
		if err != nil {
			return 0, err
		}
		lines = append(append(lines, line...), '\n')
	}
	sent := make(chan error, 1)
	answers := make([][]byte, 0, times)
	began := time.Now()
	go func() {
		_, err := s.in.Write(lines)
		sent <- err
	}()
	for range times {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		answers = append(answers, line)
	}
	took := milliseconds(time.Since(began))
	for _, line := range answers {
		if !bytes.Contains(line, []byte("tree_json")) {
			return 0, fmt.Errorf("a call among many: %.200s", line)
		}
	}
	return took, <-sent
}
