package outline

// A reply has a limit, and a tree that is longer loses its deepest levels. What fits is
// counted section by section, without rendering the tree again and again.

// Fit returns what of the tree fits into so many characters: up to which level all sections
// do, and how many of the next level beside those; level 6 is the whole tree. It is false if
// not even the tree without sections fits.
//
// The tree is rendered in the format under a file's name. Chars counts the characters that a
// piece of that takes, of which there is one for each section at the least; and note is how
// many characters are needed beside the tree where something is left out, for sections up to
// the level and so many in all.
func (t *Tree) Fit(format Format, fileName string, limit int, chars func(piece []byte) int, note func(level Level, shown int) int) (level Level, some int, ok bool) {
	m := measure{tree: t, format: format, chars: chars}
	size := m.empty(fileName)
	shown := 0
	fits := func() bool { return size+note(level, shown) <= limit }
	if ok = fits(); size > limit {
		return 0, 0, false
	}
	m.begin()
	best := struct {
		level Level
		some  int
	}{}
	for next := Level(1); next <= 6; next++ {
		level = next - 1
		added := 0
		for k, i := range t.kept {
			if Level(t.doc.Sections[i].Level) != next {
				continue
			}
			if size += m.section(k); size > limit {
				return best.level, best.some, ok
			}
			shown++
			added++
			if fits() {
				best.level, best.some, ok = level, added, true
			}
		}
		level = next
		if fits() {
			best.level, best.some, ok = level, 0, true
		}
	}
	return 6, 0, true // all of it, without a note
}

// measure counts the characters of sections in a rendering.
type measure struct {
	tree        *Tree
	format      Format
	chars       func([]byte) int
	depths      []uint8 // by section of the tree
	hasChild    []bool  // by section of the document, and of the document itself at the end
	text, title []byte  // memory
}

// empty returns the number of characters of the tree without sections.
func (m *measure) empty(fileName string) int {
	none := &Tree{doc: m.tree.doc, raw: m.tree.raw, safe: m.tree.safe}
	if m.format == ASCII {
		return m.chars(none.AppendASCII(nil, fileName))
	}
	return m.chars(none.AppendJSON(nil, fileName))
}

// begin prepares for sections.
func (m *measure) begin() {
	m.hasChild = make([]bool, len(m.tree.doc.Sections)+1)
	m.depths = make([]uint8, 0, len(m.tree.kept))
	var depths [7]uint8
	for _, i := range m.tree.kept {
		s := &m.tree.doc.Sections[i]
		depths[s.Level] = 0
		if s.Parent >= 0 {
			depths[s.Level] = depths[m.tree.doc.Sections[s.Parent].Level] + 1
		}
		m.depths = append(m.depths, depths[s.Level])
	}
}

// section returns how many characters more a rendering has with section k of the tree.
func (m *measure) section(k int) int {
	i := int(m.tree.kept[k])
	e := entry(m.tree.doc, i, "")
	if m.format == ASCII {
		n := Node{Entry: e, Depth: int(m.depths[k])}
		m.text = m.tree.appendRow(m.text[:0], &n)
		return m.chars(m.text)
	}
	m.text, m.title = m.tree.appendOpen(m.text[:0], m.title, &e)
	m.text = append(m.text, "]}"...)
	parent := m.tree.doc.Sections[i].Parent
	if parent < 0 {
		parent = int32(len(m.hasChild) - 1)
	}
	if m.hasChild[parent] {
		m.text = append(m.text, ',')
	}
	m.hasChild[parent] = true
	return m.chars(m.text)
}
