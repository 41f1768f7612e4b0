package planstore

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// What all stores have in common.

// eachStore runs a test with every store, in a fresh project.
func eachStore(t *testing.T, test func(t *testing.T, o Options)) {
	t.Helper()
	for _, kind := range Kinds() {
		if kind == Auto {
			continue
		}
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			o := Options{Root: testkit.OnDisk(t), Kind: kind}
			switch kind {
			case JJ:
				o.JJ = initJJ(t, o.Root)
			case Git:
				initCommitted(t, o.Root)
			case File:
			default:
				t.Fatalf("no project is made for plans in %s", kind)
			}
			test(t, o)
		})
	}
}

// TestKinds: the folder of a repository that plans are kept in makes a project, or else a plan
// would go to a repository around it.
func TestKinds(t *testing.T) {
	t.Parallel()
	if got, want := ChooseKind(), "set `plan.store` to auto, jj, git or file"; got != want {
		t.Errorf("to choose a kind: %q, not %q", got, want)
	}
	for _, kind := range Kinds() {
		if kind != Auto && kind != File && !slices.Contains(fileinfo.ProjectMarks(), "."+string(kind)) {
			t.Errorf("a folder with .%s is no project: add it to ProjectMarks", kind)
		}
	}
}

// texts are stored as they are, but for the newline at the end.
var texts = map[string]string{
	"plain":                    "feat(x): y\n\nWhy.\n\n- [ ]: one\n",
	"no newline":               "feat: x",
	"carriage returns":         "feat: x\r\n\r\n- [ ]: one\r\n",
	"blank lines":              "\n\nfeat: x\n\n\n- [ ]: one  \n\n\n\n",
	"white space alone":        " \n\t\n",
	"comments of editors":      "feat: x\n\n# not a comment\nJJ: nor this\n; nor this\n------ >8 ------\nrest\n",
	"trailers":                 "feat: x\n\nChange-Id: I1\nSigned-off-by: A <a@b>\n",
	"characters":               "feat: ünïcödé 漢字 🎉\n\n- [ ]: \ufdcf\ufdf0\ufffd\U0001fffd\u202e\x01\x1b[31m\x7f\"\\\n",
	"looks like what is asked": "[\"a\",\"b\"]\n{\"x\": 1}\n\n\nparent 123\n\ntree 456\n",
	"long":                     strings.Repeat("a line that is somewhat long, so that it could be wrapped\n", 2000),
	"long line":                strings.Repeat("word ", 20_000) + "\n",
}

func TestRoundTrip(t *testing.T) {
	eachStore(t, func(t *testing.T, o Options) {
		s := open(t, o)
		if s.Kind() != o.Kind {
			t.Errorf("kind %s, want %s", s.Kind(), o.Kind)
		}
		first := load(t, s)
		if first.Text != "" || len(first.Version) != 16 || first.Where == "" || first.Kind != o.Kind {
			t.Errorf("at first: %+v", first)
		}
		versions := map[string]string{first.Version: "nothing"}
		version := first.Version
		for name, text := range texts {
			saved, err := Save(t.Context(), s, text, version)
			if err != nil {
				t.Fatalf("%s: %s", name, detail(err))
			}
			version = saved.Version
			if diff := cmp.Diff(complete(text), saved.Text); diff != "" {
				t.Errorf("%s: saved (-want +got)\n%s", name, diff)
			}
			if diff := cmp.Diff(saved, load(t, s)); diff != "" {
				t.Errorf("%s: loaded (-saved +loaded)\n%s", name, diff)
			}
			if other, ok := versions[saved.Version]; ok {
				t.Errorf("%s has the version of %s", name, other)
			}
			versions[saved.Version] = name
		}
		cleared := save(t, s, "")
		if diff := cmp.Diff(first, cleared); diff != "" {
			t.Errorf("cleared (-first +cleared)\n%s", diff)
		}
	})
}

func TestSave(t *testing.T) {
	eachStore(t, func(t *testing.T, o Options) {
		s := open(t, o)
		ctx := t.Context()
		empty := load(t, s)
		one := save(t, s, "feat: one\n")

		_, err := Save(ctx, s, "feat: two\n", empty.Version)
		e := typed(t, err, TypeConcurrent)
		if e.Version != one.Version || e.Critical {
			t.Errorf("another version is expected: %+v", e)
		}
		if now := load(t, s); now != one {
			t.Errorf("something was written: %+v", now)
		}
		again, err := Save(ctx, s, "feat: one", empty.Version)
		if err != nil || again != one {
			t.Errorf("the same text is no conflict: %+v, %v", again, err)
		}
		for _, bad := range []string{"a\x00b", "a\xffb"} {
			_, err := Save(ctx, s, bad, one.Version)
			wantType(t, err, TypeNotText)
		}
		failure := errors.New("no")
		if _, err := s.Update(ctx, func(State) (string, error) { return "x", failure }); !errors.Is(err, failure) {
			t.Errorf("error of the function: %v", err)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := Save(ended, s, "feat: two\n", one.Version); !errors.Is(err, context.Canceled) {
			t.Errorf("ended: %v", err)
		}
		if _, err := s.Load(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("ended: %v", err)
		}
		if now := load(t, s); now != one {
			t.Errorf("something was written: %+v", now)
		}
	})
}

// TestSameText sees that writing what is there leaves no trace.
func TestSameText(t *testing.T) {
	eachStore(t, func(t *testing.T, o Options) {
		s := open(t, o)
		one := save(t, s, "feat: one\n")
		before := traces(t, o)
		for range 2 {
			again, err := Save(t.Context(), s, "feat: one\n", one.Version)
			if err != nil || again != one {
				t.Errorf("%+v, %v", again, err)
			}
		}
		if diff := cmp.Diff(before, traces(t, o)); diff != "" {
			t.Errorf("(-before +after)\n%s", diff)
		}
		const open = "feat: one" // as an editor or a program of somebody else leaves it
		switch o.Kind {
		case File:
			write(t, filepath.Join(o.Root, DefaultFile), open)
		case Git:
			message := strings.TrimSpace(runWith(t, o.Root, open, "git", "commit-tree", strings.TrimSpace(run(t, o.Root, "git", "mktree"))))
			run(t, o.Root, "git", "update-ref", plansRef+"main", message)
		default: // Jujutsu ends each description with a newline
			return
		}
		before, one = traces(t, o), load(t, s)
		if again, err := Save(t.Context(), s, open, "0123456789abcdef"); err != nil || again != one || again.Text != open {
			t.Errorf("%+v, %v", again, err)
		}
		if diff := cmp.Diff(before, traces(t, o)); diff != "" {
			t.Errorf("without a newline (-before +after)\n%s", diff)
		}
	})
}

// traces returns what a write leaves.
func traces(t *testing.T, o Options) string {
	t.Helper()
	switch o.Kind {
	case JJ:
		return run(t, o.Root, o.JJ, "op", "log", "--ignore-working-copy", "--no-graph", "-T", `id ++ "\n"`)
	case Git:
		return run(t, o.Root, "git", "reflog", "show", plansRef+"main")
	}
	info, err := os.Stat(filepath.Join(o.Root, DefaultFile))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(info.ModTime(), info.Size())
}

func TestManyWriters(t *testing.T) {
	eachStore(t, func(t *testing.T, o Options) {
		s, writes := manyWriters(t, o)
		now := load(t, s)
		if now.Divergent || now.Conflict {
			t.Errorf("%+v", now)
		}
		switch o.Kind {
		case JJ:
			if out := run(t, o.Root, o.JJ, "log", "--no-graph", "-T", `if(divergent, "divergent ")`); out != "" {
				t.Error(out)
			}
		case Git:
			if n := strings.Count(run(t, o.Root, "git", "log", "--format=%H", plansRef+"main"), "\n"); n != writes {
				t.Errorf("%d commits in the history, want %d", n, writes)
			}
		}
	})
}

func TestNew(t *testing.T) {
	eachStore(t, func(t *testing.T, o Options) {
		s := open(t, o)
		ctx := t.Context()
		nothing, old, err := s.New(ctx, never)
		if err != nil || old != (Old{}) || nothing != load(t, s) {
			t.Errorf("without a plan: %+v %+v %v", nothing, old, err)
		}
		one := save(t, s, "feat: one\n\n- [ ]: a\n")
		failure := errors.New("open tasks")
		if _, _, err := s.New(ctx, func(now State) error {
			if now != one {
				t.Errorf("checked %+v, want %+v", now, one)
			}
			return failure
		}); !errors.Is(err, failure) || load(t, s) != one {
			t.Errorf("refused: %v, %+v", err, load(t, s))
		}
		next, old, err := s.New(ctx, never)
		if err != nil || next.Text != "" || next.Version == one.Version || old.Name == "" || old.Where == "" {
			t.Fatalf("new: %+v %+v %v", next, old, err)
		}
		if next != load(t, s) {
			t.Errorf("returned %+v, loaded %+v", next, load(t, s))
		}
		switch o.Kind {
		case File:
			if got := read(t, filepath.Join(o.Root, old.Name)); got != one.Text {
				t.Errorf("kept: %q", got)
			}
		default:
			program, args, _ := strings.Cut(old.See, " ")
			if program == "jj" {
				program = o.JJ
			}
			if out := run(t, o.Root, program, strings.Fields(args)...); !strings.Contains(out, "feat: one") {
				t.Errorf("%s shows %s", old.See, out)
			}
		}
		two := save(t, s, "feat: two\n")
		if two.Version == one.Version {
			t.Error("the same version")
		}
	})
}

func TestMessage(t *testing.T) {
	for text, want := range map[string]string{"": "", " \n": "", "a": "a\n", "a\n\nb \n\n": "a\n\nb\n"} {
		if got := Message(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{
		"jj/.jj/repo", "jj/sub/deep", "git/.git", "git/sub", "both/.git", "both/.jj", "both/sub", "jj/module", "none", "git/inner/.jj",
		"bare.git/objects", "jj/bare.git/objects", "jj/bare.git/refs", "git/bare.git/objects", "git/bare.git/refs", "bare.git/refs/heads", "no.git/objects",
	} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(base, "jj", "module", ".git"), "gitdir: ../x\n")
	write(t, filepath.Join(base, "bare.git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(base, "jj", "bare.git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(base, "git", "bare.git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(base, "no.git", "HEAD"), "ref: refs/heads/main\n")
	for _, c := range []struct {
		root    string
		kind    Kind
		nearest bool
		want    Kind
		err     Type
	}{
		{root: "jj/module", kind: JJ, nearest: true, err: TypeNoRepository},
		{root: "git/inner", kind: Git, nearest: true, err: TypeNoRepository},
		{root: "git/bare.git/refs", kind: JJ, nearest: true, err: TypeNoRepository},
		{root: "jj/bare.git", kind: JJ, nearest: true, err: TypeNoRepository},
		{root: "jj/module", kind: Git, nearest: true, want: Git},
		{root: "jj/module", kind: Auto, nearest: true, want: Git},
		{root: "jj/module", kind: File, nearest: true, want: File},
		{root: "jj/sub/deep", kind: JJ, nearest: true, want: JJ},
		{root: "git/sub", kind: Git, nearest: true, want: Git},
		{root: "both/sub", kind: Git, nearest: true, want: Git},
		{root: "both/sub", kind: JJ, nearest: true, want: JJ},
		{root: "none", kind: JJ, nearest: true, err: TypeNoRepository},
		{root: "jj", want: JJ},
		{root: "jj/sub/deep", want: JJ},
		{root: "jj/module", want: Git},
		{root: "jj/module", kind: JJ, want: JJ},
		{root: "git/sub", want: Git},
		{root: "both/sub", want: JJ},
		{root: "both/sub", kind: Git, want: Git},
		{root: "both/sub", kind: File, want: File},
		{root: "none", kind: Auto, want: File},
		{root: "none", kind: JJ, err: TypeNoRepository},
		{root: "none", kind: Git, want: Git}, // git will say
		{root: "bare.git", want: Git},
		{root: "bare.git/refs/heads", want: Git},
		{root: "bare.git", kind: JJ, err: TypeNoRepository},
		{root: "no.git", want: File},
		{root: "none", kind: "svn", err: TypeInvalid},
		{root: "missing", err: TypeInvalid},
		{root: "jj/module/.git", err: TypeInvalid},
	} {
		s, err := Open(t.Context(), Options{Root: filepath.Join(base, c.root), Kind: c.kind, Nearest: c.nearest})
		if c.err != "" {
			wantType(t, err, c.err)
			continue
		}
		if err != nil || s.Kind() != c.want {
			t.Errorf("%s, %q: %v, %v; want %s", c.root, c.kind, s, err, c.want)
		}
	}
}

// TestShows has a caller that may not be told of every file: neither name nor content of
// the others comes through.
func TestShows(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, o Options) {
		if o.Kind == File {
			t.Skip("it knows no files")
		}
		root, err := filepath.EvalSymlinks(o.Root)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"docs/a \"b\".md", "docs/ü*.md", "src/secret.go", "docs/.env"}
		for _, name := range names {
			write(t, filepath.Join(root, name), "before\n")
		}
		if o.Kind == Git {
			run(t, root, "git", "add", "-A")
			run(t, root, "git", "commit", "-qm", "x")
		} else {
			run(t, root, o.JJ, "commit", "-m", "x")
		}
		for _, name := range names {
			write(t, filepath.Join(root, name), "after "+name+"\n")
		}
		o.Root = filepath.Join(root, "docs")
		o.Shows = shown(func(path string) bool {
			return strings.HasPrefix(path, o.Root+"/") && filepath.Base(path) != ".env"
		})
		s := open(t, o)
		_, changes, err := s.Survey(t.Context())
		diff, errDiff := s.Diff(t.Context(), 10_000)
		if err != nil || errDiff != nil || len(changes.Files) != 2 || changes.Hidden != 2 {
			t.Errorf("%+v %v %v", changes, err, errDiff)
		}
		if strings.Count(diff.Text, "+after") != 2 || strings.Contains(diff.Text, "secret") || strings.Contains(diff.Text, ".env") || diff.Cut {
			t.Errorf("%+v", diff)
		}
		o.Shows = shown(func(string) bool { return false })
		s = open(t, o)
		_, changes, err = s.Survey(t.Context())
		diff, errDiff = s.Diff(t.Context(), 10_000)
		if err != nil || errDiff != nil || len(changes.Files) != 0 || changes.Hidden != 4 || diff.Text != "" {
			t.Errorf("nothing may be told: %+v %v %+v %v", changes, err, diff, errDiff)
		}
	})
}

// TestShowsNothingBelow has a folder in the place of a file that was committed: what is
// hidden in it isn't shown with the file.
func TestShowsNothingBelow(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	if err := os.Remove(filepath.Join(dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a.txt", ".env"), "TOKEN=hidden\n")
	write(t, filepath.Join(dir, "b.txt"), "open\n")
	run(t, dir, "git", "add", "-Af")
	s := open(t, Options{Root: dir, Kind: Git, Shows: shown(func(path string) bool { return filepath.Base(path) != ".env" })})
	_, changes, err := s.Survey(t.Context())
	diff, errDiff := s.Diff(t.Context(), 10_000)
	if err != nil || errDiff != nil || len(changes.Files) != 1 || changes.Hidden != 2 || strings.Contains(diff.Text, "hidden") || !strings.Contains(diff.Text, "+open") {
		t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
	}
}

// TestShowsOddNames has a file that may be shown, with a name that Jujutsu couldn't
// be given, beside one that may not.
func TestShowsOddNames(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	write(t, dir+"/a\tb.md", "open\n")
	write(t, filepath.Join(dir, ".env"), "TOKEN=hidden\n")
	s := open(t, Options{Root: dir, Kind: JJ, JJ: jj, Shows: shown(func(path string) bool { return filepath.Base(path) != ".env" })})
	_, changes, err := s.Survey(t.Context())
	diff, errDiff := s.Diff(t.Context(), 10_000)
	if err != nil || errDiff != nil || len(changes.Files) != 1 || changes.Hidden != 1 || !strings.Contains(diff.Text, "+open") || strings.Contains(diff.Text, "hidden") || diff.Unknown != "" {
		t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
	}
}

// TestNamesThatLeadOut has an index that was made by hand, with a name that leads to a
// file elsewhere.
func TestNamesThatLeadOut(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "repo")
	if err := os.Rename(newGit(t), dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(base, "victim.txt"), "the secret\n")
	const name = "x/../../victim.txt"
	write(t, filepath.Join(dir, "x", "y"), "")
	entry := make([]byte, 62, 80)
	entry[26], entry[27] = 0x81, 0xA4 // a file of mode 644
	entry[61] = byte(len(name))
	entry = append(entry, name...)
	entry = append(entry, make([]byte, 8-len(entry)%8)...)
	index := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...)
	sum := sha1.Sum(index)
	if err := os.WriteFile(filepath.Join(dir, ".git", "index"), append(index, sum[:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := tryRun(t, dir, "", "git", "diff", "HEAD"); err != nil || !strings.Contains(out, "the secret") {
		t.Logf("git itself: %v %s", err, out)
	}
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	diff, errDiff := s.Diff(t.Context(), 10_000)
	if err != nil || errDiff != nil || len(changes.Files) != 0 || changes.Unknown == "" || diff.Text != "" || diff.Unknown == "" {
		t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
	}
}
