// Package outline shows a Markdown document as a table of contents: a tree or a
// list of its sections, filtered, as values, as JSON or as text.
//
// It starts from what package markdown has parsed:
//
//	doc, err := markdown.Parse(src)
//	…
//	tree := outline.NewTree(doc, outline.TreeOptions{Pattern: "install"})
//	os.Stdout.Write(tree.AppendASCII(nil, "guide.md"))
//
//	guide.md
//
//	└ Guide H1:1:240
//	  │ Installation H2:12:80
//	  └ Uninstalling H2:200:240
//
// # What to use
//
//   - [NewTree] for sections in each other, and of it [Tree.AppendJSON] and
//     [Tree.AppendASCII] for programs, [Tree.AppendStyled] for people (with colours,
//     say), [Tree.Nodes] for a rendering of one's own.
//   - [List] for sections one after another, in pages.
//   - [Tree.UpTo] and [Page.First] for less of them, where a rendering is too long.
//   - [BoundsOf] for where one section begins and ends; package address finds it.
//   - [ParseLevel] and [ParseFormat] for what a user typed.
//
// # What holds for all of them
//
// Lines are 1-based and inclusive. A section reaches to the line before the next
// heading of the same or a higher level, with its subsections and the blank
// lines at its end; the last one to the end of the document.
//
// The name of a section is its heading's plain text, or with Raw the source
// text between the heading's marks: "Use `go`" instead of "Use go".
//
// A pattern is plain text that is looked for anywhere in the plain text of a
// heading (with Raw too), and upper and lower case are the same, by Unicode's
// simple case folding: "STRASSE" doesn't find "Straße", "STRAẞE" does. One
// without anything but white space counts as none. Bytes that are no UTF-8
// count as U+FFFD.
//
// Nothing found is an empty result, never an error, and so is a document
// without headings.
//
// # Names that want to be something else
//
// A heading can hold characters that move a terminal's cursor, turn text around
// or can't be seen. JSON holds them as escapes, so that the value is exact and
// the text of it harmless; the ASCII form has U+FFFD in their place, and so has
// JSON with the option Safe, for readers who are shown the value; a program that
// prints names itself has [AppendSafe].
//
// The functions of this package do no I/O and keep nothing; what they return
// can be used by several goroutines at once.
//
// # Files
//
//   - outline.go: levels; tree.go, list.go, bounds.go: trees, lists, lines; fit.go: what of
//     a tree fits; pattern.go: filters
//   - json.go, ascii.go, safe.go: how they are written
package outline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

// What users type is parsed here, in one place, for the command line and for
// tools: the texts of these errors are part of the contract with them.

// Errors for what a user typed. They are wrapped; use errors.Is.
var (
	// ErrInvalidLevel is returned by ParseLevel.
	ErrInvalidLevel = errors.New("invalid heading level")
	// ErrInvalidFormat is returned by ParseFormat.
	ErrInvalidFormat = errors.New("invalid format")
	// ErrInvalidCursor is returned by List for a cursor that it didn't make.
	ErrInvalidCursor = errors.New("invalid cursor")
)

// Level is the level of a heading, 1 to 6. As a filter, 0 stands for every
// level; in a tree it is the level of the document itself.
type Level int

// String returns "H1" to "H6", or "H0".
func (l Level) String() string {
	l = min(max(l, 0), 6)
	return "H0H1H2H3H4H5H6"[2*l : 2*l+2]
}

// MarshalText returns what String does, so that a level is "H2" in JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// ParseLevel reads "H1" to "H6" or "1" to "6", or "ALL" or nothing, which give 0, in upper
// or lower case. Its error is ErrInvalidLevel.
func ParseLevel(s string) (Level, error) {
	switch {
	case s == "" || strings.EqualFold(s, "ALL"):
		return 0, nil
	case len(s) == 2 && s[0]|0x20 == 'h' && '1' <= s[1] && s[1] <= '6':
		return Level(s[1] - '0'), nil
	case len(s) == 1 && '1' <= s[0] && s[0] <= '6':
		return Level(s[0] - '0'), nil
	}
	return 0, fmt.Errorf("%w: %s (must be H1 to H6, or ALL)", ErrInvalidLevel, quotable(s))
}

// Format is a form that a tree can be rendered in.
type Format string

// The formats.
const (
	JSON  Format = "json"
	ASCII Format = "ascii"
)

// ParseFormat reads "json", "ascii", or nothing, which gives JSON. Its error is
// ErrInvalidFormat.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case "":
		return JSON, nil
	case JSON, ASCII:
		return f, nil
	}
	return "", fmt.Errorf("%w: %s (must be 'json' or 'ascii')", ErrInvalidFormat, quotable(s))
}

// An Entry is a section as outlines show it.
type Entry struct {
	// Section is the index of the section among the document's.
	Section int `json:"-"`
	// Name is the heading's plain text, or its source text if that was asked
	// for. It is as the document has it: see AppendSafe before printing it.
	Name      string `json:"name"`
	StartLine int    `json:"start_line"` // from 1
	EndLine   int    `json:"end_line"`   // included; that of its last subsection
	Level     Level  `json:"level"`
	// More is what else AppendJSON writes of the section: members of its object, with a comma
	// before them.
	More []byte `json:"-"`
}

// entry returns section i. The caller has the name, or computes it: that is what
// costs.
func entry(doc *markdown.Document, i int, name string) Entry {
	lines := doc.SectionLines(i)
	return Entry{Section: i, Name: name, StartLine: lines.First, EndLine: lines.Last, Level: Level(doc.Sections[i].Level)}
}

// sectionName returns the plain text of section i's heading, or its source text.
func sectionName(doc *markdown.Document, i int, raw bool) string {
	if raw {
		return string(doc.Text(doc.Content(int(doc.Sections[i].Heading))))
	}
	return doc.SectionTitle(i)
}

// nameOf is sectionName, made safe if that was asked for.
func nameOf(doc *markdown.Document, i int, raw, safe bool) string {
	name := sectionName(doc, i, raw)
	if safe && !runes.Safe(name) {
		return string(AppendSafe(nil, name))
	}
	return name
}
