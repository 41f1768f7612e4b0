package editing

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// roots opens a workspace of folders.
func roots(t testing.TB, dirs ...string) *documents.Workspace {
	t.Helper()
	w, err := documents.OpenWorkspace(documents.Options{Roots: dirs, Unwritten: []string{filepath.Join(dirs[0], "own.md")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// TestGuardsOfDocuments: what may not be written may not be made, moved or deleted either, by
// whatever path, and no folder is made on the way.
func TestGuardsOfDocuments(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## B\n", "own.md": "# Own\n", ".claude/rules.md": "# Rules\n", "plain.txt": "x", "d/e.md": "# E\n"})
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"out": "..", "link.md": "a.md", "gone": "nowhere", "far.md": "/etc/hostname"} {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	w := roots(t, dir)
	text := "# New\n"
	create := func(path string) error {
		_, err := CreateDocument(t.Context(), documents.Set{Paths: []string{path}, Workspace: w}, DocumentRequest{Content: &text})
		return err
	}
	move := func(path, to string) error {
		_, err := MoveDocument(t.Context(), documents.Set{Paths: []string{path}, Workspace: w}, DocumentRequest{To: to})
		return err
	}
	remove := func(path string) error {
		_, err := DeleteDocument(t.Context(), documents.Set{Paths: []string{path}, Workspace: w}, DocumentRequest{Links: "leave"})
		return err
	}
	across := func(path, to string) error {
		_, err := MoveSection(t.Context(), documents.Set{Paths: []string{path}, Workspace: w}, MoveSectionRequest{Heading: "B", Action: "move", ToPath: to, Create: true})
		return err
	}
	before := listed(t, dir)
	for _, path := range []string{
		"../x.md", "new/../../x.md", filepath.Join(filepath.Dir(dir), "x.md"), "new/.git/x.md", ".git/x.md", ".claude/x.md", "new/.claude/skills/x.md",
		"new/.cursor/x.md", ".github/workflows/x.md", "new/.ssh/x.md", "own.md", "plain.txt", "new/x.txt", "out/x.md", "out/new/x.md", "gone/x.md", "gone/new/x.md",
		"far.md", "a.md", "a.md/x.md", "d", "new/x\x00.md", "", strings.Repeat("n/", 3000) + "x.md", "new/" + strings.Repeat("n", 300) + ".md",
	} {
		if runtime.GOOS == "windows" && (strings.Contains(path, "out") || strings.Contains(path, "gone") || path == "far.md") {
			continue
		}
		for verb, err := range map[string]error{"create": create(path), "move": move("d/e.md", path), "across": across("a.md", path)} {
			switch {
			case verb == "move" && path == "d", verb == "across" && path == "": // it moves into the folder, or needs another argument
			case err == nil:
				t.Errorf("%s %q is not refused", verb, path)
			case !strings.Contains(replies.AsError(err).Error(), "nothing was written"):
				t.Errorf("%s %q: %v", verb, path, err)
			}
		}
	}
	for _, path := range []string{"own.md", ".claude/rules.md", "plain.txt", "link.md", "none.md", "d", "d/*.md"} {
		if err := remove(path); err == nil {
			t.Errorf("%s is deleted", path)
		}
		if err := move(path, "moved.md"); err == nil {
			t.Errorf("%s is moved", path)
		}
	}
	for _, to := range []string{".claude/d", ".git/d", "new/.git/x", "../d", "d/in", "d", "a.md", "out/d", "gone/d", "d.md", "new/\x00"} {
		if err := move("d", to); err == nil || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("the folder moves to %s: %v", to, err)
		}
	}
	for _, path := range []string{".", ".claude", ".git", "out", "gone", dir, filepath.Dir(dir), ".."} {
		if err := move(path, "moved"); err == nil {
			t.Errorf("the folder %s is moved", path)
		}
	}
	if now := listed(t, dir); now != before {
		t.Errorf("there is\n%s, and was\n%s", now, before)
	}
	for _, path := range []string{"new/deep/x.md", filepath.Join(dir, "abs", "x.md"), "./dot/x.md"} {
		if err := create(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := across("a.md", "new/section.md"); err != nil {
		t.Error(err)
	}
}

// listed returns the names of all files and folders.
func listed(t testing.TB, dir string) string {
	t.Helper()
	var names []string
	if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

// TestDocumentsOfSeveralRoots: a path in a folder that is missing is that of no root, unless it
// is absolute; links are those of all roots.
func TestDocumentsOfSeveralRoots(t *testing.T) {
	one, two := testkit.Folder(t, map[string]string{"a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n"}), testkit.Folder(t, map[string]string{"c.md": "# C\n"})
	w := roots(t, one, two)
	text := "x\n"
	_, err := CreateDocument(t.Context(), documents.Set{Paths: []string{"new/x.md"}, Workspace: w}, DocumentRequest{Content: &text})
	if err == nil || !strings.Contains(err.Error(), "any of the roots may be meant") {
		t.Errorf("%v", err)
	}
	abs := filepath.Join(two, "new", "x.md")
	if _, err := CreateDocument(t.Context(), documents.Set{Paths: []string{abs}, Workspace: w}, DocumentRequest{Content: &text}); err != nil {
		t.Error(err)
	}
	r, err := MoveDocument(t.Context(), documents.Set{Paths: []string{"b.md"}, Workspace: w}, DocumentRequest{To: filepath.Join(one, "d", "b.md")})
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(filepath.Join(one, "a.md")); err != nil || string(now) != "# A\n\n[b](d/b.md)\n" {
		t.Errorf("%q, %v\n%s", now, err, r.Head)
	}
}

// TestMoveLinksOutOfRoots: links of a document that moves which lead out of the roots lead to the
// same place afterwards. What is there isn't looked at.
func TestMoveLinksOutOfRoots(t *testing.T) {
	const text = "# A\n\n## B\n\n[o](../o.md#x) ![p](../none/p.png) <img src=\"../p.png\"> [u]\n\n[u]: <../u v.md>\n"
	dir, other := testkit.Folder(t, map[string]string{"docs/a.md": text, "o.md": "# O\n"}), testkit.Folder(t, map[string]string{"b.md": "# B\n"})
	docs := filepath.Join(dir, "docs")
	want := strings.ReplaceAll(text, "../", "../../../")
	w := roots(t, docs)
	r, err := MoveDocument(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, DocumentRequest{To: "n/m/a.md"})
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(filepath.Join(docs, "n", "m", "a.md")); err != nil || string(now) != want {
		t.Errorf("%q, %v\n%s", now, err, r.Head)
	}
	r, err = MoveSection(t.Context(), documents.Set{Paths: []string{"n/m/a.md"}, Workspace: w}, MoveSectionRequest{Heading: "B", Action: "move", ToPath: "b.md", Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(filepath.Join(docs, "b.md")); err != nil || string(now) != strings.TrimPrefix(strings.ReplaceAll(text, "## B", "# B"), "# A\n\n") {
		t.Errorf("%q, %v\n%s", now, err, r.Head)
	}
	// Of several roots it is known how they lie to each other.
	if _, err = MoveDocument(t.Context(), documents.Set{Paths: []string{filepath.Join(docs, "b.md")}, Workspace: roots(t, docs, other)}, DocumentRequest{To: filepath.Join(other, "n", "b.md")}); err != nil {
		t.Fatal(err)
	}
	want = strings.ReplaceAll(strings.TrimPrefix(strings.ReplaceAll(text, "## B", "# B"), "# A\n\n"), "../", "../../"+filepath.Base(dir)+"/")
	if now, err := os.ReadFile(filepath.Join(other, "n", "b.md")); err != nil || string(now) != want {
		t.Errorf("%q, %v", now, err)
	}
}

// TestMoveFolderInRoots moves a folder of a server's root: by its path in the root, and by the
// absolute one.
func TestMoveFolderInRoots(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n[b](d/b.md) [d](d/)\n", "d/b.md": "# B\n\n[c](c/c.md) [a](../a.md)\n", "d/c/c.md": "# C\n"})
	w := roots(t, dir)
	r, err := MoveDocument(t.Context(), documents.Set{Paths: []string{"d"}, Workspace: w}, DocumentRequest{To: "e/f"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "e/f moved from d, 2 documents\nlinks changed: 3\nalso changed: a.md (2 links)\n"; string(r.Head) != want {
		t.Errorf("%s", r.Head)
	}
	if _, err = MoveDocument(t.Context(), documents.Set{Paths: []string{filepath.Join(dir, "e", "f")}, Workspace: w}, DocumentRequest{To: filepath.Join(dir, "g") + "/"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.md": "# A\n\n[b](g/b.md) [d](g/)\n", "g/b.md": "# B\n\n[c](c/c.md) [a](../a.md)\n", "g/c/c.md": "# C\n"} {
		if now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(now) != want {
			t.Errorf("%s: %q, %v", name, now, err)
		}
	}
	if list := listed(t, dir); strings.Contains(list, filepath.Join(dir, "d")) || strings.Contains(list, filepath.Join(dir, "e", "f")) {
		t.Error(list)
	}
}

// TestMoveFolderOfSeveralRoots: a path that is that of folders in two roots moves neither.
func TestMoveFolderOfSeveralRoots(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"o/a/x.md": "# X\n", "p/a/y.md": "# Y\n", "o/b/z.md": "# Z\n"})
	w := roots(t, filepath.Join(dir, "o"), filepath.Join(dir, "p"))
	for _, from := range []string{"a", filepath.Join(dir, "o", "a")} {
		_, err := MoveDocument(t.Context(), documents.Set{Paths: []string{from}, Workspace: w}, DocumentRequest{To: filepath.Join(dir, "p", "new")})
		if err == nil || !strings.Contains(err.Error(), "several roots have a folder with this path") {
			t.Errorf("%s: %v", from, err)
		}
	}
	if _, err := MoveDocument(t.Context(), documents.Set{Paths: []string{"b"}, Workspace: w}, DocumentRequest{To: filepath.Join(dir, "p", "new")}); err != nil {
		t.Error(err)
	}
	if list := listed(t, dir); !strings.Contains(list, filepath.Join("o", "a", "x.md")) || !strings.Contains(list, filepath.Join("p", "a", "y.md")) || !strings.Contains(list, filepath.Join("p", "new", "z.md")) {
		t.Error(list)
	}
}

// TestMoveToSamePathOfAnotherRoot: what moves may have the same path below the other root.
func TestMoveToSamePathOfAnotherRoot(t *testing.T) {
	for _, dirs := range [][2]string{{"o", "p"}, {"o", "o/p"}, {"o/p", "o"}} {
		files := map[string]string{dirs[1] + "/k.md": "# K\n"}
		for _, name := range []string{"x.md", "f/x.md", "s.md"} {
			files[dirs[0]+"/"+name] = "# X\n\n[s](s.md)\n"
		}
		dir := testkit.Folder(t, files)
		from, to := filepath.Join(dir, filepath.FromSlash(dirs[0])), filepath.Join(dir, filepath.FromSlash(dirs[1]))
		docs := documents.Set{Workspace: roots(t, from, to)}
		for _, name := range []string{"x.md", "f"} {
			docs.Paths = []string{filepath.Join(from, name)}
			r, err := MoveDocument(t.Context(), docs, DocumentRequest{To: filepath.Join(to, name)})
			if err != nil {
				t.Errorf("%v, %s: %v", dirs, name, err)
			} else if text := string(r.Text()); strings.Contains(text, "stays") {
				t.Errorf("%v, %s: the reply says that the folder is still there: %s", dirs, name, text)
			}
		}
		docs.Paths = []string{filepath.Join(from, "s.md")}
		if _, err := MoveSection(t.Context(), docs, MoveSectionRequest{Heading: "X", Action: "move", ToPath: filepath.Join(to, "s.md"), Create: true}); err != nil {
			t.Errorf("%v, section: %v", dirs, err)
		}
		for _, name := range []string{"x.md", "f/x.md", "s.md"} {
			if now, err := os.ReadFile(filepath.Join(to, name)); err != nil || !strings.HasPrefix(string(now), "# X") {
				t.Errorf("%v, %s: %q, %v", dirs, name, now, err)
			}
		}
	}
}

// TestMoveByNamesOfOneRoot: a root that is given by two names, one of them a link, has both for what is
// new in it, whichever comes first.
func TestMoveByNamesOfOneRoot(t *testing.T) {
	for _, given := range [][]string{{"A", "L"}, {"L", "A"}, {"A", "L", "x"}, {"L", "A", "x"}, {"x", "A", "L"}} {
		dir := testkit.Folder(t, map[string]string{"A/a.md": "# A\n\n[b](b.md)\n", "A/b.md": "# B\n", "x/x.md": "# X\n"})
		if err := os.Symlink("A", filepath.Join(dir, "L")); err != nil {
			t.Skip(err)
		}
		dirs := make([]string, len(given))
		for i, name := range given {
			dirs[i] = filepath.Join(dir, name)
		}
		docs := documents.Set{Paths: []string{filepath.Join(dir, "A", "b.md")}, Workspace: roots(t, dirs...)}
		for i, to := range []string{"L", "A"} {
			name := []string{"c.md", "d.md"}[i]
			if _, err := MoveDocument(t.Context(), docs, DocumentRequest{To: filepath.Join(dir, to, name)}); err != nil {
				t.Errorf("%v, to %s: %v", given, to, err)
				break
			}
			if now, err := os.ReadFile(filepath.Join(dir, "A", "a.md")); err != nil || string(now) != "# A\n\n[b]("+name+")\n" {
				t.Errorf("%v, to %s: %q, %v", given, to, now, err)
			}
			docs.Paths = []string{filepath.Join(dir, "L", name)}
		}
	}
}

// TestMoveFolderLeftOut: what lists of a server leave out moves with a folder, but for documents in
// folders that ignore files name and protected ones, which are named.
func TestMoveFolderLeftOut(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		".gitignore": "draft.md\nmade/\n", "d/a.md": "# A\n", "d/draft.md": "# D\n\n[a](a.md) [o](../o.md)\n", "d/.notes/n.md": "# N\n", "o.md": "# O\n",
		"e/a.md": "# A\n", "e/made/m.md": "# M\n", "g/a.md": "# A\n", "g/.claude/commands/c.md": "# C\n", "h/.n/n.md": "# N\n",
	})
	w := roots(t, dir)
	for from, want := range map[string]string{
		"d": "x/d moved from d, 3 documents\nlinks changed: 1\n", "h": "x/h moved from h, 1 document\n",
		"e": "x/e moved from e, 1 document\nwarning: e stays: files that are no documents, symbolic links, protected documents, and those in folders that ignore files name don't go with it, such as e/made/m.md\n",
		"g": "x/g moved from g, 1 document\nwarning: g stays: files that are no documents, symbolic links, protected documents, and those in folders that ignore files name don't go with it, such as g/.claude/commands/c.md\n",
	} {
		r, err := MoveDocument(t.Context(), documents.Set{Paths: []string{from}, Workspace: w}, DocumentRequest{To: "x/" + from})
		if err != nil || string(r.Head) != want {
			t.Errorf("%s: %v\n%s", from, err, r.Head)
		}
	}
	if now, err := os.ReadFile(filepath.Join(dir, "x", "d", "draft.md")); err != nil || string(now) != "# D\n\n[a](a.md) [o](../../o.md)\n" {
		t.Errorf("%q, %v", now, err)
	}
}

// TestLinksBetweenRoots: links from one root to another are seen, whether the roots lie beside each
// other or one in the other, and by whatever name a document is called.
func TestLinksBetweenRoots(t *testing.T) {
	for name, dirs := range map[string][]string{
		"beside each other": {"docs", "other"}, "the inner first": {"docs", "."}, "the outer first": {".", "docs"},
	} {
		dir := testkit.Folder(t, map[string]string{
			"docs/r.md": "# R\n\n## H\n\n[o](../other/o.md#x)\n", "docs/a/n.md": "# N\n", "other/o.md": "# O\n\n## X\n\n[r](../docs/r.md#h) [p](../p.png) [n](../docs/a/n.md)\n", "p.png": "",
		})
		for i := range dirs {
			dirs[i] = filepath.Join(dir, dirs[i])
		}
		w := roots(t, dirs...)
		for _, path := range []string{"r.md", filepath.Join(dir, "docs", "r.md")} {
			docs := documents.Set{Paths: []string{path}, Workspace: w}
			if _, err := DeleteDocument(t.Context(), docs, DocumentRequest{}); err == nil || !strings.Contains(replies.AsError(err).Error(), "1 link would lead nowhere") {
				t.Errorf("%s, %s: %v", name, path, err)
			}
		}
		docs, title := documents.Set{Paths: []string{"r.md"}, Workspace: w}, "Z"
		if _, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: "H", Action: "rename", Content: &title, Links: "update"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := MoveDocument(t.Context(), docs, DocumentRequest{To: filepath.Join(dir, "other", "q.md")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		docs.Paths = []string{"a"}
		if _, err := MoveDocument(t.Context(), docs, DocumentRequest{To: filepath.Join(dir, "docs", "b")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for file, want := range map[string]string{
			"other/o.md": "# O\n\n## X\n\n[r](q.md#z) [p](../p.png) [n](../docs/b/n.md)\n", "other/q.md": "# R\n\n## Z\n\n[o](../other/o.md#x)\n",
		} {
			if now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))); err != nil || string(now) != want {
				t.Errorf("%s: %s: %q, %v", name, file, now, err)
			}
		}
	}
}

// TestChangesBesideUnread: a server changes nothing that documents may link to whose names no path can
// have, or that it can't look for, unless links are left; what is no document holds nothing up.
func TestChangesBesideUnread(t *testing.T) {
	for _, tt := range []struct{ file, told string }{
		{"y\x01.md", "control character"},
		{"y\xff.md", "control character"},
		{"d\n/e/y.md", "control character"},
		{strings.Repeat("d/", 101) + "y.md", "read that deep"},
		{"y\x01.txt", ""},
		{"d\x01/y.txt", ""},
	} {
		dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## One\n"})
		file := filepath.Join(dir, filepath.FromSlash(tt.file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("[a](a.md#one)\n"), 0o600)); err != nil {
			t.Log(err) // not every system has such names
			continue
		}
		set, to := documents.Set{Paths: []string{"a.md"}, Workspace: roots(t, dir)}, "Two"
		for what, change := range map[string]func(links string) error{
			"rename": func(links string) error {
				_, err := EditSection(t.Context(), set, EditSectionRequest{Heading: "One", Action: "rename", Content: &to, Links: links, EditOptions: EditOptions{DryRun: true}})
				return err
			},
			"move": func(links string) error {
				_, err := MoveDocument(t.Context(), set, DocumentRequest{To: "b.md", Links: links, EditOptions: EditOptions{DryRun: true}})
				return err
			},
			"delete": func(links string) error {
				_, err := DeleteDocument(t.Context(), set, DocumentRequest{Links: links, EditOptions: EditOptions{DryRun: true}})
				return err
			},
		} {
			for _, links := range []string{"", "update", "leave"} {
				if what == "delete" && links == "update" {
					continue // it takes no such value
				}
				err, refused := change(links), tt.told != "" && links != "leave"
				if refused != (err != nil) || refused && !strings.Contains(err.Error(), tt.told) {
					t.Errorf("%.20q: %s with links %q: %v", tt.file, what, links, err)
				}
			}
		}
	}
	dir, gone, to := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## One\n"}), testkit.Folder(t, map[string]string{"x/b.md": "# B\n"}), "Two"
	set := documents.Set{Paths: []string{"a.md"}, Workspace: roots(t, dir, gone)}
	if err := os.RemoveAll(gone); err != nil {
		t.Skip(err) // Windows keeps what is open
	}
	if _, err := EditSection(t.Context(), set, EditSectionRequest{Heading: "One", Action: "rename", Content: &to}); err != nil {
		t.Errorf("beside a root that is gone: %v", err)
	}

	moved := testkit.Folder(t, map[string]string{"b.md": "[a](../" + filepath.Base(dir) + "/a.md#one)\n"})
	set.Workspace = roots(t, dir, moved)
	if err := os.Rename(moved, moved+"-away"); err != nil {
		t.Skip(err)
	}
	if _, err := MoveDocument(t.Context(), set, DocumentRequest{To: filepath.Join(dir, "b.md")}); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
		t.Errorf("beside a root that has another name: %v", err)
	}
}

// TestMoveFolderTakesLinearTime: what a folder's move through roots takes, or its preview, is in proportion
// to the documents, by its allocations.
func TestMoveFolderTakesLinearTime(t *testing.T) {
	for _, dry := range []bool{true, false} {
		allocations := func(n int) float64 {
			files := map[string]string{}
			for i := range n {
				files[fmt.Sprintf("docs/d%d.md", i)] = fmt.Sprintf("# D\n\n[n](d%d.md)\n", (i+1)%n)
			}
			dir, to := testkit.Folder(t, files), [2]string{"docs", "new"}
			docs := documents.Set{Workspace: roots(t, dir)}
			return testing.AllocsPerRun(1, func() {
				docs.Paths = []string{to[0]}
				if _, err := MoveDocument(t.Context(), docs, DocumentRequest{To: to[1], EditOptions: EditOptions{DryRun: dry}}); err != nil {
					t.Fatal(err)
				}
				if !dry {
					to[0], to[1] = to[1], to[0]
				}
			})
		}
		if few, many := allocations(50), allocations(200); many > 7*few {
			t.Errorf("dry %v: %.0f allocations for 50 documents, %.0f for 200", dry, few, many)
		}
	}
}
