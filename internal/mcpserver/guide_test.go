package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/testkit"
)

// guideConfig is the configuration of a project with guides.
const guideConfig = `# What agents are told of this project.
categories:
  rules:
    dir: docs/rules
    patterns: ["*.md"]
    description: How we write code
    vars:
      team: blue
  howto:
    dir: docs/howto
    patterns: ["**/*.md"]
collections:
  start: [rules/style, howto]
`

// guided adds to documents a project with guides.
func guided(documents map[string]string) map[string]string {
	all := map[string]string{
		".sectile.yaml":                 guideConfig,
		"docs/rules/style.md":           "# Style\n\nShort <b>lines</b> & words.\n\n## Names\n\nPlain ones.\n",
		"docs/rules/review.md.mustache": "# Review\n\nAsk team {{team}} about {{category.name}}.\n",
		"docs/howto/release.md":         "# Release\r\n\r\n1. Tag.\r\n",
	}
	maps.Copy(all, documents)
	return all
}

// stable replaces what is drawn anew for every reply.
func stable(text string) string {
	return regexp.MustCompile(`guide-boundary-[0-9a-f-]+[0-9a-f]`).ReplaceAllString(text, "guide-boundary-6ba7b810-9dad-41d1-80b4-00c04fd430c8")
}

// guideResult is a Result object.
type guideResult struct {
	Success      bool   `json:"success"`
	Value        string `json:"value"`
	Matched      *int   `json:"matched"`
	Returned     *int   `json:"returned"`
	Truncated    bool   `json:"truncated"`
	Error        string `json:"error"`
	Type         string `json:"error_type"`
	Instruction  string `json:"instruction"`
	Skipped      []object
	SkippedTotal int `json:"skipped_total"`
}

// category asks for the content of a category.
func category(t testing.TB, session *mcp.ClientSession, args any) (result guideResult, text string) {
	t.Helper()
	text, failed := ask(t, session, toolCategory, args)
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		t.Fatalf("%v: %v in %.300s", args, err, text)
	}
	if failed == result.Success {
		t.Errorf("%v: the error flag is %v of %.300s", args, failed, text)
	}
	return result, text
}

// What the tools of the toolset answer, in one golden file.
func TestGuideReplies(t *testing.T) {
	session := client(t, guided(map[string]string{
		"docs/rules/empty.md": "", "docs/rules/bin.md": "\x00", "docs/rules/bad.md.mustache": "{{nobody}}", "docs/rules/.hidden.md": "# Hidden\n",
		"docs/howto/a/b c ü.md": "# Ü\n",
	}))
	var got strings.Builder
	for _, c := range []toolCall{
		{toolCategories, object{}},
		{toolCategories, object{"cursor": "rules"}},
		{toolCategories, object{"cursor": "nobody"}},
		{toolCategories, object{"limit": 1}},
		{toolCategory, object{"category": "rules", "pattern": "style.md"}},
		{toolCategory, object{"category": "rules", "pattern": "style"}},
		{toolCategory, object{"category": "rules", "pattern": "empty.md"}},
		{toolCategory, object{"category": "rules", "pattern": "review.md"}},
		{toolCategory, object{"category": "rules", "pattern": ".hidden.md"}},
		{toolCategory, object{"category": "rules"}},
		{toolCategory, object{"category": "howto", "pattern": ""}},
		{toolCategory, object{"name": "start"}},
		{toolCategory, object{"category": "start", "glob": "**/*ü*"}},
		{toolCategory, object{"category": "rule"}},
		{toolCategory, object{"category": "rules", "pattern": "*.txt"}},
		{toolCategory, object{"category": "howto", "pattern": "a"}},
		{toolCategory, object{"category": "rules", "pattern": "{bin,bad}.md"}},
		{toolCategory, object{"category": "rules", "pattern": "/etc/*"}},
		{toolCategory, object{"category": "rules", "pattern": "review.md.mustache"}},
		{toolCategory, object{"pattern": "*"}},
		{toolCategory, object{"category": " "}},
		{toolCategory, object{"category": []int{1}}},
		{toolCategory, object{"category": "rules", "max_chars": 500}},
	} {
		args, err := json.Marshal(c.args)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := ask(t, session, c.tool, c.args)
		status := "ok"
		if failed {
			status = "error"
			if n := utf8.RuneCountInString(text); n >= maxErrorChars {
				t.Errorf("%s %s: an error of %d characters", c.tool, args, n)
			}
		}
		fmt.Fprintf(&got, "==== %s %s\n---- %s\n%s\n", c.tool, args, status, stable(text))
	}
	golden(t, filepath.Join("testdata", "guide_replies.txt"), got.String())
}

// instructions are what an agent is told to do about each type of error, word by
// word as the contract has it.
var instructions = map[string]string{
	"not_found":        "Present this error to the user and take no further action.",
	"no_matches":       "Present this error to the user so they can correct the pattern. Do NOT attempt corrective action.",
	"no_session":       "Inform user that project context is required.",
	"io_error":         "Present this error to the user. File system issue requires user intervention.",
	"invalid_pattern":  "Present this error to the user with the pattern rules. Do NOT attempt corrective action.",
	"validation_error": "Return the error to the user without attempting remediation.",
	"stale_cursor":     "Call again without cursor.", // none of the contract's
}

// checkFailure checks the form of a failure.
func checkFailure(t testing.TB, text string) {
	t.Helper()
	var keys []string
	i := 0
	for part := range rawjson.Parts(json.RawMessage(text)) {
		if i++; i%2 == 1 {
			keys = append(keys, string(part))
		}
	}
	if diff := cmp.Diff([]string{`"success"`, `"error"`, `"error_type"`, `"instruction"`}, keys); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
	var r guideResult
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if want, known := instructions[r.Type]; !known || r.Instruction != want {
		t.Errorf("%s: the instruction is %q, want %q", r.Type, r.Instruction, want)
	}
	if n := utf8.RuneCountInString(text); n >= maxErrorChars || r.Error == "" {
		t.Errorf("an error of %d characters: %s", n, text)
	}
}

func TestGuideErrors(t *testing.T) {
	dir := docs(t, guided(map[string]string{"docs/rules/bin.md": "\x00"}))
	gone := docs(t, map[string]string{".sectile.yaml": "categories:\n  rules: {dir: nowhere, patterns: ['*']}\n"})
	broken := docs(t, map[string]string{".sectile.yaml": "categories:\n  rules:\n    dir: docs\n    pattrens: ['*']\n"})
	nothing := docs(t, nil)
	for _, tt := range []struct {
		dir  string
		args any
		kind string
		has  []string
	}{
		{dir, object{"category": "ruels"}, "not_found", []string{"ruels", "rules"}},
		{dir, object{"category": "rules", "pattern": "stile.md"}, "no_matches", []string{"rules", "stile.md", "style.md"}},
		{nothing, object{"category": "rules"}, "no_session", []string{"project"}},
		{gone, object{"category": "rules"}, "io_error", []string{"rules", "nowhere"}},
		{dir, object{"category": "rules", "pattern": "bin.md"}, "io_error", []string{"bin.md", "binary"}},
		{dir, object{"category": "rules", "pattern": "../x"}, "invalid_pattern", []string{"rules", "../x"}},
		{dir, object{"category": "rules", "pattern": "[x"}, "invalid_pattern", []string{"[x"}},
		{dir, object{"category": "rules", "pattern": "a\x00"}, "invalid_pattern", []string{"NUL"}},
		{dir, object{"category": "rules", "pattern": strings.Repeat("{a,aa}", 30)}, "invalid_pattern", []string{"braces"}},
		{dir, object{"category": strings.Repeat("x", 10_000), "pattern": strings.Repeat("y", 10_000)}, "not_found", nil},
		{dir, object{"category": "rules", "pattern": strings.Repeat("\x01\"", 5_000)}, "invalid_pattern", nil},
		{dir, object{}, "validation_error", []string{"category"}},
		{dir, nil, "validation_error", []string{"category"}},
		{dir, object{"category": ""}, "validation_error", []string{"category"}},
		{dir, object{"category": "rules", "patern": "x"}, "validation_error", []string{"patern", "pattern"}},
		{dir, object{"category": "rules", "pattern": []string{"x"}}, "validation_error", []string{"pattern"}},
		{dir, object{"category": "rules", "name": "howto"}, "validation_error", []string{"category", "name"}},
		{broken, object{"category": "rules"}, "validation_error", []string{".sectile.yaml:4:5", "pattrens", "patterns"}},
	} {
		session := connect(t, start(t, doctor.ServerOptions{Roots: []string{tt.dir}}), "", nil)
		r, text := category(t, session, tt.args)
		if r.Success || r.Type != tt.kind {
			t.Errorf("%.80v: %.300s, want %s", tt.args, text, tt.kind)
			continue
		}
		checkFailure(t, text)
		for _, want := range tt.has {
			if !strings.Contains(r.Error, want) {
				t.Errorf("%.80v: %s\nwithout %s", tt.args, r.Error, want)
			}
		}
		if strings.Contains(text, tt.dir) {
			t.Errorf("%.80v names a path of the host: %s", tt.args, text)
		}
	}
}

// What the guards answer in place of a call has the form of its replies as well, and
// with --structured the object comes twice.
func TestGuideFailuresOfTheGuards(t *testing.T) {
	dir := docs(t, guided(nil))
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}, Timeout: time.Nanosecond}), "", nil)
	r, text := category(t, session, object{"category": "rules"})
	if checkFailure(t, text); r.Type != "io_error" || !strings.Contains(r.Error, "no answer within 1ns") {
		t.Errorf("%s", text)
	}
	s := start(t, doctor.ServerOptions{Roots: []string{dir}, Structured: true})
	session = connect(t, s, "", nil)
	for _, args := range []object{{"category": "rules"}, {"category": "nobody"}, {"categories": "x"}} {
		result, err := session.CallTool(t.Context(), params(toolCategory, args))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, result.StructuredContent); diff != "" {
			t.Errorf("%v: structured content differs:\n%s", args, diff)
		}
	}
	s.tool(toolCategory).run = nil // a fault of the program
	r, text = category(t, connect(t, s, "", nil), object{"category": "rules"})
	if checkFailure(t, text); !strings.Contains(r.Error, "fault of the program") {
		t.Errorf("%s", text)
	}
}

// The preset has the tools if there are categories when the server starts, or a
// configuration that somebody will mend.
func TestLeanWithGuides(t *testing.T) {
	for config, want := range map[string]bool{
		guideConfig: true, "": false, "# nothing yet\n": false, "guide:\n  max_files: 7\n": false, "categories: [\n": true,
	} {
		documents := map[string]string{"guide.md": guide}
		if config != "" {
			documents[".sectile.yaml"] = config
		}
		session := connect(t, start(t, doctor.ServerOptions{Roots: []string{docs(t, documents)}, Preset: "lean"}), "", nil)
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		text := strings.Join(names, " ")
		if strings.Contains(text, toolCategory) != want || strings.Contains(text, toolCategories) != want || !strings.Contains(text, "edit_file") {
			t.Errorf("%q: %s, want guides: %v", config, text, want)
		}
		if told := session.InitializeResult().Instructions; strings.Contains(told, toolCategory) != want {
			t.Errorf("%q: %s", config, told)
		}
	}
}

// A running server sees at its next call what has been changed.
func TestGuideConfigurationIsReadAtEveryCall(t *testing.T) {
	dir := docs(t, guided(nil))
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	file := filepath.Join(dir, ".sectile.yaml")
	for _, step := range []struct{ config, want string }{
		{guideConfig, "# Release\r\n\r\n1. Tag.\r\n"},
		{strings.ReplaceAll(guideConfig, "howto", "guides"), "not_found"},
		{strings.Replace(guideConfig, "docs/howto", "docs/nowhere", 1), "io_error"},
		{strings.Replace(guideConfig, "    dir: docs/howto", "     dir docs/howto", 1), "validation_error"},
		{strings.Replace(guideConfig, `["**/*.md"]`, `["**/*.txt"]`, 1), "no_matches"},
		{guideConfig, "# Release\r\n\r\n1. Tag.\r\n"},
	} {
		if err := os.WriteFile(file, []byte(step.config), 0o600); err != nil {
			t.Fatal(err)
		}
		r, text := category(t, session, object{"category": "howto"})
		if r.Value != step.want && r.Type != step.want {
			t.Errorf("%s\nwant %q of\n%s", text, step.want, step.config)
		}
		if r.Type == "validation_error" && !regexp.MustCompile(`(^|\n)\.sectile\.yaml:1?[0-9]:[0-9]+: `).MatchString(r.Error) {
			t.Errorf("no line and column: %s", r.Error)
		}
		_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "guide://category/howto/release.md"})
		if ok := r.Success || r.Type == "no_matches"; (err == nil) != ok {
			t.Errorf("%s: the resource: %v", r.Type, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "docs", "howto", "release.md"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, text := category(t, session, object{"category": "howto"}); r.Value != "new" {
		t.Error(text)
	}
}

// A long list comes in pages, each within its limit, and nothing is missing.
func TestCategoriesInPages(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	var config strings.Builder
	config.WriteString("categories:\n")
	for i := range 60 {
		fmt.Fprintf(&config, "  c%02d: {dir: c, description: '%s'}\n", i, strings.Repeat("é\"", 5*i%240))
	}
	config.WriteString("collections:\n")
	for i := range 20 {
		fmt.Fprintf(&config, "  d%02d: [%s]\n", i, strings.TrimSuffix(strings.Repeat("c00/a*, c01/b, ", 1+20*(i%4)), ", "))
	}
	session := client(t, map[string]string{".sectile.yaml": config.String(), "c/x.md": "x"})
	for _, limit := range []int{500, 1000, 5000, 40_000} {
		args := object{"max_chars": limit}
		var names []string
		for range 100 {
			text, failed := ask(t, session, toolCategories, args)
			if n := utf8.RuneCountInString(text); failed || n > limit {
				t.Fatalf("%d characters, want at most %d: %s", n, limit, text)
			}
			var page struct {
				Categories  []struct{ Name string }
				Collections []struct{ Name string }
				Next        string `json:"next_cursor"`
			}
			if err := json.Unmarshal([]byte(text), &page); err != nil {
				t.Fatal(err)
			}
			for _, c := range append(page.Categories, page.Collections...) {
				names = append(names, c.Name)
			}
			if args["cursor"] = page.Next; page.Next == "" {
				break
			}
		}
		if len(names) != 80 || names[0] != "c00" || names[79] != "d19" {
			t.Errorf("%d characters a page: %d names: %v", limit, len(names), names)
		}
	}
}

// Limits of the configuration are told: what did not come, and why.
func TestGuideLimits(t *testing.T) {
	documents := guided(map[string]string{".sectile.yaml": "guide: {max_files: 100, max_file_bytes: 1024}\ncategories:\n  many: {dir: many, patterns: ['**']}\n"})
	for i := range 250 {
		documents[fmt.Sprintf("many/%03d.md", i)] = strings.Repeat("x", 20*(i%2)*i)
	}
	session := client(t, documents)
	r, text := category(t, session, object{"category": "many"})
	if !r.Success || r.Matched == nil || *r.Matched != 250 || *r.Returned != 100 || !r.Truncated || len(r.Skipped) == 0 || r.Skipped[0]["reason"] != "too_large" {
		t.Errorf("%.300s", text)
	}
	documents = map[string]string{".sectile.yaml": "categories:\n  many: {dir: many, patterns: ['**']}\n", "many/ok.md": "ok"}
	for i := range 250 {
		documents[fmt.Sprintf("many/%03d.md", i)] = "\x00"
	}
	if r, text = category(t, client(t, documents), object{"category": "many"}); len(messageParts(t, r.Value)) != 1 || len(r.Skipped) < 50 || len(r.Skipped) > 100 || r.SkippedTotal != 250 || *r.Matched != 251 || *r.Returned != 1 || r.Truncated {
		t.Errorf("%.300s … %s", text, text[len(text)-100:])
	}
}

// FuzzCategoryContent sends any arguments: the reply is a Result object always.
func FuzzCategoryContent(f *testing.F) {
	for _, raw := range []string{
		``, `null`, `{}`, `[]`, `{"category":"rules"}`, `{"category":"rules","pattern":"*.md"}`, `{"category":"start","pattern":"{a,b}/**"}`,
		`{"category":"rules","pattern":"[a-"}`, `{"name":"howto","glob":"../x"}`, `{"category":"x","pattern":"\u0000"}`, `"{\"category\":\"rules\"}"`,
		`{"category":"rules","pattern":"\\"}`, `{"category":"rules","pattern":".*/**"}`, `{"category":7,"pattern":true}`, "{\"category\":\"\xff\"}",
	} {
		f.Add([]byte(raw))
	}
	s := start(f, doctor.ServerOptions{Roots: []string{docs(f, guided(nil))}})
	handle := s.handle(s.tool(toolCategory))
	f.Fuzz(func(t *testing.T, raw []byte) {
		result, err := handle(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: toolCategory, Arguments: raw}})
		if err != nil || len(result.Content) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		text := result.Content[0].(*mcp.TextContent).Text
		var r guideResult
		if err := json.Unmarshal([]byte(text), &r); err != nil || r.Success == result.IsError {
			t.Fatalf("%v: %s", err, text)
		}
		if !r.Success {
			checkFailure(t, text)
		}
	})
}

// BenchmarkCategoryContent asks for a hundred files of 4 KB through the protocol.
func BenchmarkCategoryContent(b *testing.B) {
	documents := map[string]string{".sectile.yaml": "categories:\n  many: {dir: many, patterns: ['**']}\n"}
	for i := range 100 {
		documents[fmt.Sprintf("many/%03d.md", i)] = strings.Repeat("# A line of some words, \"quoted\" <so>\n", 108)
	}
	session := client(b, documents)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		text, failed := ask(b, session, toolCategory, object{"category": "many"})
		if failed {
			b.Fatal(text)
		}
		size = len(text)
	}
	b.ReportMetric(float64(size), "bytes/reply")
}
