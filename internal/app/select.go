package app

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// SelectRequest asks for the parts of documents that a selector chooses.
type SelectRequest struct {
	Selector string
	Full     bool // whatever the selector's head and tail say
	JSON     bool
	Literal  bool      // paths are files: no folders, no patterns
	Time     time.Time // of the request, for JSON
}

// Select writes what the selector chooses of the documents to out: the source
// text as it is, before each of several parts a line with its selector. What
// failed is written to errs, or in JSON is part of the reply. The error is
// ErrIncomplete, that of the context, or that of writing to out.
func Select(ctx context.Context, docs Documents, req SelectRequest, out, errs io.Writer) error {
	s := selecting{SelectRequest: req, many: docs.isMany(req.Literal)}
	parsed, err := address.ParseSelector(req.Selector)
	if err != nil {
		s.failures = []failure{selectorFailure(err)}
		return s.reply(out, errs)
	}
	s.selector = parsed
	s.files = docs.named(req.Literal)
	s.known = parsed.Namespace == "" || slices.ContainsFunc(s.files, func(f namedFile) bool { return s.chosen(&f) })
	w := docs.worker()
	for i := range s.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &s.files[i]
		doc, err := f.open(w)
		if err != nil {
			s.failures = append(s.failures, fileFailure(f.path, err))
			continue
		}
		d := s.look(doc, f)
		if d == nil {
			continue
		}
		if i < len(s.files)-1 {
			if d.doc, err = kept(doc); err != nil {
				s.failures = append(s.failures, fileFailure(f.path, err))
				continue
			}
		}
		s.found = append(s.found, d)
	}
	return s.reply(out, errs)
}

// selecting is a request in work.
type selecting struct {
	SelectRequest
	selector *address.Selector // nil if it is none
	files    []namedFile
	many     bool // there can be several documents
	known    bool // the selector's namespace is that of a file, or it has none

	searched int   // documents that were looked through
	reason   error // why the first one has no match
	hints    []hint
	found    []*selected
	failures []failure
}

// selected is a document that has matches.
type selected struct {
	doc     *markdown.Document
	prefix  string // what its selectors begin with, or empty
	matches []address.Match
	paths   []string // levelPaths, for JSON
}

// chosen reports whether the selector's namespace, if it has one, is the file's.
func (s *selecting) chosen(f *namedFile) bool {
	return s.selector.Namespace == "" || s.selector.Namespace == f.namespace
}

// look follows the selector in a document. It returns nil if there are no matches.
func (s *selecting) look(doc *markdown.Document, f *namedFile) *selected {
	if !s.chosen(f) {
		if !s.known {
			s.hintNamespace(doc, f)
		}
		return nil
	}
	s.searched++
	matches, err := address.Select(doc, s.selector)
	if err != nil {
		if s.reason == nil {
			s.reason = err
		}
		if len(s.found) == 0 {
			s.hintSelectors(doc, f)
		}
		return nil
	}
	d := &selected{doc: doc, matches: matches}
	if s.many {
		d.prefix = inNamespace(f.namespace)
	}
	if s.JSON {
		d.paths = levelPaths(doc)
	}
	return d
}

// unresolved reports whether documents could be looked through for the selector,
// and none has a match.
func (s *selecting) unresolved() bool {
	readable := len(s.failures) < len(s.files)
	return s.selector != nil && len(s.found) == 0 && (s.searched > 0 || readable && !s.known)
}

// reply writes the reply.
func (s *selecting) reply(out, errs io.Writer) error {
	w := &spooler{out: out}
	if s.JSON {
		s.writeJSON(w)
	} else {
		s.tell(errs)
		s.writeText(w)
	}
	return w.finish(len(s.failures) > 0 || s.unresolved())
}

// tell writes what failed as text.
func (s *selecting) tell(errs io.Writer) {
	tell(errs, s.failures)
	if !s.unresolved() {
		return
	}
	text := outline.AppendSafe([]byte{'!'}, s.Selector)
	text = outline.AppendSafe(append(text, '\n'), s.why())
	text = append(text, '\n')
	for i, suggestion := range s.suggestions() {
		if i > 0 {
			text = append(text, ' ')
		}
		text = outline.AppendSafe(append(text, '~'), suggestion)
	}
	if text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	_, _ = errs.Write(text) // there is nowhere else to tell
}

// writeText writes the content of the matches.
func (s *selecting) writeText(w *spooler) {
	n := 0
	for _, d := range s.found {
		n += len(d.matches)
	}
	for _, d := range s.found {
		for _, m := range d.matches {
			if n > 1 {
				head := outline.AppendSafe(nil, d.prefix+m.Selector)
				w.write(append(head, ":\n"...))
			}
			content, _ := s.content(d.doc, m.Node)
			w.write(content)
			if len(content) == 0 || content[len(content)-1] != '\n' {
				w.write([]byte{'\n'})
			}
			if w.err != nil {
				return
			}
		}
	}
}

// spooler writes the pieces of a reply, however long it is. After an error it
// writes no more.
type spooler struct {
	out io.Writer
	buf []byte
	err error
}

// spooled is the number of bytes from which on pieces are handed on.
const spooled = 64 << 10

func (w *spooler) write(piece []byte) {
	if len(w.buf)+len(piece) > spooled {
		w.flush()
	}
	if len(piece) > spooled {
		if w.err == nil {
			_, w.err = w.out.Write(piece)
		}
		return
	}
	w.buf = append(w.buf, piece...)
}

func (w *spooler) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// finish writes what is left and returns what the request ends with.
func (w *spooler) finish(failed bool) error {
	w.flush()
	if w.err == nil && failed {
		return ErrIncomplete
	}
	return w.err
}

// NoFiles writes the reply to a request that names no document.
func NoFiles(req SelectRequest, out, errs io.Writer) error {
	s := selecting{SelectRequest: req}
	s.failures = []failure{{
		Type: "PARSE_ERROR", Code: "NO_FILES", Message: "No files provided. Specify files to search.",
	}}
	return s.reply(out, errs)
}
