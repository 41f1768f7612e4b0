package sent

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// parsed returns a text as a document.
func parsed(t *testing.T, text string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestEchoes refuses a line of a reply wherever an operation may bring it into a document, and
// lets it be where it is none.
func TestEchoes(t *testing.T) {
	const line = "[left out: lines 3-9]"
	quoted := strconv.Quote("one\n" + line)
	doc, own := parsed(t, "# A\n\ntext\n"), parsed(t, "# A\n\n```\n"+line+"\n```\n")
	for name, test := range map[string]struct {
		op      edit.Op
		refused bool
	}{
		"a text":                    {edit.Op{Action: edit.Append, Address: "A", Text: "more\n\n" + line + "\n"}, true},
		"a text with CR":            {edit.Op{Action: edit.ReplaceText, Text: "more\r" + line + " \r\nend"}, true},
		"a quote":                   {edit.Op{Action: edit.Append, Address: "A", Text: "> - **" + line + "**"}, true},
		"a cell":                    {edit.Op{Action: edit.Append, Address: "A", Rows: [][]string{{"a", "b"}, {"c", line}}}, true},
		"a new heading":             {edit.Op{Action: edit.Append, Address: "A > " + line + " > B", Text: "x", CreateMissing: true}, true},
		"an address":                {edit.Op{Action: edit.Append, Address: "A > " + line, Text: "x"}, false},
		"a value":                   {edit.Op{Action: edit.Set, Address: "@frontmatter.k", Text: `{"a": [1, ` + quoted + `]}`}, true},
		"a key of a value":          {edit.Op{Action: edit.Set, Address: "@frontmatter.k", Text: `{` + quoted + `: 1}`}, true},
		"a key":                     {edit.Op{Action: edit.Set, Address: "@frontmatter[" + quoted + "]", Text: "1"}, true},
		"a key that is appended to": {edit.Op{Action: edit.Append, Address: "@frontmatter.a[" + quoted + "]", Text: "1"}, true},
		"a key that goes":           {edit.Op{Action: edit.Remove, Address: "@frontmatter[" + quoted + "]"}, false},
		"JSON of a text":            {edit.Op{Action: edit.Append, Address: "A", Text: quoted}, false},
		"within a sentence":         {edit.Op{Action: edit.Append, Address: "A", Text: "It says " + line + " there."}, false},
		"the old text":              {edit.Op{Action: edit.ReplaceText, Old: line, Text: "x"}, false},
	} {
		other := edit.Op{Action: edit.Append, Address: "A", Text: "fine"}
		failed := Echoes(nil, doc, nil, []edit.Op{other, test.op, other})
		switch {
		case !test.refused && failed != nil:
			t.Errorf("%s: %v", name, failed[0].Error)
		case !test.refused:
		case len(failed) != 1 || failed[0].Index != 1 || failed[0].Code != replies.CodeInvalidArgument ||
			!strings.HasPrefix(failed[0].Message.String(), "the text has the line ") || !strings.Contains(failed[0].Message.String(), "lines 3-9") ||
			!strings.HasSuffix(failed[0].Message.String(), "; read those lines too (lines 3-9), or edit a smaller part"):
			t.Errorf("%s: %+v", name, failed)
		}
	}
	op := func(text string) []edit.Op { return []edit.Op{{Action: edit.Replace, Address: "A", Text: text}} }
	if failed := Echoes(nil, own, nil, op("```\n"+line+"\n```")); failed != nil {
		t.Errorf("a line of the document itself: %v", failed[0].Error)
	}
	if failed := Echoes(nil, own, nil, op(strings.Replace(line, "9", "8", 1))); len(failed) != 1 {
		t.Error("a line is taken that is only like one of the document")
	}
	for text, refused := range map[string]bool{
		"# A\n\n```\n" + line + "\n```\n\nmore\n": false, "# B\n\n" + line + "\n": false, "# A\n": false,
		"# A\n\n```\n" + line + "\n```\n\n# B\n\n" + line + "\n":                true, // in the place of what a reply has left out of B
		"# A\n\n```\n" + line + "\n```\n\n| a |\n| - |\n| **" + line + "** |\n": true,
		"---\nk: \"a\\n" + line + "\"\n---\n# A\n\n```\n" + line + "\n```\n":    true,
	} {
		if failed := Echoes(nil, own, parsed(t, text), op(line)); len(failed) > 0 != refused {
			t.Errorf("%q: %+v", text, failed)
		}
	}
}

// TestEchoOfMark refuses a line that begins with the mark of a reply, and that of no other one.
func TestEchoOfMark(t *testing.T) {
	marks := replies.NewMarks(bytes.NewReader(bytes.Repeat([]byte{1, 2, 3}, 100)))
	mark := string(marks.Draw())
	doc := parsed(t, "# A\n\ntext\n")
	ops := []edit.Op{{Action: edit.Append, Address: "A", Text: mark + "any line"}, {Action: edit.Append, Address: "A", Text: "- " + mark + "any"}, {Action: edit.Append, Address: "A", Text: "any " + mark}}
	if failed := Echoes(marks, doc, nil, ops); len(failed) != 2 || failed[0].Index != 0 || failed[1].Index != 1 || !strings.Contains(failed[0].Message.String(), "which begins with the mark of a reply") {
		t.Errorf("%+v", failed)
	}
	for _, form := range []string{"| %s | b |", "> `%s`", "- **%s**", "<!-- %s -->", "# %s #"} {
		if failed := Echoes(marks, doc, nil, []edit.Op{{Action: edit.Append, Address: "A", Text: fmt.Sprintf(form, mark+"left_out: 5-9")}}); len(failed) != 1 {
			t.Errorf("%s: %+v", form, failed)
		}
	}
	if failed := Echoes(replies.NewMarks(nil), doc, nil, ops); failed != nil {
		t.Errorf("%+v", failed)
	}
	if failed := Echoes(marks, parsed(t, "# A\n\n"+mark+"any line\n"), nil, ops[:1]); failed != nil {
		t.Errorf("a line of the document itself: %+v", failed)
	}
}

// TestEchoOfTitle refuses a heading that ends where a reply has cut one of the document.
func TestEchoOfTitle(t *testing.T) {
	long := strings.Repeat("a long title of words ", 5) + "and its end"
	cut := long[:40] + "…"
	doc := parsed(t, "# T\n\n## "+long+"\n\none\n\n## "+long[:50]+"…\n\ntwo\n")
	for _, test := range []struct {
		action  edit.Action
		text    string
		refused bool
	}{
		{edit.Rename, cut, true},
		{edit.Rename, "## " + cut + " ##", true},
		{edit.Append, "x\n\n### " + cut + "\n\ny", true},
		{edit.Append, "> - #### " + cut, true},
		{edit.Replace, cut + "\n-----\n", true},
		{edit.Append, cut + "\n\nin a text", false},
		{edit.Append, cut, false},
		{edit.Rename, long, false},
		{edit.Rename, long[:50] + "…", false},
		{edit.Rename, long[:29] + "…", false},
		{edit.Rename, long[:30] + "…", true},
		{edit.Rename, "Something else that is long enough to be cut…", false},
	} {
		failed := Echoes(nil, doc, nil, []edit.Op{{Action: test.action, Address: "T", Text: test.text}})
		if (len(failed) == 1) != test.refused {
			t.Errorf("%s %q: %v", test.action, test.text, failed)
		}
		if len(failed) == 1 && (failed[0].Code != replies.CodeInvalidArgument || !strings.Contains(failed[0].Message.String(), `", which a reply has cut; give all of the heading`)) {
			t.Errorf("%s %q: %s", test.action, test.text, failed[0].Message)
		}
	}
}

// TestManyEchoes: a document with many lines of ours may be written anew, in time that is linear.
func TestManyEchoes(t *testing.T) {
	var text strings.Builder
	for i := range testkit.Some(60_000, 10) {
		fmt.Fprintf(&text, "[left out: lines %d-%d]\n\n", i+1, i+2)
	}
	doc := parsed(t, "# A\n\n"+text.String())
	if failed := Echoes(nil, doc, doc, []edit.Op{{Action: edit.Replace, Address: "A", Text: text.String()}}); failed != nil {
		t.Errorf("%v", failed[0].Error)
	}
}
