package outline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// inJSON renders text as a string in JSON.
func inJSON(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(string(text)); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// checkSizes compares what is counted with what is rendered, level by level.
func checkSizes(t *testing.T, doc *markdown.Document, opts outline.TreeOptions, file string) {
	t.Helper()
	tree := outline.NewTree(doc, opts)
	var inTree, inText [7]int
	for level := range 7 {
		up := tree.UpTo(outline.Level(level))
		limited := opts
		limited.MaxDepth = level
		if level > 0 && (opts.MaxDepth == 0 || level < opts.MaxDepth) {
			want := outline.NewTree(doc, limited).AppendJSON(nil, file)
			if got := up.AppendJSON(nil, file); !bytes.Equal(got, want) {
				t.Errorf("%+v: up to %d: %s, want %s", opts, level, got, want)
			}
		}
		inTree[level] = utf8.RuneCount(up.AppendJSON(nil, file))
		inText[level] = utf8.RuneCount(inJSON(t, up.AppendASCII(nil, file)))
	}
	if diff := cmp.Diff(inTree, tree.Sizes(outline.JSON, file)); diff != "" {
		t.Errorf("%+v: JSON (-rendered +counted)\n%s", opts, diff)
	}
	if diff := cmp.Diff(inText, tree.Sizes(outline.ASCII, file)); diff != "" {
		t.Errorf("%+v: ASCII (-rendered +counted)\n%s", opts, diff)
	}
	if tree.UpTo(0).Len() != 0 || tree.UpTo(6).Len() != tree.Len() {
		t.Errorf("%+v: %d sections up to H0, %d up to H6", opts, tree.UpTo(0).Len(), tree.UpTo(6).Len())
	}
}

func TestSizes(t *testing.T) {
	sources := append([]string{guide, "# A\n### C\n## B\n##### E\n### C\n# Z\n"}, fuzzSeeds...)
	for _, f := range testkit.Fixtures() {
		sources = append(sources, string(f.Source))
	}
	for _, src := range sources {
		for _, opts := range []outline.TreeOptions{{}, {Safe: true}, {Raw: true}, {Raw: true, Safe: true}, {Pattern: "a"}, {MaxDepth: 2}} {
			checkSizes(t, parse(t, src), opts, "a\"b\u202E\\.md")
		}
	}
}

// checkFit checks a page of limited length.
func checkFit(doc *markdown.Document, opts outline.ListOptions, limit int) error {
	whole, err := outline.List(doc, opts)
	if err != nil {
		return err
	}
	page, _ := outline.List(doc, opts)
	cut := page.Fit(limit)
	text := page.AppendJSON(nil)
	size := utf8.RuneCount(text)
	n := len(page.Sections)
	switch {
	case page.Count != whole.Count || n > len(whole.Sections) || n == 0 && len(whole.Sections) > 0:
		return fmt.Errorf("%d of %d sections, %d of %d counted", n, len(whole.Sections), page.Count, whole.Count)
	case !cut && size > limit && n > 0:
		return fmt.Errorf("%d characters", size)
	case cut && (n != 1 || !strings.HasSuffix(page.Sections[0].Name, "…") || size > limit && page.Sections[0].Name != "…"):
		return fmt.Errorf("cut to %d characters: %s", size, text)
	}
	for i, e := range page.Sections {
		want := whole.Sections[i]
		if cut {
			if !strings.HasPrefix(want.Name, strings.TrimSuffix(e.Name, "…")) {
				return fmt.Errorf("%q is cut to %q", want.Name, e.Name)
			}
			want.Name = e.Name
		}
		if e != want {
			return fmt.Errorf("section %d is %+v, want %+v", i, e, want)
		}
	}
	// The next page, and that with one section more is too long.
	opts.Cursor = page.NextCursor
	rest, err := outline.List(doc, opts)
	if err != nil || page.NextCursor != "" && n < len(whole.Sections) && rest.Sections[0] != whole.Sections[n] {
		return fmt.Errorf("the cursor is %s after %d (%w)", page.NextCursor, n, err)
	}
	if (page.NextCursor == "") != (n == len(whole.Sections) && whole.NextCursor == "") {
		return fmt.Errorf("the cursor is %q after %d of %d", page.NextCursor, n, len(whole.Sections))
	}
	if n < len(whole.Sections) && !cut {
		page.Sections = whole.Sections[:n+1]
		if n+1 == len(whole.Sections) {
			page.NextCursor = whole.NextCursor
		}
		if size := utf8.RuneCount(page.AppendJSON(nil)); size <= limit {
			return fmt.Errorf("%d characters would be with another section", size)
		}
	}
	return nil
}

func TestFit(t *testing.T) {
	for _, src := range append([]string{"", guide, "# " + strings.Repeat("\"漢", 400) + "\n# B\n"}, string(testkit.LargeFixture().Source)) {
		doc := parse(t, src)
		for _, opts := range []outline.ListOptions{{}, {Max: 7}, {Cursor: "3"}, {Cursor: "95", Max: 6}, {Cursor: "500"}, {Pattern: "e"}} {
			for limit := 80; limit < 3000; limit += 37 {
				if err := checkFit(doc, opts, limit); err != nil {
					t.Errorf("%.40q: %+v: %d: %v", src, opts, limit, err)
				}
			}
		}
	}
}

func TestFitPage(t *testing.T) {
	page := list(t, "# First\n# Second\n", outline.ListOptions{})
	if page.Fit(100) {
		t.Error("a name is cut, and there is room for it")
	}
	want := `{"sections":[{"name":"First","start_line":1,"end_line":1,"level":"H1"}],"count":2,"next_cursor":"1"}`
	if got := string(page.AppendJSON(nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !page.Fit(99) {
		t.Error("no name is cut")
	}
	want = strings.Replace(want, "First", "Fir…", 1)
	if got := string(page.AppendJSON(nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSafeNames(t *testing.T) {
	const src = "# a\u202E\u200Bb\U000E0041\n## 👩‍👩‍👧\t`c`\n"
	want := []string{"a\uFFFD\uFFFDb\uFFFD", "👩‍👩‍👧 c"}
	wantRaw := []string{"a\uFFFD\uFFFDb\uFFFD", "👩‍👩‍👧 `c`"}
	for _, raw := range []bool{false, true} {
		if raw {
			want = wantRaw
		}
		var names, inList []string
		tree := outline.NewTree(parse(t, src), outline.TreeOptions{Raw: raw, Safe: true})
		for n := range tree.Nodes() {
			names = append(names, n.Name)
		}
		for _, e := range list(t, src, outline.ListOptions{Raw: raw, Safe: true}).Sections {
			inList = append(inList, e.Name)
		}
		root := decode(t, tree.AppendJSON(nil, "\u202Ea.md"))
		first := (*root.Children)[0]
		inTree := []string{first.Name, (*first.Children)[0].Name}
		for _, got := range [][]string{names, inList, inTree} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("raw %v (-want +got)\n%s", raw, diff)
			}
		}
		if root.Name != "\uFFFDa.md" {
			t.Errorf("the root is %q", root.Name)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), "a.md", "", uint16(100))
	}
	f.Add(testkit.MediumFixture().Source, "medium.md", "e", uint16(1000))
	f.Fuzz(func(t *testing.T, src []byte, file, pattern string, limit uint16) {
		doc, err := markdown.Parse(src)
		if err != nil || len(src) > 1<<14 {
			t.Skip()
		}
		checkSizes(t, doc, outline.TreeOptions{Pattern: pattern, Safe: limit%2 == 0, Raw: limit%3 == 0}, file)
		opts := outline.ListOptions{Pattern: pattern, Safe: limit%2 == 0, Max: int(limit % 5)}
		if err := checkFit(doc, opts, 90+int(limit)); err != nil {
			t.Errorf("%d: %v", limit, err)
		}
	})
}
