package edit_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	rsc "rsc.io/markdown"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// goldmark and rsc.io/markdown know nothing of our parser, which both package edit
// and the rest of the judge rely on. Where goldmark agrees with us about a document
// before the edit, it must find the headings outside of the edit again after it.
// It has faults of its own (docs/conformance.md): if it doesn't, rsc.io/markdown is
// asked, and only if that doesn't find them either the edit is a breach.

// footnoteInPlace leaves a footnote where it was defined.
type footnoteInPlace struct{ gmparser.BlockParser }

func (footnoteInPlace) Close(ast.Node, text.Reader, gmparser.Context) {}

// newGoldmark returns a parser of blocks; one goroutine may use it.
func newGoldmark() gmparser.Parser {
	blocks := append(gmparser.DefaultBlockParsers(), util.Prioritized(footnoteInPlace{extension.NewFootnoteBlockParser()}, 999))
	return gmparser.NewParser(
		gmparser.WithBlockParsers(blocks...),
		gmparser.WithParagraphTransformers(
			util.Prioritized(gmparser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
	)
}

// plain returns a document without what the references don't know, with LF, and with a blank
// line between a table and code that is indented: they take that for a row, and the underline
// of a heading behind it for a break.
func plain(doc *markdown.Document) []byte {
	var src []byte
	at := len(doc.Source) - len(bytes.TrimPrefix(doc.Source, []byte("\uFEFF")))
	table := -1 // the line on which the last one ended
	for _, block := range doc.Children(-1) {
		switch {
		case block.Kind == markdown.FrontMatter:
			at = doc.LineSpan(block.Lines()).End
		case block.Kind == markdown.Table:
			table = int(block.EndLine)
		case block.Kind == markdown.IndentedCode && int(block.StartLine) == table+1:
			line := doc.LineSpan(block.Lines()).Start
			src = append(append(src, doc.Source[at:line]...), "\n\n"...) // the last line may end with CR
			at = line
		}
	}
	return []byte(unified(string(append(src, doc.Source[at:]...))) + "\n")
}

// squeeze returns a text with one space for each run of white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// goldmarkOutline returns the headings at the top level, or false if it panics.
func goldmarkOutline(p gmparser.Parser, src []byte) (all []outlineEntry, ok bool) {
	defer func() { ok = recover() == nil }()
	root := p.Parse(text.NewReader(src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			all = append(all, outlineEntry{h.Level, squeeze(string(h.Lines().Value(src)))})
		}
	}
	return all, true
}

// rscLevels returns the levels of the headings at the top level, or false if it
// panics. It gives no source text of them.
func rscLevels(src []byte) (levels []int, ok bool) {
	defer func() { ok = recover() == nil }()
	p := rsc.Parser{Table: true}
	for _, b := range p.Parse(string(src)).Blocks {
		if h, ok := b.(*rsc.Heading); ok {
			levels = append(levels, h.Level)
		}
	}
	return levels, true
}

// outlineJudge counts what it has judged.
type outlineJudge struct {
	goldmark                           gmparser.Parser
	judged, disagree, second, panicked int
}

// judge returns what goldmark finds wrong with a result.
func (j *outlineJudge) judge(a *attempt, res *edit.Result) error {
	if (&judgement{attempt: a, res: res}).restructured() {
		return nil
	}
	ours := outlineOf(a.doc)
	theirs, ok := goldmarkOutline(j.goldmark, plain(a.doc))
	if !ok || !slices.Equal(ours, theirs) {
		j.disagree++
		return nil
	}
	now, ok := goldmarkOutline(j.goldmark, plain(res.Doc))
	if !ok {
		j.panicked++
		return nil
	}
	j.judged++
	before, behind := headingsAround(a, res)
	if a.isStructural() { // all of them are judged
		before, behind = 0, 0
	}
	if sameEnds(theirs, now, before, behind) && (len(res.Splices) > 1 && !a.isStructural() || slices.Equal(now, outlineOf(res.Doc))) {
		return nil
	}
	// One that is left out, or one too many, but at which place?
	levels, ok := rscLevels(plain(res.Doc))
	oursNow := outlineOf(res.Doc)
	j.second++
	if ok && slices.EqualFunc(levels, oursNow, func(level int, e outlineEntry) bool { return level == e.level }) && sameEnds(ours, oursNow, before, behind) {
		return nil
	}
	if !ok || sameEnds(theirs, now, before, behind) && !a.isStructural() {
		return nil // about the new text alone
	}
	return fmt.Errorf("goldmark: of %v are left %v, for us %v, for rsc.io/markdown %v, and %d before and %d behind are outside", theirs, now, oursNow, levels, before, behind)
}

// headingsAround counts the sections' headings before the first splice and after
// the last one.
func headingsAround(a *attempt, res *edit.Result) (before, behind int) {
	doc, splices := a.doc, res.Splices
	if len(splices) == 0 {
		return len(doc.Sections), 0
	}
	// An empty heading gets its text after its end.
	renames := slices.ContainsFunc(a.ops, func(o made) bool { return o.Action == edit.Rename })
	for _, s := range doc.Sections {
		h := &doc.Blocks[s.Heading]
		if int(h.End) < splices[0].Start || int(h.End) == splices[0].Start && !renames {
			before++
		}
		if int(h.Start) >= splices[len(splices)-1].End {
			behind++
		}
	}
	return before, behind
}

// TestOutlineBehindTable: a heading behind code that follows a table is one for goldmark, too.
func TestOutlineBehindTable(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll("\uFEFF---\na: 1\n---\n# A\n\n| a |\n|---|\n| b |\n    code\nL\n---\n\n# B\n", "\n", ending)
		doc := parse(t, []byte(src))
		if got, _ := goldmarkOutline(newGoldmark(), plain(doc)); len(got) != 3 || !slices.Equal(got, outlineOf(doc)) {
			t.Errorf("%q: %v, for us %v", src, got, outlineOf(doc))
		}
	}
}

// TestOutlineJudge shows that goldmark sees what the laws forbid.
func TestOutlineJudge(t *testing.T) {
	doc := parse(t, []byte("# A\n\ntext\n\n## B\n\ntext\n"))
	at := markdown.Span{Start: 9, End: 9}
	for text, fine := range map[string]bool{"\nmore\n": true, "\n```\n": false, "\n<!--\n": false, "===\n": true, "\n## C\n": true} {
		now := parse(t, []byte("# A\n\ntext"+text+"\n\n## B\n\ntext\n"))
		j := &outlineJudge{goldmark: newGoldmark()}
		err := j.judge(&attempt{doc: doc, ops: []made{{}}}, &edit.Result{Doc: now, Changes: make([]edit.Change, 1), Splices: []edit.Splice{{Span: at, Text: []byte(text)}}})
		if (err == nil) != fine || j.judged != 1 {
			t.Errorf("%q: %v, %d judged", text, err, j.judged)
		}
	}
}
