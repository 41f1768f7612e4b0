package outline

import (
	"fmt"
	"strconv"

	"github.com/sectile/sectile/markdown"
)

// ListOptions says which sections a list has. The zero value keeps them all, in
// one page.
type ListOptions struct {
	// Pattern keeps the sections whose heading contains it, whatever the case, the normal
	// form of Unicode and the kind of quotes and dashes.
	Pattern string
	// Level keeps the sections of this level; 0 keeps all.
	Level Level
	// From and To keep the sections from one up to another, by their numbers, if To is not 0.
	From, To int
	// Keep reports whether a section is kept, by its number; nil keeps all.
	Keep func(section int) bool
	// Raw gives sections the source text of their headings for a name.
	Raw bool
	// Safe makes names safe as AppendSafe does.
	Safe bool
	// Max is the largest number of sections in the page; 0 or less sets none.
	Max int
	// Cursor is the NextCursor of the page before, or empty for the first one.
	Cursor string
}

// A Page is a list of sections, or a part of one. Marshalled by encoding/json it
// has the same keys as AppendJSON gives it.
type Page struct {
	// Sections is never nil.
	Sections []Entry `json:"sections"`
	// Count is the number of sections that the options match in all pages.
	Count int `json:"count"`
	// NextCursor asks for the next page; it is empty if there is none. It
	// counts sections, so it means something else once the document or the
	// other options have changed.
	NextCursor string `json:"next_cursor,omitempty"`
}

// List lists sections of the document in source order. Its error is
// ErrInvalidCursor. A cursor beyond the last section gives an empty page.
func List(doc *markdown.Document, opts ListOptions) (*Page, error) {
	from, err := parseCursor(opts.Cursor)
	if err != nil {
		return nil, err
	}
	size := len(doc.Sections)
	if 0 < opts.Max && opts.Max < size {
		size = opts.Max
	}
	page := &Page{Sections: make([]Entry, 0, size)}
	p := newPattern(opts.Pattern)
	for i := range doc.Sections {
		if opts.Level > 0 && Level(doc.Sections[i].Level) != opts.Level {
			continue
		}
		if opts.To > 0 && (i < opts.From || i >= opts.To) {
			continue
		}
		if p != nil && !p.inTitle(doc, i) || opts.Keep != nil && !opts.Keep(i) {
			continue
		}
		if page.Count >= from && len(page.Sections) < size {
			page.Sections = append(page.Sections, entry(doc, i, nameOf(doc, i, opts.Raw, opts.Safe)))
		}
		page.Count++
	}
	if next := from + len(page.Sections); next < page.Count {
		page.NextCursor = strconv.Itoa(next)
	}
	return page, nil
}

// First returns the page of the first n sections of this one, whose NextCursor asks for
// the rest; the page itself if it has no more.
func (p *Page) First(n int) *Page {
	if n >= len(p.Sections) {
		return p
	}
	next := p.Count // sections up to the end of the page
	if end, err := strconv.Atoi(p.NextCursor); err == nil {
		next = end
	}
	next -= len(p.Sections) - n
	return &Page{Sections: p.Sections[:n], Count: p.Count, NextCursor: strconv.Itoa(next)}
}

// parseCursor returns the number of sections that the pages before have shown.
func parseCursor(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%w: %s (must be the next_cursor of the page before)", ErrInvalidCursor, quotable(s))
	}
	return int(n), nil
}
