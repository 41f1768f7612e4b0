package planstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
)

// Where a repository of git lies is told to every command by GIT_DIR: git looks for
// none itself, and so uses the one that was proven and no other.

// gitPlace is where a repository of git lies. All paths are absolute.
type gitPlace struct {
	top    string // the folder of the files; "" for a bare repository
	gitDir string // holds HEAD
	common string // holds the refs and objects: gitDir, but for a linked worktree
	// workTree says that the user's environment names top, whatever the repository's
	// configuration says.
	workTree bool
}

// workDir returns the folder that commands run in.
func (g *gitPlace) workDir() string {
	if g.top == "" {
		return g.gitDir
	}
	return g.top
}

// env returns the variables that tell a command of git where the repository lies.
func (g *gitPlace) env() []string {
	env := []string{"GIT_DIR=" + g.gitDir}
	if g.workTree {
		env = append(env, "GIT_WORK_TREE="+g.top)
	}
	return env
}

// place proves that the repository belongs to the folder where it was found, and
// returns where it lies. The error is the context's or an *Error.
func (s *gitStore) place(ctx context.Context) (*gitPlace, error) {
	switch {
	case s.found.env != nil:
		return s.found.env, nil
	case s.found.kind != Git:
		return nil, &Error{
			Type: TypeNoRepository, Critical: true,
			Message: "plans are to be kept in git, and the project is in none of its repositories",
			Hint:    "make one with `git init`, or set `plan.store` to file or auto in .sectile.yaml",
		}
	}
	p := &proof{folder: s.found.dir, trust: &s.options.Trust, examined: s.options.examined, ended: ctx.Err}
	var (
		g   *gitPlace
		err error
	)
	if s.found.bare {
		g, err = p.bare()
	} else {
		g, err = s.proven(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	paths := []string{p.folder, g.gitDir, g.common}
	if g.top != "" {
		paths = append(paths, filepath.Join(g.top, ".git"))
	}
	err = p.owned(paths...)
	if isType(err, TypeUntrusted) && s.gitTrusts(ctx, g) {
		err = nil
	}
	if err == nil && s.found.bare {
		err = p.ownedParts()
	}
	return g, err
}

// ownedParts sees that the parts by which the folder was taken for a bare repository
// belong to the user, and not to another who may make files there, as in /tmp. git looks
// at the folder alone, so its word doesn't count here.
func (p *proof) ownedParts() error {
	for _, name := range [...]string{"HEAD", "objects", "refs", "config"} {
		path := filepath.Join(p.folder, name)
		if !exists(path) {
			continue
		}
		if err := p.owned(path); err != nil {
			return err
		}
	}
	return nil
}

// proven proves a repository that has files.
func (s *gitStore) proven(ctx context.Context, p *proof) (*gitPlace, error) {
	entry := filepath.Join(p.folder, ".git")
	info, err := os.Lstat(entry)
	switch {
	case err != nil:
		return nil, unreadable("`.git`", err)
	case info.IsDir():
		return p.whole(&gitPlace{top: p.folder, gitDir: entry, common: entry})
	case p.elsewhere():
		return s.elsewhere(entry, info)
	case !info.Mode().IsRegular():
		return nil, untrusted("`.git` is a link, which may lead to any repository")
	}
	gitDir, err := target(entry, fileinfo.LeadsTo)
	if err != nil {
		return nil, err
	}
	if text, err := repofiles.ReadPointer(filepath.Join(gitDir, "gitdir"), true); err == nil {
		return p.worktree(gitDir, fileinfo.From(gitDir, text))
	}
	// It may also lie in the folder itself, as where all files are in worktrees.
	if isPlainChild(p.folder, gitDir) || s.isSubmodule(ctx, p.folder, gitDir) {
		return p.whole(&gitPlace{top: p.folder, gitDir: gitDir, common: gitDir})
	}
	return nil, untrusted("`.git` is a file that names a repository which doesn't name the project's folder in turn, as those of worktrees and submodules do")
}

// isPlainChild reports whether a repository is an entry of the folder itself, and none
// that is the repository of its files. One that lies deeper may be that of a folder there.
func isPlainChild(folder, gitDir string) bool {
	name := filepath.Base(gitDir)
	return filepath.Dir(gitDir) == folder && !strings.EqualFold(name, ".git") && !strings.EqualFold(name, ".jj")
}

// target returns the folder that a .git file names, with links followed in this way:
// fileinfo.LeadsTo or fileinfo.GoesTo.
func target(entry string, follow func(folder, path string) (string, error)) (string, error) {
	text, err := repofiles.ReadPointer(entry, true)
	if err != nil {
		return "", unreadable("`.git`", err)
	}
	named, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok {
		return "", &Error{Type: TypeNoRepository, Critical: true, Message: "`.git` is a file that names no repository", Hint: "mend it, or take it away"}
	}
	to, err := follow(filepath.Dir(entry), named)
	switch {
	case errors.Is(err, fileinfo.OfProcesses) || errors.Is(err, fileinfo.InTwoWays):
		return "", unreadable("`.git`", err)
	case err != nil:
		return "", &Error{
			Type: TypeNoRepository, Critical: true, Err: bareError(err),
			Message: "`.git` is a file that names a repository which isn't there",
			Hint:    "mend it with `git worktree repair` or `git submodule update --init`, or take it away",
		}
	}
	return to, nil
}

// elsewhere returns where a repository lies that the user lets lie anywhere.
func (s *gitStore) elsewhere(entry string, info fs.FileInfo) (*gitPlace, error) {
	var (
		gitDir string
		err    error
	)
	if info.Mode().IsRegular() {
		gitDir, err = target(entry, fileinfo.GoesTo)
	} else {
		gitDir, err = filepath.EvalSymlinks(entry)
	}
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, e
		}
		return nil, unreadable("`.git`", err)
	}
	return &gitPlace{top: filepath.Dir(entry), gitDir: gitDir, common: commonOf(gitDir)}, nil
}

// commonOf returns the folder that a worktree's commondir names; gitDir itself if that has
// none.
func commonOf(gitDir string) string {
	text, err := repofiles.ReadPointer(filepath.Join(gitDir, "commondir"), true)
	if err != nil {
		return gitDir
	}
	common, err := fileinfo.GoesTo(gitDir, text)
	if err != nil {
		return gitDir
	}
	return common
}

// worktree proves a linked worktree: the repository has it among its worktrees, and
// that entry names the .git of the project's folder.
func (p *proof) worktree(gitDir, back string) (*gitPlace, error) {
	text, err := repofiles.ReadPointer(filepath.Join(gitDir, "commondir"), true)
	if err != nil {
		return nil, unreadable("`commondir`", err)
	}
	common, err := fileinfo.LeadsTo(gitDir, text)
	if err != nil {
		return nil, unreadable("`commondir`", err)
	}
	named, err := fileinfo.Resolved(back)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable("`gitdir`", err)
	}
	switch {
	case filepath.Base(named) != ".git" || !fileinfo.IsSame(filepath.Dir(named), p.folder): // not by the file, which may have two names
		return nil, untrusted("`.git` names a worktree of a repository, and to that the worktree is another folder (after a move `git worktree repair` mends it)")
	case filepath.Join(common, "worktrees", filepath.Base(gitDir)) != gitDir:
		return nil, untrusted("`.git` names a worktree whose `commondir` is a repository that doesn't have it")
	}
	if err := p.noLinksOut(gitDir, &gitParts); err != nil {
		return nil, err
	}
	if err := ownTables(gitDir); err != nil {
		return nil, err
	}
	return p.whole(&gitPlace{top: p.folder, gitDir: gitDir, common: common})
}

// isSubmodule reports whether the repository at gitDir says itself that its files are in
// the folder.
func (s *gitStore) isSubmodule(ctx context.Context, folder, gitDir string) bool {
	for _, name := range [...]string{"config.worktree", "config"} {
		if info, err := os.Stat(filepath.Join(gitDir, name)); err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
			continue
		}
		c := &call{
			args: []string{"config", "-z", "--file", filepath.Join(gitDir, name), "--get", "core.worktree"},
			env:  []string{"GIT_DIR=" + os.DevNull}, // of which nothing is read
		}
		r, err := s.program.in(folder).try(ctx, c)
		if err != nil || r.exit != 0 {
			continue
		}
		return fileinfo.IsSame(fileinfo.From(gitDir, strings.TrimSuffix(string(r.out), "\x00")), folder)
	}
	return false
}

// bare proves a repository without files. One among the files of another repository
// came with them.
func (p *proof) bare() (*gitPlace, error) {
	g := &gitPlace{gitDir: p.folder, common: p.folder}
	if p.elsewhere() {
		return g, nil
	}
	for dir := filepath.Dir(p.folder); ; dir = filepath.Dir(dir) {
		for _, name := range [...]string{".git", ".jj"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return nil, untrusted("the folder looks like a bare repository of git and lies among the files of another repository, which may have brought it")
			}
		}
		if filepath.Dir(dir) == dir {
			return p.whole(g)
		}
	}
}

// whole proves that a repository is no part of another one, nor made of its parts.
func (p *proof) whole(g *gitPlace) (*gitPlace, error) {
	if p.elsewhere() {
		return g, nil
	}
	if _, err := os.Lstat(filepath.Join(g.common, "commondir")); !errors.Is(err, fs.ErrNotExist) {
		return nil, untrusted("the repository names another one by a file `commondir`, which only a worktree may")
	}
	if err := p.noLinksOut(g.common, &gitParts); err != nil {
		return nil, err
	}
	return g, p.ownData(g.common)
}

// gitParts are those of a repository of git and of a linked worktree. Configuration is
// read as such alone, and patterns of what is left out are compared with names.
var gitParts = parts{
	entries: []string{
		"HEAD", "index", "sharedindex.*", "packed-refs", "shallow", "refs", "reftable", "objects", "logs", "info",
		"worktrees", "rebase-merge", "rebase-apply",
	},
	folders: []string{"refs/**", "reftable", "objects/**", "logs/**", "info"},
	inEach:  map[string][]string{"worktrees": {"HEAD", "rebase-merge", "rebase-apply"}}, // of which these alone are read
	files:   []string{"config", "config.worktree", "info/exclude"},
}

// gitTrusts reports whether git uses the repository though it belongs to somebody else,
// because the user's own configuration of git, or environment, lists it (safe.directory). Git is asked to
// find it, for where it is told it doesn't look whose it is.
func (s *gitStore) gitTrusts(ctx context.Context, g *gitPlace) bool {
	c := &call{
		first: append(harmlessGit(), "-c", "safe.bareRepository=all"), args: []string{"rev-parse", "--absolute-git-dir"},
		env: append(ownSettings(os.Environ()), "GIT_CEILING_DIRECTORIES="+filepath.Dir(g.workDir())),
	}
	r, err := s.program.in(g.workDir()).try(ctx, c)
	return err == nil && r.exit == 0 && fileinfo.IsSame(strings.TrimSuffix(string(r.out), "\n"), g.gitDir)
}

// ownSettings returns the variables by which the user sets single values of git's
// configuration.
func ownSettings(ours []string) (env []string) {
	for _, variable := range ours {
		name, _, _ := strings.Cut(variable, "=")
		if name == "GIT_CONFIG_COUNT" || name == "GIT_CONFIG_PARAMETERS" || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			env = append(env, variable)
		}
	}
	return env
}

// environmentPlace returns the repository that the user's environment names for the
// files that a folder lies among, as git reads it: GIT_DIR, for GIT_WORK_TREE or the
// working directory. It is nil if there is none.
func environmentPlace(folder string) *gitPlace {
	gitDir := os.Getenv("GIT_DIR")
	if gitDir == "" {
		return nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil
	}
	g := &gitPlace{top: here}
	if tree := os.Getenv("GIT_WORK_TREE"); tree != "" {
		g.top, g.workTree = fileinfo.From(here, tree), true
		if g.top, err = filepath.EvalSymlinks(g.top); err != nil {
			return nil
		}
	}
	if g.gitDir, err = fileinfo.GoesTo(here, gitDir); err != nil {
		return nil
	}
	if info, err := os.Stat(g.gitDir); err == nil && info.Mode().IsRegular() { //nolint:gosec // the user names it; a .git file
		if g.gitDir, err = target(g.gitDir, fileinfo.GoesTo); err != nil {
			return nil
		}
	}
	if !fileinfo.LiesIn(g.top, folder) {
		return nil
	}
	g.common = commonOf(g.gitDir)
	return g
}

// ceilings are the folders above which git looks for no repository, by the user's word.
func ceilings() []string {
	var list []string
	for _, dir := range filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(dir) {
			list = append(list, resolved)
		}
	}
	return list
}

// workingFolder is the working directory without links, from which git would look for a
// repository, or "" if it is gone.
func workingFolder() string {
	dir, _ := os.Getwd()
	dir, _ = filepath.EvalSymlinks(dir)
	return dir
}
