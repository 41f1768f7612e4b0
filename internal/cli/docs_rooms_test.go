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
// each of them, and none that there isn't; and the tables of rooms name each package once.
func TestRoomsSayWhatTheirFilesHold(t *testing.T) {
	root := filepath.Join("..", "..")
	var tables []string
	for _, page := range []string{"AGENTS.md", "docs/architecture.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, string(text))
	}
	rooms := 0
	for _, r := range roomsOf(t, root) {
		for i, page := range []string{"AGENTS.md", "docs/architecture.md"} {
			if n := strings.Count(tables[i], "\n| `"+r.dir+"` |"); n != 1 {
				t.Errorf("%s: %d rows for %s", page, n, r.dir)
			}
		}
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
		if comment, names := packageComment(t, filepath.Join(root, dir)); names != nil {
			rooms = append(rooms, room{dir, comment, names})
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

// packageComment returns the comment of the package in a folder, and its files without tests
// and doc.go; no files if there is no package.
func packageComment(t *testing.T, dir string) (comment string, names []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		comment += parsed.Doc.Text()
		if name != "doc.go" {
			names = append(names, name)
		}
	}
	return comment, names
}
