package undoing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/replies"
)

// History is the user's journal of changes. The nil one writes nothing down and has nothing.
type History struct {
	journal *journal.Journal
	user    *config.Loader // of the user's configuration, which says what is kept
}

// Dir returns the folder of the user's journal, or "" if there is no place for one.
func Dir() string {
	dir, err := fileinfo.JournalDir()
	if err != nil {
		return ""
	}
	return dir
}

// Dir returns the folder of the journal, or "" for none.
func (h *History) Dir() string {
	if h == nil {
		return ""
	}
	return h.journal.Dir()
}

// Open returns the history in a folder, nil for "". Tell is called with a sentence for each
// change that was interrupted and is taken back. What is kept, the user's configuration says.
func Open(dir string, tell func(sentence string)) *History {
	if dir == "" {
		return nil
	}
	return &History{
		user:    config.NewLoader(config.LoadOptions{}),
		journal: journal.New(journal.Options{Dir: dir, Told: func(r journal.Recovered) { tell(recovered(r)) }}),
	}
}

// errUnknown says that the user may have forbidden to keep anything, or asked for more to be kept
// than is usual, which would be cleared away.
var errUnknown = errors.New("what may be kept can't be told, for your own configuration can't be used (`sectile doctor` says why)")

// kept returns the journal that keeps what the user's configuration says now. One that is off looks
// for what was interrupted, too: that was written down before.
func (h *History) kept() *journal.Journal {
	keep, err := h.user.Journal()
	switch {
	case err != nil:
		return h.journal.Refusing(errUnknown)
	case keep.Days == 0:
		return h.journal.Off()
	}
	return h.journal.Keeping(time.Duration(keep.Days)*24*time.Hour, keep.Bytes)
}

// Limits of what is written down of a command.
const (
	maxArguments = 20
	maxArgument  = 200 // bytes
)

// For returns a context whose changes are written down as those of a tool that somebody has
// called, or a command with its arguments.
func (h *History) For(ctx context.Context, by documents.Reader, name string, command []string) context.Context {
	if h == nil {
		return ctx
	}
	a := journal.Asker{Client: by.Client, Session: by.Session, Tool: name}
	for i, arg := range command {
		if i == maxArguments {
			a.Command = append(a.Command, "…")
			break
		}
		a.Command = append(a.Command, replies.Clip(arg, maxArgument))
	}
	return h.journalFor(ctx, a).In(ctx)
}

// clearOld forgets the changes that are too old, though nothing more is changed. What can't be
// now, the next change does.
func (h *History) clearOld(ctx context.Context) {
	if h != nil {
		_ = h.kept().ClearOld(ctx)
	}
}

// unreadable is the error for a journal that can't be read.
func unreadable(err error) *replies.Error {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return replies.ErrorAbout("", e)
	}
	if e, ok := errors.AsType[*os.PathError](err); ok { // which names a place of the host
		err = e.Err
	}
	return &replies.Error{Code: replies.CodeIOError, Message: replies.Say("the journal of changes can't be read: %s; its folder, which `sectile doctor` names, must be yours alone (mode 0700)", err.Error()), Err: err}
}

// scope is which files of the journal a request sees, and by which names.
type scope struct {
	workspace *documents.Workspace
	marks     *replies.Marks
	work      *documents.Work
	dir       string   // the working directory, without links; for a command
	all       bool     // files that are not below it, too
	paths     []string // files and folders that it is about, absolute; none for all
	unread    bool     // changes of which nothing can be read, too
}

// scopeOf returns what a request about documents sees.
func scopeOf(docs *documents.Set, all bool) (*scope, error) {
	s := &scope{workspace: docs.Workspace, marks: docs.Marks, work: docs.Work, all: all || len(docs.Paths) > 0}
	if s.workspace != nil {
		for _, path := range docs.Paths {
			listed := docs.Listed(path)
			host := s.workspace.Host(listed)
			s.paths = append(s.paths, host)
			if s.workspace.HasSeveralRoots() && !filepath.IsAbs(listed) { // each of which may have something there
				for _, root := range s.workspace.FileRoots().RealDirs() {
					s.paths = append(s.paths, filepath.Join(root, filepath.FromSlash(listed)))
				}
			}
			if whole, err := filepath.EvalSymlinks(host); err == nil && s.workspace.FileRoots().Covers(whole) { // a folder
				s.paths = append(s.paths, whole)
			}
		}
		return s, nil
	}
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, replies.ErrorAbout("", err)
	}
	dir = fileinfo.Listed(dir)
	s.dir = dir
	for _, path := range docs.Paths {
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(dir, path)
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil { // the file itself may be gone
			full = filepath.Join(folder, filepath.Base(full))
		}
		if whole, err := filepath.EvalSymlinks(full); err == nil {
			full = whole
		}
		s.paths = append(s.paths, fileinfo.Listed(full))
	}
	return s, nil
}

// name returns what a file of the journal is called in replies, and whether the request may
// see it.
func (s *scope) name(path string) (string, bool) {
	if s.workspace != nil {
		return s.workspace.NameOf(path)
	}
	if fileinfo.LiesIn(s.dir, path) {
		below, err := filepath.Rel(s.dir, path)
		return filepath.ToSlash(below), err == nil
	}
	return path, s.all
}

// nameOf is name for an entry of a change. A server sees those alone whose place is still
// there: by the same path there may have been documents that it never could read.
func (s *scope) nameOf(e *journal.Entry) (string, bool) {
	name, ok := s.name(e.Path)
	return name, ok && (s.workspace == nil || e.IsThere())
}

// inPlace returns an error for a server of which a folder that the request is about was moved away, so
// that none of its changes is seen.
func (s *scope) inPlace() error {
	if s.workspace == nil {
		return nil
	}
	if err := s.workspace.FileRoots().Replaced(s.paths...); err != nil {
		return replies.ErrorAbout("", err)
	}
	return nil
}

// isAbout reports whether the request is about a file, by its place.
func (s *scope) isAbout(path string) bool {
	if len(s.paths) == 0 {
		return true
	}
	for _, of := range s.paths {
		if fileinfo.LiesIn(of, path) {
			return true
		}
	}
	return false
}

// seen is a change as a request sees it.
type seen struct {
	*journal.Record

	names  []string // of its files, "" for those that the request may not see
	hidden int      // the number of those
	back   []bool   // of its files those that are taken back
	undone int      // the number of those
	by     word     // the newest by which one of them is
}

// isUndone reports whether all of the change is taken back.
func (c *seen) isUndone() bool { return c.undone > 0 && c.undone == len(c.Entries) }

// word is what a change says of a file of another one: that it is taken back, or made again.
type word struct {
	by    string // the change
	back  bool
	order int // greater for a newer change, whatever clocks have said; 0 for none
}

// words are what the changes so far, the newest first, have said of older ones. On a file of a
// change the newest word counts of all who are about that change in the end. A change that has
// said something is taken back itself by who says the opposite later, whichever of them he names.
type words struct {
	files  map[file]both
	wholes map[string]word // on all files of a change, whatever they are, by the Whole of who has said it
	order  int
}

// file is a file of a change that isn't about another one.
type file struct{ origin, path string }

// both are the newest word that makes a file again, and the newest that takes it back.
type both [2]word

// of returns the word that takes a file back, or the one that makes it again.
func (b *both) of(back bool) *word {
	if back {
		return &b[1]
	}
	return &b[0]
}

// next tells what was said of a change, and notes what that says of others.
func (w *words) next(r *journal.Record) *seen {
	c := &seen{Record: r, back: make([]bool, len(r.Entries))}
	w.order--
	own, isOverruled := word{r.ID, r.TakesBack, w.order}, false
	isAboutOther := r.Asker.Undoes != ""
	speaks := isAboutOther && r.State == journal.Committed
	for i := range r.Entries {
		of := file{r.Origin, r.Entries[i].Path}
		said := w.files[of]
		for _, id := range []string{r.Origin, r.Whole, r.ID} {
			if whole := w.wholes[id]; whole.order > said.of(whole.back).order {
				*said.of(whole.back) = whole
			}
		}
		against, same := said.of(!r.TakesBack), said.of(r.TakesBack)
		overrules := against.order > same.order
		isOverruled = isOverruled || overrules
		if against.order > 0 && (overrules || isAboutOther) {
			c.back[i], c.undone = true, c.undone+1
			if against.order > c.by.order {
				c.by = *against
			}
		}
		if speaks && same.order == 0 {
			*same = own
		}
		if isAboutOther {
			w.files[of] = said
		} else { // nobody older is about it
			delete(w.files, of)
		}
	}
	if w.wholes[r.Whole].order == 0 && speaks && !isOverruled && !r.Asker.Part {
		w.wholes[r.Whole] = own
	}
	return c
}

// walk calls yield with the changes that a request sees, the newest first, until it returns
// false.
func (h *History) walk(ctx context.Context, s *scope, yield func(*seen) bool) error {
	if h == nil {
		return nil
	}
	said := words{map[file]both{}, map[string]word{}, math.MaxInt}
	err := h.journal.List(ctx, func(r *journal.Record) bool {
		c := said.next(r)
		if r.Problem != "" && len(r.Entries) == 0 { // nobody knows whose files they are
			all := s.workspace == nil && s.all && len(s.paths) == 0
			return !all && !s.unread || yield(c)
		}
		about := false
		for i := range r.Entries {
			name, ok := s.nameOf(&r.Entries[i])
			if !ok {
				c.hidden, name = c.hidden+1, ""
			}
			c.names = append(c.names, name)
			about = about || ok && s.isAbout(r.Entries[i].Path)
		}
		return !about || yield(c)
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return unreadable(err)
}

// since yields the changes of walk since a time, until yield is false: those that say so, and what is newer
// than one of them whatever it says, for the clock may have been behind. One that says a time to come counts as
// made when the next one was.
func (h *History) since(ctx context.Context, s *scope, since time.Time, yield func(*seen) bool) error {
	var older []*seen // than it as they say
	now := time.Now()
	next := now
	return h.walk(ctx, s, func(c *seen) bool {
		if c.Order().Before(since) { // and so is each that comes
			return false
		}
		made := c.Time
		if made.After(now) {
			made = next
		}
		next, older = made, append(older, c)
		if made.Before(since) {
			return true
		}
		for _, c := range older {
			if !yield(c) {
				return false
			}
		}
		older = nil
		return true
	})
}

// leastID is the number of characters of an identifier that are enough to name a change.
const leastID = 4

// find returns the change of an identifier, or of the beginning of one.
func (h *History) find(ctx context.Context, s *scope, id string) (*seen, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	var found []*seen
	if len(id) >= leastID {
		all := *s
		all.all, all.paths = true, nil
		err := h.walk(ctx, &all, func(c *seen) bool {
			if strings.HasPrefix(c.ID, id) {
				found = append(found, c)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, &replies.Error{Code: "invalid_argument", Message: replies.Say("several changes begin with %q; give the whole identifier", id)}
	}
	all := *s
	all.paths = nil
	if err := all.inPlace(); err != nil {
		return nil, err
	}
	of := "" // for a server, those of files that its clients may see, in the folders that they were made in
	if s.workspace != nil {
		of = " that this server may show or undo"
	}
	return nil, &replies.Error{Code: "not_found", Message: replies.Say(
		"there is no change %q in the journal%s; the list of changes has their identifiers", replies.Clip(id, replies.MaxShown), of)}
}

// Damaged returns the changes of the journal that can't be undone, for what is written down of
// them can't be believed, each with the reason: the newest first. The error is an *Error.
func (h *History) Damaged(ctx context.Context) (list []string, err error) {
	if h == nil {
		return nil, nil
	}
	err = h.journal.List(ctx, func(r *journal.Record) bool {
		if r.Problem != "" {
			list = append(list, fmt.Sprintf("%s of %s: %s", r.ID, r.Time.UTC().Format(time.RFC3339), replies.Safe(r.Problem)))
		}
		return true
	})
	if err != nil {
		return nil, unreadable(err)
	}
	return list, nil
}

// Size is what the journal has.
type Size struct {
	Off     bool // nothing more is written down
	Changes int
	Bytes   int64 // of texts
}

// Size tells what the journal has. The error is an *Error: that it can't be read, or isn't
// believed.
func (h *History) Size(ctx context.Context) (s Size, err error) {
	if h == nil {
		return s, nil
	}
	s.Off = h.kept().IsOff()
	if s.Changes, s.Bytes, err = h.journal.Size(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, unreadable(err)
	}
	return s, nil
}
