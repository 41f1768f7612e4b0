package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFinding is how many calls are made to read one section.
const maxFinding = 1000

// findSection reads the outline of a file by a call that wants its path. If that does
// not name the section, because there are too many, the headings with its title are asked
// for. Then the section is read, and all that the replies say they left out. The text of
// a short file comes with its outline. What arrives must be all of the section, and its
// line must have been told, or it is a refusal.
func findSection(outline call, byTitle func(file, title string) call) func(s *server, file string, t target) (int, error) {
	return func(s *server, file string, t target) (characters int, err error) {
		ask := func(c call) (string, error) {
			text, err := s.call(c)
			characters += utf8.RuneCountInString(text)
			return text, err
		}
		first := call{outline.Name, maps.Clone(outline.Arguments)}
		first.Arguments["path"] = file
		text, err := ask(first)
		if err != nil || strings.Contains(unified([]byte(text)), t.text) {
			return characters, err
		}
		if !tells(text, t.line) {
			if text, err = ask(byTitle(file, t.title)); err != nil {
				var refused refusal
				if !errors.As(err, &refused) { // one of several names them with their lines
					return 0, err
				}
				text = refused.text
			}
			if !tells(text, t.line) {
				return 0, refusal{"no outline has the line of the section"}
			}
		}
		calls := []call{readSection(file, fmt.Sprintf("L%d", t.line))}
		var replies []string
		for i := 0; i < len(calls); i++ {
			if text, err = ask(calls[i]); err != nil {
				return 0, err
			}
			calls = append(calls, leftOut(file, text)...)
			replies = append(replies, unified([]byte(text)))
			if i > maxFinding {
				return 0, refusal{"the section does not end"}
			}
		}
		if line, ok := arrived(replies, t.text); !ok {
			return 0, refusal{fmt.Sprintf("of the section did not arrive: %q", line)}
		}
		return characters, nil
	}
}

// tells reports whether an outline, of read_file or of markdown_tree as a drawing, or an
// error about several sections of a title has a section that begins on a line.
func tells(outline string, line int) bool {
	return regexp.MustCompile(fmt.Sprintf(`(?m)H[1-6]:%d:|h[1-6]\.\d+ %[1]d[- ]|^ *%[1]d(?:-\d+)?: #`, line)).MatchString(outline)
}

// leftOut returns the calls that read what a reply names as left out, in its head: the
// calls of its lines "continue" and "then", and one for each gap after those.
func leftOut(file, reply string) (calls []call) {
	head, _, _ := strings.Cut(reply, "\n\n")
	_, ranges, ok := strings.Cut(unmarked("\n"+head), "\nleft_out: ")
	if !ok {
		return nil
	}
	ranges, _, _ = strings.Cut(ranges, "\n")
	_, ranges, _ = strings.Cut(ranges, ": ")
	for _, m := range regexp.MustCompile(`(\d+)(?:-(\d+)| \(from character (\d+)\))?(?:, |$)`).FindAllStringSubmatch(ranges, -1) {
		arguments := map[string]any{"path": file, "start_line": number(m[1]), "end_line": number(m[1])}
		if m[2] != "" {
			arguments["end_line"] = number(m[2])
		}
		if m[3] != "" {
			arguments["start_char"] = number(m[3])
		}
		calls = append(calls, call{"read_file", arguments})
	}
	return calls
}

// number reads digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // an expression has found them
	return n
}

// arrived reports whether every line of a text is in replies, as often as it is in the
// text: whole, or in pieces that are lines of replies. If not it returns the line.
func arrived(replies []string, text string) (missing string, ok bool) {
	have := map[string]int{}
	for _, reply := range replies {
		for line := range strings.SplitSeq(reply, "\n") {
			have[line]++
		}
	}
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
		case have[line] > 0:
			have[line]--
		case !inPieces(have, line):
			return line, false
		}
	}
	return "", true
}

// inPieces reports whether a line can be put together from others, the longest first.
func inPieces(have map[string]int, line string) bool {
	for line != "" {
		longest := ""
		for piece, n := range have {
			if n > 0 && len(piece) > len(longest) && strings.HasPrefix(line, piece) {
				longest = piece
			}
		}
		if longest == "" {
			return false
		}
		have[longest]--
		line = line[len(longest):]
	}
	return true
}

// unmarked returns the head of a reply without the mark that its first line announces and
// each of its lines begins with.
func unmarked(head string) string {
	announced, ok := strings.CutPrefix(head, "\nmark: ")
	mark, _, _ := strings.Cut(announced, " ")
	if !ok || mark == "" {
		return head
	}
	return strings.ReplaceAll(head, "\n"+mark+" ", "\n")
}
