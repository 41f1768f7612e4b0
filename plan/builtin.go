package plan

import (
	"strings"
	"unicode/utf8"
)

// The patterns of the presets, and for each of them a function that finds the same
// ten to fifty times faster. A configuration that takes one over from a preset gets
// the function, too. A fuzz target compares every function with its pattern.

const (
	headerScoped   = `^(?P<type>[a-z]+)\((?P<scope>[^)\s]+)\)(?P<bang>!?):\s*(?P<title>\S.*)$`
	headerScope    = `^(?P<type>[a-z]+)\((?P<scope>[^)\s]+)\)(?P<bang>!?):`
	headerType     = `^(?P<type>[a-z]+)(?P<bang>!?):`
	headerTitle    = `^(?P<type>[a-z]+)(?P<bang>!?):\s*(?P<title>\S.*)$`
	headerMarkdown = `^# +(?P<title>\S.*)$`
	headerYAML     = `^title:\s*(?P<title>\S.*)$`

	taskColon        = `^(?P<indent>[ \t]*)- \[(?P<mark>[xX ])\]: +(?P<text>\S.*)$`
	taskNoColon      = `^(?P<indent>[ \t]*)- \[(?P<mark>[xX ])\] +(?P<text>\S.*)$`
	taskStrict       = `^(?P<indent>[ \t]*)- \[(?P<mark>[x ])\]: +(?P<text>\S.*)$`
	taskLike         = `^[ \t]*- \[`
	taskBare         = `^[ \t]*\[[xX ]\]:`
	taskMarkdown     = taskNoColon
	taskMarkdownLike = `^[ \t]*- \[[^\]]?\]`
	taskMarkdownBare = `^[ \t]*\[[xX ]\] `
	taskYAML         = `^(?P<indent>[ \t]*)- task: +(?P<text>\S.*?)(?: \((?P<mark>[xX ])\))?$`
	taskYAMLLike     = `^[ \t]*- task:`

	constraintDash      = `^- (?P<key>[A-Z][a-z ]*): (?P<value>[a-z].*)$`
	constraintDashLike  = `^- .*: `
	constraintQuote     = `^> (?P<key>[A-Z][a-z ]*): (?P<value>[a-z].*)$`
	constraintQuoteLike = `^> .*: `
	constraintYAML      = `^(?P<key>[A-Za-z][A-Za-z ]*): (?P<value>[a-z].*)$`
	constraintYAMLLike  = `^[A-Za-z][A-Za-z ]*: `

	scopePattern = `^[a-z][a-z0-9/.-]*$`
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A finder does what a pattern does, but for trimming the groups, for lines with the
// prefix of the pattern. It sets all groups of the pattern and reports where the
// match ends.
type finder func(s string, m *match) (end int, ok bool)

// A known is a pattern of a preset.
type known struct {
	find   finder
	prefix string // what a line that it finds has behind its spaces and tabs; or else
	first  string // the characters one of which it has there
	groups groupSet
}

const (
	inTask       groupSet = 1<<groupIndent | 1<<groupMark | 1<<groupText
	inConstraint groupSet = 1<<groupKey | 1<<groupValue
	inHeader     groupSet = 1<<groupType | 1<<groupScope | 1<<groupBang | 1<<groupTitle
)

// builtin returns what is known of a pattern; find is nil if nothing is.
func builtin(pattern string) known {
	switch pattern {
	case headerScoped:
		return known{func(s string, m *match) (int, bool) { return findTitle(s, findScoped(s, m), m) }, "", letters, inHeader}
	case headerScope:
		return known{func(s string, m *match) (int, bool) { end := findScoped(s, m); return end, end > 0 }, "", letters, inHeader &^ (1 << groupTitle)}
	case headerType:
		return known{func(s string, m *match) (int, bool) { end := findType(s, m); return end, end > 0 }, "", letters, 1<<groupType | 1<<groupBang}
	case headerTitle:
		return known{func(s string, m *match) (int, bool) { return findTitle(s, findType(s, m), m) }, "", letters, inHeader &^ (1 << groupScope)}
	case headerMarkdown:
		return known{findMarkdownTitle, "# ", "", 1 << groupTitle}
	case headerYAML:
		return known{findYAMLTitle, "title:", "", 1 << groupTitle}
	case taskColon:
		return known{func(s string, m *match) (int, bool) { return findTask(s, m, "xX ", "]:") }, "- [", "", inTask}
	case taskNoColon:
		return known{func(s string, m *match) (int, bool) { return findTask(s, m, "xX ", "]") }, "- [", "", inTask}
	case taskStrict:
		return known{func(s string, m *match) (int, bool) { return findTask(s, m, "x ", "]:") }, "- [", "", inTask}
	case taskYAML:
		return known{findYAMLTask, "- task:", "", inTask}
	}
	return builtinSimple(pattern)
}

// builtinSimple goes on for patterns of constraints and of lines that are none.
func builtinSimple(pattern string) known {
	switch pattern {
	case taskLike:
		return known{findPrefix, "- [", "", 0}
	case taskBare:
		return known{func(s string, _ *match) (int, bool) { return 0, bareBox(s, ':') }, "[", "", 0}
	case taskMarkdownLike:
		return known{findMarkdownBox, "- [", "", 0}
	case taskMarkdownBare:
		return known{func(s string, _ *match) (int, bool) { return 0, bareBox(s, ' ') }, "[", "", 0}
	case taskYAMLLike:
		return known{findPrefix, "- task:", "", 0}
	case constraintDash:
		return known{func(s string, m *match) (int, bool) { return findConstraint(s, m, "- ", false) }, "- ", "", inConstraint}
	case constraintDashLike:
		return known{func(s string, _ *match) (int, bool) { return 0, prefixAndColon(s, "- ") }, "- ", "", 0}
	case constraintQuote:
		return known{func(s string, m *match) (int, bool) { return findConstraint(s, m, "> ", false) }, "> ", "", inConstraint}
	case constraintQuoteLike:
		return known{func(s string, _ *match) (int, bool) { return 0, prefixAndColon(s, "> ") }, "> ", "", 0}
	case constraintYAML:
		return known{func(s string, m *match) (int, bool) { return findConstraint(s, m, "", true) }, "", letters, inConstraint}
	case constraintYAMLLike:
		return known{func(s string, m *match) (int, bool) { end := findKey(s, 0, m, true); return end, end > 0 }, "", letters, 0}
	case scopePattern:
		return known{findScope, "", letters, 0}
	}
	return known{}
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// isSpace is \s of package regexp in a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n' }

// unindented returns s without spaces and tabs at its beginning.
func unindented(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}

// findPrefix finds what has the prefix.
func findPrefix(string, *match) (int, bool) { return 0, true }

// findTypeName returns where the lower-case letters at the beginning end.
func findTypeName(s string, m *match) int {
	i := 0
	for i < len(s) && isLower(s[i]) {
		i++
	}
	m.at[groupType] = span{0, i}
	return i
}

// findBang reads "!" and ":" at i and returns what follows, or 0.
func findBang(s string, i int, m *match) int {
	start := i
	if i < len(s) && s[i] == '!' {
		i++
	}
	m.at[groupBang] = span{start, i}
	if i == len(s) || s[i] != ':' {
		return 0
	}
	return i + 1
}

// findType reads "type!:" and returns its end, or 0.
func findType(s string, m *match) int {
	i := findTypeName(s, m)
	if i == 0 {
		return 0
	}
	return findBang(s, i, m)
}

// findScoped reads "type(scope)!:" and returns its end, or 0.
func findScoped(s string, m *match) int {
	i := findTypeName(s, m)
	if i == 0 || i == len(s) || s[i] != '(' {
		return 0
	}
	i++
	start := i
	for i < len(s) && s[i] != ')' && !isSpace(s[i]) {
		i++
	}
	if i == start || i == len(s) || s[i] != ')' {
		return 0
	}
	m.at[groupScope] = span{start, i}
	return findBang(s, i+1, m)
}

// findTitle reads a title from i, where a header ends. It finds none after 0.
func findTitle(s string, i int, m *match) (int, bool) {
	if i == 0 {
		return 0, false
	}
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	m.at[groupTitle] = span{i, len(s)}
	return len(s), i < len(s)
}

func findMarkdownTitle(s string, m *match) (int, bool) {
	if s[0] != '#' { // indented
		return 0, false
	}
	title := strings.TrimLeft(s[1:], " ")
	m.at[groupTitle] = span{len(s) - len(title), len(s)}
	return len(s), title != "" && !isSpace(title[0])
}

func findYAMLTitle(s string, m *match) (int, bool) {
	if s[0] != 't' { // indented
		return 0, false
	}
	return findTitle(s, len("title:"), m)
}

// findTask reads a task with one of the marks in its box.
func findTask(s string, m *match, marks, after string) (int, bool) {
	const before = "- ["
	rest := unindented(s)
	indent := len(s) - len(rest)
	m.at[groupIndent] = span{0, indent}
	if len(rest) == len(before) || strings.IndexByte(marks, rest[len(before)]) < 0 {
		return 0, false
	}
	m.at[groupMark] = span{indent + len(before), indent + len(before) + 1}
	rest, ok := strings.CutPrefix(rest[len(before)+1:], after)
	if !ok {
		return 0, false
	}
	return findText(s, rest, m)
}

// findText reads the text of a task from rest, which begins with spaces and is the
// end of s.
func findText(s, rest string, m *match) (int, bool) {
	text := strings.TrimLeft(rest, " ")
	m.at[groupText] = span{len(s) - len(text), len(s)}
	return len(s), len(text) < len(rest) && text != "" && !isSpace(text[0])
}

func findYAMLTask(s string, m *match) (int, bool) {
	rest := unindented(s)
	m.at[groupIndent], m.at[groupMark] = span{0, len(s) - len(rest)}, span{}
	end, ok := findText(s, rest[len("- task:"):], m)
	text := &m.at[groupText]
	if n := len(s) - len(" (x)"); n > text.start && s[n:n+2] == " (" && s[n+3] == ')' && strings.IndexByte("xX ", s[n+2]) >= 0 {
		text.end, m.at[groupMark] = n, span{n + 2, n + 3}
	}
	return end, ok
}

// bareBox reports whether a line begins with a box and a character.
func bareBox(s string, after byte) bool {
	s = unindented(s)
	return len(s) > 3 && strings.IndexByte("xX ", s[1]) >= 0 && s[2] == ']' && s[3] == after
}

func findMarkdownBox(s string, _ *match) (int, bool) {
	box, _, ok := strings.Cut(unindented(s)[len("- ["):], "]")
	return 0, ok && utf8.RuneCountInString(box) <= 1
}

// findKey reads a key and ": " from i and returns what follows, or 0. A key begins
// with a capital letter and has no others, or it has letters of any case.
func findKey(s string, i int, m *match, anyCase bool) int {
	start := i
	if i == len(s) || !isUpper(s[i]) && (!anyCase || !isLower(s[i])) {
		return 0
	}
	i++
	for i < len(s) && (isLower(s[i]) || s[i] == ' ' || anyCase && isUpper(s[i])) {
		i++
	}
	m.at[groupKey] = span{start, i}
	if !strings.HasPrefix(s[i:], ": ") {
		return 0
	}
	return i + 2
}

func findConstraint(s string, m *match, prefix string, anyCase bool) (int, bool) {
	if !strings.HasPrefix(s, prefix) { // indented
		return 0, false
	}
	i := findKey(s, len(prefix), m, anyCase)
	if i == 0 || i == len(s) || !isLower(s[i]) {
		return 0, false
	}
	m.at[groupValue] = span{i, len(s)}
	return len(s), true
}

func prefixAndColon(s, prefix string) bool {
	return strings.HasPrefix(s, prefix) && strings.Contains(s[len(prefix):], ": ")
}

func findScope(s string, _ *match) (int, bool) {
	if s == "" || !isLower(s[0]) {
		return 0, false
	}
	for i := 1; i < len(s); i++ {
		if c := s[i]; !isLower(c) && (c < '0' || '9' < c) && c != '/' && c != '.' && c != '-' {
			return 0, false
		}
	}
	return len(s), true
}
