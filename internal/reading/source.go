package reading

import (
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Passage returns the source of what an address names in the one document in docs,
// or all of it if the address is empty: as it is, of at most so many bytes. It
// stays valid. What it returns is noted in the session, if there is one. The error
// is an *Error.
func Passage(docs documents.Set, addr string, most int) ([]byte, error) {
	if len(docs.Paths) != 1 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("name one document")}
	}
	path := docs.Paths[0]
	doc, err := docs.Open(path)
	if err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	span := markdown.Span{End: len(doc.Source)}
	if addr != "" {
		res, err := docs.Resolver(path, doc).Nth(addr, 0)
		if err != nil {
			return nil, replies.ErrorAbout(replies.DisplayPath(path), err)
		}
		span = res.Span(doc)
	}
	if span.Len() > most {
		return nil, &replies.Error{Code: string(fileerror.TooLarge), Path: replies.DisplayPath(path), Message: replies.Say(
			"%d bytes are too many for a resource; ask for a section with #anchor", span.Len())}
	}
	coverage := docs.Coverage(path)
	coverage.Deliver(doc, span)
	return doc.Text(span), nil
}
