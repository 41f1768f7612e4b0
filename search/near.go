package search

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/sectile/sectile/internal/nearest"
)

// Vocabulary is the words of documents that are near to some that no document has. It must not
// be used by several goroutines at once; several can be put together by Near.
type Vocabulary struct {
	words    []string
	distance []*nearest.Distance
	lengths  [maxWord + 1]bool
	near     map[string]*nearWord
	other    map[string]bool // words that are near to none
	folded   []byte
}

// nearWord is a word of documents that is near to one that was sought.
type nearWord struct {
	sought int // index of the word
	cost   int
	count  int // how often it is there
}

// maxOther is the number of words that are known to be near to none.
const maxOther = 1 << 16

// NewVocabulary returns an empty vocabulary for words, folded as by Ranking.Absent.
func NewVocabulary(words []string) *Vocabulary {
	v := &Vocabulary{words: words, near: map[string]*nearWord{}, other: map[string]bool{}}
	for _, word := range words {
		v.distance = append(v.distance, nearest.NewDistance([]byte(word)))
		for n := len(word) - allowed(word); n <= len(word)+allowed(word); n++ {
			if n > 0 && n <= maxWord {
				v.lengths[n] = true
			}
		}
	}
	return v
}

// allowed returns how many letters of a word may differ.
func allowed(word string) int {
	switch n := len(word); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// Scan takes in the words of a text.
func (v *Vocabulary) Scan(src []byte) {
	for at := 0; ; {
		start, end, is := nextWord(src, at)
		if start == len(src) {
			return
		}
		at = end
		if is != spaced || end-start > maxWord || !v.lengths[end-start] {
			continue
		}
		v.folded = appendFolded(v.folded[:0], src[start:end])
		if known := v.near[string(v.folded)]; known != nil {
			known.count++
			continue
		}
		if v.other[string(v.folded)] {
			continue
		}
		if near := v.nearTo(v.folded); near != nil {
			v.near[string(v.folded)] = near
		} else if len(v.other) < maxOther {
			v.other[string(v.folded)] = true
		}
	}
}

// nearTo returns which of the words a word is near to, nil for none.
func (v *Vocabulary) nearTo(word []byte) *nearWord {
	for i, sought := range v.words {
		most := allowed(sought)
		if most == 0 {
			continue
		}
		d := v.distance[i].To(word)
		if d <= most || d == most+1 && isSwapped(sought, string(word)) {
			return &nearWord{sought: i, cost: min(d, most), count: 1}
		}
	}
	return nil
}

// isSwapped reports whether words have the same letters.
func isSwapped(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// Near returns for each of the words that some are near to the one that was meant most
// probably: the nearest, and of equally near ones that which documents have most often. All
// vocabularies must be for the same words.
func Near(all ...*Vocabulary) map[string]string {
	type meant struct {
		word string
		nearWord
	}
	sum := map[string]nearWord{}
	for _, v := range all {
		for word, n := range v.near {
			known := sum[word]
			sum[word] = nearWord{n.sought, n.cost, known.count + n.count}
		}
	}
	best := map[int]meant{}
	for word, n := range sum {
		known, ok := best[n.sought]
		if !ok || cmp.Or(cmp.Compare(n.cost, known.cost), cmp.Compare(known.count, n.count), cmp.Compare(word, known.word)) < 0 {
			best[n.sought] = meant{word, n}
		}
	}
	near := map[string]string{}
	for sought, m := range best {
		near[all[0].words[sought]] = m.word
	}
	return near
}

// partsOf returns the parts of an identifier such as CreateWindowEx, folded; nil for a word
// that has no parts.
func partsOf(word []byte) []string {
	runes := []rune(string(word))
	var parts []string
	start := 0
	for i := 1; i <= len(runes); i++ {
		begins := i < len(runes) && unicode.IsUpper(runes[i]) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if i == len(runes) || begins {
			parts = append(parts, foldedRunes(string(runes[start:i])))
			start = i
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// Apart returns the query with the parts of identifiers, such as CreateWindowEx, in the place
// of those that no document has; ok is false if none of them has parts.
func (q *Query) Apart(absent []string) (apart *Query, ok bool) {
	out := *q
	out.terms, out.phrases = nil, q.phrases
	if len(q.phrases) > 0 {
		return nil, false // whose words are named by their places
	}
	for _, t := range q.terms {
		if t.not || len(t.parts) == 0 || !slices.Contains(absent, t.word) {
			out.terms = append(out.terms, t)
			continue
		}
		ok = true
		for _, part := range t.parts {
			p := term{word: part, title: t.title}
			p.finish()
			out.add(p)
		}
	}
	return &out, ok && len(out.terms) <= MaxTerms
}
