package linediff

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A text that is not there was mostly copied with a small change: wrapped in
// another way, with the line numbers of a viewer, with escapes that were for a
// string in a program, with the quotes of a typewriter. So text and document are
// folded until what usually gets lost is equal, see folding, and compared. What
// differs in more than that is compared by its wording, see Similar.

const (
	// maxScope is the number of bytes of the document that are looked through.
	maxScope = 8 << 20
	// maxWanted is the number of bytes of the text that count.
	maxWanted = 1 << 16
	// maxLook is how many places are looked at for the one that differs least, and
	// maxLooked how many bytes of them.
	maxLook, maxLooked = 16, 1 << 18
)

// Closest returns the place in the scope of src that is closest to a text that isn't there,
// and says in a noun phrase what differs. It is not ok if nothing is like it. In a very long
// text only the beginning is compared.
func Closest(src []byte, scope Span, old string) (at Span, what string, ok bool) {
	scope.End = min(scope.End, scope.Start+maxScope)
	lines := newPlainLines(src, scope)
	folded := everything.read(lines.text)
	var best variant
	span, cost := Span{}, 0
	for _, v := range variantsOf(unifiedEndings(old)) {
		at, found := v.find(&lines, folded)
		if n := v.cost(); found && (cost == 0 || n < cost) {
			best, span, cost = v, at, n
		}
	}
	if cost > 0 {
		return span, best.what(), true
	}
	want := bytes.TrimSpace(everything.fold([]byte(old[:min(len(old), maxWanted)])))
	similar, ok := Similar(folded.text, want[:min(len(want), maxWanted)])
	if !ok {
		return Span{}, "", false
	}
	from := folded.from(similar)
	return lines.span(from.Start, from.Len()), "the wording", true
}

// variant is what a text may have been before it was copied.
type variant struct {
	text     string
	numbered bool // without the numbers at the start of its lines
	escaped  bool // without the escapes in it
	folding  folding
}

// variantsOf returns the text as it is and without what may have been added to
// all of it.
func variantsOf(text string) []variant {
	list := []variant{{text: text}}
	if s, ok := withoutLineNumbers(text); ok {
		list = append(list, variant{text: s, numbered: true})
	}
	for _, v := range list {
		if s := withoutEscapes(v.text); s != v.text {
			list = append(list, variant{text: s, numbered: v.numbered, escaped: true})
		}
	}
	return list
}

// cost is how much differs: 1 for each thing, 0 for none.
func (v *variant) cost() int {
	n := 0
	for _, differs := range append(v.folding.each(), v.numbered, v.escaped) {
		if differs {
			n++
		}
	}
	return n
}

// what says what differs.
func (v *variant) what() string {
	var list []string
	if v.numbered {
		list = append(list, "line numbers at the start of lines")
	}
	each := v.folding.each()
	each[foldedEscapes] = each[foldedEscapes] || v.escaped
	for i, differs := range each {
		if differs {
			list = append(list, foldingNames[i])
		}
	}
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + " and " + list[last]
	}
	return strings.Join(list, "")
}

// find returns where in the source the variant is when all is folded, at the place
// that needs the least folding, which it keeps.
func (v *variant) find(lines *plainLines, folded *foldedText) (Span, bool) {
	want := string(bytes.TrimSpace(everything.fold([]byte(v.text))))
	if len(want) < 2 {
		return Span{}, false
	}
	var best Span
	cost, looks := 0, 0
	for i := range occurrences(folded.text, want, true) {
		tried := *v
		var at Span
		at, tried.folding = needed(lines.text, folded.from(Span{Start: i, End: i + len(want)}), v.text)
		if n := tried.cost(); cost == 0 || n < cost {
			v.folding, best, cost = tried.folding, at, n
		}
		if looks++; looks == maxLook || looks*len(want) > maxLooked {
			break
		}
	}
	return lines.span(best.Start, best.Len()), cost > 0
}

// needed returns which foldings it takes for the text to be at the place, which is
// right if all are done; and the place with the white space that stands around it
// in both.
func needed(src []byte, at Span, text string) (Span, folding) {
	core := strings.TrimSpace(text)
	from := strings.Index(text, core)
	lead, trail := text[:from], text[from+len(core):]
	var need folding
	for i := range foldings {
		others := everything &^ (1 << i)
		if !bytes.Equal(bytes.TrimSpace(others.fold(src[at.Start:at.End])), bytes.TrimSpace(others.fold([]byte(core)))) {
			need |= 1 << i
		}
	}
	if !bytes.HasSuffix(src[:at.Start], []byte(lead)) || !bytes.HasPrefix(src[at.End:], []byte(trail)) {
		return at, need | 1<<foldedSpace
	}
	return Span{Start: at.Start - len(lead), End: at.End + len(trail)}, need
}

// lineNumber is a number as viewers put it before a line.
var lineNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*L?(\d{1,9})(?:\t|→|: ?|[ \t]?[|│] ?|\. |  )`)
})

// withoutLineNumbers returns the text without the numbers at the start of its
// lines; ok is false if they don't count up.
func withoutLineNumbers(text string) (without string, ok bool) {
	var b strings.Builder
	last := -1
	for line := range strings.Lines(text) {
		m := lineNumber().FindStringSubmatchIndex(line)
		if m == nil {
			if bare := strings.TrimSpace(line); bare != "" && bare != strconv.Itoa(last+1) {
				return "", false
			}
			if strings.HasSuffix(line, "\n") {
				b.WriteString("\n")
			}
			if last >= 0 {
				last++
			}
			continue
		}
		n, err := strconv.Atoi(line[m[2]:m[3]])
		if err != nil || last >= 0 && n != last+1 {
			return "", false
		}
		b.WriteString(line[m[1]:])
		last = n
	}
	return b.String(), last >= 0
}

// escapes are those of strings in programs that stand for white space; the others
// are a folding.
var escapes = strings.NewReplacer(`\\`, `\\`, `\r\n`, "\n", `\n`, "\n", `\r`, "\n", `\t`, "\t")

// withoutEscapes returns the text with what escapes stand for, of strings in
// programs and of HTML.
func withoutEscapes(text string) string {
	return html.UnescapeString(escapes.Replace(text))
}
