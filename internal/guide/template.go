package guide

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/cbroglie/mustache"
)

// A template goes four ways before a byte of it is written: its tags are found
// and its partials put in their places (template_scan.go, partial.go), the values
// are brought into the few forms that the library knows how to print
// (template_values.go), each name is looked for in them (template_names.go), and
// the library renders what is left, into a buffer that ends at a limit.
//
// What the library would do on its own is the reason: it renders a partial that
// includes itself until the stack is gone, escapes HTML in partials, passes over
// unknown sections in silence, and prints to standard output when it recovers
// from a panic, which would break the protocol of the server. None of this can
// come about with what it is given here: no partial, only unescaped variables,
// only names that are there, only plain values and a writer that never panics.

// The limits of a template. They are far above what a document needs.
const (
	defaultTemplateBytes = 1 << 20 // of the result
	maxTemplateSource    = 4 << 20 // bytes of the template and all that it includes
	maxTemplateTags      = 100_000 // in the template and all that it includes
	maxTemplateSteps     = 200_000 // texts and tags that are written, and rounds of loops
	stepsPerLook         = 256     // steps between two looks at the context: one can take a while
	maxSections          = 32      // within each other
	byteOrderMark        = "\uFEFF"
)

// Template is a template to render.
type Template struct {
	Path   string // for messages, relative to the category
	Source []byte
	// Vars are what the template may name: nil, truth values, numbers, texts,
	// lists ([]any) and mappings (map[string]any) of these.
	Vars map[string]any
	// Partial returns the text of a partial and its path, relative to the
	// category; from is the path of the file that includes it. The error is
	// fs.ErrNotExist if there is none. Nil is a category without partials.
	Partial  func(from, name string) (text []byte, path string, err error)
	MaxBytes int64 // of the result; 0 means 1 MiB
}

// Render renders the template, which is Mustache
// (https://mustache.github.io/mustache.5.html) without lambdas, inheritance and
// dynamic names. The error says in one sentence what is wrong and where, and
// names no path of the host; if the context ends, it is the context's.
//
// Text outside of tags is kept byte for byte, with CRLF, a byte order mark and no
// final line break if that is how it is. The line of a section's tag, comment,
// partial or change of delimiters vanishes if nothing else is on it, as the
// specification of Mustache says; a lone CR ends no line.
//
// It is stricter than Mustache where silence would hide a mistake. A variable
// must be there wherever it is rendered, in each item of a list; a section must
// be there in one item at least; both are looked for in sections that are not
// rendered too, unless they are those of an empty list or of null. A list or
// mapping can't be a variable. A partial must be there and not include itself.
//
// Values are written as they are, without escaping for HTML; null as nothing; a
// number with a fraction or exponent in the shortest form that means it. Not true
// for a section are false, null, an empty list, zero, and a text that is empty or
// blank; the last two are what the library does where other implementations
// differ.
func Render(ctx context.Context, t Template) ([]byte, error) {
	if t.MaxBytes <= 0 {
		t.MaxBytes = defaultTemplateBytes
	}
	text, err := t.render(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return text, err
}

func (t *Template) render(ctx context.Context) ([]byte, error) {
	vars, err := templateValues(ctx, t.Vars)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", oneLine(t.Path), err)
	}
	source, marked := strings.CutPrefix(string(t.Source), byteOrderMark)
	e := inclusion{ctx: ctx, template: t}
	if err := e.file(t.Path, source); err != nil {
		return nil, err
	}
	tmpl, err := mustache.ParseStringPartialsRaw(e.canonical(), nil, true)
	if err != nil {
		return nil, fmt.Errorf("%s: the template can't be read: %w", oneLine(t.Path), err)
	}
	if err := checkNames(ctx, t.Path, tmpl.Tags(), e.tags, vars); err != nil {
		return nil, fmt.Errorf("%s: %w", oneLine(t.Path), err)
	}

	out := output{ctx: ctx, max: t.MaxBytes}
	if marked {
		_, _ = out.Write([]byte(byteOrderMark))
	}
	if err := cmp.Or(tmpl.FRender(&out, vars), out.err); err != nil {
		return nil, fmt.Errorf("%s: %w", oneLine(t.Path), err)
	}
	return out.text, nil
}

// output takes what the library writes, up to a limit. It must not panic, for the
// library recovers and prints. It may be written to after an error: the library
// looks at the errors of text alone, and there is a text, if an empty one, before
// and after every tag. So steps count the rounds of loops that write nothing too.
type output struct {
	ctx   context.Context
	text  []byte
	max   int64
	steps int
	err   error
}

// Write takes the text, or returns the error that ends the rendering.
func (o *output) Write(text []byte) (int, error) {
	o.steps++
	switch {
	case o.err != nil:
	case int64(len(o.text))+int64(len(text)) > o.max:
		o.err = fmt.Errorf("the result would have more than %d bytes; shorten the lists or the text", o.max)
	case o.steps > maxTemplateSteps:
		o.err = fmt.Errorf("rendering takes more than %d steps; shorten the lists that sections within each other go over", maxTemplateSteps)
	case o.steps%stepsPerLook == 0:
		o.err = o.ctx.Err()
	}
	if o.err != nil {
		return 0, o.err
	}
	o.text = append(o.text, text...)
	return len(text), nil
}
