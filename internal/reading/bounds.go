package reading

import (
	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/outline"
)

// BoundsRequest asks where a section begins and ends.
type BoundsRequest struct {
	JSON       bool
	Heading    string        // the heading's text, with its marks or without
	Occurrence int           // which of several, from 1; 0 demands that there is one
	Style      replies.Style // of text
	// Single asks for the reply of a tool: JSON without a line end, with a name
	// that is safe to show.
	Single bool
	// MaxChars is the largest number of characters (code points) of the reply if
	// Single is set; 0 sets none. A name that is too long is cut at …, and a hint
	// says so.
	MaxChars int
}

// Bounds finds a section of the one document in docs and returns its bounds, as
// JSON or as text, a line in either form. The error is an *Error.
func Bounds(docs documents.Set, req BoundsRequest) ([]byte, error) {
	if len(docs.Paths) != 1 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("name one document")}
	}
	if req.Occurrence < 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("occurrences are counted from 1")}
	}
	if err := checkSingle(docs, req.Single, req.MaxChars); err != nil {
		return nil, err
	}
	path := docs.Paths[0]
	doc, _, err := docs.OpenAny(path)
	if err != nil {
		return nil, replies.ErrorAbout(path, err)
	}
	res, err := docs.Resolver(path, doc).Nth(req.Heading, req.Occurrence)
	if err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	if res.Kind != address.SectionNode {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(path), Message: replies.Say(
			"%s is no section but a part of kind %s; name a heading, or read it", replies.Safe(req.Heading), res.Kind)}
	}
	b := outline.BoundsOf(doc, res.Section)
	if req.Single {
		b.SectionName = replies.Safe(b.SectionName)
		return singleBounds(b, req.MaxChars), nil
	}
	if req.JSON {
		return append(b.AppendJSON(nil), '\n'), nil
	}
	e := outline.Entry{Name: b.SectionName, StartLine: b.StartLine, EndLine: b.EndLine, Level: b.Level}
	return appendSection(nil, "", &e, req.Style), nil
}

// singleBounds renders the reply of a tool in so many characters, 0 for any
// number.
func singleBounds(b outline.Bounds, limit int) []byte {
	text := b.AppendJSON(nil)
	if limit == 0 || replies.Chars(text) <= limit {
		return text
	}
	return withCutName(b.SectionName, limit, nameCut, func(name string) []byte {
		b.SectionName = name
		return b.AppendJSON(nil)
	})
}
