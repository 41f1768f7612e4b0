package address

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/syntax"
	"github.com/sectile/sectile/markdown"
)

// lookUpPart looks for the parts that an address of this form means.
func (r Resolver) lookUpPart(p *partAddress) *lookup {
	from := []Node{NodeOfDocument()}
	byPosition, tier := false, TierNone
	if p.base != "" {
		base := r.lookUpBase(p.base)
		if base.err != nil || base.count() != 1 {
			return base
		}
		from, byPosition, tier = base.nodes, base.byPosition, base.tier
	}
	release, l := r.admitLinks(p)
	if l != nil {
		return l
	}
	defer release()
	f := partFinder{doc: r.Doc, broken: r.Broken}
	nodes := f.follow(from, p.steps, true)
	if f.unknown {
		return &lookup{err: &Error{Code: InvalidAddress, Message: "whether links are broken is not known here; name one by its text or its number"}}
	}
	l = &lookup{nodes: nodes, tier: tier, byPosition: byPosition, miss: f.miss, told: true, instead: f.nested}
	if len(nodes) == 0 {
		return l
	}
	last := &p.steps[len(p.steps)-1]
	counted := slices.ContainsFunc(p.steps, func(s partStep) bool { return s.index != nil }) || last.isNumber()
	section := slices.ContainsFunc(p.steps, func(s partStep) bool { return s.index != nil && s.block.level() > 0 })
	if counted && (section || last.index != nil && last.block != TypeTable || !last.isName() || !f.isOnly(from, p.steps, nodes)) {
		l.byPosition = true // a section that counts may be another one, with a part of the same name
	}
	return l
}

// lookUpBase looks for the part below which others are looked for.
func (r Resolver) lookUpBase(addr string) *lookup {
	l := r.lookUp(addr, 0, 0)
	if l.count() == 0 && l.err == nil {
		if t := lookUpTitle(r.Doc, addr); t != nil {
			return t
		}
	}
	return l
}

// isNumber reports whether a row or column is asked for by its number.
func (s *partStep) isNumber() bool {
	return slices.ContainsFunc(s.asks, func(a asked) bool { return a.n >= 0 })
}

// isName reports whether all that is asked for are names.
func (s *partStep) isName() bool { return s.asks != nil && !s.isNumber() }

// isOnly reports whether the steps without their indexes lead to the one node alone.
func (f *partFinder) isOnly(from []Node, steps []partStep, nodes []Node) bool {
	names := slices.Clone(steps)
	for i := range names {
		names[i].index = nil
	}
	return slices.Equal(f.follow(from, names, false), nodes)
}

// partFinder follows steps.
type partFinder struct {
	doc    *markdown.Document
	miss   string      // why nothing was found
	nested []Candidate // what is there deeper

	links               map[NodeKind][]linked // of some blocks, nil until they are asked for
	linksFrom, linksEnd int                   // those blocks
	several             bool                  // links of several nodes are asked for, so all are read once
	inlines             markdown.Inlines      // of the block of a link

	broken  func(*markdown.Link) bool // nil if that is not known
	unknown bool                      // though it was asked for
}

// follow returns what the steps lead to from some nodes, each once: what stands below one of
// them may stand below another that this is in. Below several of them, those that have what a
// step asks for count; it is said why there is none if told is set.
func (f *partFinder) follow(from []Node, steps []partStep, told bool) []Node {
	for i := range steps {
		var next []Node
		f.several = len(from) > 1
		var seen map[Node]bool // nil while no two have anything in common
		end := 0               // the first block behind all nodes before
		for _, n := range from {
			if f.several && seen == nil && f.firstBlock(n) < end {
				seen = map[Node]bool{}
				for _, to := range next {
					seen[to] = true
				}
			}
			if f.several {
				end = max(end, f.blockAfter(n))
			}
			for _, to := range f.step(n, &steps[i]) {
				if seen == nil || !seen[to] {
					next = append(next, to)
				}
				if seen != nil {
					seen[to] = true
				}
			}
		}
		if len(next) == 0 {
			if told {
				f.miss = f.missing(from, &steps[i])
			}
			return nil
		}
		from = next
	}
	return from
}

// step returns what a step leads to from a node.
func (f *partFinder) step(n Node, s *partStep) []Node {
	if s.link != 0 {
		return f.linkNodes(n, s)
	}
	blocks := f.blocks(n, s)
	if s.block == TypeTable {
		blocks = chosen(blocks, s.index)
		if s.asks != nil {
			return f.inTables(blocks, s.asks)
		}
	} else {
		if s.asks != nil {
			blocks = f.asked(blocks, s)
		}
		blocks = chosen(blocks, s.index)
	}
	nodes := make([]Node, len(blocks))
	for i, b := range blocks {
		nodes[i] = NodeOfBlock(f.doc, b)
	}
	return nodes
}

// blocks returns those that a step looks through: all below the node for tasks and for what
// is asked for by a text, else its children.
func (f *partFinder) blocks(n Node, s *partStep) []int {
	first, end := childRange(f.doc, n)
	deep := s.task || s.asks != nil && (s.block != TypeTable || s.index == nil)
	var all []int
	for b := first; b < end; {
		block := &f.doc.Blocks[b]
		if s.block == TypeAny || s.block.matches(block) && (!s.task || block.Flags&markdown.Task != 0) {
			all = append(all, b)
		}
		if b++; !deep {
			b = int(block.Next)
		}
	}
	return all
}

// chosen returns those with the indexes; all if there are no indexes, and none if one of
// them is beyond the last.
func chosen(blocks []int, index []Range) []int {
	if index == nil {
		return blocks
	}
	var list []int
	for _, r := range withoutRepeats(index) {
		if r.Last >= len(blocks) {
			return nil
		}
		list = append(list, blocks[r.First:r.Last+1]...)
	}
	return list
}

// asked returns the blocks that have what a step asks for.
func (f *partFinder) asked(blocks []int, s *partStep) []int {
	ask := s.asks[0]
	is := func(b int) bool { return strings.EqualFold(Language(f.doc, b), ask.text) }
	switch {
	case s.task && !ask.quoted:
		is = func(b int) bool { return (f.doc.Blocks[b].Flags&markdown.Done != 0) == (ask.text == "done") }
	case s.block != TypeCode:
		texts := make([]partText, len(blocks))
		for i, b := range blocks {
			texts[i] = f.text(b)
		}
		return pick(blocks, matching(ask.text, texts, true))
	}
	return slices.DeleteFunc(slices.Clone(blocks), func(b int) bool { return !is(b) })
}

// pick returns the elements with the indexes.
func pick(blocks, indexes []int) []int {
	list := make([]int, len(indexes))
	for i, at := range indexes {
		list[i] = blocks[at]
	}
	return list
}

// Language returns the language of code, "" if it names none: the first word of its info string up
// to a comma or brace, such as "rust" of "rust,ignore"; of attributes in braces the first class or,
// as in "{r, echo=FALSE}", the name that they begin with.
func Language(doc *markdown.Document, b int) string {
	word := doc.Info(b)
	if attributes, ok := bytes.CutPrefix(word, []byte("{")); ok {
		all := bytes.FieldsFunc(attributes, func(r rune) bool { return strings.ContainsRune(" \t,}", r) })
		if i := slices.IndexFunc(all, func(a []byte) bool { return a[0] == '.' }); i >= 0 {
			word = all[i][1:]
		} else if word = nil; len(all) > 0 && syntax.IsLetter(all[0][0]) && !bytes.Contains(all[0], []byte("=")) {
			word = all[0]
		}
	}
	if end := bytes.IndexAny(word, " \t,{"); end >= 0 {
		word = word[:end]
	}
	return string(syntax.AppendUnescaped(nil, word, false))
}

// inTables returns the cells, row or column of tables.
func (f *partFinder) inTables(tables []int, asks []asked) []Node {
	var nodes []Node
	for _, t := range tables {
		rows := f.rows(t)
		switch {
		case len(asks) == 2:
			columns := f.columnsAsked(rows, asks[1])
			for _, r := range f.rowsAsked(rows, asks[0]) {
				cells := f.cells(rows[r])
				for _, c := range columns {
					if c >= len(cells) { // nor has the row those behind it
						break
					}
					nodes = append(nodes, NodeOfBlock(f.doc, cells[c]))
				}
			}
		case asks[0].quoted:
			for _, c := range f.columnsAsked(rows, asks[0]) {
				nodes = append(nodes, NodeOfColumn(f.doc, t, c))
			}
		default:
			for _, r := range f.rowsAsked(rows, asks[0]) {
				nodes = append(nodes, NodeOfBlock(f.doc, rows[r]))
			}
		}
	}
	return nodes
}

// rows and cells return the rows of a table and the cells of a row.
func (f *partFinder) rows(table int) []int { return f.children(table) }
func (f *partFinder) cells(row int) []int  { return f.children(row) }

func (f *partFinder) children(b int) []int {
	var all []int
	for c := range f.doc.Children(b) {
		all = append(all, c)
	}
	return all
}

// rowsAsked returns the numbers of the rows that are asked for, by the number or the first cell.
func (f *partFinder) rowsAsked(rows []int, a asked) []int {
	if !a.quoted {
		if a.n >= len(rows) {
			return nil
		}
		return []int{a.n}
	}
	names := make([]partText, len(rows)-1) // the head has none
	for i, row := range rows[1:] {
		if cells := f.cells(row); len(cells) > 0 {
			names[i] = f.text(cells[0])
		}
	}
	found := matching(a.text, names, false)
	for i := range found {
		found[i]++
	}
	return found
}

// columnsAsked returns the numbers of the columns that are asked for, by the number or the head.
func (f *partFinder) columnsAsked(rows []int, a asked) []int {
	heads := f.heads(rows)
	switch {
	case a.quoted:
		return matching(a.text, heads, false)
	case a.n < len(heads):
		return []int{a.n}
	}
	return nil
}

// heads returns the texts of the head of a table.
func (f *partFinder) heads(rows []int) []partText {
	cells := f.cells(rows[0])
	heads := make([]partText, len(cells))
	for i, c := range cells {
		heads[i] = f.text(c)
	}
	return heads
}

// missing says why a step leads nowhere.
func (f *partFinder) missing(from []Node, s *partStep) string {
	where := ""
	if n := from[0]; n.Kind != DocumentNode && len(from) == 1 {
		where = " in " + SelectorOf(f.doc, n)
	}
	if s.link != 0 {
		return f.missingLink(from, s, where)
	}
	var there []int
	for _, n := range from {
		there = append(there, f.blocks(n, s)...)
	}
	noun := types[s.block].noun
	if s.task {
		noun = "task"
	}
	switch {
	case len(there) == 0:
		told := ""
		if len(from) == 1 && !s.task {
			var n int
			f.nested, n = nestedIn(f.doc, from[0], s.block)
			told = toldDeeper(n, s.block)
		}
		return "there is no " + noun + where + told
	case s.asks == nil || len(chosen(there, s.index)) == 0:
		return fmt.Sprintf("%s%s: %s, counted from 0%s", "not so many are there", where, number(len(there), noun), f.beside(from))
	case s.block == TypeTable:
		return f.missingCell(chosen(there, s.index), s.asks, where)
	case s.task && !s.asks[0].quoted:
		return fmt.Sprintf("none of the %s%s is %s", number(len(there), noun), where, s.asks[0].text)
	case s.block == TypeCode:
		return fmt.Sprintf("none of the %s%s is in the language %s%s", number(len(there), noun), where, runes.Quoted(s.asks[0].text), f.names(s.asks[0].text, there, func(b int) string { return Language(f.doc, b) }))
	}
	return fmt.Sprintf("none of the %s%s begins with %s%s", number(len(there), noun), where, runes.Quoted(s.asks[0].text), f.names(s.asks[0].text, there, f.plain))
}

// beside says that more lists, or other parts of the type, stand beside the one that steps lead from;
// nothing if none does.
func (f *partFinder) beside(from []Node) string {
	if len(from) > 1 || from[0].Kind != BlockNode {
		return ""
	}
	around := Node{Kind: SectionNode, Section: from[0].Section, Block: -1}
	if parent := int(f.doc.Blocks[from[0].Block].Parent); parent >= 0 {
		around = NodeOfBlock(f.doc, parent)
	} else if around.Section < 0 {
		around = NodeOfDocument()
	}
	of := typeOf(&f.doc.Blocks[from[0].Block])
	other, count := -1, 0
	for i, end := childRange(f.doc, around); i < end; i = int(f.doc.Blocks[i].Next) {
		if typeOf(&f.doc.Blocks[i]) != of || i == from[0].Block {
			continue
		}
		if count++; other < 0 || i > from[0].Block && other < from[0].Block {
			other = i
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("; it is one of %s there, and %s is another", number(count+1, types[of].noun), SelectorOf(f.doc, NodeOfBlock(f.doc, other)))
}

// missingCell says which row or column is not there.
func (f *partFinder) missingCell(tables []int, asks []asked, where string) string {
	rows := f.rows(tables[0])
	column := asks[len(asks)-1]
	if len(asks) == 2 && f.rowsAsked(rows, asks[0]) == nil || len(asks) == 1 && !column.quoted {
		if !asks[0].quoted {
			return fmt.Sprintf("the table%s has %s, the head being row 0", where, number(len(rows), "row"))
		}
		first := func(row int) string {
			if cells := f.cells(row); len(cells) > 0 {
				return f.plain(cells[0])
			}
			return ""
		}
		return "no row of the table" + where + " begins with " + runes.Quoted(asks[0].text) + f.names(asks[0].text, rows[1:], first)
	}
	switch named := f.columnsAsked(rows, column); {
	case named != nil:
		row := rows[f.rowsAsked(rows, asks[0])[0]]
		return fmt.Sprintf("the row of the table%s has %s, and none under %s; replace the whole row, %s, to give it one", where,
			number(len(f.cells(row)), "cell"), runes.Quoted(f.heads(rows)[named[0]].plain), SelectorOf(f.doc, NodeOfBlock(f.doc, row)))
	case column.quoted:
		return "no column of the table" + where + " is called " + runes.Quoted(column.text) + f.names(column.text, f.cells(rows[0]), f.plain)
	}
	return fmt.Sprintf("the row of the table%s has no cell %d, counted from 0", where, column.n)
}

// names returns the names of what is there instead, those first that are close to what was
// asked for.
func (f *partFinder) names(ask string, there []int, name func(int) string) string {
	var all []string
	seen := map[string]bool{"": true}
	for _, b := range there {
		if s := runes.Shown(name(b), 40); !seen[s] {
			seen[s] = true
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return ""
	}
	const most = 5
	if near := nearest.Names(ask, all, most); len(near) > 0 {
		all = near
	}
	more := ""
	if len(all) > most {
		all, more = all[:most], " and others"
	}
	for i := range all {
		all[i] = strconv.Quote(all[i])
	}
	return "; there are " + strings.Join(all, ", ") + more
}
