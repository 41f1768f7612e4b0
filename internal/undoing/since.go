package undoing

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// Was is what a document held at a time; nil if it wasn't there.
type Was struct {
	Path   string // that it is opened by
	Text   []byte
	Linked bool // a link leads from there to another place by now
}

// Earlier is what documents held at a time, as far as the journal knows.
type Earlier struct {
	Shown string // what the time is called
	Texts []Was
	// Forgotten is the time of the newest change that the journal may not have any more, where that is one
	// since the time; otherwise zero. Oldest is then the oldest change of the documents that it has, and OldestTime when it was made.
	Forgotten  time.Time
	Oldest     string
	OldestTime time.Time
}

// IsID reports whether the journal has a change with the identifier, or one that begins so, of
// files that the request sees.
func (h *History) IsID(ctx context.Context, docs documents.Set, id string) bool {
	docs.Paths = nil
	s, err := scopeOf(&docs, true)
	if err != nil || h == nil {
		return false
	}
	_, err = h.find(ctx, s, id)
	return err == nil
}

// Since returns what the documents of a request held at a time, or before a change that is
// named by its identifier, as far as they have been changed since by sectile. The error is an *Error.
func (h *History) Since(ctx context.Context, docs documents.Set, since string) (*Earlier, error) {
	s, err := scopeOf(&docs, false)
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, noChange(since)
	}
	e := &Earlier{Shown: since}
	var from *seen // the change that is named, which may be one of other documents
	at, err := parseTime(since, time.Now())
	if err != nil {
		if from, err = h.find(ctx, s, since); err != nil {
			return nil, err
		}
		e.Shown = "before " + from.ID
	} else {
		e.Forgotten = h.forgottenSince(ctx, at)
	}
	first := map[string]*journal.Entry{} // of each file, its oldest change since
	var names []string
	add := func(c *seen) bool {
		if from != nil && c.Order().Before(from.Order()) {
			return false
		}
		known := c.State == journal.Committed || c.Problem != "" // whose end is missing: before it the texts were those, too
		for i := range c.Entries {
			if name := c.names[i]; name != "" && known && s.isAbout(c.Entries[i].Path) && files.IsMarkdown(name) {
				if first[name] == nil {
					names = append(names, name)
				}
				first[name] = &c.Entries[i]
				e.Oldest, e.OldestTime = c.ID, c.Time
			}
		}
		return from == nil || c.ID != from.ID
	}
	if from == nil {
		err = h.since(ctx, s, at, add)
	} else {
		err = h.walk(ctx, s, add)
	}
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0 && !e.Forgotten.IsZero():
		return nil, &replies.Error{Code: "not_found", Message: replies.Say("the journal has no change of these documents since %s, and no longer all up to %s",
			replies.Clip(replies.Safe(since), replies.MaxShown), e.Forgotten.UTC().Format(time.RFC3339))}
	case len(names) == 0:
		return nil, noChange(since)
	}
	slices.Sort(names)
	e.Texts = make([]Was, len(names))
	var taken documents.Taken
	for i, name := range names {
		e.Texts[i].Path, e.Texts[i].Linked = name, first[name].IsLinked()
		if t := first[name].Before; t != nil {
			if err := taken.Add(docs.Work, t.Size); err != nil {
				return nil, replies.ErrorAbout(name, err)
			}
		}
		before, _, err := h.journal.Texts(ctx, &journal.Entry{Before: first[name].Before})
		if err != nil {
			return nil, &replies.Error{Code: replies.CodeIOError, Path: name, Message: replies.Text(err.Error()), Err: err}
		}
		e.Texts[i].Text = before
	}
	return e, nil
}

// noChange is the error for a time since which nothing was changed.
func noChange(since string) error {
	return &replies.Error{Code: "not_found", Message: replies.Say("the journal has no change of these documents since %s", replies.Clip(replies.Safe(since), replies.MaxShown))}
}

// parseTime reads a time: as replies show it, a day, or so long ago (2h, 30m, 3d).
func parseTime(text string, now time.Time) (time.Time, error) {
	const day, most = 24 * time.Hour, math.MaxInt64 / (24 * time.Hour) // what is longer ago is before all changes
	if days, ok := strings.CutSuffix(text, "d"); ok && strings.Trim(days, "0123456789.") == "" {
		if n, err := strconv.ParseFloat(days, 64); err == nil || math.IsInf(n, 1) {
			return now.Add(-time.Duration(min(n, float64(most)) * float64(day))), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	return time.ParseInLocation(time.DateOnly, text, now.Location())
}
