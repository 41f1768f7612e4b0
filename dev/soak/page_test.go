package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPageNamesTargets sees that docs/testing.md names the fuzz targets that there are,
// and the parts of a run.
func TestPageNamesTargets(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "testing.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // somebody has just removed it
			return nil
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "bench" || path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range target.FindAllSubmatch(text, -1) {
			there[string(found[1])] = true
		}
		return err
	})
	if err != nil || len(there) < 30 {
		t.Fatalf("%d targets, %v", len(there), err)
	}
	named := map[string]bool{}
	for _, name := range regexp.MustCompile(`\bFuzz[A-Z]\w+`).FindAllString(string(page), -1) {
		named[name] = true
		if !there[name] {
			t.Errorf("docs/testing.md names %s, which is not there", name)
		}
	}
	for name := range there {
		if !named[name] {
			t.Errorf("docs/testing.md does not name %s", name)
		}
	}
	for _, p := range newRun(&options{}, "", "").all() {
		if !strings.Contains(string(page), "`"+p.name+"`") {
			t.Errorf("docs/testing.md does not tell of the part %s", p.name)
		}
	}
}
