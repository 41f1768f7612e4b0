package replies

import (
	"bytes"
	"crypto/rand"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// The parts of a reply are divided by lines of ours, and a document may have lines that
// look the same. So where words of ours follow text of a document, every line of ours
// begins with a mark: drawn for this reply, told in its first line, and in no text of
// the reply. Where a document can't come after which of the lines are ours, and they
// end with the first empty line, there is no mark, unless the document seems to tell of
// one. See docs/decisions/0013-marks.md.

const (
	// markLength is the number of characters of a mark, if none so short had to be
	// drawn again and again.
	markLength = 6
	// markDraws is how often a mark of a length is drawn before it gets longer.
	markDraws = 8
	// maxRecent is the number of marks that are remembered, the last ones.
	maxRecent = 1 << 12

	// MaxMark is the number of characters that a line has more in a reply with a mark,
	// unless a document knows all of the short ones.
	MaxMark = markLength + len(" ")

	markLetters = "abcdefghijklmnopqrstuvwxyz234567"
	announce    = "mark: " // what the first line of a reply with a mark begins with
	announced   = " begins every line that is sectile's\n"
)

// Marks draws the marks of replies, and knows those that it drew last. It is safe for
// concurrent use. Nil draws none: replies on a terminal have no marks.
type Marks struct {
	random io.Reader

	mu     sync.Mutex
	recent map[string]bool
	order  []string // the recent ones; at maxRecent the oldest gives way
	next   int
}

// NewMarks returns marks that are made of random bytes; nil stands for those of the
// system, which nobody can guess. Another source is for tests.
func NewMarks(random io.Reader) *Marks {
	if random == nil {
		random = rand.Reader
	}
	return &Marks{random: random, recent: map[string]bool{}}
}

// Mark is what the lines of ours in a reply begin with, up to the text of the line.
// The empty one stands for a reply without.
type Mark string

// Draw returns a mark that is in none of the texts.
func (m *Marks) Draw(texts ...[]byte) Mark {
	if m == nil {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for draws := 0; ; draws++ {
		drawn := make([]byte, markLength+draws/markDraws)
		if _, err := io.ReadFull(m.random, drawn); err != nil {
			// That of the system never fails; another one that ends would be a mistake
			// that must not go unseen.
			panic("app: no random bytes for a mark: " + err.Error())
		}
		for i := range drawn {
			drawn[i] = markLetters[int(drawn[i])%len(markLetters)]
		}
		if isIn(drawn, texts) {
			continue
		}
		m.remember(string(drawn))
		return Mark(drawn) + " "
	}
}

// isIn reports whether a mark is in one of the texts.
func isIn(drawn []byte, texts [][]byte) bool {
	for _, text := range texts {
		if bytes.Contains(text, drawn) {
			return true
		}
	}
	return false
}

// Announcing reports whether text of a document has a line that can be taken for one that
// names a mark. Where a reply has such a text, it has a mark of its own, for the document's
// would be believed. A text that is honest costs a mark and nothing else, so that this goes
// by what a reader might see: in any case, after signs and what is hidden, with letters of other
// scripts in the place of those that they look like, and accents.
func Announcing(text []byte) bool {
	text = bytes.Map(func(r rune) rune {
		switch {
		case r != '\t' && runes.Breaks(r):
			return '\n'
		case !runes.Seen(r), unicode.Is(unicode.Mn, r):
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
		word, rest := cutWord(line)
		signs := bytes.IndexFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		if signs > 0 && isLike(word, "mark") && bytes.ContainsAny(rest[:signs], ":\u2236\uA789\uFE55\uFF1A") {
			return true
		}
	}
	return bytes.Contains(text, []byte("begins every line"))
}

// cutWord returns the letters and digits that a line begins with, and the rest of it.
func cutWord(line []byte) (word, rest []byte) {
	end := bytes.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(line)
	}
	return line[:end], line[end:]
}

// isLike reports whether a word has as many letters as another one in ASCII, each of them that
// letter or one of another script, which may look like it.
func isLike(word []byte, ascii string) bool {
	at := 0
	for _, r := range string(word) {
		if at == len(ascii) || r < utf8.RuneSelf && r != rune(ascii[at]) {
			return false
		}
		at++
	}
	return at == len(ascii)
}

// AnyAnnouncing is Announcing for several texts: that of a document, and the head above it,
// in which names of files and titles stand.
func AnyAnnouncing(texts ...[]byte) bool { return slices.ContainsFunc(texts, Announcing) }

// remember notes that the mark was given.
func (m *Marks) remember(drawn string) {
	switch {
	case m.recent[drawn]: // of a source for tests
		return
	case len(m.order) < maxRecent:
		m.order = append(m.order, drawn)
	default:
		delete(m.recent, m.order[m.next])
		m.order[m.next] = drawn
		m.next = (m.next + 1) % maxRecent
	}
	m.recent[drawn] = true
}

// Begins reports whether a line begins with a mark that was given lately, or tells of
// one.
func (m *Marks) Begins(line string) bool {
	if m == nil {
		return false
	}
	line = strings.TrimPrefix(line, announce)
	word, _, _ := strings.Cut(line, " ")
	if len(word) < markLength || strings.Trim(word, markLetters) != "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.recent[word]
}

// Chars returns how many characters the mark takes in a line.
func (m Mark) Chars() int { return len(m) }

// Top returns the first line of a reply with the mark, nothing if there is none.
func (m Mark) Top() string {
	if m == "" {
		return ""
	}
	return announce + string(m[:len(m)-1]) + announced
}

// Lines returns lines of ours with the mark. Empty ones go: they divide what the mark
// divides.
func (m Mark) Lines(text []byte) []byte {
	if m == "" {
		return text
	}
	made := make([]byte, 0, len(text)+len(m)*(1+bytes.Count(text, []byte("\n"))))
	for line := range bytes.Lines(text) {
		if len(line) > 0 && line[0] != '\n' {
			made = append(append(made, m...), line...)
		}
	}
	return made
}
