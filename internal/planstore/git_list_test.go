//go:build unix

package planstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGitListsThousands has thousands of plans, more than one run of git has room for,
// beside one that is damaged and another that is no commit. How often git runs doesn't
// depend on their number. SECTILE_LONG has 3,000 of them.
func TestGitListsThousands(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := newGit(t)
	plans, chars := 1000, 10_000
	if testkit.Long() {
		plans, chars = 3000, 4000
	}
	var commits strings.Builder
	for i := range plans {
		text := fmt.Sprintf("feat(x): plan %d\n%s", i, strings.Repeat("x", chars))
		fmt.Fprintf(&commits, "commit %sp%d\ncommitter T <t@example.com> 1 +0000\ndata %d\n%s\n\n", plansRef, i, len(text), text)
	}
	runWith(t, dir, commits.String(), "git", "fast-import", "--quiet")
	run(t, dir, "git", "update-ref", plansRef+"blob", "HEAD:a.txt")
	damaged := strings.TrimSpace(runWith(t, dir, "damaged\n", "git", "commit-tree", "HEAD^{tree}"))
	run(t, dir, "git", "update-ref", plansRef+"damaged", damaged)
	object := filepath.Join(dir, ".git", "objects", damaged[:2], damaged[2:])
	if err := os.Chmod(object, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, object, "damaged")

	// Worktrees of whose HEAD git need not be asked, and others that it is asked of up to a limit.
	tip := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD"))
	for i := range 300 + 2*maxHeads {
		text := tip
		if i >= 300 {
			text = "ref: refs/heads/unborn"
		}
		files := map[string]string{"HEAD": text, "commondir": "../..", "gitdir": filepath.Join(dir, "gone", ".git")}
		for name, text := range files {
			write(t, filepath.Join(dir, ".git", "worktrees", fmt.Sprint("w", i), name), text+"\n")
		}
	}

	count := filepath.Join(t.TempDir(), "count")
	s := open(t, Options{Root: dir, Kind: Git, Git: script(t, filepath.Join(t.TempDir(), "git"), "echo >>'"+count+"'\nexec git \"$@\"")})
	list, err := s.List(t.Context())
	if err != nil || len(list) != plans+2 {
		t.Fatalf("%d plans, %v", len(list), err)
	}
	for _, p := range list {
		if fault := map[string]string{"blob": " a blob, and", "damaged": " is missing or damaged"}[p.Name]; fault != "" {
			if p.Fault == nil || !strings.Contains(p.Fault.Message, p.Where+" is at"+fault) || p.Text != "" || p.Open {
				t.Errorf("%+v", p)
			}
			continue
		}
		if p.Text != fmt.Sprintf("feat(x): plan %s\n%s", strings.TrimPrefix(p.Name, "p"), strings.Repeat("x", chars)) {
			t.Fatalf("%s: %.100s", p.Name, p.Text)
		}
	}
	if runs := strings.Count(read(t, count), "\n"); runs > 15+maxHeads {
		t.Errorf("git ran %d times", runs)
	}
}

// TestGitListsALargePlan has plans that are larger than what a program may print: a few are told of
// beside the others.
func TestGitListsALargePlan(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	large := func(n int) {
		commit := strings.TrimSpace(runWith(t, dir, fmt.Sprint(n)+strings.Repeat("x", maxOutput)+"\n", "git", "commit-tree", "HEAD^{tree}"))
		run(t, dir, "git", "update-ref", fmt.Sprintf("%slarge%d", plansRef, n), commit)
	}
	large(0)
	run(t, dir, "git", "update-ref", plansRef+"good", strings.TrimSpace(runWith(t, dir, plan, "git", "commit-tree", "HEAD^{tree}")))
	s := gitStoreIn(t, dir)
	list, err := s.List(t.Context())
	if err != nil || len(list) != 2 || list[0].Text != plan || list[1].Fault == nil || !strings.Contains(list[1].Fault.Message, list[1].Where+" is at a commit or blob of more than 8 MiB") {
		t.Fatalf("%+v, %v", list, err)
	}
	_, err = s.Adopt(t.Context(), "large0", never)
	if e, ok := errors.AsType[*Error](err); !ok || !e.Unwritten {
		t.Errorf("nothing was to be written: %+v", err)
	}
	if _, err := s.Adopt(t.Context(), "good", never); err != nil {
		t.Error(err)
	}
	for n := range maxDamaged {
		large(n + 1)
	}
	if _, err := s.List(t.Context()); typed(t, err, TypeFailed) == nil || !strings.Contains(err.Error(), "many have more than 8 MiB") {
		t.Error(err)
	}
}

// TestGitListsFaults has refs of plans be at what is no plan: each is told of, as its own error is that
// of the current one.
func TestGitListsFaults(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	tree := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD^{tree}"))
	commit := "tree " + tree + "\nauthor T <t@example.com> 1 +0000\ncommitter T <t@example.com> 1 +0000\n\nfeat(x): "
	ids := map[string]string{"tree": tree, "blob": strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD:a.txt"))}
	for name, text := range map[string]string{"nul": "a\x00b\n", "latin": "\xe9\n"} {
		ids[name] = strings.TrimSpace(runWith(t, dir, commit+text, "git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin"))
	}
	run(t, dir, "git", "tag", "-am", "feat(x): tagged", "tagged", "HEAD")
	ids["tag"] = strings.TrimSpace(run(t, dir, "git", "rev-parse", "tagged"))
	words := map[string]string{"nul": "has a NUL", "latin": "is not UTF-8", "tag": "is at a tag", "tree": "is at a tree", "blob": "is at a blob"}
	for name, id := range ids {
		run(t, dir, "git", "update-ref", plansRef+name, id)
	}
	s := gitStoreIn(t, dir)
	list, err := s.List(t.Context())
	if err != nil || len(list) != len(ids) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, p := range list {
		if p.Fault == nil || !strings.Contains(p.Fault.Message, p.Where+" "+words[p.Name]) || p.Fault.Hint == "" {
			t.Errorf("%+v", p)
		}
		if _, err := s.Adopt(t.Context(), p.Name, never); err == nil || !strings.Contains(err.Error(), words[p.Name]) {
			t.Errorf("%s is adopted: %v", p.Name, err)
		}
	}
	for name, id := range ids {
		run(t, dir, "git", "update-ref", plansRef+"main", id)
		_, ofLoad := s.Load(t.Context())
		_, ofList := s.List(t.Context())
		for _, err := range []error{ofLoad, ofList} {
			if err == nil || !strings.Contains(err.Error(), plansRef+"main "+words[name]) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	run(t, dir, "git", "update-ref", "-d", plansRef+"main")
	for _, p := range list {
		if p.Name == "tag" {
			run(t, dir, "sh", "-c", strings.Split(p.Fault.Hint, "`")[1])
		}
	}
	if got, want := run(t, dir, "git", "rev-parse", plansRef+"tag"), run(t, dir, "git", "rev-parse", "HEAD"); got != want {
		t.Errorf("the hint has the tag's plan at %s, want %s", got, want)
	}
}

func FuzzParseBatch(f *testing.F) {
	f.Add("aa commit 3\nabc\nbb missing\ncc blob 1\nx\n")
	f.Add("aa commit 9\nabc\n")
	f.Add("aa commit -1\n\naa commit 0\n\n\n")
	f.Fuzz(func(t *testing.T, out string) {
		found := map[string]object{}
		done := parseBatch(out, found)
		total := 0
		for _, o := range found {
			total += len(o.text)
		}
		if done > strings.Count(out, "\n") || len(found) > done || total > len(out) {
			t.Errorf("%d and %d of %q", done, len(found), out)
		}
	})
}

// TestGitListsBranchesLikeOptions has a branch and a plan whose names are options of git
// and of sectile: the commands that are named take them for names.
func TestGitListsBranchesLikeOptions(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "one")
	planned := strings.TrimSpace(runWith(t, dir, "feat(x): plan\n", "git", "commit-tree", "HEAD^{tree}"))
	for _, ref := range []string{"refs/heads/-fCmain", plansRef + "-fCmain", plansRef + "--root=x"} {
		run(t, dir, "git", "update-ref", ref, planned)
	}
	want := map[string]string{"-fCmain": "git switch -- -fCmain", "--root=x": "sectile plan adopt -- '--root=x'"}
	plans, err := gitStoreIn(t, dir).List(t.Context())
	if err != nil || len(plans) != len(want) {
		t.Fatalf("%+v, %v", plans, err)
	}
	for _, p := range plans {
		if p.Continue != want[p.Name] {
			t.Errorf("%s: %s, want %s", p.Name, p.Continue, want[p.Name])
		}
	}
	before := run(t, dir, "git", "rev-parse", "main")
	run(t, dir, "sh", "-c", want["-fCmain"])
	if now := run(t, dir, "git", "symbolic-ref", "HEAD"); strings.TrimSpace(now) != "refs/heads/-fCmain" || run(t, dir, "git", "rev-parse", "main") != before {
		t.Errorf("it leads to %s", now)
	}
}

// TestGitListsRefsOfOneCommit: the text of a commit at which many refs are is judged once.
func TestGitListsRefsOfOneCommit(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	commit := strings.TrimSpace(runWith(t, dir, plan, "git", "commit-tree", "HEAD^{tree}"))
	var refs strings.Builder
	for i := range 50 {
		fmt.Fprintf(&refs, "create %sp%d %s\n", plansRef, i, commit)
	}
	runWith(t, dir, refs.String(), "git", "update-ref", "--stdin")
	judged := 0
	s := open(t, Options{Root: dir, Kind: Git, IsOpenPlan: func(text string) bool {
		judged++
		return isOpenPlan(text)
	}})
	list, err := s.List(t.Context())
	if err != nil || len(list) != 50 || judged > 2 { // once for what is no plan
		t.Errorf("%d plans, %v, judged %d times", len(list), err, judged)
	}
	for i := range list {
		if !list[i].Open || list[i].Text != plan {
			t.Errorf("%+v", list[i])
		}
	}
}
