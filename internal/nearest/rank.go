package nearest

import (
	"bytes"
	"cmp"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// How near a name is goes by words first: whoever leaves the rest of a title out, or
// misspells one of its words, is nearer to it than to a short title that has other words.

// Rank says how near a name is to the sought one; Compare puts the nearest first.
type Rank struct {
	class class
	cost  int // within the class
	begin int // characters at the beginning that are the same; more are nearer
}

// class is how a name is near.
type class uint8

const (
	same    class = iota // but for case
	words                // all words of the query begin words of the name, in their order
	typos                // most words do, or would with few changes
	letters              // few changes make one of the other, or the name has only words of the query
	far
)

// Compare returns a negative number if r is nearer than other, 0 if both are as near.
func (r Rank) Compare(other Rank) int {
	return cmp.Or(cmp.Compare(r.class, other.class), cmp.Compare(r.cost, other.cost), cmp.Compare(other.begin, r.begin))
}

// IsNear reports whether the name may have been meant.
func (r Rank) IsNear() bool { return r.class < far }

// IsSame reports whether the name is the same but for case.
func (r Rank) IsSame() bool { return r.class == same && r.cost == 0 }

// Query is a name that was sought, to be compared with existing names. It must not
// be used by several goroutines at once.
type Query struct {
	text   []byte // folded, its beginning
	length int    // in characters
	whole  *Distance
	words  []queryWord
	total  int // the cost of a name without any of the words

	folded []byte // of a name, until the next one
	parts  [][]byte
	row    []cell
}

// queryWord is a word of a query.
type queryWord struct {
	text []byte
	*Distance
}

// maxWords is the number of words that count.
const maxWords = 16

// NewQuery returns a query for a name.
func NewQuery(name string) *Query {
	q := &Query{text: beginning(runes.AppendFolded(nil, name))}
	q.length = utf8.RuneCount(q.text)
	q.whole = NewDistance(q.text)
	for _, word := range appendWords(nil, q.text) {
		w := queryWord{word, NewDistance(word)}
		q.words = append(q.words, w)
		q.total += w.missingCost()
	}
	return q
}

// missingCost returns the cost of a name without the word.
func (w *queryWord) missingCost() int { return w.length + 1 }

// Rank returns how near a name is.
func (q *Query) Rank(name string) Rank {
	q.folded = runes.AppendFolded(q.folded[:0], name)
	return q.RankFolded(q.folded)
}

// RankFolded is Rank for a name that runes.AppendFolded has folded.
func (q *Query) RankFolded(name []byte) Rank {
	if q.length == 0 {
		return Rank{class: far}
	}
	whole := len(name)
	name = beginning(name)
	r := Rank{begin: commonBegin(q.text, name)}
	if bytes.Equal(q.text, name) {
		r.cost = whole - len(name)
		return r
	}
	length := utf8.RuneCount(name)
	q.parts = appendWords(q.parts[:0], name)
	if extra, ok := q.prefixCost(length); ok && q.length >= enough {
		r.class, r.cost = words, extra
		return r
	}
	if cost := q.align(); len(q.words) > 0 && 2*cost <= q.total {
		r.class, r.cost = typos, cost
		return r
	}
	cost, near := q.likeness(name, length)
	if near || length >= enough && q.containsName() {
		r.class, r.cost = letters, cost
		return r
	}
	// Absolute, it would put short names first.
	r.class, r.cost = far, 1000*cost/max(length, q.length)
	return r
}

// enough is the number of characters of a part that means something.
const enough = 3

// prefixCost reports whether each word of the query begins a word of the name, in order,
// and the cost of the name's extra text: least if the name begins with the query's words,
// and has them whole.
func (q *Query) prefixCost(length int) (extra int, ok bool) {
	const (
		later   = 2 * maxCompared // another word of the name comes before
		partial = 4               // a word of the name is longer
	)
	if len(q.words) == 0 {
		return 0, false
	}
	at, longer := 0, false
	for i := range q.words {
		for at < len(q.parts) && !bytes.HasPrefix(q.parts[at], q.words[i].text) {
			at++
		}
		if at == len(q.parts) {
			return 0, false
		}
		if i == 0 && at > 0 {
			extra += later
		}
		longer = longer || len(q.parts[at]) > len(q.words[i].text)
		at++
	}
	if longer {
		extra += partial
	}
	return extra + max(length-q.length, 0), true
}

// containsName reports whether the query has all words of the name, in their order.
func (q *Query) containsName() bool {
	at := 0
	for i := range q.words {
		if at < len(q.parts) && bytes.Equal(q.parts[at], q.words[i].text) {
			at++
		}
	}
	return at > 0 && at == len(q.parts)
}

// cell is the cost of some words of a name standing for some words of the query.
type cell = int

// align returns the cost of the name's words standing for the query's, in order: the
// changes in similar words, and the characters of missing ones.
func (q *Query) align() int {
	n := len(q.parts)
	if cap(q.row) <= n {
		q.row = make([]cell, n+1, 2*n+maxWords)
	}
	row := q.row[:n+1]
	clear(row)
	for i := range q.words {
		w := &q.words[i]
		before := row[0] // of the row above, a column to the left
		row[0] += w.missingCost()
		for j, part := range q.parts {
			above := row[j+1]
			row[j+1] = min(above+w.missingCost(), row[j])
			if cost, alike := w.alike(part); alike {
				row[j+1] = min(row[j+1], before+cost)
			}
			before = above
		}
	}
	return row[n]
}

// alike returns the number of changes that make the word of a name, and whether they are
// few enough.
func (w *queryWord) alike(part []byte) (cost int, alike bool) {
	if w.length >= enough && bytes.HasPrefix(part, w.text) {
		return 0, true
	}
	most := max(1, w.length/3)
	length := utf8.RuneCount(part)
	if w.length < 2 || length > w.length+most || length < w.length-most {
		return 0, bytes.Equal(part, w.text)
	}
	cost = w.To(part)
	if swapped(w.text, part) {
		cost = 1
	}
	return cost, cost <= most && cost < max(length, w.length)
}

// likeness returns how many changes make a name, with so many characters, of what was
// sought, and whether these are few enough.
func (q *Query) likeness(name []byte, length int) (cost int, near bool) {
	cost = q.whole.To(name)
	if swapped(q.text, name) {
		cost = 1
	}
	long := max(length, q.length)
	most := 1
	if commonBegin(q.text, name) > 0 { // the first letter is seldom wrong together with others
		most = max(1, min(2, long/2), long/3)
	}
	return cost, cost <= most && cost < long
}

// swapped reports whether two texts differ in two neighbouring bytes that have changed
// their places.
func swapped(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && bytes.Equal(a[i+2:], b[i+2:])
		}
	}
	return false
}

// appendWords appends the words of a text, at most maxWords: runs of letters and digits. A
// dot between digits belongs to a word: 2.4 is one.
func appendWords(list [][]byte, text []byte) [][]byte {
	start := -1
	for i := 0; i <= len(text); {
		r, size := utf8.RuneError, 1
		if i < len(text) {
			r, size = utf8.DecodeRune(text[i:])
		}
		inWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) ||
			r == '.' && i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
		switch {
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			if list = append(list, text[start:i]); len(list) == maxWords {
				return list
			}
			start = -1
		}
		i += size
	}
	return list
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// commonBegin returns how many bytes at the beginning of both are the same.
func commonBegin(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// beginning returns the first maxCompared characters of a text: only they are compared.
func beginning(s []byte) []byte {
	n := 0
	for i := range string(s) {
		if n == maxCompared {
			return s[:i]
		}
		n++
	}
	return s
}
