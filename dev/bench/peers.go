package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// askedFor is a section that tools are asked for, and where a person has found it.
type askedFor struct {
	kind  string
	file  string
	path  []string // titles from the uppermost section down, as they are written
	shown []string // the same as a reader sees them
	level int      // of the heading
	nth   int      // which of the sections with these titles, from 1
	line  int      // of the heading, from 1
	text  []byte   // with all that is below it, as it stands in the file
}

// title is that of the section itself, as it is written.
func (a *askedFor) title() string { return a.path[len(a.path)-1] }

// handMade is where the documents are that were written for this, and what is asked of them.
func handMade(root string) string { return filepath.Join(root, "dev", "bench", "testdata") }

// readAsked returns the sections that sections.tsv lists.
func readAsked(root string) (all []askedFor, err error) {
	folder := handMade(root)
	list, err := os.ReadFile(filepath.Join(folder, "sections.tsv"))
	if err != nil {
		return nil, err
	}
	for number, line := range strings.Split(string(list), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) < 5 {
			return nil, fmt.Errorf("sections.tsv, line %d: kind, file, titles, which one and lines are wanted, between tabs", number+1)
		}
		a := askedFor{kind: columns[0], file: columns[1], path: strings.Split(columns[2], " > ")}
		a.shown = a.path
		if len(columns) > 5 {
			a.shown = strings.Split(columns[5], " > ")
		}
		from, to, _ := strings.Cut(columns[4], "-")
		a.nth, a.line = counted(columns[3]), counted(from)
		source, err := os.ReadFile(filepath.Join(folder, "sections", a.file))
		if err != nil {
			return nil, err
		}
		lines := bytes.SplitAfter(source, []byte("\n"))
		last := counted(to)
		if a.nth < 1 || a.line < 1 || last < a.line || last > len(lines) {
			return nil, fmt.Errorf("sections.tsv, line %d: %s has no lines %s", number+1, a.file, columns[4])
		}
		a.text = bytes.Join(lines[a.line-1:last], nil)
		a.level = levelAt(string(lines[a.line-1]), string(bytes.Join(lines[a.line:last], nil)))
		all = append(all, a)
	}
	return all, nil
}

// counted reads a number, which is 0 if it is none.
func counted(text string) int {
	n, _ := strconv.Atoi(text) // 0 is refused by the caller
	return n
}

// levelAt is the level of a heading, by its marks or by the line below its text.
func levelAt(line, below string) int {
	if marks := regexp.MustCompile(`^ {0,3}(#{1,6})`).FindStringSubmatch(line); marks != nil {
		return len(marks[1])
	}
	if strings.HasPrefix(regexp.MustCompile(`(?m)^(=+|-+)\r?$`).FindString(below), "=") {
		return 1
	}
	return 2
}

// arrival is what a tool printed for a section.
type arrival string

const (
	verbatim  arrival = "as it stands in the file"
	rewritten arrival = "written anew"
	nothing   arrival = "nothing"
	less      arrival = "a part of it"
	others    arrival = "more than it or another"
)

// arrivals are what isn't right, in the order of the report.
var arrivals = []arrival{nothing, less, others}

// marked are the words of the documents by which what was printed is judged: each line of
// text has one of its own.
var marked = regexp.MustCompile(`\bt[0-9]{2}\b`)

// judgeSection says what a tool printed, by the words of the section alone, and whether all
// of its bytes came as they are, but for blank lines around them.
func judgeSection(a *askedFor, printed []byte) arrival {
	wanted, got := marked.FindAllString(string(a.text), -1), marked.FindAllString(string(printed), -1)
	strange := slices.ContainsFunc(got, func(word string) bool { return !slices.Contains(wanted, word) })
	switch {
	case strange || len(got) > len(wanted):
		return others
	case len(got) == 0:
		return nothing
	case !slices.Equal(got, wanted):
		return less
	case bytes.Contains(printed, bytes.TrimSpace(a.text)):
		return verbatim
	}
	return rewritten
}

// measurePeers measures tools for documents: whether they find the section that is meant,
// what they print and how long that takes, and what an edit leaves of CRLF. What it finds has
// a table of its own.
func measurePeers(ctx context.Context, b *bench) error {
	b.report.peers = &report{}
	all, err := readAsked(b.root)
	if err != nil {
		return err
	}
	if err := b.findSections(ctx, all); err != nil {
		return err
	}
	b.timeSections(ctx)
	return b.editsOfPeers(ctx)
}

// findSections asks every tool for every section, and adds a row for each kind and tool.
func (b *bench) findSections(ctx context.Context, all []askedFor) error {
	came := map[[2]string]map[arrival]int{} // by kind and tool
	var order []string
	for i := range all {
		a := &all[i]
		if !slices.Contains(order, a.kind) {
			order = append(order, a.kind)
		}
		for j := range b.tools {
			t := &b.tools[j]
			if t.section == nil {
				continue
			}
			printed, err := run(ctx, t.section(filepath.Join(handMade(b.root), "sections", a.file), a))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			what := judgeSection(a, printed)
			if err != nil && what != nothing {
				what = less // an error isn't an answer, whatever was printed before it
			}
			key := [2]string{a.kind, t.name}
			if came[key] == nil {
				came[key] = map[arrival]int{}
			}
			came[key][what]++
			if b.verbose && what != verbatim {
				fmt.Fprintf(os.Stderr, "%s: %s, line %d: %s: %v\n%s\n", t.name, a.file, a.line, what, err, printed)
			}
		}
	}
	for _, kind := range order {
		for j := range b.tools {
			counts := came[[2]string{kind, b.tools[j].name}]
			if counts == nil {
				continue
			}
			n, right := 0, counts[verbatim]+counts[rewritten]
			for _, count := range counts {
				n += count
			}
			parts := []string{fmt.Sprintf("%d as they stand in the file", counts[verbatim])}
			for _, what := range arrivals {
				if counts[what] > 0 {
					parts = append(parts, fmt.Sprintf("%s for %d", what, counts[what]))
				}
			}
			b.report.peers.add(row{measure: "Read a section: " + kind, tool: b.tools[j].name, result: fmt.Sprintf("%d of %d right", right, n), detail: strings.Join(parts, "; ")})
		}
	}
	return nil
}

// timeSections times the headings of one long document, and one of its sections, each by a
// program from its start to its end, and counts the bytes that they print.
func (b *bench) timeSections(ctx context.Context) {
	const chapters = 400
	var source strings.Builder
	source.WriteString("# All chapters\n\n")
	for i := 1; i <= chapters; i++ {
		fmt.Fprintf(&source, "## Chapter %d\n\n%s\n", i, strings.Repeat("Prose fills a line of each of the chapters.\n\n", 20))
	}
	file := filepath.Join(b.machine.scratch, "chapters.md")
	if err := os.WriteFile(file, []byte(source.String()), 0o600); err != nil {
		b.report.note("the long document can't be written: %v", err)
		return
	}
	long := fmt.Sprintf("of a document of %s bytes with %d headings, as a program", thousands(source.Len()), 1+chapters)
	at := chapters / 2
	_, text, _ := strings.Cut(source.String(), fmt.Sprintf("## Chapter %d\n", at))
	text, _, _ = strings.Cut(text, fmt.Sprintf("## Chapter %d\n", at+1))
	a := &askedFor{path: []string{"All chapters", fmt.Sprintf("Chapter %d", at)}, level: 2, nth: 1, text: []byte(fmt.Sprintf("## Chapter %d\n", at) + text)}
	a.shown = a.path
	for _, what := range []struct {
		measure string
		command func(*tool) []string
	}{
		{"Headings " + long, func(t *tool) []string {
			if t.list == nil {
				return nil
			}
			return t.list(file)
		}},
		{"One section " + long, func(t *tool) []string {
			if t.section == nil {
				return nil
			}
			return t.section(file, a)
		}},
	} {
		var all []contender
		var sizes []int
		for i := range b.tools {
			if command := what.command(&b.tools[i]); command != nil {
				at := len(sizes)
				sizes = append(sizes, 0)
				all = append(all, contender{b.tools[i].name, func() error {
					out, err := run(ctx, command)
					sizes[at] = len(out)
					return err
				}})
			}
		}
		took := b.inTurns(what.measure, all)
		for i := range all {
			line := row{measure: what.measure, tool: all[i].name, result: figure(took[i].median()) + " ms", detail: took[i].spread() + "; " + thousands(sizes[i]) + " bytes"}
			if i > 0 {
				line.beside = times(took[i].over(took[0]))
			}
			b.report.peers.add(line)
		}
	}
}

// editsOfPeers has every editor do the tasks in documents with CRLF.
func (b *bench) editsOfPeers(ctx context.Context) error {
	some := slices.DeleteFunc(tasks(b.docs, b.reference, b.seed, b.tasks), func(t task) bool { return t.kind != withCRLF })
	for i := range b.tools {
		t := &b.tools[i]
		if t.editor == nil {
			continue
		}
		scores, err := b.perform(ctx, *t, some)
		if err != nil {
			if err := b.fails(ctx, "Edits of documents with CRLF", t.name, err); err != nil {
				return err
			}
			continue
		}
		if s := scores[withCRLF]; s != nil && s.tasks > 0 {
			b.report.peers.add(row{
				measure: "Edit a document with CRLF", tool: t.name,
				result: fmt.Sprintf("%s of %s right", thousands(s.outcomes[right]), thousands(s.tasks)), detail: s.detail(),
			})
		}
	}
	return nil
}
