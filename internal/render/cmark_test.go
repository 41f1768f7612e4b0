package render

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// cmark-gfm, the reference implementation of GFM, writes the documents of the corpus as we do,
// byte by byte, but for what is explained here and for the order of the attributes of a task's
// box, which the specification has as we do.

// explained are the documents that it writes in another way, with the reason.
var explained = map[string]string{
	"apple+swift-evolution/proposals/0089-rename-string-reflection-init.md":      tabInFence,
	"apple+swift-evolution/proposals/0110-distinguish-single-tuple-arg.md":       tabInFence,
	"apple+swift-evolution/proposals/0111-remove-arg-label-type-significance.md": tabInFence,
	"apple+swift-evolution/proposals/0119-extensions-access-modifiers.md":        tabInFence,
	"apple+swift-evolution/proposals/0165-dict.md":                               tabInFence,
	"apple+swift-evolution/proposals/0217-bangbang.md":                           codeInLines,
	"apple+swift-evolution/proposals/0431-isolated-any-functions.md":             noteInNote,
	"rust-lang+book/nostarch/appendix_b.md":                                      barAlone,
}

// Reasons.
const (
	tabInFence  = "a tab of which the list item takes a part is as many spaces as are left of it (2.2), and the fence's indentation is taken off them"
	codeInLines = "what a line of a paragraph begins with is no part of the paragraph (4.8), and of no code in it"
	barAlone    = "a line with '|' alone is a row of the table, which ends at an empty line or another block (GFM 4.10)"
	noteInNote  = "cmark-gfm counts a footnote that another footnote refers to before those that the text behind it refers to"
)

// boxes are the boxes of tasks as cmark-gfm writes them, and as the specification does.
var boxes = strings.NewReplacer(
	`<input type="checkbox" checked="" disabled="" />`, `<input checked="" disabled="" type="checkbox">`,
	`<input type="checkbox" disabled="" />`, `<input disabled="" type="checkbox">`,
)

// noteNames are the names of footnotes in addresses: cmark-gfm takes labels for them, which have it give
// two elements one name, and ours are numbers.
var noteNames = regexp.MustCompile(`(fn(?:ref)?)-[^"]*"`)

func TestBesideCMark(t *testing.T) {
	program, err := exec.LookPath("cmark-gfm")
	if err != nil {
		testkit.Missing(t, "there is no cmark-gfm here")
	}
	options := []string{"--unsafe"}
	for _, extension := range []string{"table", "strikethrough", "autolink", "tasklist", "tagfilter", "footnotes"} {
		options = append(options, "-e", extension)
	}
	for i, f := range testkit.CorpusFiles(t) {
		if !testkit.Long() && i%25 != 0 && explained[f.Name] == "" {
			continue
		}
		cmd := exec.Command(program, options...)
		cmd.Stdin = bytes.NewReader(f.Data)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		got, want := html(t, string(f.Data), markdown.Options{NoFrontMatter: true}), boxes.Replace(string(out))
		got, want = noteNames.ReplaceAllString(got, `$1"`), noteNames.ReplaceAllString(want, `$1"`)
		switch reason := explained[f.Name]; {
		case got == want && reason != "":
			t.Errorf("%s is written alike, in spite of %q", f.Name, reason)
		case got != want && reason == "":
			t.Errorf("%s: %s", f.Name, firstDifference(got, want))
		}
	}
}

// firstDifference returns the first lines of two texts that differ.
func firstDifference(got, want string) string {
	ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			return "\ngot  " + ours[i] + "\nwant " + theirs[i]
		}
	}
	return "one is longer"
}
