package repoproof

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
)

// GitPlace is where a repository of git lies. All paths are absolute.
type GitPlace struct {
	Top    string // the folder of the files; "" for a bare repository
	GitDir string // holds HEAD
	Common string // holds the refs and objects: GitDir, but for a linked worktree
	// Writes are the folders below which alone git may write; nil for any, as where the user lets
	// the repository lie anywhere.
	Writes []string
	// Reads are the files and folders which alone git may read, beside those of the user's
	// configuration; nil for any, as Writes.
	Reads []string
	// IgnoresForeign says that the repository's configuration names a file of ignored names that is
	// neither its own, nor in its folder, nor one that the user's configuration names, or may, for what
	// it says can't be told: git is not to read it, and can't go on where it can't.
	IgnoresForeign bool
	// configured is what the repository's configuration says of it.
	configured repofiles.GitConfiguration
	// workTree says that the user's environment names Top, whatever the repository's
	// configuration says.
	workTree bool
}

// WorkDir returns the folder that commands run in.
func (g *GitPlace) WorkDir() string {
	if g.Top == "" {
		return g.GitDir
	}
	return g.Top
}

// Env returns the variables that tell a command of git where the repository lies. git looks
// for none itself then, and so uses the one that was proven and no other.
func (g *GitPlace) Env() []string {
	env := []string{"GIT_DIR=" + g.GitDir}
	if g.workTree {
		env = append(env, "GIT_WORK_TREE="+g.Top)
	}
	return env
}

// ignoresForeign reports whether the repository's configuration names a file of ignored names that
// is there, isn't in the folders, and isn't named by the user's configuration, or may. Relative paths
// lead from a folder; what is no file may count as none.
func (g *GitPlace) ignoresForeign(from string, filesAlone bool, folders ...string) bool {
	return g.configured.Untold != "" || g.ignoredElsewhere(from, filesAlone, folders...) != nil
}

// ignoredElsewhere returns the first file for which ignoresForeign is true; nil for none.
func (g *GitPlace) ignoredElsewhere(from string, filesAlone bool, folders ...string) *repofiles.Named {
	ofUser := sync.OnceValue(repofiles.ConfigurationOfUser)
	i := slices.IndexFunc(g.configured.Ignored, func(named repofiles.Named) bool {
		path := fileinfo.From(from, named.Path)
		to, err := fileinfo.OneWay(path)
		if errors.Is(err, fileinfo.InTwoWays) {
			return true
		}
		if info, err := os.Stat(path); err != nil || filesAlone && !info.Mode().IsRegular() {
			return false
		}
		isOwn := err == nil && slices.ContainsFunc(folders, func(dir string) bool {
			dir, err := fileinfo.Resolved(dir)
			return err == nil && fileinfo.LiesIn(dir, to)
		})
		return !isOwn && !slices.ContainsFunc(ofUser(), func(file string) bool { return fileinfo.IsSame(file, path) })
	})
	if i < 0 {
		return nil
	}
	return &g.configured.Ignored[i]
}

// Head returns the full identifier of the commit that the repository is at, "" where its branch has
// none yet, if that can be told without doubt.
func (g *GitPlace) Head() (id string, told bool) {
	if g.configured.Untold != "" {
		return "", false
	}
	return repofiles.HeadOfGit(g.GitDir, g.Common)
}

// AskGit has what only git itself can say.
type AskGit struct {
	// Worktree returns core.worktree as a file of configuration has it.
	Worktree func(config string) (path string, ok bool)
	// Trusts reports whether git uses the repository though it belongs to somebody else.
	Trusts func(*GitPlace) bool
}

// Git proves that a repository of git, bare or with files, belongs to the folder, and returns
// where it lies.
func (p *Proof) Git(bare bool, ask AskGit) (*GitPlace, error) {
	var (
		g   *GitPlace
		err error
	)
	if bare {
		g, err = p.bare()
	} else {
		g, err = p.withFiles(ask.Worktree)
	}
	if err != nil {
		return nil, err
	}
	paths := []string{p.folder, g.GitDir, g.Common}
	if g.Top != "" {
		paths = append(paths, filepath.Join(g.Top, ".git"))
	}
	err = p.owned(paths...)
	if e, ok := errors.AsType[*Error](err); ok && e.Reason == Foreign && ask.Trusts(g) && (p.owned(g.Common) == nil || ask.Trusts(g.main())) {
		err = nil
	}
	if err == nil && bare {
		err = p.ownedParts(p.folder, "HEAD", "objects", "refs", "config")
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// main returns where the repository lies that a linked worktree is one of: of a worktree git looks
// at the owner of its own folder alone. A repository without worktrees is that itself.
func (g *GitPlace) main() *GitPlace {
	if g.Common == g.GitDir {
		return g
	}
	m := &GitPlace{GitDir: g.Common, Common: g.Common}
	if filepath.Base(g.Common) == ".git" {
		m.Top = filepath.Dir(g.Common)
	}
	return m
}

// ownedParts sees that the parts by which a folder was taken for a repository
// belong to the user, and not to another who may make files there, as in /tmp. git looks
// at the folder alone, so its word doesn't count here.
func (p *Proof) ownedParts(folder string, names ...string) error {
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if err := p.owned(path); err != nil {
			return err
		}
	}
	return nil
}

// withFiles proves a repository that has files.
func (p *Proof) withFiles(worktree func(config string) (path string, ok bool)) (*GitPlace, error) {
	entry := filepath.Join(p.folder, ".git")
	info, err := os.Lstat(entry)
	switch {
	case err != nil:
		return nil, Unreadable("`.git`", err)
	case info.IsDir():
		return p.whole(&GitPlace{Top: p.folder, GitDir: entry, Common: entry})
	case p.elsewhere():
		return anywhere(entry, info)
	case !info.Mode().IsRegular():
		return nil, noFolder("`.git`", info)
	}
	gitDir, err := target(entry, fileinfo.LeadsTo)
	if err != nil {
		return nil, err
	}
	if text, err := repofiles.ReadPointer(filepath.Join(gitDir, "gitdir"), true); err == nil {
		return p.worktree(gitDir, fileinfo.From(gitDir, text))
	}
	// It may also lie in the folder itself, as where all files are in worktrees.
	if isPlainChild(p.folder, gitDir) || p.isSubmodule(gitDir, worktree) {
		return p.whole(&GitPlace{Top: p.folder, GitDir: gitDir, Common: gitDir})
	}
	return nil, Untrusted("`.git` is a file that names a repository which doesn't name the project's folder in turn, as those of worktrees and submodules do")
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
		return "", Unreadable("`.git`", err)
	}
	named, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok || strings.TrimSpace(named) != named { // which Jujutsu cuts off, and git doesn't
		return "", &Error{Reason: NoRepository, Message: "`.git` is a file that names no repository", Hint: "mend it, or take it away"}
	}
	to, err := follow(filepath.Dir(entry), named)
	switch {
	case errors.Is(err, fileinfo.OfProcesses) || errors.Is(err, fileinfo.InTwoWays):
		return "", Unreadable("`.git`", err)
	case err != nil:
		return "", &Error{
			Reason: NoRepository, Err: fileinfo.Cause(err),
			Message: "`.git` is a file that names a repository which isn't there",
			Hint:    "mend it with `git worktree repair` or `git submodule update --init`, or take it away",
		}
	}
	return to, nil
}

// anywhere returns where a repository lies that the user lets lie anywhere.
func anywhere(entry string, info fs.FileInfo) (*GitPlace, error) {
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
		return nil, Unreadable("`.git`", err)
	}
	return &GitPlace{Top: filepath.Dir(entry), GitDir: gitDir, Common: commonOf(gitDir)}, nil
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
func (p *Proof) worktree(gitDir, back string) (*GitPlace, error) {
	text, err := repofiles.ReadPointer(filepath.Join(gitDir, "commondir"), true)
	if err != nil {
		return nil, Unreadable("`commondir`", err)
	}
	common, err := fileinfo.LeadsTo(gitDir, text)
	if err != nil {
		return nil, Unreadable("`commondir`", err)
	}
	named, err := fileinfo.Resolved(back)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Unreadable("`gitdir`", err)
	}
	switch {
	case filepath.Base(named) != ".git" || !fileinfo.IsSame(filepath.Dir(named), p.folder): // not by the file, which may have two names
		return nil, Untrusted("`.git` names a worktree of a repository, and to that the worktree is another folder (after a move `git worktree repair` mends it)")
	case filepath.Join(common, "worktrees", filepath.Base(gitDir)) != gitDir:
		return nil, Untrusted("`.git` names a worktree whose `commondir` is a repository that doesn't have it")
	}
	if err := p.noLinksOut(gitDir, &gitParts); err != nil {
		return nil, err
	}
	if err := ownTables(gitDir); err != nil {
		return nil, err
	}
	return p.whole(&GitPlace{Top: p.folder, GitDir: gitDir, Common: common})
}

// isSubmodule reports whether the repository at gitDir says itself that its files are in
// the folder.
func (p *Proof) isSubmodule(gitDir string, worktree func(config string) (path string, ok bool)) bool {
	for _, name := range [...]string{"config.worktree", "config"} {
		config := filepath.Join(gitDir, name)
		if info, err := os.Stat(config); err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
			continue
		}
		if path, ok := worktree(config); ok {
			return fileinfo.IsSame(fileinfo.From(gitDir, path), p.folder)
		}
	}
	return false
}

// bare proves a repository without files. One among the files of another repository
// came with them.
func (p *Proof) bare() (*GitPlace, error) {
	g := &GitPlace{GitDir: p.folder, Common: p.folder}
	if p.elsewhere() {
		return g, nil
	}
	for dir := filepath.Dir(p.folder); ; dir = filepath.Dir(dir) {
		for _, name := range [...]string{".git", ".jj"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return nil, Untrusted("the folder looks like a bare repository of git and lies among the files of another repository, which may have brought it")
			}
		}
		if filepath.Dir(dir) == dir {
			return p.whole(g)
		}
	}
}

// whole proves that a repository is no part of another one, nor made of its parts.
func (p *Proof) whole(g *GitPlace) (*GitPlace, error) {
	if p.elsewhere() {
		return g, nil
	}
	switch _, err := os.Lstat(filepath.Join(g.Common, "commondir")); {
	case err == nil:
		return nil, Untrusted("the repository names another one by a file `commondir`, which only a worktree may")
	case !errors.Is(err, fs.ErrNotExist):
		return nil, Unreadable("the repository's folder", err)
	}
	if err := p.noLinksOut(g.Common, &gitParts); err != nil {
		return nil, err
	}
	if err := cmp.Or(p.ownFullRef(g, "HEAD", maxSymbolic), p.ownBesideTables(g)); err != nil { // by whose branch a plan is kept
		return nil, err
	}
	g.Writes = []string{g.GitDir, g.Common}
	configured, err := repofiles.ConfigurationOfGit(p.ended, g.GitDir, g.Common)
	if err != nil {
		return nil, err
	}
	g.configured = configured
	g.IgnoresForeign = g.ignoresForeign(g.WorkDir(), false, g.WorkDir(), g.GitDir, g.Common)
	g.Reads = append([]string{g.WorkDir(), g.GitDir, g.Common}, g.configured.Files...)
	return g, p.ownData(g.Common)
}

const (
	maxRef = 64 << 10  // bytes of a file with a ref
	blanks = " \t\r\n" // what git takes for white space in one
)

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

// OfEnvironment returns the repository that the user's environment names for the
// files that a folder lies among, as git reads it: GIT_DIR, for GIT_WORK_TREE or the
// working directory. It is nil if there is none.
func OfEnvironment(folder string) *GitPlace {
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
	g := &GitPlace{Top: here}
	if tree := os.Getenv("GIT_WORK_TREE"); tree != "" {
		g.Top, g.workTree = fileinfo.From(here, tree), true
		if g.Top, err = filepath.EvalSymlinks(g.Top); err != nil {
			return nil
		}
	}
	if g.GitDir, err = fileinfo.GoesTo(here, gitDir); err != nil {
		return nil
	}
	if info, err := os.Stat(g.GitDir); err == nil && info.Mode().IsRegular() { //nolint:gosec // the user names it; a .git file
		if g.GitDir, err = target(g.GitDir, fileinfo.GoesTo); err != nil {
			return nil
		}
	}
	if !fileinfo.LiesIn(g.Top, folder) {
		return nil
	}
	g.Common = commonOf(g.GitDir)
	return g
}
