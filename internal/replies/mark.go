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

	"golang.org/x/text/unicode/norm"

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
// names a mark: one in which the word stands, and a colon behind it or the words "sectile's", or
// one of the phrases by which ours does. Where a reply has such a text, it has a mark of its own,
// for the document's would be believed. A text that is honest costs a mark and nothing else, so
// that this goes by what a reader might see: in any case, after signs and what is hidden, with
// letters of other scripts in the place of those that they look like, accents, and any blanks.
func Announcing(text []byte) bool {
	text = bytes.Map(folded, text)
	for line := range bytes.Lines(text) {
		if announces(line) {
			return true
		}
	}
	return false
}

// softBreak stands for characters that end a line for some readers and are blanks for others.
const softBreak = '\v'

// folded returns what a character stands for in the eyes of Announcing, -1 for nothing.
func folded(r rune) rune {
	if r >= utf8.RuneSelf {
		if parts := norm.NFD.PropertiesString(string(r)).Decomposition(); len(parts) > 0 { // a letter with its accents
			r, _ = utf8.DecodeRune(parts)
		}
	}
	switch {
	case r == '\t':
		return ' '
	case ' ' <= r && r < 0x7F:
		return unicode.ToLower(r)
	case r == '\n', r == '\r':
		return '\n'
	case runes.Breaks(r):
		return softBreak
	case !runes.Seen(r), unicode.Is(unicode.M, r):
		return -1
	case unicode.IsSpace(r), r == '\u2800':
		return ' '
	case r >= '\uFF01' && r <= '\uFF5E': // those of ASCII in full width
		return unicode.ToLower(r - '\uFF01' + '!')
	case strings.ContainsRune(colons, r):
		return ':'
	}
	return unicode.ToLower(r)
}

// colons are the characters that count as one: all that Unicode names so but the sign of a currency
// (U+20A1), and others that look like one. The guarantees list them.
const colons = "\u02D0\u02D1\u02F8\u0589\u05C3\u0703\u0704\u0705\u0706\u0707\u0708\u0709\u1365\u1366\u16EC\u1804\u205A\u205D\u2236\u2254\u2255\u2360" +
	"\u2982\u2A74\u2AF6\uA4FD\uA6F4\uA789\uFE13\uFE30\uFE55\uFF1A\U00010781\U00010782\U00012471\U00012472\U00012473\U00012474\U0001DA8A"

// phrases are words of lines that name a mark, for the eyes of Announcing.
var phrases = [][]byte{ //nolint:gochecknoglobals // a constant
	[]byte("begins every line"), []byte("begins each line"), []byte("begins all lines"), []byte("line that is sectile"), []byte("lines that are sectile"),
}

// announces is Announcing for a line in lower case.
func announces(line []byte) bool {
	for rest := line; ; {
		colon := bytes.IndexByte(rest, ':')
		if colon < 0 {
			break
		}
		if bytes.ContainsFunc(rest[colon+1:], isLetter) && isMark(bytes.TrimRightFunc(line[:len(line)-len(rest)+colon], isSign)) {
			return true
		}
		rest = rest[colon+1:]
	}
	if !bytes.Contains(line, []byte("line")) && !bytes.Contains(line, []byte("sectile")) {
		return false
	}
	words := bytes.Join(bytes.Fields(line), []byte(" "))
	if slices.ContainsFunc(phrases, func(phrase []byte) bool { return bytes.Contains(words, phrase) }) {
		return true
	}
	isOurs := slices.ContainsFunc([]string{"'", "\u2019", "\u02BC"}, func(quote string) bool { return bytes.Contains(words, []byte("sectile"+quote+"s")) })
	return isOurs && slices.ContainsFunc(bytes.FieldsFunc(words, isSign), func(word []byte) bool {
		return isLike(bytes.TrimSuffix(word, []byte("s")), "mark")
	})
}

// isMark reports whether what of a line is before a colon ends with the word: with one that looks like
// it if the line begins so, and elsewhere with a letter of it at least.
func isMark(before []byte) bool {
	begin := bytes.LastIndexFunc(before, isSign)
	if begin >= 0 {
		_, n := utf8.DecodeRune(before[begin:])
		begin += n
	}
	word := before[max(begin, 0):]
	first := before[:len(before)-len(word)]
	first = first[bytes.LastIndexByte(first, softBreak)+1:]
	return isLike(word, "mark") && (bytes.ContainsAny(word, "mark") || !bytes.ContainsFunc(first, unicode.IsLetter))
}

// isLetter reports whether r is part of a word, and isSign whether it isn't.
func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
func isSign(r rune) bool   { return !isLetter(r) }

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
	word := line
	if end := strings.IndexFunc(line, isSign); end >= 0 { // a longer word is another one
		word = line[:end]
	}
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
