package selecting

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

const hiding = "# A\n\nshown\n\n## B\n\nhid\u202Eden\n\n## C\n\n\u200B👩‍👩‍👧\u00AD\u2066\n"

// TestSelectUnseen warns of what can't be seen in the content that is delivered,
// in replies of limited length alone.
func TestSelectUnseen(t *testing.T) {
	const one = "[warning: the text has 1 invisible or direction-changing character (U+202E at line 7)]\n"
	for _, tt := range []struct {
		selector string
		want     string // the warning
	}{
		{"h2.0", one},
		{"h2.0?head=2", ""},
		{"h2.0?tail=1", one},
		{"h2.0/para.0", one},
		{"h2.1", "[warning: the text has 3 invisible or direction-changing characters (U+200B at line 11, U+00AD at line 11, U+2066 at line 11)]\n"},
		{"h1.0", "[warning: the text has 4 invisible or direction-changing characters (U+202E at line 7, U+200B at line 11, U+00AD at line 11, …)]\n"},
		{"h2.0,0", "[warning: the text has 2 invisible or direction-changing characters (U+202E at line 7, U+202E at line 7)]\n"},
		{"h1.0/para.0", ""},
		{"h2.9", ""},
	} {
		full := askSelect(t, onStdin([]byte(hiding))(), SelectRequest{Selector: tt.selector})
		if got := askSelect(t, onStdin([]byte(hiding))(), SelectRequest{Selector: tt.selector, MaxChars: 10_000}); got != full+tt.want {
			t.Errorf("%s: %s", tt.selector, cmp.Diff(full+tt.want, got))
		}
	}
}

// TestSelectUnseenOfMany says in which document a line is, and warns below what
// failed.
func TestSelectUnseenOfMany(t *testing.T) {
	t.Chdir(t.TempDir())
	paths := testkit.WriteDocuments(t, ".", []testkit.CorpusFile{{Name: "a.md", Data: []byte("# A\n")}, {Name: "sub/b.md", Data: []byte(hiding)}})
	got := askSelect(t, documents.Set{Paths: append(paths, "missing.md")}, SelectRequest{Selector: "h1.0/h2.0/para.0", MaxChars: 1000})
	want := "hid\u202Eden\n!FILE_NOT_FOUND: File not found: missing.md\nfile: missing.md\n" +
		"[warning: the text has 1 invisible or direction-changing character (U+202E at line 7 of sub/b.md)]\n"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// TestSelectUnseenInLimit is the law of warnings: whatever of a document fits
// beside one, it is about just that, and all of it is no longer than it may be.
func TestSelectUnseenInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	number := regexp.MustCompile(`\[warning: (?:the text has )?(\d+) invisible or direction-changing characters?(?: \(.*\))?\]\n$`)
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "## Part %d\n\nSome text that is seen.\n%s\n\n", i, strings.Repeat("hid\u202Eden ", i%4))
	}
	warned, short := 0, 0
	for _, src := range []string{b.String(), "# A\n\n" + strings.Repeat("word ", 90) + "\u202E\n", strings.Repeat("a\u202E", 3000)} {
		for limit := replies.MinChars; limit < 4500; limit += 17 {
			for _, selector := range []string{"h2", "root", "h2.3-30?head=4"} {
				got := askSelect(t, onStdin([]byte(src))(), SelectRequest{Selector: selector, MaxChars: limit})
				told := 0
				m := number.FindStringSubmatch(got)
				if m != nil {
					told = testkit.Number(t, m[1])
					warned++
				}
				if strings.HasSuffix(got, "characters]\n") {
					short++
				}
				doc, err := markdown.Parse([]byte(unwarned(got)))
				if err != nil {
					t.Fatal(err)
				}
				var u replies.Unseen
				u.Look(doc, markdown.Span{End: len(doc.Source)})
				if u.Count != told {
					t.Fatalf("%s in %d: a warning about %d characters, there are %d:\n%s", selector, limit, told, u.Count, got)
				}
			}
		}
	}
	if warned < 500 || short == 0 {
		t.Errorf("%d warnings, %d short ones", warned, short)
	}
}
