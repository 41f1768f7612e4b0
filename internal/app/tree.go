package app

import (
	"context"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// TreeRequest asks for documents' sections as they stand in each other.
type TreeRequest struct {
	Format       string // "json" or "ascii"; empty means json
	Pattern      string // keeps sections whose heading contains it, and those above them
	MaxDepth     int    // the deepest level of headings; 0 keeps all
	KeepChildren bool   // keeps what is below a match
	Raw          bool   // names are the headings' source text
	Style        Style  // of ASCII
}

// Tree renders the tree of each document: in JSON one object a line with
// file_path, format and tree_json, or an error; in ASCII one tree after another
// with an empty line between them. Its own error is an *Error if the request is
// wrong, else that of emit or the context.
func Tree(ctx context.Context, docs Documents, req TreeRequest, emit func(Part) error) error {
	format, err := outline.ParseFormat(req.Format)
	if err != nil {
		return asError("", err)
	}
	if req.MaxDepth < 0 {
		return &Error{Code: codeInvalidArgument, Message: "the depth must not be negative; 0 shows every level"}
	}
	opts := outline.TreeOptions{
		Pattern: req.Pattern, KeepChildren: req.KeepChildren, MaxDepth: req.MaxDepth, Raw: req.Raw,
	}
	r := renderer{errors: format == outline.JSON}
	r.document = func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
		tree := outline.NewTree(doc, opts)
		if format == outline.ASCII {
			return tree.AppendStyled(append(dst, '\n'), path, req.Style), nil
		}
		dst = appendJSONString(append(dst, `{"file_path":`...), path)
		dst = append(dst, `,"format":"json","tree_json":`...)
		return append(tree.AppendJSON(dst, fileName(path)), "}\n"...), nil
	}
	if format == outline.ASCII {
		emit = withoutFirstByte(emit)
	}
	return docs.each(ctx, r, emit)
}

// withoutFirstByte leaves out the first byte of the reply: documents are each
// rendered with the empty line before them that separates them.
func withoutFirstByte(emit func(Part) error) func(Part) error {
	first := true
	return func(part Part) error {
		if first && len(part.Text) > 0 {
			part.Text = part.Text[1:]
			first = false
		}
		return emit(part)
	}
}
