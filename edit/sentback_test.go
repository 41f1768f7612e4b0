package edit_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// sentBackEndings are the line endings that documents are tried in.
var sentBackEndings = map[string]func(text string) string{
	"LF":   func(text string) string { return text },
	"CRLF": func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	"mixed": func(text string) string {
		var b strings.Builder
		for i, line := range strings.SplitAfter(text, "\n") {
			if i%3 > 0 {
				line = strings.ReplaceAll(line, "\n", "\r\n")
			}
			b.WriteString(line)
		}
		return b.String()
	},
}

// TestSentBack sends each section, its body and each block of many documents back as it was
// read: nothing changes. With a letter changed that letter changes and nothing else, or the
// edit is refused because of what comes of it. SECTILE_LONG=1 takes every document.
func TestSentBack(t *testing.T) {
	texts := material()
	if os.Getenv("SECTILE_CORPUS") != "" {
		for i, f := range testkit.CorpusFiles(t) {
			if (i%40 == 0 || os.Getenv("SECTILE_LONG") != "") && len(f.Data) < 40<<10 {
				texts = append(texts, string(f.Data))
			}
		}
	}
	sent, letters, refused, others := 0, 0, 0, 0
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) { // which can't be sent
			continue
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		for name, with := range sentBackEndings {
			doc := parse(t, []byte(with(text)))
			for _, part := range partsOf(doc) {
				op := edit.Op{Action: edit.Replace, Address: part.addr, Text: string(doc.Text(part.span)), Scope: part.scope}
				res, err := applyWith(doc, []edit.Op{op}, edit.Options{Pinned: true})
				failed, ok := errors.AsType[edit.Errors](err)
				if sent++; !ok || failed[0].Code != edit.NoChange {
					if err == nil {
						t.Errorf("%s, %s %s, sent as it was read:\n%q\nis\n%q", name, part.addr, part.scope, doc.Source, res.Doc.Source)
					} else if part.sure {
						t.Errorf("%s, %s %s of %q, sent as it was read: %v", name, part.addr, part.scope, doc.Source, err)
					}
				}
				at := strings.LastIndexAny(op.Text, "abcdefgh")
				if at < 0 {
					continue
				}
				letters++
				op.Text = op.Text[:at] + "Q" + op.Text[at+1:]
				res, err = applyWith(doc, []edit.Op{op}, edit.Options{Pinned: true})
				want := string(doc.Source[:part.span.Start+at]) + "Q" + string(doc.Source[part.span.Start+at+1:])
				switch {
				case err != nil:
					refused++
				case string(res.Doc.Source) == want:
				case !sameBlocks(parse(t, []byte(want)), doc): // the letter makes something else of it
					others++
				default:
					t.Errorf("%s, %s %s, with a letter changed:\n%q\nis\n%q", name, part.addr, part.scope, want, res.Doc.Source)
				}
			}
			if t.Failed() && !testing.Verbose() {
				return // one document is enough
			}
		}
	}
	if t.Logf("%d parts, %d letters, %d refused, %d are something else then", sent, letters, refused, others); sent < 3000 || (refused+others)*20 > letters {
		t.Error("too little is tried")
	}
}

// sentPart is a part of a document that is sent back.
type sentPart struct {
	addr  string
	scope edit.Scope
	span  markdown.Span
	sure  bool // nothing but no_change may be answered
}

// partsOf returns the sections of a document with and without their subsections, and its
// blocks at the top level.
func partsOf(doc *markdown.Document) []sentPart {
	var parts []sentPart
	for i := range doc.Sections {
		addr := address.SelectorOf(doc, address.NodeOfSection(i))
		parts = append(parts, sentPart{addr, edit.ScopeSection, doc.SectionSpan(i), true}, sentPart{addr, edit.ScopeBody, doc.BodySpan(i), true})
	}
	for b := range doc.Children(-1) {
		node := address.NodeOfBlock(doc, b)
		selector := address.SelectorOf(doc, node)
		if res, err := address.Resolve(doc, selector); err == nil && res.Node == node && node.Kind == address.BlockNode {
			parts = append(parts, sentPart{selector, edit.AnyScope, node.Span(doc), true})
		}
	}
	return parts
}
