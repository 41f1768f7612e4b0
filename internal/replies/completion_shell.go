package replies

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sectile/sectile/internal/runes"
)

// What a document, a file's name or a configuration says must not become a part of a
// command line that a shell runs. The scripts of completion don't see to it: that of bash
// inserts what several candidates begin with as it is and evaluates the line at the next
// TAB; that of PowerShell inserts it so too; that of fish evaluates finished arguments
// without their quotes. So a shell is handed plain text alone, which means itself in all
// of them, quoted or not.

// ForShell returns completions of what is typed as a shell can be handed them. What
// isn't plain is offered by a selector that counts, with its title beside it, or not at
// all. A single completion, which the scripts quote, may also have several words.
func ForShell(found []Completion, typed string) []Completion {
	var list []Completion
	offered := map[string]bool{}
	for _, c := range found {
		switch {
		case IsPlain(c.Selector), isBracketed(c.Selector),
			strings.HasPrefix(typed, "@") && IsPlain(strings.TrimPrefix(c.Selector, "@")), // which somebody has typed
			len(found) == 1 && typed != "" && isTame(c.Selector):
		case IsPlain(c.Counted):
			c.Selector, c.Description = c.Counted, c.Title
		default:
			continue
		}
		// Of equal candidates bash would insert the descriptions.
		if !offered[c.Selector] {
			offered[c.Selector] = true
			c.Description = strings.Join(strings.Fields(Safe(c.Description)), " ")
			list = append(list, c)
		}
	}
	return list
}

// IsPlain reports whether a text is one word that means itself, unquoted, in bash, zsh,
// fish and PowerShell, and begins like no flag.
func IsPlain(text string) bool {
	if text == "" {
		return false
	}
	for i, r := range text {
		if !isWordRune(r) && (i == 0 || !strings.ContainsRune("-:@+=%", r)) {
			return false
		}
	}
	return true
}

// isBracketed reports whether a text is plain but for words in brackets behind others, as those of
// task[open]. Unquoted a shell takes it for a pattern of the names of files: for one of itself and
// no more unless there is such a file, or it refuses it.
func isBracketed(text string) bool {
	before, asked, ok := strings.Cut(text, "[")
	inner, behind, closed := strings.Cut(asked, "]")
	return ok && closed && IsPlain(before) && IsPlain(inner) && (behind == "" || IsPlain(behind))
}

// isWordRune reports whether r is plain wherever it stands. Of what is not ASCII these
// are letters with their marks, and digits: PowerShell takes dashes and quotation marks
// for those of ASCII.
func isWordRune(r rune) bool {
	switch {
	case r < 0x80:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '_' || r == '/'
	case r == unicode.ReplacementChar, !runes.Seen(r):
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// isTame reports whether a text is plain words with a blank between them. They may begin
// with # and end with a comma, and the last of them may stand in brackets, with quotes around
// them, as in task["Buy milk"]. Quoted it means itself; a shell that lost the quotes would
// take it for several arguments, a pattern or a comment, and nothing more.
func isTame(text string) bool {
	if before, asked, ok := strings.Cut(text, `["`); ok && isTame(before) {
		inner, last := strings.CutSuffix(asked, `"]`)
		return last && isTame(inner)
	}
	return !slices.ContainsFunc(strings.Split(text, " "), func(word string) bool {
		return !IsPlain(strings.TrimSuffix(strings.TrimLeft(word, "#"), ",")) && (word == "" || strings.Trim(word, "#") != "")
	})
}
