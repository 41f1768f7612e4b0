package vcs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// newStale makes a repository of Jujutsu whose bookmark main is at its second commit, and in
// git still at the first; gone is in git alone. It returns the folder and that of git.
func newStale(t *testing.T) (dir, git string) {
	t.Helper()
	dir = testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, dir, "jj", "git", "init", "--no-colocate")
	run(t, dir, "jj", "commit", "-m", "one")
	run(t, dir, "jj", "bookmark", "create", "main", "gone", "-r", "@-")
	run(t, dir, "jj", "git", "export")
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "two\n")
	run(t, dir, "jj", "commit", "-m", "two")
	run(t, dir, "jj", "bookmark", "set", "main", "-r", "@-")
	run(t, dir, "jj", "bookmark", "delete", "gone")
	git = filepath.Join(dir, ".jj", "repo", "store", "git")
	if old := run(t, git, "git", "show", "main:a.md"); old != "one" {
		t.Fatalf("git has %q", old)
	}
	return dir, git
}

// TestStaleNames: what a name stands for in Jujutsu is Jujutsu's word alone. Git has an older one,
// and one that is deleted.
func TestStaleNames(t *testing.T) {
	ownWorld(t)
	dir, _ := newStale(t)
	if now := read(t, dir, "main", "."); now["a.md"] != "two\n" {
		t.Errorf("main has %q", now)
	}
	for _, revision := range []string{"gone", "refs/heads/main", "main^", "HEAD", "HEAD^"} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) || !strings.Contains(err.Error(), "Jujutsu") {
			t.Errorf("%s is %v, %v", revision, c, err)
		}
	}
}

// TestFailedJJ: where Jujutsu itself fails, that is told, and no commit is taken from git but by its
// whole identifier.
func TestFailedJJ(t *testing.T) {
	ownWorld(t)
	for name, breaks := range map[string]func(dir string){
		"an operation that isn't there": func(dir string) {
			testkit.WriteFile(t, filepath.Join(dir, ".jj", "repo", "op_heads", "heads", "00"), "")
		},
		"a configuration that is none": func(dir string) {
			testkit.WriteFile(t, run(t, dir, "jj", "config", "path", "--repo"), "x = [")
		},
		"an alias that is none": func(dir string) {
			run(t, dir, "jj", "config", "set", "--repo", `revset-aliases."immutable_heads()"`, "nope(")
		},
	} {
		dir, git := newStale(t)
		id := run(t, git, "git", "rev-parse", "main")
		breaks(dir)
		for _, revision := range []string{"main", "@-", "nothing"} {
			if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), "exit code") {
				t.Errorf("%s: %s is %+v, %v", name, revision, c, err)
			}
		}
		if old := read(t, dir, id, "."); old["a.md"] != "one\n" {
			t.Errorf("%s: %s has %q", name, id, old)
		}
	}
}

// TestNamesOfGit: in a folder that is git's too HEAD is git's, and elsewhere none; a commit that
// Jujutsu hasn't taken up yet is read by its whole identifier, and its tag is not.
func TestNamesOfGit(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, dir, "jj", "git", "init", "--colocate")
	run(t, dir, "jj", "commit", "-m", "one")
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "two\n")
	run(t, dir, "git", "commit", "-q", "-a", "-m", "two")
	run(t, dir, "git", "tag", "v1")
	id := run(t, dir, "git", "rev-parse", "HEAD")
	for revision, want := range map[string]string{"HEAD": "two\n", "HEAD~1": "one\n", "HEAD^": "one\n", "@-": "one\n", id: "two\n"} {
		if is := read(t, dir, revision, "."); is["a.md"] != want {
			t.Errorf("%s has %q", revision, is)
		}
	}
	for _, revision := range []string{"v1", "HEADS", "HEAD~99", "HEAD@{1}", strings.Repeat("1", 40)} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) {
			t.Errorf("%s is %+v, %v", revision, c, err)
		}
	}
	for _, revision := range []string{"@ |\n@-", "v1\t", strings.Repeat("v", 5000)} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) || errors.Is(err, vcs.ErrUnknown) {
			t.Errorf("%.20q, which nobody was asked about, is %+v, %v", revision, c, err)
		}
	}
	long := strings.Repeat(strings.Repeat("x", 170)+"/", 3) + "x"
	run(t, dir, "git", "branch", long, "HEAD")
	run(t, dir, "jj", "git", "import")
	if is := read(t, dir, long, "."); is["a.md"] != "two\n" {
		t.Errorf("a branch of %d bytes has %q", len(long), is)
	}
	run(t, dir, "jj", "bookmark", "create", "HEAD2", "-r", "v1")
	run(t, dir, "git", "branch", "--force", "HEAD2", "HEAD~1")
	for _, revision := range []string{"v1", "HEAD2"} {
		if is := read(t, dir, revision, "."); is["a.md"] != "two\n" {
			t.Errorf("%s has %q", revision, is)
		}
	}
	if root := read(t, dir, strings.Repeat("0", 40), "."); len(root) != 0 {
		t.Errorf("the root has %q", root)
	}
}

// TestSeveralCommits has two processes move a bookmark and describe a change at once: neither
// name is guessed.
func TestSeveralCommits(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, dir, "jj", "git", "init", "--no-colocate")
	run(t, dir, "jj", "commit", "-m", "one")
	run(t, dir, "jj", "new", "root()")
	before := run(t, dir, "jj", "op", "log", "--no-graph", "--limit", "1", "-T", "id")
	change := run(t, dir, "jj", "log", "--no-graph", "-r", "@", "-T", "change_id")
	run(t, dir, "jj", "bookmark", "create", "main", "-r", `description(substring:"one")`)
	run(t, dir, "jj", "describe", "-m", "two")
	run(t, dir, "jj", "--at-op", before, "bookmark", "create", "main", "-r", "@")
	run(t, dir, "jj", "--at-op", before, "describe", "-m", "three")
	run(t, dir, "jj", "status")
	for _, revision := range []string{"main", change, "all()"} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) || !strings.Contains(err.Error(), "several") {
			t.Errorf("%s is %+v, %v", revision, c, err)
		}
	}
}

// text returns what a file holds.
func text(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestNamesThatAreLinks: a name that git looks for beside its refs may be a link to a ref of
// another repository, also where a ref of this one stands for it. None is told of.
func TestNamesThatAreLinks(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"p/a.md": "one\n"})
	project, other := filepath.Join(dir, "p"), filepath.Join(dir, "other")
	run(t, project, "git", "init", "-q", "-b", "main")
	run(t, project, "git", "add", ".")
	run(t, project, "git", "commit", "-q", "-m", "one")
	run(t, dir, "git", "clone", "-q", project, other)
	git := filepath.Join(project, ".git")
	for _, name := range []string{"ORIG_HEAD", "foo", "hooks/x"} {
		if err := os.Symlink(filepath.Join(other, ".git", "refs", "heads", "main"), filepath.Join(git, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink(filepath.Join(other, ".git"), filepath.Join(git, "modules")); err != nil {
		t.Skip(err)
	}
	run(t, project, "git", "tag", "v1")
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "x"), "ref: foo\n")
	testkit.WriteFile(t, filepath.Join(git, "refs", "tags", "x"), run(t, project, "git", "rev-parse", "main")+"\n")
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "y"), "ref: foo\n")
	testkit.WriteFile(t, filepath.Join(git, "logs", "foo"), "")
	if err := os.Symlink(filepath.Join(other, ".git", "HEAD"), filepath.Join(git, "symbolic")); err != nil {
		t.Skip(err)
	}
	testkit.WriteFile(t, filepath.Join(git, "two"), "ref: symbolic\n")
	if err := os.Mkdir(filepath.Join(git, "main-worktree"), 0o755); err != nil {
		t.Fatal(err)
	}
	testkit.WriteFile(t, filepath.Join(git, "main-worktree", "evil"), "ref: symbolic\n")
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "large"), "ref:"+strings.Repeat(" ", 70_000)+"symbolic\n")
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "nul"), "ref: symbolic\x00x\n")
	for name, to := range map[string]string{"symbolic\u00a0": filepath.Join(other, ".git", "HEAD"), "refs/heads/link": "refs/heads/y"} {
		if err := os.Symlink(to, filepath.Join(git, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "blank"), "ref: symbolic\u00a0\n")
	sha256 := strings.Repeat("a", 64) // which is no identifier in this repository
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", sha256), "ref: symbolic\n")
	run(t, project, "git", "branch", "spaced")
	run(t, project, "git", "branch", "ghost/x")
	run(t, project, "git", "worktree", "add", "-q", filepath.Join(dir, "w"), "-b", "wb")
	if err := os.RemoveAll(filepath.Join(git, "worktrees", "w", "logs")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(other, ".git", "logs"), filepath.Join(git, "worktrees", "w", "logs")); err != nil {
		t.Skip(err)
	}
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "logged"), "ref: worktrees/w/HEAD\n")
	for key, value := range map[string]string{
		"branch.main^.remote": ".", "branch.main^.merge": "foo", "branch.main~1.remote": ".", "branch.main~1.merge": "foo",
		"branch.spaced.remote": ".", "branch.spaced.merge": "symbolic\u00a0", "branch.ghost/x.remote": ".", "branch.ghost/x.merge": "refs/heads/ghost",
		"branch.ghost.remote": "l", "branch.ghost.merge": "refs/heads/q",
	} {
		run(t, project, "git", "config", key, value)
	}
	testkit.WriteFile(t, filepath.Join(git, "refs", "heads", "z"), "ref: two\n")
	run(t, project, "git", "config", "branch.main.remote", ".")
	run(t, project, "git", "config", "branch.main.merge", "symbolic")
	log := filepath.Join(git, "logs", "HEAD")
	testkit.WriteFile(t, log, text(t, log)+strings.Repeat("0", 40)+" "+strings.Repeat("0", 40)+" a <a@a> 1 +0000\tcheckout: moving from symbolic to main\n")
	run(t, project, "git", "update-ref", "refs/remotes/o/main", "main")
	run(t, project, "git", "branch", "other")
	run(t, project, "git", "branch", "v1/branch")
	run(t, project, "git", "branch", "config/new")
	for key, value := range map[string]string{"branch.other.remote": "o", "branch.other.merge": "refs/heads/main", "remote.o.url": "o", "remote.o.fetch": "+refs/heads/*:refs/remotes/o/*", "push.default": "upstream"} {
		run(t, project, "git", "config", key, value)
	}
	for key, value := range map[string]string{"branch.none.remote": "l", "branch.none.merge": "refs/heads/q", "remote.l.url": "l", "remote.l.fetch": "refs/heads/q:foo"} {
		run(t, project, "git", "config", key, value)
	}
	for _, revision := range []string{
		"none@{u}", "none@{push}", "ORIG_HEAD", "foo", "foo~0", "foo^{commit}", "foo@{0}", "hooks/x", "heads/x", "y", "y@{0}", "modules/refs/heads/main", "main-worktree/foo",
		"symbolic", "two", "z", "z~0", "@{u}", "@{UPSTREAM}^0", "main@{upstream}", "HEAD@{u}", "@{-1}", "@{-1}@{u}", "modules/HEAD", "x", "main-worktree/evil", "large", "nul", "link", "blank",
		sha256, "main^@{u}", "main~1@{upstream}", "spaced@{u}", "ghost@{u}", "worktrees/w/HEAD@{0}", "logged", "logged@{0}",
	} {
		c, err := vcs.Open(t.Context(), vcs.Options{Folder: project}, revision)
		if e, ok := errors.AsType[*planstore.Error](err); !vcs.IsUnknown(err) && (!ok || e.Type != planstore.TypeUntrusted) {
			t.Errorf("%s is %+v, %v", revision, c, err)
		}
	}
	for _, revision := range []string{"main", "v1", "HEAD", "@", "main@{0}", "heads/main", "other@{u}", "other@{push}", "o/main", "remotes/o/main", "v1/branch", "config/new"} {
		if is := read(t, project, revision, "."); is["a.md"] != "one\n" {
			t.Errorf("%s has %q", revision, is)
		}
	} // Out of the repository nothing is looked at, not even for links.
	if err := os.Symlink("nowhere", filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	testkit.WriteFile(t, filepath.Join(git, "up"), "ref: ../../out\n")
	for _, revision := range []string{"../../out", "up"} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: project}, revision); !vcs.IsUnknown(err) {
			t.Errorf("%s is %+v, %v", revision, c, err)
		}
	}
}

// TestJJBesideFile has Jujutsu keep its commits in a repository of git to which a file `.git` leads,
// as in a worktree, a submodule, or where all of it lies in a folder beside the files.
func TestJJBesideFile(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"git/a.md": "one\n"})
	git := filepath.Join(dir, "git")
	run(t, git, "git", "init", "-q", "-b", "main")
	run(t, git, "git", "add", ".")
	run(t, git, "git", "commit", "-q", "-m", "one")
	for name, makeIn := range map[string]func(at string){
		"worktree": func(at string) { run(t, git, "git", "worktree", "add", "-q", at, "-b", "side") },
		"submodule": func(at string) {
			run(t, git, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", git, "sub")
			if err := os.Symlink(filepath.Join(git, "sub"), at); err != nil {
				t.Skip(err)
			}
		},
		"beside": func(at string) {
			run(t, git, "git", "clone", "-q", ".", at)
			if err := os.Rename(filepath.Join(at, ".git"), filepath.Join(at, ".bare")); err != nil {
				t.Fatal(err)
			}
			testkit.WriteFile(t, filepath.Join(at, ".git"), "gitdir: ./.bare\n")
			testkit.WriteFile(t, filepath.Join(at, ".gitignore"), ".bare\n") // in which Jujutsu writes while it looks
		},
	} {
		at := filepath.Join(dir, name)
		makeIn(at)
		run(t, at, "jj", "git", "init", "--git-repo=.")
		testkit.WriteFile(t, filepath.Join(at, "a.md"), "two\n")
		for _, revision := range []string{"@-", "HEAD", run(t, at, "git", "rev-parse", "HEAD")} {
			if is := read(t, at, revision, "."); is["a.md"] != "one\n" {
				t.Errorf("%s: %s has %q", name, revision, is)
			}
		}
		second := filepath.Join(dir, name+"-second")
		run(t, at, "jj", "--config=git.colocate=false", "workspace", "add", second)
		if is := read(t, second, "main", "."); is["a.md"] != "one\n" {
			t.Errorf("%s: main has %q in a second workspace", name, is)
		}
	}
}

// TestManyUpstreams has a branch that is merged with more refs than anybody has, each of which would
// be looked for: it is refused, and the same one a thousand times is not.
func TestManyUpstreams(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	run(t, dir, "git", "branch", "other")
	path := filepath.Join(dir, ".git", "config")
	config, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []bool{true, false} {
		lines := "[branch \"main\"]\n\tremote = .\n"
		for i := range 1000 {
			name := "other"
			if !same && i > 0 {
				name += strconv.Itoa(i)
			}
			lines += "\tmerge = refs/heads/" + name + "\n"
		}
		testkit.WriteFile(t, path, string(config)+lines)
		_, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "main@{u}")
		if same != (err == nil) || err != nil && !strings.Contains(err.Error(), "too many") {
			t.Errorf("the same one %t: %v", same, err)
		}
	}
}
