package guide

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// Request says which files of a category are wanted.
type Request struct {
	// Dir is the folder of the category, an absolute path of the host.
	Dir string
	// Within is a folder, an absolute path, that Dir must lie in wherever links
	// lead; empty if Dir may be anywhere.
	Within string
	// Roots are those of a server, one of which Dir must lie in too; nil for any.
	Roots *files.Roots
	// Patterns are taken in turn; a file that two of them match comes once.
	Patterns []Pattern
	// Filter must match as well, all of them.
	Filter []Pattern
	// MaxDepth is the number of folders below Dir on the way to a file; 0 means 8.
	MaxDepth int
	// MaxFiles is the largest number of files that are returned; 0 means 100.
	MaxFiles int
	// MaxFileBytes and MaxBytes are the largest sizes of one content and of all
	// together; 0 means 1 MiB and 8 MiB.
	MaxFileBytes, MaxBytes int64
	// Content says that the files are read, and templates rendered with Vars.
	Content bool
	Vars    map[string]any
	// Names says that without Content files are not looked at: Size and Modified stay
	// empty.
	Names bool
	Log   *slog.Logger // nil for none
}

// File is one that matches.
type File struct {
	Path     string // relative to the category, with forward slashes; of a template without .mustache
	Basename string
	Size     int64 // bytes on disk
	Modified time.Time
	Template bool   // it is rendered from Path + ".mustache"
	Content  []byte // nil unless it was asked for
}

// Skipped is a file or folder that was left out.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
}

// The reasons for leaving something out.
const (
	SkipBinary     = "binary"     // it holds a NUL byte
	SkipEncoding   = "encoding"   // it is not UTF-8
	SkipMissing    = "missing"    // it vanished, or a link leads nowhere
	SkipPermission = "permission" // it may not be read
	SkipTooLarge   = "too_large"  // it, or all together, is beyond a limit
	SkipOutside    = "outside"    // a link leaves the category
	SkipNotAFile   = "not_a_file" // a pipe, socket or device
	SkipDepth      = "depth"      // a folder deeper than the limit
	SkipTemplate   = "template"   // it can't be rendered; Detail says why
	SkipIOError    = "io_error"   // the system said something else; Detail says what
)

// Found is what a request found.
type Found struct {
	Files     []File
	Matched   int       // files that match, whether or not they are in Files
	Truncated bool      // Files ends at MaxFiles, or because too many were left out
	Skipped   []Skipped // in the order of paths
	NoFolder  bool      // the folder is not there, or is none
}

// Discover finds the files. A folder that is missing gives no files and a warning
// in the log, a pattern that matches nothing no files, and a file whose metadata
// can't be read is left out with a debug line. The error is an *Error: of the
// type ValidationError if Dir is relative, IOError if the folder can't be read;
// or that of the context; one is returned after 30 s, too.
func Discover(ctx context.Context, r Request) (*Found, error) {
	within, cancel := context.WithTimeout(ctx, longestSearch)
	defer cancel()
	found, err := discover(within, r, openRoot)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = errLongSearch
	}
	return found, err
}

// longestSearch is how long the files of a category are looked for, by whoever has no limit of
// his own: patterns come from the project, and each is compared with each name.
const longestSearch = 30 * time.Second

var errLongSearch = errors.New("looking for its files takes more than 30 s; name fewer or simpler patterns")

// The limits of a request that doesn't say any.
const (
	defaultDepth     = 8
	defaultFiles     = 100
	defaultFileBytes = 1 << 20
	defaultBytes     = 8 << 20
)

// maxLeftOut is the number of files that are left out before the search ends: each
// was opened, and nothing else bounds what that costs.
const maxLeftOut = 10_000

// discover is Discover with the way in which a folder is opened.
func discover(ctx context.Context, r Request, open opener) (*Found, error) {
	if !filepath.IsAbs(r.Dir) || r.Within != "" && !filepath.IsAbs(r.Within) {
		return nil, &Error{Type: ValidationError, Message: fmt.Sprintf(
			"the folder of a category must be an absolute path, and %s is none; join it to the project's root", quoted(r.Dir))}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := newSearch(ctx, r)
	top, err := open(r.Roots, r.Dir, r.Within)
	if err != nil {
		return s.closed(err)
	}
	defer top.close()
	s.root = top
	if err := s.look(); err != nil {
		return nil, err
	}
	s.collect()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.out.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return s.out, nil
}

// search is a request that is being answered.
type search struct {
	ctx     context.Context
	request Request
	root    root
	out     *Found
	walker  walker
	left    int64 // bytes that the contents may still have together
	leftOut int   // files that match and were left out
}

func newSearch(ctx context.Context, r Request) *search {
	if r.MaxDepth <= 0 {
		r.MaxDepth = defaultDepth
	}
	if r.MaxFiles <= 0 {
		r.MaxFiles = defaultFiles
	}
	if r.MaxFileBytes <= 0 {
		r.MaxFileBytes = defaultFileBytes
	}
	if r.MaxBytes <= 0 {
		r.MaxBytes = defaultBytes
	}
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	s := &search{ctx: ctx, request: r, out: &Found{}, left: r.MaxBytes}
	s.walker = walker{
		ctx: ctx, patterns: slices.Concat(r.Patterns, r.Filter), first: len(r.Patterns), maxDepth: r.MaxDepth, skip: s.skip,
	}
	s.walker.exists = make([]bool, len(s.walker.patterns))
	s.walker.links = make([][]string, len(s.walker.patterns))
	return s
}

// closed returns what is found if the folder can't be opened.
func (s *search) closed(err error) (*Found, error) {
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case !ok:
		return nil, &Error{Type: IOError, Message: "the category's folder can't be opened; try again", Err: err}
	case e.Code == fileerror.NotFound || e.Code == fileerror.NotAFile:
		s.request.Log.Warn("the folder of a category is missing, or is none", "folder", s.displayDir())
		s.out.NoFolder = true
		return s.out, nil
	case errors.Is(err, files.ErrProtected):
		return nil, &Error{Type: IOError, Message: "the category's folder can't be served: " + e.Reason + "; correct dir in the configuration", Err: err}
	case errors.Is(err, files.ErrOutsideRoots):
		return nil, &Error{Type: IOError, Message: "the category's folder can't be served: " + e.Sentence(), Err: err}
	case e.Code == fileerror.PathOutsideRoot && s.request.Within != "":
		return nil, &Error{Type: IOError, Message: "the category's folder is reached by a link that leaves the project " +
			"(or is absolute), and such links are not followed; " +
			"put the folder itself there, or correct dir in the configuration", Err: err}
	}
	return nil, &Error{Type: IOError, Message: "the category's folder can't be opened: " + detailOf(e), Err: err}
}

// displayDir returns the category's folder without the names of the host.
func (s *search) displayDir() string {
	if rel, err := filepath.Rel(s.request.Within, s.request.Dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(s.request.Dir)
}

// look walks the category and puts what may match in order.
func (s *search) look() error {
	w := &s.walker
	err := w.walk(s.root, "", 0, w.begin())
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return &Error{Type: IOError, Message: "the category's folder can't be listed: " + detailOf(e), Err: err}
	}
	w.decide(func(path string) bool {
		_, err := s.root.stat(path)
		reason, _ := skippedBy(err)
		return err == nil || !isFolder(err) && reason != SkipMissing
	})
	if w.first > 1 {
		slices.SortStableFunc(w.found, func(a, b candidate) int { return cmp.Compare(a.pattern, b.pattern) })
	}
	return nil
}

// collect takes the candidates in turn, up to the limits.
func (s *search) collect() {
	found := s.walker.found
	for i := range found {
		if s.ctx.Err() != nil {
			return
		}
		if len(s.out.Files) == s.request.MaxFiles || s.leftOut == maxLeftOut {
			s.rest(found[i:])
			return
		}
		s.take(&found[i])
	}
}

// rest counts the candidates that there is no room for. Those that are folders after
// all don't count; what may be one is looked at, and nothing else.
func (s *search) rest(found []candidate) {
	files := 0
	for i := range found {
		c := &found[i]
		if (c.plain == link || c.template == link) && s.ctx.Err() != nil {
			return
		}
		if s.counts(c) {
			files++
		}
	}
	s.out.Matched += files
	s.out.Truncated = files > 0
}

// counts reports whether take would find a file, even one that is left out.
func (s *search) counts(c *candidate) bool {
	isFile := func(is kind, name string) bool {
		if is != link {
			return is != nothing
		}
		_, err := s.root.stat(name)
		return !isFolder(err)
	}
	switch {
	case unusableName(c.path) != nil:
		return true
	case c.plain != special && isFile(c.plain, c.path):
		return true
	case c.template == nothing:
		return c.plain == special
	}
	return isFile(c.template, c.path+templateSuffix)
}

// unusableName says why a file can't be used whatever is in it, nil if it can.
func unusableName(path string) *leftOutError {
	switch {
	case !utf8.ValidString(path):
		return &leftOutError{SkipEncoding, "its name is not UTF-8"}
	case strings.HasSuffix(path, templateSuffix):
		return &leftOutError{SkipTemplate, "its name ends in " + templateSuffix + " twice; rename it"}
	}
	return nil
}

// take adds a file to what is found, or says why not. A template counts only if
// there is no file of the name; a link to a folder is no file.
func (s *search) take(c *candidate) {
	if e := unusableName(c.path); e != nil {
		s.leaveOut(strings.ToValidUTF8(c.path, "\uFFFD"), e.reason, e.detail)
		return
	}
	if c.plain == regular || c.plain == link || c.plain == special && c.template == nothing {
		file, err := s.load(c, c.path, c.plain)
		if !isFolder(err) {
			s.add(c.path, file, err)
			return
		}
	}
	if c.template != nothing {
		file, err := s.load(c, c.path+templateSuffix, c.template)
		file.Template = true
		if isFolder(err) {
			return
		}
		if err == nil && s.request.Content {
			if file.Content, err = s.render(c.path, file.Content); err == nil {
				err = rendered(file.Content)
			}
		}
		s.add(c.path, file, err)
	}
}

// rendered returns why what a template gives can't be served, for its variables may
// be no text.
func rendered(content []byte) error {
	switch {
	case bytes.IndexByte(content, 0) >= 0:
		return &leftOutError{SkipBinary, "a variable puts a NUL byte into it; correct vars in the configuration"}
	case !utf8.Valid(content):
		return &leftOutError{SkipEncoding, "a variable that is not UTF-8 is put into it; correct vars in the configuration"}
	}
	return nil
}

// add adds a file that was loaded, or says why it could not be.
func (s *search) add(path string, file File, err error) {
	takes := room(path, file.Content)
	if err == nil && takes > s.left {
		err = crowded(path, file.Content, s.left)
	}
	if err != nil {
		if s.ctx.Err() != nil {
			return // it may be the context's
		}
		reason, detail := skippedBy(err)
		s.leaveOut(path, reason, detail)
		return
	}
	s.left -= takes
	s.out.Matched++
	s.out.Files = append(s.out.Files, file)
}

// leaveOut notes a file that matches and is left out.
func (s *search) leaveOut(path, reason, detail string) {
	s.leftOut++
	s.out.Matched++
	s.skip(Skipped{Path: path, Reason: reason, Detail: detail})
}

// skip notes what is left out.
func (s *search) skip(what Skipped) {
	s.request.Log.Debug("left out of a category", "path", what.Path, "reason", what.Reason)
	s.out.Skipped = append(s.out.Skipped, what)
}
