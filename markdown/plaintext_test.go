package markdown

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/internal/testkit"
)

// The labels that the cases may refer to, as Markdown for the reference and as
// functions for us.
const definitions = "[ref]: /url\n[Two Words]: <> 'title'\n[ẞ]: /s\n[\\]]: /bracket\n[*star*]: /star\n"

// footnoteDefinitions are the footnotes that the cases may refer to.
const footnoteDefinitions = "\n[^1]: x\n\n[^note]: y\n"

// testReferences returns a document that defines what the cases refer to.
func testReferences() *Document { return withDefinitions(definitions + footnoteDefinitions) }

func withDefinitions(src string) *Document {
	d, err := Parse([]byte(src))
	if err != nil {
		panic(err)
	}
	return d
}

// plainText returns the text of src, which refers to what the document defines, as
// titles have it.
func plainText(src []byte, d *Document) string {
	d.lazy.facts.Store(factsKnown | factWWW) // whatever src has
	in := Inlines{doc: d, block: -1, text: src}
	in.read(Span{0, len(src)})
	return string(in.AppendPlain(nil, 0, len(in.Nodes)))
}

// normalizeLabel returns the form in which labels are compared.
func normalizeLabel(label []byte) string { return string(syntax.AppendLabel(nil, label)) }

var plainTextCases = []struct{ src, want string }{
	// Nothing to remove
	{"", ""},
	{"Title", "Title"},
	{"  Title\t", "Title"},
	{"a - b (c): d, e!", "a - b (c): d, e!"},
	{"a] b", "a] b"},
	{"a  b\t\tc", "a b c"},
	{"first\nsecond", "first second"},
	{"Übung – größer", "Übung – größer"},
	{"no\u00a0break", "no\u00a0break"},
	{"wide\u3000space\fand\vmore", "wide\u3000space\fand\vmore"},
	{"NUL \x00", "NUL \ufffd"},
	{"bad \xff\xc3 bytes", "bad \xff\xc3 bytes"},
	{"bad *\xff* bytes", "bad \xff bytes"},

	// Escapes
	{`\*not\*`, "*not*"},
	{"\\`tick\\`", "`tick`"},
	{`\# \! \~ \_ \[a\](b)`, "# ! ~ _ [a](b)"},
	{`C:\Users\é\1`, `C:\Users\é\1`},
	{`\\*a*`, `\a`},
	{`back\`, `back\`},
	{"hard\\\nbreak", "hard break"},
	{"hard  \nbreak", "hard break"},
	{`\<b>`, "<b>"},
	{`\&amp;`, "&amp;"},
	{"\\``a`", "`a"},

	// Entities
	{"A &amp; B", "A & B"},
	{"&lt;div&gt; &quot;x&quot;", `<div> "x"`},
	{"&copy; &eacute; &CounterClockwiseContourIntegral;", "© é ∳"},
	{"&nGt;&nLt;&ngE;", "≫⃒≪⃒≧̸"},
	{"&semi;", ";"},
	{"&copy &notit; &nosuch; &; & &x", "&copy &notit; &nosuch; &; & &x"},
	{"&AMP; &amP; &Amp;", "& &amP; &Amp;"},
	{"&#35; &#x23; &#X1f600;", "# # 😀"},
	{"&#128; &#x99;", "\u0080 \u0099"},
	{"&#0; &#x0; &#xD800; &#1114112; &#xffffff;", "� � � � �"},
	{"&#; &#x; &#12345678; &#x1234567; &#12", "&#; &#x; &#12345678; &#x1234567; &#12"},
	{"a&nbsp;&#160;b", "a\u00a0\u00a0b"},
	{"a&#32;&#9;&#10;b &#32;", "a b"},
	{"&#42;a&#42;", "*a*"},
	{"&#91;a](b)", "[a](b)"},
	{"&lt;b>", "<b>"},

	// Code
	{"`code`", "code"},
	{"the `Parse` function", "the Parse function"},
	{"`` a`b ``", "a`b"},
	{"` `` `", "``"},
	{"a` `b", "a b"},
	{"a`  x`b", "a xb"},
	{"a` x `b", "axb"},
	{"a` x`b", "a xb"},
	{"`a\nb`", "a b"},
	{"a`\nx\n`b", "axb"},
	{"`a\\`b`", "a\\b`"},
	{"`*a*` `&amp;` `<b>` `[a](b)`", "*a* &amp; <b> [a](b)"},
	{"`open", "`open"},
	{"```a``", "```a``"},
	{"```a`` `b`", "```a`` b"},
	{"*a`*`", "*a*"},
	{"[a`](b)`", "[a](b)"},
	{"`\u00a0x\u00a0`", "\u00a0x\u00a0"},

	// Emphasis
	{"*a* _b_ **c** __d__", "a b c d"},
	{"***a*** ___b___", "a b"},
	{"a * b * c", "a * b * c"},
	{"a*b*c", "abc"},
	{"snake_case_name", "snake_case_name"},
	{"__init__", "init"},
	{"foo__bar__", "foo__bar__"},
	{"_(a)_b", "_(a)_b"},
	{"(_a_)", "(a)"},
	{"*(*a*)*", "(a)"},
	{"**a*", "*a"},
	{"*a**", "a*"},
	{"*a**b*", "a**b"},
	{"*a**b**c*", "abc"},
	{"**a**b", "ab"},
	{"a***b***c", "abc"},
	{"a******b*********c", "ab***c"},
	{"*a _b* c_", "a _b c_"},
	{"*a **b c*", "*a *b c"},
	{"****", "****"},
	{"**", "**"},
	{"* a*", "* a*"},
	{"*\u00a0a*", "*\u00a0a*"},
	{"*€*a", "*€*a"},
	{"*\f* *\u2003a*", "*\f* *\u2003a*"},
	{"a*€*", "a*€*"},
	{"a*“b”*", "a*“b”*"},
	{"*a\nb*", "a b"},
	{"**Note:**text", "**Note:**text"},
	{"日本**語**です", "日本語です"},
	{"_a__b_", "a__b"},
	{"**a *b***", "a b"},
	{"***a** b*", "a b"},
	{"***a* b**", "a b"},

	// Strikethrough
	{"~a~ ~~b~~", "a b"},
	{"~~~c~~~", "~~~c~~~"},
	{"~~a ~b~ c~~", "a b c"},
	{"~~ a ~~", "~~ a ~~"},
	{"5~10 and 20~30", "510 and 2030"},
	{"**~~old~~** ~~*new*~~", "old new"},
	{"*a ~b* c~", "a ~b c~"},
	{"~~~ ~a~", "~~~ a"},

	// Links
	{"[text](/url)", "text"},
	{"[text]( </my url> \"title\" )", "text"},
	{"[text](/url 'it''s')", "[text](/url 'it''s')"},
	{"[text](/url (title))", "text"},
	{"[text](/url (ti(tle))", "[text](/url (ti(tle))"},
	{"[text](/url \"a\\\"b\")", "text"},
	{"[text](/url\n\"title\")", "text"},
	{"[text](/u(r(l)))", "text"},
	{`[text](/u\(rl)`, "text"},
	{"[text](/u(rl)", "[text](/u(rl)"},
	{"[text](/my url)", "[text](/my url)"},
	{"[text](/url 'open", "[text](/url 'open"},
	{"[text](/url", "[text](/url"},
	{"[text](<open", "[text](<open"},
	{"[text](<a\\>b>)", "text"},
	{"[text](<a\nb>)", "[text]()"},
	{"[text](<a>b)", "[text](b)"},
	{"[text]()", "text"},
	{"[text](<>)", "text"},
	{"[](/url)", ""},
	{"[text] (/url)", "[text] (/url)"},
	{"[*em* `code` \\] &amp;](/url)", "em code ] &"},
	{"*[a*](/url)", "*a*"},
	{"[a [b](/1) c](/2)", "[a b c](/2)"},
	{"[a [b] c](/2)", "a [b] c"},
	{"[a] [b](/1)]", "[a] b]"},
	{"[a <b c=\"](/1)\">](/2)", "a"},
	{"[a<http://x.org/](/1)>](/2)", "ahttp://x.org/](/1)"},
	{"\\[a](/1)", "[a](/1)"},
	{"[a\\](/1)", "[a](/1)"},
	{"Title [#](#title)", "Title #"},
	{"[a](" + strings.Repeat("(", 32) + strings.Repeat(")", 32) + ")", "a"},
	{"[a](x\x00y)", "a"},

	// References
	{"[text][ref]", "text"},
	{"[text][REF]", "text"},
	{"[text][ two\n words ]", "text"},
	{"[ref][]", "ref"},
	{"[ref]", "ref"},
	{"[SS] [ß] [ẞ]", "SS ß ẞ"},
	{"[nope] [nope][] [text][nope]", "[nope] [nope][] [text][nope]"},
	{"[ref][nope]", "[ref][nope]"},
	{"[ref] [nope]", "ref [nope]"},
	{"[ref](no url)", "ref(no url)"},
	{"[nope][ref][nope]", "nope[nope]"},
	{"[[ref]]", "[ref]"},
	{"[a [b][ref] c][ref]", "[a b c]ref"},
	{`[\]]`, "]"},
	{"[*star*]", "star"},
	{"[ref*a*]", "[refa]"},
	{"[`ref`]", "[ref]"},
	{"[]", "[]"},
	{"[ ]", "[ ]"},
	{"[x] done", "[x] done"},
	{"## [1.2.0] - 2024", "## [1.2.0] - 2024"},

	// Images
	{"![alt](/img.png)", "alt"},
	{"![alt *em* `c`](/img.png \"t\")", "alt em c"},
	{"![alt][ref] ![ref] ![ref][]", "alt ref ref"},
	{"![a [b](/1) c](/2)", "a b c"},
	{"[![a](/1)](/2)", "a"},
	{"![[[a](/1)](/2)](/3)", "[a](/2)"},
	{"[![[a](/1)](/2)](/3)", "[a](/3)"},
	{"!\\[a](/1)", "![a](/1)"},
	{"\\![a](/1)", "!a"},
	{"![](/img.png)", ""},
	{"![nope]", "![nope]"},
	{"wow! [a](/1)", "wow! a"},

	// Autolinks and HTML
	{"<https://example.org/a_b_c?x=*y*&amp;z>", "https://example.org/a_b_c?x=*y*&amp;z"},
	{"<made-up:scheme> <a@b.example>", "made-up:scheme a@b.example"},
	{"<m:a> <a@b..c> <a@-b>", "<m:a> <a@b..c> <a@-b>"},
	{"<https://a b>", "<https://a b>"},
	{"a <b>bold</b> c", "a bold c"},
	{"a <br/> b", "a b"},
	{"<a name=\"x\"></a>Title", "Title"},
	{"<a b='>' c=d e>x</a\n>", "x"},
	{"<a\nhref = 'x'\n/>y", "y"},
	{"<a b=\"c\"d> <a =b> <a b=> <1> < a> </ a> <a/ >", "<a b=\"c\"d> <a =b> <a b=> <1> < a> </ a> <a/ >"},
	{"</a b>", "</a b>"},
	{"<a b='open", "<a b='open"},
	{"<a b", "<a b"},
	{"<a b =", "<a b ="},
	{"</a", "</a"},
	{"a <!-- c -- d ---> b", "a b"},
	{"a<!-->b<!--->c", "abc"},
	{"a <!-- b", "a <!-- b"},
	{"a<?php echo '>' ?>b <?", "ab <?"},
	{"a<![CDATA[ ]] > ]]>b", "ab"},
	{"<b c=\"*\">*", "*"},
	{"*<b c=\"*\">*", ""},
	{"Option<T> and Vec<u8>", "Option and Vec"},
	{"a < b > c <= d", "a < b > c <= d"},
	{"`<T>` in Map<K, V>", "<T> in Map<K, V>"},

	// Addresses without marks
	{"*https://example.org/a*", "https://example.org/a"},
	{"(www.example.org/_a_) *b*", "(www.example.org/_a_) b"},
	{"https://example.org/&lt; *a*", "https://example.org/< a"},
	{"https://a.b_c *d* http:// *e*", "https://a.b_c d http:// e"},
	{"xhttps://a.org/_b_ ywww.a.org/_b_", "xhttps://a.org/b ywww.a.org/b"},
	{"[https://a.org/*b*](/1)", "https://a.org/b"},
	{"(https://a.org/_x_) (https://a.org/(_x_)).", "(https://a.org/_x_) (https://a.org/(_x_))."},
	{"*https://a.org/x&amp;*", "https://a.org/x&"},
	{"*https://a.org/x;*", "https://a.org/x;"},
	{"://a.org/_x_ a://a.org/_x_", "://a.org/x a://a.org/x"},
}

// Cases that the reference does not judge, for it reads no footnotes here or
// differs from the specification.
var ownPlainTextCases = []struct{ src, want string }{
	{"Title[^1]", "Title"},
	{"Title [^note] more", "Title more"},
	{"[^nope] [^ 1] [^]", "[^nope] [^ 1] [^]"},
	{"![^1]", "!"},
	{"![^1](/img.png)", "^1"},
	{"![^1][ref]", "^1"},
	{"[^1](/url)", "(/url)"},
	{"[a[^1]](/url)", "a"},
	{"[ref[^1]]", "[ref]"},
	{"*a[^1]*", "a"},
	{"`[^1]` \\[^1]", "[^1] [^1]"},
	{"[^1", "[^1"},
	// Tags in a description are markup like anywhere else.
	{"![a<b>c](/1)", "ac"},
	// Tildes match the same number (cmark-gfm, micromark).
	{"~a~~ b", "~a~~ b"},
	{"~~a ~b~~", "a ~b"},
	// A destination holds neither '<' nor control characters.
	{"[text](<a<b>)", "[text](<a)"},
	{"[a](x\x01y)", "[a](x\x01y)"},
	// NUL is U+FFFD from the start, which is a symbol.
	{"a*\x00*a", "a*\ufffd*a"},
	// "[ ]" is no label and not "[]" either (6.3).
	{"[ref][ ]", "ref[ ]"},
	// A scheme has at most 32 characters, a declaration any letter (6.5, 6.6).
	{"<abcdefghijklmnopqrstuvwxyz7890123:x>", "<abcdefghijklmnopqrstuvwxyz7890123:x>"},
	{"a<!DOCTYPE x>b<!x>c <!1>", "abc <!1>"},
	// Addresses go on to the next space or '<' (GFM 6.9), escapes and all.
	{"see https://example.org/_a_/*b*", "see https://example.org/_a_/*b*"},
	{"https://example.org/a\\_b *c*", "https://example.org/a\\_b c"},
	{"(www.example.org/_a_)*b*", "(www.example.org/_a_)*b*"},
}

func TestPlainText(t *testing.T) {
	for _, c := range append(plainTextCases, ownPlainTextCases...) {
		if got := plainText([]byte(c.src), testReferences()); got != c.want {
			t.Errorf("plainText(%q) = %q, want %q", c.src, got, c.want)
		}
	}
}

// Without definitions nothing is a reference.
func TestPlainTextNoReferences(t *testing.T) {
	const src = "[ref] [a][ref] ![ref] [^1]"
	if got := plainText([]byte(src), withDefinitions("")); got != src {
		t.Errorf("got %q", got)
	}
}

func TestLabelLimit(t *testing.T) {
	for _, c := range []struct {
		open, label string
		n           int
		linked      bool
	}{
		{"[", "a", 999, true},
		{"[", "a", 1000, false},
		{"[", "𝒜", 999, true},
		{"[", "𝒜", 1000, false},
		{"[x][", "a", 999, true},
		{"[x][", "a", 1000, false},
		{"[x][", "𝒜", 999, true},
		{"[x][", "𝒜", 1000, false},
	} {
		label := strings.Repeat(c.label, c.n)
		src := c.open + label + "]"
		refs := withDefinitions("[" + label + "]: /url\n")
		if got := plainText([]byte(src), refs); strings.Contains(got, "["+c.label) == c.linked {
			t.Errorf("%s with %d of %s: %q", c.open, c.n, c.label, got)
		}
	}
}

func TestNormalizeLabel(t *testing.T) {
	for label, want := range map[string]string{
		"":                  "",
		" \t\n":             "",
		"Foo":               "foo",
		" foo \t\r\n bar\t": "foo bar",
		"ẞ":                 "ss",
		"straße":            "strasse",
		"ΑΓΩ ΣΑΣ σας":       "αγω σασ σασ",
		"ﬃ ﬅ İ ı I":         "ffi st i\u0307 ı i",
		"ᾈ ᾳ ᾼ ᾷ ῼ ᾲ ῂ ῲ ᾴ ῄ ῴ ᾯ": "ἀι αι αι α\u0342ι ωι ὰι ὴι ὼι άι ήι ώι ὧι",
		"ΐ Ϋ́ K Å Ω": "ι\u0308\u0301 ϋ\u0301 k å ω",
		"a\u00a0 b":  "a\u00a0 b",
		`\[A\]`:      `\[a\]`,
		"x\x00y":     "x\ufffdy",
		"\xff\xc3A":  "\xff\xc3a",
	} {
		if got := normalizeLabel([]byte(label)); got != want {
			t.Errorf("normalizeLabel(%q) = %q, want %q", label, got, want)
		}
	}
}

// Whatever the standard library's simple folding takes for one letter folds to
// one string, and folding a second time changes nothing.
func TestFoldingAgreesWithSimple(t *testing.T) {
	testkit.OneGoroutine(t)
	for r := rune(1); r <= unicode.MaxRune; r++ {
		folded := normalizeLabel([]byte("x" + string(r) + "x"))
		if other := normalizeLabel([]byte("x" + string(unicode.SimpleFold(r)) + "x")); other != folded {
			t.Errorf("%U: %q, its other case %q", r, folded, other)
		}
		if again := normalizeLabel([]byte(folded)); again != folded {
			t.Errorf("%U: %q, again %q", r, folded, again)
		}
	}
}

// hostileInlines are contents of about n bytes on which careless parsers take
// quadratic time or deep recursion.
func hostileInlines(n int) map[string]string {
	fill := func(prefix, unit, suffix string) string {
		return prefix + strings.Repeat(unit, n/len(unit)) + suffix
	}
	var runs strings.Builder
	for i := 1; runs.Len() < n; i++ {
		runs.WriteString(strings.Repeat("`", i) + " ")
	}
	half := n / 2
	return map[string]string{
		"plain":              fill("", "word ", ""),
		"brackets":           fill("", "[", ""),
		"images":             fill("", "![", ""),
		"brackets closed":    strings.Repeat("[", half) + strings.Repeat("]", half),
		"brackets reference": fill("", "[ref", "]"),
		"closing brackets":   fill("[", "]", ""),
		"nested links":       strings.Repeat("[", n/7) + "a" + strings.Repeat("](/u)", n/7),
		"nested images":      strings.Repeat("![", n/7) + "a" + strings.Repeat("](/u)", n/7),
		"link openers":       fill("", "[a](", ""),
		"link parens":        fill("", "[a](((((((((((((((((((((((((((((((((", ""),
		"link pointed":       fill("", "[a](<b", ""),
		"link titles":        fill("", "[a](b \"c", ""),
		"link titles mixed":  fill("", "[a](b \"[a](b '[a](b (", ""),
		"link escapes":       fill("", `[a](\(\`, ""),
		"unopened targets":   fill("", "](", ""),
		"labels":             fill("", "[a][b", "]"),
		"labels unclosed":    fill("", "[a][", ""),
		"label long":         "[a][" + strings.Repeat("b", n) + "]",
		"footnotes":          fill("", "[^", ""),
		"footnotes closed":   fill("", "![^1](", ""),
		"stars":              fill("", "*", ""),
		"stars open":         fill("", "*a ", ""),
		"stars close":        fill("", "a* ", ""),
		"stars both":         fill("", "a*", ""),
		"stars mixed":        fill("", "*a_ ", ""),
		"stars runs":         fill("", "a**b***c*", ""),
		"stars links":        fill("", "*[a*](b)", ""),
		"stars in links":     fill("[", "*a ", "](b)"),
		"underscores":        fill("", "_a", ""),
		"tildes":             fill("", "~a~~ ", ""),
		"openers closers":    strings.Repeat("*a **a _a ~a ", n/26) + strings.Repeat("a_ a~~ a** a ", n/26),
		"backticks":          fill("", "`", ""),
		"backticks distinct": runs.String(),
		"backticks pairs":    fill("", "`a``b```", ""),
		"backslashes":        fill("", `\`, ""),
		"angles":             fill("", "<", ""),
		"comments":           fill("", "<!--", ""),
		"instructions":       fill("", "<?", ""),
		"declarations":       fill("", "<!A", ""),
		"cdata":              fill("", "<![CDATA[", ""),
		"tags":               fill("", "<a ", ""),
		"attributes":         fill("", "<a b='c\"<a b=\"c'", ""),
		"attributes long":    fill("<a", " b=''", ""),
		"uris":               fill("", "<ab:", ""),
		"emails":             fill("", "<a@", ""),
		"email long":         fill("<a@", "a.", ""),
		"ampersands":         fill("", "&", ""),
		"entities":           fill("", "&amp", ""),
		"entities named":     fill("", "&copy;", ""),
		"entities unknown":   fill("", "&nosuchname;", ""),
		"entities numeric":   fill("", "&#1234567", ""),
		"spaces":             fill("a", " ", "b"),
		"hosts":              fill("", "_www.a", ""),
		"addresses":          fill("", "http://", ""),
		"addresses closed":   fill("http://a.b", ")", ""),
		"addresses entities": fill("http://a.b", "&a;", ""),
		"NUL":                fill("", "\x00", ""),
		"continuation bytes": fill("", "*\x80", ""),
		"lines":              fill("", "*a\n", ""),
	}
}

// checkPlainText checks what holds for the text of any source.
func checkPlainText(t *testing.T, src string) {
	t.Helper()
	got := plainText([]byte(src), testReferences())
	if strings.ContainsAny(got, "\t\n\x00") || strings.Contains(got, "  ") {
		t.Errorf("plainText(%q) = %q: white space is left", src, got)
	}
	if got != strings.Trim(got, " \t\n") {
		t.Errorf("plainText(%q) = %q: not trimmed", src, got)
	}
	if utf8.ValidString(src) && !utf8.ValidString(got) {
		t.Errorf("plainText(%q) = %q: broken UTF-8", src, got)
	}
	if limit := 3*len(src) + 3; len(got) > limit {
		t.Errorf("plainText(%q) has %d bytes", src, len(got))
	}
	if quoted := plainText([]byte("\n\t "+src+"\n"), testReferences()); quoted != got {
		t.Errorf("plainText(%q) = %q, but %q with white space around it", src, got, quoted)
	}
}

func TestPlainTextHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	for name, src := range hostileInlines(50_000) {
		t.Run(name, func(t *testing.T) { checkPlainText(t, src) })
	}
}

func FuzzPlainText(f *testing.F) {
	for _, c := range append(plainTextCases, ownPlainTextCases...) {
		f.Add(c.src)
	}
	for _, src := range hostileInlines(100) {
		f.Add(src)
	}
	f.Fuzz(checkPlainText)
}

// BenchmarkPlainTextHostile shows that twice the source takes twice the time.
func BenchmarkPlainTextHostile(b *testing.B) {
	for _, n := range []int{100_000, 200_000} {
		for name, src := range hostileInlines(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) { benchmarkPlainText(b, src) })
		}
	}
}

// BenchmarkPlainText measures usual titles.
func BenchmarkPlainText(b *testing.B) {
	for name, src := range map[string]string{
		"plain":  "Getting started with the command line",
		"code":   "The `Parse` function",
		"marked": "**Breaking:** [`Parse`](#parse) &amp; *friends*",
	} {
		b.Run(name, func(b *testing.B) { benchmarkPlainText(b, src) })
	}
}

func benchmarkPlainText(b *testing.B, src string) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	content, refs := []byte(src), testReferences()
	for b.Loop() {
		plainText(content, refs)
	}
}
