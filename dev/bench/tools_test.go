package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
)

// here is the machine that tests run on.
func here(t *testing.T) *machine {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return &machine{root: root, scratch: t.TempDir(), npm: filepath.Join(root, "dev", "bench", "npm")}
}

// TestTools has every adapter do what it is there for, as far as its tool is
// installed: sectile does all edits right, and the others at least some of them.
func TestTools(t *testing.T) {
	m := here(t)
	docs := generated(1, 20)
	folder := filepath.Join(m.scratch, "documents")
	if err := writeAll(folder, docs); err != nil {
		t.Fatal(err)
	}
	for _, one := range tools(m) {
		t.Run(one.name, func(t *testing.T) {
			if err := one.find(t.Context(), m); err != nil {
				if one.name == ours {
					t.Fatal(err)
				}
				if one.mayLack() {
					t.Skipf("%v; %s", err, one.install)
				}
				testkit.Missing(t, fmt.Sprintf("%v; %s", err, one.install))
			}
			if one.parse != nil {
				one.parse(docs[0].source)
			}
			for _, command := range [][]string{asked(one.parseFile, filepath.Join(folder, docs[0].name)), asked(one.outline, folder)} {
				if command == nil {
					continue
				}
				if _, err := run(t.Context(), command); err != nil {
					t.Error(err)
				}
			}
			if one.headings != nil {
				checkHeadings(t, one, folder, docs)
			}
			if one.editor != nil {
				checkEditor(t, one, m)
			}
			for _, kind := range one.servers {
				if kind.find != nil { // what else it reads, SectionOfTools asks for
					checkServer(t, kind)
				}
			}
		})
	}
}

// asked is a command, if a tool has one.
func asked(command func(string) []string, path string) []string {
	if command == nil {
		return nil
	}
	return command(path)
}

// checkHeadings wants most headings from every tool, and all of them from sectile.
func checkHeadings(t *testing.T, one tool, folder string, docs []document) {
	t.Helper()
	found, err := one.headings(t.Context(), folder, docs)
	if err != nil {
		t.Fatal(err)
	}
	reference := map[string][]heading{}
	for _, d := range docs {
		reference[d.name] = judgeHeadings(d.source)
	}
	d := detect(docs, reference, found, func(document, int, int) {})
	if one.name == ours && d.wrong > 0 || d.missing > d.there/3 {
		t.Errorf("%+v", d)
	}
}

// plain is a document that even a tool that reformats leaves as it is.
const plain = "# Title of all\n\nThis is a line of prose, the first.\n\n## Second part\n\nThis is a line of prose, the second.\n\n" +
	"## Third part\n\nThis is a line of prose, the third.\n"

// checkEditor wants every task on a plain document done right by every tool, and on
// all others by sectile.
func checkEditor(t *testing.T, one tool, m *machine) {
	t.Helper()
	b := &bench{machine: m, options: options{verbose: true}}
	doc := document{"generated/plain.md", []byte(plain)}
	plainTasks := tasks([]document{doc}, map[string][]heading{doc.name: judgeHeadings(doc.source)}, 1, 9)
	scores, err := b.perform(t.Context(), one, slices.DeleteFunc(plainTasks, func(t task) bool { return !t.exists || t.crlf }))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"change a line", "append to a section", "replace a body"} {
		if s := scores[kind]; s == nil || s.outcomes[right] != 1 {
			t.Errorf("on a plain document: %s: %+v", kind, s)
		}
	}
	if one.name != ours {
		return
	}
	for kind, s := range scoresOfTool(t, one, m.scratch, 60, 6) {
		if s.outcomes[right] != s.tasks || s.outside > 0 {
			t.Errorf("%s: %+v", kind, s)
		}
	}
}

// twice is a document whose parts have a heading and a line in common, and that a
// tool that reformats leaves as it is.
const twice = "# Title of all\n\nThis is a line of prose, the first.\n\n## Part\n\nThis is a line of prose, any.\n\n## Other\n\nThis is a line of prose, the other.\n\n" +
	"## Part\n\nThis is a line of prose, any.\n"

// TestKnowledge wants of tools that take a line, or text from around it, that they
// change the part that is meant, and refuse what is not there.
func TestKnowledge(t *testing.T) {
	m := here(t)
	docs := make([]document, 8) // so that the first and the second part are meant
	reference := map[string][]heading{}
	for i := range docs {
		docs[i] = document{fmt.Sprintf("generated/%d.md", i), []byte(twice)}
		reference[docs[i].name] = judgeHeadings(docs[i].source)
	}
	all := tasks(docs, reference, 1, len(docs))
	const below = "change one of two equal lines, sent from its heading on"
	for _, c := range []struct {
		tool  tool
		kinds []string
	}{
		{sectile(m), []string{below, "change one of two equal lines, sent alone", "append to one of two equal headings", "append to a heading that is not there"}},
		{filesystem(m), []string{below, "append to one of two equal headings", "append to a heading that is not there", "change a line that is not there"}},
		{remark(m), []string{"append to one of two equal headings", below, "append to a heading that is not there"}},
	} {
		t.Run(c.tool.name, func(t *testing.T) {
			if err := c.tool.find(t.Context(), m); err != nil {
				testkit.Missing(t, fmt.Sprintf("%v; %s", err, c.tool.install))
			}
			b := &bench{machine: m, options: options{verbose: true}}
			scores, err := b.perform(t.Context(), c.tool, all)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range c.kinds {
				if s := scores[kind]; s == nil || s.tasks != len(docs) || s.outcomes[right] != s.tasks {
					t.Errorf("%s: %+v", kind, s)
				}
			}
		})
	}
}

// TestPartialInstall leaves out what npm has installed only a part of.
func TestPartialInstall(t *testing.T) {
	m := here(t)
	whole := m.npm
	m.npm = t.TempDir()
	script, err := os.ReadFile(filepath.Join(whole, "edit.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeAll(m.npm, []document{{"edit.mjs", script}, {"node_modules/markdown-patch/package.json", []byte("{}")}}); err != nil {
		t.Fatal(err)
	}
	found, skipped, err := present(t.Context(), m, []tool{filesystem(m), markdownPatch(m), remark(m)})
	if err != nil || len(found) != 0 || len(skipped) != 3 {
		t.Errorf("%d are found, %q, %v", len(found), skipped, err)
	}
}

// checkServer finds and reads a section of a document, and counts what that takes.
func checkServer(t *testing.T, kind serverKind) {
	t.Helper()
	text := "## Second\n\n" + strings.Repeat("It is here.\n", 100) + "\n"
	above := "# First\n\n" + strings.Repeat("This is long.\n\n", 2000)
	source := above + text + "# Third\n"
	folder := t.TempDir()
	if err := writeAll(folder, []document{{"a.md", []byte(source)}}); err != nil {
		t.Fatal(err)
	}
	s, err := startServer(t.Context(), kind.command(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	n, err := kind.find(s, filepath.Join(folder, "a.md"), target{1 + strings.Count(above, "\n"), "Second", text})
	if err != nil || n < utf8.RuneCountInString(text) || strings.HasPrefix(kind.name, ours) && n > len(source)/2 {
		t.Errorf("%s: %d characters, %v", kind.name, n, err)
	}
	if _, err := s.call(call{"no_such_tool", map[string]any{}}); err == nil {
		t.Errorf("%s: a tool that is not there is no error", kind.name)
	}
}
