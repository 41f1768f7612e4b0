package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/markdown"
)

// Reading is the verb that everything else is for: a part of a document, as it
// is, in a reply of a size that the reader has room for. What does not fit is
// left out by structure (budget.go) and accounted for line by line, with the
// request that goes on; so a reader never takes a part for the whole.

// MinChars is the smallest MaxChars: a head needs so much.
const MinChars = 500

// ReadRequest asks for a part of a document, in one of five ways: Heading,
// Headings, StartLine and EndLine, Complete, or nothing for a map.
type ReadRequest struct {
	Heading    string   // an address
	Headings   []string // several of them
	Occurrence int      // which of equal headings, from 1; 0 demands that there is one
	// StartLine and EndLine are 1-based and inclusive. Without StartLine it is 1,
	// without EndLine the last line.
	StartLine, EndLine int
	// Complete asks for the whole document however long it is. Only plan files
	// are read so: those below a folder that PlanFolders names.
	Complete    bool
	PlanFolders []string // nil means "plans"
	// MaxChars is the largest number of characters (code points) of the reply;
	// 0 sets none.
	MaxChars int
	JSON     bool
	// Call spells the request that goes on; nil spells it as a call of the tool
	// read_file.
	Call func(Continuation) string
}

// Continuation is a request for what a reply left out.
type Continuation struct {
	Path               string
	StartLine, EndLine int      // 0 if Headings are asked for
	Headings           []string // nil if lines are
	// MaxChars is that of the request that was answered, 0 if it had none; or
	// more, if that was too little even for a line.
	MaxChars int
}

// ReadReply is a part of a document.
type ReadReply struct {
	Text []byte
	// Delivered are the lines whose text is in the reply, and LeftOut those that
	// were asked for and are not, by passage in source order.
	Delivered, LeftOut []markdown.Lines
	// Next are the requests for what was left out, one for each part of it.
	Next []Continuation
	// Failed is the number of headings that could not be read.
	Failed int
}

// Read answers the request about the one document in docs. The error is an
// *Error.
func Read(docs Documents, req ReadRequest) (*ReadReply, error) {
	if err := req.check(docs); err != nil {
		return nil, err
	}
	path := docs.Paths[0]
	w := worker{reader: files.Reader{Limit: docs.MaxBytes}, stdin: docs.Stdin}
	doc, err := w.open(path)
	if err != nil {
		return nil, asError(displayPath(path), err)
	}
	if req.Call == nil {
		req.Call = toolCall
	}
	r := reading{req: req, doc: doc, source: path, path: displayPath(path), limit: req.MaxChars}
	if !req.JSON || req.MaxChars == 0 {
		return r.answer()
	}
	// JSON has more around the text than a head, and escapes in it: the text is
	// given as much less room as it takes.
	for range 8 {
		reply, err := r.answer()
		if err != nil {
			return nil, err
		}
		size := chars(reply.Text)
		if size <= req.MaxChars {
			return reply, nil
		}
		r.limit = max(r.limit*req.MaxChars/size-20, MinChars/2)
	}
	return nil, r.tooSmall(errTooSmall)
}

// answer answers the request in r.limit characters.
func (r *reading) answer() (*ReadReply, error) {
	req := &r.req
	switch {
	case req.Complete:
		return r.complete(r.source)
	case req.Heading != "":
		return r.heading()
	case len(req.Headings) > 0:
		return r.headings()
	case req.StartLine > 0 || req.EndLine > 0:
		return r.lines()
	}
	return r.outline()
}

// check refuses a request that asks in more than one way, or for what can't be.
func (r *ReadRequest) check(docs Documents) error {
	ways := []string{}
	for name, asked := range map[string]bool{
		"heading": r.Heading != "", "headings": len(r.Headings) > 0,
		"start_line/end_line": r.StartLine != 0 || r.EndLine != 0, "mode=complete": r.Complete,
	} {
		if asked {
			ways = append(ways, name)
		}
	}
	slices.Sort(ways)
	var message string
	switch {
	case len(docs.Paths) != 1:
		message = "name one document"
	case len(ways) > 1:
		message = strings.Join(ways, " and ") + " exclude each other; choose one"
	case r.Occurrence < 0:
		message = "occurrences are counted from 1"
	case r.Occurrence > 0 && r.Heading == "":
		message = "occurrence chooses among equal headings; name one with heading"
	case r.StartLine < 0 || r.EndLine < 0:
		message = "lines are counted from 1"
	case r.EndLine > 0 && r.StartLine > r.EndLine:
		message = fmt.Sprintf("start_line %d is behind end_line %d", r.StartLine, r.EndLine)
	case r.MaxChars != 0 && r.MaxChars < MinChars:
		message = fmt.Sprintf("max_chars must be at least %d", MinChars)
	default:
		return nil
	}
	return &Error{Code: codeInvalidArgument, Message: message}
}

// reading is a request in work.
type reading struct {
	req    ReadRequest
	doc    *markdown.Document
	source string // the path that it was read from
	path   string // as it is shown
	limit  int    // characters of the reply; 0 for any number
	level  uint8  // the deepest headings that a map shows
}

// heading reads the part that one address names.
func (r *reading) heading() (*ReadReply, error) {
	p, err := r.resolve(r.req.Heading)
	if err != nil {
		return nil, err
	}
	return r.reply([]*passage{p})
}

// headings reads several parts, in the order in which they were asked for.
func (r *reading) headings() (*ReadReply, error) {
	var (
		passages []*passage
		first    *Error
		failed   int
	)
	for _, h := range r.req.Headings {
		p, err := r.resolve(h)
		if err != nil {
			e := asError(r.path, err)
			p = &passage{asked: h, err: e}
			failed++
			if first == nil {
				first = e
			}
		}
		passages = append(passages, p)
	}
	if failed == len(passages) {
		e := *first
		if failed > 1 {
			e.Message = fmt.Sprintf("none of the %d headings is there; the first: %s", failed, e.Message)
		}
		return nil, &e
	}
	return r.reply(passages)
}

// resolve returns the passage that an address names. The error is an *Error.
func (r *reading) resolve(addr string) (*passage, error) {
	res, err := address.Resolve(r.doc, addr, address.Options{Occurrence: r.req.Occurrence})
	if err != nil {
		return nil, asError(r.path, err)
	}
	return &passage{
		asked: addr, res: res, span: res.Span(r.doc), lines: res.Lines(r.doc),
		structured: res.Kind == address.SectionNode || res.Kind == address.DocumentNode,
	}, nil
}

// lines reads a range of lines.
func (r *reading) lines() (*ReadReply, error) {
	l := markdown.Lines{First: max(r.req.StartLine, 1), Last: r.req.EndLine}
	if l.Last == 0 {
		l.Last = max(r.doc.LineCount, l.First)
	}
	if l.Last > r.doc.LineCount {
		return nil, &Error{Code: codeInvalidArgument, Path: r.path, beyond: true, Message: fmt.Sprintf(
			"lines %d-%d are not all there; the document has %d lines", l.First, l.Last, r.doc.LineCount)}
	}
	return r.reply([]*passage{{span: r.doc.LineSpan(l), lines: l}})
}

// complete reads a whole plan file.
func (r *reading) complete(path string) (*ReadReply, error) {
	folders := r.req.PlanFolders
	if folders == nil {
		folders = []string{"plans"}
	}
	if !inFolder(path, folders) {
		return nil, &Error{Code: codeInvalidArgument, Path: r.path, Message: fmt.Sprintf(
			"only plan files are read complete, and this one is in no folder called %s; read its map first, then sections",
			strings.Join(folders, " or "))}
	}
	all := markdown.Lines{First: 1, Last: r.doc.LineCount}
	r.limit = 0
	return r.reply([]*passage{{span: r.doc.LineSpan(all), lines: all, receipt: true}})
}

// inFolder reports whether a folder of one of the names is a component of the
// path, cleaned and with links resolved.
func inFolder(path string, names []string) bool {
	if path == Stdin {
		return false
	}
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return false
	}
	for dir := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(path)), "/") {
		if slices.Contains(names, dir) {
			return true
		}
	}
	return false
}

// toolCall spells a request as a call of the tool read_file.
func toolCall(c Continuation) string {
	args := []string{fmt.Sprintf("path=%q", c.Path)}
	if c.Headings != nil {
		args = append(args, "headings="+string(jsonText(c.Headings)))
	} else {
		args = append(args, fmt.Sprintf("start_line=%d, end_line=%d", c.StartLine, c.EndLine))
	}
	if c.MaxChars > 0 {
		args = append(args, fmt.Sprintf("max_chars=%d", c.MaxChars))
	}
	return "read_file(" + strings.Join(args, ", ") + ")"
}

// jsonText renders v in JSON on one line.
func jsonText(v any) []byte {
	text := appendJSON(nil, v)
	return text[:len(text)-1]
}

// chars counts what MaxChars limits.
func chars(text []byte) int { return utf8.RuneCount(text) }

// errTooSmall says that not even a head fits.
var errTooSmall = errors.New("the head of the reply does not fit")
