package planstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
)

// place proves that the repository belongs to the folder where it was found, and
// returns where it lies. The error is the context's or an *Error.
func (s *jjStore) place(ctx context.Context) (*repoproof.JJPlace, error) {
	at, err := repoproof.New(s.folder, &s.options.Trust, s.options.examined, ctx.Err).JJ(repoproof.AskJJ{
		GitAt:        func(folder string) (*repoproof.GitPlace, error) { return s.gitAt(folder).place(ctx) },
		BroughtAlong: func() error { return s.broughtAlong(ctx) },
	})
	return at, ofProof(err)
}

// gitAt returns the store of git for the repository that is found at a folder.
func (s *jjStore) gitAt(folder string) *gitStore {
	return newGitStore(s.options, &repository{kind: Git, dir: folder})
}

// gitPlace proves a repository of Jujutsu and returns that of git in which its commits are.
func (s *jjStore) gitPlace(ctx context.Context) (*repoproof.GitPlace, error) {
	at, err := s.place(ctx)
	if err != nil {
		return nil, err
	}
	store := filepath.Join(at.Repo, "store")
	text, err := repofiles.ReadPointer(filepath.Join(store, "git_target"), false)
	if err != nil {
		return nil, &Error{Type: TypeUnsupported, Message: "the repository of Jujutsu keeps its commits otherwise than in git", Hint: "name another document or folder to compare with"}
	}
	dir, err := fileinfo.LeadsTo(store, text) // place has proven where
	if err != nil {
		return nil, ofProof(repoproof.Unreadable("`.jj/repo/store/git_target`", err))
	}
	common := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode().IsRegular() { // a `.git` of a worktree or submodule
		git, err := s.gitAt(filepath.Dir(dir)).place(ctx)
		if err != nil {
			return nil, err
		}
		dir, common = git.GitDir, git.Common
	}
	git := &repoproof.GitPlace{GitDir: dir, Common: common, Writes: []string{}} // it is read alone
	if at.Reads != nil {
		git.Reads = slices.Concat(at.Writes, at.Reads)
	}
	return git, nil
}

// gitUsage is the exit code of git for an option that it doesn't know.
const gitUsage = 129

// broughtAlong refuses a .jj that is among the files which the repository of git around
// it has: whoever made that repository has made this one too. Jujutsu keeps git from
// taking up its own. Nothing else is asked there, so that repository may lie anywhere.
func (s *jjStore) broughtAlong(ctx context.Context) error {
	around := enclosingGit(s.folder)
	if around == "" {
		return nil
	}
	options := *s.options
	options.Trust.Repositories = append(slices.Clone(options.Trust.Repositories), around)
	git := newGitStore(&options, &repository{kind: Git, dir: around})
	below, err := filepath.Rel(around, filepath.Join(s.folder, ".jj"))
	if err != nil {
		return repoproof.Unreadable("`.jj`", err)
	}
	// git would write the objects of a sparse index that it expands, and a folder that such an index
	// has as one isn't checked out.
	ask := func(how ...string) (result, error) {
		return git.run(ctx, &call{
			first: []string{"-c", "sparse.expectFilesOutsideOfPatterns=true"},
			args:  append(append([]string{"ls-files", "-z", "--cached"}, how...), "--", ":(top,literal,icase)"+filepath.ToSlash(below)), output: 1, writes: []string{},
		})
	}
	r, err := ask("--sparse")
	if r.exit == gitUsage { // it is older than 2.35
		r, err = ask()
	}
	switch {
	case isType(err, TypeNoRepository): // it can have brought nothing
		return nil
	case isType(err, TypeFailed) && ctx.Err() == nil && !outOfTime(err):
		return repoproof.Untrusted("whether git has brought `.jj` along can't be told, for git can't be run")
	case err != nil:
		return err
	case len(r.out) > 0 || r.cut:
		return repoproof.Untrusted("`.jj` is among the files that the repository of git around it has, so that its author has made it")
	}
	return nil
}

// enclosingGit returns the folder, this one or one above it, that has a .git of the
// user's; "" if none has. One of another user has brought nothing along in the user's
// name, and an empty folder is no repository to git either.
func enclosingGit(dir string) string {
	for {
		entry := filepath.Join(dir, ".git")
		info, err := os.Lstat(entry)
		if err == nil && fileinfo.OwnedByUser(info) && (!info.IsDir() || exists(filepath.Join(entry, "HEAD"))) {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}
