package planstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/repoproof"
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
	found, err := findRepository(o.Root, Auto)
	if err != nil {
		return nil, err
	}
	r := &Reader{options: o, found: found}
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
		return at.Folder, nil
	}
	at, err := r.git.place(ctx)
	if err != nil {
		return "", err
	}
	return at.Top, nil
}

// What is wrong with a revision, in errors of Log.
var (
	ErrNoRevision       = errors.New("no such revision is known to Jujutsu")
	ErrNoRevset         = errors.New("it is no revset of Jujutsu, or one of its aliases is none")
	ErrSeveralRevisions = errors.New("it stands for several commits")
)

// revisionFaults are the lines by which Jujutsu says that a revision is at fault, and not
// itself. Each is known as a whole, for what stands between, the revision, has any words.
var revisionFaults = [...]struct {
	begin, end string
	fault      error
}{
	{"Error: Revision `", "` doesn't exist", ErrNoRevision},
	{"Error: Failed to parse revset: ", "", ErrNoRevset},
	{"Error: Name `", "` is conflicted", ErrSeveralRevisions},
	{"Error: Change ID `", "` is divergent", ErrSeveralRevisions},
	{"Error: Change ID prefix `", "` is ambiguous", ErrSeveralRevisions},
	{"Error: Commit ID prefix `", "` is ambiguous", ErrSeveralRevisions},
}

// revisionFault returns what is wrong with the revision that a run was given, nil if it failed
// for anything else.
func (r *result) revisionFault() error {
	said := ownMessage(r.stderr)
	for _, f := range &revisionFaults {
		if strings.HasPrefix(said, f.begin) && strings.HasSuffix(said, f.end) {
			return f.fault
		}
	}
	return nil
}

// searchingRevsets are the functions of revsets that look for names or texts of files. An alias
// hides them from the configuration's aliases as well.
var searchingRevsets = [...]string{
	"files(files)", "file(files)", "diff_contains(text)", "diff_contains(text, files)",
	"diff_lines(text)", "diff_lines(text, files)", "diff_lines_added(text)", "diff_lines_added(text, files)",
	"diff_lines_removed(text)", "diff_lines_removed(text, files)",
}

// Log has Jujutsu print a template for each of the first commits of a revset, without a
// snapshot. The error is ErrNoRevision, ErrNoRevset, ErrSeveralRevisions, an *Error if Jujutsu
// has failed otherwise, or the context's.
func (r *Reader) Log(ctx context.Context, revset string, limit int, template string) ([]byte, error) {
	c := &call{
		args: []string{"log", "--no-graph", "--limit", strconv.Itoa(limit), "--revisions=" + revset},
		more: []string{"-T", template},
	}
	if r.options.Shows != nil {
		for _, f := range searchingRevsets {
			c.args = append(c.args, fmt.Sprintf(`--config=revset-aliases.%q="none()"`, f))
		}
	}
	if _, err := r.jj.lookOnly(ctx, c); err != nil {
		return nil, err
	}
	got, err := r.jj.run(ctx, c)
	if err != nil && got.exit != 0 {
		if fault := got.revisionFault(); fault != nil {
			return nil, fault
		}
	}
	return got.out, err
}

// Sparse returns the files and folders, by their paths from the top, below which the working copy
// of Jujutsu has files; "." stands for all of them. No snapshot is taken. Jujutsu lists them a line
// each, where a name may have more: which they are is read from its file, if that says the same.
func (r *Reader) Sparse(ctx context.Context) ([]string, error) {
	c := &call{args: []string{"sparse", "list"}}
	if _, err := r.jj.lookOnly(ctx, c); err != nil {
		return nil, err
	}
	got, err := r.jj.run(ctx, c)
	if err != nil {
		return nil, err
	}
	at, err := r.jj.place(ctx)
	if err != nil {
		return nil, err
	}
	state, err := openTreeState(at.Folder)
	if err != nil {
		return nil, ofProof(repoproof.Unreadable("`.jj/working_copy/tree_state`", err))
	}
	defer state.Close() //nolint:errcheck // nothing was written
	patterns, err := repofiles.SparsePatterns(state)
	var list strings.Builder
	for i, pattern := range patterns {
		if pattern == "." { // no name, and listed as the top is
			err = errors.New("it is no path")
		}
		patterns[i] = cmp.Or(pattern, ".")
		list.WriteString(filepath.FromSlash(patterns[i]) + "\n")
	}
	if err != nil || list.String() != string(got.out) {
		return nil, &Error{Type: TypeUnsupported, Message: "what the sparse working copy of Jujutsu leaves out can't be told: its file `.jj/working_copy/tree_state` doesn't have what `jj sparse list` prints", Hint: "name a document instead of its folder, or let everything be checked out with `jj sparse reset`"}
	}
	return patterns, nil
}

// openTreeState opens what Jujutsu keeps of the working copy in a folder, of which one that was
// never written has nothing.
func openTreeState(folder string) (io.ReadCloser, error) {
	f, err := os.OpenFile(filepath.Join(folder, ".jj", "working_copy", "tree_state"), fileinfo.OpenFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return io.NopCloser(strings.NewReader("")), nil
	}
	return f, err
}

// IsColocated reports whether the folder of a repository of Jujutsu is that of the repository
// of git too in which its commits are.
func (r *Reader) IsColocated(ctx context.Context) (bool, error) {
	at, err := r.jj.gitPlace(ctx)
	if err != nil {
		return false, err
	}
	entry := filepath.Join(r.jj.folder, ".git")
	if info, err := os.Lstat(entry); err == nil && info.Mode().IsRegular() {
		git, err := r.jj.gitAt(r.jj.folder).place(ctx)
		return err == nil && fileinfo.IsSame(git.GitDir, at.GitDir), err
	}
	return fileinfo.IsSame(entry, at.GitDir), nil
}

// Git runs a command of git with an input, and returns at most so many bytes of what it
// printed, and its exit code.
func (r *Reader) Git(ctx context.Context, input string, limit int, args ...string) (out []byte, exit int, err error) {
	_, got, err := r.tryGit(ctx, &call{args: args, input: input, output: limit})
	return got.out, got.exit, err
}

// GitWorks returns the error by which git fails in the repository whatever it is asked, as where its
// configuration can't be read; nil if it works.
func (r *Reader) GitWorks(ctx context.Context) error {
	for _, args := range [][]string{{"for-each-ref", "--count=1", "--format=%(refname)"}, {"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}} {
		if _, err := r.GitOrFail(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// GitOrFail is Git for a command that fails for no name that it is given: the error says that git did.
func (r *Reader) GitOrFail(ctx context.Context, args ...string) ([]byte, error) {
	const failed = 128 // and 1 where there is no commit yet
	c := &call{args: args}
	git, got, err := r.tryGit(ctx, c)
	if err == nil && got.exit == failed {
		err = git.explain(c, &got)
	}
	return got.out, err
}

// GitLacks runs a command of git, and reports whether it fails for an object that is missing or
// damaged.
func (r *Reader) GitLacks(ctx context.Context, args ...string) (bool, error) {
	_, got, err := r.tryGit(ctx, &call{args: args})
	return err == nil && got.exit != 0 && got.failure() == missingObject, err
}

// GitBroken returns the error for a ref that git can't read, such as one whose file is empty since the
// machine lost its power, among those that it looks for by these names; nil if there is none.
func (r *Reader) GitBroken(ctx context.Context, names []string) error {
	git, at, err := r.gitPlace(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(names, "HEAD") {
		if is, err := git.checkedOut(ctx, at, "HEAD", nil); err != nil || is.untold != nil {
			return cmp.Or(err, error(is.untold))
		}
	}
	for _, name := range names {
		if err := r.options.ownRef(ctx, &r.found, at, name); err != nil {
			return err
		}
		refs := repoproof.RefsCalled(name)
		warned, err := git.tryAt(ctx, at, &call{args: append([]string{"for-each-ref", "--format=%(refname)", "--"}, refs...)})
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(refs, func(ref string) bool { return strings.Contains(warned.stderr, brokenWarning+ref+"\n") }); i >= 0 {
			return broken(refs[i])
		}
		// Of one that stands for such a ref, or for one that isn't there, this tells.
		if warned, err = git.tryAt(ctx, at, &call{args: []string{"rev-parse", "--verify", "--end-of-options", name}}); err != nil {
			return err
		}
		for _, ref := range refs {
			if !strings.HasPrefix(ref, "refs/") || !strings.Contains(warned.stderr, "warning: ignoring dangling symref "+ref+"\n") {
				continue
			}
			stands, err := git.tryAt(ctx, at, &call{args: []string{"symbolic-ref", "-q", ref}})
			if err == nil && stands.exit != 0 {
				err = &Error{Type: TypeFailed, Critical: true, Message: fmt.Sprintf("what the ref %s stands for is damaged: git finds no commit there", ref), Hint: "see what `git fsck` says"}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// gitPlace proves the repository, and returns git in that of the commits, and where it lies.
func (r *Reader) gitPlace(ctx context.Context) (git *gitStore, at *repoproof.GitPlace, err error) {
	if r.jj == nil {
		at, err = r.git.place(ctx)
		return r.git, at, err
	}
	at, err = r.jj.gitPlace(ctx)
	return r.jj.gitAt(r.jj.folder), at, err
}

// tryGit proves the repository and runs a command of git in that of the commits.
func (r *Reader) tryGit(ctx context.Context, c *call) (git *gitStore, got result, err error) {
	git, at, err := r.gitPlace(ctx)
	if err == nil {
		got, err = git.tryAt(ctx, at, c)
	}
	return git, got, err
}

// OwnRef sees that no link leads out of the repository where git looks for a ref of this name, or
// for those that it stands for. A repository that the user's environment names may have any.
func (r *Reader) OwnRef(ctx context.Context, name string) error {
	_, at, err := r.gitPlace(ctx)
	if err != nil {
		return err
	}
	return r.options.ownRef(ctx, &r.found, at, name)
}

// ownRef is OwnRef for the repository at a place.
func (o *Options) ownRef(ctx context.Context, found *repository, at *repoproof.GitPlace, name string) error {
	if found.env != nil {
		return nil
	}
	return ofProof(repoproof.New(found.dir, &o.Trust, o.examined, ctx.Err).OwnRef(at, name))
}
