package links

import (
	"cmp"
	"path"
	"strings"
)

// A destination is read as a browser reads it: first what it is relative to, then the
// parts, and only then what is percent-encoded in them, so that an encoded '/' or '#'
// separates nothing but an encoded ".." goes up.

// A Destination is what a link's destination says.
type Destination struct {
	// External says that it leads out of the documents: it has a scheme, as "https:" and
	// "javascript:" are, or begins with "//".
	External bool
	// Rooted says that the path begins with '/': it is relative to the root of a site.
	Rooted bool
	// Path is what stands before '?' and '#', decoded; empty for the document itself.
	Path string
	// Folder says that the path ends with '/'.
	Folder bool
	// Fragment is what stands behind '#', decoded; HasFragment says that there is a '#'.
	Fragment    string
	HasFragment bool
}

// ParseDestination reads a destination, in which escapes and entities of Markdown are
// resolved already.
func ParseDestination(s string) Destination {
	s = strings.Trim(s, " \t\r\n")
	if strings.HasPrefix(s, "//") || hasScheme(s) {
		return Destination{External: true}
	}
	var d Destination
	s, d.Fragment, d.HasFragment = strings.Cut(s, "#")
	d.Fragment = decoded(d.Fragment)
	s, _, _ = strings.Cut(s, "?")
	d.Rooted = strings.HasPrefix(s, "/")
	d.Folder = strings.HasSuffix(s, "/")
	d.Path = decoded(strings.Trim(s, "/"))
	return d
}

// textMark begins what a fragment says of a text in the document, behind the name of a place or
// without one.
const textMark = ":~:"

// cutText returns the name in a fragment and what follows it, from textMark on.
func cutText(fragment string) (name, text string) {
	name, _, _ = strings.Cut(fragment, textMark)
	return name, fragment[len(name):]
}

// hasScheme reports whether s begins with a scheme (RFC 3986, section 3.1) of two letters
// or more; one letter is a drive of Windows, and leads out of the documents too.
func hasScheme(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// decoded returns s without percent-encoding; what is none stays. Names of files may be no UTF-8.
func decoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, isHex := hexDigit(s[i+1])
			low, isToo := hexDigit(s[i+2])
			if isHex && isToo {
				out = append(out, high<<4|low)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// hexDigit returns the value of a hexadecimal digit, and whether it is one.
func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// from returns the path that the destination means in a document, and whether it stays
// among the documents. Root is the folder that rooted paths are relative to.
func (d *Destination) from(document, root string) (name string, inside bool) {
	base := path.Dir(document)
	if d.Rooted {
		base = root
	}
	name = cmp.Or(path.Join(base, d.Path), ".")
	switch {
	case strings.ContainsAny(d.Path, "\x00\\"), name == "..", strings.HasPrefix(name, "../"), strings.HasPrefix(name, "/"):
		return "", false
	}
	return name, true
}
