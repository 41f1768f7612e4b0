package comparing

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestPages reads all pages of a long comparison, in lines and in JSON, alone and beside the
// lines: together they have each change once, also those whose lines have too little room on a
// page, and no page is longer than asked for; a page of documents that have changed since is
// refused.
func TestPages(t *testing.T) {
	var old, now strings.Builder
	for i := range 60 {
		fmt.Fprintf(&old, "# Part %d\n\nText %d of it.\n\n", i, i)
		fmt.Fprintf(&now, "# Part %d\n\nText %d of it, and more.\n\n", i, i)
		if i%30 == 0 {
			old.WriteString(strings.Repeat("A \"line\" that was.\n", 300))
			now.WriteString(strings.Repeat("A \"line\" that is.\n", 300))
		}
	}
	dir := testkit.Folder(t, map[string]string{"old.md": old.String(), "new.md": now.String()})
	req := Request{Old: filepath.Join(dir, "old.md"), New: filepath.Join(dir, "new.md"), MaxChars: 1200, Patch: true}
	inLines, inText := regexp.MustCompile(`(?m)^changed \S+ (h1\.\d+) `), regexp.MustCompile(`go on with cursor (\S+)\n$`)
	inJSON, next := regexp.MustCompile(`"new":\{"file_path":"[^"]*","selector":"(h1\.\d+)"`), regexp.MustCompile(`"next_cursor":"([^"]*)"`)
	for name, of := range map[string]struct {
		ask          func(*Request)
		page         func(*Reply) []byte
		change, more *regexp.Regexp
	}{
		"lines":      {func(*Request) {}, func(r *Reply) []byte { return r.Text }, inLines, inText},
		"JSON":       {func(r *Request) { r.JSON = true }, func(r *Reply) []byte { return r.Text }, inJSON, next},
		"structured": {func(r *Request) { r.Structured = true }, func(r *Reply) []byte { return r.Structured }, inJSON, next},
	} {
		req := req
		of.ask(&req)
		seen := map[string]bool{}
		for pages := 0; ; pages++ {
			reply, err := Compare(t.Context(), documents.Set{}, req)
			if err != nil {
				t.Fatal(err)
			}
			page := of.page(reply)
			if n := utf8.RuneCount(page); n > req.MaxChars || pages > 100 {
				t.Fatalf("%s: page %d has %d characters", name, pages, n)
			}
			for _, m := range of.change.FindAllSubmatch(page, -1) {
				if seen[string(m[1])] {
					t.Errorf("%s: %s comes twice", name, m[1])
				}
				seen[string(m[1])] = true
			}
			m := of.more.FindSubmatch(page)
			if m == nil {
				break
			}
			req.Cursor = string(m[1])
		}
		if len(seen) != 60 {
			t.Errorf("%s: %d changes of 60", name, len(seen))
		}
	}
	small := req
	small.MaxChars, small.JSON = 500, true
	if reply, err := Compare(t.Context(), documents.Set{}, small); err == nil || !strings.Contains(err.Error(), "too little room for one change") {
		t.Errorf("a page without room for a change: %v, %v", reply, err)
	}
	small.JSON, small.Structured = false, true
	if reply, err := Compare(t.Context(), documents.Set{}, small); err != nil || reply.Structured != nil {
		t.Errorf("structured content without room for a change: %v, %v", reply, err)
	}
	reply, err := Compare(t.Context(), documents.Set{}, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Cursor = string(inText.FindSubmatch(reply.Text)[1])
	testkit.WriteFile(t, filepath.Join(dir, "new.md"), now.String()+"\nMore.\n")
	if _, err := Compare(t.Context(), documents.Set{}, req); err == nil || !strings.Contains(err.Error(), "names no change") {
		t.Errorf("a page of other documents: %v", err)
	}
}

// TestPagesOfDocuments reads all pages of documents alone, in JSON: they have each document once.
func TestPagesOfDocuments(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("old/%02d.md", i)], files[fmt.Sprintf("new/%02d.md", i)] = "# A\n\nold\n", "# A\n\nnew\n"
	}
	dir := testkit.Folder(t, files)
	req := Request{Old: filepath.Join(dir, "old"), New: filepath.Join(dir, "new"), MaxChars: 2000, Stat: true, JSON: true}
	var seen []string
	for range 30 {
		reply, err := Compare(t.Context(), documents.Set{}, req)
		if err != nil || utf8.RuneCount(reply.Text) > req.MaxChars {
			t.Fatalf("%v, %s", err, reply.Text)
		}
		for _, m := range regexp.MustCompile(`(\d\d\.md)","sections_added":0,"sections_removed":0,"sections_changed":1`).FindAllSubmatch(reply.Text, -1) {
			seen = append(seen, string(m[1]))
		}
		next := regexp.MustCompile(`"next_cursor":"([^"]*)"`).FindSubmatch(reply.Text)
		if next == nil {
			break
		}
		req.Cursor = string(next[1])
	}
	if len(seen) != 30 || len(slices.Compact(slices.Clone(seen))) != 30 || !slices.IsSorted(seen) {
		t.Errorf("the pages have %q", seen)
	}
}

// TestPatch looks at each line of each hunk: it is in the document, at the line that the hunk
// says.
func TestPatch(t *testing.T) {
	old := "start\n\n# A\n\none\ntwo\nthree\n\n## B\n\nfour\n\n# C\n\nfive\n\n# Gone\n\nseven\n"
	now := "begin\n\n# A\n\none\n2\nthree\n\n## B\n\n4\n\n# New\n\neight\n\n## Below\n\nnine\n\n# C\n\nfive\nsix\n"
	dir := testkit.Folder(t, map[string]string{"a.md": old, "b.md": now})
	reply, err := Compare(t.Context(), documents.Set{}, Request{Old: filepath.Join(dir, "a.md"), New: filepath.Join(dir, "b.md"), Patch: true})
	if err != nil {
		t.Fatal(err)
	}
	oldLines, nowLines := strings.Split(old, "\n"), strings.Split(now, "\n")
	changed := map[string]int{}
	var at, to int
	for line := range strings.SplitSeq(strings.TrimSuffix(string(reply.Text), "\n"), "\n") {
		if m := regexp.MustCompile(`^@@ -(\d+)(,0)?\S* \+(\d+)(,0)?\S* @@$`).FindStringSubmatch(line); m != nil {
			at, to = testkit.Number(t, m[1])-1, testkit.Number(t, m[3])-1
			if m[2] != "" {
				at++
			}
			if m[4] != "" {
				to++
			}
			continue
		}
		mark := line[:1]
		if mark != " " && mark != "+" && mark != "-" {
			continue
		}
		changed[mark]++
		if mark != "+" {
			if at >= len(oldLines) || oldLines[at] != line[1:] {
				t.Errorf("line %d of the old document isn't %q", at+1, line[1:])
			}
			at++
		}
		if mark != "-" {
			if to >= len(nowLines) || nowLines[to] != line[1:] {
				t.Errorf("line %d of the new document isn't %q", to+1, line[1:])
			}
			to++
		}
	}
	if changed["+"] != 11 || changed["-"] != 6 {
		t.Errorf("%d lines are added and %d removed:\n%s", changed["+"], changed["-"], reply.Text)
	}
}

// compareWithin answers a request about a folder with a budget of memory, in a minute at most.
func compareWithin(t *testing.T, dir string, memory int64, req Request) (*Reply, error) {
	t.Helper()
	return compareIn(t, documents.Options{Roots: []string{dir}, MaxMemory: memory}, req)
}

// compareIn is Compare in a workspace.
func compareIn(t *testing.T, o documents.Options, req Request) (*Reply, error) {
	t.Helper()
	ws, err := documents.OpenWorkspace(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ws.Close() }() // nothing was written
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	work := ws.Begin(ctx, nil)
	defer work.End()
	return Compare(ctx, documents.Set{Workspace: ws, Work: work}, req)
}

// TestPastMemory compares with a commit that has a document larger than the memory: it isn't
// loaded, and the others are compared, however many small ones there are.
func TestPastMemory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	texts := map[string]string{"large.md": strings.Repeat("\x00", documents.MinMaxMemory/2), "small.md": "# A\n\none\n"}
	const moved = 500
	for i := range moved {
		texts[fmt.Sprintf("old/%d.md", i)] = fmt.Sprintf("# T%d\n\nword%[1]d\n", i)
	}
	dir := testkit.Folder(t, texts)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	testkit.WriteFile(t, filepath.Join(dir, "large.md"), "# L\n")
	testkit.WriteFile(t, filepath.Join(dir, "small.md"), "# A\n\ntwo\n")
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	r, err := compareWithin(t, dir, documents.MinMaxMemory, Request{New: ".", Revision: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(r.Text); !strings.Contains(text, "changed small.md:1-3") || strings.Count(text, "\nmoved ") != moved || len(r.Failed) != 1 || r.Failed[0].Code != "too_complex" {
		t.Errorf("%s\n%v", text, r.Failed)
	}
}

// TestPastNames: a few trees within trees name so many documents as take more than the memory.
func TestPastNames(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	git := func(input string, args ...string) string {
		c := exec.Command("git", args...)
		c.Dir, c.Stdin = dir, strings.NewReader(input)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "init", "-q")
	list := "100644 blob " + git("# X\n", "hash-object", "-w", "--stdin")
	for _, suffix := range []string{".md", "", ""} {
		var tree strings.Builder
		for i := range 30 {
			fmt.Fprintf(&tree, "%s\tn%d%s\n", list, i, suffix)
		}
		list = "040000 tree " + git(tree.String(), "mktree")
	}
	commit := git("", "-c", "user.name=T", "-c", "user.email=t@example.com", "commit-tree", "-m", "names", strings.TrimPrefix(list, "040000 tree "))
	git("", "update-ref", "HEAD", commit)
	if _, err := compareWithin(t, dir, documents.MinMaxMemory, Request{New: ".", Revision: "HEAD"}); err == nil || replies.AsError(err).Code != "too_complex" {
		t.Errorf("27,000 names in %d MiB: %v", documents.MinMaxMemory>>20, err)
	}
}

// TestPastHidden: a document that is gone is told of where lists of the workspace have it.
func TestPastHidden(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{".dot.md": "# D\n", ".hidden/h.md": "# H\n", "a.md": "# A\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}, {"rm", "-q", ".dot.md", ".hidden/h.md"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	for _, hidden := range []bool{false, true} {
		r, err := compareIn(t, documents.Options{Roots: []string{dir}, Walk: documents.WalkOptions{Hidden: hidden}}, Request{New: ".", Revision: "HEAD"})
		if err != nil || !strings.Contains(string(r.Text), "removed .dot.md") || strings.Contains(string(r.Text), "removed .hidden/h.md") != hidden {
			t.Errorf("hidden %v: %v\n%s", hidden, err, r.Text)
		}
	}
}

// TestPastPlace: a document in whose place a folder is, or a link to one, is told of where its path is
// asked for, in its folder and alone, but for one that is protected or whose place a root has.
func TestPastPlace(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{"g.md": "# G\n", "f.md": "# F\n", "id_rsa.md": "# Key\n", ".claude/skills/s.md": "# S\n", "d/y.md": "# Y\n", "n": "# N\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	for _, name := range []string{"g.md", ".claude/skills/s.md", "id_rsa.md", "n", "f.md"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if name != "f.md" {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
			testkit.WriteFile(t, filepath.Join(dir, name, "x.md"), "# X\n")
		}
	}
	if err := os.Symlink("d", filepath.Join(dir, "f.md")); err != nil {
		t.Skip(err)
	}
	whole := filepath.Join(dir, "g.md")
	for _, tt := range []struct {
		root, path string
		told       bool
	}{
		{dir, "g.md", true},
		{dir, "g.md/", true},
		{dir, whole, true},
		{dir, "f.md", true},
		{dir, ".claude/skills/s.md", true},
		{dir, "n", false},
		{dir, "id_rsa.md", false},
		{whole, ".", false},
		{whole, whole, false},
	} {
		r, err := compareIn(t, documents.Options{Roots: []string{tt.root}}, Request{New: tt.path, Revision: "HEAD"})
		text := ""
		if err == nil {
			text = string(r.Text)
		}
		if told := strings.Contains(text, "\nremoved "+strings.TrimSuffix(tt.path, "/")+":1,"); told != tt.told || !told && strings.Contains(text, "removed") {
			t.Errorf("%s in %s: %v\n%s", tt.path, tt.root, err, text)
		}
	}
}

// TestPastGone: what a commit has at a path that leads to nothing now is told of as it is without the
// path, on the host and below roots; where that is nothing, or mayn't be told of, the path is refused.
func TestPastGone(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	outer := testkit.Folder(t, map[string]string{
		"p/g.md": "# G\n\n## H\n", "p/d/x.md": "# X\n", "p/d/e/y.md": "# Y\n", "p/f/z.md": "# Z\n", "p/l/w.md": "# W\n", "p/n": "# N\n", "p/t/n.txt": "N\n",
		"p/id_rsa.md": "# Key\n", "p/v/.ssh/k.md": "# Key\n", "p/r1/r.md": "# R1\n", "p/r2/r.md": "# R2\n", "p/r1/stays.md": "", "p/r2/stays.md": "", "out.md": "# Out\n",
	})
	dir := filepath.Join(outer, "p")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = outer
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	for _, name := range []string{"g.md", "d", "f", "l", "n", "t", "id_rsa.md", "v", "r1/r.md", "r2/r.md", "../out.md"} {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	testkit.WriteFile(t, filepath.Join(dir, "f"), "no folder any more\n")
	for name, to := range map[string]string{"l": "none", "to": "r1"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for _, tt := range []struct{ path, section, want string }{
		{"g.md", "", "removed g.md:1-3"},
		{"./g.md", "H", "removed g.md:1-3, 2 sections below"},
		{filepath.Join(dir, "g.md"), "", "removed " + filepath.ToSlash(filepath.Join(dir, "g.md")) + ":1-3"},
		{"d", "", ": 2 of 2 documents, sections: 2 removed"},
		{"d/", "", "removed d/e/y.md:1"},
		{"d/e", "", "removed d/e/y.md:1"},
		{"d/e/y.md", "", "removed d/e/y.md:1"},
		{"f/z.md", "", "removed f/z.md:1"},
		{"l/w.md", "", "removed l/w.md:1"},
		{"to/r.md", "", "removed to/r.md:1"},
		{"d", "X", "name that document"},
		{"d/none.md", "", "file_not_found"},
		{"n", "", "file_not_found"},
		{"t", "", "file_not_found"},
		{"id_rsa.md", "", "id_rsa.md: "},
		{"v/.ssh/k.md", "", "file_not_found"},
		{"v/.ssh", "", "file_not_found"},
		{"v", "", "file_not_found"},
	} {
		for _, roots := range [][]string{nil, {dir}} {
			text := gone(t, roots, Request{New: tt.path, Section: tt.section, Revision: "HEAD"})
			if !strings.Contains(text, tt.want) || strings.Contains(text, "Key") {
				t.Errorf("%s in %q: %s", tt.path, roots, text)
			}
		}
	}
	one, two := filepath.Join(dir, "r1"), filepath.Join(dir, "r2")
	for _, tt := range []struct {
		path  string
		roots []string
		want  string
	}{
		{"../out.md", []string{dir}, "path_outside_root"},
		{filepath.Join(outer, "out.md"), []string{dir}, "path_outside_root"},
		{"../g.md", []string{one}, "path_outside_root"},
		{"r.md", []string{one, two}, "give the absolute path"},
		{filepath.Join(two, "r.md"), []string{one, two}, "r2/r.md:1"},
		{"r.md", []string{two}, "removed r.md:1"},
	} {
		if text := gone(t, tt.roots, Request{New: tt.path, Revision: "HEAD"}); !strings.Contains(text, tt.want) {
			t.Errorf("%s in %q: %s", tt.path, tt.roots, text)
		}
	}
}

// TestPastFolder: the documents of a folder in whose place something else is are told of where its path
// is asked for, whatever that is.
func TestPastFolder(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{"d.md/x.md": "# X\n", "d.md/y.md": "# Y\n", "e/x.md": "# X\n", "l.md/x.md": "# X\n", "a.md": "# A\n", "n/t.txt": "N\n", "c/x.md": "# X\n", "s/x.md": "# X\n", "u/x.md": "# X\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	links := map[string]string{"l.md": "a.md", "c": "c", "s": strings.Repeat("s", 300), "u": t.TempDir()}
	for _, name := range []string{"d.md", "e", "l.md", "n", "c", "s", "u"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if to := links[name]; to == "" {
			testkit.WriteFile(t, filepath.Join(dir, name), "# New\n")
		} else if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for _, roots := range [][]string{nil, {dir}} {
		for path, want := range map[string][]string{
			"d.md": {"added d.md:1", "removed d.md/x.md:1", "removed d.md/y.md:1"},
			"e":    {"removed e/x.md:1"},
			"l.md": {"added l.md:1", "removed l.md/x.md:1"},
			"c":    {"removed c/x.md:1"}, "c/x.md": {"removed c/x.md:1"}, // a link in a circle
			"s": {"removed s/x.md:1"}, "s/x.md": {"removed s/x.md:1"}, // with a name that no file can have
			"u": {"removed u/x.md:1"}, "u/x.md": {"removed u/x.md:1"}, // to a folder outside
		} {
			text := gone(t, roots, Request{New: path, Revision: "HEAD"})
			for _, want := range want {
				if !strings.Contains(text, want) {
					t.Errorf("%s in %q lacks %q: %s", path, roots, want, text)
				}
			}
		}
		if text := gone(t, roots, Request{New: "d.md", Section: "New", Revision: "HEAD"}); !strings.Contains(text, "added d.md:1") {
			t.Errorf("a section in %q: %s", roots, text)
		}
		if text := gone(t, roots, Request{New: "n", Revision: "HEAD"}); strings.Contains(text, "removed") {
			t.Errorf("a text file in %q: %s", roots, text)
		}
	}
}

// TestPastUntold: folders of a commit with nothing that may be told of change no reply, whatever is in
// their place now.
func TestPastUntold(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{
		"e.md/.env": "S=1\n", "h.md/.h/x.md": "# X\n", "t.md/x.txt": "X\n", "l.md/.env": "S=1\n", "a.md": "# A\n",
		"r1/b.md/.env": "S=1\n", "r1/n.md/x.md": "# X\n", "r2/b.md/x.md": "# X\n", "r2/n.md/x.txt": "X\n",
	})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%q: %s", args, out)
		}
	}
	for _, name := range []string{"e.md", "h.md", "t.md", "l.md", "r1/b.md", "r1/n.md", "r2/b.md", "r2/n.md"} {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"e.md", "h.md", "t.md", "o.md"} {
		testkit.WriteFile(t, filepath.Join(dir, name), "# New\n")
	}
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "# A\n\n## B\n")
	for _, name := range []string{"l.md", "k.md"} {
		if err := os.Symlink("a.md", filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	ask := func(roots []string, name, as string) string {
		return strings.ReplaceAll(gone(t, roots, Request{New: name, Revision: "HEAD"}), name, as)
	}
	for _, roots := range [][]string{nil, {dir}} {
		want := ask(roots, "o.md", "o.md")
		for _, name := range []string{"e.md", "h.md", "t.md"} {
			if text := ask(roots, name, "o.md"); text != want {
				t.Errorf("%s in %q: %s, want %s", name, roots, text, want)
			}
		}
		if text, want := ask(roots, "l.md", "k.md"), ask(roots, "k.md", "k.md"); text != want || !strings.Contains(text, "added") {
			t.Errorf("a link in %q: %s, want %s", roots, text, want)
		}
	}
	both := []string{filepath.Join(dir, "r1"), filepath.Join(dir, "r2")}
	for _, name := range []string{"b.md", "n.md"} {
		if text := ask(both, name, name); !strings.Contains(text, "removed") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// gone compares, below roots if there are any, and returns the text or the error.
func gone(t *testing.T, roots []string, req Request) string {
	t.Helper()
	var r *Reply
	var err error
	if roots == nil {
		r, err = Compare(t.Context(), documents.Set{}, req)
	} else {
		r, err = compareIn(t, documents.Options{Roots: roots}, req)
	}
	if err != nil {
		return err.Error()
	}
	return string(r.Text)
}

// TestLargeDocumentsBesideEachOther compares documents that don't fit into the memory together,
// and such a one with itself: the second is refused, where a request would wait for itself.
func TestLargeDocumentsBesideEachOther(t *testing.T) {
	text := "# A\n\n" + strings.Repeat("some plain words in a line of text\n\n", 4<<20/36)
	dir := testkit.Folder(t, map[string]string{"a.md": text, "b.md": text + "x\n"})
	var waiting sync.WaitGroup // each waits for a second for memory
	for _, now := range []string{"a.md", "b.md"} {
		waiting.Go(func() {
			_, err := compareWithin(t, dir, 64<<20, Request{Old: "a.md", New: now})
			if e := replies.AsError(err); err == nil || e.Code != "too_complex" {
				t.Errorf("a.md and %s: %v", now, err)
			}
		})
	}
	waiting.Wait()
}

// TestHides compares folders and a commit whose documents have names and texts with what can't be
// seen: lists replace it, JSON has the names as they are, and the text of a difference is
// announced where a reader can't see what is in it.
func TestHides(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	names := []string{"n\nadded FORGED.md:1-3 h1.0 #1111111111111111 x.md", "r\u202eF.md", "l\u2028F.md", "z\u200bF.md", "b\u2066F.md", "e\x1b[31mE.md"}
	contents := map[string]string{"old/keep.md": "# K\n", "new/keep.md": "# K\n"}
	for _, name := range names {
		contents["new/"+name] = "# N\u202e\n\nx\u200by\n"
	}
	dir := testkit.Folder(t, contents)
	t.Chdir(dir)
	look := func(docs documents.Set, req Request) *Reply {
		t.Helper()
		r, err := Compare(t.Context(), docs, req)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(r.Text)) {
			if strings.HasPrefix(line, "added FORGED") || !strings.ContainsAny(line[:1], "+-") && strings.ContainsAny(line, "\u202e\u2028\u200b\u2066\x1b") {
				t.Errorf("%+v: %q", req, line)
			}
		}
		if got := bytes.Count(r.Text, []byte("\ufffdF.md")); got != 3 {
			t.Errorf("%+v: %d names:\n%s", req, got, r.Text)
		}
		return r
	}
	for _, req := range []Request{{Old: "old", New: "new"}, {Revision: "HEAD", New: "new"}} {
		if req.Revision != "" {
			for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}, {"rm", "-rq", "new", ":!new/keep.md"}} {
				if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", args, out)
				}
			}
		}
		look(documents.Set{}, req)
		req.Stat = true
		look(documents.Set{}, req)
		req.Stat, req.Patch = false, true
		if r := look(documents.Set{}, req); bytes.Contains(r.Text, []byte("warning: ")) {
			t.Errorf("on a command line:\n%s", r.Text)
		}
		r := look(documents.Set{Marks: replies.NewMarks(nil)}, req)
		if n := bytes.Count(r.Text, []byte(" warning: the text has 2 invisible or direction-changing characters (U+202E at line 2 of the difference, U+200B at line 4 of the difference)\n")); n != len(names) {
			t.Errorf("%d differences are announced:\n%s", n, r.Text)
		}
		req.JSON = true
		r, err := Compare(t.Context(), documents.Set{}, req)
		if err != nil || !bytes.Contains(r.Text, []byte(`r\u202eF.md`)) {
			t.Errorf("%v: %s", err, r.Text)
		}
	}
}

// TestPastSize compares with a commit whose object says that it has more bytes than a number
// holds three times.
func TestPastSize(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\none\n", "b.md": "# B\n\none\n"})
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one")
	id := git("rev-parse", "HEAD:a.md")
	object := filepath.Join(dir, ".git", "objects", id[:2], id[2:])
	for _, size := range []string{"4000000000000000000", "6148914691236517206", "9223372036854775807"} {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		if _, err := fmt.Fprintf(w, "blob %s\x00# A\n", size); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Remove(object), os.WriteFile(object, packed.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		testkit.WriteFile(t, filepath.Join(dir, "a.md"), "# A\n\ntwo\n")
		testkit.WriteFile(t, filepath.Join(dir, "b.md"), "# B\n\ntwo\n")
		r, err := compareWithin(t, dir, 0, Request{New: ".", Revision: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		if text := string(r.Text); !strings.Contains(text, "changed b.md:1-3") || len(r.Failed) != 1 || r.Failed[0].Code != "too_complex" {
			t.Errorf("%s bytes: %s\n%v", size, text, r.Failed)
		}
	}
}
