package plan

import (
	"errors"
	"fmt"
	"strings"
)

// A template is a compiled format: literal text with groups between.
type template struct {
	parts  []templatePart
	groups groupSet
	words  string // the letters and digits of its literal text
}

// templatePart is literal text and the group after it, numGroups if there is none.
type templatePart struct {
	literal string
	group   group
}

// compileTemplate returns the template for a format, or what is wrong with it.
func compileTemplate(format string, allowed, needed groupSet) (*template, error) {
	switch {
	case format == "":
		return nil, errors.New("it is empty; write how such a line looks")
	case len(format) > maxPattern:
		return nil, fmt.Errorf("it has %d bytes, at most %d are allowed", len(format), maxPattern)
	case strings.ContainsAny(format, "\r\n\x00"):
		return nil, errors.New("it has more than one line, or a NUL; it must be one line")
	}
	t := &template{}
	for format != "" {
		literal, rest, found := strings.Cut(format, "{")
		t.words += wordsOf(literal)
		if !found {
			t.parts = append(t.parts, templatePart{literal, numGroups})
			break
		}
		name, rest, found := strings.Cut(rest, "}")
		g, ok := groupNamed(name)
		if !found || !ok || !allowed.has(g) {
			return nil, fmt.Errorf("it has {%s}; use %s in braces", name, bracedNames(allowed))
		}
		if t.groups.has(g) {
			return nil, fmt.Errorf("it has {%s} twice; once is enough", name)
		}
		t.groups |= setOf(g)
		t.parts = append(t.parts, templatePart{literal, g})
		format = rest
	}
	if missing := needed &^ t.groups; missing != 0 {
		return nil, fmt.Errorf("it lacks %s", bracedNames(missing))
	}
	return t, nil
}

func bracedNames(s groupSet) string {
	return "{" + strings.ReplaceAll(s.names(), ", ", "}, {") + "}"
}

// values are the texts of groups.
type values [numGroups]string

// append appends the line for the groups.
func (t *template) append(dst []byte, v *values) []byte {
	for _, p := range t.parts {
		dst = append(dst, p.literal...)
		if p.group < numGroups {
			dst = append(dst, v[p.group]...)
		}
	}
	return dst
}
