package edit_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestWriteWhatWasRead sends every block as it is read: there is nothing to do then. With a
// letter changed nothing else is changed in the document, or it is
// refused.
func TestWriteWhatWasRead(t *testing.T) {
	testkit.OneGoroutine(t)
	blocks, changed, refused := 0, 0, 0
	for _, text := range material() {
		if strings.Contains(text, "\r") { // of several line endings only one is written
			continue
		}
		doc := parse(t, []byte(text))
		for b := range doc.Blocks {
			node := address.NodeOfBlock(doc, b)
			selector := address.SelectorOf(doc, node)
			span := node.Span(doc)
			read := string(doc.Text(span))
			if res, err := address.Resolve(doc, selector); err != nil || res.Node != node || node.Kind != address.BlockNode || !strings.Contains(read, "\n") {
				continue
			}
			blocks++
			_, err := applyWith(doc, []edit.Op{{Action: edit.Replace, Address: selector, Text: read}}, edit.Options{Pinned: true})
			if failed, ok := errors.AsType[edit.Errors](err); !ok || failed[0].Code != edit.NoChange {
				t.Errorf("%s of %q, sent as it was read: %v", selector, text, err)
			}
			at := strings.LastIndexAny(read, "abcdefgh")
			if at < 0 {
				continue
			}
			changed++
			other := read[:at] + "Q" + read[at+1:]
			want := parse(t, []byte(string(doc.Source[:span.Start])+other+string(doc.Source[span.End:])))
			r, err := applyWith(doc, []edit.Op{{Action: edit.Replace, Address: selector, Text: other}}, edit.Options{Pinned: true})
			switch {
			case err != nil:
				refused++
			case !sameBlocks(r.Doc, want):
				t.Errorf("%s of %q, sent as %q:\n%s", selector, text, other, cmp.Diff(string(want.Source), string(r.Doc.Source)))
			}
		}
	}
	if t.Logf("%d blocks, %d changed, of which %d refused", blocks, changed, refused); blocks < 500 || refused*10 > changed {
		t.Error("too little is tried")
	}
}

// TestLetterOpensEnd changes a letter by which nothing closes the code at the end of the document any
// more, so that blank lines behind it are of the code: no blank line comes elsewhere.
func TestLetterOpensEnd(t *testing.T) {
	for _, block := range []string{"```\np\n```", "~~~ go\np\n\nq\n~~~", "<!--\np\n-->", "<pre>\np\n</pre>"} {
		for _, end := range []string{"", "\n", "\n\n", "\n \n\n\n"} {
			for _, top := range []string{"# H\n", "# H\n\n"} {
				body := "text\n\n" + block
				now := body[:len(body)-2] + "Q" + body[len(body)-1:]
				r, err := applyWith(parse(t, []byte(top+body+end)), []edit.Op{{Action: edit.Replace, Address: "H", Text: now + "\n"}}, edit.Options{})
				if err != nil {
					t.Errorf("%q: %v", top+body+end, err)
				} else if got := string(r.Doc.Source); got != top+now+end {
					t.Errorf("%q becomes %q", top+body+end, got)
				}
			}
		}
	}
}

// sameBlocks reports whether two documents have the same blocks, with the same code.
func sameBlocks(a, b *markdown.Document) bool {
	return slices.EqualFunc(a.Blocks, b.Blocks, func(x, y markdown.Block) bool {
		isCode := x.Kind == markdown.FencedCode || x.Kind == markdown.IndentedCode || x.Kind == markdown.HTMLBlock
		return x.Kind == y.Kind && x.Parent == y.Parent && x.Next == y.Next && x.Flags == y.Flags &&
			(!isCode || bytes.Equal(bytes.TrimRight(a.Text(x.Span()), "\n"), bytes.TrimRight(b.Text(y.Span()), "\n")))
	})
}

// A text for a block in containers comes as it was read or as a text of its own.
func TestReplaceNested(t *testing.T) {
	const (
		quoted = "# T\n\n> ```sh\n> make\n> ```\n>\n> last\n> words\n"
		listed = "# T\n\n- one\n  - two\n  - three\n\n  ```sh\n  make\n  ```\n- end\n"
	)
	for _, tt := range []struct{ why, doc, address, text, want string }{
		{"an indented list at the top", "Intro:\n\n  - a\n  - b\n", "list.0", "- A\n  - b", "Intro:\n\n  - A\n  - b\n"},
		{"an indented line at the top", "# A\n  a\n", "para.0", "b", "# A\n  b\n"},
		{"an indented list at the top with all lines indented", "# A\n\n 1. aa\n 2. bb\n", "h1.0/list.0", "  - a\n    - b", "# A\n\n  - a\n    - b\n"},
		{"an indented item at the top with all lines indented", "# A\n\n 1. aa\n    > q\n", "h1.0/list.0", "  - a\n    - b", "# A\n\n  - a\n    - b\n"},
		{"an indented list at the top with a list behind a blank line", "# A\n\n 1. aa\n 2. bb\n", "h1.0/list.0", " 1. cc\n\n    2. bb", "# A\n\n 1. cc\n\n    2. bb\n"},
		{"lines at the top with all of them indented", "# A\n\n  a\n  b\n", "h1.0/para.0", "  c\n  d", "# A\n\n  c\n  d\n"},
		{"own list for an indented one", "Intro:\n\n  - a\n  - b\n", "list.0", "- A\n- b", "Intro:\n\n- A\n- b\n"},
		{"indented code at the top", "1. Do this:\n\n  ```yaml\n  a:\n    b: 1\n  ```\n", "code.0", "```yaml\n  a:\n    b: 2\n  ```", "1. Do this:\n\n  ```yaml\n  a:\n    b: 2\n  ```\n"},
		{"own code for indented code", "  ```yaml\n  a:\n    b: 1\n  ```\n", "code.0", "```yaml\na:\n  b: 2\n```", "```yaml\na:\n  b: 2\n```\n"},
		{"a heading with what is below it", "- - # one\n\n    two\n", "list.0/item.0/list.0/item.0/h1.0", "# one\n\n    2", "- - # one\n\n    2\n"},
		{"a quote in a quote that goes on without marks", ">> one\ntwo\n>>\n>> three\n", "quote.0/quote.0", "> one\ntwo\n>>\n>> 3", ">> one\ntwo\n>>\n>> 3\n"},
		{"a gap without the mark", "> ```\n> x\n> y\n> ```\n", "quote.0/code.0", "```\n> x\n\n> z\n> ```", ""},
		{"own code with lines of the old one", "- Config:\n\n  ```yaml\n  a: 1\n  b: 2\n  ```\n", "list.0/item.0/code.0", "```yaml\nroot:\n  a: 1\n  b: 2\n```\n", "- Config:\n\n  ```yaml\n  root:\n    a: 1\n    b: 2\n  ```\n"},
		{"a tab behind the marker", "-\t```sh\n\tmake\n\ttest\n\t```\n", "list.0/item.0/code.0", "```sh\n\tmake all\n\ttest\n\t```", "-\t```sh\n\tmake all\n\ttest\n\t```\n"},
		{"a table behind a tab", "-\t| a |\n\t|---|\n\t| 1 |\n", "list.0/item.0/table.0", "| a |\n\t|---|\n\t| 9 |", "-\t| a |\n\t|---|\n\t| 9 |\n"},
		{"all lines with marks", "> one\n", "quote.0/para.0", "> ```sh\n> make\n> ```", ""},
		{"a quote in the quote, as it would be read", "> one\n", "quote.0/para.0", "> new\n> > second", "> > new\n> > second\n"},
		{"a quote for a quote in a quote", "> > one\n", "quote.0/quote.0", "> ```\n> x\n> ```", "> > ```\n> > x\n> > ```\n"},
		{"indented more than it must be", ">  a\n", "quote.0/para.0", "```\nx\n```", "> ```\n> x\n> ```\n"},
		{"an indented list as it was read", "- a\n   - b\n  - c\n", "list.0/item.0/list.0", "- b\n  - changed", "- a\n   - b\n  - changed\n"},
		{"own code of another kind", "- one\n  two\n", "list.0/item.0/para.0", "Run:\n\n    make", "- Run:\n\n      make\n"},
		{"own list of another kind", "- one\n  two\n", "list.0/item.0/para.0", "x\n\n- a\n  - b", "- x\n\n  - a\n    - b\n"},
		{"a mark without a blank", ">one\n", "quote.0/para.0", "```py\nif x:\n    y()\n```", ">```py\n> if x:\n>     y()\n> ```\n"},
		{"a first line that is indented", "- one\n", "list.0/item.0/para.0", "  1. a\n\nb", "- 1. a\n\n  b\n"},
		{"blanks before the lines of own code", "1. one\n", "list.0/item.0/para.0", "-\t~~~\n\tmake\n\t~~~", ""},
		{"as it was read", quoted, "h1.0/quote.0/code.0", "```sh\n> make all\n> ```", "# T\n\n> ```sh\n> make all\n> ```\n>\n> last\n> words\n"},
		{"as it was read, with more lines", quoted, "h1.0/quote.0/code.0", "```sh\n> make\n>\n> make all\n> ```", "# T\n\n> ```sh\n> make\n>\n> make all\n> ```\n>\n> last\n> words\n"},
		{"a line without the mark", quoted, "h1.0/quote.0/code.0", "```sh\n> make\nall\n> ```", "# T\n\n> ```sh\n> make\n> all\n> ```\n>\n> last\n> words\n"},
		{"of its own", quoted, "h1.0/quote.0/code.0", "```sh\nmake all\n```\n", "# T\n\n> ```sh\n> make all\n> ```\n>\n> last\n> words\n"},
		{"whole lines", quoted, "h1.0/quote.0/code.0", "> ```sh\n> make\n> all\n> ```", "# T\n\n> ```sh\n> make\n> all\n> ```\n>\n> last\n> words\n"},
		{"two lines", quoted, "h1.0/quote.0/para.0", "last\n> line", "# T\n\n> ```sh\n> make\n> ```\n>\n> last\n> line\n"},
		{"with a quote in it", quoted, "h1.0/quote.0/para.0", "last\n\n> line", "# T\n\n> ```sh\n> make\n> ```\n>\n> last\n>\n> > line\n"},
		{"nobody can tell", quoted, "h1.0/quote.0/para.0", "first\n> second\nthird", ""},
		{"code without an end", quoted, "h1.0/quote.0/para.0", "```\ncode", "# T\n\n> ```sh\n> make\n> ```\n>\n> ```\n> code\n"},
		{"code in an item", listed, "h1.0/list.0/item.0/code.0", "```sh\n  make all\n  ```", "# T\n\n- one\n  - two\n  - three\n\n  ```sh\n  make all\n  ```\n- end\n"},
		{"code of its own", listed, "h1.0/list.0/item.0/code.0", "```sh\nmake all\n```", "# T\n\n- one\n  - two\n  - three\n\n  ```sh\n  make all\n  ```\n- end\n"},
		{"a list", listed, "h1.0/list.0/item.0/list.0", "- two\n  - three\n  - four", "# T\n\n- one\n  - two\n  - three\n  - four\n\n  ```sh\n  make\n  ```\n- end\n"},
		{"a list of its own", listed, "h1.0/list.0/item.0/list.0", "- 2\n- 3", "# T\n\n- one\n  - 2\n  - 3\n\n  ```sh\n  make\n  ```\n- end\n"},
		{"an item of its own", listed, "h1.0/list.0/item.0/list.0/item.0", "- 2\n  more", "# T\n\n- one\n  - 2\n    more\n  - three\n\n  ```sh\n  make\n  ```\n- end\n"},
		{"an item below it or beside it", "- x\n  - a\n    - b\n", "list.0/item.0/list.0/item.0", "- new\n  - sub", ""},
		{"an item below it or beside it, with a line that was there", "- x\n  - a\n    - b\n", "list.0/item.0/list.0/item.0", "- new\n    - b\n  - sub", ""},
		{"an item below it or beside it, in an indented list", "  - a\n    b\n", "list.0/item.0", "- new\n  - sub", ""},
		{"an item below it, as it stands", "- x\n  - a\n    - b\n", "list.0/item.0/list.0/item.0", "- new\n    - sub", "- x\n  - new\n    - sub\n"},
		{"an item below it, in whole lines", "- x\n  - a\n    - b\n", "list.0/item.0/list.0/item.0", "  - new\n    - sub", "- x\n  - new\n    - sub\n"},
		{"an item below an item of one line", "- x\n  - a\n", "list.0/item.0/list.0/item.0", "- new\n  - sub", "- x\n  - new\n    - sub\n"},
		{"a quote in an item of a quote", "> - a\n> - z\n", "quote.0/list.0/item.0", "- new\n  > sub", "> - new\n>   > sub\n> - z\n"},
		{"a quote in an item of a quote, all lines indented", "> - a\n> - z\n", "quote.0/list.0/item.0", "  - new\n    > sub", "> - new\n>   > sub\n> - z\n"},
		{"a quote in an item of a quote, with a line that was there", "> - a\n>   b\n", "quote.0/list.0/item.0", "- new\n  > sub\n>   b", ""},
		{"a line of the quote or of one in the item", "- > - a\n", "list.0/item.0/quote.0/list.0/item.0", "- new\n  > sub", ""},
		{"a line of the quote with one that was there", "- > - a\n  >   b\n", "list.0/item.0/quote.0/list.0/item.0", "- new\n  > sub\n  >   b", "- > - new\n  > sub\n  >   b\n"},
		{"a quote in an item behind a gap", "- > - a\n", "list.0/item.0/quote.0/list.0/item.0", "- new\n\n  > sub", "- > - new\n  >\n  >   > sub\n"},
		{"a quote that an item begins with", "> a\n", "quote.0/para.0", "1. > b\n   >\n   > c", "> 1. > b\n>    >\n>    > c\n"},
		{"marks of both quotes", "> - a\n", "quote.0/list.0/item.0", "- new\n>   > sub", "> - new\n>   > sub\n"},
		{"a list with an item below its own, or two items", "- x\n  - a\n    - b\n", "list.0/item.0/list.0", "- new\n  - sub", ""},
		{"a list with an item below its own, as it stands", "- x\n  - a\n    - b\n", "list.0/item.0/list.0", "  - new\n    - sub", "- x\n  - new\n    - sub\n"},
		{"a list with an item below that of one line", "- x\n  - a\n", "list.0/item.0/list.0", "- new\n  - sub", "- x\n  - new\n    - sub\n"},
		{"other items for those of a list", "- x\n  - a\n  - b\n  - c\n", "list.0/item.0/list.0", "- A\n  - B", "- x\n  - A\n  - B\n"},
		{"code or a paragraph in an item", "- x\n  - a\n    b\n", "list.0/item.0/list.0/item.0", "- new\n\n      code", ""},
	} {
		for _, ending := range []string{"\n", "\r\n"} {
			doc := parse(t, []byte(strings.ReplaceAll(tt.doc, "\n", ending)))
			r, err := applyWith(doc, []edit.Op{{Action: edit.Replace, Address: tt.address, Text: strings.ReplaceAll(tt.text, "\n", ending)}}, edit.Options{Pinned: true})
			got := ""
			if err == nil {
				got = string(r.Doc.Source)
			}
			if diff := cmp.Diff(strings.ReplaceAll(tt.want, "\n", ending), got); diff != "" {
				t.Errorf("%s, %q: %v\n%s", tt.why, ending, err, diff)
			}
		}
	}
}

// Headings in containers have what is below them, which doesn't go without a word.
func TestHeadingsBelowNested(t *testing.T) {
	const src = "# T\n\n> # q\n>\n> more\n>\n> ## sub *x*\n>\n> text\n>\n> ### deep\n>\n> # next\n"
	doc := parse(t, []byte(src))
	apply := func(op edit.Op) (*edit.Result, error) {
		op.Address = "h1.0/quote.0/h1.0"
		return applyWith(doc, []edit.Op{op}, edit.Options{Pinned: true})
	}
	_, err := apply(edit.Op{Action: edit.Replace, Text: "# new"})
	failed, ok := errors.AsType[edit.Errors](err)
	if !ok || failed[0].Code != edit.HasSubsections || failed[0].Total != 2 || failed[0].Candidates[0].Selector != "h1.0/quote.0/h2.0" {
		t.Errorf("%v %+v", err, failed)
	}
	for _, tt := range []struct {
		op   edit.Op
		want string
		gone []string
	}{
		{edit.Op{Action: edit.Replace, Text: "# new\n\n## sub"}, "# T\n\n> # new\n>\n> ## sub\n>\n> # next\n", []string{"## sub *x*", "### deep"}},
		{edit.Op{Action: edit.Remove}, "# T\n\n> # next\n", []string{"# q", "## sub *x*", "### deep"}},
	} {
		r, err := apply(tt.op)
		if err != nil {
			t.Errorf("%v: %v", tt.op.Action, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(r.Doc.Source)) + cmp.Diff(tt.gone, r.Changes[0].Headings); diff != "" {
			t.Errorf("%v\n%s", tt.op.Action, diff)
		}
	}
}

// A text beside a block in containers is what it is by itself, or is refused.
func TestInsertNested(t *testing.T) {
	for _, tt := range []struct {
		doc, address string
		action       edit.Action
		text, want   string
	}{
		{"- a\n\n    para\n", "list.0/item.0/para.1", edit.InsertAfter, "Steps:\n\n  1. x\n  2. y", "- a\n\n    para\n\n  Steps:\n\n    1. x\n    2. y\n"},
		{">Note\n>\n>text\n", "quote.0/para.0", edit.InsertAfter, "- one\n\n  two", ">Note\n>\n> - one\n>\n>   two\n>\n>text\n"},
		{">  one\n", "quote.0/para.0", edit.InsertBefore, "```\n  x\n```", "> ```\n>   x\n> ```\n>\n>  one\n"},
		{"-\tone\n", "list.0/item.0/para.0", edit.InsertBefore, "two\n\n    code", "-\ttwo\n\n        code\n\n \tone\n"},
		{"1. one\n", "list.0/item.0/para.0", edit.InsertAfter, "-\t~~~\n\tmake\n\t~~~", ""},
		{"- a\n- z\n", "list.0/item.0", edit.InsertAfter, "  - b\n\n    ```\n  \tx\n    ```", "- a\n- b\n\n    ```\n  \tx\n    ```\n- z\n"},
		{"- a\n", "list.0/item.0", edit.InsertAfter, "\t- b\n\n\t  ```\n\t\tx\n\t  ```", "- a\n- b\n\n  ```\n\tx\n  ```\n"},
		{"- a\n", "list.0/item.0", edit.InsertAfter, "     - b\n\n       ```\n     \tx\n       ```", "- a\n- b\n\n   ```\n \tx\n   ```\n"},
		{"  1. a\n  2. z\n", "list.0/item.0", edit.InsertAfter, "2. b\n\n\tmore", "  1. a\n2. b\n\n\tmore\n  2. z\n"},
		{"  1. a\n  2. z\n", "list.0/item.0", edit.InsertBefore, "2. b\n\n\tmore", "2. b\n\n\tmore\n  1. a\n  2. z\n"},
		{"1. x\n   - a\n", "list.0/item.0/list.0/item.0", edit.InsertAfter, "-\t> b\n    > c", ""},
		{"1. x\n   - a\n", "list.0/item.0/list.0/item.0", edit.InsertAfter, "- > b\nc", "1. x\n   - a\n   - > b\n   c\n"},
		{"- a\n", "list.0/item.0", edit.InsertAfter, "   - b\n     - s\n  - c", ""},
		{"- x\n\n   1. a\n   2. z\n", "list.0/item.0/list.0/item.1", edit.Replace, "2. b\n\n   ```\n\tx\n   ```", ""},
		{"> one\n", "quote.0/para.0", edit.InsertAfter, "> new\n>\n> second", ""},
		{"- > - a\n  >   b\n", "list.0/item.0/quote.0/list.0/item.0", edit.InsertAfter, "- new\n  >   more", "- > - a\n  >   b\n  > - new\n  >   more\n"},
		{"> one\n", "quote.0/para.0", edit.InsertAfter, "- new\n  > second", "> one\n>\n> - new\n>   > second\n"},
		{"> one\n", "quote.0/para.0", edit.InsertAfter, "new\n>\n> second", "> one\n>\n> new\n>\n> second\n"},
	} {
		doc := parse(t, []byte(tt.doc))
		r, err := applyWith(doc, []edit.Op{{Action: tt.action, Address: tt.address, Text: tt.text}}, edit.Options{Pinned: true})
		got := ""
		if err == nil {
			got = string(r.Doc.Source)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q, %v %q: %v\n%s", tt.doc, tt.action, tt.text, err, diff)
		}
	}
}

// The first block of an item goes, and the next one stands behind the marker.
func TestRemoveBehindMarker(t *testing.T) {
	for _, tt := range []struct{ doc, address, want string }{
		{"- a\n\n  b\n  c\n\n  d\n- e\n", "list.0/item.0/para.0", "- b\n  c\n\n  d\n- e\n"},
		{"> 1. a\r\n>\r\n>    > q\r\n", "quote.0/list.0/item.0/para.0", "> 1. > q\r\n"},
		{"- a\n\n      code\n", "list.0/item.0/para.0", "-     code\n"},
		{"-\ta\n\n\t```\n\tb\n\n\tc\n\t```\n", "list.0/item.0/para.0", "-\t```\n\tb\n\n\tc\n\t```\n"},
		{"- - a\n  - c\n\n  b\n", "list.0/item.0/list.0", "- b\n"},
		{"1. # h\n\n   b\n\n   # c\n", "list.0/item.0/h1.0", "1. # c\n"},
		{"- a\n  - b\n", "list.0/item.0/para.0", "- \n  - b\n"},
		{"- a\n\n- b\n", "list.0/item.0/para.0", "- \n\n- b\n"},
		{"- a\n\n    ```\n    x\n      y\n    ```\n", "list.0/item.0/para.0", ""}, // its indentation would go
		{"- a\n\n\t```\n\tx\n\t```\n", "list.0/item.0/para.0", ""},
		{"- a\n\n    - b\n\n          code\n", "list.0/item.0/para.0", ""},
		{"-  a\n\n       code\n", "list.0/item.0/para.0", ""},
		{"-  a\n\n   ```\n   x\n   ```\n", "list.0/item.0/para.0", "-  ```\n   x\n   ```\n"},
		{"- a\n\n    b\n    c\n\n  ```\n  x\n  ```\n", "list.0/item.0/para.0", "- b\n    c\n\n  ```\n  x\n  ```\n"},
		{"- a\n\n  ---\n", "list.0/item.0/para.0", ""}, // it would take the marker in
	} {
		r, err := applyWith(parse(t, []byte(tt.doc)), []edit.Op{{Action: edit.Remove, Address: tt.address}}, edit.Options{Pinned: true})
		got := ""
		if err == nil {
			got = string(r.Doc.Source)
		} else if strings.Contains(err.Error(), "the text") {
			t.Errorf("%q: %v, but there is no text", tt.doc, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %v\n%s", tt.doc, err, diff)
		}
	}
}
