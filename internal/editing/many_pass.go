package editing

import "github.com/sectile/sectile/markdown"

// Several documents are gone over more than once: when they are looked at, and when they are changed.
// What they come to is bounded each time, for they may have changed meanwhile.

// pass is what the documents of one pass come to, up to the one that it is at.
type pass struct {
	documents     int // that are changed
	before, after int // bytes that these have
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
