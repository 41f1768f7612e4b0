package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// SectionsRequest asks for documents' sections one after another.
type SectionsRequest struct {
	JSON     bool
	Level    string        // "H1" to "H6", or "ALL" or empty for every level
	Pattern  string        // keeps sections whose heading contains it
	Raw      bool          // names are the headings' source text
	Max      int           // the largest number of sections for each document; 0 sets none
	Cursor   string        // where the page before ended
	With     []string      // what else is told of each section, of Facts
	Status   string        // keeps sections whose field "status" is this
	WithPath bool          // text lines begin with the path
	Style    replies.Style // of text
	// Single asks about one document, and for the reply of a tool: an object with
	// sections, count and next_cursor, without a line end. Names are safe to show.
	Single bool
	// MaxChars is the largest number of characters (code points) of the reply if
	// Single is set; 0 sets none. A page that is longer ends earlier.
	MaxChars int
}

// Sections lists the sections of each document: in JSON one object a line with
// file_path, sections, count and next_cursor, or an error; in text a line for
// each section, "path:first-last: ## Name". Its own error is an *Error if the
// request is wrong, or if it is about a single document that can't be read, else
// that of emit or the context.
func Sections(ctx context.Context, docs documents.Set, req SectionsRequest, emit func(documents.Part) error) error {
	level, err := outline.ParseLevel(req.Level)
	if err != nil {
		return replies.ErrorAbout("", err)
	}
	opts := outline.ListOptions{Pattern: req.Pattern, Level: level, Raw: req.Raw, Safe: req.Single, Max: req.Max, Cursor: req.Cursor}
	if _, err := outline.List(new(markdown.Document), opts); err != nil {
		return replies.ErrorAbout("", err)
	}
	if req.Max < 0 {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("the number of sections must not be negative; 0 lists all")}
	}
	if err := checkFacts(req.With); err != nil {
		return err
	}
	if err := checkSingle(docs, req.Single, req.MaxChars); err != nil {
		return err
	}
	if req.Single {
		return single(ctx, docs, emit, func(doc *markdown.Document, path string) ([]byte, error) {
			if err := withinPart(&docs, path, doc, &opts.From, &opts.To); err != nil {
				return nil, err
			}
			return singlePage(docs.Work, doc, req.options(doc, opts), req.With, req.MaxChars)
		})
	}
	r := documents.Renderer{Errors: req.JSON, Abridged: len(req.With) == 0 && req.Status == ""}
	r.Document = func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
		opts := opts
		if err := withinPart(&docs, path, doc, &opts.From, &opts.To); err != nil {
			return dst, err
		}
		page, err := outline.List(doc, req.options(doc, opts))
		if err != nil {
			return dst, err
		}
		lease, err := forFacts(docs.Work, doc, req.With)
		if err != nil {
			return dst, err
		}
		defer lease.Release()
		facts := tellFacts(doc, page, req.With)
		if !req.JSON {
			if !req.WithPath {
				path = ""
			}
			for i := range page.Sections {
				dst = appendSection(dst, path, &page.Sections[i], req.Style)
				if facts != nil {
					dst = append(append(dst[:len(dst)-1], facts[i].text()...), '\n')
				}
			}
			if page.NextCursor != "" {
				dst = fmt.Appendf(dst, "[%d sections in all; go on with --cursor %s]\n", page.Count, page.NextCursor)
			}
			return dst, nil
		}
		dst = replies.AppendString(append(dst, `{"file_path":`...), path)
		brace := len(dst)
		dst = page.AppendJSON(dst)
		dst[brace] = ','
		return append(dst, '\n'), nil
	}
	return docs.Each(ctx, r, emit)
}

// options returns options that keep the sections of a document with the status that is asked for.
func (r *SectionsRequest) options(doc *markdown.Document, opts outline.ListOptions) outline.ListOptions {
	if r.Status != "" {
		opts.Keep = func(i int) bool { return hasStatus(doc, i, r.Status) }
	}
	return opts
}

// tellFacts puts what is told of the sections of a page into it, and returns it; nil if nothing is
// asked for.
func tellFacts(doc *markdown.Document, page *outline.Page, with []string) []*sectionFacts {
	if len(with) == 0 {
		return nil
	}
	s := sectionReader{doc: doc, with: with}
	facts := make([]*sectionFacts, len(page.Sections))
	for i := range page.Sections {
		facts[i] = s.factsOf(page.Sections[i].Section)
		page.Sections[i].More = appendFacts(nil, facts[i])
	}
	return facts
}

// withinPart notes of a part of a document that a request is about which sections it has.
func withinPart(docs *documents.Set, path string, doc *markdown.Document, from, to *int) error {
	if docs.Part == "" {
		return nil
	}
	first, end, err := docs.Sections(path, doc)
	*from, *to = first, end
	return err
}

// minEntry is the least number of characters that a section takes in JSON.
const minEntry = len(`{"name":"","start_line":1,"end_line":1,"level":"H1"}`)

// nameCut says that a section's name is not whole.
const nameCut = "the name is too long for a reply and is cut at …"

// singlePage renders the reply of a tool: the page that is asked for, or as much
// of it as fits into so many characters, 0 for any number. It has one section at
// the least, if there is one.
func singlePage(work *documents.Work, doc *markdown.Document, opts outline.ListOptions, with []string, limit int) ([]byte, error) {
	if most := limit/minEntry + 1; limit > 0 && (opts.Max == 0 || opts.Max > most) {
		opts.Max = most // more can't fit, and their names need not be made
	}
	page, err := outline.List(doc, opts)
	if err != nil {
		return nil, err
	}
	size := 0
	for i := range page.Sections {
		if size += minEntry + utf8.RuneCountInString(page.Sections[i].Name); limit > 0 && size > limit {
			page = page.First(i + 1) // names alone take more, and the rest need not be rendered
			break
		}
	}
	lease, err := forFacts(work, doc, with)
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	tellFacts(doc, page, with)
	text := page.AppendJSON(nil)
	if limit == 0 || replies.Chars(text) <= limit || len(page.Sections) == 0 {
		return text, nil
	}
	n := sort.Search(len(page.Sections)-1, func(n int) bool { return replies.Chars(page.First(n+1).AppendJSON(nil)) > limit })
	if n > 0 {
		return page.First(n).AppendJSON(nil), nil
	}
	return singleSection(doc, page.First(1), with, limit), nil
}

// singleSection renders a page of one section for which there is too little room: without some of
// what was asked for of it, the longest first, and if that is not enough with a part of its name. A
// hint says so.
func singleSection(doc *markdown.Document, one *outline.Page, with []string, limit int) []byte {
	size := func(fact string) int {
		tellFacts(doc, one, []string{fact})
		return len(one.Sections[0].More)
	}
	hint, left := "", ""
	for with = slices.Clone(with); len(with) > 0; {
		longest := slices.MaxFunc(with, func(a, b string) int { return cmp.Compare(size(a), size(b)) })
		if size(longest) > 0 {
			left += ", " + longest
			hint = "left out, for there is no room: " + left[len(", "):] + "; raise max_chars, or read the section"
		}
		with = slices.DeleteFunc(with, func(fact string) bool { return fact == longest })
		one.Sections[0].More = nil
		tellFacts(doc, one, with)
		if text := withHint(one.AppendJSON(nil), hint); replies.Chars(text) <= limit {
			return text
		}
	}
	if hint != "" {
		hint = "; " + hint
	}
	return withCutName(one.Sections[0].Name, limit, nameCut+hint, func(name string) []byte {
		one.Sections[0].Name = name
		return one.AppendJSON(nil)
	})
}

// withHint adds a hint to an object of JSON, unless it is empty.
func withHint(text []byte, hint string) []byte {
	if hint == "" {
		return text
	}
	return append(replies.AppendString(append(text[:len(text)-1], `,"hint":`...), hint), '}')
}

// withCutName renders an object of JSON with as much of a name as fits into so many
// characters, and with a hint that says so.
func withCutName(name string, limit int, hint string, render func(name string) []byte) []byte {
	name = replies.Clip(name, limit) // what is longer need not be tried
	cut := func(n int) []byte { return withHint(render(replies.Clip(name, n)), hint) }
	// Of the characters some are escaped, so it is tried how many fit.
	return cut(sort.Search(limit, func(n int) bool { return replies.Chars(cut(n+1)) > limit }))
}

// appendSection appends "path:first-last: ## Name" and a line end; path may be
// empty.
func appendSection(dst []byte, path string, e *outline.Entry, s replies.Style) []byte {
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
