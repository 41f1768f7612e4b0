package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// What was in the place of a file, and when: a reply is fresh if it is of something that
// was there while its call lasted, and of the file that was asked for.

// state is something in the place of a file.
type state struct {
	// name and version say which text it is; without a name there is none. It is the name
	// of another file where a link leads there.
	name    string
	version int
	// none says that a server, a command or both find nothing there that they may read.
	none bool
}

// outsideName is the name in a state of what links outside lead to. Commands have no
// roots, so they may show it; what a server reads is looked at for the secret.
const outsideName = "outside.md"

// text returns the text of a state that has one.
func (s state) text() string {
	if s.name == outsideName {
		return outsideText
	}
	return version(s.name, s.version)
}

// change is a change of what is there.
type change struct {
	to      state
	gone    bool // there is nothing for a moment
	inPlace bool // the file is empty for a moment, and then there is a part of it
}

// history is the changes of one file.
type history struct {
	mu      sync.Mutex
	changes []change // in their order; the last may be under way
	done    int      // how many of them are complete
}

// newHistory returns the history of a file that isn't there yet.
func newHistory() *history {
	return &history{changes: []change{{to: state{none: true}}}, done: 1}
}

// begin notes that a change begins.
func (h *history) begin(c change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changes = append(h.changes, c)
}

// gap notes that there is nothing for a moment of the change that is under way.
func (h *history) gap() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changes[len(h.changes)-1].gone = true
}

// end notes that the change is complete.
func (h *history) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = len(h.changes)
}

// completed returns how many changes are complete. Whoever reads asks that before.
func (h *history) completed() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.done
}

// since returns what was there from so many complete changes on until now: what the last
// of them put there, and what was begun after it.
func (h *history) since(completed int) states {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := append(states(nil), h.changes[completed-1:]...)
	from[0].gone, from[0].inPlace = false, false // that was before
	return from
}

// states is what may have been there while a call lasted.
type states []change

// none reports whether there may have been nothing to read.
func (s states) none() bool {
	for _, c := range s {
		if c.gone || c.to.none {
			return true
		}
	}
	return false
}

// halfOf returns how much of a version is there while it is written in place.
func halfOf(text string) int { return len(text) / 2 }

// look is what a reply shows of a text.
type look func(text string) string

// whole is all of a text, which a reply shows without the last newline or with it.
func whole(text string) string { return strings.TrimSuffix(text, "\n") }

// headingLine is a line that is a heading, maybe an empty one. The files that change have
// no other ones.
var headingLine = regexp.MustCompile(`(?m)^#{1,6}(?:[ \t]+(.*?))?[ \t]*$`)

// headings are those of a text, a line each, which tell its version.
func headings(text string) string {
	var b strings.Builder
	for _, found := range headingLine.FindAllStringSubmatch(text, -1) {
		b.WriteString(found[1] + "\n")
	}
	return b.String()
}

// What was read.
const (
	aVersion    = "of a whole version"
	halfWritten = "of what was half written"
)

// judge returns what is wrong with what was shown, or else whether it is of a whole
// version.
func (s states) judge(shown string, by look) (kind, wrong string) {
	inPlace := false
	for _, c := range s {
		inPlace = inPlace || c.inPlace
		if c.to.name != "" && shown == by(c.to.text()) {
			return aVersion, ""
		}
	}
	if inPlace && s.isPart(shown, by) {
		return halfWritten, ""
	}
	var may []string
	for _, c := range s {
		if c.to.name != "" {
			may = append(may, fmt.Sprintf("version %d of %s", c.to.version, c.to.name))
		}
	}
	return "", fmt.Sprintf("what is shown, %d bytes that begin with %.60q, is of none of those that were there while it was read: %.300q",
		len(shown), shown, strings.Join(may, ", "))
}

// isPart reports whether what is shown is of what may be there of one of the texts while a
// file is written in place: nothing, half of it, or so many pages, for a system cuts and
// writes page by page.
func (s states) isPart(shown string, by look) bool {
	if shown == "" {
		return true
	}
	for _, c := range s {
		if c.to.name == "" {
			continue
		}
		text := c.to.text()
		if c.inPlace && shown == by(text[:halfOf(text)]) {
			return true
		}
		for end := page; end < len(text); end += page {
			if shown == by(text[:end]) {
				return true
			}
		}
	}
	return s.isMixed(shown, by)
}

// endsOf returns where what is there of a text that is written in place may end: at half of
// it, at each page, and at its end.
func endsOf(text string) []int {
	ends := []int{halfOf(text), len(text)}
	for end := page; end < len(text); end += page {
		ends = append(ends, end)
	}
	return ends
}

// isMixed reports whether what is shown begins as one of the texts and goes on as a later one,
// which was written into the same file while that was read.
func (s states) isMixed(shown string, by look) bool {
	for i, c := range s {
		for _, later := range s[i+1:] {
			if c.to.name == "" || later.to.name == "" || !later.inPlace {
				continue
			}
			first, second := c.to.text(), later.to.text()
			for _, cut := range endsOf(first) {
				for _, end := range endsOf(second) {
					if cut < end && shown == by(first[:cut]+second[cut:end]) {
						return true
					}
				}
			}
		}
	}
	return false
}
