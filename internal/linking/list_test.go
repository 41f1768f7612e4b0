package linking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
)

// TestPagesOfObjects: the objects of a page are the links of its text, and the pages that
// follow from the first have each link once.
func TestPagesOfObjects(t *testing.T) {
	text := "# Head\n\n"
	const links = 40
	for i := range links {
		text += "[x](#head) [y](#gone" + strconv.Itoa(i) + ")\n"
	}
	docs := documents.Set{Paths: []string{testkit.Folder(t, map[string]string{"a.md": text})}, MaxBytes: 1 << 20}
	req := Request{MaxChars: 500, Broken: true, Structured: true}
	pages := 0
	var found []string
	for more := true; more; pages++ {
		var shown strings.Builder
		res, err := Links(t.Context(), docs, &req, func(text []byte) error {
			shown.Write(text)
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil || len(res.Items) != res.Shown {
			t.Fatalf("%+v, %v", res, err)
		}
		for _, item := range res.Items {
			var link linkJSON
			if err := json.Unmarshal(item, &link); err != nil || !strings.Contains(shown.String(), link.Destination+":") {
				t.Errorf("%s: %v, not in %q", item, err, shown.String())
			}
			found = append(found, link.Destination)
		}
		more = res.Next != ""
		req.Cursor = res.Next
	}
	for i, destination := range found {
		if destination != "#gone"+strconv.Itoa(i) {
			t.Errorf("link %d: %s", i, destination)
		}
	}
	if len(found) != links || pages < 2 {
		t.Errorf("%d links on %d pages", len(found), pages)
	}
}

// TestLinksOfTheNextPage: a page begins behind the link that the page before ended with, whatever links before
// that have been mended since, and is refused when that one is gone.
func TestLinksOfTheNextPage(t *testing.T) {
	texts := map[string]string{}
	for i := range 6 {
		for k := range 5 {
			texts[fmt.Sprintf("%d.md", i)] += fmt.Sprintf("[x](gone%d.md)\n\n", k/2)
		}
	}
	t.Chdir(testkit.Folder(t, texts))
	page := func(cursor string) (shown []string, next string, err error) {
		res, err := Links(t.Context(), documents.Set{Paths: []string{"."}}, &Request{Broken: true, Max: 7, Cursor: cursor}, func(text []byte) error {
			for line := range strings.Lines(string(text)) {
				if place, _, ok := strings.Cut(line, " gone"); ok {
					shown = append(shown, place)
				}
			}
			return nil
		}, func(e *replies.Error) error { return e })
		if err != nil {
			return nil, "", err
		}
		return shown, res.Next, nil
	}
	mend := func(place string) {
		file, line, _ := strings.Cut(place, ":")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		at, _ := strconv.Atoi(line)
		lines[at-1] = "mended"
		testkit.WriteFile(t, file, strings.Join(lines, "\n"))
	}
	var all []string
	cursor, again := "", true
	for again {
		shown, next, err := page(cursor)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, shown...)
		for _, place := range shown[:len(shown)-1] {
			mend(place)
		}
		cursor, again = next, next != ""
	}
	slices.Sort(all)
	if len(all) != 30 || len(slices.Compact(all)) != 30 {
		t.Errorf("%d links: %v", len(all), all)
	}
	for file, text := range texts {
		testkit.WriteFile(t, file, text)
	}
	shown, next, err := page("")
	if err != nil || next == "" {
		t.Fatal(next, err)
	}
	mend(shown[len(shown)-1])
	if _, _, err := page(next); err == nil || !strings.Contains(err.Error(), "begin again") {
		t.Errorf("%s: %v", next, err)
	}
	t.Chdir(testkit.Folder(t, map[string]string{"a.md": strings.Repeat("[x](gone.md)\n", 5) + strings.Repeat("[x](gone.md) ", 4)}))
	if _, next, err = page(""); err != nil {
		t.Fatal(err)
	}
	mend("a.md:1")
	if shown, _, err := page(next); err != nil || !slices.Equal(shown, []string{"a.md:6", "a.md:6"}) {
		t.Errorf("of links on one line: %v, %v", shown, err)
	}
}

// TestPagesOfOneLine: each link of a line is on one page, with equal ones before it, behind it and between
// others, also where one that was shown is mended meanwhile.
func TestPagesOfOneLine(t *testing.T) {
	const one, two = "[x](gone.md)", "[y](lost.md)"
	for _, c := range []struct {
		line   []string
		max    int
		mended int // the index of a link that is mended behind the first page
		want   string
	}{
		{line: []string{one, two, one, two, two, one}, max: 1, mended: -1, want: "gone lost gone lost lost gone"},
		{line: []string{one, two, one, two, two, one}, max: 4, mended: -1, want: "gone lost gone lost lost gone"},
		{line: []string{one, one, one}, max: 2, mended: 0, want: "gone gone gone"},
		{line: []string{one, two, one, one}, max: 3, mended: 0, want: "gone lost gone gone"},
	} {
		t.Chdir(testkit.Folder(t, map[string]string{"a.md": strings.Join(c.line, " ")}))
		var shown []string
		req := Request{Broken: true, Max: c.max}
		for pages := 0; pages == 0 || req.Cursor != "" && pages < 20; pages++ {
			res, err := Links(t.Context(), documents.Set{Paths: []string{"."}}, &req, func(text []byte) error {
				for line := range strings.Lines(string(text)) {
					if _, destination, ok := strings.Cut(line, " "); ok && strings.HasPrefix(line, "a.md:") {
						shown = append(shown, strings.SplitN(destination, ".", 2)[0])
					}
				}
				return nil
			}, func(e *replies.Error) error { return e })
			if err != nil {
				t.Fatal(err)
			}
			if req.Cursor = res.Next; pages == 0 && c.mended >= 0 {
				c.line[c.mended] = "mended"
				testkit.WriteFile(t, "a.md", strings.Join(c.line, " "))
			}
		}
		if got := strings.Join(shown, " "); got != c.want {
			t.Errorf("%q, %d a page: %s", c.line, c.max, got)
		}
	}
}

// TestObjectsHaveRoom: the objects of a page take no more than its text may.
func TestObjectsHaveRoom(t *testing.T) {
	text := "# Head\n\n"
	for i := range 40 {
		text += "[x](" + strings.Repeat("y", 1000) + strconv.Itoa(i) + ".md)\n"
	}
	docs := documents.Set{Paths: []string{testkit.Folder(t, map[string]string{"a.md": text})}, MaxBytes: 1 << 20}
	req := Request{MaxChars: 5000, Structured: true}
	res, err := Links(t.Context(), docs, &req, func([]byte) error { return nil }, func(e *replies.Error) error { return e })
	if err != nil || res.Shown == 0 || res.Next == "" {
		t.Fatalf("%+v, %v", res, err)
	}
	size := 0
	for _, item := range res.Items {
		size += len(item)
	}
	if size > req.MaxChars {
		t.Errorf("%d objects of %d characters", res.Shown, size)
	}
	req.MaxChars = 900
	if res, err = Links(t.Context(), docs, &req, func([]byte) error { return nil }, func(e *replies.Error) error { return e }); err != nil || res.Shown != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	if len(res.Items[0]) > req.MaxChars || !json.Valid(res.Items[0]) || !strings.Contains(string(res.Items[0]), "yy\u2026") && !strings.Contains(string(res.Items[0]), "yy…") {
		t.Errorf("an object of %d: %s", len(res.Items[0]), res.Items[0])
	}
}

// TestListEndsWithItsRequest: who waits no longer doesn't have the links of one document
// judged to their end.
func TestListEndsWithItsRequest(t *testing.T) {
	docs := documents.Set{Paths: []string{testkit.Folder(t, map[string]string{"a.md": strings.Repeat("[x](y.md) ", 1000)})}, MaxBytes: 1 << 20}
	s, err := newScan(t.Context(), docs, together)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.read(t.Context(), func(e *replies.Error) error { return e }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	looks := &countedContext{Context: ctx, after: 3, cancel: cancel}
	res := &Result{}
	if _, err := s.list(looks, &Request{}, res); !errors.Is(err, context.Canceled) || res.Links != 3 {
		t.Errorf("%d links judged, %v", res.Links, err)
	}
}

// countedContext ends after so many looks.
type countedContext struct {
	context.Context

	after  int
	cancel context.CancelFunc
}

func (c *countedContext) Err() error {
	if c.after--; c.after < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestDeepLinks: however deep a link says that it goes, what is missing on its way is looked at
// and remembered once.
func TestDeepLinks(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n", "b/c.md": "# C\n"})
	s, err := newScan(t.Context(), documents.Set{Paths: []string{dir}, MaxBytes: 1 << 20}, together)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]links.Entry{
		strings.Repeat("a/", 3000) + "b.md": links.Nothing, "b/" + strings.Repeat("a/", 3000) + "b.md": links.Nothing,
		"a.md/" + strings.Repeat("a/", 3000) + "b.md": links.Nothing, "b/c.md": links.File, "b/../a.md": links.File,
	} {
		if name = s.inSet(dir) + "/" + name; s.inSet(dir) == "." {
			name = strings.TrimPrefix(name, "./")
		}
		for range 2 {
			if got := s.see(path.Clean(name)); got.entry != want {
				t.Errorf("%.60s: %v, want %v", name, got.entry, want)
			}
		}
	}
	if len(s.seen) > 60 { // folders above the temporary one count, too
		t.Errorf("%d paths are remembered", len(s.seen))
	}
}

// TestLinksOfWhatIsNotFound: roots that were removed or replaced, whatever has their names now, and what no
// path can name, are told of beside the links of the others, each of them.
func TestLinksOfWhatIsNotFound(t *testing.T) {
	here := testkit.Folder(t, map[string]string{"a.md": "[a](b.md)\n", "b.md": ""})
	unnamed := testkit.Folder(t, map[string]string{"d.md": "[d](e\u0085.md)\n", "e\u0085.md": ""})
	gone, away := testkit.Folder(t, map[string]string{"c.md": ""}), testkit.Folder(t, map[string]string{"c.md": ""})
	for _, c := range []struct {
		roots []string
		by    string // the configuration of what replaces them; removed without one
		links int
		told  []string
	}{
		{[]string{gone}, "", 0, []string{"removed or replaced"}},
		{[]string{here, gone}, "", 1, []string{"removed or replaced"}},
		{[]string{here, gone}, "links: {root: [}\n", 1, []string{"removed or replaced"}},
		{[]string{gone, here, away}, "", 1, []string{"removed or replaced", "removed or replaced"}},
		{[]string{unnamed, here}, "", 2, []string{"control character"}},
	} {
		w, err := documents.OpenWorkspace(documents.Options{Roots: c.roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		for _, dir := range []string{gone, away} {
			if err := os.Rename(dir, dir+"-away"); err != nil {
				t.Skip(err) // Windows keeps what is open
			}
			if c.by != "" {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				testkit.WriteFile(t, filepath.Join(dir, config.Name), c.by)
			}
		}
		docs := documents.Set{Workspace: w}
		res, err := Links(t.Context(), docs, &Request{Everywhere: true}, func([]byte) error { return nil }, func(*replies.Error) error { return nil })
		for _, dir := range []string{gone, away} {
			if err := errors.Join(os.RemoveAll(dir), os.Rename(dir+"-away", dir)); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil || res.Failed != len(c.told) || len(res.Unread) != len(c.told) || res.Links != c.links {
			t.Errorf("%v: %+v, %v", c.roots, res, err)
			continue
		}
		for i, e := range res.Unread {
			if !strings.Contains(e.Error(), c.told[i]) {
				t.Errorf("%v: %v", c.roots, e)
			}
		}
	}
}
