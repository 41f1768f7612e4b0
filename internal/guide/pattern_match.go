package guide

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sectile/sectile/internal/filenames"
)

// A path is matched component by component. The doublestar library knows what one
// component means; what lies between them is decided here, because over a whole path
// it lets [!a] match a slash and "docs/**" the file docs. While a folder is walked,
// the places that a pattern has reached on the way to it are kept, so that for a
// file only the last component is looked at, and a folder in which nothing can match
// is not opened.

// alternative is a pattern without braces.
type alternative []component

// component is what stands between two slashes of a pattern.
type component struct {
	text string
	kind componentKind
}

type componentKind uint8

const (
	literal componentKind = iota // the name itself
	glob                         // a pattern for one name
	ending                       // "*" and after it nothing special: the end of a name
	folders                      // any number of folders
)

// parseAlternative reads a pattern whose brackets and backslashes are right and
// which has no braces; or it returns what is wrong with it.
func parseAlternative(text string) (alternative, string) {
	if hasDrive(text) {
		return nil, reasonAbsolute
	}
	return newAlternative(text, splitComponents(text), parseComponent)
}

// newAlternative puts the components together that names, the parts of the text,
// stand for.
func newAlternative(text string, names []string, parse func(string) component) (alternative, string) {
	switch {
	case text == "":
		return nil, "nothing is left of it if its braces stand for nothing, as in {}; write a name in them"
	case strings.HasPrefix(text, "/"):
		return nil, reasonAbsolute
	}
	a := make(alternative, 0, len(names)+1)
	for i, name := range names {
		if name == "" || name == "." {
			if i == len(names)-1 {
				return nil, "it names a folder; add ** for the files in it, as in NAME/**"
			}
			continue
		}
		c := parse(name)
		switch {
		case c.kind == literal && c.text == "..":
			return nil, `it has a component "..", which could leave the category; write it without`
		case c.kind == literal && c.text == ".":
			return nil, `it has a component "." that is escaped; write it without`
		case c.kind == folders && len(a) > 0 && a[len(a)-1].kind == folders:
			continue
		}
		a = append(a, c)
	}
	last := a[len(a)-1]
	if last.kind == folders {
		last = component{"", ending}
		a = append(a, last) // the folder itself is no file
	}
	if last.namesTemplate() {
		return nil, "it names " + templateSuffix + ", which is part of no name here: a template stands for the file that is made of it; leave it out"
	}
	return a, ""
}

// splitComponents splits a pattern at its slashes, escaped ones too.
func splitComponents(text string) []string {
	var names []string
	start := 0
	for i := 0; i < len(text); {
		end, _ := unit(text, i)
		slash := strings.IndexByte(text[i:end], '/')
		if slash >= 0 {
			names = append(names, text[start:i])
			start = end
		}
		i = end
	}
	return append(names, text[start:])
}

// parseComponent reads a component.
func parseComponent(text string) component {
	if text == "**" {
		return component{text, folders}
	}
	// Both forms are made: without special characters the name, else a pattern in
	// which stars that follow each other are one, as the library wants it.
	var name, pattern strings.Builder
	specials, star := 0, false
	for i := 0; i < len(text); {
		end, _ := unit(text, i)
		part := text[i:end]
		again := star && part == "*"
		star = part == "*"
		i = end
		if again {
			continue
		}
		if star || part == "?" || part[0] == '[' {
			specials++
		}
		name.WriteString(strings.TrimPrefix(part, `\`))
		pattern.WriteString(part)
	}
	c := component{pattern.String(), glob}
	switch {
	case specials == 0:
		return component{name.String(), literal}
	case specials == 1 && c.text[0] == '*':
		return component{strings.TrimPrefix(name.String(), "*"), ending}
	}
	return c
}

// matches reports whether a component stands for a name. A hidden one must be
// written out.
func (c component) matches(name string) bool {
	switch {
	case c.kind == literal:
		return c.text == name
	case isHidden(name):
		return false
	case c.kind == folders:
		return true
	case c.kind == ending:
		return strings.HasSuffix(name, c.text)
	}
	return doublestar.MatchUnvalidated(c.text, name)
}

// namesTemplate reports whether a component is about templates as such.
func (c component) namesTemplate() bool {
	text := c.text
	if c.kind == glob {
		text = strings.TrimRight(strings.ReplaceAll(text, `\`, ""), "*?")
	}
	return strings.HasSuffix(text, templateSuffix)
}

// isHidden reports whether a name begins with a dot.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// match is how a pattern stands to a path.
type match uint8

const (
	different match = iota
	extended        // it has the path as NAME.*
	exact
)

// place is a place that a pattern has reached: what comes before the component at
// next stands for the folders so far.
type place struct {
	pattern, alternative, next int32
}

// begin returns the places of the pattern before the first component, as that of
// the number n among others.
func (p Pattern) begin(places []place, n int) []place {
	for i := range p.alternatives {
		places = p.add(places, place{int32(n), int32(i), 0}) //nolint:gosec // patterns are short and few
	}
	return places
}

// add adds a place, and the one after it if that can be reached by no folder.
func (p Pattern) add(places []place, at place) []place {
	for i := len(places) - 1; i >= 0 && places[i].pattern == at.pattern && places[i].alternative == at.alternative; i-- {
		if places[i] == at {
			return places
		}
	}
	places = append(places, at)
	if p.alternatives[at.alternative][at.next].kind == folders {
		at.next++
		places = append(places, at)
	}
	return places
}

// enter returns the places that are reached from another by entering a folder.
func (p Pattern) enter(places []place, at place, name string) []place {
	a := p.alternatives[at.alternative]
	c := a[at.next]
	switch {
	case !c.matches(name):
		return places
	case c.kind != folders:
		at.next++
	}
	if int(at.next) == len(a) {
		return places // what it stands for is a folder
	}
	return p.add(places, at)
}

// file returns how the pattern stands at a place to a file of this name.
func (p Pattern) file(at place, name string) match {
	a := p.alternatives[at.alternative]
	last := a[len(a)-1]
	switch {
	case int(at.next) != len(a)-1:
		return different
	case last.matches(name):
		return exact
	case p.bare && !isHidden(name) && strings.HasPrefix(name, last.text) && name[len(last.text)] == '.':
		return extended
	}
	return different
}

// Match reports whether the pattern stands for the file at path, which is relative
// to the category and has forward slashes. What a last component means beyond its own
// name is left out.
func (p Pattern) Match(path string) bool { return p.match(path) == exact }

// match returns how the pattern stands to the file at path.
func (p Pattern) match(path string) match {
	places := p.begin(nil, 0)
	for {
		name, rest, more := strings.Cut(path, "/")
		if !more {
			break
		}
		var next []place
		for _, at := range places {
			next = p.enter(next, at, name)
		}
		places, path = next, rest
	}
	best := different
	for _, at := range places {
		best = max(best, p.file(at, path))
	}
	return best
}

// protection returns why all that a pattern can mean is never served, empty if something
// may be.
func (p Pattern) protection() (reason string) {
	for _, a := range p.alternatives {
		names := make([]string, len(a))
		for i, c := range a {
			names[i] = c.text
		}
		if reason = filenames.FileProtection(strings.Join(names, "/")); reason == "" {
			return ""
		}
	}
	return reason
}
