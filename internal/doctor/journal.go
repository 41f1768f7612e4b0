package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
)

// How many changes are named.
const (
	maxDamaged = 5 // that are damaged
	maxTold    = 5 // that were interrupted, of those of which the same is to say
)

// checkJournal looks at the user's journal of changes: how much it has, and what of it is
// damaged. What was interrupted is taken back, unless nothing may be written.
func checkJournal(ctx context.Context, readOnly bool) replies.Check {
	c := replies.Check{Name: "journal", Status: replies.StatusOK}
	dir := undoing.Dir()
	var back []string
	h := undoing.Open(dir, func(sentence string) { back = append(back, sentence) })
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
	var stuck, pending []string
	if readOnly {
		pending = h.Pending(ctx)
	} else {
		stuck, pending, err = h.Recover(ctx)
	}
	if err != nil {
		c.Status = replies.StatusWarning
		c.Message += "; " + replies.Clip(replies.Safe(replies.AsError(err).Message.String()), replies.MaxMessage)
	}
	if len(stuck) > 0 {
		c.Status, c.Advice = replies.StatusWarning, "see that its files can be written: each change tries it again, and those of the same files wait for it"
	}
	c.Message += told(stuck) + told(back) + told(pending)
	if readOnly && len(pending) > 0 {
		c.Message += "; doctor hasn't tried it, for --read-only writes nothing"
	}
	damaged, broken := h.Damaged(ctx)
	switch n := len(damaged); {
	case broken != nil:
		c.Status = replies.StatusWarning
		c.Message += "; " + replies.Clip(replies.Safe(replies.AsError(broken).Message.String()), replies.MaxMessage)
	case n > 0:
		c.Status = replies.StatusWarning
		c.Message += "; can't be undone: " + strings.Join(damaged[:min(n, maxDamaged)], "; ")
		if n > maxDamaged {
			c.Message += fmt.Sprintf(" and %d more", n-maxDamaged)
		}
		if c.Advice == "" {
			c.Advice = "'sectile log --all' lists them; they go when they are old, or all changes with 'sectile log --clear'"
		}
	}
	return c
}

// told returns the sentences about changes of which the same is to say, as many as are told, each
// behind a semicolon.
func told(sentences []string) string {
	var b strings.Builder
	for i, sentence := range sentences {
		if i == maxTold {
			fmt.Fprintf(&b, "; and so with %d more", len(sentences)-i)
			break
		}
		b.WriteString("; " + replies.Clip(sentence, replies.MaxMessage))
	}
	return b.String()
}
