package selecting

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// A selection of limited length is checked against the one without a limit: what
// it delivers is the beginning of each match, and following what its notes name
// delivers the rest, by selecting alone.

var (
	leftNote  = regexp.MustCompile(`^\[left out: ([^;]*)(.*)\]$`)
	moreNote  = regexp.MustCompile(`(?m)^\[not shown: (\d+) of (\d+) matches.*\]$`)
	restOf    = regexp.MustCompile(`; rest: (\S+?)( without full)?$`)
	aloneOf   = regexp.MustCompile(`; select (\S+) alone$`)
	behindOf  = regexp.MustCompile(`; the lines behind it: (\S+?)( without full)?$`)
	readRest  = regexp.MustCompile(`; rest of line (\d+): markdown_read_section\(file_path="(.*)", start_line=(\d+), start_char=(\d+), max_chars=40000\)`)
	partOf    = regexp.MustCompile(`^line \d+ behind (\d+) characters`)
	lineBreak = strings.NewReplacer("\r", "", "\n", "")
)

// maxWarning is the number of characters of a warning about what can't be seen.
const maxWarning = 200

// hidesSomething reports whether the document has something to warn about.
func hidesSomething(t *testing.T, docs documents.Set) bool {
	t.Helper()
	doc, err := docs.Open(docs.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var u replies.Unseen
	u.Look(doc, markdown.Span{End: len(doc.Source)})
	return u.Count > 0
}

// unwarned returns a reply without the warning at its end.
func unwarned(reply string) string {
	last := strings.LastIndex(strings.TrimSuffix(reply, "\n"), "\n") + 1
	if strings.HasPrefix(reply[last:], "[warning: ") {
		return reply[:last]
	}
	return reply
}

// shownMatch is a match in a reply.
type shownMatch struct {
	text string // that was delivered
	note string // on what was left out, or empty
}

// cutNote takes a note off the end of what a reply shows of a match.
func cutNote(text string) shownMatch {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	last := lines[len(lines)-1]
	if !leftNote.MatchString(last) {
		return shownMatch{text, ""}
	}
	return shownMatch{strings.Join(lines[:len(lines)-1], ""), last}
}

// matchesIn returns all matches of a selector without a limit.
func matchesIn(t *testing.T, docs documents.Set, req SelectRequest) []jsonNode {
	t.Helper()
	req.JSON, req.MaxChars = true, 0
	var s selectObject
	decode(t, strings.TrimSuffix(askSelect(t, docs, req), "\n"), &s)
	for i := range s.Data.Matches {
		// Text names them in the short form.
		m := &s.Data.Matches[i]
		m.Selector = strings.NewReplacer("heading:", "", "block:paragraph", "para", "block:blockquote", "quote", "block:", "").Replace(m.Selector)
	}
	return s.Data.Matches
}

// splitMatches takes a reply apart into the matches that it shows.
func splitMatches(t *testing.T, reply string, all []jsonNode) (shown []shownMatch, left int) {
	t.Helper()
	if m := moreNote.FindStringSubmatch(reply); m != nil {
		left = testkit.Number(t, m[1])
		if testkit.Number(t, m[2]) != len(all) {
			t.Fatalf("%s, there are %d", m[0], len(all))
		}
		reply = strings.Replace(reply, m[0]+"\n", "", 1)
	}
	if len(all) == 1 {
		return []shownMatch{cutNote(reply)}, left
	}
	for i := range len(all) - left {
		head := all[i].Selector + ":\n"
		if !strings.HasPrefix(reply, head) {
			t.Fatalf("the reply goes on with %.80q, want %q", reply, head)
		}
		reply = reply[len(head):]
		end := len(reply)
		if i < len(all)-left-1 {
			// A match may hold what looks like the head of the next one.
			next := "\n" + all[i+1].Selector + ":\n"
			if whole := all[i].Content; strings.HasPrefix(reply, whole) {
				end = len(whole) + strings.Index(reply[len(whole):], next[1:])
			} else {
				end = strings.Index(reply, next) + 1
			}
		}
		shown = append(shown, cutNote(reply[:end]))
		reply = reply[end:]
	}
	return shown, left
}

// restOfLine reads the rest of a line as a note says.
func restOfLine(t *testing.T, docs documents.Set, call []string) string {
	t.Helper()
	if call[1] != call[3] || call[2] != docs.Paths[0] {
		t.Fatalf("%q is about something else than line %s of %s", call[0], call[1], docs.Paths[0])
	}
	doc, err := docs.Open(docs.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	line := markdown.Lines{First: testkit.Number(t, call[1]), Last: testkit.Number(t, call[1])}
	var text strings.Builder
	for next := []reading.Continuation{{StartLine: line.First, StartChar: testkit.Number(t, call[4])}}; len(next) > 0; {
		once := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(doc.Source)}
		reply, err := reading.Read(once, reading.ReadRequest{StartLine: line.First, StartChar: next[0].StartChar, MaxChars: replies.FullChars})
		if err != nil {
			t.Fatal(err)
		}
		part := reply.Parts[0]
		text.WriteString(string([]rune(string(doc.Text(doc.LineSpan(line))))[part.StartChar-1 : part.EndChar]))
		next = reply.Next
	}
	return text.String()
}

// restOfMatch returns a match that the request chooses, all of it: what was delivered of
// it, and what the note says how to get.
func restOfMatch(t *testing.T, docs func() documents.Set, req SelectRequest, m shownMatch, calls int) string {
	t.Helper()
	if m.note == "" {
		return m.text
	}
	if calls > 10_000 {
		t.Fatalf("the calls never end: %s", m.note)
	}
	note := leftNote.FindStringSubmatch(m.note)
	again := func(selector string, limit int) string {
		req.Selector, req.MaxChars = selector, limit
		return restOfMatch(t, docs, req, cutNote(unwarned(askSelect(t, docs(), req))), calls+1)
	}
	switch s := note[2]; {
	case aloneOf.MatchString(s):
		return again(aloneOf.FindStringSubmatch(s)[1], req.MaxChars)
	case restOf.MatchString(s):
		to := restOf.FindStringSubmatch(s)
		if to[2] != "" {
			req.Full = false
		}
		return m.text + again(to[1], req.MaxChars)
	case strings.HasPrefix(s, "; rest: with max_chars=40000"):
		return again(req.Selector, 40_000)
	case readRest.MatchString(s):
		rest := restOfLine(t, docs(), readRest.FindStringSubmatch(s))
		if to := behindOf.FindStringSubmatch(s); to != nil {
			req.Full = req.Full && to[2] == ""
			rest += again(to[1], req.MaxChars)
		}
		return m.text + rest
	}
	t.Fatalf("nobody can follow %s", m.note)
	return ""
}

// checkSelect checks the law of a selection in limited length, and returns how
// many matches were cut and how many left out.
func checkSelect(t *testing.T, name string, docs func() documents.Set, req SelectRequest) (cut, left int) {
	t.Helper()
	name = fmt.Sprintf("%s: %s in %d", name, req.Selector, req.MaxChars)
	got := unwarned(askSelect(t, docs(), req))
	unlimited, limit := req, req.MaxChars
	unlimited.MaxChars = 0
	if strings.Contains(req.Selector, "full=true") {
		limit = max(limit, replies.FullChars)
	}
	if hidesSomething(t, docs()) {
		limit -= maxWarning
	}
	if full := askSelect(t, docs(), unlimited); replies.Chars([]byte(full)) <= limit {
		if got != full {
			t.Fatalf("%s: not what is printed without a limit: %s", name, cmp.Diff(full, got))
		}
		return 0, 0
	}
	all := matchesIn(t, docs(), req)
	shown, left := splitMatches(t, got, all)
	for i, m := range shown {
		whole := all[i].Content
		text := m.text
		if m.note != "" {
			cut++
		}
		ending := "\n"
		if strings.HasSuffix(text, "\r\n") {
			ending = "\r\n"
		}
		if !strings.HasPrefix(whole, text) && !strings.HasPrefix(whole, strings.TrimSuffix(text, ending)) {
			t.Fatalf("%s: %s begins with %.200q, want %.200q", name, all[i].Selector, text, whole)
		}
		if m.note == "" && strings.TrimSuffix(text, ending) != strings.TrimSuffix(whole, ending) {
			t.Fatalf("%s: something is missing of %s without a note", name, all[i].Selector)
		}
		part := partOf.MatchString(strings.TrimPrefix(m.note, "[left out: "))
		if end := len(strings.TrimSuffix(text, ending)); m.note != "" && !part && text != "" && whole[end] != '\n' && whole[end] != '\r' && whole[end-1] != '\r' {
			t.Fatalf("%s: %s is cut inside a line: %q", name, all[i].Selector, m.note)
		}
		if i%7 > 0 {
			continue // following all of them takes too long
		}
		follow := req
		follow.Selector = all[i].Selector
		if again := restOfMatch(t, docs, follow, m, 0); lineBreak.Replace(again) != lineBreak.Replace(whole) {
			t.Fatalf("%s: following %s delivers %.2000q, want %.2000q", name, all[i].Selector, again, whole)
		}
	}
	return cut, left
}

func onStdin(src []byte) func() documents.Set {
	return func() documents.Set {
		return documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	}
}

// everySelector chooses parts of all kinds.
var everySelector = []string{
	"root", "h1", "h2", "h3.0", "para", "code", "list.0/item", "table.0/row", "quote", "html", "frontmatter", "h2.0/list.0/item.0/para",
	"h1.0,0,0", "root?head=40", "root?tail=30", "h2?head=9&tail=5", "para?full=true",
}

func TestSelectInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	cut, left := 0, 0
	check := func(name string, src []byte, selectors []string, limits ...int) {
		if !textual(src) || bytes.Contains(src, []byte("…")) {
			return
		}
		for _, selector := range selectors {
			for _, limit := range limits {
				c, l := checkSelect(t, name, onStdin(src), SelectRequest{Selector: selector, MaxChars: limit})
				cut, left = cut+c, left+l
			}
		}
	}
	for _, d := range testkit.Fixtures() {
		check(d.Name, d.Source, everySelector, 500, 3000)
		if d.Lines > 1000 {
			continue
		}
		crlf := bytes.ReplaceAll(d.Source, []byte("\n"), []byte("\r\n"))
		check(d.Name+" with CRLF", crlf, everySelector[:6], 500, 2000)
		cr := bytes.ReplaceAll(d.Source, []byte("\n"), []byte("\r"))
		check(d.Name+" with CR", cr, everySelector[:6], 500, 2000)
	}
	for _, d := range testkit.HostileInputs() {
		check(d.Name, d.Make(1500), everySelector[:9], 500)
	}
	wide := "# Wide\n\n" + strings.Repeat("漢字", 4000) + "\nsecond\n\n" + strings.Repeat("😀", 30_000) + "\n\nlast\n"
	check("wide", []byte(wide), everySelector[:6], 500, 10_000, 40_000)
	check("long line", []byte("# A\n\n"+strings.Repeat("x", 100_000)+"\nb\nc"), everySelector, 500, 10_000, 40_000)
	for limit := replies.MinChars; limit < 4000; limit += 111 {
		check("medium", testkit.MediumFixture().Source, []string{"root", "h2", "para", "h2.0,3-4?tail=60"}, limit)
	}
	if cut < 1000 || left < 1000 {
		t.Errorf("%d matches were cut and %d left out, want at least 1000 of each", cut, left)
	}
}

func TestSelectInLimitOfCorpus(t *testing.T) {
	files := testkit.CorpusFiles(t)
	cut, left := 0, 0
	for i := 0; i < len(files); i += 29 {
		if bytes.Contains(files[i].Data, []byte("…")) {
			continue
		}
		for j, selector := range everySelector {
			limit := testkit.Budgets[(i+j)%len(testkit.Budgets)]
			c, l := checkSelect(t, files[i].Name, onStdin(files[i].Data), SelectRequest{Selector: selector, MaxChars: limit})
			cut, left = cut+c, left+l
		}
	}
	if cut < 500 || left < 500 {
		t.Errorf("%d matches were cut and %d left out, want at least 500 of each", cut, left)
	}
}

func TestSelectFromManyInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Chdir(t.TempDir())
	var files []testkit.CorpusFile
	for i, d := range slices.Concat(testkit.Fixtures(), testkit.Fixtures()) {
		files = append(files, testkit.CorpusFile{Name: fmt.Sprintf("%d/a b %s", i%2, d.Name), Data: d.Source})
	}
	paths := slices.Insert(testkit.WriteDocuments(t, ".", files), 2, "missing.md")
	docs := func() documents.Set { return documents.Set{Paths: paths} }
	for _, selector := range []string{"h1", "h2", "root", "para", "h1.0?head=3"} {
		for _, limit := range []int{500, 1000, 4000, 20_000} {
			got := askSelect(t, docs(), SelectRequest{Selector: selector, MaxChars: limit})
			all := matchesIn(t, docs(), SelectRequest{Selector: selector})
			got, missing, ok := strings.Cut(got, "!FILE_NOT_FOUND: File not found: missing.md\nfile: missing.md\n")
			if !ok || missing != "" {
				t.Fatalf("%s in %d: the error is not at the end: %s", selector, limit, got)
			}
			shown, left := splitMatches(t, got, all)
			if len(shown)+left != len(all) || len(shown) == 0 {
				t.Fatalf("%s in %d: %d shown, %d left of %d", selector, limit, len(shown), left, len(all))
			}
		}
	}
}

// TestSelectNotes shows what is told of what is not shown.
func TestSelectNotes(t *testing.T) {
	text := func(lines int) string { return strings.Repeat("0123456789012345678\n", lines) }
	two := []byte("# A\n\n" + text(40) + "\n# B\n\nshort\n\n# C\n\n" + text(40))
	line := []byte("# A\n\n" + strings.Repeat("x", 50_000) + "\nb\nc\n")
	for _, tt := range []struct {
		src  []byte
		req  SelectRequest
		want []string // notes
	}{
		{two, SelectRequest{Selector: "h1.0"}, []string{"[left out: lines 21-42 of 1-42; rest: h1.0?tail=22]"}},
		{two, SelectRequest{Selector: "h1.0?tail=20"}, nil},
		{two, SelectRequest{Selector: "h1?head=41"}, []string{
			"[left out: lines 10-41 of 1-41; rest: h1.0?head=41&tail=32]",
			"[left out: lines 58-88 of 48-88; rest: h1.2?head=41&tail=31]",
		}},
		{line, SelectRequest{Selector: "para.0?head=2"}, []string{
			"[left out: line 3 behind 375 characters and line 4; rest: with max_chars=40000; the lines behind it: para.0?head=2&tail=1]",
		}},
		{line, SelectRequest{Selector: "para.0,0?tail=3"}, []string{
			"[left out: line 3 behind 157 characters and lines 4-5; select para.0?tail=3 alone]",
			"[left out: line 3 behind 158 characters and lines 4-5; select para.0?tail=3 alone]",
		}},
		{line, SelectRequest{Selector: "para.0", Full: true}, []string{
			"[left out: line 3 behind 39863 characters and lines 4-5; no reply can hold that line; the lines behind it: para.0?tail=2 without full]",
		}},
		{line, SelectRequest{Selector: "para.0", Full: true, Offered: everyTool}, []string{
			`[left out: line 3 behind 39789 characters and lines 4-5; rest of line 3: markdown_read_section(file_path="-", start_line=3, start_char=39790, max_chars=40000); ` +
				"the lines behind it: para.0?tail=2 without full]",
		}},
		// Counted from the start of the line, though the match begins in it.
		{[]byte("- > " + strings.Repeat("x", 50_000) + "\n"), SelectRequest{Selector: "list.0/item.0/quote.0", Full: true, Offered: everyTool}, []string{
			`[left out: line 1 behind 39852 characters; rest of line 1: markdown_read_section(file_path="-", start_line=1, start_char=39855, max_chars=40000)]`,
		}},
		{two, SelectRequest{Selector: "h1.0" + strings.Repeat(",0", 29)}, []string{
			"[left out: lines 1-42; select h1.0 alone]",
			"[left out: lines 4-42 of 1-42; rest: h1.0?tail=39]",
			"[left out: lines 4-42 of 1-42; rest: h1.0?tail=39]",
			"[left out: lines 4-42 of 1-42; rest: h1.0?tail=39]",
			"[left out: lines 4-42 of 1-42; rest: h1.0?tail=39]",
			"[not shown: 25 of 30 matches: h1.0, h1.0, h1.0 and so on; select fewer at a time]",
		}},
		{[]byte("# A\n\n" + text(3000)), SelectRequest{Selector: "h1.0?full=true"}, []string{
			"[left out: lines 1995-3002 of 1-3002; rest: h1.0?tail=1008 without full]",
		}},
	} {
		tt.req.MaxChars = 500
		var out, errs bytes.Buffer
		if err := Select(t.Context(), onStdin(tt.src)(), tt.req, &out, &errs); err != nil {
			t.Fatal(err)
		}
		var got []string
		for l := range strings.SplitSeq(out.String(), "\n") {
			if strings.HasPrefix(l, "[") {
				got = append(got, l)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%.40s: (-want +got)\n%s", tt.req.Selector, diff)
		}
	}
}

// TestUnresolvedInLimit tells in a short reply that a long selector finds nothing.
func TestUnresolvedInLimit(t *testing.T) {
	src := []byte("# A\n\n## B\n\n" + strings.Repeat("> ", 60) + "deep\n")
	long := strings.Repeat("h1.0/", 60)
	for _, selector := range []string{
		"h1.9", "h9", strings.Repeat("h1.0/", 38) + "h2.9", long + "h2.9", long + "x", "nope::h1", strings.Repeat("n", 3000) + "::h1.0", strings.Repeat("quote.0/", 59) + "para.9",
		"h1?" + strings.Repeat("a=b&", 3000) + "?", strings.Repeat("é", 3000), "h1." + strings.Repeat("9", 3000), strings.Repeat("\xff", 600),
	} {
		docs := onStdin(src)
		full := askSelect(t, docs(), SelectRequest{Selector: selector})
		for _, limit := range testkit.Budgets {
			got := askSelect(t, docs(), SelectRequest{Selector: selector, MaxChars: limit})
			if replies.Chars([]byte(full)) <= limit && utf8.RuneCountInString(selector) <= maxEcho && got != full {
				t.Errorf("%.40s in %d is %q, want %q", selector, limit, got, full)
			}
			for line := range strings.Lines(got) {
				if n := utf8.RuneCountInString(line); n > maxReason+len("!\n") && !strings.HasPrefix(line, "~") {
					t.Errorf("%.40s in %d: a line of %d characters: %s", selector, limit, n, line)
				}
			}
			if n := utf8.RuneCountInString(got); n > maxNothing {
				t.Errorf("%.40s in %d: %d characters", selector, limit, n)
			}
			if !strings.HasPrefix(got, "!") || strings.Count(got, "\n") < 2 || !utf8.ValidString(got) {
				t.Errorf("%.40s in %d is %q", selector, limit, got)
			}
		}
	}
}

// TestSelectKeepsLittle selects from more documents than a reply can hold: they
// are counted, not kept.
func TestSelectKeepsLittle(t *testing.T) {
	t.Chdir(t.TempDir())
	var files []testkit.CorpusFile
	for i := range 900 {
		files = append(files, testkit.CorpusFile{Name: fmt.Sprintf("%d.md", i), Data: testkit.HeadingDocument(5)})
	}
	docs := documents.Set{Paths: testkit.WriteDocuments(t, ".", files)}
	got := askSelect(t, docs, SelectRequest{Selector: "h1", MaxChars: 500})
	if !strings.HasSuffix(got, " of 4500 matches: 2::h1.2, 2::h1.3, 2::h1.4 and so on; select fewer at a time]\n") {
		t.Errorf("the reply ends with %s", got[max(0, len(got)-200):])
	}
	s := selecting{SelectRequest: SelectRequest{Selector: "h1", MaxChars: 500}, many: true, files: docs.Named(true)}
	s.selector, _ = s.parse()
	w := docs.Worker()
	kept := 0
	for i := range s.files {
		doc, err := s.files[i].Open(w)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.look(t.Context(), doc, i)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.add(t.Context(), docs.Worker(), d); err != nil {
			t.Fatal(err)
		}
		if s.found[i].doc != nil {
			kept++
		}
	}
	if kept > 30 || len(s.found) != 900 {
		t.Errorf("%d documents of %d are kept", kept, len(s.found))
	}
}

// TestLimitIsForText asks for JSON, which is never cut.
func TestLimitIsForText(t *testing.T) {
	src := testkit.HeadingDocument(3000)
	var out bytes.Buffer
	if err := Index(t.Context(), onStdin(src)(), IndexRequest{JSON: true, MaxChars: 500}, &out, nil); err != nil {
		t.Fatal(err)
	}
	if want := indexOf(t, src, IndexRequest{JSON: true}); out.String() != want {
		t.Errorf("the index has %d bytes, want %d", out.Len(), len(want))
	}
	want, _, _ := selectFrom(t, src, SelectRequest{Selector: "h1", JSON: true})
	if got, _, _ := selectFrom(t, src, SelectRequest{Selector: "h1", JSON: true, MaxChars: 500}); got != want {
		t.Errorf("the selection has %d bytes, want %d", len(got), len(want))
	}
}

// TestHostileSelectors asks for what nobody needs: it is refused or answered at
// once. On the command line it is answered.
func TestHostileSelectors(t *testing.T) {
	dir := t.TempDir()
	paths := testkit.WriteDocuments(t, dir, []testkit.CorpusFile{{Name: "a.md", Data: []byte(strings.Repeat("# A\n\ntext\n\n## B\n\n- a\n- b\n\n", 2000))}})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	docs := documents.Set{Paths: paths, Workspace: w}
	for _, tt := range []struct{ name, selector, want string }{
		{"a long range", "h1.0-999999999", "!h1.0-999999999\nIndex out of range: document has 2000 h1 headings\n"},
		{"a long range first", "h1.0-999999999/para", "!h1.0-999999999/para\nIndex out of range: document has 2000 h1 headings\n"},
		{"no number", "h1.0-" + strings.Repeat("9", 1000), "!h1.0-99"},
		{"thousands of steps", strings.Repeat("h1.0/", 5000) + "para", "!…"},
		{"many steps", strings.Repeat("h1.0/", 63) + "para", "text\n"},
		{"many indexes", "h1.0" + strings.Repeat(",0", 9999), "h1.0:\n"},
		{"too many indexes", "h1.0" + strings.Repeat(",0", 20_000), "!h1.0,0"},
		{"indexes that multiply", "h1.0-9/" + strings.Repeat("h1.0,0,0,0,0,0,0,0,0,0/", 20) + "para", "!h1.0-9"},
		{"ranges in many steps", "h1.0-1999/" + strings.Repeat("h1.0/", 60) + "para", "!h1.0-1999/"},
		{"ranges again and again", "h1.0-1999" + strings.Repeat(",0-1999", 9000), "!h1.0-1999,"},
		{"megabytes", strings.Repeat("h1/", 1_000_000) + "h1", "!…"},
		{"all", "para", "para.0:\n"},
		{"many lines", "h1?head=999999999&tail=999999999", "h1.0:\n"},
	} {
		// Written out, these would take for ever.
		if got := askSelect(t, docs, SelectRequest{Selector: tt.selector, MaxChars: 10_000}); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %.200q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTooManyMatchesInOne tells that a document is not searched while others have
// matches.
func TestTooManyMatchesInOne(t *testing.T) {
	t.Chdir(t.TempDir())
	paths := testkit.WriteDocuments(t, ".", []testkit.CorpusFile{
		{Name: "large.md", Data: []byte("# A\n\n" + strings.Repeat("text\n\n", 20_000))}, {Name: "small.md", Data: []byte("# A\n\nsmall\n")},
	})
	selector := "h1.0" + strings.Repeat(",0", 99) + "/para"
	const why = "too many matches: the selector repeats indexes too often\n"
	got := askSelect(t, documents.Set{Paths: paths}, SelectRequest{Selector: selector, MaxChars: 10_000})
	if !strings.HasPrefix(got, "small::h1.0/para.0:\nsmall\n") || !strings.HasSuffix(got, "!TOO_MANY_MATCHES: "+why+"file: large.md\n") {
		t.Errorf("with another document: %s", got)
	}
	got = askSelect(t, documents.Set{Paths: []string{paths[0], "missing.md"}}, SelectRequest{Selector: selector, MaxChars: 10_000})
	if want := "!FILE_NOT_FOUND: File not found: missing.md\nfile: missing.md\n!" + replies.ClipMiddle(selector, 200) + "\n" + why; got != want {
		t.Errorf("alone: %s", got)
	}
}

// FuzzInLimit asks for anything of anything: no reply is too long, and what is
// not in it is told.
func FuzzInLimit(f *testing.F) {
	for _, d := range testkit.Fixtures() {
		f.Add(string(d.Source[:min(2000, len(d.Source))]), "h2/para?head=9", 500)
	}
	f.Add("# A\r\r> # B\r\n\r\n```\n漢", "root", 600)
	f.Add("- a\n  - b\n", "list.0-1,0,0/item.1", 500)
	f.Add("##\n\x13", "para", 608)
	f.Fuzz(func(t *testing.T, src, selector string, limit int) {
		if limit < replies.MinChars || limit > 50_000 || !textual([]byte(src)) {
			return
		}
		docs := onStdin([]byte(src))
		checkOneIndex(t, "fuzzed", []byte(src), limit)
		got := unwarned(askSelect(t, docs(), SelectRequest{Selector: selector, MaxChars: limit}))
		full := askSelect(t, docs(), SelectRequest{Selector: selector})
		if got == full || strings.HasPrefix(got, "!") {
			return
		}
		if !strings.Contains(got, "[left out: ") && !strings.Contains(got, "[not shown: ") {
			t.Errorf("%q of %q in %d is %q without a note", selector, src, limit, got)
		}
	})
}
