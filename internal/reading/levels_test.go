package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// levelled has a section with subsections of three levels, the first of them
// skipping one.
const levelled = "# Book\n\nAbout.\n\n#### Note\n\nnoted\n\n## One\n\none\n\n### Deep\n\ndeep\n\n#### Deeper\n\ndeeper\n\n## Two\n\ntwo\n\n### Last\n\nlast\n\n# End\n"

// levelsHead returns the head of a section of levelled, with its hashes.
func levelsHead(t *testing.T, i int, format string) string {
	t.Helper()
	doc := mustParse(t, levelled)
	hashes := "#" + doc.SectionHash(i) + " body #" + doc.BodyHash(i)
	return strings.Replace(format, "HASHES", hashes, 1)
}

func TestReadBodyOnly(t *testing.T) {
	reply, err := read([]byte(levelled), ReadRequest{Heading: "Book", BodyOnly: true, MaxChars: 500})
	if err != nil {
		t.Fatal(err)
	}
	want := levelsHead(t, 0, `stdin:1-28 h1.0 HASHES Book
subsections_left_out: 3, with what stands in them (include_subsections=false)
left_out: 24 of 28 lines: 5-28

# Book

About.

[left out: lines 5-28]
`)
	if diff := cmp.Diff(want, string(reply.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(reply.Next) > 0 {
		t.Errorf("what was not asked for is asked for: %+v", reply.Next)
	}
}

func TestReadMaxLevels(t *testing.T) {
	reply, err := read([]byte(levelled), ReadRequest{Heading: "Book", MaxLevels: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := levelsHead(t, 0, `stdin:1-28 h1.0 HASHES Book
subsections_left_out: 3, with what stands in them (max_subsection_levels=1)
 h4.0 5-8 #### Note
 h3.0 13-20 ### Deep
 h3.1 25-28 ### Last
left_out: 16 of 28 lines: 5-8, 13-20, 25-28

# Book

About.

[left out: lines 5-8]
## One

one

[left out: lines 13-20]
## Two

two

[left out: lines 25-28]
`)
	if diff := cmp.Diff(want, string(reply.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReadLevels reads parts of all kinds without some of their subsections.
func TestReadLevels(t *testing.T) {
	lines := func(l ...int) (all []markdown.Lines) {
		for i := 0; i < len(l); i += 2 {
			all = append(all, markdown.Lines{First: l[i], Last: l[i+1]})
		}
		return all
	}
	for _, tt := range []struct {
		req       ReadRequest
		delivered []markdown.Lines
		head      string // something that stands there
	}{
		{ReadRequest{Heading: "Book", MaxLevels: 2}, lines(1, 4, 9, 16, 21, 28), "\nsubsections_left_out: 2, "},
		{ReadRequest{Heading: "Book", MaxLevels: 3}, lines(1, 28), "stdin:1-28 h1.0 "},
		{ReadRequest{Heading: "Book", MaxLevels: 99}, lines(1, 28), "stdin:1-28 h1.0 "},
		{ReadRequest{Heading: "One", MaxLevels: 1}, lines(9, 16), "\n h4.1 17-20 #### Deeper\n"},
		{ReadRequest{Heading: "One", BodyOnly: true}, lines(9, 12), "\nsubsections_left_out: 1, "},
		{ReadRequest{Heading: "End", BodyOnly: true}, lines(29, 29), "stdin:29 h1.1 "},
		{ReadRequest{Heading: "@document", MaxLevels: 1}, lines(1, 4, 29, 29), "\n h4.0 5-8 #### Note\n h2.0 9-20 ## One\n"},
		{ReadRequest{Heading: "@document", BodyOnly: true}, nil, "\nleft_out: 29 of 29 lines: 1-29\n"},
		{ReadRequest{Heading: "h2.0/para.0", BodyOnly: true}, lines(11, 11), "stdin:11 h2.0/para.0 "},
	} {
		reply, err := read([]byte(levelled), tt.req)
		if err != nil {
			t.Errorf("%+v: %v", tt.req, err)
			continue
		}
		if diff := cmp.Diff(tt.delivered, reply.Delivered); diff != "" || !strings.Contains(string(reply.Text), tt.head) {
			t.Errorf("%+v: (-want +got):\n%s\n%s", tt.req, diff, reply.Text)
		}
		if strings.Contains(string(reply.Text), "continue: ") {
			t.Errorf("%+v: something to go on with:\n%s", tt.req, reply.Text)
		}
	}
}

// TestReadManyOmitted names ten of many, and fewer where there is no room.
func TestReadManyOmitted(t *testing.T) {
	src := []byte("# A\n\nabout\n\n" + strings.Repeat("### Something with a name that is not short\n\ntext\n\n", 40))
	for limit, want := range map[int]string{0: " and 30 more\n", 900: " and 36 more\n", 500: "\nsubsections_left_out: 40, with what stands in them (max_subsection_levels=1)\nleft_out: "} {
		reply, err := read(src, ReadRequest{Heading: "A", MaxLevels: 1, MaxChars: limit})
		if err != nil {
			t.Fatal(err)
		}
		if text := string(reply.Text); !strings.Contains(text, want) || !strings.Contains(text, "\n\n# A\n\nabout\n\n[left out: lines 5-164]\n") {
			t.Errorf("%d: no %q in\n%s", limit, want, text)
		}
	}
}

// TestReadLevelsThinned uses the room for what was asked for, whatever the number
// of gaps.
func TestReadLevelsThinned(t *testing.T) {
	src := []byte("# A\n" + strings.Repeat("\n## B\n\n"+strings.Repeat("some words ", 9)+"\n\n### C\n\ntext\n", 60))
	for _, limit := range []int{2000, 4000, 6000} {
		reply, err := read(src, ReadRequest{Heading: "A", MaxLevels: 1, MaxChars: limit})
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCount(reply.Text); n < limit*9/10 {
			t.Errorf("%d characters of %d", n, limit)
		}
	}
}

func TestReadLevelsJSON(t *testing.T) {
	var got struct {
		Passages []struct {
			Omitted struct {
				Count int
				First []struct{ Heading, Selector string }
			} `json:"subsections_left_out"`
			Texts   []gotText
			LeftOut [][2]int `json:"left_out"`
		}
	}
	for req, want := range map[*ReadRequest]string{
		{Heading: "One", MaxLevels: 1}:                    `{1 [{#### Deeper h4.1}]}`,
		{Heading: "One", BodyOnly: true}:                  `{1 []}`,
		{Heading: "Book", BodyOnly: true, MaxChars: 1000}: `{3 []}`,
	} {
		req.JSON = true
		reply, err := read([]byte(levelled), *req)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(reply.Text, &got); err != nil {
			t.Fatal(err)
		}
		p := got.Passages[0]
		if s := fmt.Sprint(p.Omitted); s != want || len(p.LeftOut) != 1 {
			t.Errorf("%+v: %s, want %s, %v", req, s, want, p.LeftOut)
		}
	}
}

func TestReadLevelsErrors(t *testing.T) {
	for _, tt := range []struct {
		req  ReadRequest
		want string
	}{
		{ReadRequest{BodyOnly: true}, "subsections can be left out of one heading; name it"},
		{ReadRequest{Headings: []string{"One"}, MaxLevels: 1}, "subsections can be left out of one heading; name it"},
		{ReadRequest{StartLine: 1, MaxLevels: 1}, "subsections can be left out of one heading; name it"},
		{ReadRequest{Heading: "One", MaxLevels: -1}, "max_subsection_levels must not be negative; 0 keeps all"},
		{ReadRequest{Heading: "One", MaxLevels: 1, BodyOnly: true}, "max_subsection_levels says nothing without subsections; leave it out, or include_subsections"},
		{ReadRequest{Heading: "One", BodyOnly: true, MaxChars: 499}, "max_chars must be at least 500"},
	} {
		_, err := read([]byte(levelled), tt.req)
		if e, ok := errors.AsType[*replies.Error](err); !ok || e.Message.String() != tt.want || e.Code != replies.CodeInvalidArgument {
			t.Errorf("%+v: %v, want %s", tt.req, err, tt.want)
		}
	}
}

// TestReadLevelsCorpus is the law of reading without subsections: what is there
// and what is left out are the section, nothing that was not asked for is there,
// and following the requests gives all the rest once.
func TestReadLevelsCorpus(t *testing.T) {
	for i, f := range testkit.SomeCorpusFiles(t, 3) {
		if testing.Short() && i%20 > 0 || !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			continue
		}
		doc := mustParse(t, string(f.Data))
		if len(doc.Sections) == 0 {
			continue
		}
		limits := append([]int{1 << 30}, testkit.Budgets...)
		for levels := range 4 {
			s := (i*5 + levels) % len(doc.Sections)
			req := ReadRequest{
				Heading:  fmt.Sprintf("L%d", doc.SectionLines(s).First),
				MaxChars: affordable(doc, limits[(i+levels*3)%len(limits)]), MaxLevels: levels, BodyOnly: levels == 0,
			}
			if err := checkLevels(doc, s, req); err != nil {
				t.Errorf("%s: %+v: %v", f.Name, req, err)
			}
		}
	}
}

func checkLevels(doc *markdown.Document, section int, req ReadRequest) error {
	reply, err := readIn(doc, documents.Stdin, req)
	if err != nil {
		return err
	}
	want := doc.SectionLines(section)
	if err := checkBudget(doc, reply, []markdown.Lines{want}, req.MaxChars); err != nil {
		return err
	}
	delivered, err := follow(doc, reply, req.MaxChars)
	if err != nil {
		return err
	}
	deepest := doc.Sections[section].Level + uint8(req.MaxLevels)
	for i := section; i < int(doc.Sections[section].Next); i++ {
		times := 1
		if doc.Sections[i].Level > deepest {
			times = 0
		}
		body := doc.BodyLines(i)
		for n := body.First; n <= body.Last; n++ {
			if delivered[n] != times {
				return fmt.Errorf("line %d is delivered %d times, not %d", n, delivered[n], times)
			}
			delete(delivered, n)
		}
	}
	if len(delivered) > 0 {
		return fmt.Errorf("%d lines from elsewhere", len(delivered))
	}
	return nil
}

func TestOutside(t *testing.T) {
	for _, tt := range []struct{ lines, gaps, want []markdown.Lines }{
		{nil, []markdown.Lines{{First: 1, Last: 2}}, nil},
		{[]markdown.Lines{{First: 1, Last: 9}}, []markdown.Lines{{First: 1, Last: 2}, {First: 5, Last: 5}, {First: 9, Last: 12}}, []markdown.Lines{{First: 3, Last: 4}, {First: 6, Last: 8}}},
		{[]markdown.Lines{{First: 3, Last: 4}, {First: 6, Last: 8}}, []markdown.Lines{{First: 1, Last: 2}, {First: 4, Last: 6}}, []markdown.Lines{{First: 3, Last: 3}, {First: 7, Last: 8}}},
		{[]markdown.Lines{{First: 3, Last: 4}, {First: 6, Last: 8}}, []markdown.Lines{{First: 2, Last: 9}}, nil},
	} {
		if diff := cmp.Diff(tt.want, outside(tt.lines, tt.gaps)); diff != "" {
			t.Errorf("%v without %v (-want +got):\n%s", tt.lines, tt.gaps, diff)
		}
	}
}
