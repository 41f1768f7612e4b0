package selecting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// SelectRequest asks for the parts of documents that a selector chooses, or that another address
// stands for.
type SelectRequest struct {
	Selector string
	Full     bool // whatever the selector's head and tail say
	JSON     bool
	Literal  bool      // paths are files: no folders, no patterns
	Alone    bool      // of the selectors alone, and no other addresses, as mdsel has it
	Time     time.Time // of the request, for JSON
	// MaxChars is the largest number of characters (code points) of text, at
	// least MinChars; 0 sets none. Full, and full=true in the selector, make it at
	// least 40,000. With it the text is one reply: what failed stands after what
	// could be done, both in out. Where there is no room, the matches share it and
	// a line in brackets tells each time what is not shown and how to go on. A
	// selector of more steps or repeats than anyone needs is refused. If nothing
	// could be done, it has at most 2,000 characters. JSON is never cut.
	//
	// What fits is byte for byte what is printed without a limit, but for content
	// with characters that act unseen: a line in brackets at the end warns of them.
	MaxChars int
	// Offered are the tools that a reply of limited length may name.
	Offered replies.Offered
	// Totals gets a line that counts what was found, if there can be several documents, in
	// text without a limit. It may be nil.
	Totals io.Writer
	// More returns the line that stands at the end of a reply of limited length and tells how to
	// go on behind the first n documents, empty if there are no more. The reply is about so many
	// of them as it has room for, at least one; there is no Structured if it goes on. Nil for
	// documents that must be told of together.
	More func(n int) string
	// Later says that a reply about others of the documents came before.
	Later bool
	// Structured gets what text of limited length says in JSON too, from the same
	// bytes of the documents, unless that is longer than MaxChars. It may be nil.
	Structured io.Writer
}

// Select writes what the selector chooses of the documents to out: the source
// text as it is, before each of several parts a line with its selector. What
// failed is written to errs, or in JSON is part of the reply. The error is
// ErrIncomplete, an *Error for a request that can't be answered, that of the
// context, or that of writing to out. What one reply of text delivers is noted in
// the session of docs, if there is one.
func Select(ctx context.Context, docs documents.Set, req SelectRequest, out, errs io.Writer) error {
	if err := checkMaxChars(req.MaxChars); err != nil {
		return err
	}
	s := selecting{SelectRequest: req, many: docs.AreMany(req.Literal)}
	parsed, err := s.parse()
	s.docs = &docs
	if err == nil || !req.Alone {
		s.files = docs.Named(req.Literal)
	}
	if err != nil {
		if parsed = s.parseAddress(); parsed == nil {
			s.failures = []failure{selectorFailure(err)}
			return s.reply(ctx, out, errs)
		}
	}
	s.selector = parsed
	s.known = parsed.Namespace == "" || slices.ContainsFunc(s.files, func(f documents.NamedFile) bool { return s.chosen(&f) })
	if s.MaxChars > 0 && s.full() {
		s.MaxChars = max(s.MaxChars, replies.FullChars)
	}
	w := docs.Worker()
	defer w.Close()
	for i := range s.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &s.files[i]
		doc, err := f.Open(w)
		if err == nil {
			var d *selected
			if d, err = s.look(ctx, doc, i); d != nil {
				err = s.add(ctx, w, d)
			}
		}
		if documents.IsEnd(err) && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.fail(i, fileFailure(ctx, docs.Workspace, f.Path, err))
		}
		docs.TellProgress(i+1, len(s.files))
	}
	unknown := func(f failure) bool { return strings.EqualFold(f.Code, replies.CodeTooComplex) }
	if s.address != "" && len(s.found) == 0 && !slices.ContainsFunc(s.failures, unknown) {
		s.failures = []failure{s.noAddress(err)}
		s.selector = nil
	}
	return s.reply(ctx, out, errs)
}

// selecting is a request in work.
type selecting struct {
	SelectRequest
	selector *address.Selector // nil if it is none
	address  string            // what stands in the place of its steps, if they are none
	docs     *documents.Set
	files    []documents.NamedFile
	many     bool         // there can be several documents
	mark     replies.Mark // of the reply, or none
	known    bool         // the selector's namespace is that of a file, or it has none
	first    int          // so many of the files are told of
	more     string       // how to go on behind them

	searched int   // documents that were looked through
	refused  []int // the files in which there are too many matches
	reason   error // why there are too many, or why the first one has no match
	hints    []hint
	found    []*selected
	spent    int // characters that what was found takes at the least
	failures []failure
}

// selected is a document that has matches.
type selected struct {
	file   int // its index in the list
	path   string
	doc    *markdown.Document // nil if a reply can't hold any of it
	prefix string             // what its selectors begin with, or empty
	count  int                // of matches
	// matches are at least those that a reply can hold, nil if it can't hold any.
	matches matches
	names   []string // the selectors of the first matches, if the others aren't there
	levels  []int32  // levelOrdinals, for JSON, when they are needed
}

// kept returns the number of matches that are there.
func (d *selected) kept() int {
	if d.matches == nil {
		return 0
	}
	return d.matches.Len()
}

// selectors returns the selectors of the first matches after so many: as many as
// there are, and no more than most.
func (d *selected) selectors(behind, most int) []string {
	if d.matches == nil {
		behind = min(behind, len(d.names))
		return d.names[behind:min(behind+most, len(d.names))]
	}
	var names []string
	for i := behind; i < min(behind+most, d.matches.Len()); i++ {
		names = append(names, d.matches.Selector(i))
	}
	return names
}

// fail notes what failed in a file.
func (s *selecting) fail(file int, f failure) {
	f.at = file
	s.failures = append(s.failures, f)
}

// add adds a document that has matches.
func (s *selecting) add(ctx context.Context, w *documents.Worker, d *selected) error {
	limited := s.MaxChars > 0 && !s.JSON
	switch {
	case limited && s.spent > s.MaxChars:
		d.names = d.selectors(0, maxNames)
		d.doc, d.matches = nil, nil
	case d.file < len(s.files)-1:
		var err error
		if d.doc, err = w.Kept(d.doc); err != nil {
			return err
		}
		switch m := d.matches.(type) {
		case *address.Matches:
			d.matches = m.In(d.doc)
		case resolved:
			d.matches = resolved{m.nodes, address.NewNames(d.doc)}
		}
	}
	for i := 0; limited && i < d.kept() && s.spent <= s.MaxChars; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.spent += len(d.matches.Selector(i))
	}
	s.found = append(s.found, d)
	return nil
}

// full reports whether head and tail of the selector mean nothing.
func (s *selecting) full() bool { return s.Full || s.selector.Full }

// chosen reports whether the selector's namespace, if it has one, is the file's.
func (s *selecting) chosen(f *documents.NamedFile) bool {
	return s.selector.Namespace == "" || isNamed(f, s.selector.Namespace)
}

// isNamed reports whether a file has a namespace, or is called by its path in place of one.
func isNamed(f *documents.NamedFile, name string) bool {
	return name == f.Namespace || name == replies.DisplayPath(f.Path)
}

// look follows the selector in a document. It returns nil if there are no matches.
// The error is that of the context.
func (s *selecting) look(ctx context.Context, doc *markdown.Document, file int) (*selected, error) {
	f := &s.files[file]
	if !s.chosen(f) {
		if !s.known {
			return nil, s.hintNamespace(ctx, doc, f)
		}
		return nil, nil //nolint:nilnil // nothing is what was found
	}
	s.searched++
	matches, err := s.choose(ctx, doc, f.Path)
	if err != nil {
		if documents.IsEnd(err) {
			return nil, err
		}
		if replies.AsError(err).Code == replies.CodeTooComplex { // nobody knows what it has
			s.searched--
			return nil, err
		}
		if tooMany(err) {
			s.reason, s.refused = err, append(s.refused, file)
			return nil, nil //nolint:nilnil // nothing is what was found
		}
		if s.reason == nil {
			s.reason = err
		}
		if len(s.found) == 0 && s.address == "" {
			s.hintSelectors(doc, f)
		}
		return nil, nil //nolint:nilnil // nothing is what was found
	}
	d := &selected{file: file, path: f.Path, doc: doc, count: matches.Count(), matches: matches}
	if s.many {
		d.prefix = documents.InNamespace(f.Namespace)
	}
	return d, nil
}

// unresolved reports whether documents could be looked through for the selector,
// and none has a match.
func (s *selecting) unresolved() bool {
	readable := len(s.failures) < len(s.files)
	return s.selector != nil && len(s.found) == 0 && (s.searched > 0 || readable && !s.known)
}

// reply writes the reply.
func (s *selecting) reply(ctx context.Context, out, errs io.Writer) error {
	w := &spooler{out: out}
	if len(s.found) > 0 { // else it is why nothing was found
		for _, file := range s.refused {
			s.fail(file, fileFailure(ctx, nil, s.files[file].Path, &replies.Error{Code: "too_many_matches", Message: replies.Text(s.reason.Error())}))
		}
	}
	switch {
	case s.JSON:
		s.writeJSON(ctx, w)
	case s.MaxChars > 0:
		text, err := s.fitted(ctx)
		if err != nil {
			return err
		}
		w.write(text)
		if s.Structured != nil && s.more == "" && s.keptAll() {
			writeShort(s.Structured, s.MaxChars, func(w *spooler) { s.writeJSON(ctx, w) })
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	default:
		tell(errs, s.failures)
		if s.unresolved() {
			_, _ = errs.Write(unresolvedText(s.Selector, s.why(), s.suggestions())) // there is nowhere else to tell
		}
		s.writeText(ctx, w)
		if s.Totals != nil && s.many && len(s.found) > 0 {
			_, _ = fmt.Fprintln(s.Totals, s.totals())
		}
	}
	return w.finish(len(s.failures) > 0 || s.unresolved(), len(s.found) == 0 && !s.isPart()) // other documents may have some
}

// isPart reports whether the documents of the reply are a part of those that were asked for.
func (s *selecting) isPart() bool { return s.Later || s.more != "" }

// unresolvedText renders that a selector found nothing.
func unresolvedText(selector, why string, suggestions []string) []byte {
	text := outline.AppendSafe([]byte{'!'}, selector)
	text = outline.AppendSafe(append(text, '\n'), why)
	text = append(text, '\n')
	for i, suggestion := range suggestions {
		if i > 0 {
			text = append(text, ' ')
		}
		text = outline.AppendSafe(append(text, '~'), suggestion)
	}
	if text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

// matches returns the number of matches.
func (s *selecting) matches() int {
	n := 0
	for _, d := range s.found {
		n += d.count
	}
	return n
}

// totals counts in words what was found.
func (s *selecting) totals() string {
	matches, documents := "1 match", replies.Plural(s.searched, "document")
	if n := s.matches(); n > 1 {
		matches = fmt.Sprint(n, " matches")
	}
	if n := len(s.found); n < s.searched {
		documents = fmt.Sprint(n, " of ", documents)
	}
	return matches + " in " + documents
}

// keptAll reports whether all matches are there. If not, their selectors alone
// would be longer than a reply.
func (s *selecting) keptAll() bool {
	return !slices.ContainsFunc(s.found, func(d *selected) bool { return d.kept() < d.count })
}

// writeText writes the content of the matches.
func (s *selecting) writeText(ctx context.Context, w *spooler) {
	n := s.matches()
	var head []byte
	for _, d := range s.found {
		for i := range d.kept() {
			if n > 1 {
				head = outline.AppendSafe(head[:0], d.prefix+d.matches.Selector(i))
				head = append(head, ":\n"...)
				w.write(head)
			}
			part := s.part(d.doc, contentSpan(d.doc, d.matches.Node(i)))
			w.write(d.doc.Text(part))
			w.write([]byte(endingAfter(d.doc, part)))
			if w.stop(ctx); w.err != nil {
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

// stop ends the writing if the context has ended.
func (w *spooler) stop(ctx context.Context) {
	if w.err == nil {
		w.err = ctx.Err()
	}
}

func (w *spooler) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// finish writes what is left and returns what the request ends with: whether
// something failed, and whether nothing else is there.
func (w *spooler) finish(failed, nothing bool) error {
	w.flush()
	switch {
	case w.err != nil || !failed:
		return w.err
	case nothing:
		return ErrNothing
	}
	return ErrIncomplete
}

// writeShort writes to out what write does, unless it is longer than so many
// characters.
func writeShort(out io.Writer, limit int, write func(w *spooler)) {
	short := &shortText{most: limit * utf8.UTFMax}
	w := &spooler{out: short}
	write(w)
	if w.flush(); w.err == nil && replies.Chars(short.text) <= limit {
		_, _ = out.Write(short.text) // it is beside the reply
	}
}

// shortText keeps what is written, up to so many bytes.
type shortText struct {
	text []byte
	most int
}

var errTooLong = errors.New("the text is too long")

func (t *shortText) Write(piece []byte) (int, error) {
	if len(t.text)+len(piece) > t.most {
		return 0, errTooLong
	}
	t.text = append(t.text, piece...)
	return len(piece), nil
}

// NoFiles writes the reply to a request that names no document.
func NoFiles(req SelectRequest, out, errs io.Writer) error {
	s := selecting{SelectRequest: req}
	s.failures = []failure{{
		Type: "PARSE_ERROR", Code: "NO_FILES", Message: "No files provided. Specify files to search.",
	}}
	return s.reply(context.Background(), out, errs)
}
