package planstore

import (
	"context"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
)

// Reader runs commands that read commits, in the repository that a folder lies in. It is for
// package vcs: what is asked of a repository is its matter, which repository may be asked, and
// how, is decided here as for plans.
type Reader struct {
	options Options
	found   repository
	git     *gitStore // of Git
	jj      *jjStore  // of JJ
}

// OpenReader finds the repository that Options.Root lies in; the error is an *Error:
// TypeNoRepository if it lies in none. It starts no program.
func OpenReader(o Options) (*Reader, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	r := &Reader{options: o, found: findRepository(o.Root, Auto)}
	switch r.found.kind {
	case JJ:
		r.jj = newJJStore(&r.options, r.found.dir)
	case Git:
		r.git = newGitStore(&r.options, &r.found)
	default:
		return nil, &Error{Type: TypeNoRepository, Message: "it lies in no repository of git or Jujutsu", Hint: "name another document or folder to compare with"}
	}
	return r, nil
}

// Kind is JJ or Git. The objects of both are read by Git.
func (r *Reader) Kind() Kind { return r.found.kind }

// Top proves the repository and returns the folder of its files, an absolute path; "" if it is
// bare.
func (r *Reader) Top(ctx context.Context) (string, error) {
	if r.jj != nil {
		at, err := r.jj.place(ctx)
		if err != nil {
			return "", err
		}
		return at.folder, nil
	}
	at, err := r.git.place(ctx)
	if err != nil {
		return "", err
	}
	return at.top, nil
}

// JJ runs a command of Jujutsu that takes no snapshot, and returns what it printed.
func (r *Reader) JJ(ctx context.Context, args ...string) ([]byte, error) {
	c := &call{args: args}
	if _, err := r.jj.lookOnly(ctx, c); err != nil {
		return nil, err
	}
	got, err := r.jj.run(ctx, c)
	return got.out, err
}

// Git runs a command of git with an input, and returns at most so many bytes of what it
// printed, and its exit code.
func (r *Reader) Git(ctx context.Context, input string, limit int, args ...string) (out []byte, exit int, err error) {
	c := &call{args: args, input: input, output: limit}
	var got result
	if r.jj == nil {
		got, err = r.git.try(ctx, c)
		return got.out, got.exit, err
	}
	at, err := r.jj.place(ctx)
	if err != nil {
		return nil, 0, err
	}
	store := filepath.Join(at.repo, "store")
	text, err := repofiles.ReadPointer(filepath.Join(store, "git_target"), false)
	if err != nil {
		return nil, 0, &Error{Type: TypeUnsupported, Message: "the repository of Jujutsu keeps its commits otherwise than in git", Hint: "name another document or folder to compare with"}
	}
	dir, err := fileinfo.LeadsTo(store, text) // place has proven where
	if err != nil {
		return nil, 0, unreadable("`.jj/repo/store/git_target`", err)
	}
	got, err = r.jj.gitAt(at.folder).tryAt(ctx, &gitPlace{gitDir: dir, common: dir}, c)
	return got.out, got.exit, err
}
