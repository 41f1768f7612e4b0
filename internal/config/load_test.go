package config

import (
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// tree makes files below a folder, whose real path it returns; those whose names
// end with a slash are folders.
func tree(t testing.TB, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), strings.HasSuffix(name, "/"), text)
	}
	return dir
}

func write(t testing.TB, path string, folder bool, text string) {
	t.Helper()
	if folder {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// load loads what there is for a folder.
func load(t testing.TB, start, userFile string) (*Loaded, error) {
	t.Helper()
	return NewLoader(LoadOptions{Start: start, UserFile: userFile, CheckPattern: refusing}).Load(t.Context())
}

const docsText = "categories:\n  docs:\n    dir: docs\n"

func TestLoadRoot(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/.git/HEAD":                  "",
		"repo/deep/er/":                   "",
		"repo/next.js/.sectile.yaml":      docsText,
		"repo/next.js/src/pages/":         "",
		"work/my app/.jj/":                "",
		"work/my app/sub dir/":            "",
		"a/app/.sectile.yaml":             "categories: {a: {dir: a}}\n",
		"b/app/.sectile.yaml":             "categories: {b: {dir: b}}\n",
		"worktree/.git":                   "gitdir: elsewhere\n",
		"worktree/x/":                     "",
		"folder/.sectile.yaml/":           "",
		"both/.sectile.yaml":              docsText,
		"both/sub/.git/":                  "",
		"both/sub/inner/":                 "",
		"nothing/":                        "",
		"repo/.git/hooks/":                "",
		"linked/":                         "",
		"repo/next.js/src/.sectile.yaml~": "",
	})
	if err := os.Symlink(filepath.Join(dir, "repo", "next.js", "src"), filepath.Join(dir, "linked", "src")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		start, root string
		hasFile     bool
		names       []string
	}{
		{"repo", "repo", false, nil},
		{"repo/deep/er", "repo", false, nil},
		{"repo/next.js", "repo/next.js", true, []string{"docs"}},
		{"repo/next.js/src/pages", "repo/next.js", true, []string{"docs"}}, // the nearest, not the repository
		{"work/my app/sub dir", "work/my app", false, nil},
		{"a/app", "a/app", true, []string{"a"}},
		{"b/app", "b/app", true, []string{"b"}},
		{"worktree/x", "worktree", false, nil},                 // .git is a file there
		{"both/sub/inner", "both/sub", false, nil},             // nearer than the file above
		{"repo/.git/hooks", "repo", false, nil},                // inside of .git
		{"linked/src", "repo/next.js", true, []string{"docs"}}, // what is above it on disk
	}
	for _, test := range tests {
		t.Run(test.start, func(t *testing.T) {
			got, err := load(t, filepath.Join(dir, filepath.FromSlash(test.start)), "-")
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, c := range got.Categories {
				names = append(names, c.Name)
			}
			if got.Root != filepath.Join(dir, filepath.FromSlash(test.root)) || got.HasFile != test.hasFile || got.HasUser || got.UserFile != "" || !cmp.Equal(names, test.names) {
				t.Errorf("%+v, want %+v", got, test)
			}
		})
	}
	t.Run("working directory", func(t *testing.T) {
		t.Chdir(filepath.Join(dir, "repo", "next.js", "src"))
		got, err := load(t, "", "-")
		if err != nil || got.Root != filepath.Join(dir, "repo", "next.js") {
			t.Errorf("%+v, %v", got, err)
		}
		l := NewLoader(LoadOptions{Start: "..", UserFile: "-"})
		if root := l.ProjectRoot(); root != got.Root {
			t.Errorf("the root is %s", root)
		}
	})
	t.Run("a folder in place of the file", func(t *testing.T) {
		_, err := load(t, filepath.Join(dir, "folder"), "-")
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code != fileerror.NotAFile || e.Path != Name {
			t.Error(err)
		}
	})
}

// TestLoadNothing has neither a project nor a user's file: what is above the
// test's folder is not ours to know, so the root of the file system is asked.
func TestLoadNothing(t *testing.T) {
	if root, err := new(Loader).findRoot(filepath.VolumeName(t.TempDir())+string(filepath.Separator), true); root != "" || err != nil {
		t.Skip("the root of the file system is a project here")
	}
	got, err := load(t, string(filepath.Separator), filepath.Join(t.TempDir(), "none.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Root != "" || got.HasFile || got.HasUser || got.UserFile == "" || len(got.Categories) != 0 {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(Guide{MaxDepth: 8, MaxFiles: 100, MaxFileBytes: 1048576, MaxReplyBytes: 8388608}, got.Guide); diff != "" {
		t.Error(diff)
	}
	l := NewLoader(LoadOptions{Start: string(filepath.Separator), UserFile: "-"})
	_, err = l.Change(t.Context(), Project, Remove{"docs"})
	if err == nil || !strings.Contains(err.Error(), "there is no project: no .sectile.yaml, .jj or .git here or above; make one with sectile guide init") {
		t.Error(err)
	}
	if _, err := l.Change(t.Context(), User, Remove{"docs"}); err == nil || !strings.Contains(err.Error(), "there is no place for it") {
		t.Error(err)
	}
}

func TestLoadMerged(t *testing.T) {
	dir := tree(t, map[string]string{
		"p/.sectile.yaml": "categories:\n  docs: {dir: ours, patterns: [a]}\n  only: {dir: x}\ncollections:\n  all: [docs, mine]\nguide: {max_depth: 2}\n",
		"user.yaml":       "categories:\n  mine: {dir: /srv}\n  docs: {dir: theirs, description: theirs}\ncollections:\n  all: [nothing]\n  more: [mine, docs, of_another]\nguide: {max_depth: 3, max_files: 4}\n",
	})
	got, err := load(t, filepath.Join(dir, "p"), filepath.Join(dir, "user.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Categories: []Category{
			{Name: "docs", Dir: "ours", Patterns: []string{"a"}},
			{Name: "only", Dir: "x"},
			{Name: "mine", Dir: "/srv", Scope: User},
		},
		Collections: []Collection{
			{Name: "all", Entries: []Entry{{Name: "docs"}, {Name: "mine"}}},
			{Name: "more", Entries: []Entry{{Name: "mine"}, {Name: "docs"}, {Name: "of_another"}}, Scope: User},
		},
		Guide: Guide{MaxDepth: 2, MaxFiles: 4, MaxFileBytes: 1 << 20, MaxReplyBytes: 8 << 20},
		Plan:  Plan{Store: "auto"},
	}
	if diff := cmp.Diff(want, got.Config, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Category("mine").Dir != "/srv" || got.Category("no") != nil || got.Collection("more") == nil || got.Collection("docs") != nil {
		t.Error("names are not found")
	}
	if p := got.Problem(Project, "categories.only.dir", "there is no such folder"); p.String() != ".sectile.yaml:3:10: categories.only.dir: there is no such folder" {
		t.Error(p)
	}
	if p := got.Problem(User, "categories.docs.patterns[3]", "x"); p.String() != "config.yaml of the user:3:3: categories.docs.patterns[3]: x" {
		t.Error(p)
	}
	if p := (&Loaded{}).Problem(User, "guide", "x"); p.String() != "config.yaml of the user: guide: x" {
		t.Error(p)
	}
}

func TestLoadProblems(t *testing.T) {
	tests := []struct {
		name, project, user string
		want                []string
	}{
		{"both wrong", "x: 1\n", "y: 1\n", []string{
			".sectile.yaml:1:1: x: unknown key; allowed: categories, collections, guide, links, plan",
			"config.yaml of the user:1:1: y: unknown key; allowed: categories, collections, guide, links, headings, plan, search, journal, trust",
		}},
		{"shared name", "categories: {all: {dir: x}}\n", "categories: {docs: {dir: x}}\ncollections: {all: [docs]}\n", []string{
			".sectile.yaml:1:14: categories.all: there is a collection of this name in config.yaml of the user; rename one of the two",
		}},
		{"shared name the other way", "categories: {docs: {dir: x}}\ncollections: {all: [docs]}\n", "categories: {all: {dir: x}}\n", []string{
			".sectile.yaml:2:15: collections.all: there is a category of this name in config.yaml of the user; rename one of the two",
		}},
		{"a reference of the project's beside one of the user's", "collections: {all: [docs]}\n", "collections:\n  mine: [docs]\n", []string{
			`.sectile.yaml:1:21: collections.all[0]: no category or collection is called "docs"; add it, or take the entry out`,
		}},
		{"a circle through both", "collections: {a: [b]}\n", "collections:\n  b: [a]\n", []string{
			"config.yaml of the user:2:7: collections.b[0]: the collections name each other in a circle: a → b → a; take one of the entries out",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, map[string]string{"p/.sectile.yaml": test.project, "user.yaml": test.user})
			_, err := load(t, filepath.Join(dir, "p"), filepath.Join(dir, "user.yaml"))
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(test.want, "\n"), err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestLoadUnreadable has files that can't be read: no error names a path of the
// host.
func TestLoadUnreadable(t *testing.T) {
	dir := tree(t, map[string]string{
		"outside.yaml":           docsText,
		"p/.git/x.yaml":          docsText,
		"p/inside.yaml":          docsText,
		"binary/.sectile.yaml":   "a\x00b",
		"encoding/.sectile.yaml": "a\xff",
		"large/.sectile.yaml":    strings.Repeat("# x\n", 300_000),
	})
	link := func(target string) {
		name := filepath.Join(dir, "p", Name)
		_ = os.Remove(name)
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	code := func(start, user string) (fileerror.Code, string) {
		_, err := load(t, filepath.Join(dir, start), user)
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok {
			t.Fatal(err)
		}
		if strings.Contains(err.Error(), dir) || e.Path != Name && e.Path != UserName {
			t.Errorf("it names a path of the host: %v", err)
		}
		return e.Code, e.Sentence()
	}
	for start, want := range map[string]fileerror.Code{"binary": fileerror.BinaryFile, "encoding": fileerror.EncodingError, "large": fileerror.TooLarge} {
		if got, reason := code(start, "-"); got != want || strings.Contains(reason, "--max-bytes") {
			t.Errorf("%s: %s: %s", start, got, reason)
		}
		if got, _ := code("p", filepath.Join(dir, start, Name)); got != want {
			t.Errorf("%s, of the user: %s", start, got)
		}
	}
	for target, want := range map[string]string{
		"../outside.yaml":                      "leaves the project",
		".git/x.yaml":                          "the data of version control",
		filepath.Join(dir, "p", "inside.yaml"): "an absolute link",
	} {
		link(target)
		if got, reason := code("p", "-"); got != fileerror.PathOutsideRoot || !strings.Contains(reason, want) {
			t.Errorf("a link that must not be followed: %s: %s, want %q", got, reason, want)
		}
	}
	file := filepath.Join("p", ".git", "x", Name)
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, reason := code(filepath.Dir(file), "-"); got != fileerror.PathOutsideRoot || !strings.Contains(reason, "in this folder, for the data of version control") {
		t.Errorf("a file, and no link, where nothing is read: %s: %s", got, reason)
	}
	link("nowhere")
	if got, reason := code("p", "-"); got != fileerror.NotFound {
		t.Errorf("a link that leads nowhere: %s: %s", got, reason)
	}
	if got, _ := code("binary", filepath.Join(dir, "p", Name)); got != fileerror.NotFound {
		t.Errorf("the user's file, which says what is trusted, does not come first: %s", got)
	}
	link("inside.yaml")
	if got, err := load(t, filepath.Join(dir, "p"), filepath.Join(dir, "p", Name)); err != nil || !got.HasFile || !got.HasUser {
		t.Errorf("links that stay, and the user's: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewLoader(LoadOptions{Start: dir}).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUserFile(t *testing.T) {
	dir := tree(t, map[string]string{
		"xdg/sectile/config.yaml":          "categories: {x: {dir: /x}}\n",
		"home/.config/sectile/config.yaml": "categories: {h: {dir: /h}}\n",
		"p/.git/":                          "",
	})
	start := filepath.Join(dir, "p")
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "xdg"))
	if got, err := load(t, start, ""); err != nil || got.Category("x") == nil || got.UserFile != filepath.Join(dir, "xdg", "sectile", "config.yaml") {
		t.Errorf("XDG_CONFIG_HOME: %+v, %v", got, err)
	}
	if got, err := load(t, start, filepath.Join(dir, "home", ".config", "sectile", "config.yaml")); err != nil || got.Category("h") == nil {
		t.Errorf("named: %+v, %v", got, err)
	}
	if got, err := load(t, start, "-"); err != nil || got.HasUser || got.UserFile != "" {
		t.Errorf("none: %+v, %v", got, err)
	}
	if filepath.Separator != '/' {
		return
	}
	for _, value := range []string{"", "relative"} {
		t.Setenv("XDG_CONFIG_HOME", value)
		dir, err := fileinfo.ConfigDir()
		if err != nil || !strings.Contains(dir, "home") {
			t.Errorf("XDG_CONFIG_HOME=%q: %s, %v", value, dir, err)
		}
	}
	t.Chdir(filepath.Join(dir, "home"))
	known, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(known.HomeDir, ".config", "sectile", "config.yaml")
	if runtime.GOOS == "darwin" {
		want = filepath.Join(known.HomeDir, "Library", "Application Support", "sectile", "config.yaml")
	}
	for _, home := range []string{"", ".", "../home", "relative"} {
		for _, value := range []string{"", "relative"} {
			t.Setenv("HOME", home)
			t.Setenv("XDG_CONFIG_HOME", value)
			got, err := load(t, start, "")
			if err != nil || got.UserFile != want {
				t.Errorf("HOME=%q, XDG_CONFIG_HOME=%q: %+v, %v", home, value, got, err)
			}
		}
	}
}

// TestLoadAgain changes the files between calls, and loads from several goroutines
// at once.
func TestLoadAgain(t *testing.T) {
	dir := tree(t, map[string]string{"p/.git/": ""})
	user := filepath.Join(dir, "config.yaml")
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p"), UserFile: user})
	names := func() string {
		c, err := l.Load(t.Context())
		if err != nil {
			return "error"
		}
		return strings.Join(append(categoryNames(c.merged.project), categoryNames(c.merged.user)...), " ")
	}
	file := filepath.Join(dir, "p", Name)
	steps := []struct {
		path, text, want string
	}{
		{"", "", ""},
		{file, docsText, "docs"},
		{file, docsText + "  api: {dir: a}\n", "docs api"},
		{user, "categories: {u: {dir: u}}\n", "docs api u"},
		{file, "x", "error"},
		{file, docsText, "docs u"},
		{user, "-", "error"},
		{user, "categories: {}", "docs"},
	}
	for _, step := range steps {
		if step.path != "" {
			write(t, step.path, false, step.text)
		}
		for range 3 {
			if got := names(); got != step.want {
				t.Fatalf("%+v: %q", step, got)
			}
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := names(); got != "" {
		t.Errorf("removed: %q", got)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				if i == 0 {
					text := docsText
					if j%2 == 0 {
						text += "  api: {dir: a}\n"
					}
					if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
						t.Error(err)
					}
					if err := os.Rename(file+".new", file); err != nil {
						t.Error(err)
					}
				}
				if got := names(); got != "" && got != "docs" && got != "docs api" {
					t.Errorf("%q", got)
				}
			}
		})
	}
	all.Wait()
	if n := len(l.files[Project]); n > kept {
		t.Errorf("%d parses are kept", n)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := tree(b, map[string]string{
		"p/.sectile.yaml": docsText + "  api:\n    dir: api\n    patterns: [\"**/*.md\"]\ncollections:\n  all: [docs, api]\n",
		"p/src/a/b/":      "",
		"user.yaml":       "guide: {max_files: 50}\n",
	})
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p", "src", "a", "b"), UserFile: filepath.Join(dir, "user.yaml")})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	small := []byte(docsText + "  api:\n    dir: api\n    patterns: [\"**/*.md\"]\ncollections:\n  all: [docs, api]\n")
	large := []byte(testkit.HostileYAML(1 << 15)["categories"])
	for name, text := range map[string][]byte{"small": small, "32 KiB": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				parse(text, Project, nil)
			}
		})
	}
}

// TestProjectsLimits: a project's file raises no limit above what a reply may take of the
// machine's memory; the user's own file may.
func TestProjectsLimits(t *testing.T) {
	for key, number := range map[string]string{"max_file_bytes": "67108864", "max_reply_bytes": "8388609"} {
		limits := "guide:\n  " + key + ": " + number + "\n"
		dir := tree(t, map[string]string{"p/.git/HEAD": "", "p/.sectile.yaml": docsText + limits, "q/.git/HEAD": "", "q/.sectile.yaml": docsText, "user.yaml": limits})
		want := "guide." + key + ": it is " + number + ", and a project's file may ask for 8388608 bytes at most; lower it, or set it in the user's own file, sectile/config.yaml"
		if _, err := load(t, filepath.Join(dir, "p"), "-"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
		loaded, err := load(t, filepath.Join(dir, "q"), filepath.Join(dir, "user.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if most := max(loaded.Guide.MaxFileBytes, loaded.Guide.MaxReplyBytes); most < 8<<20 {
			t.Errorf("%s of the user: %d", key, most)
		}
	}
}
