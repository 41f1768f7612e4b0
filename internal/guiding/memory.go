package guiding

import (
	"errors"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// What a reply with guides takes: so many times what it is in an answer, which is made in
// steps with a copy of it each; and what is around it.
const (
	answerFactor = 5
	answerExtra  = 64 << 10
	headerFactor = 3 // a path in the header of a part
)

// reserveAnswer reserves memory for an answer with the parts, until it is sent; more if it
// has structured content beside the text, which is no longer than that. Who waits has read
// the parts already, and keeps the turn, so that only as many wait as have one.
func reserveAnswer(work *documents.Work, structured bool, parts ...guide.Part) error {
	size := int64(0)
	for i := range parts {
		encoded := guide.Encoded(parts[i].Content) + headerFactor*int64(len(parts[i].Path))
		size += int64(len(parts[i].Content)) + encoded
		if structured {
			size += encoded
		}
	}
	err := work.ReserveAnswer(answerFactor*size + answerExtra)
	if tooLarge, ok := errors.AsType[*documents.TooLarge](err); ok {
		return &replies.Error{Code: replies.CodeTooComplex, Message: replies.Say(
			"%s; ask for fewer files at once with a pattern, lower guide.max_reply_bytes, or raise the memory of the program with --max-memory", tooLarge.Error())}
	}
	return err
}
