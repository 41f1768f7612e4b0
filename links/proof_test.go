package links

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// parse returns the parse of a source in a dialect.
func parse(t testing.TB, src string, dialect markdown.Dialect) *markdown.Document {
	t.Helper()
	o := markdown.Options{Dialect: dialect, WikiLinks: dialect == markdown.Obsidian}
	doc, err := (&markdown.Parser{Options: o}).Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// spliced returns a source with its splices, from the last to the first.
func spliced(src []byte, splices []Splice) string {
	text := slices.Clone(src)
	for _, s := range slices.Backward(splices) {
		text = slices.Replace(text, s.Span.Start, s.Span.End, []byte(s.Text)...)
	}
	return string(text)
}

// renamed renames section i of a source and keeps its links.
func renamed(t testing.TB, src string, i int, title string, dialect markdown.Dialect) (text string, lost int, proved bool) {
	t.Helper()
	before := parse(t, src, dialect)
	heading := int(before.Sections[i].Heading)
	content := before.Content(heading)
	after := parse(t, src[:content.Start]+title+src[content.End:], dialect)
	r := &Renaming{Path: "a.md", Before: before, After: after, Heading: heading}
	splices, missing := Rename(r)
	text = spliced(after.Source, splices)
	r.After = parse(t, text, dialect)
	return text, len(missing), r.Proved()
}

// TestRename keeps links where they led.
func TestRename(t *testing.T) {
	for name, c := range map[string]struct {
		src, title string
		section    int
		dialect    markdown.Dialect
		want       string
	}{
		"one": {
			"[a](#old) [b](a.md#old 'T') <a href=\"#old\">c</a> [d][r] `#old`\n\n# Old\n\n[r]: <#old>\n", "New one", 0, markdown.GitHub,
			"[a](#new-one) [b](a.md#new-one 'T') <a href=\"#new-one\">c</a> [d][r] `#old`\n\n# New one\n\n[r]: <#new-one>\n",
		},
		"the first of twins": {
			"# Example\n\n# Example\n\n[1](#example) [2](#example-1)\n", "Other", 0, markdown.GitHub,
			"# Other\n\n# Example\n\n[1](#other) [2](#example)\n",
		},
		"one with twins in HTML": {
			"# A\n\n<h2>A</h2>\n<h2>A</h2>\n\n[1](#a) [2](#a-1) [3](#a-2)\n", "B", 0, markdown.GitHub,
			"# B\n\n<h2>A</h2>\n<h2>A</h2>\n\n[1](#b) [2](#a) [3](#a-1)\n",
		},
		"one that takes another's name": {
			"# Foo\n\n# Bar\n\n[f](#foo) [b](#bar)\n", "Bar", 0, markdown.GitHub,
			"# Bar\n\n# Bar\n\n[f](#bar) [b](#bar-1)\n",
		},
		"encoding": {
			"# Café\n\n[a](#caf%C3%A9) [b](#café) [c](<#café>)\n", "Thé à", 0, markdown.GitHub,
			"# Thé à\n\n[a](#th%C3%A9-%C3%A0) [b](#thé-à) [c](<#thé-à>)\n",
		},
		"text fragments": {
			"# Old\n\n[a](#old:~:text=two) [b](#caf%C3%A9:~:text=%C3%A9) [[#Old:~:text=two]] <a href=\"a.md#old:~:text=a,-b\">c</a>\n\n# Café\n", "New one", 0, markdown.Obsidian,
			"# New one\n\n[a](#New%20one:~:text=two) [b](#caf%C3%A9:~:text=%C3%A9) [[#New one:~:text=two]] <a href=\"a.md#New%20one:~:text=a,-b\">c</a>\n\n# Café\n",
		},
		"another normal form": {
			"# U\u0308ber\n\n[a](#u\u0308ber) [b](a.md#u%CC%88ber)\n", "\u00dcber", 0, markdown.GitHub,
			"# \u00dcber\n\n[a](#\u00fcber) [b](a.md#%C3%BCber)\n",
		},
		"mkdocs": {
			"# a\n\n# a\n\n[x](#a) [y](#a_1)\n", "b", 0, markdown.MkDocs, "# b\n\n# a\n\n[x](#b) [y](#a)\n",
		},
		"obsidian": {
			"# One two\n\n[[#One two|x]] [y](#One%20two) [[a#one two]]\n", "Three: four", 0, markdown.Obsidian,
			"# Three: four\n\n[[#Three four|x]] [y](#Three%20four) [[a#Three four]]\n",
		},
		"names that are written": {
			"# Old {#keep}\n\n<a id=\"two\"></a>\n\n[a](#keep) [b](#two)\n", "New {#keep}", 0, markdown.GitHub,
			"# New {#keep}\n\n<a id=\"two\"></a>\n\n[a](#keep) [b](#two)\n",
		},
		"a quote": {
			"> # Old\n>\n> [a](#old)\n\n# Old\n\n> [b\n> c](#old-1)\n", "New", 0, markdown.GitHub,
			"> # Old\n>\n> [a](#old)\n\n# New\n\n> [b\n> c](#new)\n",
		},
	} {
		got, lost, proved := renamed(t, c.src, c.section, c.title, c.dialect)
		if got != c.want || lost != 0 || !proved {
			t.Errorf("%s: %q, %d lost, proved %v, want %q", name, got, lost, proved, c.want)
		}
	}
}

// TestRenameLost tells of links that nothing leads to any more.
func TestRenameLost(t *testing.T) {
	_, lost, proved := renamed(t, "# Old\n\n[a](#old)\n", 0, "!?", markdown.GitHub)
	if lost != 1 || proved {
		t.Errorf("%d lost, proved %v", lost, proved)
	}
	if text, lost, _ := renamed(t, "# Old\n\n[a](#old&#58;~:text=two)\n", 0, "New", markdown.GitHub); lost != 1 {
		t.Errorf("%d lost of a text fragment that isn't told apart: %q", lost, text)
	}
}

// TestBroken finds links from other documents, and those that a twin takes.
func TestBroken(t *testing.T) {
	before, after := parse(t, "# A\n\n# A\n\n# B\n", 0), parse(t, "# C\n\n# A\n\n# B\n", 0)
	s := NewSet(Options{})
	s.Add(NewPage("x/a.md", before))
	other := page(t, "b.md", "[1](x/a.md#a) [2](x/a.md#a-1) [3](x/a.md#b) [4](x/a.md) [5](#a)\n", markdown.Options{})
	s.Add(other)
	r := &Renaming{Path: "x/a.md", Before: before, After: after, Heading: int(before.Sections[0].Heading)}
	is := NewSet(Options{})
	is.Add(NewPage("x/a.md", after))
	if got := (Renamings{r.Path: r}).Broken(s, is, other); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v break", got)
	}
	gone := &Renaming{Path: "c.md", Before: before}
	s.Add(NewPage("c.md", before))
	from := page(t, "x/a.md", "[1](../c.md#b) [2](#a) [3](a.md#a) [4](../b.md)\n[5](../c.md) [6](../c.md#none) [7](a.md#none)", markdown.Options{})
	if got := (Renamings{"c.md": gone, "x/a.md": r}).Broken(s, is, from); !slices.Equal(got, []int{0, 4, 5}) {
		t.Errorf("%v of a document among them break", got)
	}
	if got := (Renamings{"c.md": gone, "x/a.md": r}).Broken(s, is, other); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v of another document break", got)
	}
}

// TestCompare tells of links that led somewhere and lead elsewhere.
func TestCompare(t *testing.T) {
	was := []Lead{{OK, "a", Part{Block: 1}}, {OK, "a", Part{Block: 2}}, {Broken, "b", Part{Block: -1}}, {OK, "c", Part{Block: -1}}}
	is := []Lead{{OK, "a", Part{Block: 1}}, {OK, "a", Part{Block: 3}}, {OK, "b", Part{Block: -1}}, {Unknown, "c", Part{Block: -1}}, {}}
	if got := Compare(was, is); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("%v", got)
	}
}

// moveOf returns the move of a document of a source from one path to another.
func moveOf(t *testing.T, from, to, src string) *Shift {
	t.Helper()
	before, after := page(t, from, src, markdown.Options{}), page(t, to, src, markdown.Options{})
	s := &Shift{Was: NewSet(Options{}), Is: NewSet(Options{}), Docs: []Shifted{{Before: before, After: after, Source: []byte(src)}}}
	for b := range parse(t, src, 0).Blocks {
		s.Docs[0].Blocks = append(s.Docs[0].Blocks, Spot{Block: b})
	}
	s.Was.Add(before)
	s.Is.Add(after)
	return s
}

// TestStyleOfMoved: a link to the document itself keeps its path, and one that names a folder leads
// to a document that is no index by the whole name of that.
func TestStyleOfMoved(t *testing.T) {
	src := "# A\n\n[1](#a) [2](/a.md#a) [3](a#a) [4](./a.md?x#a)\n"
	all, lost := moveOf(t, "a.md", "x/b.md", src).Keep()
	if got, want := spliced([]byte(src), all[0]), "# A\n\n[1](#a) [2](/x/b.md#a) [3](b#a) [4](./b.md?x#a)\n"; got != want || len(lost) > 0 {
		t.Errorf("%q, %v lost, want %q", got, lost, want)
	}
	src = "[1](d) [2](d/) [3](/d/#a) [4](d/README) [5](d/README.md)\n"
	other := page(t, "l.md", src, markdown.Options{})
	for to, want := range map[string]string{
		"x.md":        "[1](x.md) [2](x.md) [3](/x.md#a) [4](x) [5](x.md)\n",
		"e/README.md": "[1](e) [2](e/) [3](/e/#a) [4](e/README) [5](e/README.md)\n",
	} {
		splices, lost := moveOf(t, "d/README.md", to, "# A\n").KeepIn(other, other, []byte(src))
		if got := spliced([]byte(src), splices); got != want || len(lost) > 0 {
			t.Errorf("%q, %v lost, want %q", got, lost, want)
		}
	}
}

// TestAnotherNormalForm moves a document to a name in another normal form of Unicode, and one to a
// folder that is called so, in which what it links to doesn't lie.
func TestAnotherNormalForm(t *testing.T) {
	src := "[1](u\u0308.md#s) [2](u%CC%88.md) [3](u\u0308.md#none) [4](\u00fc.md)\n"
	other := page(t, "l.md", src, markdown.Options{})
	splices, lost := moveOf(t, "u\u0308.md", "\u00fc.md", "# U\n\n## S\n").KeepIn(other, other, []byte(src))
	if got, want := spliced([]byte(src), splices), "[1](\u00fc.md#s) [2](%C3%BC.md) [3](\u00fc.md#none) [4](\u00fc.md)\n"; got != want || len(lost) > 0 {
		t.Errorf("%q, %v lost, want %q", got, lost, want)
	}
	src = "[b](b.md)\n"
	s := moveOf(t, "o\u0308/a.md", "\u00f6/a.md", src)
	b := page(t, "o\u0308/b.md", "# B\n", markdown.Options{})
	s.Was.Add(b)
	s.Is.Add(b)
	if all, lost := s.Keep(); len(lost) > 0 || spliced([]byte(src), all[0]) != "[b](../o\u0308/b.md)\n" {
		t.Errorf("%v, %v lost", all, lost)
	}
}

// TestMissingStaysMissing moves a document beside files of the names that its links have: a link that led
// nowhere names what it named, and stays as it is where nothing is by that name.
func TestMissingStaysMissing(t *testing.T) {
	src := "[1](z.md) [2](z.md#z) ![3](p.png?x) [4](y.md) [5](e.g.) [6](/z.md) [[./z]] [7](../s/z.md)\n"
	doc := &markdown.Parser{Options: markdown.Options{WikiLinks: true}}
	parsed, err := doc.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	s := moveOf(t, "d/a.md", "s/a.md", src)
	for set, p := range map[*Set]**Page{s.Was: &s.Docs[0].Before, s.Is: &s.Docs[0].After} {
		*p = NewPage((*p).Path, parsed)
		set.options.Look = func(name string) Entry { return map[string]Entry{"d": Folder, "s": Folder, "s/p.png": File}[name] }
		set.Add(*p)
		set.Add(page(t, "s/z.md", "# Z\n", markdown.Options{}))
	}
	all, lost := s.Keep()
	want := "[1](../d/z.md) [2](../d/z.md#z) ![3](../d/p.png?x) [4](y.md) [5](e.g.) [6](/z.md) [[../d/z]] [7](../s/z.md)\n"
	if got := spliced([]byte(src), all[0]); got != want || len(lost) > 0 {
		t.Errorf("%q, %v lost, want %q", got, lost, want)
	}
	now := page(t, "l.md", "[a](s/a.md)\n", markdown.Options{}) // which led nowhere
	if splices, lost := s.KeepIn(now, now, []byte("[a](s/a.md)\n")); len(splices)+len(lost) > 0 {
		t.Errorf("%v, %v lost of a link to what has come", splices, lost)
	}
}

// TestNewDestinationsAreBounded has more of them than may be put in: the links after those can't
// be kept.
func TestNewDestinationsAreBounded(t *testing.T) {
	before := page(t, "a.md", "# A\n\n"+strings.Repeat("[a](#a) ", 100)+"\n", markdown.Options{})
	src := "# A long title\n\n" + strings.Repeat("[a](#a) ", 100) + "\n"
	after := page(t, "a.md", src, markdown.Options{})
	for limit, want := range map[int]int{0: 100, 1: 1, 10 * len("a-long-title"): 10, 100 * len("a-long-title"): 100} {
		was, is := NewSet(Options{}), NewSet(Options{})
		was.Add(before)
		is.Add(after)
		s := &Shift{Was: was, Is: is, Docs: []Shifted{{Before: before, After: after, Source: []byte(src), Blocks: []Spot{{0, 0}, {0, 1}}}}, MaxBytes: limit}
		if splices, lost := s.Keep(); len(splices[0]) != want || len(lost) != 100-want {
			t.Errorf("limit %d: %d are kept, %d lost", limit, len(splices[0]), len(lost))
		}
	}
}

// TestSetPath keeps the style of a destination.
func TestSetPath(t *testing.T) {
	for _, c := range [][4]string{ // the link, the document, where the target goes, the result
		{"[a](b.md#c 't')", "x/a.md", "x/y/b.md", "[a](y/b.md#c 't')"},
		{"[a](./b.md)", "x/a.md", "x/c.md", "[a](./c.md)"},
		{"[a](<b c.md>)", "a.md", "d e.md", "[a](<d%20e.md>)"},
		{"[a](b?x#c)", "x/a.md", "d.md", "[a](../d?x#c)"},
		{"[a](b.html)", "a.md", "x/d.md", "[a](x/d.html)"},
		{"[a](b/)", "a.md", "x/README.md", "[a](x/)"},
		{"[a](/b.md)", "x/a.md", "y/c.md", "[a](/y/c.md)"},
		{"[a](b.png)", "a.md", "x/(c).png", "[a](x/%28c%29.png)"},
		{"[a](b%C3%A9.md)", "a.md", "ü.md", "[a](%C3%BC.md)"},
		{"[a](<d/a&#x20;b.md#c>)", "a.md", "e.md", "[a](<e.md#c>)"},
		{"[a](<a&#x20;b.md?x#c>)", "a.md", "e.md", "[a](<e.md?x#c>)"},
		{"[a](<a b.md&quest;x#c>)", "a.md", "e.md", ""}, // an entity begins the query
		{"[a](<b.md&#35;c>)", "a.md", "e.md", ""},       // and here the fragment
		{"[a](#b)", "a.md", "c.md", ""},
		{"[a](https://x)", "a.md", "c.md", ""},
	} {
		p := page(t, c[1], c[0], markdown.Options{})
		s, ok := SetPath([]byte(c[0]), &p.Links[0], c[1], c[2], "")
		got := ""
		if ok {
			got = spliced([]byte(c[0]), []Splice{s})
		}
		if got != c[3] {
			t.Errorf("%s to %s: %q, want %q", c[0], c[2], got, c[3])
		}
	}
	for to, want := range map[string]string{"docs/d/e.md": "[a](/d/e.md)", "other/n.md": "[a](../../other/n.md)", "docs.md": "[a](../../docs.md)"} {
		src := []byte("[a](/b.md)")
		p := page(t, "docs/x/a.md", string(src), markdown.Options{})
		s, ok := SetPath(src, &p.Links[0], "docs/x/a.md", to, "docs")
		if got := spliced(src, []Splice{s}); !ok || got != want {
			t.Errorf("to %s, below the root or not: %s, want %s", to, got, want)
		}
	}
}

// FuzzRename holds for any document: what is renamed with all its links kept is proved, and
// nothing but fragments has changed; a link whose fragment is set leads to just that name.
func FuzzRename(f *testing.F) {
	f.Add("# a\n\n# a\n\n[x](#a-1) <a href='#a'>y</a>\n\n[r]: #a\n", "b", uint8(0))
	f.Add("> # a\n\n# b {#c}\n\n[[#a]] [z](<#b%20c>)\n", "# `x` {#y}", uint8(3))
	f.Add("# a_1\n# a\n# a\n[](#a_1)[](#a_2)\n", "_1", uint8(2))
	f.Fuzz(func(t *testing.T, src, title string, choice uint8) {
		dialects := uint8(len(markdown.Dialects()))
		dialect := markdown.Dialect(choice % dialects)
		before := parse(t, src, dialect)
		if len(before.Sections) == 0 || strings.ContainsAny(title, "\r\n") {
			return
		}
		section := int(choice/dialects) % len(before.Sections)
		heading := int(before.Sections[section].Heading)
		content := before.Content(heading)
		after := parse(t, src[:content.Start]+title+src[content.End:], dialect)
		if len(after.Blocks) != len(before.Blocks) || before.Blocks[heading].Setext() {
			return // the title is more than a title
		}
		r := &Renaming{Path: "a.md", Before: before, After: after, Heading: heading}
		splices, lost := Rename(r)
		for _, s := range splices {
			if s.Span.Start < s.Span.End && strings.ContainsAny(string(after.Text(s.Span)), "\r\n") {
				t.Fatalf("%q is no fragment", after.Text(s.Span))
			}
		}
		end := parse(t, spliced(after.Source, splices), dialect)
		if len(end.Blocks) != len(before.Blocks) {
			return // a wiki link that is a heading's text
		}
		r.After = end
		if proved := r.Proved(); !proved && len(lost) == 0 && len(NewPage("a.md", end).Links) == len(NewPage("a.md", before).Links) && dialect != markdown.Obsidian {
			t.Fatalf("%q renamed to %q is not proved: %q", src, title, end.Source)
		}
	})
}

// TestRenameAtRandom renames the headings of generated documents.
func TestRenameAtRandom(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "A", "a-1", "é", "x y", "`c`", "a_1", "1"}
	for range 300 {
		var b strings.Builder
		n := 1 + draw.IntN(6)
		for range n {
			b.WriteString(strings.Repeat("#", 1+draw.IntN(3)) + " " + words[draw.IntN(len(words))] + "\n\n")
			for range draw.IntN(3) {
				b.WriteString("[t](#" + []string{"a", "b", "a-1", "a-2", "%C3%A9", "x-y", "c", "a_1", "1", "a-1-1", "b-1"}[draw.IntN(11)] + ") ")
			}
			b.WriteString("\n\n")
		}
		section, title := draw.IntN(n), words[draw.IntN(len(words))]
		for dialect := markdown.GitHub; dialect <= markdown.MkDocs; dialect++ {
			if text, lost, proved := renamed(t, b.String(), section, title, dialect); lost > 0 && dialect != markdown.GitLab || lost == 0 && !proved {
				t.Fatalf("%v: section %d of %q to %q: %q, %d lost, proved %v", dialect, section, b.String(), title, text, lost, proved)
			}
		}
	}
}

// TestStraysAndPaths: what an edit lets lead elsewhere is counted, and a path of headings in
// Obsidian is a name that goes with the headings around it.
func TestStraysAndPaths(t *testing.T) {
	const before = "[[#A#Use]] [[#B]]\n\n## A\n\n### Use\n\n## B\n\n### Use\n"
	for name, c := range map[string]struct {
		after           string
		blocks          []int32 // which block after each heading before is, as far as they have others
		renames         bool
		gone, astrayNow int
	}{
		"nothing":             {before, nil, false, 0, 0},
		"a text":              {strings.Replace(before, "## B\n", "## B\n\ntext\n", 1), []int32{0, 1, 2, 3, 5}, false, 0, 0},
		"a heading":           {strings.Replace(before, "## B", "## C", 1), nil, true, 1, 0},
		"a heading that goes": {strings.Replace(before, "### Use\n\n## B", "## B", 1), []int32{0, 1, -1, 2, 3}, true, 1, 0},
		"another level":       {strings.Replace(before, "### Use", "## Use", 1), nil, true, 1, 0},
	} {
		r := &Renaming{Path: "a.md", Before: parse(t, before, markdown.Obsidian), After: parse(t, c.after, markdown.Obsidian), Heading: -1, Instead: -1, Blocks: c.blocks}
		if renames := r.Renames(); renames != c.renames {
			t.Errorf("%s: renames: %v", name, renames)
		}
		if gone, astray := r.Strays(); gone != c.gone || astray != c.astrayNow {
			t.Errorf("%s: %d gone, %d astray", name, gone, astray)
		}
	}
	for _, c := range [][3]string{{"a.md", "b/c d.md", "b/c%20d.md"}, {"x/a.md", "b.md", "../b.md"}, {"a.md", "c:d.md", "./c:d.md"}} {
		if got := PathTo(c[0], c[1]); got != c[2] {
			t.Errorf("from %s to %s: %s", c[0], c[1], got)
		}
	}
}
