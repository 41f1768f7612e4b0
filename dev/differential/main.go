// Command differential prints the block trees of Markdown files, a line of JSON
// for each, for compare.mjs to hold against those of other parsers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Each reference knows other extensions; ours are switched off to match.
var modes = map[string]markdown.Options{
	"commonmark": markdown.CommonMark(),
	"tables":     {NoFootnotes: true, NoFrontMatter: true},
	"all":        {},
}

// block is kind, depth, fact, first line, last line, start byte, end byte, and of
// a list whether it is tight.
type block [8]any

// result is a file's line.
type result struct {
	File   string             `json:"file"`
	Source string             `json:"source"`
	Trees  map[string][]block `json:"trees"`
	// Sections are those of mode "all": level, first line, last line, start
	// byte, end byte.
	Sections [][5]int `json:"sections"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: differential FOLDER|EXAMPLES.json...")
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for _, name := range os.Args[1:] {
		visit := folder
		if filepath.Ext(name) == ".json" {
			visit = examples
		}
		err := visit(name, func(file string, src []byte) error {
			r, err := parse(file, src)
			if err != nil {
				return err
			}
			return encoder.Encode(r)
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// folder calls yield with each Markdown file under a folder.
func folder(root string, yield func(file string, src []byte) error) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		extension := strings.ToLower(filepath.Ext(path))
		if err != nil || !entry.Type().IsRegular() || !slices.Contains([]string{".md", ".markdown"}, extension) {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return yield(path, src)
	})
}

// examples calls yield with each example of a specification, as they are in
// markdown/testdata/spec.
func examples(name string, yield func(file string, src []byte) error) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var list []struct {
		Example  int
		Markdown string
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, e := range list {
		if err := yield(fmt.Sprintf("%s, example %d", name, e.Example), []byte(e.Markdown)); err != nil {
			return err
		}
	}
	return nil
}

// parse returns the line of the file.
func parse(file string, src []byte) (result, error) {
	r := result{File: file, Source: latin1(src), Trees: map[string][]block{}, Sections: [][5]int{}}
	for mode, opts := range modes {
		d, err := (&markdown.Parser{Options: opts}).Parse(src)
		if err != nil {
			return r, err
		}
		blocks := []block{}
		for i := range d.Blocks {
			b := &d.Blocks[i]
			blocks = append(blocks, block{
				b.Kind.String(), d.Depth(i), fact(d, i), b.StartLine, b.EndLine, b.Start, b.End, tight(d, i),
			})
		}
		r.Trees[mode] = blocks
		if mode != "all" {
			continue
		}
		for i, s := range d.Sections {
			lines, span := d.SectionLines(i), d.SectionSpan(i)
			r.Sections = append(r.Sections, [5]int{int(s.Level), lines.First, lines.Last, span.Start, span.End})
		}
	}
	return r, nil
}

// latin1 returns a string that has a character for each byte of src, so that
// characters count bytes.
func latin1(src []byte) string {
	var b strings.Builder
	for _, c := range src {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// fact returns what else must be the same: a heading's level, an ordered list's
// first number, the state of a task.
func fact(d *markdown.Document, i int) any {
	b := &d.Blocks[i]
	switch {
	case b.Kind == markdown.Heading:
		return b.Level
	case b.Kind == markdown.List && b.Ordered():
		return d.ListStart(i)
	case b.Flags&markdown.Done != 0:
		return "done"
	case b.Flags&markdown.Task != 0:
		return "task"
	}
	return nil
}

// tight returns whether block i is a tight list, nil if it is no list.
func tight(d *markdown.Document, i int) any {
	if d.Blocks[i].Kind != markdown.List {
		return nil
	}
	return d.Tight(i)
}
