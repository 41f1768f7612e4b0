package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// A setting is a place for content: a document, a section of it, an action. What
// stands beside the place is different in each of the documents.

// shapes are the documents. Levels in them leave none out, and sections have at most
// level 4, so that content may have headings two levels deeper.
var shapes = []struct{ name, src string }{
	{"plain", "# Guide\n\nAbout it.\n\n## Install\n\nRun it.\n\n## Use\n\nUse it.\n"},
	{"CRLF", "# Guide\r\n\r\nAbout it.\r\n\r\n## Install\r\n\r\nRun it.\r\n\r\n### Linux\r\n\r\nSo.\r\n\r\n## Use\r\n\r\nUse it.\r\n"},
	{"CR", "# Guide\r\rAbout it.\r\r## Install\r\rRun it.\r"},
	{"no line ending at the end", "# Guide\n\nAbout it.\n\n## Install\n\nRun it."},
	{"blank lines at the end", "# Guide\n\nAbout it.\n\n## Install\n\nRun it.\n\n\n\n"},
	{"front matter and a mark", "\uFEFF---\ntitle: x\n---\n\nBefore.\n\n# Guide\n\nAbout it.\n\n## Install\n\nRun it.\n"},
	{"no blank lines", "# Guide\nAbout it.\n## Install\nRun it.\n### Linux\nSo.\n## Use\nUse it.\n"},
	{"wide gaps", "# Guide\n\n\n\nAbout it.\n\n\n\n## Install\n\n\nRun it.\n\n\n## Use\n\n\nUse it.\n"},
	{"underlined", "Guide\n=====\n\nAbout it.\n\nInstall\n-------\n\nRun it.\n\nUse\n---\n\nUse it.\n"},
	{"closed marks", "# Guide #\n\nAbout it.\n\n## Install ##\n\nRun it.\n"},
	{"nested", "# Guide\n\n## Install\n\nText.\n\n### Linux\n\nText.\n\n#### Arch\n\nText.\n\n### Windows\n\nText.\n\n## Use\n\nText.\n"},
	{"empty sections", "# Guide\n## Install\n## Use\n### Daily\n# End\n"},
	{"repeated", "# Guide\n\n## Notes\n\nOne.\n\n## Notes\n\nTwo.\n\n# Other\n\n## Notes\n\nThree.\n"},
	{"code around", "# Guide\n\n```\n# one\n```\n\n## Install\n\n~~~sh\nmake\n~~~\n\n## Use\n\n```\nend\n```\n"},
	{"HTML around", "# Guide\n\n<div>\nx\n</div>\n\n## Install\n\n<!--\n# no\n-->\n\n## Use\n\n<details>\n\ntext\n\n</details>\n"},
	{"tables around", "# Guide\n\n| a | b |\n|---|---|\n| c | e |\n\n## Install\n\n| a |\n|---|\n\n## Use\n\na | b\n-|-\nc | d\n"},
	{"quotes around", "# Guide\n\n> # quoted\n> text\n\n## Install\n\n> one\n> > two\n\n## Use\n\n> text\nlazy\n"},
	{"breaks and definitions around", "# Guide\n\n---\n\n## Install\n\n[q]: /url\n\n## Use\n\n***\n\n[^z]: note\n\nText.\n"},
	{"Unicode", "# 案内\n\n本文です。\n\n## Größe\n\nText über alles.\n\n## 🎉\n\nمرحبا\n"},
}

// lists are documents whose sections begin and end with lists, which what is put
// beside them may go on with or join.
var lists = []struct{ name, src string }{
	{"lists", "# Guide\n\n- a\n- b\n\n## Install\n\n1. one\n2. two\n\n## Use\n\n- [ ] x\n\n  more\n- [x] y\n"},
	{"lists without blank lines", "# Guide\n- a\n  - b\n## Install\n* c\n## Use\n+ d\n"},
}

// setting is a place for content.
type setting struct {
	name   string
	doc    *markdown.Document
	node   address.Node
	action edit.Action
	scope  edit.Scope
	own    bool // the content gets a heading of the target's level before it
	deeper bool // or of the next one
}

// settings returns every section of the documents with every action on content.
func settings(t testing.TB, of []struct{ name, src string }) []setting {
	t.Helper()
	var all []setting
	for _, s := range of {
		doc := parse(t, []byte(s.src))
		for i := range doc.Sections {
			name := fmt.Sprintf("%s, %q", s.name, address.AddressOf(doc, address.NodeOfSection(i)))
			base := setting{name: name, doc: doc, node: address.NodeOfSection(i)}
			for _, v := range []setting{
				{action: edit.Append},
				{action: edit.Prepend},
				{action: edit.Replace, scope: edit.ScopeBody},
				{action: edit.Replace, scope: edit.ScopeSection},
				{action: edit.Replace, scope: edit.ScopeSection, own: true},
				{action: edit.InsertBefore, own: true},
				{action: edit.InsertAfter, own: true},
				{action: edit.InsertAfter, deeper: true},
			} {
				x := base
				x.action, x.scope, x.own, x.deeper = v.action, v.scope, v.own, v.deeper
				x.name += fmt.Sprintf(", %v %v", v.action, v.scope)
				all = append(all, x)
			}
		}
	}
	return all
}

// attempt returns the operation that puts the text there; level is the target's.
func (s *setting) attempt(text string, level int) *attempt {
	switch {
	case s.own:
		text = strings.Repeat("#", level) + " New\n\n" + text
	case s.deeper:
		text = strings.Repeat("#", level+1) + " New\n\n" + text
	}
	o := edit.Op{Action: s.action, Address: address.SelectorOf(s.doc, s.node), Scope: s.scope, Text: text}
	o.ExpectedHash = s.doc.SectionHash(s.node.Section)
	return &attempt{doc: s.doc, ops: []made{{Op: o, node: s.node, sure: true}}}
}

func (s *setting) level() int { return int(s.doc.Sections[s.node.Section].Level) }

// fits reports whether a payload with headings can stand there: below what is put
// before them, headings take the blocks after them.
func (s *setting) fits(p payload) bool {
	if !p.headed() {
		return true
	}
	if s.deeper {
		return s.doc.Sections[s.node.Section].Next == int32(s.node.Section)+1 // {1} would be no child of New
	}
	if s.action != edit.Prepend {
		return true
	}
	body := s.doc.BodySpan(s.node.Section)
	heading := s.doc.Blocks[s.doc.Sections[s.node.Section].Heading]
	return strings.Trim(string(s.doc.Source[heading.End:body.End]), white) == ""
}

// TestBenignPayloads puts each into each setting; all must be taken.
func TestBenignPayloads(t *testing.T) {
	testkit.OneGoroutine(t)
	if len(benignPayloads) < 100 {
		t.Errorf("%d payloads", len(benignPayloads))
	}
	all := settings(t, shapes)
	every := 6 // of so many settings gets a payload, and others get the next one
	if testkit.Long() {
		every = 1
	}
	tried, failed := 0, 0
	fewest := len(all)
	for k, p := range benignPayloads {
		n := 0
		for i := range all {
			s := &all[i]
			if !s.fits(p) || i%every != k%every {
				continue
			}
			level := s.level()
			if s.deeper {
				level++
			}
			a := s.attempt(p.at(level), s.level())
			tried++
			res, err := a.apply()
			if err == nil {
				err = judge(a, res)
			}
			if err != nil {
				if failed++; failed <= 10 {
					t.Errorf("%s in %s: %v\n%.1000v", p.name, s.name, err, a)
				}
				continue
			}
			n++
		}
		fewest = min(fewest, n)
		if n < 20 {
			t.Errorf("%s succeeds in %d settings", p.name, n)
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d failed", failed, tried)
	}
	t.Logf("%d payloads in %d settings, each in %d at least: %d edits", len(benignPayloads), len(all), fewest, tried)
}

// TestBenignBlocks puts each payload without headings in the place of a paragraph,
// before it and after it.
func TestBenignBlocks(t *testing.T) {
	testkit.OneGoroutine(t)
	docs := []struct{ src, addr string }{
		{"# A\n\none\n\ntwo\n\nthree\n", "h1.0/para.1"},
		{"# A\r\n\r\none\r\n\r\ntwo\r\n\r\nthree", "h1.0/para.1"},
		{"one\n\ntwo\n\nthree\n\n# A\n", "para.1"},
		{"# A\n\none\n\n```\nmake\n```\n\nthree\n", "h1.0/code.0"},
		{"# A\n\none\n\n| a |\n|---|\n\nthree\n", "h1.0/table.0"},
		{"# A\none\n\n> two\n\nthree\n## B\n", "h1.0/quote.0"},
		{"# A\n\none\n\n- two\n- three\n\nfour\n", "h1.0/list.0"},
	}
	failed := 0
	for _, d := range docs {
		doc := parse(t, []byte(d.src))
		r, err := address.Resolve(doc, d.addr)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range benignPayloads {
			for _, action := range []edit.Action{edit.Replace, edit.InsertBefore, edit.InsertAfter} {
				lists := strings.Contains(d.addr, "list") && action != edit.Replace // beside one another would join it
				if p.headed() || lists && strings.HasPrefix(p.name, "a list") {
					continue
				}
				o := edit.Op{Action: action, Address: d.addr, Text: p.text, ExpectedHash: markdown.Hash(doc.Text(r.Span(doc)))}
				a := &attempt{doc: doc, ops: []made{{Op: o, node: r.Node, sure: true}}}
				res, err := a.apply()
				if err == nil {
					err = judge(a, res)
				}
				if e, ok := err.(edit.Errors); ok && lists && e[0].Code == edit.StructureChanged { //nolint:errorlint // as Apply returns it
					continue
				}
				if err != nil {
					if failed++; failed <= 10 {
						t.Errorf("%s, %v %s: %v\n%.1000v", p.name, action, d.addr, err, a)
					}
				}
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d failed", failed)
	}
}

// TestBenignPayloadsAmongLists puts each beside lists. All must be taken but a fence
// that is indented so far that it belongs to the item before it.
func TestBenignPayloadsAmongLists(t *testing.T) {
	testkit.OneGoroutine(t)
	all := settings(t, lists)
	for _, p := range benignPayloads {
		for i := range all {
			s := &all[i]
			if !s.fits(p) || p.name == "an indented fence" && s.action == edit.Append {
				continue
			}
			level := s.level()
			if s.deeper {
				level++
			}
			a := s.attempt(p.at(level), s.level())
			res, err := a.apply()
			if err == nil {
				err = judge(a, res)
			}
			if err != nil {
				t.Errorf("%s in %s: %v\n%.1000v", p.name, s.name, err, a)
			}
		}
	}
}

// TestBenignItems puts items beside those of lists that are indented in all ways, and in their
// place: all must be taken, and stand in the column of their neighbours.
func TestBenignItems(t *testing.T) {
	testkit.OneGoroutine(t)
	tried := 0
	for _, around := range []struct{ first, other string }{
		{"", ""},
		{"> ", "> "},
		{"* x\n", "  "},
		{"1. x\n", "   "},
		{"* x\n", "\t"},
		{" -  x\n", "    "},
		{"> * x\n", ">   "},
		{"* > x\n", "  > "},
		{"1. * x\n", "     "},
		{"- ", "  "},
		{"> 1. ", ">    "},
	} {
		for indent := range 4 {
			for _, marker := range []string{"-", "+", "1.", "1)"} {
				for _, gap := range []string{"\n", "\n\n"} {
					blanks, inner := strings.Repeat(" ", indent), strings.Repeat(" ", len(marker)+1)
					a, b, c := blanks+marker+" a"+gap, blanks+marker+" b\n"+blanks+inner+"more\n\n"+blanks+inner+"- deep\n", blanks+marker+" c\n"
					if gap == "\n" {
						b = blanks + marker + " b\n" + blanks + inner + "more\n"
					} else {
						b += "\n"
					}
					src := around.first
					for i, line := range strings.SplitAfter(a+b+c, "\n") {
						switch {
						case line == "":
						case i == 0 && !strings.HasSuffix(src, "\n"):
							src += line
						case line == "\n":
							src += strings.TrimRight(around.other, " \t") + line
						default:
							src += around.other + line
						}
					}
					tried += testItems(t, src, marker)
				}
			}
		}
	}
	if t.Logf("%d edits", tried); tried < 150_000 {
		t.Error("too little is tried")
	}
}

// testItems puts items beside each of the last list of a document that has the marker, and in
// their place, and returns how many edits it has tried.
func testItems(t *testing.T, src, marker string) int {
	t.Helper()
	doc := parse(t, []byte(src))
	inner := strings.Repeat(" ", len(marker)+1)
	tried := 0
	var items []int
	for b := range doc.Blocks {
		if doc.Blocks[b].Kind == markdown.List && doc.Blocks[b].Marker == marker[len(marker)-1] {
			items = items[:0]
			for item := range doc.Children(b) {
				items = append(items, item)
			}
			if len(items) == 3 {
				break
			}
		}
	}
	if len(items) != 3 { // they are indented so far that they are text
		return 0
	}
	column := func(d *markdown.Document, at int) int {
		line := string(d.Source[textlines.Begin(d.Source, at):at])
		return textlines.Columns(line, 0)
	}
	texts := []string{marker + " b\n" + inner + marker + " sub", marker + " b\n\n\tmore", marker + " b\n\n" + inner + "    code\n"}
	for _, code := range []string{inner + "x", inner + "\tx", "\tx", "\t    x", inner + "x\n" + inner + "    \n" + inner + "y"} {
		texts = append(texts, marker+" b\n\n"+inner+"```\n"+code+"\n"+inner+"```")
	}
	for _, text := range texts {
		for _, blanks := range []string{"", "  ", "   ", "    ", "     ", "\t"} {
			tried += testItemText(t, doc, items, textlines.Indented(text, blanks))
		}
	}
	for _, item := range items {
		node := address.NodeOfBlock(doc, item)
		span, selector := node.Span(doc), address.SelectorOf(doc, node)
		read := string(doc.Text(span))
		_, err := applyWith(doc, []edit.Op{{Action: edit.Replace, Address: selector, Text: read}}, edit.Options{Pinned: true})
		if failed, ok := err.(edit.Errors); !ok || failed[0].Code != edit.NoChange { //nolint:errorlint // as Apply returns it
			t.Errorf("%q, item %d as it was read: %v", src, item, err)
		}
		more := strings.Replace(read, marker, marker+" new", 1)
		if strings.Contains(read, "\n") && !strings.Contains(src, ">") {
			more = read + "\n\n" + strings.Repeat(" ", column(doc, span.Start)+len(inner)) + "last"
		}
		tried += 2
		r, err := applyWith(doc, []edit.Op{{Action: edit.Replace, Address: selector, Text: more}}, edit.Options{Pinned: true})
		if want := src[:span.Start] + more + src[span.End:]; err != nil || string(r.Doc.Source) != want {
			t.Errorf("%q, item %d as %q: %v", src, item, more, err)
		}
		for _, text := range []string{marker + " new", "  " + marker + " new", "    " + marker + " new\n    " + marker + " two", marker + " new\n\n" + inner + "text\n\n" + inner + "- x"} {
			for _, action := range []edit.Action{edit.InsertBefore, edit.InsertAfter, edit.Replace} {
				o := edit.Op{Action: action, Address: selector, Text: text, ExpectedHash: markdown.Hash([]byte(read))}
				a := &attempt{doc: doc, ops: []made{{Op: o, node: node, sure: true}}}
				tried++
				res, err := a.apply()
				if err == nil {
					err = judge(a, res)
				}
				if err != nil {
					t.Errorf("%q, %v %q beside item %d: %v", src, action, text, item, err)
					continue
				}
				now := *res.Changes[0].After
				if got, want := column(res.Doc, int(res.Doc.Blocks[now.Block].Start)), column(doc, int(doc.Blocks[item].Start)); got != want {
					t.Errorf("%q, %v %q: in column %d, not %d:\n%s", src, action, text, got, want, res.Doc.Source)
				}
			}
		}
	}
	return tried
}

// testItemText puts a text with code, tabs and items beside items of a list, in their place and
// behind all: it is refused, or is the same blocks with the same code as by itself, and is found
// there again. It returns how many edits are tried.
func testItemText(t *testing.T, doc *markdown.Document, items []int, text string) int {
	t.Helper()
	alone := textlines.AtMargin(text, 4) // without what would make code of all lines
	want := blocksBehind(parse(t, []byte(alone)), markdown.Span{End: len(alone)})
	tried := 0
	try := func(o edit.Op) {
		tried++
		r, err := applyWith(doc, []edit.Op{o}, edit.Options{Pinned: true})
		if err != nil || len(r.Splices) == 0 {
			return
		}
		s := r.Splices[0]
		got := blocksBehind(r.Doc, markdown.Span{Start: s.Start, End: s.Start + len(s.Text)})
		for len(got) > 0 && got[0] != want[0] {
			got = got[1:]
		}
		if len(got) > len(want) {
			got = got[:len(want)]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, %v %s %q: %q, not %q:\n%s", doc.Source, o.Action, o.Address, text, got, want, r.Doc.Source)
		}
		if o.UnlessPresent {
			again, err := applyWith(r.Doc, []edit.Op{o}, edit.Options{Pinned: true})
			if err != nil || len(again.Splices) > 0 {
				t.Errorf("%q, %q again: %v", r.Doc.Source, text, err)
			}
		}
	}
	for _, item := range items {
		for _, action := range []edit.Action{edit.InsertBefore, edit.InsertAfter, edit.Replace} {
			try(edit.Op{Action: action, Address: address.SelectorOf(doc, address.NodeOfBlock(doc, item)), Text: text})
		}
	}
	if alone != text {
		return tried
	}
	try(edit.Op{Action: edit.Prepend, Address: "@document", Text: text})
	try(edit.Op{Action: edit.Append, Address: "@document", Text: text, UnlessPresent: true})
	return tried
}

// blocksBehind returns the paragraph "b" that begins in a range and the blocks behind it: their kinds,
// how much deeper they stand, and their text or lines of code.
func blocksBehind(doc *markdown.Document, at markdown.Span) []string {
	var all []string
	base := -1
	for b := range doc.Blocks {
		block := &doc.Blocks[b]
		if int(block.Start) < at.Start || int(block.Start) >= at.End {
			continue
		}
		depth := 0
		for p := block.Parent; p >= 0; p = doc.Blocks[p].Parent {
			depth++
		}
		line := fmt.Sprint(block.Kind)
		if block.Kind == markdown.Paragraph {
			line += string(doc.Text(block.Span()))
		}
		if base < 0 && line == fmt.Sprint(markdown.Paragraph)+"b" {
			base = depth
		}
		if block.Kind == markdown.FencedCode || block.Kind == markdown.IndentedCode {
			for l := range doc.ContentLines(b) {
				line += fmt.Sprintf("\n%*s%s", l.Columns, "", doc.Text(l.Span))
			}
		}
		if base >= 0 {
			all = append(all, fmt.Sprint(depth-base, " ", line))
		}
	}
	return all
}
