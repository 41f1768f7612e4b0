package markdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// describeLink renders a link: its kind, and the source of each of its ranges.
func describeLink(d *Document, l *Link) string {
	var b strings.Builder
	b.WriteString(l.Kind.String())
	if l.Image {
		b.WriteString(" image")
	}
	if l.Email {
		b.WriteString(" email")
	}
	fmt.Fprintf(&b, " %q", d.Text(l.Whole))
	for _, part := range []struct {
		name string
		span Span
	}{{"text", l.Text}, {"to", l.Destination}, {"fragment", l.Fragment}, {"title", l.Title}, {"label", l.Label}} {
		if part.span != (Span{}) {
			fmt.Fprintf(&b, " %s=%q", part.name, d.AppendLinkText(nil, l, part.span))
		}
	}
	if l.Definition >= 0 {
		fmt.Fprintf(&b, " defined=%d", d.Blocks[l.Definition].StartLine)
	}
	return b.String()
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"plain *text*", nil},
		{"[a](b.md#c \"t\") ![i](<p q.png>)", []string{
			`inline "[a](b.md#c \"t\")" text="a" to="b.md#c" fragment="c" title="t"`,
			`inline image "![i](<p q.png>)" text="i" to="p q.png"`,
		}},
		{"[](a#) [b]() [c](<>)", []string{
			`inline "[](a#)" text="" to="a#" fragment=""`,
			`inline "[b]()" text="b" to=""`,
			`inline "[c](<>)" text="c" to=""`,
		}},
		{"[a\\#b](x&#35;y) [c](x&#32;y\\#z)", []string{
			`inline "[a\\#b](x&#35;y)" text="a#b" to="x#y" fragment="y"`,
			`inline "[c](x&#32;y\\#z)" text="c" to="x y#z" fragment="z"`,
		}},
		{"[a][r] [r][] [R] ![r]\n\n[r]: /u#f 'T'", []string{
			`full "[a][r]" text="a" label="r" defined=3`,
			`collapsed "[r][]" text="r" label="r" defined=3`,
			`shortcut "[R]" text="R" label="R" defined=3`,
			`shortcut image "![r]" text="r" label="r" defined=3`,
			`reference_definition "[r]: /u#f 'T'" to="/u#f" fragment="f" title="T" label="r"`,
		}},
		{"[![x](y)](z)", []string{
			`inline "[![x](y)](z)" text="![x](y)" to="z"`,
			`inline image "![x](y)" text="x" to="y"`,
		}},
		{"<https://a.b/#c> <m@a.b> https://c.d. www.e.f m@a.b mailto:x@y.z", []string{
			`autolink "<https://a.b/#c>" text="https://a.b/#c" to="https://a.b/#c" fragment="c"`,
			`autolink email "<m@a.b>" text="m@a.b" to="m@a.b"`,
			`bare_url "https://c.d" text="https://c.d" to="https://c.d"`,
			`bare_url "www.e.f" text="www.e.f" to="www.e.f"`,
			`bare_url email "m@a.b" text="m@a.b" to="m@a.b"`,
			`bare_url "mailto:x@y.z" text="mailto:x@y.z" to="mailto:x@y.z"`,
		}},
		{"a[^n]\n\n[^n]: b [c](d)", []string{
			`footnote "[^n]" label="n" defined=3`,
			`footnote_definition "[^n]:" label="n"`,
			`inline "[c](d)" text="c" to="d"`,
		}},
		{"[[a#b|c]] ![[e]] [[x](y)] [[z]](w)", []string{
			`wiki "[[a#b|c]]" text="c" to="a#b" fragment="b"`,
			`wiki image "![[e]]" text="e" to="e"`,
			`inline "[x](y)" text="x" to="y"`,
			`inline "[[z]](w)" text="[z]" to="w"`,
		}},
		{"> [a\n> b](c\n> 'd\n> e')", []string{
			`inline "[a\n> b](c\n> 'd\n> e')" text="a b" to="c" title="d e"`,
		}},
		{"> [x]:\n>  y\n>  'd\n> e'\n>\n> [x]", []string{
			`reference_definition "[x]:\n>  y\n>  'd\n> e'" to="y" title="d e" label="x"`,
			`shortcut "[x]" text="x" label="x" defined=1`,
		}},
		{"a <b id='n'>x</b> <a\nname=m href = \"u&amp;v#w\">", []string{
			`html_anchor "<b id='n'>" label="n"`,
			`html_anchor "<a\nname=m href = \"u&amp;v#w\">" label="m"`,
			`html "<a\nname=m href = \"u&amp;v#w\">" to="u&v#w" fragment="w"`,
		}},
		{"> a <a\n> href='u'>\n>\n> <div\n> id=i>\n> <img src=s>", []string{
			`html "<a\n> href='u'>" to="u"`,
			`html_anchor "<div\n> id=i>" label="i"`,
			`html image "<img src=s>" to="s"`,
		}},
		{"<Object Data=d.svg type=t></object> a <video poster='p.png' data=n src=v></video> <img poster=n>", []string{
			`html "<Object Data=d.svg type=t>" to="d.svg"`,
			`html image "<video poster='p.png' data=n src=v>" to="p.png"`,
			`html image "<video poster='p.png' data=n src=v>" to="v"`,
		}},
		{"<div>\n<!-- <a href='n'> --><script>'<a href=n>'</script><P ID=p><meta name=x></div>", []string{
			`html_anchor "<P ID=p>" label="p"`,
		}},
		{"| a |\n| - |\n| [[b\\|c]] [d](e\\|f) |", []string{
			`wiki "[[b\\|c]]" text="c" to="b"`,
			`inline "[d](e\\|f)" text="d" to="e|f"`,
		}},
		{"> a\n> [b](c)\r", []string{`inline "[b](c)" text="b" to="c"`}}, // the CR ends the document
		{"- [x] [a](b)\n- [ ] c", []string{`inline "[a](b)" text="a" to="b"`}},
	} {
		d := mustParse(t, tt.src, Options{WikiLinks: true})
		var got []string
		links := d.Links()
		for i := range links {
			got = append(got, describeLink(d, &links[i]))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.src, diff)
		}
	}
}

// checkLinksOfInlines compares the links of a document with those among all of its inline
// content.
func checkLinksOfInlines(t *testing.T, d *Document) {
	t.Helper()
	describe := func(links []Link) (all []string) {
		for i := range links {
			all = append(all, fmt.Sprintf("%s %+v", describeLink(d, &links[i]), links[i]))
		}
		return all
	}
	rest := d.Links()
	for b := range d.Blocks {
		switch d.Blocks[b].Kind {
		case Paragraph, Heading, TableCell:
		default:
			continue
		}
		for len(rest) > 0 && rest[0].Block < b {
			rest = rest[1:]
		}
		var got []Link
		for len(rest) > 0 && rest[0].Block == b {
			got, rest = append(got, rest[0]), rest[1:]
		}
		want := d.Inlines(b).appendLinks(nil)
		d.finishLinks(want, b)
		if !slices.Equal(got, want) {
			t.Fatalf("%q (-want +got):\n%s", d.Source, cmp.Diff(describe(want), describe(got)))
		}
	}
}

// TestLinksOfInlines has the links be the same, whether all inline content is read or them
// alone, in content made of what may be or end one.
func TestLinksOfInlines(t *testing.T) {
	parts := []string{
		"*", "**", "_", "~", "~~", "[", "]", "![", "](", "(", ")", "[a]", "[b][]", "[[", "]]", "[^n]", "<", ">", "<b>", "<a href='u'>", "<!-- ", " -->", "`", "``", "\\", "&amp;", "&",
		"http://", "https://a.b", "ftp://c", "www.", "www.d.e", "x@y.z", "mailto:", "xmpp:", "@", ":", "://", "/", ".", "a", "b", "w", "é", " ", "\t", "\n", "\n> ", "\r\n", "  \n", "!", "#f", "\"", "'t'", "|", ";",
	}
	draw := rand.New(rand.NewPCG(31, 32))
	all := []Options{{}, {WikiLinks: true}, {NoBareURLs: true}, {NoStrikethrough: true}, {NoBareURLs: true, NoStrikethrough: true}}
	times := testkit.Some(20_000, 10)
	if testkit.Long() {
		times = 2_000_000
	}
	for i := range times {
		src := ""
		if draw.IntN(3) == 0 {
			src = "> "
		}
		for range 1 + draw.IntN(16) {
			src += parts[draw.IntN(len(parts))]
		}
		checkLinksOfInlines(t, mustParse(t, src+"\n\n[a]: /u#f\n\n[b]: <v w>\n\n[^n]: note", all[i%len(all)]))
	}
}

// TestCorpusLinksOfInlines does the same with real documents.
func TestCorpusLinksOfInlines(t *testing.T) {
	for _, f := range testkit.CorpusFiles(t) {
		checkLinksOfInlines(t, mustParse(t, string(f.Data), Options{}))
	}
}
