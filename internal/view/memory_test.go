package view

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// TestLinksInMemory has links of a few bytes lead to a path of thousands: what the page writes of them
// is in the budget.
func TestLinksInMemory(t *testing.T) {
	folder := strings.Repeat(strings.Repeat("€", 60)+"/", 3)
	o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{
		folder + "many.md": strings.Repeat("[a](#)\n", 37_000), folder + "few.md": strings.Repeat("[a](#)\n", 1000),
	})
	for name, want := range map[string]int{"many.md": http.StatusUnprocessableEntity, "few.md": http.StatusOK} {
		status, page := o.get("/read?path=" + url.QueryEscape(folder+name))
		if status != want || (want != http.StatusOK) != strings.Contains(page, "--max-memory") || (want == http.StatusOK) != (strings.Count(page, ">a</a>") == 1000) {
			t.Errorf("%s: %d, %d bytes", name, status, len(page))
		}
	}
}

// TestMapInMemory has sections of a few bytes below a path of thousands: of the map so much is drawn as a
// page may have, and its rectangles are in the budget.
func TestMapInMemory(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		texts[strings.Repeat(strings.Repeat("€", 60)+"/", 8)+name+".md"] = strings.Repeat("# a\n", 2500)
	}
	for memory, want := range map[int64]int{0: http.StatusOK, documents.MinMaxMemory: http.StatusUnprocessableEntity} {
		o := openWith(t, false, documents.Options{MaxMemory: memory}, texts)
		status, page := o.get("/map")
		if status != want || len(page) > maxMap*3/2 {
			t.Fatalf("%d, %d bytes", status, len(page))
		}
		if drawn := strings.Count(page, `<rect class="section`); want == http.StatusOK && (drawn < 1000 || !strings.Contains(page, count(25_000-drawn)+" more rectangles, the smallest, are left out")) {
			t.Errorf("%d sections are drawn\n%.3000s", drawn, page[max(0, len(page)-3000):])
		}
	}
}

// TestMarksInMemory: what is read of a paragraph full of marks is in the budget, which is many times its
// length.
func TestMarksInMemory(t *testing.T) {
	for _, text := range []string{"*a* ", "[a](#)", "a\n"} {
		o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{
			"many.md": strings.Repeat(text, 1_000_000/len(text)), "few.md": strings.Repeat(text, 30_000/len(text)),
		})
		for name, want := range map[string]int{"many.md": http.StatusUnprocessableEntity, "few.md": http.StatusOK} {
			status, page := o.get("/read?path=" + name)
			if status != want || (want != http.StatusOK) != strings.Contains(page, "--max-memory") {
				t.Errorf("%q in %s: %d, %d bytes", text, name, status, len(page))
			}
		}
	}
}

// TestLongListsInPages: of lines of the source and of a difference so many are on a page as one can
// look through, and the next ones on another.
func TestLongListsInPages(t *testing.T) {
	const lines = 4500
	o := open(t, false, map[string]string{"a.md": strings.Repeat("b\n", lines)})
	o.change("a.md", "b\n", "c\n")
	_, page := o.get("/changes")
	change := regexp.MustCompile(`href="(/change\?id=[^"]+)"`).FindStringSubmatch(page)
	if change == nil {
		t.Fatalf("no change in\n%s", page)
	}
	for address, want := range map[string]struct {
		line, next, before string
		lines              int
	}{
		"/read?path=a.md&source=1": {`<li value="\d+"><code>`, `<a href="([^"]+)">Lines from`, "Lines before these", lines},
		change[1]:                  {`<span class="(?:add|del|head|hunk)">[-@&]`, `<a class="button" href="([^"]+)">Next lines`, "Lines before these", 2*lines + 3},
	} {
		seen, pages := 0, 0
		for at := address; at != ""; pages++ {
			status, page := o.get(at)
			if status != http.StatusOK {
				t.Fatalf("%s: %d", at, status)
			}
			n := len(regexp.MustCompile(want.line).FindAllString(page, -1))
			if n > 2000 || n == 0 || (at != address) != strings.Contains(page, want.before) {
				t.Errorf("%s has %d lines", at, n)
				break
			}
			seen, at = seen+n, ""
			if next := regexp.MustCompile(want.next).FindStringSubmatch(page); next != nil {
				at = strings.ReplaceAll(next[1], "&amp;", "&")
			}
		}
		if seen < want.lines || seen > want.lines+10 || pages != (want.lines+1999)/2000 {
			t.Errorf("%s: %d lines on %d pages of %d", address, seen, pages, want.lines)
		}
	}
}

// TestLinesFoundInMemory: of lines that match so many are on the page as tell what was found.
func TestLinesFoundInMemory(t *testing.T) {
	o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{"a.md": strings.Repeat("b\n", 400_000)})
	status, page := o.get("/search?q=b&match=text")
	if status != http.StatusOK || strings.Count(page, "<mark>b</mark></li>") != maxHitLines || !strings.Contains(page, "and 399\u202f950 more lines in <a href=\"/read?path=a.md") {
		t.Errorf("%d\n%.3000s", status, page)
	}
}

// TestLatePage: a page that isn't made in time says so, also when the time of the server is over.
func TestLatePage(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": text})
	late := New(o.options).(*site).answers(func(*http.Request) (*answer, error) { return nil, fmt.Errorf("a: %w", context.DeadlineExceeded) }) //nolint:forcetypeassert // New returns nothing else
	server := httptest.NewUnstartedServer(late)
	server.Config.WriteTimeout = 1
	server.Start()
	defer server.Close()
	r, err := http.Get(server.URL) //nolint:noctx // of this test
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(body), "within 30s") {
		t.Errorf("%d %v\n%s", r.StatusCode, err, body)
	}
}

// TestLongForm: a form that is too long is told to be that.
func TestLongForm(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text})
	r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {strings.Repeat("a", 70<<10)}})
	if err != nil {
		t.Fatal(err)
	}
	if status, page := o.answer(r); status != http.StatusRequestEntityTooLarge || !strings.Contains(page, "longer than 65536 bytes") {
		t.Errorf("%d\n%s", status, page)
	}
}
