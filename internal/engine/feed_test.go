package engine

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestKnownEnds has an engine tell of the documents of a root without end, in pages that are the
// same again or that grow, and of more sections than they can have. An error says so after as many
// pages as could be true.
func TestKnownEnds(t *testing.T) {
	page := func(n int, sections ...int) string { // the nth one
		hits := make([]string, listed)
		for i := range hits {
			hits[i] = fmt.Sprintf(`{"_source":{"path":"%06d.md","document":"h","version":1,"sections":%d}}`, n*listed+i, sections[i%len(sections)])
		}
		return strings.Join(hits, ",")
	}
	one := func(path string) string { return `{"_source":{"path":"` + path + `"}}` }
	for name, test := range map[string]struct {
		answer   func(n int, body string) string
		want     string // of the error; empty for none
		requests int
		known    int
	}{
		"none": {func(int, string) string { return "" }, "", 1, 0},
		"pages": {func(n int, body string) string {
			if last := fmt.Sprintf(`"search_after":["%06d.md"]`, n*listed-1); n > 0 && !strings.Contains(body, last) {
				return `{}`
			}
			return []string{page(0, 3), page(1, 0, 9), one("zoë.md")}[n]
		}, "", 3, 2*listed + 1},
		"no path":          {func(int, string) string { return `{}` }, `in no order, "" after ""`, 1, 0},
		"the same page":    {func(int, string) string { return page(0, 1) }, `in no order, "000000.md" after "001999.md"`, 2, listed},
		"the same path":    {func(int, string) string { return one("a.md") + "," + one("a.md") }, `in no order, "a.md" after "a.md"`, 1, 1},
		"without end":      {func(n int, _ string) string { return page(n, 1) }, "lists more documents of the root than a root can have", 5, 9532},
		"a long path":      {func(int, string) string { return one(strings.Repeat("a", 1<<20)) }, "lists more documents of the root than a root can have", 1, 0},
		"many sections":    {func(int, string) string { return page(0, maxSections/2) }, `says that "000002.md" has 33554432 sections, and those before it 67108864;`, 1, 2},
		"minus a section":  {func(int, string) string { return page(0, 1, -1) }, `"000001.md" has -1 sections`, 1, 1},
		"beyond all count": {func(int, string) string { return page(0, 1, 1<<63-1) }, `"000001.md" has 9223372036854775807 sections`, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			requests, known := 0, 0
			c := client(t, func(r *http.Request, body string) (int, string) {
				if !strings.HasSuffix(r.URL.Path, "_search") {
					return 200, "{}"
				}
				requests++
				return 200, `{"hits":{"hits":[` + test.answer(requests-1, body) + `]}}`
			})
			c.known = 1 << 20
			err := c.Known(t.Context(), "r", func(Known) error { known++; return nil })
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), c.URL())) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if e, ok := errors.AsType[*Error](err); err != nil && (!ok || e.Code != Strange) {
				t.Errorf("%#v", err)
			}
			if requests != test.requests || known != test.known {
				t.Errorf("%d documents by %d requests, want %d by %d", known, requests, test.known, test.requests)
			}
		})
	}
}

// TestKnownOfMany has a real engine of two parts tell of more documents than a page has, whose
// names come in another order by UTF-16.
func TestKnownOfMany(t *testing.T) {
	c, err := New(Options{URL: testkit.OpenSearch(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i := range listed + 10 {
		want = append(want, fmt.Sprintf("%c%d.md", []rune("aZé\uffee😀 ")[i%6], i))
	}
	f := c.NewFeeder("r", time.Now())
	for _, path := range want {
		if err := f.Put(t.Context(), document(t, path, "# A\n"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if err := c.Known(t.Context(), "r", func(k Known) error { got = append(got, k.Path); return nil }); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d documents of %d, %v", len(got), len(want), err)
	}
}
