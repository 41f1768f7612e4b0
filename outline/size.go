package outline

import (
	"strconv"
	"unicode/utf8"
)

// Replies have a limited length, and an outline that is too long is shortened by
// what it is made of: a tree by levels, a list by sections. How much stays is
// found from the lengths of the parts, so that nothing is rendered to be thrown
// away.

// Sizes returns how many characters (code points) a rendering of the tree has if
// it is cut with UpTo: of the tree up to level n at index n. It counts JSON as
// AppendJSON writes it, and ASCII as AppendASCII does, but as the string in JSON
// that a reply holds it in, quotes and escapes included.
func (t *Tree) Sizes(f Format, fileName string) [7]int {
	var (
		sizes       [7]int
		text, title []byte
	)
	if f == ASCII {
		text = append(AppendSafe(nil, fileName), "\n\n"...)
		sizes[0] = stringSize(text) + len(`""`)
		for n := range t.nodes() {
			text = t.appendLine(text[:0], &n, Style{})
			sizes[n.Level] += stringSize(text)
		}
	} else {
		const closing = len("]}")
		sizes[0] = utf8.RuneCount(t.appendRoot(nil, fileName)) + closing
		for n := range t.nodes() {
			text, title = t.appendOpen(text[:0], title, &n.Entry)
			sizes[n.Level] += utf8.RuneCount(text) + closing
			// A comma stands between children. In a parent, levels never grow
			// deeper from one child to the next, so the last child is there at
			// every level at which any is, and can stand for the missing comma.
			if !n.Last {
				sizes[n.Level] += len(",")
			}
		}
	}
	for level := range 6 {
		sizes[level+1] += sizes[level]
	}
	return sizes
}

// stringSize counts the characters of safe text, or of line endings, in a JSON
// string.
func stringSize(text []byte) int {
	n := utf8.RuneCount(text)
	for _, c := range text {
		if c == '"' || c == '\\' || c == '\n' {
			n++
		}
	}
	return n
}

// Fit shortens the page so that its JSON has at most so many characters (code
// points), and sets NextCursor to where the rest begins. One section stays
// whatever its length; if it is too long then, its name is cut, with "…" at its
// end, and Fit reports true. A page may still be too long if even a section
// without a name is.
func (p *Page) Fit(limit int) (cut bool) {
	before := p.Count - len(p.Sections) // sections before this page
	if n, err := strconv.Atoi(p.NextCursor); err == nil {
		before = n - len(p.Sections)
	}
	var text, frame []byte
	// around is the length of what stands around the first n sections.
	around := func(n int) int {
		rest := Page{Count: p.Count}
		if before+n < p.Count {
			rest.NextCursor = strconv.Itoa(before + n)
		}
		frame = rest.AppendJSON(frame[:0])
		return len(frame)
	}
	size, fits := 0, 0
	for n := range p.Sections {
		if text = appendEntry(text[:0], &p.Sections[n]); n > 0 {
			text = append(text, ',')
		}
		if size += utf8.RuneCount(text); size > limit {
			break
		}
		if size+around(n+1) <= limit {
			fits = n + 1
		}
	}
	if len(p.Sections) == 0 || fits == len(p.Sections) {
		return false
	}
	p.Sections = p.Sections[:max(fits, 1)]
	p.NextCursor = ""
	if next := before + len(p.Sections); next < p.Count {
		p.NextCursor = strconv.Itoa(next)
	}
	if fits == 0 {
		p.cutName(limit)
	}
	return fits == 0
}

// cutName cuts the name of the page's one section so that the page fits.
func (p *Page) cutName(limit int) {
	e := &p.Sections[0]
	name := e.Name
	e.Name = "…"
	room := limit - utf8.RuneCount(p.AppendJSON(nil))
	end := 0
	var text []byte
	for end < len(name) {
		_, size := utf8.DecodeRuneInString(name[end:])
		text = appendString(text[:0], name[end:end+size])
		if room -= utf8.RuneCount(text) - len(`""`); room < 0 {
			break
		}
		end += size
	}
	e.Name = name[:end] + "…"
}
