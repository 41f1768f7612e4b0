package reading

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestLoneCRBeforeMark reads some of a document whose lines end at a lone CR: lines of ours begin
// behind LF.
func TestLoneCRBeforeMark(t *testing.T) {
	doc, err := markdown.Parse([]byte("# a\r\r" + strings.Repeat("some words\r\r## b\r\rmore words, and more\r\r", 300)))
	if err != nil {
		t.Fatal(err)
	}
	for _, req := range []ReadRequest{{MaxChars: 2000, StartLine: 1}, {MaxChars: 2000, Heading: "a"}} {
		reply, err := readIn(doc, "a.md", req)
		if err != nil {
			t.Fatal(err)
		}
		text := string(reply.Text)
		gaps := strings.Count(text, "[left out: ")
		if gaps == 0 || strings.Count(text, "\n[left out: ") != gaps || len([]rune(text)) > req.MaxChars {
			t.Errorf("%d lines in %q", gaps, text)
		}
	}
}
