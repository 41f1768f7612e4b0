package viewing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/viewing"
	"github.com/sectile/sectile/markdown"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunInMemory(m.Run)) }

// pages are addresses that can be told apart in HTML.
var pages = viewing.Pages{
	Read:    func(path, at string) string { return "/read?" + path + at },
	Picture: func(path string) string { return "/picture?" + path },
}

// workspace returns the documents of a server with these files.
func workspace(t testing.TB, texts map[string]string) documents.Set {
	t.Helper()
	return workspaceIn(t, markdown.GitHub, texts)
}

// workspaceIn is workspace in a dialect.
func workspaceIn(t testing.TB, dialect markdown.Dialect, texts map[string]string) documents.Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}, Dialect: dialect})
	if err != nil {
		t.Fatal(err)
	}
	work := w.Begin(t.Context(), nil)
	t.Cleanup(func() {
		work.End()
		_ = w.Close()
	})
	return documents.Set{Workspace: w, Work: work}
}

// hashes returns the hashes of the sections of a text with these indexes.
func hashes(t *testing.T, text string, sections ...int) map[string]time.Time {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]time.Time{}
	for _, i := range sections {
		m[doc.BodyHash(i)] = time.Now()
	}
	return m
}

// stored is a text as a document held it before.
func stored(text string) documents.Stored {
	return documents.Stored{Size: int64(len(text)), Load: func() ([]byte, error) { return []byte(text), nil }}
}

const guide = `# Guide

One two.

## Install

Three four five.

### On Linux

Six.

## Use

Seven.
`

// TestSurvey lists documents by folder, with what was read and changed.
func TestSurvey(t *testing.T) {
	docs := workspace(t, map[string]string{"z.md": guide, "a/b.md": "text\n", "a.md": "# A\n", "bad.md": "# A\n\x00"})
	before := strings.Replace(guide, "Six", "Old", 1)
	names, _, err := viewing.Names(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	list, err := viewing.Survey(t.Context(), docs, names, true, func(path string) viewing.Lately {
		if path != "z.md" {
			return viewing.Lately{}
		}
		held, err := viewing.Hashes(docs.Work, stored(before), new(documents.Taken))
		if err != nil {
			t.Error(err)
		}
		return viewing.Lately{Hashes: hashes(t, guide, 0, 3), Before: held}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, fmt.Sprintf("%s %s %d %d %v %v", d.Path, d.Name(), d.Lines, d.Words, d.Units, d.Problem != ""))
		for _, s := range d.Sections {
			got = append(got, fmt.Sprintf("  %d %d %s %s %d-%d %d/%d shown %v changed %v", s.Level, s.Depth, s.Title, s.At, s.First, s.Last, s.OwnWords, s.Words, s.Shown, s.Changed))
		}
	}
	want := []string{
		"a.md a.md 1 2 {1 0 0} false", "  1 0 A #a 1-1 2/2 shown false changed false",
		"bad.md bad.md 0 0 {0 0 0} true",
		"z.md z.md 15 19 {4 2 1} false",
		"  1 0 Guide #guide 1-15 4/19 shown true changed false",
		"  2 1 Install #install 5-12 5/10 shown false changed false",
		"  3 2 On Linux #on-linux 9-12 5/5 shown false changed true",
		"  2 1 Use #use 13-15 5/5 shown true changed false",
		"a/b.md b.md 1 1 {1 0 0} false",
	}
	for i := range got { // words are counted elsewhere
		got[i] = regexp.MustCompile(`(-\d+) \d+/\d+|( \d+) \d+ \{`).ReplaceAllString(got[i], "$1$2 {")
	}
	for i := range want {
		want[i] = regexp.MustCompile(`(-\d+) \d+/\d+|( \d+) \d+ \{`).ReplaceAllString(want[i], "$1$2 {")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := list[2]; d.Words != d.Sections[0].Words || d.Words == 0 || d.Sections[1].Words != d.Sections[1].OwnWords+d.Sections[2].OwnWords {
		t.Errorf("the words of %s: %d, %v", d.Path, d.Words, d.Sections)
	}
}

// TestTouched tells which sections a change has touched, and which have hashes.
func TestTouched(t *testing.T) {
	docs := workspace(t, map[string]string{"z.md": guide})
	told := func(list []viewing.Touched) (all string) {
		for _, s := range list {
			all += strings.TrimSpace(fmt.Sprint(s.What, " ", s.At, " ", s.Title)) + "\n"
		}
		return all
	}
	for name, c := range map[string]struct{ path, before, after, want string }{
		"text":            {"z.md", strings.Replace(guide, "Six", "Old", 1), guide, "changed #on-linux On Linux\n"},
		"nothing":         {"z.md", guide, guide, ""},
		"a new section":   {"z.md", "# A\n\nx\n", "# A\n\nx\n\n## B\n", "new #b B\n"},
		"a section less":  {"z.md", "# A\n\n## B\n", "# A\n\n", "removed  B\n"},
		"before headings": {"z.md", "x\n\n# A\n", "y\n\n# A\n", "changed @preamble before the first heading\n"},
		"no headings":     {"z.md", "x\n", "y\n", ""},
		"no document":     {"z.go", "a", "b", ""},
		"too long":        {"z.md", "a", strings.Repeat("a\n", 1<<20), ""},
		"too many":        {"z.md", "a", strings.Repeat("# a\n", 10_001), ""},
	} {
		list, err := viewing.Changes(docs.Work, c.path, stored(c.before), stored(c.after))
		if got := told(list); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	some := map[string]bool{}
	for hash := range hashes(t, guide, 1, 3) {
		some[hash] = true
	}
	list, all, err := viewing.Which(t.Context(), docs, "z.md", some)
	if got := told(list); err != nil || all || got != "#install Install\n#use Use\n" {
		t.Errorf("%q, %v, %v", got, all, err)
	}
	for hash := range hashes(t, guide, 0, 2) {
		some[hash] = true
	}
	if list, all, err := viewing.Which(t.Context(), docs, "z.md", some); err != nil || !all || len(list) != 4 {
		t.Errorf("%v, %v, %v", list, all, err)
	}
	if _, _, err := viewing.Which(t.Context(), docs, "gone.md", some); err == nil {
		t.Error("a document that isn't there has sections")
	}
}

// read returns a page.
func read(t testing.TB, docs documents.Set, req viewing.SectionRequest) *viewing.Page {
	t.Helper()
	req.Pages = pages
	p, err := viewing.Read(context.Background(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// html returns what is shown at once.
func html(p *viewing.Page) string { return strings.Join(p.HTML, "") }

// TestRead shows a section with what is around it.
func TestRead(t *testing.T) {
	docs := workspace(t, map[string]string{"a.md": guide})
	p := read(t, docs, viewing.SectionRequest{Path: "a.md", At: "#install", Source: 1, Lately: viewing.Lately{Hashes: hashes(t, guide, 2)}})
	if p.Section == nil || p.Section.Title != "Install" || len(p.Crumbs) != 1 || p.Crumbs[0].Title != "Guide" || p.First != 5 || p.Last != 12 || p.Cut ||
		p.Address != "a.md ## Install" || p.Previous.Title != "Guide" || p.Next.Title != "Use" || p.Title != "Guide" || len(p.Source) != 8 || p.Source[0].Text != "## Install" {
		t.Errorf("%+v", p)
	}
	want := "<h2 id=\"s-install\" class=\"heading\">Install</h2>\n<p>Three four five.</p>\n<h3 id=\"s-on-linux\" class=\"heading shown\">On Linux</h3>\n<p>Six.</p>\n"
	if diff := cmp.Diff(want, html(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var current []bool
	for _, s := range p.Outline {
		current = append(current, s.Current)
	}
	if !slices.Equal(current, []bool{false, true, true, false}) || !p.Outline[0].Open || p.Outline[1].Open {
		t.Errorf("what is current: %v", current)
	}
	for at, title := range map[string]string{"L10": "On Linux", "h2.1": "Use", "Guide > Install > On Linux": "On Linux", "## Use": "Use", "#use": "Use", "h3.0/para.0": "On Linux", "L2": "Guide"} {
		if p := read(t, docs, viewing.SectionRequest{Path: "a.md", At: at}); p.Section == nil || p.Section.Title != title {
			t.Errorf("%s: %+v", at, p.Section)
		}
	}
	for _, at := range []string{"", "@document"} {
		if p := read(t, docs, viewing.SectionRequest{Path: "a.md", At: at}); p.Section != nil || p.Last != 15 || p.Next.Title != "Guide" {
			t.Errorf("%q: %+v", at, p)
		}
	}
	for _, req := range []viewing.SectionRequest{{Path: "b.md"}, {Path: "../a.md"}, {Path: "a.md", At: "## None"}, {Path: "."}, {}} {
		if _, err := viewing.Read(t.Context(), docs, req); replies.AsError(err) == nil || err == nil {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestReadLong leaves subsections out of what is too long.
func TestReadLong(t *testing.T) {
	long := strings.Repeat("A line of a long document.\n", 12_000)
	docs := workspace(t, map[string]string{
		"long.md": "before\n\n# One\n\nown\n\n## Two\n\n" + long + "\n## Three\n\nend\n", "flat.md": strings.Repeat(long, 14), "empty.md": "",
	})
	p := read(t, docs, viewing.SectionRequest{Path: "long.md"})
	if !p.Cut || html(p) != "<p>before</p>\n" || p.Last != 2 {
		t.Errorf("the document: cut %v, to line %d, %d bytes", p.Cut, p.Last, len(html(p)))
	}
	p = read(t, docs, viewing.SectionRequest{Path: "long.md", At: "#one"})
	if !p.Cut || strings.Contains(html(p), "Two") || !strings.Contains(html(p), "own") {
		t.Errorf("a section: cut %v, %d bytes", p.Cut, len(html(p)))
	}
	if p = read(t, docs, viewing.SectionRequest{Path: "long.md", At: "#two"}); p.Cut || len(html(p)) < len(long) {
		t.Errorf("a section without others: cut %v, %d bytes", p.Cut, len(html(p)))
	}
	if _, err := viewing.Read(t.Context(), docs, viewing.SectionRequest{Path: "flat.md", Pages: pages}); err == nil || replies.AsError(err).Code != replies.CodeTooComplex {
		t.Errorf("a document without headings: %v", err)
	}
	if p = read(t, docs, viewing.SectionRequest{Path: "empty.md"}); len(html(p)) > 0 || p.Section != nil || p.Title != "empty.md" {
		t.Errorf("an empty document: %+v", p)
	}
}

// TestLeads shows where links and images lead.
func TestLeads(t *testing.T) {
	docs := workspace(t, map[string]string{"docs/b.md": "", "docs/sub/README.md": "# R\n", "a.md": "", "LICENSE": "text"})
	for src, want := range map[string]string{
		"[x](b.md)":                        `<a href="/read?docs/b.md">x</a>`,
		"[x](b.md#install)":                `<a href="/read?docs/b.md#install">x</a>`,
		"[x](#here)":                       `<a href="/read?docs/a.md#here">x</a>`,
		"[x](../a.md)":                     `<a href="/read?a.md">x</a>`,
		"[x](sub/)":                        `<a href="/read?docs/sub/README.md">x</a>`,
		"[x](../LICENSE)":                  `<a>x</a>`,
		"[x](gone.md)":                     `<a>x</a>`,
		"[x](../../../etc/passwd.md)":      `<a>x</a>`,
		"[x](/etc/passwd)":                 `<a>x</a>`,
		"[x](https://example.org/?a&b)":    `<a href="https://example.org/?a&amp;b">x</a>`,
		"[x](HTTPS://example.org)":         `<a href="HTTPS://example.org">x</a>`,
		"[x](http:a)":                      `<a>x</a>`,
		"[x](mailto:a@example.org)":        `<a href="mailto:a@example.org">x</a>`,
		"[x](javascript:alert)":            `<a>x</a>`,
		"[x](//evil.example)":              `<a>x</a>`,
		"[x](vscode://file/etc)":           `<a>x</a>`,
		"![x](c.png)":                      `<img src="/picture?docs/c.png" alt="x" />`,
		"![x](../c.png)":                   `<img src="/picture?c.png" alt="x" />`,
		"![x](https://evil.example/a.png)": `<span class="image">x</span>`,
		"![x](data:image/svg+xml,a)":       `<span class="image">x</span>`,
		"<b onclick=alert(1)>x</b>":        `&lt;b onclick=alert(1)&gt;x&lt;/b&gt;`,
		"[![x](c.png)](b.md)":              `<a href="/read?docs/b.md"><img src="/picture?docs/c.png" alt="x" /></a>`,
		"[x]\n\n[x]: b.md 't'":             `<a href="/read?docs/b.md" title="t">x</a>`,
	} {
		set := docs
		if err := os.WriteFile(filepath.Join(docs.Workspace.Roots()[0], "docs", "a.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		p := read(t, set, viewing.SectionRequest{Path: "docs/a.md"})
		got := strings.TrimSuffix(strings.TrimPrefix(html(p), "<p>"), "</p>\n")
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

// TestLeadsOfRoots shows where links and images lead in a document of the second of two roots: to what
// lies beside it, whatever the first one has by these paths.
func TestLeadsOfRoots(t *testing.T) {
	place := t.TempDir()
	if whole, err := filepath.EvalSymlinks(place); err == nil {
		place = whole
	}
	first, second := filepath.Join(place, "first"), filepath.Join(place, "second")
	for _, name := range []string{"first/b.md", "first/one.md", "second/b.md", "second/c.md", "second/sub/e.md", "second/p/a.png"} {
		full := filepath.Join(place, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte("# B\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{first, second}, Dialect: markdown.Obsidian})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for src, want := range map[string]string{
		"[x](../b.md)":      `<a href="/read?SECOND/b.md">x</a>`,
		"[x](../c.md#b)":    `<a href="/read?c.md#b">x</a>`,
		"[x](/c.md)":        `<a href="/read?c.md">x</a>`,
		"[x](#b)":           `<a href="/read?sub/e.md#b">x</a>`,
		"[x](../one.md)":    `<a>x</a>`,
		"[x](/one.md)":      `<a>x</a>`,
		"![x](../p/a.png)":  `<img src="/picture?SECOND/p/a.png" alt="x" />`,
		"![x](/p/a.png)":    `<img src="/picture?SECOND/p/a.png" alt="x" />`,
		"![x](../../a.png)": `<span class="image">x</span>`,
		"[x](../../f/b.md)": `<a>x</a>`,
		"[[c]]":             `<a href="/read?c.md">c</a>`,
		"[[sub/e]]":         `<a href="/read?sub/e.md">sub/e</a>`,
	} {
		if err := os.WriteFile(filepath.Join(second, "sub", "e.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		p := read(t, documents.Set{Workspace: w}, viewing.SectionRequest{Path: "sub/e.md"})
		got := strings.TrimSuffix(strings.TrimPrefix(html(p), "<p>"), "</p>\n")
		if want = strings.ReplaceAll(want, "SECOND", filepath.ToSlash(second)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
}

// TestLeadsOfProjects shows where links and images lead that begin with '/': below what the project around
// the document's root says, be it around the roots or that of another one.
func TestLeadsOfProjects(t *testing.T) {
	place := testkit.Folder(t, map[string]string{
		"p/.sectile.yaml": "links: {root: site}", "p/a.md": "", "p/c.md": "", "p/p.png": "",
		"q/.sectile.yaml": "links: {root: docs}", "q/docs/sub/e.md": "[x](/c.md) ![x](/p.png)", "q/docs/c.md": "", "q/docs/p.png": "", "q/c.md": "", "q/p.png": "", "q/docs/sub/c.md": "",
	})
	for _, c := range []struct {
		roots  []string
		c, png string // as they are called
	}{
		{[]string{"q"}, "docs/c.md", "docs/p.png"},
		{[]string{"q/docs"}, "c.md", "p.png"},
		{[]string{"p", "q"}, "docs/c.md", "DOCS/p.png"},
		{[]string{"q/docs", "."}, "c.md", "DOCS/p.png"},
		{[]string{"q/docs/sub", "q/docs"}, "DOCS/c.md", "DOCS/p.png"},
		{[]string{"q/docs/sub"}, "", ""},
	} {
		var roots []string
		for _, root := range c.roots {
			roots = append(roots, filepath.Join(place, filepath.FromSlash(root)))
		}
		w, err := documents.OpenWorkspace(documents.Options{Roots: roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		p := read(t, documents.Set{Workspace: w}, viewing.SectionRequest{Path: filepath.Join(place, "q", "docs", "sub", "e.md")})
		want := `<p><a>x</a> <span class="image">x</span></p>` + "\n"
		if c.c != "" {
			want = `<p><a href="/read?` + c.c + `">x</a> <img src="/picture?` + c.png + `" alt="x" /></p>` + "\n"
		}
		if want = strings.ReplaceAll(want, "DOCS", filepath.ToSlash(filepath.Join(place, "q", "docs"))); html(p) != want {
			t.Errorf("server in %v\ngot  %s\nwant %s", c.roots, html(p), want)
		}
	}
}

// TestWikiLeads shows where wiki links lead, in the dialect that has them.
func TestWikiLeads(t *testing.T) {
	docs := workspaceIn(t, markdown.Obsidian, map[string]string{"Home.md": "", "notes/Guide.md": "# Guide\n\n## On Linux\n", "a/Two.md": "", "b/Two.md": "", "pic.png": ""})
	for src, want := range map[string]string{
		"[[Guide]]":                      `<a href="/read?notes/Guide.md">Guide</a>`,
		"[[guide#On Linux|the text]]":    `<a href="/read?notes/Guide.mdOn%20Linux">the text</a>`,
		"[[notes/Guide#Guide#On Linux]]": `<a href="/read?notes/Guide.mdGuide%20%3E%20On%20Linux">notes/Guide#Guide#On Linux</a>`,
		"[[Guide#^block]]":               `<a href="/read?notes/Guide.md">Guide#^block</a>`,
		"[[#Here]]":                      `<a href="/read?Home.mdHere">#Here</a>`,
		"![[Guide]]":                     `<a href="/read?notes/Guide.md">Guide</a>`,
		"[[Nowhere]]":                    `<a>Nowhere</a>`,
		"[[Two]]":                        `<a>Two</a>`,
		"[[pic.png]]":                    `<a>pic.png</a>`,
		"[[../../etc/passwd]]":           `<a>../../etc/passwd</a>`,
		"[[javascript:alert(1)]]":        `<a>javascript:alert(1)</a>`,
		"[x](notes/Guide.md)":            `<a href="/read?notes/Guide.md">x</a>`,
	} {
		if err := os.WriteFile(filepath.Join(docs.Workspace.Roots()[0], "Home.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		p := read(t, docs, viewing.SectionRequest{Path: "Home.md"})
		got := strings.TrimSuffix(strings.TrimPrefix(html(p), "<p>"), "</p>\n")
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", src, got, want)
		}
	}
	for _, at := range []string{"On Linux", "Guide > On Linux"} {
		if p := read(t, docs, viewing.SectionRequest{Path: "notes/Guide.md", At: at}); p.Section == nil || p.Section.Title != "On Linux" {
			t.Errorf("%s: %+v", at, p.Section)
		}
	}
}

// What HTML may hold that is made of a document.
var (
	tags    = regexp.MustCompile(`<(/?[a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*/?>`)
	name    = regexp.MustCompile(`([a-zA-Z-]+)(?:="([^"]*)")?`)
	allowed = strings.Fields("a p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del br hr img table thead tbody tr th td input span sup section")
	// What elements of a document are known by, and nothing of the page's own.
	ownID    = regexp.MustCompile(`^(?:s[-.]|fn-\d|fnref-\d)`)
	ownClass = regexp.MustCompile(`^(?:language-[^ \t\n\v\f\r]+|footnote-(?:ref|backref)|heading(?: shown)?(?: changed)?|footnotes|image|raw)$`)
	address  = regexp.MustCompile(`^(?:/read\?|/picture\?|(?i:https?|mailto):|#fn)`)
)

// judge says what in HTML of a document isn't allowed, "" for nothing.
func judge(html string) string {
	ids := map[string]bool{}
	rest := tags.ReplaceAllStringFunc(html, func(tag string) string {
		m := tags.FindStringSubmatch(tag)
		if !slices.Contains(allowed, strings.TrimPrefix(m[1], "/")) {
			return "<" + m[1]
		}
		for _, a := range name.FindAllStringSubmatch(m[2], -1) {
			switch a[1] {
			case "href", "src":
				if !address.MatchString(a[2]) && a[2] != "" {
					return "<" + a[0]
				}
			case "id":
				if ids[a[2]] || !ownID.MatchString(a[2]) {
					return "<" + a[0]
				}
				ids[a[2]] = true
			case "class":
				if !ownClass.MatchString(a[2]) {
					return "<" + a[0]
				}
			case "width":
				if !regexp.MustCompile(`^[0-9A-Za-z%]{1,6}$`).MatchString(a[2]) {
					return "<" + a[0]
				}
			case "title", "alt", "start", "align", "checked", "disabled", "type", "data-footnotes", "data-footnote-ref", "data-footnote-backref", "aria-label", "tabindex":
			default:
				return "<" + a[0]
			}
		}
		return ""
	})
	if i := strings.IndexByte(rest, '<'); i >= 0 {
		return rest[i:min(len(rest), i+80)]
	}
	return ""
}

// TestHeadingIDs: an id is that of one heading, also where an anchor reads like a selector.
func TestHeadingIDs(t *testing.T) {
	docs := workspaceIn(t, markdown.MkDocs, map[string]string{"a.md": "# a {#x}\n# b {#x}\n# c {#h1.1}\n"})
	work := docs.Workspace.Begin(t.Context(), nil)
	defer work.End()
	got := html(read(t, documents.Set{Workspace: docs.Workspace, Work: work}, viewing.SectionRequest{Path: "a.md", Pages: pages}))
	if wrong := judge(got); wrong != "" || strings.Count(got, " id=") != 3 {
		t.Errorf("%s\nin %s", wrong, got)
	}
}

// FuzzHTML shows any document: what a browser is given has no element, attribute or address
// that a document could run something by, or load something from elsewhere with.
func FuzzHTML(f *testing.F) {
	for _, input := range testkit.HostileInputs() {
		f.Add(string(input.Make(1_000)))
	}
	f.Add(guide)
	f.Add("# \"><script>alert(1)</script> {#x onclick=alert(1)}\n\n[^\"]: x\n\n[a](<java\nscript:alert(1)> \"\\\" onload=x\") ![](a\"b) <img src=x onerror=alert(1)>\n")
	f.Add("```x&#32;unseen\n```\n\n~~~ x&NewLine;bar\n~~~\n\n[^q] [^q] [^q-2] [^\"] [^%22]\n\n[^q]: a\n[^q-2]: b\n[^\"]: c\n[^%22]: d\n")
	f.Add("[[a]] [[#x|<b>]] ![[a\"onclick=x]] [[javascript:alert(1)]] [[//evil]] [[a#\"><script>]]\n")
	f.Add("<p align=center>\n<img src=\"a.png\" alt=\"&quot;onload=x\" width='9' title=\"<b>\">\n<img src=javascript:x></p>\n\nx <img src=//evil/a.png alt=\"\"> <img src='a\"b' width=\"9\">\n")
	f.Add("<svg onload=alert(1)>\n\n<a href=\"javascript:x\">\n\n``` \"onclick=x\nx\n```\n\n| a |\n|:-:|\n| <b> |\n")
	docs := workspaceIn(f, markdown.Obsidian, map[string]string{"a.md": ""})
	file := filepath.Join(docs.Workspace.Roots()[0], "a.md")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 64<<10 || strings.Contains(src, "\x00") {
			t.Skip()
		}
		if err := os.WriteFile(file, []byte(strings.ToValidUTF8(src, "?")), 0o644); err != nil {
			t.Fatal(err)
		}
		work := docs.Workspace.Begin(t.Context(), nil)
		defer work.End()
		p, err := viewing.Read(t.Context(), documents.Set{Workspace: docs.Workspace, Work: work}, viewing.SectionRequest{Path: "a.md", Pages: pages})
		if err != nil {
			t.Fatal(err)
		}
		if wrong := judge(html(p)); wrong != "" {
			t.Errorf("of %q\nthe page has %q\nin %s", src, wrong, html(p))
		}
	})
}
