package address

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeadingOf(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"## Install\n", "## Install"},
		{"  ##\tInstall *it*  ##  \r\n", "## Install *it*"},
		{"Title\n=====\n", "# Title"},
		{"Two \n  lines\r\n---\n", "## Two lines"},
		{"###\n", "###"},
		{"### ###\n", "###"},
		{"# a\u202Eb\xFF\n", "# a\u202Eb\xFF"},
	} {
		if got := HeadingOf(parse(t, c.src), 0); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

// TestCandidateOf: a candidate is what an error about its address has.
func TestCandidateOf(t *testing.T) {
	doc := parse(t, "---\na: b\n---\ntext\n\n# A\n\ntext\n\n## B\n\n- item\n\n# A\n")
	for addr, want := range map[string]Candidate{
		"## B":         {Address: "## B", Heading: "## B", Selector: "h2.0", Level: 2, StartLine: 10, EndLine: 13},
		"h1.1":         {Address: "h1.1", Heading: "# A", Selector: "h1.1", Level: 1, StartLine: 14, EndLine: 14},
		"h2.0/list.0":  {Address: "h2.0/list.0", Selector: "h2.0/list.0", StartLine: 12, EndLine: 12},
		"@preamble":    {Address: "@preamble", Selector: "@preamble", StartLine: 4, EndLine: 5},
		"@frontmatter": {Address: "@frontmatter", Selector: "@frontmatter", StartLine: 1, EndLine: 3},
	} {
		r, err := Resolve(doc, addr)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, CandidateOf(doc, r.Node)); diff != "" {
			t.Errorf("%s:\n%s", addr, diff)
		}
	}
}
