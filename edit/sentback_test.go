package edit_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// sentBackEndings give a text with LF the line endings that documents are tried in.
var sentBackEndings = []struct {
	name string
	with func(text string) string
}{
	{"LF", func(text string) string { return text }},
	{"CRLF", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"mixed", func(text string) string {
		var b strings.Builder
		for i, line := range strings.SplitAfter(text, "\n") {
			if i%3 > 0 {
				line = strings.ReplaceAll(line, "\n", "\r\n")
			}
			b.WriteString(line)
		}
		return b.String()
	}},
}

// sentBack counts what came of texts that were sent back.
type sentBack struct {
	parts, letters int
	refused, apart int // what a letter makes other blocks of
	lost           int // a letter in a cell that isn't shown
}

// TestSentBack sends each section, with and without its heading and its subsections, each
// block and each part that has a name back as it was read: not a byte changes. With a letter
// changed that byte changes and nothing else; or, where the letter makes other blocks of the
// document, the edit is refused or changes blanks and blank lines too. By default it takes some
// of the documents and parts, with SECTILE_LONG=1 all of them.
func TestSentBack(t *testing.T) {
	testkit.OneGoroutine(t)
	texts := slices.Clone(material())
	for _, f := range testkit.Fixtures() {
		texts = append(texts, string(f.Source))
	}
	if os.Getenv("SECTILE_CORPUS") != "" {
		for i, f := range testkit.CorpusFiles(t) {
			if i%40 == 0 || testkit.Long() {
				texts = append(texts, string(f.Data))
			}
		}
	}
	var all sentBack
	for i, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) { // which can't be sent
			continue
		}
		text = unified(text)
		for e := range sentBackEndings {
			if testkit.Long() || e == i%len(sentBackEndings) {
				all.document(t, parse(t, []byte(sentBackEndings[e].with(text))), sentBackEndings[e].name, i/len(sentBackEndings))
			}
		}
		if t.Failed() {
			t.Logf("document %d", i)
			return
		}
	}
	if t.Logf("%+v", all); all.parts < 10_000 || all.letters < 10_000 || (all.refused+all.apart+all.lost)*200 > all.letters {
		t.Error("too little is tried")
	}
}

// document sends parts of a document back. Those of a large one are so many as take no more
// time than a small one takes.
func (s *sentBack) document(t *testing.T, doc *markdown.Document, endings string, n int) {
	t.Helper()
	parts := sentParts(doc)
	most := 60
	if testkit.Long() {
		most = max(200, 100<<20/(1+len(doc.Source)))
	}
	step := max(1, len(parts)/most)
	if !testkit.Long() {
		step = max(3, step) // each third part, by turns the first, second or third of a document
	}
	for i := n % step; i < len(parts); i += step {
		p := parts[i]
		read := string(doc.Text(p.span))
		for k, sent := range []string{read, strings.TrimRight(read, "\r\n"), unified(read)} {
			if !testkit.Long() && k != i%3 {
				continue
			}
			s.parts++
			res, err := p.replace(doc, sent)
			if failed, ok := errors.AsType[edit.Errors](err); !ok || failed[0].Code != edit.NoChange {
				t.Errorf("%s, %s %s, sent as it was read:\n%q\nin\n%q: %v", endings, p.addr, p.scope, sent, doc.Source, err)
				if res != nil {
					t.Errorf("is now %q", res.Doc.Source)
				}
			}
		}
		var letters []int
		for at := range len(read) {
			if c := read[at]; 'a' <= c && c < 'z' {
				letters = append(letters, at)
			}
		}
		for k := 0; k < 3 && len(letters) > 0; k++ {
			if testkit.Long() || k == n%3 {
				s.letter(t, doc, p, letters[k*(len(letters)-1)/2], endings)
			}
		}
	}
}

// letter sends a part of a document back with the letter at an offset changed.
func (s *sentBack) letter(t *testing.T, doc *markdown.Document, p sentPart, at int, endings string) {
	t.Helper()
	s.letters++
	text := doc.Text(p.span)
	sent := string(text[:at]) + string(rune(text[at]+1)) + string(text[at+1:])
	want := string(doc.Source[:p.span.Start]) + sent + string(doc.Source[p.span.End:])
	res, err := p.replace(doc, sent)
	switch {
	case err == nil && string(res.Doc.Source) == want:
	case err != nil && strings.Contains(err.Error(), shownAway):
		s.lost++
	case slices.Equal(parse(t, []byte(want)).Blocks, doc.Blocks):
		t.Errorf("%s, %s %s, sent with a letter changed:\n%q\nin\n%q: %v", endings, p.addr, p.scope, sent, doc.Source, err)
		if res != nil {
			t.Errorf("is now %q", res.Doc.Source)
		}
	case err != nil:
		s.refused++
	default: // it would run into its neighbour, or is no longer what it was indented as
		s.apart++
		if !slices.Equal(strings.Fields(string(res.Doc.Source)), strings.Fields(want)) {
			t.Errorf("%s, %s %s, sent with a letter changed:\n%q\nis now %q", endings, p.addr, p.scope, sent, res.Doc.Source)
		}
	}
}

// sentPart is a part of a document that is sent back.
type sentPart struct {
	addr  string
	scope edit.Scope
	span  markdown.Span
}

// replace sends a text for the part.
func (p *sentPart) replace(doc *markdown.Document, text string) (*edit.Result, error) {
	return applyWith(doc, []edit.Op{{Action: edit.Replace, Address: p.addr, Text: text, Scope: p.scope}}, edit.Options{Pinned: true})
}

// sentParts returns the parts of a document as they are read.
func sentParts(doc *markdown.Document) []sentPart {
	var parts []sentPart
	add := func(addr string, scope edit.Scope, span markdown.Span) {
		if scope == edit.AnyScope || !isBlank(doc.Text(span)) {
			parts = append(parts, sentPart{addr, scope, span})
		}
	}
	for i := range doc.Sections {
		addr, below := address.SelectorOf(doc, address.NodeOfSection(i)), doc.BodySpan(i)
		add(addr, edit.AnyScope, doc.SectionSpan(i))
		add(addr, edit.ScopeSection, doc.SectionSpan(i))
		add(addr, edit.ScopeBody, doc.BodySpan(i))
		below.Start = doc.LineSpan(doc.Blocks[doc.Sections[i].Heading].Lines()).End
		add(addr, edit.ScopeBody, below)
	}
	for b := range doc.Blocks {
		node := address.NodeOfBlock(doc, b)
		selector := address.SelectorOf(doc, node)
		if res, err := address.Resolve(doc, selector); err == nil && res.Node == node && node.Kind == address.BlockNode {
			add(selector, edit.AnyScope, node.Span(doc))
		}
	}
	for _, name := range []string{"@document", "@preamble", "@frontmatter"} {
		if res, err := address.Resolve(doc, name); err == nil {
			add(name, edit.AnyScope, res.Span(doc))
		}
	}
	return parts
}

// TestKeysSentBack sets each key of front matter to the text of its value as it was read: nothing
// changes, whichever form the value has. A value of no bytes is set to an empty text, which is none.
func TestKeysSentBack(t *testing.T) {
	for front, keys := range map[string][]string{
		"---\ntitle: x y # comment\nlist:\n  - a\n  - 'b'\n  - c: 1\n    d: [x, \"y\"]\nmap:\n  weight: 2\n  parent: no\nflow: [a, 'b', {c: d}]\nquoted: 'it''s'\ndouble: \"a \\u00e9\"\n" +
			"folded: >-\n  two\n  lines\n\n  more\nliteral: |+\n  text\n\nplain: over\n  two lines\ndate: 2024-01-03\nno: no\nodd: 08\nhex: 0x1f\nnil: ~\nanchor: &a [x]\nalias: *a\ntag: !!str 5\n---\n": {
			"title", "list", "list.0", "list.2", "list.2.d", "map", "map.parent", "flow", "flow.2", "quoted", "double", "folded", "literal", "plain", "date", "no", "odd", "hex", "nil", "anchor", "alias", "tag",
		},
		"+++\ntitle = 'it is'\nlist = [\n  'a', # comment\n  \"b\",\n]\ninline = { a = 1, b = [2] }\nlong = '''\nmany\nlines'''\nescaped = \"a\\tb\"\ndate = 2024-01-03\nnumber = 1_000\nfloat = inf\n[menu]\nweight = 0x1F\n+++\n": {
			"title", "list", "list.0", "inline", "inline.b", "long", "escaped", "date", "number", "float", "menu.weight",
		},
	} {
		for _, endings := range sentBackEndings {
			doc := parse(t, []byte(endings.with(front+"\n# T\n")))
			for _, key := range keys {
				addr := "@frontmatter." + key
				res, err := address.Resolve(doc, addr)
				if err != nil || res.Kind != address.KeyNode {
					t.Errorf("%s: %v", addr, err)
					continue
				}
				read := string(doc.Text(res.Span(doc)))
				for _, sent := range []string{read, read + "\n", strings.TrimRight(read, "\r\n"), unified(read)} {
					_, err := edit.Apply(doc, []edit.Op{{Action: edit.Set, Address: addr, Text: sent, ExpectedHash: markdown.Hash(doc.Text(res.Span(doc)))}})
					if failed, ok := errors.AsType[edit.Errors](err); !ok || failed[0].Code != edit.NoChange {
						t.Errorf("%s, %s sent as it was read, %q: %v", endings.name, addr, sent, err)
					}
				}
			}
		}
	}
	res, err := edit.Apply(parse(t, []byte("---\na:\n---\n")), []edit.Op{{Action: edit.Set, Address: "@frontmatter.a", Text: `""`}})
	if err != nil || string(res.Doc.Source) != "---\na: \"\"\n---\n" {
		t.Errorf("%v, %v", res, err)
	}
}
