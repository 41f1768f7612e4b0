package comparing

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A reply has as many changes, or documents, as it has room for. A cursor names the next one, and
// what the documents were when the page was made: in others it would name another change.

// reply makes the reply from the cursor on.
func (c *comparing) reply() (*Reply, error) {
	from, err := c.start()
	if err != nil {
		return nil, err
	}
	r := &Reply{Differs: len(c.changes) > 0 || !c.part && len(c.pairs) > 0, Failed: c.failed}
	isOut := false // of room for one change
	if !c.req.JSON {
		var next int
		r.Text, next = c.text(from)
		isOut = next == from && from < len(c.changes)
	}
	if c.req.JSON || c.req.Structured {
		if r.Structured, err = c.json(from); err != nil {
			return nil, replies.ErrorAbout("", err)
		}
	}
	if c.req.JSON {
		r.Text, isOut = r.Structured, r.Structured == nil
	}
	if isOut {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("there is too little room for one change; raise %s", replies.MaxChars)}
	}
	return r, nil
}

// start returns the index of the change that the cursor names.
func (c *comparing) start() (int, error) {
	if c.req.Cursor == "" {
		return 0, nil
	}
	number, _, _ := strings.Cut(c.req.Cursor, ".")
	at, err := strconv.Atoi(number)
	if err != nil || at < 1 || at >= c.all() || c.cursor(at) != c.req.Cursor {
		return 0, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
			"the cursor %q names no change of these documents as they are now; begin again without %s", replies.Clip(c.req.Cursor, replies.MaxShown), replies.Cursor)}
	}
	return at, nil
}

// all returns how many changes, or documents that differ, the pages have together.
func (c *comparing) all() int {
	if c.req.Stat {
		return len(c.pairs)
	}
	return len(c.changes)
}

// cursor returns the cursor for a change.
func (c *comparing) cursor(at int) string {
	states := fmt.Appendf(nil, "%q", c.req.Section)
	for i, p := range c.pairs {
		states = fmt.Appendf(states, "%q %q", c.names[i].old, c.names[i].now)
		for _, doc := range []*markdown.Document{p.Old, p.New} {
			if doc != nil {
				states = fmt.Appendf(states, " %d %s", len(doc.Source), doc.Version())
			}
		}
	}
	h := sha256.Sum256(states)
	return fmt.Sprintf("%d.%s", at, hex.EncodeToString(h[:6]))
}

// text returns the reply in lines, from a change on, and the change that it goes on with.
func (c *comparing) text(from int) (text []byte, next int) {
	var head strings.Builder
	head.WriteString(c.head())
	head.WriteString(c.req.Past.lacks())
	head.WriteString(c.notCompared())
	if c.req.Stat {
		room := c.req.MaxChars - utf8.RuneCountInString(head.String()) - moreRoom
		return []byte(head.String() + c.stat(from, room)), len(c.changes)
	}
	mark := c.markRoom()
	parts := []part{{text: head.String()}}
	room := c.req.MaxChars - parts[0].chars(mark) - moreRoom
	if mark > 0 {
		room -= utf8.RuneCountInString(replies.Mark(strings.Repeat(" ", mark)).Top())
	}
	for next = from; next < len(c.changes); next++ {
		block := c.block(&c.changes[next])
		if c.req.MaxChars > 0 {
			if next == from {
				block = c.cut(block, room, mark)
			}
			n := 0
			for _, p := range block {
				n += p.chars(mark)
			}
			if n > room {
				break
			}
			room -= n
		}
		parts = append(parts, block...)
	}
	if next > from && next < len(c.changes) {
		parts = append(parts, part{text: fmt.Sprintf("%d of %s not shown; go on with %s %s\n", len(c.changes)-next, replies.Plural(len(c.changes), "change"), replies.Cursor, c.cursor(next))})
	}
	return c.joined(parts), next
}

// moreRoom is the number of characters of the line that tells how to go on.
const moreRoom = 100

// notCompared returns a line for each document that isn't compared, as many as a quarter of the
// reply has room for, and how many more there are.
func (c *comparing) notCompared() string {
	var text strings.Builder
	room := c.req.MaxChars / 4
	for i, e := range c.failed {
		line := "not compared: " + replies.Clip(e.Error(), maxTitles) + "\n"
		if room -= utf8.RuneCountInString(line); c.req.MaxChars > 0 && room < 0 {
			fmt.Fprintf(&text, "not compared: %s; compare them alone to see why\n", replies.Plural(len(c.failed)-i, "more document"))
			break
		}
		text.WriteString(line)
	}
	return text.String()
}

// shownState returns what a state is called, as a reply has room for it.
func (c *comparing) shownState(s *state) string {
	shown := replies.Safe(s.shown)
	if c.req.MaxChars > 0 {
		shown = replies.ClipMiddle(shown, max(replies.MaxShown, c.req.MaxChars/8))
	}
	return shown
}

// shownPath returns a path as a reply has room for it.
func (c *comparing) shownPath(path string) string {
	path = replies.Safe(path)
	if c.req.MaxChars > 0 {
		path = replies.ClipMiddle(path, max(replies.MaxShown, c.req.MaxChars/10))
	}
	return path
}

// shownTitles returns titles of a section and those around it as a reply has room for them.
func (c *comparing) shownTitles(titles string) string {
	if c.req.MaxChars > 0 {
		titles = replies.ClipMiddle(titles, max(replies.MaxShown, c.req.MaxChars/10))
	}
	return titles
}

// pathOf returns the path of a document that differs, the old one if it is gone.
func (c *comparing) pathOf(pair int) string { return cmp.Or(c.names[pair].now, c.names[pair].old) }

// stat returns a line for each document that differs, from one on and within so many characters
// where they have a limit.
func (c *comparing) stat(from, room int) string {
	per := c.perDocument()
	var b strings.Builder
	for i := from; i < len(per); i++ {
		line := fmt.Sprintf("%s: %s\n", c.shownPath(c.pathOf(i)), per[i])
		if room -= utf8.RuneCountInString(line); c.req.MaxChars > 0 && room < 0 && i > from {
			fmt.Fprintf(&b, "%d of %s not shown; go on with %s %s\n", len(per)-i, replies.Plural(len(per), "document"), replies.Cursor, c.cursor(i))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// perDocument counts the changes of each document that differs.
func (c *comparing) perDocument() []counts {
	per := make([]counts, len(c.pairs))
	for i := range c.changes {
		change := &c.changes[i]
		place := change.New
		if place == nil {
			place = change.Old
		}
		per[place.Pair].add(change)
	}
	return per
}

// json returns the reply in JSON, from a change or document on; nil if there is too little room
// for one.
func (c *comparing) json(from int) ([]byte, error) {
	a := answer{Old: c.old.shown, New: c.now.shown, sums: c.sum(), Changes: []changed{}, Failed: c.failed}
	for most := c.req.MaxChars / 4; c.req.MaxChars > 0 && len(a.Failed) > 0 && charsInJSON(a.Failed) > most; a.FailedTotal = len(c.failed) {
		a.Failed = a.Failed[:len(a.Failed)/2]
	}
	if p := c.req.Past; p != nil && !p.Forgotten.IsZero() {
		a.Forgotten, a.Oldest = p.Forgotten.UTC(), p.Oldest
	}
	if c.req.Stat {
		a.ByDocument = []documentCounts{}
	}
	per, room := c.perDocument(), c.req.MaxChars-charsInJSON(a)-moreRoom
	for i := from; i < c.all(); i++ {
		before := a
		var one any
		if c.req.Stat {
			document := documentCounts{c.pathOf(i), per[i]}
			one, a.ByDocument = document, append(a.ByDocument, document)
		} else {
			change := c.inJSON(&c.changes[i])
			if i == from && c.req.MaxChars > 0 {
				change.shorten(room)
			}
			one, a.Changes = change, append(a.Changes, change)
		}
		if c.req.MaxChars == 0 {
			continue
		}
		if room -= charsInJSON(one) + len(","); room >= 0 {
			continue
		}
		if i == from {
			return nil, nil
		}
		before.NextCursor = c.cursor(i)
		return replies.AppendJSON(nil, before), nil
	}
	return new(documents.Taken).JSON(c.docs.Work, nil, a)
}

// charsInJSON returns the number of characters of a value in JSON.
func charsInJSON(value any) int { return utf8.RuneCount(replies.JSON(value)) }
