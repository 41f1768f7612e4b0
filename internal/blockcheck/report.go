package blockcheck

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What became of blocks, in words.

// report notes what would become of block i.
func (c *blockCheck) report(i int32, what func() (Fate, string)) {
	if c.Total++; len(c.Changed) >= MaxListed {
		return
	}
	fate, told := what()
	if c.Changed = append(c.Changed, Describe(c.old, i)+" "+told); c.Total == 1 {
		c.First = fate
	}
}

// whatBecame says what has become of block i, which should begin at the offset, and
// of which block j may be left.
func (c *blockCheck) whatBecame(i int32, start int, j int32) (Fate, string) {
	if j >= 0 {
		return Elsewhere, c.say("would go on", "goes on") + " differently, as " + Describe(c.new, j)
	}
	in := int32(-1)
	for b := int32(0); int(b) < len(c.new.Blocks) && int(c.new.Blocks[b].Start) <= start; b++ {
		if start < int(c.new.Blocks[b].End) {
			in = b
		}
	}
	if in < 0 {
		return Elsewhere, c.say("would be", "is") + " gone"
	}
	if block := &c.new.Blocks[in]; int(block.Start) == start && block.Kind != c.old.Blocks[i].Kind {
		return Elsewhere, c.say("would become", "became") + " " + Describe(c.new, in)
	}
	return Swallowed, c.say("would become", "became") + " part of " + Describe(c.new, in)
}

// say says what would be, or what is.
func (c *blockCheck) say(would, is string) string {
	if c.Done {
		return is
	}
	return would
}

// Describe names a block by its kind and its lines, in the document that it is in.
func Describe(doc *markdown.Document, i int32) string {
	if i < 0 {
		return "no container"
	}
	return fmt.Sprintf("the %s on %s", strings.ReplaceAll(doc.Blocks[i].Kind.String(), "_", " "), textlines.Named(doc.Blocks[i].Lines()))
}

// describeSection names a section of the new document.
func (c *blockCheck) describeSection(i int32) string {
	if i < 0 {
		return "no section"
	}
	return "the section that begins on line " + fmt.Sprint(c.new.SectionLines(int(i)).First)
}
