package address

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

const linksDoc = `Before [zero](#z).

# One

See [the *pear*](#pear "T"), <https://a.example>, [ref][lab] and ![a map](m.png).
[^n]

> quoted [inner](x.md)

## Below

| a | b |
| - | - |
| [cell](c.md) | ![pic](p.png) |

<a href="raw.html">raw</a> <a id="name"></a>

[lab]: /url "t"

[^n]: A note with [a link](n.md)
    on two lines.

# Two

` + "`[no](link.md)`\n"

// TestLinkTexts: links are called by what they say in their document.
func TestLinkTexts(t *testing.T) {
	doc := parse(t, "[![a logo][ref]](a) *[b\nc](d)* [*e* `f`\\\ng][ref] https://h.example/*i*\n\n> x [j\n> **k**](l)\n\n[ref]: m.png\n")
	for addr, want := range map[string]string{
		`link["a logo"]`: "[![", `image["a logo"]`: "![a", `link["b c"]`: "[b", `link["E f g"]`: "[*e*", `link["[a"]`: "", `link["https://h"]`: "https", `link["j k"]`: "[j", "link[\"*e* `f`\"]": "[*e*",
	} {
		r, err := Resolve(doc, addr)
		if (err == nil) != (want != "") || err == nil && !strings.HasPrefix(string(doc.Text(r.Span(doc))), want) {
			t.Errorf("%s: %+v, %v", addr, r, err)
		}
	}
}

// TestLinkTextsOfHTML: links of HTML are called by what they hold, images by their description, and
// both by what they lead to.
func TestLinkTextsOfHTML(t *testing.T) {
	doc := parse(t, "See <a href='a.md'>the *guide*</a>, <A HREF=b.md>b <!-- x --><b>c</b> &lt; d <a href=c.md>no end < e\n\n> <p><a\n> href=d.md>f\n> g</p>\n> <img src=e.png alt='an\n> h'></a> x\n\n"+
		"<img src=f.png alt='&quot;i&quot;'> <img src=g.png> <abbr href=h.md>j</abbr> <a href=i.md></a>\n")
	for addr, want := range map[string]string{
		`link["the guide"]`: "<a href='a.md'>", `link["the"]`: "<a href='a.md'>", `link["a.md"]`: "<a href='a.md'>", `link["b c < d"]`: "<A", `link["no end < e"]`: "<a href=c.md>", `link["f g an h"]`: "<a\n> href=d.md>",
		`link["d.md"]`: "<a\n", `image["an h"]`: "<img src=e.png", `image["\"i\""]`: "<img src=f.png", `image["g.png"]`: "<img src=g", `link["h.md"]`: "<abbr", `link["j"]`: "", `link["i.md"]`: "<a href=i.md>",
	} {
		r, err := Resolve(doc, addr)
		if (err == nil) != (want != "") || err == nil && !strings.HasPrefix(string(doc.Text(r.Span(doc))), want) {
			t.Errorf("%s: %+v, %v", addr, r, err)
		}
	}
	if names := LinkNames(doc, "link", 3); !slices.Equal(names, []string{`"the guide"`, `"b c < d"`, `"no end < e"`}) {
		t.Error(names)
	}
}

// TestLinks: links, images and definitions are named by their number, text, label or state.
func TestLinks(t *testing.T) {
	doc := parse(t, linksDoc)
	broken := func(l *markdown.Link) bool {
		return slices.Contains([]string{"c.md", "p.png"}, string(doc.Text(l.Destination)))
	}
	for _, c := range []struct{ addr, text, selector string }{
		{"link.0", "[zero](#z)", "link.0"},
		{"@preamble/link.0", "[zero](#z)", "link.0"},
		{"@document/link.1", "[the *pear*]", "h1.0/link.0"},
		{"One/link.0", `[the *pear*](#pear "T")`, "h1.0/link.0"},
		{`link["the pear"]`, "[the *pear*]", "h1.0/link.0"},
		{`link["THE P"]`, "[the *pear*]", "h1.0/link.0"},
		{`One/link["https://a.example"]`, "<https://a.example>", "h1.0/link.1"},
		{`link["ref"]`, "[ref][lab]", "h1.0/link.2"},
		{`link["^n"]`, "[^n]", "h1.0/link.3"},
		{`One/quote.0/link.0`, "[inner](x.md)", "h1.0/link.4"},
		{`Below/table.0[1, "a"]/link.0`, "[cell](c.md)", "h2.0/link.0"},
		{`Below/table.0["[cell](c.md)", "b"]/image.0`, "![pic](p.png)", "h2.0/image.0"},
		{`image["a map"]`, "![a map](m.png)", "h1.0/image.0"},
		{`link["raw.html"]`, `<a href="raw.html">`, "h2.0/link.1"},
		{`def["lab"]`, `[lab]: /url "t"`, "h2.0/def.0"},
		{`def["^n"]`, "[^n]: A note with [a link](n.md)\n    on two lines.", "h2.0/def.1"},
		{"One > Below/def.1", "[^n]: A note", "h2.0/def.1"},
		{`One/link["a link"]`, "[a link](n.md)", "h2.0/link.2"},
		{"h2.0/link[broken]", "[cell](c.md)", "h2.0/link.0"},
		{"#below/image[broken]", "![pic](p.png)", "h2.0/image.0"},
	} {
		r, err := Resolver{Doc: doc, Broken: broken}.Nth(c.addr, 0)
		if err != nil {
			t.Errorf("%s: %v", c.addr, err)
			continue
		}
		if text := string(doc.Text(r.Span(doc))); !strings.HasPrefix(text, c.text) || r.Selector != c.selector {
			t.Errorf("%s: %q is %s", c.addr, text, r.Selector)
		}
		if again, err := Resolve(doc, r.Selector); err != nil || again.Node != r.Node {
			t.Errorf("%s is %s, which is %+v, %v", c.addr, r.Selector, again, err)
		}
	}
}

// TestLinksThatAreNot: an error says what there is.
func TestLinksThatAreNot(t *testing.T) {
	doc := parse(t, linksDoc)
	for addr, want := range map[string]string{
		"Two/link.0":               "heading_not_found: there is no link in h1.1",
		"Below/link.7":             "heading_not_found: not so many are there in h2.0: 3 links, counted from 0",
		`Below/image["x"]`:         `heading_not_found: none of the 1 image in h2.0 is called "x"; there are "pic"`,
		`def["nolab"]`:             `heading_not_found: none of the 2 definitions is called "nolab"; there are "lab"`,
		"One/link[broken]":         "invalid_address: whether links are broken is not known here",
		"link[brokn]":              `heading_not_found: no heading matches "link[brokn]" (a link is named by its text`,
		"link":                     `heading_not_found: no heading matches "link"`,
		"h2.0/link.0/para.0":       "heading_not_found: there is no paragraph in h2.0/link.0",
		"def[broken]":              `heading_not_found: no heading matches "def[broken]" (a definition is named by its label`,
		"One/link":                 "ambiguous_heading: 8 parts match",
		"h2.0/task.0":              "heading_not_found: there is no task in h2.0",
		"h2.9/link.0":              "heading_not_found: not so many are there",
		`One/link["the pear"].3`:   "heading_not_found: ",
		`Below/table.0["a"]/def.0`: "heading_not_found: there is no definition",
	} {
		_, err := Resolve(doc, addr)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.HasPrefix(err.Error(), want) && !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%s: %v, want %s", addr, err, want)
		}
	}
}

// TestLinkTitles: a heading with the text of such an address has precedence.
func TestLinkTitles(t *testing.T) {
	doc := parse(t, "# link.0\n\n[a](b)\n\n# h1.0/link.0\n")
	for addr, want := range map[string]string{"link.0": "h1.0", "h1.0/link.0": "h1.1", "@document/link.0": ""} {
		r, err := Resolve(doc, addr)
		if err != nil || r.Selector != want || want != "" && !r.TwoReadings {
			t.Errorf("%s: %+v, %v", addr, r, err)
		}
	}
}

// TestLinkLaws: the selector of every link, image and definition of real documents stands for it
// alone, and there is one for each that the document has.
func TestLinkLaws(t *testing.T) {
	for _, f := range testkit.SomeCorpusFiles(t, 20) {
		doc := parse(t, string(f.Data))
		want := map[NodeKind]int{}
		all := doc.Links()
		for i := range all {
			want[kindOfLink(&all[i])]++
		}
		for _, step := range linkSteps {
			found, err := ResolveAll(doc, "@document/"+step.name)
			if err != nil && want[step.kind] > 0 || len(found) != want[step.kind] {
				t.Errorf("%s: %d of %d %ss, %v", f.Name, len(found), want[step.kind], step.noun, err)
			}
			for i := range found[:min(len(found), 200)] {
				r, err := Resolve(doc, found[i].Selector)
				if found[i].Selector == "" {
					continue // a heading is called so
				}
				if err != nil || r.Node != found[i].Node {
					t.Errorf("%s: %s is %+v, %v", f.Name, found[i].Selector, r, err)
				}
			}
		}
	}
}

// TestReserveForLinks: what the look for links takes is reserved before it, and given back; none is
// made where that is refused, or for whoever writes.
func TestReserveForLinks(t *testing.T) {
	doc := parse(t, linksDoc)
	asked, held := 0, 0
	var refuse error
	r := Resolver{Doc: doc, Reserve: func(bytes int) (func(), error) {
		if asked += bytes; refuse != nil {
			return nil, refuse
		}
		held++
		return func() { held-- }, nil
	}}
	for _, addr := range []string{"One/link.0", `image["a map"]`, "One/def", "table.0/row.1", "h2.0/table.0[1,0]"} {
		asked = 0
		if _, err := r.Nodes(addr); err != nil || held != 0 || (asked > 0) == strings.Contains(addr, "table") {
			t.Errorf("%s: %d bytes are asked for and %d times some held: %v", addr, asked, held, err)
		}
	}
	refuse = errors.New("no room")
	if _, err := r.Nth("One/link.0", 0); err != refuse { //nolint:errorlint // it is this one
		t.Errorf("refused: %v", err)
	}
	if _, err := r.All("link"); err == nil || errors.Is(err, refuse) {
		t.Errorf("no address of a link: %v", err)
	}
	asked, r.Write = 0, true
	var e *Error
	if _, err := r.Nth("One/link.0", 0); !errors.As(err, &e) || e.Code != InvalidArgument || asked > 0 {
		t.Errorf("for writing: %v, after %d bytes", err, asked)
	}
}
