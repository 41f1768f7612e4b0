package documents

import (
	"bytes"

	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/markdown"
)

// Session remembers what one client was shown; see package session.
type Session = session.Session

// NewSession returns a session in which nothing was shown.
func NewSession() *Session { return session.New() }

// NewSharedSession returns a session in which nothing was shown, of a client that is
// one of many.
func NewSharedSession() *Session { return session.NewOfMany() }

// Coverage is what a session knows of a document. The zero value stands for
// nobody's.
type Coverage struct {
	Session *session.Session
	File    string // its name in the session
	reader  Reader
	tell    Told
}

// Reader is who asks, as it says itself: the name of a client, and that of its session, which
// tells it from others of this name. Both may be empty.
type Reader struct{ Client, Session string }

// Told is called with what readers with a session are shown: who it was, the path of the file on
// the host, and lines of the document.
type Told func(reader Reader, file string, doc *markdown.Document, lines []markdown.Lines)

// Coverage returns what the session knows of the document at path.
func (d *Set) Coverage(path string) Coverage {
	file := d.FileKey(path)
	if file == "" {
		return Coverage{}
	}
	return Coverage{d.Session, file, d.Reader, d.Workspace.tell}
}

// FileKey is the name by which the session knows the file at path: one for each
// file, whatever the paths that lead there. It is empty if there is no session,
// or no such file, or one that is no Markdown and has no sections.
func (d *Set) FileKey(path string) string {
	if d.Session == nil || d.Workspace == nil || d.Workspace.IsPlain(path) {
		return ""
	}
	name, err := d.Workspace.FileRoots().Name(d.Listed(path))
	if err != nil {
		return ""
	}
	return name
}

// Deliver notes that bytes of the document were delivered.
func (c Coverage) Deliver(doc *markdown.Document, spans ...markdown.Span) {
	if c.Session == nil {
		return
	}
	lines := wholeLines(doc, spans)
	c.Session.Delivered(c.File, doc, lines)
	if c.tell != nil {
		c.tell(c.reader, c.File, doc, lines)
	}
}

// Unread returns what would be unread if these bytes were delivered.
func (c Coverage) Unread(doc *markdown.Document, spans []markdown.Span) session.Unread {
	return c.Session.UnreadAfter(c.File, doc, wholeLines(doc, spans))
}

// wholeLines returns the lines that the spans hold, but for blanks at both ends of
// a line. What stands in a list item without the item's marker is not all of its
// line.
func wholeLines(doc *markdown.Document, spans []markdown.Span) []markdown.Lines {
	var lines []markdown.Lines
	blank := func(start, end int) bool {
		return start >= end || len(bytes.TrimSpace(doc.Source[start:end])) == 0
	}
	bom := doc.Preamble().Start
	for _, span := range spans {
		if span.Len() <= 0 {
			continue
		}
		l := markdown.Lines{First: doc.LineAt(span.Start), Last: doc.LineAt(span.End - 1)}
		all := doc.LineSpan(l)
		if !blank(max(all.Start, bom), span.Start) {
			l.First++
		}
		if !blank(span.End, all.End) {
			l.Last--
		}
		if l.Len() > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}
