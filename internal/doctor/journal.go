package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
)

// checkJournal looks at the user's journal of changes: how much it has, and whether something
// was interrupted and isn't taken back yet.
func checkJournal(ctx context.Context) replies.Check {
	c := replies.Check{Name: "journal", Status: replies.StatusOK}
	dir := undoing.Dir()
	h := undoing.Open(dir, func(string) {}) // nothing is written, so that nothing is taken back
	size, err := h.Size(ctx)
	switch {
	case dir == "":
		c.Status, c.Message = replies.StatusWarning, "there is no place for one, so that no change can be undone"
		c.Advice = "set XDG_STATE_HOME to a folder of yours"
		return c
	case err != nil:
		c.Status, c.Message = replies.StatusWarning, replies.Clip(replies.Safe(replies.AsError(err).Message.String()), replies.MaxMessage)
		c.Advice = "see who may open " + replies.Safe(dir) + "; it must be yours alone (mode 0700)"
		return c
	}
	const mega = 1 << 20
	c.Message = fmt.Sprintf("%s, %.1f MB in %s", replies.Plural(size.Changes, "change"), float64(size.Bytes)/mega, replies.Safe(dir))
	if size.Off {
		c.Message += "; nothing more is written down, for your configuration says journal.days: 0"
	}
	if pending := h.Pending(ctx); len(pending) > 0 {
		c.Status = replies.StatusWarning
		c.Message += "; " + replies.Clip(strings.Join(pending, "; "), replies.MaxMessage)
		c.Advice = "make a change there, or 'sectile undo --dry-run': what was interrupted is taken back first"
	}
	return c
}
