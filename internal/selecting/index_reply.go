package selecting

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// What becomes of the documents that were collected for a reply of limited length
// (index_fit.go).

// page returns the reply, and the line that tells how to go on behind it.
func (x *indexing) page() (text []byte, more string) {
	x.first = len(x.list)
	if x.More == nil {
		return x.fitted(), ""
	}
	most := x.MaxChars
	for {
		files := x.first
		more = x.More(files)
		x.MaxChars = most - replies.Chars([]byte(more))
		text = x.fitted()
		x.MaxChars = most
		if x.first == files {
			return text, more
		}
		x.fit.keep(x.first)
		x.failures = among(x.failures, x.first)
	}
}

// fitted returns the reply in at most MaxChars characters.
func (x *indexing) fitted() []byte {
	if len(x.failures) == x.first {
		return x.failed(min(x.MaxChars, maxNothing))
	}
	errs, _ := fitFailures(x.failures, x.MaxChars)
	if x.fit.sums[6]+replies.Chars(errs) > x.MaxChars {
		errs, _ = fitFailures(x.failures, x.MaxChars/3)
	}
	text := x.fitDocuments(x.MaxChars - replies.Chars(errs))
	if len(text) == 0 {
		text = []byte{'\n'} // as without a limit
	}
	return append(text, x.failed(x.MaxChars-replies.Chars(text))...)
}

// failed returns what failed in at most so many characters. Files that there is no room for are
// left to the next page, if there are pages.
func (x *indexing) failed(room int) []byte {
	text, shown := fitFailures(x.failures, room)
	if x.More != nil && shown < len(x.failures) {
		x.first = max(1, min(x.first, x.failures[shown].at))
	}
	return text
}

// fitDocuments returns the inventories in at most room characters: as many
// documents as possible, down to the deepest level that fits.
func (x *indexing) fitDocuments(room int) []byte {
	f := &x.fit
	n := len(f.digests)
	if n == 0 {
		return nil
	}
	sums := f.costs()
	if x.first == 1 && sums[1][6] > room {
		return x.fitOne(room)
	}
	for ; n > 0; n-- {
		others := x.notShown(n, true)
		for depth := 6; depth > 0; depth-- {
			if sums[n][depth] > room {
				continue
			}
			text := append(append(x.alike(n, depth), x.whereHidden(n, depth)...), others...)
			if replies.Chars(text) <= room {
				x.cutAt(n)
				return text
			}
		}
	}
	return x.fitOne(room)
}

// costs returns the number of characters of the first n documents down to a
// level, by n and level; more than any reply has if not all of that is kept.
func (f *indexFit) costs() [][7]int {
	sums := make([][7]int, 1, len(f.digests)+1)
	for n, d := range f.digests {
		next := sums[n]
		for depth := range next {
			next[depth] += d.cost(depth)
			if d.whole < d.shown(depth) {
				next[depth] = f.limit + 1
			}
		}
		sums = append(sums, next)
	}
	return sums
}

// alike returns the first n documents down to the same depth.
func (x *indexing) alike(n, depth int) []byte {
	var text []byte
	for _, d := range x.fit.digests[:n] {
		text = d.appendTo(text, depth)
	}
	return text
}

// maxNamed is the number of bytes of a name up to which a note repeats it.
const maxNamed = 100

// whereHidden tells how to see the headings that the first n documents don't
// show, if there are any.
func (x *indexing) whereHidden(n, depth int) []byte {
	for _, d := range x.fit.digests[:n] {
		list := d.selectors(d.shown(depth), 0)
		if len(list) == 0 {
			continue
		}
		const text = "[headings not shown: call mdsel_index with one file"
		name := replies.Safe(documents.InNamespace(x.list[d.file].Namespace))
		if len(name) > maxNamed || !x.Offered.Has(replies.ToolSelect) {
			return []byte(text + "]\n")
		}
		return fmt.Appendf(nil, "%s, or %s with %s%s?head=1]\n", text, replies.ToolSelect, name, list[0])
	}
	return nil
}

// selectors returns selectors for the headings below a level, one a level,
// without the first ones of the next level.
func (d *digest) selectors(depth, first int) []string {
	var list []string
	for level := depth + 1; level <= 6; level++ {
		switch last := d.count[level] - 1; {
		case last > first:
			list = append(list, fmt.Sprintf("h%d.%d-%d", level, first, last))
		case last == first:
			list = append(list, fmt.Sprintf("h%d.%d", level, first))
		}
		first = 0
	}
	return list
}

// cutAt leaves the documents after the first n to the next page, if there are pages. One is told
// of in any case.
func (x *indexing) cutAt(n int) {
	if left, next := x.after(n); x.More != nil && left > 0 {
		x.first = max(1, min(x.first, next))
	}
}

// after returns how many documents there are after the first n, and the index of the next one.
func (x *indexing) after(n int) (left, next int) {
	f := &x.fit
	left, next = f.left, f.first
	if n < len(f.digests) {
		left += len(f.digests) - n
		next = f.digests[n].file
	}
	return left, next
}

// notShown tells which documents are not shown after the first n, if there are
// any; with path, also what the first of them is called.
func (x *indexing) notShown(n int, path bool) []byte {
	left, next := x.after(n)
	if left == 0 {
		return nil
	}
	text := fmt.Appendf(nil, "[not shown: %d of %d files; call mdsel_index with ", left, len(x.list))
	if n == 0 { // not even its name could be
		return append(text, "one file]\n"...)
	}
	text = fmt.Appendf(text, "files from number %d on", next+1)
	if name := appendQuoted(nil, x.list[next].Path); path && len(name) <= maxNamed {
		text = fmt.Appendf(text, ", %s", name)
	}
	return append(text, "]\n"...)
}

// fitOne returns the first document in at most room characters, and which others
// are not shown; or that none is, if that is too little for its name.
func (x *indexing) fitOne(room int) []byte {
	x.cutAt(1)
	for _, path := range []bool{true, false} {
		others := x.notShown(1, path)
		if text := x.fill(x.fit.digests[0], room-replies.Chars(others)); text != nil {
			return append(text, others...)
		}
	}
	return x.notShown(0, false)
}

// fill returns a document in at most room characters: down to the deepest level
// that fits, and as many headings of the next one as there is room for. It
// returns nil if there isn't room for the least of it.
func (x *indexing) fill(d *digest, room int) []byte {
	for depth := min(d.whole, 5); depth >= 0; depth-- {
		// The numbers in the note get longer with what is shown.
		note := len(x.rest(d, depth, 0)) + 2*len(strconv.Itoa(d.count[depth+1]))
		spare := room - d.chars(depth) - note
		if spare < 0 {
			continue
		}
		more := d.fitting(depth+1, spare)
		text := d.appendLines(append([]byte(nil), d.name...), depth, more)
		return append(append(text, x.rest(d, depth, more)...), d.tail...)
	}
	return nil
}

// fitting returns how many of the first lines of a level fit into room.
func (d *digest) fitting(level, room int) int {
	n, start := 0, 0
	for _, line := range d.lines {
		if line.level == level {
			if room -= replies.Chars(d.text[start:line.end]); room < 0 {
				break
			}
			n++
		}
		start = line.end
	}
	return n
}

// rest tells which headings of a document are not shown after those down to a
// level and the first ones of the next.
func (x *indexing) rest(d *digest, depth, first int) []byte {
	list := d.selectors(depth, first)
	n := d.hidden(depth) - first
	if n == 0 {
		return nil
	}
	how := ""
	switch {
	case x.Offered.Has(replies.ToolSelect):
		alone := ""
		if x.many {
			alone = " of this file alone"
		}
		how = fmt.Sprintf("; %s %s?head=1%s shows the first line of each", replies.ToolSelect, list[0], alone)
	case x.MaxChars < replies.FullChars:
		how = "; raise max_chars for more"
	}
	return fmt.Appendf(nil, "[not shown: %s, %s%s]\n", replies.Plural(n, "heading"), strings.Join(list, ", "), how)
}
