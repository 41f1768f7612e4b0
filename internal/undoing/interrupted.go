package undoing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// Changes that were interrupted: who is told of them, and what forgetting all changes does to them.

// recovered tells in a sentence what was taken back.
func recovered(r journal.Recovered) string {
	text := fmt.Sprintf("a change of %s that was interrupted at %s is taken back", replies.Plural(len(r.Record.Entries), "file"), r.Record.Time.Format(time.RFC3339))
	if r.Rest != nil {
		text += " in part, and the rest can't be yet: " + cause(r.Rest)
		if len(r.Back) > 0 {
			text += "; these are again what they were before it: " + firstNames(r.Back, maxFiles)
		}
	}
	if len(r.Left) > 0 {
		text += "; left as they are, for another program has changed them since or they can't be put back: " + firstNames(r.Left, maxFiles) +
			" (sectile log --patch " + r.Record.ID + " shows both states)"
	}
	if !r.Kept.None() {
		text += "; " + replies.Safe(r.Kept.String())
	}
	return text
}

// Pending tells of the changes that were interrupted and aren't taken back yet, a sentence
// for each. Nothing is written.
func (h *History) Pending(ctx context.Context) []string {
	if h == nil {
		return nil
	}
	var list []string
	for _, r := range h.journal.Pending(ctx) {
		list = append(list, willBeTakenBack(r))
	}
	return list
}

// interruptedIn returns a change of files of a request that was interrupted and isn't taken back yet,
// nil if there is none.
func (h *History) interruptedIn(ctx context.Context, s *scope) *journal.Record {
	for _, r := range h.journal.Pending(ctx) {
		for i := range r.Entries {
			if _, ok := s.nameOf(&r.Entries[i]); ok && s.isAbout(r.Entries[i].Path) {
				return r
			}
		}
	}
	return nil
}

// willBeTakenBack tells in a sentence of a change that was interrupted, and who takes it back.
func willBeTakenBack(r *journal.Record) string {
	return interrupted(r) + "; the next change takes it back if that can be done"
}

// interrupted tells in a sentence of a change that was.
func interrupted(r *journal.Record) string {
	return fmt.Sprintf("a change of %s was interrupted at %s", replies.Plural(len(r.Entries), "file"), r.Time.Format(time.RFC3339))
}

// Recover takes back what was interrupted, and tells of the changes that can't be yet, a sentence
// for each with the file that keeps it from that, and of those that others take back, whom it gives
// a while. The error is an *Error: the journal can't be read.
func (h *History) Recover(ctx context.Context) (stuck, pending []string, err error) {
	if h == nil {
		return nil, nil, nil
	}
	const tries = 20
	for n := 0; n == 0 || len(pending) > 0 && n < tries; n++ { // once in any case, for it puts away what is damaged
		list, err := h.journal.TakeBack(ctx)
		if err != nil {
			return stuck, pending, unreadable(err)
		}
		stuck, pending = nil, nil
		ids := map[string]bool{}
		for _, s := range list {
			text := "the record of a change can't be read, or put away"
			switch r := s.Record; {
			case r == nil:
			case r.State != journal.Prepared:
				text = "the record of a change that is done or taken back can't be put away"
			default:
				ids[r.ID] = true
				text = interrupted(r) + " and can't be taken back yet"
				if s.IsBack {
					text = interrupted(r) + " and is taken back, which can't be written down yet"
				}
			}
			stuck = append(stuck, text+": "+cause(s.Err))
		}
		for _, r := range h.journal.Pending(ctx) {
			if !ids[r.ID] {
				pending = append(pending, willBeTakenBack(r))
			}
		}
	}
	return stuck, pending, nil
}

// cause says why a change can't be taken back, with the file, of which only its own user is told.
func cause(err error) string {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return firstNames([]string{e.Path}, maxFiles) + ": " + replies.Safe(e.Sentence())
	}
	return replies.Safe(err.Error())
}

// Clear forgets all changes, when those that were interrupted are taken back, as the next change would
// do it. The error is an *Error: files were left as they are by that, and nothing is forgotten; or
// changes can't be taken back yet, and all others are forgotten; or files of the journal can't be removed.
func (h *History) Clear(ctx context.Context) error {
	if h == nil {
		return nil
	}
	var left []journal.Recovered
	telling := *h
	telling.journal = h.journal.Telling(func(r journal.Recovered) {
		if len(r.Left) > 0 {
			left = append(left, r)
		}
	})
	stuck, pending, err := telling.Recover(ctx)
	switch {
	case err != nil:
		return err
	case len(left) > 0: // whoever was told a moment ago where both states are must find them there
		return &replies.Error{Code: "conflict", Message: replies.Say(
			"nothing is forgotten yet: a change was interrupted, and files of it are left as they are, whose texts may be in the journal alone: %s; see `sectile log --patch %s`, then clear again",
			firstNames(left[0].Left, maxFiles), left[0].Record.ID)}
	}
	if err := h.journal.Clear(ctx); err != nil {
		return unreadable(err)
	}
	if kept := slices.Concat(stuck, pending); len(kept) > 0 {
		copies := "the copies that it may need"
		var names []string
		for _, r := range h.journal.Pending(ctx) {
			for i := range r.Entries {
				names = append(names, r.Entries[i].Path)
			}
		}
		if len(names) > 0 { // else no record can be read
			copies = "copies of " + firstNames(names, maxFiles)
		}
		return &replies.Error{Code: replies.CodeIOError, Message: replies.Say(
			"all else is forgotten, but not what it takes to take back what was interrupted, with %s: %s; see that these files can be read and written, then clear again",
			copies, strings.Join(kept[:min(len(kept), maxFiles)], "; "))}
	}
	return nil
}
