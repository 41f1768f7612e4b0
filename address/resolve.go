package address

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// Resolving has two halves: a lookup, which finds all that an address fits
// equally well, and what becomes of it, a resolution or an error. The lookup
// alone is also how an address is tried before it is printed.

// Tier says how closely a heading's text matched.
type Tier uint8

// The tiers, best first.
const (
	TierNone      Tier = iota // no text was matched: a selector, a line, an anchor, a name
	TierExact                 // the heading line, or its text, as written
	TierStripped              // without formatting, and with or without case
	TierPrefix                // the beginning of it, without case
	TierSubstring             // some part of it, without case
)

// String returns "none", "exact", "stripped", "prefix" or "substring".
func (t Tier) String() string {
	return [...]string{"none", "exact", "stripped", "prefix", "substring"}[min(t, TierSubstring)]
}

// A Resolution is the one node that an address stands for.
type Resolution struct {
	Node
	Tier Tier // of a path, that of its worst part; of what is named below a heading, that of the heading
	// ByPosition says that the address counts: a selector, a line, an
	// occurrence, an anchor that several headings share. After somebody else's
	// change it may stand for another node, so it is not enough to write.
	ByPosition bool
	// TwoReadings says that the address is a heading's text, and by its form another part
	// that is there too, so that it is not enough to write.
	TwoReadings bool
	Selector    string // SelectorOf the node
	// Breadcrumb is the titles of the sections that the node stands in, outermost
	// first; those of a section's ancestors for a section. It is nil if there are none.
	Breadcrumb []string
}

// Resolve returns the one node that the address stands for. White space around the
// address doesn't count. The package comment lists the forms of addresses.
//
// Its error is an *Error: HeadingNotFound and AmbiguousHeading with candidates;
// InvalidAddress for a line that the document hasn't and for a path with an
// empty part; InvalidSelector, with the *SelectorError in it, for a selector
// that is none or has a query; InvalidArgument for a blank address.
func Resolve(doc *markdown.Document, addr string) (*Resolution, error) {
	return ResolveNth(doc, addr, 0)
}

// ResolveNth is Resolve for one among several nodes that the address fits equally
// well: the one with the number n, counted from 1 in the order of the document. 0
// demands that there is one alone. Its error is InvalidArgument too if n is negative,
// and HeadingNotFound if fewer than n nodes fit.
func ResolveNth(doc *markdown.Document, addr string, n int) (*Resolution, error) {
	return Resolver{Doc: doc}.Nth(addr, n)
}

// A Resolver resolves addresses with what is known of a document beside its text.
type Resolver struct {
	Doc *markdown.Document
	// Broken reports whether a link of the document leads nowhere, for link[broken]. Without
	// it such an address is an InvalidAddress.
	Broken func(*markdown.Link) bool
	// Whole is for whoever means headings by their whole text alone, TierExact or TierStripped,
	// wherever one stands in an address.
	Whole bool
	// Write is for whoever changes the document: links, images and definitions, which can be read
	// alone, are then an InvalidArgument without a look for them.
	Write bool
	// Reserve is called before links, images or definitions are looked for, with about how many
	// bytes of memory that takes, and release when they are found. An error of it is what the
	// look ends with, as it is. Without it there is no limit.
	Reserve func(bytes int) (release func(), err error)
	// Compared counts the titles that are compared with texts that no heading matches, to find which
	// headings may have been meant: from MaxCompared on, errors name none. Without it each error does.
	Compared *int
}

// MaxCompared is the number of titles from which on Resolver.Compared ends the search for headings.
const MaxCompared = 1 << 19

// Nth is what ResolveNth does.
func (r Resolver) Nth(addr string, n int) (*Resolution, error) {
	doc := r.Doc
	if n < 0 {
		return nil, &Error{Code: InvalidArgument, Address: addr, Message: "occurrence must be 1 or more; leave it out for the only match"}
	}
	l := r.lookUpEither(addr, n)
	var node Node
	switch {
	case l.refused != nil:
		return nil, l.refused
	case l.err != nil:
		l.err.Address = addr
		return nil, l.err
	case l.count() == 0:
		return nil, l.notFound(r, addr)
	case n > l.count():
		return nil, l.tooFew(doc, addr, n)
	case n > len(l.nodes):
		node = l.meant
	case n > 0:
		node = l.nodes[n-1]
	case l.count() > 1:
		return nil, l.ambiguous(doc, addr)
	default:
		node = l.nodes[0]
	}
	return &Resolution{
		Node:       node,
		Tier:       l.tier,
		ByPosition: l.byPosition || n > 0, TwoReadings: l.twoReadings,
		Selector:   SelectorOf(doc, node),
		Breadcrumb: breadcrumb(doc, node),
	}, nil
}

// lookUpEither looks an address up in its own form, and as a title if nothing has that.
func (r Resolver) lookUpEither(addr string, n int) *lookup {
	l := r.lookUp(addr, 0, n)
	if l.count() == 0 {
		if t := lookUpTitle(r.Doc, addr); t != nil {
			return t
		}
	}
	return l
}

// MaxNamed is how many nodes have a Selector and a Breadcrumb of those that ResolveAll returns.
const MaxNamed = 1000

// ResolveAll returns all nodes that the address fits equally well, in the order of the
// document, or of a selector. The first MaxNamed of them have a Selector and a Breadcrumb; see
// Names for the others. Its error is that of Resolve where there are none.
func ResolveAll(doc *markdown.Document, addr string) ([]Resolution, error) {
	return Resolver{Doc: doc}.All(addr)
}

// All is what ResolveAll does.
func (r Resolver) All(addr string) ([]Resolution, error) {
	l, nodes, err := r.all(addr)
	if err != nil {
		return nil, err
	}
	list, names := make([]Resolution, len(nodes)), NewNames(r.Doc)
	for i, n := range nodes {
		if list[i] = (Resolution{Node: n, Tier: l.tier, ByPosition: l.byPosition, TwoReadings: l.twoReadings}); i < MaxNamed {
			list[i].Selector, list[i].Breadcrumb = names.Selector(n), breadcrumb(r.Doc, n)
		}
	}
	return list, nil
}

// Nodes returns the nodes of All, with its error, and takes less time where they are many and
// titles long.
func (r Resolver) Nodes(addr string) ([]Node, error) {
	_, nodes, err := r.all(addr)
	return nodes, err
}

// all returns all nodes that the address fits, and what is known of them together.
func (r Resolver) all(addr string) (*lookup, []Node, error) {
	doc := r.Doc
	l := r.lookUpEither(addr, 0)
	switch {
	case l.refused != nil:
		return nil, nil, l.refused
	case l.err != nil:
		l.err.Address = addr
		return nil, nil, l.err
	case l.count() == 0:
		return nil, nil, l.notFound(r, addr)
	}
	nodes := l.nodes
	if l.more > 0 { // a selector, of whose nodes the first are kept
		sel, err := ParseSelector(oneLine(addr))
		if err != nil {
			return nil, nil, err
		}
		all, err := Select(doc, sel.distinct())
		if err != nil {
			return nil, nil, err
		}
		nodes = nil
		for i := range all {
			nodes = append(nodes, all[i].Node)
		}
	}
	return l, nodes, nil
}

// lookup is what an address fits.
type lookup struct {
	nodes      []Node // in the order of the document, or of a selector; none of them twice
	more       int    // after those, which are counted only
	meant      Node   // the one of the occurrence, if it is one of more
	tier       Tier
	byPosition bool
	// twoReadings says that the address is a title, and the form of another part that is
	// there too.
	twoReadings bool

	// If there are no nodes:
	refused error       // of Reserve
	err     *Error      // for an address that can't be
	miss    string      // else why there are none, "no heading matches"
	told    bool        // that is all there is to say
	cause   error       // for Error.Err
	instead []Candidate // what may have been meant, if that is known
	closest closestTo   // else where to look for it, if at all
}

// count returns how many nodes the address fits.
func (l *lookup) count() int { return len(l.nodes) + l.more }

// closestTo says which headings may have been meant.
type closestTo struct {
	text string
	in   []interval
}

// everywhere returns the interval of all sections.
func everywhere(doc *markdown.Document) []interval { return []interval{{0, len(doc.Sections)}} }

// lookUp returns what the address fits; of what a text fits no more than enough
// nodes, if that is not 0. Of what a selector fits there are the first nodes and the
// one of the occurrence, if that is not 0.
func (r Resolver) lookUp(addr string, enough, occurrence int) *lookup {
	doc, s := r.Doc, oneLine(addr)
	if strings.TrimSpace(s) == "" {
		return &lookup{err: &Error{Code: InvalidArgument, Message: `the address is empty; give a heading such as "## Install"`}}
	}
	shape := shapeOf(s)
	if shape == textShape || shape == pathShape || shape == anchorShape {
		if l := r.lookUpNewer(s, shape); l != nil {
			return l
		}
	}
	switch shape {
	case selectorShape:
		return lookUpSelector(doc, s, occurrence)
	case anchorShape:
		return lookUpAnchor(doc, s)
	case lineShape:
		return lookUpLine(doc, s)
	case pathShape:
		return r.lookUpPath(s, enough)
	case preambleShape:
		if span := preamble(doc); span.Len() == 0 {
			return &lookup{miss: "nothing stands before the first heading"}
		}
		return &lookup{nodes: []Node{NodeOfPreamble()}}
	case frontMatterShape:
		if doc.FrontMatter() < 0 {
			return &lookup{miss: "the document has no front matter"}
		}
		return &lookup{nodes: []Node{NodeOfBlock(doc, doc.FrontMatter())}}
	case documentShape:
		return &lookup{nodes: []Node{NodeOfDocument()}}
	}
	return r.lookUpText(s, enough)
}

// lookUpNewer returns what an address of one of the forms fits that yield to titles: a key of
// front matter, a part below another address. It is nil for an address of another form.
func (r Resolver) lookUpNewer(s string, shape shape) *lookup {
	var newer *lookup
	doc := r.Doc
	if path, ok := KeyPath(s); ok {
		newer = lookUpKey(doc, path)
	} else if part := parsePart(s); part != nil {
		newer = r.lookUpPart(part)
	} else {
		return nil
	}
	var older *lookup
	switch shape {
	case pathShape:
		older = r.lookUpPath(s, 0)
	case anchorShape:
		older = lookUpAnchor(doc, s)
	default:
		older = lookUpWhole(doc, newTextQuery(s), 0)
	}
	if older.count() == 0 || older.tier > TierStripped {
		if older = lookUpTitle(doc, s); older == nil {
			return newer
		}
	}
	older.twoReadings = newer.count() > 0
	return older
}

// oneLine returns the address without white space around it, and line endings in
// it as a space, but for those in the quoted name of a key.
func oneLine(s string) string {
	s = strings.Trim(s, " \t\r\n")
	if !strings.ContainsAny(s, "\r\n") || strings.HasPrefix(s, "@frontmatter") && strings.Contains(s, `["`) {
		return s
	}
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' })
	for i := range lines {
		lines[i] = strings.Trim(lines[i], " \t")
	}
	return strings.Join(lines, " ")
}

// lookUpText looks for a heading's text.
func (r Resolver) lookUpText(s string, enough int) *lookup {
	q := newTextQuery(s)
	m := matcher{doc: r.Doc, enough: enough, whole: r.Whole}
	in := everywhere(r.Doc)
	tier, hits := m.find(q, in)
	l := &lookup{nodes: sectionNodes(hits), tier: tier, closest: closestTo{q.text, in}}
	if len(hits) == 0 {
		l.miss = r.noHeading(s) + hint(q, s)
	}
	return l
}

// noHeading says that no heading has a text.
func (r Resolver) noHeading(text string) string {
	if r.Whole {
		return "no heading is " + runes.Quoted(text) + " itself"
	}
	return "no heading matches " + runes.Quoted(text)
}

// lookUpWhole looks for headings whose whole text is asked for; of more than enough, if that is
// not 0, some are left out.
func lookUpWhole(doc *markdown.Document, q *textQuery, enough int) *lookup {
	m := matcher{doc: doc, enough: enough, whole: true}
	tier, hits := m.find(q, everywhere(doc))
	return &lookup{nodes: sectionNodes(hits), tier: tier}
}

// lookUpTitle looks for headings whose whole text an address is that has the shape of
// another address, "Settings > Advanced", "h2.0" or "# Title", and has found nothing as
// such. It returns nil if there are none.
func lookUpTitle(doc *markdown.Document, addr string) *lookup {
	s := oneLine(addr)
	if s == "" {
		return nil
	}
	switch shapeOf(s) {
	case preambleShape, frontMatterShape, documentShape:
		return nil
	case textShape:
		if _, text := splitMarks(s); text == s || text == "" {
			return nil
		}
	}
	if l := lookUpWhole(doc, &textQuery{text: s, literal: s}, 0); l.count() > 0 {
		return l
	}
	return nil
}

// hint returns what a text that matched nothing may have been meant to be.
func hint(q *textQuery, s string) string {
	if q.level > 0 && strings.Contains(q.text, pathSeparator) {
		return ` (a path begins without marks: "Guide > Install")`
	}
	if sel, err := ParseSelector(s); err == nil && sel.Namespace != "" {
		return " (an address has no namespace: the file is named beside it)"
	}
	return nearForm(s)
}

func sectionNodes(sections []int) []Node {
	nodes := make([]Node, len(sections))
	for i, s := range sections {
		nodes[i] = NodeOfSection(s)
	}
	return nodes
}

// lookUpLine looks for the innermost section that holds a line.
func lookUpLine(doc *markdown.Document, s string) *lookup {
	line := lineNumber(s)
	if line < 1 || line > doc.LineCount {
		message := "the document has " + number(doc.LineCount, "line") + ", counted from L1"
		return &lookup{err: &Error{Code: InvalidAddress, Message: message}}
	}
	node := NodeOfPreamble()
	if section := sectionAtLine(doc, line); section >= 0 {
		node = NodeOfSection(section)
	} else if fm := doc.FrontMatter(); fm >= 0 && line <= int(doc.Blocks[fm].EndLine) {
		node = NodeOfBlock(doc, fm)
	}
	return &lookup{nodes: []Node{node}, byPosition: true}
}

// lookUpSelector follows a selector.
func lookUpSelector(doc *markdown.Document, s string, occurrence int) *lookup {
	sel, err := ParseSelector(s)
	if err != nil {
		return &lookup{err: &Error{Code: InvalidSelector, Message: err.Error(), Err: err}}
	}
	if strings.Contains(s, "?") {
		return &lookup{err: &Error{Code: InvalidSelector, Message: "an address takes no query; leave out what stands from '?' on"}}
	}
	// An address that fits many nodes is answered with their number and the first of
	// them, or with one: no more are kept.
	found, fail := follow(context.Background(), doc, sel.distinct(), maxCandidates, occurrence-1)
	if fail != nil {
		l := &lookup{miss: lowerFirst(fail.err.Error()), cause: fail.err}
		if l.instead, _ = nestedIn(doc, fail.node(fail.from), sel.Steps[fail.step].Type); l.instead == nil {
			l.instead = suggestions(sel, fail)
		}
		return l
	}
	l := &lookup{byPosition: true, more: found.Count() - found.Len()}
	for i := range found.Len() {
		l.nodes = append(l.nodes, found.Node(i))
	}
	if i := found.first + found.Len(); i < len(found.hits) {
		l.meant = found.node(i)
	}
	return l
}

// distinct returns the selector with each index of a step once, which chooses the same
// nodes, none of them twice: nodes that one step leads to have no blocks in common.
func (s *Selector) distinct() *Selector {
	d := *s
	d.Steps = slices.Clone(s.Steps)
	for i := range d.Steps {
		d.Steps[i].Index = withoutRepeats(d.Steps[i].Index)
	}
	return &d
}

// withoutRepeats returns the ranges without what stands in earlier ones.
func withoutRepeats(ranges []Range) []Range {
	var distinct, had []Range // had are the same indexes in order, apart from each other
	for _, r := range ranges {
		// The first of those that end after the beginning, or just before it.
		i, _ := slices.BinarySearchFunc(had, r.First, func(h Range, first int) int { return cmp.Compare(h.Last+1, first) })
		all, next, end := r, r.First, i
		for ; end < len(had) && had[end].First-1 <= r.Last; end++ {
			if had[end].First > next {
				distinct = append(distinct, Range{next, had[end].First - 1})
			}
			next = max(next, had[end].Last+1)
			all.First, all.Last = min(all.First, had[end].First), max(all.Last, had[end].Last)
		}
		if next <= r.Last {
			distinct = append(distinct, Range{next, r.Last})
		}
		had = slices.Replace(had, i, end, all)
	}
	return distinct
}
