package config

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/runes"
)

// Mistakes: what the parser stumbles over is often a pattern without quotes, or a
// colon without a blank behind it. Where a line shows which, that is told, with what
// to write.

const maxMeant = 300 // bytes of a text that are looked at: a line may have a lot of them

// meantAt returns the text that was meant to begin at a place of plain: up to where
// it would end, the end of the line, or in brackets a comma or bracket too.
func (s *scan) meantAt(at int) string {
	if len(s.faults) >= maxProblems {
		return s.plain[at : at+1] // nobody is told
	}
	line := s.plain[at:min(len(s.plain), at+maxMeant)]
	line, _, _ = strings.Cut(strings.ToValidUTF8(line, ""), "\n")
	if s.flow > 0 {
		line = line[:itemLength(line)]
	}
	return beforeComment(line)
}

// inQuotes says to put in quotes the text that begins at a place of plain.
func (s *scan) inQuotes(at int) string { return quoteAdvice(s.meantAt(at)) }

// quoteAdvice says to put a text in quotes, and how that looks.
func quoteAdvice(text string) string {
	if written := writeText(runes.Clip(text, maxQuoted), true); written != "" && written[0] != text[0] {
		return "put the text in quotes: " + written
	}
	return "put the text in quotes"
}

// beforeComment returns a text without blanks around it and a comment behind it.
func beforeComment(text string) string {
	text, _, _ = strings.Cut(text, " #")
	return strings.TrimSpace(text)
}

// itemLength returns where an item in brackets ends: at the comma or bracket behind
// it, with brackets and quotes in it closed.
func itemLength(s string) int {
	depth := 0
	var quote byte
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" ,[{", s[i-1]) >= 0):
			quote = c
		case c == '[' || c == '{':
			depth++
		case (c == ',' || c == ']' || c == '}') && depth == 0:
			return i
		case c == ']' || c == '}':
			depth--
		}
	}
	return len(s)
}

// explain returns a fault with what is wrong in its line, if that shows.
func (t *text) explain(f fault) fault {
	if f.offset < 0 || len(t.lines) == 0 {
		return f
	}
	at := t.lineAt(f.offset)
	if found, ok := t.explainLine(at); ok {
		return found
	}
	if !f.vague {
		return f
	}
	for i := at; i >= 0; i-- { // a bracket may have been opened above
		start, value := t.valueOf(i)
		if value == "" || value[0] != '[' && value[0] != '{' {
			continue
		}
		if open := value[1:]; itemLength(open) == len(open) {
			closing := map[byte]string{'[': "]", '{': "}"}[value[0]]
			return fault{offset: start, message: "the bracket " + value[:1] + " is not closed: " + quoted(value) + "; write " + closing + " at its end"}
		}
	}
	return f
}

// valueOf returns the value in a line, behind a dash or a key, and where it begins.
func (t *text) valueOf(i int) (start int, value string) {
	line := t.content(i)
	at := t.indent(i)
	for strings.HasPrefix(line[at:], "- ") {
		at += len(line[at:]) - len(strings.TrimLeft(line[at+1:], " "))
	}
	if key, rest, ok := strings.Cut(line[at:], ": "); ok && checkName(key) == "" {
		at += len(key) + 1 + len(rest) - len(strings.TrimLeft(rest, " ")) + 1
	}
	at = min(at, len(line))
	return t.lines[i].start + at, beforeComment(line[at:])
}

// explainLine finds the usual mistakes in a line.
func (t *text) explainLine(i int) (fault, bool) {
	line := t.content(i)
	if begin := strings.TrimLeft(line, " "); begin != "" {
		if advice := colonAdvice(begin); advice != "" {
			return fault{offset: t.lines[i].start + len(line) - len(begin), message: advice}, true
		}
	}
	start, value := t.valueOf(i)
	if value == "" {
		return fault{}, false
	}
	if advice := bracketAdvice(value); advice != "" {
		return fault{offset: start, message: advice}, true
	}
	if value[0] != '[' {
		return fault{}, false
	}
	for at := 1; at < len(value); at++ { // each item
		at += len(value[at:]) - len(strings.TrimLeft(value[at:], " "))
		if strings.HasPrefix(value[at:], "#") {
			inner := strings.TrimRight(value[at:], "] ")
			return fault{offset: start + at, message: "# begins a comment in YAML, so that the bracket is not closed; " + quoteAdvice(inner)}, true
		}
		length := itemLength(value[at:])
		if advice := bracketAdvice(strings.TrimSpace(value[at : at+length])); advice != "" {
			return fault{offset: start + at, message: advice}, true
		}
		at += length
	}
	return fault{}, false
}

// bracketAdvice tells of a text that begins with a bracket and goes on behind it.
func bracketAdvice(text string) string {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return ""
	}
	end := itemLength(text[1:]) + 2
	if end >= len(text) || strings.IndexByte(" ,]}", text[end]) >= 0 {
		return ""
	}
	what := map[byte]string{'[': "[ begins a list in YAML; ", '{': "{ begins a mapping in YAML; "}[text[0]]
	return what + quoteAdvice(text)
}

// colonAdvice tells of a key without a blank behind its colon.
func colonAdvice(line string) string {
	key, value, ok := strings.Cut(beforeComment(line), ":")
	known := slices.ContainsFunc(keys, func(k Key) bool { return k.Name() == key })
	if !ok || !known || value == "" || value[0] == ' ' || value[0] == '\t' {
		return ""
	}
	return "write a blank behind the colon: " + key + ": " + writeText(runes.Clip(value, maxQuoted), true)
}

// misplaced tells where an unknown key belongs, or which was meant; nothing if
// neither shows. The names are those that may stand there.
func misplaced(it *item, path string, names []string, scope Scope) string {
	name := it.key.text
	if path == "" && it.value.get("dir") != nil {
		return "a category stands below categories: write categories:, and below it, indented, " + writeText(runes.Clip(name, maxQuoted), true) + ":."
	}
	for i := range keys {
		above, last, ok := cutLast(keys[i].Path)
		if !ok || last != name || above == path || keys[i].UserOnly && scope != User {
			continue
		}
		switch above {
		case "categories.NAME":
			return "it belongs to a category: write it below categories: and NAME:."
		case "collections.NAME":
			return "it belongs to a collection: write it below collections: and NAME:."
		case "guide", "plan", "trust":
			return "it belongs below " + above + ":."
		}
	}
	return meant(name, names)
}
