package guiding

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

func TestGuideChanges(t *testing.T) {
	const start = "# Mine.\ncategories:\n  docs: # these\n    dir: docs\n    patterns: [\"*.md\"]\ncollections:\n  all: [docs]\n"
	for _, tt := range []struct {
		name string
		do   func(g *Guides) (*GuideChanged, error)
		line string
		want []string // parts of the file, that with ! are not in it
	}{
		{"add a category", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "more", Dir: new("docs"), Patterns: &[]string{"**"}, Description: new("What else")})
		}, "did category more to .sectile.yaml: 3 files\n", []string{"# Mine.\n", "# these", "more:", "What else"}},
		{"add a category without patterns", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "more", Dir: new("docs")})
		}, "did category more to .sectile.yaml: the category \"more\" has no patterns of its own; ", []string{"more:"}},
		{"add one whose folder is missing", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "more", Dir: new("none"), Patterns: &[]string{"*"}})
		}, "did category more to .sectile.yaml: the folder \"none\" of the category \"more\" is missing", []string{"more:"}},
		{"add a collection", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "some", Entries: &[]string{"docs/a*", "all"}})
		}, "did collection some to .sectile.yaml: 2 files\n", []string{"some:", "docs/a*"}},
		{"change a category", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "docs", Patterns: &[]string{"**/*.md"}})
		}, "did category docs to .sectile.yaml: 3 files\n", []string{"# these", "**/*.md"}},
		{"rename a category", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "docs", Rename: new("pages")})
		}, "did category pages to .sectile.yaml: 2 files\n", []string{"pages: # these", "all: [pages]"}},
		{"change a collection", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "all", Entries: &[]string{"docs/b"}})
		}, "did collection all to .sectile.yaml: 1 file\n", []string{"docs/b"}},
		{"remove a collection", func(g *Guides) (*GuideChanged, error) {
			return g.Remove(t.Context(), "all", false)
		}, "did collection all to .sectile.yaml\n", []string{"# these", "!all"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testkit.Folder(t, map[string]string{config.Name: start, "docs/a.md": "", "docs/b.md": "", "docs/c/d.md": ""})
			t.Chdir(dir)
			done, err := tt.do(guidesIn(""))
			if err != nil {
				t.Fatal(err)
			}
			if line := string(done.Line("did", "to")); !strings.HasPrefix(line, tt.line) || strings.Count(line, "\n") != 1 {
				t.Errorf("got  %q\nwant %q", line, tt.line)
			}
			text, err := os.ReadFile(config.Name)
			for _, part := range tt.want {
				without, not := strings.CutPrefix(part, "!")
				if err != nil || strings.Contains(string(text), without) == not {
					t.Errorf("%q: %v\n%s", part, err, text)
				}
			}
		})
	}
}

// TestGuideChangesStay: what was written is told of as written where the configuration can't be read
// a moment later.
func TestGuideChangesStay(t *testing.T) {
	for name, do := range map[string]func(ctx context.Context, g *Guides) (*GuideChanged, error){
		"did category more to .sectile.yaml: the configuration can't be used\n": func(ctx context.Context, g *Guides) (*GuideChanged, error) {
			return g.Add(ctx, &GuideChange{Name: "more", Dir: new("docs")})
		},
		"did collection some to .sectile.yaml: the configuration can't be used\n": func(ctx context.Context, g *Guides) (*GuideChanged, error) {
			return g.Add(ctx, &GuideChange{Name: "some", Entries: &[]string{"docs"}})
		},
		"did collection every to .sectile.yaml: the configuration can't be used\n": func(ctx context.Context, g *Guides) (*GuideChanged, error) {
			return g.Change(ctx, &GuideChange{Name: "all", Rename: new("every")})
		},
		"did collection all to .sectile.yaml\n": func(ctx context.Context, g *Guides) (*GuideChanged, error) {
			return g.Remove(ctx, "all", false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			const start = "categories:\n  docs:\n    dir: docs\ncollections:\n  all: [docs]\n"
			dir := testkit.Folder(t, map[string]string{config.Name: start, "docs/a.md": ""})
			t.Chdir(dir)
			user := filepath.Join(t.TempDir(), "config.yaml")
			ctx := filesystem.WithSteps(t.Context(), func(call, name string) error {
				if name == config.Name {
					return os.WriteFile(user, []byte("more: x\n"), 0o600)
				}
				return nil
			})
			done, err := do(ctx, NewGuides(GuideOptions{UserFile: user}))
			if err != nil {
				t.Fatal(err)
			}
			if line := string(done.Line("did", "to")); line != name {
				t.Errorf("got  %q\nwant %q", line, name)
			}
			if text, err := os.ReadFile(config.Name); err != nil || string(text) == start {
				t.Errorf("%v, %q", err, text)
			}
		})
	}
}

func TestGuideChangesRefused(t *testing.T) {
	const start = "categories:\n  docs:\n    dir: docs\n    patterns: [\"*.md\"]\ncollections:\n  all: [docs]\n"
	for _, tt := range []struct {
		name  string
		do    func(g *Guides) (*GuideChanged, error)
		code  string
		words []string
	}{
		{"neither category nor collection", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x"})
		}, "invalid_argument", nil},
		{"both", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Dir: new("docs"), Entries: &[]string{"docs"}})
		}, "invalid_argument", nil},
		{"a collection with patterns", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Entries: &[]string{"docs"}, Patterns: &[]string{"*"}})
		}, "invalid_argument", nil},
		{"a name that is taken", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "all", Dir: new("docs")})
		}, "validation_error", []string{"all", "collection"}},
		{"a name that is none", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "a b\n\x1b[31m", Dir: new("docs")})
		}, "validation_error", nil},
		{"a folder outside", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Dir: new("../docs")})
		}, "validation_error", []string{"dir"}},
		{"a pattern that is none", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Dir: new("docs"), Patterns: &[]string{"[a", "b", "../c"}})
		}, "validation_error", []string{"[a"}},
		{"an entry that is not there", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Entries: &[]string{"dosc"}})
		}, "validation_error", []string{"dosc"}},
		{"a circle", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "all", Entries: &[]string{"docs", "all"}})
		}, "validation_error", []string{"all"}},
		{"to change what is not there", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "dosc", Dir: new("x")})
		}, "validation_error", []string{"dosc"}},
		{"a folder for a collection", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "all", Dir: new("docs")})
		}, "validation_error", []string{"all", "collection"}},
		{"to rename to a name that is taken", func(g *Guides) (*GuideChanged, error) {
			return g.Change(t.Context(), &GuideChange{Name: "docs", Rename: new("all")})
		}, "validation_error", []string{"collection"}},
		{"to remove what a collection names", func(g *Guides) (*GuideChanged, error) {
			return g.Remove(t.Context(), "docs", false)
		}, "validation_error", []string{"all"}},
		{"to remove what is not there", func(g *Guides) (*GuideChanged, error) {
			return g.Remove(t.Context(), "none", false)
		}, "validation_error", []string{"none"}},
		{"a user's file where there is none", func(g *Guides) (*GuideChanged, error) {
			return g.Add(t.Context(), &GuideChange{Name: "x", Dir: new("/docs"), User: true})
		}, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testkit.Folder(t, map[string]string{config.Name: start, "docs/a.md": ""})
			t.Chdir(dir)
			done, err := tt.do(guidesIn(""))
			if err == nil {
				t.Fatalf("done: %+v", done)
			}
			failed, ok := errors.AsType[*replies.Error](err)
			if !ok || tt.code != "" && failed.Code != tt.code {
				t.Fatalf("got %v, want %s", err, tt.code)
			}
			told := strings.Join(slices.Concat([]string{failed.Error()}, failed.Lines()), "\n")
			for _, word := range tt.words {
				if !strings.Contains(told, word) {
					t.Errorf("%q is not in %q", word, told)
				}
			}
			if strings.Contains(told, dir) || strings.ContainsAny(told, "\x1b") {
				t.Errorf("it tells too much: %q", told)
			}
			if text, err := os.ReadFile(filepath.Join(dir, config.Name)); err != nil || string(text) != start {
				t.Errorf("%v: %s", err, text)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".sectile*")); len(left) != 1 {
				t.Errorf("there is something new: %q", left)
			}
		})
	}
}

func TestGuideFailure(t *testing.T) {
	one, two := config.Problem{File: "a", Line: 1, Column: 2, Field: "x", Message: "no\x1b"}, config.Problem{File: "b", Message: "none"}
	for _, tt := range []struct {
		err   error
		text  string
		lines []string
	}{
		{&config.Error{Problems: []config.Problem{one}}, `validation_error: a:1:2: x: no`, nil},
		{AsGuideError(&config.Error{Problems: []config.Problem{one, two}}), `validation_error: the configuration has 2 problems`, []string{"a:1:2: x: no", "b: none"}},
		{&GuideError{Type: "no_matches", Message: "no file"}, "no_matches: no file", nil},
		{&replies.Error{Code: "conflict", Path: "a", Message: replies.Say("changed")}, "conflict: a: changed", nil},
	} {
		failed, ok := errors.AsType[*replies.Error](guidesIn(t.TempDir()).Failure(tt.err))
		if !ok || !strings.HasPrefix(failed.Error(), tt.text) {
			t.Errorf("%v: got %v, want %s", tt.err, failed, tt.text)
			continue
		}
		var lines []string
		for i, line := range failed.Lines() {
			if i < len(tt.lines) && strings.HasPrefix(line, tt.lines[i]) {
				line = tt.lines[i]
			}
			lines = append(lines, line)
		}
		if diff := cmp.Diff(tt.lines, lines); diff != "" {
			t.Errorf("%v: -want +got:\n%s", tt.err, diff)
		}
	}
}

// TestGuideAddWithoutAProject refuses a change of a file that has no place, and makes
// none.
func TestGuideAddWithoutAProject(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"docs/a.md": ""})
	_, err := guidesIn(dir).Add(t.Context(), &GuideChange{Name: "docs", Dir: new("docs")})
	failed, ok := errors.AsType[*replies.Error](err)
	if !ok || failed.Code != "no_session" || !strings.Contains(failed.Message.String(), "sectile guide init") {
		t.Errorf("%v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, config.Name)); err == nil {
		t.Error("a file was made")
	}
}

func TestCheckStart(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": ""})
	for path, code := range map[string]string{dir: "", filepath.Join(dir, "none"): "file_not_found", filepath.Join(dir, "a.md"): replies.CodeInvalidArgument} {
		err := CheckStart(path)
		if code == "" && err == nil {
			continue
		}
		if failed, ok := errors.AsType[*replies.Error](err); !ok || failed.Code != code || failed.Path != path {
			t.Errorf("%s: %v, want %q", path, err, code)
		}
	}
}
