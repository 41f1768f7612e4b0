package reading

import (
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// MaxAddresses is the largest number of headings that are offered: finding the
// form in which one stands for itself alone looks at all of them.
const MaxAddresses = 100

const (
	// maxForm is the length in bytes up to which a form made of text is offered.
	maxForm = 200
	// maxCompared is the number of headings that forms are compared with: in a
	// document with very many, others than the usual one are tried for some
	// headings alone.
	maxCompared = 1_000_000
)

// Addresses returns at most limit addresses of headings of the document at path
// in the workspace,
// in a form that goes on from what is typed, and whether there are more.
func Addresses(w *documents.Workspace, work *documents.Work, path, typed string, limit int) (addresses []string, more bool) {
	docs := documents.Set{Workspace: w, Work: work}
	doc, err := docs.Open(path)
	if err != nil {
		return nil, false
	}
	found, more := HeadingAddresses(doc, typed, limit)
	for _, c := range found {
		addresses = append(addresses, c.Selector)
	}
	return addresses, more
}

// HeadingAddresses returns at most limit addresses of headings, and whether there
// are more. What is typed is the beginning, in any case, of the heading with its
// marks, of its title, or of a path to it. The address begins like that too, if
// such a one stands for the heading alone; else it is one that does.
func HeadingAddresses(doc *markdown.Document, typed string, limit int) (found []replies.Completion, more bool) {
	c := completing{doc: doc, typed: typed, left: maxCompared}
	for i := range doc.Sections {
		forms, ok := c.forms(i)
		if !ok {
			continue
		}
		if len(found) == limit {
			return found, true
		}
		if addr := c.address(i, forms); replies.Safe(addr) == addr {
			found = append(found, replies.Completion{
				Selector: addr, Description: "lines " + replies.LineRange(doc.SectionLines(i)),
				Counted: address.SelectorOf(doc, address.NodeOfSection(i)), Title: replies.Described(c.doc.SectionTitle(i)),
			})
		}
	}
	return found, false
}

// PlainAddresses puts titles in the place of addresses that no shell is handed, such as
// those with marks: where a title is plain, begins with what is typed and stands for its
// section alone.
func PlainAddresses(doc *markdown.Document, typed string, found []replies.Completion) {
	c := completing{doc: doc, typed: typed, left: maxCompared}
	for i := range found {
		title := found[i].Title
		if replies.IsPlain(found[i].Selector) || !replies.IsPlain(title) || !hasFoldedPrefix(title, typed) {
			continue
		}
		res, err := address.Resolve(doc, found[i].Counted)
		if err == nil && c.resolves(title, res.Node) {
			found[i].Selector = title
		}
	}
}

// completing is an address that is being typed.
type completing struct {
	doc   *markdown.Document
	typed string
	left  int            // headings that may still be compared
	count map[string]int // headings by their text; nil until it is asked for
}

// forms returns the texts that begin with what is typed and may be an address of
// section i, and whether the section is meant at all.
func (c *completing) forms(i int) (forms []string, ok bool) {
	title := c.doc.SectionTitle(i)
	for _, text := range []string{title, "######"[:c.doc.Sections[i].Level] + " " + title} {
		if hasFoldedPrefix(text, c.typed) {
			forms = append(forms, text)
		}
	}
	ok = len(forms) > 0 || hasFoldedPrefix(HeadingOf(c.doc, i), c.typed)
	// A path begins with the section's parent, or one further up. It is meant when
	// more than its first title is typed.
	for j := int(c.doc.Sections[i].Parent); j >= 0; j = int(c.doc.Sections[j].Parent) {
		first := escapedTitle(c.doc.SectionTitle(j))
		if len(c.typed) <= len(first) || !hasFoldedPrefix(c.typed, first) {
			continue
		}
		if path := c.path(j, i); hasFoldedPrefix(path, c.typed) {
			forms, ok = append(forms, path), true
		}
	}
	return forms, ok
}

// path returns the titles from section j, in which section i stands, to that one.
func (c *completing) path(j, i int) string {
	path := escapedTitle(c.doc.SectionTitle(i))
	for i != j {
		i = int(c.doc.Sections[i].Parent)
		path = escapedTitle(c.doc.SectionTitle(i)) + " > " + path
	}
	return path
}

// address returns the address of section i that is offered.
func (c *completing) address(i int, forms []string) string {
	node := address.NodeOfSection(i)
	addr := address.AddressOf(c.doc, node)
	if hasFoldedPrefix(addr, c.typed) {
		return addr
	}
	shown := func(form string) bool { return len(form) <= maxForm && replies.Safe(form) == form }
	for _, form := range forms {
		if shown(form) && form != HeadingOf(c.doc, i) && c.resolves(form, node) {
			return form
		}
	}
	if !strings.HasPrefix(addr, "#") || !c.afford() { // no path, or this is the one
		return addr
	}
	if path := address.Path(c.doc, i); path != "" && hasFoldedPrefix(path, c.typed) && shown(path) {
		return path
	}
	return addr
}

// afford reports whether all headings may be compared once more.
func (c *completing) afford() bool {
	c.left -= len(c.doc.Sections)
	return c.left >= 0
}

// resolves reports whether an address stands for the node alone.
func (c *completing) resolves(addr string, node address.Node) bool {
	if c.count == nil {
		c.count = map[string]int{}
		for i := range c.doc.Sections {
			c.count[string(c.doc.Text(c.doc.Content(int(c.doc.Sections[i].Heading))))]++
		}
	}
	if c.count[addr] > 1 || !c.afford() { // an error looks for what was meant, which takes long
		return false
	}
	res, err := address.Resolve(c.doc, addr)
	return err == nil && res.Node == node && !res.ByPosition
}

// escapedTitle returns a title as a part of a path.
func escapedTitle(title string) string { return strings.ReplaceAll(title, ">", `\>`) }

// hasFoldedPrefix reports whether s begins with a prefix, in any case.
func hasFoldedPrefix(s, prefix string) bool {
	for prefix != "" {
		want, n := utf8.DecodeRuneInString(prefix)
		got, m := utf8.DecodeRuneInString(s)
		if m == 0 || want != got && !strings.EqualFold(string(want), string(got)) {
			return false
		}
		prefix, s = prefix[n:], s[m:]
	}
	return true
}
