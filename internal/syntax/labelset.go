package syntax

import (
	"bytes"
	"hash/maphash"
)

// A document may have millions of definitions, and a map of their labels takes many
// times the memory of the source. So what is kept of a definition is its number, in a
// table that is open to all places; its label is read again where it is compared.

// LabelSet is a set of the labels of definitions, in the form in which they are compared. It is
// safe for concurrent use once all are added.
type LabelSet struct {
	label func(n int) []byte // of a definition, by its number
	seed  maphash.Seed
	slots []int32 // the number of a definition and 1, or 0; a power of two of them
	tags  []uint8 // of the labels in the slots, a part of their hashes: few others have the same
}

// LabelMemory is memory to compare labels in.
type LabelMemory struct{ one, other []byte }

// NewLabelSet returns a set with room for so many definitions, whose labels are read by their
// numbers.
func NewLabelSet(count int, label func(n int) []byte) *LabelSet {
	s := &LabelSet{label: label, seed: maphash.MakeSeed()}
	if count == 0 {
		return s
	}
	size := 4
	for size*2 < count*3 {
		size *= 2
	}
	s.slots, s.tags = make([]int32, size), make([]uint8, size)
	return s
}

// IsEmpty reports whether the set has no room for any definition.
func (s *LabelSet) IsEmpty() bool { return len(s.slots) == 0 }

// Add adds a definition, unless there is one with its label.
func (s *LabelSet) Add(n int, memory *LabelMemory) {
	memory.one = AppendLabel(memory.one[:0], s.label(n))
	if slot, tag, there := s.place(memory); !there {
		s.slots[slot], s.tags[slot] = int32(n)+1, tag
	}
}

// Find returns the number of the definition that was the first to have the label, or -1.
func (s *LabelSet) Find(label []byte, memory *LabelMemory) int {
	if s.IsEmpty() {
		return -1
	}
	memory.one = AppendLabel(memory.one[:0], label)
	slot, _, there := s.place(memory)
	if !there || len(memory.one) == 0 {
		return -1
	}
	return int(s.slots[slot]) - 1
}

// place returns the slot of the label in the memory, or the one that it would have, and its tag.
func (s *LabelSet) place(memory *LabelMemory) (slot int, tag uint8, there bool) {
	mask := len(s.slots) - 1
	hash := maphash.Bytes(s.seed, memory.one)
	tag = uint8(hash >> 56)
	for slot = int(hash) & mask; s.slots[slot] != 0; slot = (slot + 1) & mask {
		if s.tags[slot] != tag {
			continue
		}
		memory.other = AppendLabel(memory.other[:0], s.label(int(s.slots[slot])-1))
		if bytes.Equal(memory.other, memory.one) {
			return slot, tag, true
		}
	}
	return slot, tag, false
}
