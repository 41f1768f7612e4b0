package undoing

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
)

// Which change a request is about: the one that it names, or the newest that can be taken back.

// newest returns the newest change that is left to undo in files of a request, or the newest undo
// that is left to redo; nil if there is none. One of which nobody knows how it ended isn't passed
// over, whichever it is: an older one may not be meant.
func (h *History) newest(ctx context.Context, s *scope, redo bool) (newest *seen, err error) {
	err = h.walk(ctx, s, func(c *seen) bool {
		isKind := c.Asker.Undoes == ""
		if redo {
			isKind = c.TakesBack
		}
		left := len(c.Entries) == 0 // of which nothing can be read
		for i := range c.Entries {
			left = left || s.isAbout(c.Entries[i].Path) && !c.back[i]
		}
		if left && (c.Problem != "" || c.State == journal.Committed && isKind) {
			newest = c
		}
		return newest == nil
	})
	return newest, err
}

// meant returns an error that names the newest change of the files by a path that stands in a
// request in place of an identifier; nil if there is none.
func (h *History) meant(ctx context.Context, docs documents.Set, path string) error {
	docs.Paths = []string{path}
	s, err := scopeOf(&docs, true)
	if err != nil {
		return nil //nolint:nilerr // it is no path, then
	}
	c, err := h.newest(ctx, s, false)
	if err != nil || c == nil {
		return nil //nolint:nilerr // that there is no such change is said in any case
	}
	text := replies.Say("there is no change %q in the journal; of that path the newest that is left to undo is %s", replies.ClipMiddle(path, replies.MaxShown), c.ID)
	switch {
	case c.Problem != "":
		text = text.Then(", which can't be undone, for what the journal has of it can't be believed: %s", c.Problem)
	case s.workspace != nil:
		text = text.Then(": give that as id, and the path in paths")
	default:
		if strings.HasPrefix(path, "-") { // which would be a flag
			path = "./" + path
		}
		text = text.Then(": `sectile undo %s %s`", c.ID, replies.Safe(runes.ShellQuoted(path)))
	}
	return &replies.Error{Code: "not_found", Message: text}
}

// choose returns the change that a request is about.
func (h *History) choose(ctx context.Context, docs documents.Set, s *scope, req UndoRequest) (*seen, error) {
	if req.ID != "" {
		c, err := h.find(ctx, s, req.ID)
		if e := (*replies.Error)(nil); errors.As(err, &e) && e.Code == "not_found" {
			err = cmp.Or(h.meant(ctx, docs, req.ID), err)
		}
		return c, err
	}
	if r := h.interruptedIn(ctx, s); r != nil { // which is newer than all that can be undone
		return nil, &replies.Error{Code: "conflict", Message: replies.Text(willBeTakenBack(r) + "; you may mean that one, so name an older one by its identifier, from the list of changes")}
	}
	all := *s
	all.unread = true
	c, err := h.newest(ctx, &all, req.Redo)
	if err == nil && c == nil {
		what := "nothing is left to undo here: the journal has changes of files that sectile writes, as long as they are kept; plans in Jujutsu and git have histories of their own (`jj op log`, `git log`)"
		if req.Redo {
			what = "nothing is left to redo here"
		}
		err = &replies.Error{Code: "not_found", Message: replies.Text(what)}
	}
	return c, err
}
