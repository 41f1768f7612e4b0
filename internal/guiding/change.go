package guiding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// codeExists says that what is to be made is there already.
const codeExists = "already_exists"

// codeValidation says that a configuration, or what it would become, is wrong.
const codeValidation = string(guide.ValidationError)

// GuideChange is a category or a collection to add, or how one is changed.
// What is nil is not asked for.
type GuideChange struct {
	Name        string
	User        bool // in the user's file
	Rename      *string
	Dir         *string
	Description *string
	Patterns    *[]string
	Entries     *[]string // CATEGORY or CATEGORY/PATTERN
}

// GuideChanged is what was changed.
type GuideChanged struct {
	Kind string // "category" or "collection"
	Name string // what it is called now, or was
	File string // the path of the file, as people of the working directory write it
	// Files is the number of files that count, and Error why it is not known. Of
	// what was removed there is neither.
	Files   int
	Error   string
	removed bool
	same    bool // nothing was written, for the file has all of it already
}

// Line tells on one line what was done: "added" and "to", such as "added category
// docs to .sectile.yaml: 3 files". Where nothing had to be, it says "unchanged" and "in".
func (c *GuideChanged) Line(did, where string) []byte {
	if c.same {
		did, where = unchanged, "in"
	}
	line := fmt.Sprintf("%s %s %s %s %s", did, c.Kind, c.Name, where, replies.Safe(c.File))
	switch {
	case c.Error != "":
		line += ": " + replies.Safe(c.Error)
	case c.Files > 0:
		line += ": " + replies.Plural(c.Files, "file")
	}
	return append([]byte(line), '\n')
}

// unchanged is told of what is as it shall be already.
const unchanged = "unchanged"

// JSON renders what was done, such as "added" or "unchanged", as a line of JSON.
func (c *GuideChanged) JSON(did string) []byte {
	if c.same {
		did = unchanged
	}
	return replies.AppendJSON(nil, struct {
		Done  string `json:"done"`
		Kind  string `json:"kind"`
		Name  string `json:"name"`
		File  string `json:"file"`
		Files *int   `json:"files,omitempty"`
		Error string `json:"error,omitempty"`
	}{did, c.Kind, c.Name, replies.Safe(c.File), c.counted(), replies.Safe(c.Error)})
}

// counted returns the number of files if there is one to tell.
func (c *GuideChanged) counted() *int {
	if c.Error != "" || c.removed {
		return nil
	}
	return &c.Files
}

// The kinds of what is configured.
const (
	kindCategory   = "category"
	kindCollection = "collection"
)

// Add adds a category, which has a Dir, or a collection, which has Entries. The
// error is an *Error, and nothing was written.
func (g *Guides) Add(ctx context.Context, c *GuideChange) (*GuideChanged, error) {
	var change config.Change
	switch {
	case (c.Dir == nil) == (c.Entries == nil):
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("a category has a folder and a collection has entries; give one of the two")}
	case c.Dir != nil:
		change = config.AddCategory{Category: config.Category{
			Name: c.Name, Dir: *c.Dir, Patterns: value(c.Patterns), Description: value(c.Description),
		}}
	case c.Patterns != nil:
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("a collection has no patterns of its own; put them behind its entries, as CATEGORY/PATTERN")}
	default:
		change = config.AddCollection{Collection: config.Collection{
			Name: c.Name, Description: value(c.Description), Entries: entries(*c.Entries),
		}}
	}
	return g.change(ctx, c.Name, c.User, change)
}

// Change changes a category or collection. The error is that of Add.
func (g *Guides) Change(ctx context.Context, c *GuideChange) (*GuideChanged, error) {
	set := config.Set{Name: c.Name, Rename: c.Rename, Description: c.Description, Dir: c.Dir, Patterns: c.Patterns}
	if c.Entries != nil {
		list := entries(*c.Entries)
		set.Entries = &list
	}
	name := c.Name
	if c.Rename != nil {
		name = *c.Rename
	}
	return g.change(ctx, name, c.User, set)
}

// Remove removes a category or collection. The error is that of Add.
func (g *Guides) Remove(ctx context.Context, name string, user bool) (*GuideChanged, error) {
	return g.change(ctx, name, user, config.Remove{Name: name})
}

// change makes the change and looks at what is called name then.
func (g *Guides) change(ctx context.Context, name string, user bool, change config.Change) (*GuideChanged, error) {
	scope, root := config.Project, g.Loader.ProjectRoot()
	// A configuration that can't be read can't be changed either, which the change will tell.
	before, err := g.Loader.Load(ctx)
	switch {
	case user:
		scope = config.User
	case root == "":
		missing := guide.NoProject()
		if err == nil {
			missing = guide.NoProjectIn(before)
		}
		return nil, g.Failure(AsGuideError(missing))
	}
	changed, err := g.Loader.Change(ctx, scope, change)
	if err != nil {
		return nil, g.Failure(err)
	}
	done := &GuideChanged{same: !changed, Kind: kindOf(change, before), Name: name, File: displayPath(filepath.Join(root, config.Name))}
	if user {
		done.File = displayPath(g.Loader.UserFile())
	}
	if _, done.removed = change.(config.Remove); done.removed {
		return done, nil
	}
	// What was written stays written, whatever is found there.
	if found, err := g.Files(ctx, name, ""); err != nil {
		done.Error = AsGuideError(err).Message
	} else {
		done.Files = found.Matched
	}
	return done, nil
}

// kindOf returns which of both a change is about, given the configuration before it; nil if that
// can't be read.
func kindOf(change config.Change, before *config.Loaded) string {
	var name string
	switch c := change.(type) {
	case config.AddCollection:
		return kindCollection
	case config.Set:
		if name = c.Name; c.Entries != nil {
			return kindCollection
		}
	case config.Remove:
		name = c.Name
	}
	if before != nil && before.Collection(name) != nil {
		return kindCollection
	}
	return kindCategory
}

// entries reads entries of a collection. What is wrong with one is told by the
// configuration that it would stand in.
func entries(texts []string) []config.Entry {
	list := make([]config.Entry, len(texts))
	for i, text := range texts {
		list[i].Name, list[i].Pattern, _ = strings.Cut(text, "/")
	}
	return list
}

// value returns what p points to, or nothing.
func value[T any](p *T) T {
	if p == nil {
		var none T
		return none
	}
	return *p
}

// Failure returns a failure about guides as all commands tell theirs, the problems of
// a configuration a line each, with the paths of its files as people of the working
// directory write them. The error is an *Error, or that of a context.
func (g *Guides) Failure(err error) error {
	_, told := errors.AsType[*fileerror.Error](err) // as of a lock, which is waited for in a context
	if !told && fileerror.KeptOf(err).None() && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	return g.failure(err).WithKept(err)
}

// failure returns a failure without what was kept.
func (g *Guides) failure(err error) *replies.Error {
	if ours, ok := errors.AsType[*replies.Error](err); ok {
		return ours
	}
	places := g.places()
	if problems, ok := errors.AsType[*config.Error](err); ok && len(problems.Problems) > 0 {
		list := problems.Problems
		if len(list) == 1 {
			return &replies.Error{Code: codeValidation, Message: replies.Text(places.located(list[0])), Err: err}
		}
		e := &replies.Error{Code: codeValidation, Message: replies.Say("the configuration has %d problems", len(list)), Err: err}
		for _, p := range list {
			e.Details = append(e.Details, replies.Safe(places.located(p)))
		}
		return e
	}
	if typed, ok := errors.AsType[*GuideError](err); ok {
		return typed.Answer()
	}
	e := *replies.ErrorAbout("", err)
	e.Path = places.of(e.Path)
	return &e
}

// configPlaces are the paths of the files of a configuration as people of the working
// directory write them; empty for one that has no place.
type configPlaces struct{ project, user string }

// places returns where the files of the configuration are.
func (g *Guides) places() configPlaces {
	var p configPlaces
	if root := g.Loader.ProjectRoot(); root != "" {
		p.project = displayPath(filepath.Join(root, config.Name))
	}
	if user := g.Loader.UserFile(); user != "" {
		p.user = displayPath(user)
	}
	return p
}

// of returns the path of a file of the configuration that goes by its name.
func (p configPlaces) of(name string) string {
	switch {
	case name == config.Name && p.project != "":
		return p.project
	case name == config.UserName && p.user != "":
		return p.user
	}
	return name
}

// located renders a problem with the path of its file.
func (p configPlaces) located(problem config.Problem) string {
	problem.File = p.of(problem.File)
	return problem.String()
}

// systemFailure is the error of what the system refused.
func systemFailure(path string, err error) *replies.Error {
	e := &replies.Error{Code: replies.CodeIOError, Path: path, Message: replies.Text(err.Error()), Err: err}
	if inner, ok := errors.AsType[*os.PathError](err); ok {
		e.Message = replies.Text(inner.Err.Error())
	}
	if errors.Is(err, os.ErrPermission) {
		e.Code = string(fileerror.Permission)
	}
	if errors.Is(err, os.ErrNotExist) {
		e.Code = string(fileerror.NotFound)
	}
	return e
}

// displayPath returns a path of the host as people of the working directory write it:
// relative to it if it isn't far.
func displayPath(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(here, path)
	if err != nil || strings.Count(relative, "..") > 3 {
		return path
	}
	return relative
}
