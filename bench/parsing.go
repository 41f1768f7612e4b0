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
	if err := b.parseInProcess(); err != nil {
		return err
	}
	return b.parseFiles(ctx)
}

func (b *bench) parseInProcess() error {
	var all []contender
	for _, t := range b.tools {
		if t.parse == nil {
			continue
		}
		all = append(all, contender{t.name, func() error {
			for i := range b.docs {
				t.parse(b.docs[i].source)
			}
			return nil
		}})
	}
	bytesOf := float64(size(b.docs))
	took, err := inTurns(b.rounds, all)
	if err != nil {
		return err
	}
	measure := fmt.Sprintf("Parsing %s documents, %s MB, on one thread", thousands(len(b.docs)), figure(bytesOf/1e6))
	b.report.compare(measure, "MB/s", speeds(all, took, bytesOf), &panel{title: "Parsing in process", unit: "MB/s", better: more})
	return nil
}

// speeds are megabytes a second of what took milliseconds.
func speeds(all []contender, took []sample, bytesOf float64) []measured {
	fast := make([]measured, len(all))
	for i := range all {
		fast[i] = measured{all[i].name, took[i].each(func(ms float64) float64 { return bytesOf / 1000 / ms })}
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
	for _, t := range b.tools {
		if t.parseFile != nil {
			all = append(all, running(ctx, t.name, t.parseFile(large)), running(ctx, t.name, t.parseFile(empty)))
		}
	}
	took, err := inTurns(b.rounds, all)
	if err != nil {
		return err
	}
	measure := fmt.Sprintf("Parsing one file of %s MB, as a program, without its start", figure(float64(len(source))/1e6))
	var fast, starts []measured
	for i := 0; i < len(all); i += 2 {
		start := took[i+1].median()
		took[i] = took[i].each(func(ms float64) float64 { return ms - start })
		fast = append(fast, speeds(all[i:i+1], took[i:i+1], float64(len(source)))...)
		starts = append(starts, measured{all[i].name, took[i+1]})
	}
	b.report.compare(measure, "MB/s", fast, nil)
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
