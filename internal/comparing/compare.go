package comparing

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sectiondiff"
	"github.com/sectile/sectile/markdown"
)

// Request asks what is different.
type Request struct {
	// Old and New are a document or a folder each; in place of Old there may be a Revision of
	// the repository that New lies in, or the Past. Beside one of them a Revision is what the
	// same word would name, too: if it names a commit, nobody knows which is meant.
	Old, New string
	Revision string
	Past     *Past
	// ReadOnly is for a request that may write nothing at all: Jujutsu makes no index.
	ReadOnly bool
	// Section, if it isn't empty, is the address of the part of the one document that
	// differences are told of.
	Section string
	// Patch adds the lines that differ.
	Patch bool
	// Stat tells of documents alone.
	Stat bool
	// Cursor goes on where a reply ended.
	Cursor string
	// MaxChars is the largest number of characters (code points) of the reply; 0 sets none.
	MaxChars int
	// JSON makes Reply.Text JSON, and Structured wants it beside the text.
	JSON, Structured bool
}

// Reply is the answer.
type Reply struct {
	Text       []byte
	Structured []byte           // nil unless it was asked for
	Differs    bool             // there is a difference
	Failed     []*replies.Error // documents that could not be read, which the text names too
}

// Compare answers a request about the documents of a set, whose paths don't matter. The error
// is an *Error.
func Compare(ctx context.Context, docs documents.Set, req Request) (*Reply, error) {
	if message := req.check(); !message.IsEmpty() {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: message}
	}
	c := &comparing{ctx: ctx, docs: docs, req: req, named: map[*markdown.Document]*replies.Named{}}
	if roots := docs.Workspace.FileRoots(); roots != nil {
		c.covers = roots.Covering()
	}
	if err := c.states(); err != nil {
		return nil, err
	}
	if err := c.open(); err != nil {
		return nil, err
	}
	if err := c.restrict(); err != nil {
		return nil, err
	}
	changes, err := sectiondiff.Compare(ctx, c.pairs)
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	c.changes = slices.DeleteFunc(changes, func(change sectiondiff.Change) bool { return !c.isWanted(&change) })
	return c.reply()
}

// check says what is wrong with the request, nothing if nothing is.
func (r *Request) check() replies.Sentence {
	switch {
	case r.Past != nil && r.Old != "":
		return replies.Say("compare with one state alone: another document or folder, a revision, or a time")
	case r.Past == nil && (r.Old == "" && r.Revision == "" || r.New == ""):
		return replies.Say("name two documents, or two folders")
	case r.MaxChars != 0 && r.MaxChars < replies.MinChars:
		return replies.Say("%s must be at least %d", replies.MaxChars, replies.MinChars)
	case r.Patch && r.Stat:
		return replies.Say("%s tells of documents alone; leave out one of both", replies.Arg("stat"))
	}
	return replies.Sentence{}
}

// comparing is a request in work.
type comparing struct {
	ctx  context.Context //nolint:containedctx // for as long as one request
	docs documents.Set
	req  Request

	covers func(path string) bool // whether a file of the host may be read, as far as that shows without a look at it; nil for any

	old, now *state
	pairs    []sectiondiff.Pair
	names    []pairNames
	same     int // documents that are the same, to the byte
	failed   []*replies.Error
	changes  []sectiondiff.Change

	named map[*markdown.Document]*replies.Named // what names the sections

	// Of a request for a part: the sections that it has in both states.
	part             bool
	oldPart, newPart span
}

// pairNames are the paths of a document in both states; "" where it isn't there.
type pairNames struct{ old, now string }

// span is sections from the first up to before the end.
type span struct{ first, end int }

// has reports whether the span has a place, or one of so many sections below it.
func (s span) has(p *sectiondiff.Place, below int) bool {
	return p != nil && p.Index+below >= s.first && p.Index < s.end
}

// text returns the text of the sections, nil if they aren't there.
func (s span) text(doc *markdown.Document) []byte {
	switch {
	case doc == nil || s.first == s.end:
		return nil
	case s.first >= 0:
		return doc.Text(doc.SectionSpan(s.first))
	case s.end == 0:
		return doc.Text(doc.Preamble())
	}
	return doc.Text(markdown.Span{Start: doc.Preamble().Start, End: len(doc.Source)})
}

// open reads the documents of both states and keeps those that differ.
func (c *comparing) open() error {
	if c.old.single != c.now.single {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(
			"%s and %s can't be compared, for one is a document and the other isn't; name two documents, or two folders", c.old.shown, c.now.shown)}
	}
	keys := slices.Clone(c.now.order)
	for _, key := range c.old.order {
		if _, ok := c.now.sources[key]; !ok {
			keys = append(keys, key)
		}
	}
	old, now := c.docs.Worker(), c.docs.Worker()
	defer old.Close()
	defer now.Close()
	changed := c.changedSince(keys, now)
	for i := 0; i < len(changed); {
		n, err := c.old.load(c.ctx, changed[i:])
		if err != nil {
			return replies.ErrorAbout("", err)
		}
		for _, key := range changed[i : i+n] {
			if err := c.ctx.Err(); err != nil {
				return replies.ErrorAbout("", err)
			}
			if err := c.pair(key, old, now); err != nil {
				return err
			}
		}
		i += n
		c.docs.TellProgress(i, len(changed))
	}
	if len(c.failed) > 0 && len(keys) == 1 {
		return c.failed[0]
	}
	return nil
}

// pair reads one document of both states. Its error is for one that is all there is.
func (c *comparing) pair(key string, oldWorker, nowWorker *documents.Worker) error {
	var p sectiondiff.Pair
	var names pairNames
	read := func(s *state, w *documents.Worker, shown *string) *markdown.Document {
		from, ok := s.sources[key]
		if !ok {
			return nil
		}
		*shown = from.shown
		doc, err := from.open(w, &c.docs)
		if err != nil {
			c.failed = append(c.failed, replies.ErrorAbout(from.shown, err))
			return nil
		}
		return doc
	}
	before := len(c.failed)
	p.Old = read(c.old, oldWorker, &names.old)
	oldWorker.Keep() // or the other document would wait for this one
	p.New = read(c.now, nowWorker, &names.now)
	if len(c.failed) > before+1 { // both states, mostly for one reason
		c.failed = slices.Delete(c.failed, before, before+1)
	}
	switch {
	case len(c.failed) > before:
		if c.old.single {
			return c.failed[before]
		}
		return nil
	case p.Old != nil && p.New != nil && bytes.Equal(p.Old.Source, p.New.Source):
		c.same++
		if c.req.Section == "" || !c.now.single {
			return nil
		}
		if _, err := c.partOf(p.New, c.req.Section); err != nil { // what isn't there is told so, not as the same
			return replies.ErrorAbout(names.now, err)
		}
		return nil
	}
	var err error
	if p.Old != nil && c.old.sources[key].past == nil {
		if p.Old, err = oldWorker.Kept(p.Old); err != nil {
			return replies.ErrorAbout(names.old, err)
		}
	}
	if p.New != nil {
		if p.New, err = nowWorker.Kept(p.New); err != nil {
			return replies.ErrorAbout(names.now, err)
		}
	}
	sections := 0
	for _, doc := range [...]*markdown.Document{p.Old, p.New} {
		if doc != nil {
			sections += len(doc.Sections)
		}
	}
	if err := c.hold(sectionBytes * int64(sections)); err != nil {
		c.failed = append(c.failed, replies.ErrorAbout(cmp.Or(names.now, names.old), err))
		return nil
	}
	c.pairs, c.names = append(c.pairs, p), append(c.names, names)
	return nil
}

// sectionBytes is about what a section takes while documents are compared, and told of.
const sectionBytes = 400

// restrict finds the part that is asked for in both states.
func (c *comparing) restrict() error {
	if c.req.Section == "" {
		return nil
	}
	c.part = true
	if !c.old.single {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("a section is in one document; name that document, not a folder")}
	}
	if len(c.pairs) == 0 { // there is no difference, and so none in the section
		return nil
	}
	now, err := c.partOf(c.pairs[0].New, c.req.Section)
	old, oldErr := c.partOf(c.pairs[0].Old, c.req.Section)
	if err != nil && oldErr != nil {
		return replies.ErrorAbout(c.names[0].now, err)
	}
	c.newPart, c.oldPart = now, old
	return nil
}

// partOf returns the sections of a document that an address names.
func (c *comparing) partOf(doc *markdown.Document, addr string) (span, error) {
	if doc == nil { // it isn't there in this state
		return span{}, &replies.Error{Code: string(address.HeadingNotFound), Message: replies.Say("the document has no sections")}
	}
	res, err := c.docs.Resolver("", doc).Nth(addr, 0)
	switch {
	case err != nil:
		return span{}, err
	case res.Kind == address.DocumentNode:
		return span{-1, len(doc.Sections)}, nil
	case res.Kind == address.PreambleNode:
		return span{-1, 0}, nil
	case res.Kind != address.SectionNode:
		return span{}, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is no section; differences are told by section", replies.Safe(addr))}
	}
	return span{res.Section, int(doc.Sections[res.Section].Next)}, nil
}

// isWanted reports whether a change is in the part that was asked for.
func (c *comparing) isWanted(change *sectiondiff.Change) bool {
	return !c.part || c.newPart.has(change.New, change.Below) || c.oldPart.has(change.Old, change.Below)
}
