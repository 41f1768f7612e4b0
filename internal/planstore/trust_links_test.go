//go:build unix

package planstore

import (
	"crypto/sha1"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// gitPathAttacks lead elsewhere by what a path means to git and not by its words, or by
// what lies behind the first link.
var gitPathAttacks = map[string]func(t *testing.T, base string) string{
	"a HEAD that stands for a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{
			"HEAD": "ref: refs/heads/x\n", "refs/heads/x": "ref: foo\n", "foo": "-> ../../theirs/.git/HEAD",
		})
		return ""
	},
	"a HEAD of another worktree that stands for a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{"worktrees/w/HEAD": "ref: foo\n", "foo": "-> ../../theirs/.git/HEAD"})
		return ""
	},
	"a log through two links": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{
			"elsewhere": "-> ../../theirs/.bash_login", "logs/" + plansRef + "main": "-> ../../../../elsewhere",
		})
		return ""
	},
	"a log up behind a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{
			"odd": "-> ../../theirs/.jj", "logs/" + plansRef + "main": "-> ../../../../odd/../.bash_login",
		})
		return ""
	},
	"a log up behind a folder that is made later": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{
			"logs/" + plansRef + "main": "-> ../../../../" + plansRef + "../../../../../theirs/.bash_login",
		})
		return ""
	},
	"a log in a folder that is a link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base+"/evil/.git", map[string]string{
			"logs/refs/sectile": "-> ../../odd", "odd/plans/main": "-> ../../../../theirs/.bash_login",
		})
		return ""
	},
	"a plan in a folder that is a link": func(t *testing.T, base string) string {
		run(t, base, "git", "clone", "-q", "theirs", "evil")
		put(t, base+"/evil/.git", map[string]string{
			"refs/sectile": "-> ../odd", "odd/plans/main": "-> ../../../../theirs/.git/" + plansRef + "main",
		})
		return ""
	},
	"a log that is a hard link": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		hardLink(t, base+"/theirs/secret.txt", base+"/evil/.git/logs/"+plansRef+"main")
		return ""
	},
	"a log that is a link in the repository": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/logs/" + plansRef + "main": "-> ../../../../config"})
		return ""
	},
	"a worktree's log through two links": func(t *testing.T, base string) string {
		initGit(t, base+"/x")
		run(t, base+"/x", "git", "commit", "-q", "--allow-empty", "-m", "x")
		run(t, base+"/x", "git", "worktree", "add", "-q", "../evil")
		put(t, base+"/x/.git", map[string]string{
			"elsewhere": "-> ../../theirs/.bash_login", "logs/" + plansRef + "evil": "-> ../../../../elsewhere",
		})
		return ""
	},
	"commondir up behind a link": func(t *testing.T, base string) string {
		run(t, base, "git", "init", "-q", "--bare", "evil/x")
		put(t, base+"/evil", map[string]string{
			".git": "gitdir: x/worktrees/w\n", "x/worktrees/w/gitdir": base + "/evil/.git\n", "x/worktrees/w/HEAD": "ref: refs/heads/main\n",
			"x/worktrees/w/odd": "-> ../../../../theirs/.git/logs/refs/heads", "x/worktrees/w/commondir": "odd/../../..\n",
		})
		return ""
	},
	"a file that names the repository of jj below": func(t *testing.T, base string) string {
		write(t, base+"/evil/a.md", "")
		initJJ(t, base+"/evil/private")
		put(t, base, map[string]string{"evil/.git": "gitdir: private/.jj/repo/store/git\n"})
		return ""
	},
	"a file that names a separate repository below": func(t *testing.T, base string) string {
		write(t, base+"/evil/all/a.md", "")
		initGit(t, base+"/evil/private")
		run(t, base+"/evil/private", "git", "init", "-q", "--separate-git-dir", base+"/evil/all/private")
		put(t, base, map[string]string{"evil/.git": "gitdir: all/private\n"})
		return ""
	},
	"tables of another": func(t *testing.T, base string) string {
		initGit(t, base+"/evil")
		put(t, base, map[string]string{"evil/.git/reftable/tables.list": "../../../theirs/.git/reftable/x.ref\n"})
		return ""
	},
	"tables of another, in a worktree": func(t *testing.T, base string) string {
		initGit(t, base+"/x")
		run(t, base+"/x", "git", "commit", "-q", "--allow-empty", "-m", "x")
		run(t, base+"/x", "git", "worktree", "add", "-q", "../evil")
		put(t, base, map[string]string{"x/.git/worktrees/evil/reftable/tables.list": "../../../theirs/.git/reftable/x.ref\n"})
		return ""
	},
}

// jjPathAttacks are those of Jujutsu.
var jjPathAttacks = map[string]func(t *testing.T, base string) string{
	"a name up behind a link": func(t *testing.T, base string) string {
		write(t, base+"/evil/a.md", "")
		initJJ(t, base+"/evil/a")
		put(t, base+"/evil", map[string]string{
			".jj/repo": "../a/odd/../.jj/repo", "a/odd": "-> ../../theirs/docs", "../theirs/docs/a.md": "",
			"a/.jj/repo/workspace_store/index": "\x0a\x13\x0a\x07default\x12\x08../../..",
		})
		copyFolder(t, base+"/theirs/.jj/working_copy", base+"/evil/.jj/working_copy")
		return ""
	},
	"commits up behind a link": func(t *testing.T, base string) string {
		run(t, base, findJJ(t), "git", "init", "--colocate", "evil")
		put(t, base+"/evil", map[string]string{
			".jj/repo/store/git_target": "../../../odd/../.git", "odd": "-> ../theirs/docs", "../theirs/docs/a.md": "",
		})
		return ""
	},
	"a lock through two links": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		put(t, base+"/evil/.jj", map[string]string{"z/x": "-> ../../../theirs/.hushlogin", "working_copy/working_copy.lock": "-> ../z/x"})
		return ""
	},
	"a log that is a hard link": func(t *testing.T, base string) string {
		run(t, base, findJJ(t), "git", "init", "--colocate", "evil")
		hardLink(t, base+"/theirs/secret.txt", base+"/evil/.git/logs/HEAD")
		return ""
	},
	"packs of another": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		write(t, base+"/evil/.jj/repo/store/git/objects/pack/multi-pack-index", packIndex("../../../../../../../theirs/.git/objects/pack/x.idx", firstObject))
		return ""
	},
	"packs of another, in the repository of git of the same folder": func(t *testing.T, base string) string {
		run(t, base, findJJ(t), "git", "init", "--colocate", "evil")
		write(t, base+"/evil/.git/objects/pack/multi-pack-index", packIndex("../../../../theirs/.git/objects/pack/x.idx", firstObject))
		return ""
	},
	"packs that can't be told": func(t *testing.T, base string) string {
		initJJ(t, base+"/evil")
		write(t, base+"/evil/.jj/repo/store/git/objects/pack/multi-pack-index", packIndex("x.idx", firstObject)[:60])
		return ""
	},
}

// jjLockAttacks have each lock that jj empties be another name of a file elsewhere, and a head,
// which it empties too where it adds one that is there.
func jjLockAttacks() map[string]func(t *testing.T, base string) string {
	all := map[string]func(*testing.T, string) string{}
	for _, lock := range []string{"working_copy/working_copy.lock", "repo/op_heads/heads/lock", "repo/op_heads/heads/" + strings.Repeat("5e", 64), "repo/store/extra/heads/" + strings.Repeat("5e", 64), "repo/store/extra/lock", "repo/git_import_export.lock"} {
		for _, colocate := range []string{"--colocate", "--no-colocate"} {
			all["its "+lock+" as a hard link, "+colocate] = func(t *testing.T, base string) string {
				run(t, base, findJJ(t), "git", "init", colocate, "evil")
				_ = os.Remove(base + "/evil/.jj/" + lock)
				hardLink(t, base+"/theirs/secret.txt", base+"/evil/.jj/"+lock)
				return ""
			}
		}
	}
	return all
}

// hardLink gives a file another name.
func hardLink(t *testing.T, file, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, name); err != nil {
		t.Fatal(err)
	}
}

// aliasOfPack is the name by which packIndex has the first object of its pack.
var aliasOfPack = strings.Repeat("11", sha1.Size)

// firstObject is where the first object of a pack begins.
const firstObject = 12

// packIndex returns a multi-pack-index that names one pack, and in there the object that
// begins at an offset.
func packIndex(pack string, offset uint32) string {
	names := append([]byte(pack), 0)
	for len(names)%4 != 0 {
		names = append(names, 0)
	}
	fanout := make([]byte, 0, 4*256)
	for i := range 256 {
		n := uint32(0)
		if i >= 0x11 {
			n = 1
		}
		fanout = binary.BigEndian.AppendUint32(fanout, n)
	}
	chunks := []struct {
		name string
		data []byte
	}{
		{"PNAM", names},
		{"OIDF", fanout},
		{"OIDL", []byte(strings.Repeat("\x11", sha1.Size))},
		{"OOFF", binary.BigEndian.AppendUint32(make([]byte, 4), offset)},
		{"\x00\x00\x00\x00", nil},
	}
	file := []byte{'M', 'I', 'D', 'X', 1, 1, byte(len(chunks) - 1), 0, 0, 0, 0, 1}
	at := uint64(len(file) + 12*len(chunks))
	for _, c := range chunks {
		file = binary.BigEndian.AppendUint64(append(file, c.name...), at)
		at += uint64(len(c.data))
	}
	for _, c := range chunks {
		file = append(file, c.data...)
	}
	sum := sha1.Sum(file)
	return string(append(file, sum[:]...))
}

// secretIn returns where in a pack the commit begins that tells the secret.
func secretIn(t *testing.T, dir, pack string) uint32 {
	t.Helper()
	for line := range strings.Lines(run(t, dir, "git", "verify-pack", "-v", pack)) {
		fields := strings.Fields(line) // name, type, size, size in the pack, offset
		if len(fields) < 5 || fields[1] != "commit" || !strings.Contains(run(t, dir, "git", "cat-file", "commit", fields[0]), "the secret") {
			continue
		}
		offset, err := strconv.ParseUint(fields[4], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return uint32(offset)
	}
	t.Fatal("no commit tells the secret")
	return 0
}

// TestPacksOfAnother has the plan be an object that git finds by a multi-pack-index in
// the pack of another repository.
func TestPacksOfAnother(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := newVictim(t, base)
	run(t, v.dir, "git", "repack", "-adq")
	packs, err := filepath.Glob(v.dir + "/.git/objects/pack/*.idx")
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	initGit(t, base+"/evil")
	put(t, base+"/evil/.git", map[string]string{
		plansRef + "main": aliasOfPack + "\n", "objects/pack/multi-pack-index": packIndex("../../../../theirs/.git/objects/pack/"+filepath.Base(packs[0]), secretIn(t, v.dir, packs[0])),
	})
	if shown, err := tryRun(t, base+"/evil", "", "git", "cat-file", "commit", aliasOfPack); err != nil || !strings.Contains(shown, "the secret") {
		t.Errorf("the index has no effect: %v %s", err, shown)
	}
	for _, readOnly := range []bool{false, true} {
		o := Options{Root: base + "/evil", Kind: Git, ReadOnly: readOnly}
		if told, err := everyMethod(t.Context(), open(t, o)); err == nil || strings.Contains(told, "secret") {
			t.Errorf("%v\n%s", err, told)
		}
	}
}

// TestPathsOfProcesses has paths that lead through the working directory, which is
// another one for git and jj than for this process.
func TestPathsOfProcesses(t *testing.T) { //nolint:paralleltest // it changes the working directory
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a link to the working directory")
	}
	jj := findJJ(t)
	hash := func(t *testing.T, base string) string {
		t.Helper()
		return run(t, base+"/theirs", "git", "rev-parse", "HEAD")
	}
	for name, attack := range map[string]func(t *testing.T, base string){
		"objects": func(t *testing.T, base string) {
			initGit(t, base+"/evil")
			if err := os.Rename(base+"/evil/.git/objects", base+"/evil/.git/o"); err != nil {
				t.Fatal(err)
			}
			put(t, base+"/evil", map[string]string{
				".git/objects": "-> /proc/self/cwd/evil/.git/o", "evil/.git/o": "-> ../../../theirs/.git/objects", ".git/" + plansRef + "main": hash(t, base),
			})
		},
		"objects, by a thread": func(t *testing.T, base string) {
			initGit(t, base+"/evil")
			if err := os.Rename(base+"/evil/.git/objects", base+"/evil/.git/o"); err != nil {
				t.Fatal(err)
			}
			put(t, base+"/evil", map[string]string{
				".git/objects": "-> ../dev/cwd/evil/.git/o", "dev": "-> ../../../../../../../../../../proc/thread-self",
				"evil/.git/o": "-> ../../../theirs/.git/objects", ".git/" + plansRef + "main": hash(t, base),
			})
		},
		"packs": func(t *testing.T, base string) {
			run(t, base+"/theirs", "git", "repack", "-adq")
			initGit(t, base+"/evil")
			put(t, base+"/evil", map[string]string{
				".git/objects/pack": "-> /proc/self/cwd/evil/.git/o", ".git/o/x": "", "evil/.git/o": "-> ../../../theirs/.git/objects/pack",
				".git/" + plansRef + "main": hash(t, base),
			})
		},
		"a log": func(t *testing.T, base string) {
			initGit(t, base+"/evil")
			put(t, base+"/evil", map[string]string{
				".git/logs/" + plansRef + "main": "-> /proc/self/cwd/evil/.git/log", ".git/log": "", "evil/.git/log": "-> ../../../theirs/.bash_login",
			})
		},
		"commondir": func(t *testing.T, base string) {
			run(t, base, "git", "init", "-q", "--bare", "evil/x")
			put(t, base+"/evil", map[string]string{
				".git": "gitdir: x/worktrees/w\n", "x/worktrees/w/gitdir": base + "/evil/.git\n", "x/worktrees/w/HEAD": "ref: refs/heads/main\n",
				"x/worktrees/w/commondir": "/proc/self/cwd/evil/x\n", "evil/x": "-> ../../theirs/.git",
			})
		},
		"configuration": func(t *testing.T, base string) {
			initGit(t, base+"/evil")
			put(t, base+"/evil", map[string]string{
				"config": read(t, base+"/evil/.git/config"), ".git/config": "-> /proc/self/cwd/evil/config",
				"evil/config": "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = files://" + base + "/theirs/.git\n",
			})
		},
		"the repository of jj": func(t *testing.T, base string) {
			write(t, base+"/evil/a.md", "")
			initJJ(t, base+"/evil/a")
			put(t, base+"/evil", map[string]string{
				".jj/repo": "/proc/self/cwd/evil/a/.jj/repo", "evil/a": "-> ../../theirs",
				"a/.jj/repo/workspace_store/index": "\x0a\x13\x0a\x07default\x12\x08../../..",
			})
			copyFolder(t, base+"/theirs/.jj/working_copy", base+"/evil/.jj/working_copy")
		},
		"commits of jj": func(t *testing.T, base string) {
			run(t, base, jj, "git", "init", "--colocate", "evil")
			put(t, base+"/evil", map[string]string{
				".jj/repo/store/git_target": "/proc/self/cwd/evil/.git", "evil/.git": "-> ../../theirs/.git",
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			v := newVictim(t, base)
			attack(t, base)
			t.Chdir(base)
			before := fingerprint(t, v.dir)
			told, err := everyMethod(t.Context(), open(t, Options{Root: base + "/evil", Kind: Auto, JJ: jj}))
			if !isType(err, TypeUntrusted) || strings.Contains(told, "secret") {
				t.Errorf("%v\n%s", err, told)
			}
			if fingerprint(t, v.dir) != before {
				t.Error("the other repository was changed")
			}
		})
	}
}
