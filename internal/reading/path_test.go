package reading

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// A path can be longer than a reply. What is printed of it is checked here by
// doing what replies say, in their own words.

var (
	continueLine = regexp.MustCompile(`(?m)^continue: (.*)$`)
	callText     = regexp.MustCompile(`^markdown_read_section\(file_path=(".*"), (start_line=.*)\)$`)
	sameText     = regexp.MustCompile(`^the same path with (start_line=.*)$`)
)

// spelled returns the request that a reply says to go on with, if it does.
func spelled(t *testing.T, path, reply string) (req ReadRequest, ok bool) {
	t.Helper()
	head, _, _ := strings.Cut(reply, "\n\n")
	line := continueLine.FindStringSubmatch(head)
	if line == nil {
		return req, false
	}
	args := ""
	if call := callText.FindStringSubmatch(line[1]); call != nil {
		var named string
		if err := json.Unmarshal([]byte(call[1]), &named); err != nil || named != path {
			t.Fatalf("%s names %q (%v), want %q", line[1], named, err, path)
		}
		args = call[2]
	} else if same := sameText.FindStringSubmatch(line[1]); same != nil {
		args = same[1]
	} else {
		t.Fatalf("nobody can follow %q", line[1])
	}
	for arg := range strings.SplitSeq(args, ", ") {
		name, value, _ := strings.Cut(arg, "=")
		field := map[string]*int{
			"start_line": &req.StartLine, "end_line": &req.EndLine, "start_char": &req.StartChar, "max_chars": &req.MaxChars,
		}[name]
		if field == nil {
			t.Fatalf("%q has an argument %s", line[1], name)
		}
		*field = testkit.Number(t, value)
	}
	return req, true
}

// followPath reads lines of the document at path, as a tool does, and what replies
// say to go on with, and returns how many replies have the path in a call. Each
// line must be delivered once.
func followPath(t *testing.T, w *documents.Workspace, path string, req ReadRequest) (calls int) {
	t.Helper()
	doc, _, err := w.Open(nil, path)
	if err != nil {
		t.Fatal(err)
	}
	last := doc.LineCount
	delivered := map[int]int{}
	read := func(req ReadRequest) *ReadReply {
		req.Call = ReadSectionCall
		reply, err := Read(documents.Set{Paths: []string{path}, Workspace: w}, req)
		if err != nil {
			t.Fatalf("%s: %+v: %v", path, req, err)
		}
		if n := utf8.RuneCount(reply.Text); n > req.MaxChars {
			t.Fatalf("%s: %+v: %d characters", path, req, n)
		}
		if len(reply.Delivered)+len(reply.Parts) == 0 {
			t.Fatalf("%s: %+v: nothing is delivered:\n%s", path, req, reply.Text)
		}
		for _, l := range reply.Delivered {
			for n := l.First; n <= l.Last; n++ {
				delivered[n]++
			}
		}
		for _, p := range reply.Parts {
			if p.EndChar == replies.Chars(doc.Text(doc.LineSpan(markdown.Lines{First: p.Line, Last: p.Line}))) {
				delivered[p.Line]++
			}
		}
		return reply
	}
	todo := []ReadRequest{req}
	for n := 0; len(todo) > 0; n++ {
		if n > 10_000 {
			t.Fatal("the calls never end")
		}
		reply := read(todo[0])
		todo = todo[1:]
		next, ok := spelled(t, path, string(reply.Text))
		if ok != (len(reply.Next) > 0) {
			t.Fatalf("%s: %d requests go on, but not as the head says:\n%s", path, len(reply.Next), reply.Text)
		}
		for i, c := range reply.Next {
			todo = append(todo, ReadRequest{StartLine: c.StartLine, EndLine: c.EndLine, StartChar: c.StartChar, MaxChars: c.MaxChars})
			if i == 0 && fmt.Sprint(todo[len(todo)-1]) != fmt.Sprint(next) {
				t.Fatalf("%s: %+v goes on, the head says %+v", path, c, next)
			}
		}
		if strings.Contains(string(reply.Text), "\ncontinue: "+replies.ToolReadSection) {
			calls++
		}
	}
	for n := max(req.StartLine, 1); n <= last; n++ {
		if delivered[n] != 1 {
			t.Fatalf("%s: %+v: line %d is delivered %d times", path, req, n, delivered[n])
		}
	}
	return calls
}

// hardText has long lines, many headings and something that can't be seen.
func hardText() []byte {
	text := "# A\n\nhid\u202Eden \u200Bwo\u00ADrds\n\n" + strings.Repeat("word ", 500) + "\n\n"
	for i := range 30 {
		text += fmt.Sprintf("## A heading that is rather long %d\n\nA line of text.\n\u2066and\u2069 \u200Bmore\n\n", i)
	}
	return []byte(text)
}

// TestReadLongPaths is the law of paths: however long one is, every request is
// answered in the length that it asks for, and every continuation works.
func TestReadLongPaths(t *testing.T) {
	testkit.OneGoroutine(t)
	dir := t.TempDir()
	names := []string{"a.md", strings.Repeat("x", 120) + ".md"}
	for _, unit := range []string{"long-name-", "ü", "\"\\ '", "a\u200Bb\U000E0041"} {
		part := strings.Repeat(unit, 240/len(unit))
		for _, n := range []int{1, 8} {
			names = append(names, strings.Repeat(part+"/", n-1)+part+".md")
		}
	}
	all := len(names)
	names = slices.DeleteFunc(names, func(name string) bool {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o750)
		if err == nil {
			err = os.WriteFile(path, hardText(), 0o600)
		}
		return err != nil // names that this system doesn't take
	})
	if len(names) < 2 || len(names) < all && runtime.GOOS == "linux" {
		t.Fatalf("%d of %d names can be given", len(names), all)
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	calls := 0
	for i, name := range names {
		for k, limit := range []int{500, 501, 700, 1300, 5000} {
			if !testkit.Long() && (i+k)%2 == 1 { // the names come in pairs, one long and one longer
				continue
			}
			for _, req := range []ReadRequest{{StartLine: 1}, {StartLine: 5}, {Heading: "A"}, {Heading: "@document"}} {
				req.MaxChars = limit
				calls += followPath(t, w, name, req)
			}
			for _, req := range []ReadRequest{{Heading: "A", BodyOnly: true}, {Heading: "A", MaxLevels: 1}, {Heading: "h2.3"}, {Heading: "h2.3/para.0"}} {
				req.MaxChars, req.Call = limit, ReadSectionCall
				reply, err := Read(documents.Set{Paths: []string{name}, Workspace: w}, req)
				if err != nil {
					t.Errorf("%s: %+v: %v", name, req, err)
				} else if n := utf8.RuneCount(reply.Text); n > limit {
					t.Errorf("%s: %+v: %d characters", name, req, n)
				}
			}
			req := ReadRequest{Headings: []string{"h2.3", "A", "h2.4"}, MaxChars: limit}
			if reply, err := Read(documents.Set{Paths: []string{name}, Workspace: w}, req); err != nil || utf8.RuneCount(reply.Text) > limit {
				t.Errorf("%s: %+v: %v, or too many characters", name, req, err)
			}
		}
	}
	if calls == 0 {
		t.Error("no reply has a call")
	}
}

// TestReadLongestPathsOfCorpus reads the documents with the longest paths there
// are.
func TestReadLongestPathsOfCorpus(t *testing.T) {
	files := slices.DeleteFunc(slices.Clone(testkit.CorpusFiles(t)), func(f testkit.CorpusFile) bool { return !isText(f.Data) })
	slices.SortStableFunc(files, func(a, b testkit.CorpusFile) int { return len(b.Name) - len(a.Name) })
	if files = files[:60]; !testkit.Long() {
		files = files[:20]
	}
	dir := t.TempDir()
	testkit.WriteDocuments(t, dir, files)
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i, f := range files {
		doc := mustParse(t, string(f.Data))
		followPath(t, w, f.Name, ReadRequest{Heading: "@document", MaxChars: 500})
		followPath(t, w, f.Name, ReadRequest{StartLine: 1 + i*7%doc.LineCount, MaxChars: 500})
	}
}

// TestReadTerse reads what has the longest heads that there are: with a long path
// and great numbers, of nested blocks, with something to warn about.
func TestReadTerse(t *testing.T) {
	testkit.OneGoroutine(t)
	text := strings.Repeat("\n", 1_000_000) + "# A\n\n" + strings.Repeat("hid\u202Eden\u2066 \u200Bwords\n", 50) +
		"\n" + strings.Repeat("- > ", 40) + "deep " + strings.Repeat("text ", 200) + "\n\n" + strings.Repeat("### B\n\ntext\n\n", 100)
	doc := mustParse(t, text)
	path := strings.Repeat("path-", 400) + ".md"
	for _, req := range []ReadRequest{
		{Heading: "A"},
		{Heading: "A", BodyOnly: true},
		{Heading: "A", MaxLevels: 1},
		{Heading: "@document", MaxLevels: 1},
		{StartLine: 1_000_003},
		{StartLine: 1_000_010, StartChar: 3},
		{Heading: "h1.0/" + strings.Repeat("list.0/item.0/quote.0/", 40) + "para.0"},
	} {
		for _, limit := range []int{500, 510, 600} {
			req.MaxChars, req.Call = limit, ReadSectionCall
			reply, err := readIn(doc, path, req)
			if err != nil {
				t.Errorf("%.60q %+v in %d: %v", req.Heading, req.StartLine, limit, err)
				continue
			}
			if n := utf8.RuneCount(reply.Text); n > limit || len(reply.Delivered)+len(reply.Parts) == 0 {
				t.Errorf("%.60q %+v in %d: %d characters:\n%s", req.Heading, req.StartLine, limit, n, reply.Text)
			}
		}
	}
}

func TestShownPath(t *testing.T) {
	for _, tt := range []struct {
		path string
		room int
		want string
	}{
		{"docs/a.md", 0, "docs/a.md"},
		{"docs/a.md", 9, "docs/a.md"},
		{"docs/a.md", 8, "doc…a.md"},
		{"docs/a.md", 7, "doc….md"},
		{"ö/漢字/ü.md", 8, "ö/漢…ü.md"},
		{"a\u202Eb", 3, "a\uFFFDb"},
	} {
		r := reading{path: tt.path, pathRoom: tt.room}
		if got := r.shownPath(); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.path, tt.room, got, tt.want)
		}
	}
}

// TestNextMaxChars raises the length of replies for a path that would fill them.
func TestNextMaxChars(t *testing.T) {
	for _, tt := range []struct{ path, asked, want int }{
		{20, 0, 0}, {20, 500, 500}, {200, 500, 812}, {200, 10_000, 10_000}, {2000, 500, 4412}, {2000, 40_000, 40_000}, {30_000, 500, 40_000},
	} {
		r := reading{doc: mustParse(t, "# A\n"), req: ReadRequest{MaxChars: tt.asked, Call: ReadSectionCall}, path: strings.Repeat("p", tt.path)}
		if r.source = r.path; r.nextMaxChars() != tt.want {
			t.Errorf("%+v: %d", tt, r.nextMaxChars())
		}
	}
}

// TestGuideIsNoPlanFile: the address of a guide is no path, also where a folder is called as it
// begins.
func TestGuideIsNoPlanFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("guide:/category/plans", 0o700); err != nil {
		t.Skip(err) // no such names here
	}
	testkit.WriteFile(t, "guide:/category/plans/a.md", "# A\n")
	const uri = "guide://category/plans/a.md"
	docs := documents.Set{Paths: []string{uri}, Guide: func(*documents.Work, string) ([]byte, error) { return []byte("# B\n"), nil }}
	if _, err := Read(docs, ReadRequest{Complete: true}); replies.AsError(err).Code != replies.CodeInvalidArgument {
		t.Errorf("%v", err)
	}
}
