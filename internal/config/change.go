package config

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/internal/yamltree"
)

// Change is a change of a configuration file.
type Change interface{ change(c *changer) error }

// AddCategory adds a category. Its scope doesn't count.
type AddCategory struct{ Category }

// AddCollection adds a collection. Its scope doesn't count.
type AddCollection struct{ Collection }

// Set changes a category or collection. What is nil stays; an empty Description
// or list is taken out of the file. A collection that is a list becomes a mapping
// when it gets a description.
type Set struct {
	Name        string
	Rename      *string // in the collections of the file too
	Description *string
	Dir         *string   // of a category
	Patterns    *[]string // of a category
	Entries     *[]Entry  // of a collection
}

// Remove removes a category or collection that no collection names. Comments above
// it stay.
type Remove struct{ Name string }

// Change changes the project's file or the user's: under the lock of the file,
// whole or not at all, and only to one that is valid; for a server never the user's. Everything but what is
// changed keeps its bytes. A file that is missing is made. Changed is false for one that has all of it
// already. The error is an *Error for what can't be done, or a *fileerror.Error whose path is Name or UserName.
func (l *Loader) Change(ctx context.Context, scope Scope, c Change) (changed bool, err error) {
	_, root, err := l.project()
	if err != nil && scope == Project {
		return false, err
	}
	err = l.update(ctx, scope, root, func(text []byte, there bool, other *file) ([]byte, error) {
		next, err := apply(parse(text, scope, l.options.CheckPattern), other, c)
		changed = !there || !bytes.Equal(text, next)
		return next, err
	})
	return changed, err
}

// Create writes a file that must not be there: the project's at the root of the
// project, or where it is looked for if there is none, or the user's. The text is
// validated first. The error is that of Change.
func (l *Loader) Create(ctx context.Context, scope Scope, text []byte) error {
	dir, root, err := l.project()
	if err != nil {
		return err
	}
	root = cmp.Or(root, dir)
	return l.update(ctx, scope, root, func(_ []byte, there bool, other *file) ([]byte, error) {
		if there {
			return nil, refusal(scope, "the file is there already; change it with sectile guide add, or remove it first")
		}
		f := parse(text, scope, l.options.CheckPattern)
		if err := problemsOf(f); err != nil {
			return nil, err
		}
		if m := together(f, other); len(m.problems) > 0 {
			return nil, &Error{Problems: m.problems}
		}
		return text, nil
	})
}

// fixOtherFirst returns the error for a change that has to wait until the other file is right.
func fixOtherFirst(scope Scope, other *file, err error) error {
	message := fmt.Sprintf("it can't be changed while %s is wrong, for what either file says may need the other; mend that one first", other.name)
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Problems: slices.Concat([]Problem{{File: displayName(scope), Message: message}}, e.Problems)}
	}
	return err
}

// refusal is the error for a change that can't be made.
func refusal(scope Scope, message string) error {
	return &Error{Problems: []Problem{{File: displayName(scope), Message: message}}}
}

// together merges a file with the one of the other scope.
func together(f, other *file) *merged {
	if f.scope == User {
		return merge(other, f)
	}
	return merge(f, other)
}

// update has a file changed under its lock. The function gets what it holds,
// nothing if it is not there, and the other file.
func (l *Loader) update(ctx context.Context, scope Scope, root string, change func(text []byte, there bool, other *file) ([]byte, error)) error {
	if scope == User && l.options.Roots != nil {
		return refusal(User, "it says what a server may do, and so none changes it; change it with sectile guide")
	}
	place := l.UserFile()
	user, err := l.readUser(place)
	if err != nil {
		return err
	}
	try := func(text []byte, there bool) ([]byte, error) {
		other, err := l.other(scope, root, place)
		if err != nil {
			return nil, err
		}
		if err := problemsOf(other); err != nil {
			return nil, fixOtherFirst(scope, other, err)
		}
		return change(text, there, other)
	}
	path := Name
	if scope == User {
		path = place
	}
	within := func(tx *files.Tx) error {
		text, err := tx.Read(path)
		there := err == nil
		if err != nil && !isMissing(err) {
			return shown(scope, err)
		}
		next, err := try(text, there)
		if err != nil {
			return err
		}
		return tx.Write(path, next)
	}
	if scope == User {
		err = l.updateUser(ctx, path, try, within)
	} else {
		err = updateProject(ctx, root, user, within)
	}
	if _, ok := errors.AsType[*Error](err); ok || err == nil {
		return err
	}
	if err = shown(scope, err); scope == Project {
		err = withTrust(err, root, user)
	}
	return err
}

// other returns the file of the scope that is not changed, nil if there is none. To the
// user's own file a project that is not obeyed doesn't matter.
func (l *Loader) other(changed Scope, root, userPlace string) (*file, error) {
	user, err := l.readUser(userPlace)
	if changed == Project || err != nil {
		return user, err
	}
	f, err := l.readProject(root, user)
	if isNotOwned(err) {
		return nil, nil
	}
	return f, err
}

// isForOthers reports whether an error says that a file is another user's, or none that this one
// may read, as where a program runs as another user than the one whose home folder it was given.
func isForOthers(err error) bool {
	return isNotOwned(err) || errors.Is(err, fs.ErrPermission)
}

// isNotOwned reports whether an error says that a file is another user's.
func isNotOwned(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.NotOwned
}

// updateProject changes the file of the project at the root, given the user's.
func updateProject(ctx context.Context, root string, user *file, within func(*files.Tx) error) error {
	if root == "" {
		return refusal(Project, "there is no project: no .sectile.yaml, .jj or .git here or above; make one with sectile guide init")
	}
	r, err := openProject(root, user)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // what was written is on the disk
	switch _, err := r.Read(new(textfile.Reader), Name); {
	case isNotOwned(err): // nothing is written for others
		return err
	case isMissing(err): // and no project is made of a folder in which nothing is written
		if e, ok := errors.AsType[*fileerror.Error](files.CheckWritable(filepath.Join(root, Name))); ok {
			return refusal(Project, "it is not made here: "+e.Reason)
		}
	}
	return r.Update(ctx, []string{Name}, within)
}

// updateUser changes the user's file, and makes its folder if it is missing, but
// not for a change that can't be made.
func (l *Loader) updateUser(ctx context.Context, path string, try func([]byte, bool) ([]byte, error), within func(*files.Tx) error) error {
	if path == "" {
		return refusal(User, "there is no place for it; set XDG_CONFIG_HOME or HOME to an absolute path")
	}
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if _, err := try(nil, false); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return &fileerror.Error{Code: fileerror.IOError, Reason: "its folder can't be made", Hint: "make the folder sectile beside your other configurations", Err: err}
		}
	}
	return files.Update(ctx, []string{path}, files.UpdateOptions{Limit: yamltree.MaxSize}, within)
}
