package guide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
)

// project makes a folder with files and a configuration that has it as its root.
func project(t testing.TB, texts map[string]string, categories ...config.Category) *config.Loaded {
	t.Helper()
	root := t.TempDir()
	for path, text := range texts {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &config.Loaded{Root: root, HasFile: true, Config: config.Config{Categories: categories}}
}

// category is one of a project.
func category(name, dir string, patterns ...string) config.Category {
	return config.Category{Name: name, Dir: dir, Patterns: patterns}
}

// collect adds a collection of entries such as docs or docs/*.md.
func collect(c *config.Loaded, name string, entries ...string) *config.Loaded {
	collection := config.Collection{Name: name}
	for _, text := range entries {
		var entry config.Entry
		entry.Name, entry.Pattern, _ = strings.Cut(text, "/")
		collection.Entries = append(collection.Entries, entry)
	}
	c.Collections = append(c.Collections, collection)
	return c
}

// parts names the parts of a reply.
func parts(r *Reply) []string {
	names := []string{}
	for _, p := range r.Parts {
		names = append(names, p.Category+":"+p.Path)
	}
	return names
}

// shelves is a project with two categories and collections of them.
func shelves(t testing.TB) *config.Loaded {
	c := project(
		t, map[string]string{
			"docs/a.md": "A\n", "docs/b.md": "B\n", "docs/c.txt": "C\n", "docs/sub/d.md": "D\n", "notes/a.md": "NA\n", "notes/e.txt": "E\n",
		},
		category("docs", "docs", "*.md"), category("notes", "notes", "*.txt", "*.md"), category("bare", "docs"), category("gone", "missing", "**"),
	)
	collect(c, "all", "docs", "notes")
	collect(c, "some", "docs/{b,c}.*", "notes/a.md")
	collect(c, "nested", "some", "docs/sub/**")
	collect(c, "picked", "all/a*")
	collect(c, "deep", "picked/*.md", "picked/*.txt")
	collect(c, "twice", "docs/[bc].*", "docs", "docs/**")
	collect(c, "holed", "gone", "docs", "gone/x")
	collect(c, "void", "gone", "gone/x")
	return c
}

func TestServe(t *testing.T) {
	c := shelves(t)
	for _, tt := range []struct {
		name, pattern string
		want          string
		matched       int
	}{
		{"docs", "", "docs:a.md docs:b.md", 2},
		{"docs", "c.txt", "docs:c.txt", 1},
		{"docs", "c", "docs:c.txt", 1},
		{"docs", "**", "docs:a.md docs:b.md docs:c.txt docs:sub/d.md", 4},
		{"notes", "", "notes:e.txt notes:a.md", 2},
		{"bare", "a.md", "bare:a.md", 1},
		{"all", "", "docs:a.md docs:b.md notes:e.txt notes:a.md", 4},
		{"all", "a.md", "docs:a.md notes:a.md", 2},
		{"all", "*.txt", "docs:c.txt notes:e.txt", 2},
		{"some", "", "docs:b.md docs:c.txt notes:a.md", 3},
		{"some", "*.md", "docs:b.md notes:a.md", 2},
		{"some", "c.txt", "docs:c.txt", 1},
		{"nested", "", "docs:b.md docs:c.txt notes:a.md docs:sub/d.md", 4},
		{"nested", "**/d.md", "docs:sub/d.md", 1},
		{"picked", "", "docs:a.md notes:a.md", 2},
		{"picked", "*.md", "docs:a.md notes:a.md", 2},
		{"deep", "", "docs:a.md notes:a.md", 2},
		{"deep", "a.*", "docs:a.md notes:a.md", 2},
		{"twice", "", "docs:b.md docs:c.txt docs:a.md docs:sub/d.md", 4},
		{"twice", "*.md", "docs:b.md docs:a.md", 2},
		{"holed", "", "docs:a.md docs:b.md", 2},
	} {
		r, err := Serve(t.Context(), c, tt.name, tt.pattern, Options{Content: true})
		if err != nil {
			t.Errorf("%s %q: %v", tt.name, tt.pattern, err)
			continue
		}
		if got := strings.Join(parts(r), " "); got != tt.want || r.Matched != tt.matched || r.Truncated {
			t.Errorf("%s %q: %s, %d matched, truncated %v; want %s, %d", tt.name, tt.pattern, got, r.Matched, r.Truncated, tt.want, tt.matched)
		}
		for i, p := range r.Parts {
			text, err := os.ReadFile(filepath.Join(c.Root, c.Category(p.Category).Dir, p.Path))
			if err != nil || !bytes.Equal(text, p.Content) || r.Files[i].Path != p.Path {
				t.Errorf("%s: %q, want %q (%v)", p.Path, p.Content, text, err)
			}
		}
	}
}

// Limits are for the whole reply, and the same file takes room once.
func TestServeLimits(t *testing.T) {
	texts := map[string]string{}
	for i := range 6 {
		texts[fmt.Sprintf("a/%d.md", i)] = strings.Repeat("a", 10)
		texts[fmt.Sprintf("b/%d.md", i)] = strings.Repeat("b", 10)
	}
	texts["b/empty.md"] = ""
	c := project(t, texts, category("a", "a", "*"), category("b", "b", "*"))
	collect(c, "both", "a", "b")
	collect(c, "same", "a/[0-2]*", "a")
	collect(c, "other", "a/[3-5]*", "a", "b")
	collect(c, "lap", "a/[0-2]*", "a/[2-5]*")
	for _, tt := range []struct {
		name      string
		files     int
		bytes     int64
		parts     int
		matched   int
		truncated bool
		skipped   int
	}{
		{"both", 0, 0, 13, 13, false, 0},
		{"both", 13, 120, 13, 13, false, 0},
		{"both", 12, 0, 12, 13, true, 0},
		{"both", 7, 0, 7, 13, true, 0},
		{"both", 6, 0, 6, 13, true, 0},
		{"both", 1, 0, 1, 13, true, 0},
		{"both", 0, 119, 12, 13, false, 1},
		{"both", 0, 60, 7, 13, false, 6},
		{"both", 0, 5, 1, 13, false, 12},
		{"same", 4, 0, 4, 6, true, 0},
		{"same", 6, 0, 6, 6, false, 0},
		{"same", 0, 45, 4, 6, false, 2},
		{"lap", 0, 45, 4, 6, false, 2},
		{"lap", 5, 0, 5, 6, true, 0},
		{"other", 8, 0, 8, 13, true, 0},
		{"other", 3, 0, 3, 13, true, 0},
	} {
		c.Guide = config.Guide{MaxFiles: tt.files, MaxReplyBytes: tt.bytes}
		r, err := Serve(t.Context(), c, tt.name, "", Options{Content: true})
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		if len(r.Parts) != tt.parts || r.Matched != tt.matched || r.Truncated != tt.truncated || len(r.Skipped) != tt.skipped {
			t.Errorf("%+v: %d parts, %d matched, truncated %v, skipped %v", tt, len(r.Parts), r.Matched, r.Truncated, r.Skipped)
		}
		for _, s := range r.Skipped {
			if category, _, _ := strings.Cut(s.Path, "/"); s.Reason != SkipTooLarge || c.Category(category) == nil {
				t.Errorf("%+v: skipped %+v", tt, s)
			}
		}
	}
}

// Every type of error, with what it names.
func TestServeErrors(t *testing.T) {
	c := shelves(t)
	if err := os.WriteFile(filepath.Join(c.Root, "docs", "bin.dat"), []byte{0}, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Categories = append(c.Categories, config.Category{Name: "home", Dir: "/nowhere/at/all", Patterns: []string{"*"}, Scope: config.User})
	nobody := &config.Loaded{}
	user := &config.Loaded{HasUser: true, Config: config.Config{Categories: []config.Category{
		{Name: "mine", Dir: "docs", Patterns: []string{"*"}, Scope: config.User}, {Name: "mine2", Dir: "docs", Scope: config.User},
	}}}
	collect(user, "ours", "mine", "mine2")
	for _, tt := range []struct {
		config        *config.Loaded
		name, pattern string
		kind          Type
		has           []string
	}{
		{c, "dosc", "", NotFound, []string{`"dosc"`, `"docs"`}},
		{c, "DOCS", "", NotFound, []string{`are "docs"`}},
		{c, "", "", NotFound, []string{`and `, " more"}},
		{user, "xx", "", NotFound, []string{`"mine"`, `"mine2"`, `"ours"`}},
		{&config.Loaded{Root: c.Root}, "docs", "", NotFound, []string{"none is configured"}},
		{nobody, "docs", "", NoSession, []string{".sectile.yaml"}},
		{user, "mine", "", NoSession, []string{`"docs"`, `"mine"`}},
		{user, "ours", "", NoSession, []string{`"ours"`}},
		{c, "docs", "*.rst", NoMatches, []string{`"docs"`, `"*.rst"`, `"a.md"`}},
		{c, "docs", "sub/dd", NoMatches, []string{`nearest: "sub/d.md"`}},
		{c, "docs", "sub", NoMatches, []string{`is a folder`, `"sub/**"`}},
		{c, "bare", "", NoMatches, []string{"no patterns of its own", `"a.md"`}},
		{c, "some", "e.txt", NoMatches, []string{"collection", `"b.md"`}},
		{c, "holed", "zzz", NoMatches, []string{"collection", `"gone"`, "missing"}},
		{c, "gone", "", IOError, []string{`"gone"`, `"missing"`, "make it"}},
		{c, "void", "", IOError, []string{`"void"`, `"gone"`, `"missing"`}},
		{c, "home", "", IOError, []string{`"home"`, "missing"}},
		{c, "docs", "bin.dat", IOError, []string{`"bin.dat"`, "binary"}},
		{c, "docs", "/etc/passwd", InvalidPattern, []string{`"docs"`, `"/etc/passwd"`}},
		{c, "docs", "../x", InvalidPattern, []string{`"../x"`}},
		{c, "docs", "[a", InvalidPattern, []string{`"[a"`}},
		{c, "docs", "a.md.mustache", InvalidPattern, []string{"mustache"}},
		{c, "all", "a\x00", InvalidPattern, []string{"NUL"}},
		{c, "docs", strings.Repeat("é", 6000), InvalidPattern, nil},
		{c, strings.Repeat("é", 6000), "", NotFound, nil},
	} {
		_, err := Serve(t.Context(), tt.config, tt.name, tt.pattern, Options{Content: true})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Type != tt.kind {
			t.Errorf("%.20s %.20q: %v, want %s", tt.name, tt.pattern, err, tt.kind)
			continue
		}
		for _, text := range tt.has {
			if !strings.Contains(e.Message, text) {
				t.Errorf("%s %q: %s\nwithout %s", tt.name, tt.pattern, e.Message, text)
			}
		}
		if n := utf8.RuneCountInString(e.Message); n >= 2000 {
			t.Errorf("%.20s: an error of %d characters", tt.name, n)
		}
		if strings.Contains(e.Message, c.Root) || strings.Contains(e.Message, "/nowhere") {
			t.Errorf("%s names a path of the host: %s", tt.name, e.Message)
		}
	}
}

// An error has few names and stays short whatever is there.
func TestServeErrorsAreShort(t *testing.T) {
	texts := map[string]string{}
	for i := range 300 {
		texts[fmt.Sprintf("docs/%s-%03d.md", strings.Repeat("long", 40), i)] = "\x00"
	}
	c := project(t, texts, category("docs", "docs", "*"))
	for i := range 1500 {
		c.Categories = append(c.Categories, category(fmt.Sprintf("%s-%d", strings.Repeat("n", 60), i), "gone"))
	}
	collect(c, "many", strings.Fields(strings.Repeat("x ", 0)+nameAll(c.Categories[1:900]))...)
	collect(c, "too-many", strings.Fields(nameAll(c.Categories))...)
	for _, tt := range []struct {
		name, pattern string
		kind          Type
	}{
		{"docs", "", IOError},
		{"docs", "nothing", NoMatches},
		{"none", "", NotFound},
		{"many", "", IOError},
		{"too-many", "", ValidationError},
	} {
		_, err := Serve(t.Context(), c, tt.name, tt.pattern, Options{Content: true})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Type != tt.kind {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.kind)
			continue
		}
		if n := utf8.RuneCountInString(e.Message); n >= 2000 || e.Type != NoMatches && !strings.Contains(e.Message, " more") {
			t.Errorf("%s: %d characters: %s", tt.name, n, e.Message)
		}
	}
}

// nameAll names categories, with blanks between them.
func nameAll(list []config.Category) string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return strings.Join(names, " ")
}

// Collections of collections multiply; what is added already is not added again,
// and beyond a limit they are refused.
func TestServeNestedCollections(t *testing.T) {
	c := project(t, map[string]string{"docs/a.md": "A\n"}, category("docs", "docs", "*.md"))
	collect(c, "l0", "docs", "docs")
	collect(c, "m0", "docs/*.md", "docs/*")
	for i := 1; i < 60; i++ {
		collect(c, fmt.Sprintf("l%d", i), fmt.Sprintf("l%d", i-1), fmt.Sprintf("l%d", i-1))
		collect(c, fmt.Sprintf("m%d", i), fmt.Sprintf("m%d/%d*", i-1, i), fmt.Sprintf("m%d/*%d", i-1, i))
	}
	r, err := Serve(t.Context(), c, "l59", "", Options{Content: true})
	if err != nil || cmp.Diff([]string{"docs:a.md"}, parts(r)) != "" || r.Matched != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = Serve(t.Context(), c, "m59", "", Options{Content: true})
	if e, ok := errors.AsType[*Error](err); !ok || e.Type != ValidationError {
		t.Errorf("%v, want a limit", err)
	}
	c.Categories = append(c.Categories, category("bad", "docs", "[a"))
	collect(c, "worse", "docs/../x")
	for name, field := range map[string]string{"bad": "categories.bad.patterns: ", "worse": "collections.worse: "} {
		_, err = Serve(t.Context(), c, name, "", Options{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Type != ValidationError || !strings.HasPrefix(e.Message, field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	collect(c, "lost", "nobody")
	if _, err = Serve(t.Context(), c, "lost", "", Options{}); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("%v, want the name that is not there", err)
	}
}

// What a collection leaves out begins with the category's name and comes once.
func TestServeSkips(t *testing.T) {
	c := project(t, map[string]string{"a/x.md": "\x00", "a/y.md": "Y\n", "b/x.md": "X\n"}, category("a", "a", "*"), category("b", "b", "*"), category("c", "c", "*"))
	collect(c, "all", "a", "a/x*", "a", "c", "b", "c/x")
	r, err := Serve(t.Context(), c, "all", "", Options{Content: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a:y.md", "b:x.md"}, parts(r)); diff != "" || r.Matched != 3 {
		t.Errorf("%d matched\n%s", r.Matched, diff)
	}
	var skipped []string
	for _, s := range r.Skipped {
		skipped = append(skipped, s.Path+" "+s.Reason)
	}
	if diff := cmp.Diff([]string{"a/x.md binary", "c io_error"}, skipped); diff != "" {
		t.Error(diff)
	}
	if r, err = Serve(t.Context(), c, "a", "", Options{Content: true}); err != nil || len(r.Skipped) != 1 || r.Skipped[0].Path != "x.md" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Templates know their project, their category, the day, and what the category says.
func TestServeVariables(t *testing.T) {
	const template = "{{project.name}}|{{project.root}}|{{category.name}}|{{date}}|{{team.lead}}\n"
	c := project(t, map[string]string{"docs/t.md.mustache": template}, category("docs", "docs", "*"))
	c.Categories[0].Vars = map[string]any{"team": map[string]any{"lead": "Ann <a&b>"}}
	r, err := Serve(t.Context(), c, "docs", "", Options{Content: true, Date: "2026-01-02"})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s|%s|docs|2026-01-02|Ann <a&b>\n", filepath.Base(c.Root), c.Root)
	value, err := r.Value()
	if err != nil || string(value) != want {
		t.Errorf("%q, %v; want %q", value, err, want)
	}
	if len(c.Categories[0].Vars) != 1 {
		t.Errorf("the configuration has changed: %v", c.Categories[0].Vars)
	}
	c.Categories[0].Dir, c.Categories[0].Scope = filepath.Join(c.Root, "docs"), config.User
	c.Root, c.HasUser = "", true
	if r, err = Serve(t.Context(), c, "docs", "", Options{Content: true, Date: "d"}); err != nil || string(r.Parts[0].Content) != "||docs|d|Ann <a&b>\n" {
		t.Errorf("without a project: %+v, %v", r, err)
	}
}

// The user's categories lie where the user says; nothing of the project is a way out
// of it.
func TestServeFolders(t *testing.T) {
	c := project(t, map[string]string{"docs/a.md": "A\n"}, category("link", "link", "*"), category("docs", "docs", "*"))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for path, text := range map[string]string{filepath.Join(home, "h.md"): "H\n", filepath.Join(home, "sub", "s.md"): "S\n"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(home, filepath.Join(c.Root, "link")); err != nil {
		t.Skip(err)
	}
	for dir, want := range map[string]string{"~": "h.md", "~/": "h.md", "~/sub": "s.md", home: "h.md", "docs": "a.md", "link": "", "~/none": "", home + "/none": ""} {
		c.Categories[0] = config.Category{Name: "link", Dir: dir, Patterns: []string{"*"}, Scope: config.User}
		r, err := Serve(t.Context(), c, "link", "", Options{Content: true})
		if want == "" {
			if e, ok := errors.AsType[*Error](err); !ok || e.Type != IOError || strings.Contains(e.Message, home) || strings.Contains(e.Message, "none") {
				t.Errorf("%s: %+v, %v", dir, r, err)
			}
			continue
		}
		if err != nil || len(r.Parts) != 1 || r.Parts[0].Path != want {
			t.Errorf("%s: %+v, %v; want %s", dir, r, err, want)
		}
	}
	c.Categories[0] = category("link", "link", "*")
	if r, err := Serve(t.Context(), c, "link", "", Options{Content: true}); err == nil {
		t.Errorf("a link out of the project is followed: %+v", r)
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	c.Categories[0] = config.Category{Name: "link", Dir: "~/sub", Patterns: []string{"*"}, Scope: config.User}
	if _, err := Serve(t.Context(), c, "link", "", Options{Content: true}); err == nil || strings.Contains(err.Error(), home) || strings.Contains(err.Error(), "~") {
		t.Errorf("without HOME: %v", err) // it is the system's, which has no such folder
	}
}

func TestCountPathsDocument(t *testing.T) {
	c := shelves(t)
	if err := os.WriteFile(filepath.Join(c.Root, "docs", ".h.md"), []byte("H\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"docs": 2, "notes": 2, "bare": 0} {
		if n, err := Count(t.Context(), c, name, Options{Content: true}); n != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", name, n, err, want)
		}
	}
	for name, want := range map[string]string{"docs": "a.md b.md", "notes": "e.txt a.md", "bare": "a.md b.md c.txt sub/d.md"} {
		paths, err := Paths(t.Context(), c, name, 10)
		if got := strings.Join(paths, " "); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
	if paths, err := Paths(t.Context(), c, "bare", 2); len(paths) != 2 || err != nil {
		t.Errorf("%v, %v", paths, err)
	}
	for _, tt := range []struct {
		name, path, want string
		kind             Type
	}{
		{"docs", "a.md", "A\n", ""},
		{"docs", "c.txt", "C\n", ""},
		{"docs", "sub/d.md", "D\n", ""},
		{"docs", ".h.md", "H\n", ""},
		{"docs", "a", "", NoMatches},
		{"docs", "*.md", "", NoMatches},
		{"docs", "../notes/a.md", "", InvalidPattern},
		{"docs", "", "", InvalidPattern},
		{"all", "a.md", "", NotFound},
		{"nobody", "a.md", "", NotFound},
		{"gone", "a.md", "", IOError},
	} {
		part, err := Document(t.Context(), c, tt.name, tt.path, Options{})
		if e, ok := errors.AsType[*Error](err); tt.kind != "" && (!ok || e.Type != tt.kind) {
			t.Errorf("%s %s: %v, want %s", tt.name, tt.path, err, tt.kind)
		}
		if tt.kind == "" && (err != nil || string(part.Content) != tt.want || part.Path != tt.path) {
			t.Errorf("%s %s: %+v, %v; want %q", tt.name, tt.path, part, err, tt.want)
		}
	}
	for _, name := range []string{"gone", "nobody", "all"} {
		if _, err := Count(t.Context(), c, name, Options{}); err == nil {
			t.Errorf("%s is counted", name)
		}
		if _, err := Paths(t.Context(), c, name, 1); err == nil {
			t.Errorf("%s has paths", name)
		}
	}
}

// What was cancelled fails with the error of the context.
func TestServeCancelled(t *testing.T) {
	c := shelves(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Serve(ctx, c, "all", "", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := Document(ctx, c, "docs", "a.md", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestReplyValue(t *testing.T) {
	one := &Reply{Parts: []Part{{"docs", "a.md", []byte("A")}}, Matched: 1}
	if value, err := one.Value(); string(value) != "A" || err != nil {
		t.Errorf("%q, %v", value, err)
	}
	one.Matched = 2 // and which one it is must be said
	if value, err := one.Value(); err != nil || !strings.Contains(string(value), "Content-Location: guide://category/docs/a.md\r\n") {
		t.Errorf("one of two: %q, %v", value, err)
	}
	two := &Reply{Parts: []Part{{"docs", "a.md", []byte("A")}, {"notes", "b c.md", nil}}}
	value, err := two.Value()
	if err != nil || !strings.Contains(string(value), "Content-Location: guide://category/notes/b%20c.md\r\n") {
		t.Errorf("%q, %v", value, err)
	}
}
