package address

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// Following a selector goes from the current nodes to the next ones, a step at a
// time. The nodes of a step that are not the same lie beside each other in the
// document, so looking through the children of each of them once is at most one
// walk through the document, however often indexes are repeated.
//
// A step can find as many nodes as the document has blocks. So a node is three
// numbers while the selector is followed, of the last step's there are no more than
// are asked for, and names are made for those who read them (matches.go).

// maxRepeats limits what repeated indexes can multiply to, beyond the number of
// the document's blocks.
const maxRepeats = 10_000

// failure says where a selector led nowhere.
type failure struct {
	trail
	err  error
	from int // the hit below which there was nothing, by index
	step int // that found nothing
}

// following is a selector in work.
type following struct {
	trail
	watch watch
	steps []Step
	most  int // of the last step, how many hits are kept
	also  int // of the last step, the index of one more that is kept; -1 for none
	count int // hits of the step, kept or not
}

// follow does what SelectContext does, and says where the selector failed. If there is
// a match with the index also and it is not one of the first, it is kept after them.
func follow(ctx context.Context, doc *markdown.Document, s *Selector, most, also int) (*Matches, *failure) {
	f := following{trail: trail{doc, []hit{documentHit}}, watch: watch{ctx: ctx}, steps: s.Steps, most: max(most, 0), also: also}
	if err := ctx.Err(); err != nil {
		return nil, &failure{trail: f.trail, err: err}
	}
	first, count := 0, 1
	for i := range s.Steps {
		if s.Steps[i].Type == TypeRoot && i == 0 { // its indexes mean nothing, as in mdsel
			continue
		}
		end := len(f.hits)
		if fail := f.step(i, first); fail != nil {
			return nil, fail
		}
		first, count = end, f.count
	}
	return &Matches{trail: f.trail, first: first, kept: min(count, f.most), count: count}, nil
}

// step takes step i, from the hits after the first on.
func (f *following) step(i, first int) *failure {
	w := selection{following: f, step: &f.steps[i], index: i, last: i == len(f.steps)-1}
	w.limit = math.MaxInt
	if w.last {
		w.limit = f.most
	}
	switch w.step.Type {
	case TypeRoot, typeSection, typePage:
		return w.none(first)
	}
	end := len(f.hits)
	f.count = 0
	w.ranges = w.wanted()
	if end-first > 1 {
		w.found = make(map[int32]children)
	}
	for from := first; from < end; from++ {
		if fail := w.choose(from); fail != nil {
			return fail
		}
	}
	if f.count == 0 {
		return w.none(first)
	}
	return nil
}

// selection is one step of a selector.
type selection struct {
	*following
	step   *Step
	index  int
	last   bool
	limit  int                // of hits that are kept
	ranges []window           // of the ordinals that are kept below one node
	found  map[int32]children // below the blocks of nodes that may come again
}

// children are what the step finds below a node.
type children struct {
	blocks []int32 // those of the selection's ranges
	count  int     // of all, up to the largest that the step asks for
}

// window is a range of ordinals, both ends included.
type window struct {
	first, last int
	at          int // where its blocks begin
}

func (w *selection) none(from int) *failure {
	return w.fail(from, &NoMatchError{Step: w.index, Type: w.step.Type, In: w.place(from), Deeper: w.deeper(from)})
}

// deeper returns how many nodes that the step looks for stand deeper in a hit that has none.
func (w *selection) deeper(from int) int {
	_, count := nestedIn(w.doc, w.node(from), w.step.Type)
	return count
}

func (w *selection) fail(from int, err error) *failure {
	return &failure{trail: w.trail, err: err, from: from, step: w.index}
}

// choose adds what the step chooses below one hit.
func (w *selection) choose(from int) *failure {
	block := w.hits[from].block
	below, known := w.found[block]
	if !known {
		var err error
		if below, err = w.below(block); err != nil {
			return w.fail(from, err)
		}
		if w.found != nil {
			w.found[block] = below
		}
	}
	if w.step.Index == nil {
		return w.add(from, below, 0, below.count-1)
	}
	for _, r := range w.step.Index {
		if r.Last >= below.count {
			return w.fail(from, &RangeError{
				Step: w.index, Index: max(r.First, below.count), Count: below.count,
				Type: w.step.Type, In: w.place(from), Deeper: w.deeper(from),
			})
		}
		if fail := w.add(from, below, r.First, r.Last); fail != nil {
			return fail
		}
	}
	return nil
}

// add adds the children from the first ordinal to the last.
func (w *selection) add(from int, below children, first, last int) *failure {
	if w.count+last-first >= len(w.doc.Blocks)+maxRepeats {
		return w.fail(from, ErrTooManyMatches)
	}
	if err := w.watch.look(); err != nil {
		return w.fail(from, err)
	}
	n := max(last-first+1, 0)
	keep := max(min(n, w.limit-w.count), 0)
	also := first + w.also - w.count
	w.count += n
	w.hits = slices.Grow(w.hits, keep)
	for i := first; i < first+keep; i++ {
		if err := w.watch.look(); err != nil {
			return w.fail(from, err)
		}
		if w.step.Type == TypeAny { // the node itself
			w.hits = append(w.hits, w.hits[from])
			continue
		}
		w.hits = append(w.hits, hit{block: w.block(below, i), ordinal: int32(i), from: int32(from)})
	}
	if w.last && also >= first+keep && also < first+n {
		return w.keep(from, also)
	}
	return nil
}

// keep adds the child with an ordinal that is not one of those that are kept anyway.
func (w *selection) keep(from, ordinal int) *failure {
	if w.step.Type == TypeAny {
		w.hits = append(w.hits, w.hits[from])
		return nil
	}
	n := 0
	for i, end := childRange(w.doc, w.node(from)); i < end; i = int(w.doc.Blocks[i].Next) {
		if err := w.watch.look(); err != nil {
			return w.fail(from, err)
		}
		if !w.step.Type.matches(&w.doc.Blocks[i]) {
			continue
		}
		if n == ordinal {
			w.hits = append(w.hits, hit{block: int32(i), ordinal: int32(ordinal), from: int32(from)})
			break
		}
		n++
	}
	return nil
}

// block returns the child with an ordinal, which is one of those that are kept.
func (w *selection) block(c children, ordinal int) int32 {
	i := 0
	if len(w.ranges) > 1 {
		i = sort.Search(len(w.ranges), func(i int) bool { return w.ranges[i].last >= ordinal })
	}
	return c.blocks[w.ranges[i].at+ordinal-w.ranges[i].first]
}

// wanted returns the ordinals of which blocks are kept below a node, in order and
// apart from each other: of those that the step names, as many as hits are kept.
func (w *selection) wanted() []window {
	most := min(w.limit, len(w.doc.Blocks)+maxRepeats)
	if w.step.Index == nil {
		return []window{{first: 0, last: min(most, w.need()) - 1}}
	}
	var all []window
	for _, r := range w.step.Index {
		n := min(r.Last, len(w.doc.Blocks)) - r.First + 1
		if n = min(n, most); n <= 0 {
			continue // there is no room for more, or no such block
		}
		most -= n
		all = append(all, window{first: r.First, last: r.First + n - 1})
	}
	slices.SortFunc(all, func(a, b window) int { return cmp.Compare(a.first, b.first) })
	apart := all[:0]
	for _, r := range all {
		if n := len(apart); n > 0 && r.first <= apart[n-1].last+1 {
			apart[n-1].last = max(apart[n-1].last, r.last)
			continue
		}
		apart = append(apart, r)
	}
	at := 0
	for i := range apart {
		apart[i].at = at
		at += apart[i].last - apart[i].first + 1
	}
	return apart
}

// below returns what the step finds below the node of a block. The error is that of
// the context.
func (w *selection) below(block int32) (children, error) {
	if w.step.Type == TypeAny {
		return children{count: 1}, nil
	}
	n := NodeOfDocument()
	if block >= 0 {
		n = NodeOfBlock(w.doc, int(block))
	}
	var c children
	need, ranges := w.need(), w.ranges
	for i, end := childRange(w.doc, n); i < end && c.count < need; i = int(w.doc.Blocks[i].Next) {
		if err := w.watch.look(); err != nil {
			return children{}, err
		}
		if !w.step.Type.matches(&w.doc.Blocks[i]) {
			continue
		}
		if len(ranges) > 0 && c.count > ranges[0].last {
			ranges = ranges[1:]
		}
		if len(ranges) > 0 && c.count >= ranges[0].first {
			c.blocks = append(c.blocks, int32(i))
		}
		c.count++
	}
	return c, nil
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

// watch looks now and then whether a context has ended.
type watch struct {
	ctx   context.Context
	count uint32 // of what was gone over
}

// blocksBetween is how many blocks are gone over between two looks: some tenths of a
// millisecond.
const blocksBetween = 1 << 14

// look returns the error of the context, if it is time to look.
func (w *watch) look() error {
	if w.count++; w.count%blocksBetween != 0 {
		return nil
	}
	return w.ctx.Err()
}

// matches reports whether a step of the type finds the block.
func (t Type) matches(b *markdown.Block) bool {
	switch b.Kind {
	case markdown.Heading:
		return t.level() == int(b.Level)
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
