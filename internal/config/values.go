package config

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/runes"
)

// What a value may be, whether it stands in a file or is about to. Each check
// returns what is wrong, or nothing.

// checkName tells what is wrong with the name of a category or collection.
func checkName(name string) string {
	const rule = "; names have letters, digits, - and _, 1 to 64 characters"
	switch {
	case name == "":
		return "the name is empty" + rule
	case utf8.RuneCountInString(name) > maxName:
		return "the name is too long" + rule
	}
	for i, r := range name {
		mark := i > 0 && unicode.In(r, unicode.Mn, unicode.Mc)
		if r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !mark || unseen(r) {
			return fmt.Sprintf("%q is not allowed in a name%s", r, rule)
		}
	}
	return ""
}

// unseen reports whether a letter or mark shows nothing, so that two names could
// look the same.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// checkDir tells what is wrong with the folder of a category.
func checkDir(dir string, scope Scope) string {
	slashed := strings.ReplaceAll(dir, `\`, "/")
	drive := len(dir) > 1 && slashed[1] == ':' && unicode.IsLetter(rune(dir[0])) && (len(dir) == 2 || slashed[2] == '/')
	switch {
	case dir == "" && scope == User:
		return "the folder is empty; name one, absolute or beginning with ~/"
	case dir == "":
		return "the folder is empty; name one, or . for the project's root"
	}
	if message := checkPathName("folder", dir); message != "" {
		return message
	}
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." {
			return "the folder must not contain ..; name one inside the project"
		}
	}
	if reason := filenames.FolderProtection(slashed); reason != "" {
		return reason + "; name another folder"
	}
	if scope == Project && (slashed[0] == '/' || drive || strings.HasPrefix(slashed, "~/") || dir == "~") {
		return "the folder must be relative to the project's root; absolute ones and ~/ are for the user's file"
	}
	if scope == Project && slashed != dir {
		return "the folder's name has a backslash; write / between folders: " + runes.Clip(slashed, maxQuoted)
	}
	return ""
}

// checkPathName tells what is wrong with the characters of a path, and how many they are; the noun
// is what it is of.
func checkPathName(noun, name string) string {
	switch {
	case !utf8.ValidString(name):
		return "the " + noun + "'s name is not UTF-8; write it in UTF-8, or rename the " + noun
	case len(name) > maxDir:
		return fmt.Sprintf("the %s's name has more than %d bytes; shorten it", noun, maxDir)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "the " + noun + "'s name has a control character; take it out"
	}
	return ""
}

// checkDescription tells what is wrong with a description.
func checkDescription(text string) string { return checkProse("description", text, maxDescription) }

// checkProse tells what is wrong with a text of several lines, which is called a noun, and has at
// most so many characters.
func checkProse(noun, text string, most int) string {
	if !utf8.ValidString(text) {
		return "the " + noun + " is not UTF-8; write it in UTF-8"
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("it has %d characters; shorten it to %d", n, most)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		return fmt.Sprintf("the character %q is not allowed in a %s; take it out", r, noun)
	}
	return ""
}

// checkPattern tells what is wrong with a pattern.
func checkPattern(pattern string, check func(string) string) string {
	switch {
	case pattern == "":
		return "the pattern is empty; write one, such as \"*.md\""
	case !utf8.ValidString(pattern):
		return "the pattern is not UTF-8; write it in UTF-8"
	case strings.IndexByte(pattern, 0) >= 0:
		return "the pattern has a NUL character; take it out"
	case len(pattern) > maxPattern:
		return fmt.Sprintf("the pattern has more than %d bytes; shorten it", maxPattern)
	case check == nil:
		return ""
	}
	return oneLine(check(pattern))
}

// checkEntry tells what is wrong with an entry of a collection.
func checkEntry(e Entry, check func(string) string) string {
	if e.Name == "" {
		return "the entry has no name; write NAME or NAME/PATTERN"
	}
	if message := checkName(e.Name); message != "" {
		return message
	}
	if e.Pattern != "" {
		return checkPattern(e.Pattern, check)
	}
	return ""
}

// parseEntry takes an entry apart. The message says what is wrong with its form.
func parseEntry(text string) (e Entry, message string) {
	name, pattern, ok := strings.Cut(text, "/")
	if ok && pattern == "" {
		return Entry{}, "a slash without a pattern behind it; write NAME, or NAME/PATTERN"
	}
	return Entry{Name: name, Pattern: pattern}, ""
}

// String returns the entry as it is written.
func (e Entry) String() string {
	if e.Pattern == "" {
		return e.Name
	}
	return e.Name + "/" + e.Pattern
}

// Text returns a text as YAML that isn't in brackets: plain, or in quotes if it needs them.
func Text(s string) string { return frontmatter.YAMLText(s, false) }

// trimDescription returns a description without what a block scalar ends with.
func trimDescription(text string) string { return strings.TrimRight(text, " \t\n") }
