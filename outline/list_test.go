package outline_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/outline"
)

func list(t testing.TB, src string, opts outline.ListOptions) *outline.Page {
	t.Helper()
	page, err := outline.List(parse(t, src), opts)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestList(t *testing.T) {
	const six = "# A one\n## B two\n### C one\n#### D\n##### E\n###### F one\n## Z\n"
	tests := []struct {
		name, src string
		opts      outline.ListOptions
		want      string // names, a space between
	}{
		{"no pattern", six, outline.ListOptions{}, "A one,B two,C one,D,E,F one,Z"},
		{"empty pattern", six, outline.ListOptions{Pattern: ""}, "A one,B two,C one,D,E,F one,Z"},
		{"blank pattern", six, outline.ListOptions{Pattern: "  "}, "A one,B two,C one,D,E,F one,Z"},
		{"pattern, and no ancestors", six, outline.ListOptions{Pattern: "ONE"}, "A one,C one,F one"},
		{"pattern without a match", six, outline.ListOptions{Pattern: "three"}, ""},
		{"H1", six, outline.ListOptions{Level: 1}, "A one"},
		{"H2", six, outline.ListOptions{Level: 2}, "B two,Z"},
		{"H3", six, outline.ListOptions{Level: 3}, "C one"},
		{"H4", six, outline.ListOptions{Level: 4}, "D"},
		{"H5", six, outline.ListOptions{Level: 5}, "E"},
		{"H6", six, outline.ListOptions{Level: 6}, "F one"},
		{"a level that is not there", "# A\n", outline.ListOptions{Level: 2}, ""},
		{"pattern and level", six, outline.ListOptions{Pattern: "one", Level: 3}, "C one"},
		{"no entries", "text\n", outline.ListOptions{}, ""},
		{"empty document", "", outline.ListOptions{}, ""},
		{"plain", "# *A* `b`\n", outline.ListOptions{}, "A b"},
		{"raw", "# *A* `b`\n", outline.ListOptions{Raw: true}, "*A* `b`"},
		{"raw, matched plain", "# *A* `b`\n", outline.ListOptions{Raw: true, Pattern: "a b"}, "*A* `b`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := list(t, tt.src, tt.opts)
			var names []string
			for _, e := range page.Sections {
				names = append(names, e.Name)
			}
			if diff := cmp.Diff(tt.want, strings.Join(names, ",")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if page.Count != len(names) || page.NextCursor != "" {
				t.Errorf("count %d, next %q", page.Count, page.NextCursor)
			}
		})
	}
}

func TestListRanges(t *testing.T) {
	page := list(t, "intro\n\n# A\n\n## B\ntext\n\n# C\n", outline.ListOptions{})
	want := &outline.Page{Count: 3, Sections: []outline.Entry{
		{Section: 0, Name: "A", StartLine: 3, EndLine: 7, Level: 1},
		{Section: 1, Name: "B", StartLine: 5, EndLine: 7, Level: 2},
		{Section: 2, Name: "C", StartLine: 8, EndLine: 8, Level: 1},
	}}
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestListByParsedLevel(t *testing.T) {
	for s, want := range map[string]int{"ALL": 50, "": 50, "h1": 5, "H2": 15, "H6": 0} {
		level, err := outline.ParseLevel(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := list(t, string(testkit.MediumFixture().Source), outline.ListOptions{Level: level}).Count; got != want {
			t.Errorf("%q: %d sections, want %d", s, got, want)
		}
	}
}

func TestListJSON(t *testing.T) {
	tests := []struct {
		name, src string
		opts      outline.ListOptions
		want      string
	}{
		{"no entries", "", outline.ListOptions{}, `{"sections":[],"count":0}`},
		{"one", "# A \\\\ <b\n", outline.ListOptions{Raw: true}, `{"sections":[{"name":"A \\\\ <b","start_line":1,"end_line":1,"level":"H1"}],"count":1}`},
		{
			"a page", "# A\n## B\n## C\n",
			outline.ListOptions{Max: 2},
			`{"sections":[{"name":"A","start_line":1,"end_line":3,"level":"H1"},` +
				`{"name":"B","start_line":2,"end_line":2,"level":"H2"}],"count":3,"next_cursor":"2"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := list(t, tt.src, tt.opts)
			if diff := cmp.Diff(tt.want, string(page.AppendJSON(nil))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var b strings.Builder
			std := json.NewEncoder(&b)
			std.SetEscapeHTML(false)
			if err := std.Encode(page); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"\n", b.String()); diff != "" {
				t.Errorf("encoding/json (-want +got)\n%s", diff)
			}
		})
	}
}

func TestListPages(t *testing.T) {
	src := string(testkit.MediumFixture().Source)
	for _, opts := range []outline.ListOptions{{}, {Level: 2}, {Pattern: "e"}, {Pattern: "E", Level: 3}, {Pattern: "nothing"}} {
		for _, size := range []int{1, 7, 50, 51} {
			t.Run(fmt.Sprintf("%+v by %d", opts, size), func(t *testing.T) {
				whole := list(t, src, opts)
				paged := opts
				paged.Max = size
				var all []outline.Entry
				for {
					page := list(t, src, paged)
					if page.Count != whole.Count || len(page.Sections) > size {
						t.Fatalf("count %d, want %d; %d sections", page.Count, whole.Count, len(page.Sections))
					}
					all = append(all, page.Sections...)
					if page.NextCursor == "" {
						break
					}
					if len(page.Sections) < size {
						t.Fatalf("%d sections in a page that is not the last one", len(page.Sections))
					}
					paged.Cursor = page.NextCursor
				}
				if len(all) != whole.Count {
					t.Fatalf("%d sections in all pages, want %d", len(all), whole.Count)
				}
				for i := range all {
					if diff := cmp.Diff(whole.Sections[i], all[i]); diff != "" {
						t.Errorf("(-want +got)\n%s", diff)
					}
				}
			})
		}
	}
}

func TestListCursor(t *testing.T) {
	doc := parse(t, "# A\n# B\n")
	for _, s := range []string{"-1", "x", "1.5", "99999999999999999999", " 1"} {
		if _, err := outline.List(doc, outline.ListOptions{Cursor: s}); !errors.Is(err, outline.ErrInvalidCursor) {
			t.Errorf("cursor %q: %v, want ErrInvalidCursor", s, err)
		}
	}
	page, err := outline.List(doc, outline.ListOptions{Cursor: "7", Max: 1})
	if diff := cmp.Diff(&outline.Page{Sections: []outline.Entry{}, Count: 2}, page); err != nil || diff != "" {
		t.Errorf("beyond the end: %v (-want +got)\n%s", err, diff)
	}
}
