package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// safe returns the document as HTML, without what runs code.
func safe(t testing.TB, src string) string {
	t.Helper()
	d, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return string(AppendHTML(nil, d, Options{Safe: true}))
}

func TestSafe(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"[a](https://example.org/?a=b&c)", `<p><a href="https://example.org/?a=b&amp;c">a</a></p>`},
		{"[a](docs/a.md#b)", `<p><a href="docs/a.md#b">a</a></p>`},
		{"[a](a?javascript:b)", `<p><a href="a?javascript:b">a</a></p>`},
		{"[a](mailto:a@example.org)", `<p><a href="mailto:a@example.org">a</a></p>`},
		{"[a](javascript:alert(1))", `<p><a href="">a</a></p>`},
		{"[a](JavaScript:alert(1))", `<p><a href="">a</a></p>`},
		{"[a](<\x01 javascript:alert(1)>)", `<p><a href="">a</a></p>`},
		{"[a](java&Tab;script:alert(1))", `<p><a href="">a</a></p>`},
		{"[a](java&#10;script&#58;alert(1))", `<p><a href="">a</a></p>`},
		{"[a](vbscript:a \"title\")", `<p><a href="" title="title">a</a></p>`},
		{"[a](file:///etc/passwd)", `<p><a href="">a</a></p>`},
		{"<javascript:alert(1)>", `<p><a href="">javascript:alert(1)</a></p>`},
		{"[a]\n\n[a]: javascript:b", `<p><a href="">a</a></p>`},
		{"[a](data:text/html,b)", `<p><a href="">a</a></p>`},
		{"[a](data:image/png;base64,b)", `<p><a href="">a</a></p>`},
		{"![a](data:image/png;base64,b)", `<p><img src="data:image/png;base64,b" alt="a" /></p>`},
		{"![a](data:image/svg+xml,b)", `<p><img src="" alt="a" /></p>`},
		{"![a](data:)", `<p><img src="" alt="a" /></p>`},
		{"![a](javascript:b)", `<p><img src="" alt="a" /></p>`},
		{"a <b onclick=alert(1)>c</b>", `<p>a <!-- raw HTML omitted -->c<!-- raw HTML omitted --></p>`},
		{"<script>alert(1)</script>", `<!-- raw HTML omitted -->`},
		{"- <div>\n  <p>", "<ul>\n<li>\n<!-- raw HTML omitted -->\n</li>\n</ul>"},
		{"a[^\"><script>]\n\n[^\"><script>]: b", `<p>a<sup class="footnote-ref"><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup></p>
<section class="footnotes" data-footnotes>
<ol>
<li id="fn-1">
<p>b <a href="#fnref-1" class="footnote-backref" data-footnote-backref aria-label="Back to content">↩</a></p>
</li>
</ol>
</section>`},
		{"```x&#32;unseen\na\n```", `<pre><code class="language-x">a` + "\n</code></pre>"},
		{"```x&Tab;bar\na\n```", `<pre><code class="language-x">a` + "\n</code></pre>"},
		{"```x&#12;bar\na\n```", `<pre><code class="language-x">a` + "\n</code></pre>"},
		{"```&NewLine;bar\na\n```", "<pre><code>a\n</code></pre>"},
		{"```\"><script>\na\n```", `<pre><code class="language-&quot;&gt;&lt;script&gt;">a` + "\n</code></pre>"},
	} {
		if got := strings.TrimSuffix(safe(t, c.src), "\n"); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
}

// TestPage renders as a page does that has addresses of its own.
func TestPage(t *testing.T) {
	o := Options{
		Safe: true, HTMLAsText: true,
		Link: func(d []byte) []byte {
			if string(d) == "gone" {
				return nil
			}
			return append([]byte("/read?path="), d...)
		},
		Image:   func(d []byte) []byte { return bytes.TrimPrefix(d, []byte("has:")) },
		Heading: func(b int) string { return fmt.Sprintf(` id="s-%d"`, b) },
	}
	for _, c := range []struct{ src, want string }{
		{"# A *b*\n", `<h1 id="s-0">A <em>b</em></h1>`},
		{"[a](x&y) [b](gone 'why')", `<p><a href="/read?path=x&amp;y">a</a> <a title="why">b</a></p>`},
		{"[a](javascript:b)", `<p><a href="/read?path=javascript:b">a</a></p>`},
		{"![a <b>](has:x)", `<p><img src="x" alt="a &lt;b&gt;" /></p>`},
		{"a <b onclick=x>c</b>", `<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>`},
		{"<script>\nx\n</script>", "<pre class=\"raw\">&lt;script&gt;\nx\n&lt;/script&gt;</pre>"},
		{`<img src="has:x" alt="a &lt;b&gt; &quot;c" width="480">`, `<p><img src="x" alt="a &lt;b&gt; &quot;c" width="480" /></p>`},
		{"<p align=\"center\">\n  <IMG SRC=has:a.png title='t' height=20 />\n  <br>\n<img src='b'></p>", `<p><img src="a.png" alt="" title="t" /> <img src="b" alt="" /></p>`},
		{"a <img src='has:x'> b", `<p>a <img src="x" alt="" /> b</p>`},
		{`<img src="javascript:b">`, `<p><img src="" alt="" /></p>`},
		// Whatever says something else stays the text that it is.
		{`<img src="x" onerror="b">`, `<pre class="raw">&lt;img src=&quot;x&quot; onerror=&quot;b&quot;&gt;</pre>`},
		{`<img src="x" hidden>`, `<pre class="raw">&lt;img src=&quot;x&quot; hidden&gt;</pre>`},
		{`<img src="x" alt="a" alt="b">`, `<pre class="raw">&lt;img src=&quot;x&quot; alt=&quot;a&quot; alt=&quot;b&quot;&gt;</pre>`},
		{`<img src="x" width="say this">`, `<pre class="raw">&lt;img src=&quot;x&quot; width=&quot;say this&quot;&gt;</pre>`},
		{`<img alt="a">`, `<pre class="raw">&lt;img alt=&quot;a&quot;&gt;</pre>`},
		{`<p title="a"><img src="x"></p>`, `<pre class="raw">&lt;p title=&quot;a&quot;&gt;&lt;img src=&quot;x&quot;&gt;&lt;/p&gt;</pre>`},
		{`<p><img src="x">a</p>`, `<pre class="raw">&lt;p&gt;&lt;img src=&quot;x&quot;&gt;a&lt;/p&gt;</pre>`},
		{`<p><img src="x"><!-- a --></p>`, `<pre class="raw">&lt;p&gt;&lt;img src=&quot;x&quot;&gt;&lt;!-- a --&gt;&lt;/p&gt;</pre>`},
		{`<p></p>`, `<pre class="raw">&lt;p&gt;&lt;/p&gt;</pre>`},
	} {
		d, err := markdown.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(string(AppendHTML(nil, d, o)), "\n"); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
	d, err := markdown.Parse([]byte("# A\n\na[^1]\n\n# B\n\nb[^2]\n\n[^1]: one\n[^2]: two\n"))
	if err != nil {
		t.Fatal(err)
	}
	o.Image = func([]byte) []byte { return nil }
	heading := int(d.Sections[1].Heading)
	if got := blocksHTML(t, d, 0, heading, o); !strings.Contains(got, "one") || strings.Contains(got, "two") || strings.Contains(got, "<p>b") {
		t.Errorf("the first section is\n%s", got)
	}
	d, err = markdown.Parse([]byte("![a *b*](c)"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendHTML(nil, d, o)); got != "<p><span class=\"image\">a b</span></p>\n" {
		t.Errorf("an image that isn't there is %s", got)
	}
}

// blocksHTML returns blocks by their pieces.
func blocksHTML(t *testing.T, d *markdown.Document, start, end int, o Options) string {
	t.Helper()
	var html []byte
	err := Blocks(d, start, end, o, func(piece []byte) error {
		html = append(html, piece...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}
