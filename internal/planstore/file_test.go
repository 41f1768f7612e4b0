package planstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

func TestFileMakesItsFolder(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	s := open(t, Options{Root: dir, Kind: File, File: "a/b/plan.md"})
	isEmpty := func(when string) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 0 {
			t.Errorf("%s: %v %v", when, entries, err)
		}
	}
	state := load(t, s)
	isEmpty("reading")
	if _, err := Save(t.Context(), s, plan, "0123456789abcdef"); !isType(err, TypeConcurrent) {
		t.Error(err)
	}
	isEmpty("another version")
	if _, err := Save(t.Context(), s, "", state.Version); err != nil {
		t.Error(err)
	}
	isEmpty("nothing to write")
	if _, old, err := s.New(t.Context(), never); err != nil || old != (Old{}) {
		t.Error(old, err)
	}
	isEmpty("new")
	_, changes, err := s.Survey(t.Context())
	diff, errDiff := s.Diff(t.Context(), 100)
	if err != nil || errDiff != nil || changes.Against != "" || !strings.Contains(changes.Unknown, "kept in files here") || diff != (Diff{Unknown: changes.Unknown}) {
		t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
	}
	saved := save(t, s, plan)
	if got := read(t, filepath.Join(dir, "a", "b", "plan.md")); got != plan || saved.Where != "a/b/plan.md" {
		t.Errorf("%q %+v", got, saved)
	}
	write(t, filepath.Join(dir, "a", "b", "plan.md"), "by hand")
	if now := load(t, s); now.Text != "by hand" || now.Version == saved.Version {
		t.Errorf("%+v", now)
	}
}

func TestFileRefuses(t *testing.T) {
	t.Parallel()
	dir, outside := testkit.OnDisk(t), testkit.OnDisk(t)
	for _, path := range []string{"../plan.md", "/plan.md", "a/../../plan.md", ".", "a/"} {
		_, err := Open(t.Context(), Options{Root: dir, Kind: File, File: path})
		wantType(t, err, TypeInvalid)
	}
	links := map[string]string{"out": outside, "loop": "loop", "folder.md": ".", "dangling.md": filepath.Join(outside, "new.md"), "flows": ".github/workflows", "left.md": ".sectile-K67SUNDV3DYSMZA5PJK6OOLWIB.tmp"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	write(t, filepath.Join(dir, "binary.md"), "a\x00b")
	write(t, filepath.Join(dir, "latin.md"), "a\xffb")
	write(t, filepath.Join(dir, "file"), "x")
	for _, path := range []string{"out/plan.md", "out/deep/plan.md", "loop/plan.md", "folder.md", "dangling.md", "flows/plan.md", "flows/plans/plan.md", "left.md", ".git/plan.md", ".jj/x/plan.md", "binary.md", "latin.md", "file/plan.md"} {
		s := open(t, Options{Root: dir, Kind: File, File: path})
		_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
		_, loaded := s.Load(t.Context())
		if _, listed := s.List(t.Context()); detail(listed) != detail(loaded) {
			t.Errorf("%s: listing says %s, want %s", path, detail(listed), detail(loaded))
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Hint == "" && e.Type != TypeNotText || strings.Contains(detail(err), outside) {
			t.Errorf("%s: %s", path, detail(err))
			continue
		}
		t.Logf("%s: %v", path, e)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v %v", entries, err)
	}
	for _, name := range []string{".git", ".jj", ".github"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

func TestFileByLink(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	write(t, filepath.Join(dir, "docs", "plan.md"), plan)
	if err := os.Symlink("docs", filepath.Join(dir, ".sectile")); err != nil {
		t.Skip(err)
	}
	s := open(t, Options{Root: dir, Kind: File})
	save(t, s, load(t, s).Text+"- [ ]: three\n")
	if got := read(t, filepath.Join(dir, "docs", "plan.md")); !strings.HasSuffix(got, "three\n") {
		t.Error(got)
	}
}

func TestFileKept(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	s := open(t, Options{Root: dir, Kind: File})
	for _, text := range []string{"feat: one\n\n- [ ]: a\n", "feat: two\n\n- [x]: b\n"} {
		save(t, s, text)
		if err := os.Chmod(filepath.Join(dir, ".sectile", "plan.md"), 0o600); err != nil { // of its owner alone
			t.Fatal(err)
		}
		if _, _, err := s.New(t.Context(), never); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, ".sectile", "plan.1.md")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	save(t, s, plan)
	want := []Plan{
		{Name: ".sectile/plan.md", Where: ".sectile/plan.md", Text: plan, Current: true, Open: true},
		{Name: ".sectile/plan.1.md", Where: ".sectile/plan.1.md", Text: "feat: one\n\n- [ ]: a\n", Open: true, Continue: "sectile plan adopt .sectile/plan.1.md"},
		{Name: ".sectile/plan.2.md", Where: ".sectile/plan.2.md", Text: "feat: two\n\n- [x]: b\n", Continue: "sectile plan adopt .sectile/plan.2.md"},
	}
	got, err := s.List(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	_, err = s.Adopt(t.Context(), ".sectile/plan.1.md", never)
	wantType(t, err, TypeOccupied)
	_, err = s.Adopt(t.Context(), ".sectile/plan.3.md", never)
	wantType(t, err, TypeNoPlan)
	if now, err := s.Adopt(t.Context(), ".sectile/plan.md", never); err != nil || now != load(t, s) {
		t.Errorf("%+v %v", now, err)
	}
	save(t, s, "feat: three\n")
	now, err := s.Adopt(t.Context(), ".sectile/plan.1.md", never)
	if err != nil || now.Text != want[1].Text || now != load(t, s) {
		t.Errorf("%+v %v", now, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".sectile", "plan.1.md")); err == nil {
		t.Error("the plan that was taken over is still kept")
	}
	for name, text := range map[string]string{"plan.2.md": want[2].Text, "plan.3.md": "feat: three\n"} {
		if got := read(t, filepath.Join(dir, ".sectile", name)); got != text {
			t.Errorf("%s: %q, want %q", name, got, text)
		}
	}
}

// TestFileKeptWithGaps removes kept plans: the others are still there, and no number
// is used below one that is.
func TestFileKeptWithGaps(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	s := open(t, Options{Root: dir, Kind: File})
	keep := func(text, want string) {
		t.Helper()
		save(t, s, text)
		if _, old, err := s.New(t.Context(), never); err != nil || old.Name != want {
			t.Fatalf("%+v %v", old, err)
		}
	}
	for n, text := range []string{"feat: one\n", "feat: two\n", "feat: three\n"} {
		keep(text, fmt.Sprintf(".sectile/plan.%d.md", n+1))
	}
	for _, name := range []string{"plan.1.md", "plan.2.md"} {
		if err := os.Remove(filepath.Join(dir, ".sectile", name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"plan.04.md", "plan.0.md", "plan.-5.md", "plan.6.txt", "plan.7", "plan.x.md", "other.8.md", "plan.9.md/in", "plan.4.md/in", "plan.99999999999.md"} {
		write(t, filepath.Join(dir, ".sectile", name), "feat: none of ours\n")
	}
	names := func() (all []string) {
		t.Helper()
		plans, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plans {
			all = append(all, p.Name)
		}
		return all
	}
	if diff := cmp.Diff([]string{".sectile/plan.3.md"}, names()); diff != "" {
		t.Error(diff)
	}
	keep("feat: four\n", ".sectile/plan.5.md")
	write(t, filepath.Join(dir, ".sectile", "plan.20.md"), "feat: twenty\n")
	keep("feat: five\n", ".sectile/plan.21.md")
	if diff := cmp.Diff([]string{".sectile/plan.3.md", ".sectile/plan.5.md", ".sectile/plan.20.md", ".sectile/plan.21.md"}, names()); diff != "" {
		t.Error(diff)
	}
	if now, err := s.Adopt(t.Context(), ".sectile/plan.3.md", never); err != nil || now.Text != "feat: three\n" {
		t.Errorf("%+v %v", now, err)
	}
}

// TestFileAdoptedOnce takes a kept plan over, which is kept no more, and sees that a copy of
// the plan is no other one.
func TestFileAdoptedOnce(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	s := open(t, Options{Root: dir, Kind: File})
	kept := filepath.Join(dir, ".sectile", "plan.1.md")
	exists := func() bool {
		_, err := os.Lstat(kept)
		return err == nil
	}
	save(t, s, plan)
	if _, _, err := s.New(t.Context(), never); err != nil || !exists() {
		t.Fatal(err)
	}
	if _, err := s.Adopt(t.Context(), ".sectile/plan.1.md", never); err != nil || exists() {
		t.Errorf("it is still kept; %v", err)
	}
	write(t, kept, plan)
	if plans, err := s.List(t.Context()); err != nil || len(plans) != 1 || !plans[0].Current {
		t.Errorf("%+v %v", plans, err)
	}
	save(t, s, plan+"- [ ]: three\n")
	if plans, err := s.List(t.Context()); err != nil || len(plans) != 2 {
		t.Errorf("a text that is nowhere else is not told of: %+v %v", plans, err)
	}
}

// TestFileAdoptProtected: a kept plan that is write-protected stays one, and is named.
func TestFileAdoptProtected(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	s := open(t, Options{Root: dir, Kind: File})
	kept := filepath.Join(dir, ".sectile", "plan.1.md")
	write(t, kept, plan)
	if err := os.Chmod(kept, 0o400); err != nil {
		t.Fatal(err)
	}
	_, err := s.Adopt(t.Context(), ".sectile/plan.1.md", never)
	if e := typed(t, err, TypeFailed); !strings.Contains(e.Message, "plan.1.md, can't be written") {
		t.Error(e.Message)
	}
	if text := read(t, kept); text != plan || load(t, s).Text != "" {
		t.Errorf("%q, and the plan %q", text, load(t, s).Text)
	}
}

// TestFileKeptBehindTheLastNumber has somebody take the last number that a kept plan has: the
// next one is listed all the same.
func TestFileKeptBehindTheLastNumber(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	for _, n := range []string{"1", "999999999"} {
		write(t, filepath.Join(dir, ".sectile", "plan."+n+".md"), "feat(x): planted\n")
	}
	s := open(t, Options{Root: dir, Kind: File})
	save(t, s, "feat(x): mine\n")
	_, old, err := s.New(t.Context(), never)
	if err != nil || old.Name != ".sectile/plan.2.md" {
		t.Errorf("%+v, %v", old, err)
	}
	if plans, err := s.List(t.Context()); err != nil || !slices.ContainsFunc(plans, func(p Plan) bool { return p.Name == old.Name }) {
		t.Errorf("%+v, %v", plans, err)
	}
}

// TestFileMakesNoProtectedFolder has a link lead the folder of the plan to where nothing
// is written.
func TestFileMakesNoProtectedFolder(t *testing.T) {
	root := testkit.OnDisk(t)
	if err := errors.Join(os.Mkdir(filepath.Join(root, ".claude"), 0o755), os.Symlink(".claude", filepath.Join(root, ".sectile"))); err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Root: root, Kind: File, File: ".sectile/workflows/x.md"})
	_, err := s.Update(t.Context(), func(State) (string, error) { return "feat: x\n", nil })
	wantType(t, err, TypeInvalid)
	if _, err := os.Stat(filepath.Join(root, ".claude", "workflows")); err == nil {
		t.Error("a folder was made")
	}
}

// TestFileMakesNoFolderOutOfItsOwn has a project's plan, which is no Markdown, lie behind a
// link that leads out of the folder for such plans: no empty folder is left there.
func TestFileMakesNoFolderOutOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	write(t, filepath.Join(dir, "docs", "a.md"), "")
	if err := os.Symlink("docs", filepath.Join(dir, ".sectile")); err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Root: dir, Kind: File, File: ".sectile/workflows/x.yml", ByProject: true})
	_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
	wantType(t, err, TypeInvalid)
	if _, err := os.Lstat(filepath.Join(dir, "docs", "workflows")); err == nil {
		t.Error("a folder was made")
	}
	save(t, open(t, Options{Root: dir, Kind: File, File: ".sectile/workflows/x.md", ByProject: true}), plan)
	dir = testkit.OnDisk(t)
	save(t, open(t, Options{Root: dir, Kind: File, File: ".sectile/workflows/x.yml", ByProject: true}), plan)
}

// TestFileInFoldersOfAgents has a project that is the folder .github itself, and the file of
// its plan in what coding agents obey there: in a folder that is there and in one that isn't.
func TestFileInFoldersOfAgents(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(testkit.OnDisk(t), ".github")
	write(t, filepath.Join(dir, "prompts", "a.md"), "")
	for _, file := range []string{"prompts/p.md", "prompts/a.md", "agents/p.md", "workflows/p.md"} {
		s := open(t, Options{Root: dir, Kind: File, File: file, ByProject: true})
		_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
		wantType(t, err, TypeInvalid)
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))); err == nil && len(text) > 0 {
			t.Errorf("%s is written: %q", file, text)
		}
	}
	for _, folder := range []string{"agents", "workflows"} {
		if _, err := os.Lstat(filepath.Join(dir, folder)); err == nil {
			t.Errorf("%s is made", folder)
		}
	}
	save(t, open(t, Options{Root: dir, Kind: File, File: "notes/p.md", ByProject: true}), plan)
}

// TestFileIsNotUnwritten has the file of a plan be one that is never written: by its own
// name, also in a folder that has yet to be made, and by a link.
func TestFileIsNotUnwritten(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	own := filepath.Join(dir, "sectile", "config.yaml")
	o := Options{Root: dir, Kind: File, File: "sectile/config.yaml", Unwritten: []string{own}}
	refused := func() {
		t.Helper()
		_, err := open(t, o).Update(t.Context(), func(State) (string, error) { return plan, nil })
		wantType(t, err, TypeInvalid)
		if text, err := os.ReadFile(own); err == nil && string(text) != "{}\n" {
			t.Errorf("it is written: %q", text)
		}
	}
	refused()
	write(t, own, "{}\n")
	refused()
	if err := os.Symlink(filepath.Join("sectile", "config.yaml"), filepath.Join(dir, "plan.md")); err != nil {
		t.Skip(err) // Windows lets few users make links
	}
	o.File = "plan.md"
	refused()
}

// TestFileTooLarge: the way out is one for a plan, whose limit nobody can raise.
func TestFileTooLarge(t *testing.T) {
	t.Parallel()
	dir := testkit.OnDisk(t)
	write(t, filepath.Join(dir, "plan.md"), "")
	if err := os.Truncate(filepath.Join(dir, "plan.md"), 9<<20); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, Options{Root: dir, Kind: File, File: "plan.md"}).Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "larger than the limit of 8 MiB; make it shorter, or set `plan.file` to another file of the project") {
		t.Error(err)
	}
}

// TestFileListsSoMuch has a project bring along more kept plans than anybody has: links to
// one are no plans, and beyond so many, or so many bytes, none is told of.
func TestFileListsSoMuch(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := testkit.OnDisk(t)
	kept := func(n int) string { return filepath.Join(dir, ".sectile", fmt.Sprintf("plan.%d.md", n)) }
	write(t, kept(1), plan+strings.Repeat("x", maxOutput-1000))
	for n := 2; n < 50; n++ {
		if err := os.Symlink("plan.1.md", kept(n)); err != nil {
			t.Skip(err)
		}
	}
	s := open(t, Options{Root: dir, Kind: File})
	if plans, err := s.List(t.Context()); err != nil || len(plans) != 1 || plans[0].Name != ".sectile/plan.1.md" {
		t.Errorf("%d plans, %v", len(plans), err)
	}
	save(t, s, "feat: another\n")
	_, old, err := s.New(t.Context(), never)
	if err != nil || old.Name != ".sectile/plan.50.md" { // the names of links are taken
		t.Errorf("%+v, %v", old, err)
	}
	for n := 51; n < 60; n++ {
		if err := os.Link(kept(1), kept(n)); err != nil {
			t.Skip(err)
		}
	}
	_, err = s.List(t.Context())
	wantType(t, err, TypeFailed)
	_, err = s.Adopt(t.Context(), ".sectile/plan.1.md", never)
	wantType(t, err, TypeFailed)
	save(t, s, plan)

	dir = testkit.OnDisk(t)
	var paths []string
	for n := range maxKept + 1 {
		paths = append(paths, kept(n+1))
	}
	testkit.Crowd(t, "", paths)
	_, err = open(t, Options{Root: dir, Kind: File}).List(t.Context())
	wantType(t, err, TypeFailed)
}

// TestFileKeptByNoName has the file of a plan have a name to which no number can be added: a new
// plan is refused, and the old one stays the plan.
func TestFileKeptByNoName(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Root: testkit.OnDisk(t), Kind: File, File: "docs/" + strings.Repeat("n", 252) + ".md"})
	save(t, s, plan)
	_, _, err := s.New(t.Context(), func(State) error { return nil })
	wantType(t, err, TypeFailed)
	if now := load(t, s); now.Text != plan {
		t.Errorf("the plan is %q", now.Text)
	}
}

// TestFileMakesNoProject has the root of a plan be a folder in which nothing is written, and that
// nobody has made a project.
func TestFileMakesNoProject(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".claude", ".ssh"} {
		root := filepath.Join(testkit.OnDisk(t), name)
		write(t, filepath.Join(root, "a.md"), "")
		s := open(t, Options{Root: root, Kind: File})
		_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
		wantType(t, err, TypeInvalid)
		if _, err := os.Lstat(filepath.Join(root, ".sectile")); err == nil {
			t.Errorf("a folder is made in %s", name)
		}
	}
}

// TestNoPlanOfTheStore: a store knows its own plans alone, and doesn't say that the project has no others.
func TestNoPlanOfTheStore(t *testing.T) {
	for want, plans := range map[string][]Plan{
		"this store has no others; those of another are shown by `sectile plan list --store NAME`": {{Name: "now", Current: true}},
		"there are a, b": {{Name: "a"}, {Name: "x"}, {Name: "b"}}, // x is gone since
	} {
		if got := noPlan("x", plans).Hint; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
