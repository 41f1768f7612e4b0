package planstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
)

// jjPlace is where a repository of Jujutsu lies. All paths are absolute.
type jjPlace struct {
	folder string // that has the .jj
	repo   string // the folder that all workspaces share, with links resolved
}

// place proves that the repository belongs to the folder where it was found, and
// returns where it lies. The error is the context's or an *Error.
func (s *jjStore) place(ctx context.Context) (*jjPlace, error) {
	p := &proof{folder: s.folder, trust: &s.options.Trust, examined: s.options.examined, ended: ctx.Err}
	at := &jjPlace{folder: s.folder}
	entry := filepath.Join(s.folder, ".jj")
	info, err := os.Lstat(entry)
	if err != nil {
		return nil, unreadable("`.jj`", err)
	}
	if !info.IsDir() && !p.elsewhere() {
		return nil, untrusted("`.jj` is a link, which may lead to any repository")
	}
	workspace, err := p.repo(at, entry)
	if err != nil {
		return nil, err
	}
	if err := p.owned(p.folder, entry, at.repo); err != nil {
		return nil, err
	}
	if p.elsewhere() {
		return at, nil
	}
	if err := p.configuration(filepath.Join(entry, "workspace-config.toml"), filepath.Join(at.repo, "config.toml")); err != nil {
		return nil, err
	}
	if err := p.noLinksOut(entry, &jjParts); err != nil {
		return nil, err
	}
	if err := p.noLinksOut(at.repo, &jjRepoParts); err != nil {
		return nil, err
	}
	if err := s.backend(ctx, p, at, workspace); err != nil {
		return nil, err
	}
	return at, s.broughtAlong(ctx)
}

// jjParts are those of a workspace, and jjRepoParts those of what all share.
var (
	jjParts     = parts{folders: []string{".", "working_copy/**"}, files: []string{"workspace-config.toml"}}
	jjRepoParts = parts{
		folders: []string{
			".", "store", "store/extra/**", "op_heads/**", "op_store/**", "index/**", "workspace_store", "submodule_store",
			"store/commits", "store/conflicts", "store/files", "store/symlinks", "store/trees", // without git
		},
		files: []string{"config.toml"},
	}
)

// configuration proves that the files in which a repository is configured are its own, or
// those that newer versions keep for it with the user's and put links to in their place.
func (p *proof) configuration(paths ...string) error {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return unreadable(code(p.shown(path)), err)
		}
		if info.Mode().Type() == fs.ModeSymlink {
			to, err := fileinfo.Resolved(path)
			if errors.Is(err, fs.ErrNotExist) { // it configures nothing
				continue
			}
			if err != nil || !slices.ContainsFunc(jjFolders(), func(dir string) bool { return fileinfo.LiesIn(dir, to) }) {
				return untrusted(fmt.Sprintf("%s is a link to a file that isn't in your configuration of Jujutsu", code(p.shown(path))))
			}
			if info, err = os.Lstat(to); err != nil {
				return unreadable(code(p.shown(path)), err)
			}
		}
		if !info.Mode().IsRegular() || info.Size() > maxConfig {
			return untrusted(fmt.Sprintf("%s is no file, or larger than one is", code(p.shown(path))))
		}
	}
	return nil
}

// jjFolders are the folders in which Jujutsu may keep the user's configuration, with
// links resolved.
func jjFolders() []string {
	places := []string{os.Getenv("XDG_CONFIG_HOME")}
	if home, err := fileinfo.HomeDir(); err == nil {
		places = append(places, filepath.Join(home, ".config"))
	}
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, dir)
	}
	var list []string
	for _, place := range places {
		if dir, err := filepath.EvalSymlinks(filepath.Join(place, "jj")); err == nil && filepath.IsAbs(place) {
			list = append(list, dir)
		}
	}
	return list
}

// repo finds the folder that the workspaces share, and proves that the repository knows
// this one. It returns the folder of the workspace that has the repository in it.
func (p *proof) repo(at *jjPlace, entry string) (workspace string, err error) {
	path := filepath.Join(entry, "repo")
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", &Error{Type: TypeNoRepository, Critical: true, Err: bareError(err), Message: "there is no repository in `.jj`", Hint: "make one with `jj git init`, or take the folder away"}
	case info.IsDir():
		at.repo, err = fileinfo.Resolved(path)
	case info.Mode().IsRegular():
		follow := fileinfo.LeadsTo
		if p.elsewhere() {
			follow = fileinfo.GoesTo
		}
		var text string
		if text, err = repofiles.ReadPointer(path, false); err == nil {
			at.repo, err = follow(entry, text)
		}
	case p.elsewhere():
		at.repo, err = filepath.EvalSymlinks(path)
	default:
		return "", untrusted("`.jj/repo` is a link, which may lead to any repository")
	}
	if err != nil {
		return "", unreadable("`.jj/repo`", err)
	}
	workspace = filepath.Dir(filepath.Dir(at.repo))
	if info.IsDir() || p.elsewhere() {
		return workspace, nil
	}
	known, err := repofiles.Workspaces(at.repo)
	switch {
	case err != nil:
		return "", untrusted("`.jj/repo` names a repository without a readable list of its workspaces, which jj keeps since 0.38, so that it can't say whether this is one")
	case filepath.Base(at.repo) != "repo" || filepath.Base(filepath.Dir(at.repo)) != ".jj",
		!slices.ContainsFunc(known, func(dir string) bool { return fileinfo.IsSame(dir, p.folder) }):
		return "", untrusted("`.jj/repo` names a repository that doesn't have the project's folder among its workspaces")
	}
	return workspace, nil
}

// backend proves that the commits lie in the repository, or in the one of git that
// belongs to the folder of its workspace.
func (s *jjStore) backend(ctx context.Context, p *proof, at *jjPlace, workspace string) error {
	store := filepath.Join(at.repo, "store")
	text, err := repofiles.ReadPointer(filepath.Join(store, "git_target"), false)
	if errors.Is(err, fs.ErrNotExist) { // another backend, which has no such file
		return nil
	} else if err != nil {
		return unreadable("`.jj/repo/store/git_target`", err)
	}
	target, err := fileinfo.LeadsTo(store, text)
	switch {
	case err != nil:
		return unreadable("`.jj/repo/store/git_target`", err)
	case target == filepath.Join(store, "git"):
		if _, err := p.whole(&gitPlace{gitDir: target, common: target}); err != nil {
			return err
		}
		return ownPacks(target)
	}
	const elsewhere = "the commits of Jujutsu's repository lie in a repository of git which is neither in `.jj` nor that of the same folder"
	if _, err := os.Lstat(filepath.Join(workspace, ".git")); err != nil {
		return untrusted(elsewhere)
	}
	git, err := s.gitAt(workspace).place(ctx)
	switch {
	case err != nil:
		return err
	case target != filepath.Join(workspace, ".git") && !fileinfo.IsSame(target, git.gitDir):
		return untrusted(elsewhere)
	}
	return ownPacks(git.common)
}

// gitAt returns the store of git for the repository that is found at a folder.
func (s *jjStore) gitAt(folder string) *gitStore {
	return newGitStore(s.options, &repository{kind: Git, dir: folder})
}

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
		return unreadable("`.jj`", err)
	}
	r, err := git.run(ctx, &call{args: []string{"ls-files", "-z", "--cached", "--", ":(top,literal,icase)" + filepath.ToSlash(below)}, output: 1})
	switch {
	case isType(err, TypeNoRepository): // it can have brought nothing
		return nil
	case isType(err, TypeFailed) && ctx.Err() == nil:
		return untrusted("whether git has brought `.jj` along can't be told, for git can't be run")
	case err != nil:
		return err
	case len(r.out) > 0 || r.cut:
		return untrusted("`.jj` is among the files that the repository of git around it has, so that its author has made it")
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

// heads returns the identifiers of the operations that the repository is at, in order:
// one, or several after commands that ran at once and that no later command has merged.
func (at *jjPlace) heads() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(at.repo, "op_heads", "heads"))
	if err != nil {
		return nil, unreadable("`.jj/repo/op_heads`", err)
	}
	var list []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.Trim(e.Name(), "0123456789abcdef") == "" {
			list = append(list, e.Name())
		}
	}
	if len(list) == 0 {
		return nil, unreadable("`.jj/repo/op_heads`", errors.New("no operation is there"))
	}
	return list, nil
}

// isIndexed reports whether Jujutsu has the index of an operation, which it would write
// otherwise.
func (at *jjPlace) isIndexed(operation string) bool {
	for _, folder := range [...]string{"op_links", "operations"} { // the second before 0.33
		if _, err := os.Stat(filepath.Join(at.repo, "index", folder, operation)); err == nil {
			return true
		}
	}
	return false
}
