package links

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// A Splice replaces a range of a document's source.
type Splice struct {
	Span markdown.Span
	Text string
}

// SetFragment returns the splice that makes a link of the source lead to another name in
// the same document, and whether there is one: for a link without a fragment there is none.
// The fragment is percent-encoded as the one before it was. A text fragment behind the name stays,
// as ":~:text=two" is; if it isn't written so, there is no splice.
func SetFragment(src []byte, l *Link, name string) (Splice, bool) {
	if !l.HasFragment || ParseDestination(l.Destination).External {
		return Splice{}, false
	}
	written, text := cutText(string(src[l.Fragment.Start:l.Fragment.End]))
	if text == "" && strings.Contains(ParseDestination(l.Destination).Fragment, textMark) {
		return Splice{}, false
	}
	return Splice{markdown.Span{Start: l.Fragment.Start, End: l.Fragment.Start + len(written)}, l.encoded(written, name)}, true
}

// SetPath returns the splice that makes a link of a document at one path lead to what lies
// at another, and whether there is one: for a link without a path there is none. It keeps
// the style: rooted or relative, with "./" or without, with the extension of the document,
// ".html" or none, or the folder of an index. What lies out of the root, which is that of
// [Options], is named relative to the document.
func SetPath(src []byte, l *Link, from, to, root string) (Splice, bool) {
	return setPath(src, l, from, to, root, false)
}

// setPath is SetPath for a link that led to the index of a folder by the name of that, if byFolder
// is set: no site makes one of a document that is no index.
func setPath(src []byte, l *Link, from, to, root string, byFolder bool) (Splice, bool) {
	written := string(src[l.Written.Start:l.Written.End])
	end, ok := pathEnd(l, written)
	old := ParseDestination(l.Destination)
	if !ok || old.External || l.Wiki() || end == 0 || old.Path == "" && !old.Rooted {
		return Splice{}, false
	}
	name := to
	switch old.Folder = old.Folder && (!byFolder || isIndex(to)); {
	case !byFolder:
		name = styled(&old, to)
	case isIndex(to):
		name = path.Dir(to)
	}
	if rooted := relative(root, name); old.Rooted && !strings.HasPrefix(rooted, "../") {
		name = "/" + rooted
	} else {
		name = relative(path.Dir(from), name)
		if strings.HasPrefix(written, "./") && !strings.HasPrefix(name, "../") {
			name = "./" + name
		}
	}
	if old.Folder && !strings.HasSuffix(name, "/") {
		name += "/"
	}
	span := markdown.Span{Start: l.Written.Start, End: l.Written.Start + end}
	return Splice{span, l.encoded(written[:end], name)}, true
}

// pathEnd returns where the path of a destination ends in what is written of it, and whether that
// is known: of the '?' and '#' that an entity stands for it is not, and that of an entity is none.
func pathEnd(l *Link, written string) (end int, ok bool) {
	end = len(written)
	if l.HasFragment {
		if end = l.Fragment.Start - l.Written.Start - len("#"); end < 0 || end >= len(written) || written[end] != '#' {
			return 0, false
		}
	}
	name, _, _ := strings.Cut(l.Destination, "#")
	if strings.Count(name, "?") != strings.Count(written[:end], "?") {
		return 0, false
	}
	if i := strings.IndexByte(written[:end], '?'); i >= 0 {
		end = i
	}
	return end, true
}

// styled returns the path of a document as the destination names documents.
func styled(old *Destination, to string) string {
	ext := path.Ext(to)
	isDocument := false
	for _, e := range extensions {
		isDocument = isDocument || e == ext
	}
	if !isDocument {
		return to
	}
	bare := strings.TrimSuffix(to, ext)
	switch was := path.Ext(old.Path); {
	case old.Folder && isIndex(to):
		return path.Dir(to)
	case was == ".html":
		return bare + ".html"
	case was == "":
		return bare
	}
	return to
}

// isIndex reports whether a path, with an extension or without, is that of an index of its folder.
func isIndex(name string) bool {
	bare := strings.TrimSuffix(path.Base(name), path.Ext(name))
	return strings.EqualFold(bare, "readme") || strings.EqualFold(bare, "index")
}

// relative returns the path of name as seen from a folder.
func relative(folder, name string) string {
	a, b := parts(folder), parts(name)
	common := 0
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	out := strings.Repeat("../", len(a)-common) + strings.Join(b[common:], "/")
	if out == "" {
		return "./"
	}
	return out
}

// PathTo returns the destination of a link from the document at one path to that at another.
func PathTo(from, to string) string {
	name := inPath(Encoded(relative(path.Dir(from), to)))
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ":") {
		name = "./" + name // which is no scheme
	}
	return name
}

// parts returns the parts of a clean path, none for the folder of the set.
func parts(name string) []string {
	if name = path.Clean(name); name == "." || name == "" {
		return nil
	}
	return strings.Split(name, "/")
}

// encoded returns a text as part of the link's destination, in the style of the part that
// it replaces: what isn't ASCII is percent-encoded if anything was.
func (l *Link) encoded(old, text string) string {
	if l.Wiki() {
		return text
	}
	return encoded(text, strings.Contains(old, "%") && !strings.ContainsFunc(old, func(r rune) bool { return r >= utf8.RuneSelf }))
}

// Encoded returns a path or the name of a place as it is written in a destination: what
// would mean something else there is percent-encoded, and what isn't ASCII stays, but in a text
// that is no UTF-8.
func Encoded(text string) string { return encoded(text, false) }

// encoded is Encoded, with all that isn't ASCII percent-encoded too if all is set.
func encoded(text string, all bool) string {
	all = all || !utf8.ValidString(text)
	var out []byte
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf && !all || isPlain(c) {
			out = append(out, c)
		} else {
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	return string(out)
}

// isPlain reports whether a byte of ASCII means itself in a path or fragment, wherever
// Markdown and HTML have them.
func isPlain(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$+,;=:@/#", c) >= 0
}
