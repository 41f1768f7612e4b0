package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
)

// cursorNamed finds the cursor that a reply names, as a string of JSON or as it is.
var cursorNamed = regexp.MustCompile(`(?:go on with cursor |next_cursor: |"next_cursor":)("(?:[^"\\]|\\.)*"|[^\s\]]+)`)

// TestCursorsAreTaken reads the replies of each tool that has pages from the first to the last, with the
// least room, over documents with long and odd names and headings: the call that a reply names is
// never refused for what the reply before has said.
func TestCursorsAreTaken(t *testing.T) {
	short := []string{"a.md", "release notes, first part.md", "docs/it's @preamble.md", "ключ é.md", "[x] #y.md"}
	long := []string{"docs/" + strings.Repeat("long-", 40) + "b.md", strings.Repeat("deep/", 40) + "c.md"}
	followed := map[string]int{}
	for room, names := range map[int][]string{500: short, 900: slices.Concat(short, long)} {
		followCursors(t, names, room, followed)
	}
	for _, tool := range []string{"list_documents", "search_sections", "diff_sections", "markdown_list_sections", "list_links"} {
		if followed[tool] < 5 {
			t.Errorf("%s has named %d cursors", tool, followed[tool])
		}
	}
}

// followCursors reads all replies about documents of some names, with room for so many characters, and
// counts the cursors of each tool.
func followCursors(t *testing.T, names []string, room int, followed map[string]int) {
	t.Helper()
	title := strings.Repeat("a long heading with many words, ", 12)
	text := func(word string) string {
		b := "---\ntitle: " + word + "\n---\nBefore, " + word + ".\n\n"
		for level := 1; level <= 6; level++ {
			b += fmt.Sprintf("%s %s \"quoted\" `code` %d\n\n- Key: %s\n\nText with %s [link](none.md) [other](a.md#none).\n\n", strings.Repeat("#", level), title, level, strings.Repeat("value ", 60), word)
		}
		return b + "# Short\n\n" + strings.Repeat("word ", 2000) + "\n"
	}
	files := map[string]string{}
	for _, name := range names {
		files[name] = text("word")
		files["new/"+name] = text("words")
	}
	dir := docs(t, files)
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	calls := []toolCall{
		{"list_documents", object{}},
		{"list_documents", object{"sort": "size"}},
		{"search_sections", object{"query": "word"}},
		{"search_sections", object{"query": "word", "match": "text"}},
		{"search_sections", object{"query": "long heading", "match": "regex", "in": "headings"}},
		{"diff_sections", object{"path": "new", "against": "docs"}},
		{"list_links", object{}},
		{"list_links", object{"broken": true}},
	}
	for _, name := range names {
		calls = append(
			calls, toolCall{"diff_sections", object{"path": "new/" + name, "against": name, "diff": true}}, toolCall{"diff_sections", object{"path": "new/" + name, "against": name}},
			toolCall{"markdown_list_sections", object{"file_path": name, "with": []any{"hash", "words", "fields"}}}, toolCall{"markdown_list_sections", object{"file_path": name}},
			toolCall{"list_links", object{"path": name}},
		)
	}
	for _, call := range calls {
		args := maps.Clone(call.args)
		args["max_chars"] = room
		for page := 0; ; page++ {
			text, failed := ask(t, session, call.tool, args)
			if failed || page > 500 {
				t.Errorf("%s %q, page %d: %s", call.tool, fmt.Sprint(args), page, text)
				break
			}
			if n := len([]rune(text)); n > room {
				t.Errorf("%s %q: %d characters", call.tool, fmt.Sprint(args), n)
			}
			found := cursorNamed.FindAllStringSubmatch(text, -1)
			if found == nil {
				break
			}
			followed[call.tool]++
			cursor := found[len(found)-1][1]
			if strings.HasPrefix(cursor, `"`) {
				if err := json.Unmarshal([]byte(cursor), &cursor); err != nil {
					t.Fatal(err)
				}
			}
			args["cursor"] = cursor
		}
	}
}
