package planstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repoproof"
)

// Open chooses the store. It looks for repositories by names alone and starts no
// program; what a repository is worth, and whether it belongs to the folder, shows at
// each use. The error is an
// *Error: TypeInvalid (a kind that is none, or no folder), TypeNoRepository (there
// is no `.jj` for JJ, or Options.Nearest is set and the nearest repository is of another
// kind), or TypeFailed.
//
// The nearest repository counts. One of git within one of Jujutsu, such as a
// submodule, is a project of its own.
func Open(ctx context.Context, o Options) (Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	found, err := findRepository(o.Root, o.Kind)
	nearest, nearestErr := findRepository(o.Root, Auto)
	switch err := cmp.Or(err, nearestErr); {
	case err != nil:
		return nil, err
	case o.Nearest && found.kind != File && found.dir != nearest.dir:
		return nil, o.beyond(found.kind, nearest.kind)
	}
	kind := o.Kind
	if kind == Auto {
		kind = found.kind
	}
	switch {
	case kind == File:
		return newFileStore(&o)
	case kind == Git:
		return newGitStore(&o, &found), nil
	case kind == JJ && found.kind == JJ:
		return newJJStore(&o, found.dir), nil
	case kind != JJ:
		return nil, &Error{Type: TypeInvalid, Message: "there is no store " + string(kind), Hint: ChooseKind()}
	}
	return nil, &Error{
		Type: TypeNoRepository, Critical: true,
		Message: "plans are to be kept in Jujutsu, and the project is in none of its repositories",
		Hint:    "make one with `jj git init`, or set `plan.store` to git, file or auto in .sectile.yaml",
	}
}

// beyond returns the error for a kind of repository that lies around the nearest, which is
// of another kind. Whoever made a project knows nothing of the folders that it was cloned
// into, so that its own file can't mean what is kept there.
func (o *Options) beyond(found, nearest Kind) error {
	return &Error{
		Type: TypeNoRepository, Critical: true, Told: true,
		Message: fmt.Sprintf("the project's file wants plans in a repository of %s, and the nearest repository is one of %s; there is one of %s in a folder further up, which a project can't choose, so nothing was read or written there", found, nearest, found),
		Hint:    fmt.Sprintf("set `plan.store` to %s or auto in .sectile.yaml; if the one further up is meant, say so with `--store %s`, or with `plan.store` in your own configuration, which `sectile doctor` finds", nearest, found),
	}
}

// complete puts in what was left out.
func (o *Options) complete() error {
	o.examined = new(fileinfo.KnownFolders)
	o.Kind = cmp.Or(o.Kind, Auto)
	root, err := filepath.Abs(o.Root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root) // as programs see their working directory
	}
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(root); err == nil && !info.IsDir() {
			err = errors.New("it is no folder")
		}
	}
	if err != nil {
		return &Error{Type: TypeInvalid, Message: "the project's folder can't be used: " + fileinfo.Cause(err).Error(), Hint: "name a folder that exists", Err: fileinfo.Cause(err)}
	}
	o.Root = root
	o.JJ, o.Git = cmp.Or(o.JJ, "jj"), cmp.Or(o.Git, "git")
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.LockTimeout <= 0 {
		o.LockTimeout = defaultLockTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}

// repository is what looks like one, by names alone.
type repository struct {
	kind Kind   // JJ or Git; File if there is none
	dir  string // the folder that has the .jj or .git, or is a bare repository
	bare bool
	env  *repoproof.GitPlace // that the user's environment names, or nil
}

// findRepository looks for a repository, from a folder upwards: for one of this kind, or
// of any if that is Auto. The user's environment may name the one of git. The error is an *Error: the
// system doesn't tell, and then one further up, or none, may be taken for it by mistake.
func findRepository(dir string, kind Kind) (repository, error) {
	named, closed := repoproof.OfEnvironment(dir), ceilings()
	looks := !slices.ContainsFunc(closed, func(ceiling string) bool { // for a repository that nobody has named
		here := workingFolder()
		return fileinfo.LiesIn(dir, ceiling) && fileinfo.LiesIn(ceiling, here) && here != ceiling
	})
	for {
		// A link counts, to be refused or allowed; a file of this name is nothing to jj.
		jj, err := os.Lstat(filepath.Join(dir, ".jj"))
		_, gitErr := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case kind != Git && fileinfo.IsUntold(err):
			return repository{}, untold(err)
		case kind != Git && err == nil && !jj.Mode().IsRegular():
			return repository{kind: JJ, dir: dir}, nil
		case kind == JJ:
		case named != nil && dir == named.Top:
			return repository{kind: Git, dir: dir, env: named}, nil
		case named != nil || !looks:
		case fileinfo.IsUntold(gitErr):
			return repository{}, untold(gitErr)
		case gitErr == nil:
			return repository{kind: Git, dir: dir}, nil
		case isBare(dir):
			return repository{kind: Git, dir: dir, bare: true}, nil
		}
		if filepath.Dir(dir) == dir {
			return repository{kind: File}, nil
		}
		dir = filepath.Dir(dir)
		looks = looks && !slices.Contains(closed, dir)
	}
}

// untold returns the error for a repository that the system doesn't tell of.
func untold(err error) *Error {
	return &Error{
		Type: TypeFailed, Critical: true, Unwritten: true, Err: err,
		Message: "the system doesn't tell which repository the project lies in: " + fileinfo.Cause(err).Error(), Hint: "try again, and look at the disk if that doesn't help",
	}
}

// exists reports whether anything has the name, if only a link that leads nowhere.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isBare reports whether a folder is what git takes for a repository.
func isBare(dir string) bool {
	if !exists(filepath.Join(dir, "HEAD")) { // a link, long ago
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
