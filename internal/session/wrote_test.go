package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/markdown"
)

// change is a text that is put in the place of another.
type change struct{ old, new string }

// changed makes the changes of a source, in their order, and says where.
func changed(t *testing.T, src string, changes ...change) (string, []Written) {
	t.Helper()
	var written []Written
	now, at := "", 0
	for _, c := range changes {
		i := strings.Index(src[at:], c.old)
		if i < 0 {
			t.Fatalf("%q is not there", c.old)
		}
		now += src[at : at+i]
		written = append(written, Written{
			markdown.Span{Start: at + i, End: at + i + len(c.old)}, markdown.Span{Start: len(now), End: len(now) + len(c.new)},
		})
		now += c.new
		at += i + len(c.old)
	}
	return now + src[at:], written
}

func TestWrote(t *testing.T) {
	const (
		install = 1 << iota // what was read before: lines 7-9
		linux               // 11-13
		usage               // 14-16
	)
	const rest = "@preamble, Guide, "
	tests := []struct {
		name    string
		read    int
		changes []change
		want    string
	}{
		{"a body", 0, []change{{"Run it.", "Make it.\n\nThen run."}}, rest + "Linux, Usage"},
		{"a heading with the body", 0, []change{{"## Usage\n\nUse it.", "## Use\n\nDo."}}, rest + "Install, Linux"},
		{"a word of what was not read", 0, []change{{"Run", "Make"}}, rest + "Install, Linux, Usage"},
		{"a word of what was read", install, []change{{"Run", "Make"}}, rest + "Linux, Usage"},
		{"a line beside what was not read", 0, []change{{".\n\n### Linux", ".\nMore.\n\n### Linux"}}, rest + "Install, Linux, Usage"},
		{"text behind what was not read", 0, []change{{".\n\n### Linux", ".\n\nMore.\n\n### Linux"}}, rest + "Install, Linux, Usage"},
		{"text behind what was read", install, []change{{"\n\n### Linux", "\n\nMore.\n\n### Linux"}}, rest + "Linux, Usage"},
		{"a new section", 0, []change{{"## Usage", "## New\n\nText.\n\n## Usage"}}, rest + "Install, Linux, Usage"},
		{"a heading that was not read", 0, []change{{"Usage", "Use"}}, rest + "Install, Linux, Use"},
		{"a heading that was read", usage, []change{{"Usage", "Use"}}, rest + "Install, Linux"},
		{"a heading above one that was read", linux, []change{{"Install", "Setup"}}, rest + "Setup, Usage"},
		{"the heading of the document", install | linux, []change{{"Guide", "Book"}}, "@preamble, Book, Usage"},
		{"a section goes", install | linux, []change{{"### Linux\n\nUse apt.\n", ""}}, rest + "Usage"},
		{"a heading goes, and its text was not read", install, []change{{"### Linux\n\n", ""}}, rest + "Install, Usage"},
		{"a heading goes, and its text was read", install | linux, []change{{"### Linux\n\n", ""}}, rest + "Usage"},
		{"a heading comes into what was read", install, []change{{"Run", "## Run\n\nRun"}}, rest + "Linux, Usage"},
		{"a heading comes into what was not read", 0, []change{{"Run", "## Run\n\nRun"}}, rest + "Run, Linux, Usage"},
		{"a body is emptied", 0, []change{{"Run it.\n\n", ""}}, rest + "Linux, Usage"},
		{"two at once", install, []change{{"Run", "Make"}, {"apt", "dnf"}}, rest + "Linux, Usage"},
		{"all of it", 0, []change{{guide, "# New\n\nText.\n"}}, ""},
		{"nothing", 0, nil, rest + "Install, Linux, Usage"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, before := New(), parse(t, guide)
			for i, lines := range []markdown.Lines{{First: 7, Last: 9}, {First: 11, Last: 13}, {First: 14, Last: 16}} {
				if tt.read&(1<<i) != 0 {
					s.Delivered("a.md", before, []markdown.Lines{lines})
				}
			}
			now, written := changed(t, guide, tt.changes...)
			after := parse(t, now)
			s.Wrote("a.md", before, after, written)
			if diff := cmp.Diff(tt.want, unread(s, after)); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
		})
	}
}

// What another hand has changed before a write stays unread, in the same section
// and in others.
func TestWroteHidesNothing(t *testing.T) {
	s := New()
	deliver(s, parse(t, guide), 1, 16)
	theirs := strings.NewReplacer("Run it.", "Run it.\n\nCareful!", "Use it.", "Use it not.").Replace(guide)
	for _, tt := range []struct {
		c    change
		want string
	}{
		{change{"Use apt", "Use dnf"}, "Install, Usage"},
		{change{"Run", "Make"}, "Install, Usage"},
		{change{"Intro", "Begin"}, "Install, Usage"},
		{change{"Make it.\n\nCareful!", "Done."}, "Usage"},
	} {
		before := parse(t, theirs)
		now, written := changed(t, theirs, tt.c)
		after := parse(t, now)
		s.Wrote("a.md", before, after, written)
		if diff := cmp.Diff(tt.want, unread(s, after)); diff != "" {
			t.Errorf("%v: unread (-want +got):\n%s", tt.c, diff)
		}
		theirs = now
	}
}

// A section that has nothing but a heading is not read by what is written beside
// it.
func TestWroteHeadingsAlone(t *testing.T) {
	const src = "# A\n\n## B\n\n## C\n\nText.\n\n## D\n"
	tests := []struct {
		name string
		c    change
		want string
	}{
		{"behind it", change{"## C\n\nText.\n\n", ""}, "A, B, D"},
		{"behind it, with the gap", change{"\n## C\n\nText.\n", ""}, "A, B, D"},
		{"before it", change{"\n", "\n\n## N\n\nNew.\n"}, "A, B, C, D"},
		{"its text", change{"B", "Better"}, "A, C, D"},
		{"a part of its text", change{"## B\n", "## Be B\n"}, "A, C, D"},
		{"below it", change{"## B\n", "## B\n\nNew.\n"}, "A, C, D"},
		{"what it loses", change{"Text.\n\n", ""}, "A, B, D"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, before := New(), parse(t, src)
			now, written := changed(t, src, tt.c)
			after := parse(t, now)
			s.Wrote("a.md", before, after, written)
			if diff := cmp.Diff(tt.want, unread(s, after)); diff != "" {
				t.Errorf("unread (-want +got):\n%s", diff)
			}
		})
	}
}

// What a write has put another text in the place of has not moved elsewhere.
func TestWroteIsNoMove(t *testing.T) {
	const src = "# A\n\n## Note\n\nText.\n\n# B\n\n## Note\n\nText.\n"
	s, before := New(), parse(t, src)
	s.Delivered("a.md", before, []markdown.Lines{{First: 1, Last: 7}})
	now, written := changed(t, src, change{"Text", "Words"})
	after := parse(t, now)
	s.Wrote("a.md", before, after, written)
	if got := s.Unread("a.md", after).Sections; len(got) != 1 || got[0].Selector != "h2.1" {
		t.Errorf("unread: %v, want the other note", got)
	}
}

// Ranges that are not there do no harm.
func TestWroteNonsense(t *testing.T) {
	s, doc := New(), parse(t, guide)
	far := markdown.Span{Start: -100, End: 1 << 40}
	back := markdown.Span{Start: 50, End: 3}
	s.Wrote("a.md", doc, doc, []Written{{far, back}, {back, back}, {back, markdown.Span{Start: 1 << 30, End: 1 << 40}}})
	s.Wrote("a.md", parse(t, ""), doc, []Written{{back, back}})
	if got := unread(s, doc); got != "@preamble, Guide, Install, Linux, Usage" {
		t.Errorf("unread: %s", got)
	}
}

// model is a document as a list of sections, and what its reader knows of it.
type model struct {
	sections [][]line // the first line is the heading's
	next     int
}

type line struct {
	text  string
	known bool
}

// source renders the document, and says on which line each section begins.
func (m *model) source() (src string, first []int) {
	n := 1
	for _, s := range m.sections {
		first = append(first, n)
		for _, l := range s {
			src += l.text + "\n"
		}
		n += len(s)
	}
	return src, first
}

// fresh is a line that is nowhere else.
func (m *model) fresh(prefix string) string {
	m.next++
	return fmt.Sprintf("%s%d", prefix, m.next)
}

// forget forgets all that is known of a section.
func (m *model) forget(i int) {
	for j := range m.sections[i] {
		m.sections[i][j].known = false
	}
}

// unread names the sections that were not read.
func (m *model) unread() string {
	var names []string
	for _, s := range m.sections {
		for _, l := range s {
			if !l.known {
				names = append(names, strings.TrimPrefix(s[0].text, "# "))
				break
			}
		}
	}
	return strings.Join(names[:min(len(names), maxSections)], ", ")
}

// TestRandom reads, writes and changes a document at random, and compares with a
// model that knows of each line whether it was seen.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m, s := &model{}, New()
		for range 6 {
			section := []line{{text: m.fresh("# Heading ")}}
			for range rnd.IntN(5) {
				section = append(section, line{text: m.fresh("text ")})
			}
			m.sections = append(m.sections, section)
		}
		for step := range 30 {
			src, first := m.source()
			i := rnd.IntN(len(m.sections))
			section := m.sections[i]
			from := rnd.IntN(len(section))
			to := from + 1 + rnd.IntN(len(section)-from)
			switch rnd.IntN(4) {
			case 0, 1: // lines are read
				for j := from; j < to; j++ {
					section[j].known = true
				}
				deliver(s, parse(t, src), first[i]+from, first[i]+to-1)
			case 2: // another hand changes a line
				if from > 0 {
					section[from].text = m.fresh("text ")
					m.forget(i)
				}
			default: // the reader writes lines below a heading
				from = max(from, 1)
				m.write(t, s, i, from, max(from, to))
			}
			src, _ = m.source()
			if diff := cmp.Diff(m.unread(), unread(s, parse(t, src))); diff != "" {
				t.Fatalf("step %d: unread (-want +got):\n%s\n%s", step, diff, src)
			}
		}
	}
}

// write lets the reader put a new line in the place of some in section i.
func (m *model) write(t *testing.T, s *Session, i, from, to int) {
	t.Helper()
	src, first := m.source()
	doc := parse(t, src)
	section := m.sections[i]
	now := append([]line{}, section[:from]...)
	now = append(append(now, line{m.fresh("text "), true}), section[to:]...)
	m.sections[i] = now
	if len(now) == 2 { // all below the heading
		now[0].known = true
	}
	at := doc.LineSpan(markdown.Lines{First: 1, Last: first[i] + from - 1}).End
	end := doc.LineSpan(markdown.Lines{First: 1, Last: first[i] + to - 1}).End
	after, _ := m.source()
	written := Written{markdown.Span{Start: at, End: end}, markdown.Span{Start: at, End: at + len(now[from].text) + 1}}
	s.Wrote("a.md", doc, parse(t, after), []Written{written})
}
