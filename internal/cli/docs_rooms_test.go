package cli_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRoomsSayWhatTheirFilesHold: the comment of a package with more than three files names
// each of them, and none that there isn't.
func TestRoomsSayWhatTheirFilesHold(t *testing.T) {
	root := filepath.Join("..", "..")
	rooms := 0
	for _, r := range roomsOf(t, root) {
		if len(r.files) <= 3 {
			continue
		}
		rooms++
		patterns := fileNames.FindAllString(r.comment, -1)
		for _, name := range r.files {
			if !slices.ContainsFunc(patterns, func(pattern string) bool { return isMatch(t, pattern, name) }) {
				t.Errorf("%s: the package's comment doesn't name %s", r.dir, name)
			}
		}
		for _, pattern := range patterns {
			if !slices.ContainsFunc(r.files, func(name string) bool { return isMatch(t, pattern, name) }) {
				t.Errorf("%s: the package's comment names %s, and there is none", r.dir, pattern)
			}
		}
	}
	if rooms < 15 {
		t.Errorf("%d packages were looked at", rooms)
	}
}

// TestRoomsAreOnTheMap: the table of rooms in architecture.md names each package once, and
// nothing that there isn't, and a package imports only those that stand before it.
func TestRoomsAreOnTheMap(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{} // by name, without internal/
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+) \\|").FindAllSubmatch(page, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllSubmatch(row[1], -1) {
			if _, ok := place[string(name[1])]; ok {
				t.Errorf("%s stands twice in the table", name[1])
			}
			place[string(name[1])] = len(place) + 1
			isThere(t, root, string(name[1]))
		}
	}
	for _, file := range regexp.MustCompile("`([a-z/]+/[A-Za-z_]+\\.(go|md))`").FindAllSubmatch(page, -1) {
		isThere(t, root, string(file[1]))
	}
	for _, r := range roomsOf(t, root) {
		name := strings.TrimPrefix(r.dir, "internal/")
		if place[name] == 0 {
			t.Errorf("the table doesn't name %s", r.dir)
			continue
		}
		for _, imported := range r.imports {
			if place[imported] >= place[name] {
				t.Errorf("%s imports %s, which doesn't stand before it in the table", r.dir, imported)
			}
		}
	}
}

// isThere has a path of architecture.md be there: below the root, or below internal.
func isThere(t *testing.T, root, path string) {
	t.Helper()
	for _, folder := range []string{root, filepath.Join(root, "internal")} {
		if _, err := os.Stat(filepath.Join(folder, path)); err == nil {
			return
		}
	}
	if filepath.Base(path) != "VERB.go" { // stands for each command's file
		t.Errorf("architecture.md names %s, and there is none", path)
	}
}

// TestRoomsAreSmall: a package has at most 5,000 lines, comments and all, and 45 files; an
// adapter 5,500, and as many files as there are commands and tools.
func TestRoomsAreSmall(t *testing.T) {
	root := filepath.Join("..", "..")
	rooms := roomsOf(t, root)
	if len(rooms) < 25 {
		t.Errorf("%d packages were looked at", len(rooms))
	}
	for _, r := range rooms {
		lines := 0
		for _, name := range append(r.files, "doc.go") {
			text, err := os.ReadFile(filepath.Join(root, r.dir, name))
			if err != nil && name != "doc.go" {
				t.Fatal(err)
			}
			lines += strings.Count(string(text), "\n")
		}
		most, files := 5000, 45
		if r.dir == "internal/cli" || r.dir == "internal/mcpserver" {
			most, files = 5500, 90
		}
		if lines > most || len(r.files) > files {
			t.Errorf("%s has %d lines and %d files, at most %d and %d: what in it could be a room of its own?", r.dir, lines, len(r.files), most, files)
		}
	}
}

// room is a package of the product.
type room struct {
	dir     string // below the root, with forward slashes
	comment string
	files   []string // without tests and doc.go
	imports []string // packages of the product outside of its folder, without internal/
}

// roomsOf returns the packages of the product.
func roomsOf(t *testing.T, root string) (rooms []room) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(dir string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			return nil
		case dir != "." && (strings.HasPrefix(e.Name(), ".") || slices.Contains([]string{"testdata", "dev", "tools", "docs", "node_modules", "dist", "build"}, e.Name())):
			return fs.SkipDir
		}
		if r := readRoom(t, root, dir); r.files != nil {
			rooms = append(rooms, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}

// fileNames finds the names and patterns of files in a comment.
var fileNames = regexp.MustCompile(`[a-z0-9_*]+\.go\b`)

func isMatch(t *testing.T, pattern, name string) bool {
	t.Helper()
	ok, err := path.Match(pattern, name)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// readRoom reads the package in a folder; it has no files if there is no package.
func readRoom(t *testing.T, root, dir string) room {
	t.Helper()
	r := room{dir: dir}
	found, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		r.comment += parsed.Doc.Text()
		if name != "doc.go" {
			r.files = append(r.files, name)
		}
		for _, spec := range parsed.Imports {
			imported, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, "\"`"), "github.com/sectile/sectile/")
			if ours && !strings.HasPrefix(imported, dir+"/") {
				r.imports = append(r.imports, strings.TrimPrefix(imported, "internal/"))
			}
		}
	}
	return r
}
