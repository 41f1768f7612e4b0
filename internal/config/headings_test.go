package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeadings(t *testing.T) {
	for name, c := range map[string]struct {
		user string
		want []string
		err  string // what it has; empty for none
	}{
		"some":                      {"headings:\n  - '2:\\*\\*(?<title>[^*]+)\\*\\*'\n  - 1:@chapter (?<title>.+)\n", []string{`2:\*\*(?<title>[^*]+)\*\*`, `1:@chapter (?<title>.+)`}, ""},
		"none":                      {"guide: {max_files: 2}\n", nil, ""},
		"empty":                     {"headings:\n", nil, ""},
		"wrong, beside others":      {"guide: {max_files: 0}\nheadings: ['2:x', '7:x']\n", nil, "config.yaml of the user:2:19: headings[1]: `7:x` doesn't begin with a level from 1 to 6 and a colon; write LEVEL:PATTERN, such as"},
		"right, beside wrong":       {"guide: {max_files: 0}\nheadings: ['2:x']\n", []string{"2:x"}, ""},
		"no pattern":                {"headings: ['2:(']\n", nil, "headings[0]: `2:(` is no pattern in the syntax of RE2: missing closing )"},
		"a mapping":                 {"headings:\n  - 2: x\n", nil, "headings[0]: it is a mapping and must be a text"},
		"a text":                    {"headings: '2:x'\n", nil, "headings: it is a single value and must be a list; write [\"2:x\"]"},
		"too many":                  {"headings: ['1:a'" + strings.Repeat(", '1:a'", 16) + "]\n", nil, "headings: it has 17 patterns and at most 16"},
		"no YAML":                   {"headings: ['2:x'\n", nil, "config.yaml of the user:1"},
		"no YAML and none":          {"guide: [\n", nil, ""},
		"a category with that name": {"categories: {headings: {dir: /x}}\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"config.yaml": c.user})
			got, err := NewLoader(LoadOptions{Start: dir, UserFile: filepath.Join(dir, "config.yaml")}).Headings(t.Context())
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("%v, want %q", err, c.err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A project's file has none, and what it says about them is not read: which lines are headings
// decides what an edit changes.
func TestHeadingsOfProject(t *testing.T) {
	dir := tree(t, map[string]string{".sectile.yaml": "headings: ['2:x']\n"})
	l := NewLoader(LoadOptions{Start: dir, UserFile: "-"})
	if got, err := l.Headings(t.Context()); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := l.Load(t.Context()); err == nil || !strings.Contains(err.Error(), ".sectile.yaml:1:1: headings: only the user's own file, sectile/config.yaml, may say which lines are headings") {
		t.Error(err)
	}
}

// A file that the user may not read stands for no headings, as one of somebody else does; one
// that can't be read for another reason may have some. The user's own may say in any case that nothing
// is to be kept of changes.
func TestHeadingsOfUnreadableFiles(t *testing.T) {
	dir := tree(t, map[string]string{"latin1.yaml": "# \xff\n", "private/config.yaml": "headings: ['2:x']\n"})
	for name, wanted := range map[string]bool{"latin1.yaml": false, "private": false, "none.yaml": true, "private/config.yaml": true} {
		if name == "private/config.yaml" {
			if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
				t.Fatal(err)
			}
			if f, err := os.Open(filepath.Join(dir, name)); err == nil {
				_ = f.Close()
				continue // root may read it
			}
		}
		l := NewLoader(LoadOptions{Start: dir, UserFile: filepath.Join(dir, name)})
		got, err := l.Headings(t.Context())
		if _, journalErr := l.Journal(); len(got) > 0 || (err == nil) != wanted || (journalErr == nil) != (name == "none.yaml") {
			t.Errorf("%s: %q, %v, %v", name, got, err, journalErr)
		}
	}
}
