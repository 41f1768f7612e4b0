package parts

import (
	"strings"

	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// Items are those of an ordered list that a text is.
type Items struct {
	marker byte
	ids    map[string]int // of what stands in the items
	want   []int          // the items
	back   []int          // by number of items that are found: how many of them begin what ends with the last one
}

// ItemsOf returns the items of an ordered list if a text is that and nothing else, and else nil.
func ItemsOf(text *markdown.Document) *Items {
	if len(text.Blocks) == 0 || text.Blocks[0].Kind != markdown.List || !text.Blocks[0].Ordered() || int(text.Blocks[0].Next) < len(text.Blocks) {
		return nil
	}
	t := &Items{marker: text.Blocks[0].Marker, ids: map[string]int{}, back: []int{0}}
	for _, item := range itemTexts(text, 0) {
		if _, ok := t.ids[item]; !ok {
			t.ids[item] = len(t.ids)
		}
		t.want = append(t.want, t.ids[item])
		if n := len(t.back); n > 1 {
			t.back = append(t.back, t.goOn(t.back[n-1], t.ids[item]))
		} else {
			t.back = append(t.back, 0)
		}
	}
	return t
}

// goOn returns how many of the items are found behind so many, which are not all, and one more.
func (t *Items) goOn(found, id int) int {
	for found > 0 && t.want[found] != id {
		found = t.back[found]
	}
	if t.want[found] == id {
		found++
	}
	return found
}

// In reports whether the items follow each other in a list of the document at the top level, with
// any numbers.
func (t *Items) In(doc *markdown.Document, list int) bool {
	there := &doc.Blocks[list]
	if there.Parent >= 0 || there.Kind != markdown.List || there.Marker != t.marker {
		return false
	}
	found := 0
	for _, item := range itemTexts(doc, list) {
		id, ok := t.ids[item]
		if !ok {
			id = -1
		}
		if found = t.goOn(found, id); found == len(t.want) {
			return true
		}
	}
	return false
}

// itemTexts returns what stands in the items of a list at the top level, without their markers and
// their indentation: the blanks before code are its own.
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
		texts = append(texts, strings.Join(lines, "\n"))
	}
	return texts
}
