package markdown

import (
	"bytes"
	"hash/maphash"
)

// A document may have millions of definitions, and a map of their labels takes many
// times the memory of the source. So what is kept of a definition is its block, in a
// table that is open to all places; its label is read again where it is compared.

// labelSet is a set of the labels of definitions.
type labelSet struct {
	doc   *Document
	seed  maphash.Seed
	slots []int32 // the number of a block and 1, or 0; a power of two of them
}

// newLabelSet returns the normalized labels of the document's blocks of a kind, of
// which there are so many.
func newLabelSet(d *Document, kind Kind, count int) *labelSet {
	s := &labelSet{doc: d, seed: maphash.MakeSeed()}
	if count == 0 {
		return s
	}
	size := 4
	for size*2 < count*3 {
		size *= 2
	}
	s.slots = make([]int32, size)
	var label, other []byte
	for i := range d.Blocks {
		if d.Blocks[i].Kind != kind {
			continue
		}
		label = appendNormalized(label[:0], d.Label(i))
		slot, there := s.find(label, &other)
		if !there {
			s.slots[slot] = int32(i) + 1
		}
	}
	return s
}

// has reports whether the label is in the set.
func (s *labelSet) has(label []byte) bool {
	if len(s.slots) == 0 {
		return false
	}
	var other []byte
	_, there := s.find(label, &other)
	return there
}

// find returns the place of the label, or the one that it would have. It reads other
// labels into the memory.
func (s *labelSet) find(label []byte, memory *[]byte) (slot int, there bool) {
	mask := len(s.slots) - 1
	for slot = int(maphash.Bytes(s.seed, label)) & mask; s.slots[slot] != 0; slot = (slot + 1) & mask {
		*memory = appendNormalized((*memory)[:0], s.doc.Label(int(s.slots[slot])-1))
		if bytes.Equal(*memory, label) {
			return slot, true
		}
	}
	return slot, false
}

// definesLink reports whether the document defines the normalized label.
func (d *Document) definesLink(label string) bool {
	d.findDefinitions()
	return d.lazy.links.has([]byte(label))
}

// definesFootnote reports whether the document has a footnote of the normalized
// label.
func (d *Document) definesFootnote(label string) bool {
	d.findDefinitions()
	return d.lazy.footnotes.has([]byte(label))
}

// findDefinitions collects the labels of definitions when a title first needs
// them.
func (d *Document) findDefinitions() {
	d.lazy.referenceOnce.Do(func() {
		links, footnotes := 0, 0
		for i := range d.Blocks {
			switch d.Blocks[i].Kind {
			case LinkDefinition:
				links++
			case FootnoteDefinition:
				footnotes++
			}
		}
		d.lazy.links = newLabelSet(d, LinkDefinition, links)
		d.lazy.footnotes = newLabelSet(d, FootnoteDefinition, footnotes)
	})
}

// labelOnLine returns the label of the link definition that begins at start, if it
// ends on its first line, as nearly all do.
func labelOnLine(src []byte, start int) (label []byte, ok bool) {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case ']':
			return src[start+1 : i : i], true
		case '\n', '\r':
			return nil, false
		case '\\':
			if i+1 < len(src) && (src[i+1] == '[' || src[i+1] == ']' || src[i+1] == '\\') {
				i++
			}
		}
	}
	return nil, false
}
