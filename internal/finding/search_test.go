package finding

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// answerOf returns the reply to a request about a folder, "" with its error.
func answerOf(t *testing.T, dir string, req SearchRequest) (string, error) {
	t.Helper()
	reply, err := Search(t.Context(), documents.Set{Paths: []string{dir}}, req)
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(string(reply.Text), dir+string(filepath.Separator), ""), nil
}

// TestNeverStale changes documents between two queries, with the old size and times, renames
// and removes them: each line that is shown is in its document now, at that line.
func TestNeverStale(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# One\n\nalpha word\n", "b.md": "# Two\n\nbeta word\n"})
	info, err := os.Stat(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	change := func(name, text string) {
		testkit.WriteFile(t, filepath.Join(dir, name), text)
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		do    func()
		query string
		want  string
	}{
		{func() {}, "alpha", "3: alpha word"},
		{func() { change("a.md", "# One\n\ngamma word\n") }, "alpha", "nothing found"},
		{func() {}, "gamma", "3: gamma word"},
		{func() { change("a.md", "# Uno\n\ngamma word\n") }, "gamma", "Uno"},
		{func() { _ = os.Rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "c.md")) }, "gamma", "c.md:1-3"},
		{func() { _ = os.Remove(filepath.Join(dir, "c.md")) }, "gamma", "nothing found"},
	}
	for i, step := range steps {
		step.do()
		for _, match := range Matches() {
			got, err := answerOf(t, dir, SearchRequest{Query: step.query, Match: match})
			if err != nil || !strings.Contains(got, step.want) {
				t.Errorf("step %d, %s: %q, %v", i, match, got, err)
			}
		}
	}
}

// TestPlaces has each hit name the part of its document that has its lines and its hash, and each
// line that was found stand in it, also before the first heading.
func TestPlaces(t *testing.T) {
	files := map[string]string{}
	for mark, bom := range map[string]string{"": "", "mark": "\ufeff"} {
		for matter, front := range map[string]string{"": "", "yaml": "---\ntitle: the word\n---\n", "toml": "+++\ntitle = 'the word'\n+++\n", "other": "---\ntitle: x\n---\n"} {
			for above, text := range map[string]string{"": "", "blank": "\n\n", "text": "the word\n\n", "more": "\nthe word\nand a word\n"} {
				for below, sections := range map[string]string{"": "", "sections": "# The word\n\nthe word\n\n## Another word\n\n## Rest\n\n" + strings.Repeat("More.\n", 500)} {
					text := bom + front + text + sections
					name := strings.Join([]string{"a", mark, matter, above, below}, "-")
					files[name+".md"], files[name+"-crlf.md"] = text, strings.ReplaceAll(text, "\n", "\r\n")
				}
			}
		}
	}
	dir := testkit.Folder(t, files)
	lines, parts := 0, map[string]int{}
	above := map[string][]string{} // what a word, and the text of it, are found in before sections
	for _, req := range []SearchRequest{
		{Query: "word"},
		{Query: "word", Match: MatchText},
		{Query: "^.*word", Match: MatchRegex},
		{Query: "word", In: "body"},
		{Query: "word", In: "headings", Match: MatchText},
		{Query: "^# .*word", Match: MatchRegex},
	} {
		for _, limit := range []int64{0, 1000} {
			reply, err := Search(t.Context(), documents.Set{Paths: []string{dir}, MaxBytes: limit}, SearchRequest{Query: req.Query, Match: req.Match, In: req.In, Limit: -1, JSON: true})
			if err != nil {
				t.Fatal(err)
			}
			var a answer
			if err := json.Unmarshal(reply.Text, &a); err != nil {
				t.Fatal(err)
			}
			if req.Match != MatchRegex {
				var places []string
				for i := range a.Hits {
					if h := &a.Hits[i]; strings.HasPrefix(h.Selector, "@") {
						places = append(places, h.Path+" "+h.Selector)
					}
				}
				slices.Sort(places)
				key := fmt.Sprint(req.In, limit)
				if before, ok := above[key]; ok {
					if diff := cmp.Diff(before, places); diff != "" {
						t.Errorf("%+v, limit %d (-in another way, +so):\n%s", req, limit, diff)
					}
				}
				above[key] = places
			}
			for i := range a.Hits {
				h := &a.Hits[i]
				doc, err := markdown.Parse([]byte(files[filepath.Base(h.Path)]))
				if err != nil {
					t.Fatal(err)
				}
				part, err := address.Resolve(doc, h.Selector)
				if err != nil {
					t.Errorf("%+v: %v", h, err)
					continue
				}
				parts[h.Selector]++
				hash := markdown.Hash(doc.Text(part.Span(doc)))
				if l := part.Lines(doc); l.First != h.StartLine || l.Last != h.EndLine || h.Hash != hash && (h.Hash != "" || limit == 0) {
					t.Errorf("%+v is lines %v #%s", h, l, hash)
				}
				for _, l := range h.Lines {
					if lines++; l.Line < h.StartLine || l.Line > h.EndLine || strings.Contains(l.Text, "\ufeff") {
						t.Errorf("%+v has line %d %q", h, l.Line, l.Text)
					}
				}
			}
		}
	}
	if lines < 500 || parts["@frontmatter"] < 50 || parts["@preamble"] < 50 || parts["h1.0"] < 50 {
		t.Errorf("%d lines, %v", lines, parts)
	}
}

// TestChangesMeanwhile changes a document while it is searched again and again: each line of
// each reply is one that the document had at that place.
func TestChangesMeanwhile(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# T\n"})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			text := "# T\n" + strings.Repeat("\n", i%5) + "word at " + strconv.Itoa(i%5+2) + "\n"
			next := filepath.Join(dir, "next")
			_ = os.WriteFile(next, []byte(text), 0o600)
			_ = os.Rename(next, filepath.Join(dir, "a.md"))
			time.Sleep(time.Millisecond)
		}
	}()
	line := regexp.MustCompile(`(?m)^(\d+): word at (\d+)$`)
	seen := 0
	for range 100 {
		got, err := answerOf(t, dir, SearchRequest{Query: "word"})
		if err != nil && !strings.Contains(err.Error(), "again and again") {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(got, -1) {
			seen++
			if m[1] != m[2] {
				t.Errorf("line %s is said to be line %s", m[2], m[1])
			}
		}
	}
	close(stop)
	<-done
	if seen == 0 {
		t.Error("no line was seen")
	}
}

// TestLittleRoom has a reply of sections whose lines are long show at least a part of a line of
// each, around what was found.
func TestLittleRoom(t *testing.T) {
	text := ""
	for i := range 20 {
		text += fmt.Sprintf("# Part %d\n\n%s a word here %s\n\nAnother word.\n\n", i, strings.Repeat("before ", 20), strings.Repeat("behind ", 20))
	}
	dir := testkit.Folder(t, map[string]string{"a.md": text})
	for _, match := range Matches() {
		got, err := answerOf(t, dir, SearchRequest{Query: "word", Match: match, Limit: 20, MaxChars: 5000})
		if err != nil {
			t.Fatal(err)
		}
		heads, lines := strings.Count(got, "a.md:"), len(regexp.MustCompile(`(?m)^\d+: .*word`).FindAllString(got, -1))
		if heads != 20 || lines < 20 {
			t.Errorf("%s: %d sections, %d lines\n%s", match, heads, lines, got)
		}
	}
}

// TestLinesThatAreLeft has a section with many lines that match say which are left out of the reply,
// so that these can be read: none is lost between the lines shown and those.
func TestLinesThatAreLeft(t *testing.T) {
	text := "# A\n\nNothing here.\n"
	for i := range 900 {
		text += fmt.Sprintf("match line %d of nine hundred, with some more words behind it\n\n", i+1)
	}
	dir := testkit.Folder(t, map[string]string{"a.md": text + "## B\n\nno more\n"})
	left := regexp.MustCompile(`(?m)^(\d+) more lines; continue by reading lines (\d+)-(\d+)$`)
	for _, req := range []SearchRequest{
		{MaxChars: 500}, {MaxChars: 2000}, {MaxChars: 40_000}, {MaxChars: 2000, Context: 1},
	} {
		req.Query, req.Match = "match line", MatchText
		got, err := answerOf(t, dir, req)
		if err != nil {
			t.Fatal(err)
		}
		matched, shown := 900, strings.Count(got, ": match line")
		m := left.FindStringSubmatch(got)
		if m == nil || len([]rune(got)) > req.MaxChars {
			t.Errorf("%d, %d beside: %s", req.MaxChars, req.Context, got)
			continue
		}
		count, _ := strconv.Atoi(m[1])
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		rest := strings.Join(strings.SplitAfter(text, "\n")[first-1:last], "")
		if shown+strings.Count(rest, "match line") != matched || req.Context == 0 && shown+count != matched {
			t.Errorf("%d, %d beside: %d lines shown, %d in the lines from %d to %d\n%s", req.MaxChars, req.Context, shown, strings.Count(rest, "match line"), first, last, got)
		}
	}
}

// TestLinesThatAreLeftBefore has a section of which the line that was found is shown alone name the
// lines before it that are left out, and no others.
func TestLinesThatAreLeftBefore(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 60) + "\n"
	for text, want := range map[string]string{
		"# A\n\n" + long + long + "needle\n":                     "\n2 more lines; continue by reading lines 3-4\n",
		"# A\n\n" + long + long + "needle\n" + long:              "\n3 more lines; continue by reading lines 3-6\n",
		"# A\n\n" + long + long + "needle\n" + long + "needle\n": "\n4 more lines; continue by reading lines 3-7\n",
	} {
		dir := testkit.Folder(t, map[string]string{"a.md": text})
		got, err := answerOf(t, dir, SearchRequest{Query: "needle", Match: MatchText, Context: 2, MaxChars: 500})
		if err != nil || !strings.Contains(got, "\n5: needle\n") || !strings.Contains(got, want) {
			t.Errorf("%s%v\nwant %s", got, err, want)
		}
	}
}

// TestPages reads all pages: together they have each section once, in the order of the ranking,
// and no page is longer than asked for.
func TestPages(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files["d"+strconv.Itoa(i)+".md"] = strings.Repeat("# Part "+strconv.Itoa(i)+"\n\nSome word of it, "+strings.Repeat("and more ", i%4)+"\n\n", 3)
	}
	dir := testkit.Folder(t, files)
	for _, match := range Matches() {
		for _, chars := range []int{0, 500, 2000} {
			seen := map[string]int{}
			for cursor, pages := "", 0; ; pages++ {
				got, err := answerOf(t, dir, SearchRequest{Query: "word", Match: match, Limit: 7, MaxChars: chars, Cursor: cursor})
				if err != nil {
					t.Fatal(err)
				}
				if chars > 0 && len([]rune(got)) > chars || pages > 200 {
					t.Fatalf("%s, %d: a page of %d characters, page %d", match, chars, len(got), pages)
				}
				for _, m := range regexp.MustCompile(`(?m)^(d\d+\.md:\d+-\d+) h1`).FindAllStringSubmatch(got, -1) {
					seen[m[1]]++
				}
				for _, m := range regexp.MustCompile(`d\d+\.md:\d+-\d+`).FindAllString(strings.Join(regexp.MustCompile(`(?m)^also at .*$`).FindAllString(got, -1), "\n"), -1) {
					seen[m]++
				}
				m := regexp.MustCompile(`go on with cursor (\S+)\n$`).FindStringSubmatch(got)
				if m == nil {
					break
				}
				cursor = m[1]
			}
			if len(seen) != 90 {
				t.Errorf("%s, %d characters: %d sections of 90", match, chars, len(seen))
			}
			for place, n := range seen {
				if n != 1 {
					t.Errorf("%s, %d characters: %s is there %d times", match, chars, place, n)
				}
			}
		}
	}
}

// TestEqualSections reads all pages of sections with the same text, which are shown once with the
// places of the others: each is named once.
func TestEqualSections(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[strings.Repeat("d", 3*i)+strconv.Itoa(i)+".md"] = "# Licence\n\nA word of it.\n"
	}
	dir := testkit.Folder(t, files)
	for _, limit := range []int{1, 10, -1} {
		for _, most := range []int{0, 500, 2000, 10_000} {
			seen := map[string]int{}
			for cursor, more := "", true; more; {
				got, err := answerOf(t, dir, SearchRequest{Query: "word", Limit: limit, MaxChars: most, Cursor: cursor})
				if err != nil {
					t.Fatalf("limit %d, %d characters: %v", limit, most, err)
				}
				if most > 0 && len([]rune(got)) > most {
					t.Errorf("limit %d, %d characters: a page of %d", limit, most, len([]rune(got)))
				}
				for _, place := range regexp.MustCompile(`d*\d+\.md:1-3`).FindAllString(got, -1) {
					seen[place]++
				}
				m := regexp.MustCompile(`go on with cursor (\S+)\n$`).FindStringSubmatch(got)
				if more = m != nil; more {
					cursor = m[1]
				}
			}
			for place, n := range seen {
				if n != 1 {
					t.Errorf("limit %d, %d characters: %s is there %d times", limit, most, place, n)
				}
			}
			if len(seen) != len(files) {
				t.Errorf("limit %d, %d characters: %d sections of %d", limit, most, len(seen), len(files))
			}
		}
	}
}

// TestPagesOfChangedDocuments changes documents between two pages. The second one has what the
// first one hasn't, or the cursor is refused: where a document of the first page has changed, or
// another section would be on it.
func TestPagesOfChangedDocuments(t *testing.T) {
	place := regexp.MustCompile(`(?m)^(\w+\.md:\d+-\d+) h1`)
	for name, tt := range map[string]struct {
		change  map[string]string // what documents hold then; "" for none
		refused bool
	}{
		"nothing":                     {nil, false},
		"one of the first page":       {map[string]string{"b.md": "# B\n\nneedle needle\n"}, true},
		"one of the first page comes": {map[string]string{"0.md": "# needle\n\nneedle\n"}, true},
		"one of the first page goes":  {map[string]string{"a.md": ""}, true},
		"one of the second page":      {map[string]string{"c.md": "# C\n\nAn old needle.\n"}, false},
		"one of the second page goes": {map[string]string{"c.md": ""}, false},
		"one without sections":        {map[string]string{"e.md": "# E\n\nNothing at all.\n"}, false},
	} {
		for _, match := range Matches() {
			t.Run(name+", "+match, func(t *testing.T) {
				dir := testkit.Folder(t, map[string]string{
					"a.md": "# Needle\n\nneedle needle\n", "b.md": "# Needle\n\nneedle\n", "c.md": "# C\n\nneedle of c\n", "d.md": "# D\n\nneedle of d, and more\n", "e.md": "# E\n\nNothing.\n",
				})
				req := SearchRequest{Query: "needle", Match: match, Limit: 2}
				first, err := answerOf(t, dir, req)
				if err != nil {
					t.Fatal(err)
				}
				req.Cursor = regexp.MustCompile(`go on with cursor (\S+)\n$`).FindStringSubmatch(first)[1]
				for file, text := range tt.change {
					if text == "" {
						if err := os.Remove(filepath.Join(dir, file)); err != nil {
							t.Fatal(err)
						}
						continue
					}
					testkit.WriteFile(t, filepath.Join(dir, file), text)
				}
				second, err := answerOf(t, dir, req)
				if tt.refused {
					if err == nil || !strings.Contains(err.Error(), "is of no page of this query in the documents as they are now; begin again without cursor") {
						t.Fatalf("%v\n%s", err, second)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				req.Cursor, req.Limit = "", -1
				now, err := answerOf(t, dir, req)
				if err != nil {
					t.Fatal(err)
				}
				got := slices.Concat(place.FindAllString(first, -1), place.FindAllString(second, -1))
				want := place.FindAllString(now, -1)
				slices.Sort(got)
				slices.Sort(want)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("two pages (-all +got):\n%s", diff)
				}
			})
		}
	}
}
