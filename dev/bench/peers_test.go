package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestAskedFor compares what a person has found in the documents with the headings that
// goldmark finds there: where sections begin and end, and of what level they are.
func TestAskedFor(t *testing.T) {
	all, err := readAsked(here(t).root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Errorf("%d sections are asked for", len(all))
	}
	docs, _, err := readFolder(handMade(here(t).root)+"/sections", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		a := &all[i]
		for _, d := range docs {
			if d.name != a.file {
				continue
			}
			parts := sections(d.source, judgeHeadings(withoutFrontMatter(d.source)))
			starts, found := lineStarts(d.source), false
			for j := range parts {
				if parts[j].line != a.line {
					continue
				}
				end := len(d.source)
				for k := range parts[j+1:] {
					if next := &parts[j+1+k]; next.level <= parts[j].level {
						end = next.begin
						break
					}
				}
				found = parts[j].level == a.level && bytes.Equal(d.source[starts[a.line-1]:end], a.text)
			}
			if !found {
				t.Errorf("%s, line %d: goldmark finds another section, or none of level %d", a.file, a.line, a.level)
			}
		}
		if len(marked.FindAll(a.text, -1)) == 0 {
			t.Errorf("%s, line %d: the section has no word to judge by", a.file, a.line)
		}
	}
}

// TestJudgeSection judges what tools might print.
func TestJudgeSection(t *testing.T) {
	a := &askedFor{text: []byte("## Part\r\n\r\nWord t02 is here.\r\n\r\nWord t03 too.\r\n\r\n")}
	for printed, want := range map[string]arrival{
		"## Part\r\n\r\nWord t02 is here.\r\n\r\nWord t03 too.\r\n": verbatim,
		"## Part\n\nWord t02 is here.\n\nWord t03 too.\n":           rewritten,
		"":                      nothing,
		"no section":            nothing,
		"Word t02 is here.":     less,
		"Word t03, t02":         less,
		"t02 t03 t04":           others,
		"t04":                   others,
		"t02 t03\n---\nt02 t03": others,
	} {
		if got := judgeSection(a, []byte(printed)); got != want {
			t.Errorf("%q: %s, want %s", printed, got, want)
		}
	}
}

// TestSectionOfTools has each tool that prints sections print a plain one, and sectile all.
func TestSectionOfTools(t *testing.T) {
	m := here(t)
	all, err := readAsked(m.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tools(m) {
		if one.section == nil && one.sections() == nil {
			continue
		}
		t.Run(one.name, func(t *testing.T) {
			if err := one.find(t.Context(), m); err != nil {
				if one.mayLack() {
					t.Skipf("%v; %s", err, one.install)
				}
				testkit.Missing(t, fmt.Sprintf("%v; %s", err, one.install))
			}
			folder := handMade(m.root) + "/sections"
			ask, end, err := one.asker(t.Context(), folder)
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			for i := range all {
				a := &all[i]
				if one.name != ours && a.kind != "plain" {
					continue
				}
				file := folder + "/" + a.file
				printed, err := ask(a)
				if what := judgeSection(a, printed); err != nil || what != verbatim && (one.name == ours || what != rewritten) {
					t.Errorf("%s, line %d: %s, %v: %s", a.file, a.line, what, err, printed)
				}
				if one.list == nil {
					continue
				}
				if out, err := run(t.Context(), one.list(file)); err != nil || one.name != ours && !strings.Contains(string(out), a.title()) {
					t.Errorf("headings of %s: %v: %s", a.file, err, out)
				}
			}
		})
	}
}
