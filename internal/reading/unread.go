package reading

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/session"
	"github.com/sectile/sectile/markdown"
)

// A reply says what of its document the reader has not seen yet, itself counted as
// seen. It is known only when the reply is made, and takes room in it. So room is
// kept for as long as that can be; and if that is what something was left out for,
// the reply is made again without.

const (
	// maxUnread is the number of characters of what a reply says of unread
	// sections, and maxUnreadJSON the same in JSON.
	maxUnread     = 300
	maxUnreadJSON = 600
	// enoughForNames is the limit of a reply from which on they are named.
	enoughForNames = 2_000
	// maxUnreadTitle is the number of characters of a title.
	maxUnreadTitle = 40
)

// respond answers the request, notes what is delivered, and says what is unread
// then.
func (r *reading) respond() (*ReadReply, error) {
	also := *r
	reply, err := r.withUnread()
	if err != nil {
		return nil, err
	}
	delivered := reply.spans
	if r.req.Structured && !r.req.JSON {
		also.req.JSON = true
		if structured, err := also.withUnread(); err == nil {
			reply.Structured = structured.Text
			// A client shows one of the two.
			delivered = overlaps(delivered, structured.spans)
		}
	}
	r.req.coverage.Deliver(r.doc, delivered...)
	return reply, nil
}

// overlaps returns what is in both.
func overlaps(a, b []markdown.Span) []markdown.Span {
	var both []markdown.Span
	for _, x := range a {
		for _, y := range b {
			if o := (markdown.Span{Start: max(x.Start, y.Start), End: min(x.End, y.End)}); o.Len() > 0 {
				both = append(both, o)
			}
		}
	}
	return both
}

// withUnread answers the request and says what is unread then.
func (r *reading) withUnread() (*ReadReply, error) {
	if r.req.coverage.Session == nil {
		return r.form()
	}
	limit := r.limit
	short := limit > 0 && limit < enoughForNames
	room := 0
	if limit > 0 {
		if room = r.unreadRoom(r.req.coverage.Unread(r.doc, nil), short); room > 0 && !r.req.JSON {
			room += r.spare.Chars()
		}
	}
	tight := *r
	tight.limit -= room
	reply, err := tight.form()
	if err == nil && (room == 0 || !r.nearlyWhole(reply, room)) {
		reply.insert(tight.unread(reply, short || tight.terse))
		return reply, nil
	}
	whole := *r
	all, allErr := whole.form()
	if allErr != nil {
		all = reply // whose error is the same, if there is one
	} else if line := whole.unread(all, short || whole.terse); replies.Chars(all.Text)+replies.Chars(line) <= limit {
		all.insert(line)
		return all, nil
	}
	if err != nil {
		return all, allErr // without a word on it
	}
	reply.insert(tight.unread(reply, short || tight.terse))
	return reply, nil
}

// form answers the request as text or in JSON.
func (r *reading) form() (*ReadReply, error) {
	if r.req.JSON {
		return r.inJSON()
	}
	return r.answer()
}

// nearlyWhole reports whether what a reply leaves out may fit into the room that
// was kept in it.
func (r *reading) nearlyWhole(reply *ReadReply, room int) bool {
	for _, l := range reply.LeftOut {
		span := r.doc.LineSpan(l)
		span.End = min(span.End, span.Start+utf8.UTFMax*(room+maxUnread))
		// What says that it is left out takes room too.
		if room -= replies.Chars(r.doc.Text(span)); room < -maxUnread {
			return false
		}
	}
	return len(reply.LeftOut) > 0
}

// unreadRoom returns the largest number of characters of what a reply may say if
// it delivers something of what is unread, or nothing.
func (r *reading) unreadRoom(before session.Unread, short bool) int {
	most := maxUnread
	switch {
	case r.req.JSON:
		most = maxUnreadJSON
	case !r.req.Map:
		return len(" of  sections unread\n") + 2*replies.Digits(before.All)
	}
	if !short && len(before.Sections) < before.Total { // others may come to be named
		return most
	}
	return min(replies.Chars(r.unreadText(before, short, math.MaxInt)), most)
}

// unread renders what is unread after the reply.
func (r *reading) unread(reply *ReadReply, short bool) []byte {
	u := r.req.coverage.Unread(r.doc, reply.spans)
	if r.req.JSON {
		return r.unreadText(u, short, maxUnreadJSON)
	}
	return r.mark.Lines(r.unreadText(u, short, maxUnread))
}

// unreadText renders what is unread in so many characters: a line of the head, or
// a member of an object; nothing if nothing is. The short form names no sections.
func (r *reading) unreadText(u session.Unread, short bool, most int) []byte {
	if u.Total == 0 || u.Total == u.All && !r.req.JSON { // a map says what there is
		return nil
	}
	if short {
		u.Sections = nil
	}
	if r.req.JSON {
		return unreadJSON(u, most)
	}
	count := fmt.Sprintf("%d of %s unread", u.Total, replies.Plural(u.All, "section"))
	if names := unreadNames(u, most-len(count)-len(": \n")); r.req.Map && names != "" {
		count += ": " + names
	}
	return []byte(count + "\n")
}

// UnreadOf says what is unread in less than maxUnread characters.
func UnreadOf(u session.Unread) string {
	text := replies.Plural(u.Total, "section")
	if names := unreadNames(u, maxUnread-len(text)-len(": ")); names != "" {
		text += ": " + names
	}
	return text
}

// unreadNames names in so many characters the first of the sections that are unread.
func unreadNames(u session.Unread, most int) string {
	more := func(n int) string {
		if n == u.Total {
			return ""
		}
		return fmt.Sprintf("; and %d more", u.Total-n)
	}
	var names []string
	var blocks []replies.Block
	for _, s := range u.Sections {
		name := strings.TrimSuffix(s.Selector+" "+replies.Clip(replies.Safe(s.Title), maxUnreadTitle), " ")
		names = append(names, name)
		blocks = append(blocks, replies.Block{len("; ") + utf8.RuneCountInString(name)})
	}
	shown, _ := replies.Fit(most, blocks, func(n int) int { return len(more(n)) })
	if len(shown) == 0 {
		return ""
	}
	return strings.Join(names[:len(shown)], "; ") + more(len(shown))
}

// unreadJSON renders what is unread in so many characters as the last member of an
// object.
func unreadJSON(u session.Unread, most int) []byte {
	type named struct {
		Selector string `json:"selector"`
		Title    string `json:"title"`
	}
	const key = `,"unread":`
	out := struct {
		Count    int     `json:"count"`
		Sections []named `json:"sections,omitempty"`
	}{Count: u.Total}
	text := replies.JSON(out)
	for _, s := range u.Sections {
		out.Sections = append(out.Sections, named{s.Selector, replies.Clip(replies.Safe(s.Title), maxUnreadTitle)})
		next := replies.JSON(out)
		if replies.Chars(next) > most-len(key) {
			break
		}
		text = next
	}
	return append([]byte(key), text...)
}

// insert puts what is unread in its place: after what is known of the document,
// or in JSON at the end.
func (r *ReadReply) insert(text []byte) {
	at := r.unreadAt
	if at < 0 {
		at = bytes.LastIndexByte(r.Text, '}')
	}
	for i := range r.texts {
		r.texts[i].Start += len(text)
		r.texts[i].End += len(text)
	}
	r.Text = append(r.Text[:at:at], append(text, r.Text[at:]...)...)
}
