package frontmatter

import (
	"regexp"
	"strings"
	"sync"
)

// A date has no form of its own in JSON: it is given as a text without quotes. Where a date
// was, it must be one; where a text was, it stays one; elsewhere TOML has it as a date, while
// YAML has it in quotes, for its readers differ in what they take for a date.

// readDate makes the value a date or a time if it is to be one.
func (c *changer) readDate() *Error {
	if !c.Value.plain || c.Action != Set && c.Action != Append {
		return nil
	}
	was := c.kindBefore()
	date := dateIn(c.value.Text, c.format)
	switch {
	case was == Time && date == nil:
		example := "2024-01-31"
		if strings.Contains(c.value.Text, ":") && c.format == TOML {
			example += "T10:30:00"
		}
		return wrong(Refused, "there is a date or time, and %.80q is none of %s; write one as %s, or a text in double quotes", c.value.Text, c.format, example)
	case date != nil && (was == Time || c.format == TOML && was != String):
		c.value = date
	}
	return nil
}

// kindBefore returns the kind of the value that the new one replaces or follows in its list;
// Null if there is none.
func (c *changer) kindBefore() Kind {
	w := c.walk()
	n, _ := w.last()
	switch {
	case len(w.rest) > 0:
		return Null
	case c.Action == Append && len(n.Items) > 0:
		return n.Items[len(n.Items)-1].Value.Kind
	}
	return n.Kind
}

// isTimestamp is what YAML 1.1 has for dates and times (yaml.org/type/timestamp.html). A reader that
// takes 2024-1-3 for a date too stands beside others that take it for a text.
var isTimestamp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-(?:\d\d-\d\d|\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$`)
})

// isShort matches a time of TOML without seconds, which readers of TOML 1.0 don't take.
var isShort = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d(?:[^:]|$)`)
})

// dateIn returns the date or time that a text is as a value of the format, for every reader of
// it, nil if it is anything else.
func dateIn(s string, f Format) *Node {
	before := "k: "
	if f == TOML {
		before = "k = "
	}
	t, err := read(before+s, f)
	if err != nil || len(t.root.Items) != 1 {
		return nil
	}
	n := t.root.Items[0].Value
	if n.Kind != Time || n.Span != (Span{len(before), len(before) + len(s)}) || f == YAML && !isTimestamp().MatchString(s) || f == TOML && isShort().MatchString(s) {
		return nil
	}
	return &Node{Kind: Time, Text: n.Text}
}
