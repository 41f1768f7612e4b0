package markdown

import "bytes"

// Titles cost nothing until they are asked for: the parser reads no inline
// content.

// Title returns the plain text of heading b: emphasis, code marks, link targets
// and HTML tags are removed, images stand as their alternative text, escapes and
// entities are resolved, white space is collapsed. It is empty for an empty
// heading and for a block that is no heading.
func (d *Document) Title(b int) string {
	src := bytes.Trim(d.titleSource(b), " \t\n")
	if isPlain(src) {
		return string(src)
	}
	var room [128]byte
	return string(d.AppendTitle(room[:0], b))
}

// AppendTitle appends the Title of heading b to dst, without making a string.
func (d *Document) AppendTitle(dst []byte, b int) []byte {
	// Who comes while another goroutine has the memory makes some of its own.
	r := d.lazy.titles.Swap(nil)
	if r == nil {
		r = &titleReader{refs: references{link: d.definesLink, footnote: d.definesFootnote}}
	}
	dst = r.text.appendText(dst, d.titleSource(b), r.refs)
	d.lazy.titles.Store(r)
	return dst
}

// titleReader is what reading a title needs, kept for the next one.
type titleReader struct {
	text inlineText
	refs references // of the document
}

// titleSource returns the inline content of heading b, without the prefixes of
// its containers; nil for a block that is no heading.
func (d *Document) titleSource(b int) []byte {
	block := &d.Blocks[b]
	switch {
	case block.Kind != Heading:
		return nil
	case block.EndLine-block.StartLine <= 1:
		return d.Text(d.Content(b))
	}
	var text []byte
	for l := range d.ContentLines(b) {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = append(text, d.Text(l.Span)...)
	}
	return text
}

// definesLink reports whether the document defines the normalized label.
func (d *Document) definesLink(label string) bool {
	d.findDefinitions()
	return d.lazy.links[label]
}

// definesFootnote reports whether the document has a footnote of the normalized
// label.
func (d *Document) definesFootnote(label string) bool {
	d.findDefinitions()
	return d.lazy.footnotes[label]
}

// findDefinitions collects the labels of definitions when a title first needs
// them.
func (d *Document) findDefinitions() {
	d.lazy.referenceOnce.Do(func() {
		d.lazy.links, d.lazy.footnotes = map[string]bool{}, map[string]bool{}
		for i := range d.Blocks {
			switch d.Blocks[i].Kind {
			case LinkDefinition:
				d.lazy.links[normalizeLabel(d.Label(i))] = true
			case FootnoteDefinition:
				d.lazy.footnotes[normalizeLabel(d.Label(i))] = true
			}
		}
	})
}
