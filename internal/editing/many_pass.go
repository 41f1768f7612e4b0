package editing

import (
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Several documents are gone over more than once: when they are looked at, and when they are changed.
// What they come to is bounded each time, for they may have changed meanwhile.

// pass is what the documents of one pass come to, up to the one that it is at.
type pass struct {
	documents     int   // that are changed
	before, after int   // bytes that these have
	kept          int64 // bytes beside their documents that are kept until the reply
	chars, bytes  int   // of their differences that are kept
}

// add adds a document that is changed. The error says that one change may not write as much.
func (p *pass) add(before, after *markdown.Document) error {
	p.documents, p.before, p.after = p.documents+1, p.before+len(before.Source), p.after+len(after.Source)
	switch {
	case p.documents > maxChanged:
		return tooMany("more than %d documents would be changed, which are too many for one change; name a folder or a narrower pattern", maxChanged)
	case p.before > maxChangedBytes:
		return tooMany("the documents that would be changed have more than %d bytes, which are too many for one change; name a folder or a narrower pattern", maxChangedBytes)
	case p.after > maxChangedBytes:
		return tooMany("the documents that are changed would have more than %d bytes, which are too many for one change; name a folder or a narrower pattern, or put in less", maxChangedBytes)
	}
	return nil
}

// tell keeps what a reply tells of a document that is changed: of its difference what a reply has room
// for beside those before it. A reply of any length has those for which there is memory. If there is
// none, that is the error, an *Error, and the difference is left out.
func (m *many) tell(d *manyDocument) error {
	d.added, d.removed = d.e.result.LineCounts()
	d.line = d.e.firstLine()
	d.diff, d.cut = nil, false
	if !m.options.wantsDiff() {
		return nil
	}
	room := 0
	if limit := m.options.MaxChars; limit > 0 {
		if room = limit - m.pass.chars; room <= 0 {
			d.cut = true
			return nil
		}
	}
	diff, left := fitDiff(d.e.result.Diff(d.e.diffLabel()), room)
	if left != nil { // nothing is shown behind what is cut
		d.cut, m.pass.chars = true, m.options.MaxChars
	}
	m.pass.chars, m.pass.bytes = m.pass.chars+replies.Chars(diff), m.pass.bytes+copiesOfDiff*len(diff)
	if err := m.diffs.UpTo(m.docs.Work, int64(m.pass.bytes)); err != nil {
		d.cut = true
		return replies.ErrorAbout(replies.DisplayPath(d.path), err)
	}
	d.diff = diff
	return nil
}
