package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A document of gigabytes is read by its headings and what is asked for of it, which is
// measured beside the count of its lines.

// hugeSize is the size of the document in bytes, and quickSize that in a quick run.
const (
	hugeSize  = 5 << 30
	quickSize = 256 << 20
)

// speedOfHuge is what a document takes that is far beyond the limit of bytes.
func (b *bench) speedOfHuge(ctx context.Context, f *speedFiles) error {
	if _, err := exec.LookPath("wc"); err != nil {
		b.report.note("A document of gigabytes was not measured beside wc: %v", err)
		return nil
	}
	path, size := filepath.Join(b.machine.scratch, "speed", "huge.md"), hugeSize
	if b.quick {
		size = quickSize
	}
	sections, err := writeHuge(path, size)
	defer os.Remove(path) //nolint:errcheck // the folder is removed at the end
	if err != nil {
		b.report.note("A document of %d GiB was not measured: %v", size>>30, err)
		return nil
	}
	largest, err := b.peakProgram(ctx)
	if err != nil {
		return err
	}
	of := fmt.Sprintf(" of a document of %.1f GiB with %s headings", float64(size)/(1<<30), thousands(sections))
	middle := fmt.Sprintf("Part %d of the document", sections/2)
	peak := 0.0
	for _, command := range []struct{ what, verb, rest string }{
		{"outline", "tree", ""},
		{"list of sections", "sections", ""},
		{"lines of a section", "bounds", middle},
		{"text of a section", "read", middle},
		{"search for a text", "search", "Part 777 of the document"},
	} {
		line := []string{f.program, command.verb}
		if command.verb == "search" {
			line = append(line, "--text", command.rest, path)
		} else if line = append(line, path); command.rest != "" {
			line = append(line, command.rest)
		}
		took, err := b.besideOf(1, silent(ctx, ours, line), silent(ctx, "wc", []string{"wc", "-l", path}))
		if err != nil {
			return err
		}
		b.reach(goal{
			what: command.what + of + ", against `wc -l`", ours: figure(took[0].median()) + " ms", beside: figure(took[1].median()) + " ms",
			unit: " ×", figure: took[0].over(took[1]), wanted: 2,
		})
		out, err := run(ctx, append([]string{largest}, line...))
		if err != nil {
			b.report.note("The memory for a document of gigabytes was not measured: %v", err)
			return ctx.Err()
		}
		now, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return err
		}
		peak = max(peak, now)
	}
	list, err := run(ctx, []string{f.program, "sections", path})
	if err != nil {
		return err
	}
	b.reach(goal{
		what: "largest size of these without the list of headings", ours: figure(peak/(1<<20)) + " MiB",
		beside: figure(float64(len(list))/(1<<20)) + " MiB of headings",
		unit:   " MiB", figure: (peak - float64(len(list))) / (1 << 20), wanted: 64,
	})
	return nil
}

// writeHuge writes a document of about so many bytes, and returns the number of its headings.
func writeHuge(path string, size int) (sections int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	random := rand.New(rand.NewPCG(25, 5))
	words := strings.Fields("a table of contents tells where each section of the document begins and what it is about so that nobody reads the whole")
	var bodies []string
	for range 64 {
		var s strings.Builder
		for range 30 + random.IntN(60) {
			for range 40 + random.IntN(60) {
				s.WriteString(words[random.IntN(len(words))] + " ")
			}
			s.WriteString("\n\n")
			if random.IntN(8) == 0 {
				s.WriteString("```sh\n# no heading\n\nmake\n```\n\n- an item\n- another\n\n")
			}
		}
		bodies = append(bodies, s.String())
	}
	for written := 0; written < size; sections++ {
		n, err := fmt.Fprintf(w, "%s Part %d of the document\n\n%s", "###"[:1+sections%3], sections, bodies[random.IntN(len(bodies))])
		if err != nil {
			return sections, err
		}
		written += n
	}
	return sections, nil
}
