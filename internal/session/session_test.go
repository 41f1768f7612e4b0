package session

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/markdown"
)

// guide has a preamble and, with their lines: # Guide 3-6, ## Install 7-13 with
// ### Linux 11-13, ## Usage 14-16.
const guide = "Before all.\n\n# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n### Linux\n\nUse apt.\n## Usage\n\nUse it.\n"

func parse(t testing.TB, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// unread names the unread sections of a document, each by its title.
func unread(s *Session, doc *markdown.Document) string {
	var names []string
	for _, n := range s.Unread("a.md", doc).Sections {
		names = append(names, name(n))
	}
	return strings.Join(names, ", ")
}

func name(n Section) string {
	if n.Title == "" {
		return n.Selector
	}
	return n.Title
}

// deliver delivers lines, given as first and last one in turn.
func deliver(s *Session, doc *markdown.Document, lines ...int) {
	var list []markdown.Lines
	for i := 0; i < len(lines); i += 2 {
		list = append(list, markdown.Lines{First: lines[i], Last: lines[i+1]})
	}
	s.Delivered("a.md", doc, list)
}

func TestDelivered(t *testing.T) {
	const all = "@preamble, Guide, Install, Linux, Usage"
	tests := []struct {
		name  string
		lines [][]int // of each delivery
		want  string
	}{
		{"nothing is read at first", nil, all},
		{"a map covers nothing", [][]int{{}}, all},
		{"a section's own text", [][]int{{14, 16}}, "@preamble, Guide, Install, Linux"},
		{"a parent covers its children", [][]int{{3, 16}}, "@preamble"},
		{"a parent's own text covers no child", [][]int{{7, 10}}, "@preamble, Guide, Linux, Usage"},
		{"a child does not cover its parent", [][]int{{11, 13}}, "@preamble, Guide, Install, Usage"},
		{"a range covers the sections that it holds whole", [][]int{{9, 15}}, "@preamble, Guide, Install, Usage"},
		{"what stands before the first section", [][]int{{1, 1}}, "Guide, Install, Linux, Usage"},
		{"a heading alone is not its section", [][]int{{3, 3, 7, 7, 11, 11, 14, 14}}, all},
		{"a section without its heading is not whole", [][]int{{9, 9}}, all},
		{"blank lines do not count", [][]int{{1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 14, 14, 16, 16}}, ""},
		{"parts add up", [][]int{{7, 7}, {9, 9}}, "@preamble, Guide, Linux, Usage"},
		{"parts add up in any order, more than once", [][]int{{16, 16}, {14, 15}, {14, 14}}, "@preamble, Guide, Install, Linux"},
		{"all of it", [][]int{{1, 16}}, ""},
		{"lines that are not there", [][]int{{-5, 0, 17, 99, 9, 3}}, all},
		{"more lines than there are", [][]int{{-5, 99}}, ""},
		{"lines in any order, some twice", [][]int{{14, 16, 1, 4, 3, 6}}, "Install, Linux"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, doc := New(), parse(t, guide)
			for _, lines := range tt.lines {
				deliver(s, doc, lines...)
			}
			if diff := cmp.Diff(tt.want, unread(s, doc)); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnread(t *testing.T) {
	s, doc := New(), parse(t, "---\ntitle: x\n---\n\nText.\n\n# A\n\n## `B` & *c*\n\nB.\n")
	want := Unread{Total: 3, All: 3, Sections: []Section{{"@preamble", ""}, {"h1.0", "A"}, {"h2.0", "B & c"}}}
	if diff := cmp.Diff(want, s.Unread("a.md", doc)); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	// What would be is not noted.
	lines := []markdown.Lines{{First: 5, Last: 7}}
	after := Unread{Total: 1, All: 3, Sections: []Section{{"h2.0", "B & c"}}}
	if diff := cmp.Diff(after, s.UnreadAfter("a.md", doc, lines)); diff != "" {
		t.Errorf("after lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, s.Unread("a.md", doc)); diff != "" {
		t.Errorf("still (-want +got):\n%s", diff)
	}
	s.Delivered("a.md", doc, lines)
	if diff := cmp.Diff(after, s.Unread("a.md", doc)); diff != "" {
		t.Errorf("with lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, s.Unread("b.md", doc)); diff != "" {
		t.Errorf("another file (-want +got):\n%s", diff)
	}
	// Front matter is no section, but something of the file.
	s.Delivered("c.md", doc, []markdown.Lines{{First: 1, Last: 3}})
	if diff := cmp.Diff(want, s.Unread("c.md", doc)); diff != "" {
		t.Errorf("front matter (-want +got):\n%s", diff)
	}
}

// A byte order mark is no text.
func TestByteOrderMark(t *testing.T) {
	s, doc := New(), parse(t, "\ufeff\n\nText.\n\n# A\n")
	deliver(s, doc, 3, 5)
	if got := unread(s, doc); got != "" {
		t.Errorf("unread: %s", got)
	}
	const src = "\ufeffText.\n\n# A\n"
	now, written := changed(t, src, change{"Text.", "New."})
	s.Wrote("b.md", parse(t, src), parse(t, now), written)
	if diff := cmp.Diff([]Section{{"h1.0", "A"}}, s.Unread("b.md", parse(t, now)).Sections); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
}

// At most ten are named.
func TestUnreadMany(t *testing.T) {
	s, doc := New(), parse(t, sections(25))
	s.Delivered("a.md", doc, []markdown.Lines{{First: 1, Last: 6}})
	got := s.Unread("a.md", doc)
	if got.Total != 23 || len(got.Sections) != 10 || got.Sections[0] != (Section{"h2.2", "Number 2"}) {
		t.Errorf("%+v", got)
	}
}

// sections is a document with so many sections, of three lines each.
func sections(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Number %d\n\nText of %d.\n", i, i)
	}
	return b.String()
}

// A change by another hand makes unread what it has changed, and nothing else.
func TestExternalChange(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           string
	}{
		{"a word", "Run it", "Run them", "Install"},
		{"a child", "Use apt", "Use dnf", "Linux"},
		{"before all", "Before", "Above", "@preamble"},
		{"a heading", "## Usage", "## Use", "Use"},
		{"a heading above others", "## Install", "## Setup", "Setup"},
		{"the title, above all", "# Guide", "# Handbook", "Handbook"},
		{"a heading's level", "### Linux", "#### Linux", "Linux"},
		{"a new section, after which others count anew", "## Install", "## New\n\nText.\n\n## Install", "New"},
		{"a section less", "### Linux\n\nUse apt.\n", "", ""},
		{"a section that moves up", "### Linux", "# Other\n\n### Linux", "Other"},
		{"the same text twice in the same place", "## Usage", "## Install\n\nRun it.\n\n## Usage", ""},
		{"the same text in two places", "## Usage", "## Install 2\n\n### Linux\n\nUse apt.\n\n## Usage", "Install 2, Linux"},
		{"blank lines between sections", "Use apt.\n", "Use apt.\n\n\n", ""},
		{"blank lines in one", "Run it.\n", "\n\nRun it.\n", "Install"},
		{"no final newline", "Use it.\n", "Use it.", ""},
		{"line endings", "\n", "\r\n", "Guide, Install, Linux, Usage"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, doc := New(), parse(t, guide)
			deliver(s, doc, 1, 16)
			changed := parse(t, strings.ReplaceAll(guide, tt.old, tt.new))
			if diff := cmp.Diff(tt.want, unread(s, changed)); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
			// Nothing was forgotten: as it was before, it is read.
			if got := unread(s, doc); got != "" {
				t.Errorf("after it was undone: %s", got)
			}
		})
	}
}

// What was shown of a unit counts as long as it stays the same, and no longer.
func TestPartsOfChanged(t *testing.T) {
	s, doc := New(), parse(t, "# A\n\none\n\ntwo\n\n# B\n\nthree\n\nfour\n")
	deliver(s, doc, 1, 3, 7, 9)
	// B moves down and stays the same, A changes.
	changed := parse(t, "# A\n\nONE\n\nmore\n\ntwo\n\n# B\n\nthree\n\nfour\n")
	deliver(s, changed, 6, 7, 13, 13)
	if got := unread(s, changed); got != "A" {
		t.Errorf("unread: %s, want A alone", got)
	}
}

// Of sections with the same text only so many are taken for others that have
// moved as there were.
func TestMovedCopies(t *testing.T) {
	src := "# A\n\n## Note\n\nText.\n\n# B\n\n## Note\n\nText.\n"
	s, doc := New(), parse(t, src)
	deliver(s, doc, 1, 5)
	if got := unread(s, doc); got != "B, Note" {
		t.Errorf("unread: %s", got)
	}
	if got := unread(s, parse(t, strings.Replace(src, "# A", "# C", 1))); got != "C, B, Note" {
		t.Errorf("one has moved; unread: %s", got)
	}
	if got := unread(s, parse(t, strings.Replace(src, "# A", "# A 2", 1))); got != "A 2, B, Note" {
		t.Errorf("one has moved to another place; unread: %s", got)
	}
	// One that is still there has not moved, whatever else is gone.
	deliver(s, parse(t, src+"\n# C\n"), 12, 12)
	if got := unread(s, doc); got != "B, Note" {
		t.Errorf("another is gone; unread: %s", got)
	}
}

// Two names are two files, and one name is one file in whatever version.
func TestFiles(t *testing.T) {
	s, doc := New(), parse(t, guide)
	s.Delivered("b.md", doc, []markdown.Lines{{First: 1, Last: 16}})
	if got := s.Unread("a.md", doc); got.Total != 5 {
		t.Errorf("a.md: %+v", got)
	}
	if got := s.Unread("b.md", doc); got.Total != 0 {
		t.Errorf("b.md: %+v", got)
	}
}

// Memory is bounded, and what was used least recently is forgotten first.
func TestForgets(t *testing.T) {
	doc := parse(t, sections(4))
	all := []markdown.Lines{{First: 1, Last: doc.LineCount}}
	s := New()
	s.maxFiles = 3
	for _, file := range []string{"a", "b", "c"} {
		s.Delivered(file, doc, all)
	}
	s.Unread("a", doc) // asking is using
	s.Delivered("d", doc, all)
	for file, want := range map[string]bool{"a": false, "b": true, "c": false, "d": false} {
		if got := s.Unread(file, doc); (got.Total == got.All) != want {
			t.Errorf("%s is forgotten: %v, want %v", file, got, want)
		}
	}
	s = New()
	s.maxUnits = 10
	for _, file := range []string{"a", "b", "c"} {
		s.Delivered(file, doc, all)
	}
	for file, want := range map[string]int{"a": 4, "b": 0, "c": 0} {
		if got := s.Unread(file, doc).Total; got != want {
			t.Errorf("%d of %s are unread, want %d", got, file, want)
		}
	}
	if s.units != 8 {
		t.Errorf("%d units are counted, want 8", s.units)
	}
}

// A file alone forgets first what it no longer has, and then learns no more.
func TestForgetsVersions(t *testing.T) {
	s := New()
	s.maxUnits = 10
	for i := range 20 {
		doc := parse(t, strings.ReplaceAll(sections(6), "Text", fmt.Sprint("Version ", i)))
		s.Delivered("a.md", doc, []markdown.Lines{{First: 1, Last: 18}})
		if got := s.Unread("a.md", doc).Total; got != 0 || s.units > 10 {
			t.Errorf("version %d: %d are unread, %d are kept", i, got, s.units)
		}
	}
	doc := parse(t, sections(30))
	s.Delivered("a.md", doc, []markdown.Lines{{First: 1, Last: 90}})
	if got := s.Unread("a.md", doc).Total; got != 20 || s.units != 10 {
		t.Errorf("%d are unread, %d are kept", got, s.units)
	}
	// Parts count too.
	s = New()
	s.maxUnits = 10
	long := parse(t, "# A\n\n"+strings.Repeat("text\n", 100))
	for i := range 40 {
		s.Delivered("b.md", long, []markdown.Lines{{First: 3 + 2*i, Last: 3 + 2*i}})
	}
	if n := len(s.files["b.md"].Value.(*file).shown[newUnits(long).unit(0).key]); n != 9 || s.units != 10 {
		t.Errorf("%d parts and %d units are kept", n, s.units)
	}
}

// TestConcurrent has many use one session; -race looks on.
func TestConcurrent(t *testing.T) {
	s := New()
	s.maxFiles, s.maxUnits = 3, 40
	before := parse(t, guide)
	now, written := changed(t, guide, change{"Run it", "Run them"})
	after := parse(t, now)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 200 {
				file := fmt.Sprint("file ", (i+n)%5)
				s.Delivered(file, before, []markdown.Lines{{First: 1 + n%16, Last: 16}})
				s.Wrote(file, before, after, written)
				if got := s.Unread(file, after); got.Total > 5 {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	all.Wait()
	sum := 0
	for e := s.order.Front(); e != nil; e = e.Next() {
		f := e.Value.(*file)
		size := 0
		for _, parts := range f.shown {
			size += 1 + len(parts)
		}
		if size != f.size {
			t.Errorf("%s has %d units and counts %d", f.name, size, f.size)
		}
		sum += size
	}
	if sum != s.units || sum > s.maxUnits || len(s.files) > s.maxFiles || len(s.files) != s.order.Len() {
		t.Errorf("%d units, %d are counted, in %d files", sum, s.units, len(s.files))
	}
}

// BenchmarkUnread looks for what is unread in a document of 50,000 lines of which
// half was read: for the first time, and for the second.
func BenchmarkUnread(b *testing.B) {
	var src strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&src, "%s Number %d of them\n\n%s\n", "######"[:2+i%4], i, strings.Repeat("Words that stand in a paragraph for a while.\n", 7))
	}
	s, doc := New(), parse(b, src.String())
	s.Delivered("a.md", doc, []markdown.Lines{{First: 1, Last: 25_000}})
	for name, first := range map[string]bool{"first": true, "again": false} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc.Source)))
			b.ReportAllocs()
			for b.Loop() {
				if first {
					s.last = hashed{}
				}
				if s.Unread("a.md", doc).Total != 2_500 {
					b.Fatal("wrong number")
				}
			}
		})
	}
}
