package reading

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

func TestUnseen(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"plain text\twith\r\nlines\r", ""},
		{"\uFEFFbegins with a byte order mark", ""},
		{"a\n\uFEFFb", "1 invisible or direction-changing character (U+FEFF at line 2)"},
		{"a\n\n\u202Eb\u202C\u2066\u2069", "4 invisible or direction-changing characters (U+202E at line 3, U+202C at line 3, U+2066 at line 3, …)"},
		{"a\u200Bb\n\U000E0041\n\u00AD", "3 invisible or direction-changing characters (U+200B at line 1, U+E0041 at line 2, U+00AD at line 3)"},
		{"\x1b[1m\x00", "2 invisible or direction-changing characters (U+001B at line 1, U+0000 at line 1)"},
		// What writing needs.
		{"👩‍👩‍👧 ❤️‍🔥 1️⃣ #️⃣ ©️ 🏳️‍🌈", ""},
		{"می\u200Cخواهم क्\u200Dष", ""},
		{"\u00A0\uFFFDx", ""},
		// What can hide something.
		{"ad\u200Cmin", "1 invisible or direction-changing character (U+200C at line 1)"},
		{"a\uFE0F", "1 invisible or direction-changing character (U+FE0F at line 1)"},
		{"👩\uFE0F\uFE01\uFE02", "2 invisible or direction-changing characters (U+FE01 at line 1, U+FE02 at line 1)"},
		{"👩\u200D\u200D\u200C", "2 invisible or direction-changing characters (U+200D at line 1, U+200C at line 1)"},
		{"\u200D\n\uFE0F", "2 invisible or direction-changing characters (U+200D at line 1, U+FE0F at line 2)"},
		{"\u00A0\u200D", "1 invisible or direction-changing character (U+200D at line 1)"},
		{"漢\U000E0100", "1 invisible or direction-changing character (U+E0100 at line 1)"},
	} {
		// The parser takes NUL, though files with it are not read.
		doc := mustParse(t, tt.text)
		var u replies.Unseen
		u.Look(doc, markdown.Span{End: len(tt.text)})
		if got := strings.TrimPrefix(u.Warning(), "the text has "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestUnseenOfUnicode counts each character that Unicode calls ignorable or a format
// character in a text that has all of them, but for the signs that are seen.
func TestUnseenOfUnicode(t *testing.T) {
	var text strings.Builder
	want := 0
	for r := rune(0xA0); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
			text.WriteString("a" + string(r) + "b\n")
			want++
		}
	}
	doc := mustParse(t, text.String())
	var u replies.Unseen
	u.Look(doc, markdown.Span{End: text.Len()})
	if u.Count != want || want < 4000 {
		t.Errorf("%d of %d are told", u.Count, want)
	}
	for _, r := range text.String() {
		if r > 0xA0 && strings.ContainsRune(replies.Safe("a"+string(r)), r) {
			t.Errorf("%U is in a line of ours", r)
		}
	}
}

// TestReadUnseen warns about what is delivered and nothing else, in every form of
// reply, and within its length.
func TestReadUnseen(t *testing.T) {
	const text = "# A\n\nshown\n\n## B\n\nhid\u202Eden\n\n## C\n\n👩‍👩‍👧\n"
	const warning = "the text has 1 invisible or direction-changing character (U+202E at line 7)"
	dir := filepath.Join(t.TempDir(), "plans")
	if err := os.Mkdir(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		req  ReadRequest
		want bool
	}{
		{ReadRequest{}, true},
		{ReadRequest{Heading: "A"}, true},
		{ReadRequest{Heading: "A", BodyOnly: true}, false},
		{ReadRequest{Heading: "B"}, true},
		{ReadRequest{Heading: "C"}, false},
		{ReadRequest{Headings: []string{"C", "B"}}, true},
		{ReadRequest{StartLine: 7, EndLine: 7}, true},
		{ReadRequest{StartLine: 7, EndLine: 7, StartChar: 4}, true},
		{ReadRequest{StartLine: 7, EndLine: 7, StartChar: 5}, false},
		{ReadRequest{StartLine: 8}, false},
		{ReadRequest{StartLine: 11, StartChar: 2}, false}, // the joiner in it
		{ReadRequest{Complete: true}, true},
	} {
		for _, asJSON := range []bool{false, true} {
			for _, limit := range []int{0, 1000} {
				req := tt.req
				req.JSON, req.MaxChars = asJSON, limit
				reply, err := Read(documents.Set{Paths: []string{path}}, req)
				if err != nil {
					t.Errorf("%+v: %v", req, err)
					continue
				}
				line := "\nwarning: " + warning + "\n"
				if asJSON {
					line = `"warning":"` + warning + `"`
					if !json.Valid(reply.Text) {
						t.Errorf("%+v: no JSON", req)
					}
				}
				got, all := strings.Count(string(reply.Text), line), strings.Count(string(reply.Text), "warning")
				if (got == 1) != tt.want || got != all {
					t.Errorf("%+v: %d warnings, %d as they should be:\n%s", req, all, got, reply.Text)
				}
			}
		}
	}
}

// TestReadUnseenMap has a map with a warning in every length.
func TestReadUnseenMap(t *testing.T) {
	src := []byte("# A\n\nhid\u202Eden " + strings.Repeat("text ", 120) + "\n")
	with := 0
	for limit := 500; limit < 900; limit++ {
		reply, err := read(src, ReadRequest{MaxChars: limit})
		if err != nil {
			t.Fatalf("%d: %v", limit, err)
		}
		if n := utf8.RuneCount(reply.Text); n > limit {
			t.Errorf("%d: %d characters", limit, n)
		}
		if strings.Contains(string(reply.Text), "\nwarning: ") {
			with++
		}
	}
	if with == 0 || with == 400 {
		t.Errorf("%d of 400 maps have the text", with)
	}
}

// TestUnseenCorpus counts the documents with a warning: few, or nobody heeds it.
func TestUnseenCorpus(t *testing.T) {
	warned, all := 0, 0
	for _, f := range testkit.CorpusFiles(t) {
		doc := mustParse(t, string(f.Data))
		var u replies.Unseen
		u.Look(doc, markdown.Span{End: len(f.Data)})
		if all++; u.Count > 0 {
			warned++
			t.Logf("%s: %s", f.Name, u.Warning())
		}
	}
	if warned*20 > all {
		t.Errorf("%d of %d documents are warned about", warned, all)
	}
}
