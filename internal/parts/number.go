package parts

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/blockcheck"
	"github.com/sectile/sectile/markdown"
)

// The items of an ordered list count, or all have the same number. Where items came or went,
// the others go on as the list does: from the first place that is another one, for numbers
// before it are nobody's concern. Only markers change, and the blanks before lines of an item
// whose marker gets wider or narrower.

// Numbering is an ordered list and the numbers that its items should have.
type Numbering struct {
	List    int   // its block
	Numbers []int // from its first item
}

// First returns the first item whose number is another one: which of the list it is, from 0, and
// its block.
func (n *Numbering) First(doc *markdown.Document) (i, item int) {
	for item := range doc.Children(n.List) {
		if has, _ := strconv.Atoi(digits(doc, item)); has != n.Numbers[i] {
			return i, item
		}
		i++
	}
	return 0, n.List + 1
}

// maxNumber is the largest number that the marker of an item has.
const maxNumber = 999_999_999

// Numberings returns the ordered lists of a document of which items came or went and whose
// numbers don't go on. was says of each block that is an item of one which block of the old
// document it was, or a negative number.
func Numberings(old, now *markdown.Document, was []int32) []Numbering {
	var all []Numbering
	for list := range now.Blocks {
		if now.Blocks[list].Kind != markdown.List || !now.Blocks[list].Ordered() {
			continue
		}
		before := int32(-1) // the list that it was
		for item := range now.Children(list) {
			if was[item] >= 0 {
				before = old.Blocks[was[item]].Parent
				break
			}
		}
		if before < 0 {
			continue
		}
		next, from := before+1, -1 // the item that is expected, and the first place of another one
		i := 0
		for item := range now.Children(list) {
			if was[item] != next && from < 0 {
				from = i
			}
			if i++; next < old.Blocks[before].Next {
				next = old.Blocks[next].Next
			}
		}
		if from < 0 {
			continue
		}
		had, numbers := numbersOf(old, int(before)), numbersOf(now, list)
		if want := goOn(had, numbers, from); !slices.Equal(numbers, want) && !slices.Equal(numbers, had) {
			all = append(all, Numbering{list, want})
		}
	}
	return all
}

// numbersOf returns the numbers of the items of an ordered list.
func numbersOf(doc *markdown.Document, list int) []int {
	var numbers []int
	for item := range doc.Children(list) {
		n, _ := strconv.Atoi(digits(doc, item)) // as many as fit
		numbers = append(numbers, n)
	}
	return numbers
}

// digits returns the number of an item as it is written.
func digits(doc *markdown.Document, item int) string {
	text := doc.Source[doc.Blocks[item].Start:]
	return string(text[:bytes.IndexAny(text, ".)")])
}

// KeepFirst returns the splice that gives the second item of an ordered list the number of the first
// one, if a range that is taken out holds that one; ok is false if there is none, or nothing to do.
// Where the list stands right below a paragraph, it would be none with another number.
func KeepFirst(doc *markdown.Document, gone markdown.Span) (s Splice, ok bool) {
	for list := range doc.Blocks {
		l := &doc.Blocks[list]
		if int(l.Start) >= gone.End {
			break
		}
		if l.Kind != markdown.List || !l.Ordered() || int(l.Start) < gone.Start || int(doc.Blocks[list+1].End) > gone.End {
			continue
		}
		second := doc.Blocks[list+1].Next
		if second == l.Next || int(doc.Blocks[second].Start) < gone.End {
			continue
		}
		was, is := digits(doc, list+1), digits(doc, int(second))
		start := int(doc.Blocks[second].Start)
		return Splice{markdown.Span{Start: start, End: start + len(is)}, []byte(was)}, was != is && len(was) == len(is)
	}
	return s, false
}

// goOn returns numbers that go on from one place as those of the list do that it was.
func goOn(old, now []int, from int) []int {
	want := slices.Clone(now)
	isSame := len(old) > 1 && !slices.ContainsFunc(old, func(n int) bool { return n != old[0] })
	for i := from; i < len(want); i++ {
		switch {
		case i == 0 || isSame:
			want[i] = old[0]
		default:
			want[i] = want[i-1] + 1
		}
	}
	return want
}

// Renumber returns the change that gives items of ordered lists other numbers.
func Renumber(doc *markdown.Document, all []Numbering) (*Change, *Error) {
	ch := &Change{Start: -1, First: -1}
	inLists := make([]bool, len(doc.Blocks))
	for _, n := range all {
		if slices.Max(n.Numbers) > maxNumber {
			return nil, invalid("an item can't have a number above %d; leave the numbers as they are", maxNumber)
		}
		ch.Splices = append(ch.Splices, renumbered(doc, n)...)
		for b := n.List; b < int(doc.Blocks[n.List].Next); b++ {
			inLists[b] = true
		}
	}
	slices.SortStableFunc(ch.Splices, func(a, b Splice) int { return a.Start - b.Start })
	ch.Verify = func(now *markdown.Document) string { return isRenumbered(doc, now, all, inLists) }
	return ch, nil
}

// renumbered returns the splices that give the items of a list numbers.
func renumbered(doc *markdown.Document, n Numbering) []Splice {
	var splices []Splice
	var outer []markdown.ContentLine // of the list, once they are asked for
	first := digits(doc, n.List+1)
	pad := 0 // to so many digits
	if len(first) > 1 && first[0] == '0' {
		pad = len(first)
	}
	i := 0
	for item, block := range doc.Children(n.List) {
		had, number := digits(doc, item), strconv.Itoa(n.Numbers[i])
		number = strings.Repeat("0", max(pad-len(number), 0)) + number
		i++
		if has, _ := strconv.Atoi(had); has == n.Numbers[i-1] {
			continue
		}
		start := int(block.Start)
		splices = append(splices, Splice{markdown.Span{Start: start, End: start + len(had)}, []byte(number)})
		wider := len(number) - len(had)
		blanks := start + len(had) + 1
		switch {
		case wider == 0:
		case wider > 0 && isPadded(doc.Source[blanks:block.End], wider): // the text stays where it is
			splices = append(splices, Splice{Span: markdown.Span{Start: blanks, End: blanks + wider}})
		case block.EndLine > block.StartLine:
			if outer == nil {
				outer = slices.Collect(doc.ContentLines(n.List))
			}
			splices = append(splices, indented(doc, item, outer[block.StartLine-doc.Blocks[n.List].StartLine:], wider)...)
		}
	}
	return splices
}

// isPadded reports whether what stands behind a marker are more blanks than so many, before a
// text that isn't code by them.
func isPadded(rest []byte, wider int) bool {
	n := len(rest) - len(bytes.TrimLeft(rest, " "))
	return wider < n && n <= 4 && n < len(rest) && strings.IndexByte("\t\r\n", rest[n]) < 0
}

// indented returns the splices that move the further lines of an item by columns. Those of a
// paragraph that aren't indented stay, and those that are indented by tabs. outer are the lines of
// its list, from its first one on.
func indented(doc *markdown.Document, item int, outer []markdown.ContentLine, columns int) []Splice {
	var splices []Splice
	indent := strings.Repeat(" ", int(doc.Blocks[item].Level))
	i := 0
	for l := range doc.ContentLines(item) {
		if i++; i == 1 || l.Len() == 0 || string(doc.Source[outer[i-1].Start:l.Start]) != indent {
			continue
		}
		at := Splice{Span: markdown.Span{Start: l.Start, End: l.Start}}
		if columns > 0 {
			at.Text = []byte(strings.Repeat(" ", columns))
		} else {
			at.Start += columns
		}
		splices = append(splices, at)
	}
	return splices
}

// isRenumbered says what is wrong if a document isn't another one but for the numbers of lists.
func isRenumbered(doc, now *markdown.Document, all []Numbering, inLists []bool) string {
	ok := len(now.Blocks) == len(doc.Blocks)
	for b := 0; ok && b < len(doc.Blocks); b++ {
		x, y := doc.Blocks[b], now.Blocks[b]
		if x.Kind == markdown.Item {
			x.Level, y.Level = 0, 0
		}
		x.Start, x.End, y.Start, y.End = 0, 0, 0, 0
		ok = x == y && (!inLists[b] || doc.Blocks[b].Next > int32(b)+1 || slices.Equal(blockcheck.ContentOf(doc, b), blockcheck.ContentOf(now, b)))
	}
	for _, n := range all {
		ok = ok && slices.Equal(numbersOf(now, n.List), n.Numbers)
	}
	if !ok {
		return "with other numbers the text of items would be something else; indent it with blanks and as far as its marker needs, or leave the numbers as they are"
	}
	return ""
}
