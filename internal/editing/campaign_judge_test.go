package editing

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The judge of the campaign shares nothing with what it judges: links and headings are those
// of goldmark, anchors are made by the rule that github-slugger writes down, and bytes are
// compared as bytes.

// judged is a document as the judge sees it.
type judged struct {
	links   []judgedLink
	under   []int           // the heading before each link, by its index; -1 for none
	count   int             // of headings
	names   map[string]int  // the heading that a name leads to, by its index
	written map[string]bool // names in HTML, which lead elsewhere
}

// judgedLink is a link that stands in no heading.
type judgedLink struct{ destination string }

var (
	judgeParser = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()
	writtenName = regexp.MustCompile(`(?i)\s(?:id|name)\s*=\s*["']?([^"'\s>]*)`)
	writtenHref = regexp.MustCompile(`(?i)\shref\s*=\s*["']?([^"'\s>]*)`)
)

// judge reads a document.
func judge(src []byte) *judged {
	j := &judged{names: map[string]int{}, written: map[string]bool{}}
	taken := map[string]int{}
	heading, within := -1, 0
	raw := func(html string) {
		for _, m := range writtenName.FindAllStringSubmatch(html, -1) {
			j.written[m[1]] = true
		}
		for _, m := range writtenHref.FindAllStringSubmatch(html, -1) {
			if within == 0 {
				j.links, j.under = append(j.links, judgedLink{m[1]}), append(j.under, heading)
			}
		}
	}
	_ = ast.Walk(judgeParser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok {
			if !entering {
				within--
				return ast.WalkContinue, nil
			}
			within++
			heading++
			j.count++
			slug := judgedSlug(headingText(h, src))
			name := slug
			for {
				if _, is := taken[name]; !is {
					break
				}
				taken[slug]++
				name = slug + "-" + strconv.Itoa(taken[slug])
			}
			taken[name] = 0
			if name != "" {
				j.names[name] = heading
			}
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if within == 0 {
				j.links, j.under = append(j.links, judgedLink{meant(n.Destination)}), append(j.under, heading)
			}
		case *ast.RawHTML:
			raw(string(n.Segments.Value(src)))
		case *ast.HTMLBlock:
			html := string(n.Lines().Value(src))
			if n.HasClosure() {
				html += string(n.ClosureLine.Value(src))
			}
			raw(html)
		}
		return ast.WalkContinue, nil
	})
	return j
}

// headingText returns the text that is seen of a heading.
func headingText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			if _, isCode := t.Parent().(*ast.CodeSpan); isCode {
				b.Write(t.Value(src))
			} else {
				b.WriteString(meant(t.Value(src)))
			}
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		} else if s, ok := n.(*ast.String); ok && entering {
			b.Write(s.Value)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// meant returns a text with its escapes and entities resolved.
func meant(s []byte) string {
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(s))))
}

// judgedSlug returns the slug of a heading's text.
func judgedSlug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ', r == '-':
			return '-'
		case unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.ReplaceAll(strings.TrimSpace(s), "İ", "i\u0307"))
}

// leads returns where a link of the document at one path leads: the path and the index of a
// heading, and whether the judge knows that.
func leads(docs map[string]*judged, at string, l judgedLink) (to string, heading int, ok bool) {
	u, err := url.Parse(l.destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Fragment == "" || strings.HasPrefix(u.Path, "/") {
		return "", 0, false
	}
	to = at
	if u.Path != "" {
		to = path.Join(path.Dir(at), u.Path)
	}
	doc := docs[to]
	if doc == nil || doc.written[u.Fragment] {
		return "", 0, false
	}
	heading, ok = doc.names[u.Fragment]
	return to, heading, ok
}

// led is where a link leads: to a heading of a document, or to one as a whole (-1).
type led struct {
	to      string
	heading int
}

// leadsTo is leads for links to whole documents, too.
func leadsTo(docs map[string]*judged, at string, l judgedLink) (led, bool) {
	if to, heading, ok := leads(docs, at, l); ok {
		return led{to, heading}, true
	}
	u, err := url.Parse(l.destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Fragment != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return led{}, false
	}
	to := path.Join(path.Dir(at), u.Path)
	return led{to, -1}, docs[to] != nil
}

var (
	anyDestination = regexp.MustCompile(`(\]\()(<[^>]*>|[^ )\n]*)|((?:href|src|data|poster)=")[^"]*|(?m)^(\[[^\]\n]*\]:) *\S+`)
	anyLabel       = regexp.MustCompile(`\[ref(-\d+)*\]`)
)

// withoutDestinations returns the text without destinations, and with one label for all.
func withoutDestinations(s string) string {
	return anyLabel.ReplaceAllString(anyDestination.ReplaceAllString(s, "$1$3$4"), "")
}

// sameButFragments reports whether two texts differ in nothing but fragments of destinations:
// in what stands behind a '#' and before what ends a destination.
func sameButFragments(a, b string) bool {
	const ends = " \t\r\n)>\"'|]"
	for a != b {
		i := 0
		for i < len(a) && i < len(b) && a[i] == b[i] {
			i++
		}
		hash := strings.LastIndexByte(a[:i], '#')
		if hash < 0 || strings.ContainsAny(a[hash:i], ends) {
			return false
		}
		a, b = a[hash+1:], b[hash+1:]
		for _, s := range []*string{&a, &b} {
			end := strings.IndexAny(*s, ends)
			if end < 0 {
				end = len(*s)
			}
			*s = (*s)[end:]
		}
	}
	return true
}
