package documents

import (
	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Sections returns the sections of the document at path that the request is about, from the
// first up to the end: those of Part, or all. The error is an *Error.
func (d *Set) Sections(path string, doc *markdown.Document) (first, end int, err error) {
	if d.Part == "" {
		return 0, len(doc.Sections), nil
	}
	res, err := d.Resolver(path, doc).Nth(d.Part, 0)
	if err != nil {
		return 0, 0, replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	switch res.Kind {
	case address.DocumentNode:
		return 0, len(doc.Sections), nil
	case address.SectionNode:
		return res.Section, int(doc.Sections[res.Section].Next), nil
	}
	return 0, 0, &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(path), Message: replies.Say(
		"%s is no section but a part of kind %s, which has none; name a heading", replies.Safe(d.Part), res.Kind)}
}
