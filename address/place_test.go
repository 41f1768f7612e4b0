package address

import (
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestLinkBytes: what a reader of links, or of all inline content, keeps of a block is no more than is
// told, and what is told of blocks without links, and of short ones, is nothing.
func TestLinkBytes(t *testing.T) {
	testkit.OneGoroutine(t)
	const many = 9_000
	parse := func(src string) *markdown.Document {
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	var before, after runtime.MemStats
	for _, unit := range []string{
		"*a ", "*a* ", "**a** ", "_a_ ", "~a~ ", "a\n", "a  \n", "\\*", "`a` ", "&lt;", "[", "]", "[a](b) ", "![a](b) ", "[a][b]", "[[a]] ",
		"<a>", "<ab:c>", "www.a.bc ", "a@b.c ", "https://a.b ", "*[a](b)* ", "***", "a\r",
	} {
		for _, prefix := range []string{"", "> "} {
			if prefix != "" && !strings.Contains(unit, "\n") {
				continue
			}
			doc := parse(prefix + "[x](y) " + strings.ReplaceAll(strings.Repeat(unit, many), "\n", "\n"+prefix) + "\n\n[b]: c\n")
			doc.Links() // what is found out once about a document is kept with it
			runtime.GC()
			runtime.ReadMemStats(&before)
			var r markdown.LinkReader
			r.Append(nil, doc, markdown.LinkHTMLAnchor)
			runtime.GC()
			runtime.ReadMemStats(&after)
			took := int(after.HeapAlloc) - int(before.HeapAlloc)
			if told := LinkBytes(doc); took > told {
				t.Errorf("%q in %q: %d bytes, and %d are told", unit, prefix, took, told)
			}
			runtime.KeepAlive(&r)
			r = markdown.LinkReader{}
			runtime.GC()
			runtime.ReadMemStats(&before)
			in := doc.Inlines(len(prefix) / len("> "))
			runtime.GC()
			runtime.ReadMemStats(&after)
			took = int(after.HeapAlloc) - int(before.HeapAlloc)
			if told := InlineBytes(doc, 0, len(doc.Blocks), func(markdown.Kind, []byte) bool { return true }); took > told {
				t.Errorf("all of %q in %q: %d bytes, and %d are told", unit, prefix, took, told)
			}
			runtime.KeepAlive(in)
		}
	}
	for _, src := range []string{
		strings.Repeat("a line of words\n", many) + "\n[x](y)\n",
		strings.Repeat("[x](y)\n\n", many),
	} {
		if told := LinkBytes(parse(src)); told != 0 {
			t.Errorf("%q: %d bytes are told", src[:20], told)
		}
	}
}

// TestMostPlaceBytes: what is told in less time is no less, whatever has names, and little more
// where nothing has.
func TestMostPlaceBytes(t *testing.T) {
	for _, src := range []string{
		"", "text\n", "# A {#a}\n", strings.Repeat("# A {#a}\n", 50), strings.Repeat("<a id=b>", 50),
		strings.Repeat("<a name = 'b'>\n\n", 50), "a ^b\n\nc ^d\n", strings.Repeat("<i id=x>[a](b) www.a.b c@d.e ", 2000),
	} {
		for _, dialect := range []markdown.Dialect{markdown.GitHub, markdown.Obsidian} {
			doc, err := markdown.ParseContext(t.Context(), []byte(src), markdown.Options{Dialect: dialect}, markdown.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if told, most := PlaceBytes(doc), MostPlaceBytes(doc); told > most {
				t.Errorf("%.20q in %v: %d bytes, and %d at most", src, dialect, told, most)
			}
		}
	}
	doc, err := markdown.Parse([]byte(strings.Repeat("a line of words\n", 1000)))
	if err != nil || MostPlaceBytes(doc) != 0 {
		t.Errorf("%d bytes at most of words alone: %v", MostPlaceBytes(doc), err)
	}
}
