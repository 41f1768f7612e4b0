package vcs_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// ownWorld makes a home in which no configuration of the machine counts.
func ownWorld(t *testing.T) {
	t.Helper()
	tools, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin")) // where scripts/install-jj puts jj
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
	home := testkit.Folder(t, map[string]string{"jj.toml": "user.name = \"T\"\nuser.email = \"t@example.com\"\n"})
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "JJ_CONFIG": filepath.Join(home, "jj.toml"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"), "GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.com",
		"GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@example.com",
	} {
		t.Setenv(name, value)
	}
}

// run runs a program in a folder.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		testkit.Missing(t, name+" isn't installed")
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// read opens a revision and returns its files below a path with their texts.
func read(t *testing.T, dir, revision, path string) map[string]string {
	t.Helper()
	c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision)
	if err != nil {
		t.Fatal(err)
	}
	files, err := c.Files(t.Context(), path, free)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var blobs []vcs.Blob
	for name, blob := range files {
		names, blobs = append(names, name), append(blobs, blob)
	}
	texts := map[string]string{}
	if err := c.Read(t.Context(), blobs, func(i int, text []byte) error {
		if !blobs[i].Is(text) || blobs[i].Is(append(text, 'x')) {
			t.Errorf("%s isn't known again", names[i])
		}
		texts[names[i]] = string(text)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

// free holds any memory.
func free(int64) error { return nil }

// TestGit reads files of a repository of git, in whose configuration all is turned on that
// changes what is read or runs something, and whose files have names that mean something.
func TestGit(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{
		"a.md": "old\r\n", "docs/ä b.md": "umlaut\n", "docs/sub/-c.md": "dash\n", "docsier.md": "beside\n", "empty.md": "", ":(top)a.md": "magic\n", ".gitattributes": "*.md filter=evil diff=evil text eol=lf\n",
	})
	run(t, dir, "git", "init", "-q")
	run(t, dir, "git", "config", "core.autocrlf", "false")
	if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skip(err)
	}
	run(t, dir, "git", "-c", "core.safecrlf=false", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	run(t, dir, "git", "tag", "v1")
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "new\n")
	run(t, dir, "git", "commit", "-q", "-a", "-m", "two")
	run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "feat: three")
	ran := filepath.Join(t.TempDir(), "ran")
	for key, value := range map[string]string{
		"filter.evil.smudge": "touch " + ran, "filter.evil.clean": "touch " + ran, "diff.evil.textconv": "touch " + ran, "core.pager": "touch " + ran,
		"alias.rev-parse": "!touch " + ran, "alias.cat-file": "!touch " + ran, "core.fsmonitor": "touch " + ran,
	} {
		run(t, dir, "git", "config", key, value)
	}
	old := read(t, filepath.Join(dir, "docs"), "v1", ".")
	if len(old) != 7 || old["a.md"] != "old\n" || old["docs/ä b.md"] != "umlaut\n" || old["docs/sub/-c.md"] != "dash\n" || old["empty.md"] != "" {
		t.Errorf("v1 has %q", old)
	}
	if below := read(t, dir, "HEAD~1", "docs"); len(below) != 2 {
		t.Errorf("docs has %q", below)
	}
	if now := read(t, dir, "HEAD", "a.md"); len(now) != 1 || now["a.md"] != "new\n" {
		t.Errorf("HEAD has %q", now)
	}
	for _, revision := range []string{"HEAD^{/feat: three}", "HEAD@{2099-01-01 12:00}"} {
		if now := read(t, dir, revision, "a.md"); now["a.md"] != "new\n" {
			t.Errorf("%s has %q", revision, now)
		}
	}
	if now := read(t, dir, "HEAD", ":(top)a.md"); len(now) != 1 || now[":(top)a.md"] != "magic\n" {
		t.Errorf("a name that means more to git has %q", now)
	}
	for _, revision := range []string{"", "nothing", "HEAD:a.md", ":/one", "-h", "--help", "HEAD\nHEAD", strings.Repeat("a", 501), "v1^{tree}", "HEAD@{7}", "HEAD@{0", "HEAD@{0}x", "HEAD@{0}/docs", "HEAD@{12:00", "HEAD@{0}^{", "HEAD@{0}^{/one", "@{0}^{commit", "HEAD@{0}~1^{", "HEAD^{/two}:a.md", "HEAD}:{"} {
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) {
			t.Errorf("%q is %v, %v", revision, c, err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("what the repository names was run")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := vcs.Open(ended, vcs.Options{Folder: dir}, "HEAD"); err == nil {
		t.Error("a request that has ended was answered")
	}
}

// TestNoRepository looks where there is none, and where one is another's.
func TestNoRepository(t *testing.T) {
	ownWorld(t)
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
	outside := t.TempDir()
	if _, err := vcs.Open(t.Context(), vcs.Options{Folder: outside}, "HEAD"); err == nil || vcs.IsUnknown(err) {
		t.Errorf("without a repository: %v", err)
	}
	dir := testkit.Folder(t, map[string]string{"a.md": "secret\n"})
	run(t, dir, "git", "init", "-q")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	if err := os.Symlink(filepath.Join(dir, ".git"), filepath.Join(outside, ".git")); err != nil {
		t.Skip(err)
	}
	if _, err := vcs.Open(t.Context(), vcs.Options{Folder: outside}, "HEAD"); err == nil || !strings.Contains(err.Error(), "untrusted") {
		t.Errorf("a link to another repository: %v", err)
	}
	run(t, dir, "git", "config", "core.bare", "true")
	if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "HEAD"); err == nil || !strings.Contains(err.Error(), "bare repository") {
		t.Errorf("a repository that says that it is bare: %v", err)
	}
	run(t, dir, "git", "config", "core.bare", "false")
	c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	if files, err := c.Files(t.Context(), ".", free); err == nil {
		t.Errorf("without objects: %v", files)
	}
	err = c.Read(t.Context(), []vcs.Blob{{ID: strings.Repeat("0", 40), Size: 3}}, func(_ int, text []byte) error {
		if text != nil {
			t.Errorf("an object that isn't there was read: %q", text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFilesElsewhere: a repository that has its files be those of another folder has no paths of the
// folder that it lies in, nor of one between.
func TestFilesElsewhere(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"docs/a.md": "# A\n", "a.md": "# B\n"})
	run(t, dir, "git", "init", "-q")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	for worktree, ok := range map[string]bool{"..": true, dir: true, "../docs": false, "../..": false, filepath.Join(dir, "nowhere"): false} {
		run(t, dir, "git", "config", "--file", ".git/config", "core.worktree", worktree)
		for _, folder := range []string{dir, filepath.Join(dir, "docs")} {
			_, err := vcs.Open(t.Context(), vcs.Options{Folder: folder}, "HEAD")
			if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "its files lie elsewhere (`core.worktree`)") {
				t.Errorf("files in %s, from %s: %v", worktree, folder, err)
			}
		}
	}
}

// TestBareBesideWorktrees: where the repository of a folder is bare, the files of a commit are none of the
// folder's; those of a worktree beside are its own.
func TestBareBesideWorktrees(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"src/a.md": "# A\n", "p/.git": "gitdir: ./.bare\n"})
	src := filepath.Join(dir, "src")
	run(t, src, "git", "init", "-q", "-b", "main")
	run(t, src, "git", "add", ".")
	run(t, src, "git", "commit", "-q", "-m", "one")
	run(t, src, "git", "branch", "x{y")
	for _, bare := range []string{"p/.bare", "q/.git"} {
		run(t, dir, "git", "clone", "-q", "--bare", "src", bare)
		folder := filepath.Join(dir, filepath.FromSlash(bare[:1]))
		run(t, folder, "git", "worktree", "add", "-q", "main", "main")
		if _, err := vcs.Open(t.Context(), vcs.Options{Folder: folder}, "HEAD"); err == nil || !strings.Contains(err.Error(), "bare repository") {
			t.Errorf("%s: %v", bare, err)
		}
		for _, revision := range []string{"HEAD", "x{y", "x{y~0"} {
			if _, err := vcs.Open(t.Context(), vcs.Options{Folder: filepath.Join(folder, "main")}, revision); err != nil {
				t.Errorf("%s, in its worktree, %s: %v", bare, revision, err)
			}
		}
	}
}

// TestFailedGit: where git itself fails, or the commit is lost, that is told, and not that no commit
// has the name.
func TestFailedGit(t *testing.T) {
	ownWorld(t)
	for name, want := range map[string]string{
		"configuration": "configuration", "version": "exit code", "packed": "exit code", "shallow": "exit code",
		"lost": "missing or damaged", "empty": "missing or damaged", "another": "missing or damaged",
	} {
		dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
		run(t, dir, "git", "init", "-q", "-b", "main")
		run(t, dir, "git", "add", ".")
		run(t, dir, "git", "commit", "-q", "-m", "one")
		id := run(t, dir, "git", "rev-parse", "HEAD")
		run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "two")
		run(t, dir, "git", "tag", "-a", "v1", "-m", "tag", id)
		run(t, dir, "git", "branch", "old", id)
		commit := filepath.Join(dir, ".git", "objects", id[:2], id[2:])
		switch name {
		case "configuration":
			testkit.WriteFile(t, filepath.Join(dir, ".git", "config"), "[")
		case "version":
			run(t, dir, "git", "config", "core.repositoryFormatVersion", "99")
		case "shallow":
			testkit.WriteFile(t, filepath.Join(dir, ".git", "shallow"), "junk\n")
		case "packed":
			testkit.WriteFile(t, filepath.Join(dir, ".git", "packed-refs"), "junk\n")
		default:
			if err := os.Remove(commit); err != nil {
				t.Fatal(err)
			}
			switch name {
			case "empty":
				testkit.WriteFile(t, commit, "")
			case "another": // whole commit stands there
				other := run(t, dir, "git", "rev-parse", "HEAD")
				text, err := os.ReadFile(filepath.Join(dir, ".git", "objects", other[:2], other[2:]))
				if err != nil {
					t.Fatal(err)
				}
				testkit.WriteFile(t, commit, string(text))
			}
			if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "none"); !vcs.IsUnknown(err) {
				t.Errorf("%s: none is %+v, %v", name, c, err)
			}
		}
		for _, revision := range []string{"old", "refs/heads/old", "v1", "HEAD~1", "HEAD~2", "v1~1", "old~1", "old^", "old^{}", "v1^{}", "old~1^2~3"} {
			if name == "another" && revision == "HEAD~2" { // whose parent a commit on the way is, is git's word
				continue
			}
			if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s is %+v, %v", name, revision, c, err)
			}
		}
	}
}

// TestDamagedRefs has the file of a branch be empty, or damaged, as after a loss of power: that is
// told of the branch, of HEAD on it and of what stands for it, and not that no commit has the name.
func TestDamagedRefs(t *testing.T) {
	ownWorld(t)
	for _, text := range []string{"", strings.Repeat("\x00", 41), "junk\n"} {
		dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
		run(t, dir, "git", "init", "-q", "-b", "main")
		run(t, dir, "git", "add", ".")
		run(t, dir, "git", "commit", "-q", "-m", "one")
		run(t, dir, "git", "branch", "fine")
		run(t, dir, "git", "config", "branch.fine.remote", ".")
		run(t, dir, "git", "config", "branch.fine.merge", "refs/heads/main")
		run(t, dir, "git", "symbolic-ref", "refs/heads/stands", "refs/heads/main")
		run(t, dir, "git", "symbolic-ref", "refs/heads/unborn", "refs/heads/none")
		run(t, dir, "git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
		for _, ref := range []string{"refs/heads/main", "refs/heads/other/x", "refs/tags/v1", "refs/remotes/origin/main"} {
			file := filepath.Join(dir, ".git", filepath.FromSlash(ref))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			testkit.WriteFile(t, file, text)
		}
		for revision, want := range map[string]string{
			"main": "the ref refs/heads/main is damaged", "main~1^2": "the ref refs/heads/main is damaged", "refs/heads/main": "the ref refs/heads/main is damaged",
			"heads/main": "the ref refs/heads/main is damaged", "main@{1}": "the ref refs/heads/main is damaged", "main@{u}": "the ref refs/heads/main is damaged",
			"fine@{u}": "the ref refs/heads/main is damaged", "other/x": "the ref refs/heads/other/x is damaged", "v1": "the ref refs/tags/v1 is damaged",
			"origin/main": "the ref refs/remotes/origin/main is damaged", "HEAD": "HEAD, or the file of the branch that it names, may be damaged",
			"@": "HEAD, or", "HEAD~1": "HEAD, or", "@{1}": "HEAD, or", "@{u}": "HEAD, or",
			"stands": "what the ref refs/heads/stands stands for is damaged", "origin": "what the ref refs/remotes/origin/HEAD stands for",
		} {
			if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %s is %+v, %v", text, revision, c, err)
			}
		}
		for _, revision := range []string{"none", "other", "heads", "unborn", "fine~7", "MERGE_HEAD", "fine@{7}", "a b", "none HEAD", "refs/heads/*", strings.Repeat("x", 300)} {
			if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) {
				t.Errorf("%q: %s is %+v, %v", text, revision, c, err)
			}
		}
		if now := read(t, dir, "fine", "."); now["a.md"] != "one\n" {
			t.Errorf("%q: fine has %q", text, now)
		}
		run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/new")
		if c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "HEAD"); !vcs.IsUnknown(err) {
			t.Errorf("%q: HEAD before the first commit is %+v, %v", text, c, err)
		}
	}
}

// TestJJ reads commits of Jujutsu by revisions of its own and of git, and takes no snapshot.
func TestJJ(t *testing.T) {
	ownWorld(t)
	for _, flag := range []string{"--colocate", "--no-colocate"} {
		dir := testkit.Folder(t, map[string]string{"a.md": "old\n"})
		run(t, dir, "jj", "git", "init", flag)
		run(t, dir, "jj", "commit", "-m", "one")
		testkit.WriteFile(t, filepath.Join(dir, "a.md"), "new\n")
		before := run(t, dir, "jj", "op", "log", "--ignore-working-copy", "--no-graph", "-T", "id")
		id := run(t, dir, "jj", "log", "--ignore-working-copy", "--no-graph", "-r", "@-", "-T", "commit_id")
		for _, revision := range []string{"@-", id[:12], `description(substring:"one")`} {
			if now := read(t, dir, revision, "."); len(now) != 1 || now["a.md"] != "old\n" {
				t.Errorf("%s %s: %q", flag, revision, now)
			}
		}
		for _, revision := range []string{"root()", "@--"} {
			if now := read(t, dir, revision, "."); len(now) != 0 {
				t.Errorf("%s %s, before the first commit: %q", flag, revision, now)
			}
		}
		for _, revision := range []string{"all()", "none()", "nothing", "-h"} {
			if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) {
				t.Errorf("%s %s: %v", flag, revision, err)
			}
		}
		if after := run(t, dir, "jj", "op", "log", "--ignore-working-copy", "--no-graph", "-T", "id"); after != before {
			t.Errorf("%s: the operations are %s, and were %s", flag, after, before)
		}
	}
}

// filesBelow returns the files in a folder with their texts.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// forgetOldOperations takes from the index of Jujutsu all but what the repository is at.
func forgetOldOperations(t *testing.T, dir string) {
	t.Helper()
	links := filepath.Join(dir, ".jj", "repo", "index", "op_links")
	list, err := os.ReadDir(links)
	if err != nil {
		testkit.Missing(t, "this jj has another index") // before 0.33
	}
	for _, link := range list {
		if _, err := os.Stat(filepath.Join(dir, ".jj", "repo", "op_heads", "heads", link.Name())); err == nil {
			continue
		}
		if err := os.Remove(filepath.Join(links, link.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnlyOldOperations: of an operation that a revision looks at Jujutsu would write an index.
// Who may write nothing isn't asked to, neither by the revision nor by an alias of the configuration.
func TestReadOnlyOldOperations(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	run(t, dir, "jj", "git", "init", "--colocate", ".")
	run(t, dir, "jj", "commit", "-m", "one")
	run(t, dir, "jj", "commit", "-m", "two")
	run(t, dir, "jj", "config", "set", "--repo", "revset-aliases.then", "at_operation(@-, @)")
	run(t, dir, "jj", "log")
	index := filepath.Join(dir, ".jj", "repo", "index")
	for _, readOnly := range []bool{true, false} { // the second shows that it would
		for _, revision := range []string{"at_operation(@-, @)", "then"} {
			forgetOldOperations(t, dir)
			before := filesBelow(t, index)
			_, err := vcs.Open(t.Context(), vcs.Options{Folder: dir, ReadOnly: readOnly}, revision)
			switch after := filesBelow(t, index); {
			case readOnly && (!vcs.IsUnknown(err) || !maps.Equal(before, after)):
				t.Errorf("%s: %v; the index has %d files, not %d", revision, err, len(after), len(before))
			case !readOnly && (err != nil || maps.Equal(before, after)):
				t.Errorf("%s: %v; it was to make an index of the old operation", revision, err)
			}
		}
	}
}

// TestRevisionsFindNoFiles: who may be told of some files alone finds no commit of Jujutsu by the
// names or texts of others, by an alias of the configuration neither.
func TestRevisionsFindNoFiles(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n", ".env": "PASS=x\n"})
	run(t, dir, "jj", "git", "init", "--no-colocate", ".")
	run(t, dir, "jj", "commit", "-m", "one")
	run(t, dir, "jj", "config", "set", "--repo", `revset-aliases."has(text)"`, "diff_lines(text)")
	showsNothing := func() func(string) bool { return func(string) bool { return false } }
	for _, looks := range []string{`diff_lines(regex:"^PASS=x", root-file:".env")`, `diff_lines_added("PASS=x")`, `files(".env")`, `has("PASS=x")`} {
		revision := "@- & " + looks
		if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); err != nil {
			t.Errorf("%s: %v", revision, err)
		}
		_, err := vcs.Open(t.Context(), vcs.Options{Folder: dir, Shows: showsNothing}, revision)
		if !vcs.IsUnknown(err) {
			t.Errorf("%s: %v", revision, err)
		}
	}
	if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir, Shows: showsNothing}, "@- & ~root()"); err != nil {
		t.Error(err)
	}
}

// TestLostFiles has a repository lack some of the texts of a commit, or have others in their place,
// also one that hasn't fetched all: the others are read.
func TestLostFiles(t *testing.T) {
	ownWorld(t)
	texts := map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n", "d/e.md": "e\n"}
	dir := testkit.Folder(t, texts)
	run(t, dir, "git", "init", "-q")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	run(t, dir, "git", "config", "uploadpack.allowFilter", "true")
	partial := filepath.Join(t.TempDir(), "partial")
	run(t, dir, "git", "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(dir), partial)
	for _, name := range []string{"b.md", "d/e.md"} {
		run(t, partial, "git", "cat-file", "-e", "HEAD:"+name) // which fetches it
	}
	lost := func(name, text string) {
		id := run(t, dir, "git", "rev-parse", "HEAD:"+name)
		path := filepath.Join(dir, ".git", "objects", id[:2], id[2:])
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			var packed bytes.Buffer
			z := zlib.NewWriter(&packed)
			_, _ = z.Write([]byte("blob 2\x00" + text))
			_ = z.Close()
			testkit.WriteFile(t, path, packed.String())
		}
	}
	lost("a.md", "")
	lost("c.md", "x\n")
	for _, dir := range []string{dir, partial} {
		c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(t.Context(), ".", free)
		if err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(files))
		var blobs []vcs.Blob
		for _, name := range names {
			blobs = append(blobs, files[name])
		}
		got := map[string]string{}
		err = c.Read(t.Context(), blobs, func(i int, text []byte) error {
			if text != nil {
				got[names[i]] = string(text)
			}
			return nil
		})
		if want := map[string]string{"b.md": "b\n", "d/e.md": "e\n"}; err != nil || len(names) != len(texts) || !maps.Equal(got, want) {
			t.Errorf("%v of %v, %v", got, files, err)
		}
	}
}

// TestFilesWithin: memory is held before a list of files is made, more of it only for one that is
// longer; where there is none, nothing is listed.
func TestFilesWithin(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	run(t, dir, "git", "init", "-q")
	entry := "100644 blob " + run(t, dir, "git", "hash-object", "-w", "a.md")
	var trees []string
	for _, n := range []int{200, 100, 1000} { // a tree of trees, and one of these
		var tree strings.Builder
		for i := range n {
			fmt.Fprintf(&tree, "%s\t%d%s\n", entry, i, strings.Repeat("x", 100)) // git needs time for each file
		}
		cmd := exec.Command("git", "mktree")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(tree.String())
		id, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		entry = "040000 tree " + strings.TrimSpace(string(id))
		trees = append(trees, strings.TrimSpace(string(id)))
	}
	open := func(tree string) *vcs.Commit {
		c, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, run(t, dir, "git", "commit-tree", "-m", "many", tree))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := open(trees[1])
	var held []int64
	hold := func(bytes int64) error {
		held = append(held, bytes>>20)
		return nil
	}
	if files, err := c.Files(t.Context(), "7"+strings.Repeat("x", 100), hold); err != nil || len(files) != 200 || !slices.Equal(held, []int64{4}) {
		t.Errorf("%d files, %v, held: %v", len(files), err, held)
	}
	held = nil
	if files, err := c.Files(t.Context(), ".", hold); err != nil || len(files) != 20_000 || !slices.Equal(held, []int64{4, 28}) {
		t.Errorf("%d files, %v, held: %v", len(files), err, held)
	}
	held = nil
	if files, err := open(trees[2]).Files(t.Context(), ".", hold); err == nil || !strings.Contains(err.Error(), "too many files") || !slices.Equal(held, []int64{4, 28, 96}) {
		t.Errorf("%d files, %v, held: %v", len(files), err, held)
	}
	none := errors.New("no memory")
	room := 4 << 20
	if files, err := c.Files(t.Context(), ".", func(bytes int64) error {
		if room -= int(bytes); room < 0 {
			return none
		}
		return nil
	}); !errors.Is(err, none) || files != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
}
