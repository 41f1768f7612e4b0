package main

import (
	"bytes"
	"context"
	"errors"
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
	if err := errors.Join(b.findSections(ctx, all), b.checkLinks(ctx), b.renameAll(ctx), b.editsOfPeers(ctx)); err != nil {
		return err
	}
	b.timeSections(ctx)
	b.timeChecks(ctx)
	return nil
}

// findSections asks every tool for every section, and adds a row for each kind and tool.
func (b *bench) findSections(ctx context.Context, all []askedFor) error {
	came := map[[2]string]map[arrival]int{} // by kind and tool
	cases := map[[2]string][]single{}
	var order []string
	for i := range all {
		if !slices.Contains(order, all[i].kind) {
			order = append(order, all[i].kind)
		}
	}
	folder := filepath.Join(handMade(b.root), "sections")
	for j := range b.tools {
		t := &b.tools[j]
		ask, end, err := t.asker(ctx, folder)
		if err != nil {
			if err := b.fails(ctx, "Read a section", t.name, err); err != nil {
				return err
			}
			continue
		}
		for i := range all {
			if ask == nil {
				break
			}
			a := &all[i]
			what := b.askSection(t.name, a, ask)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			key := [2]string{a.kind, t.name}
			if came[key] == nil {
				came[key] = map[arrival]int{}
			}
			came[key][what]++
			cases[key] = append(cases[key], single{fmt.Sprintf("%s, line %d: %s", a.file, a.line, strings.Join(a.path, " > ")), string(what), what == verbatim || what == rewritten})
		}
		end()
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
			b.report.peers.add(row{measure: "Read a section: " + kind, tool: b.tools[j].name, result: fmt.Sprintf("%d of %d right", right, n), detail: strings.Join(parts, "; "), value: 100 * float64(right) / float64(n), unit: share, cases: cases[[2]string{kind, b.tools[j].name}]})
		}
	}
	return nil
}

// askSection asks a tool for a section, and judges what came.
func (b *bench) askSection(tool string, a *askedFor, ask func(*askedFor) ([]byte, error)) arrival {
	printed, err := ask(a)
	what := judgeSection(a, printed)
	if err != nil && what != nothing {
		what = less // an error isn't an answer, whatever was printed before it
	}
	if b.verbose && what != verbatim {
		fmt.Fprintf(os.Stderr, "%s: %s, line %d: %s: %v\n%s\n", tool, a.file, a.line, what, err, printed)
	}
	return what
}

// asker returns what asks a tool for sections of the files of a folder, a command for each or one
// server for all, and what ends that. It is nil for a tool that reads none.
func (t *tool) asker(ctx context.Context, folder string) (ask func(*askedFor) ([]byte, error), end func(), err error) {
	kind := t.sections()
	switch {
	case t.section != nil:
		return func(a *askedFor) ([]byte, error) { return run(ctx, t.section(filepath.Join(folder, a.file), a)) }, func() {}, nil
	case kind == nil:
		return nil, func() {}, nil
	}
	s, err := kind.start(ctx, folder)
	if err != nil {
		return nil, nil, err
	}
	return func(a *askedFor) ([]byte, error) {
		text, err := kind.section(s, a.file, a)
		return []byte(text), err
	}, s.close, nil
}

// timeSections times the headings of one long document and of an empty one, and one section,
// each by a program from its start to its end, counts the bytes that they print, and asks how
// large the program became.
func (b *bench) timeSections(ctx context.Context) {
	const chapters = 400
	var source strings.Builder
	source.WriteString("# All chapters\n\n")
	for i := 1; i <= chapters; i++ {
		fmt.Fprintf(&source, "## Chapter %d\n\n%s\n", i, strings.Repeat("Prose fills a line of each of the chapters.\n\n", 20))
	}
	file, short := filepath.Join(b.machine.scratch, "chapters.md"), filepath.Join(b.machine.scratch, "short.md")
	if err := errors.Join(os.WriteFile(file, []byte(source.String()), 0o600), os.WriteFile(short, []byte("# Title\n"), 0o600)); err != nil {
		b.report.note("the long document can't be written: %v", err)
		return
	}
	long := fmt.Sprintf("of a document of %s bytes with %d headings", thousands(source.Len()), 1+chapters)
	at := chapters / 2
	_, text, _ := strings.Cut(source.String(), fmt.Sprintf("## Chapter %d\n", at))
	text, _, _ = strings.Cut(text, fmt.Sprintf("## Chapter %d\n", at+1))
	a := &askedFor{file: filepath.Base(file), path: []string{"All chapters", fmt.Sprintf("Chapter %d", at)}, level: 2, nth: 1, text: []byte(fmt.Sprintf("## Chapter %d\n", at) + text)}
	a.shown = a.path
	list := func(file string) func(*tool) []string {
		return func(t *tool) []string {
			if t.list == nil {
				return nil
			}
			return t.list(file)
		}
	}
	section := func(t *tool) []string {
		if t.section == nil {
			return nil
		}
		return t.section(file, a)
	}
	b.timeCommands(ctx, "Start and end: the heading of a document that has nothing else, as a program", list(short))
	b.timeCommands(ctx, "Headings "+long+", as a program", list(file))
	b.timeCommands(ctx, "One section "+long+", as a program", section)
	b.sizeCommands(ctx, "Memory: largest size of the program for the headings "+long, list(file))
	b.timeServers(ctx, long, filepath.Dir(file), a)
}

// timeCommands times a command of each tool that has it.
func (b *bench) timeCommands(ctx context.Context, measure string, command func(*tool) []string) {
	var all []contender
	var sizes []int
	for i := range b.tools {
		if command := command(&b.tools[i]); command != nil {
			at := len(sizes)
			sizes = append(sizes, 0)
			all = append(all, contender{b.tools[i].name, func() error {
				out, err := run(ctx, command)
				sizes[at] = len(out)
				return err
			}})
		}
	}
	b.timed(measure, all, sizes)
}

// timed adds rows with the times of contenders, the first of which is ours, and with the bytes
// that they have printed, if those were counted.
func (b *bench) timed(measure string, all []contender, sizes []int) {
	took := b.inTurns(measure, all)
	for i := range all {
		line := row{measure: measure, tool: all[i].name, result: figure(took[i].median()) + " ms", detail: took[i].spread(), value: took[i].median(), unit: "ms"}
		if len(took[i]) == 0 {
			line.result, line.detail, line.value = "it fails", "", 0
		}
		if sizes != nil {
			line.detail += "; " + thousands(sizes[i]) + " bytes"
		}
		if i > 0 {
			line.beside = times(took[i].over(took[0]))
		}
		for round, ms := range took[i] {
			line.cases = append(line.cases, single{fmt.Sprintf("round %d", round+1), figure(ms) + " ms", true})
		}
		b.report.peers.add(line)
	}
}

// sizeCommands asks how large the program of each tool became, where the system tells that.
func (b *bench) sizeCommands(ctx context.Context, measure string, command func(*tool) []string) {
	peak, err := b.peakProgram(ctx)
	if err != nil {
		b.report.note("%s: %v", measure, err)
		return
	}
	first := 0.0
	for i := range b.tools {
		command := command(&b.tools[i])
		if command == nil {
			continue
		}
		out, err := run(ctx, append([]string{peak}, command...))
		bytes, _ := strconv.ParseFloat(string(out), 64) // 0 is told below
		if err != nil || bytes == 0 {
			b.report.note("%s: %s has no figure: %v", measure, b.tools[i].name, err)
			continue
		}
		line := row{measure: measure, tool: b.tools[i].name, result: figure(bytes/1e6) + " MB", value: bytes / 1e6, unit: "MB"}
		if first == 0 {
			first = bytes
		} else {
			line.beside = times(bytes / first)
		}
		b.report.peers.add(line)
	}
}

// editsOfPeers has every editor do the tasks, by kinds.
func (b *bench) editsOfPeers(ctx context.Context) error {
	all := tasks(b.docs, b.reference, b.seed, b.tasks)
	rows := map[string][]row{}
	for i := range b.tools {
		t := &b.tools[i]
		if t.editor == nil {
			continue
		}
		scores, err := b.perform(ctx, *t, all)
		if err != nil {
			if err := b.fails(ctx, "Edits", t.name, err); err != nil {
				return err
			}
			continue
		}
		for kind, s := range scores {
			line := row{measure: "Edit: " + kind, tool: t.name, result: "it can't be asked", cases: s.wrong}
			if s.tasks > 0 {
				line.result, line.detail = fmt.Sprintf("%s of %s right", thousands(s.outcomes[right]), thousands(s.tasks)), s.detail()
				line.value, line.unit = 100*float64(s.outcomes[right])/float64(s.tasks), share
			}
			rows[kind] = append(rows[kind], line)
		}
	}
	for _, kind := range kinds {
		b.report.peers.rows = append(b.report.peers.rows, rows[kind.name]...)
	}
	return nil
}
