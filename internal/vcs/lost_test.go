package vcs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/vcs"
)

// TestLostOnTheWay has a commit be lost that a revision leads through: each form of it says so, and one
// that leads past the end of what there is names no commit.
func TestLostOnTheWay(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "add", ".")
	for _, message := range []string{"one", "two", "three"} {
		run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", message)
	}
	open := func(revision string) error {
		_, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision)
		return err
	}
	for _, revision := range []string{"HEAD^^^", "HEAD~2^", "HEAD^2", "@~7", "HEAD^{/~none^}^", "HEAD" + strings.Repeat("^", 400)} {
		if err := open(revision); !vcs.IsUnknown(err) {
			t.Errorf("%.20s: %v", revision, err)
		}
	}
	id := run(t, dir, "git", "rev-parse", "HEAD^")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"HEAD^", "HEAD~2", "HEAD^^", "@^^", "HEAD~1^", "HEAD^~1", "HEAD^1^1", "HEAD^^^{commit}", "main^^{commit}^", "HEAD" + strings.Repeat("^", 400)} {
		if err := open(revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), "missing or damaged") {
			t.Errorf("%.20s: %v", revision, err)
		}
	}
	for _, revision := range []string{"HEAD^2", "HEAD^2^^", id + "^"} {
		if err := open(revision); !vcs.IsUnknown(err) {
			t.Errorf("%.20s: %v", revision, err)
		}
	}
	run(t, dir, "git", "pack-refs", "--all")
	packed := filepath.Join(dir, ".git", "packed-refs")
	refs, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	testkit.WriteFile(t, packed, string(refs)+id+" refs/heads/old\n")
	for _, revision := range []string{"old", id, id[:9], id[:9] + "^", id + "^", id + "~2", id + "^{commit}", strings.ToUpper(id)} {
		if err := open(revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), "missing or damaged") {
			t.Errorf("at a branch, %.20s: %v", revision, err)
		}
	}
	head := run(t, dir, "git", "rev-parse", "HEAD")
	for _, revision := range []string{head + "^2", head[:9] + "^2", "1234", strings.Repeat("ABCDEF01", 5)} {
		if err := open(revision); !vcs.IsUnknown(err) {
			t.Errorf("beside a branch, %.20s: %v", revision, err)
		}
	}
	testkit.WriteFile(t, packed, string(refs))
	testkit.WriteFile(t, filepath.Join(dir, ".git", "objects", id[:2], id[2:]), "") // as after a power cut
	for _, revision := range []string{id, id[:9], id + "^", "HEAD^"} {
		if err := open(revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), "missing or damaged") {
			t.Errorf("damaged, %.20s: %v", revision, err)
		}
	}
	if err := open(strings.Repeat("12345678", 5)); !vcs.IsUnknown(err) {
		t.Errorf("of no commit: %v", err)
	}
}

// TestDamagedBlob gives the identifier of a blob whose text is another by now: it names no commit all the same.
func TestDamagedBlob(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "one\n", "b.md": "two\n"})
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	object := func(id string) string { return filepath.Join(dir, ".git", "objects", id[:2], id[2:]) }
	id, other := run(t, dir, "git", "rev-parse", "HEAD:a.md"), run(t, dir, "git", "rev-parse", "HEAD:b.md")
	text, err := os.ReadFile(object(other))
	if err == nil {
		err = os.Remove(object(id))
	}
	if err != nil {
		t.Fatal(err)
	}
	testkit.WriteFile(t, object(id), string(text))
	for _, revision := range []string{id, id[:9]} {
		if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); !vcs.IsUnknown(err) {
			t.Errorf("%.20s: %v", revision, err)
		}
	}
}

// TestPastShallow asks a shallow clone for a commit that lies past its border.
func TestPastShallow(t *testing.T) {
	ownWorld(t)
	from := testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, from, "git", "init", "-q", "-b", "main")
	for _, message := range []string{"one", "two"} {
		run(t, from, "git", "commit", "-q", "--allow-empty", "-m", message)
	}
	first := run(t, from, "git", "rev-parse", "HEAD^")
	dir := filepath.Join(t.TempDir(), "clone")
	run(t, from, "git", "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(from), dir)
	for _, revision := range []string{"HEAD^", "main~1", first, "v1"} {
		_, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision)
		if !vcs.IsUnknown(err) || !strings.Contains(err.Error(), "the clone is shallow") {
			t.Errorf("%.20s: %v", revision, err)
		}
	}
}

// TestUpstreamUntold has a configuration with which git fails as soon as it looks for the upstream of a
// branch: that is the answer.
func TestUpstreamUntold(t *testing.T) {
	ownWorld(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "one\n"})
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	for key, value := range map[string]string{"branch.main.remote": "o", "branch.main.merge": "refs/heads/main", "remote.o.url": "x", "remote.o.fetch": "+refs/heads/*:refs/remotes/o/*/*/x.."} {
		run(t, dir, "git", "config", key, value)
	}
	for _, revision := range []string{"main@{u}", "@{push}"} {
		if _, err := vcs.Open(t.Context(), vcs.Options{Folder: dir}, revision); err == nil || vcs.IsUnknown(err) || !strings.Contains(err.Error(), "exit code 128") {
			t.Errorf("%s: %v", revision, err)
		}
	}
}
