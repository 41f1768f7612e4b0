package address

import (
	"slices"

	"github.com/sectile/sectile/markdown"
)

// Following a selector goes from the current nodes to the next ones, a step at a
// time. The nodes of a step that are not the same lie beside each other in the
// document, so looking through the children of each of them once is at most one
// walk through the document, however often indexes are repeated. What the way to
// a node is called is put together at the end, for the nodes that are left.

// maxRepeats limits what repeated indexes can multiply to, beyond the number of
// the document's blocks.
const maxRepeats = 10_000

// A Match is a node that a selector chose.
type Match struct {
	Node
	// Selector is the way that led to it, with an index in every step:
	// "h1.0/para.2" for the third match of "h1/para". It has no namespace, and
	// is "root" for the document.
	Selector string
}

// Select returns the nodes that the selector chooses, in the order in which it
// names them, repeats included. The namespace and the query say nothing about
// nodes and are left to the caller.
//
// Its error is a *RangeError if an index is beyond what there is, even if others
// are not; a *NoMatchError if a step without an index finds nothing; or
// ErrTooManyMatches.
func Select(doc *markdown.Document, s *Selector) ([]Match, error) {
	hits, fail := follow(doc, s)
	if fail != nil {
		return nil, fail.err
	}
	matches := make([]Match, len(hits))
	for i := range hits {
		matches[i] = Match{Node: hits[i].Node, Selector: hits[i].selector()}
	}
	return matches, nil
}

// hit is a node that a step found.
type hit struct {
	Node
	from *hit // nil for the document
	step Step // finds the node alone among the children of from
}

// selector returns the way to the hit, "root" for the document.
func (h *hit) selector() string {
	if h.from == nil {
		return TypeRoot.String()
	}
	var way []*hit
	for ; h.from != nil; h = h.from {
		way = append(way, h)
	}
	var text []byte
	for i, h := range slices.Backward(way) {
		text = h.step.appendTo(text)
		if i > 0 {
			text = append(text, '/')
		}
	}
	return string(text)
}

// place names the hit as the place that was searched.
func (h *hit) place() string {
	if h.from == nil {
		return "document"
	}
	return h.selector()
}

// failure says where a selector led nowhere.
type failure struct {
	err  error
	from *hit // below which there was nothing
	step int  // that found nothing
}

// follow returns what Select does, without names.
func follow(doc *markdown.Document, s *Selector) ([]hit, *failure) {
	hits := []hit{{Node: documentNode}}
	for i := range s.Steps {
		w := selection{doc: doc, step: &s.Steps[i], index: i, last: i == len(s.Steps)-1}
		var fail *failure
		if hits, fail = w.follow(hits); fail != nil {
			return nil, fail
		}
	}
	return hits, nil
}

// selection is one step of a selector.
type selection struct {
	doc   *markdown.Document
	step  *Step
	index int
	last  bool
	found map[Node][]int // what is below nodes that may come again
	next  []hit
}

// follow returns what the step leads to from the hits.
func (w *selection) follow(from []hit) ([]hit, *failure) {
	switch w.step.Type {
	case TypeRoot: // its indexes mean nothing, as in mdsel
		if w.index == 0 {
			return from, nil
		}
		return nil, w.none(&from[0])
	case TypeSection, TypePage:
		return nil, w.none(&from[0])
	}
	if len(from) > 1 {
		w.found = make(map[Node][]int)
	}
	for i := range from {
		if fail := w.choose(&from[i]); fail != nil {
			return nil, fail
		}
	}
	if len(w.next) == 0 {
		return nil, w.none(&from[0])
	}
	return w.next, nil
}

func (w *selection) none(from *hit) *failure {
	return w.fail(from, &NoMatchError{Step: w.index, Type: w.step.Type, In: from.place()})
}

func (w *selection) fail(from *hit, err error) *failure {
	return &failure{err: err, from: from, step: w.index}
}

// choose adds what the step chooses below one hit.
func (w *selection) choose(from *hit) *failure {
	blocks, known := w.found[from.Node]
	if !known {
		blocks = w.below(from.Node)
		if w.found != nil {
			w.found[from.Node] = blocks
		}
	}
	if w.step.Index == nil {
		return w.add(from, blocks, 0, len(blocks)-1)
	}
	for _, r := range w.step.Index {
		if r.Last >= len(blocks) {
			return w.fail(from, &RangeError{
				Step: w.index, Index: max(r.First, len(blocks)), Count: len(blocks),
				Type: w.step.Type, In: from.place(),
			})
		}
		if fail := w.add(from, blocks, r.First, r.Last); fail != nil {
			return fail
		}
	}
	return nil
}

// add adds the blocks from first to last.
func (w *selection) add(from *hit, blocks []int, first, last int) *failure {
	if len(w.next)+last-first >= len(w.doc.Blocks)+maxRepeats {
		return w.fail(from, ErrTooManyMatches)
	}
	for i := first; i <= last; i++ {
		if w.step.Type == TypeAny {
			w.next = append(w.next, *from)
			continue
		}
		step := Step{Type: w.step.Type, Index: []Range{{i, i}}}
		w.next = append(w.next, hit{Node: NodeOfBlock(w.doc, blocks[i]), from: from, step: step})
	}
	return nil
}

// below returns the blocks that the step finds below a node, up to the largest
// index that it asks for; for TypeAny, one that means nothing.
func (w *selection) below(n Node) []int {
	if w.step.Type == TypeAny {
		return []int{-1}
	}
	var blocks []int
	need := w.need()
	for i, end := childRange(w.doc, n); i < end && len(blocks) < need; i = int(w.doc.Blocks[i].Next) {
		if w.step.Type.matches(&w.doc.Blocks[i]) {
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// need returns how many blocks below a node are enough.
func (w *selection) need() int {
	switch {
	case w.step.Index == nil && w.last:
		return len(w.doc.Blocks)
	case w.step.Index == nil:
		return 1
	}
	n := 0
	for _, r := range w.step.Index {
		// One more than the largest int would be none.
		n = max(n, min(r.Last, len(w.doc.Blocks))+1)
	}
	return n
}

// matches reports whether a step of the type finds the block.
func (t Type) matches(b *markdown.Block) bool {
	switch b.Kind {
	case markdown.Heading:
		return t.Level() == int(b.Level)
	case markdown.Paragraph:
		return t == TypePara
	case markdown.List:
		return t == TypeList
	case markdown.FencedCode, markdown.IndentedCode:
		return t == TypeCode
	case markdown.Table:
		return t == TypeTable
	case markdown.BlockQuote:
		return t == TypeQuote
	case markdown.Item:
		return t == TypeItem
	case markdown.TableRow:
		return t == TypeRow
	case markdown.HTMLBlock:
		return t == TypeHTML
	case markdown.FrontMatter:
		return t == TypeFrontMatter
	}
	return false
}

// typeOf returns the type of step that finds the block, or 0.
func typeOf(b *markdown.Block) Type {
	for t := TypeH1; t <= TypeFrontMatter; t++ {
		if t.matches(b) {
			return t
		}
	}
	return 0
}

// childRange returns the first child of a node and where its children end: child
// i is followed by Blocks[i].Next. A section, and what a heading in a container
// opens, holds its own heading.
func childRange(doc *markdown.Document, n Node) (first, end int) {
	switch n.Kind {
	case DocumentNode:
		return 0, len(doc.Blocks)
	case SectionNode:
		end = len(doc.Blocks)
		if next := int(doc.Sections[n.Section].Next); next < len(doc.Sections) {
			end = int(doc.Sections[next].Heading)
		}
		return int(doc.Sections[n.Section].Heading), end
	case BlockNode:
		if doc.Blocks[n.Block].Kind == markdown.Heading {
			return n.Block, int(doc.Blocks[lastBlock(doc, n.Block)].Next)
		}
		return n.Block + 1, int(doc.Blocks[n.Block].Next)
	}
	return 0, 0
}
