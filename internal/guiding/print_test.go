package guiding

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

func TestGuideListText(t *testing.T) {
	for _, tt := range []struct {
		name string
		list GuideList
		want string
	}{
		{"nothing", GuideList{}, "no category is configured; 'sectile guide init' writes a start, 'sectile guide add NAME --dir DIR --pattern PATTERN' adds one\n"},
		{
			"all there is",
			GuideList{
				Categories: []GuideCategory{
					{Name: "docs", Description: "How", Dir: "docs", Patterns: []string{"*.md", "x/**"}, Files: 1},
					{Name: "mine", Dir: "~/n", Patterns: []string{"*"}, User: true},
					{Name: "free", Dir: "."},
					{Name: "none", Dir: "none", Patterns: []string{"*"}, Error: "it is missing"},
				},
				Collections: []GuideCollection{{Name: "all", Description: "Both", Entries: []string{"docs", "free/a*"}}, {Name: "my", Entries: []string{"mine"}, User: true}},
			},
			"docs: 1 file in docs (*.md, x/**)\n  How\nmine: 0 files in ~/n (*), from the user's file\nfree: 0 files in . (no patterns; ask with one)\n" +
				"none: can't be read: none (*)\n  it is missing\nall: collection of docs, free/a*\n  Both\nmy: collection of mine, from the user's file\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(tt.list.Text(replies.Style{}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestGuideLinesAreHarmless shows what documents and configurations can be called,
// on lines that do nothing to a terminal.
func TestGuideLinesAreHarmless(t *testing.T) {
	const bad = "a\x1b[31m\nb\u202e\u0085\rc"
	list := GuideList{
		Categories:  []GuideCategory{{Name: "x", Description: bad, Dir: bad, Patterns: []string{bad}, Error: bad}},
		Collections: []GuideCollection{{Name: "y", Description: bad, Entries: []string{bad}}},
	}
	files := GuideFiles{
		Files: []GuideFile{{Category: "x", Path: bad}, {Category: "x", Path: "b", Template: true, Bytes: 1}}, Matched: 9, Truncated: true,
		Skipped: []GuideSkipped{{Path: bad, Reason: "binary", Detail: bad}},
	}
	changed := GuideChanged{Kind: "category", Name: "x", File: bad, Error: bad}
	start := GuideStart{File: bad, Categories: 1}
	for name, text := range map[string]struct {
		text  string
		lines int
	}{
		"list":    {string(list.Text(replies.Style{})), 5},
		"files":   {string(files.Text()), 2},
		"notes":   {strings.Join(files.Notes(), "\n") + "\n", 2},
		"changed": {string(changed.Line("added", "to")), 1},
		"start":   {string(start.Line()), 1},
	} {
		if strings.ContainsAny(text.text, "\x1b\u202e\u0085\r") || strings.Count(text.text, "\n") != text.lines {
			t.Errorf("%s: %q", name, text.text)
		}
	}
	if !json.Valid(list.Details()) || !json.Valid(files.JSON()) {
		t.Errorf("%s%s", list.Details(), files.JSON())
	}
}

func TestGuideFiles(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		".sectile.yaml": "guide:\n  max_files: 2\ncategories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n", "docs/a.md": "abc", "docs/b.md.mustache": "{{none}}", "docs/c.md": "",
	})
	list, err := guidesIn(dir).Files(t.Context(), "docs", "")
	if err != nil || len(list.Files) != 2 || list.Matched != 3 || !list.Truncated {
		t.Fatalf("%+v, %v", list, err)
	}
	if text := string(list.Text()); text != "a.md: 3 bytes\nb.md: 8 bytes, a template\n" {
		t.Errorf("%q", text)
	}
	want := []string{"2 of 3 files that match are here; narrow the pattern, or raise guide.max_files"}
	if diff := cmp.Diff(want, list.Notes()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := guidesIn(dir).Files(t.Context(), "dosc", ""); err == nil {
		t.Error("there is a category dosc")
	}
	content, err := guidesIn(dir).Content(t.Context(), nil, "docs", "{a,c}.md")
	if err != nil || len(content.Notes()) != 0 {
		t.Errorf("%+v, %v", content, err)
	}
}

func TestGuideCompletion(t *testing.T) {
	g := guidesIn(testkit.Folder(t, map[string]string{
		".sectile.yaml": "categories:\n  docs:\n    dir: docs\n    description: How it works\n    patterns: [\"*.md\"]\n  free:\n    dir: docs\ncollections:\n  all: [docs]\n",
		"docs/a b.md":   "", "docs/[c].md": "", "docs/x{y,}*?.md": "", "docs/d\x1b.md": "", "docs/e.txt": "",
	}))
	for _, tt := range []struct {
		find  func(g *Guides, args []string, typed string) []replies.Completion
		args  []string
		typed string
		want  string
	}{
		{CompleteGuide, nil, "", "docs free all"},
		{CompleteGuide, nil, "f", "free"},
		{CompleteGuide, []string{"docs"}, "", `[[]c].md a b.md x[{]y,[}][*][?].md`},
		{CompleteGuide, []string{"docs"}, "a", "a b.md"},
		{CompleteGuide, []string{"free"}, "", `[[]c].md a b.md e.txt x[{]y,[}][*][?].md`},
		{CompleteGuide, []string{"all"}, "", `[[]c].md a b.md x[{]y,[}][*][?].md`},
		{CompleteGuide, []string{"none"}, "", ""},
		{CompleteGuide, []string{"docs", "a"}, "", ""},
		{CompleteGuideName, []string{"docs"}, "", ""},
		{CompleteGuideEntry, []string{"new"}, "a", "all"},
	} {
		var got []string
		for _, c := range tt.find(g, tt.args, tt.typed) {
			got = append(got, c.Selector)
			if strings.ContainsAny(c.Selector+c.Description, "\x1b\n") {
				t.Errorf("%+v", c)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q %q: got %q, want %q", tt.args, tt.typed, got, tt.want)
		}
		for _, pattern := range got {
			if len(tt.args) != 1 || tt.args[0] == "new" {
				break
			}
			if list, err := g.Files(t.Context(), tt.args[0], pattern); err != nil || len(list.Files) != 1 {
				t.Errorf("%s means %+v, %v", pattern, list, err)
			}
		}
	}
}

// TestGuideFilesArePatterns asks for every file by what the list calls it: in a
// category by a pattern, in a collection by an entry.
func TestGuideFilesArePatterns(t *testing.T) {
	g := guidesIn(testkit.Folder(t, map[string]string{
		".sectile.yaml": "categories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\ncollections:\n  all: [docs]\n",
		"docs/a b.md":   "1", "docs/[c].md": "22", "docs/x/{y}*.md": "333", "docs/a:b.md": "4444", "docs/é:b.md": "55555", "docs/v:x/a:b.md": "666666",
	}))
	for _, name := range []string{"docs", "all"} {
		list, err := g.Files(t.Context(), name, "")
		if err != nil || len(list.Files) != 6 {
			t.Fatalf("%+v, %v", list, err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(list.Text()), "\n"), "\n") {
			pattern, _, _ := strings.Cut(line, ": ")
			if name == "all" {
				var ok bool
				if pattern, ok = strings.CutPrefix(pattern, "docs/"); !ok {
					t.Errorf("%q doesn't name its category", line)
				}
			}
			one, err := g.Files(t.Context(), "docs", pattern)
			if err != nil || len(one.Files) != 1 || one.Files[0].Path != list.Files[i].Path {
				t.Errorf("%q means %+v, %v", line, one, err)
			}
		}
	}
}
