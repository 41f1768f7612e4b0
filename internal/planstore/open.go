package planstore

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
)

// Open chooses the store. It looks for repositories by names alone and starts no
// program; what a repository is worth shows at the first use. The error is an
// *Error: TypeInvalid (a kind that is none, or no folder), TypeNoRepository (there
// is no `.jj` for JJ), or TypeFailed.
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
	found := findRepository(o.Root, o.Kind)
	switch {
	case o.Kind == File || o.Kind == Auto && found.kind == File:
		return newFileStore(&o)
	case o.Kind == Git || o.Kind == Auto && found.kind == Git:
		return newGitStore(&o, found.dir), nil
	case found.kind == JJ:
		return newJJStore(&o, found.dir), nil
	}
	return nil, &Error{
		Type: TypeNoRepository, Critical: true,
		Message: "plans are to be kept in Jujutsu, and the project is in none of its repositories",
		Hint:    "make one with `jj git init`, or set `plan.store` to git, file or auto in .sectile.yaml",
	}
}

// complete puts in what was left out.
func (o *Options) complete() error {
	if o.Kind == "" {
		o.Kind = Auto
	}
	if !slices.Contains(Kinds(), o.Kind) {
		return &Error{Type: TypeInvalid, Message: "there is no store " + string(o.Kind), Hint: "set `plan.store` to auto, jj, git or file"}
	}
	root, err := filepath.Abs(o.Root)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(root); err == nil && !info.IsDir() {
			err = errors.New("it is no folder")
		}
	}
	if err != nil {
		return &Error{Type: TypeInvalid, Message: "the project's folder can't be used: " + bareError(err).Error(), Hint: "name a folder that exists", Err: bareError(err)}
	}
	o.Root = root
	if o.File == "" {
		o.File = DefaultFile
	}
	if o.JJ == "" {
		o.JJ = "jj"
	}
	if o.Git == "" {
		o.Git = "git"
	}
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

// repository is the folder that holds one, and of which kind it is; File if there
// is none.
type repository struct {
	kind Kind
	dir  string // the folder that has the .jj or .git; "" for a bare one, which is no folder of files
}

// findRepository looks for a repository, from a folder upwards: for one of this
// kind, or of any if that is Auto.
func findRepository(dir string, kind Kind) repository {
	for {
		if info, err := os.Stat(filepath.Join(dir, ".jj")); kind != Git && err == nil && info.IsDir() {
			return repository{JJ, dir}
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); kind != JJ && err == nil {
			return repository{Git, dir}
		}
		if kind != JJ && isBare(dir) {
			return repository{Git, ""}
		}
		if filepath.Dir(dir) == dir {
			return repository{File, ""}
		}
		dir = filepath.Dir(dir)
	}
}

// isBare reports whether a folder is what git takes for a repository.
func isBare(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "HEAD")) // a link, long ago
	if err != nil {
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// sameFolder reports whether both paths lead to the same folder.
func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
