package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// measureParsing measures how fast sources are parsed: all documents within this
// process, and one large file by programs.
func measureParsing(ctx context.Context, b *bench) error {
	b.parseInProcess()
	return b.parseFiles(ctx)
}

// withInline is what a parser does that does not stop at blocks.
const withInline = "inline text too"

// parser is the name of a tool with what it does.
func (t *tool) parser() string { return t.name + " (" + t.does + ")" }

// parseable returns the documents that no parser panics on, and the names of the
// others with the parser that does. What one can't parse is timed for none.
func parseable(docs []document, tools []tool) (can []document, cannot []string) {
	for _, d := range docs {
		failing := ""
		for i := range tools {
			if tools[i].parse == nil || failing != "" {
				continue
			}
			if _, err := recovered(func() bool { tools[i].parse(d.source); return true }); err != nil {
				failing = fmt.Sprintf("%s (%s: %v)", d.name, tools[i].name, err)
			}
		}
		if failing != "" {
			cannot = append(cannot, failing)
			continue
		}
		can = append(can, d)
	}
	return can, cannot
}

func (b *bench) parseInProcess() {
	docs, cannot := parseable(b.docs, b.tools)
	b.report.noteAll("documents that a parser panics on are not timed in process", cannot)
	var all []contender
	for i := range b.tools {
		t := &b.tools[i]
		if t.parse == nil {
			continue
		}
		all = append(all, contender{t.parser(), func() error {
			for i := range docs {
				t.parse(docs[i].source)
			}
			return nil
		}})
	}
	bytesOf := float64(size(docs))
	measure := fmt.Sprintf("Parsing %s documents, %s MB, in one process", thousands(len(docs)), figure(bytesOf/1e6))
	took := b.inTurns(measure, all)
	b.report.compare(measure, "MB/s", speeds(all, took, bytesOf), &panel{title: "Parsing in process", unit: "MB/s", better: more})
}

// speeds are megabytes a second of what took milliseconds.
func speeds(all []contender, took []sample, bytesOf float64) []measured {
	fast := make([]measured, len(all))
	for i := range all {
		fast[i] = measured{tool: all[i].name, values: took[i].each(func(ms float64) float64 { return bytesOf / 1000 / ms })}
	}
	return fast
}

// parseFiles times programs on a file that is so large that their start hardly
// counts, and takes off the time of an empty file all the same.
func (b *bench) parseFiles(ctx context.Context) error {
	large, empty := filepath.Join(b.machine.scratch, "large.md"), filepath.Join(b.machine.scratch, "empty.md")
	source := b.largeSource()
	if err := os.WriteFile(large, source, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		return err
	}
	var all []contender
	for i := range b.tools {
		t := &b.tools[i]
		if t.parseFile != nil {
			all = append(all, silent(ctx, t.parser(), t.parseFile(large)), silent(ctx, t.name, t.parseFile(empty)))
		}
	}
	measure := fmt.Sprintf("Parsing one file of %s MB, as a program, without its start", figure(float64(len(source))/1e6))
	took := b.inTurns(measure, all)
	var fast, starts []measured
	for i := 0; i < len(all); i += 2 {
		if len(took[i+1]) == 0 {
			took[i] = nil // without its start there is nothing to take off
		}
		start := took[i+1].median()
		took[i] = took[i].each(func(ms float64) float64 { return ms - start })
		fast = append(fast, speeds(all[i:i+1], took[i:i+1], float64(len(source)))...)
		starts = append(starts, measured{tool: all[i+1].name, values: took[i+1]})
	}
	b.report.compare(measure, "MB/s", fast, &panel{title: "Parsing as a program, without its start", unit: "MB/s", better: more})
	b.report.compare("Start and end of these programs, on an empty file", "ms", starts, nil)
	return nil
}

// largeSource is the project's own documents one after the other, again and again:
// all of them close what they open.
func (b *bench) largeSource() []byte {
	var once bytes.Buffer
	for _, d := range b.docs {
		if strings.HasPrefix(d.name, "project/") {
			once.Write(withoutFrontMatter(d.source))
			once.WriteString("\n\n")
		}
	}
	return bytes.Repeat(once.Bytes(), max(1, b.largeFile/once.Len()))
}
