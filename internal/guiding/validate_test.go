package guiding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

func TestGuideValidate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config string
		files  map[string]string
		want   []string // STATUS NAME: the beginning of the message
	}{
		{"no file", "", nil, []string{"warning configuration: there is none"}},
		{"nothing in it", "# nothing yet\n", nil, []string{"warning configuration: .sectile.yaml: no category"}},
		{
			"all is well", "categories:\n  docs:\n    dir: docs\n    patterns: [\"*.md\"]\ncollections:\n  all: [docs, docs/a*]\n",
			map[string]string{"docs/a.md": "a", "docs/b.md": "b"},
			[]string{"ok configuration: .sectile.yaml: 1 category, 1 collection", "ok category docs: 2 files in docs", "ok collection all: 2 files"},
		},
		{
			"wrong in several places", "categories:\n  docs:\n    dir: ../docs\n    pattern: [x]\n  rules:\n    dir: rules\n    patterns: [\"[a\"]\n", nil,
			[]string{"FAILED configuration: .sectile.yaml:3:", "FAILED configuration: .sectile.yaml:4:", "FAILED configuration: .sectile.yaml:7:"},
		},
		{"no YAML", "categories: [\n", nil, []string{"FAILED configuration: .sectile.yaml:"}},
		{"not UTF-8", "a: \xff\n", nil, []string{"FAILED configuration: "}},
		{
			"a folder that is missing", "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\n  other:\n    dir: other\n", nil,
			[]string{"ok configuration: ", `FAILED category docs: .sectile.yaml:3:5: the folder "docs"`, `FAILED category other: .sectile.yaml:6:5: the folder "other"`},
		},
		{
			"a file for a folder", "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\n",
			map[string]string{"docs": "x"},
			[]string{"ok configuration: ", `FAILED category docs: .sectile.yaml:3:5: the folder "docs"`},
		},
		{
			"patterns that match nothing", "categories:\n  docs:\n    dir: docs\n    patterns: [\"*.md\", \"*.txt\", \"x/**\"]\n  none:\n    dir: docs\n    patterns: [\"*.rst\"]\n  free:\n    dir: docs\n" +
				"collections:\n  c: [docs/z*, docs]\n  d: [docs/z*]\n",
			map[string]string{"docs/a.md": ""},
			[]string{
				"ok configuration: ", "ok category docs: 1 file in docs", `warning category docs: .sectile.yaml:4:5: the pattern "*.txt" matches no file`,
				`warning category docs: .sectile.yaml:4:5: the pattern "x/**" matches no file`, `warning category none: .sectile.yaml:7:5: no file matches in the category "none"`,
				"ok category free: 1 file in docs; no patterns, ask with one", "ok collection c: 1 file", `warning collection c: .sectile.yaml:11:3: the entry "docs/z*" matches no file`,
				`warning collection d: .sectile.yaml:12:3: no file matches in the collection "d"`,
			},
		},
		{
			"files that can't be served", "categories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n",
			map[string]string{"docs/a.md": "", "docs/b.md": "\x00", "docs/c.md": "\xff", "docs/d.md.mustache": "{{none}}", "docs/e.md.mustache": "{{date}}"},
			[]string{"ok configuration: ", "warning category docs: b.md: binary", "warning category docs: c.md: encoding", "FAILED category docs: d.md: template: "},
		},
		{
			"nothing can be served", "categories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n",
			map[string]string{"docs/b.md": "\x00"},
			[]string{"ok configuration: ", "FAILED category docs: "},
		},
		{
			"more than a reply has", "guide:\n  max_files: 2\ncategories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n",
			map[string]string{"docs/a.md": "", "docs/b.md": "", "docs/c.md": "", "docs/d.md.mustache": "{{none}}"},
			[]string{"ok configuration: ", "warning category docs: .sectile.yaml:4:3: a reply has the first 2 files only", "FAILED category docs: d.md: template: "},
		},
		{
			"more bytes than a reply has", "guide:\n  max_reply_bytes: 1024\ncategories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n",
			map[string]string{"docs/a.md": strings.Repeat("a", 800), "docs/b.md": strings.Repeat("b", 800)},
			[]string{"ok configuration: ", "ok category docs: 2 files in docs", "warning category docs: .sectile.yaml:4:3: a reply has at most 1024 of 1600 bytes", "warning category docs: b.md: too_large"},
		},
		{
			"a template that a reply has no room for", "guide:\n  max_reply_bytes: 1024\ncategories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n",
			map[string]string{"docs/a.md": strings.Repeat("a", 1000), "docs/t.md.mustache": strings.Repeat("b", 500) + "{{none}}"},
			[]string{
				"ok configuration: ", "warning category docs: .sectile.yaml:4:3: a reply has at most 1024 of 1508 bytes",
				"FAILED category docs: t.md: template: ",
			},
		},
		{
			"much that can't be served", "categories:\n  docs:\n    dir: docs\n    patterns: [\"**\"]\n", many(8, "docs/%d.md", "\x00", "docs/a.md.mustache", "{{none}}", "docs/b.md", ""),
			[]string{
				"ok configuration: ", "warning category docs: 0.md: binary", "warning category docs: 1.md: binary", "warning category docs: 2.md: binary",
				"warning category docs: 3.md: binary", "warning category docs: 4.md: binary", "FAILED category docs: 4 more can't be served",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			contents := map[string]string{".git/HEAD": ""}
			maps.Copy(contents, tt.files)
			if tt.config != "" {
				contents[config.Name] = tt.config
			}
			t.Chdir(testkit.Folder(t, contents))
			report, err := guidesIn("").Validate(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			failed := false
			var got []string
			for i, c := range report.Checks {
				status := string(c.Status)
				if c.Status == replies.StatusFailed {
					status, failed = "FAILED", true
				}
				line := status + " " + c.Name + ": " + c.Message
				if i < len(tt.want) && strings.HasPrefix(line, tt.want[i]) {
					line = tt.want[i]
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if report.Failed != failed {
				t.Errorf("failed: %t", report.Failed)
			}
			if text := report.JSON(); !json.Valid(text) || strings.Count(string(text), "\n") != 1 {
				t.Errorf("%s", text)
			}
		})
	}
}

// many makes files with a number in their names, and those that are given.
func many(n int, name, text string, others ...string) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf(name, i)] = text
	}
	for i := 0; i < len(others); i += 2 {
		files[others[i]] = others[i+1]
	}
	return files
}

func TestGuideValidateEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := testkit.Folder(t, map[string]string{config.Name: "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\n", "docs/a.md": ""})
	if report, err := guidesIn(dir).Validate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestGuideValidateInTime has no time to look: an error names what was not looked at.
func TestGuideValidateInTime(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{config.Name: "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\ncollections:\n  all: [docs]\n", "docs/a.md": ""})
	g := guidesIn(dir)
	g.patience = 0
	report, err := g.Validate(t.Context())
	if err != nil || !report.Failed || len(report.Checks) != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	if c := report.Checks[1]; !strings.HasSuffix(c.Message, "not looked at: the category docs and 1 after it") || c.Advice == "" {
		t.Errorf("%+v", c)
	}
	loaded, err := g.Loader.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := newValidation(loaded, g.places(), "").unseen(1); !strings.HasSuffix(c.Message, ": the collection all") {
		t.Errorf("%+v", c)
	}
}

// TestGuideValidateChain has each of thousands of collections name the next, with a pattern: those of
// which as many lie in one another as may are served, and of each other one is told at once that it isn't.
func TestGuideValidateChain(t *testing.T) {
	const chain, most = 3000, 100
	var text strings.Builder
	text.WriteString("categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\ncollections:\n")
	for i := range chain {
		fmt.Fprintf(&text, "  c%d: [\"c%d/*\"]\n", i, i+1)
	}
	fmt.Fprintf(&text, "  c%d: [docs]\n", chain)
	dir := testkit.Folder(t, map[string]string{config.Name: text.String(), "docs/a.md": ""})
	report, err := guidesIn(dir).Validate(t.Context())
	if err != nil || len(report.Checks) != 2+chain+1 {
		t.Fatalf("%+v, %v", report, err)
	}
	for i, c := range report.Checks[2:] {
		if tooDeep := strings.Contains(c.Message, "more than 100 collections lie in one another"); tooDeep != (chain+1-i > most) || tooDeep != (c.Status == replies.StatusFailed) {
			t.Fatalf("%+v", c)
		}
	}
}

// TestGuideListInTime has no time to count: the categories are there, and say so.
func TestGuideListInTime(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{config.Name: "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\n  more:\n    dir: docs\n", "docs/a.md": ""})
	g := guidesIn(dir)
	for _, patience := range []time.Duration{0, time.Minute} {
		g.patience = patience
		list, err := g.List(t.Context())
		if err != nil || len(list.Categories) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		for _, c := range list.Categories {
			if strings.Contains(c.Error, "took too long") != (patience == 0) || (c.Files == 1) != (patience > 0) {
				t.Errorf("%v: %+v", patience, c)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if list, err := g.List(ctx); err == nil {
		t.Errorf("an ended call: %+v", list)
	}
}

// TestGuideValidateLooksOnce looks at collections of one another when the files are gone: what
// was found for the first is not looked for again.
func TestGuideValidateLooksOnce(t *testing.T) {
	text := "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\ncollections:\n  c0: [docs/a*, docs/none*]\n"
	for i := 1; i < 50; i++ {
		text += fmt.Sprintf("  c%d: [c%d, docs]\n", i, i-1)
	}
	dir := testkit.Folder(t, map[string]string{config.Name: text, "docs/a.md": "", "docs/b.md": ""})
	g := guidesIn(dir)
	loaded, err := g.Loader.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := newValidation(loaded, g.places(), "")
	for i := range len(loaded.Collections) + 1 {
		if checks := v.named(t.Context(), i); i > 1 && (len(checks) != 1 || checks[0].Message != "2 files") {
			t.Errorf("%d: %+v", i, checks)
		}
		if i == 2 {
			if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestGuideValidateWithoutAProject warns of what the user's file has for projects
// alone, and shows the file by a path that can be opened.
func TestGuideValidateWithoutAProject(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"here/x": "", "config.yaml": "categories:\n  docs:\n    dir: docs\n    patterns: [\"*\"]\n"})
	t.Chdir(filepath.Join(dir, "here"))
	user := filepath.Join(dir, "config.yaml")
	report, err := NewGuides(GuideOptions{UserFile: user}).Validate(t.Context())
	if err != nil || report.Failed || len(report.Checks) != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	place := filepath.Join("..", "config.yaml")
	if c := report.Checks[1]; c.Status != replies.StatusWarning || !strings.HasPrefix(c.Message, place+":2:3: ") || c.Advice == "" {
		t.Errorf("%+v", c)
	}
	if err := os.WriteFile(user, []byte("categories:\n  docs:\n    dri: docs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := NewGuides(GuideOptions{UserFile: user})
	report, err = g.Validate(t.Context())
	if err != nil || !report.Failed || !strings.HasPrefix(report.Checks[0].Message, place+":") {
		t.Errorf("%+v, %v", report, err)
	}
	_, err = g.List(t.Context())
	failed, ok := errors.AsType[*replies.Error](g.Failure(err))
	if !ok || !strings.Contains(strings.Join(append(failed.Lines(), failed.Error()), "\n"), place+":") {
		t.Errorf("%v", failed)
	}
	if typed := AsGuideError(err); strings.Contains(typed.Message, place) {
		t.Errorf("an agent is told a path of the host: %v", typed)
	}
}
