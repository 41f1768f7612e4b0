package guide

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const forcedBoundary = boundaryPrefix + "00000000-0000-4000-8000-000000000000"

type messageCase struct {
	name  string
	parts []Part
	// draw gives the boundaries, if they are not left to chance.
	draw []string
}

func one(path, content string) Part {
	return Part{Category: "docs", Path: path, Content: []byte(content)}
}

// messageCases are what a message must carry without a change.
func messageCases() []messageCase {
	named := func(name string, paths ...string) messageCase {
		c := messageCase{name: name}
		for i, path := range paths {
			c.parts = append(c.parts, one(path, fmt.Sprintf("content %d\n", i)))
		}
		return c
	}
	text := func(name string, contents ...string) messageCase {
		c := messageCase{name: name}
		for i, content := range contents {
			c.parts = append(c.parts, one(fmt.Sprintf("f%d.md", i), content))
		}
		return c
	}
	hundred := messageCase{name: "a hundred parts"}
	for i := range 100 {
		hundred.parts = append(hundred.parts, one(fmt.Sprintf("deep/%03d.md", i), strings.Repeat("line\r\n", i)))
	}
	forced := text("the boundary in a content", "a\r\n--"+forcedBoundary+"\r\nb", "c")
	forced.draw = []string{forcedBoundary, boundaryPrefix + "1"}
	twice := text("two boundaries in contents", "x "+forcedBoundary, "y "+boundaryPrefix+"1--")
	twice.draw = []string{forcedBoundary, boundaryPrefix + "1", boundaryPrefix + "1", boundaryPrefix + "2"}
	return []messageCase{
		text("one part", "only\n"),
		text("two parts", "one\n", "two\n"),
		text("CRLF", "one\r\ntwo\r\n", "three\r\n"),
		text("mixed line ends", "one\ntwo\r\nthree\rfour\n\r", "\r", "\r\r\n"),
		text("a lone CR at the end", "one\r", "two"),
		text("empty file first", "", "two\n"),
		text("empty file last", "one\n", ""),
		text("empty file between", "one\n", "", "three\n"),
		text("empty alone", ""),
		text("all empty", "", "", ""),
		text("no final newline", "one", "two"),
		text("many final newlines", "one\n\n\n", "two\r\n\r\n"),
		text("only line breaks", "\n", "\r\n", "\n\n", "\r\n\r\n"),
		text("blank lines first", "\n\none\n", "\r\n\r\ntwo"),
		text("looks like a header", "Content-Type: text/html\r\n\r\nbody", "X: y"),
		text("blanks at the ends", "  one  \t\n \t", "\tx \n"),
		text("dashes", "--", "---", "--\r\n", "--x\r\n--y--\r\n", "a\r\n--", "--guide-boundary-"),
		text("ends like a delimiter", "a\r\n--x", "b\r\n--x--", "c\n--guide-boundary-0"),
		text("begins like a delimiter", "--x\r\na", "--x--\r\nb"),
		text("byte order mark", "\uFEFF# Title\n", "\uFEFF"),
		text("not ASCII", "Größe: 5 µm — «naïve»\n", "日本語\r\n", "emoji 🙂 and e\u0301\n"),
		text("line separators of Unicode", "a\u2028b\u2029c\u0085d\v\f\x1c\x1d\x1ee\n"),
		text("control characters", "bell \a escape \x1b[1m delete \x7f\n"),
		text("a long line", strings.Repeat("x", 100_000)+"\n"+strings.Repeat("é", 9000)),
		text("a line break at the edge of a chunk", strings.Repeat("x", 8191)+"\r\n"+strings.Repeat("y", 8190)+"\r\n"),
		text("looks encoded", "=C3=A9 =\r\n", "4pyT", "=?utf-8?q?x?="),
		named("spaces", "my notes/read me.md", " lead.md", "trail .md"),
		named("quotes", `say "hi".md`, "it's.md", "`x`.md"),
		named("line breaks", "a\nb.md", "a\r\nX-Evil: 1\r\n\r\nb.md", "tab\there.md"),
		named("not ASCII names", "größe/日本.md", "e\u0301.md", "🙂.txt"),
		named("signs of URIs", "100%.md", "a#b.md", "a?b.md", "a;b=c&d.md", "a%20b.md", "a+b.md"),
		named("backslash and others", `a\b.md`, "[x].md", "{y}.md", "a|b^c.md", "<z>.md", "a:b@c.md"),
		named("bytes that are not UTF-8", "a\xff\xfe.md"),
		named("a name of a thousand bytes", strings.Repeat("é", 500)+".md"),
		named("types", "a.json", "b.yaml", "c.html", "d.svg", "e.go", "f", "g.TXT", "h.toml", "i.xml"),
		{name: "types, not ASCII", parts: []Part{
			one("a.json", `{"ä": "€"}`), one("b.YAML", "ä: €\r\n"), one("c.html", "<p>ä"), one("d.svg", "<svg>ä</svg>\n"),
			one("e.py", "# ä"), one("f", "ä"), one("g.toml", "a = 'ä'\n"), one("h.xml", "<ä/>"), one("i.md", "ä"),
		}},
		hundred,
		forced,
		twice,
	}
}

// write makes the message of the case, with its boundaries if it has some.
func (c messageCase) write(t testing.TB) []byte {
	t.Helper()
	message, err := Multipart(c.parts)
	if len(c.draw) > 0 {
		draws := c.draw
		message, err = drawMultipart(c.parts, &draws)
		if len(draws) > 0 {
			t.Errorf("%s: boundaries %q were not drawn", c.name, draws)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return message
}

func drawMultipart(parts []Part, draws *[]string) ([]byte, error) {
	return writeMultipart(parts, func() (string, error) {
		if len(*draws) == 0 {
			return "", errors.New("nothing left to draw")
		}
		boundary := (*draws)[0]
		*draws = (*draws)[1:]
		return boundary, nil
	})
}

// readPart is a part as a parser gives it back.
type readPart struct {
	Headers [][2]string
	Content string
	Text    string
}

// wanted is what each parser must give back for the parts.
func wanted(parts []Part) []readPart {
	var want []readPart
	for _, p := range parts {
		want = append(want, readPart{
			Headers: [][2]string{
				{"Content-Type", ContentType(p.Path)},
				{"Content-Location", Location(p.Category, p.Path)},
				{"Content-Length", strconv.Itoa(len(p.Content))},
			},
			Content: string(p.Content), Text: string(p.Content),
		})
	}
	return want
}

// parseGo parses a message with the standard library.
func parseGo(message []byte) (kind string, parts []readPart, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(message))
	if err != nil {
		return "", nil, err
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return "", nil, err
	}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return kind, parts, nil
		}
		if err != nil {
			return kind, parts, err
		}
		content, err := io.ReadAll(p)
		if err != nil {
			return kind, parts, err
		}
		read := readPart{Content: string(content), Text: string(content)}
		for _, name := range []string{"Content-Type", "Content-Location", "Content-Length"} {
			for _, value := range p.Header[name] {
				read.Headers = append(read.Headers, [2]string{name, value})
			}
			delete(p.Header, name)
		}
		if len(p.Header) > 0 {
			return kind, parts, fmt.Errorf("more fields: %v", p.Header)
		}
		parts = append(parts, read)
	}
}

func TestMultipartGo(t *testing.T) {
	for _, c := range messageCases() {
		t.Run(c.name, func(t *testing.T) {
			kind, got, err := parseGo(c.write(t))
			if err != nil || kind != "multipart/mixed" {
				t.Fatalf("%s, %v", kind, err)
			}
			if diff := cmp.Diff(wanted(c.parts), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for i, p := range c.parts {
				category, path, anchor, err := ParseLocation(got[i].Headers[1][1])
				if category != p.Category || path != p.Path || anchor != "" || err != nil {
					t.Errorf("the location of %q is that of %q in %q, %q, %v", p.Path, path, category, anchor, err)
				}
			}
		})
	}
}

func TestMultipartBytes(t *testing.T) {
	draws := []string{"guide-boundary-x"}
	got, err := drawMultipart([]Part{one("a b.md", "one\n"), {Category: "té", Path: "x/y.json", Content: []byte("{}")}}, &draws)
	want := "Content-Type: multipart/mixed; boundary=\"guide-boundary-x\"\r\n\r\n" +
		"--guide-boundary-x\r\n" +
		"Content-Type: text/markdown; charset=utf-8\r\n" +
		"Content-Location: guide://category/docs/a%20b.md\r\n" +
		"Content-Length: 4\r\n\r\none\n\r\n" +
		"--guide-boundary-x\r\n" +
		"Content-Type: application/json\r\n" +
		"Content-Location: guide://category/t%C3%A9/x/y.json\r\n" +
		"Content-Length: 2\r\n\r\n{}\r\n" +
		"--guide-boundary-x--\r\n"
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if cap(got) != len(got) {
		t.Errorf("%d bytes were taken for %d", cap(got), len(got))
	}
}

func TestMultipartBoundary(t *testing.T) {
	form := regexp.MustCompile(`\AContent-Type: multipart/mixed; boundary="(guide-boundary-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"\r\n\r\n`)
	seen := map[string]bool{}
	for range 100 {
		message, err := Multipart([]Part{one("a.md", "x")})
		m := form.FindSubmatch(message)
		if err != nil || m == nil {
			t.Fatalf("%q, %v", message, err)
		}
		if len(m[1]) > 70 || seen[string(m[1])] {
			t.Errorf("%q is too long or came twice", m[1])
		}
		seen[string(m[1])] = true
	}
}

func TestMultipartErrors(t *testing.T) {
	broken := errors.New("broken")
	always := func() (string, error) { return forcedBoundary, nil }
	if _, err := Multipart(nil); err == nil {
		t.Error("a message without parts was made")
	}
	if _, err := writeMultipart([]Part{one("a", "x")}, func() (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("without randomness: %v", err)
	}
	if _, err := writeMultipart([]Part{one("a", "x"), one("b", forcedBoundary)}, always); err == nil {
		t.Error("a message was made with a boundary that is in a content")
	}
}

// FuzzMultipart writes any contents under any names and reads them back.
func FuzzMultipart(f *testing.F) {
	for _, c := range messageCases() {
		if len(c.parts) > 1 && len(c.parts[0].Content) < 1000 {
			f.Add(c.parts[0].Path, c.parts[0].Content, c.parts[1].Path, c.parts[1].Content)
		}
	}
	f.Fuzz(func(t *testing.T, path1 string, content1 []byte, path2 string, content2 []byte) {
		parts := []Part{{"docs", path1, content1}, {"größe", path2, content2}, {"docs", path1, content1}}
		message, err := Multipart(parts)
		if err != nil {
			t.Fatal(err)
		}
		if cap(message) != len(message) {
			t.Errorf("%d bytes were taken for %d", cap(message), len(message))
		}
		kind, got, err := parseGo(message)
		if diff := cmp.Diff(wanted(parts), got); err != nil || diff != "" || kind != "multipart/mixed" {
			t.Fatalf("%s, %v (-want +got)\n%s", kind, err, diff)
		}
	})
}
