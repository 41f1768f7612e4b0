package mcpserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

// TestPagesWithoutMatches: where one page of a folder has no match, others may have some.
func TestPagesWithoutMatches(t *testing.T) {
	files := map[string]string{}
	for i := range 120 {
		files[fmt.Sprintf("docs/%03d.md", i)] = "# T\n"
	}
	files["docs/060.md"] = "# T\n\n```\ncode\n```\n"
	session := client(t, files)
	const none, unnamed = "No matches found in these documents", "Namespace '060' not found in these documents. Available namespaces: "
	for selector, pages := range map[string][]string{"code": {none, "code\n", none}, "060::code": {unnamed + "000, ", "code\n", unnamed + "1"}} {
		args := object{"files": []string{"docs"}, "selector": selector}
		for page, want := range pages {
			text, failed := ask(t, session, "mdsel_select", args)
			if failed || !strings.Contains(text, want) || strings.Contains(text, "any document") {
				t.Errorf("%s, page %d: %v, %s", selector, page, failed, text)
			}
			if m := regexp.MustCompile(`next_cursor: "(.*)"\]\n\z`).FindStringSubmatch(text); m != nil {
				args["cursor"] = m[1]
			}
		}
	}
}

// TestPagesOfFolders: what the tools of navigate and select are asked of a folder or pattern is
// answered in pages that lead through all documents, each once, none longer than it may be; a
// document that can't be read has its place.
func TestPagesOfFolders(t *testing.T) {
	files := map[string]string{".gitignore": "left.md\n", "docs/left.md": "# Left\n", "other.md": "# Other\n", "docs/bad.md": "\xff\n"}
	var all []string
	for i := range 120 {
		name := fmt.Sprintf("docs/%03d.md", i)
		files[name] = fmt.Sprintf("# Title %d\n\ntext\n\n## Part\n\n## End\n", i)
		all = append(all, name)
	}
	var worse []string
	for i := range 60 {
		name := fmt.Sprintf("worse/%02d-bad.md", i)
		files[name] = "\xff\n"
		worse = append(worse, name)
	}
	files["worse/10.md"] = "# Title 10\n"
	session := client(t, files)
	objects := func(text string) (paths []string, next string) {
		var page struct {
			Documents []struct {
				Path     string          `json:"file_path"`
				Tree     json.RawMessage `json:"tree_json"`
				Drawn    string          `json:"tree"`
				Sections json.RawMessage `json:"sections"`
				Error    json.RawMessage `json:"error"`
			}
			Total int
			Next  string `json:"next_cursor"`
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for _, d := range page.Documents {
			if paths = append(paths, d.Path); (d.Tree == nil && d.Drawn == "" && d.Sections == nil) == (d.Error == nil) || page.Total < len(page.Documents) {
				t.Errorf("%+v of %d", d, page.Total)
			}
		}
		return paths, page.Next
	}
	lines := func(text string) (paths []string, next string) {
		for _, m := range regexp.MustCompile(`Title (\d+)|\w+/[\w-]*bad\.md`).FindAllStringSubmatch(text, -1) {
			name := m[0]
			if m[1] != "" {
				name = "docs/" + fmt.Sprintf("%03s", m[1]) + ".md"
			}
			if !slices.Contains(paths, name) {
				paths = append(paths, name)
			}
		}
		if m := regexp.MustCompile(`(?m)\[\d+ of \d+ documents; next_cursor: (".*")\]\n\z`).FindStringSubmatch(text); m != nil {
			if err := json.Unmarshal([]byte(m[1]), &next); err != nil {
				t.Fatal(err)
			}
		}
		return paths, next
	}
	for _, c := range []struct {
		tool string
		args object
		want []string
		read func(string) ([]string, string)
	}{
		{"markdown_tree", object{"file_path": "docs"}, append(slices.Clone(all), "docs/bad.md"), objects},
		{"markdown_tree", object{"file_path": "[do]*/**", "format": "ascii", "pattern": "title 1", "max_chars": 1000}, append(filter(all, regexp.MustCompile(`/0*1`)), "docs/bad.md"), objects},
		{"markdown_list_sections", object{"file_path": "docs/*.md", "max_chars": 1500}, append(slices.Clone(all), "docs/bad.md"), objects},
		{"markdown_list_sections", object{"file_path": "docs/00*.md", "heading_level": "H2", "max_chars": 700}, all[:10], objects},
		{"mdsel_index", object{"files": []string{"docs"}, "max_chars": 20_000}, append(slices.Clone(all), "docs/bad.md"), lines},
		{"mdsel_index", object{"files": []string{"docs"}, "max_chars": 500}, append(slices.Clone(all), "docs/bad.md"), lines},
		{"mdsel_index", object{"files": []string{"docs"}, "max_chars": 3000}, append(slices.Clone(all), "docs/bad.md"), lines},
		{"mdsel_select", object{"files": []string{"docs"}, "selector": "h1.0", "max_chars": 500}, append(slices.Clone(all), "docs/bad.md"), lines},
		{"mdsel_select", object{"files": []string{"docs"}, "selector": "h1.0", "max_chars": 2000}, append(slices.Clone(all), "docs/bad.md"), lines},
		{"mdsel_index", object{"files": []string{"worse"}, "max_chars": 700}, append(slices.Clone(worse), "docs/010.md"), lines},
		{"mdsel_select", object{"files": []string{"worse"}, "selector": "h1.0", "max_chars": 700}, append(slices.Clone(worse), "docs/010.md"), lines},
		{"mdsel_select", object{"files": []string{"docs"}, "selector": "h1.0", "max_chars": 40_000}, append(slices.Clone(all), "docs/bad.md"), lines},
	} {
		var got []string
		for pages := 0; ; pages++ {
			text, failed := ask(t, session, c.tool, c.args)
			if failed && !strings.Contains(text, "ENCODING_ERROR") || pages > 200 {
				t.Fatalf("%s %v: %s", c.tool, c.args, text)
			}
			if most, ok := c.args["max_chars"].(int); ok && utf8.RuneCountInString(text) > most {
				t.Errorf("%s %v: %d characters", c.tool, c.args, utf8.RuneCountInString(text))
			}
			paths, next := c.read(text)
			got = append(got, paths...)
			if next == "" {
				break
			}
			c.args["cursor"] = next
		}
		if slices.Sort(c.want); !slices.Equal(slices.Sorted(slices.Values(got)), c.want) {
			t.Errorf("%s %v: %d documents, want %d: %q", c.tool, c.args, len(got), len(c.want), got)
		}
	}
	for _, c := range []struct {
		tool string
		args object
		want string
	}{
		{"markdown_tree", object{"file_path": "docs", "cursor": "gone.md"}, "begin again without cursor"},
		{"markdown_tree", object{"file_path": "nothing/*.md"}, "no_matches"},
		{"markdown_list_sections", object{"file_path": "nothing/*.md"}, "no_matches"},
		{"mdsel_index", object{"files": []string{"other.md"}, "cursor": "other.md"}, "for folders and patterns"},
		{"mdsel_select", object{"files": []string{"*.txt"}, "selector": "h1"}, "no_matches"},
		{"markdown_section_bounds", object{"file_path": "docs", "section_name": "Part"}, "not_a_file"},
	} {
		if text, failed := ask(t, session, c.tool, c.args); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %v %s", c.tool, c.args, failed, text)
		}
	}
}

// filter returns the texts that match.
func filter(list []string, re *regexp.Regexp) (kept []string) {
	for _, text := range list {
		if re.MatchString(text) {
			kept = append(kept, text)
		}
	}
	return kept
}

// TestPagesHideNothing: the paths of a page are exact, for they are asked for next, and no
// character of them acts unseen.
func TestPagesHideNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	names := []string{"docs/b\u2066F.md", "docs/bad\u202e.md", "docs/r\u202eF.md", "docs/z\u200bF.md", "docs/\U000E0041.md"}
	files := map[string]string{"docs/a.md": "# A\n"}
	for _, name := range names {
		files[name] = "# N\n"
	}
	files[names[1]] = "\xff\n"
	session := client(t, files)
	for _, tool := range []string{toolTree, toolSections} {
		text, failed := ask(t, session, tool, object{"file_path": "docs"})
		if failed || strings.ContainsAny(text, "\u2066\u202e\u200b\U000E0041") {
			t.Errorf("%s: %q", tool, text)
		}
		var page struct {
			Documents []struct {
				Path  string          `json:"file_path"`
				Error json.RawMessage `json:"error"`
			}
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || len(page.Documents) != len(files) {
			t.Fatalf("%v: %s", err, text)
		}
		for _, d := range page.Documents {
			if one, failed := ask(t, session, tool, object{"file_path": d.Path}); failed != (d.Error != nil) || files[d.Path] == "" {
				t.Errorf("%s of %q: %s", tool, d.Path, one)
			}
		}
	}
}

// TestStructuredHidesNothing: so are the paths of structured content, of which one that can't be
// read has its own too, and those that complete an address.
func TestStructuredHidesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	const name, bad = "docs/r\u202eF.md", "docs/bad\u200b.md"
	dir := docs(t, map[string]string{name: "# Needle\n", bad: "\xff needle\n"})
	there, here := mcp.NewInMemoryTransports()
	serving, err := start(t, doctor.ServerOptions{Roots: []string{dir}, Structured: true}).mcp.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder // of the messages as they came
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.LoggingTransport{Transport: here, Writer: &sent}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool  string
		args  object
		paths []string
	}{
		{"list_documents", object{}, []string{name, bad}},
		{"search_sections", object{"query": "needle"}, []string{name, bad}},
		{"read_file", object{"path": name}, []string{name}},
		{"edit_section", object{"path": name, "heading": "Needle", "action": "append", "content": "x"}, []string{name}},
		{"create_document", object{"path": "docs/n\u202eF.md", "content": "# N\n"}, []string{"docs/n\u202eF.md"}},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil || result.StructuredContent == nil {
			t.Fatalf("%s: %v, %v", c.tool, err, result)
		}
		values, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range c.paths {
			if !strings.Contains(string(values), `"`+path+`"`) {
				t.Errorf("%s: no %q in %q", c.tool, path, values)
			}
		}
	}
	done, err := session.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/resource", URI: docTemplate}, Argument: mcp.CompleteParamsArgument{Name: "path", Value: "docs/r"},
	})
	if err != nil || len(done.Completion.Values) != 1 || done.Completion.Values[0] != "docs/r%E2%80%AEF.md" {
		t.Fatalf("%v: %+v", err, done)
	}
	if read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: docPrefix + done.Completion.Values[0]}); err != nil || len(read.Contents) != 1 {
		t.Errorf("%v", err)
	}
	_ = session.Close()
	_ = serving.Wait()
	for line := range strings.Lines(sent.String()) {
		if strings.HasPrefix(line, "read: ") && strings.ContainsAny(line, "\u202e\u200b") {
			t.Errorf("%q", line)
		}
	}
}

// TestStructuredHasRoom: structured content is never longer than the reply may be, with hundreds
// of short items too, with a section of thousands of lines that match, and with documents of long
// paths that can't be read.
func TestStructuredHasRoom(t *testing.T) {
	deep := strings.Repeat(strings.Repeat("x", 100)+"/", 5)
	files := map[string]string{"a.md": strings.Repeat("[l](#x)\n", 900), "b.md": "# B\n\n" + strings.Repeat("a line \"of\" the text\n", 2000)}
	for i := range 20 {
		files[fmt.Sprintf("d/%d.md", i)] = fmt.Sprintf("# %d\n\ntext\n", i)
		files[fmt.Sprintf("%s%d.md", deep, i)] = "\xff text\n"
	}
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{docs(t, files)}, Structured: true}), "", nil)
	var page struct {
		Cursor string `json:"next_cursor"`
	}
	first, err := session.CallTool(t.Context(), params("list_links", object{"path": "a.md", "broken": true, "max_chars": 10_000}))
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := json.Marshal(first.StructuredContent); err != nil || json.Unmarshal(raw, &page) != nil || page.Cursor == "" {
		t.Fatalf("%s, %v", raw, err)
	}
	for _, limit := range []int{500, 700, 2000, 5000, 40_000} {
		for _, c := range []toolCall{
			{"list_documents", object{"limit": 1000}},
			{"search_sections", object{"path": "d", "query": "text", "limit": 1000}},
			{"search_sections", object{"path": "b.md", "query": "text", "match": "text"}},
			{"search_sections", object{"query": "text", "limit": 1000}},
			{"list_links", object{}},
			{"list_links", object{"path": "a.md"}},
			{"list_links", object{"path": "a.md", "broken": true, "cursor": page.Cursor}},
		} {
			c.args["max_chars"] = limit
			result, err := session.CallTool(t.Context(), params(c.tool, c.args))
			if err != nil || result.IsError && limit > 1000 { // the path alone may be longer than the reply
				t.Fatalf("%v %+v", err, result)
			}
			raw, err := json.Marshal(result.StructuredContent)
			if n := utf8.RuneCount(raw); err != nil || n > limit && !result.IsError {
				t.Errorf("%s %v: %d characters, %v: %.300s", c.tool, c.args, n, err, raw)
			}
		}
	}
}

// TestPagesOfLargeDocuments: a document of a folder that even a page of its own has too little room
// for is told so in its place, and the pages go on behind it.
func TestPagesOfLargeDocuments(t *testing.T) {
	names := []string{"docs/a.md", "docs/" + strings.Repeat("long-", 15) + ".md", "docs/z.md"}
	session := client(t, map[string]string{names[0]: "# A\n", names[1]: strings.Repeat("## Part of it\n\n", 100), names[2]: "# Z\n"})
	for _, tool := range []string{toolSections, toolTree} {
		failed := 0
		var paths []string
		for next, pages := "", 0; pages == 0 || next != ""; pages++ {
			args := object{"file_path": "docs", "max_chars": 500}
			if next != "" {
				args["cursor"] = next
			}
			text, isError := ask(t, session, tool, args)
			if isError || utf8.RuneCountInString(text) > 500 || pages > 5 {
				t.Fatalf("%s, page %d: %s", tool, pages, text)
			}
			var page struct {
				Documents []struct {
					Path  string `json:"file_path"`
					Error *struct{ Code, Message string }
				}
				Next string `json:"next_cursor"`
			}
			if err := json.Unmarshal([]byte(text), &page); err != nil {
				t.Fatalf("%s: %v: %s", tool, err, text)
			}
			for _, d := range page.Documents {
				if paths = append(paths, d.Path); d.Error != nil {
					if failed++; d.Path != names[1] || d.Error.Code != "invalid_argument" || !strings.Contains(d.Error.Message, "max_chars 500 is too small for this document; raise it") {
						t.Errorf("%s: %+v", tool, d.Error)
					}
				}
			}
			next = page.Next
		}
		if !slices.Equal(paths, names) || tool == toolSections && failed != 1 {
			t.Errorf("%s: %q, %d too large", tool, paths, failed)
		}
	}
}

// TestListShowsClosestNames has names of files that are close to a path that isn't there shown as all
// names are: without what can't be seen or turns the direction of writing.
func TestListShowsClosestNames(t *testing.T) {
	session := client(t, map[string]string{"a.md": "# A\n", "rl\u202eo.md": "# B\n"})
	text, failed := ask(t, session, toolList, object{"path": []string{".", "rlxo.md"}})
	if failed || !strings.Contains(text, "closest: rl\ufffdo.md\n") || strings.Contains(text, "\u202e") {
		t.Errorf("%q", text)
	}
}
