package undoing

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// TakenBack is what a request has taken back, before it changed anything itself: changes of anybody
// that were interrupted. It is safe for concurrent use.
type TakenBack struct {
	mu   sync.Mutex
	list []journal.Recovered
}

// takenBackKey is the key of a context's *TakenBack.
type takenBackKey struct{}

// Watching returns a context of a request, and what is taken back by its changes.
func Watching(ctx context.Context) (context.Context, *TakenBack) {
	t := &TakenBack{}
	return context.WithValue(ctx, takenBackKey{}, t), t
}

func (t *TakenBack) add(r journal.Recovered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, r)
}

// journalFor returns the journal for the changes of who asks in the context of a request.
func (h *History) journalFor(ctx context.Context, a journal.Asker) *journal.Journal {
	j := h.kept().For(a)
	if t, ok := ctx.Value(takenBackKey{}).(*TakenBack); ok {
		j = j.Telling(t.add)
	}
	return j
}

// MaxTakenBack is the largest number of characters of TakenBack.Text.
const MaxTakenBack = 600

// MayTakeBack reports whether the next change may take back something.
func (h *History) MayTakeBack() bool {
	if h == nil {
		return false
	}
	some, _ := h.journal.Unfinished(nil)
	return some
}

// Text tells a client, in at most MaxTakenBack characters, of the files below the roots that were
// taken back or left as they are; "" if there are none.
func (t *TakenBack) Text(w *documents.Workspace) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var told []string
	for i := range t.list {
		if text := tellTakenBack(w, &t.list[i]); text != "" {
			told = append(told, text)
		}
	}
	return replies.Clip(strings.Join(told, "\n"), MaxTakenBack)
}

// tellTakenBack is Text for one change.
func tellTakenBack(w *documents.Workspace, r *journal.Recovered) string {
	s := scope{workspace: w}
	names := map[string]string{} // of files that the client may see, by their paths
	for i := range r.Record.Entries {
		if name, ok := s.nameOf(&r.Record.Entries[i]); ok {
			names[r.Record.Entries[i].Path] = name
		}
	}
	seen := func(paths []string) (list []string) {
		for _, path := range paths {
			if name, ok := names[path]; ok {
				list = append(list, name)
			}
		}
		return list
	}
	back, left := seen(r.Back), seen(r.Left)
	kept := r.Kept.Named(s.name)
	if len(back)+len(left) == 0 && kept.None() {
		return ""
	}
	text := fmt.Sprintf("taken back first: a change of %s that was interrupted at %s", replies.Plural(len(r.Record.Entries), "file"), r.Record.Time.Format(time.RFC3339))
	if len(back) > 0 {
		text += "; these are again what they were before it: " + firstNames(back, maxFiles)
	}
	if r.Rest != nil {
		text += "; the rest of it can't be yet"
	}
	if len(left) > 0 {
		text += "; left as they are, for another program has changed them since or they can't be put back: " + firstNames(left, maxFiles)
	}
	if !kept.None() {
		text += "; " + replies.Safe(kept.String())
	}
	return text
}
