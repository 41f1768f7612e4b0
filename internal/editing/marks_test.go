package editing

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/selecting"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/markdown"
)

// longDocument has a section with so many lines, and another one.
func longDocument(lines int) string {
	return "# T\n\n## A\n\n" + strings.Repeat("a line of text that says nothing at all\n\n", lines) + "## B\n\nother\n"
}

// TestEditThinned sends back what a read has left lines out of.
func TestEditThinned(t *testing.T) {
	text := longDocument(300)
	docs := host(t, "a.md", text)
	reply, err := reading.Read(docs, reading.ReadRequest{Heading: "## A", MaxChars: 4000})
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(reply.Text), "\n\n")
	if !strings.Contains(body, "\n[left out: lines ") {
		t.Fatalf("nothing is left out of it:\n%s", body)
	}
	body = strings.Replace(body, "nothing", "something", 1)
	const want = `the text has the line "[left out: lines `
	refuse := func(err error) *replies.Error {
		t.Helper()
		e, ok := errors.AsType[*replies.Error](err)
		if !ok {
			t.Fatalf("%v", err)
		}
		holds(t, docs, text)
		return e
	}
	for _, dry := range []bool{false, true} {
		_, err = EditSection(t.Context(), docs, EditSectionRequest{
			Heading: "## A", Action: "replace", Content: &body, EditOptions: EditOptions{DryRun: dry},
		})
		e := refuse(err)
		if !strings.HasPrefix(e.Message.String(), want) || !strings.HasSuffix(e.Message.String(), "), or edit a smaller part; nothing was written") {
			t.Errorf("%s", e.Message.String())
		}
	}
	// Somebody may have put a quote or an item around it.
	for _, around := range []string{"> ", ">", "- ", "  ", "12. ", "> - ", "\t", "- [ ] ", "* [x] ", "- [ ]: ", "## ", "\u00a0", "> \u2003"} {
		quoted := around + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n"+around)
		_, err = EditSection(t.Context(), docs, EditSectionRequest{Heading: "## A", Action: "replace", Content: &quoted})
		if e := refuse(err); !strings.Contains(e.Message.String(), "[left out: lines ") {
			t.Errorf("%q: %s", around, e.Message.String())
		}
	}
	_, line, _ := strings.Cut(body, "\n[left out: lines ")
	line, _, _ = strings.Cut("[left out: lines "+line, "\n")
	for _, form := range []string{"**%s**", "`%s`", "*%s*", "_**%s**_", "| %s |", "| a | %s | b |", "a | %s", "- **%s**", "> | **%s** |", "%s\u00a0", "### `%s` ", "## %s ##", "> # **%s** #", "%s.", "- %s;", "**%s**,", "%s\\", "| %s. |"} {
		content := strings.Replace(form, "%s", line, 1)
		_, err = EditSection(t.Context(), docs, EditSectionRequest{Heading: "## A", Action: "append", Content: &content})
		if e := refuse(err); !strings.Contains(e.Message.String(), "[left out: lines ") || e.Code != replies.CodeInvalidArgument {
			t.Errorf("%q: %s", form, e.Message.String())
		}
	}
	for _, req := range []EditSectionRequest{
		{Heading: "## A", Action: "append", Rows: [][]string{{"head"}, {"a"}, {line}}},
		{Heading: "## A > " + line + " > More", Action: "append", Content: new("text"), CreateMissing: true},
		{Heading: "## A > More > " + line, Action: "append", Content: new("text"), CreateMissing: true},
		{Heading: "@frontmatter.k", Action: "set", Content: new(strconv.Quote("one\n" + line + "\ntwo"))},
		{Heading: "@frontmatter.k", Action: "set", Content: new(`{"a": ["b", ` + strconv.Quote(line) + `]}`)},
		{Heading: "@frontmatter[" + strconv.Quote(line) + "]", Action: "set", Content: new("1")},
		{Heading: "@frontmatter.k[" + strconv.Quote("a\n"+line) + "].b", Action: "append", Content: new("1")},
	} {
		_, err = EditSection(t.Context(), docs, req)
		if e := refuse(err); !strings.Contains(e.Message.String(), "[left out: lines ") || e.Code != replies.CodeInvalidArgument {
			t.Errorf("%+v: %s", req, e.Message.String())
		}
	}
	_, err = EditFile(t.Context(), docs, EditFileRequest{Edit: sent.Edit{OldString: new("other"), NewString: &body}})
	if e := refuse(err); e.Code != replies.CodeInvalidArgument || !e.Usage() || !strings.HasPrefix(e.Message.String(), want) {
		t.Errorf("%s", e.Message.String())
	}

	// In a list it is told with all else that fails.
	list := []sent.Edit{
		{Heading: "## B", Action: "append", Content: new("more")},
		{OldString: new("nowhere"), NewString: new("")},
		{Heading: "## A", Action: "replace", Content: &body},
	}
	_, err = EditFile(t.Context(), docs, EditFileRequest{Edits: list})
	if e := refuse(err); len(e.Edits) != 2 || e.Edits[0].Index != 1 || e.Edits[1].Index != 2 || !strings.HasPrefix(e.Edits[1].Message.String(), want) {
		t.Errorf("%+v", e)
	}
	_, err = EditFile(t.Context(), docs, EditFileRequest{Edits: append(list, sent.Edit{})})
	if e := refuse(err); len(e.Edits) != 3 || e.Edits[1].Index != 2 || e.Edits[2].Index != 3 {
		t.Errorf("%+v", e)
	}
}

// TestEditKeepsMarks lets lines be that a document has itself, and those that no read
// makes.
func TestEditKeepsMarks(t *testing.T) {
	docs := host(t, "a.md", "# A\n\nA reply:\n\n```\n[left out: lines 1-2]\n```\n")
	for _, content := range []string{
		"What a reply looks like:\n\n```\n[left out: lines 1-2]\n```",
		"It says [left out: lines 97-124] there.", "- [ ] say **[left out: lines 97-124]**", "| it says `[left out: lines 97-124]` |", "It says\u00a0[left out: lines 97-124]",
		"- [ ] [left out: the tea]\n- [x] [link](a.md)\n\n| [a] | **[b]** |\n|---|---|\n| `[left out]` | x |",
		"[left out: the chapter on tea]\n\n[warning: hot]\n\n[not shown: a cat]\n\n[link]: https://example.com",
	} {
		if _, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: "A", Action: "replace", Content: &content}); err != nil {
			t.Errorf("%s: %v", content, err)
		}
	}
}

// TestMarks knows each line that a read makes, by what makes it.
func TestMarks(t *testing.T) {
	nothing := func(string) bool { return false }
	told := func(line, what string) {
		t.Helper()
		got, why := (*replies.Marks)(nil).MarkIn("text\r\n"+line+"\r\nmore", nothing)
		if got != strings.TrimSuffix(line, "\n") || !strings.Contains(why, what) {
			t.Errorf("%q: %q, %q", line, got, why)
		}
	}
	for _, u := range []replies.Unseen{{Count: 1, First: []string{"U+202E at line 1"}}, {Count: 4, First: []string{"U+202E at line 1 of a.md"}}} {
		told("[warning: "+u.Warning()+"]", "leave it out")
		told("[warning: "+u.Number()+"]", "leave it out")
	}

	// Selections, of all lengths.
	text := longDocument(60) + "\n" + strings.Repeat("wide ", 900) + "\n\n## C\n\n" + strings.Repeat("wide ", 900) + "\nshort\n"
	docs := host(t, "a.md", text)
	marks := 0
	for _, selector := range []string{"h2.0", "h2.1", "h2.2", "h2.2/para.0", "h2.0/para.*", "h2.0-2", "h2.2?tail=2", "h2.2?head=5"} {
		for _, most := range []int{500, 1000, 2000, 9000} {
			for line := range strings.Lines(selection(t, docs, selector, most)) {
				if strings.HasPrefix(line, "[") {
					marks++
					told(strings.TrimSuffix(line, "\n"), "which a read puts")
				}
			}
		}
	}
	if marks < 8 {
		t.Errorf("there are %d marks", marks)
	}
}

// TestEditUnreadPart says that the part was not read that was changed, whatever else was
// not.
func TestEditUnreadPart(t *testing.T) {
	text := "# A\n\n1\n\n# B\n\n2\n\n# C\n\n3\n"
	_, docs := served(t, text)
	if _, err := reading.Read(docs, reading.ReadRequest{Heading: "A"}); err != nil {
		t.Fatal(err)
	}
	const part = "the part that was changed had not been read: "
	for i, tt := range []struct {
		heading string
		dry     bool
		want    string
	}{
		{"A", true, ""},
		{"B", true, part + "1 section: h1.1 B"},
		{"B", false, part + "1 section: h1.1 B"},
		{"B", false, ""},
		{"C", false, part + "1 section: h1.2 C"},
		{"C", false, ""},
	} {
		content := fmt.Sprint(tt.heading, " anew ", i)
		reply, err := EditSection(t.Context(), docs, EditSectionRequest{
			Heading: tt.heading, Action: "replace", Content: &content, EditOptions: EditOptions{DryRun: tt.dry},
		})
		if err != nil {
			t.Fatal(err)
		}
		var warnings []string
		for line := range strings.Lines(string(reply.Head)) {
			if warning, ok := strings.CutPrefix(line, "warning: "); ok {
				warnings = append(warnings, strings.TrimSpace(warning))
			}
		}
		if got := strings.Join(warnings, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.heading, got, tt.want)
		}
	}
}

// TestEditCutTitle sends back titles as heads and maps show them, cut. They would be stored
// so. A title that really ends in an ellipsis is one.
func TestEditCutTitle(t *testing.T) {
	long := strings.Repeat("a long title of many words ", 15) + "and its end"
	text := "# T\n\n## " + long + "\n\none\n\n## Short…\n\ntwo\n\n## " + long[:60] + "…\n\nthree\n"
	docs := host(t, "a.md", text)
	reply, err := reading.Read(docs, reading.ReadRequest{Heading: "h2.0"})
	if err != nil {
		t.Fatal(err)
	}
	shown, _, _ := strings.Cut(string(reply.Text), "\n")
	_, shown, _ = strings.Cut(shown, " a long")
	shown = "## a long" + shown
	if !strings.HasSuffix(shown, "…") {
		t.Fatalf("%q is not cut", shown)
	}
	hash := markdown.Hash([]byte("## " + long + "\n\none\n\n"))
	for _, c := range []struct{ action, content string }{
		{"rename", shown},
		{"rename", strings.TrimPrefix(shown, "## ")},
		{"replace", shown + "\n\nnew\n"},
		{"insert_after", shown + "\n\nnew\n"},
		{"insert_before", strings.TrimPrefix(shown, "## ") + "\n---\n\nnew\n"},
		{"append", "#" + shown + "\n\nnew\n"},
		{"append", "- #" + shown},
	} {
		_, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: "h2.0", Action: c.action, Content: &c.content, ExpectedHash: hash})
		refusedWith(t, err, replies.CodeInvalidArgument)
		if e := replies.AsError(err); !strings.Contains(e.Message.String(), "which a reply has cut; ") || !strings.HasSuffix(e.Message.String(), "nothing was written") {
			t.Errorf("%s %q: %s", c.action, c.content, e.Message.String())
		}
		holds(t, docs, text)
	}
	for _, c := range []struct{ heading, action, content string }{
		{"h2.1", "rename", "Another…"},
		{"h2.1", "rename", "And what it says, which is no cut of any other…"},
		{"h2.2", "rename", long[:60] + "…"},
		{"h2.0", "append", "He says: " + long[:60] + "…"},
		{"h2.0", "append", long[:60] + "…\n\nin a text\n"},
		{"h2.0", "rename", long},
	} {
		if _, err := EditSection(t.Context(), docs, EditSectionRequest{
			Heading: c.heading, Action: c.action, Content: &c.content, EditOptions: EditOptions{DryRun: true},
		}); err != nil && replies.AsError(err).Code == replies.CodeInvalidArgument {
			t.Errorf("%s %q: %v", c.action, c.content, err)
		}
	}
}

// selection returns what a selector finds, in so many characters.
func selection(t *testing.T, docs documents.Set, selector string, most int) string {
	t.Helper()
	var out bytes.Buffer
	req := selecting.SelectRequest{Selector: selector, MaxChars: most, Literal: true, Offered: func(string) bool { return true }}
	if err := selecting.Select(t.Context(), docs, req, &out, &out); err != nil && !errors.Is(err, selecting.ErrIncomplete) {
		t.Fatal(err)
	}
	return out.String()
}
