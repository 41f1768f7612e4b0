package guiding

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// What of a category doesn't fit into a reply is told by names and sizes, in a member of its
// own, and read on in pages: whole files as long as they fit, else one file in pieces. The
// files of all pages are those of a reply with room for all, byte for byte. A cursor is of
// these files or of this list; of others it is stale.

// ContentRequest is what of a category is wanted.
type ContentRequest struct {
	Name, Pattern string
	NamesOnly     bool   // the names of the files and their sizes, without their text
	Cursor        string // the next_cursor of the reply before, or the one that a list names
	MaxChars      int    // of the value, the text or list that is answered
}

// Reply answers a request with the tool's Result object. What the answer takes is
// reserved for the request. The error is a *GuideError.
func (g *Guides) Reply(ctx context.Context, work *documents.Work, r ContentRequest) ([]byte, error) {
	if r.NamesOnly {
		files, err := g.Files(ctx, r.Name, r.Pattern)
		if err != nil {
			return nil, err
		}
		return files.page(&r, "")
	}
	c, err := g.Content(ctx, work, r.Name, r.Pattern)
	switch {
	case err != nil:
		return nil, err
	case r.Cursor != "":
		return c.page(&r)
	case utf8.RuneCount(c.Value) <= r.MaxChars:
		return c.JSON(), nil
	case len(c.parts) == 1:
		return c.pageFrom(&r, fileOffset{})
	}
	list, err := g.Files(ctx, r.Name, r.Pattern) // so that its cursors are those of names_only
	if err != nil {
		return nil, err
	}
	list.Truncated, list.Skipped = c.Truncated, c.Skipped
	one := "one as the pattern"
	if list.collection {
		one = "what stands before the first / as the category and the rest as the pattern"
	}
	return list.page(&r, fmt.Sprintf("these %d files take %d characters, more than max_chars, so this is their list; "+
		"ask with %s, or read all in pages with the cursor %q", len(c.parts), utf8.RuneCount(c.Value), one, c.cursor(fileOffset{})))
}

// fileOffset is a place in the files of a reply.
type fileOffset struct {
	file   int // so many files are before it
	offset int // so many bytes of the file are before it
}

// cursor returns the cursor for a place in the files as they are now.
func (c *GuideContent) cursor(at fileOffset) string {
	var all []byte
	for i := range c.parts {
		all = append(append(append(all, c.parts[i].Category+"/"+c.parts[i].Path...), 0), markdown.Hash(c.parts[i].Content)...)
	}
	return fmt.Sprintf("%.8s.%d.%d", markdown.Hash(all), at.file, at.offset)
}

// place returns the place that a cursor names.
func (c *GuideContent) place(cursor string) (at fileOffset, err error) {
	parts := strings.Split(cursor, ".")
	if len(parts) == 3 {
		file, fileErr := strconv.Atoi(parts[1])
		offset, offsetErr := strconv.Atoi(parts[2])
		at = fileOffset{file, offset}
		if fileErr == nil && offsetErr == nil && c.has(at) && c.cursor(at) == cursor {
			return at, nil
		}
	}
	return at, staleCursor(cursor, "these files")
}

// staleCursor returns the error for a cursor that is none of what there is now.
func staleCursor(cursor, of string) error {
	return newGuideError(guide.StaleCursor, fmt.Sprintf("the cursor %q is none of %s as they are now", replies.Clip(cursor, replies.MaxShown), of), nil)
}

// has reports whether there is a character at a place, or a file that is empty.
func (c *GuideContent) has(at fileOffset) bool {
	if at.file < 0 || at.file >= len(c.parts) {
		return false
	}
	text := c.parts[at.file].Content
	return at.offset == 0 || at.offset > 0 && at.offset < len(text) && utf8.RuneStart(text[at.offset])
}

// page returns the page at the cursor of a request.
func (c *GuideContent) page(r *ContentRequest) ([]byte, error) {
	at, err := c.place(r.Cursor)
	if err != nil {
		return nil, err
	}
	return c.pageFrom(r, at)
}

// pageFrom returns the page that begins at a place.
func (c *GuideContent) pageFrom(r *ContentRequest, at fileOffset) ([]byte, error) {
	first := &c.parts[at.file]
	page := GuideContent{Matched: c.Matched, Returned: 1, Truncated: c.Truncated, Skipped: c.Skipped, Warning: c.Warning}
	if at != (fileOffset{}) { // told at first
		page.Truncated, page.Skipped, page.Warning = false, nil, ""
	}
	next := fileOffset{at.file + 1, 0}
	value, whole, err := c.wholeFrom(r, at)
	switch text := first.Content[at.offset:]; {
	case err != nil:
		return nil, AsGuideError(err)
	case whole > 0:
		page.Value, page.Returned, next.file = value, whole, at.file+whole
	default:
		n := pieceLength(text, r.MaxChars)
		page.Value, page.path = text[:n], first.Category+"/"+first.Path
		if n < len(text) {
			next = fileOffset{at.file, at.offset + n}
		}
	}
	if next.file < len(c.parts) {
		page.next = c.cursor(next)
	}
	return page.JSON(), nil
}

// minHeader is what a file takes in a message beside its text, in characters, at the least.
const minHeader = 100

// wholeFrom returns as many whole files from a place on as there is room for, as one
// message; 0 if there is no room for one, or the place is within a file.
func (c *GuideContent) wholeFrom(r *ContentRequest, at fileOffset) (value []byte, files int, err error) {
	if at.offset > 0 {
		return nil, 0, nil
	}
	rest := c.parts[at.file:]
	for room := r.MaxChars; files < len(rest) && room > 0; files++ {
		room -= utf8.RuneCount(rest[files].Content) + minHeader
	}
	for ; files > 0; files-- { // what each takes beside its text is known when they are written
		value, err = (&guide.Reply{Parts: rest[:files], Matched: c.Matched}).Value()
		if err != nil || utf8.RuneCount(value) <= r.MaxChars {
			return value, files, err
		}
	}
	return nil, 0, nil
}

// pieceLength returns the length in bytes of the beginning of a text that has at most so
// many characters: whole lines if it has one.
func pieceLength(text []byte, maxChars int) int {
	n := replies.CharOffset(text, maxChars)
	if n >= len(text) {
		return len(text)
	}
	if line := bytes.LastIndexByte(text[:n], '\n'); line >= 0 {
		return line + 1
	}
	if text[n-1] == '\r' && n > 1 {
		return n - 1
	}
	return n
}

// cursor returns the cursor for a line of the list as it is now, counted from 0.
func (l *GuideFiles) cursor(text []byte, line int) string {
	return fmt.Sprintf("%.8s.%d", markdown.Hash(text), line)
}

// place returns the line of the list that a cursor names, counted from 0.
func (l *GuideFiles) place(text []byte, cursor string) (line int, err error) {
	if cursor == "" {
		return 0, nil
	}
	_, number, _ := strings.Cut(cursor, ".")
	line, err = strconv.Atoi(number)
	if err != nil || line <= 0 || line >= len(l.Files) || l.cursor(text, line) != cursor {
		return 0, staleCursor(cursor, "the names and sizes")
	}
	return line, nil
}

// page returns the list of the files from the cursor on, with an instruction. It stands in
// a member of its own, so that nobody takes it for the text.
func (l *GuideFiles) page(r *ContentRequest, instruction string) ([]byte, error) {
	all := l.Text()
	at, err := l.place(all, r.Cursor)
	if err != nil {
		return nil, err
	}
	text := all
	for range at {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	list := text[:pieceLength(text, r.MaxChars)]
	if !bytes.Contains(list, []byte("\n")) { // a path that is longer
		list = text[:bytes.IndexByte(text, '\n')+1]
	}
	page := GuideContent{Matched: l.Matched, Truncated: l.Truncated, Skipped: l.Skipped, list: list, instruction: instruction}
	page.Returned = bytes.Count(list, []byte("\n"))
	if at += page.Returned; at < len(l.Files) {
		if r.NamesOnly {
			page.next = l.cursor(all, at)
		} else {
			page.instruction += fmt.Sprintf(", and the rest of the list with names_only and the cursor %q", l.cursor(all, at))
		}
	}
	return page.JSON(), nil
}
