//go:build unix

package planstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/repoproof"
	"github.com/sectile/sectile/internal/testkit"
)

// A scene is a folder with two things in it: "theirs", somebody's repository, and
// "evil", a folder that a stranger has made and that was cloned or unpacked beside it.

// victim is what must not be reached.
type victim struct {
	dir string // "theirs"
	jj  string // the program
}

// newVictim makes a repository with a secret, of git and Jujutsu, in the folder "theirs",
// with a plan in both and a worktree in "tree": copies of what is made once.
func newVictim(t *testing.T, base string) *victim {
	t.Helper()
	needGit(t)
	v := &victim{filepath.Join(base, "theirs"), findJJ(t)}
	robbed.copyTo(t, base, func(made string) { makeVictim(t, made, v.jj) })
	return v
}

// robbed is the victim that others are copies of.
var robbed template

// scenes are folders with a victim in each, which serve one attack after the other for as
// long as none has changed it: a copy takes longer than most attacks.
type scenes struct {
	owner *testing.T // whose end removes them
	mu    sync.Mutex
	free  []*scene
}

// scene is a folder with a victim.
type scene struct {
	*victim
	base string
	made string // the fingerprint of the victim as it was made
}

// take returns a scene that has nothing but a victim as it was made.
func (all *scenes) take(t *testing.T) *scene {
	t.Helper()
	all.mu.Lock()
	defer all.mu.Unlock()
	if last := len(all.free) - 1; last >= 0 {
		s := all.free[last]
		all.free = all.free[:last]
		return s
	}
	base, err := filepath.EvalSymlinks(all.owner.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{victim: newVictim(t, base), base: base}
	s.made = s.state(t)
	return s
}

// state returns a fingerprint of the victim and its worktree.
func (s *scene) state(t *testing.T) string {
	t.Helper()
	return fingerprint(t, s.dir) + fingerprint(t, filepath.Join(s.base, "tree"))
}

// giveBack takes back a scene in a state, without what an attack has made beside the victim.
func (all *scenes) giveBack(t *testing.T, s *scene, state string) {
	t.Helper()
	if state != s.made {
		return
	}
	entries, err := os.ReadDir(s.base)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "theirs" || e.Name() == "tree" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.base, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.free = append(all.free, s)
}

func makeVictim(t *testing.T, base, jj string) {
	t.Helper()
	v := &victim{filepath.Join(base, "theirs"), jj}
	if err := os.MkdirAll(v.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, v.dir, "git", "init", "-q")
	write(t, filepath.Join(v.dir, "secret.txt"), "the secret\n")
	run(t, v.dir, "git", "add", ".")
	run(t, v.dir, "git", "commit", "-qm", "the secret subject")
	run(t, v.dir, "git", "update-ref", plansRef+"main", "HEAD")
	run(t, v.dir, "git", "worktree", "add", "-q", filepath.Join(base, "tree"), "-b", "tree")
	run(t, v.dir, v.jj, "git", "init", "--colocate")
	run(t, v.dir, v.jj, "describe", "-m", "the secret description")
}

// fingerprint returns a fingerprint of all files below a folder: names, modes, contents.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(sum, path, info.Mode())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			_, _ = sum.Write(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// everyMethod calls each method of a store as a server would, and returns all that came
// of it as a text, with the first error.
func everyMethod(ctx context.Context, s Store) (all string, first error) {
	var told strings.Builder
	tell := func(err error, values ...any) {
		fmt.Fprintf(&told, "%+v\n%v\n", values, err)
		if first == nil {
			first = err
		}
		if e, ok := err.(*Error); ok { //nolint:errorlint // stores return it bare
			fmt.Fprintf(&told, "%+v\n", *e)
		}
	}
	state, err := s.Load(ctx)
	tell(err, state)
	state, changes, err := s.Survey(ctx)
	tell(err, state, changes)
	diff, err := s.Diff(ctx, 10_000)
	tell(err, diff)
	plans, err := s.List(ctx)
	tell(err, plans)
	state, err = s.Update(ctx, func(now State) (string, error) { return now.Text + "written\n", nil })
	tell(err, state)
	state, old, err := s.New(ctx, func(State) error { return nil })
	tell(err, state, old)
	state, err = s.Adopt(ctx, "main", never)
	tell(err, state)
	return told.String(), first
}

// put writes files below a folder; a content that begins with "-> " is a link.
func put(t *testing.T, dir string, content map[string]string) {
	t.Helper()
	for name, text := range content {
		path := filepath.Join(dir, name)
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			_ = os.RemoveAll(path)
			if err := os.Symlink(to, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		write(t, path, text)
	}
}

// clone has git clone what is in a folder, with nothing left out, to the folder "evil".
func clone(t *testing.T, base, source string) {
	t.Helper()
	for _, dir := range []string{"refs", "objects", "docs/refs", "docs/objects"} { // git keeps no empty folder
		if info, err := os.Lstat(filepath.Join(source, dir)); err == nil && info.IsDir() {
			write(t, filepath.Join(source, dir, "keep"), "")
		}
	}
	run(t, source, "git", "init", "-q")
	run(t, source, "git", "add", "-f", ".")
	run(t, source, "git", "commit", "-qm", "x")
	run(t, base, "git", "clone", "-q", source, filepath.Join(base, "evil"))
}

// bareFiles are those of a repository of git without files.
var bareFiles = map[string]string{"HEAD": "ref: refs/heads/main\n", "objects/x": "", "refs/x": "", "config": "[core]\n\trepositoryformatversion = 0\n"}

// gitAttacks make "evil" in the folder base. They return the folder where the server
// runs if that is another one.
var gitAttacks = map[string]func(t *testing.T, base string) (root string){
	"a link in an archive": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "-> ../theirs/.git"})
		return ""
	},
	"a link through a link": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "-> x", "evil/x": "-> ../theirs/.git"})
		return ""
	},
	"a file that names it": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "gitdir: ../theirs/.git\n"})
		return ""
	},
	"a file that names it by its full path": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "gitdir: " + base + "/theirs/.git"})
		return ""
	},
	"a file that names its worktree": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "gitdir: ../theirs/.git/worktrees/tree\n"})
		return ""
	},
	"a file that names its submodule": func(t *testing.T, base string) string {
		initGit(t, base+"/module")
		run(t, filepath.Join(base, "module"), "git", "commit", "-q", "--allow-empty", "-m", "x")
		run(t, filepath.Join(base, "theirs"), "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", base+"/module", "sub")
		put(t, base, map[string]string{"evil/.git": "gitdir: ../theirs/.git/modules/sub\n"})
		return ""
	},
	"a worktree of its own making": func(t *testing.T, base string) string {
		put(t, base, map[string]string{
			"evil/.git":                     "gitdir: x/worktrees/w\n",
			"evil/x/worktrees/w/gitdir":     base + "/evil/.git\n",
			"evil/x/worktrees/w/commondir":  "../../../../theirs/.git\n",
			"evil/x/worktrees/w/HEAD":       "ref: refs/heads/main\n",
			"evil/x/worktrees/w/index/nono": "",
		})
		return ""
	},
	"a worktree of its own making, beside the folder": func(t *testing.T, base string) string {
		put(t, base, map[string]string{
			"evil/a/.git":                      "gitdir: ../b/worktrees/w\n",
			"evil/b/worktrees/w/gitdir":        "../../../a/.git\n",
			"evil/b/worktrees/w/commondir":     "../..\n",
			"evil/b/worktrees/w/HEAD":          "ref: refs/heads/main\n",
			"evil/b/HEAD":                      "ref: refs/heads/main\n",
			"evil/b/commondir":                 "../../theirs/.git\n",
			"evil/b/config":                    "[core]\n\trepositoryformatversion = 0\n",
			"evil/b/worktrees/w/refs/keep":     "",
			"evil/b/worktrees/w/objects/keep2": "",
		})
		return "evil/a"
	},
	"a worktree in a folder that is a link": func(t *testing.T, base string) string {
		put(t, base, map[string]string{
			"evil/.git":                    "gitdir: w\n",
			"evil/w/gitdir":                base + "/evil/.git\n",
			"evil/w/commondir":             "../worktrees-of/..\n",
			"evil/worktrees-of":            "-> ../theirs/.git/worktrees",
			"evil/w/HEAD":                  "ref: refs/heads/main\n",
			"theirs/.git/worktrees/w/HEAD": "ref: refs/heads/main\n", // a name that it guessed
		})
		return ""
	},
	"a file in the folder that names another": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "gitdir: x\n", "evil/x": "-> ../theirs/.git"})
		return ""
	},
	"a file that names a clone below": func(t *testing.T, base string) string {
		run(t, base, "git", "clone", "-q", "theirs", "evil/private")
		run(t, base+"/evil/private", "git", "update-ref", plansRef+"main", "HEAD")
		put(t, base, map[string]string{"evil/.git": "gitdir: private/.git\n"})
		return ""
	},
	"a submodule of its own making": func(t *testing.T, base string) string {
		put(t, base, map[string]string{
			"evil/sub/.git": "gitdir: ../m\n", "evil/m/config": "[core]\n\tworktree = ../sub\n", "evil/m/HEAD": "ref: refs/heads/main\n",
			"evil/m/refs": "-> ../../theirs/.git/refs", "evil/m/objects": "-> ../../theirs/.git/objects",
		})
		return "evil/sub"
	},
	"a pipe": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/x": ""})
		if err := syscall.Mkfifo(filepath.Join(base, "evil", ".git"), 0o600); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"commondir": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/commondir": "../../theirs/.git\n"})
		return ""
	},
	"commondir that is a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/commondir": "-> ../x", "evil/x": "../../theirs/.git\n"})
		return ""
	},
	"commondir that leads nowhere yet": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/commondir": "-> ../../theirs/later"})
		return ""
	},
	"a bare folder among cloned files": func(t *testing.T, base string) string {
		put(t, base+"/source/docs", bareFiles)
		put(t, base, map[string]string{"source/docs/commondir": "../../theirs/.git\n"})
		clone(t, base, base+"/source")
		return "evil/docs"
	},
	"a bare folder that is whole": func(t *testing.T, base string) string {
		put(t, base+"/source/docs", bareFiles)
		clone(t, base, base+"/source")
		return "evil/docs"
	},
	"a bare folder with links, cloned": func(t *testing.T, base string) string {
		put(t, base+"/source/docs", bareFiles)
		put(t, base+"/source/docs", map[string]string{"refs": "-> ../../theirs/.git/refs", "objects": "-> ../../theirs/.git/objects"})
		clone(t, base, base+"/source")
		return "evil/docs"
	},
	"a bare folder in an archive, with commondir": func(t *testing.T, base string) string {
		put(t, base+"/evil", bareFiles)
		put(t, base, map[string]string{"evil/commondir": base + "/theirs/.git"})
		return ""
	},
	"a bare folder in an archive, with links": func(t *testing.T, base string) string {
		put(t, base+"/evil", bareFiles)
		put(t, base, map[string]string{"evil/refs": "-> ../theirs/.git/refs", "evil/objects": "-> ../theirs/.git/objects"})
		return ""
	},
	"a folder above with a link": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.git": "-> ../theirs/.git", "evil/docs/deep/a.md": ""})
		return "evil/docs/deep"
	},
	"objects of another, and its branch": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/objects/info/alternates": base + "/theirs/.git/objects\n", "evil/.git/refs/heads/main": "-> ../../../../theirs/.git/refs/heads/main"})
		return ""
	},
	"objects of another, and a hash": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		hash := run(t, base+"/theirs", "git", "rev-parse", "HEAD")
		put(t, base, map[string]string{"evil/.git/objects/info/alternates": base + "/theirs/.git/objects\n", "evil/.git/" + plansRef + "main": hash})
		return ""
	},
	"a plan that stands for a ref in a folder that is a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/" + plansRef + "main": "ref: refs/z/d/main\n", "evil/.git/refs/z/d": "-> " + base + "/theirs/.git/refs/heads"})
		return ""
	},
	"a plan that stands for a ref whose log is a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/" + plansRef + "main": "ref: refs/z/m\n", "evil/.git/logs/refs/z/m": "-> " + base + "/theirs/secret.txt"})
		return ""
	},
	"the HEAD of a worktree as a device": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/worktrees/x/HEAD": "-> /dev/zero"})
		return ""
	},
	"the HEAD of a worktree as a pipe": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/worktrees/x/gitdir": "x"})
		if err := syscall.Mkfifo(filepath.Join(base, "evil", ".git", "worktrees", "x", "HEAD"), 0o600); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"a worktree with a log as a link": func(t *testing.T, base string) string {
		initGit(t, base+"/x")
		run(t, base+"/x", "git", "commit", "-q", "--allow-empty", "-m", "x")
		run(t, base+"/x", "git", "worktree", "add", "-q", "--detach", "../evil")
		put(t, base, map[string]string{"x/.git/worktrees/evil/logs/HEAD": "-> " + base + "/theirs/secret.txt"})
		return ""
	},
	"an object as a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		hash := strings.TrimSpace(run(t, base+"/theirs", "git", "rev-parse", "HEAD"))
		name := "objects/" + hash[:2] + "/" + hash[2:]
		put(t, base, map[string]string{"evil/.git/" + name: "-> ../../../../theirs/.git/" + name, "evil/.git/" + plansRef + "main": hash + "\n"})
		return ""
	},
	"a hard link to the file of a worktree": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/a.md": ""})
		run(t, base+"/theirs", "git", "worktree", "add", "-q", base+"/mine", "-b", "mine")
		if err := os.Link(base+"/mine/.git", base+"/evil/.git"); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"refs elsewhere in quotes": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/config": "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\"://../../theirs/.git\"\n"})
		return ""
	},
	"refs elsewhere on two lines": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/config": "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\\\n://../../theirs/.git\n"})
		return ""
	},
	"refs elsewhere behind heads of sections": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/config": "[core]\n\trepositoryformatversion = 1\n[branch \"a=\"][Extensions]\r \tREFSTORAGE=files://../../theirs/.git\n"})
		return ""
	},
	"refs elsewhere by configuration": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		run(t, base+"/evil", "git", "config", "extensions.refStorage", "files://"+base+"/theirs/.git")
		return ""
	},
}

// partsOfGit are attacks by each part of a repository that may be a link.
func partsOfGit() map[string]func(t *testing.T, base string) string {
	all := map[string]func(*testing.T, string) string{}
	for _, part := range []string{
		"HEAD", "index", "packed-refs", "refs", "refs/heads", "refs/sectile", "refs/sectile/plans", "refs/sectile/plans/main",
		"objects", "objects/pack", "objects/info", "objects/4b", "logs", "logs/refs", "logs/refs/sectile", "worktrees", "shallow",
		"rebase-merge", "rebase-apply", "info", "info/grafts", "info/attributes", "info/sparse-checkout", "objects/info/commit-graphs",
		"objects/info/commit-graphs/commit-graph-chain", "objects/pack/x.idx", "objects/4b/825dc642cb6eb9a060e54bf8d69288fbee4904",
		"logs/HEAD", "worktrees/tree", "worktrees/tree/HEAD", "sharedindex.x", "reftable",
	} {
		all["its "+part+" as a link"] = func(t *testing.T, base string) string {
			initGit(t, base+"/evil")
			depth := strings.Repeat("../", strings.Count(part, "/")+2)
			put(t, base, map[string]string{"evil/.git/" + part: "-> " + depth + "theirs/.git/" + part})
			return ""
		}
		all["its "+part+" as a pipe"] = func(t *testing.T, base string) string {
			initGit(t, base+"/evil")
			path := filepath.Join(base, "evil", ".git", part)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(filepath.Dir(path), "x"), "")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			return ""
		}
	}
	return all
}

// jjAttacks are those of Jujutsu.
var jjAttacks = map[string]func(t *testing.T, base string) string{
	"a link, cloned": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"source/.jj": "-> ../theirs/.jj", "source/.sectile.yaml": "plan: {store: auto}\n"})
		clone(t, base, base+"/source")
		return ""
	},
	"a link, in a folder of a clone": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"source/docs/.jj": "-> ../../theirs/.jj", "source/docs/a.md": ""})
		clone(t, base, base+"/source")
		return "evil/docs"
	},
	"a link, in an archive": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj": "-> ../theirs/.jj"})
		return ""
	},
	"a file that names it, cloned": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"source/.jj/repo": "../../theirs/.jj/repo"})
		copyFolder(t, base+"/theirs/.jj/working_copy", base+"/source/.jj/working_copy")
		clone(t, base, base+"/source")
		return ""
	},
	"a file that names it, in an archive": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj/repo": "../../theirs/.jj/repo"})
		copyFolder(t, base+"/theirs/.jj/working_copy", base+"/evil/.jj/working_copy")
		return ""
	},
	"a file that names it by its full path": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj/repo": base + "/theirs/.jj/repo"})
		copyFolder(t, base+"/theirs/.jj/working_copy", base+"/evil/.jj/working_copy")
		return ""
	},
	"a repository of its own that knows the folder, whose commits are another's": func(t *testing.T, base string) string {
		initJJ(t, base+"/other")
		run(t, base+"/other", findJJ(t), "workspace", "add", "../evil")
		put(t, base, map[string]string{"other/.jj/repo/store/git_target": "../../../../theirs/.git"})
		return ""
	},
	"a name that ends with a newline": func(t *testing.T, base string) string {
		initJJ(t, base+"/other")
		run(t, base+"/other", findJJ(t), "workspace", "add", "../evil")
		copyFolder(t, base+"/theirs/.jj/repo", base+"/other/.jj/repo\n")
		put(t, base, map[string]string{"evil/.jj/repo": "../../other/.jj/repo\n"})
		return ""
	},
	"its repo as a link": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj/repo": "-> ../../theirs/.jj/repo"})
		copyFolder(t, base+"/theirs/.jj/working_copy", base+"/evil/.jj/working_copy")
		return ""
	},
	"its repo as a pipe": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj/x": ""})
		if err := syscall.Mkfifo(filepath.Join(base, "evil", ".jj", "repo"), 0o600); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"commits in another's repository of git": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git_target": "../../../../theirs/.git"})
		return ""
	},
	"commits in another's, by its full path": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git_target": base + "/theirs/.git"})
		return ""
	},
	"commits where .git leads": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git_target": "../../../.git", "evil/.git": "gitdir: ../theirs/.git\n"})
		return ""
	},
	"commits where .git leads as a link": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git_target": "../../../.git", "evil/.git": "-> ../theirs/.git"})
		return ""
	},
	"commondir in its repository of git": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git/commondir": base + "/theirs/.git"})
		return ""
	},
	"refs of its repository of git as a link": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git/refs": "-> " + base + "/theirs/.git/refs"})
		return ""
	},
	"brought along by git, whole": func(t *testing.T, base string) string {
		initJJ(t, base+"/source")
		for _, dir := range []string{"", "/store/git/refs/heads", "/store/git/refs/tags", "/store/git/objects/info", "/index/segments", "/store/extra/heads"} {
			write(t, base+"/source/.jj/repo"+dir+"/keep", "")
		}
		clone(t, base, base+"/source")
		return ""
	},
	"brought along by git, using the clone": func(t *testing.T, base string) string {
		initJJ(t, base+"/source")
		put(t, base, map[string]string{"source/.jj/repo/store/git_target": "../../../.git"})
		clone(t, base, base+"/source")
		return ""
	},
	"a worktree of its commits with a log as a link": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		worktreeOfJJ(t, base, base+"/evil/.jj/repo/store/git")
		return ""
	},
	"a worktree in a workspace, with a log as a link": func(t *testing.T, base string) string {
		run(t, base, findJJ(t), "git", "init", "--colocate", "main")
		run(t, base+"/main", findJJ(t), "workspace", "add", "../evil")
		worktreeOfJJ(t, base, base+"/main/.git")
		return ""
	},
	"a worktree of its commits that is the folder itself": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		worktreeOfJJ(t, base, base+"/evil/.jj/repo/store/git")
		for _, name := range []string{"HEAD", "commondir", "gitdir", "logs"} {
			if err := os.Rename(base+"/evil/.wt/"+name, base+"/evil/"+name); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(base + "/evil/.git"); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"a worktree by a name with a blank at the end": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		common := base + "/evil/.jj/repo/store/git"
		worktreeOfJJ(t, base, common)
		put(t, base, map[string]string{
			"evil/.git": "gitdir: " + common + "/worktrees/x \n", "evil/.wt/commondir": "../..\n", "evil/.jj/repo/store/git/worktrees/x /HEAD": "ref: refs/heads/main\n",
			"evil/.jj/repo/store/git/worktrees/x /commondir": "../..\n", "evil/.jj/repo/store/git/worktrees/x /gitdir": base + "/evil/.git\n",
		})
		if err := os.Rename(base+"/evil/.wt", common+"/worktrees/x"); err != nil {
			t.Fatal(err)
		}
		return ""
	},
	"a file that names another's repository of git beside it": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git": "gitdir: ../theirs/.git\n"})
		return ""
	},
	"what git keeps for it as a link": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git/refs/jj/keep": "-> " + base + "/theirs/.git/refs/heads"})
		return ""
	},
	"objects of another, in its repository of git": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/store/git/objects/info/alternates": base + "/theirs/.git/objects\n"})
		return ""
	},
	"an object as a link, in its repository of git": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		hash := strings.TrimSpace(run(t, base+"/theirs", "git", "rev-parse", "HEAD"))
		name := "objects/" + hash[:2] + "/" + hash[2:]
		put(t, base, map[string]string{"evil/.jj/repo/store/git/" + name: "-> " + base + "/theirs/.git/" + name})
		return ""
	},
	"an operation as a link": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		for _, folder := range []string{"op_heads/heads", "op_store/operations"} {
			operations, err := os.ReadDir(base + "/theirs/.jj/repo/" + folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range operations {
				name := folder + "/" + o.Name()
				put(t, base, map[string]string{"evil/.jj/repo/" + name: "-> " + base + "/theirs/.jj/repo/" + name})
			}
		}
		return ""
	},
	"views as links": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base, map[string]string{"evil/.jj/repo/op_store/views/x": "-> " + base + "/theirs/secret.txt"})
		return ""
	},
	"a folder above with a link": func(t *testing.T, base string) string {
		put(t, base, map[string]string{"evil/.jj": "-> ../theirs/.jj", "evil/docs/deep/a.md": ""})
		return "evil/docs/deep"
	},
}

// worktreeOfJJ makes what Jujutsu takes for a worktree of the repository that has its commits:
// it writes a line into the log of the HEAD there when that moves.
func worktreeOfJJ(t *testing.T, base, common string) {
	t.Helper()
	evil := base + "/evil"
	run(t, evil, findJJ(t), "describe", "--quiet", "-m", "one")
	run(t, evil, findJJ(t), "new", "--quiet")
	head := run(t, evil, findJJ(t), "log", "--no-graph", "-r", "@-", "-T", "commit_id")
	run(t, evil, "git", "--git-dir="+common, "config", "core.logAllRefUpdates", "true")
	put(t, evil, map[string]string{
		".git": "gitdir: .wt\n", ".wt/HEAD": strings.TrimSpace(head) + "\n", ".wt/commondir": common + "\n", ".wt/gitdir": evil + "/.git\n",
		".wt/logs/HEAD": "-> " + base + "/theirs/secret.txt",
	})
}

func partsOfJJ() map[string]func(t *testing.T, base string) string {
	all := map[string]func(*testing.T, string) string{}
	for _, part := range []string{
		"working_copy", "working_copy/checkout", "working_copy/tree_state", "repo/store", "repo/store/git", "repo/store/extra", "repo/store/git_target",
		"repo/store/type", "repo/op_store", "repo/op_store/operations", "repo/op_store/views", "repo/op_heads", "repo/op_heads/heads",
		"repo/index", "repo/index/segments", "repo/index/op_links", "repo/workspace_store", "repo/submodule_store",
	} {
		all["its "+part+" as a link"] = func(t *testing.T, base string) string {
			initJJ(t, base+"/evil")
			put(t, base, map[string]string{"evil/.jj/" + part: "-> " + base + "/theirs/.jj/" + part})
			return ""
		}
	}
	return all
}

// TestForeignRepositories has strangers lead the store to another repository by whatever
// a clone or an archive can hold. Nothing of it is read, nothing in it is written.
func TestForeignRepositories(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	groups := map[Kind][]map[string]func(*testing.T, string) string{
		Git: {gitAttacks, gitPathAttacks, partsOfGit()},
		JJ:  {jjAttacks, jjPathAttacks, jjLockAttacks(), partsOfJJ()},
	}
	all := &scenes{owner: t}
	n := 0
	for kind, tables := range groups {
		for _, table := range tables {
			for name, attack := range table {
				n++
				t.Run(string(kind)+"/"+name, func(t *testing.T) {
					t.Parallel()
					s := all.take(t)
					root := attack(t, s.base)
					if root == "" {
						root = "evil"
					}
					before := s.state(t)
					for _, o := range []Options{{Kind: Auto}, {Kind: kind}, {Kind: kind, ReadOnly: true}} {
						o.Root, o.JJ = filepath.Join(s.base, root), s.jj
						told, err := everyMethod(t.Context(), open(t, o))
						if err == nil || strings.Contains(told, "secret") {
							t.Errorf("%+v: %v\n%s", o.Kind, err, told)
						}
						if !isType(err, TypeUntrusted) && !isType(err, TypeNoRepository) && !isType(err, TypeFailed) {
							t.Errorf("another error: %v", detail(err))
						}
					}
					after := s.state(t)
					if after != before {
						t.Error("the other repository was changed")
					}
					all.giveBack(t, s, after)
				})
			}
		}
	}
	if n < 60 {
		t.Errorf("%d attacks", n)
	}
}

// TestAttacksWouldWork sees that attacks do something where the user allows them: that
// they are refused for what they are, and not for a slip in their making.
func TestAttacksWouldWork(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, attack := range map[string]func(*testing.T, string) string{
		"git link": gitAttacks["a link in an archive"], "git file": gitAttacks["a file that names it"],
		"git commondir": gitAttacks["commondir"], "git parts": gitAttacks["a bare folder in an archive, with links"],
		"jj link": jjAttacks["a link, in an archive"], "jj file": jjAttacks["a file that names it, in an archive"],
		"jj repo": jjAttacks["its repo as a link"], "jj worktree": jjAttacks["a worktree of its commits with a log as a link"],
		"jj workspace": jjAttacks["a worktree in a workspace, with a log as a link"],
		"jj folder":    jjAttacks["a worktree of its commits that is the folder itself"],
		"jj blank":     jjAttacks["a worktree by a name with a blank at the end"],
		"jj lock":      jjLockAttacks()["its working_copy/working_copy.lock as a hard link, --colocate"],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			v := newVictim(t, base)
			_ = attack(t, base)
			before := fingerprint(t, v.dir)
			root := filepath.Join(base, "evil")
			s := open(t, Options{Root: root, Kind: Auto, JJ: v.jj, Trust: repoproof.Trust{Repositories: []string{root}}})
			told, err := everyMethod(t.Context(), s)
			if isType(err, TypeUntrusted) || !strings.Contains(told, "secret") && fingerprint(t, v.dir) == before {
				t.Errorf("%v\n%s", err, told)
			}
		})
	}
}

// TestHonestRepositories are those that people have.
func TestHonestRepositories(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	needGit(t)
	jj := findJJ(t)
	type scene = func(t *testing.T, base string) (root string, trusted string)
	works := func(name string, kind Kind, build scene) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			root, trusted := build(t, base)
			o := Options{Root: filepath.Join(base, root), Kind: Auto, JJ: jj}
			if trusted != "" {
				_, err := open(t, o).Load(t.Context())
				wantType(t, err, TypeUntrusted)
				o.Trust.Repositories = []string{filepath.Join(base, trusted)}
			}
			s := open(t, o)
			if s.Kind() != kind {
				t.Fatalf("store %s", s.Kind())
			}
			save(t, s, plan)
			if now, _, err := s.Survey(t.Context()); err != nil || now.Text != plan {
				t.Errorf("%+v %v", now, err)
			}
			if plans, err := s.List(t.Context()); err != nil || len(plans) != 1 || !plans[0].Current {
				t.Errorf("%+v %v", plans, err)
			}
			read := o
			read.ReadOnly = true
			before := fingerprint(t, base)
			if now, _, err := open(t, read).Survey(t.Context()); err != nil || now.Text != plan {
				t.Errorf("read only: %+v %v", now, err)
			}
			if fingerprint(t, base) != before {
				t.Error("reading has written")
			}
		})
	}
	repository := func(t *testing.T, base, name string) string {
		t.Helper()
		dir := filepath.Join(base, name)
		if err := os.Rename(newGit(t), dir); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	works("git", Git, func(t *testing.T, base string) (string, string) { repository(t, base, "a"); return "a", "" })
	works("git, from a folder", Git, func(t *testing.T, base string) (string, string) {
		write(t, repository(t, base, "a")+"/b/c/d.md", "")
		return "a/b/c", ""
	})
	works("git, by a link to the folder", Git, func(t *testing.T, base string) (string, string) {
		repository(t, base, "a")
		put(t, base, map[string]string{"link": "-> a"})
		return "link", ""
	})
	works("git with links that matter to nobody", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		write(t, base+"/shared/hooks/pre-commit", "")
		write(t, base+"/shared/exclude", "")
		put(t, dir+"/.git", map[string]string{
			"hooks": "-> ../../shared/hooks", "info/exclude": "-> ../../../shared/exclude", ".#COMMIT_EDITMSG": "-> me@host.12:34",
			"refs/heads/other": "-> main",
		})
		return "a", ""
	})
	works("git with parts that no command of ours reads", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		write(t, base+"/shared/lfs/x", "")
		write(t, base+"/shared/message", "")
		put(t, dir+"/.git", map[string]string{
			"lfs": "-> ../../shared/lfs", "rr-cache": "-> ../../shared/lfs", "FETCH_HEAD": "-> /dev/null", "gitmessage": "-> ../../shared/message",
			"info/exclude": "-> /dev/null", "config.worktree": "-> ../../shared/message",
		})
		return "a", ""
	})
	works("git with a configuration that speaks of refs elsewhere", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, dir, "git", "config", "branch.main.description", "try extensions.refStorage = reftable://x")
		text := read(t, dir+"/.git/config")
		write(t, dir+"/.git/config", text+"# refStorage = reftable://x\n\t; refStorage = reftable://x\n")
		return "a", ""
	})
	works("git with a pipe that no command of ours reads", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		if err := syscall.Mkfifo(dir+"/.git/daemon", 0o600); err != nil {
			t.Fatal(err)
		}
		return "a", ""
	})
	works("git with links that lie in it as a whole", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, dir, "git", "pack-refs", "--all")
		put(t, dir+"/.git", map[string]string{
			"HEAD": "-> refs/heads/main", "info/.#exclude": "-> me@host.12:34", "info/sparse-checkout": "-> " + dir + "/.git/odd/none",
		})
		return "a", ""
	})
	works("git with a multi-pack-index", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, dir, "git", "repack", "-q", "--write-midx", "-ad")
		return "a", ""
	})
	works("jj with a multi-pack-index", JJ, func(t *testing.T, base string) (string, string) {
		dir := base + "/a"
		initBoth(t, dir)
		run(t, dir, "git", "repack", "-q", "--write-midx", "-ad")
		return "a", ""
	})
	works("worktree", Git, func(t *testing.T, base string) (string, string) {
		run(t, repository(t, base, "a"), "git", "worktree", "add", "-q", "../b", "-b", "b")
		return "b", ""
	})
	works("worktree by relative paths", Git, func(t *testing.T, base string) (string, string) { // as git makes them since 2.48
		run(t, repository(t, base, "a"), "git", "worktree", "add", "-q", "../b", "-b", "b")
		put(t, base, map[string]string{"b/.git": "gitdir: ../a/.git/worktrees/b\n", "a/.git/worktrees/b/gitdir": "../../../../b/.git\n"})
		return "b", ""
	})
	works("worktrees around a bare repository", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, base, "git", "clone", "-q", "--bare", dir, base+"/all/.bare")
		write(t, base+"/all/.git", "gitdir: ./.bare\n")
		run(t, base+"/all", "git", "worktree", "add", "-q", "one", "-b", "one")
		return "all/one", ""
	})
	works("the folder around a bare repository", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, base, "git", "clone", "-q", "--bare", dir, base+"/all/.bare")
		write(t, base+"/all/.git", "gitdir: ./.bare\n")
		return "all", ""
	})
	submodule := func(t *testing.T, base string) string {
		t.Helper()
		repository(t, base, "module")
		dir := repository(t, base, "a")
		run(t, dir, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", base+"/module", "lib/sub")
		return dir
	}
	works("submodule", Git, func(t *testing.T, base string) (string, string) { submodule(t, base); return "a/lib/sub", "" })
	works("submodule with a sparse checkout", Git, func(t *testing.T, base string) (string, string) {
		run(t, submodule(t, base)+"/lib/sub", "git", "sparse-checkout", "init", "--cone")
		return "a/lib/sub", ""
	})
	works("worktree of a submodule", Git, func(t *testing.T, base string) (string, string) {
		run(t, submodule(t, base)+"/lib/sub", "git", "worktree", "add", "-q", base+"/b", "-b", "b")
		return "b", ""
	})
	works("submodule with a repository of its own", Git, func(t *testing.T, base string) (string, string) {
		repository(t, repository(t, base, "a"), "inner")
		return "a/inner", ""
	})
	works("bare", Git, func(t *testing.T, base string) (string, string) {
		run(t, base, "git", "clone", "-q", "--bare", repository(t, t.TempDir(), "a"), base+"/b.git")
		return "b.git", ""
	})
	works("bare, among another's files", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, base, "git", "clone", "-q", "--bare", dir, dir+"/b.git")
		return "a/b.git", "a/b.git"
	})
	works("separate", Git, func(t *testing.T, base string) (string, string) {
		run(t, base, "git", "clone", "-q", "--separate-git-dir", base+"/elsewhere", repository(t, t.TempDir(), "a"), base+"/b")
		return "b", "b"
	})
	works("a link", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		if err := os.Rename(dir+"/.git", base+"/elsewhere"); err != nil {
			t.Fatal(err)
		}
		put(t, dir, map[string]string{".git": "-> ../elsewhere"})
		return "a", "a"
	})
	works("a file up behind a link", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		put(t, base, map[string]string{"odd": "-> deep/er", "deep/er/x": ""})
		if err := os.Rename(dir+"/.git", base+"/deep/elsewhere"); err != nil {
			t.Fatal(err)
		}
		put(t, dir, map[string]string{".git": "gitdir: ../odd/../elsewhere\n"})
		return "a", "a"
	})
	works("shared parts", Git, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		if err := os.Rename(dir+"/.git/objects", base+"/objects"); err != nil {
			t.Fatal(err)
		}
		put(t, dir, map[string]string{".git/objects": "-> ../../objects"})
		return "a", "a"
	})
	works("jj", JJ, func(t *testing.T, base string) (string, string) { run(t, base, jj, "git", "init", "a"); return "a", "" })
	works("jj, from a folder", JJ, func(t *testing.T, base string) (string, string) {
		initJJ(t, base+"/a")
		write(t, base+"/a/b/c.md", "")
		return "a/b", ""
	})
	works("jj, colocated", JJ, func(t *testing.T, base string) (string, string) {
		run(t, repository(t, base, "a"), jj, "git", "init", "--colocate")
		return "a", ""
	})
	works("jj, a workspace", JJ, func(t *testing.T, base string) (string, string) {
		initJJ(t, base+"/a")
		run(t, base+"/a", jj, "workspace", "add", "../b")
		return "b", ""
	})
	works("jj, among git's files", JJ, func(t *testing.T, base string) (string, string) {
		run(t, repository(t, base, "a"), jj, "git", "init", "inner")
		return "a/inner", ""
	})
	works("jj, with a repository of git elsewhere", JJ, func(t *testing.T, base string) (string, string) {
		dir := repository(t, base, "a")
		run(t, base, jj, "git", "init", "--git-repo", dir, "b")
		return "b", "b"
	})
	works("jj, below an empty .git", JJ, func(t *testing.T, base string) (string, string) {
		initJJ(t, base+"/a")
		if err := os.Mkdir(base+"/.git", 0o755); err != nil {
			t.Fatal(err)
		}
		return "a", ""
	})
	works("jj, below a .git that is elsewhere", JJ, func(t *testing.T, base string) (string, string) {
		run(t, base, "git", "init", "-q", "--separate-git-dir", t.TempDir()+"/elsewhere")
		initJJ(t, base+"/a")
		return "a", ""
	})
	works("jj, a link", JJ, func(t *testing.T, base string) (string, string) {
		initJJ(t, base+"/a")
		put(t, base, map[string]string{"b/.jj": "-> ../a/.jj"})
		return "b", "b"
	})
	works("jj, a name up behind a link", JJ, func(t *testing.T, base string) (string, string) {
		put(t, base, map[string]string{"odd": "-> deep/er", "deep/er/x": ""})
		initJJ(t, base+"/deep/a")
		run(t, base+"/deep/a", jj, "workspace", "add", "../../b")
		put(t, base, map[string]string{"b/.jj/repo": "../../odd/../a/.jj/repo"})
		return "b", "b"
	})
	works("jj, a workspace of an old version", JJ, func(t *testing.T, base string) (string, string) {
		initJJ(t, base+"/a")
		run(t, base+"/a", jj, "workspace", "add", "../b")
		if err := os.RemoveAll(base + "/a/.jj/repo/workspace_store"); err != nil {
			t.Fatal(err)
		}
		return "b", "b"
	})
}

// TestAskingGitWritesNothing has a repository of Jujutsu among the files of one of git whose index
// git expands: to ask that one whether it has brought the other along writes none of its objects.
func TestAskingGitWritesNothing(t *testing.T) {
	t.Parallel()
	needGit(t)
	base := t.TempDir()
	initGit(t, base)
	put(t, base, map[string]string{"in/a": "", "out/b": ""})
	run(t, base, "git", "add", "in", "out")
	run(t, base, "git", "commit", "-q", "-m", "one")
	run(t, base, "git", "sparse-checkout", "set", "--cone", "--sparse-index", "in")
	put(t, base, map[string]string{"in/new": ""})
	run(t, base, "git", "add", "in/new")
	put(t, base, map[string]string{"out/x": ""}) // which has git expand the index for other reasons, too
	initJJ(t, base+"/in/inner")
	before := fingerprint(t, base+"/.git")
	s := open(t, Options{Root: base + "/in/inner", Kind: JJ, JJ: findJJ(t)})
	if _, err := s.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := fingerprint(t, base+"/.git"); after != before {
		t.Errorf("the repository around was written:\n%s\n%s", before, after)
	}
}

// TestStaleWorkingCopyStays has a repository whose own configuration wants a stale working copy
// be brought up to date: its files stay as they are, whatever is asked.
func TestStaleWorkingCopyStays(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	base := t.TempDir()
	initJJ(t, base+"/a")
	put(t, base, map[string]string{"a/a.md": "old\n"})
	run(t, base+"/a", jj, "new", "--quiet")
	id := strings.TrimSpace(run(t, base+"/a", jj, "log", "--no-graph", "-r", "@", "-T", "change_id"))
	run(t, base+"/a", jj, "workspace", "add", "../b")
	run(t, base+"/b", jj, "edit", "--quiet", id)
	put(t, base, map[string]string{"b/a.md": "theirs\n"})
	run(t, base+"/b", jj, "status")
	run(t, base+"/a", jj, "config", "set", "--repo", "snapshot.auto-update-stale", "true")
	put(t, base, map[string]string{"a/a.md": "mine\n"})
	told, _ := everyMethod(t.Context(), open(t, Options{Root: base + "/a", Kind: JJ, JJ: jj}))
	if text, err := os.ReadFile(base + "/a/a.md"); err != nil || string(text) != "mine\n" {
		t.Errorf("%q, %v\n%s", text, err, told)
	}
}

// TestGitGoesOn has git be amid a merge, and have moved a branch, in a folder that Jujutsu shares with
// it: no look at the plan ends the one or writes files anew for the other, and to write it is refused
// until the merge is over.
func TestGitGoesOn(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	dir := t.TempDir()
	run(t, dir, jj, "git", "init", "--colocate")
	commit := func(branch, text string) {
		t.Helper()
		put(t, dir, map[string]string{"a.md": text})
		run(t, dir, "git", "add", "a.md")
		run(t, dir, "git", "commit", "-q", "-m", branch)
	}
	run(t, dir, "git", "checkout", "-q", "-b", "main")
	commit("one", "one\n")
	run(t, dir, "git", "checkout", "-q", "-b", "other")
	commit("other", "other\n")
	run(t, dir, "git", "checkout", "-q", "main")
	commit("main", "main\n")
	if err := exec.Command("git", "-C", dir, "merge", "-q", "other").Run(); err == nil {
		t.Fatal("it is merged")
	}
	before := run(t, dir, "git", "status", "--porcelain=v2")
	s := open(t, Options{Root: dir, Kind: JJ, JJ: jj})
	if _, changes, err := s.Survey(t.Context()); err != nil || !strings.Contains(changes.Unknown, "amid a merge") {
		t.Errorf("%+v, %v", changes, err)
	}
	if _, err := s.Update(t.Context(), func(State) (string, error) { return "plan\n", nil }); !isType(err, TypeFailed) || !strings.Contains(err.Error(), "amid a merge") {
		t.Error(err)
	}
	if after := run(t, dir, "git", "status", "--porcelain=v2"); after != before || !exists(dir+"/.git/MERGE_HEAD") {
		t.Errorf("the merge is gone:\n%s\n%s", before, after)
	}
	run(t, dir, "git", "merge", "--abort")
	if _, err := s.Update(t.Context(), func(State) (string, error) { return "plan\n", nil }); err != nil {
		t.Error(err)
	}

	run(t, dir, jj, "commit", "--quiet", "-m", "plan")
	put(t, dir, map[string]string{"c.md": "c\n"})
	run(t, dir, jj, "commit", "--quiet", "-m", "two")
	run(t, dir, jj, "bookmark", "set", "--quiet", "main", "-r", "@-", "--allow-backwards")
	run(t, dir, "git", "update-ref", "refs/heads/main", "main~1")
	if _, _, err := s.Survey(t.Context()); err != nil || !exists(dir+"/c.md") {
		t.Errorf("%v; the file is there: %t", err, exists(dir+"/c.md"))
	}
	// A plan stays in sight where git takes the branch below it back.
	if _, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil }); err != nil {
		t.Error(err)
	}
	run(t, dir, "git", "reset", "-q", "--hard", "main~1")
	if _, err := s.Update(t.Context(), func(State) (string, error) { return "another\n", nil }); err != nil {
		t.Error(err)
	}
	plans, err := s.List(t.Context())
	if err != nil || !slices.ContainsFunc(plans, func(p Plan) bool { return p.Text == plan }) {
		t.Errorf("%+v, %v", plans, err)
	}
}

// TestPlanThatStandsForABranch has the ref of a plan stand for a branch: that is neither
// read nor moved.
func TestPlanThatStandsForABranch(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	for _, to := range []string{"refs/heads/main", "refs/heads/none", "HEAD"} {
		run(t, dir, "git", "symbolic-ref", plansRef+"main", to)
		before := run(t, dir, "git", "for-each-ref", "refs/heads")
		told, err := everyMethod(t.Context(), gitStoreIn(t, dir))
		if to != "refs/heads/none" && !isType(err, TypeUntrusted) || strings.Contains(told, "Text:one") {
			t.Errorf("%s: %v\n%s", to, err, told)
		}
		if after := run(t, dir, "git", "for-each-ref", "refs/heads"); after != before {
			t.Errorf("%s: branches were moved: %s", to, after)
		}
		_ = os.Remove(filepath.Join(dir, ".git", plansRef, "main"))
	}
}

// TestRepositoryOfTheEnvironment has GIT_DIR name a repository as people's scripts do.
func TestRepositoryOfTheEnvironment(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(base, "dotfiles")
	if err := os.Rename(newGit(t), repo); err != nil {
		t.Fatal(err)
	}
	home, other := filepath.Join(base, "home"), filepath.Join(base, "other")
	write(t, filepath.Join(home, "sub", "a.md"), "")
	initGit(t, base+"/other")
	held := func(dir string) bool { return run(t, dir, "git", "for-each-ref", plansRef) != "" }

	t.Chdir(home)
	t.Setenv("GIT_DIR", filepath.Join(repo, ".git"))
	s := open(t, Options{Root: filepath.Join(home, "sub"), Kind: Auto})
	save(t, s, plan)
	if _, changes, err := s.Survey(t.Context()); err != nil || len(changes.Files) != 2 {
		t.Errorf("%+v %v", changes, err)
	}
	save(t, open(t, Options{Root: other, Kind: Auto}), plan) // where it says nothing of
	t.Setenv("GIT_WORK_TREE", other)
	save(t, open(t, Options{Root: other, Kind: Auto}), "feat: by tree\n")
	if now := load(t, s); now.Text != "feat: by tree\n" {
		t.Errorf("%+v", now)
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE"} {
		if err := os.Unsetenv(name); err != nil { // Setenv puts back what was there before
			t.Fatal(err)
		}
	}
	if !held(repo) || !held(other) {
		t.Error("the plans are not where they should be")
	}
}

// TestCeilings has the user say above which folder no repository is looked for.
func TestCeilings(t *testing.T) {
	dir, err := filepath.EvalSymlinks(newGit(t))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a", "b", "c.md"), "")
	root := filepath.Join(dir, "a", "b")
	if s := open(t, Options{Root: root, Kind: Auto}); s.Kind() != Git {
		t.Error(s.Kind())
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir()+string(filepath.ListSeparator)+dir)
	if s := open(t, Options{Root: root, Kind: Auto}); s.Kind() != File {
		t.Error(s.Kind())
	}
	// A repository that is named counts all the same.
	t.Run("named", func(t *testing.T) {
		t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
		t.Setenv("GIT_WORK_TREE", dir)
		t.Chdir(root)
		if s := open(t, Options{Root: root, Kind: Auto}); s.Kind() != Git {
			t.Error(s.Kind())
		}
	})
	// The project may begin above the ceiling: below it git finds no repository either.
	for ceiling, want := range map[string]Kind{dir: File, filepath.Join(dir, "a"): File, root: Git, filepath.Join(dir, "x"): Git} {
		t.Setenv("GIT_CEILING_DIRECTORIES", ceiling)
		t.Chdir(root)
		if s := open(t, Options{Root: dir, Kind: Auto}); s.Kind() != want {
			t.Errorf("%s: %s, want %s", ceiling, s.Kind(), want)
		}
		t.Chdir(os.TempDir())
		if s := open(t, Options{Root: dir, Kind: Auto}); s.Kind() != Git {
			t.Errorf("%s, from elsewhere: %s", ceiling, s.Kind())
		}
	}
}

// TestCeilingsBesideGit has ceilings in each form, behind an empty entry and before one, which git takes
// as they are written: a repository is found where git finds one.
func TestCeilingsBesideGit(t *testing.T) {
	dir, err := filepath.EvalSymlinks(newGit(t))
	if err != nil {
		t.Fatal(err)
	}
	root, link := filepath.Join(dir, "a", "b"), filepath.Join(dir, "link")
	write(t, filepath.Join(root, "c.md"), "")
	if err := os.Symlink(".", link); err != nil {
		t.Skip(err)
	}
	t.Chdir(root)
	for _, ceiling := range []string{"DIR/a", "DIR/a/", "DIR//a", "DIR/a/../a", "DIR/link/a", "a:DIR/a", "/", ".", ""} {
		for _, form := range []string{"%s", ":%s", "%s:", ":relative:%s", "::%s", "/nowhere:%s"} {
			value := strings.ReplaceAll(strings.ReplaceAll(fmt.Sprintf(form, ceiling), "DIR", filepath.ToSlash(dir)), ":", string(filepath.ListSeparator))
			if filepath.ListSeparator != ':' {
				t.Skip("paths have colons")
			}
			t.Setenv("GIT_CEILING_DIRECTORIES", value)
			want := Git
			if _, err := tryRun(t, root, "", "git", "rev-parse", "--git-dir"); err != nil {
				want = File
			}
			if s := open(t, Options{Root: root, Kind: Auto}); s.Kind() != want {
				t.Errorf("%s: %s, want %s", value, s.Kind(), want)
			}
		}
	}
}

// TestRepositoriesOfOthers has repositories that belong to another user.
func TestRepositoriesOfOthers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
	jj := findJJ(t)
	for _, kind := range []Kind{JJ, Git} {
		dir := t.TempDir()
		if kind == JJ {
			initBoth(t, dir)
		} else {
			initCommitted(t, dir)
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(path, 12345, 12345)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		before := fingerprint(t, dir)
		o := Options{Root: dir, Kind: Auto, JJ: jj}
		if _, err := everyMethod(t.Context(), open(t, o)); typed(t, err, TypeUntrusted) == nil || fingerprint(t, dir) != before {
			t.Errorf("%v", err)
		}
		for _, folder := range []string{dir, "*"} {
			o.Trust = repoproof.Trust{Folders: []string{folder}}
			save(t, open(t, o), plan+folder)
		}
		if kind == JJ {
			continue
		}
		config := filepath.Join(t.TempDir(), "config")
		write(t, config, "[safe]\n\tdirectory = "+dir+"\n")
		t.Setenv("GIT_CONFIG_GLOBAL", config)
		o.Trust = repoproof.Trust{}
		save(t, open(t, o), plan)
		write(t, config, "")
		_, err = open(t, o).Load(t.Context())
		wantType(t, err, TypeUntrusted)
		t.Setenv("GIT_CONFIG_COUNT", "1")
		t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
		t.Setenv("GIT_CONFIG_VALUE_0", dir)
		save(t, open(t, o), "feat: by the environment\n")
	}
}

// TestWorktreeOfAnother has a linked worktree be the user's, and the repository another's, of whom
// git takes no notice there.
func TestWorktreeOfAnother(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
	main := newGit(t)
	dir := filepath.Join(t.TempDir(), "wt")
	run(t, main, "git", "worktree", "add", "-q", dir)
	save(t, open(t, Options{Root: dir, Kind: Git}), plan)
	err := filepath.WalkDir(main, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "worktrees" {
			return fs.SkipDir
		}
		return errors.Join(err, os.Lchown(path, 12345, 12345))
	})
	if err != nil {
		t.Fatal(err)
	}
	before := fingerprint(t, main)
	if told, err := everyMethod(t.Context(), open(t, Options{Root: dir, Kind: Git})); !isType(err, TypeUntrusted) || strings.Contains(told, plan) || fingerprint(t, main) != before {
		t.Errorf("%s, %v", told, err)
	}
	config := filepath.Join(t.TempDir(), "config")
	write(t, config, "[safe]\n\tdirectory = "+main+"\n")
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	if now := load(t, open(t, Options{Root: dir, Kind: Git})); now.Text != plan {
		t.Errorf("%+v", now)
	}
}

// TestBareRepositoryOfAnother has another user make a bare repository of a folder that is
// the user's, and where all may make files.
func TestBareRepositoryOfAnother(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
	t.Parallel()
	made := newGit(t)
	run(t, made, "git", "update-ref", plansRef+"main", "HEAD")
	for _, name := range []string{"HEAD", "objects", "refs", "config"} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		run(t, dir, "cp", "-r", made+"/.git/HEAD", made+"/.git/objects", made+"/.git/refs", made+"/.git/config", dir)
		o := Options{Root: dir, Kind: Git}
		if now := load(t, open(t, o)); now.Text == "" {
			t.Errorf("%+v", now)
		}
		if err := os.Lchown(filepath.Join(dir, name), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		_, err = everyMethod(t.Context(), open(t, o))
		wantType(t, err, TypeUntrusted)
		o.Trust.Folders = []string{dir}
		if now := load(t, open(t, o)); now.Text == "" {
			t.Errorf("%+v", now)
		}
	}
}

// TestConfigurationIsNotQuoted has a repository's configuration include a file of secrets.
func TestConfigurationIsNotQuoted(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	secret := filepath.Join(t.TempDir(), "secret")
	for _, text := range []string{"[core]\n\tbare = S3CR3T\n", "[core]\n\tcompression = S3CR3T\n", "S3CR3T\n", "[core]\n\tlogAllRefUpdates = S3CR3T\n"} {
		write(t, secret, text)
		run(t, dir, "git", "config", "--replace-all", "include.path", secret)
		if told, _ := everyMethod(t.Context(), gitStoreIn(t, dir)); strings.Contains(told, "S3CR3T") {
			t.Errorf("%q: %s", text, told)
		}
		write(t, secret, "")
	}
}
