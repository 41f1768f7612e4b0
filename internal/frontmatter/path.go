package frontmatter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Path leads from the whole front matter to a value: names of keys, and numbers of items,
// from 0. An empty one leads to all of it.
type Path []string

// ParsePath reads a path as it stands behind the name of the front matter: ".title",
// ".tags.0", ".a.b", `["a.b"]`, `.a["b c"].d`. It reports whether it is one.
func ParsePath(s string) (Path, bool) {
	path := Path{}
	for s != "" {
		var name string
		switch {
		case s[0] == '.':
			end := strings.IndexAny(s[1:], ".[\"] \t\r\n") + 1
			if end == 0 {
				end = len(s)
			}
			name, s = s[1:end], s[end:]
			if name == "" {
				return nil, false
			}
		case strings.HasPrefix(s, `["`):
			var ok bool
			if name, s, ok = bracketed(s); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
		path = append(path, name)
	}
	return path, true
}

// escapes are what stands in a quoted name for what it is, so that a path is one line.
var (
	escapes  = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r'}         //nolint:gochecknoglobals // a constant
	escaping = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`) //nolint:gochecknoglobals // a constant
)

// bracketed reads a name in quotes and brackets, where a backslash begins an escape, and
// returns what follows.
func bracketed(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := len(`["`); i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && escapes[s[i+1]] != 0:
			i++
			b.WriteByte(escapes[s[i]])
		case s[i] != '"':
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i+1:], "]"):
			return b.String(), s[i+len(`"]`):], true
		default:
			return "", "", false
		}
	}
	return "", "", false
}

// String returns the path as ParsePath reads it.
func (p Path) String() string {
	var b strings.Builder
	for _, name := range p {
		if isBare(name) {
			b.WriteString("." + name)
			continue
		}
		b.WriteString(`["` + escaping.Replace(name) + `"]`)
	}
	return b.String()
}

// isBare reports whether a name can stand behind a dot.
func isBare(name string) bool {
	for _, r := range name {
		if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != "" && utf8.ValidString(name)
}

// index returns the number of an item that a name of a path is, -1 if it is none.
func index(name string) int {
	if name == "" || len(name) > 6 || strings.Trim(name, "0123456789") != "" || len(name) > 1 && name[0] == '0' {
		return -1
	}
	n := 0
	for i := range len(name) {
		n = 10*n + int(name[i]-'0')
	}
	return n
}
