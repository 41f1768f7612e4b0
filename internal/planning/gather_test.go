package planning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// newPlansInGit returns the plans of a repository with one commit, which has a file.
func newPlansInGit(t *testing.T) (p *Plans, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "there is no git")
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	return NewPlans(PlanOptions{Start: dir, UserFile: "-"}), dir
}

// TestAdoptOfTheSameText takes a plan over that says what the current one does: its ref goes, and the
// reply says that something has changed.
func TestAdoptOfTheSameText(t *testing.T) {
	p, dir := newPlansInGit(t)
	ok := must(t)
	ok(p.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "a", Title: "b"}))
	ok(p.SetDetail(t.Context(), PlanDetail{Description: "Why."}))
	ok(p.SetPlan(t.Context(), PlanTasks{Tasks: "- [x] a"}))
	ok(p.Finish(t.Context(), PlanFinish{}))
	refs := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	refs("update-ref", "refs/sectile/plans/gone", refs("for-each-ref", "--format=%(refname)", "refs/sectile/"))
	if r := ok(p.Adopt(t.Context(), "gone")); !r.Changed || r.Did != "the plan gone is the current one" {
		t.Errorf("%v, %s", r.Changed, r.Did)
	}
	if now := refs("for-each-ref", "refs/sectile/"); strings.Contains(now, "gone") || strings.Contains(now, "\n") {
		t.Errorf("%s", now)
	}
}

// TestAdoptOverForeign takes a plan over where a text is that is none, though it has open tasks: the error
// says so, and not that it is a plan to be finished.
func TestAdoptOverForeign(t *testing.T) {
	p, dir := newPlansInGit(t)
	for _, args := range [][]string{
		{"branch", "-M", "main"},
		{"commit", "--allow-empty", "-qm", "fix(a): b"},
		{"update-ref", "refs/sectile/plans/gone", "HEAD"},
		{"commit", "--allow-empty", "-qm", "note: read this\n\nWhy.\n\n- [ ] one"},
		{"update-ref", "refs/sectile/plans/main", "HEAD"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	if _, err := p.Adopt(t.Context(), "gone"); err == nil || !strings.Contains(err.Error(), `is no plan, for its type "note" is none of`) {
		t.Error(err)
	}
	must(t)(p.New(t.Context(), PlanNew{Force: true}))
	must(t)(p.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "c", Title: "d"}))
	if _, err := p.Adopt(t.Context(), "gone"); err == nil || !strings.Contains(err.Error(), "there is an unfinished plan") {
		t.Error(err)
	}
}

// TestGatherWithoutFiles shows the plan though git can't tell which files were changed.
func TestGatherWithoutFiles(t *testing.T) {
	p, dir := newPlansInGit(t)
	ctx := t.Context()
	must(t)(p.SetGoal(ctx, PlanGoal{Type: "fix", Scope: "a", Title: "b"}))
	if err := os.WriteFile(filepath.Join(dir, ".git", "index"), []byte("no index"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := must(t)(p.Gather(ctx, PlanGather{IncludeDiff: true}))
	shown := string(r.Text(0))
	for _, want := range []string{"\nfix(a): b\n", "stage: 1 of 6", "\nchanged files: unknown: ", "\ndifference: unknown: "} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if text := string(r.JSON()); !strings.Contains(text, `"files":[],"unknown":"`) || !strings.Contains(text, `"diff":{"text":"","unknown":"`) {
		t.Errorf("%s", text)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := p.Gather(ctx, PlanGather{}); err == nil { // the plan itself can't be told
		t.Errorf("%s", r.Text(0))
	}
}

// TestGatherInFile has plans be kept in files: whether there is a repository is not asked, nor told.
func TestGatherInFile(t *testing.T) {
	p, _ := newPlans(t, "", PlanOptions{})
	shown := string(must(t)(p.Gather(t.Context(), PlanGather{IncludeDiff: true})).Text(0))
	for _, of := range []string{"changed files", "difference"} {
		if want := "\n" + of + ": unknown: plans are kept in files here, and then no changed files are looked for\n"; !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
}

// unsurveyed is a store that can tell nothing of files.
type unsurveyed struct{ planstore.Store }

func (unsurveyed) Survey(context.Context) (s planstore.State, c planstore.Changes, err error) {
	return s, c, &planstore.Error{Type: planstore.TypeExit, Message: "`x status` failed", Critical: true}
}

// TestGatherWithoutSurvey shows the plan whatever fails besides it.
func TestGatherWithoutSurvey(t *testing.T) {
	p, file := newPlans(t, "", PlanOptions{})
	store(t, file, planText)
	must(t)(p.Show(t.Context()))
	p.opened.store = unsurveyed{p.opened.store}
	shown := string(must(t)(p.Gather(t.Context(), PlanGather{IncludeDiff: true})).Text(0))
	for _, want := range []string{"\n1 [ ] read\n", "\nchanged files: unknown: `x status` failed\n", "\ndifference: unknown: `x status` failed\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	store(t, file, "\x00")
	if r, err := p.Gather(t.Context(), PlanGather{}); err == nil { // what fails is the plan
		t.Errorf("%s", r.Text(0))
	}
}

// TestGatherWithoutDiff shows the plan and the files though the difference is not to
// be had: the content that it is made with is gone.
func TestGatherWithoutDiff(t *testing.T) {
	p, dir := newPlansInGit(t)
	if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const blob = "5626abf0f72e58d7a153368ba57db4c673c0e171" // "one\n"
	if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	shown := string(must(t)(p.Gather(t.Context(), PlanGather{IncludeDiff: true})).Text(0))
	if !strings.Contains(shown, "\n- modified file.txt\nwhether there are others is unknown: ") || !strings.Contains(shown, "stage: 0 of 6") || !strings.Contains(shown, "\ndifference: unknown: ") {
		t.Errorf("%s", shown)
	}
}

// TestGatherDiff has whole lines of the difference, says what is left out of it, and
// warns of what can't be seen in it.
func TestGatherDiff(t *testing.T) {
	p, dir := newPlansInGit(t)
	if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte("hid\u200bden\n"+strings.Repeat("a line of text\n", 3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{
		0:            "; raise max_diff_bytes (at most 30000), or read the files]\n",
		700:          "; raise max_diff_bytes (at most 30000), or read the files]\n",
		MaxDiffBytes: "; read the files]\n",
	} {
		r := must(t)(p.Gather(t.Context(), PlanGather{IncludeDiff: true, MaxDiffBytes: limit}))
		shown := string(r.Text(10_000))
		lines := strings.Count(r.Diff.Text, "\n")
		left := fmt.Sprintf("+a line of text\n[left out: from line %d of the difference on, within a/file.txt b/file.txt%s", lines+1, want)
		if !strings.HasSuffix(shown, left) || !strings.Contains(shown, "note: the text has 1 invisible or direction-changing character (U+200B at line 7 of the difference)\n") {
			t.Errorf("%d: %s\n%s", limit, shown[:min(len(shown), 800)], shown[max(0, len(shown)-300):])
		}
		if n := replies.Chars([]byte(shown)); n > 10_000+max(limit, DefaultDiffBytes) {
			t.Errorf("%d: %d characters", limit, n)
		}
	}
}

// TestPlanTextFits keeps each reply within its limit, whatever is in it, with as much
// more as the difference was asked for.
func TestPlanTextFits(t *testing.T) {
	p, file := newPlans(t, "  presets: {COMMIT_MESSAGE: {max_depth: 60, max_input: 1000000}}\n", PlanOptions{})
	random := rand.New(rand.NewPCG(7, 11))
	size := func(most int) int { return int(float64(most) * random.Float64() * random.Float64()) }
	words := func(n int) string { return strings.Repeat("wörd ", n/5) + "x" }
	rounds := testkit.Some(30, 15)
	if testkit.Long() {
		rounds = 300
	}
	for round := range rounds {
		var text strings.Builder
		text.WriteString("feat(" + strings.Repeat("s", 1+size(300)) + "): y\n\n")
		for range size(100) {
			text.WriteString("Text " + words(size(2000)) + "\n")
		}
		text.WriteString("\n")
		for range size(80) {
			text.WriteString([]string{"- Never: ", "- Perhaps: "}[random.IntN(2)] + words(size(500)) + "\n")
		}
		text.WriteString("\n")
		depth := 0
		for range size(300) {
			mark := []string{"x", " "}[random.IntN(2)]
			fmt.Fprintf(&text, "%s- [%s]: %s\n", strings.Repeat("  ", depth), mark, words(size(400)))
			depth = min(random.IntN(depth+2), 60)
		}
		if random.IntN(2) == 0 {
			text.WriteString("\n" + words(4+size(3000)) + "\n")
		}
		store(t, file, text.String())
		r := must(t)(p.Show(t.Context()))
		r.Gathered = true
		r.Changes = PlanChanges{Against: words(size(40)), More: size(10)}
		if random.IntN(3) == 0 {
			r.Changes.Unknown = words(size(2000))
		}
		for i := range size(1200) {
			r.Changes.Files = append(r.Changes.Files, PlanChange{"untracked", fmt.Sprint(i, strings.Repeat("p", size(300)))})
		}
		for range size(30) {
			r.Notes = append(r.Notes, replies.Text(words(size(900))))
		}
		for range random.IntN(maxOtherPlans + 1) {
			r.Others = append(r.Others, PlanListed{Where: words(size(300)), Title: words(size(400)), Continue: words(size(400))})
		}
		asked := 0
		if random.IntN(2) == 0 {
			asked = 1 + size(2*MaxDiffBytes)%MaxDiffBytes
			r.Diff.Text = strings.Repeat("diff --git a/"+words(size(300))+"\n+ line\n", 1+size(200))
			r.Diff.Text = strings.ToValidUTF8(r.Diff.Text[:min(asked, len(r.Diff.Text))], "")
			if random.IntN(3) > 0 {
				r.Diff.cut(asked)
			}
			if random.IntN(3) == 0 {
				r.Diff.Unknown = words(size(maxWhy - 10))
			}
		}
		for _, limit := range []int{4000, 5000, 9_900, 10_000, 40_000} {
			shown := r.Text(limit)
			if n := replies.Chars(shown); n > limit+asked {
				t.Fatalf("round %d: %d characters in %d and %d for the difference:\n%s", round, n, limit, asked, shown)
			}
			if diff := r.diff().render(""); !strings.HasSuffix(string(shown), string(diff)) || shown[len(shown)-1] != '\n' {
				t.Fatalf("round %d: the difference is not all there", round)
			}
			shown = r.Marked(limit, replies.NewMarks(nil))
			if n := replies.Chars(shown); n > limit+asked || !strings.Contains(string(shown), r.Diff.Text) {
				t.Fatalf("round %d: with a mark %d characters in %d and %d for the difference:\n%s", round, n, limit, asked, shown)
			}
		}
	}
}

// TestFilesWithoutRoom shows the first changed file and counts the others where the head
// has taken all room.
func TestFilesWithoutRoom(t *testing.T) {
	r := PlanReply{Gathered: true, Changes: PlanChanges{Against: "main", More: 2}}
	for _, path := range []string{"a.md", "b.md", "c.md"} {
		r.Changes.Files = append(r.Changes.Files, PlanChange{Status: "M", Path: path})
	}
	const want = "changed files, against main:\n- M a.md\nand 4 more\n"
	for _, room := range []int{-5, 0, 10, 50} {
		if got := string(r.files(room)); got != want {
			t.Errorf("in %d characters: %q, want %q", room, got, want)
		}
	}
	if got := string(r.files(1000)); !strings.HasSuffix(got, "- M c.md\nand 2 more\n") {
		t.Errorf("with room for all: %q", got)
	}
}
