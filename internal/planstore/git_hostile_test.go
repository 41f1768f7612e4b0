//go:build unix

package planstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGitSubmodule has a submodule name programs, and be at another commit than it
// was: no comparison goes into it.
func TestGitSubmodule(t *testing.T) {
	t.Parallel()
	dir, marks := newGit(t), t.TempDir()
	sub := filepath.Join(dir, "sub")
	run(t, dir, "git", "clone", "-q", newGit(t), sub)
	run(t, dir, "git", "add", "sub")
	run(t, dir, "git", "commit", "-qm", "two")
	write(t, filepath.Join(sub, "a.txt"), "two\n")
	run(t, sub, "git", "commit", "-qam", "two")
	write(t, filepath.Join(sub, ".gitattributes"), "* diff=odd filter=odd\n")
	write(t, filepath.Join(sub, "a.txt"), "three\n")
	for _, name := range []string{"diff.external", "diff.odd.textconv", "diff.odd.command", "filter.odd.clean", "filter.odd.process", "core.fsmonitor"} {
		run(t, sub, "git", "config", name, script(t, filepath.Join(t.TempDir(), name), fmt.Sprintf("touch '%s/%s'; cat", marks, name)))
	}
	for _, setting := range [][2]string{
		{"diff.submodule", "diff"}, {"diff.ignoreSubmodules", "none"}, {"submodule.sub.ignore", "none"}, {"status.submoduleSummary", "true"}, {"submodule.recurse", "true"},
	} {
		run(t, dir, "git", "config", setting[0], setting[1])
	}
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	if err != nil || len(changes.Files) != 1 || changes.Files[0] != (Change{"modified", "sub"}) {
		t.Errorf("%+v %v", changes, err)
	}
	testDiff(t, s, "+Subproject commit ")
	left, err := os.ReadDir(marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was run", e.Name())
	}
	// What would have happened otherwise.
	_, _ = tryRun(t, dir, "", "git", "diff", "HEAD")
	if left, err := os.ReadDir(marks); err != nil || len(left) == 0 {
		t.Errorf("the configuration has no effect: %v", err)
	}
}

// TestGitSubmodulesAreShown has submodules as git makes them, with a commit of their own
// each: the difference says which.
func TestGitSubmodulesAreShown(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	needGit(t)
	add := func(t *testing.T, dir string, more ...string) {
		t.Helper()
		run(t, dir, "git", append(append([]string{"-c", "protocol.file.allow=always", "submodule", "--quiet", "add"}, more...), newGit(t), "lib/my sub")...)
		run(t, dir, "git", "commit", "-qam", "two")
	}
	for name, build := range map[string]func(t *testing.T, dir string) string{
		"added":     func(t *testing.T, dir string) string { add(t, dir); return dir },
		"by a name": func(t *testing.T, dir string) string { add(t, dir, "--name", "a/b c"); return dir },
		"of old": func(t *testing.T, dir string) string {
			run(t, dir, "git", "clone", "-q", newGit(t), "lib/my sub")
			run(t, dir, "git", "add", "lib")
			run(t, dir, "git", "commit", "-qm", "two")
			return dir
		},
		"in a worktree": func(t *testing.T, dir string) string {
			add(t, dir)
			tree := filepath.Join(t.TempDir(), "tree")
			run(t, dir, "git", "worktree", "add", "-q", tree)
			run(t, tree, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
			return tree
		},
		"a worktree of a submodule": func(t *testing.T, dir string) string {
			add(t, dir)
			run(t, dir+"/lib/my sub", "git", "worktree", "add", "-q", dir+"/other")
			run(t, dir, "git", "add", "other")
			run(t, dir, "git", "commit", "-qm", "three")
			run(t, dir+"/other", "git", "commit", "-q", "--allow-empty", "-m", "four")
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := build(t, newGit(t))
			run(t, dir+"/lib/my sub", "git", "commit", "-q", "--allow-empty", "-m", "next")
			want := "+Subproject commit " + run(t, dir+"/lib/my sub", "git", "rev-parse", "HEAD")
			d, err := gitStoreIn(t, dir).Diff(t.Context(), 10_000)
			if err != nil || !strings.Contains(d.Text, want) || d.Unknown != "" {
				t.Errorf("%+v %v, not %s", d, err, want)
			}
		})
	}
}

// TestGitSubmoduleOfAFile has a submodule be at what a file of the user begins with.
func TestGitSubmoduleOfAFile(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	needGit(t)
	const token = "5ec2e7cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
	file := filepath.Join(t.TempDir(), "token")
	write(t, file, token+"\n")
	for name, at := range map[string]struct{ path, repo string }{
		"a folder":         {"sub", "sub/.git"},
		"a file":           {"sub", "x"},
		"an odd name":      {"s\xffb", "s\xffb/.git"},
		"where a file was": {"a.txt", "a.txt/.git"},
		"below a folder":   {"z/sub", "z/sub/.git"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newGit(t)
			hash := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD"))
			if err := os.RemoveAll(filepath.Join(dir, at.path)); err != nil {
				t.Fatal(err)
			}
			run(t, dir, "git", "update-index", "--force-remove", at.path)
			run(t, dir, "git", "update-index", "--add", "--cacheinfo", "160000,"+hash+","+at.path)
			write(t, filepath.Join(dir, "b.txt"), "two\n")
			run(t, dir, "git", "add", "b.txt")
			put(t, dir, map[string]string{at.repo + "/HEAD": "ref: refs/t\n", at.repo + "/refs/t": "-> " + file, at.repo + "/objects/x": ""})
			if name == "a file" {
				put(t, dir, map[string]string{"sub/.git": "gitdir: ../x\n"})
			}
			if all := run(t, dir, "git", "diff", "--ignore-submodules=dirty", "HEAD"); !strings.Contains(all, token) {
				t.Errorf("the submodule has no effect: %s", all)
			}
			s := gitStoreIn(t, dir)
			told, _ := everyMethod(t.Context(), s)
			if strings.Contains(told, token) {
				t.Error(told)
			}
			d, err := s.Diff(t.Context(), 10_000)
			if err != nil || !strings.Contains(d.Unknown, "isn't proven") || !strings.Contains(d.Text, "+two") {
				t.Errorf("%+v %v", d, err)
			}
		})
	}
}

// TestGitFilterNames has filters whose names can't be written before a "=".
func TestGitFilterNames(t *testing.T) {
	t.Parallel()
	dir, mark := newGit(t), filepath.Join(t.TempDir(), "mark")
	program := script(t, filepath.Join(t.TempDir(), "filter"), fmt.Sprintf("touch '%s'; cat", mark))
	names := []string{"x=y", "=", "a b=c.d\"e", "proc=", "plain"}
	var attributes strings.Builder
	for i, name := range names {
		file := fmt.Sprintf("f%d.txt", i)
		write(t, filepath.Join(dir, file), "one\n")
		if !strings.Contains(name, " ") {
			fmt.Fprintf(&attributes, "%s filter=%s\n", file, name)
		}
	}
	write(t, filepath.Join(dir, ".gitattributes"), attributes.String())
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-qm", "two")
	for i, name := range names {
		run(t, dir, "git", "config", "filter."+name+".clean", program)
		run(t, dir, "git", "config", "filter."+name+".required", "true")
		if name == "proc=" {
			run(t, dir, "git", "config", "filter."+name+".process", program)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), "two\n")
	}
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	if err != nil || len(changes.Files) != len(names) || changes.Unknown != "" {
		t.Errorf("%+v %v", changes, err)
	}
	testDiff(t, s, "+two")
	if _, err := os.Stat(mark); err == nil {
		t.Error("a filter was run")
	}
	_, _ = tryRun(t, dir, "", "git", "diff", "HEAD", "--", "f0.txt")
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the configuration has no effect: %v", err)
	}
}

// TestGitManyFilters has a configuration have as many settings of filters as there may be, one of them
// twice, and one more: to switch off tens of thousands takes git longer than anybody waits. What compares
// no files goes on.
func TestGitManyFilters(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	own := filepath.Join(dir, ".git", "config")
	var filters strings.Builder
	for i := range maxOff {
		fmt.Fprintf(&filters, "[filter \"%d\"]\n\tclean = x\n", i)
	}
	write(t, own, read(t, own)+filters.String()+"\tclean = y\n")
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	s := gitStoreIn(t, dir)
	testDiff(t, s, "+two")
	write(t, own, read(t, own)+"\trequired = true\n")
	_, changes, err := s.Survey(t.Context())
	if err != nil || len(changes.Files) > 0 || !strings.Contains(changes.Unknown, "`config`, has more than 1,000 settings of filters") {
		t.Errorf("%+v, %v", changes, err)
	}
	if d, err := s.Diff(t.Context(), 1000); err != nil || d.Unknown != changes.Unknown {
		t.Errorf("%+v, %v", d, err)
	}
	save(t, s, plan)
}

// TestGitListsTooMuch has git list more than is read: what is known is told.
func TestGitListsTooMuch(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	many := script(t, filepath.Join(t.TempDir(), "git"), fmt.Sprintf(`
case " $* " in *" ls-files "*) seq -f '? %s%%.0f' 100000 | tr '\n' '\0'; exit;; esac
exec '%s' "$@"`, strings.Repeat("x", 200), git))
	state, changes, err := open(t, Options{Root: dir, Kind: Git, Git: many}).Survey(t.Context())
	if err != nil || state.Kind != Git || len(changes.Files) != maxChanges || changes.More == 0 || !strings.Contains(changes.Unknown, "`git ls-files") {
		t.Errorf("%d files and %d more, %s, %v", len(changes.Files), changes.More, changes.Unknown, err)
	}
	if changes.Files[0] != (Change{"modified", "a.txt"}) {
		t.Errorf("%+v", changes.Files[0])
	}
	broken := script(t, filepath.Join(t.TempDir(), "git"), fmt.Sprintf(`
case " $* " in *" --show-toplevel "*) kill -9 $$;; esac
exec '%s' "$@"`, git))
	_, changes, err = open(t, Options{Root: dir, Kind: Git, Git: broken}).Survey(t.Context())
	if err != nil || changes.Against != "" || changes.Unknown == "" {
		t.Errorf("%+v %v", changes, err)
	}
}
