package blockcheck

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// A text that is put within a block of a quote or list may end these: its lines lack the marks or blanks that
// the lines around begin with. What stands behind it, the rest of that block, would then be outside, though no
// other block is.

// inner is a splice without the beginning that its text has in common with the old one.
type inner struct {
	start, end int // in the old document
	shift      int // of what stands behind it
}

// inners returns the splices so.
func (c *blockCheck) inners() []inner {
	list := make([]inner, len(c.splices))
	shift := 0
	for i, s := range c.splices {
		before, _ := alike(c.old.Source[s.Start:s.End], s.Text)
		shift += len(s.Text) - s.Len()
		list[i] = inner{s.Start + before, s.End, shift}
	}
	return list
}

// checkEnds checks that quotes and lists in which splices put something end behind what stood behind that.
func (c *blockCheck) checkEnds() {
	list := c.inners()
	for i := int32(0); int(i) < len(c.old.Blocks); i++ {
		b := &c.old.Blocks[i]
		if b.Kind != markdown.BlockQuote && b.Kind != markdown.List && b.Kind != markdown.FootnoteDefinition {
			continue
		}
		first := sort.Search(len(list), func(k int) bool { return list[k].end > int(b.Start) })
		behind := sort.Search(len(list), func(k int) bool { return list[k].start >= int(b.End) })
		end := int(b.Start) + len(bytes.TrimRight(c.old.Source[b.Start:b.End], "> \t\r\n"))
		if first >= behind || list[first].start <= int(b.Start) || list[behind-1].end >= end {
			continue
		}
		shift := 0
		if first > 0 {
			shift = list[first-1].shift
		}
		start := int(b.Start) + shift
		from := sort.Search(len(c.new.Blocks), func(k int) bool { return int(c.new.Blocks[k].Start) >= start })
		now := c.at(int32(from), start, b.Kind) //nolint:gosec // there are not as many blocks
		if now < 0 || int(c.new.Blocks[now].End) >= end+list[behind-1].shift {
			continue
		}
		c.report(i, func() (Fate, string) {
			return Ended, fmt.Sprintf("%s on line %d", c.say("would end", "ends"), c.new.Blocks[now].Lines().Last)
		})
		i = b.Next - 1
	}
}
