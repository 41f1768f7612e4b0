package guide

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Partials are put in their places before the library sees the template, for a
// partial of its own would be read when it is rendered, with HTML escaped and
// without a limit.
//
// What the library gets is one text in a canonical form. Its delimiters hold a
// NUL, which no file that is served has, so that no text can be taken for a tag
// whatever delimiters its file uses. Lines of tags that stand alone are gone
// already; so that the library doesn't find others, each tag of a section has an
// empty comment before it and never stands at the beginning of a line.

const (
	maxPartials     = 1000 // inclusions in one template
	maxPartialDepth = 16   // partials within each other
	tagsPerLook     = 1024 // tags that are read between two looks at the context

	canonicalOpen    = "\x00("
	canonicalClose   = ")\x00"
	canonicalComment = canonicalOpen + "!" + canonicalClose
	canonicalStart   = "{{=" + canonicalOpen + " " + canonicalClose + "=}}" + canonicalComment
)

// inclusion puts a template and its partials into one text.
type inclusion struct {
	ctx      context.Context
	template *Template
	out      strings.Builder
	// tags are the variables and the beginnings of sections in the order of the
	// text, which is that of mustache.Template.Tags.
	tags     []templateTag
	files    []string      // paths of the files that are open: the template and the partials on the way
	sections []templateTag // that are open
	partials int
	source   int // bytes that were read
	read     int // tags that were read
}

// canonical returns the text.
func (e *inclusion) canonical() string { return canonicalStart + e.out.String() }

// file takes in one file. A section must end in the file in which it begins.
func (e *inclusion) file(path, source string) error {
	if err := e.enter(path, source); err != nil {
		return err
	}
	before := len(e.sections)
	s := newScanner(path, source)
	for {
		text, tag, err := s.next()
		if err != nil {
			return err
		}
		e.out.WriteString(text)
		if tag == nil {
			break
		}
		switch e.read++; {
		case e.read > maxTemplateTags:
			return tag.fail("the template has more than %d tags; divide it", maxTemplateTags)
		case e.read%tagsPerLook == 0 && e.ctx.Err() != nil:
			return e.ctx.Err()
		}
		if err := e.take(*tag, before); err != nil {
			return err
		}
	}
	if len(e.sections) > before {
		tag := e.sections[len(e.sections)-1]
		return tag.fail("the section %v is not closed by %v", tag, tag.end())
	}
	e.files = e.files[:len(e.files)-1]
	return nil
}

// enter opens a file, unless that goes beyond a limit.
func (e *inclusion) enter(path, source string) error {
	e.source += len(source)
	switch {
	case e.source > maxTemplateSource:
		return e.tooLarge()
	case strings.Contains(source, "\x00"):
		return fmt.Errorf("%s: it has a NUL byte, which no text has; save it as UTF-8", oneLine(path))
	}
	e.files = append(e.files, path)
	return nil
}

func (e *inclusion) tooLarge() error {
	return fmt.Errorf("%s: the template and what it includes have more than %d bytes; divide it", oneLine(e.template.Path), maxTemplateSource)
}

// take takes in a tag. There were as many open sections as before says at the
// beginning of its file.
func (e *inclusion) take(tag templateTag, before int) error {
	switch tag.kind {
	case '!':
	case '>':
		return e.partial(tag)
	case '&':
		e.tags = append(e.tags, tag)
		e.write(tag)
	case '#', '^':
		if len(e.sections) == maxSections {
			return tag.fail("more than %d sections are within each other; use fewer", maxSections)
		}
		e.sections = append(e.sections, tag)
		e.tags = append(e.tags, tag)
		e.out.WriteString(canonicalComment)
		e.write(tag)
	case '/':
		if len(e.sections) == before {
			return tag.fail("%v closes a section that was not begun in this file", tag)
		}
		begun := e.sections[len(e.sections)-1]
		if begun.name != tag.name {
			return tag.fail("%v stands where %v must close the section of line %d", tag, begun.end(), begun.line)
		}
		e.sections = e.sections[:len(e.sections)-1]
		e.out.WriteString(canonicalComment)
		e.write(tag)
	}
	return nil
}

func (e *inclusion) write(tag templateTag) {
	e.out.WriteString(canonicalOpen)
	e.out.WriteByte(tag.kind)
	e.out.WriteString(tag.name)
	e.out.WriteString(canonicalClose)
}

// partial takes in the file that the tag includes.
func (e *inclusion) partial(tag templateTag) error {
	switch {
	case e.ctx.Err() != nil:
		return e.ctx.Err()
	case e.partials == maxPartials:
		return tag.fail("more than %d partials are included; use fewer", maxPartials)
	case len(e.files) > maxPartialDepth:
		return tag.fail("partials are within each other more than %d times: %s", maxPartialDepth, chain(e.files, tag.name))
	}
	e.partials++
	err := fs.ErrNotExist
	var text []byte
	path := tag.name
	if e.template.Partial != nil {
		text, path, err = e.template.Partial(tag.path, tag.name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return tag.fail("there is no partial %s in this category; it is looked for beside the file and in the category's folder", quoted(tag.name))
	}
	if err != nil {
		return tag.fail("the partial %s can't be read: %w", quoted(tag.name), withoutPath(err))
	}
	if slices.Contains(e.files, path) {
		return tag.fail("the partial %s includes itself: %s", quoted(tag.name), chain(e.files, path))
	}
	source, ok := indented(strings.TrimPrefix(string(text), byteOrderMark), tag.indent, maxTemplateSource-e.source)
	if !ok {
		return e.tooLarge()
	}
	return e.file(path, source)
}

// chain shows which file includes which.
func chain(files []string, last string) string {
	names := append(slices.Clone(files), last)
	for i, name := range names {
		names[i] = oneLine(name)
	}
	return strings.Join(names, " → ")
}

// withoutPath takes the path out of an error of the system, for it is one of the
// host.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// indented puts the blanks before a partial that is alone on its line before each
// line of the partial, unless the line is empty. If that is more than so many bytes,
// it is not made: blanks and lines multiply.
func indented(text, indent string, most int) (string, bool) {
	size := len(text)
	for line := range strings.Lines(text) {
		if line != "\n" && line != "\r\n" {
			size += len(indent)
		}
		if size > most {
			return "", false
		}
	}
	if size == len(text) {
		return text, true
	}
	var b strings.Builder
	b.Grow(size)
	for line := range strings.Lines(text) {
		if line != "\n" && line != "\r\n" {
			b.WriteString(indent)
		}
		b.WriteString(line)
	}
	return b.String(), true
}
