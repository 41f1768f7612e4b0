package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// read reads from text as if it were standard input.
func read(text []byte, req ReadRequest) (*ReadReply, error) {
	return Read(documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(text)}, req)
}

// affordable returns the limit, or a greater one in which the longest line of the
// document comes in no more than about a hundred parts: following more takes
// long, and lines like that have tests of their own.
func affordable(doc *markdown.Document, limit int) int {
	longest := 0
	for line := range bytes.Lines(doc.Source) {
		longest = max(longest, len(line))
	}
	return max(limit, longest/50)
}

// checkBudget is the law of a reply: it is no longer than was asked for, its lines
// and those that it names as left out are all that were asked for, the rest of a
// line being its last part, and the text of the lines is in it.
func checkBudget(doc *markdown.Document, reply *ReadReply, want []markdown.Lines, limit int) error {
	if n := utf8.RuneCount(reply.Text); n > limit {
		return fmt.Errorf("%d characters, more than %d", n, limit)
	}
	seen := map[int]int{}
	for _, l := range append(append([]markdown.Lines{}, reply.Delivered...), reply.LeftOut...) {
		for n := l.First; n <= l.Last; n++ {
			seen[n]++
		}
	}
	got := 0
	for _, p := range reply.Parts {
		line := doc.Text(doc.LineSpan(markdown.Lines{First: p.Line, Last: p.Line}))
		if !bytes.Contains(reply.Text, replies.WithNewline(bytes.Clone(runesOf(line, p)))) {
			return fmt.Errorf("the text of %+v is not in the reply", p)
		}
		if p.EndChar == utf8.RuneCount(line) {
			seen[p.Line]++
			got++
		}
	}
	total := 0
	for _, w := range want {
		for n := w.First; n <= w.Last; n++ {
			total++
			if seen[n] == 0 {
				return fmt.Errorf("line %d is neither delivered nor left out", n)
			}
			seen[n]--
		}
	}
	for _, l := range append(append([]markdown.Lines{}, reply.Delivered...), reply.LeftOut...) {
		got += l.Len()
	}
	if got != total {
		return fmt.Errorf("%d lines are accounted for, %d were asked for", got, total)
	}
	for _, l := range reply.Delivered {
		text := bytes.TrimRight(doc.Text(doc.LineSpan(l)), "\r\n")
		if text = bytes.TrimPrefix(text, []byte("\uFEFF")); !bytes.Contains(reply.Text, text) {
			return fmt.Errorf("the text of lines %v is not in the reply", l)
		}
	}
	return nil
}

// runesOf returns a part of a line.
func runesOf(line []byte, p LinePart) []byte {
	start, n := 0, 0
	for i := range string(line) {
		if n++; n == p.StartChar {
			start = i
		}
		if n > p.EndChar {
			return line[start:i]
		}
	}
	return line[start:]
}

// follow asks for what a reply left out until nothing is, and counts how often
// each line was delivered: whole, or in parts that follow each other.
func follow(doc *markdown.Document, first *ReadReply, limit int) (map[int]int, error) {
	delivered := map[int]int{}
	parts := map[int]int{} // by line, the characters that were delivered
	todo := []*ReadReply{first}
	for calls := 0; len(todo) > 0; calls++ {
		if calls > 100_000 {
			return nil, errors.New("the requests never end")
		}
		reply := todo[0]
		todo = todo[1:]
		for _, l := range reply.Delivered {
			for n := l.First; n <= l.Last; n++ {
				delivered[n]++
			}
		}
		for _, p := range reply.Parts {
			if p.StartChar != parts[p.Line]+1 {
				return nil, fmt.Errorf("%+v comes behind %d characters", p, parts[p.Line])
			}
			parts[p.Line] = p.EndChar
			if p.EndChar == utf8.RuneCount(doc.Text(doc.LineSpan(markdown.Lines{First: p.Line, Last: p.Line}))) {
				delivered[p.Line]++
			}
		}
		for _, next := range reply.Next {
			if next.MaxChars != limit {
				return nil, fmt.Errorf("%d characters are asked for, not %d", next.MaxChars, limit)
			}
			req := ReadRequest{
				StartLine: next.StartLine, EndLine: next.EndLine, StartChar: next.StartChar,
				Headings: next.Headings, MaxChars: next.MaxChars,
			}
			if err := req.check(documents.Set{Paths: []string{documents.Stdin}}); err != nil {
				return nil, err
			}
			r, err := readIn(doc, documents.Stdin, req) // parsing again is what takes longest
			if err != nil {
				return nil, err
			}
			if next.Headings == nil {
				want := []markdown.Lines{{First: next.StartLine, Last: next.EndLine}}
				if err := checkBudget(doc, r, want, limit); err != nil {
					return nil, err
				}
				if len(r.Delivered) == 0 && len(r.Parts) == 0 {
					return nil, fmt.Errorf("lines %v: nothing is delivered", want)
				}
			}
			todo = append(todo, r)
		}
	}
	for line := range parts {
		if delivered[line] == 0 {
			return nil, fmt.Errorf("line %d ends after %d characters", line, parts[line])
		}
	}
	return delivered, nil
}

// TestReadCorpus reads documents in every size: by its map, whole, by a section and by
// lines. Of the replies in one of the sizes two are followed to the end; which ones changes
// from document to document, so that each is, in each size, in dozens of documents.
func TestReadCorpus(t *testing.T) {
	files := testkit.SomeCorpusFiles(t, 3)
	if testing.Short() {
		files = files[:100]
	}
	replies := 0
	for i, f := range files {
		if !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			continue
		}
		doc, err := markdown.Parse(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		all := markdown.Lines{First: 1, Last: doc.LineCount}
		check := func(limit int, followed bool, req ReadRequest, want ...markdown.Lines) {
			t.Helper()
			req.MaxChars = limit
			reply, err := readIn(doc, documents.Stdin, req)
			if err != nil {
				t.Errorf("%s: %+v: %v", f.Name, req, err)
				return
			}
			replies++
			if err := checkBudget(doc, reply, want, limit); err != nil {
				t.Errorf("%s: %+v: %v", f.Name, req, err)
			}
			if !followed {
				return
			}
			delivered, err := follow(doc, reply, limit)
			if err != nil {
				t.Errorf("%s: %+v: %v", f.Name, req, err)
				return
			}
			for _, w := range want {
				for n := w.First; n <= w.Last; n++ {
					if delivered[n] != 1 {
						t.Errorf("%s: %+v: line %d is delivered %d times", f.Name, req, n, delivered[n])
						return
					}
				}
			}
		}
		for k, limit := range testkit.Budgets {
			followed, odd := (i+k)%len(testkit.Budgets) == 0, i/len(testkit.Budgets)%2 == 1
			if followed {
				limit = affordable(doc, limit)
			}
			check(limit, followed && odd, ReadRequest{}, all)
			check(limit, followed && !odd, ReadRequest{Heading: "@document"}, all)
			if len(doc.Sections) > 0 {
				s := (i * 7) % len(doc.Sections)
				check(limit, followed && odd, ReadRequest{Heading: fmt.Sprintf("L%d", doc.SectionLines(s).First)}, doc.SectionLines(s))
			}
			if doc.LineCount > 0 {
				check(limit, followed && !odd, ReadRequest{StartLine: 1 + i%doc.LineCount}, markdown.Lines{First: 1 + i%doc.LineCount, Last: doc.LineCount})
			}
		}
	}
	t.Logf("%d replies", replies)
}

// TestReadJSONFits: text is left out by paragraphs, and a limit that is somewhat less than all is one
// that a reply fits in.
func TestReadJSONFits(t *testing.T) {
	text := "# A\n\n" + strings.Repeat("word0 ", 140) + "\n\n# B\n\n" + strings.Repeat("word0 ", 140) + "\n"
	all, err := read([]byte(text), ReadRequest{Headings: []string{"A", "B"}, JSON: true})
	if err != nil {
		t.Fatal(err)
	}
	for limit := len(all.Text); limit > 1000; limit-- {
		reply, err := read([]byte(text), ReadRequest{Headings: []string{"A", "B"}, JSON: true, MaxChars: limit})
		if err != nil || len(reply.Text) > limit+1 || len(reply.Text) < limit*2/3 {
			t.Fatalf("%d: %v, %+v", limit, err, reply)
		}
	}
}

// TestReadJSONCorpus is the law of the budget for JSON, which has more around the
// text and escapes in it.
func TestReadJSONCorpus(t *testing.T) {
	for i, f := range testkit.CorpusFiles(t) {
		if i%10 > 0 || !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			continue
		}
		doc := mustParse(t, string(f.Data))
		all := []markdown.Lines{{First: 1, Last: doc.LineCount}}
		for _, limit := range []int{1500, 5000, 20_000} {
			for _, heading := range []string{"", "@document"} {
				reply, err := read(f.Data, ReadRequest{Heading: heading, MaxChars: limit, JSON: true})
				if err != nil {
					t.Errorf("%s: %d: %v", f.Name, limit, err)
					continue
				}
				if !json.Valid(reply.Text) {
					t.Errorf("%s: %d: no JSON", f.Name, limit)
				}
				reply.Delivered, reply.LeftOut = nil, append(reply.LeftOut, reply.Delivered...)
				if err := checkBudget(doc, reply, all, limit); err != nil {
					t.Errorf("%s: %d: %q: %v", f.Name, limit, heading, err)
				}
			}
		}
	}
}

// TestReadLongNames asks for parts of a document with a long path: more room
// never is too little.
func TestReadLongNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long-name-", 20))
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.md")
	src := "# A\n\n" + strings.Repeat("text\n", 200) + "\n# B\n\ntext\n\n# C\n\n" + strings.Repeat("text\n", 300)
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	worked := false
	for limit := 700; limit < 3000; limit += 50 {
		reply, err := Read(documents.Set{Paths: []string{path}}, ReadRequest{Headings: []string{"A", "B", "C"}, MaxChars: limit})
		if err != nil && worked {
			t.Errorf("%d: %v", limit, err)
		}
		worked = worked || err == nil
		if err == nil && utf8.RuneCount(reply.Text) > limit {
			t.Errorf("%d: %d characters", limit, utf8.RuneCount(reply.Text))
		}
	}
	if !worked {
		t.Error("nothing worked")
	}
}

// guideText is a document with something of everything.
const guideText = "---\ntitle: Guide\n\"tags\": [a, b]\nnested:\n  no: 1\n---\n# Guide\n\nWelcome to the *guide*.\n\n## Install\n\n" +
	"Run it.\n\n```sh\nmake\n```\n\n### Linux\n\nOn Linux.\n\nMore words.\n\n## Use & \x1b[1menjoy\n\n- [ ] one\n- [x] two\n  - [X] three\n- [x]: four\n"

func TestReadMap(t *testing.T) {
	reply, err := read([]byte(guideText), ReadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	doc := mustParse(t, guideText)
	want := "stdin:1-30 #" + doc.Version() + "\n" +
		"warning: the text has 1 invisible or direction-changing character (U+001B at line 25)\n\n" + guideText
	if diff := cmp.Diff(want, string(reply.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if reply, err = read([]byte(guideText), ReadRequest{Map: true}); err != nil {
		t.Fatal(err)
	}
	want = "stdin:1-30 #" + doc.Version() + "\nfront_matter: title, tags, nested\n"
	for i, line := range []string{"h1.0 7-30 24w # Guide", "h2.0 11-24 10w # Install", "h3.0 19-24 5w # Linux", "h2.1 25-30 9w # Use & \uFFFD[1menjoy"} {
		want += strings.Replace(line, "#", "#"+doc.SectionHash(i), 1) + "\n"
	}
	if diff := cmp.Diff(want, string(reply.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReadShort has documents around the length from which on a map is given instead.
func TestReadShort(t *testing.T) {
	for _, n := range []int{0, 1, smallDocument - 1, smallDocument, smallDocument + 1} {
		src := strings.Repeat("ä", n)
		reply, err := read([]byte(src), ReadRequest{MaxChars: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := reply.HasText(), n <= smallDocument; got != want {
			t.Errorf("%d characters: text %v: %.100s", n, got, reply.Text)
		}
		if over := len(reply.Text) - len(src) - len("stdin"); reply.HasText() && over > 150 {
			t.Errorf("%d characters: %d bytes more", n, over)
		}
	}
}

// TestReadWide has documents with more headings than a reply has room for: some are always
// shown, by breadth, and the requests that go on show all others: those that go on with lines, and
// of text those for what is deeper in a section that is shown. Each says how many it is for.
func TestReadWide(t *testing.T) {
	flat, deep := strings.Builder{}, strings.Builder{}
	deep.WriteString("# Book\n\n")
	for i := range 400 {
		fmt.Fprintf(&flat, "# Part %d\n\ntext of it\n\n", i)
		fmt.Fprintf(&deep, "## Part %d\n\n### Inner %[1]d\n\ntext of it\n\n", i)
	}
	for name, src := range map[string]string{"flat": flat.String(), "deep": deep.String()} {
		doc := mustParse(t, src)
		for _, asJSON := range []bool{false, true} {
			seen := map[string]bool{}
			todo := []ReadRequest{{}}
			for calls := 0; len(todo) > 0; calls++ {
				req := todo[0]
				todo, req.MaxChars, req.JSON = todo[1:], 2000, asJSON
				reply, err := readIn(doc, "a.md", req)
				if err != nil || calls > 1500 || utf8.RuneCount(reply.Text) > 2000 {
					t.Fatalf("%s: %d calls, %+v: %v", name, calls, req, err)
				}
				before := len(seen)
				for _, m := range regexp.MustCompile(`h[1-6]\.\d+`).FindAllString(string(reply.Text), -1) {
					seen[m] = true
				}
				shown := regexp.MustCompile(`(?m)^h[1-6]\.\d+`).FindAllString(string(reply.Text), -1)
				if m := regexp.MustCompile(`(?m)^(?:(\d+) more: .*\n)?(\d+) deeper ones are`).FindStringSubmatch(string(reply.Text)); m != nil && req.Heading == "" {
					for _, h := range shown[strings.Count(shown[0], "h1"):] { // of h1 the map is this one
						todo = append(todo, ReadRequest{Map: true, Heading: h})
					}
					if n := len(shown) + testkit.Number(t, "0"+m[1]) + testkit.Number(t, m[2]); calls == 0 && n != len(doc.Sections) {
						t.Errorf("%s: the first page tells of %d sections:\n%s", name, n, reply.Text)
					}
				}
				if len(seen) == 0 || len(seen) == before && !asJSON && req.Heading == "" {
					t.Errorf("%s: %+v shows nothing new:\n%s", name, req, reply.Text)
				}
				for _, call := range regexp.MustCompile(`start_line=(\d+), end_line=(\d+), map=true|"start_line":(\d+),"end_line":(\d+),"max_chars":2000,"map":true`).FindAllStringSubmatch(string(reply.Text), -1) {
					var next ReadRequest
					next.Map = true
					_, _ = fmt.Sscan(call[1]+call[3]+" "+call[2]+call[4], &next.StartLine, &next.EndLine)
					todo = append(todo, next)
				}
			}
			all := 0
			for i := range doc.Sections {
				if doc.Sections[i].Level <= 2 || !asJSON {
					all++
				}
			}
			if len(seen) < all {
				t.Errorf("%s, JSON %v: %d of %d sections were shown", name, asJSON, len(seen), all)
			}
		}
		reply, err := readIn(doc, "a.md", ReadRequest{Map: true, Heading: "Part 7", MaxChars: 500})
		if err != nil || !strings.Contains(string(reply.Text), " Part 7\n") || strings.Contains(string(reply.Text), " Part 8\n") {
			t.Errorf("the map of a section: %v\n%s", err, reply.Text)
		}
	}
}

// TestReadWideIsNeverEmpty has a path that leaves room for hardly a heading, and lines after
// the document's end: what can't show a section is an error, and no map without one.
func TestReadWideIsNeverEmpty(t *testing.T) {
	doc := mustParse(t, strings.Repeat("# "+strings.Repeat("title ", 40)+"\n\ntext\n\n", 30))
	shown := 0
	for n := 0; n < 700; n += 5 {
		for _, asJSON := range []bool{false, true} {
			path := strings.Repeat("p", n) + ".md"
			r := reading{req: ReadRequest{MaxChars: 500, JSON: asJSON, Call: toolCall}, doc: doc, source: path, path: path, limit: 500}
			reply, err := r.respond()
			if err == nil && !regexp.MustCompile(`h1\.0\b`).Match(reply.Text) || err != nil && !strings.Contains(err.Error(), "too small") {
				t.Errorf("%d characters of a path, JSON %v: %v\n%s", n, asJSON, err, reply.Text)
			}
			if err == nil {
				shown++
			}
		}
	}
	if shown == 0 {
		t.Error("no map was shown")
	}
	_, err := readIn(doc, "a.md", ReadRequest{Map: true, StartLine: 5000})
	if err == nil || !strings.Contains(err.Error(), "lines 5000-5000 are not all there; the document has 120 lines") {
		t.Errorf("a map of lines after the end: %v", err)
	}
}

func TestReadSection(t *testing.T) {
	reply, err := read([]byte(guideText), ReadRequest{Heading: "install"})
	if err != nil {
		t.Fatal(err)
	}
	doc := mustParse(t, guideText)
	want := "stdin:11-24 h2.0 #" + doc.SectionHash(1) + " body #" + doc.BodyHash(1) + " ~ stripped Guide > Install\n\n" +
		string(doc.Text(doc.SectionSpan(1)))
	if diff := cmp.Diff(want, string(reply.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadHeadings(t *testing.T) {
	reply, err := read([]byte(guideText), ReadRequest{Headings: []string{"Linux", "Nowhere", "h2.0/code.0"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"stdin:19-24 h3.0 #", "\n\n### Linux\n\nOn Linux.\n", "\nstdin: Nowhere\nerror: heading_not_found: ",
		"\nstdin:15-17 h2.0/code.0 #", "\n\n```sh\nmake\n```\n",
	} {
		if !strings.Contains(string(reply.Text), want) {
			t.Errorf("%q is not in\n%s", want, reply.Text)
		}
	}
	if reply.Failed != 1 {
		t.Errorf("%d failed, want 1", reply.Failed)
	}
	if _, err := read([]byte(guideText), ReadRequest{Headings: []string{"Nowhere", "Nor here"}}); err == nil {
		t.Error("two headings that are not there are no error")
	}
}

// TestReadManyHeadings asks for more than fits: all are delivered in the end.
func TestReadManyHeadings(t *testing.T) {
	var b strings.Builder
	var asked []string
	for i := range 12 {
		fmt.Fprintf(&b, "# Part %c\n\n%s\n", 'a'+i, strings.Repeat("text of some length\n", 5+i*10))
		asked = append(asked, fmt.Sprintf("Part %c", 'a'+i))
	}
	src := []byte(b.String())
	doc, _ := markdown.Parse(src)
	for _, limit := range testkit.Budgets {
		reply, err := read(src, ReadRequest{Headings: asked, MaxChars: limit})
		if err != nil {
			t.Fatalf("%d: %v", limit, err)
		}
		if err := checkBudget(doc, reply, []markdown.Lines{{First: 1, Last: doc.LineCount}}, limit); err != nil {
			t.Errorf("%d: %v\n%s", limit, err, reply.Text)
		}
		delivered, err := follow(doc, reply, limit)
		if err != nil {
			t.Fatalf("%d: %v", limit, err)
		}
		for n := 1; n <= doc.LineCount; n++ {
			if delivered[n] != 1 {
				t.Errorf("%d: line %d is delivered %d times", limit, n, delivered[n])
				break
			}
		}
	}
}

// TestReadOwnName: the document's own name may stand before a place or an anchor in it.
func TestReadOwnName(t *testing.T) {
	const text = "# A\n\n## B: 3-4\n\ntext\n"
	dir := testkit.Folder(t, map[string]string{"a.md": text})
	docs := documents.Set{Paths: []string{dir + "/a.md"}}
	for addr, want := range map[string]string{
		dir + "/a.md:3-5":   "## B: 3-4\n\ntext\n",
		dir + "/./a.md:5":   "text\n",
		dir + "/a.md:5-9":   "text\n",
		dir + "/a.md#b-3-4": "## B: 3-4\n\ntext\n",
		"B: 3-4":            "## B: 3-4\n\ntext\n",
		dir + "/a.md:6":     replies.CodeInvalidArgument,
		dir + "/a.md:0":     "heading_not_found",
		dir + "/a.md:5-4":   "heading_not_found",
		dir + "/a.md#c":     "heading_not_found",
		dir + "/b.md:3":     "heading_not_found",
		":3":                "heading_not_found",
		"a.md" + ":3":       "heading_not_found",
	} {
		for _, req := range []ReadRequest{{Heading: addr}, {Headings: []string{addr}}, {Heading: addr, BodyOnly: true}} {
			reply, err := Read(docs, req)
			got := ""
			if err != nil {
				got = replies.AsError(err).Code
			} else {
				for _, s := range reply.texts {
					got += string(reply.Text[s.Start:s.End])
				}
			}
			if got != want {
				t.Errorf("%q: %q, %v, want %q", addr, got, err, want)
			}
		}
	}
}

func TestReadLines(t *testing.T) {
	for _, tt := range []struct {
		first, last int
		want        string // the text, or the error
	}{
		{11, 13, "## Install\n\nRun it.\n"},
		{30, 0, "- [x]: four\n"},
		{0, 1, "---\n"},
		{30, 31, "- [x]: four\n"},
		{31, 0, "lines 31-31 are not all there; the document has 30 lines"},
		{5, 4, "start_line 5 is after end_line 4"},
		{-1, 4, "lines are counted from 1"},
	} {
		reply, err := read([]byte(guideText), ReadRequest{StartLine: tt.first, EndLine: tt.last})
		got := ""
		if err == nil {
			_, got, _ = strings.Cut(string(reply.Text), "\n\n")
		} else if e, ok := errors.AsType[*replies.Error](err); ok {
			got = e.Message.String()
		}
		if got != tt.want {
			t.Errorf("%d-%d: %q, want %q", tt.first, tt.last, got, tt.want)
		}
	}
}

// TestReadThinned shows what becomes of a section that does not fit.
func TestReadThinned(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Book\n\nWhat it is about.\n")
	for i := range 4 {
		fmt.Fprintf(&b, "\n## Chapter %d\n\nGist of %d.\n\n%s", i, i, strings.Repeat("And more of it.\n", 30))
	}
	reply, err := read([]byte(b.String()), ReadRequest{Heading: "Book", MaxChars: 1100})
	if err != nil {
		t.Fatal(err)
	}
	text := string(reply.Text)
	for _, want := range []string{"What it is about.", "## Chapter 0\n\nGist of 0.", "## Chapter 3\n\nGist of 3.\n[left out: lines ", "\nleft_out: ", "\ncontinue: read_file(path=\"-\", start_line="} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if n := utf8.RuneCountInString(text); n > 1100 || n < 1000 {
		t.Errorf("%d characters of 1100", n)
	}
}

func TestReadComplete(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"plans/deep", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, sub, "a.md"), []byte(guideText), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	complete := func(path string, folders ...string) (string, error) {
		reply, err := Read(documents.Set{Paths: []string{filepath.Join(dir, path)}}, ReadRequest{Complete: true, PlanFolders: folders, MaxChars: 500})
		if err != nil {
			return "", err
		}
		return string(reply.Text), nil
	}
	text, err := complete("plans/deep/a.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"a.md:1-30 #", "\nsections: 4: Guide; Install; Linux; Use & \uFFFD[1menjoy\n", "\ncheckboxes: 4 total, 3 done, 1 pending\n", "\n\n" + guideText,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for path, folders := range map[string][]string{"other/a.md": nil, "plans/deep/a.md": {"drafts", "", "deep/plans", "lans/deep"}, "other/../plans/deep/../../other/a.md": nil} {
		if _, err := complete(path, folders...); err == nil || !strings.Contains(err.Error(), "only plan files") {
			t.Errorf("%s in %v: %v", path, folders, err)
		}
	}
	for path, folder := range map[string]string{"other/a.md": "other", "plans/deep/a.md": "./plans/deep/"} {
		if _, err := complete(path, folder); err != nil {
			t.Error(err)
		}
	}
	if _, err := read([]byte(guideText), ReadRequest{Complete: true}); err == nil {
		t.Error("standard input is a plan file")
	}
}

// In a workspace the folders below the root count, and not those that the root
// itself is in.
func TestReadCompleteInWorkspace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plans", "root")
	for _, sub := range []string{"plans", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, sub, "a.md"), []byte(guideText), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	for path, want := range map[string]bool{"plans/a.md": true, "other/../plans/a.md": true, "other/a.md": false, "plans/../other/a.md": false} {
		_, err := Read(documents.Set{Paths: []string{path}, Workspace: w}, ReadRequest{Complete: true})
		if (err == nil) != want {
			t.Errorf("%s: %v, want it read: %v", path, err, want)
		}
	}
}

func TestCheckboxes(t *testing.T) {
	for src, want := range map[string][2]int{
		"- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [x] e\n": {5, 3},
		"> - [x] quoted\n>   - [ ] nested\n":              {2, 1},
		"- [x]: plan\n- [ ]: plan\n":                      {2, 1},
		"```\n- [x] code\n```\n\n    - [ ] code\n":        {0, 0},
		"- [y] a\n- [x]b\n- [ ]\n- x [x]\n[x] a\n":        {0, 0},
		"- [x] a\n  - [ ] b\n\n    [x] c\n":               {2, 1},
	} {
		total, done := checkboxes(mustParse(t, src))
		if got := [2]int{total, done}; got != want {
			t.Errorf("%q: %v, want %v", src, got, want)
		}
	}
}

// isText reports whether a file with this text is not refused.
func isText(src []byte) bool {
	docs := documents.Set{Stdin: bytes.NewReader(src)}
	_, err := docs.Open(documents.Stdin)
	return err == nil
}

func mustParse(t *testing.T, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestGapCost compares what is counted with what is rendered.
func TestGapCost(t *testing.T) {
	if n := gapCost(markdown.Lines{First: 5, Last: 4}); n != 0 {
		t.Errorf("no lines take %d characters", n)
	}
	for _, l := range []markdown.Lines{{First: 1, Last: 1}, {First: 9, Last: 10}, {First: 99, Last: 100}, {First: 100, Last: 123_456}} {
		want := utf8.RuneCountInString(gapMark(l, LinePart{}) + replies.LineRange(l) + ", ")
		if got := gapCost(l); got != want {
			t.Errorf("%v: %d, want %d", l, got, want)
		}
	}
}

// TestNamesOfArguments: an error about arguments keeps their names apart from its words.
func TestNamesOfArguments(t *testing.T) {
	for want, req := range map[string]ReadRequest{
		"<heading> and <start_line/end_line> exclude each other; choose one":                               {Heading: "A", StartLine: 1},
		"<occurrence> chooses among equal headings; name one with <heading>":                               {StartLine: 1, Occurrence: 2},
		"<start_line> 3 is after <end_line> 2":                                                             {StartLine: 3, EndLine: 2},
		"<start_char> goes on inside a line; name the line with <line>":                                    {StartChar: 2},
		"<start_char> is for the rest of one line; leave <end_line> out, or read the lines after it apart": {StartLine: 1, EndLine: 2, StartChar: 2},
		"<max_chars> must be at least 500":                                                                 {MaxChars: 1},
	} {
		_, err := read([]byte("# A\n"), req)
		if got := replies.AsError(err).Message.In(angled{}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// angled is a voice that sets names off.
type angled struct{}

func (angled) Argument(arg replies.Arg) string  { return "<" + string(arg) + ">" }
func (angled) Request(call replies.Call) string { return "<" + string(call.Verb) + ">" }
func (angled) IsPerson() bool                   { return false }

// TestGapMarksAreKnown: who sends a text back with a line in the place of others is told
// which.
func TestGapMarksAreKnown(t *testing.T) {
	told := func(line, what string) {
		t.Helper()
		got, why := (*replies.Marks)(nil).MarkIn("text\r\n"+line+"\r\nmore", func(string) bool { return false })
		if got != line || !strings.Contains(why, what) {
			t.Errorf("%q: %q, %q", line, got, why)
		}
	}
	told(strings.TrimSuffix(gapMark(markdown.Lines{First: 97, Last: 124}, LinePart{}), "\n"), "(lines 97-124)")
	told(strings.TrimSuffix(gapMark(markdown.Lines{First: 97, Last: 97}, LinePart{}), "\n"), "(lines 97)")
	told(strings.TrimSuffix(gapMark(markdown.Lines{First: 9, Last: 12}, LinePart{Line: 9, EndChar: 20}), "\n"), "(lines 9 (from character 21), 10-12)")
	told(strings.TrimSuffix(gapMark(markdown.Lines{First: 9, Last: 9}, LinePart{Line: 9, EndChar: 20}), "\n"), "(lines 9 (from character 21))")
}
