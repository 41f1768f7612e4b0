package address

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// An error is read by someone who wants to go on, often a model: it says what to
// do next, and the candidates can be copied from it.

// Code names what is wrong. Codes are compared, never taken apart: those of an Error are
// in lower case, those of a SelectorError as mdsel spells them.
type Code string

// The codes of an Error.
const (
	HeadingNotFound  Code = "heading_not_found" // nothing is there
	AmbiguousHeading Code = "ambiguous_heading" // several are there
	InvalidAddress   Code = "invalid_address"   // a line or path that can't be
	InvalidSelector  Code = "invalid_selector"  // the shape of a selector, but none
	InvalidArgument  Code = "invalid_argument"  // a blank address, a negative occurrence
)

// A Candidate is a node that may have been meant.
type Candidate struct {
	// Address resolves to the node and to no other; see AddressOf.
	Address            string
	Heading            string // HeadingOf the section, empty for other nodes
	Selector           string // SelectorOf the node
	Level              int    // of the heading, 0 for a block
	StartLine, EndLine int    // from 1, both included
}

// CandidateOf returns the node as one that may have been meant, for errors about
// documents that are made elsewhere.
func CandidateOf(doc *markdown.Document, n Node) Candidate {
	lines := n.Lines(doc)
	c := Candidate{Address: AddressOf(doc, n), Selector: SelectorOf(doc, n), StartLine: lines.First, EndLine: lines.Last}
	if n.Kind == SectionNode {
		c.Heading = HeadingOf(doc, n.Section)
		c.Level = int(doc.Sections[n.Section].Level)
	}
	return c
}

// maxCandidates is the largest number of candidates of an error.
const maxCandidates = 10

// maxErrorLen is the largest length of an error's text in bytes.
const maxErrorLen = 1023

// Hint is what to do about an error, as a sentence without a full stop. A program that
// calls what it hints at in another way tells them apart by their values.
type Hint string

// ChooseAmong is the hint for an address that several sections have.
const ChooseAmong Hint = "use the address of the one that is meant, or choose by occurrence"

// Error says why an address stands for no one node. Use errors.As.
type Error struct {
	Code    Code
	Address string // as it was given
	Message string // one sentence without candidates, which says what to do next unless Hint does
	Hint    Hint   // empty for most errors
	// Candidates are at most ten nodes: those that fit, in source order, or if
	// none does the closest, closest first.
	Candidates []Candidate
	Total      int   // how many fit, or if none does how many there are to choose from
	Err        error // a *SelectorError, *RangeError or *NoMatchError, or nil
}

// Error returns the code, the message, and as many candidates as there is room
// for, in less than 1,024 bytes.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		text += "; " + string(e.Hint)
	}
	for i := range e.Candidates {
		c := &e.Candidates[i]
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		line := fmt.Sprintf("%s%s (%slines %d-%d)", sep, c.Address, c.more(), c.StartLine, c.EndLine)
		if len(text)+len(line) > maxErrorLen-len("; …") {
			return text + "; …"
		}
		text += line
	}
	return text
}

// more returns what the text of an error shows of a candidate beside its address.
func (c *Candidate) more() string {
	text := ""
	if c.Selector != c.Address {
		text = c.Selector + ", "
	}
	if c.Heading != "" && c.Heading != c.Address {
		text += runes.Shown(c.Heading, 60) + ", "
	}
	return text
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// candidates returns the first of the nodes as candidates.
func candidates(doc *markdown.Document, nodes []Node) []Candidate {
	var list []Candidate
	for _, n := range nodes[:min(len(nodes), maxCandidates)] {
		list = append(list, CandidateOf(doc, n))
	}
	return list
}

// ambiguous returns the error for several nodes.
func (l *lookup) ambiguous(doc *markdown.Document, addr string) *Error {
	noun := "sections"
	if len(l.nodes) > 0 && l.nodes[0].Kind != SectionNode {
		noun = "parts"
	}
	message, hint := fmt.Sprintf("%d %s match %s", l.count(), noun, runes.Quoted(addr)), ChooseAmong
	if l.byPosition {
		message = fmt.Sprintf("%s chooses %d nodes, an address only one; use the address of the one that is meant", runes.Quoted(addr), l.count())
		hint = ""
	}
	return &Error{
		Code: AmbiguousHeading, Address: addr, Message: message, Hint: hint,
		Candidates: candidates(doc, l.nodes), Total: l.count(),
	}
}

// tooFew returns the error for an occurrence beyond the last one.
func (l *lookup) tooFew(doc *markdown.Document, addr string, occurrence int) *Error {
	matches := "1 match"
	if l.count() > 1 {
		matches = strconv.Itoa(l.count()) + " matches"
	}
	return &Error{
		Code: HeadingNotFound, Address: addr,
		Message:    fmt.Sprintf("there is no occurrence %d, only %s for %s; use a lower one or an address", occurrence, matches, runes.Quoted(addr)),
		Candidates: candidates(doc, l.nodes), Total: l.count(),
	}
}

// notFound returns the error for no node.
func (l *lookup) notFound(r Resolver, addr string) *Error {
	doc := r.Doc
	e := &Error{Code: HeadingNotFound, Address: addr, Err: l.cause, Message: l.miss}
	if l.instead != nil {
		e.Candidates, e.Total = l.instead, len(l.instead)
		var beyond *RangeError
		if errors.As(l.cause, &beyond) && beyond.Count > 0 {
			e.Total = beyond.Count
		}
		e.Message += "; use one of these addresses"
		return e
	}
	if l.told {
		return e
	}
	in := l.closest.in
	if r.Compared != nil && *r.Compared > MaxCompared {
		in = nil
	}
	for _, s := range in {
		e.Total += s.end - s.first
	}
	if e.Total == 0 && in != nil { // nothing below the part before: elsewhere, then
		in, e.Total = everywhere(doc), len(doc.Sections)
	}
	if r.Compared != nil {
		*r.Compared += e.Total
	}
	for _, i := range closest(doc, l.closest.text, in) {
		e.Candidates = append(e.Candidates, CandidateOf(doc, NodeOfSection(i)))
	}
	switch {
	case len(doc.Sections) == 0:
		e.Message += "; the document has no headings, use @document or a selector such as para.0"
	case in == nil:
		e.Message += "; use the address of a heading, or @document"
	case len(e.Candidates) == e.Total:
		e.Message += "; use one of these addresses"
	default:
		e.Message += "; use one of these addresses, the closest of " + number(e.Total, "heading")
	}
	return e
}

// number returns "1 line", "2 lines".
func number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
