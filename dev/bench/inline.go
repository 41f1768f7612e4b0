package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/sectile/sectile/markdown"
)

// Blocks and inline content, beside md4c, which always reads both: programs that parse all
// documents, each by itself, from one file in memory, again and again so that their start
// hardly counts.

// packedArgument is what this program is called with to be such a program of ours.
const packedArgument = "-parse-packed"

// packedTimes is how often the file has each document.
const packedTimes = 5

// measureInline measures the parsing of blocks and inline content.
func measureInline(ctx context.Context, b *bench) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	parsers := []packedParser{
		{ours + " (" + withInline + ")", []string{self, packedArgument, "inline"}},
		{ours + " (blocks only)", []string{self, packedArgument, "blocks"}},
	}
	for i := range b.tools {
		if t := &b.tools[i]; t.parsePacked != nil {
			parsers = append(parsers, packedParser{t.parser(), t.parsePacked()})
		}
	}
	all, err := b.packedContenders(ctx, b.docs, parsers)
	if err != nil {
		return err
	}
	bytesOf := size(b.docs) * packedTimes
	measure := fmt.Sprintf("Parsing %s documents, %s MB in all, each by itself, as a program, without its start", thousands(len(b.docs)*packedTimes), figure(float64(bytesOf)/1e6))
	took := withoutStart(b.inTurns(measure, all))
	var fast []measured
	for i := range took {
		fast = append(fast, speeds(all[2*i:2*i+1], took[i:i+1], float64(bytesOf))...)
	}
	b.report.compare(measure, "MB/s", fast, nil)
	return nil
}

// packedParser is a program with all but the last of its arguments, which is a file of packed
// documents.
type packedParser struct {
	name    string
	command []string
}

// packedContenders returns two contenders for each program: one with all documents, again and
// again, and its start.
func (b *bench) packedContenders(ctx context.Context, docs []document, parsers []packedParser) (all []contender, err error) {
	full, empty := filepath.Join(b.machine.scratch, "packed"), filepath.Join(b.machine.scratch, "packed-none")
	if err := errors.Join(
		os.WriteFile(full, bytes.Repeat(packed(docs), packedTimes), 0o600),
		os.WriteFile(empty, nil, 0o600),
	); err != nil {
		return nil, err
	}
	for _, p := range parsers {
		all = append(all,
			silent(ctx, p.name, append(slices.Clone(p.command), full)),
			silent(ctx, p.name+", start", append(slices.Clone(p.command), empty)))
	}
	return all, nil
}

// withoutStart returns the samples of programs, each of which is followed by that of its start,
// without it.
func withoutStart(took []sample) (without []sample) {
	for i := 0; i < len(took); i += 2 {
		start := took[i+1].median()
		without = append(without, took[i].each(func(ms float64) float64 { return ms - start }))
	}
	return without
}

// packed returns the documents, each behind a line with its size in bytes.
func packed(docs []document) []byte {
	var out []byte
	for _, d := range docs {
		source := withoutFrontMatter(d.source)
		out = append(strconv.AppendInt(out, int64(len(source)), 10), '\n')
		out = append(out, source...)
	}
	return out
}

// parsePacked parses the documents of a file, and reads the inline content of their blocks if
// that is asked for.
func parsePacked(what, path string) error {
	rest, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	p := markdown.Parser{Options: markdown.CommonMark()}
	var content markdown.Inlines
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		size, err := strconv.Atoi(string(line))
		if err != nil || size < 0 || size > len(after) {
			return fmt.Errorf("%s: %q is no size of a document in it", path, line)
		}
		doc, err := p.Parse(after[:size:size])
		if err != nil {
			return err
		}
		rest = after[size:]
		if what != "inline" {
			continue
		}
		for b := range doc.Blocks {
			content.Read(doc, b)
		}
	}
	return nil
}
