package guide

import (
	"context"
	"errors"
	"log/slog"
	"math"

	"github.com/sectile/sectile/internal/config"
)

// Options say how categories are served.
type Options struct {
	Content bool
	Date    string // of today, YYYY-MM-DD, for templates
	Log     *slog.Logger
	Memory  *Memory // of what was found before; nil for none
}

// Reply is what a category or collection holds.
type Reply struct {
	Parts     []Part
	Files     []File // of the parts, in the same order
	Matched   int
	Truncated bool
	Skipped   []Skipped // the paths of a collection's begin with the category's name
}

// Serve returns the files of the category or collection of the name that match
// the pattern, or those that count if the pattern is empty. The error is an *Error,
// or that of the context.
func Serve(ctx context.Context, c *config.Loaded, name, pattern string, o Options) (*Reply, error) {
	sources, err := sourcesOf(c, name, pattern)
	if err != nil {
		return nil, err
	}
	return newServing(c, name, pattern, o).serve(ctx, sources)
}

// Value returns the parts as one text: the content of the only file that matches as
// it is, all else as multipart/mixed. One of several that match comes as multipart
// too, so that it is known which of them it is.
func (r *Reply) Value() ([]byte, error) {
	if len(r.Parts) == 1 && r.Matched == 1 {
		return r.Parts[0].Content, nil
	}
	return Multipart(r.Parts)
}

// serving is the answer to one request while it is made. The limits are for the
// whole reply, so each source gets what those before it have left.
type serving struct {
	config        *config.Loaded
	name, pattern string // as they were asked for
	options       Options
	collection    bool // the name is a collection's

	reply  *Reply
	files  int   // that there is room for
	bytes  int64 // that there is room for
	served map[string]*served
	failed []*Error // of sources that could not be looked at
}

// served is what of a category is in the reply already, for a collection may name
// a category more than once.
type served struct {
	parts   map[string]bool
	matched map[string]bool  // nil if the category comes once
	skipped map[Skipped]bool // without details
	bytes   int64
}

// The limits of a configuration that doesn't say any.
const (
	defaultReplyFiles = 100
	defaultReplyBytes = 8 << 20
)

func newServing(c *config.Loaded, name, pattern string, o Options) *serving {
	s := &serving{
		config: c, name: name, pattern: pattern, options: o, collection: c.Category(name) == nil, reply: &Reply{},
		files: c.Guide.MaxFiles, bytes: c.Guide.MaxReplyBytes, served: map[string]*served{},
	}
	if s.files <= 0 {
		s.files = defaultReplyFiles
	}
	if s.bytes <= 0 {
		s.bytes = defaultReplyBytes
	}
	return s
}

// serve takes the sources in turn. What a collection can't take of one it skips.
func (s *serving) serve(ctx context.Context, sources []source) (*Reply, error) {
	times := map[string]int{}
	for i := range sources {
		times[sources[i].category.Name]++
	}
	for i := range sources {
		if err := s.take(ctx, &sources[i], times[sources[i].category.Name] > 1); err != nil {
			return nil, err
		}
	}
	switch {
	case s.reply.Matched == 0 && len(s.failed) > 0 && len(s.failed) == len(times):
		return nil, s.allFailed()
	case s.reply.Matched == 0:
		return nil, s.noMatches(ctx, sources)
	case len(s.reply.Files) == 0:
		return nil, s.nothingRead()
	}
	return s.reply, nil
}

// take adds what a source holds. Again says that its category is in another source
// too.
func (s *serving) take(ctx context.Context, src *source, again bool) error {
	name := src.category.Name
	done := s.served[name]
	if done == nil {
		done = &served{parts: map[string]bool{}, skipped: map[Skipped]bool{}}
		s.served[name] = done
	} else if done.skipped[Skipped{}] {
		return nil // it has failed before
	}
	request, failure := src.request(s.config, s.options)
	if failure != nil {
		return s.fail(src, failure)
	}
	var err error
	if again {
		err = s.countAgain(ctx, request, done)
	}
	var found *Found
	if err == nil {
		found, err = s.discover(ctx, request, done)
	}
	if failure, ok := errors.AsType[*Error](err); ok {
		return s.fail(src, within(name, failure))
	}
	if err != nil {
		return err
	}
	if found.NoFolder {
		return s.fail(src, missingFolder(src.category))
	}
	if !again {
		s.reply.Matched += found.Matched
	}
	s.add(src, found, done)
	return nil
}

// discover looks for as much as there is room for. What of the category is in the
// reply already is found once more and takes no room.
func (s *serving) discover(ctx context.Context, r Request, done *served) (*Found, error) {
	r.MaxFiles, r.MaxBytes = s.files+len(done.parts), s.bytes+done.bytes
	if r.MaxFiles == 0 || r.MaxBytes == 0 { // 0 would be the default
		r.MaxFiles, r.MaxBytes = max(r.MaxFiles, 1), max(r.MaxBytes, 1)
	}
	if s.files == 0 { // it is only counted
		r.Content, r.Names = false, true
	}
	return s.options.Memory.discover(ctx, r)
}

// countAgain counts the files that match and have not been counted for the
// category yet.
func (s *serving) countAgain(ctx context.Context, r Request, done *served) error {
	r.Content, r.Names, r.MaxFiles = false, true, math.MaxInt32
	found, err := s.options.Memory.discover(ctx, r)
	if err != nil {
		return err
	}
	if done.matched == nil {
		done.matched = map[string]bool{}
	}
	matched := found.Matched - len(found.Files) // those that were skipped
	for i := range found.Skipped {
		if done.matched[found.Skipped[i].Path] && matched > 0 {
			matched--
		}
		done.matched[found.Skipped[i].Path] = true
	}
	for i := range found.Files {
		if path := found.Files[i].Path; !done.matched[path] {
			done.matched[path] = true
			matched++
		}
	}
	s.reply.Matched += matched
	return nil
}

// add adds what was found and is not in the reply yet, as far as there is room.
func (s *serving) add(src *source, found *Found, done *served) {
	name := src.category.Name
	for i := range found.Skipped {
		s.skip(name, found.Skipped[i], done)
	}
	s.reply.Truncated = s.reply.Truncated || found.Truncated
	for i := range found.Files {
		file := &found.Files[i]
		size := room(file.Path, file.Content)
		switch {
		case done.parts[file.Path]:
			continue
		case s.files == 0:
			s.reply.Truncated = true
			continue
		case size > s.bytes:
			s.skip(name, Skipped{Path: file.Path, Reason: SkipTooLarge, Detail: crowded(file.Path, file.Content, s.bytes).detail}, done)
			continue
		}
		done.parts[file.Path] = true
		done.bytes += size
		s.files--
		s.bytes -= size
		s.reply.Files = append(s.reply.Files, *file)
		s.reply.Parts = append(s.reply.Parts, Part{Category: name, Path: file.Path, Content: file.Content})
	}
}

// skip notes what was left out of a category, once.
func (s *serving) skip(category string, what Skipped, done *served) {
	once := Skipped{Path: what.Path, Reason: what.Reason} // the room that is left may be another
	if done.parts[what.Path] || done.skipped[once] {
		return
	}
	done.skipped[once] = true
	if s.collection {
		what.Path = category + "/" + what.Path
	}
	s.reply.Skipped = append(s.reply.Skipped, what)
}

// fail returns the failure of a source, or notes it if there may be others.
func (s *serving) fail(src *source, err *Error) error {
	if !s.collection {
		return err
	}
	s.served[src.category.Name].skipped[Skipped{}] = true
	s.failed = append(s.failed, err)
	s.reply.Skipped = append(s.reply.Skipped, Skipped{Path: src.category.Name, Reason: SkipIOError, Detail: err.Message})
	return nil
}
