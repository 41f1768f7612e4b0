package edit

import "fmt"

// The levels of the headings in a text have to fit the place that it is put in, or the
// sections around would come to stand elsewhere.

// fits checks the headings of the text: none of them may be of a level above high;
// and it begins with one that is no deeper than low, if it must.
func (op *Op) fits(c *content, high, low uint8, heading bool) *Error {
	if op.AllowRestructure {
		return nil
	}
	level := c.level()
	switch {
	case heading && level == 0:
		return &Error{Code: HeadingRequired, Message: fmt.Sprintf(
			"%s puts in a section, which begins with a heading; let the text begin with one of level %d (%s), or use %s or %s for text",
			op.Action, high, marks(high), Append, Prepend)}
	case heading && level > low:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text begins with a heading of level %d, which is too deep for this place; let it begin with %s",
			level, levels(high, low))}
	case heading && c.highest() < high:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text has a heading of level %d, below which the sections behind it would come to stand; let its headings be %s or deeper",
			c.highest(), marks(high))}
	case c.highest() < high:
		return &Error{Code: LevelMismatch, Message: fmt.Sprintf(
			"the text has a heading of level %d, which would end the section that it belongs to; %s",
			c.highest(), op.deepest(c.highest(), high))}
	}
	return nil
}

// deepest says which headings a text may have.
func (op *Op) deepest(highest, high uint8) string {
	if high > 6 {
		return "a section of level 6 has no subsections: use bold text"
	}
	if op.Action == Replace && op.Scope != ScopeBody && highest == high-1 {
		return fmt.Sprintf("headings may be %s or deeper; to split the section, let the text begin with the section's own heading; for another section use %s", marks(high), InsertAfter)
	}
	return fmt.Sprintf("headings may be %s or deeper, or use %s for a section of its own", marks(high), InsertAfter)
}

// levels names what a heading of one of the levels begins with.
func levels(high, low uint8) string {
	if high == low {
		return marks(high)
	}
	return marks(high) + " to " + marks(low)
}

// marks returns what a heading of the level begins with.
func marks(level uint8) string { return "######"[:min(level, 6)] }
