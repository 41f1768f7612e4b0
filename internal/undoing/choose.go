package undoing

import (
	"cmp"
	"context"
	"slices"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// Which change a request is about: the one that it names, or the newest that can be taken back.

// meant returns an error that names the newest change of the files by a path that stands in a
// request in place of an identifier; nil if there is none.
func (h *History) meant(ctx context.Context, docs documents.Set, path string) error {
	docs.Paths = []string{path}
	s, err := scopeOf(&docs, true)
	if err != nil {
		return nil //nolint:nilerr // it is no path, then
	}
	var newest *seen
	err = h.walk(ctx, s, func(c *seen) bool {
		left := func(e journal.Entry) bool { return s.isAbout(e.Path) && !c.back.has(e.Path) }
		if c.State == journal.Committed && c.Asker.Undoes == "" && slices.ContainsFunc(c.Entries, left) {
			newest = c
		}
		return newest == nil
	})
	if err != nil || newest == nil {
		return nil //nolint:nilerr // that there is no such change is said in any case
	}
	how := "`sectile undo " + newest.ID + " " + replies.Safe(replies.ShellQuoted(path)) + "`"
	if s.workspace != nil {
		how = "give that as id, and the path in paths"
	}
	return &replies.Error{Code: "not_found", Message: replies.Say(
		"there is no change %q in the journal, but the newest one of that path is %s: %s", replies.ClipMiddle(path, replies.MaxShown), newest.ID, how)}
}

// choose returns the change that a request is about.
func (h *History) choose(ctx context.Context, docs documents.Set, s *scope, req UndoRequest) (*seen, error) {
	if req.ID != "" {
		c, err := h.find(ctx, s, req.ID)
		if c == nil && ctx.Err() == nil {
			err = cmp.Or(h.meant(ctx, docs, req.ID), err)
		}
		return c, err
	}
	if r := h.interruptedIn(ctx, s); r != nil { // which is newer than all that can be undone
		return nil, &replies.Error{Code: "conflict", Message: replies.Text(h.willBeTakenBack(r) + ", and is what you may mean; undo an older one by its identifier, from the list of changes")}
	}
	// One that can't be undone, for its end or all of it can't be read, isn't passed over: an
	// older one may not be meant.
	all := *s
	all.unread = true
	var chosen *seen
	err := h.walk(ctx, &all, func(c *seen) bool {
		known := c.State == journal.Committed || c.Problem != ""
		if unread := len(c.Entries) == 0; unread || known && c.by == "" && c.isUndo() == req.Redo && (req.Redo || c.Asker.Undoes == "") {
			chosen = c
		}
		return chosen == nil
	})
	if err == nil && chosen == nil {
		what := "nothing is left to undo here: the journal has changes of files that sectile writes, for 30 days; plans in Jujutsu and git have histories of their own (`jj op log`, `git log`)"
		if req.Redo {
			what = "nothing is left to redo here"
		}
		err = &replies.Error{Code: "not_found", Message: replies.Text(what)}
	}
	return chosen, err
}
