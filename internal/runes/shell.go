package runes

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ShellQuoted quotes an argument for a POSIX shell, if it needs that. One that isn't UTF-8, or has
// characters that act on a terminal, is quoted as bash and zsh read it, in ASCII and on one line.
func ShellQuoted(s string) string {
	plain := s != ""
	for _, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("._/-:+@%,", c) {
			plain = false
		}
	}
	if plain {
		return s
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, Acts) {
		quoted := strconv.QuoteToASCII(s)
		return "$'" + strings.ReplaceAll(quoted[1:len(quoted)-1], "'", `\'`) + "'" // one of its own at the end stays
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
