package mcpserver

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
)

// TestLongPathsStayWithinMaxChars asks about a document with a long path, and compares folders of
// many documents, those that can't be read among them: no reply is longer than it may be.
func TestLongPathsStayWithinMaxChars(t *testing.T) {
	testkit.OneGoroutine(t)
	long := strings.Repeat(strings.Repeat("d", 100)+"/", 9) + "q.md"
	texts := map[string]string{long: "# T\n\n## S\n\nx\n", "good/a.md": "# A\n\none\n", "other/a.md": "# A\n\ntwo\n"}
	for i := range 120 {
		texts[fmt.Sprintf("x/%d.md", i)], texts[fmt.Sprintf("y/%d.md", i)] = fmt.Sprintf("# T\n\na%d\n", i), fmt.Sprintf("# T\n\nb%d\n", i)
		texts[fmt.Sprintf("good/no-utf-8-%d.md", i)], texts[fmt.Sprintf("other/no-utf-8-%d.md", i)] = "# \xffa\n", "# \xffb\n"
	}
	session := client(t, texts)
	told := map[string]string{}
	for i, c := range []toolCall{
		{"list_documents", object{"path": strings.TrimSuffix(long, "/q.md")}},
		{"diff_sections", object{"path": long, "against": long}},
		{"edit_section", object{"path": long, "heading": "S", "action": "append", "content": "y"}},
		{"diff_sections", object{"path": "y", "against": "x", "stat": true}},
		{"diff_sections", object{"path": "other", "against": "good"}},
	} {
		c.args["max_chars"] = 500
		text, failed := ask(t, session, c.tool, c.args)
		if n := utf8.RuneCountInString(text); failed || n > 500 {
			t.Errorf("%s %.60v: %d characters, failed %t: %.300s", c.tool, c.args, n, failed, text)
		}
		told[fmt.Sprint(i)] = text
	}
	if !strings.Contains(told["3"], "of 120 documents not shown; go on with cursor ") {
		t.Errorf("%s", told["3"])
	}
	if !strings.Contains(told["4"], "changed other/a.md") || !strings.Contains(told["4"], "more documents") {
		t.Errorf("%s", told["4"])
	}
}

// TestBelowAFile has documents that would stand below a file refused, by a dry run too, and told why.
func TestBelowAFile(t *testing.T) {
	session := client(t, map[string]string{"a.md": "# A\n", "c.md": "# C\n"})
	for _, c := range []toolCall{
		{toolMoveDocument, object{"path": "a.md", "to_path": "c.md/"}},
		{toolMoveDocument, object{"path": "a.md", "to_path": "c.md/x.md"}},
		{toolMoveDocument, object{"path": "a.md", "to_path": "c.md/x/y.md", "dry_run": true}},
		{toolCreateDocument, object{"path": "c.md/x.md", "content": "# X"}},
		{toolCreateDocument, object{"path": "c.md/x.md", "content": "# X", "dry_run": true}},
	} {
		text, failed := ask(t, session, c.tool, c.args)
		if !failed || !strings.HasPrefix(text, "not_a_file: c.md/") || !strings.HasSuffix(text, ": its folder is a file; name another path; nothing was written") {
			t.Errorf("%s %v: %s", c.tool, c.args, text)
		}
	}
}
