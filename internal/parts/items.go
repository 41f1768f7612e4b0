package parts

import (
	"encoding/binary"
	"iter"
	"strings"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Items are those of an ordered list that a text is.
type Items struct {
	marker byte
	want   []string // what stands in them
}

// ItemsOf returns the items of an ordered list if a text is that and nothing else, and else nil.
func ItemsOf(text *markdown.Document) *Items {
	if len(text.Blocks) == 0 || text.Blocks[0].Kind != markdown.List || !text.Blocks[0].Ordered() || int(text.Blocks[0].Next) < len(text.Blocks) {
		return nil
	}
	return &Items{text.Blocks[0].Marker, itemTexts(text, 0)}
}

// In reports whether the items follow each other in a list of the document at the top level, with
// any numbers.
func (t *Items) In(doc *markdown.Document, list int) bool {
	there := &doc.Blocks[list]
	if there.Parent >= 0 || there.Kind != markdown.List || there.Marker != t.marker {
		return false
	}
	for range Occurrences(itemTexts(doc, list), t.want) {
		return true
	}
	return false
}

// Occurrences yields where what is wanted begins in a sequence, within other occurrences too, in a
// time that grows with the lengths of both and not with their product. Nothing is nowhere.
func Occurrences[T comparable](in, want []T) iter.Seq[int] {
	return func(yield func(at int) bool) {
		if len(want) == 0 || len(want) > len(in) {
			return
		}
		back := make([]int32, len(want)+1) // by how much is found: how much of that begins what ends with it
		goOn := func(found int32, v T) int32 {
			for found > 0 && (int(found) == len(want) || want[found] != v) {
				found = back[found]
			}
			if want[found] == v {
				found++
			}
			return found
		}
		for i := 1; i < len(want); i++ {
			back[i+1] = goOn(back[i], want[i])
		}
		found := int32(0)
		for i, v := range in {
			if found = goOn(found, v); int(found) == len(want) && !yield(i+1-len(want)) {
				return
			}
		}
	}
}

// itemTexts returns what stands in the items of a list at the top level, without their markers and
// their indentation: the blanks before code are its own. Which blocks that is, with which lines,
// comes behind it, for the same text may be other blocks behind another marker.
func itemTexts(doc *markdown.Document, list int) []string {
	var texts []string
	for item := range doc.Children(list) {
		block := &doc.Blocks[item]
		mark, text, _ := strings.Cut(string(doc.Text(block.Span())), string(block.Marker))
		begin := textlines.Begin(doc.Source, int(block.Start))
		col := textlines.Columns(string(doc.Source[begin:block.Start])+mark, 0) + len(string(block.Marker))
		lines := strings.Split(textlines.WithEnding(text, "\n"), "\n")
		for i, line := range lines {
			rest, _, ok := textlines.TakeBlanks(line, 0, int(block.Level))
			if !ok { // a paragraph goes on, or the line is blank
				rest = strings.TrimLeft(line, " \t")
			}
			if i > 0 {
				lines[i] = rest
			}
		}
		if rest, _, ok := textlines.TakeBlanks(lines[0], col, int(block.Level)-col); ok {
			lines[0] = rest
		}
		if strings.Trim(lines[0], " \t") == "" {
			lines[0] = ""
		}
		for b := item + 1; b < int(block.Next); b++ {
			lines = append(lines, string(binary.AppendVarint([]byte{byte(doc.Blocks[b].Kind)}, int64(doc.Blocks[b].Parent)-int64(item))))
			if int(doc.Blocks[b].Next) == b+1 {
				lines = append(lines, blockcheck.ContentOf(doc, b)...)
			}
		}
		texts = append(texts, strings.Join(lines, "\n"))
	}
	return texts
}
