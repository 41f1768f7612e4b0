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
// each of them, and none that there isn't; and the tables of rooms name each package.
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
	walk := func(dir string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			return nil
		case dir != "." && (strings.HasPrefix(e.Name(), ".") || slices.Contains([]string{"testdata", "dev", "tools", "docs", "node_modules", "dist"}, e.Name())):
			return fs.SkipDir
		}
		comment, names := packageComment(t, filepath.Join(root, dir))
		if names == nil {
			return nil
		}
		for i, page := range []string{"AGENTS.md", "docs/architecture.md"} {
			if !strings.Contains(tables[i], "| `"+dir+"` |") {
				t.Errorf("%s: no row for %s", page, dir)
			}
		}
		if len(names) <= 3 {
			return nil
		}
		rooms++
		patterns := fileNames.FindAllString(comment, -1)
		for _, name := range names {
			if !slices.ContainsFunc(patterns, func(pattern string) bool { return isMatch(t, pattern, name) }) {
				t.Errorf("%s: the package's comment doesn't name %s", dir, name)
			}
		}
		for _, pattern := range patterns {
			if !slices.ContainsFunc(names, func(name string) bool { return isMatch(t, pattern, name) }) {
				t.Errorf("%s: the package's comment names %s, and there is none", dir, pattern)
			}
		}
		return nil
	}
	if err := fs.WalkDir(os.DirFS(root), ".", walk); err != nil {
		t.Fatal(err)
	}
	if rooms < 15 {
		t.Errorf("%d packages were looked at", rooms)
	}
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
