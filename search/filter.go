package search

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Where the words of a query stand in a text is found by a filter that says where one of them may
// begin (begin.go); only there the word around is folded, stemmed and compared. Words that begin
// with a letter outside of ASCII can be written in several ways, so that a query with one looks
// at every word; of ASCII letters these ways are few.

// found is a word of a text that is one of a query.
type found struct {
	term       int32
	start, end int32 // offsets, end exclusive
}

// filter finds the words of one query. It must not be used by several goroutines at once.
type filter struct {
	terms []term
	first [utf8.RuneSelf][]int32 // the terms by the first byte of what they begin with
	loose []int32                // terms that any word may match
	memo  []map[string]bool      // what words match a term, by stem
	word  []byte

	begin beginnings // of words, if none of them is loose
}

const (
	maxMemo = 4096 // words that are remembered for each term
	// maxForm is the number of bytes by which another form of a word may be longer than it.
	maxForm = 8
)

// newFilter returns the filter for a query's terms.
func newFilter(terms []term) *filter {
	f := &filter{terms: terms, memo: make([]map[string]bool, len(terms))}
	for i := range terms {
		f.memo[i] = map[string]bool{}
		for _, begin := range terms[i].beginnings() {
			if begin == "" {
				f.loose = append(f.loose, int32(i))
				continue
			}
			f.addWritten("", begin)
			if list := f.first[begin[0]]; !slices.Contains(list, int32(i)) {
				f.first[begin[0]] = append(list, int32(i))
			}
		}
	}
	return f
}

// addWritten adds what words begin with to the beginnings, in all ways in which its ASCII letters
// may be written: so much of it is written already.
func (f *filter) addWritten(written, rest string) {
	if len(written) >= 3 || rest == "" { // more is not looked at
		f.begin.add(written)
		return
	}
	f.addWritten(written+rest[:1], rest[1:])
	for _, w := range writtenOtherwise {
		if w.letter == rest[0] {
			f.addWritten(written+w.text, rest[1:])
		}
	}
}

// beginnings returns what the words that match a term begin with.
func (t *term) beginnings() []string {
	list := []string{t.least}
	for _, other := range t.others {
		list = append(list, asciiPrefix(other))
	}
	return list
}

// appendFound appends the words of a text that are in the query, in their order, until there are
// so many. The text begins at an offset of what their offsets are in.
func (f *filter) appendFound(list []found, src []byte, offset, most int) []found {
	from := len(list)
	if len(f.loose) > 0 {
		list = f.appendOfAll(list, src, most)
	} else {
		list = f.appendFiltered(list, src, most)
	}
	if offset > 0 {
		for i := range list[from:] {
			list[from+i].start += int32(offset)
			list[from+i].end += int32(offset)
		}
	}
	return list
}

// appendFiltered is appendFound for a query whose words begin with ASCII letters.
func (f *filter) appendFiltered(list []found, src []byte, most int) []found {
	for at := 0; len(list) < most; {
		start := f.begin.next(src, at)
		if start == len(src) {
			break
		}
		at = start + 1
		terms := f.first[foldedToASCII(src, start)]
		if len(terms) == 0 || classBefore(src, start) == spaced {
			continue
		}
		end := wordEnd(src, start)
		list = f.appendMatches(list, src, start, end, terms)
	}
	return list
}

// appendOfAll is appendFound for a query whose words may begin in any way.
func (f *filter) appendOfAll(list []found, src []byte, most int) []found {
	for at := 0; ; {
		start, end, is := nextWord(src, at)
		if start == len(src) || len(list) >= most {
			return list
		}
		at = end
		if is == unspaced {
			list = f.appendPieces(list, src, start, end, most)
			continue
		}
		terms := f.loose
		if other := f.first[foldedToASCII(src, start)]; len(other) > 0 {
			list = f.appendMatches(list, src, start, end, other)
		}
		if len(terms) > 0 {
			list = f.appendMatches(list, src, start, end, terms)
		}
	}
}

// appendMatches appends a word for each of some terms that it matches.
func (f *filter) appendMatches(list []found, src []byte, start, end int, terms []int32) []found {
	if end-start > maxWord {
		return list
	}
	f.word = appendFolded(f.word[:0], src[start:end])
	for _, i := range terms {
		if f.matches(i, f.word) {
			list = append(list, found{i, int32(start), int32(end)})
		}
	}
	return list
}

// appendPieces appends the pieces in a run of characters of a script without spaces, until the
// list has so many. Pieces may overlap, themselves too.
func (f *filter) appendPieces(list []found, src []byte, start, end, most int) []found {
	from := len(list)
	text := src[start:end]
	var at []int // where the characters of the text come from; nil for the text as it is
	if !norm.NFC.IsNormal(text) {
		text, at = inNormalForm(text)
	}
	for i := range f.terms {
		t := &f.terms[i]
		if !t.piece {
			continue
		}
		_, first := utf8.DecodeRuneInString(t.word)
		for begin, before := 0, len(list); len(list)-before < most; begin += first {
			n := bytes.Index(text[begin:], []byte(t.word))
			if n < 0 {
				break
			}
			begin += n
			stop := begin + len(t.word)
			if at == nil {
				list = append(list, found{int32(i), int32(start + begin), int32(start + stop)})
			} else {
				list = append(list, found{int32(i), int32(start + at[begin]), int32(start + at[stop])})
			}
		}
	}
	slices.SortStableFunc(list[from:], func(a, b found) int { return int(a.start - b.start) })
	return list[:max(from, min(len(list), most))]
}

// inNormalForm returns a text in normal form C, and of each of its bytes and its end where in the
// text as it was the character begins that it is of. Of characters that the form orders or composes
// anew, the first is where the first of them was, the second where the second was and so on: pieces
// that follow each other must not begin at one place.
func inNormalForm(text []byte) (normal []byte, at []int) {
	for from := 0; from < len(text); {
		next := from + norm.NFC.NextBoundary(text[from:], true)
		normal = norm.NFC.Append(normal, text[from:next]...)
		for len(at) < len(normal) {
			_, size := utf8.DecodeRune(normal[len(at):])
			for range size {
				at = append(at, from)
			}
			if _, was := utf8.DecodeRune(text[from:]); from+was < next {
				from += was
			}
		}
		from = next
	}
	return normal, append(at, len(text))
}

// matches reports whether a folded word matches a term.
func (f *filter) matches(i int32, word []byte) bool {
	t := &f.terms[i]
	switch {
	case t.piece:
		return false
	case t.prefix:
		return bytes.HasPrefix(word, []byte(t.word))
	case string(word) == t.word:
		return true
	case slices.Contains(t.others, string(word)):
		return true
	case t.stem == t.word && !isEnglish(t.word), !bytes.HasPrefix(word, []byte(t.least)), len(word) > len(t.word)+maxForm:
		return false
	}
	if known, ok := f.memo[i][string(word)]; ok {
		return known
	}
	same := stem(string(word)) == t.stem
	if len(f.memo[i]) < maxMemo {
		f.memo[i][string(word)] = same
	}
	return same
}
