package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// orderedList returns an ordered list whose items hold all kinds of blocks.
func (r source) orderedList() string {
	var b strings.Builder
	number, isSame, delimiter, gap := one(r, []int{0, 1, 1, 7, 9, 95, 99, 998}), r.chance(20), one(r, []string{".", ".", ")"}), one(r, []string{"", "\n"})
	blanks := []string{" ", " ", " ", "  ", "   "}
	if r.chance(30) {
		blanks = append(blanks, "\t")
	}
	for range 1 + r.IntN(12) {
		marker := fmt.Sprint(number, delimiter) + one(r, blanks)
		indent := strings.Repeat(" ", len(marker))
		if strings.HasSuffix(marker, "\t") {
			indent = "\t"
		}
		text := r.words(2) + "\n"
		for range r.IntN(3) {
			text += one(r, []string{"", "\n"}) + r.block()
		}
		for i, line := range strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n") {
			switch {
			case i == 0:
				line = marker + line
			case strings.TrimSpace(line) != "" && !r.chance(3):
				line = indent + line
			}
			b.WriteString(line)
		}
		b.WriteString(gap)
		if !isSame {
			number++
		}
	}
	return b.String()
}

// inContainer returns a text in a container, or as it is.
func (r source) inContainer(text string) string {
	first, others := "", ""
	switch n := r.IntN(10); {
	case n < 2:
		first, others = "> ", "> "
	case n < 4:
		first, others = "- ", "  "
	case n < 5:
		first, others = "10. ", "    "
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = first + line
		case line != "":
			lines[i] = others + line
		}
	}
	return strings.Join(lines, "")
}

// shownNumber is the number of a list's first item, or of one that goldmark takes for text.
var shownNumber = regexp.MustCompile(` start="[0-9]+"|[0-9]+[.)]`)

// beforeText is what stands before the text of an item, or of one of its further lines.
var beforeText = regexp.MustCompile(`^[ >\t]*(?:- )?[ ]*(?:[0-9]{1,9}([.)])[ \t]*)*`)

// isButNumbers says how a text differs from another one by more than numbers of items and blanks
// before text.
func isButNumbers(x, y []byte) error {
	a, b := strings.SplitAfter(unified(string(x)), "\n"), strings.SplitAfter(unified(string(y)), "\n")
	if len(a) != len(b) {
		return fmt.Errorf("numbers: %d lines are %d", len(a), len(b))
	}
	for i := range a {
		if s, t := beforeText.ReplaceAllString(a[i], "$1"), beforeText.ReplaceAllString(b[i], "$1"); s != t {
			return fmt.Errorf("numbers: %q is %q", a[i], b[i])
		}
	}
	return nil
}

// renumbers reports whether numbers of lists may go on by one of the operations.
func (a *attempt) renumbers() bool {
	return slices.ContainsFunc(a.ops, func(o made) bool { return o.Renumber })
}

// numbers: but for numbers of items and blanks before text, all is as it is when numbers stay, and
// that holds all laws.
func (j *judgement) numbers() error {
	stay := *j.attempt
	stay.ops = slices.Clone(j.ops)
	for i := range stay.ops {
		stay.ops[i].Renumber = false
	}
	res, err := stay.apply()
	if err != nil {
		return fmt.Errorf("numbers: what can be made with other ones can't be made without: %w", err)
	}
	if err := judge(&stay, res); err != nil {
		return err
	}
	return isButNumbers(res.Doc.Source, j.res.Doc.Source)
}

// inLists returns the number of lists and of their items, -1 if one of them is empty: goldmark reads what
// stands behind it wrong.
func inLists(doc *markdown.Document) (n int) {
	for b := range doc.Blocks {
		kind := doc.Blocks[b].Kind
		if kind == markdown.Item && int(doc.Blocks[b].Next) == b+1 {
			return -1
		}
		if kind == markdown.Item || kind == markdown.List {
			n++
		}
	}
	return n
}

// sameLines says which line that goldmark shows is another one.
func sameLines(x, y string) error {
	a, b := strings.Split(x, "\n"), strings.Split(y, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Errorf("goldmark shows %q, and with numbers that go on %q", a[i:min(i+3, len(a))], b[min(i, len(b)):min(i+3, len(b))])
		}
	}
	return nil
}

// TestLawsNumbers puts items into ordered lists and takes them out: with numbers that go on, the
// document is the same as without but for these and blanks before text, and what a browser shows
// of it, by goldmark, is the same.
func TestLawsNumbers(t *testing.T) {
	html := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	shown := func(src []byte) string {
		var b bytes.Buffer
		if err := html.Convert(src, &b); err != nil {
			t.Fatal(err)
		}
		return shownNumber.ReplaceAllString(b.String(), "")
	}
	done, changed, judged, refused := 0, 0, 0, map[edit.Code]int{}
	for n := range uint64(testkit.Some(*opsFlag/7, 5)) {
		r := newSource(*seedFlag+77, n)
		text := "# A\n\n" + r.inContainer(r.orderedList()) + "\n# B\n\n" + r.inContainer(r.orderedList())
		doc := parse(t, r.ended(strings.TrimRight(text, "\n >")+"\n"))
		var ordered []int
		for b := range doc.Blocks {
			if doc.Blocks[b].Kind == markdown.Item && doc.Blocks[b].Ordered() {
				ordered = append(ordered, b)
			}
		}
		if len(ordered) == 0 {
			continue
		}
		b := one(r, ordered)
		m := one(r, []edit.Action{edit.InsertBefore, edit.InsertAfter, edit.InsertAfter, edit.Remove, edit.Replace})
		a := &attempt{doc: doc, ops: []made{{Op: edit.Op{Action: m, Address: address.AddressOf(doc, address.NodeOfBlock(doc, b))}, node: address.NodeOfBlock(doc, b), sure: true}}}
		a.options.Pinned = true
		if m != edit.Remove {
			for range 1 + r.IntN(4) {
				a.ops[0].Text += fmt.Sprintf("%d%c %s\n", r.IntN(12), doc.Blocks[b].Marker, r.words(3))
			}
		}
		without, err := a.apply()
		if err != nil {
			continue
		}
		done++
		a.ops[0].Renumber = true
		res, err := a.apply()
		if err != nil {
			errs, _ := errors.AsType[edit.Errors](err)
			refused[errs[0].Code]++
			continue
		}
		if !bytes.Equal(res.Doc.Source, without.Doc.Source) {
			changed++
		}
		breach := judge(a, res)
		html := shown(plain(without.Doc))
		if breach == nil && !bytes.Contains(doc.Source, []byte("\t")) && strings.Count(html, "<li>")+strings.Count(html, "<ol")+strings.Count(html, "<ul") == inLists(without.Doc) { // it reads tabs wrong
			judged++
			breach = sameLines(html, shown(plain(res.Doc)))
		}
		if breach == nil && slices.ContainsFunc(res.Warnings, func(s string) bool { return strings.Contains(s, "go on") }) {
			breach = fmt.Errorf("warnings: %q", res.Warnings)
		}
		if breach != nil {
			t.Fatalf("document %d: %v\n%v\n%s", n, breach, a, unified(string(res.Doc.Source)))
		}
	}
	if changed*3 < done || judged*5 < done || refused[edit.StructureChanged]*50 > done {
		t.Errorf("of %d operations %d have changed numbers, goldmark judged %d, and refused: %v", done, changed, judged, refused)
	}
	t.Logf("of %d operations %d have changed numbers, goldmark judged %d; refused: %v", done, changed, judged, refused)
}
