package editing

import (
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
)

// An edit that comes too late is told with the part as it is now. Of a list many may come
// too late: what they quote shares the room of one reply, and those for which there is too
// little are named, so that their parts can be read.

const (
	maxRefusal   = 2_000 // characters of an error without what it quotes
	leastTold    = 600   // of that of one edit
	leastQuote   = 600   // characters of a part from which on it is worth quoting
	quoteRetries = 3     // how often a part is made shorter that takes more than its room
)

// quoting is what a reply quotes of the document.
type quoting struct {
	e        *editing
	limited  bool
	room     int                             // characters that are left
	parts    int                             // parts that share them
	known    map[address.Node]*replies.Quote // nil for one that there was no room for
	unquoted []string                        // the edits whose parts are not quoted
}

// newQuoting shares the room of a reply among the conflicts, and draws its mark.
func (e *editing) newQuoting(errs edit.Errors) *quoting {
	if e.mark == "" {
		e.mark = e.docs.Marks.Draw(e.before.Source, []byte(e.path))
	}
	q := &quoting{e: e, known: map[address.Node]*replies.Quote{}}
	if e.options.MaxChars == 0 {
		return q
	}
	parts := map[address.Node]bool{}
	for _, err := range errs {
		if err.Code == edit.Conflict && err.Current != nil {
			parts[err.Current.Node] = true
		}
	}
	told := maxRefusal
	if !e.batch {
		told = min(maxRefusal, leastTold+replies.Chars([]byte(errs[0].Message))+replies.MaxDetails*min(len(errs[0].Changed), 1))
	}
	q.limited, q.room = true, max(e.options.MaxChars-told-len(e.mark.Top()), replies.MinChars)
	if q.parts = len(parts); q.parts*leastQuote > q.room {
		q.room -= replies.MaxUnquoted + leastQuote/2 // for the line that names the others
		q.parts = max(q.room/leastQuote, 1)
	}
	return q
}

// quotes returns the part that a conflict is about, or nothing and notes it as one that is
// not quoted.
func (q *quoting) quotes(err *edit.Error) []replies.Quote {
	node := err.Current.Node
	quote, found := q.known[node]
	if !found {
		quote = q.fit(err.Current)
		q.known[node] = quote
	}
	if quote == nil {
		q.unquoted = append(q.unquoted, fmt.Sprintf("%s %s", replies.EditName(q.e.items[err.Op]), replies.Clip(replies.Safe(err.Address), replies.MaxShown)))
		return nil
	}
	return []replies.Quote{*quote}
}

// fit returns a part in its share of the room, nil if there is too little. What is quoted
// whole has been shown to whoever asked.
func (q *quoting) fit(res *address.Resolution) *replies.Quote {
	if q.limited && q.parts == 0 {
		return nil
	}
	share, room := 0, 0
	if q.limited {
		share = q.room / q.parts
		head := reading.QuoteOf(q.e.before, res, 1, q.e.mark)
		room = max(share-replies.Chars(head.Render(q.e.mark)), leastQuote/4)
	}
	quote := reading.QuoteOf(q.e.before, res, room, q.e.mark)
	size := replies.Chars(quote.Render(q.e.mark))
	for range quoteRetries {
		if over := size - share; over > 0 && q.limited && room > over {
			room -= over
			quote = reading.QuoteOf(q.e.before, res, room, q.e.mark)
			size = replies.Chars(quote.Render(q.e.mark))
		}
	}
	if q.limited {
		if q.e.batch && (size > q.room || !quote.Shown) {
			return nil
		}
		q.room -= size
		q.parts--
	}
	if quote.Whole {
		q.e.docs.Coverage(q.e.path).Deliver(q.e.before, res.Span(q.e.before))
	}
	return &quote
}
