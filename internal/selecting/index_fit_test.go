package selecting

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// An inventory of limited length is checked against the one without a limit:
// every line of it is in the other or in brackets, and what is missing is counted.

var (
	headingNote = regexp.MustCompile(`^\[(\d+) headings? below h(\d) not shown\]$`)
	rangeNote   = regexp.MustCompile(`^\[not shown: (\d+) headings?, ([^;]+); mdsel_select (\S+) .*\]$`)
	filesNote   = regexp.MustCompile(`^\[not shown: (\d+) of (\d+) files; call mdsel_index with (?:one file|files from number (\d+) on(?:, "(.*)")?)\]$`)
	errorsNote  = regexp.MustCompile(`^\[not shown: (\d+) more errors?; call with fewer files\]$`)
	selectNote  = regexp.MustCompile(`^\[headings not shown: call mdsel_index with one file(?:, or mdsel_select with (\S+))?\]$`)
	indexLine   = regexp.MustCompile(`^ {0,5}h([1-6])\.(\d+) `)
)

// replyWithin returns a reply of limited length; without a limit, what a command prints:
// first the results, then the errors.
func replyWithin(t *testing.T, limit int, request func(out, errs *bytes.Buffer) error) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := request(&out, &errs); err != nil && !errors.Is(err, ErrIncomplete) {
		t.Fatal(err)
	}
	if limit > 0 && (errs.Len() > 0 || replies.Chars(out.Bytes()) > limit) {
		t.Fatalf("%d characters and %d bytes of errors with a limit of %d:\n%s", replies.Chars(out.Bytes()), errs.Len(), limit, out.String())
	}
	return out.String() + errs.String()
}

// everyTool offers every tool.
func everyTool(string) bool { return true }

func askIndex(t *testing.T, docs documents.Set, limit int) string {
	t.Helper()
	return replyWithin(t, limit, func(out, errs *bytes.Buffer) error {
		return Index(t.Context(), docs, IndexRequest{Literal: true, MaxChars: limit, Offered: everyTool}, out, errs)
	})
}

func askSelect(t *testing.T, docs documents.Set, req SelectRequest) string {
	t.Helper()
	req.Literal, req.Offered = true, everyTool
	limit := req.MaxChars
	if limit > 0 && (req.Full || strings.Contains(req.Selector, "full=true")) {
		limit = max(limit, replies.FullChars)
	}
	return replyWithin(t, limit, func(out, errs *bytes.Buffer) error {
		return Select(t.Context(), docs, req, out, errs)
	})
}

// ordinalsIn returns the headings that selectors without a path name: "h2.0-1" are
// h2.0 and h2.1.
func ordinalsIn(t *testing.T, selectors string) []string {
	t.Helper()
	var list []string
	for s := range strings.SplitSeq(selectors, ", ") {
		level, numbers, _ := strings.Cut(s, ".")
		first, last, ranged := strings.Cut(numbers, "-")
		if !ranged {
			last = first
		}
		for n := testkit.Number(t, first); n <= testkit.Number(t, last); n++ {
			list = append(list, fmt.Sprintf("%s.%d", level, n))
		}
	}
	return list
}

// headingsOf returns the selectors of an inventory's lines.
func headingsOf(inventory string) []string {
	var list []string
	for line := range strings.Lines(inventory) {
		if indexLine.MatchString(line) {
			selector, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
			list = append(list, selector)
		}
	}
	return list
}

// checkOneIndex checks the inventory of one document in a limited length. It
// reports whether something had to be left out.
func checkOneIndex(t *testing.T, name string, src []byte, limit int) bool {
	t.Helper()
	docs := func() documents.Set {
		return documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	}
	full, got := askIndex(t, docs(), 0), askIndex(t, docs(), limit)
	if replies.Chars([]byte(full)) <= limit {
		if got != full {
			t.Fatalf("%s in %d: not what is printed without a limit: %s", name, limit, cmp.Diff(full, got))
		}
		return false
	}
	rest := strings.Split(full, "\n")
	var hidden []string
	for line := range strings.SplitSeq(got, "\n") {
		if m := rangeNote.FindStringSubmatch(line); m != nil {
			if hidden = ordinalsIn(t, m[2]); len(hidden) != testkit.Number(t, m[1]) {
				t.Fatalf("%s in %d: %s", name, limit, line)
			}
			again := askSelect(t, docs(), SelectRequest{Selector: m[3], MaxChars: 10_000})
			if strings.HasPrefix(again, "!") {
				t.Fatalf("%s in %d: %s, but that says %s", name, limit, line, again)
			}
			continue
		}
		i := slices.Index(rest, line)
		if i < 0 {
			t.Fatalf("%s in %d: %q is no line of the inventory that comes here", name, limit, line)
		}
		rest = rest[i+1:]
	}
	all, want := append(headingsOf(got), hidden...), headingsOf(full)
	slices.Sort(all)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		t.Fatalf("%s in %d: shown and told are %q, there are %q", name, limit, all, want)
	}
	return true
}

func TestIndexInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	cut := 0
	check := func(name string, src []byte, limits ...int) {
		for _, limit := range limits {
			if textual(src) && checkOneIndex(t, name, src, limit) {
				cut++
			}
		}
	}
	for _, d := range testkit.HostileInputs() {
		check(d.Name, d.Make(4000), 500, 1100)
	}
	for _, tt := range []struct{ name, unit string }{
		{"only h1", "# Title\n"},
		{"no h1", "### Title\n\ntext\n"},
		{"one h1", "## Title\n"},
		{"skipped", "## A\n\n###### B\n\n###### C\n"},
		{"wide", "# " + strings.Repeat("漢", 300) + "\n"},
		{"all levels", "# A\n## B\n### C\n#### D\n##### E\n###### F\n> q\n"},
	} {
		check(tt.name, []byte("# First\n\n"+strings.Repeat(tt.unit, 1500)), 500, 10_000)
		check(tt.name, []byte(strings.Repeat(tt.unit, 90)), testkit.Budgets...)
	}
	for limit := replies.MinChars; limit < 8000; limit += 61 {
		if checkOneIndex(t, "large", testkit.LargeFixture().Source, limit) {
			cut++
		}
	}
	if cut < 100 {
		t.Errorf("something was left out %d times, want at least 100", cut)
	}
}

func TestIndexInLimitOfCorpus(t *testing.T) {
	files := testkit.CorpusFiles(t)
	cut := 0
	for i := 0; i < len(files); i += 5 {
		for _, limit := range []int{500, 1000, 3000} {
			if checkOneIndex(t, files[i].Name, files[i].Data, limit) {
				cut++
			}
		}
	}
	if cut < 100 {
		t.Errorf("something was left out %d times, want at least 100", cut)
	}
}

// inventoryOf is what a reply says of a document among several.
type inventoryOf struct {
	headings, hidden, depth int
}

// manyIndex is a reply about several documents, taken apart.
type manyIndex struct {
	documents map[string]inventoryOf // by the line that names them
	left      int                    // documents that are not shown
	next      int                    // index of the first of them, or -1
	errors    int
}

// takeApart takes a reply about several documents apart. Every line of it is in
// full, which is the reply without a limit, or a note.
func takeApart(t *testing.T, docs documents.Set, full, reply string) manyIndex {
	t.Helper()
	r := manyIndex{documents: map[string]inventoryOf{}, next: -1}
	lines, name := map[string]bool{}, ""
	for line := range strings.SplitSeq(full, "\n") {
		lines[line] = true
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(reply, "\n"), "\n") {
		d := r.documents[name]
		if m := headingNote.FindStringSubmatch(line); m != nil {
			d.hidden, d.depth = testkit.Number(t, m[1]), testkit.Number(t, m[2])
		} else if m := filesNote.FindStringSubmatch(line); m != nil {
			r.left = testkit.Number(t, m[1])
			if testkit.Number(t, m[2]) != len(docs.Paths) {
				t.Fatalf("%s of %d files", line, len(docs.Paths))
			}
			if m[3] != "" {
				r.next = testkit.Number(t, m[3]) - 1
			}
			if m[4] != "" && docs.Paths[r.next] != m[4] {
				t.Fatalf("%s, but that is %s", line, docs.Paths[r.next])
			}
			continue
		} else if m := errorsNote.FindStringSubmatch(line); m != nil {
			r.errors += testkit.Number(t, m[1])
			continue
		} else if m := rangeNote.FindStringSubmatch(line); m != nil {
			d.hidden = len(ordinalsIn(t, m[2]))
		} else if m := selectNote.FindStringSubmatch(line); m != nil {
			if m[1] != "" {
				if again := askSelect(t, docs, SelectRequest{Selector: m[1], MaxChars: 10_000}); strings.HasPrefix(again, "!") {
					t.Fatalf("%s, but that says %s", line, again)
				}
			}
			continue
		} else {
			if !lines[line] && !strings.Contains(line, "…") {
				t.Fatalf("%q is no line of the inventory", line)
			}
			switch {
			case indexLine.MatchString(line):
				d.headings++
			case strings.HasPrefix(line, "!"):
				r.errors++
				continue
			case strings.HasSuffix(line, ".md") && !strings.HasPrefix(line, "file: "):
				name = line
				d = inventoryOf{}
			}
		}
		if name != "" {
			r.documents[name] = d
		}
	}
	return r
}

// checkManyIndex checks a reply about several documents: all of them, their
// headings and errors are shown or told, and all are shown down to one level,
// or to their highest.
func checkManyIndex(t *testing.T, docs documents.Set, limit int) manyIndex {
	t.Helper()
	full := askIndex(t, docs, 0)
	got := askIndex(t, docs, limit)
	all, r := takeApart(t, docs, full, full), takeApart(t, docs, full, got)
	if replies.Chars([]byte(full)) <= limit && got != full {
		t.Fatalf("in %d: not what is printed without a limit: %s", limit, cmp.Diff(full, got))
	}
	if r.errors != all.errors || len(r.documents)+r.left+r.errors != len(docs.Paths) {
		t.Fatalf("in %d: %d of %d errors, %d documents and %d left of %d files:\n%s",
			limit, r.errors, all.errors, len(r.documents), r.left, len(docs.Paths), got)
	}
	depth := 6
	for _, d := range r.documents {
		if d.depth > 0 {
			depth = min(depth, d.depth)
		}
	}
	for name, d := range r.documents {
		if d.headings+d.hidden != all.documents[name].headings {
			t.Fatalf("in %d: %s has %+v of %d headings", limit, name, d, all.documents[name].headings)
		}
		if d.depth > depth && strings.Contains(got, name+"\n"+strings.Repeat(" ", depth-1)+"h") {
			t.Fatalf("in %d: %s is shown down to h%d, others to h%d", limit, name, d.depth, depth)
		}
	}
	return r
}

func TestIndexOfManyInLimit(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Chdir(t.TempDir())
	var files []testkit.CorpusFile
	for i, data := range [][]byte{
		testkit.HeadingDocument(3, 9, 27, 5), testkit.HeadingDocument(0, 0, 40), testkit.HeadingDocument(1), testkit.HeadingDocument(), []byte("text\n"), testkit.HeadingDocument(1, 200), testkit.HeadingDocument(2, 0, 0, 0, 0, 90),
	} {
		files = append(files, testkit.CorpusFile{Name: fmt.Sprintf("folder/%d.md", i), Data: data})
	}
	paths := testkit.WriteDocuments(t, ".", files)
	paths = slices.Insert(paths, 3, "missing.md", strings.Repeat("long/", 200)+"missing.md")
	for limit := replies.MinChars; limit < 12_000; limit += 151 {
		for _, list := range [][]string{paths, paths[:4], paths[4:], {paths[8], paths[0]}} {
			r := checkManyIndex(t, documents.Set{Paths: list}, limit)
			if r.left > 0 && len(r.documents) == 0 {
				t.Errorf("in %d: no document is shown", limit)
			}
		}
	}
}

func TestIndexOfManyInLimitOfCorpus(t *testing.T) {
	files := testkit.CorpusFiles(t)
	t.Chdir(t.TempDir())
	paths := testkit.WriteDocuments(t, ".", files[:min(300, len(files))])
	for i := 0; i+40 < len(paths); i += 40 {
		list := append([]string{"missing.md"}, paths[i:i+40]...)
		for _, limit := range []int{500, 1500, 6000} {
			checkManyIndex(t, documents.Set{Paths: list}, limit)
		}
	}
	// What is not shown is named, so that all documents are seen in the end.
	seen, calls := 0, 0
	for next := 0; next >= 0; calls++ {
		if calls > len(paths) {
			t.Fatal("the calls never end")
		}
		r := checkManyIndex(t, documents.Set{Paths: paths[next:]}, 2000)
		seen += len(r.documents)
		if r.next < 0 {
			break
		}
		next += r.next
	}
	if seen != len(paths) {
		t.Errorf("%d documents of %d were shown in %d calls", seen, len(paths), calls)
	}
}

// TestIndexNotes shows what is told of what is not shown.
func TestIndexNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("very-long-name-", 15) + ".md"
	testkit.WriteDocuments(t, ".", []testkit.CorpusFile{
		{Name: "a.md", Data: testkit.HeadingDocument(1, 1, 90)},
		{Name: "b.md", Data: testkit.HeadingDocument(0, 2, 1)},
		{Name: "big.md", Data: testkit.HeadingDocument(60)},
		{Name: long, Data: testkit.HeadingDocument(1, 30)},
		{Name: strings.Repeat("d/", 150) + "x/a.md", Data: testkit.HeadingDocument(1)},
	})
	deep := strings.Repeat("d/", 150) + "x/a.md"
	for _, tt := range []struct {
		name  string
		files []string
		want  []string // the last lines
	}{
		{"one document", []string{"a.md"}, []string{
			"  h3.11 Heading 11 of level 3",
			"[not shown: 78 headings, h3.12-89; mdsel_select h3.12-89?head=1 shows the first line of each]",
		}},
		{"alike", []string{"a.md", "b.md"}, []string{
			"a a.md", "h1.0 Heading 0 of level 1", " h2.0 Heading 0 of level 2", "[90 headings below h2 not shown]",
			"b b.md", " h2.0 Heading 0 of level 2", " h2.1 Heading 1 of level 2", "[1 heading below h2 not shown]",
			"[headings not shown: call mdsel_index with one file, or mdsel_select with a::h3.0-89?head=1]",
		}},
		{"a large one at the end", []string{"a.md", "big.md", "b.md"}, []string{
			"a a.md", "h1.0 Heading 0 of level 1", " h2.0 Heading 0 of level 2", "[90 headings below h2 not shown]",
			"[headings not shown: call mdsel_index with one file, or mdsel_select with a::h3.0-89?head=1]",
			`[not shown: 2 of 3 files; call mdsel_index with files from number 2 on, "big.md"]`,
		}},
		{"a large one first", []string{"big.md", "missing.md", "b.md"}, []string{
			"h1.7 Heading 7 of level 1",
			"[not shown: 52 headings, h1.8-59; mdsel_select h1.8-59?head=1 of this file alone shows the first line of each]",
			`[not shown: 1 of 3 files; call mdsel_index with files from number 3 on, "b.md"]`,
			"!FILE_NOT_FOUND: File not found: missing.md", "file: missing.md",
		}},
		{"a long name", []string{long, "b.md"}, []string{
			`[not shown: 2 of 2 files; call mdsel_index with one file]`,
		}},
		{"a long name behind", []string{"big.md", deep}, []string{
			`[not shown: 1 of 2 files; call mdsel_index with files from number 2 on]`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Split(strings.TrimSuffix(askIndex(t, documents.Set{Paths: tt.files}, 500), "\n"), "\n")
			if diff := cmp.Diff(tt.want, got[max(0, len(got)-len(tt.want)):]); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestIndexNotesOfferedTools names no tool that there is not.
func TestIndexNotesOfferedTools(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteDocuments(t, ".", []testkit.CorpusFile{{Name: "a.md", Data: testkit.HeadingDocument(1, 1, 90)}, {Name: "b.md", Data: testkit.HeadingDocument(60)}, {Name: "c.md", Data: testkit.HeadingDocument(5000)}})
	for _, tt := range []struct {
		files []string
		limit int
		want  string
	}{
		{[]string{"a.md"}, 500, "[not shown: 77 headings, h3.13-89; raise max_chars for more]\n"},
		{[]string{"c.md"}, 40_000, "headings, h1.1317-4999]\n"},
		{[]string{"b.md", "a.md"}, 2600, "[headings not shown: call mdsel_index with one file]\n"},
	} {
		for _, offered := range []replies.Offered{nil, func(tool string) bool { return tool == "mdsel_index" }} {
			req := IndexRequest{Literal: true, MaxChars: tt.limit, Offered: offered}
			got := replyWithin(t, tt.limit, func(out, errs *bytes.Buffer) error {
				return Index(t.Context(), documents.Set{Paths: tt.files}, req, out, errs)
			})
			if !strings.HasSuffix(got, tt.want) || strings.Contains(got, "mdsel_select") {
				t.Errorf("%q in %d ends with %s", tt.files, tt.limit, got[max(0, len(got)-200):])
			}
		}
	}
}

func TestErrorsInLimit(t *testing.T) {
	var paths []string
	for i := range 300 {
		paths = append(paths, fmt.Sprintf("missing-%d.md", i))
	}
	for _, list := range [][]string{paths, {strings.Repeat("x", 200_000)}, {strings.Repeat("x", 2000), strings.Repeat("y", 2000)}} {
		for _, limit := range testkit.Budgets {
			docs := documents.Set{Paths: list}
			for _, got := range []string{askIndex(t, docs, limit), askSelect(t, docs, SelectRequest{Selector: "h1", MaxChars: limit})} {
				full := askIndex(t, docs, 0)
				if r := takeApart(t, docs, full, got); r.errors != len(list) || len(r.documents) > 0 {
					t.Errorf("%d of %d errors are told in %d characters", r.errors, len(list), limit)
				}
				if n := replies.Chars([]byte(got)); n > 2000 {
					t.Errorf("nothing but errors has %d characters", n)
				}
			}
		}
	}
	for _, limit := range []int{-1, 1, replies.MinChars - 1} {
		var e *replies.Error
		if err := Index(t.Context(), documents.Set{}, IndexRequest{MaxChars: limit}, nil, nil); !errors.As(err, &e) || !e.Usage() {
			t.Errorf("index in %d characters: %v", limit, err)
		}
		if err := Select(t.Context(), documents.Set{}, SelectRequest{Selector: "h1", MaxChars: limit}, nil, nil); !errors.As(err, &e) || !e.Usage() {
			t.Errorf("select in %d characters: %v", limit, err)
		}
	}
}

// TestClosestFiles tells of files that may have been meant, where that is known.
func TestClosestFiles(t *testing.T) {
	dir := t.TempDir()
	testkit.WriteDocuments(t, dir, []testkit.CorpusFile{{Name: "guide.md", Data: []byte("# A\n")}, {Name: "sub/guide.md", Data: []byte("# B\n")}})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	docs := documents.Set{Paths: []string{"sub/guides.md"}, Workspace: w}
	for _, got := range []string{askIndex(t, docs, 500), askSelect(t, docs, SelectRequest{Selector: "h1", MaxChars: 500})} {
		const want = "!FILE_NOT_FOUND: File not found: sub/guides.md; closest: sub/guide.md\nfile: sub/guides.md\n"
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestIndexKeepsLittle asks for the inventory of more than could be kept.
func TestIndexKeepsLittle(t *testing.T) {
	x := indexing{IndexRequest: IndexRequest{MaxChars: 1000}, many: true, fit: indexFit{limit: 1000}}
	for i := range 3000 {
		x.list = append(x.list, documents.NamedFile{Path: fmt.Sprintf("%d.md", i), Namespace: strconv.Itoa(i)})
		doc, err := markdown.Parse(testkit.HeadingDocument(i%3, i%7, i%50))
		if err != nil {
			t.Fatal(err)
		}
		if err := x.add(t.Context(), doc, i); err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, d := range x.fit.digests {
			kept += len(d.text) + len(d.name)
		}
		if kept > 6*1000 {
			t.Fatalf("%d bytes are kept of %d documents", kept, i+1)
		}
	}
	if n := len(x.fit.digests) + x.fit.left; n != 3000 {
		t.Errorf("%d documents of 3000", n)
	}
}

// TestProgress tells of each document, also of those that can't be read.
func TestProgress(t *testing.T) {
	t.Chdir(t.TempDir())
	paths := append(testkit.WriteDocuments(t, ".", []testkit.CorpusFile{{Name: "a.md", Data: testkit.HeadingDocument(1)}, {Name: "b.md"}}), "missing.md")
	for name, request := range map[string]func(documents.Set){
		"index":  func(d documents.Set) { askIndex(t, d, 500) },
		"select": func(d documents.Set) { askSelect(t, d, SelectRequest{Selector: "h1", MaxChars: 500}) },
	} {
		var got []string
		request(documents.Set{Paths: paths, Progress: func(done, total int) { got = append(got, fmt.Sprintf("%d/%d", done, total)) }})
		if diff := cmp.Diff([]string{"1/3", "2/3", "3/3"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
