package main

import (
	"fmt"
	"strings"
)

// Documents to edit. Each has sections that everybody writes into and sections that
// belong to a writer, in one of the ways in which files end their lines.

const (
	sharedSections = 4
	writers        = 8
)

// section is a section of a document.
type section struct {
	Heading string // its line in the document
	Address string // what stands for it and for nothing else
	Anchor  string // a text that is once in the document, and in this section
	EOL     string // how its lines end
}

// document is a file as it was before all edits.
type document struct {
	Name   string
	Text   string
	Shared []section // of everybody
	Own    []section // one a writer: its body holds the writer's state alone
	// Marks are the lines that begin a section, and those in a fence that only look so,
	// with their endings, in their order. No edit makes such a line.
	Marks []string
}

// noState is the body of a section that has no state yet.
const noState = "State: none."

// builder writes a document.
type builder struct {
	document

	text  strings.Builder
	count int // anchors
}

// lines writes lines with the ending.
func (b *builder) lines(eol string, lines ...string) {
	for _, line := range lines {
		b.text.WriteString(line + eol)
	}
}

// section writes the heading of a section, and returns it with a new anchor.
func (b *builder) section(eol, heading, address string) section {
	b.Marks = append(b.Marks, heading+eol)
	b.lines(eol, heading, "")
	b.count++
	return section{Heading: heading, Address: address, Anchor: fmt.Sprintf("Anchor %d.", b.count), EOL: eol}
}

// shared writes a section of everybody. The text between its first and its last line is
// what looks like headings and is none.
func (b *builder) shared(eol, heading, address string) {
	s := b.section(eol, heading, address)
	fake := fmt.Sprintf("## Shared %d", b.count)
	b.Marks = append(b.Marks, fake+eol)
	b.lines(eol, s.Anchor, "", "```md", fake, "```", "", "- a list", "  with more", "", "The last line.", "")
	b.Shared = append(b.Shared, s)
}

// newDocument makes a document whose sections end their lines in the ways that are
// given, in turn.
func newDocument(name, start string, finalEOL bool, endings ...string) document {
	b := &builder{}
	b.Name = name
	at := 0
	next := func() string {
		at++
		return endings[at%len(endings)]
	}
	b.text.WriteString(start)
	b.lines(next(), "# Everything", "", "Words before.", "")
	for i := range sharedSections {
		heading := fmt.Sprintf("## Part %d.", i)
		b.shared(next(), heading, heading)
	}
	for i := range writers {
		heading := fmt.Sprintf("## Of writer %d.", i)
		s := b.section(next(), heading, heading)
		b.lines(s.EOL, noState, "")
		b.Own = append(b.Own, s)
	}
	for i := range 2 {
		group := fmt.Sprintf("## Group %d.", i)
		eol := next()
		b.section(eol, group, group)
		b.shared(eol, "### The same", fmt.Sprintf("Group %d. > The same", i))
	}
	eol := next()
	b.shared(eol, "## Last", "## Last")
	b.Text = strings.TrimSuffix(b.text.String(), eol) // without the blank line
	if !finalEOL {
		b.Text = strings.TrimSuffix(b.Text, eol)
	}
	return b.document
}

// newDocuments makes one of each kind.
func newDocuments() []document {
	return []document{
		newDocument("lf.md", "---\ntitle: Lines\n---\n\n", true, "\n"),
		newDocument("crlf.md", "", true, "\r\n"),
		newDocument("mixed.md", "", true, "\r\n", "\n", "\r", "\n"),
		newDocument("open-end.md", "", false, "\n"),
		newDocument("mark.md", "\ufeff", false, "\r\n"),
	}
}
