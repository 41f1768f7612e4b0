package editing

import (
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
)

// What a change of several documents comes to is compared with what was expected.

// places counts the places of all edits.
func (m *many) places() int {
	n := 0
	for i := range m.edits {
		n += m.edits[i].places
	}
	return n
}

// check compares what the edits come to with what was expected.
func (m *many) check() error {
	n := m.places()
	switch {
	case m.version != "" && !m.isVersion():
		return &replies.Error{Code: string(edit.Conflict), Message: replies.Say(
			"the documents have version %s together, not %s: one of them has changed since the preview, or there are others; ask for the preview again", m.now, replies.Clip(m.version, replies.MaxShown))}
	case n == 0:
		return m.nothing()
	case m.count > 0 && m.count != n:
		return m.miscounted(n, m.count)
	}
	for i := range m.edits {
		if one := &m.edits[i]; one.count > 0 && one.count != one.places {
			err := m.miscounted(one.places, one.count)
			if !m.batch {
				return err
			}
			return batchError("", []replies.EditFailure{{Index: i, Error: err}}, len(m.edits))
		}
	}
	return nil
}

// isVersion reports whether the documents have the version that was sent; of one alone its own
// counts too.
func (m *many) isVersion() bool {
	sent := strings.ToLower(m.version)
	if len(sent) < leastVersion {
		return false
	}
	return strings.HasPrefix(m.now, sent) || len(m.all) == 1 && strings.HasPrefix(m.all[0].version, sent)
}

// miscounted is the error for another number of places than was expected, with the documents
// that have them.
func (m *many) miscounted(places, expected int) *replies.Error {
	var lines []string
	for _, d := range m.all {
		if d.e != nil {
			lines = append(lines, d.line1())
		}
	}
	return &replies.Error{
		Code: string(edit.Conflict), Details: replies.Limited(lines, len(lines)),
		Message: replies.Say("it comes to %s in %s, not %d; look at them, and send the number that is right", replies.Plural(places, "place"), replies.Plural(len(m.changing()), "document"), expected),
	}
}

// nothing is the error for edits that have nothing to do in any document.
func (m *many) nothing() error {
	all := replies.Plural(len(m.all), "document")
	failed := &replies.Error{Code: string(edit.TextNotFound), Message: replies.Say("of %s none has what is to be changed", all)}
	if m.missed != nil {
		failed.Code, failed.Details, failed.Theirs, failed.Mark = m.missed.Code, m.missed.Details, m.missed.Theirs, m.missed.Mark
	}
	if m.present {
		failed.Code = string(edit.NoChange)
		failed.Message = replies.Say("of %s none has to be changed, for what is to be put in is there already", all)
	}
	switch {
	case m.missed != nil && m.present:
		failed.Message = failed.Message.Then(", or has no place; %s: %s", m.missed.Path, m.missed.Message)
	case m.missed != nil:
		failed.Message = failed.Message.Then("; %s: %s", m.missed.Path, m.missed.Message)
	}
	return failed
}
