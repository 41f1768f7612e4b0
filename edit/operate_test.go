package edit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// Operations are made for a part of a document, so that what they must do is known
// before they are applied.

// made is an operation and what is known of it.
type made struct {
	edit.Op
	node   address.Node // what the address was made for
	sure   bool         // and stands for, whatever else is in the document
	benign bool         // the text is plain paragraphs, the address and the hash are right
}

// attempt is operations on a document.
type attempt struct {
	doc     *markdown.Document
	ops     []made
	options edit.Options
}

// applyWith applies operations to a document with options.
func applyWith(doc *markdown.Document, ops []edit.Op, o edit.Options) (*edit.Result, error) {
	return edit.ApplyContext(context.Background(), doc, ops, o)
}

// apply applies them.
func (a *attempt) apply() (*edit.Result, error) {
	ops := make([]edit.Op, len(a.ops))
	for i := range a.ops {
		ops[i] = a.ops[i].Op
	}
	return applyWith(a.doc, ops, a.options)
}

// String returns the attempt as it would be written in a test.
func (a *attempt) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "doc: %q\n", a.doc.Source)
	for i := range a.ops {
		o := &a.ops[i]
		fmt.Fprintf(&b, "op: {Action: %q, Address: %q, Text: %q, Scope: %q, Occurrence: %d, ExpectedHash: %q, AllowRestructure: %v, Renumber: %v, Rows: %q, Old: %q, All: %v, To: %q, Where: %q, KeepLevels: %v, Order: %q}\n",
			o.Action, o.Address, o.Text, o.Scope, o.Occurrence, o.ExpectedHash, o.AllowRestructure, o.Renumber, o.Rows, o.Old, o.All, o.To, o.Where, o.KeepLevels, o.Order)
	}
	if a.options != (edit.Options{}) {
		fmt.Fprintf(&b, "options: %+v\n", a.options)
	}
	return b.String()
}

func parse(t testing.TB, src []byte) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Names of parts, and their nodes.
var (
	documentNode = address.NodeOfDocument()
	preambleNode = address.NodeOfPreamble()
)

// sectionActions are the actions that are for sections.
func sectionActions() []edit.Action {
	return slices.DeleteFunc(edit.Actions(), func(a edit.Action) bool { return a == edit.Set })
}

// smallNode picks a key of front matter, a task, a cell or a column, if there is one.
func (r source) smallNode(doc *markdown.Document) (n address.Node, ok bool) {
	b := -1
	want := one(r, []markdown.Kind{markdown.FrontMatter, markdown.Item, markdown.TableCell, markdown.Table})
	from := r.IntN(len(doc.Blocks) + 1)
	for i := range doc.Blocks {
		block := &doc.Blocks[(from+i)%len(doc.Blocks)]
		if block.Kind == want && (want != markdown.Item || block.Flags&markdown.Task != 0) {
			b = (from + i) % len(doc.Blocks)
			break
		}
	}
	switch {
	case b < 0:
		return n, false
	case want == markdown.Table:
		n = address.NodeOfColumn(doc, b, r.IntN(int(doc.Blocks[b+1].Next)-b-1))
	case want == markdown.FrontMatter:
		res, err := address.Resolve(doc, "@frontmatter."+one(r, []string{"title", "tags", "tags.0", "a", "x"}))
		if err != nil {
			return n, false
		}
		n = res.Node
	default:
		n = address.NodeOfBlock(doc, b)
	}
	return n, address.SelectorOf(doc, n) != ""
}

// node picks a part of the document: mostly a section.
func (r source) node(doc *markdown.Document) address.Node {
	n := r.IntN(100)
	if r.chance(15) {
		if small, ok := r.smallNode(doc); ok {
			return small
		}
	}
	if n < 70 && len(doc.Sections) > 0 {
		return address.NodeOfSection(r.IntN(len(doc.Sections)))
	}
	if n < 90 && len(doc.Blocks) > 0 {
		for range 5 {
			node := address.NodeOfBlock(doc, r.IntN(len(doc.Blocks)))
			if address.SelectorOf(doc, node) != "" {
				return node
			}
		}
	}
	if n < 94 && doc.FrontMatter() >= 0 {
		return address.NodeOfBlock(doc, doc.FrontMatter())
	}
	if n < 97 {
		return preambleNode
	}
	return documentNode
}

// address writes an address of the node; sure is false if it may stand for another.
func (r source) address(doc *markdown.Document, n address.Node) (addr string, sure bool) {
	switch n.Kind {
	case address.PreambleNode:
		return "@preamble", false
	case address.DocumentNode:
		return "@document", true
	case address.FrontMatterNode:
		return "@frontmatter", true
	case address.BlockNode, address.KeyNode, address.ColumnNode:
		return address.SelectorOf(doc, n), true
	}
	switch form := r.IntN(8); {
	case form == 0:
		if path := address.Path(doc, n.Section); path != "" {
			return path, true
		}
	case form == 1:
		if anchor := address.Anchors(doc)[n.Section]; anchor != "" {
			return anchor, true
		}
	case form == 2:
		lines := doc.BodyLines(n.Section)
		return fmt.Sprintf("L%d", lines.First+r.IntN(lines.Len())), true
	case form == 3:
		title := doc.SectionTitle(n.Section)
		if len(title) > 3 && r.chance(30) {
			title = strings.ToUpper(title[:len(title)-1])
		}
		return title, false
	case form < 6:
		return address.AddressOf(doc, n), true
	}
	return address.SelectorOf(doc, n), true
}

// hash returns the hash of what the operation touches.
func (r source) hash(doc *markdown.Document, n address.Node, o *edit.Op) string {
	hash := markdown.Hash(doc.Text(n.Span(doc)))
	whole := o.Scope != edit.ScopeBody && (o.Action == edit.Replace || o.Action == edit.Remove || o.Action == edit.ReplaceText) || slices.Contains(edit.Structural(), o.Action)
	if n.Kind == address.SectionNode && !whole && r.chance(50) {
		hash = doc.BodyHash(n.Section)
	}
	return hash[:12+r.IntN(len(hash)-11)]
}

// op makes an operation on the document.
func (r source) op(doc *markdown.Document) made {
	m := made{node: r.node(doc)}
	if r.chance(15) {
		r.textOp(doc, &m)
	} else {
		r.partOp(doc, &m)
	}
	if m.Address == "" {
		return m
	}
	resolved, err := address.Resolve(doc, m.Address)
	switch {
	case err != nil:
		m.benign = false
		return m
	case !m.sure:
		m.node, m.sure = resolved.Node, true
	}
	if r.chance(2) {
		m.Occurrence, m.sure, m.benign = 1+r.IntN(3), false, false
	}
	if resolved.ByPosition && !r.chance(10) || m.Occurrence > 0 || r.chance(30) {
		m.ExpectedHash = r.hash(doc, m.node, &m.Op)
	}
	if r.chance(3) {
		m.ExpectedHash = markdown.Hash([]byte(r.words(3)))
	}
	if r.chance(2) {
		m.Address, m.sure = one(r, []string{"h2.99", "Nothing like it", "", "h2[", "L0", "#nothing", "A > > B", "@preamble"}), false
	}
	return m
}

// partOp makes an action on a part.
func (r source) partOp(doc *markdown.Document, m *made) {
	m.Action = one(r, edit.Actions())
	level := 1 + r.IntN(6)
	if m.node.Kind == address.SectionNode {
		level = int(doc.Sections[m.node.Section].Level)
	}
	m.Address, m.sure = r.address(doc, m.node)
	if r.chance(8) {
		m.AllowRestructure = true
	}
	m.Renumber = r.chance(10) && m.Action != edit.Rename && m.Action != edit.Set
	switch m.node.Kind {
	case address.KeyNode, address.ColumnNode:
		if m.Action == edit.Replace {
			m.Action = edit.Set
		}
		m.Text = one(r, []string{"x", "", "a|b", "true", `{"a": ["b"]}`, "2024-01-01", r.words(2), "one\ntwo"})
		if m.Action == edit.Remove {
			m.Text = ""
		}
		return
	}
	switch m.Action {
	case edit.Set:
		m.Text = one(r, []string{"done", "open", "toggle", "toggle", "else"})
		return
	case edit.Remove:
		if r.chance(15) {
			m.Scope = one(r, []edit.Scope{edit.ScopeBody, edit.ScopeSection})
		}
		return
	case edit.Rename:
		m.Text = r.words(1 + r.IntN(4))
		if r.chance(30) {
			m.Text = one(r, []string{
				one(r, titles), strings.Repeat("#", level) + " " + r.words(2), "# x", "a\nb", "a #", "#", "---", "- a", "> b", "```", "<!--", "| a |", "[a]: /u", "===", "1. x",
				"\ta", " x ", "a\\", "    x",
			})
		}
		return
	case edit.Replace:
		if r.chance(60) {
			m.Scope = one(r, []edit.Scope{edit.ScopeBody, edit.ScopeSection})
		}
	}
	if r.chance(5) && m.Action != edit.InsertBefore && m.Action != edit.InsertAfter || r.chance(5) && m.node.Kind == address.BlockNode {
		columns := 1 + r.IntN(3)
		if m.node.Kind == address.BlockNode && doc.Blocks[m.node.Block].Kind == markdown.Table && r.chance(70) {
			m.Action = one(r, []edit.Action{edit.Append, m.Action})
			columns = len(tableOf(doc, m.node.Block)[0])
		}
		for range 1 + r.IntN(3) {
			row := make([]string, columns)
			for i := range row {
				row[i] = r.words(1)
			}
			m.Rows = append(m.Rows, row)
		}
		return
	}
	m.Text = r.content(level)
	if (m.Action == edit.InsertBefore || m.Action == edit.InsertAfter) && m.node.Kind == address.SectionNode && !r.chance(5) {
		deeper := 0
		if m.Action == edit.InsertAfter && r.chance(30) {
			deeper = 1 + r.IntN(2)
		}
		m.Text = strings.TrimLeft(r.heading(min(6, level+deeper)), " ") + "\n" + m.Text
	}
}

// content returns what is put in: plain text, what people write, or what is hostile.
func (r source) content(level int) string {
	var text string
	switch n := r.IntN(100); {
	case n < 35:
		text = r.prose()
	case n < 65:
		text = one(r, benignPayloads).at(min(4, level))
	case n < 80:
		text = one(r, smallHostile()).text
	case n < 90:
		text = r.block()
	default:
		text = r.heading(1+r.IntN(6)) + "\n" + r.block()
	}
	if r.chance(10) {
		text += r.block()
	}
	if r.chance(10) {
		text = strings.ReplaceAll(text, "\n", one(r, []string{"\r\n", "\r"}))
	}
	if r.chance(20) {
		text = r.gap() + text + r.gap()
	}
	return text
}

// textOp makes a replacement of a text that is there, mostly.
func (r source) textOp(doc *markdown.Document, m *made) {
	m.Action, m.sure = edit.ReplaceText, true
	scope := markdown.Span{Start: 0, End: len(doc.Source)}
	if r.chance(40) {
		m.Address, m.sure = r.address(doc, m.node)
		if m.node.Kind != address.PreambleNode {
			scope = m.node.Span(doc)
		}
	}
	from := scope.Start + r.IntN(scope.Len()+1)
	length := 1 + r.IntN(12)
	if r.chance(20) {
		length = 1 + r.IntN(80)
	}
	m.Old = string(doc.Source[from:min(scope.End, from+length)])
	if r.chance(50) {
		m.Old = unified(m.Old)
	}
	m.All = r.chance(30)
	m.AllowRestructure = r.chance(10)
	switch n := r.IntN(10); {
	case n < 5:
		m.Text = r.words(1 + r.IntN(3))
	case n < 6:
		m.Text = ""
	case n < 8:
		m.Text = r.content(2)
	default:
		m.Text = m.Old + one(r, []string{"x", "\n", " ", "\n\n# A\n\n", "`", "|", "#", "\t", "\n- a\n", "é"})
	}
}

// attempt makes one or, in some cases, several operations on the document.
func (r source) attempt(doc *markdown.Document) *attempt {
	a := &attempt{doc: doc, ops: []made{r.op(doc)}}
	if r.chance(20) {
		for range 1 + r.IntN(4) {
			a.ops = append(a.ops, r.op(doc))
		}
	}
	a.options.Pinned = r.chance(5)
	return a
}

// benign makes one operation that must be possible: a right address with the right
// hash, and words as content.
func (r source) benign(doc *markdown.Document) *attempt {
	i := r.IntN(len(doc.Sections))
	return benignAttempt(r, doc, i, one(r, append(sectionActions(), edit.ReplaceText)))
}

func benignAttempt(r source, doc *markdown.Document, i int, action edit.Action) *attempt {
	m := made{node: address.NodeOfSection(i), sure: true, benign: true}
	m.Action = action
	m.Address = address.AddressOf(doc, m.node)
	m.ExpectedHash = markdown.Hash(doc.Text(m.node.Span(doc)))
	level := int(doc.Sections[i].Level)
	switch action {
	case edit.Replace:
		m.Text = r.prose()
		m.Scope = edit.ScopeSection
		if r.chance(50) {
			m.Scope = edit.ScopeBody
		}
	case edit.Append, edit.Prepend:
		m.Text = r.prose()
	case edit.InsertBefore, edit.InsertAfter:
		m.Text = strings.Repeat("#", level) + " " + r.words(2) + "\n\n" + r.prose()
	case edit.Rename:
		m.Text = "New " + r.words(2)
	case edit.ReplaceText:
		m.Old = wordIn(r, doc, i)
		m.Text = m.Old + "s"
		if m.Old == "" {
			m.Action, m.Old, m.Text = edit.Append, "", r.prose()
			return &attempt{doc: doc, ops: []made{m}}
		}
		m.All = true
	}
	return &attempt{doc: doc, ops: []made{m}}
}

// wordIn returns a word of a paragraph in section i, or nothing.
func wordIn(r source, doc *markdown.Document, i int) string {
	span := doc.BodySpan(i)
	var words []string
	for b := range doc.Blocks {
		block := &doc.Blocks[b]
		if block.Kind == markdown.Paragraph && int(block.Start) >= span.Start && int(block.End) <= span.End {
			for w := range strings.FieldsSeq(string(doc.Text(block.Span()))) {
				if len(w) > 3 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
					words = append(words, w)
				}
			}
		}
	}
	if len(words) == 0 {
		return ""
	}
	return one(r, words)
}
