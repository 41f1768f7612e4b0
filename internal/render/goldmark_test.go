package render

import (
	"bytes"
	entities "html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	rsc "rsc.io/markdown"

	"github.com/sectile/sectile/markdown"
)

// Beside goldmark and rsc.io/markdown: where goldmark has the same blocks (which package
// markdown compares), the HTML is the same, or rsc.io/markdown writes what we do, or there is
// a reason.

// besideGoldmark returns the HTML that we and goldmark make of a source by CommonMark alone,
// and whether the blocks are the same.
func besideGoldmark(t testing.TB, src []byte) (ours, theirs string, alikeBlocks bool) {
	t.Helper()
	doc, err := (&markdown.Parser{Options: markdown.CommonMark()}).Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() != nil { // it panics on some inputs
			alikeBlocks = false
		}
	}()
	gm := goldmark.New(goldmark.WithRendererOptions(gmhtml.WithUnsafe(), gmhtml.WithXHTML()))
	root := gm.Parser().Parse(text.NewReader(src))
	if blocksOf(doc) != goldmarkBlocks(root) {
		return "", "", false
	}
	var out bytes.Buffer
	if err := gm.Renderer().Render(&out, src, root); err != nil {
		t.Fatal(err)
	}
	return alike(string(AppendHTML(nil, doc, Options{}))), alike(out.String()), true
}

// blockMarks are what blocks are written as to be compared.
var blockMarks = map[markdown.Kind]string{
	markdown.BlockQuote: "q", markdown.List: "l", markdown.Item: "i", markdown.Paragraph: "p", markdown.Heading: "h",
	markdown.ThematicBreak: "-", markdown.FencedCode: "c", markdown.IndentedCode: "c", markdown.HTMLBlock: "<",
}

// blocksOf returns which blocks there are, and how deep, without definitions.
func blocksOf(doc *markdown.Document) string {
	var b strings.Builder
	for i := range doc.Blocks {
		if mark := blockMarks[doc.Blocks[i].Kind]; mark != "" {
			b.WriteString(strings.Repeat(" ", doc.Depth(i)) + mark)
		}
	}
	return b.String()
}

func goldmarkBlocks(root ast.Node) string {
	marks := map[ast.NodeKind]string{
		ast.KindBlockquote: "q", ast.KindList: "l", ast.KindListItem: "i", ast.KindParagraph: "p", ast.KindTextBlock: "p", ast.KindHeading: "h",
		ast.KindThematicBreak: "-", ast.KindFencedCodeBlock: "c", ast.KindCodeBlock: "c", ast.KindHTMLBlock: "<",
	}
	var b strings.Builder
	var walk func(n ast.Node, depth int)
	walk = func(n ast.Node, depth int) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if mark := marks[c.Kind()]; mark != "" {
				b.WriteString(strings.Repeat(" ", depth) + mark)
				walk(c, depth+1)
			}
		}
	}
	walk(root, 0)
	return b.String()
}

// shared are sources that goldmark and rsc.io/markdown read alike, and we by the text of the
// specification.
var shared = map[string]*regexp.Regexp{
	"2.3: NUL is U+FFFD, which is a symbol (2.1), so that it flanks": regexp.MustCompile(`\x00`),
	"6.3: a destination has no ASCII control characters":             regexp.MustCompile(`[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]`),
	"6.3: a destination has balanced parentheses":                    regexp.MustCompile(`\][(:]\s*[^\s<]*\([^\s)]*(\s|$)`),
}

var addresses = regexp.MustCompile(`(href|src)="([^"]*)"`)

// alike returns HTML without what the specification leaves open: how addresses are encoded,
// and which of the characters that may be entities are.
func alike(s string) string {
	s = addresses.ReplaceAllStringFunc(s, func(attribute string) string {
		name, value, _ := strings.Cut(attribute, `="`)
		value = entities.UnescapeString(strings.TrimSuffix(value, `"`))
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		return name + `="` + value + `"`
	})
	s = strings.NewReplacer("&quot;", `"`, "&#39;", "'").Replace(s)
	return strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n")) // which end HTML that nothing closes
}

var emptyLines = regexp.MustCompile(`\n\s*\n`)

// besideRSC returns the HTML of rsc.io/markdown.
func besideRSC(src []byte) string {
	defer func() { _ = recover() }()
	return alike(rsc.ToHTML((&rsc.Parser{}).Parse(string(src))))
}

// checkBesideGoldmark says where we stand alone.
func checkBesideGoldmark(t testing.TB, src []byte) {
	t.Helper()
	ours, theirs, alikeBlocks := besideGoldmark(t, src)
	if !alikeBlocks || ours == theirs {
		return
	}
	for _, class := range shared {
		if class.Match(src) {
			return
		}
	}
	if besideRSC(src) != ours {
		t.Errorf("%q\nours     %q\ngoldmark %q\nrsc      %q", src, ours, theirs, besideRSC(src))
	}
}

// FuzzBesideGoldmark compares the HTML of anything.
func FuzzBesideGoldmark(f *testing.F) {
	for _, s := range []string{
		"a *b **c** d* `e` [f](g \"h\") ![i](<j k>) <l@m.n> <o:p> &amp; \\* q\\\nr  \ns\n", "[a]: b 'c'\n\n[a] [d][a] [a][] ![a]\n",
		"*a_b*c_ **d*e** ***f*** __g_h__i\n", "<a b='c'>d</a> <!-- e --> <?f?> <!G> <![CDATA[h]]>\n", "[a [b](c) d](e) [f *g](h)* `[i`](j)\n",
		"> `a\n> `b\n", ">`\n`",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if utf8.Valid(src) { // of a byte that isn't, nothing says whether it is a symbol
			checkBesideGoldmark(t, src)
		}
	})
}
