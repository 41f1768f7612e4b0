package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/walking"
)

// sorted lists what Find yields, errors as "path: code", in the order of texts.
func sorted(o WalkOptions, args ...string) []string { return inOrder(Find(args, o)) }

// inOrder lists what is found, errors as "path: code", in the order of texts.
func inOrder(found iter.Seq2[string, error]) []string {
	list := []string{}
	for path, err := range found {
		if err != nil {
			path += ": " + string(codeOf(err))
		}
		list = append(list, filepath.ToSlash(path))
	}
	slices.Sort(list)
	return list
}

func TestFindLeavesOut(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{
		".gitignore": "node_modules/\n/build\n*.tmp.md\n!kept.tmp.md\n", ".ignore": "drafts/\n!other.tmp.md\n!.shown/\n",
		".git/info/exclude": "excluded.md\n", ".git/a.md": "", "a.md": "", "x.tmp.md": "", "kept.tmp.md": "", "other.tmp.md": "", "excluded.md": "",
		"node_modules/b/c.md": "", "build/a.md": "", "docs/build/a.md": "", "docs/drafts/a.md": "", "docs/a.md": "", "docs/node_modules/a.md": "",
		"docs/.gitignore": "/a.md\n!x.tmp.md\n", "docs/x.tmp.md": "", ".github/a.md": "", ".shown/a.md": "",
		"sub/.git": "gitdir: elsewhere\n", "sub/build.tmp.md": "", "sub/drafts/a.md": "", "sub/excluded.md": "",
	}))
	for _, tt := range []struct {
		options WalkOptions
		args    []string
		want    []string
	}{
		{WalkOptions{}, []string{"."}, []string{
			".shown/a.md", "a.md", "docs/build/a.md", "docs/x.tmp.md", "kept.tmp.md", "other.tmp.md", "sub/build.tmp.md", "sub/excluded.md",
		}},
		{WalkOptions{}, []string{"docs"}, []string{"docs/build/a.md", "docs/x.tmp.md"}},
		{WalkOptions{}, []string{"docs/*/*.md"}, []string{"docs/build/a.md"}},
		{WalkOptions{}, []string{"node_modules"}, []string{"node_modules/b/c.md"}}, // it is named
		{WalkOptions{}, []string{"x.tmp.md", "build/a.md", "docs/a.md"}, []string{"build/a.md", "docs/a.md", "x.tmp.md"}},
		{WalkOptions{Hidden: true}, []string{"."}, []string{
			".github/a.md", ".shown/a.md", "a.md", "docs/build/a.md", "docs/x.tmp.md", "kept.tmp.md", "other.tmp.md", "sub/build.tmp.md", "sub/excluded.md",
		}},
		{WalkOptions{NoIgnore: true}, []string{"docs"}, []string{
			"docs/a.md", "docs/build/a.md", "docs/drafts/a.md", "docs/node_modules/a.md", "docs/x.tmp.md",
		}},
		{WalkOptions{}, []string{"docs/[a].md"}, []string{"docs/[a].md: no_matches"}},
	} {
		if diff := cmp.Diff(tt.want, sorted(tt.options, tt.args...)); diff != "" {
			t.Errorf("%+v %q (-want +got):\n%s", tt.options, tt.args, diff)
		}
	}
	for _, err := range Find([]string{"docs/[a].md"}, WalkOptions{}) {
		if !strings.Contains(fmt.Sprint(err), "before the name: 1") || !strings.Contains(fmt.Sprint(err), "--no-ignore") {
			t.Errorf("what is left out isn't told: %v", err)
		}
	}
	want := []string{"docs/build/a.md", "docs/x.tmp.md"}
	r := openRoots(t, RootOptions{}, ".")
	got := slices.DeleteFunc(foundBy(t.Context(), r), func(p string) bool { return !strings.HasPrefix(p, "docs") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("below a root (-want +got):\n%s", diff)
	}
}

// TestIgnoreFilesOpen: of hidden folders, ignore files open none but those whose dot a pattern
// with "!" writes out.
func TestIgnoreFilesOpen(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{".trash/a.md": "", ".trash/.deep/a.md": "", "b/.trash/a.md": "", "b/a.md": ""}))
	for text, want := range map[string][]string{
		"*\n!*/\n!*.md": {"b/a.md"}, "*\n!**\n": {"b/a.md"}, "!?trash\n": {"b/a.md"}, "!b/**\n": {"b/a.md"}, "!/.trash/**\n": {"b/a.md"},
		"!.trash": {".trash/a.md", "b/.trash/a.md", "b/a.md"}, "!/\\.trash/": {".trash/a.md", "b/a.md"}, "!b/.t*\n": {"b/.trash/a.md", "b/a.md"},
		"!.*": {".trash/.deep/a.md", ".trash/a.md", "b/.trash/a.md", "b/a.md"}, ".trash\n!*": {"b/a.md"},
		"*\n!/.trash/\n!*/\n!*.md": {".trash/a.md", "b/a.md"}, "!.trash\n*\n!*": {"b/a.md"}, "!.t*\n?trash\n!*": {"b/a.md"}, "!/.t*\n!*": {".trash/a.md", "b/a.md"},
	} {
		write(t, walking.GitIgnore, text)
		if diff := cmp.Diff(want, sorted(WalkOptions{}, ".")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	// One that counts more says nothing of the dot, or leaves the folder out.
	write(t, walking.GitIgnore, "!.trash/\n")
	for inner, want := range map[string][]string{
		"!*": {".trash/a.md", "b/.trash/a.md", "b/a.md"}, ".trash": {".trash/a.md", "b/a.md"}, "!*\n.trash\n!?trash": {".trash/a.md", "b/.trash/a.md", "b/a.md"},
	} {
		write(t, "b/"+walking.GitIgnore, inner)
		if diff := cmp.Diff(want, sorted(WalkOptions{}, ".")); diff != "" {
			t.Errorf("b: %q (-want +got):\n%s", inner, diff)
		}
	}
}

// TestIgnoreFilesOfOthers: an ignore file that is a link, a pipe, too large or can't be read
// leaves nothing out; what is no link is told of.
func TestIgnoreFilesOfOthers(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"all": "*\n", "a.md": "", "large/a.md": "", "large/.gitignore": strings.Repeat("*\n#", walking.MaxFile), "large/.git/x": "",
		"many/.ignore": strings.Repeat("*?", walking.MaxWild/2) + "\n*\n", "many/a.md": "", "link/a.md": "", "info/a.md": "", "info/.git/x": "",
		"sum/.gitignore": strings.Repeat("*b?\n", walking.MaxWild/4), "sum/sub/.gitignore": "*c?\n*d?\n*\n", "sum/sub/a.md": "",
	})
	t.Chdir(dir)
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"link/.gitignore": "../all", "info/.git/info": "../../exclude"} {
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
		}
		write(t, "exclude/exclude", "*\n")
	}
	want := []string{
		"a.md", "info/a.md", "large/.gitignore: file_too_large", "large/a.md", "link/a.md", "many/.ignore: file_too_large", "many/a.md",
		"sum/sub/.gitignore: file_too_large", "sum/sub/a.md",
	}
	if diff := cmp.Diff(want, sorted(WalkOptions{}, ".")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestIgnoreFilesTogether: ignore files on the way down to a folder have 1 MiB together. What is
// more is told of, each file, leaves nothing out and takes no memory. Those beside the way don't count.
func TestIgnoreFilesTogether(t *testing.T) {
	var rules strings.Builder
	for rules.Len() < walking.MaxFile-8 {
		fmt.Fprintf(&rules, "%07x\n", rules.Len())
	}
	full := rules.String() + "out.md \n"
	tree := map[string]string{
		"way/.gitignore": full, "way/.ignore": full, "way/d/.gitignore": full, "way/d/.ignore": full, "way/d/out.md": "", "way/d/a.md": "",
		"side/.gitignore": full, "side/.ignore": "a.md\n", "side/out.md": "", "side/a.md": "", "side/b.md": "",
	}
	want := []string{"side/b.md", "way/d/a.md"}
	folder := "way/d"
	for range 40 {
		folder += "/d"
		for _, name := range []string{walking.GitIgnore, walking.AnyIgnore} {
			tree[folder+"/"+name] = strings.ReplaceAll(full, "out", "all")
			want = append(want, folder+"/"+name+": file_too_large")
		}
	}
	tree[folder+"/all.md"], tree[folder+"/leaf.md"], tree[folder+"/out.md"] = "", "", ""
	want = append(want, folder+"/all.md", folder+"/leaf.md")
	t.Chdir(testkit.Folder(t, tree))
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc >> 20)
	}
	got, before := []string{}, heap()
	for path, err := range Find([]string{"."}, WalkOptions{}) {
		if filepath.Base(path) == "leaf.md" {
			if more := heap() - before; more > 32 {
				t.Errorf("the ignore files take %d MiB", more)
			}
		}
		if err != nil {
			path += ": " + string(codeOf(err))
		}
		got = append(got, filepath.ToSlash(path))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFindReaches: a pattern goes into no folder in which it can't match, tells nothing of what is there
// and doesn't count that as left out.
func TestFindReaches(t *testing.T) {
	t.Chdir(testkit.Folder(t, map[string]string{
		"a.md": "", "sub/b.md": "", "sub/.gitignore": strings.Repeat("#", walking.MaxFile+1),
		"left/.ignore": "deep/\n", "left/deep/c.md": "", "left/deep/d/e.md": "",
	}))
	const notObeyed = "sub/.gitignore: file_too_large"
	for arg, want := range map[string][]string{
		"*.md": {"a.md"}, "**.md": {"a.md"}, "{*,b}.md": {"a.md"}, "**": {"a.md", notObeyed, "sub/b.md"}, "*/*.md": {notObeyed, "sub/b.md"},
		"sub/*.md": {notObeyed, "sub/b.md"}, "l*/*.md": {"l*/*.md: no_matches"}, "{l*,x}/*/c.md": {"{l*,x}/*/c.md: no_matches"},
	} {
		if diff := cmp.Diff(want, sorted(WalkOptions{}, arg)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arg, diff)
		}
	}
	for arg, want := range map[string]bool{"left/*.md": false, "left/**.md": false, "left/**": true, "left/*/c.md": true, "left/*/d/*.md": true, "left/d/*": false} {
		for _, err := range Find([]string{arg}, WalkOptions{}) {
			if e, ok := errors.AsType[*fileerror.Error](err); !ok || strings.Contains(e.Reason, "left out by ignore files") != want {
				t.Errorf("%s: %v, left out: %v", arg, err, want)
			}
		}
	}
}

// TestTopOfIgnoreFiles: what stands above the project doesn't count, and neither does what
// stands above the working directory where there is no project.
func TestTopOfIgnoreFiles(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		".ignore": "*\n", "plain/.ignore": "b.md\n", "plain/sub/a.md": "", "plain/sub/b.md": "",
		"project/.sectile.yaml": "", "project/.gitignore": "/sub/b.md\n", "project/sub/a.md": "", "project/sub/b.md": "",
	})
	t.Chdir(filepath.Join(dir, "plain"))
	for arg, want := range map[string][]string{
		"sub": {"sub/a.md"}, "../project/sub": {"../project/sub/a.md"}, filepath.Join(dir, "project", "sub"): {filepath.ToSlash(dir) + "/project/sub/a.md"},
	} {
		if diff := cmp.Diff(want, sorted(WalkOptions{}, arg)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arg, diff)
		}
	}
	t.Chdir(filepath.Join(dir, "plain", "sub"))
	if diff := cmp.Diff([]string{"a.md", "b.md"}, sorted(WalkOptions{}, ".")); diff != "" {
		t.Errorf("in a folder without a project (-want +got):\n%s", diff)
	}
}

// TestFindIsThatOfRipgrep: in random trees with random ignore files, what is found is what
// rg --files lists, and what git ls-files does where there is no .ignore. Hidden folders are kept
// by names alone there: rg opens them for wildcards too.
func TestFindIsThatOfRipgrep(t *testing.T) {
	for _, name := range []string{"rg", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Missing(t, name+" is not installed")
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	trees := 12
	if testkit.Long() {
		trees = 200
	}
	for range trees {
		dir := t.TempDir()
		if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Chdir(dir)
		withIgnore, hidden := r.IntN(2) == 0, r.IntN(2) == 0
		for range 60 {
			path := pick("a", "b", ".c") + "/" + pick("a", "b", ".c") + "/" + pick("a.md", "b.md", "c.md", "a/b.md", "b/a.md")
			write(t, path, "")
		}
		for range 5 {
			var text strings.Builder
			for range 1 + r.IntN(4) {
				pattern := pick("", "/", "**/") + pick("a", "b", "*", ".c", "*.md", "a.md", "[ab]") + pick("", "/", "/*", "/**", "/b.md")
				if hidden || !strings.HasSuffix(strings.TrimSuffix(pattern, "/"), "*") {
					pattern = pick("", "", "!") + pattern
				}
				text.WriteString(pattern + "\n")
			}
			names := []string{walking.GitIgnore}
			if withIgnore {
				names = append(names, walking.AnyIgnore)
			}
			write(t, filepath.Join(pick("", "a", "b", "a/b", "b/a"), pick(names...)), text.String())
		}
		o := WalkOptions{Hidden: hidden}
		args := []string{"--files", "--no-ignore-global", "--no-ignore-parent", "-g", "!**/.gitignore", "-g", "!**/.ignore", "-g", "!.git"}
		if o.Hidden {
			args = append(args, "--hidden")
		}
		want := lines(t, exec.Command("rg", args...))
		got := sorted(o, ".")
		if !slices.Equal(got, []string{".: no_matches"}) || len(want) > 0 {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v (-rg +ours):\n%s%s", o, diff, ignoreFiles(t))
			}
		}
		if !withIgnore && o.Hidden {
			cmd := exec.Command("git", "-c", "core.excludesFile=/dev/null", "ls-files", "--others", "--exclude-standard", "*.md")
			if diff := cmp.Diff(lines(t, cmd), got); diff != "" && !slices.Equal(got, []string{".: no_matches"}) {
				t.Errorf("(-git +ours):\n%s%s", diff, ignoreFiles(t))
			}
		}
	}
}

// lines returns what a program prints, sorted.
func lines(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	out, err := cmd.Output()
	if err != nil && len(out) > 0 {
		t.Fatalf("%s: %v", cmd, err)
	}
	list := []string{}
	for line := range bytes.Lines(out) {
		list = append(list, strings.TrimSuffix(string(line), "\n"))
	}
	slices.Sort(list)
	return list
}

// ignoreFiles returns the ignore files below the working directory.
func ignoreFiles(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	_ = filepath.WalkDir(".", func(path string, d fs.DirEntry, _ error) error { // for a message
		if !d.IsDir() && (d.Name() == walking.GitIgnore || d.Name() == walking.AnyIgnore) {
			said, _ := os.ReadFile(path)
			fmt.Fprintf(&text, "%s:\n%s", path, said)
		}
		return nil
	})
	return text.String()
}
