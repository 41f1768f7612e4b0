package markdown

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	goldmarkparser "github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	goldmarktext "github.com/yuin/goldmark/text"
)

// goldmark is the reference that can run inside `go test`. It judges every input
// that it takes for a single paragraph: the specifications' examples and our own
// cases.

var referenceParser = goldmark.New(goldmark.WithExtensions(extension.Strikethrough, extension.Linkify)).Parser()

// referenceParagraph parses src. If it is one paragraph, besides definitions,
// it returns the paragraph's lines, definitions of the labels defined, and its text.
func referenceParagraph(src []byte) (lines, labels, text string, ok bool) {
	ctx := goldmarkparser.NewContext()
	doc := referenceParser.Parse(goldmarktext.NewReader(src), goldmarkparser.WithContext(ctx))
	var paragraph *ast.Paragraph
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindLinkReferenceDefinition {
			continue
		}
		p, isParagraph := n.(*ast.Paragraph)
		if !isParagraph || paragraph != nil {
			return "", "", "", false
		}
		paragraph = p
	}
	if paragraph == nil {
		return "", "", "", false
	}
	for _, r := range ctx.References() {
		labels += fmt.Sprintf("[%s]: /url\n", r.Label())
	}
	lines = strings.TrimSuffix(string(paragraph.Lines().Value(src)), "\n")
	return lines, labels, collapse(referenceText(paragraph, src)), true
}

// referenceText returns the text below n as the contract of plainText has it.
func referenceText(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if c.IsRaw() {
				b.Write(c.Value(src))
			} else {
				b.WriteString(resolved(c.Value(src)))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(src))
		case *ast.RawHTML:
		default:
			b.WriteString(referenceText(c, src))
		}
	}
	return b.String()
}

// resolved resolves escapes and entities, which goldmark does while it renders.
func resolved(segment []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	goldmarkhtml.DefaultWriter.Write(w, segment)
	_ = w.Flush()
	return html.UnescapeString(b.String())
}

func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }), " ")
}

func TestPlainTextReference(t *testing.T) {
	var inputs []string
	for _, s := range specs {
		var examples []specExample
		readJSON(t, filepath.Join("testdata", "spec", s.file), &examples)
		for _, e := range examples {
			inputs = append(inputs, e.Markdown)
		}
	}
	for _, c := range plainTextCases {
		inputs = append(inputs, c.src+"\n\n"+definitions)
	}
	compared := 0
	for _, src := range inputs {
		lines, labels, want, ok := referenceParagraph([]byte(src))
		if !ok {
			continue
		}
		compared++
		got := plainText([]byte(lines), withDefinitions(labels))
		if got != want {
			t.Errorf("%q: got %q, goldmark has %q", lines, got, want)
		}
	}
	if compared < 500 {
		t.Errorf("only %d inputs were compared", compared)
	}
}
