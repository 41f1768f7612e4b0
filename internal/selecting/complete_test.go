package selecting

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompleteAddress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("# Guide\n\n## Install\n\n### On Linux\n\n## Use *it* & go\n\n# Notes\n\n## Install\n\n## \u202Ehidden\n\n## A > B\n\n### Under\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][]string{
		"Note": {"Notes lines 9-17 false"},
		"h2.2": {"h2.2 Install false"},
		"zzz":  nil,
	} {
		var got []string
		for _, c := range CompleteAddress(path, typed) {
			got = append(got, strings.Join([]string{c.Selector, c.Description, fmt.Sprint(c.Open)}, " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", typed, diff)
		}
	}
	if got := CompleteAddress(path+"x", ""); got != nil {
		t.Errorf("a file that is not there: %v", got)
	}
}

// TestCompleteParts completes addresses by what parts are and hold: each that is offered begins
// with what is typed and stands for something.
func TestCompleteParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	const text = "---\ntitle: x\ntags: [a]\nmenu:\n  weight: 1\n---\n# T\n\n- [ ] Buy milk\n- [x] Bread\n- plain\n- [a *link*][r] b\n\n[r]: /u\n\n```sh\na\n```\n\n```sh title=x\nb\n```\n\n```go\n```\n\n" +
		"| Fruit | The price |\n|---|---|\n| Apple | 1 |\n\nLast *words* of it.\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"task[":              `task["Bread"] task["Buy milk"] task[done] task[open]`,
		"ta":                 "table.0 task[done] task[open]",
		"T/":                 "T/task[done] T/task[open]",
		"T/task[o":           "T/task[open]",
		"h1.0/task[\"Buy":    `h1.0/task["Buy milk"]`,
		"code[":              "code[go] code[sh]",
		"T/code[s":           "T/code[sh]",
		"table.0[":           `table.0["Fruit"] table.0["The price"]`,
		"table[\"The":        `table["The price"]`,
		"item[\"p":           `item["plain"]`,
		"item[\"a":           `item["a link b"]`,
		"@frontmatter.":      "@frontmatter.menu @frontmatter.tags @frontmatter.title",
		"@frontmatter.ti":    "@frontmatter.title",
		"@frontmatter.menu.": "@frontmatter.menu.weight",
		"quote[":             "",
		"nothing/task[":      "",
	} {
		var got []string
		for _, c := range CompleteAddress(path, typed) {
			got = append(got, c.Selector)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q: %s, want %s", typed, text, want)
		}
	}
}
