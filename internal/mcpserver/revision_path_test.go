package mcpserver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestRevisionThatIsAPathToo has folders of a repository be called as its revisions are: it is
// neither guessed that the folder is meant nor the revision.
func TestRevisionThatIsAPathToo(t *testing.T) {
	need(t, "git")
	dir := planned(t, "git")
	for _, name := range []string{"docs", "HEAD", "v1", "old"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/a.md", "# A\n\nold\n")
	runIn(t, dir, "git", "add", "docs")
	runIn(t, dir, "git", "commit", "-q", "-m", "docs")
	runIn(t, dir, "git", "tag", "v1")
	for _, folder := range []string{"docs", "HEAD", "v1", "old"} {
		write(folder+"/a.md", "# A\n\nnew\n")
	}
	session := process(t, dir)
	for _, path := range []string{"docs", "docs/a.md", "docs/*.md"} {
		for _, against := range []string{"HEAD", "v1"} {
			text, failed := ask(t, session, toolDiff, object{"path": path, "against": against})
			if !failed {
				t.Errorf("%s against %s succeeds", path, against)
			}
			shows(t, text, "invalid_argument", "revision and a path", "./"+against)
		}
	}
	for against, want := range map[string]string{"./HEAD": "no difference", "old": "no difference", "HEAD~0": "1 changed", "HEAD^{commit}": "1 changed", "main@{0}": "1 changed"} {
		text, _ := ask(t, session, toolDiff, object{"path": "docs", "against": against})
		shows(t, text, want)
	}
	// Where the repository can't be asked, a path is meant if it says so, and the id of a change is one.
	if _, failed := ask(t, session, "create_document", object{"path": "docs/b.md", "content": "# B\n"}); failed {
		t.Fatal("no document is made")
	}
	list, _ := ask(t, session, "list_changes", object{})
	id, _, _ := strings.Cut(unmarked(list), " ")
	if err := os.MkdirAll(filepath.Join(dir, ".git", "objects", "info"), 0o750); err != nil {
		t.Fatal(err)
	}
	write(".git/objects/info/alternates", t.TempDir()+"\n")
	for against, want := range map[string]string{"./old": "1 added", "old": "write ./old for the path", id: "before " + id} {
		text, _ := ask(t, session, toolDiff, object{"path": "docs", "against": against})
		shows(t, text, want)
	}
}

// TestRevisionThatReadsAsAPattern has signs of patterns in revisions: such a word is a pattern where no
// commit has the name, not where git fails or has lost the commit, and where no document is found by it
// either, none is told of as added.
func TestRevisionThatReadsAsAPattern(t *testing.T) {
	need(t, "git")
	dir := planned(t, "git")
	for name, text := range map[string]string{"docs": "# A\n", "old": "# B\n"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o750); err != nil {
			t.Fatal(err)
		}
		testkit.WriteFile(t, filepath.Join(dir, name, "a.md"), text)
	}
	for _, message := range []string{"one", "two"} {
		runIn(t, dir, "git", "add", "docs")
		runIn(t, dir, "git", "commit", "-q", "--allow-empty", "-m", message)
	}
	session := process(t, dir)
	check := func(path, against string, fails bool, want ...string) {
		t.Helper()
		text, failed := ask(t, session, toolDiff, object{"path": path, "against": against})
		if failed != fails {
			t.Errorf("against %s: failed is %v", against, failed)
		}
		shows(t, text, want...)
		if fails && strings.Contains(text, "added") {
			t.Errorf("against %s, documents are added: %s", against, text)
		}
	}
	check("docs", "HEAD^{/on[e]}", false, "no difference in 1 document")
	check("docs/*", "HEAD^{/on[e]}", true, "a revision has no patterns")
	check("docs", "old/*", false, "1 added")
	check("docs", "./old/*", false, "1 added")
	check("docs", "none@{1}", true, `the revision "none@{1}" can't be read: it names no commit`, "as a path", "the pattern matches no Markdown file")
	check("docs", "none/*.md", true, "no_matches: none/*.md: the pattern matches no Markdown file")
	for _, against := range []string{"none\u0085*.md", "*\u0002.md", "none\u0002.md"} {
		check("docs/a.md", against, true, "the path has a control character")
	}
	check("none/*", "docs", true, "no_matches: none/*: the pattern matches no Markdown file")
	lost := strings.TrimSpace(runIn(t, dir, "git", "rev-parse", "HEAD~1"))
	lost = filepath.Join(dir, ".git", "objects", lost[:2], lost[2:])
	if err := os.Rename(lost, lost+".bak"); err != nil {
		t.Fatal(err)
	}
	check("docs", "HEAD^{/on[e]}", true, `io_error: the revision "HEAD^{/on[e]}" can't be read`, "missing or damaged")
	if err := os.Rename(lost+".bak", lost); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, ".git", "config")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	testkit.WriteFile(t, config, string(text)+"[core\n")
	check("docs", "HEAD@{1}", true, `the revision "HEAD@{1}" can't be read`, "the repository's configuration")
	check("docs", "old/*", true, "old/* is a path, and whether it is a revision too can't be told", "the repository's configuration", "write ./old/* for the path")
	check("docs", "./old/*", false, "1 added")
}

// TestRevisionBesideWhatIsGone has a root hold a clone, and asks about what is gone from that, or by a
// pattern in it: what a word names is told by the clone's repository, and a failure of it is told.
func TestRevisionBesideWhatIsGone(t *testing.T) {
	need(t, "git")
	dir := docs(t, map[string]string{"docs/a.md": "# D\n", "clone/a.md": "# A\n", "clone/gone.md": "# G\n", "clone/d/e.md": "# E\n"})
	clone := filepath.Join(dir, "clone")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}, {"commit", "-q", "--allow-empty", "-m", "two"}, {"branch", "docs"}, {"rm", "-qr", "gone.md", "d"}} {
		runIn(t, clone, "git", args...)
	}
	session := process(t, dir)
	check := func(path, against, want string) {
		t.Helper()
		text, _ := ask(t, session, toolDiff, object{"path": path, "against": against})
		shows(t, text, want)
	}
	for _, against := range []string{"HEAD~1", "HEAD@{1}"} {
		check("clone/gone.md", against, "removed clone/gone.md")
		check("clone/d", against, "removed clone/d/e.md")
	}
	check("clone/none.md", "HEAD@{1}", "file_not_found: clone/none.md")
	check("clone/*.md", "docs", "docs is a revision and a path")
	check("docs/*.md", "docs", "docs/*.md against docs: ")
	check("clone/*.md", "none@{1}", "it names no commit")
	testkit.WriteFile(t, filepath.Join(clone, ".git", "config"), "[core\n")
	for _, against := range []string{"HEAD~1", "HEAD@{1}"} {
		check("clone/gone.md", against, "the repository's configuration")
	}
	check("clone/*.md", "docs", "docs is a path, and whether it is a revision too can't be told")
	testkit.WriteFile(t, filepath.Join(clone, ".git", "config"), "")
	testkit.WriteFile(t, filepath.Join(clone, ".git", "HEAD"), "") // by which git takes it for no repository
	check("clone/*.md", "docs", "docs is a path, and whether it is a revision too can't be told")
}

// TestRevisionBehindLink asks for a link of a repository that leads out of it, in whose place the commit has a document:
// what a word names is asked of the repository in which the link lies.
func TestRevisionBehindLink(t *testing.T) {
	need(t, "git")
	dir := docs(t, map[string]string{"docs/a.md": "# D\n", "shared/s.md": "# S\n\nnow\n", "clone/l.md": "# S\n\nold\n", "clone/d/s.md": "# S\n\nold\n", "clone/d/gone.md": "# G\n"})
	clone := filepath.Join(dir, "clone")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}, {"commit", "-q", "--allow-empty", "-m", "two"}, {"branch", "docs"}, {"rm", "-qr", "l.md", "d"}} {
		runIn(t, clone, "git", args...)
	}
	if err := errors.Join(os.Symlink("../shared/s.md", filepath.Join(clone, "l.md")), os.Symlink("../shared", filepath.Join(clone, "d"))); err != nil {
		t.Skip(err)
	}
	session := process(t, dir)
	for path, want := range map[string]string{"clone/l.md": "changed clone/l.md:1-3", "clone/d": "removed clone/d/s.md:1-3", "clone/d/gone.md": "removed clone/d/gone.md:1"} {
		for _, against := range []string{"HEAD~1", "HEAD@{1}"} {
			text, _ := ask(t, session, toolDiff, object{"path": path, "against": against})
			shows(t, text, want)
		}
	}
	for _, path := range []string{"clone/d", "clone/d/gone.md"} {
		text, _ := ask(t, session, toolDiff, object{"path": path, "against": "docs"})
		shows(t, text, "docs is a revision and a path")
	}
	shared := filepath.Join(dir, "shared")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}} {
		runIn(t, shared, "git", args...)
	}
	testkit.WriteFile(t, filepath.Join(clone, ".git", "config"), "[core\n")
	for _, path := range []string{"clone/l.md", "clone/d"} { // whose other repository isn't asked then
		text, _ := ask(t, session, toolDiff, object{"path": path, "against": "HEAD"})
		shows(t, text, "the repository's configuration")
	}
}

// TestRevisionOfOneRoot: of a path that leads to folders in several roots, the reply says which it isn't about.
func TestRevisionOfOneRoot(t *testing.T) {
	need(t, "git")
	var roots []string
	for _, name := range []string{"a.md", "b.md"} {
		root := docs(t, map[string]string{name: "# One\n"})
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "one"}} {
			runIn(t, root, "git", args...)
		}
		testkit.WriteFile(t, filepath.Join(root, name), "# Two\n")
		roots = append(roots, root)
	}
	session := process(t, roots[0], "--root", roots[1])
	text, _ := ask(t, session, toolDiff, object{"path": ".", "against": "HEAD"})
	shows(t, text, "without other roots (")
	for _, root := range roots {
		if text, _ := ask(t, session, toolDiff, object{"path": root, "against": "HEAD"}); strings.Contains(text, "without") {
			t.Error(text)
		}
	}
	testkit.WriteFile(t, filepath.Join(roots[0], "both.md"), "# Both\n")
	testkit.WriteFile(t, filepath.Join(roots[1], "both.md"), "# Both\n")
	text, _ = ask(t, session, toolDiff, object{"path": "both.md", "against": "HEAD"})
	shows(t, text, "more than one root has something at this path")
	if err := os.Remove(filepath.Join(roots[1], "b.md")); err != nil {
		t.Fatal(err)
	}
	text, _ = ask(t, session, toolDiff, object{"path": "b.md", "against": "HEAD"})
	shows(t, text, "removed b.md:1")
	settings := filepath.Join(roots[0], ".sectile.yaml")
	testkit.WriteFile(t, settings, "plan: [\n")
	text, _ = ask(t, session, toolDiff, object{"path": "b.md", "against": "HEAD"})
	shows(t, text, "removed b.md:1")
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	testkit.WriteFile(t, filepath.Join(roots[0], ".git", "config"), "[core\n")
	text, _ = ask(t, session, toolDiff, object{"path": "b.md", "against": "HEAD"})
	shows(t, text, "the repository's configuration") // which may have had a b.md, too
}

// TestFoldersWithoutGit compares two folders where no program could read a revision.
func TestFoldersWithoutGit(t *testing.T) {
	need(t, "git")
	dir := planned(t, "git")
	for _, name := range []string{"docs", "old"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a.md"), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testkit.BuildProgram(t) // with the path that it needs
	t.Setenv("PATH", t.TempDir())
	text, _ := ask(t, process(t, dir), toolDiff, object{"path": "docs", "against": "old"})
	shows(t, text, "no difference")
}
