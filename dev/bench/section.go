package main

import (
	"bytes"
	"regexp"
	"strings"
)

// section is a part of a document that begins with a heading: what stands below it
// up to the next heading, of whatever level.
type section struct {
	ordinal    int // which heading of the document it has, from 0
	line       int // of the heading, from 1
	level      int
	heading    string // its first line, without indentation or line ending
	text       string // that line without marks
	title      string // the same for a heading of plain words after marks, else empty
	begin      int    // of the heading, in bytes
	start, end int    // of the body, in bytes
	leaf       bool   // no section of a deeper level follows
}

// plainHeading is one that no two tools read in different ways.
const plainHeading = `^#{1,6} ([A-Za-z][A-Za-z0-9 .,-]*[A-Za-z0-9])$`

// headingMarks are what stands around the text of a heading.
const headingMarks = `^#{1,6}[ \t]+|[ \t]+#+$`

// sections returns the sections of a document whose headings are known.
func sections(source []byte, headings []heading) []section {
	plain, marks := regexp.MustCompile(plainHeading), regexp.MustCompile(headingMarks)
	starts := lineStarts(source)
	all := make([]section, len(headings))
	for i, h := range headings {
		s := section{ordinal: i, line: h.start, level: h.level, begin: starts[h.start-1], end: len(source), leaf: true}
		s.heading = strings.TrimSpace(string(source[starts[h.start-1]:starts[h.start]]))
		s.start = starts[h.start]
		s.text = marks.ReplaceAllString(s.heading, "")
		if m := plain.FindStringSubmatch(s.heading); m != nil {
			s.title = m[1]
		} else {
			s.start = starts[h.end] // an underlined heading has more lines
		}
		if i+1 < len(headings) {
			s.end = starts[headings[i+1].start-1]
			s.leaf = headings[i+1].level <= h.level
		}
		all[i] = s
	}
	return all
}

// lineStarts returns where the lines of a source begin, and at last its end.
func lineStarts(source []byte) []int {
	starts := []int{0}
	for i, c := range source {
		if c == '\n' && i+1 < len(source) {
			starts = append(starts, i+1)
		}
	}
	return append(starts, len(source))
}

// unified returns a text with LF as its only line ending: what a caller is shown,
// and sends.
func unified(text []byte) string { return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) }

// lastParagraph is the last lines of a text between which there is no blank one.
func lastParagraph(text string) string {
	text = strings.TrimRight(text, " \t\n")
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		text = text[i+2:]
	}
	return strings.TrimLeft(text, "\n")
}
