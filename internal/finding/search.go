package finding

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// The ways to look for a query.
const (
	MatchWords = "words" // sections by words in any order, ranked
	MatchText  = "text"  // lines with the text
	MatchRegex = "regex" // lines that match the regular expression
)

// Matches are the ways to look for a query, the first of which is taken if none is named.
func Matches() []string { return []string{MatchWords, MatchText, MatchRegex} }

// Places are where a query is looked for, the first of which is taken if none is named.
func Places() []string { return []string{"all", "headings", "body", "code"} }

// DefaultLimit is the number of sections that a reply shows.
const DefaultLimit = 10

// SearchRequest asks for sections.
type SearchRequest struct {
	Query      string
	Match      string // one of Matches; "" for the first
	In         string // one of Places; "" for the first
	IgnoreCase bool   // of a text or expression, also if it has a capital letter
	// Limit is the number of sections that are shown, 0 for DefaultLimit, -1 for all.
	Limit  int
	Cursor string // goes on where a reply ended
	// Context is the number of lines that are shown before and after each that is found.
	Context int
	// MaxLines is the number of lines that are shown of a section, of those that match; 0 sets none.
	MaxLines int
	// Names asks for the paths of the documents alone.
	Names bool
	// MaxChars is the largest number of characters (code points) of the reply; 0 sets none.
	MaxChars int
	// ErrorsApart leaves documents that can't be searched to who tells of SearchReply.Failed.
	ErrorsApart bool
	// Elsewhere is the engine that is asked instead of the files, if the user has named one;
	// nil for none.
	Elsewhere *Elsewhere
	// JSON makes SearchReply.Text JSON, and Structured wants it beside the text.
	JSON, Structured bool
}

// SearchReply is the answer.
type SearchReply struct {
	Text       []byte
	Structured []byte           // nil unless it was asked for
	Found      int              // sections, on this page and others
	Failed     []*replies.Error // documents that could not be searched, or of which not all could be shown
}

// Search finds sections in the documents of a set; none named stands for all of the project, or
// of a workspace. Documents that can't be searched are told of; if none can, the first one's
// error is returned. The error is an *Error.
func Search(ctx context.Context, docs documents.Set, req SearchRequest) (*SearchReply, error) {
	docs.KeepStdin() // what was found is read again before it is shown
	s := &searching{ctx: ctx, docs: docs, req: req}
	find, err := s.finder()
	if err == nil && docs.Part != "" {
		err = s.checkPart()
	} else if err == nil {
		find, err = s.elsewhere(find)
	}
	if err != nil {
		return nil, asError(err)
	}
	return s.settled(find)
}

// checkPart refuses a request about a part of a document that isn't there. Of a document beyond
// the limit no part alone can be searched.
func (s *searching) checkPart() error {
	path := s.docs.Paths[0]
	doc, err := s.docs.Open(path)
	if err == nil {
		_, _, err = s.docs.Sections(path, doc)
	}
	return err
}

// within returns what says which sections are looked at, nil for all.
func (s *searching) within() func(doc *markdown.Document) (first, end int) {
	if s.docs.Part == "" {
		return nil
	}
	return func(doc *markdown.Document) (first, end int) {
		first, end, err := s.docs.Sections(s.docs.Paths[0], doc)
		if err != nil { // it has changed since it was looked at
			return 0, 0
		}
		return first, end
	}
}

// settled is the reply when no document has changed while it was made.
func (s *searching) settled(find finder) (*SearchReply, error) {
	for range maxRepeats {
		reply, err := s.reply(find)
		if !errors.Is(err, errChanged) {
			return reply, asError(err)
		}
	}
	return nil, &replies.Error{Code: replies.CodeIOError, Message: replies.Say("documents changed again and again while they were searched; try again")}
}

// maxRepeats is how often documents are searched anew that change meanwhile.
const maxRepeats = 5

// errChanged says that a document isn't any more what was searched.
var errChanged = errors.New("a document has changed since it was searched")

// asError returns an error as an *Error.
func asError(err error) error {
	if err == nil {
		return nil
	}
	return replies.ErrorAbout("", err)
}

// searching is a request in work.
type searching struct {
	ctx  context.Context //nolint:containedctx // for as long as one request
	docs documents.Set
	req  SearchRequest
	in   search.Place

	mu    sync.Mutex // of taken
	taken documents.Taken

	hashes   map[documentState]string // of documents of which cursors tell
	abridged sync.Map                 // documents beyond the limit in which something was found, by documentState
}

// finder is what finds sections: a pass over all documents here, or an engine elsewhere. What it
// finds is read again before it is shown, so that no reply rests on what it has remembered.
type finder interface {
	// find returns the first sections, at most so many, in the order in which they are shown, and
	// what is known of all.
	find(s *searching, most int) (*found, error)
	// lines returns the lines to show of a section of a document as it is now. The error says that
	// there is no memory for them.
	lines(d *opened, section int) (matching, error)
	// clip returns the part of a line that is shown, at most so many bytes.
	clip(src []byte, line search.Line, most int) (part search.Line, before, after bool)
}

// found is what a finder has found.
type found struct {
	documents int // that were searched
	matching  int // documents that have a section
	sections  int
	lineCount int              // lines, of a text or an expression
	before    []hit            // those of the pages before
	hits      []hit            // the others
	failed    []*replies.Error // about documents that could not be searched
	unshown   []*replies.Error // about sections whose lines can't be read
	notes     []string         // what else there is to say
	ranked    bool             // the hits are the best, and not the first
	backend   string           // the engine that has found them; empty for a pass over the files
	handed    int              // sections that an engine has handed over
}

// hit is a section that was found.
type hit struct {
	path    string
	section int      // as search.Hit has it
	score   float64  // of words
	version uint64   // of the document that it was found in
	shown   *shown   // as the reply has it, if that was made when it was found
	kept    *keptHit // as an engine has it, if its document can't be reached
}

// finder returns what finds the sections of the request.
func (s *searching) finder() (finder, error) {
	r := &s.req
	place, ok := placeOf(r.In)
	s.in = place
	switch {
	case !ok:
		return nil, invalid("there is no place %q; %sit is one of %s", replies.Clip(r.In, replies.MaxShown), nearest.Question("", r.In, Places()), strings.Join(Places(), ", "))
	case r.Match != "" && !slices.Contains(Matches(), r.Match):
		return nil, invalid("there is no match %q; %sit is one of %s", replies.Clip(r.Match, replies.MaxShown), nearest.Question("", r.Match, Matches()), strings.Join(Matches(), ", "))
	case r.Limit < -1:
		return nil, invalid("%s must be at least 1", replies.Limit)
	case r.Context < 0:
		return nil, invalid("lines of context must not be negative")
	case r.MaxChars != 0 && r.MaxChars < replies.MinChars:
		return nil, invalid("%s must be at least %d", replies.MaxChars, replies.MinChars)
	}
	if r.Match == MatchText || r.Match == MatchRegex {
		by := search.SmartCase
		if r.IgnoreCase {
			by = search.IgnoreCase
		}
		lines, err := search.ParseLines(r.Query, r.Match == MatchRegex, by)
		switch {
		case errors.Is(err, search.ErrEmpty):
			return nil, invalid("the query is empty; write the text to look for")
		case err != nil:
			return nil, invalid("%s", trimmed(err))
		}
		lines.Place, lines.Only = place, s.within()
		return &lineFinder{lines, s.mostLines(), s.reserve}, nil
	}
	query, err := search.Parse(r.Query)
	switch {
	case errors.Is(err, search.ErrEmpty):
		return nil, invalid("the query has no word to look for; write words of what you look for, or ask for a %s or %s", MatchText, MatchRegex)
	case err != nil:
		return nil, invalid("%s", trimmed(err))
	}
	query.In, query.Only = place, s.within()
	f := &wordFinder{query: query}
	for _, pattern := range query.Paths {
		glob, err := files.ParseGlob(pattern)
		if err != nil {
			return nil, replies.ErrorAbout("", err)
		}
		f.globs = append(f.globs, pathFilter{pattern, glob})
	}
	return f, nil
}

// mostLines returns how many lines of a section a reply has room for, 0 for any number.
func (s *searching) mostLines() int {
	const shortest = 4 // characters of a line with its number
	most := s.req.MaxChars / shortest
	if n := s.req.MaxLines; n > 0 && (most == 0 || n < most) {
		most = n
	}
	return most
}

// reserve reserves memory for what is shown until the reply is sent.
func (s *searching) reserve(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken.Add(s.docs.Work, bytes)
}

// trimmed returns the words of an error of package search for people.
func trimmed(err error) string {
	return replies.Clip(replies.Safe(strings.TrimPrefix(err.Error(), "search: ")), 2*replies.MaxShown)
}

// placeOf returns the place of a name.
func placeOf(name string) (search.Place, bool) {
	i := slices.Index(Places(), name)
	if name == "" {
		i = 0
	}
	return []search.Place{search.Everywhere, search.InHeadings, search.InBody, search.InCode}[max(i, 0)], i >= 0
}

func invalid(format string, values ...any) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say(format, values...)}
}
