package finding_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/testkit"
)

// listedIn lists documents and fails the test if that fails.
func listedIn(t *testing.T, docs documents.Set, req finding.ListRequest) *finding.ListReply {
	t.Helper()
	r, err := finding.List(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestList(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# First\n\none two\n", "b/c.md": "---\nx: 1\ntitle: \"Its \\\"own\\\"\" # why\n---\n# Other\n", "b/d.md": "no heading",
		"e.md": "---\ntitle: 'It''s'\n---\n", "f.md": "---\ntitle: [x]\n---\n## Below\n", "g.md": "\xff", "node_modules/h.md": "# H\n", ".gitignore": "node_modules/\n",
	})
	t.Chdir(dir)
	for i, name := range []string{"a.md", "b/c.md", "b/d.md", "e.md", "f.md", "g.md"} {
		at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	r := listedIn(t, documents.Set{}, finding.ListRequest{})
	want := `a.md:1-3 3w 2026-01-01T00:00Z First
b/c.md:1-5 7w 2026-01-02T00:00Z Its "own"
b/d.md:1 2w 2026-01-03T00:00Z
`
	if text := string(r.Text); !strings.HasPrefix(text, want) || len(r.Failed) != 1 ||
		!strings.Contains(text, "Z It's\n") || !strings.Contains(text, "Z Below\n") || !strings.Contains(text, "g.md: encoding_error: ") || strings.Contains(text, "node_modules") {
		t.Errorf("%d failed:\n%s", len(r.Failed), text)
	}
	paths := func(req finding.ListRequest, of ...string) string {
		t.Helper()
		req.JSON = true
		var page struct {
			Documents []struct{ Path string }
		}
		if err := json.Unmarshal(listedIn(t, documents.Set{Paths: of}, req).Text, &page); err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, d := range page.Documents {
			list = append(list, filepath.ToSlash(d.Path))
		}
		return strings.Join(list, " ")
	}
	for _, tt := range []struct {
		got, want string
	}{
		{paths(finding.ListRequest{Sort: "modified"}), "g.md f.md e.md b/d.md b/c.md a.md"},
		{paths(finding.ListRequest{Sort: "size", Limit: 2}), "b/c.md f.md"},
		{paths(finding.ListRequest{Limit: 2, Cursor: "b/d.md"}), "e.md f.md"},
		{paths(finding.ListRequest{}, "b", "a.md", "b/*.md"), "b/c.md b/d.md a.md"},
		{paths(finding.ListRequest{}, "missing.md", "a.md"), "missing.md a.md"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	for _, req := range []finding.ListRequest{{Sort: "age"}, {Cursor: "z.md"}, {Limit: -2}} {
		if _, err := finding.List(t.Context(), documents.Set{}, req); err == nil {
			t.Errorf("%+v is answered", req)
		}
	}
	if _, err := finding.List(t.Context(), documents.Set{Paths: []string{"missing.md", "g.md"}}, finding.ListRequest{}); err == nil || !strings.Contains(err.Error(), "missing.md") {
		t.Errorf("of documents that can't be read: %v", err)
	}
}

// TestTitlesOfFrontMatter: a title is what YAML or TOML has at its top, whatever stands beside it.
func TestTitlesOfFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntitle: # to be written\n---\n": "H", "---\ntitle: ~\n---\n": "H", "---\ntitle:\n---\n": "H", "---\ntitle: {a: b}\n---\n": "H", "---\na: &x b\ntitle: *x\n---\n": "H", "---\na: b\n---\n": "H",
		"---\ntitle: A long\n  title # c\n\n# d\nx: 1\n---\n": "A long title", "---\n\"title\" : 'It''s'\n---\n": "It's", "---\ntitle: >-\n  a\n\n  b\ntags:\n- c\n---\n": "a b", "---\rx: 1\rtitle: a\ry: 2\r---\r": "a",
		"---\ntitle: \"a\\u00E9\\n b\"\n---\n": "a\u00e9 b", "---\ntitle: 007\n---\n": "007", "---\ntitle: 2026-01-02\n---\n": "2026-01-02", "---\n{title: a}\n---\n": "a", "---\nmenu:\n  title: a\n---\n": "H",
		"---\nsubtitle: a\n---\n": "H", "---\nx: y: z\ntitle: a\n---\n": "a", "---\ntitle: A: b\nx: 1\n---\n": "A: b", "---\ntitle: 'A\n---\n": "H", "---\ntitle: {{a: b}}\n---\n": "H", "---\ndesc: |\n  title: b\ntitle: a\n---\n": "a",
		"+++\ndraft = true\n[menu]\ntitle = \"a\"\n+++\n": "H", "+++\ntitle = \"\"\"a\nb\"\"\" # c\n+++\n": "a b", "+++\ns = '''\ntitle = 1\n'''\ntitle = 'b'\n+++\n": "b", "+++\ntitle = 'a\n+++\n": "H",
	} {
		path := filepath.Join(t.TempDir(), "a.md")
		testkit.WriteFile(t, path, text+"# H\n")
		r := listedIn(t, documents.Set{Paths: []string{path}}, finding.ListRequest{})
		if _, title, _ := strings.Cut(string(r.Text), "Z "); title != want+"\n" {
			t.Errorf("%q: %q, want %s", text, title, want)
		}
	}
}

// TestListLeadsOnThroughAll: pages of any size lead through all documents of a workspace,
// each once, and none is longer than it may be; what is protected or leads out is on none.
func TestListLeadsOnThroughAll(t *testing.T) {
	dir, n := t.TempDir(), 10_000
	if !testkit.Long() {
		n = testkit.Some(700, 3)
	}
	var names []string
	for i := range n {
		names = append(names, filepath.Join(dir, fmt.Sprintf("d%d", i%7), fmt.Sprintf("%d a b.md", i)))
	}
	testkit.Crowd(t, "# A heading\n", names)
	for name, text := range map[string]string{".env.md": "secret", "out/x.md": "# X\n"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		testkit.WriteFile(t, path, text)
	}
	_ = os.Symlink(t.TempDir(), filepath.Join(dir, "link")) // where that can be made
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, maxChars := range []int{500, 10_000} {
		for _, structured := range []bool{false, true} {
			if maxChars == 500 && n > 1000 {
				continue
			}
			var found []string
			cursor := ""
			for {
				r := listedIn(t, documents.Set{Workspace: w}, finding.ListRequest{Cursor: cursor, MaxChars: maxChars, Structured: structured})
				if c := utf8.RuneCount(r.Text); c > maxChars || structured && utf8.RuneCount(r.Structured) > maxChars {
					t.Fatalf("%d characters, %d in JSON", c, utf8.RuneCount(r.Structured))
				}
				for line := range strings.Lines(string(r.Text)) {
					if m := regexp.MustCompile(`^(.*):[-\d]+ \d+w `).FindStringSubmatch(line); m != nil {
						found = append(found, m[1])
					}
				}
				m := regexp.MustCompile(`next_cursor: (".*")\]\n$`).FindSubmatch(r.Text)
				if m == nil {
					break
				}
				if err := json.Unmarshal(m[1], &cursor); err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(found)
			if len(found) != n+1 || len(slices.Compact(found)) != n+1 || strings.Contains(strings.Join(found, " "), ".env") {
				t.Errorf("%d characters: %d documents, want %d", maxChars, len(found), n+1)
			}
		}
	}
}

// TestListOfARootThatIsGone: a root that was replaced is an error, and no empty list.
func TestListOfARootThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "root")
	testkit.Crowd(t, "# A\n", []string{filepath.Join(dir, "a.md")})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Skip("an open folder can't be moved here")
	}
	if _, err := finding.List(t.Context(), documents.Set{Workspace: w}, finding.ListRequest{}); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
		t.Errorf("%v", err)
	}
}

// TestListOfLongPaths: however long the paths are that lead to no document, a reply isn't.
func TestListOfLongPaths(t *testing.T) {
	dir := t.TempDir()
	testkit.Crowd(t, "# A\n", []string{filepath.Join(dir, "a.md")})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	set := documents.Set{Workspace: w, Paths: []string{strings.Repeat("x", 20_000), strings.Repeat("y", 20_000), "a.md"}}
	req, found := finding.ListRequest{MaxChars: 500}, ""
	for range 4 {
		r := listedIn(t, set, req)
		if len(r.Text) > req.MaxChars {
			t.Fatalf("%d bytes of %d", len(r.Text), req.MaxChars)
		}
		found += string(r.Text)
		m := regexp.MustCompile(`next_cursor: (".*")\]\n$`).FindSubmatch(r.Text)
		if m == nil {
			break
		}
		if err := json.Unmarshal(m[1], &req.Cursor); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(found, "xxx") || !strings.Contains(found, "yyy") || !strings.Contains(found, "a.md:1") {
		t.Error(found)
	}
}
