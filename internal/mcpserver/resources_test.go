package mcpserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
)

func TestDocumentResources(t *testing.T) {
	session := client(t, map[string]string{
		"guide.md": guide, "with space & ü.md": "# A\r\n\r\nText.", "100%.md": "# Percent\n", "sub/a#b.md": "# Hash\n", "empty.md": "", "e?.md": "# E\n",
		"big.md": strings.Repeat("# Part\n\ntext\n\n", 100_000),
	})
	tests := []struct{ uri, want, err string }{
		{"doc:///guide.md", guide, ""},
		{"doc:///guide.md#usage", "## Usage\n\nUse it.\n\n", ""},
		{"doc:///guide.md#install-1", "## Install\n\nTwice.\n", ""},
		{"doc:///with%20space%20&%20%C3%BC.md", "# A\r\n\r\nText.", ""},
		{"doc:///with%20space%20&%20%C3%BC.md#a", "# A\r\n\r\nText.", ""},
		{"doc:///100%25.md", "# Percent\n", ""},
		{"doc:///sub/a%23b.md", "# Hash\n", ""},
		{"doc:///empty.md", "", ""},
		{"doc:///with space & ü.md#a", "# A\r\n\r\nText.", ""},
		{"DOC:///e%3F.md", "# E\n", ""},
		{"doc:///e?.md", "# E\n", ""},
		{"doc:///guide.md#nowhere", "", "heading_not_found"},
		{"doc:///missing.md", "", "file_not_found"},
		{"doc:///../guide.md", "", "path_outside_root"},
		{"doc:///%2e%2e/guide.md", "", "path_outside_root"},
		{"doc:////etc/passwd", "", "path_outside_root"},
		{"doc:///%00.md", "", "invalid_argument"},
		{"doc:///", "", ""},
		{"doc:///100%.md", "", "% is written %25"},
		{"doc:/guide.md", "", "a document is doc:///{+path}"},
		{"doc:///big.md", "", "ask for a section with #anchor"},
		{"doc:///big.md#part-77", "# Part\n\ntext\n\n", ""},
		{"file:///etc/passwd", "", "not found"},
		{"x:y\x1b\x7f", "", "not found"},
		{"file:///\U0001fae9.md", "", "not found"},
	}
	for _, tt := range tests {
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: tt.uri})
		if tt.want == "" && tt.uri != "doc:///empty.md" {
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(tt.err)) {
				t.Errorf("%s: error %v, want %q", tt.uri, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.uri, err)
			continue
		}
		c := result.Contents[0]
		if c.Text != tt.want || c.URI != tt.uri || c.MIMEType != "text/markdown" || (c.Blob != nil) != (tt.want == "") {
			t.Errorf("%s: %s %s %.100q, want %q", tt.uri, c.URI, c.MIMEType, c.Text, tt.want)
		}
		if result.CacheScope != "private" || result.TTLMs != 0 {
			t.Errorf("%s: may be kept: %+v", tt.uri, result.Cacheable)
		}
	}
}

func TestCompletion(t *testing.T) {
	documents := map[string]string{"guide.md": guide, "docs/a guide.md": "# A\n", "docs/Other.md": "# B\n", "dark/\u202ez.md": "# C\n", "dark/y.md": "# C\n", ".git/x.md": "# X\n"}
	for i := range 150 {
		documents[fmt.Sprintf("many/%03d.md", i)] = "# N\n"
	}
	session := client(t, documents)
	document := &mcp.CompleteReference{Type: "ref/resource", URI: docTemplate}
	prompt := &mcp.CompleteReference{Type: "ref/prompt", Name: promptReview}
	tests := []struct {
		ref      *mcp.CompleteReference
		argument string
		typed    string
		context  map[string]string
		want     []string
	}{
		{document, "path", "gui", nil, []string{"guide.md", "docs/a guide.md"}},
		{document, "path", "OTHER", nil, []string{"docs/Other.md"}},
		{document, "path", "docs/a%20", nil, []string{"docs/a guide.md"}},
		{document, "path", "x", nil, []string{}},
		{document, "path", "guide.md#", nil, []string{"guide.md#guide", "guide.md#install", "guide.md#on-linux", "guide.md#usage", "guide.md#notes", "guide.md#install-1"}},
		{document, "path", "guide.md#inst", nil, []string{"guide.md#install", "guide.md#install-1"}},
		{document, "path", "missing.md#", nil, []string{}},
		{document, "nothing", "x", nil, []string{}},
		{document, "path", "dark/", nil, []string{"dark/y.md", "dark/%E2%80%AEz.md"}},
		{prompt, "file_path", "other", nil, []string{"docs/Other.md"}},
		{prompt, "file_path", "dark/", nil, []string{"dark/y.md"}},
		{prompt, "section", "## U", map[string]string{"file_path": "guide.md"}, []string{"## Usage"}},
		{prompt, "section", "## U", nil, []string{}},
		{prompt, "section", "Usa", map[string]string{"file_path": "guide.md"}, []string{"Usage"}},
		{prompt, "section", "on l", map[string]string{"file_path": "guide.md"}, []string{"On Linux"}},
		{prompt, "section", "Inst", map[string]string{"file_path": "guide.md"}, []string{"Guide > Install", "Notes > Install"}},
		{prompt, "section", "## I", map[string]string{"file_path": "guide.md"}, []string{"Guide > Install", "Notes > Install"}},
		{prompt, "section", "Guide >", map[string]string{"file_path": "guide.md"}, []string{"Guide > Install", "Guide > Install > On Linux", "Guide > Usage"}},
		{prompt, "focus", "x", nil, []string{}},
	}
	for _, tt := range tests {
		p := &mcp.CompleteParams{Ref: tt.ref, Argument: mcp.CompleteParamsArgument{Name: tt.argument, Value: tt.typed}}
		if tt.context != nil {
			p.Context = &mcp.CompleteContext{Arguments: tt.context}
		}
		result, err := session.Complete(t.Context(), p)
		if err != nil {
			t.Errorf("%s %q: %v", tt.argument, tt.typed, err)
			continue
		}
		if diff := cmp.Diff(tt.want, result.Completion.Values); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", tt.argument, tt.typed, diff)
		}
	}
	result, err := session.Complete(t.Context(), &mcp.CompleteParams{
		Ref: document, Argument: mcp.CompleteParamsArgument{Name: "path", Value: "many/"},
	})
	if err != nil || len(result.Completion.Values) != maxCompletions || !result.Completion.HasMore {
		t.Errorf("%+v, %v; want %d and more", result, err, maxCompletions)
	}
	if _, err := session.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "x"}, Argument: mcp.CompleteParamsArgument{Name: "x"},
	}); err == nil {
		t.Error("an unknown prompt is completed")
	}
}

func TestReviewPrompt(t *testing.T) {
	session := client(t, map[string]string{"guide.md": guide, "many.md": strings.Repeat("# Heading\n\n", 2000)})
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 2 || list.Prompts[1].Name != promptReview || list.Prompts[0].Name != promptPlan {
		t.Fatalf("prompts %+v, %v", list, err)
	}
	get := func(arguments map[string]string) (string, error) {
		result, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: promptReview, Arguments: arguments})
		if err != nil {
			return "", err
		}
		return result.Messages[0].Content.(*mcp.TextContent).Text, nil
	}
	text, err := get(map[string]string{"file_path": "guide.md", "section": "Usage", "focus": "clarity"})
	for _, want := range []string{`"guide.md"`, `only its section "Usage"`, "above all: clarity", "Install H2:7:18"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v: %q is not in %s", err, want, text)
		}
	}
	if text, err = get(map[string]string{"file_path": "many.md"}); err != nil || !strings.Contains(text, " of 2000 headings shown, there was no room for the others; ") {
		t.Errorf("%v: %.300s", err, text)
	}
	for _, offered := range []string{"markdown_list_sections", "markdown_tree"} {
		s := start(t, doctor.ServerOptions{Roots: []string{docs(t, map[string]string{"many.md": strings.Repeat("# Heading\n\n", 2000)})}, Tools: []string{offered}})
		session = connect(t, s, "", nil)
		text, err = get(map[string]string{"file_path": "many.md"})
		if err != nil || strings.Contains(text, "page through all with markdown_list_sections") != (offered == "markdown_list_sections") ||
			strings.Contains(text, "with the pattern of markdown_tree") != (offered == "markdown_tree") {
			t.Errorf("with %s alone: %v: %.300s", offered, err, text)
		}
	}
	// How much is shown depends on characters, not on bytes, and what is left out is told.
	wide := func(headings int, title string) string {
		return "# " + title + "\n\n" + strings.Repeat("## "+title+"\n\n", headings)
	}
	session = client(t, map[string]string{
		"latin.md": wide(200, "Twenty five characters ok"), "cyrillic.md": wide(200, "Двадцать пять знаков, да!"), "deep.md": wide(400, "Двадцать пять знаков, да!"),
	})
	for file, headings := range map[string]int{"latin.md": 201, "cyrillic.md": 201, "deep.md": 401} {
		text, err = get(map[string]string{"file_path": file})
		shown := strings.Count(text, " H1:") + strings.Count(text, " H2:")
		told := strings.Contains(text, fmt.Sprintf("(%d of %d headings shown, there was no room for the others; choose some with the pattern of markdown_tree, or page ", shown, headings))
		if all := headings == 201; err != nil || shown < 201 || all != (shown == headings) || told == all {
			t.Errorf("%s: %v: %d of %d headings: %.600s", file, err, shown, headings, text[len(text)-600:])
		}
	}
	session = client(t, map[string]string{"guide.md": guide})
	for _, arguments := range []map[string]string{nil, {"file_path": "missing.md"}, {"file_path": "../x.md"}} {
		if text, err = get(arguments); err == nil {
			t.Errorf("%v: %s", arguments, text)
		}
	}
}

// A goal is repeated up to a number of characters, whatever script it is written in.
func TestPlanPromptGoal(t *testing.T) {
	session := client(t, map[string]string{"guide.md": guide})
	for goal, want := range map[string]string{
		strings.Repeat("ж", 1500): strings.Repeat("ж", 1500), strings.Repeat("ж", 2500): strings.Repeat("ж", 1999) + "…", strings.Repeat("j", 2500): strings.Repeat("j", 1999) + "…",
	} {
		result, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: promptPlan, Arguments: map[string]string{"goal": goal}})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Messages[0].Content.(*mcp.TextContent).Text; !strings.Contains(text, "\nWhat I want: "+want+"\n") {
			t.Errorf("%.10s…: %.3000s", goal, text)
		}
	}
}
