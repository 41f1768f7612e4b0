package view

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/undoing"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunInMemory(m.Run)) }

// opened is a page that a browser has opened.
type opened struct {
	*testing.T

	client  *http.Client
	base    string
	root    string
	history *undoing.History
	out     *bytes.Buffer // what the user is told
	options doctor.PageOptions
}

// open shows these files to a browser.
func open(t *testing.T, writes bool, texts map[string]string) *opened {
	t.Helper()
	return openWith(t, writes, documents.Options{}, texts)
}

// openWith is open with options, whose roots are names of folders beside the first one, "root".
func openWith(t *testing.T, writes bool, options documents.Options, texts map[string]string) *opened {
	t.Helper()
	place := t.TempDir()
	root := filepath.Join(place, "root")
	roots := []string{root}
	for _, name := range options.Roots {
		roots = append(roots, filepath.Join(place, name))
	}
	options.Roots = roots
	for name, text := range texts {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	ending, end := context.WithCancel(context.Background())
	o := &opened{T: t, client: &http.Client{Jar: jar}, root: root, out: &bytes.Buffer{}}
	o.history = undoing.Open(filepath.Join(place, "state", "journal"), func(string) {})
	o.options = doctor.PageOptions{
		Workspace: w, History: o.history, Plans: planning.NewPlans(planning.PlanOptions{Start: root, UserFile: "-", Roots: w.FileRoots(), Store: "file"}),
		Writes: writes, Editor: "vscode://file{path}:{line}", Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Ending: ending,
	}
	server := httptest.NewUnstartedServer(nil)
	var address string
	server.Config.Handler, address = Mount(server.Listener.Addr(), o.options, o.out)
	server.Start()
	t.Cleanup(func() {
		end()
		server.Close()
	})
	o.base = server.URL
	if !strings.HasPrefix(address, o.base+"/") {
		t.Fatalf("the address is %q", address)
	}
	if status, _ := o.get(strings.TrimPrefix(address, o.base)); status != http.StatusOK {
		t.Fatalf("the address: %d", status)
	}
	return o
}

// get returns the answer for an address.
func (o *opened) get(path string) (status int, text string) {
	o.Helper()
	r, err := o.client.Get(o.base + path)
	if err != nil {
		o.Fatal(err)
	}
	return o.answer(r)
}

func (o *opened) answer(r *http.Response) (status int, text string) {
	o.Helper()
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		o.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// change changes a file as a command does.
func (o *opened) change(name, old, now string) {
	o.Helper()
	ctx := o.history.For(o.Context(), documents.Reader{}, "replace", []string{"replace", name, old, now})
	err := files.Update(ctx, []string{filepath.Join(o.root, name)}, files.UpdateOptions{}, func(tx *files.Tx) error {
		text, err := os.ReadFile(filepath.Join(o.root, name))
		if err != nil {
			return err
		}
		return tx.Write(filepath.Join(o.root, name), []byte(strings.ReplaceAll(string(text), old, now)))
	})
	if err != nil {
		o.Fatal(err)
	}
}

// agent reads a section as a server of tools does.
func (o *opened) agent(name string, section int) {
	o.Helper()
	o.history.Follow(o.options.Workspace)
	docs := documents.Set{Workspace: o.options.Workspace, Session: documents.NewSession(), Reader: documents.Reader{Client: "an <agent>", Session: "abcdefghijkl"}}
	doc, err := docs.Open(name)
	if err != nil {
		o.Fatal(err)
	}
	docs.Coverage(name).Deliver(doc, doc.BodySpan(section))
}

const text = "# One <i>\n\nText of [two](sub/two.md).\n\n## Two & \"three\"\n\nMore, [self](#one).\n\n<script>alert(1)</script>\n"

// TestPages opens each page, and none holds what a browser would run.
func TestPages(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text, "sub/two.md": "# Sub\n\n[back](../a.md)\n", "README.md": "# R\n"})
	o.agent("a.md", 1)
	o.change("a.md", "More", "Much more")
	_, list := o.get("/changes")
	id := regexp.MustCompile(`/change\?id=([a-z2-7]{8})`).FindStringSubmatch(list)
	if id == nil {
		t.Fatalf("there is no change in %s", list)
	}
	for path, want := range map[string][]string{
		"/":                                   {"3 documents", "sub/", "a.md", "README.md", `<b>1</b> changed`, "Start with README.md", "an &lt;agent&gt;", ">abcdef…<", `<a href="/read?path=a.md&amp;at=%23two--three" dir="auto">Two &amp; &#34;three&#34;</a>`},
		"/folder?path=sub":                    {"two.md", "<small>Sub</small>"},
		"/totals":                             {"3 documents", `<b>1</b> changed`},
		"/read?path=a.md":                     {`<h1 id="s-`, "One &lt;i&gt;", `href="/read?path=sub%2Ftwo.md"`, "&lt;script&gt;alert", "1 change in", `class="sections"`, "vscode://file" + o.root},
		"/read?path=a.md&at=h2.0&source=1":    {"Two &amp; &#34;three&#34;", "lines 5–9", "Hide source", "Much more, [self](#one)."},
		"/links?path=a.md":                    {"sub/two.md:3"},
		"/links?path=a.md&at=h2.0":            {"No other document"},
		"/search":                             {"Words in any order"},
		"/search?q=much":                      {"1 section in 1 of 3 documents", "<mark>Much</mark> more", `href="/read?path=a.md&amp;at=h2.0"`},
		"/search?q=%3Cscript&match=text":      {"<mark>&lt;script</mark>&gt;alert", "exact text"},
		"/search?q=nowhere&match=words":       {"Nothing found"},
		"/search?q=(&match=regex":             {`role="status"`, "regular expression"},
		"/changes":                            {"sectile replace a.md More &#39;Much more&#39;", "Undo", "1 section (changed since) · <b>an &lt;agent&gt;</b>"},
		"/change?id=" + id[1]:                 {"&#43;Much more", "-More", "Undo this change", "Change of <span class=\"path\">a.md</span>"},
		"/map":                                {"<svg", "a.md", "Sub", `class="section changed"`},
		"/plan":                               {"No plan yet", "An agent begins a plan with"},
		"/static/style.css":                   {"--ground"},
		"/static/page.js":                     {"EventSource"},
		"/read?path=a.md&at=%23text-of-three": nil,
		"/read?path=..%2Fa.md":                nil,
		"/read?path=":                         nil,
		"/change?id=":                         nil,
		"/change?id=aaaaaaaa":                 nil,
		"/picture?path=a.md":                  nil,
		"/nowhere":                            nil,
		"/folder?path=":                       {"a.md", "sub/"},
		"/folder?path=..":                     nil,
		"/folder?path=su":                     nil,
		"/folder?path=a.md":                   nil,
		"/static/../site.go":                  nil,
		"/static/":                            nil,
	} {
		status, page := o.get(path)
		if (status == http.StatusOK) == (want == nil) {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
		for _, part := range want {
			if !strings.Contains(page, part) {
				t.Errorf("%s hasn't %q:\n%s", path, part, page)
			}
		}
		if strings.HasPrefix(path, "/static") {
			continue
		}
		if wrong := regexp.MustCompile(`<script>|<script [^>]*>[^<]|<[^>]* (?:on[a-z]+|style)=|<style|javascript:|alert\(1\)</script>`).FindString(page); wrong != "" {
			t.Errorf("%s has %q", path, wrong)
		}
	}
}

// TestStrangeNames: a document whose name has the sign of a fragment has a page of its links, and an address
// of no line is none.
func TestStrangeNames(t *testing.T) {
	o := open(t, false, map[string]string{"#hash.md": "# A\n", "b.md": "[a](%23hash.md)\n"})
	for path, want := range map[string]int{
		"/read?path=%23hash.md": http.StatusOK, "/links?path=%23hash.md": http.StatusOK, "/links?path=%23hash.md&at=%23a": http.StatusOK,
		"/read?path=b.md&at=L99999999999999": http.StatusNotFound, "/read?path=b.md&at=L5-": http.StatusNotFound,
	} {
		if status, page := o.get(path); status != want || strings.HasPrefix(path, "/links?path=%23hash.md&") != strings.Contains(page, "No other document") || (path == "/links?path=%23hash.md") != strings.Contains(page, "b.md:1") {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
	}
}

// TestManyDocuments lists the documents of folders that are open, and opens no others: what a page
// costs doesn't grow with the number of documents.
func TestManyDocuments(t *testing.T) {
	texts := map[string]string{"README.md": "# R\n", "one/a.md": "# A\n"}
	for i := range maxAllOpen {
		texts[fmt.Sprintf("many/sub%02d/%d.md", i%20, i)] = text
	}
	for i := range maxListed + 2 {
		texts[fmt.Sprintf("flat/%03d.md", i)] = "# Flat\n"
	}
	texts["bad.md"], texts["worse.md"] = "\xff", "a\x00b"
	o := open(t, false, texts)
	o.agent("many/sub03/3.md", 0)
	o.change("one/a.md", "A", "B")
	before := o.options.Workspace.CacheStats()
	for _, step := range []struct {
		path   string
		opened int // documents
		has    []string
		links  int // to documents, and to folders that aren't open
	}{
		{"/", 0, []string{"906 documents; <a", "2 documents can’t be read", `aria-label="holds changes"`, `aria-label="read in part"`, `href="/folder?path=many"`, "Start with README.md"}, 4}, // the document was opened with the address
		{"/folder?path=many", maxAllOpen - 1, []string{`data-folder="many/sub03" open`, "20 docs"}, maxAllOpen},
		{"/folder?path=many%2Fsub03", 0, []string{"many/sub03/", `<a href="/folder?path=many">`}, 20}, // they are opened already
		{"/folder?path=flat", maxListed, []string{`href="/folder?path=flat&amp;from=500"`, "000.md"}, maxListed + 1},
		{"/folder?path=flat&from=500", 2, []string{"500.md", "501.md"}, 2},
		{"/folder?path=flat&from=9999999999999999999", 0, nil, maxListed + 1},
		{"/folder?path=flat&from=900", 0, nil, 0},
	} {
		_, page := o.get(step.path)
		for _, part := range step.has {
			if !strings.Contains(page, part) {
				t.Errorf("%s hasn't %q:\n%s", step.path, part, page)
			}
		}
		if links := strings.Count(page, `<a class="row"`); links != step.links {
			t.Errorf("%s: %d links, want %d", step.path, links, step.links)
		}
		after := o.options.Workspace.CacheStats()
		if opened := after.Misses - before.Misses; opened != step.opened {
			t.Errorf("%s: %d documents are opened, want %d", step.path, opened, step.opened)
		}
		before = after
	}
	if _, page := o.get("/totals"); !strings.Contains(page, "906 documents") || !strings.Contains(page, `<b>1</b> changed`) {
		t.Errorf("all together:\n%s", page)
	}
}

// TestSeveralRoots shows the documents of two roots: those of the same path by absolute ones, below folders
// that are counted once; the editor and pictures are those of the root that a document lies in.
func TestSeveralRoots(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n"
	texts := map[string]string{"zz.md": "# Z1\n", "../second/zz.md": "# Z2\n", "p/a.png": png + "1", "../second/p/a.png": png + "2", "../second/e.md": "# E\n\n![x](p/a.png)\n"}
	for i := range maxOpen {
		texts[fmt.Sprintf("d%d.md", i)] = "# D\n\nwords here\n"
	}
	o := openWith(t, false, documents.Options{Roots: []string{"second"}}, texts)
	_, page := o.get("/")
	if !strings.Contains(page, "103 documents") || strings.Count(page, "<small>D</small>") != maxOpen || strings.Count(page, `data-folder="/`) == 0 || strings.Contains(page, `data-folder=""`) {
		t.Errorf("the documents aren't listed:\n%s", page)
	}
	_, page = o.get("/read?path=e.md")
	picture := regexp.MustCompile(`src="(/picture[^"]*)"`).FindStringSubmatch(page)
	if !strings.Contains(page, "/second/e.md:1") || picture == nil {
		t.Fatalf("the document:\n%s", page)
	}
	if _, data := o.get(html.UnescapeString(picture[1])); data != png+"2" {
		t.Errorf("the picture of %s is %q", picture[1], data)
	}
}

// TestFormerTextInMemory has documents be changed whose former text takes more memory than there is:
// what is left out for that is told, by each page that would have looked at it.
func TestFormerTextInMemory(t *testing.T) {
	o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{"a.md": "# A\n\nb\n", "large.md": "# A\n\n" + strings.Repeat("a a\n\n", 600_000)})
	o.change("a.md", "b", "c")
	o.change("large.md", "a a\n\n", "")
	for path, told := range map[string]bool{"/": true, "/map": true, "/read?path=large.md": true, "/read?path=a.md": false, "/changes": false} {
		status, page := o.get(path)
		if status != http.StatusOK || strings.Contains(page, "Not all that was read and changed is told") != told || strings.Contains(page, "What large.md held before a change was left out: ") != told {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
		if path == "/" && !strings.Contains(page, "<b>1</b> changed") { // a.md
			t.Errorf("%s tells of no change:\n%s", path, page)
		}
	}
}

// TestForgottenChanges has the journal forget a change of today: the page tells of it wherever it tells of others.
func TestForgottenChanges(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": text})
	o.change("a.md", "More", "Less")
	for _, forgotten := range []bool{false, true} {
		if forgotten {
			if err := journal.New(journal.Options{Dir: o.history.Dir()}).Clear(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{"/", "/changes", "/read?path=a.md", "/map"} {
			status, page := o.get(path)
			if status != http.StatusOK || strings.Contains(page, "Not all that was read and changed is told") != forgotten || regexp.MustCompile(`Changes up to \d\d:\d\d:\d\d may be missing: the journal no longer has all of them\.`).MatchString(page) != forgotten {
				t.Errorf("%s, forgotten: %v: %d\n%s", path, forgotten, status, page)
			}
		}
	}
}

// TestSectionsInMemory has a document have more sections than there is memory for a page of them.
func TestSectionsInMemory(t *testing.T) {
	o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{"a.md": text, "many.md": strings.Repeat("# a\n", 60_000)})
	for path, want := range map[string]int{"/read?path=many.md": http.StatusUnprocessableEntity, "/read?path=a.md": http.StatusOK, "/map": http.StatusOK, "/": http.StatusOK} {
		status, page := o.get(path)
		if status != want || len(page) > 100_000 || (status != http.StatusOK || path == "/map") != strings.Contains(page, "--max-memory") { // the map names what can't be read
			t.Errorf("%s: %d\n%.3000s", path, status, page)
		}
	}
}

// TestNotesInMemory has more be noted of what was read than there is memory for: the newest is told, and
// that the rest isn't.
func TestNotesInMemory(t *testing.T) {
	o := openWith(t, false, documents.Options{MaxMemory: documents.MinMaxMemory}, map[string]string{"a.md": text})
	o.agent("a.md", 0)
	line, err := json.Marshal(map[string]any{"time": time.Now().Add(-2 * time.Hour), "client": "another", "path": filepath.Join(o.root, "a.md"), "sections": []map[string]string{{"at": "h2.0", "hash": "0123456789abcdef"}}})
	if err != nil {
		t.Fatal(err)
	}
	notes := bytes.Repeat(append(line, '\n'), 4<<20/len(line))
	for ago := range 4 {
		name := time.Now().Add(-time.Duration(ago+2) * time.Hour).UTC().Format("2006010215")
		if err := os.WriteFile(filepath.Join(o.history.Dir(), "shown", name), notes, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"/", "/changes", "/read?path=a.md", "/map"} {
		status, page := o.get(path)
		if status != http.StatusOK || !strings.Contains(page, "Only a part is told of what was read before ") {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
		if path == "/changes" && (!strings.Contains(page, "an &lt;agent&gt;") || !strings.Contains(page, ">another<")) {
			t.Errorf("%s doesn't tell of the newest:\n%s", path, page)
		}
	}
}

// TestPicture shows images below the root, by what is in them; an SVG that is opened by itself may do
// nothing.
func TestPicture(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00"
	o := open(t, false, map[string]string{
		"a.md": "![x](p/a.png)", "p/a.png": png, "p/a.txt": png, "p/b.png": "<svg onload=alert(1)>", "p/c.gif": "GIF89a", "p/d.jpg": "\xff\xd8\xff\xe0", "p/e.webp": "RIFF\x00\x00\x00\x00WEBP",
		"p/s.svg": "\ufeff<?xml version='1.0'?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "p/bomb.svg": "<!DOCTYPE svg [<!ENTITY a \"&b;&b;\">]><svg/>", "p/html.svg": "<svgx><script>1</script>", "p/x.svg": "<html><svg/></html>", "p/large.svg": "<svg>" + strings.Repeat("<g/>", 600_000),
		".env": "SECRET=1", ".git/x.png": png, "p/f.avif": "\x00\x00\x00\x1cftypavif", "p/empty.png": "",
	})
	if err := os.WriteFile(filepath.Join(filepath.Dir(o.root), "out.png"), []byte(png), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink(filepath.Join("..", "..", "out.png"), filepath.Join(o.root, "p", "link.png")) // where the system has links
	for path, media := range map[string]string{
		"p/a.png": "image/png", "p/a.txt": "image/png", "p/c.gif": "image/gif", "p/d.jpg": "image/jpeg", "p/e.webp": "image/webp", "p/f.avif": "image/avif",
		filepath.Join(o.root, "p", "a.png"): "image/png",
		"p/b.png":                           "image/svg+xml", "p/s.svg": "image/svg+xml",
		"p/bomb.svg": "", "p/html.svg": "", "p/x.svg": "", "p/large.svg": "", "a.md": "", ".env": "", ".git/x.png": "", "../out.png": "", "p/link.png": "", "p": "", "": "", "gone.png": "", "p/empty.png": "", filepath.Join(o.root, "..", "out.png"): "",
	} {
		r, err := o.client.Get(o.base + "/picture?path=" + url.QueryEscape(path))
		if err != nil {
			t.Fatal(err)
		}
		status, _ := o.answer(r)
		if (status == http.StatusOK) != (media != "") || media != "" && r.Header.Get("Content-Type") != media {
			t.Errorf("%s: %d %s", path, status, r.Header.Get("Content-Type"))
		}
		if policy := r.Header.Get("Content-Security-Policy"); media == documents.SVG && policy != "default-src 'none'; sandbox; frame-ancestors 'none'" {
			t.Errorf("%s may do %q", path, policy)
		}
	}
}

// TestUndo takes a change back by the page's own form, and by no other.
func TestUndo(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text})
	o.change("a.md", "More", "Less")
	_, page := o.get("/changes")
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page)
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)
	if token == nil || id == nil {
		t.Fatalf("there is no form in %s", page)
	}
	for name, form := range map[string]url.Values{
		"no token": {"id": {id[1]}}, "another token": {"id": {id[1]}, "token": {token[1] + "a"}}, "no change": {"token": {token[1]}},
		"another change": {"token": {token[1]}, "id": {"aaaaaaaa"}},
	} {
		r, err := o.client.PostForm(o.base+"/undo", form)
		if err != nil {
			t.Fatal(err)
		}
		if status, text := o.answer(r); status < 400 || status == http.StatusInternalServerError {
			t.Errorf("%s: %d\n%s", name, status, text)
		}
	}
	if status, _ := o.get("/undo?id=" + id[1] + "&token=" + token[1]); status == http.StatusOK {
		t.Error("by an address alone it is undone")
	}
	if now, _ := os.ReadFile(filepath.Join(o.root, "a.md")); !strings.Contains(string(now), "Less") {
		t.Fatal("it is undone already")
	}
	r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {id[1]}, "token": {token[1]}})
	if err != nil {
		t.Fatal(err)
	}
	if status, page := o.answer(r); status != http.StatusOK || !strings.Contains(page, "is taken back") || !strings.Contains(page, "this page") {
		t.Errorf("%d\n%s", status, page)
	}
	if now, _ := os.ReadFile(filepath.Join(o.root, "a.md")); string(now) != text {
		t.Errorf("the document is\n%s", now)
	}
}

// TestRedo has the button of an undo make the change again, and that of a redo take it back again:
// each says which.
func TestRedo(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text})
	o.change("a.md", "More", "Less")
	form := regexp.MustCompile(`name="token" value="([^"]+)"><input type="hidden" name="id" value="([^"]+)"><button( class="strong")?>(\w+)`)
	tag := regexp.MustCompile(`<a class="tag" href="/change\?id=\w+">(\w+) of`)
	_, page := o.get("/changes")
	for _, want := range []struct{ button, tag, now string }{{"Undo", "undo", "More"}, {"Redo", "redo", "Less"}, {"Undo", "undo", "More"}, {"Redo", "redo", "Less"}} {
		found := form.FindStringSubmatch(page)
		if len(found) == 0 || found[4] != want.button {
			t.Fatalf("not %s: %q in\n%s", want.button, found, page)
		}
		if _, one := o.get("/change?id=" + found[2]); !strings.Contains(one, ">"+want.button+" this change<") {
			t.Errorf("not %s:\n%s", want.button, one)
		}
		if _, one := o.get("/read?path=a.md"); !strings.Contains(one, found[0]) {
			t.Errorf("not %s:\n%s", want.button, one)
		}
		r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {found[2]}, "token": {found[1]}})
		if err != nil {
			t.Fatal(err)
		}
		_, page = o.answer(r)
		if found := tag.FindStringSubmatch(page); len(found) == 0 || found[1] != want.tag {
			t.Errorf("not %s: %q in\n%s", want.tag, found, page)
		}
		if now, _ := os.ReadFile(filepath.Join(o.root, "a.md")); !strings.Contains(string(now), want.now) {
			t.Errorf("not %s: %s", want.now, now)
		}
		list, err := o.history.List(t.Context(), documents.Set{Workspace: o.options.Workspace}, undoing.ListRequest{Limit: 1})
		if err != nil || !strings.Contains(string(list.Text), " "+want.tag+" of ") {
			t.Errorf("not %s: %s, %v", want.tag, list.Text, err)
		}
	}
}

// TestUndoneAddress: an address that follows an undo tells of it as long as the change is taken back.
func TestUndoneAddress(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text})
	o.change("a.md", "More", "Less")
	_, page := o.get("/changes")
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)[1]
	docs := documents.Set{Workspace: o.options.Workspace}
	for _, undone := range []bool{false, true, false, true} {
		if _, page := o.get("/changes?undone=" + id); strings.Contains(page, "is taken back") != undone {
			t.Errorf("undone is %v, and the page\n%s", undone, page)
		}
		request := undoing.UndoRequest{ID: id}
		if undone {
			request = undoing.UndoRequest{Redo: true}
		}
		if _, err := o.history.Undo(t.Context(), docs, request); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUndoOfTheRest has a button for a change that is undone in part.
func TestUndoOfTheRest(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text, "b.md": text})
	ctx := o.history.For(t.Context(), documents.Reader{}, "replace", nil)
	paths := []string{filepath.Join(o.root, "a.md"), filepath.Join(o.root, "b.md")}
	err := files.Update(ctx, paths, files.UpdateOptions{}, func(tx *files.Tx) error {
		tx.Together()
		return errors.Join(tx.Write(paths[0], []byte("# New\n")), tx.Write(paths[1], []byte("# New\n")))
	})
	if err != nil {
		t.Fatal(err)
	}
	_, page := o.get("/changes")
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)
	if _, err := o.history.Undo(t.Context(), documents.Set{Workspace: o.options.Workspace}, undoing.UndoRequest{ID: id[1], Paths: []string{"a.md"}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/changes", "/change?id=" + id[1], "/read?path=b.md"} {
		if _, page := o.get(path); !strings.Contains(page, id[0]) || !strings.Contains(page, `<span class="tag">undone in part</span>`) {
			t.Errorf("%s has no button for the rest:\n%s", path, page)
		}
	}
}

// TestChangeOfManyFiles says of files that aren't listed where they are.
func TestChangeOfManyFiles(t *testing.T) {
	texts := map[string]string{}
	var paths []string
	for i := range 110 {
		texts[fmt.Sprintf("%03d.md", i)] = text
	}
	o := open(t, false, texts)
	for name := range texts {
		paths = append(paths, filepath.Join(o.root, name))
	}
	ctx := o.history.For(t.Context(), documents.Reader{}, "replace", nil)
	if err := files.Update(ctx, paths, files.UpdateOptions{}, func(tx *files.Tx) error {
		tx.Together()
		for _, path := range paths {
			if err := tx.Write(path, []byte("# New\n")); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, page := o.get("/changes")
	if _, page := o.get(regexp.MustCompile(`/change\?id=\w+`).FindString(page)); !strings.Contains(page, "and 10 more files</li></ul>\n<p class=\"quiet\">The difference has all of them.</p>") || strings.Count(page, "+++ b/")+strings.Count(page, "&#43;&#43;&#43; b/") != 110 {
		t.Errorf("%s", page)
	}
}

// TestTakenBackWithWarning has what is to be told of an undo stand on the page that follows.
func TestTakenBackWithWarning(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": "# A\n\n## Old\n", "b.md": "[b](a.md#new)\n"})
	o.change("a.md", "Old", "New")
	_, page := o.get("/changes")
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page)
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)
	r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {id[1]}, "token": {token[1]}})
	if err != nil {
		t.Fatal(err)
	}
	const warning = `<p class="note" role="status">1 link of other documents led to what is gone`
	if status, page := o.answer(r); status != http.StatusOK || r.Request.Method != http.MethodGet || !strings.Contains(page, "is taken back") || !strings.Contains(page, warning) {
		t.Errorf("%d, %s\n%s", status, r.Request.Method, page)
	}
	if _, page := o.get("/changes"); strings.Contains(page, warning) {
		t.Errorf("it is told of another page:\n%s", page)
	}
}

// TestNotTakenBack tells why a change stays, and leads on.
func TestNotTakenBack(t *testing.T) {
	o := open(t, true, map[string]string{"a.md": text, "sub/guide.md": "# B\n"})
	o.change("a.md", "More", "Less")
	_, page := o.get("/changes")
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page)
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(page)
	o.change("a.md", "Less", "Other")
	r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {id[1]}, "token": {token[1]}})
	if err != nil {
		t.Fatal(err)
	}
	status, page := o.answer(r)
	for _, part := range []string{"This was not taken back", `<span class="del">-Less`, `<span class="add">&#43;Other`, `href="/change?id=` + id[1] + `"`} {
		if status != http.StatusConflict || !strings.Contains(page, part) {
			t.Errorf("%d, not %q:\n%s", status, part, page)
		}
	}
	if _, page := o.get("/read?path=sub/guid.md"); !strings.Contains(page, `<a class="path" href="/read?path=sub%2Fguide.md">`) {
		t.Errorf("no document is offered in place of one that isn't there:\n%s", page)
	}
}

// TestEmpty shows a folder without documents.
func TestEmpty(t *testing.T) {
	o := open(t, false, map[string]string{"a.txt": "text"})
	for path, want := range map[string]string{"/": "no Markdown documents", "/map": "no documents to draw", "/changes": "as it happens", "/plan": "No plan yet"} {
		if status, page := o.get(path); status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
	}
}

// TestReadOnlyPage has no form, and takes none.
func TestReadOnlyPage(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": text})
	o.change("a.md", "More", "Less")
	for _, path := range []string{"/changes", "/read?path=a.md", "/"} {
		if _, page := o.get(path); strings.Contains(page, `method="post"`) {
			t.Errorf("%s has a form", path)
		}
	}
	r, err := o.client.PostForm(o.base+"/undo", url.Values{"id": {"aaaaaaaa"}, "token": {"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := o.answer(r); status != http.StatusForbidden {
		t.Errorf("%d", status)
	}
}

// TestEvents tells an open page of a change, of what an agent reads, and of what another program
// saves.
func TestEvents(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": text})
	r, err := o.client.Get(o.base + "/events?path=a.md")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	next := func() string {
		for lines.Scan() {
			if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				return event
			}
		}
		return fmt.Sprint("the end: ", lines.Err())
	}
	if event := next(); event != "begin" {
		t.Fatal(event)
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"a change", func() { o.change("a.md", "More", "Less") }},
		{"a read", func() { o.agent("a.md", 0) }},
		{"a save", func() {
			if err := os.WriteFile(filepath.Join(o.root, "a.md"), []byte("# Other\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		step.do()
		if event := next(); event != "change" {
			t.Errorf("%s: %s", step.name, event)
		}
	}
}

// TestManyEvents opens as many pages as are told what happens, and one more.
func TestManyEvents(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": text})
	status := func() (int, io.Closer) {
		r, err := o.client.Get(o.base + "/events")
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, r.Body
	}
	var pages []io.Closer
	for i := range 64 {
		code, page := status()
		if pages = append(pages, page); code != http.StatusOK {
			t.Fatalf("page %d has %d", i, code)
		}
	}
	code, page := status()
	if pages = append(pages, page); code != http.StatusServiceUnavailable {
		t.Errorf("one more has %d", code)
	}
	_ = pages[0].Close()
	for code != http.StatusOK && t.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
		code, page = status()
		pages = append(pages, page)
	}
	for _, page := range pages {
		_ = page.Close()
	}
}

// TestSquarified divides rectangles: each has its share, and all together are the whole.
func TestSquarified(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		sizes := make([]float64, 1+r.IntN(60))
		total := 0.0
		for i := range sizes {
			sizes[i] = float64(1 + r.IntN(1+r.IntN(5000)))
			total += sizes[i]
		}
		in := rectangle{float64(r.IntN(50)), float64(r.IntN(50)), 1 + 1000*r.Float64(), 1 + 1000*r.Float64()}
		list := squarified(sizes, in)
		for i, c := range list {
			share := in.area() * sizes[i] / total
			if diff := c.area() - share; diff > share/1000+1e-6 || diff < -share/1000-1e-6 {
				t.Fatalf("%v in %v: %v has the area %g, want %g", sizes, in, c, c.area(), share)
			}
			const e = 1e-6
			if c.X < in.X-e || c.Y < in.Y-e || c.X+c.W > in.X+in.W+e || c.Y+c.H > in.Y+in.H+e {
				t.Fatalf("%v is outside of %v", c, in)
			}
			for _, other := range list[:i] {
				if min(c.X+c.W, other.X+other.W)-max(c.X, other.X) > e && min(c.Y+c.H, other.Y+other.H)-max(c.Y, other.Y) > e {
					t.Fatalf("%v and %v are in the same place", c, other)
				}
			}
		}
	}
	if list := squarified(nil, rectangle{0, 0, 1, 1}); len(list) != 0 {
		t.Errorf("of nothing: %v", list)
	}
}

// TestTexts writes numbers and commands for people.
func TestTexts(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567"} {
		if got := count(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := command([]string{"edit", "a b.md", "", "it's"}); got != "sectile edit 'a b.md' '' 'it’s'" {
		t.Error(got)
	}
	if got := []int{percent(0, 5), percent(1, 1000), percent(1, 2), percent(5, 5), percent(1, 0)}; !slices.Equal(got, []int{0, 1, 50, 100, 0}) {
		t.Error(got)
	}
}

// TestUnread has pages name what can't be read, where they would say that there is nothing.
func TestUnread(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": "# A\n", "bad.md": "# findme\n\n[a](a.md)\n\x00"})
	for _, path := range []string{"/", "/map", "/totals", "/search?q=findme", "/links?path=a.md"} {
		if status, page := o.get(path); status != http.StatusOK || !strings.Contains(page, "1 document can’t be read") || !strings.Contains(page, "bad.md") {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
	}
	if _, page := o.get("/links?path=a.md"); !strings.Contains(page, "No other document that can be read links here") {
		t.Errorf("%s", page)
	}
	if err := os.Remove(filepath.Join(o.root, "bad.md")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/map", "/totals", "/search?q=findme", "/links?path=a.md"} {
		if status, page := o.get(path); status != http.StatusOK || strings.Contains(page, "can’t be read") {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
	}
}

// TestReplacedRoot has no page say that there is nothing in a folder that isn't looked into any more.
func TestReplacedRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder that is open there isn't renamed")
	}
	for _, more := range [][]string{nil, {"other"}} {
		o := openWith(t, false, documents.Options{Roots: more}, map[string]string{"a.md": "# A\n", "../other/b.md": "# B\n"})
		if err := errors.Join(os.Rename(o.root, o.root+".old"), os.Mkdir(o.root, 0o755)); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/", "/map", "/totals", "/changes", "/search?q=findme", "/folder?path="} {
			if status, page := o.get(path); !strings.Contains(page, "removed or replaced") || more != nil && path == "/" && !strings.Contains(page, "b.md") {
				t.Errorf("%s beside %v: %d\n%s", path, more, status, page)
			}
		}
	}
}

// TestManyChanges has pages say how many changes there are, and where lists of them end.
func TestManyChanges(t *testing.T) {
	o := open(t, false, map[string]string{"a.md": "# A\n\n0\n"})
	change := func(from, to int) {
		for i := from; i < to; i++ {
			o.change("a.md", fmt.Sprint("\n", i, "\n"), fmt.Sprint("\n", i+1, "\n"))
		}
	}
	check := func(path string, want, not string) {
		t.Helper()
		if status, page := o.get(path); status != http.StatusOK || !strings.Contains(page, want) || strings.Contains(page, not) {
			t.Errorf("%s: %d; want %q, and not %q:\n%s", path, status, want, not, page)
		}
	}
	change(0, maxFeed)
	check("/read?path=a.md", "8 changes in the last 24 hours", "The newest")
	change(maxFeed, maxRecent)
	check("/read?path=a.md", "<summary>200 changes in the last 24 hours", "more than")
	check("/read?path=a.md", "The newest 8 of them", "more than")
	check("/changes", "Changed", "Only the newest")
	change(maxRecent, maxRecent+1)
	check("/read?path=a.md", "<summary>more than 200 changes in the last 24 hours", "<summary>8")
	check("/changes", "Only the newest 200 are listed", "There is nothing")
}
