package app

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// SectionsRequest asks for documents' sections one after another.
type SectionsRequest struct {
	JSON     bool
	Level    string // "H1" to "H6", or "ALL" or empty for every level
	Pattern  string // keeps sections whose heading contains it
	Raw      bool   // names are the headings' source text
	Max      int    // the largest number of sections for each document; 0 sets none
	Cursor   string // where the page before ended
	WithPath bool   // text lines begin with the path
	Style    Style  // of text
}

// Sections lists the sections of each document: in JSON one object a line with
// file_path, sections, count and next_cursor, or an error; in text a line for
// each section, "path:first-last: ## Name". Its own error is an *Error if the
// request is wrong, else that of emit or the context.
func Sections(ctx context.Context, docs Documents, req SectionsRequest, emit func(Part) error) error {
	level, err := outline.ParseLevel(req.Level)
	if err != nil {
		return asError("", err)
	}
	opts := outline.ListOptions{Pattern: req.Pattern, Level: level, Raw: req.Raw, Max: req.Max, Cursor: req.Cursor}
	if _, err := outline.List(new(markdown.Document), opts); err != nil {
		return asError("", err)
	}
	if req.Max < 0 {
		return &Error{Code: codeInvalidArgument, Message: "the number of sections must not be negative; 0 lists all"}
	}
	r := renderer{errors: req.JSON}
	r.document = func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
		page, err := outline.List(doc, opts)
		if err != nil {
			return dst, err
		}
		if !req.JSON {
			if !req.WithPath {
				path = ""
			}
			for i := range page.Sections {
				dst = appendSection(dst, path, &page.Sections[i], req.Style)
			}
			if page.NextCursor != "" {
				dst = fmt.Appendf(dst, "[%d sections in all; go on with --cursor %s]\n", page.Count, page.NextCursor)
			}
			return dst, nil
		}
		dst = appendJSONString(append(dst, `{"file_path":`...), path)
		brace := len(dst)
		dst = page.AppendJSON(dst)
		dst[brace] = ','
		return append(dst, '\n'), nil
	}
	return docs.each(ctx, r, emit)
}

// appendSection appends "path:first-last: ## Name" and a line end; path may be
// empty.
func appendSection(dst []byte, path string, e *outline.Entry, s Style) []byte {
	const marks = "######"
	dst = append(dst, s.Range.Before...)
	if path != "" {
		dst = append(outline.AppendSafe(dst, path), ':')
	}
	dst = strconv.AppendInt(dst, int64(e.StartLine), 10)
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(e.EndLine), 10)
	dst = append(append(append(dst, ':'), s.Range.After...), ' ')
	dst = append(append(append(dst, s.Name.Before...), marks[:e.Level]...), ' ')
	dst = outline.AppendSafe(dst, e.Name)
	return append(append(dst, s.Name.After...), '\n')
}
