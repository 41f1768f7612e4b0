package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/sectile/sectile/internal/testkit"
)

// The page in a real browser, with real processes of the program: what people see and do.

// looked is a page that a browser has open.
type looked struct {
	testing.TB
	*shown

	ctx context.Context //nolint:containedctx // how the library names a tab
}

// needBrowser skips a test where there is no browser.
func needBrowser(t testing.TB) {
	t.Helper()
	if findBrowser() == "" {
		testkit.Missing(t, "there is no Chromium; install it: apt-get install --no-install-recommends chromium")
	}
}

// look shows files in a browser of its own; a test is skipped where there is none.
func look(t testing.TB, texts map[string]string) *looked {
	t.Helper()
	needBrowser(t)
	place := t.TempDir()
	root := filepath.Join(place, "root")
	for name, text := range texts {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return lookAt(t, place, root, "--view-writes")
}

// lookAt shows a folder in a browser of its own, by a program with flags.
func lookAt(t testing.TB, place, root string, flags ...string) *looked {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // lest what never comes is waited for without a word
	t.Cleanup(cancel)
	s, err := show(ctx, testkit.BuildProgram(t), place, root, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	tab, err := openBrowser(ctx, filepath.Join(place, "profile"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tab.close)
	l := &looked{t, s, tab.ctx}
	l.do(chromedp.Navigate(s.address), chromedp.WaitReady("main"))
	return l
}

// do runs steps, each of which must succeed.
func (l *looked) do(steps ...chromedp.Action[chromedp.Void]) {
	l.Helper()
	for i, step := range steps {
		if err := chromedp.Do(l.ctx, step); err != nil {
			l.Fatalf("step %d: %v", i+1, err)
		}
	}
}

// open opens an address of the page.
func (l *looked) open(path string) {
	l.Helper()
	l.do(chromedp.Navigate(l.base+path), chromedp.WaitReady("main"))
}

// ask returns what an expression in the page is.
func ask[T any](l *looked, expression string) T {
	l.Helper()
	v, err := chromedp.Run(l.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		l.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait returns when an expression in the page is true, however long that takes, and over pages
// that follow each other.
func (l *looked) wait(expression string) {
	l.Helper()
	for {
		is, err := chromedp.Run(l.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && is {
			return
		}
		if l.ctx.Err() != nil {
			l.Fatalf("%s: %v", expression, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// text is an expression for the text of the page.
const text = `document.querySelector("main").innerText`

const guide = "# Guide\n\nThe beginning.\n\n## Install\n\nPut the kettle on.\n\n### On Linux\n\nPour.\n\n## Use\n\nDrink, see [install](#install) and [more](more.md).\n"

// TestReading finds a section by search and reads it, with the keyboard alone.
func TestReading(t *testing.T) {
	l := look(t, map[string]string{"guide.md": guide, "more.md": "# More\n\n[back](guide.md#install)\n"})
	if names := ask[string](l, `[...document.querySelectorAll("nav#outline .title")].map(a => a.firstChild.textContent.trim()).join(" ")`); names != "guide.md more.md" {
		t.Errorf("the documents are %q", names)
	}
	l.do(chromedp.KeyEvent("/"))
	l.wait(`document.activeElement.id === "q"`)
	ask[string](l, `document.activeElement.value = ""`) // the driver sends the letter of a key that the page has taken
	l.do(chromedp.KeyEvent("kettle"))
	l.wait(`document.querySelectorAll(".hits a").length === 1 && location.search === "?q=kettle"`)
	if got := ask[string](l, `[...document.querySelectorAll(".hits mark")].map(m => m.innerText).join(" ")`); got != "kettle" {
		t.Errorf("marked as found: %q", got)
	}
	// The kind of search stays while one types on.
	l.do(chromedp.Click(`button[value="text"]`))
	l.wait(`location.search === "?q=kettle&match=text" && document.readyState === "complete"`) // its script listens
	l.do(chromedp.Click("#q"), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Backspace))
	l.wait(`location.search === "?q=kettl&match=text" && document.querySelectorAll(".hits a").length === 1`)
	l.do(chromedp.KeyEvent(kb.ArrowDown))
	l.wait(`document.activeElement.matches(".hits a")`)
	l.do(chromedp.KeyEvent(kb.Enter))
	l.wait(`location.pathname === "/read" && document.querySelector("article h2")`)
	for expression, want := range map[string]string{
		`document.querySelector("article h2").innerText`:                                         "Install",
		`document.querySelector(".crumbs").innerText.replace(/\s*\n\s*/g, " ")`:                  "root guide.md Guide Install",
		`document.querySelector("nav#outline li [aria-current] .title").textContent`:             "Install",
		`document.querySelector("nav#outline li .count").textContent.trim().replace(/\s.*/, "")`: "1–15",
		`document.querySelector(".around [rel=next]").innerText.split("\n").at(-1)`:              "Use",
	} {
		if got := ask[string](l, expression); got != want {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
	l.wait(`document.querySelector(".backlinks a.path")`)
	if got := ask[string](l, `document.querySelector(".backlinks a.path").innerText`); got != "more.md:3" {
		t.Errorf("links to it: %q", got)
	}
	if ask[bool](l, `document.querySelector("[data-copy]").hidden`) || ask[string](l, `document.querySelector("[data-copy]").dataset.copy`) != "guide.md ## Install" {
		t.Error("the address can't be copied")
	}
	l.open("/read?path=guide.md&source=1")
	if got := ask[string](l, `document.querySelector(".source").innerText`); !strings.Contains(got, "## Install") {
		t.Errorf("the source is %q", got)
	}
}

// TestWatching sees what other processes do without a reload, and takes one change back.
func TestWatching(t *testing.T) {
	l := look(t, map[string]string{"guide.md": guide})
	l.open("/read?path=guide.md")
	l.wait(`document.querySelector(".live").dataset.state === "on"`)
	ask[bool](l, `window.same = true`)

	agent, err := l.agent(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := call(t.Context(), agent, "read_file", map[string]any{"path": "guide.md", "heading": "## Use"}); err != nil {
		t.Fatal(err)
	}
	l.wait(`document.querySelectorAll("nav#outline .row .dot.shown").length === 1 && document.querySelector("article .shown").innerText === "Use"`)
	if err := call(t.Context(), agent, "edit_file", map[string]any{"path": "guide.md", "old_string": "Pour.", "new_string": "Pour slowly."}); err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	l.wait(text + `.includes("Pour slowly.") && document.querySelectorAll("nav#outline .row .dot.changed").length === 1`)
	if err := os.WriteFile(filepath.Join(l.root, "guide.md"), []byte(strings.Replace(guide, "Pour.", "Pour slowly.", 1)+"\nSaved by an editor.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l.wait(text + `.includes("Saved by an editor.")`)
	if !ask[bool](l, `window.same === true`) {
		t.Error("the page was loaded anew")
	}

	l.open("/changes")
	if got := ask[string](l, `[...document.querySelectorAll('[data-part="changes"] .sections a')].map(a => a.innerText).join(" ")`); got != "On Linux" {
		t.Errorf("the sections that were changed are %q", got)
	}
	if got := ask[string](l, `document.querySelector('[data-part="reads"]').innerText`); !strings.Contains(got, "1 section (changed since)") { // by the editor
		t.Errorf("what was read is %q", got)
	}
	l.do(chromedp.Click(`//a[text()="Difference"]`))
	l.wait(`document.querySelector(".diff .add")`)
	if got := ask[string](l, `document.querySelector(".diff .add").innerText.trim()`); got != "+Pour slowly." {
		t.Errorf("the difference is %q", got)
	}
	l.do(chromedp.Click("button.strong", chromedp.NodeVisible))
	l.wait(`location.pathname === "/changes" && ` + text + `.includes("is taken back")`)
	now, err := os.ReadFile(filepath.Join(l.root, "guide.md"))
	if err != nil || !strings.Contains(string(now), "Pour.\n") || !strings.Contains(string(now), "Saved by an editor.") {
		t.Errorf("the document is %q, %v", now, err)
	}
	l.open("/")
	for _, what := range []string{"Changed", "Read by agents"} {
		if got := ask[string](l, `[...document.querySelectorAll(".card")].find(c => c.querySelector("h2").innerText === "`+what+`").innerText`); !strings.Contains(got, agentName) {
			t.Errorf("who it was isn't told: %s", got)
		}
	}
	l.open("/map")
	if n := ask[int](l, `document.querySelectorAll("svg a rect.section").length`); n != 4 {
		t.Errorf("the map has %d sections", n)
	}
	l.open("/plan")
	l.wait(`document.querySelector(".live").dataset.state === "on"`)
	if out, err := l.command(t.Context(), "plan", "goal", "docs(kettle): say how it boils").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l.wait(text + `.includes("say how it boils")`)
}

// hostile is a document that tries what documents can try.
const hostile = `# <script>hacked = 1</script> <img src=x onerror="hacked=2">

<script>hacked = 3</script>

<img src="https://evil.example/a.png" onerror="hacked = 4"> ![x](https://evil.example/b.png) ![y](data:image/svg+xml,<svg/onload=hacked=5>)

[one](javascript:hacked=6) [two](JavaScript&colon;hacked=7) <javascript:hacked=8> [three](data:text/html,<script>hacked=9</script>)

<iframe src="javascript:hacked=10"></iframe> <svg onload=hacked=11> <style>body { display: none }</style> <meta http-equiv="refresh" content="0;url=https://evil.example">

<form id="q" action="https://evil.example"><input name="q"></form> <base href="https://evil.example/"> <link rel=stylesheet href=https://evil.example/a.css>

## q {#main onclick=hacked=12}

![](hostile.svg) [x](hostile.svg)

"><script>hacked = 13</script> [x](<"onmouseover="hacked=14>) [y](a "\" onload=\"hacked=15")
`

// hostileSVG is an image that tries what documents can try, and has a size that its style gives.
const hostileSVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="40" onload="hacked=16">
<script>hacked = 17; fetch("https://evil.example/a"); fetch("/events")</script>
<style>@import url("https://evil.example/a.css"); rect { fill: url("https://evil.example/a.svg#x") }</style>
<image href="https://evil.example/b.png"/><use xlink:href="https://evil.example/c.svg#x"/>
<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:hacked=18"/><form xmlns="http://www.w3.org/1999/xhtml" action="/undo" method="post"><input name="id"/></form></foreignObject>
<a href="javascript:hacked=19"><rect width="120" height="40" onclick="hacked=20"/></a><set attributeName="onmouseover" to="hacked=21"/>
</svg>
`

// TestHostile shows a hostile document on every page: nothing of it runs, and no request goes
// elsewhere.
func TestHostile(t *testing.T) {
	l := look(t, map[string]string{"hostile.md": hostile, "h<img src=x onerror=hacked=1>.md": hostile, "hostile.svg": hostileSVG})
	if out, err := l.command(t.Context(), "replace", "hostile.md", "hacked = 13", "hacked = 14").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	log, err := l.command(t.Context(), "log").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/read?path=hostile.md", "/read?path=hostile.md&source=1", "/search?q=hacked", "/search?q=%22%3E%3Cscript%3Ehacked%3D1%3C/script%3E&match=text", "/changes", "/map", "/change?id=" + string(log[:8]), "/read?path=%3Cscript%3Ehacked=1"} {
		l.open(path)
		// Whatever can be clicked is.
		ask[int](l, `(() => { let n = 0; for (const a of document.querySelectorAll("article a[href]")) { if (a.protocol !== "http:" || a.host === location.host) n++; a.addEventListener("click", e => { if (a.host !== location.host || a.protocol !== "http:") return; e.preventDefault(); }); a.click(); } return n })()`)
		for expression, what := range map[string]string{
			`typeof hacked !== "undefined"`: "something has run",
			`performance.getEntriesByType("resource").some(e => !e.name.startsWith(location.origin))`:                               "something was asked of another host",
			`location.host !== new URL(document.baseURI).host || !document.querySelector("main").offsetHeight`:                      "the page isn't what it was",
			`document.querySelectorAll("iframe, base, style, meta[http-equiv], main script, article form, article svg").length > 0`: "an element of the document is in the page",
			`document.getElementById("q").tagName !== "INPUT" || document.getElementById("main").tagName !== "MAIN"`:                "a name of the page is taken",
		} {
			if ask[bool](l, expression) {
				t.Errorf("%s: %s", path, what)
			}
		}
	}
}

// TestHostileImage shows an SVG as an image, and opens it by itself: nothing in it runs, and no
// request goes anywhere.
func TestHostileImage(t *testing.T) {
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	here := func(text string) string { return strings.ReplaceAll(text, "https://evil.example", elsewhere.URL) }
	l := look(t, map[string]string{"hostile.md": here(hostile), "hostile.svg": here(hostileSVG)})
	l.open("/read?path=hostile.md")
	l.wait(`[...document.images].every(i => i.complete)`)
	if width := ask[int](l, `document.querySelector('img[src$="hostile.svg"]').naturalWidth`); width != 120 {
		t.Errorf("the image is %d pixels wide", width)
	}
	if ask[bool](l, `typeof hacked !== "undefined"`) {
		t.Error("on the page something has run")
	}
	l.do(chromedp.Navigate(l.base + "/picture?path=hostile.svg"))
	l.wait(`document.readyState === "complete" && document.documentElement.tagName === "svg"`)
	ask[bool](l, `document.querySelector("rect").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	if ask[bool](l, `typeof hacked !== "undefined"`) {
		t.Error("by itself something has run")
	}
	if origin := ask[string](l, `self.origin`); origin != "null" {
		t.Errorf("its origin is %s", origin)
	}
	l.open("/") // what was asked for has come by then
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests have gone elsewhere", n)
	}
}

// TestLooks opens every page narrow and wide, light and dark: nothing is wider than the window,
// and axe finds nothing serious.
func TestLooks(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		testkit.Missing(t, "there is no axe-core; install it: npm ci --prefix dev/browser")
	}
	wide := "\n| a | b |\n|---|---|\n| " + strings.Repeat("word ", 30) + " | " + strings.Repeat("long", 60) + " |\n\n```sh\n" + strings.Repeat("code ", 60) + "\n```\n\n- [ ] open\n- [x] done\n\n> quoted[^1]\n\n[^1]: Note.\n"
	l := look(t, map[string]string{"guide.md": guide + wide, "sub/" + strings.Repeat("long-name-", 12) + ".md": guide})
	if out, err := l.command(t.Context(), "replace", "guide.md", "Pour.", "Pour slowly.").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	log, err := l.command(t.Context(), "log").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/read?path=guide.md", "/read?path=guide.md&at=%23use&source=1", "/search?q=drink", "/changes", "/change?id=" + string(log[:8]), "/map", "/plan", "/links?path=guide.md", "/read?path=gone.md"} {
		for _, width := range []int{320, 1280} {
			dark := width == 320
			l.do(sized(width, 800, dark))
			l.open(path)
			if wide := ask[int](l, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: %d pixels at a width of %d", path, wide, width)
			}
			// axe is put in by the driver, which the policy of the page doesn't bind.
			if _, err := chromedp.Run(l.ctx, chromedp.Evaluate[chromedp.Void](string(axe))); err != nil {
				t.Fatal(err)
			}
			found := ask[string](l, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => ({id: v.id, nodes: v.nodes.slice(0, 3).map(n => n.html + " " + n.failureSummary)}))))`)
			var violations []any
			if err := json.Unmarshal([]byte(found), &violations); err != nil || len(violations) > 0 {
				t.Errorf("%s at %d, dark %v: %s (%v)", path, width, dark, found, err)
			}
		}
	}
}

// tenThousand are 10,000 documents in 40 folders.
func tenThousand() map[string]string {
	texts := map[string]string{}
	for i := range 10_000 {
		texts[fmt.Sprintf("area%02d/part%d/document-%05d.md", i%40, i%7, i)] = strings.Replace(guide, "Guide", fmt.Sprint("Guide ", i), 1)
	}
	return texts
}

// TestTenThousand opens 10,000 documents and a folder of them: their outline is whole. What the page
// costs is counted, for a time says how busy the machine is; BenchmarkTenThousand has that.
func TestTenThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 10,000 documents")
	}
	l := look(t, tenThousand())
	const shown = `document.querySelectorAll("nav#outline a.row[href^='/read']").length`
	l.open("/")
	if bytes := ask[int](l, `performance.getEntriesByType("navigation")[0].decodedBodySize`); bytes > 40_000 {
		t.Errorf("the page has %d bytes", bytes)
	}
	if folders, documents := ask[int](l, `document.querySelectorAll("nav#outline details").length`), ask[int](l, shown); folders != 40 || documents != 0 {
		t.Errorf("%d folders, %d documents", folders, documents)
	}
	l.wait(`document.querySelector(".totals").innerText.includes("10\u202f000 documents, 40\u202f000 sections")`)

	// A folder is opened with the keyboard; what an agent reads in it appears, and it stays open.
	ask[bool](l, `document.querySelectorAll("nav#outline summary")[3].focus(), window.same = true`)
	l.do(chromedp.KeyEvent(kb.Enter))
	l.wait(shown + ` === 250`)
	agent, err := l.agent(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := call(t.Context(), agent, "read_file", map[string]any{"path": "area03/part3/document-00003.md"}); err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	l.wait(`document.querySelectorAll("nav#outline a .dot.shown").length === 1 && ` + shown + ` === 250`)
	if !ask[bool](l, `window.same && document.activeElement === document.querySelectorAll("nav#outline summary")[3]`) {
		t.Error("the page was loaded anew, or who uses the keyboard has lost the place")
	}
	asked := ask[int](l, `performance.getEntriesByType("resource").filter(e => e.name.includes("/folder")).length`)
	if asked < 2 || asked > 12 {
		t.Errorf("folders were asked for %d times", asked)
	}
}

// BenchmarkTenThousand opens the page of 10,000 documents in turn with one that has the same bytes,
// style and script and that net/http serves from memory: what is more than that, finding all
// documents costs. The times are those of the browser, from asking for the page to its being laid
// out, in milliseconds; the middle one of all.
func BenchmarkTenThousand(b *testing.B) {
	l := look(b, tenThousand())
	files := map[string][]byte{}
	for _, path := range []string{"/", "/static/style.css", "/static/page.js", "/static/icon.svg"} {
		files[path] = []byte(ask[string](l, `fetch("`+path+`").then(r => r.text())`))
	}
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if files[r.URL.Path] == nil {
			w.WriteHeader(http.StatusNoContent) // events, and what is counted later
			return
		}
		http.ServeContent(w, r, cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html"), time.Time{}, bytes.NewReader(files[r.URL.Path]))
	}))
	defer plain.Close()
	times := map[string][]float64{}
	load := func(of, address string) {
		l.do(chromedp.Navigate(address), chromedp.WaitReady("main"))
		times[of] = append(times[of], ask[float64](l, `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`))
	}
	for b.Loop() {
		load("page", l.base+"/")
		l.wait(`document.querySelector(".totals").innerText.includes("10\u202f000 documents, 40\u202f000 sections")`) // else the next one waits for it
		load("file", plain.URL)
	}
	for of, list := range times {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], of+"-ms")
	}
	b.ReportMetric(times["page"][b.N/2]/times["file"][b.N/2], "page/file")
}
