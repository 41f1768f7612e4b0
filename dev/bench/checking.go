package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// complained returns the destinations that read finds in what a checker prints, which is run in
// a folder. One that has found something may end with an error; one that ends so and names no
// link has not checked.
func complained(ctx context.Context, folder string, read func([]byte) ([]string, error), command ...string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = folder
	out, failed := cmd.CombinedOutput()
	if _, ended := errors.AsType[*exec.ExitError](failed); failed != nil && (!ended || ctx.Err() != nil) {
		return nil, failed
	}
	all, err := read(out)
	if err == nil && failed != nil && len(all) == 0 {
		err = fmt.Errorf("%s: %w, and no link is named: %.200s", command[0], failed, out)
	}
	return all, err
}

// complaints reads what a checker prints by an expression, of which a group is the destination.
func complaints(expression string, command ...string) func(context.Context, string) ([]string, error) {
	pattern := regexp.MustCompile(expression)
	read := func(out []byte) (all []string, err error) { //nolint:unparam // another reader has errors
		for _, found := range pattern.FindAllStringSubmatch(string(out), -1) {
			all = append(all, cmp.Or(found[1:]...))
		}
		return all, nil
	}
	return func(ctx context.Context, folder string) ([]string, error) {
		return complained(ctx, folder, read, command...)
	}
}

// findModule reports why a package of npm can't be used, or nil.
func findModule(m *machine, name string) func(context.Context, *machine) error {
	return func(context.Context, *machine) error {
		_, node := exec.LookPath("node")
		_, err := os.Stat(filepath.Join(m.npm, "node_modules", name, "package.json"))
		if err != nil {
			err = errors.New("its npm packages are not all installed")
		}
		return cmp.Or(node, err)
	}
}

// A person has given each destination in the documents a word of its own: b01 leads nowhere, and
// g01 leads somewhere or is no link.
var linkWord = regexp.MustCompile(`(?i)\b([bg])([0-9]{2})\b`)

// linkSet are the words of a document's destinations.
type linkSet struct {
	kind, file string
	words      map[string]string // of each its line, without blanks around it
	order      []string
}

// readLinks returns the documents with links, in the order of the table.
func readLinks(root string) (all []linkSet, err error) {
	for _, s := range []linkSet{{kind: "to files and by labels", file: "index.md"}, {kind: "to headings", file: "anchors.md"}, {kind: "in HTML", file: "html.md"}, {kind: "with CRLF", file: "crlf.md"}} {
		source, err := os.ReadFile(filepath.Join(handMade(root), "links", s.file))
		if err != nil {
			return nil, err
		}
		s.words = map[string]string{}
		for line := range bytes.Lines(source) {
			// A word counts where it is a part of a destination, so not in a heading.
			if bytes.HasPrefix(line, []byte("#")) || !bytes.ContainsAny(line, "](") && !bytes.Contains(line, []byte("=\"")) {
				continue
			}
			for _, word := range linkWord.FindAllString(string(line), -1) {
				word = strings.ToLower(word)
				if s.words[word] == "" {
					s.words[word] = strings.TrimSpace(string(line))
					s.order = append(s.order, word)
				}
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// checked is what a checker has said of the links of a document.
type checked struct {
	found, missed, alarms []string // words
}

// judgeLinks compares the destinations that a tool complains of with the words of the documents.
// Each complaint is about its first word, for what follows may be a proposal. What has none is a
// false alarm of no document.
func judgeLinks(sets []linkSet, reported []string) (of []checked, strange []string) {
	named := map[string]bool{}
	for _, text := range reported {
		word := strings.ToLower(linkWord.FindString(text))
		if word == "" {
			strange = append(strange, text)
		}
		named[word] = true
	}
	of = make([]checked, len(sets))
	for i, s := range sets {
		for _, word := range s.order {
			switch {
			case word[0] == 'b' && named[word]:
				of[i].found = append(of[i].found, word)
			case word[0] == 'b':
				of[i].missed = append(of[i].missed, word)
			case named[word]:
				of[i].alarms = append(of[i].alarms, word)
			}
		}
	}
	return of, strange
}

// checkLinks has every checker look at the documents, and adds a row for each document and tool.
func (b *bench) checkLinks(ctx context.Context) error {
	sets, err := readLinks(b.root)
	if err != nil {
		return err
	}
	// In a copy, above which there are no settings of anybody.
	folder := filepath.Join(b.machine.scratch, "checked")
	if err := os.CopyFS(filepath.Join(folder, "links"), os.DirFS(filepath.Join(handMade(b.root), "links"))); err != nil {
		return err
	}
	rows := make([][]row, len(sets))
	for i := range b.tools {
		t := &b.tools[i]
		if t.broken == nil {
			continue
		}
		reported, err := t.broken(ctx, folder)
		if err != nil {
			if err := b.fails(ctx, "Broken links", t.name, err); err != nil {
				return err
			}
			continue
		}
		of, strange := judgeLinks(sets, reported)
		if len(strange) > 0 {
			b.report.note("Broken links: %s complains of %q, which is nobody's destination", t.name, strange)
		}
		for j, c := range of {
			rows[j] = append(rows[j], linkRow(&sets[j], c, t.name))
		}
	}
	b.report.peers.rows = append(b.report.peers.rows, slices.Concat(rows...)...)
	return nil
}

// linkRow is the row of a document for a tool.
func linkRow(s *linkSet, c checked, name string) row {
	broken := len(c.found) + len(c.missed)
	line := row{
		measure: "Broken links " + s.kind, tool: name, result: fmt.Sprintf("%d of %d found", len(c.found), broken),
		detail: fmt.Sprintf("%d false alarms at %d others", len(c.alarms), len(s.order)-broken), value: 100 * float64(len(c.found)) / float64(max(1, broken)), unit: share,
	}
	if n := len(c.alarms); n > 0 {
		line.result += fmt.Sprintf(", %d false", n)
	}
	for _, word := range s.order {
		is := single{What: s.words[word], Came: "nothing is said", Good: word[0] == 'g'}
		if word[0] == 'b' {
			is.Came = "missed"
		}
		if slices.Contains(c.found, word) {
			is.Came, is.Good = "found", true
		}
		if slices.Contains(c.alarms, word) {
			is.Came, is.Good = "false alarm", false
		}
		line.cases = append(line.cases, is)
	}
	return line
}

// timeChecks times each checker on the documents of this project, from its start to its end. Some
// take minutes for all others.
func (b *bench) timeChecks(ctx context.Context) {
	var all []contender
	folder, own := filepath.Join(b.folder, "project"), slices.DeleteFunc(slices.Clone(b.docs), func(d document) bool { return !strings.HasPrefix(d.name, "project/") })
	for i := range b.tools {
		if check := b.tools[i].broken; check != nil {
			all = append(all, contender{b.tools[i].name, func() error {
				_, err := check(ctx, folder)
				return err
			}})
		}
	}
	b.timed(fmt.Sprintf("Links of %s documents checked, %s MB, as a program", thousands(len(own)), figure(float64(size(own))/1e6)), all, nil)
}
