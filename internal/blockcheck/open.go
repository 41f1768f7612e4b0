package blockcheck

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// What nothing closes goes on to the end of the document, and swallows what is put
// after it.

// OpenFrom returns where the block begins that the document ends in and nothing
// closes: code with a fence, or HTML that goes on over blank lines. It is -1 if there
// is none.
func OpenFrom(doc *markdown.Document) int {
	n := len(doc.Blocks) - 1
	if n < 0 {
		return -1
	}
	b := &doc.Blocks[n]
	if b.Kind == markdown.FencedCode && b.Flags&markdown.Closed == 0 || b.Kind == markdown.HTMLBlock && isOpenHTML(doc, b) {
		return int(b.Start)
	}
	return -1
}

// htmlEnds are what ends HTML blocks by their start conditions, CommonMark 4.6;
// those of the others end with a blank line.
var htmlEnds = [...][]string{
	1: {"</pre>", "</script>", "</style>", "</textarea>"}, 2: {"-->"}, 3: {"?>"}, 4: {">"}, 5: {"]]>"},
}

// isOpenHTML reports whether HTML at the end of the document goes on after it.
func isOpenHTML(doc *markdown.Document, b *markdown.Block) bool {
	if int(b.Level) >= len(htmlEnds) {
		return false
	}
	text := doc.Text(b.Span())
	line := strings.ToLower(string(text[bytes.LastIndexAny(text, "\r\n")+1:]))
	for _, end := range htmlEnds[b.Level] {
		if strings.Contains(line, end) {
			return false
		}
	}
	return true
}
