package repoproof

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/repofiles"
)

// JJPlace is where a repository of Jujutsu lies. All paths are absolute.
type JJPlace struct {
	Folder string // that has the .jj
	Repo   string // the folder that all workspaces share, with links resolved
	// GitDir is that of git in the same folder, where its repository is the one with the commits;
	// "" else. Jujutsu takes up there what git has done, and ends what it is amid.
	GitDir string
	// Heads are the repositories of git whose HEAD Jujutsu may take up here: that of the same folder,
	// and the one with the commits where its configuration may say that its files are here.
	Heads []*GitPlace
	// Writes are the folders below which alone Jujutsu may write; nil for any, as where the user
	// lets the repository lie anywhere.
	Writes []string
	// Reads are the files and folders which alone Jujutsu may read, beside those and the user's
	// configuration; nil for any, as Writes.
	Reads []string
	// Config is the folder that Jujutsu makes for the configuration of single repositories, where it
	// isn't there and this one may have some; "" else.
	Config string
}

// AskJJ has what must be asked about repositories of git beside one of Jujutsu.
type AskJJ struct {
	// GitAt returns where the repository of git in a folder lies, once that is proven.
	GitAt func(folder string) (*GitPlace, error)
	// BroughtAlong returns an error if a repository of git around the folder has its .jj
	// among its files.
	BroughtAlong func() error
}

// JJ proves that a repository of Jujutsu belongs to the folder, and returns where it lies.
func (p *Proof) JJ(ask AskJJ) (*JJPlace, error) {
	at := &JJPlace{Folder: p.folder}
	entry := filepath.Join(p.folder, ".jj")
	info, err := os.Lstat(entry)
	if err != nil {
		return nil, Unreadable("`.jj`", err)
	}
	if !info.IsDir() && !p.elsewhere() {
		return nil, noFolder("`.jj`", info)
	}
	workspace, err := p.repo(at, entry)
	if err != nil {
		return nil, err
	}
	err = cmp.Or(p.owned(p.folder, entry, at.Repo), p.ownedParts(entry, "working_copy"),
		p.ownedParts(at.Repo, "store", "store/git", "op_store", "op_heads", "index"))
	if err != nil {
		return nil, err
	}
	if p.elsewhere() {
		return at, nil
	}
	if err := p.configuration(configFiles(entry, at.Repo)...); err != nil {
		return nil, err
	}
	at.allowConfig(entry)
	if err := p.noLinksOut(entry, &jjParts); err != nil {
		return nil, err
	}
	if err := p.noLinksOut(at.Repo, &jjRepoParts); err != nil {
		return nil, err
	}
	if err := p.backend(at, workspace, ask.GitAt); err != nil {
		return nil, err
	}
	if err := ask.BroughtAlong(); err != nil {
		return nil, err
	}
	return at, nil
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
func (p *Proof) configuration(paths ...string) error {
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return Unreadable(code(p.shown(path)), err)
		}
		if info.Mode().Type() == fs.ModeSymlink {
			to, err := fileinfo.Resolved(path)
			if errors.Is(err, fs.ErrNotExist) { // it configures nothing
				continue
			}
			if err != nil || !slices.ContainsFunc(jjFolders(), func(dir string) bool { return fileinfo.LiesIn(dir, to) }) {
				return Untrusted(fmt.Sprintf("%s is a link to a file that isn't in your configuration of Jujutsu", code(p.shown(path))))
			}
			if info, err = os.Lstat(to); err != nil {
				return Unreadable(code(p.shown(path)), err)
			}
		}
		if !info.Mode().IsRegular() || info.Size() > maxConfig {
			return Untrusted(fmt.Sprintf("%s is no file, or larger than one is", code(p.shown(path))))
		}
	}
	return nil
}

// allowConfig lets Jujutsu write what it keeps of single repositories with the user's configuration.
func (at *JJPlace) allowConfig(entry string) {
	at.Writes = append(at.Writes, at.Folder, at.Repo)
	at.Reads = []string{}
	for _, dir := range jjFolders() {
		at.Writes = append(at.Writes, dir)
		for _, name := range [...]string{"repos", "workspaces"} { // which may lie elsewhere
			if to, err := filepath.EvalSymlinks(filepath.Join(dir, name)); err == nil {
				at.Writes = append(at.Writes, to)
			}
		}
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return
	}
	dir = filepath.Join(dir, "jj")
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, path := range configFiles(entry, at.Repo) {
		if _, err := os.Lstat(path); err == nil {
			at.Config, at.Writes = dir, append(at.Writes, dir)
			return
		}
	}
}

// configFiles returns the files by which a workspace and its repository are configured, or in which
// they name their configuration among the user's.
func configFiles(entry, repo string) []string {
	return []string{
		filepath.Join(entry, "workspace-config.toml"), filepath.Join(entry, "workspace-config-id"), filepath.Join(repo, "config.toml"), filepath.Join(repo, "config-id"),
	}
}

// add lets Jujutsu use a repository of git too.
func (at *JJPlace) add(git *GitPlace) {
	at.Writes, at.Reads = append(at.Writes, git.Writes...), append(at.Reads, git.Reads...)
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
func (p *Proof) repo(at *JJPlace, entry string) (workspace string, err error) {
	path := filepath.Join(entry, "repo")
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", &Error{Reason: NoRepository, Err: fileinfo.Cause(err), Message: "there is no repository in `.jj`", Hint: "make one with `jj git init`, or take the folder away"}
	case info.IsDir():
		at.Repo, err = fileinfo.Resolved(path)
	case info.Mode().IsRegular():
		follow := fileinfo.LeadsTo
		if p.elsewhere() {
			follow = fileinfo.GoesTo
		}
		var text string
		if text, err = repofiles.ReadPointer(path, false); err == nil {
			at.Repo, err = follow(entry, text)
		}
	case p.elsewhere():
		at.Repo, err = filepath.EvalSymlinks(path)
	default:
		return "", noFolder("`.jj/repo`", info)
	}
	if err != nil {
		return "", Unreadable("`.jj/repo`", err)
	}
	workspace = filepath.Dir(filepath.Dir(at.Repo))
	if info.IsDir() || p.elsewhere() {
		return workspace, nil
	}
	known, err := repofiles.Workspaces(at.Repo)
	var tired error
	isKnown := slices.ContainsFunc(known, func(dir string) bool {
		tired = p.count(0, linkEntries) // there may be as many links on the way
		return tired != nil || fileinfo.IsSame(dir, p.folder)
	})
	switch {
	case tired != nil:
		return "", tired
	case err != nil:
		return "", Untrusted("`.jj/repo` names a repository without a readable list of its workspaces, which jj keeps since 0.38, so that it can't say whether this is one")
	case filepath.Base(at.Repo) != "repo" || filepath.Base(filepath.Dir(at.Repo)) != ".jj", !isKnown:
		return "", Untrusted("`.jj/repo` names a repository that doesn't have the project's folder among its workspaces")
	}
	return workspace, nil
}

// backend proves that the commits lie in the repository, or in the one of git that
// belongs to the folder of its workspace.
func (p *Proof) backend(at *JJPlace, workspace string, gitAt func(folder string) (*GitPlace, error)) error {
	store := filepath.Join(at.Repo, "store")
	text, err := repofiles.ReadPointer(filepath.Join(store, "git_target"), false)
	if errors.Is(err, fs.ErrNotExist) { // another backend, which has no such file
		return nil
	} else if err != nil {
		return Unreadable("`.jj/repo/store/git_target`", err)
	}
	target, err := fileinfo.LeadsTo(store, text)
	switch {
	case err != nil:
		return Unreadable("`.jj/repo/store/git_target`", err)
	case target == filepath.Join(store, "git"):
		git, err := p.whole(&GitPlace{GitDir: target, Common: target})
		if err != nil {
			return err
		}
		return p.colocated(at, git, gitAt)
	}
	const elsewhere = "the commits of Jujutsu's repository lie in a repository of git which is neither in `.jj` nor that of the same folder"
	if _, err := os.Lstat(filepath.Join(workspace, ".git")); err != nil {
		return Untrusted(elsewhere)
	}
	git, err := gitAt(workspace)
	switch {
	case err != nil:
		return err
	case target != filepath.Join(workspace, ".git") && !fileinfo.IsSame(target, git.GitDir):
		return Untrusted(elsewhere)
	}
	return p.colocated(at, git, gitAt)
}

// colocated lets Jujutsu use the repository of git with its commits, and proves what a `.git` in the
// project's folder names. Jujutsu takes it for one of its repository where that is so, as of a
// worktree, and writes HEAD, index and logs there; so it does with the folder itself, where that has
// such files and `.git` is none to it.
func (p *Proof) colocated(at *JJPlace, store *GitPlace, gitAt func(folder string) (*GitPlace, error)) error {
	at.add(store)
	if err := cmp.Or(ownPacks(store.Common), p.ownIgnored(at, store)); err != nil {
		return err
	}
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(p.folder, name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	if has("HEAD") && (has("commondir") || has("objects")) {
		return Untrusted("the project's folder has files as a repository of git or a worktree of one has, `HEAD` with `commondir` or `objects`, and Jujutsu may take it for one")
	}
	if has(".git") {
		git, err := gitAt(p.folder)
		if err != nil {
			return err
		}
		at.add(git)
		if fileinfo.IsSame(git.Common, store.Common) {
			at.GitDir = git.GitDir
			at.Heads = append(at.Heads, git)
		}
	}
	// By its configuration a repository can have its files here, whatever lies here.
	isInside := store.Top == ""
	if of := &store.configured; at.GitDir != store.GitDir && (of.Moves || of.Untold != "" || isInside && !of.Bare) {
		at.Heads = append(at.Heads, store)
	}
	return nil
}

// ownIgnored proves that Jujutsu may read the file of ignored names that the configuration of its
// repository of git names, as far as that can be told. It can't go on without one that is there.
func (p *Proof) ownIgnored(at *JJPlace, git *GitPlace) error {
	const yours = "in your own configuration instead (`git config --global`); " + trusting
	if why := git.configured.Untold; why != "" {
		return &Error{
			Reason:  Foreign,
			Message: fmt.Sprintf("the repository's configuration of git %s (%s); Jujutsu might read any of your files as its `core.excludesFile`", why, p.place(git.configured.UntoldAt)),
			Hint:    "take that out, or put it " + yours,
		}
	}
	named := git.ignoredElsewhere(at.Folder, true, append([]string{git.WorkDir()}, at.Writes...)...)
	if named == nil {
		return nil
	}
	return &Error{
		Reason:  Foreign,
		Message: fmt.Sprintf("the repository's configuration of git names a file elsewhere as `core.excludesFile` (%s), which may be any of yours, and Jujutsu would read it", p.place(named.At)),
		Hint:    "take it out, or set it " + yours,
	}
}

// place tells where a repository's configuration says something.
func (p *Proof) place(at repofiles.Place) string { return at.String(p.shown(at.File)) }
