package textlines

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// What is put between lines stands apart from both by one blank line, and from the beginning
// of a document, and from blank lines that are there, by none.
func TestLeadAndTrail(t *testing.T) {
	for _, tt := range []struct{ before, after, lead, trail string }{
		{"", "", "", "\n"},
		{"\ufeff", "b\n", "", "\n\n"},
		{"a\n", "b\n", "\n", "\n\n"},
		{"a\n\n", "\nb\n", "", "\n"},
		{"a\n \t\n", " \t\nb\n", "", "\n"},
		{"a", "", "\n\n", ""},
		{"a\r\n", "", "\n", "\n"},
		{"a\r\n\r\n", "b", "", "\n\n"},
	} {
		src, at := []byte(tt.before+tt.after), len(tt.before)
		if lead, trail := Lead(src, at, "\n"), Trail(src, at, "\n"); lead != tt.lead || trail != tt.trail {
			t.Errorf("between %q and %q: %q and %q", tt.before, tt.after, lead, trail)
		}
	}
}

func TestTextStartAndEnd(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"a\n", "a\n"},
		{"\n \t\na\n\nb\n\n", "a\n\nb\n"},
		{"\r\na\r\r", "a\r"},
		{"\n\n", ""},
		{"", ""},
		{"a", "a"},
	} {
		src := []byte("x\n" + tt.src)
		span := markdown.Span{Start: 2, End: len(src)}
		if got := string(src[TextStart(src, span):max(TextEnd(src, span), TextStart(src, span))]); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.src, got, tt.want)
		}
		if tt.src != "" && strings.TrimSpace(tt.src) == "" != (TextEnd(src, span) == span.Start) {
			t.Errorf("%q: the text ends at %d", tt.src, TextEnd(src, span))
		}
	}
}

func TestWithoutGaps(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "\n": "", " \t\n\n": "", "a": "a", "a\n": "a", "\n\na\n\nb\n \n": "a\n\nb", "  a\n": "  a",
	} {
		if got := WithoutGaps(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Blanks are taken by columns: what is left of a tab is blanks.
func TestTakeBlanks(t *testing.T) {
	for _, tt := range []struct {
		line string
		col  int
		n    int
		rest string
		ok   bool
	}{
		{"  a", 0, 2, "a", true},
		{"  a", 0, 3, "  a", false},
		{"\ta", 0, 2, "  a", true},
		{"\ta", 2, 2, "a", true},
		{" \t a", 0, 4, " a", true},
		{"   ", 0, 2, " ", true},
		{"\t", 0, 4, "", true},
		{"", 0, 1, "", false},
		{"a", 3, 0, "a", true},
	} {
		rest, after, ok := TakeBlanks(tt.line, tt.col, tt.n)
		if rest != tt.rest || ok != tt.ok || ok && after != tt.col+tt.n {
			t.Errorf("%q from column %d, %d of them: %q, %d, %t", tt.line, tt.col, tt.n, rest, after, ok)
		}
	}
}

// Lines are found from any byte in them, and numbered as the document does.
func TestBounds(t *testing.T) {
	src := []byte("\ufeffa\r\n\rb\n\nc")
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"\ufeffa\r\n", "\r", "b\n", "\n", "c"}
	at := 0
	for n, line := range lines {
		for i := at; i < at+len(line); i++ {
			begin := at
			if n == 0 {
				begin = min(i, Start(src))
			}
			if line[i-at] != '\n' || len(line) == 1 || line[i-at-1] != '\r' { // no line begins in a CRLF
				if End(src, i) != at+len(line) || Begin(src, i) != begin {
					t.Errorf("%q: byte %d is in the line from %d to %d", line, i, Begin(src, i), End(src, i))
				}
			}
		}
		if at += len(line); at < len(src) && Before(src, at) != max(at-len(line), Start(src)) {
			t.Errorf("%q: before %d a line begins at %d", line, at, Before(src, at))
		}
	}
	if got := Of(doc, markdown.Span{Start: Start(src), End: len(src)}); got != (markdown.Lines{First: 1, Last: 5}) {
		t.Errorf("all lines are %v", got)
	}
	for text, want := range map[string]bool{"# a": true, "   ## a": true, "    # a": false, "": false, "a #": false} {
		if IsATX([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	if !IsBlank([]byte("> \t\r\n"), ">") || IsBlank([]byte("> a"), ">") {
		t.Error("a prefix is no text")
	}
}

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"\r\n \uFEFF\r\ra\r\n\r\nb\r\n":   " \uFEFF\n\na\n\nb",
		"\uFEFF\uFEFF\n\uFEFF  a\n\uFEFF": "  a\n\uFEFF",
		"\uFEFF":                          "",
	} {
		if got := Bare(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestTakeBlanksMany takes many blanks from a line: in a time that grows with them and not with
// their square, which would be a minute.
func TestTakeBlanksMany(t *testing.T) {
	const n = 400_000
	if rest, after, ok := TakeBlanks(strings.Repeat(" ", n)+"x", 0, n); rest != "x" || after != n || !ok {
		t.Errorf("%q, %d, %v", rest, after, ok)
	}
}
