package markdown

import (
	"bytes"
	"hash/maphash"

	"github.com/sectile/sectile/internal/syntax"
)

// A document may have millions of definitions, and a map of their labels takes many
// times the memory of the source. So what is kept of a definition is its block, in a
// table that is open to all places; its label is read again where it is compared.

// labelSet is a set of the labels of definitions.
type labelSet struct {
	doc   *Document
	seed  maphash.Seed
	slots []int32 // the number of a block and 1, or 0; a power of two of them
	tags  []uint8 // of the labels in the slots, a part of their hashes: few others have the same
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
	s.slots, s.tags = make([]int32, size), make([]uint8, size)
	var label, other []byte
	for i := range d.Blocks {
		if d.Blocks[i].Kind != kind {
			continue
		}
		label = syntax.AppendLabel(label[:0], d.Label(i))
		slot, tag, there := s.place(label, &other)
		if !there {
			s.slots[slot], s.tags[slot] = int32(i)+1, tag
		}
	}
	return s
}

// find returns the block that defines the label first, or -1. It normalizes labels in
// the memory.
func (s *labelSet) find(label []byte, memory, other *[]byte) int {
	if len(s.slots) == 0 {
		return -1
	}
	*memory = syntax.AppendLabel((*memory)[:0], label)
	slot, _, there := s.place(*memory, other)
	if !there || len(*memory) == 0 {
		return -1
	}
	return int(s.slots[slot]) - 1
}

// place returns the slot of the normalized label, or the one that it would have, and its
// tag. It reads other labels into the memory.
func (s *labelSet) place(label []byte, memory *[]byte) (slot int, tag uint8, there bool) {
	mask := len(s.slots) - 1
	hash := maphash.Bytes(s.seed, label)
	tag = uint8(hash >> 56)
	for slot = int(hash) & mask; s.slots[slot] != 0; slot = (slot + 1) & mask {
		if s.tags[slot] != tag {
			continue
		}
		*memory = syntax.AppendLabel((*memory)[:0], s.doc.Label(int(s.slots[slot])-1))
		if bytes.Equal(*memory, label) {
			return slot, tag, true
		}
	}
	return slot, tag, false
}

// linkDefinitions returns the labels of the document's link definitions.
func (d *Document) linkDefinitions() *labelSet {
	d.findDefinitions()
	return d.lazy.links
}

// footnotes returns the labels of the document's footnotes.
func (d *Document) footnotes() *labelSet {
	d.findDefinitions()
	return d.lazy.footnotes
}

// findDefinitions collects the labels of definitions when inline content first needs
// them.
func (d *Document) findDefinitions() {
	if d.abridged != nil {
		all := d.abridged.definitions
		all.findDefinitions()
		d.lazy.referenceOnce.Do(func() { d.lazy.links, d.lazy.footnotes = all.lazy.links, all.lazy.footnotes })
		return
	}
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
