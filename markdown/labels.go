package markdown

import "github.com/sectile/sectile/internal/syntax"

// What definitions there are is found when inline content first needs them.

// linkDefinitions returns the labels of the document's link definitions.
func (d *Document) linkDefinitions() *syntax.LabelSet {
	d.findDefinitions()
	return d.lazy.links
}

// footnotes returns the labels of the document's footnotes.
func (d *Document) footnotes() *syntax.LabelSet {
	d.findDefinitions()
	return d.lazy.footnotes
}

// findDefinitions collects the labels of definitions.
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
		d.lazy.links = d.labelsOf(LinkDefinition, links)
		d.lazy.footnotes = d.labelsOf(FootnoteDefinition, footnotes)
	})
}

// labelsOf returns the labels of the blocks of a kind, of which there are so many.
func (d *Document) labelsOf(kind Kind, count int) *syntax.LabelSet {
	s := syntax.NewLabelSet(count, d.Label)
	var memory syntax.LabelMemory
	for i := 0; count > 0; i++ {
		if d.Blocks[i].Kind == kind {
			s.Add(i, &memory)
			count--
		}
	}
	return s
}
