package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The usual mistakes are told with what is written and what to write.
func TestMistakes(t *testing.T) {
	const (
		docs    = "categories:\n  docs:\n    dir: docs\n"
		quoting = "; put the text in quotes: "
	)
	for _, test := range []struct{ text, want string }{
		{docs + "    patterns:\n      - [ab]*.md # c\n", `5:9: [ begins a list in YAML` + quoting + `"[ab]*.md"`},
		{docs + "    patterns:\n      - {a,b}.md\n", `5:9: { begins a mapping in YAML` + quoting + `"{a,b}.md"`},
		{docs + "    patterns:\n      - {a,b}/**\n", `5:9: { begins a mapping in YAML` + quoting + `"{a,b}/**"`},
		{docs + "    patterns:\n      - [ab]\n", `5:9: categories.docs.patterns[0]: it is a list and must be a text; put the text in quotes: "[ab]"`},
		{docs + "    patterns:\n      - !x\n", `5:9: ! begins a tag in YAML, and there are none here` + quoting + `"!x"`},
		{docs + "    patterns:\n      - &x.md\n", `5:9: & begins an anchor in YAML, and there are none here` + quoting + `"&x.md"`},
		{docs + "    patterns:\n      - %x\n", `5:9: its signs mean something in YAML` + quoting + `"%x"`},
		{docs + "    patterns:\n      - @x\n", `5:9: @ is reserved in YAML` + quoting + `"@x"`},
		{docs + "    patterns:\n      - `x`\n", "5:9: ` is reserved in YAML" + quoting + "\"`x`\""},
		{docs + "    patterns:\n      - **/{a,b}.md\n", `5:9: * begins an alias in YAML; put the pattern in quotes: "**/{a,b}.md"`},
		{docs + "    patterns: [**/{a,b}.md, c]\n", `4:16: * begins an alias in YAML; put the pattern in quotes: "**/{a,b}.md"`},
		{docs + "    patterns: [#x.md]\n", `4:16: # begins a comment in YAML, so that the bracket is not closed` + quoting + `"#x.md"`},
		{docs + "    patterns: [a.md, {a,b}.md]\n", `4:22: { begins a mapping in YAML` + quoting + `"{a,b}.md"`},
		{docs + "    patterns: [[ab].md]\n", `4:16: [ begins a list in YAML` + quoting + `"[ab].md"`},
		{docs + "    patterns: [a.md\n    description: x\n", `4:15: the bracket [ is not closed: "[a.md"; write ] at its end`},
		{docs + "    patterns: [\"a.md\"\n", `4:15: the bracket [ is not closed: "[\"a.md\""; write ] at its end`},
		{docs + "    patterns: [\"a.md]\n    description: x\n", `4:16: the text that begins with "\"a.md]" has no quote at its end; close it`},
		{docs + "    patterns: '*.md'\n", `4:15: categories.docs.patterns: it is a single value and must be a list; write ["*.md"]`},
		{"categories:\n  docs:\n    dir:docs\n", "3:5: categories.docs: write a blank behind the colon: dir: docs"},
		{"categories:\n  docs:\n    dir:docs\n    patterns: [a]\n", "3:5: write a blank behind the colon: dir: docs"},
		{"categories:\n  docs:\n    patterns: [a]\n    dir:docs # c\n", "4:5: write a blank behind the colon: dir: docs"},
		{"categories:\n  - docs\n", "2:3: categories: it is a list and must be a mapping; write NAME: without a dash, and dir: FOLDER below it"},
		{"collections:\n  - docs\n", "2:3: collections: it is a list and must be a mapping; write NAME: [CATEGORY, CATEGORY/PATTERN], without a dash"},
		{"dir: docs\n", "1:1: dir: unknown key; it belongs to a category: write it below categories: and NAME:."},
		{"entries: [docs]\n", "1:1: entries: unknown key; it belongs to a collection: write it below collections: and NAME:."},
		{"max_files: 3\n", "1:1: max_files: unknown key; it belongs below guide:."},
		{"docs:\n  dir: docs\n", "1:1: docs: unknown key; a category stands below categories: write categories:, and below it, indented, docs:."},
		{"categories:\n  docs: {dir: 'docs\\sub'}\n", "2:15: categories.docs.dir: the folder's name has a backslash; write / between folders: docs/sub"},
		{docs + "    vars: {v: 1.10}\n", `4:15: categories.docs.vars.v: as a number this would become 1.1; put it in quotes to keep it as it is written: "1.10"`},
		{docs + "    vars: {v: 2.0}\n", `4:15: categories.docs.vars.v: as a number this would become 2; put it in quotes to keep it as it is written: "2.0"`},
		{docs + "    vars: {v: 1_000}\n", `4:15: categories.docs.vars.v: as a number this would become 1000; put it in quotes to keep it as it is written: "1_000"`},
		{docs + "    vars: {v: 0x1F}\n", `4:15: categories.docs.vars.v: as a number this would become 31; put it in quotes to keep it as it is written: "0x1F"`},
		{docs + "    vars: {v: 1.5e3}\n", `4:15: categories.docs.vars.v: as a number this would become 1500; put it in quotes to keep it as it is written: "1.5e3"`},
		{docs + "    vars: {a: 1.25, b: -3, c: 0, d: 0.5, e: 1e-07}\n", ""},
		{docs + "    patterns: [\"a,b\", 'c]', \"{x,y}.md\"] # [\n", ""},
	} {
		got, _, _ := strings.Cut(strings.Join(problemsIn(test.text, Project), "\n"), " allowed:")
		if test.want != "" {
			test.want = Name + ":" + test.want
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s(-want +got)\n%s", test.text, diff)
		}
	}
}

func TestMistakesOfTheUser(t *testing.T) {
	got := strings.Join(problemsIn("categories:\n  a:\n  b: {dir: \"\"}\n  c: {dri: x}\n", User), "\n")
	for _, text := range []string{"write dir: FOLDER, absolute, or beginning with ~/", "the folder is empty; name one, absolute or beginning with ~/", "did you mean dir?"} {
		if !strings.Contains(got, text) {
			t.Errorf("%s\nwithout %s", got, text)
		}
	}
}

// A file that is called almost as the project's is named, from the start up to the
// root of the project and no further.
func TestLoadMisnamed(t *testing.T) {
	dir := tree(t, map[string]string{
		"yml/.sectile.yml": "", "yml/.git/x": "", "yml/a/b/x": "", "plain/sectile.yaml": "", "plain/sub/x": "", "both/.sectile.yaml": "", "both/.sectile.yml": "",
		"plain/other/.git/x": "", "folder/.git/x": "", "folder/sectile.yaml/x": "",
	})
	for start, want := range map[string]string{"yml": ".sectile.yml", "yml/a/b": ".sectile.yml", "plain/sub": "sectile.yaml", "both": "", "plain/other": "", "folder": ""} {
		l := NewLoader(LoadOptions{Start: filepath.Join(dir, start), UserFile: "-"})
		loaded, err := l.Load(t.Context())
		if err != nil || loaded.Misnamed != want {
			t.Errorf("%s: %+v, %v; want %q", start, loaded, err, want)
		}
	}
}

// A change that the other file keeps from being made says which one to mend.
func TestChangeMendFirst(t *testing.T) {
	dir := tree(t, map[string]string{"p/.sectile.yaml": "x: y\n", "user.yaml": "categories:\n  docs:\n    dir: /docs\n"})
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p"), UserFile: filepath.Join(dir, "user.yaml")})
	_, err := l.Change(t.Context(), User, Remove{"docs"})
	e, ok := errors.AsType[*Error](err)
	if !ok || len(e.Problems) != 2 || e.Problems[0].File != UserName || !strings.Contains(e.Problems[0].Message, ".sectile.yaml is wrong") || e.Problems[1].File != Name {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "user.yaml")); err != nil || !strings.Contains(string(text), "docs") {
		t.Errorf("%s, %v", text, err)
	}
}
