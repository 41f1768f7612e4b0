package main

import (
	"fmt"
	"strings"
)

// What a file must be after the edits that were tried: each acknowledged one is in it
// once, in its section; each refused one isn't; one without an answer is in it once or
// not at all, and whole. Without them the file is what it was, byte for byte.

// verdict is what a check has found.
type verdict struct {
	wrong []string
	late  int // edits without an answer that were made
}

// check looks at a file after the tries, which are in the order in which each writer
// made them.
func check(d *document, tries []*try, final string) verdict {
	var v verdict
	text := v.states(d, tries, final)
	places := d.places(text)
	for i, at := range places {
		if at < 0 {
			v.fail("%s: the line %q is not in its place", d.Name, d.Marks[i])
		}
	}
	if len(v.wrong) > 0 {
		return v
	}
	for _, t := range tries {
		if t.State != "" {
			continue
		}
		made := v.pieces(d, t, text, places)
		if made && t.Known == unanswered {
			v.late++
		}
	}
	// What is whole is taken out; what is left must be the document.
	for _, t := range tries {
		for _, p := range t.Pieces {
			text = strings.Replace(text, p.Bytes, "", 1)
		}
	}
	if text != d.Text && len(v.wrong) == 0 {
		v.fail("%s: %s", d.Name, difference(d.Text, text))
	}
	return v
}

// fail notes what is wrong.
func (v *verdict) fail(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// pieces looks for the pieces of an edit, and reports whether it was made.
func (v *verdict) pieces(d *document, t *try, text string, places []int) (made bool) {
	found := 0
	for _, p := range t.Pieces {
		at := strings.Index(text, p.Bytes)
		if at < 0 {
			continue
		}
		found++
		if strings.Contains(text[at+len(p.Bytes):], p.Bytes) {
			v.fail("%s: %s is there twice", d.Name, t.Token)
		}
		// The place of its token, for a piece begins with the end of a line.
		if got := markAt(places, at+strings.Index(p.Bytes, t.Token)); got != p.Mark {
			v.fail("%s: %s is below %q instead of %q", d.Name, t.Token, d.Marks[max(got, 0)], d.Marks[p.Mark])
		}
	}
	switch {
	case found > 0 && found < len(t.Pieces):
		v.fail("%s: %d of %d pieces of %s are there (%s)", d.Name, found, len(t.Pieces), t.Token, t.Known)
	case found == 0 && t.Known == acknowledged:
		v.fail("%s: %s was acknowledged and is not there", d.Name, t.Token)
	case found > 0 && t.Known == refused:
		v.fail("%s: %s was refused (%s) and is there", d.Name, t.Token, t.Code)
	}
	return found > 0
}

// states checks the sections that writers have for themselves, and returns the text with
// those as they were at first. What is there is the last state that was acknowledged, or
// one without an answer after it.
func (v *verdict) states(d *document, tries []*try, text string) string {
	for writer, s := range d.Own {
		may := []string{noState}
		for _, t := range tries {
			if t.Writer != writer || t.State == "" {
				continue
			}
			switch t.Known {
			case acknowledged:
				may = []string{t.State}
			case unanswered:
				may = append(may, t.State)
			case refused:
			}
		}
		begin := s.Heading + s.EOL + s.EOL
		before, rest, found := strings.Cut(text, begin)
		if !found {
			v.fail("%s: the heading %q is not there", d.Name, s.Heading)
			return text
		}
		body, after, _ := strings.Cut(rest, s.EOL)
		known := false
		for i, state := range may {
			known = known || state == body
			if state == body && state != noState && i > 0 {
				v.late++
			}
		}
		if !known {
			v.fail("%s: below %q there is %.60q instead of %.60q or one of %d more", d.Name, s.Heading, body, may[0], len(may)-1)
		}
		text = before + begin + noState + s.EOL + after
	}
	return text
}

// difference says where two texts begin to differ.
func difference(want, got string) string {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	from := max(0, at-20)
	return fmt.Sprintf("byte %d without the edits is %.60q instead of %.60q", at, got[from:], want[from:])
}
