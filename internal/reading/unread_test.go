package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// unreadLines finds what a head says of unread sections.
var unreadLines = regexp.MustCompile(`(?m)^\d+ of \d+ sections? unread(: .*)?\n`)

// saidUnread returns the line of a reply on what is unread, without its ending.
func saidUnread(text []byte) string {
	head, _, _ := bytes.Cut(text, []byte("\n\n"))
	return strings.TrimSuffix(string(unreadLines.Find(append(head, '\n'))), "\n")
}

// reader reads documents of a workspace in one session.
type reader struct {
	t    *testing.T
	docs documents.Set
	dir  string
}

func newReader(t *testing.T, contents map[string]string) *reader {
	t.Helper()
	w, dir := opened(t, contents)
	return &reader{t, documents.Set{Workspace: w, Session: session.New()}, dir}
}

// read reads the document at path.
func (r *reader) read(path string, req ReadRequest) *ReadReply {
	r.t.Helper()
	docs := r.docs
	docs.Paths = []string{path}
	reply, err := Read(docs, req)
	if err != nil {
		r.t.Fatalf("%s: %+v: %v", path, req, err)
	}
	if n := utf8.RuneCount(reply.Text); req.MaxChars > 0 && n > req.MaxChars {
		r.t.Errorf("%s: %+v: %d characters", path, req, n)
	}
	return reply
}

// unread names the sections of the document at path that were not read.
func (r *reader) unread(path string) string {
	r.t.Helper()
	doc, _, err := r.docs.Workspace.Open(nil, path)
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for _, s := range r.docs.Session.Unread(r.docs.FileKey(path), doc).Sections {
		names = append(names, s.Selector)
	}
	return strings.Join(names, " ")
}

// five has a preamble and four sections: # A 3-4, ## B 5-8, ### C 9-12, ## D 13-15.
const five = "Before.\n\n# A\n\n## B\n\n- item\n\n### C\n\nText of C.\n\n## D\n\nText of D.\n"

func TestReadSaysWhatIsUnread(t *testing.T) {
	tests := []struct {
		name  string
		req   ReadRequest
		want  string
		names string // in JSON
	}{
		{"a short document", ReadRequest{}, "", ""},
		{"a section and its children", ReadRequest{Heading: "B"}, "3 of 5 sections unread", "@preamble; h1.0 A; h2.1 D"},
		{"a section alone", ReadRequest{Heading: "B", BodyOnly: true}, "4 of 5 sections unread", "@preamble; h1.0 A; h3.0 C; h2.1 D"},
		{"several", ReadRequest{Headings: []string{"D", "@preamble", "nowhere", "h3.0"}}, "2 of 5 sections unread", "h1.0 A; h2.0 B"},
		{"lines", ReadRequest{StartLine: 2, EndLine: 14}, "2 of 5 sections unread", "@preamble; h2.1 D"},
		{"all but one", ReadRequest{StartLine: 2}, "1 of 5 sections unread", "@preamble"},
		{"a part of a line", ReadRequest{StartLine: 1, StartChar: 3}, "", "@preamble; h1.0 A; h2.0 B; h3.0 C; h2.1 D"},
		{"a line from its start", ReadRequest{StartLine: 1, StartChar: 1}, "4 of 5 sections unread", "h1.0 A; h2.0 B; h3.0 C; h2.1 D"},
		{"a small reply", ReadRequest{Heading: "B", MaxChars: 1999}, "3 of 5 sections unread", ""},
		{"a larger one", ReadRequest{Heading: "B", MaxChars: 2000}, "3 of 5 sections unread", "@preamble; h1.0 A; h2.1 D"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newReader(t, map[string]string{"a.md": five})
			reply := r.read("a.md", tt.req)
			if diff := cmp.Diff(tt.want, saidUnread(reply.Text)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, reply.Text)
			}
			// Without it the reply is what it is where nobody keeps account.
			docs := r.docs
			docs.Paths, docs.Session = []string{"a.md"}, nil
			plain, err := Read(docs, tt.req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(plain.Text), string(unreadLines.ReplaceAll(reply.Text, nil))); diff != "" {
				t.Errorf("without the line (-want +got):\n%s", diff)
			}
			var object struct {
				Unread struct {
					Count    int
					Sections []struct{ Selector, Title string }
				}
			}
			tt.req.JSON = true
			fresh := newReader(t, map[string]string{"a.md": five})
			if err := json.Unmarshal(fresh.read("a.md", tt.req).Text, &object); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, s := range object.Unread.Sections {
				names = append(names, strings.TrimSpace(s.Selector+" "+s.Title))
			}
			if diff := cmp.Diff(tt.names, strings.Join(names, "; ")); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			if n := object.Unread.Count; n > 0 && n < 5 && !strings.HasPrefix(tt.want, fmt.Sprint(n, " of ")) {
				t.Errorf("JSON counts %d, want %s", n, tt.want)
			}
		})
	}
}

// TestMapNamesUnread has a map that was asked for, which names what is unread where
// something was read.
func TestMapNamesUnread(t *testing.T) {
	r := newReader(t, map[string]string{"a.md": five})
	if got := saidUnread(r.read("a.md", ReadRequest{Map: true}).Text); got != "" {
		t.Errorf("all is unread, and it says %q", got)
	}
	r.read("a.md", ReadRequest{Heading: "B"})
	if got := saidUnread(r.read("a.md", ReadRequest{Map: true}).Text); got != "3 of 5 sections unread: @preamble; h1.0 A; h2.1 D" {
		t.Errorf("%q", got)
	}
}

// It stands after what was resolved and before what was left out.
func TestUnreadPlace(t *testing.T) {
	r := newReader(t, map[string]string{"a.md": five, "b.md": "# Long\n\n" + strings.Repeat("Some words.\n", 1000) + "\n# Other\n"})
	r.read("b.md", ReadRequest{Heading: "Other"})
	for _, req := range []ReadRequest{{Heading: "Long", MaxChars: 4000}, {StartLine: 5, MaxChars: 4000}} {
		head, _, _ := strings.Cut(string(r.read("b.md", req).Text), "\n\n")
		var words []string
		for line := range strings.Lines(head) {
			word, _, _ := strings.Cut(line, " ")
			words = append(words, strings.SplitN(word, ":", 2)[0])
		}
		if got := strings.Join(words[1:], " "); got != "1 left_out continue" {
			t.Errorf("%+v: the lines after the first begin with %s\n%s", req, got, head)
		}
	}
	if got := string(r.read("a.md", ReadRequest{Headings: []string{"C", "D"}}).Text); !strings.HasPrefix(got, "3 of 5 sections unread\na.md:9-12 h3.0 ") {
		t.Errorf("several headings:\n%s", got)
	}
}

// A map of a long document covers nothing, and a plan file is read as a whole.
func TestUnreadOfMapAndPlan(t *testing.T) {
	long := five + strings.Repeat("More of D.\n", 1000)
	r := newReader(t, map[string]string{"a.md": long})
	if got := saidUnread(r.read("a.md", ReadRequest{MaxChars: 10_000}).Text); got != "" || len(strings.Fields(r.unread("a.md"))) != 5 {
		t.Errorf("the map: %q", got)
	}
	if err := os.Mkdir(filepath.Join(r.dir, "plans"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "plans", "b.md"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, asJSON := range []bool{false, true} {
		reply := r.read("plans/b.md", ReadRequest{Complete: true, JSON: asJSON})
		if bytes.Contains(reply.Text, []byte("unread")) || r.unread("plans/b.md") != "" {
			t.Errorf("something is unread of a complete file: %.300s", reply.Text)
		}
	}
}

// What a reply holds of a block within others is not all of its lines.
func TestUnreadOfBlocks(t *testing.T) {
	const src = "# A\n\n- item\n\n# B\n\n> quote\n\n# C\n\n  text\n"
	r := newReader(t, map[string]string{"a.md": src})
	for i, block := range []string{"list.0/item.0/para.0", "quote.0/para.0", "para.0"} {
		heading := fmt.Sprintf("h1.%d", i)
		r.read("a.md", ReadRequest{StartLine: 1 + 4*i, EndLine: 1 + 4*i})
		r.read("a.md", ReadRequest{Heading: heading + "/" + block})
	}
	if got := r.unread("a.md"); got != "h1.0 h1.1" {
		t.Errorf("unread: %s, want those whose marks were not shown", got)
	}
	r.read("a.md", ReadRequest{Heading: "h1.0/list.0/item.0"})
	r.read("a.md", ReadRequest{Heading: "h1.1/quote.0"})
	if got := r.unread("a.md"); got != "" {
		t.Errorf("unread: %s", got)
	}
}

// One file is one file, whatever it is called; another one is another.
func TestUnreadByOtherNames(t *testing.T) {
	r := newReader(t, map[string]string{"a.md": five, "b.md": five})
	if err := os.Symlink("a.md", filepath.Join(r.dir, "link.md")); err != nil {
		t.Skip("no links here:", err)
	}
	r.read("./a.md", ReadRequest{Heading: "B"})
	for path, want := range map[string]string{
		"a.md": "@preamble h1.0 h2.1", "link.md": "@preamble h1.0 h2.1", filepath.Join(r.dir, "a.md"): "@preamble h1.0 h2.1",
		"b.md": "@preamble h1.0 h2.0 h3.0 h2.1",
	} {
		if got := r.unread(path); got != want {
			t.Errorf("%s: unread %s, want %s", path, got, want)
		}
	}
	if key := r.docs.FileKey("missing.md"); key != "" {
		t.Errorf("what is not there has the name %q", key)
	}
}

// Without a session nothing is said, and without a workspace there is none.
func TestNoSession(t *testing.T) {
	for _, docs := range []documents.Set{{}, {Session: session.New()}} {
		docs.Paths, docs.Stdin = []string{documents.Stdin}, strings.NewReader(five)
		reply, err := Read(docs, ReadRequest{Heading: "B"})
		if err != nil || bytes.Contains(reply.Text, []byte("unread")) {
			t.Errorf("%v: %s", err, reply.Text)
		}
	}
}

func TestPassage(t *testing.T) {
	r := newReader(t, map[string]string{"a.md": five})
	docs := r.docs
	docs.Paths = []string{"a.md"}
	for _, tt := range []struct {
		addr   string
		most   int
		text   string
		err    string
		unread string
	}{
		{"#d", 1000, "## D\n\nText of D.\n", "", "@preamble h1.0 h2.0 h3.0"},
		{"#b", 10, "", "file_too_large", "@preamble h1.0 h2.0 h3.0"},
		{"#x", 1000, "", "heading_not_found", "@preamble h1.0 h2.0 h3.0"},
		{"", 1000, five, "", ""},
	} {
		text, err := Passage(docs, tt.addr, tt.most)
		if string(text) != tt.text || tt.err != "" && !strings.Contains(fmt.Sprint(err), tt.err) || tt.err == "" && err != nil {
			t.Errorf("%s: %q, %v", tt.addr, text, err)
		}
		if got := r.unread("a.md"); got != tt.unread {
			t.Errorf("%s: unread %s, want %s", tt.addr, got, tt.unread)
		}
	}
	docs.Paths = []string{"missing.md"}
	if _, err := Passage(docs, "", 1000); err == nil {
		t.Error("a missing file is there")
	}
	if _, err := Passage(documents.Set{}, "", 1000); err == nil {
		t.Error("no file is there")
	}
}

func TestUnreadWithin(t *testing.T) {
	some := func(total int, titles ...string) session.Unread {
		u := session.Unread{Total: total}
		for i, title := range titles {
			u.Sections = append(u.Sections, session.Section{Selector: fmt.Sprint("h2.", i), Title: title})
		}
		return u
	}
	for _, tt := range []struct {
		u    session.Unread
		most int
		want string
	}{
		{some(1, "A"), 300, "h2.0 A"},
		{some(2, "A", "B"), 300, "h2.0 A; h2.1 B"},
		{some(12, "A", "B"), 300, "h2.0 A; h2.1 B; and 10 more"},
		{some(3), 300, ""},
		{some(3, "", "B", "C"), 300, "h2.0; h2.1 B; h2.2 C"},
		{some(1, "a\u202eb\nc"), 300, "h2.0 a\ufffdb c"},
		{some(1, strings.Repeat("ü", 60)), 300, "h2.0 " + strings.Repeat("ü", 39) + "…"},
		{some(3, "AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"), 38, "h2.0 AAAAAAAAAA; and 2 more"},
		{some(3, "AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"), 18, ""},
	} {
		got := unreadNames(tt.u, tt.most)
		if got != tt.want || utf8.RuneCountInString(got) > tt.most {
			t.Errorf("in %d characters: %q, want %q", tt.most, got, tt.want)
		}
		if text := unreadJSON(tt.u, tt.most); replies.Chars(text) > max(tt.most, len(`,"unread":{"count":12}`)) || !json.Valid(append([]byte(`{"a":1`), append(text, '}')...)) {
			t.Errorf("JSON in %d characters: %s", tt.most, text)
		}
	}
}

// A reply has the room for what is unread only if it needs it: what fits without,
// is there.
func TestUnreadTakesNoRoomInVain(t *testing.T) {
	var src strings.Builder
	for i := range 12 {
		fmt.Fprintf(&src, "# Part %d with a title\n\n%s\n", i, strings.Repeat("Words that fill a line.\n", 20))
	}
	for _, asJSON := range []bool{false, true} {
		r := newReader(t, map[string]string{"a.md": src.String()})
		docs := r.docs
		docs.Paths, docs.Session = []string{"a.md"}, nil
		req := ReadRequest{Heading: "@document", JSON: asJSON}
		plain, err := Read(docs, req)
		if err != nil {
			t.Fatal(err)
		}
		req.MaxChars = replies.Chars(plain.Text)
		reply := r.read("a.md", req)
		if len(reply.LeftOut) > 0 || r.unread("a.md") != "" {
			t.Errorf("JSON %v: lines %v are left out, though all fit", asJSON, reply.LeftOut)
		}
		r.docs.Session = session.New()
		req.MaxChars--
		if reply = r.read("a.md", req); len(reply.LeftOut) == 0 || !bytes.Contains(reply.Text, []byte("unread")) {
			t.Errorf("JSON %v: more fits than there is room for:\n%.500s", asJSON, reply.Text)
		}
	}
}

// Of a reply in text and in JSON a client shows one: what only one of them has is
// not noted.
func TestUnreadWithStructured(t *testing.T) {
	var src strings.Builder
	for i := range 5 {
		fmt.Fprintf(&src, "# Part %d\n\n%s\n", i, strings.Repeat(`"\\"`, 50))
	}
	r := newReader(t, map[string]string{"a.md": src.String()})
	reply := r.read("a.md", ReadRequest{Heading: "@document", MaxChars: 1400, Structured: true})
	if len(reply.LeftOut) > 0 || saidUnread(reply.Text) != "" || !bytes.Contains(reply.Structured, []byte(`"unread":{"count":`)) {
		t.Fatalf("%s\n%s", reply.Text, reply.Structured)
	}
	if got := r.unread("a.md"); !strings.HasSuffix(got, "h1.4") || strings.Contains(got, "h1.0") {
		t.Errorf("unread: %q", got)
	}
}

// What can be read without a session can be with one, however little room there is.
func TestUnreadIsNoReasonToFail(t *testing.T) {
	testkit.OneGoroutine(t)
	w, _ := opened(t, nil)
	doc := mustParse(t, five+strings.Repeat("More of it, and more.\n", 100))
	for n := range 20 {
		path := strings.Repeat("p", 30*n) + ".md"
		for _, limit := range []int{500, 520, 600, 1000} {
			for _, req := range []ReadRequest{{}, {Heading: "C"}, {StartLine: 3}, {Headings: []string{"C", "D", "@preamble"}}} {
				for _, asJSON := range []bool{false, true} {
					req.MaxChars, req.JSON, req.workspace, req.coverage = limit, asJSON, w, documents.Coverage{}
					_, want := readIn(doc, path, req)
					req.coverage = documents.Coverage{Session: session.New(), File: path}
					reply, err := readIn(doc, path, req)
					if err != nil && want == nil {
						t.Fatalf("%d characters of path, %+v: %v, without a session %v", len(path), req, err, want)
					}
					if err == nil && replies.Chars(reply.Text) > limit {
						t.Fatalf("%d characters of path, %+v: %d characters", len(path), req, replies.Chars(reply.Text))
					}
				}
			}
		}
	}
}

// TestUnreadCorpus reads documents in every size with a session: each reply stays
// in its limit and tells what the session does; and who follows all that it says
// has read everything, but for lines that came in parts.
func TestUnreadCorpus(t *testing.T) {
	told := 0
	for i, f := range testkit.CorpusFiles(t) {
		if i%7 > 0 || !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			continue
		}
		doc := mustParse(t, string(f.Data))
		limit := affordable(doc, testkit.Budgets[i/7%len(testkit.Budgets)])
		s := session.New()
		inParts := false
		todo := []ReadRequest{{MaxChars: limit}, {Heading: "@document", MaxChars: limit}}
		for n := 0; len(todo) > 0; n++ {
			req := todo[0]
			todo = todo[1:]
			req.coverage, req.JSON, req.Structured = documents.Coverage{Session: s, File: "a.md"}, n%5 == 4, n%5 == 3
			reply, err := readIn(doc, documents.Stdin, req)
			if err != nil {
				t.Fatalf("%s: %+v: %v", f.Name, req, err)
			}
			if n := replies.Chars(reply.Text); n > limit || replies.Chars(reply.Structured) > limit {
				t.Fatalf("%s: %+v: %d characters, %d of JSON", f.Name, req, n, replies.Chars(reply.Structured))
			}
			unread := s.Unread("a.md", doc)
			want := unread.Total
			said := saidUnread(reply.Text)
			count, _, _ := strings.Cut(said, " ")
			switch {
			case req.JSON || req.Structured:
			case said == "" && want > 0 && want < unread.All && replies.Chars(reply.Text)+len("100 of 100 sections unread\n") < limit:
				t.Fatalf("%s: %+v: nothing is said of %d unread:\n%s", f.Name, req, want, reply.Text)
			case said != "" && count != strconv.Itoa(want) || utf8.RuneCountInString(said) >= maxUnread:
				t.Fatalf("%s: %+v: %d are unread:\n%s", f.Name, req, want, said)
			case said != "":
				told++
			}
			inParts = inParts || len(reply.Parts) > 0
			for _, next := range reply.Next {
				todo = append(todo, ReadRequest{StartLine: next.StartLine, EndLine: next.EndLine, StartChar: next.StartChar, MaxChars: limit})
			}
			if req.Structured { // its JSON may have less
				req.Structured, req.coverage = false, documents.Coverage{}
				s.Delivered("a.md", doc, reply.Delivered)
			}
		}
		if u := s.Unread("a.md", doc); u.Total > 0 && !inParts {
			t.Errorf("%s: in %d characters all was read, but %+v", f.Name, limit, u)
		}
	}
	if told == 0 {
		t.Error("nothing was ever said")
	}
}

// BenchmarkReadUnread reads a section of a document of 50,000 lines in a session.
func BenchmarkReadUnread(b *testing.B) {
	var src strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&src, "%s Number %d of them\n\n%s\n", "######"[:2+i%4], i, strings.Repeat("Words that stand in a paragraph for a while.\n", 7))
	}
	doc, err := markdown.Parse([]byte(src.String()))
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]documents.Coverage{"without": {}, "with": {Session: session.New(), File: "a.md"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := readIn(doc, "a.md", ReadRequest{Heading: "h4.100", MaxChars: 10_000, coverage: c}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// opened opens a workspace of one folder with the documents.
func opened(t testing.TB, contents map[string]string) (w *documents.Workspace, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, dir
}
