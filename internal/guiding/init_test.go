package guiding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/filelock"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// guidesIn returns the guides of the project in a folder, without a user's file.
func guidesIn(dir string) *Guides { return NewGuides(GuideOptions{Start: dir, UserFile: "-"}) }

// categories renders what a project could have: NAME DIR PATTERN…, and what to read
// first.
func categories(t *testing.T, dir string) (found []string, s *survey) {
	t.Helper()
	s, err := openSurvey(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.root.Close()
	s.reserve(&config.Loaded{}, nil)
	list, err := s.look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		found = append(found, strings.Join(append([]string{list[i].name, list[i].dir}, list[i].patterns...), " "))
	}
	if len(list) > 1 {
		found = append(found, "start: "+strings.Join(firstEntries(list), " "))
	}
	return found, s
}

func TestGuideInitLooks(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files string // with blanks between them
		want  []string
	}{
		{"empty", "", nil},
		{"code alone", "main.go internal/a/a.go vendor/x/README.md LICENSE", nil},
		{"docs alone", "docs/a.md docs/b/c.md", []string{"docs docs **/*.md"}},
		{
			"docs of all kinds", "docs/a.txt docs/b.rst docs/c/d/e.mdx documentation/a.txt doc/x.png doc/.hidden.md guides/a.md guides/index.md",
			[]string{"docs docs **/*.mdx **/*.rst", "documentation documentation **/*.txt", "guides guides **/*.md", "start: docs documentation guides/index.md"},
		},
		{
			"documents at the top", "readme.md README.rst Contributing.MD STYLE_GUIDE.txt HACKING READMEE.md docs/README.md",
			[]string{"project . readme.md Contributing.MD HACKING STYLE_GUIDE.txt", "docs docs **/*.md", "start: project/readme.md docs/README.md"},
		},
		{
			"rules", "AGENTS.md .github/copilot-instructions.md .github/instructions/go.instructions.md .cursor/rules/a.mdc .cursor/rules/b.mdc " +
				".claude/skills/x/SKILL.md .claude/worktrees/x/docs/a.md .clinerules/a.md .windsurf/rules/a.txt rules/a.md README.md",
			[]string{
				"project . README.md", "agents . AGENTS.md .github/copilot-instructions.md", "claude-skills .claude/skills **/*.md",
				"cursor-rules .cursor/rules **/*.mdc", "copilot-instructions .github/instructions **/*.md", "cline-rules .clinerules **/*.md",
				"rules rules **/*.md", "start: project/README.md agents cursor-rules copilot-instructions cline-rules rules",
			},
		},
		{
			"files of agents, and of a website", ".claude/CLAUDE.md AGENT.md website/docs/a.md website/docs/README.md website/b.md",
			[]string{"agents . AGENT.md .claude/CLAUDE.md", "website-docs website/docs **/*.md", "start: agents website-docs/README.md"},
		},
		{
			"a monorepo", "packages/a/README.md packages/b/README.md packages/b/AGENTS.md packages/c/docs/x/y.md packages/.d/CLAUDE.md packages/CONTRIBUTING.md " +
				"apps/x/main.ts CLAUDE.md",
			[]string{"agents . CLAUDE.md", "packages packages */AGENTS.md */README.md */docs/**/*.md", "start: agents"},
		},
		{
			"names with blanks and dots", "Developer_Guide/a.md docs.v2/a.md my%docs/a.md -docs/a.md .docs/a.md dockerdocs/a.md docs/a.md Docs:old/a.md",
			[]string{
				"docs -docs **/*.md", "Developer_Guide Developer_Guide **/*.md", "Docs-old Docs:old **/*.md", "docs-2 docs **/*.md",
				"docs-v2 docs.v2 **/*.md", "my-docs my docs **/*.md", "start: docs Developer_Guide Docs-old docs-2 docs-v2 my-docs",
			},
		},
		{"names that can't be written down", `docs\x/a.md docs` + "\x01" + `/a.md docs` + "\xff" + "/a.md docs\u202e/a.md", nil},
		{
			"names of which a part can't be a category's", "docs-\u3164x/a.md docs\ufe0f/a.md docs.pem/a.md wiki/a.md guides/x.pem/a.md guides/id_rsa",
			[]string{"docs-x docs-\u3164x **/*.md", "docs docs\ufe0f **/*.md", "wiki wiki **/*.md", "start: docs-x docs wiki"},
		},
		{"templates alone", "docs/a.md.mustache", nil},
		{"as deep as is served", "docs/1/2/3/4/5/6/7/8/a.md docs/1/2/3/4/5/6/7/8/9/a.rst", []string{"docs docs **/*.md"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			contents := map[string]string{}
			for name := range strings.FieldsSeq(tt.files) {
				contents[strings.ReplaceAll(name, "%", " ")] = "x\n"
			}
			got, s := categories(t, testkit.Folder(t, contents))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(s.notes) > 0 {
				t.Errorf("notes: %q", s.notes)
			}
		})
	}
}

// TestGuideInitIsBounded looks at a part of what is huge, and only of what is called
// like documentation.
func TestGuideInitIsBounded(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"docs/a.md": "", "docs/wide/a.rst": "", "node_modules/docs/a.md": ""})
	var more []string
	for i := range 2500 {
		more = append(more, filepath.Join(dir, "docs", "wide", fmt.Sprintf("%d.png", i)),
			filepath.Join(dir, "node_modules", fmt.Sprint(i/50), fmt.Sprintf("%d.md", i)))
	}
	testkit.Crowd(t, "", more)
	got, s := categories(t, dir)
	if len(got) != 1 || !strings.HasPrefix(got[0], "docs docs **/*.md") {
		t.Errorf("found %q", got)
	}
	if most := lookNames + 2; s.names > most {
		t.Errorf("%d names were looked at, more than %d", s.names, most)
	}
}

// TestGuideInitNotes tells what can't be looked at.
func TestGuideInitNotes(t *testing.T) {
	_, s := categories(t, testkit.Folder(t, map[string]string{"docs/a.md": ""}))
	s.root.Close()
	if entries, _ := s.list("docs", 1); len(entries) > 0 || len(s.notes) != 1 || !strings.HasPrefix(s.notes[0], "io_error: docs: ") {
		t.Errorf("%v, %q", entries, s.notes)
	}
}

// TestGuideInitServes writes a start for projects of many kinds. What it names is
// there, and all of it can be served.
func TestGuideInitServes(t *testing.T) {
	testkit.OneGoroutine(t)
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{
		"docs", "Documentation", "guides.d", "my guide", "docs: a #b", "'docs'", `"docs"`, "docs,{a}", "[docs]", "docs*", "пособие docs", "rules", "adr", "packages", "apps", "src",
		".github", ".cursor", "rules", ".claude", "instructions", "x.y", "README.md", "readme", "AGENTS.md", "CLAUDE.md", "a.md", "b.mdc", "c d.txt", "e.rst", "f.png", "index.md", ".hidden.md", "@docs", "&docs", "!docs", "%docs", "docs ", " docs", "docs-\u3164x", "docs.pem",
	}
	written := 0
	for round := range 150 {
		dir := t.TempDir()
		for range 1 + random.IntN(25) {
			path := dir
			for range random.IntN(4) {
				path = filepath.Join(path, names[random.IntN(len(names))])
			}
			file := filepath.Join(path, names[random.IntN(len(names))])
			_ = os.MkdirAll(path, 0o750) // there may be a file of this name
			_ = os.WriteFile(file, []byte("x\n"), 0o600)
		}
		g := guidesIn(dir)
		start, err := g.Init(t.Context(), false)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		report, err := g.Validate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Checks {
			if c.Status == replies.StatusOK || start.Categories == 0 && c.Message == displayPath(filepath.Join(dir, config.Name))+": no category" {
				continue
			}
			t.Errorf("round %d: %+v\n%s", round, c, start.Text)
		}
		list, err := g.List(t.Context())
		if err != nil || len(list.Categories) != start.Categories {
			t.Fatalf("round %d: %d categories of %d, %v\n%s", round, len(list.Categories), start.Categories, err, start.Text)
		}
		for i := range list.Categories {
			written++
			if _, err := g.Content(t.Context(), nil, list.Categories[i].Name, ""); err != nil {
				t.Errorf("round %d: %v\n%s", round, err, start.Text)
			}
		}
		for i := range list.Collections {
			if _, err := g.Content(t.Context(), nil, list.Collections[i].Name, ""); err != nil {
				t.Errorf("round %d: %v\n%s", round, err, start.Text)
			}
		}
		if t.Failed() {
			return
		}
	}
	if written < 100 {
		t.Errorf("%d categories were written, too few to say anything", written)
	}
}

func TestGuideInitPlaces(t *testing.T) {
	t.Run("at the root of the project", func(t *testing.T) {
		dir := testkit.Folder(t, map[string]string{".git/HEAD": "", "docs/a.md": "", "src/deep/a.go": ""})
		start, err := guidesIn(filepath.Join(dir, "src", "deep")).Init(t.Context(), false)
		if err != nil || start.Categories != 1 {
			t.Fatalf("%+v, %v", start, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, config.Name))
		if err != nil || !bytes.Equal(text, start.Text) {
			t.Errorf("%v: %s", err, text)
		}
	})
	t.Run("where there is no project", func(t *testing.T) {
		dir := testkit.Folder(t, map[string]string{"docs/a.md": "", "src/a.go": ""})
		if _, err := guidesIn(filepath.Join(dir, "src")).Init(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "src", config.Name)); err != nil {
			t.Error(err)
		}
	})
	t.Run("of a working directory", func(t *testing.T) {
		dir := testkit.Folder(t, map[string]string{".jj/x": "", "src/a.go": ""})
		t.Chdir(filepath.Join(dir, "src"))
		start, err := guidesIn("").Init(t.Context(), false)
		if err != nil || start.File != filepath.Join("..", config.Name) {
			t.Errorf("%+v, %v", start, err)
		}
	})
	t.Run("dry run", func(t *testing.T) {
		dir := testkit.Folder(t, map[string]string{"docs/a.md": ""})
		start, err := guidesIn(dir).Init(t.Context(), true)
		if err != nil || start.Categories != 1 {
			t.Fatalf("%+v, %v", start, err)
		}
		if _, err := os.Lstat(filepath.Join(dir, config.Name)); err == nil {
			t.Error("something was written")
		}
	})
}

func TestGuideInitRefuses(t *testing.T) {
	broken := "categories: ["
	for _, tt := range []struct {
		name string
		make func(t *testing.T, file string)
		code string
	}{
		{"a file", func(t *testing.T, file string) { testkit.WriteFile(t, file, "# mine\n") }, codeExists},
		{"a broken file", func(t *testing.T, file string) { testkit.WriteFile(t, file, broken) }, codeExists},
		{"an empty file", func(t *testing.T, file string) { testkit.WriteFile(t, file, "") }, codeExists},
		{"a folder", func(t *testing.T, file string) {
			if err := os.Mkdir(file, 0o750); err != nil {
				t.Fatal(err)
			}
		}, codeExists},
		{"a link to nowhere", func(t *testing.T, file string) {
			if err := os.Symlink("nowhere", file); err != nil {
				t.Skip(err)
			}
		}, codeExists},
	} {
		for _, dryRun := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, dryRun), func(t *testing.T) {
				dir := testkit.Folder(t, map[string]string{"docs/a.md": ""})
				file := filepath.Join(dir, config.Name)
				tt.make(t, file)
				before, _ := os.ReadFile(file)
				_, err := guidesIn(dir).Init(t.Context(), dryRun)
				if failed, ok := errors.AsType[*replies.Error](err); !ok || failed.Code != tt.code || strings.Contains(failed.Message.String(), dir) {
					t.Errorf("got %v", err)
				}
				if after, _ := os.ReadFile(file); !bytes.Equal(after, before) {
					t.Errorf("it is %q now", after)
				}
				if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 2 {
					t.Errorf("there is something new: %q", left)
				}
			})
		}
	}
	t.Run("no folder", func(t *testing.T) {
		if start, err := guidesIn(filepath.Join(t.TempDir(), "none")).Init(t.Context(), false); err == nil {
			t.Errorf("wrote %+v", start)
		}
	})
	t.Run("too late", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		dir := testkit.Folder(t, map[string]string{"docs/a.md": ""})
		if _, err := guidesIn(dir).Init(ctx, false); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if _, err := os.Lstat(filepath.Join(dir, config.Name)); err == nil {
			t.Error("something was written")
		}
	})
}

// TestGuideInitBesideUser gives other names to what the user's file has for something
// else: names of collections to no category, and the other way round.
func TestGuideInitBesideUser(t *testing.T) {
	const users = "categories:\n  start:\n    dir: /none\n  project:\n    dir: /none\ncollections:\n  docs: [project]\n"
	dir := testkit.Folder(t, map[string]string{"docs/a.md": "", "README.md": "", "user.yaml": users})
	g := NewGuides(GuideOptions{Start: dir, UserFile: filepath.Join(dir, "user.yaml")})
	if _, err := g.Init(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	list, err := g.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list.Categories {
		got = append(got, fmt.Sprint(list.Categories[i].Name, " ", list.Categories[i].User))
	}
	for i := range list.Collections {
		got = append(got, fmt.Sprint(list.Collections[i].Name, " ", list.Collections[i].User))
	}
	if diff := cmp.Diff([]string{"project false", "docs-2 false", "start true", "start-2 false", "docs true"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	testkit.WriteFile(t, filepath.Join(dir, "user.yaml"), "broken: [")
	if err := os.Remove(filepath.Join(dir, config.Name)); err != nil {
		t.Fatal(err)
	}
	if start, err := g.Init(t.Context(), false); err == nil {
		t.Errorf("wrote %+v beside a file that can't be read", start)
	}
}

// TestGuideInitTogether lets many begin at once: one of them writes the file.
func TestGuideInitTogether(t *testing.T) {
	for range 5 {
		dir := testkit.Folder(t, map[string]string{"docs/a.md": ""})
		var running sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			running.Go(func() { _, errs[i] = guidesIn(dir).Init(t.Context(), false) })
		}
		running.Wait()
		written := 0
		for _, err := range errs {
			if err == nil {
				written++
				continue
			}
			if failed, ok := errors.AsType[*replies.Error](err); !ok || failed.Code != codeExists {
				t.Errorf("got %v", err)
			}
		}
		if written != 1 {
			t.Errorf("%d have written the file", written)
		}
	}
}

// TestGuideInitStartsSmall leaves out of what is to be read first what is much: its
// files fit into one reply, however many there are.
func TestGuideInitStartsSmall(t *testing.T) {
	files := map[string]string{".git/HEAD": "", "README.md": "", "guides/README.md": ""}
	for i := range 30 {
		for _, dir := range []string{"docs", "guides", ".cursor/rules"} {
			files[fmt.Sprintf("%s/%d.md", dir, i)] = ""
		}
	}
	for _, rules := range []string{".claude/rules", ".roo/rules", ".kiro/steering", ".windsurf/rules"} {
		for i := range 18 {
			files[fmt.Sprintf("%s/%d.md", rules, i)] = ""
		}
	}
	dir := testkit.Folder(t, files)
	g := guidesIn(dir)
	if _, err := g.Init(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	list, err := g.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"project/README.md", "claude-rules", "kiro-steering", "guides/README.md"}, list.Collections[0].Entries); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	report, err := g.Validate(t.Context())
	if err != nil || report.Failed {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, c := range report.Checks {
		if c.Status != replies.StatusOK {
			t.Errorf("%+v", c)
		}
	}
}

// TestGuideInitLocked: a folder that another program has locked is told of as by all commands.
func TestGuideInitLocked(t *testing.T) {
	dir := t.TempDir()
	lock, err := files.LockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	_, err = guidesIn(dir).Init(filelock.WithPatience(t.Context(), 10*time.Millisecond), false)
	if e, ok := err.(*replies.Error); !ok || e.Code != replies.CodeIOError || !strings.Contains(e.Error(), "locked") { //nolint:errorlint // it is one itself
		t.Errorf("%T: %v", err, err)
	}
}
