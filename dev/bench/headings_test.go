package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

func TestMissed(t *testing.T) {
	there := []heading{{1, 1, 1}, {2, 5, 7}, {2, 9, 9}}
	for name, c := range map[string]struct {
		found          []heading
		missing, extra int
	}{
		"all":                   {[]heading{{1, 1, 1}, {2, 6, 6}, {2, 9, 9}}, 0, 0},
		"in another order":      {[]heading{{2, 9, 9}, {2, 7, 7}, {1, 1, 1}}, 0, 0},
		"none":                  {nil, 3, 0},
		"another level":         {[]heading{{1, 1, 1}, {3, 5, 5}, {2, 9, 9}}, 1, 1},
		"another line":          {[]heading{{1, 2, 2}, {2, 5, 5}, {2, 9, 9}}, 1, 1},
		"one twice":             {[]heading{{1, 1, 1}, {1, 1, 1}, {2, 5, 5}, {2, 9, 9}}, 0, 1},
		"two lines of the same": {[]heading{{1, 1, 1}, {2, 5, 5}, {2, 7, 7}, {2, 9, 9}}, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if missing, extra := missed(there, c.found); missing != c.missing || extra != c.extra {
				t.Errorf("%d missing and %d made up, want %d and %d", missing, extra, c.missing, c.extra)
			}
		})
	}
}

// TestDetect counts the mistakes of the regular expression on a document that is made
// to have them, and those of goldmark, which makes none.
func TestDetect(t *testing.T) {
	docs := []document{{"a.md", []byte("---\n# no\n---\n\n# A\n\n```sh\n# no\n```\n\nB\n---\n\n## C ##\n")}, {"b.md", []byte("# A\n")}}
	reference := map[string][]heading{"a.md": {{1, 5, 5}, {2, 11, 12}, {2, 14, 14}}, "b.md": {{1, 1, 1}}}
	none := func(document, int, int) {}
	for _, c := range []struct {
		tool tool
		want detection
	}{
		{expression(), detection{documents: 2, wrong: 1, there: 4, missing: 1, extra: 2}},
		{goldmarkTool(), detection{documents: 2, there: 4}},
		{rsc(), detection{documents: 2, there: 4}},
	} {
		found, err := c.tool.headings(t.Context(), "", docs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, detect(docs, reference, found, none), cmp.AllowUnexported(detection{})); diff != "" {
			t.Errorf("%s: %s", c.tool.name, diff)
		}
	}
}

// TestJudgeHeadings finds as many headings as a generated document is known to have.
func TestJudgeHeadings(t *testing.T) {
	for _, d := range testkit.Fixtures() {
		if n := len(judgeHeadings(d.Source)); n != d.Sections {
			t.Errorf("%s: %d headings, want %d", d.Name, n, d.Sections)
		}
	}
}

func TestCtagsHeadings(t *testing.T) {
	out := `{"_type": "tag", "path": "/d/a/b.md", "line": 3, "kind": "chapter"}` + "\n" +
		`{"_type": "tag", "path": "/d/a/b.md", "line": 9, "kind": "l5subsection"}` + "\n" + `{"_type": "tag", "path": "/d/c.md", "line": 1, "kind": "other"}` + "\n"
	found, err := ctagsHeadings("/d", []byte(out))
	if diff := cmp.Diff(map[string][]heading{"a/b.md": {{1, 3, 3}, {6, 9, 9}}}, found, cmp.AllowUnexported(heading{})); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestWithoutFrontMatter(t *testing.T) {
	for source, want := range map[string]string{
		"---\na: b\n---\n# A\n": "\n\n\n# A\n",
		"---\n# A\n":            "---\n# A\n",
		"+++\n---\n+++\n# A\n":  "\n\n\n# A\n",
		"---\r\na\r\n...\r\nb":  "\n\n\nb",
		"a\n---\nb\n---\n":      "a\n---\nb\n---\n",
		"":                      "",
	} {
		if got := string(withoutFrontMatter([]byte(source))); got != want {
			t.Errorf("%q became %q, want %q", source, got, want)
		}
	}
}
