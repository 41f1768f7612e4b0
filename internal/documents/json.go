package documents

import "github.com/sectile/sectile/internal/replies"

// copiesOfJSON is how many copies of a reply there are while it is encoded: that of the encoder, which
// grows, and the reply.
const copiesOfJSON = 3

// copiesOfText is how many copies of a document's text its answer has: by itself, and among all.
const copiesOfText = 2

// InJSON is what a text takes in a reply while that becomes JSON.
func InJSON(text []byte) int64 { return int64(copiesOfJSON * replies.TextBytes(text)) }

// JSON appends a reply in JSON, as [replies.AppendJSON] does, for which memory is reserved as Add does; for
// one that is encoded once more, with what there is less of, none again.
func (t *Taken) JSON(w *Work, dst []byte, v any) ([]byte, error) {
	if err := t.ofJSON(w, v); err != nil {
		return dst, err
	}
	return replies.AppendJSON(dst, v), nil
}

// VerbatimJSON is JSON as [replies.VerbatimJSON] has it.
func (t *Taken) VerbatimJSON(w *Work, v any) ([]byte, error) {
	if err := t.ofJSON(w, v); err != nil {
		return nil, err
	}
	return replies.VerbatimJSON(v), nil
}

// ofJSON reserves what a value takes while it is encoded.
func (t *Taken) ofJSON(w *Work, v any) error {
	if w == nil || w.memory == nil {
		return nil
	}
	return t.UpTo(w, int64(copiesOfJSON*replies.JSONBytes(v)))
}
