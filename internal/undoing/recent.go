package undoing

import (
	"context"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A page shows what agents do: what they were shown, and what was changed, by whomever.

// Change is a change of the journal as it is told.
type Change = changeData

// RecentChange is one whose files can be looked at.
type RecentChange struct {
	Change

	history *History
	entries []journal.Entry // of Files
}

// Texts returns what a file of the change held before and after it.
func (c *RecentChange) Texts(ctx context.Context, file int) (before, after documents.Stored) {
	e := &c.entries[file]
	return c.history.stored(ctx, e.Before), c.history.stored(ctx, e.After)
}

// stored returns a text of the journal, an empty one for nil. The error of loading it is an *Error,
// or one that IsGone.
func (h *History) stored(ctx context.Context, t *journal.Text) (s documents.Stored) {
	if t != nil {
		s.Size = t.Size
	}
	s.Load = func() ([]byte, error) {
		text, _, err := h.journal.Texts(ctx, &journal.Entry{Before: t})
		if err != nil && !journal.IsGone(err) {
			return nil, unreadable(err)
		}
		return text, err
	}
	return s
}

// IsGone reports whether an error says that the journal doesn't have a text any more.
func IsGone(err error) bool { return journal.IsGone(err) }

// Recent returns the changes of the documents since a time, the newest first, at most so many.
// The error is an *Error.
func (h *History) Recent(ctx context.Context, docs documents.Set, since time.Time, most int) ([]RecentChange, error) {
	s, err := scopeOf(&docs, false)
	if err != nil {
		return nil, err
	}
	var list []RecentChange
	err = h.since(ctx, s, since, func(c *seen) bool {
		if len(list) == most {
			return false
		}
		d := c.data(s)
		d.Client, d.Session, d.Command = c.Asker.Client, c.Asker.Session, c.Asker.Command // the page is the user's own
		one := RecentChange{Change: d, history: h}
		for i, name := range c.names {
			if name != "" && len(one.entries) < len(d.Files) {
				one.entries = append(one.entries, c.Entries[i])
			}
		}
		list = append(list, one)
		return true
	})
	return list, err
}

// Before returns what each of the documents held before the first of its changes since a time,
// by the names of documents, as far as the journal has these: forgotten is up to when it no longer has all, and
// zero if it has. The error is an *Error.
func (h *History) Before(ctx context.Context, docs documents.Set, since time.Time) (first map[string]documents.Stored, forgotten time.Time, err error) {
	s, err := scopeOf(&docs, false)
	if err != nil {
		return nil, forgotten, err
	}
	first, forgotten = map[string]documents.Stored{}, h.forgottenSince(ctx, since)
	err = h.since(ctx, s, since, func(c *seen) bool {
		for i := range c.Entries {
			if c.State == journal.Committed && c.names[i] != "" && s.isAbout(c.Entries[i].Path) {
				first[c.names[i]] = h.stored(ctx, c.Entries[i].Before)
			}
		}
		return true
	})
	return first, forgotten, err
}

// forgottenSince returns the time of the newest change that the journal may not have any more, where that
// isn't before another one; otherwise zero.
func (h *History) forgottenSince(ctx context.Context, since time.Time) time.Time {
	if h == nil {
		return time.Time{}
	}
	forgotten := h.journal.Forgotten(ctx)
	if forgotten.Before(since) {
		return time.Time{}
	}
	return forgotten
}

// Follow has the history note what readers are shown of the documents of a workspace, and forget
// the changes that are too old.
func (h *History) Follow(w *documents.Workspace) {
	if h == nil {
		return
	}
	h.clearOld(context.Background())
	w.Told(func(by documents.Reader, host string, doc *markdown.Document, lines []markdown.Lines) {
		if sections := shownOf(doc, lines); len(sections) > 0 {
			_ = h.journal.Saw(context.Background(), journal.Shown{
				Time: time.Now(), Client: by.Client, Session: by.Session, Path: host, Sections: sections,
			}) // what can't be noted counts as not shown
		}
	})
}

// shownOf returns the sections of which lines were shown.
func shownOf(doc *markdown.Document, lines []markdown.Lines) []journal.ShownSection {
	hit := func(of markdown.Lines) bool {
		for _, l := range lines {
			if l.First <= of.Last && of.First <= l.Last {
				return true
			}
		}
		return false
	}
	var list []journal.ShownSection
	if l := doc.PreambleLines(); l.Len() > 0 && hit(l) {
		list = append(list, journal.ShownSection{Selector: "@preamble", Hash: markdown.Hash(doc.Text(doc.Preamble()))})
	}
	named := replies.NewNamed(doc)
	for i := range doc.Sections {
		if hit(doc.BodyLines(i)) {
			list = append(list, journal.ShownSection{Selector: named.Selector(i), Hash: doc.BodyHash(i)})
		}
	}
	return list
}

// Shown is what readers were shown of a document, and when last.
type Shown struct {
	Hashes map[string]time.Time // by the hash of the text of a section without its subsections
	By     map[documents.Reader]*ShownTo
}

// ShownTo is what one of them was shown.
type ShownTo struct {
	Sections map[string]string // the hash of each, by the selector that it had then
	Last     time.Time
}

// Notes of what was shown are read up to so many bytes, and take so many times as much.
const (
	maxNotes   = 16 << 20
	noteFactor = 4
)

// Shown returns what readers were shown of the documents since a time, at most a day ago, by
// the names of documents. Of very many notes the newest are read, as many as there is memory for:
// partly is then the time before which not all is told, and otherwise zero. The error is an *Error.
func (h *History) Shown(ctx context.Context, docs documents.Set, since time.Time, taken *documents.Taken) (all map[string]*Shown, partly time.Time, err error) {
	all = map[string]*Shown{}
	if h == nil {
		return all, partly, nil
	}
	s, err := scopeOf(&docs, false)
	if err != nil {
		return nil, partly, err
	}
	names := map[string]string{} // by path; "" for those that the request may not see
	read := int64(0)
	partly, err = h.journal.Shown(ctx, since, func(bytes int64) bool {
		read += bytes
		return read <= maxNotes && taken.Add(docs.Work, noteFactor*bytes) == nil
	}, func(e *journal.Shown) bool {
		name, known := names[e.Path]
		if !known {
			if called, ok := s.name(e.Path); ok && s.isAbout(e.Path) {
				name = called
			}
			names[e.Path] = name
		}
		if name == "" {
			return true
		}
		d := all[name]
		if d == nil {
			d = &Shown{map[string]time.Time{}, map[documents.Reader]*ShownTo{}}
			all[name] = d
		}
		reader := documents.Reader{Client: e.Client, Session: e.Session}
		to := d.By[reader]
		if to == nil {
			to = &ShownTo{Sections: map[string]string{}}
			d.By[reader] = to
		}
		for _, section := range e.Sections {
			d.Hashes[section.Hash], to.Sections[section.Selector] = e.Time, section.Hash
		}
		if e.Time.After(to.Last) {
			to.Last = e.Time
		}
		return true
	})
	switch {
	case err == nil:
		return all, partly, nil
	case ctx.Err() != nil:
		return nil, partly, ctx.Err()
	}
	return nil, partly, unreadable(err)
}

// Stamp returns a text that is another one when something was written down meanwhile.
func (h *History) Stamp(ctx context.Context) string {
	if h == nil {
		return ""
	}
	return h.journal.Stamp(ctx)
}
