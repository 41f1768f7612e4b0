package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// MaxTerms is the largest number of words of a query.
const MaxTerms = 64

// MaxQuery is the largest size of a query in bytes.
const MaxQuery = 4096

// Errors of queries.
var (
	// ErrEmpty is the error for a query that has no word to look for.
	ErrEmpty = errors.New("search: the query has no word to look for")
	// ErrTooLong is the error for a query of more than MaxQuery bytes or MaxTerms words.
	ErrTooLong = errors.New("search: the query is too long")
)

// Query is a query of words. It is not changed by what is done with it, and can be used by
// several goroutines at once.
type Query struct {
	// Paths are the globs of the query, without "path:". Which documents they mean is up to
	// who finds the documents: a package that does no input or output has no folders.
	Paths []string
	// Weights are how sections are scored. A query that was just parsed has DefaultWeights.
	Weights Weights
	// In is where the words are looked for.
	In Place
	// Only returns the sections of a document that are looked at, from the first up to the
	// end; nil for all, and for the parts before the first.
	Only func(doc *markdown.Document) (first, end int)
	// Known is what is known of all documents if scanners look at some alone; nil if they look
	// at all.
	Known *Known

	terms   []term
	phrases []phrase
	dropped []string // words that are left out because there are others
}

// Place is where words are looked for.
type Place uint8

// The places.
const (
	Everywhere Place = iota // in headings and in what stands below them
	InHeadings              // in headings alone
	InBody                  // in what stands below headings
	InCode                  // in fenced and indented code
)

// term is a word of a query.
type term struct {
	word   string   // folded, as it was written
	stem   string   // what words that match have in common; the word itself if only that matches
	least  string   // what all words that match begin with, in ASCII; may be empty
	others []string // words that match, too
	parts  []string // of an identifier such as CreateWindowEx
	prefix bool     // all words that begin with it match
	piece  bool     // of a word of a script without spaces: it is found within words
	title  bool     // it counts in the section's own heading alone
	not    bool     // sections that have it are left out
	hidden bool     // it is part of a phrase that is left out, and counts for nothing itself
}

// phrase is terms that must stand side by side, in this order.
type phrase struct {
	terms []int
	not   bool
}

// Parse parses a query; the package's comment has the language. The error is ErrEmpty or
// ErrTooLong, perhaps wrapped with what is wrong.
func Parse(text string) (*Query, error) {
	q := &Query{Weights: DefaultWeights()}
	if len(text) > MaxQuery {
		return nil, fmt.Errorf("%w: it has %d bytes, and %d is the most", ErrTooLong, len(text), MaxQuery)
	}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		rest = q.item(rest)
	}
	q.dropStopWords()
	if len(q.terms) > MaxTerms {
		return nil, fmt.Errorf("%w: it has %d words, and %d is the most", ErrTooLong, len(q.terms), MaxTerms)
	}
	for i := range q.terms {
		if t := &q.terms[i]; !t.not && !t.hidden {
			return q, nil
		}
	}
	return nil, ErrEmpty
}

// item takes the first item of a query and returns the rest.
func (q *Query) item(text string) string {
	var t term
	if rest, ok := strings.CutPrefix(text, "-"); ok && rest != "" && !startsWithSpace(rest) {
		t.not, text = true, rest
	}
	if rest, ok := strings.CutPrefix(text, "title:"); ok && rest != "" && !startsWithSpace(rest) {
		t.title, text = true, rest
	} else if rest, ok := strings.CutPrefix(text, "path:"); ok && !t.not {
		glob, rest := quotedOrWord(rest)
		if glob != "" {
			q.Paths = append(q.Paths, glob)
		}
		return rest
	}
	if strings.HasPrefix(text, `"`) {
		quoted, rest := quotedOrWord(text)
		q.phrase(quoted, t)
		return rest
	}
	word, rest := quotedOrWord(text)
	bare := strings.TrimRight(word, "*")
	t.prefix = len(bare) < len(word)
	q.words(bare, t)
	return rest
}

func startsWithSpace(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(c)
}

// quotedOrWord returns what stands between the quotation marks that a text begins with, or up
// to the first space, and the rest. A mark that isn't closed reaches to the end.
func quotedOrWord(text string) (word, rest string) {
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		word, rest, _ = strings.Cut(quoted, `"`)
		return word, rest
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// words adds the words of an item that is no phrase. Several, as in os_str, may stand apart in
// a section; those that stand side by side count more.
func (q *Query) words(text string, like term) {
	words := q.split(text, like)
	for i, t := range words {
		t.prefix = like.prefix && i == len(words)-1
		t.finish()
		q.add(t)
	}
}

// phrase adds words that must stand side by side.
func (q *Query) phrase(text string, like term) {
	words := q.split(text, like)
	if len(words) == 1 { // one word needs no neighbour, but it must be there as it is
		t := words[0]
		t.finish()
		q.phrases = append(q.phrases, phrase{terms: []int{q.add(t)}, not: like.not})
		return
	}
	p := phrase{not: like.not}
	for _, t := range words {
		t.hidden = like.not
		t.not = false
		t.finish()
		p.terms = append(p.terms, q.add(t))
	}
	if len(p.terms) > 0 {
		q.phrases = append(q.phrases, p)
	}
}

// split returns the words of a text as terms like one.
func (q *Query) split(text string, like term) []term {
	var list []term
	src := []byte(text)
	for at := 0; ; {
		start, end, is := nextWord(src, at)
		if start == len(src) {
			return list
		}
		at = end
		t := like
		t.word = string(appendFolded(nil, src[start:end]))
		if is != unspaced {
			t.parts = partsOf(src[start:end])
			list = append(list, t)
			continue
		}
		for _, piece := range pieces(t.word) {
			t.word, t.piece = piece, true
			list = append(list, t)
		}
	}
}

// finish works out which words of documents match a term.
func (t *term) finish() {
	t.stem, t.least = t.word, asciiPrefix(t.word)
	if t.prefix || t.piece {
		return
	}
	if t.stem = stem(t.word); t.stem == t.word && !isEnglish(t.word) {
		return
	}
	// Other forms of a word share its stem but for the last letter, which may be another one:
	// "happi" is that of "happy".
	t.least = t.stem
	if n := len(t.least); n > 3 && (t.least[n-1] == 'i' || t.least[n-1] == 'e') {
		t.least = t.least[:n-1]
	}
	if !strings.HasPrefix(t.word, t.least) {
		t.least = t.word[:min(2, len(t.word))]
	}
}

// isEnglish reports whether a word has letters from a to z alone, so that other words may have
// its stem.
func isEnglish(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// asciiPrefix returns what a word begins with up to its first character that isn't ASCII:
// that may be written in several ways.
func asciiPrefix(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return word[:i]
		}
	}
	return word
}

// add adds a term, unless there is such a one, and returns its index.
func (q *Query) add(t term) int {
	for i := range q.terms {
		o := &q.terms[i]
		if o.stem == t.stem && o.prefix == t.prefix && o.title == t.title && o.not == t.not && o.hidden == t.hidden {
			return i
		}
	}
	q.terms = append(q.terms, t)
	return len(q.terms) - 1
}

// dropStopWords leaves out stop words that are in no phrase, if there are other words.
func (q *Query) dropStopWords() {
	isDropped := func(i int) bool {
		t := &q.terms[i]
		if t.prefix || t.title || t.not || t.hidden || !isStopWord(t.word) {
			return false
		}
		for _, p := range q.phrases {
			if slices.Contains(p.terms, i) {
				return false
			}
		}
		return true
	}
	others := false
	for i := range q.terms {
		others = others || !isDropped(i) && !q.terms[i].not && !q.terms[i].hidden
	}
	if !others {
		return
	}
	at := make([]int, len(q.terms))
	kept := q.terms[:0:0]
	for i := range q.terms {
		if isDropped(i) {
			q.dropped = append(q.dropped, q.terms[i].word)
			continue
		}
		at[i] = len(kept)
		kept = append(kept, q.terms[i])
	}
	for _, p := range q.phrases {
		for k := range p.terms {
			p.terms[k] = at[p.terms[k]]
		}
	}
	q.terms = kept
}

// Words returns the words that are looked for, folded, in their order.
func (q *Query) Words() []string {
	var list []string
	for i := range q.terms {
		if t := &q.terms[i]; !t.not && !t.hidden {
			list = append(list, t.word)
		}
	}
	return list
}

// Dropped returns the words of the query that are left out because every text has them.
func (q *Query) Dropped() []string { return q.dropped }

// With returns the query with other words in the place of some, by the words as Words has
// them.
func (q *Query) With(others map[string][]string) *Query {
	out := *q
	out.terms = slices.Clone(q.terms)
	for i := range out.terms {
		t := &out.terms[i]
		t.others = slices.Concat(t.others, others[t.word])
	}
	return &out
}
