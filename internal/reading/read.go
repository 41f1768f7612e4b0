package reading

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// ReadRequest asks for a part of a document, in one of five ways: Heading,
// Headings, StartLine and EndLine, Complete, or nothing, for the text of a short
// document and the map of a longer one.
type ReadRequest struct {
	Heading    string   // an address
	Headings   []string // several of them
	Occurrence int      // which of equal headings, from 1; 0 demands that there is one
	// StartLine and EndLine are 1-based and inclusive. Without StartLine it is 1,
	// without EndLine the last line.
	StartLine, EndLine int
	// StartChar asks for the rest of the line StartLine from this character (code
	// point) on, from 1; EndLine is the same line, or 0 for it.
	StartChar int
	// NoPart is the answer where no part is asked for and the document is there, instead of
	// its text or its map; nil for these.
	NoPart *replies.Error
	// Map asks for the sections of the document, of the Heading or of the lines, with
	// their hashes.
	Map bool
	// BodyOnly leaves out all subsections of the one Heading, and MaxLevels those
	// whose headings are more levels below its own; 0 leaves out none.
	BodyOnly  bool
	MaxLevels int
	// Complete asks for the whole document however long it is. Only plan files
	// are read so: those below a folder that PlanFolders names.
	Complete    bool
	PlanFolders []string // nil means "plans"
	// Loosely takes a heading with another number of marks, or with a colon at its end,
	// for the one that there is without them, if nothing has it as it was sent.
	Loosely bool
	// MaxChars is the largest number of characters (code points) of the reply;
	// 0 sets none. A line that is longer comes in parts.
	MaxChars int
	JSON     bool
	// Structured wants the reply in JSON too, from the same bytes of the document.
	Structured bool
	// Call spells the request that goes on; nil spells it as a call of the tool
	// read_file.
	Call func(Continuation) string

	workspace *documents.Workspace // where the document was read, nil for the file system
	work      *documents.Work      // whose end ends the reading
	marks     *replies.Marks       // of replies with several parts
	coverage  documents.Coverage   // what was delivered of it
}

// NamesPart reports whether the request says what of the document it is about.
func (r *ReadRequest) NamesPart() bool {
	return r.Heading != "" || len(r.Headings) > 0 || r.StartLine != 0 || r.EndLine != 0 || r.StartChar != 0 || r.Map || r.Complete
}

// ReadReply is a part of a document.
type ReadReply struct {
	Text []byte
	// Structured is the reply in JSON, nil if that was not asked for, or doesn't
	// fit. It may have less of the document, and says so.
	Structured []byte
	// Delivered are the lines whose text is in the reply, and LeftOut the other
	// ones of what was asked for, by passage in source order: with subsections
	// that the request leaves out, and with lines of which a part is left out.
	Delivered, LeftOut []markdown.Lines
	// Parts are the parts of lines that are in the reply. Their lines are not
	// among those that are delivered.
	Parts []LinePart
	// Next are the requests for what was left out, one for each part of it.
	Next []Continuation
	// Failed is the number of headings that could not be read.
	Failed int
	// Mark is what every line begins with that is no text of the document; empty if
	// those end with the first empty line.
	Mark string

	spans    []markdown.Span // the bytes of the document that are there
	texts    []markdown.Span // the bytes of Text that are no lines of ours
	unreadAt int             // where to say what is unread, -1 in JSON
}

// Pieces returns the pieces of Text in order, each with whether it is text of the document.
// A reply in JSON and a map are one piece that isn't, and a note in the place of what was
// left out counts as text.
func (r *ReadReply) Pieces() iter.Seq2[bool, []byte] {
	return func(yield func(bool, []byte) bool) {
		at := 0
		for _, text := range append(slices.Clip(r.texts), markdown.Span{Start: len(r.Text), End: len(r.Text)}) {
			if at < text.Start && !yield(false, r.Text[at:text.Start]) || text.Len() > 0 && !yield(true, r.Text[text.Start:text.End]) {
				return
			}
			at = text.End
		}
	}
}

// HasText reports whether Text has text of the document, which may be empty, apart from lines of ours.
func (r *ReadReply) HasText() bool { return len(r.texts) > 0 }

// Read answers the request about the one document in docs. What it delivers is
// noted in the session, if there is one, and the reply says what is unread still.
// The error is an *Error.
func Read(docs documents.Set, req ReadRequest) (*ReadReply, error) {
	if err := req.check(docs); err != nil {
		return nil, err
	}
	path := docs.Paths[0]
	if req.Complete {
		docs.Work.AnswerWhole()
	}
	doc, large, err := docs.OpenAny(path)
	if err != nil {
		return nil, replies.ErrorAbout(replies.DisplayPath(path), err)
	}
	req.workspace, req.work, req.marks = docs.Workspace, docs.Work, docs.Marks
	if large == nil {
		req.coverage = docs.Coverage(path)
	}
	r := newReading(doc, path, req)
	r.large = large
	r.resolver = func(doc *markdown.Document) address.Resolver { return docs.Resolver(path, doc) }
	return r.read()
}

// readIn answers the request about the document that was read from path.
func readIn(doc *markdown.Document, path string, req ReadRequest) (*ReadReply, error) {
	return newReading(doc, path, req).read()
}

// newReading returns the request about the document that was read from path.
func newReading(doc *markdown.Document, path string, req ReadRequest) *reading {
	if req.Call == nil {
		req.Call = toolCall
	}
	return &reading{req: req, doc: doc, source: path, path: replies.DisplayPath(path), limit: req.MaxChars}
}

// read answers the request.
func (r *reading) read() (*ReadReply, error) {
	req := &r.req
	if req.NoPart != nil && req.Heading == "" && len(req.Headings) == 0 && req.StartLine == 0 && req.EndLine == 0 && !req.Complete {
		return nil, req.NoPart
	}
	if err := r.fillIn(); err != nil {
		return nil, err
	}
	r.spare = req.marks.Draw(r.doc.Source)
	r.next = r.nextMaxChars()
	if err := r.resolveAll(); err != nil {
		return nil, err
	}
	return r.respond()
}

// inJSON answers the request in JSON.
func (r *reading) inJSON() (*ReadReply, error) {
	most := r.limit
	if most == 0 || r.req.Complete {
		return r.answer()
	}
	// JSON has more around the text than a head, and escapes in it: the text is
	// given as much less room as it takes, unless that is too little for anything. Text is left
	// out by paragraphs, so that what is over may stay over for many steps: each is longer.
	few, many := replies.MinChars/2-1, most+1 // characters
	for longer := 20; many-few > 1; longer *= 2 {
		reply, err := r.answer()
		next := 0
		switch {
		case err == nil:
			size := replies.VisibleChars(reply.Text)
			if size <= most {
				return reply, nil
			}
			many, next = r.limit, r.limit*most/size-longer
		case !errors.Is(err, errTooSmall) || r.limit == most:
			return nil, err
		default:
			few = r.limit
		}
		if next <= few {
			next = (few + many) / 2
		}
		r.limit = next
	}
	return nil, r.tooSmall(errTooSmall)
}

// answer answers the request in r.limit characters.
func (r *reading) answer() (*ReadReply, error) {
	req := &r.req
	switch {
	case req.Map:
		return r.outline()
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

// maxHeadings is the number of headings of a request: each that isn't there is looked for
// in the whole document.
const maxHeadings = 1000

// check refuses a request that asks in more than one way, or for what can't be.
func (r *ReadRequest) check(docs documents.Set) error {
	var ways []replies.Arg
	for _, way := range []struct {
		name  replies.Arg
		asked bool
	}{
		{replies.Heading, r.Heading != ""},
		{replies.Headings, len(r.Headings) > 0},
		{replies.CompleteMode, r.Complete},
		{replies.Lines, r.StartLine != 0 || r.EndLine != 0},
	} {
		if way.asked {
			ways = append(ways, way.name)
		}
	}
	var message replies.Sentence
	switch {
	case len(docs.Paths) != 1:
		message = replies.Say("name one document")
	case len(ways) > 1:
		message = replies.Say("%s exclude each other; choose one", replies.Join(ways, " and "))
	case r.Map && (len(r.Headings) > 0 || r.Complete):
		message = replies.Say("%s and %s exclude each other; choose one", replies.Map, ways[0])
	case r.Occurrence < 0:
		message = replies.Say("occurrences are counted from 1")
	case r.Occurrence > 0 && r.Heading == "":
		message = replies.Say("%s chooses among equal headings; %s", replies.Occurrence, replies.Either{
			Model: replies.Say("name one with %s", replies.Heading), Person: replies.Say("give one address"),
		})
	case r.StartLine < 0 || r.EndLine < 0:
		message = replies.Say("lines are counted from 1")
	case len(r.Headings) > maxHeadings:
		message = replies.Say("there are %d headings, and %d is the most in one call; split them into several calls", len(r.Headings), maxHeadings)
	case r.EndLine > 0 && r.StartLine > r.EndLine:
		message = replies.Say("%s %d is after %s %d", replies.StartLine, r.StartLine, replies.EndLine, r.EndLine)
	case r.StartChar != 0:
		message = r.checkStartChar()
	case r.BodyOnly || r.MaxLevels != 0:
		message = r.checkLevels()
	}
	if message.IsEmpty() {
		message = checkMaxChars(r.MaxChars)
	}
	if message.IsEmpty() {
		return nil
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: message}
}

// checkStartChar says what is wrong with asking for a part of a line, nothing if
// nothing is.
func (r *ReadRequest) checkStartChar() replies.Sentence {
	switch {
	case r.StartChar < 0:
		return replies.Say("characters are counted from 1")
	case r.StartLine == 0:
		return replies.Say("%s goes on inside a line; name the line with %s", replies.StartChar, replies.OneLine)
	case r.EndLine > 0 && r.EndLine != r.StartLine:
		return replies.Say("%s is for the rest of one line; %s, or read the lines after it apart", replies.StartChar, replies.Either{
			Model:  replies.Say("leave %s out", replies.EndLine),
			Person: replies.Say("name that one alone with %s", replies.OneLine),
		})
	}
	return replies.Sentence{}
}

// checkLevels says what is wrong with leaving subsections out, nothing if nothing is.
func (r *ReadRequest) checkLevels() replies.Sentence {
	switch {
	case r.Heading == "":
		return replies.Say("subsections can be left out of one heading; name it")
	case r.MaxLevels < 0:
		return replies.Say("%s must not be negative; 0 keeps all", replies.MaxLevels)
	case r.BodyOnly && r.MaxLevels > 0:
		return replies.Say("%s says nothing without subsections; leave it out, or %s", replies.MaxLevels, replies.Subsections)
	}
	return replies.Sentence{}
}

// checkMaxChars says what is wrong with the length of a reply, nothing if nothing is.
func checkMaxChars(n int) replies.Sentence {
	if n != 0 && n < replies.MinChars {
		return replies.Say("%s must be at least %d", replies.MaxChars, replies.MinChars)
	}
	return replies.Sentence{}
}

// reading is a request in work.
type reading struct {
	req      ReadRequest
	doc      *markdown.Document
	large    *documents.Abridged                       // fills texts in, if the document is abridged
	resolver func(*markdown.Document) address.Resolver // nil for one that knows the document alone
	source   string                                    // the path that it was read from
	path     string                                    // as it is shown
	limit    int                                       // characters of the reply; 0 for any number
	// resolved are the parts that ReadRequest.Headings names.
	resolved []passage

	mark     replies.Mark    // of this reply, or none
	spare    replies.Mark    // for a reply that needs one; none on a terminal
	next     int             // MaxChars of requests that go on
	encoded  documents.Taken // by the reply while it becomes JSON
	pathRoom int             // characters that the path is cut to in a head; 0 for any number
	terse    bool            // there is room for nothing but what is needed
	compared int             // titles, with headings that aren't there
}

// heading reads the part that one address names.
func (r *reading) heading() (*ReadReply, error) {
	p, err := r.resolve(r.req.Heading)
	if err != nil {
		return nil, err
	}
	r.omit(p)
	return r.reply([]*passage{p})
}

// headings reads several parts, in the order in which they were asked for.
func (r *reading) headings() (*ReadReply, error) {
	var (
		passages []*passage
		first    *replies.Error
		failed   int
	)
	for i := range r.resolved {
		p := r.resolved[i] // it changes with the room that it has
		passages = append(passages, &p)
		if p.err == nil {
			continue
		}
		failed++
		if first == nil {
			first = p.err
		}
	}
	if failed == len(passages) {
		e := *first
		if failed > 1 {
			e.Message = replies.Say("none of the %d headings is there; the first: %s", failed, e.Message)
		}
		return nil, &e
	}
	if err := r.reserve(passages); err != nil {
		return nil, replies.ErrorAbout(r.path, err)
	}
	return r.reply(passages)
}

// reserve reserves memory for passages in a reply of any length, whose texts are copied into it however
// often they are asked for. One copy of the document is part of what it takes to read it.
func (r *reading) reserve(passages []*passage) error {
	if r.limit > 0 {
		return nil
	}
	const times = 4 // by itself, among all, and in the reply, which grows
	size := -len(r.doc.Source)
	for _, p := range passages {
		if p.err == nil {
			size += p.span.Len()
		}
		if p.res == nil || !r.req.JSON { // else it has whole titles
			continue
		}
		for _, title := range p.res.Breadcrumb {
			size += len(title)
		}
		if p.res.Kind == address.SectionNode {
			size += r.doc.Content(int(r.doc.Sections[p.res.Section].Heading)).Len()
		}
	}
	var taken documents.Taken
	return taken.Add(r.req.work, int64(times*max(size, 0)))
}

// ended returns why the request has ended before its answer, nil if it hasn't.
func (r *reading) ended() error { return r.req.work.Context().Err() }

// askedLines returns the range of lines that is asked for; it may begin after the document's end.
func (r *reading) askedLines() markdown.Lines {
	l := markdown.Lines{First: max(r.req.StartLine, 1), Last: r.req.EndLine}
	switch {
	case r.req.StartChar > 0:
		l.Last = l.First
	case l.Last == 0:
		l.Last = max(r.doc.LineCount, l.First)
	}
	return l
}

// lines reads a range of lines.
func (r *reading) lines() (*ReadReply, error) {
	p, err := r.passageOf("", r.askedLines())
	if err != nil {
		return nil, err
	}
	if r.req.StartChar > 0 {
		if err := p.startAt(r.doc, r.req.StartChar); err != nil {
			return nil, replies.ErrorAbout(r.path, err)
		}
	}
	return r.reply([]*passage{p})
}

// beyond is the error for lines that begin after the document's end.
func (r *reading) beyond(l markdown.Lines) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Path: r.path, Beyond: true, Message: replies.Say(
		"lines %d-%d are not all there; the document has %d lines", l.First, max(l.First, l.Last), r.doc.LineCount)}
}

// complete reads a whole plan file.
func (r *reading) complete(path string) (*ReadReply, error) {
	folders := r.req.PlanFolders
	if folders == nil {
		folders = []string{"plans"}
	}
	if !inFolder(r.realPath(path), folders) {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: r.path, Message: replies.Say(
			"only plan files are read complete, and this one lies in no folder called %s; read its map first, then sections",
			strings.Join(folders, " or "))}
	}
	all := markdown.Lines{First: 1, Last: r.doc.LineCount}
	r.limit = 0
	return r.reply([]*passage{{span: r.doc.LineSpan(all), lines: all, receipt: true}})
}

// realPath returns the path of the document with links resolved: below its root
// if it is in a workspace, else absolute. It is empty for what has none.
func (r *reading) realPath(path string) string {
	var err error
	switch {
	case r.req.workspace != nil:
		path, err = r.req.workspace.FileRoots().Resolve(path)
	case path == documents.Stdin, documents.IsGuide(path):
		return ""
	default:
		if path, err = filepath.Abs(path); err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
	}
	if err != nil {
		return ""
	}
	return path
}

// inFolder reports whether one of the folders is in the path: a name is a component of
// it, and docs/plans two of them.
func inFolder(path string, folders []string) bool {
	dir := "/" + filepath.ToSlash(filepath.Dir(path)) + "/"
	return slices.ContainsFunc(folders, func(folder string) bool {
		folder = strings.Trim(strings.TrimPrefix(filepath.ToSlash(folder), "./"), "/")
		return folder != "" && strings.Contains(dir, "/"+folder+"/")
	})
}

// errTooSmall says that not even a head fits.
var errTooSmall = errors.New("the head of the reply does not fit")
