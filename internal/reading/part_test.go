package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// longLines are documents with lines that are longer than a reply.
func longLines() map[string]string {
	repeat := func(s string, n int) string { return strings.Repeat(s, n/len(s)+1)[:n/len(s)*len(s)] }
	return map[string]string{
		"alone":         repeat("word ", 3000),
		"with heading":  "# A\n\n" + repeat("word ", 12_000) + "\n\n## B\n\ntext\n",
		"heading":       "# " + repeat("title ", 2500) + "\n\ntext\n\n## " + repeat("other ", 1200) + "\n",
		"CRLF":          "# A\r\n\r\n" + repeat("word ", 2500) + "\r\n" + repeat("w\t", 900) + "\r\n\r\ntext",
		"CR":            "# A\r\r" + repeat("word ", 1500) + "\r" + repeat("w", 700) + "\r",
		"three bytes":   "漢\n" + repeat("漢字", 9000) + "\n",
		"four bytes":    "\uFEFF# A\n\n" + repeat("👩‍👩‍👧", 25*1200) + "\n",
		"hidden":        "# A\n\n" + repeat("a\u202E\u200B", 4000) + "\n\n" + repeat("b ", 3000) + "\n",
		"escapes":       "> \"quoted\"\n> " + repeat(`"\`, 3000) + "\n\n- " + repeat("<&>", 1500) + "\n",
		"looks marked":  repeat("[left out: lines 1-3] ", 2200) + "\nleft_out: 3\n\n" + repeat("[", 600),
		"many":          strings.Repeat(repeat("line ", 700)+"\n", 12),
		"just too long": "# A\n" + repeat("x", 330) + "\n" + repeat("y", 331) + "\r\n" + repeat("z", 332) + "\r\n\r\n",
	}
}

// TestReadLongLines is the law of lines that are longer than a reply: whoever
// follows the requests gets every byte once, and no reply asks for more room.
func TestReadLongLines(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, text := range longLines() {
		src := []byte(text)
		doc := mustParse(t, text)
		all := markdown.Lines{First: 1, Last: doc.LineCount}
		for _, limit := range []int{500, 501, 640, 999, 1500, 10_000} {
			for _, req := range []ReadRequest{{}, {Heading: "@document"}, {StartLine: 1}, {Heading: "L2"}, {StartLine: 2, EndLine: 2}} {
				req.MaxChars = limit
				want := all
				switch {
				case doc.LineCount < 2 && (req.StartLine == 2 || req.Heading == "L2"):
					continue
				case req.StartLine == 2:
					want = markdown.Lines{First: 2, Last: 2}
				case req.Heading == "L2":
					want = addressed(t, doc, "L2")
				}
				reply, err := read(src, req)
				if err == nil {
					err = checkBudget(doc, reply, []markdown.Lines{want}, limit)
				}
				if err != nil {
					t.Errorf("%s: %+v: %v", name, req, err)
					continue
				}
				delivered, err := follow(doc, reply, limit)
				if err != nil {
					t.Errorf("%s: %+v: %v", name, req, err)
					continue
				}
				for n := want.First; n <= want.Last; n++ {
					if delivered[n] != 1 {
						t.Errorf("%s: %+v: line %d is delivered %d times", name, req, n, delivered[n])
						break
					}
				}
			}
		}
	}
}

// addressed returns the lines that an address means.
func addressed(t *testing.T, doc *markdown.Document, addr string) markdown.Lines {
	t.Helper()
	r := reading{doc: doc}
	p, err := r.resolve(addr)
	if err != nil {
		t.Fatal(err)
	}
	return p.lines
}

// gotText is what a reply in JSON has of a document.
type gotText struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	StartChar int `json:"start_char"`
	EndChar   int `json:"end_char"`
	Text      string
}

// TestReadLongLinesJSON puts a document together from the replies in JSON.
func TestReadLongLinesJSON(t *testing.T) {
	texts := longLines()
	texts["escapes"] = "# A\n\n" + strings.Repeat("\u200b\u2028\f\u202e\U000e0041\" x", 200) + "\n"
	for name, text := range texts {
		for _, limit := range []int{replies.MinChars, 600, 1000, 10_000} {
			got, err := assemble(text, limit)
			if err != nil {
				t.Errorf("%s: %d: %v", name, limit, err)
				continue
			}
			if got != text {
				t.Errorf("%s: %d: another text came together (-want +got):\n%.500s", name, limit, cmp.Diff(text, got))
			}
		}
	}
}

// assemble reads all lines of a document in JSON, follows the requests in order,
// and returns the texts one after another.
func assemble(src string, limit int) (string, error) {
	var text strings.Builder
	todo := []ReadRequest{{StartLine: 1}}
	for calls := 0; len(todo) > 0; calls++ {
		if calls > 10_000 {
			return "", errors.New("the requests never end")
		}
		req := todo[0]
		req.JSON, req.MaxChars = true, limit
		reply, err := read([]byte(src), req)
		if err != nil {
			return "", err
		}
		if n := utf8.RuneCount(replies.AppendVisible(nil, reply.Text)); n > limit { // as it is printed
			return "", fmt.Errorf("%+v: %d characters", req, n)
		}
		var got struct {
			Passages []struct{ Texts []gotText }
			Next     []struct {
				StartLine int `json:"start_line"`
				EndLine   int `json:"end_line"`
				StartChar int `json:"start_char"`
			}
		}
		if err := json.Unmarshal(reply.Text, &got); err != nil {
			return "", err
		}
		for _, t := range got.Passages[0].Texts {
			if n := utf8.RuneCountInString(t.Text); t.EndChar > 0 && n != t.EndChar-t.StartChar+1 {
				return "", fmt.Errorf("%d-%d has %d characters", t.StartChar, t.EndChar, n)
			}
			text.WriteString(t.Text)
		}
		var next []ReadRequest
		for _, n := range got.Next {
			next = append(next, ReadRequest{StartLine: n.StartLine, EndLine: n.EndLine, StartChar: n.StartChar})
		}
		todo = append(next, todo[1:]...)
	}
	return text.String(), nil
}

// TestReadMegabyte reads a line of a megabyte: in parts of the usual length, and
// somewhere inside in the shortest ones.
func TestReadMegabyte(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, unit := range []string{"x", "é", "漢", "👩"} {
		text := "# A\n\n" + strings.Repeat(unit, 1<<20/len(unit)) + "\r\n"
		if len(unit)%2 == 1 { // each takes long
			if got, err := assemble(text, 40_000); err != nil || got != text {
				t.Errorf("%s: %v, or another text", unit, err)
			}
		}
		total := 1<<20/len(unit) + len("\r\n")
		for _, char := range []int{1, 2, total / 2, total - 300, total - 2, total - 1, total} {
			reply, err := read([]byte(text), ReadRequest{StartLine: 3, StartChar: char, MaxChars: 500})
			if err != nil {
				t.Fatalf("%s: %d: %v", unit, char, err)
			}
			if len(reply.Parts) != 1 || reply.Parts[0].StartChar != char {
				t.Fatalf("%s: %d: %+v", unit, char, reply.Parts)
			}
			end := reply.Parts[0].EndChar
			if end-char < 100 && end < total || end == total-1 && char < total {
				t.Errorf("%s: %d: the part ends with %d of %d", unit, char, end, total)
			}
		}
	}
}

// TestReadPart shows a line in parts.
func TestReadPart(t *testing.T) {
	src := []byte("# A\n\n" + strings.Repeat("0123456789", 60) + "\nlast\n")
	text := func(req ReadRequest) string {
		t.Helper()
		req.MaxChars = 500
		reply, err := read(src, req)
		if err != nil {
			t.Fatal(err)
		}
		return string(reply.Text)
	}
	const digits = "0123456789"
	first := `stdin:3-4 of 4 lines version #` + mustParse(t, string(src)).Version() + `
left_out: 2 of 2 lines: 3 (from character 204), 4
continue: read_file(path="-", start_line=3, end_line=3, start_char=204, max_chars=500)
then: read_file(path="-", start_line=4, end_line=4, max_chars=500)

` + strings.Repeat(digits, 20) + "012\n[left out: lines 3 (from character 204), 4]\n"
	if diff := cmp.Diff(first, text(ReadRequest{StartLine: 3})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rest := "stdin:3:204 of 4 lines version #" + mustParse(t, string(src)).Version() + "\n\n3456789" +
		strings.Repeat(digits, 39) + "\n"
	if diff := cmp.Diff(rest, text(ReadRequest{StartLine: 3, EndLine: 3, StartChar: 204})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Lines before it are delivered with its first part.
	if got := text(ReadRequest{Heading: "A"}); !strings.Contains(got, "\n\n# A\n\n0123456789") {
		t.Errorf("no part:\n%s", got)
	}
}

func TestReadStartCharErrors(t *testing.T) {
	src := []byte("# A\r\n\r\n漢字\r\n")
	for _, tt := range []struct {
		req  ReadRequest
		want string // of the error, or the text
	}{
		{ReadRequest{StartLine: 3, StartChar: 2}, "字\r\n"},
		{ReadRequest{StartLine: 3, StartChar: 3}, "\r\n"},
		{ReadRequest{StartLine: 3, EndLine: 3, StartChar: 1}, "漢字\r\n"},
		{ReadRequest{StartLine: 3, StartChar: 5}, "start_char 5 is after the end of line 3, which has 4 characters, its line ending included"},
		{ReadRequest{StartLine: 4, StartChar: 1}, "lines 4-4 are not all there; the document has 3 lines"},
		{ReadRequest{StartLine: 2, EndLine: 3, StartChar: 1}, "start_char is for the rest of one line; leave end_line out, or read the lines after it apart"},
		{ReadRequest{EndLine: 3, StartChar: 1}, "start_char goes on inside a line; name the line with line"},
		{ReadRequest{StartLine: 3, StartChar: -1}, "characters are counted from 1"},
		{ReadRequest{Heading: "A", StartChar: 1}, "start_char goes on inside a line; name the line with line"},
	} {
		reply, err := read(src, tt.req)
		got := ""
		if err == nil {
			_, got, _ = strings.Cut(string(reply.Text), "\n\n")
		} else if e, ok := errors.AsType[*replies.Error](err); ok {
			got = e.Message.String()
			if e.Code != replies.CodeInvalidArgument || e.Usage() != !strings.Contains(got, " has ") {
				t.Errorf("%+v: %+v", tt.req, e)
			}
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.req, got, tt.want)
		}
	}
}

// TestReadPartOfBlock reads a block that begins inside a line: parts are counted
// from the start of the line all the same.
func TestReadPartOfBlock(t *testing.T) {
	src := []byte("# A\n\n- > " + strings.Repeat("quoted ", 300) + "\n")
	doc := mustParse(t, string(src))
	reply, err := read(src, ReadRequest{Heading: "h1.0/list.0/item.0/quote.0", MaxChars: 500})
	if err != nil {
		t.Fatal(err)
	}
	if err := checkBudget(doc, reply, []markdown.Lines{{First: 3, Last: 3}}, 500); err != nil {
		t.Error(err)
	}
	if len(reply.Parts) != 1 || reply.Parts[0].StartChar != 3 || !strings.Contains(string(reply.Text), "\n\n> quoted") {
		t.Fatalf("%+v:\n%s", reply.Parts, reply.Text)
	}
	if next := reply.Next[0]; next.StartLine != 3 || next.StartChar != reply.Parts[0].EndChar+1 {
		t.Errorf("%+v behind %+v", next, reply.Parts)
	}
}

// TestReadLastPart leaves nothing but a line ending for no reply.
func TestReadLastPart(t *testing.T) {
	for n := 1; n < 900; n++ {
		src := []byte(strings.Repeat("x", n) + "\r\nend")
		reply, err := read(src, ReadRequest{StartLine: 1, EndLine: 1, MaxChars: 500})
		if err != nil {
			t.Fatal(err)
		}
		if len(reply.Parts) > 0 && reply.Parts[0].EndChar >= n || len(reply.Parts)+len(reply.Delivered) != 1 {
			t.Errorf("%d characters: %+v", n, reply.Parts)
		}
		// With more lines after it, there may be room for it but not for its ending.
		reply, err = read(append(src, bytes.Repeat([]byte("\nline"), 99)...), ReadRequest{StartLine: 1, MaxChars: 500})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range reply.Parts {
			if p.Line == 1 && p.EndChar >= n || p.Line > 2 {
				t.Errorf("%d characters and more: %+v", n, p)
			}
		}
	}
}

// TestPart asks for parts of lines themselves.
func TestPart(t *testing.T) {
	doc := mustParse(t, "# A\r\n\n漢字x\r\n\n- end")
	all := &passage{span: markdown.Span{End: len(doc.Source)}, lines: markdown.Lines{First: 1, Last: 5}}
	inside := &passage{span: markdown.Span{Start: len(doc.Source) - 3, End: len(doc.Source)}, lines: markdown.Lines{First: 5, Last: 5}}
	for _, tt := range []struct {
		p          *passage
		line, room int
		want       LinePart
		text       string
	}{
		{all, 3, 1, LinePart{3, 1, 1}, "漢"},
		{all, 3, 2, LinePart{3, 1, 2}, "漢字"},
		{all, 3, 3, LinePart{3, 1, 2}, "漢字"}, // its ending is not divided from all of it
		{all, 3, 9, LinePart{3, 1, 2}, "漢字"},
		{all, 3, 0, LinePart{}, ""},
		{all, 3, -5, LinePart{}, ""},
		{all, 2, 9, LinePart{}, ""},
		{all, 1, 2, LinePart{1, 1, 2}, "# "},
		{inside, 5, 2, LinePart{5, 3, 4}, "en"},
	} {
		part, span := newFitter(doc, tt.p).part(tt.line, tt.room)
		if text := string(doc.Text(span)); part != tt.want || text != tt.text {
			t.Errorf("%d characters of line %d: %+v %q, want %+v", tt.room, tt.line, part, text, tt.want)
		}
	}
	// Of what was not asked for there is no part, however little fits.
	all.omit = []markdown.Lines{{First: 1, Last: 2}}
	for room := range 90 {
		if c := newFitter(doc, all).fit(room, false); c.part.Line == 1 || c.part.Line == 2 {
			t.Errorf("%d: %+v", room, c)
		}
	}
}

// TestReadTightly reads lines of every length in replies that hold a few of them,
// with something to warn about and without: all are delivered in the end.
func TestReadTightly(t *testing.T) {
	testkit.OneGoroutine(t)
	step := 3
	if testkit.Long() {
		step = 1
	}
	for size := 1; size < 320; size += step {
		for _, unit := range []string{"x", "a\u00AD"} {
			line := strings.Repeat(unit, size/len(unit)+1) + "\n\n"
			src := []byte("# A\n\n" + strings.Repeat(line, 13) + "## B\n")
			doc := mustParse(t, string(src))
			for _, limit := range []int{500, 501 + size, 1700} {
				for _, req := range []ReadRequest{{Heading: "A"}, {StartLine: 3}} {
					req.MaxChars = limit
					reply, err := read(src, req)
					if err == nil {
						_, err = follow(doc, reply, limit)
					}
					if err != nil {
						t.Errorf("%d times %q: %+v: %v", size, unit, req, err)
					}
				}
			}
		}
	}
}

// TestReadNothing reads lines of a document whose path leaves hardly any room:
// something is delivered, or the same would be asked for forever.
func TestReadNothing(t *testing.T) {
	testkit.OneGoroutine(t)
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 150)+".md")
	src := "## Hidden away\n\n" + strings.Repeat("hidden ", 99) + "\n\n# A\n\n" + strings.Repeat("text ", 400) + "\n"
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	for limit := 500; limit < 1000; limit++ {
		reply, err := Read(documents.Set{Paths: []string{path}}, ReadRequest{StartLine: 3, MaxChars: limit})
		switch {
		case err != nil:
			t.Errorf("%d: %v", limit, err)
		case len(reply.Delivered)+len(reply.Parts) == 0:
			t.Errorf("%d: nothing is delivered:\n%s", limit, reply.Text)
		}
		// What was not asked for is no part of a reply, however little else is.
		reply, err = Read(documents.Set{Paths: []string{path}}, ReadRequest{Heading: "@document", MaxLevels: 1, MaxChars: limit})
		if err != nil {
			t.Errorf("%d: %v", limit, err)
			continue
		}
		for _, p := range reply.Parts {
			if p.Line < 5 {
				t.Errorf("%d: %+v", limit, p)
			}
		}
	}
}

func TestContinuationCalls(t *testing.T) {
	lines := Continuation{Path: `a "b".md`, StartLine: 3, EndLine: 9}
	char := Continuation{Path: "a.md", StartLine: 3, EndLine: 3, StartChar: 70, MaxChars: 500}
	heading := Continuation{Path: "a.md", Headings: []string{`## <A> & "B"`}, MaxChars: 500}
	for _, tt := range []struct {
		call func(Continuation) string
		c    Continuation
		want string
	}{
		{toolCall, lines, `read_file(path="a \"b\".md", start_line=3, end_line=9)`},
		{toolCall, char, `read_file(path="a.md", start_line=3, end_line=3, start_char=70, max_chars=500)`},
		{toolCall, heading, `read_file(path="a.md", headings=["## <A> & \"B\""], max_chars=500)`},
		{ReadSectionCall, lines, `markdown_read_section(file_path="a \"b\".md", start_line=3, end_line=9)`},
		{ReadSectionCall, char, `markdown_read_section(file_path="a.md", start_line=3, end_line=3, start_char=70, max_chars=500)`},
		{ReadSectionCall, heading, `markdown_read_section(file_path="a.md", section_name="## <A> & \"B\"", max_chars=500)`},
	} {
		if got := tt.call(tt.c); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// TestReadRandom follows the requests through documents of all sorts of lines, in
// replies of all lengths, with and without subsections.
func TestReadRandom(t *testing.T) {
	testkit.OneGoroutine(t)
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed)) // the same documents each time
	units := []string{"x", "word ", "é", "漢", "👩‍👩‍👧", "\u202E", "\"", "\\", "\t"}
	for n := range 500 {
		var b strings.Builder
		for range 1 + random.IntN(40) {
			if random.IntN(3) == 0 {
				b.WriteString(strings.Repeat("#", 1+random.IntN(6)) + " ")
			}
			length := random.IntN(12)
			if random.IntN(6) == 0 {
				length = random.IntN(900)
			}
			b.WriteString(strings.Repeat(units[random.IntN(len(units))], length))
			b.WriteString([]string{"\n", "\n\n", "\r\n", "\r\n\r\n", "\r"}[random.IntN(5)])
		}
		src := []byte(b.String())
		doc := mustParse(t, b.String())
		limit := replies.MinChars + random.IntN(700)
		first := 1 + random.IntN(doc.LineCount)
		reply, err := read(src, ReadRequest{StartLine: first, MaxChars: limit})
		want := markdown.Lines{First: first, Last: doc.LineCount}
		if err == nil {
			err = checkBudget(doc, reply, []markdown.Lines{want}, limit)
		}
		if err == nil {
			_, err = follow(doc, reply, limit)
		}
		if err != nil {
			t.Errorf("%d: lines %v in %d: %v", n, want, limit, err)
		}
		if got, err := assemble(b.String(), limit); err != nil || got != b.String() {
			t.Errorf("%d: in %d in JSON: %v, %q", n, limit, err, got)
		}
		if len(doc.Sections) == 0 {
			continue
		}
		s := random.IntN(len(doc.Sections))
		levels := random.IntN(4)
		req := ReadRequest{
			Heading: fmt.Sprintf("L%d", doc.SectionLines(s).First), MaxChars: limit,
			MaxLevels: levels, BodyOnly: levels == 0,
		}
		if err := checkLevels(doc, s, req); err != nil {
			t.Errorf("%d: %+v: %v", n, req, err)
		}
	}
}

// FuzzReadFollow follows the requests through any document in replies of any
// length.
func FuzzReadFollow(f *testing.F) {
	for _, text := range longLines() {
		f.Add([]byte(strings.ToValidUTF8(text[:min(len(text), 1000)], "")), uint16(0), uint8(0))
	}
	f.Add([]byte(guideText), uint16(20), uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, limit uint16, way uint8) {
		most := replies.MinChars + int(limit)%2000
		if len(src) > 1<<12 {
			t.Skip()
		}
		src = bytes.ToValidUTF8(bytes.ReplaceAll(src, []byte{0}, []byte("\u202E")), []byte("\n# "))
		doc, err := markdown.Parse(src)
		if err != nil || doc.LineCount == 0 {
			t.Skip()
		}
		req := ReadRequest{MaxChars: most}
		want := markdown.Lines{First: 1, Last: doc.LineCount}
		switch way % 4 {
		case 1:
			req.Heading = "@document"
		case 2:
			req.StartLine = 1 + int(limit)%doc.LineCount
			want.First = req.StartLine
		case 3:
			if len(doc.Sections) > 0 {
				s := int(limit) % len(doc.Sections)
				req.Heading, want = fmt.Sprintf("L%d", doc.SectionLines(s).First), doc.SectionLines(s)
			}
		}
		reply, err := read(src, req)
		if err == nil {
			err = checkBudget(doc, reply, []markdown.Lines{want}, most)
		}
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		delivered, err := follow(doc, reply, most)
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		for n := want.First; n <= want.Last; n++ {
			if delivered[n] != 1 {
				t.Fatalf("%+v: line %d is delivered %d times", req, n, delivered[n])
			}
		}
	})
}

// TestVersionOfTwins tells the version of a part whose address counts only if the document
// has another one that is the same, for which an edit would ask.
func TestVersionOfTwins(t *testing.T) {
	r := newReader(t, map[string]string{"a.md": "# A\n\n## Same\n\ntext\n\n## Other\n\n- text\n- more\n\n## Same\n\ntext\n\n"})
	for _, test := range []struct {
		address string
		want    bool
	}{
		{"h2.0", true}, {"h2.1", false}, {"h2.2", true}, {"L7", false}, {"h2.0/para.0", true}, {"h2.1/list.0", false}, {"h1.0", false}, {"Other", false},
	} {
		head, _, _ := strings.Cut(string(r.read("a.md", ReadRequest{Heading: test.address}).Text), "\n")
		if strings.Contains(head, " version #") != test.want {
			t.Errorf("%s: %s", test.address, head)
		}
	}
}
