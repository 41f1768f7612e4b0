package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Replacing text: exactly the text that is asked for, in the one place where it is,
// or in all places.

// maxPlaces is the number of places that one operation changes: each takes memory
// apart from its text.
const maxPlaces = 100_000

// replaceText returns what the operation does to the text in a range.
func (op *Op) replaceText(d *draft, scope markdown.Span) (*change, *Error) {
	src := d.src
	places, total := findText(src, scope, op.Old, maxListed)
	first, isMarked := op.atMark(src, scope)
	if isMarked {
		places, total = append([]markdown.Span{first}, places...), total+1
	}
	switch {
	case total == 0 || total > 1 && !op.All:
		doc, err := d.doc()
		if err != nil {
			return nil, asError(err)
		}
		if total == 0 {
			return nil, op.missing(doc, scope)
		}
		return nil, several(doc, places, total)
	case total > maxPlaces:
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"the text is there %d times, and at most %d places are changed at once; give more of what stands around it, or a section", total, maxPlaces)}
	case op.All:
		if isMarked {
			scope.Start = first.End
		}
		places = spansOf(linediff.All(src, linediff.Span(scope), op.Old))
		if isMarked {
			places = append([]markdown.Span{first}, places...)
		}
	}
	ch := splicing()
	ch.count = len(places)
	shift := 0
	around := textlines.Endings{Src: src}
	plain := textlines.WithEnding(op.Text, "\n")
	var shared []byte // by the places that get the same text
	for i, p := range places {
		text := plain
		if isMarked && i == 0 {
			text = strings.TrimPrefix(plain, string(textlines.ByteOrderMark))
		}
		text = textlines.WithEndings(text, src[p.Start:p.End], around.In(p))
		if i > 0 {
			if err := d.repeat(len(text) - p.Len()); err != nil {
				return nil, err
			}
		}
		if n := len(ch.splices) - 1; n >= 0 && ch.splices[n].End == p.Start { // of one CR and LF neither stays
			before := &ch.splices[n]
			if n := len(before.Text); n > 0 && before.Text[n-1] == '\r' {
				text = string(textlines.BehindCR([]byte(text)))
			}
			before.Text, before.End = append(before.Text, text...), p.End
			continue
		}
		if string(shared) != text {
			shared = slices.Clip([]byte(text))
		}
		ch.splices = append(ch.splices, Splice{p, shared})
	}
	for i, s := range ch.splices {
		s = s.apart(src)
		ch.splices[i], ch.last = s, s.Start+shift+len(s.Text)
		shift += len(s.Text) - s.Len()
	}
	ch.first = ch.splices[0].Start
	return ch, nil
}

// atMark returns where the old text stands at the beginning of a document with a byte order mark,
// if it begins with one, as a text that was read from there does. The mark stays, and is none of it.
func (op *Op) atMark(src []byte, scope markdown.Span) (at markdown.Span, ok bool) {
	start := textlines.Start(src)
	old, marked := strings.CutPrefix(op.Old, string(textlines.ByteOrderMark))
	if start == 0 || !marked {
		return at, false
	}
	places, _ := findText(src, scope, old, 1)
	if len(places) == 0 || places[0].Start != start {
		return at, false
	}
	return places[0], true
}

// missing says that the text is not there, and what is most like it.
func (op *Op) missing(doc *markdown.Document, scope markdown.Span) *Error {
	e := &Error{Code: TextNotFound, Message: "the text is not there; give it as it is in the document"}
	if scope.Len() < len(doc.Source)-textlines.Start(doc.Source) {
		if places, _ := findText(doc.Source, markdown.Span{End: len(doc.Source)}, op.Old, 1); len(places) > 0 {
			place := placeOf(doc.Source, doc, places[0])
			e.Message = fmt.Sprintf("the text is not in that part, but on line %d; give the part where it is, or none", place.First)
			e.Places, e.Total = []Place{place}, 1
			return e
		}
	}
	if place, what, ok := closestText(doc, scope, op.Old); ok {
		e.Message = fmt.Sprintf("the text is not there; the closest is on %s and differs in %s", textlines.Named(place.Lines), what)
		e.Places, e.Total = []Place{place}, 1
	}
	return e
}

// several says in which places the text is.
func several(doc *markdown.Document, places []markdown.Span, total int) *Error {
	e := &Error{Code: AmbiguousText, Total: total, Hint: GiveMore, Message: fmt.Sprintf("the text is there %d times", total)}
	for _, p := range places {
		e.Places = append(e.Places, placeOf(doc.Source, doc, p))
	}
	return e
}
