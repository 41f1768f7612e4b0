package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// secret is in every file that must not be read, and in no other.
const secret = "the-secret-4711"

// patience is how long a read may take before it counts as one that blocks.
const patience = time.Minute

// stronghold makes a folder ws to be a root, with secrets in it and around it,
// and returns the folder that holds it.
func stronghold(tb testing.TB) (base string) {
	tb.Helper()
	base = tb.TempDir()
	put := func(path, text string) {
		path = filepath.Join(base, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	for _, path := range []string{
		"secret.md", "out/secret.md", "out/ws/guide.md", "ws-evil/guide.md", "ws.md", "w/guide.md",
		"ws/.env", "ws/.ssh/key.pem", "ws/docs/.hidden/note.txt", "ws/.git/readme.md", "ws/.git/config",
		"ws/.git/sub/guide.md", "ws/docs/.git/guide.md", "ws/.jj/guide.md", "ws/docs/.jj/repo/guide.md",
	} {
		put(path, secret)
	}
	for _, path := range []string{"guide.md", "docs/a.md", "docs/deep/b.md", "notes.txt", "caf\u00e9.md", "%2e%2e/x.md"} {
		put("ws/"+path, "open")
	}
	if runtime.GOOS == "windows" {
		return base
	}
	for name, target := range map[string]string{
		"out": "../out", "out.md": "../secret.md", "out2.md": "../../../../../../../../../../../../../../etc/passwd", "docs/up": "..",
		"docs/out": "../../out", "absolute.md": base + "/secret.md", "absolute": base + "/out", "etc": "/etc", "root": "/",
		"inside.md": base + "/ws/guide.md", "inside": base + "/ws/docs", "proc": "/proc/self/root",
		"chain0.md": "chain1.md", "chain1.md": "docs/chain2.md", "docs/chain2.md": "up/../secret.md",
		"dir0": "dir1", "dir1": "docs/up/..", "back": "docs/../../ws", "twin": "../ws-evil",
		"circle.md": "circle.md", "ping.md": "pong.md", "pong.md": "ping.md", "loop": "loop/loop",
		"env.md": ".env", "key.md": ".ssh/key.pem", "hidden": "docs/.hidden", "note.md": "docs/.hidden/note.txt",
		"git": ".git", "git.md": ".git/readme.md", "gitdir": ".git/sub", "past": ".git/../guide.md", "past.md": ".git/../guide.md",
		"jj.md": "docs/.jj/repo/guide.md", "dangling.md": "nowhere.md", "tofolder.md": "docs", "toslash.md": "guide.md/",
		"dots.md": "..", "here.md": ".", "tilde.md": "~/secret.md",
	} {
		if err := os.Symlink(target, filepath.Join(base, "ws", name)); err != nil {
			tb.Fatal(err)
		}
	}
	// Twice as many links at each step: too many to follow them all.
	for i := range 30 {
		n := string(rune('A' + i))
		if err := os.Symlink("bomb"+string(rune('A'+i+1))+"/../bomb"+string(rune('A'+i+1)), filepath.Join(base, "ws", "bomb"+n)); err != nil {
			tb.Fatal(err)
		}
	}
	return base
}

// attack is a path, and how it is refused.
type attack struct {
	path string
	want Code
}

// attacks returns paths that must not be read in the stronghold at base, whether
// other text may be read or not.
func attacks(base string) []attack {
	ws := base + "/ws"
	list := []attack{
		// Up and out.
		{"../secret.md", PathOutsideRoot},
		{"..", PathOutsideRoot},
		{"../", PathOutsideRoot},
		{"./../secret.md", PathOutsideRoot},
		{".//.././/secret.md", PathOutsideRoot},
		{"docs/../../secret.md", PathOutsideRoot},
		{"docs/../docs/../../ws/guide.md", PathOutsideRoot},
		{"docs/deep/../../../secret.md", PathOutsideRoot},
		{strings.Repeat("../", 50) + "etc/passwd", PathOutsideRoot},
		{strings.Repeat("docs/../", 100) + "../secret.md", PathOutsideRoot},
		{"missing/../../secret.md", NotFound},
		{"guide.md/../../secret.md", NotFound},
		{"guide.md/../guide.md", NotFound},
		{"..../secret.md", NotFound},
		{".../secret.md", NotFound},
		{".. /secret.md", NotFound},
		{"docs/.. ./secret.md", NotFound},
		// Absolute.
		{"/etc/passwd", PathOutsideRoot},
		{"//etc/passwd", PathOutsideRoot},
		{"/", PathOutsideRoot},
		{"/proc/self/environ", PathOutsideRoot},
		{"/proc/self/cwd/guide.md", PathOutsideRoot},
		{base + "/secret.md", PathOutsideRoot},
		{base, PathOutsideRoot},
		{ws + "/../secret.md", PathOutsideRoot},
		{ws + "/docs/../../secret.md", PathOutsideRoot},
		{ws + "/../ws/guide.md", PathOutsideRoot},
		{base + "/out/../ws/guide.md", PathOutsideRoot},
		{ws, NotAFile},
		{ws + "/", NotAFile},
		// The prefix twin.
		{base + "/ws-evil/guide.md", PathOutsideRoot},
		{base + "/ws.md", PathOutsideRoot},
		{base + "/w/guide.md", PathOutsideRoot},
		{base + "/out/ws/guide.md", PathOutsideRoot},
		{"../ws-evil/guide.md", PathOutsideRoot},
		// Nothing, NUL and control characters.
		{"", InvalidArgument},
		{"\x00", InvalidArgument},
		{"guide.md\x00", InvalidArgument},
		{"guide.md\x00../secret.md", InvalidArgument},
		{"guide.md\n", InvalidArgument},
		{"\tguide.md", InvalidArgument},
		{"gui\x1b[2Jde.md", InvalidArgument},
		{"guide\x7f.md", InvalidArgument},
		{"guide\u0085.md", InvalidArgument},
		{"guide\xff.md", InvalidArgument},
		{"\xc0\xae\xc0\xae/secret.md", InvalidArgument}, // ".." in too many bytes
		{"\xed\xa0\x80.md", InvalidArgument},
		// Slashes, dots and blanks at the end.
		{"guide.md/", NotFound},
		{"guide.md//", NotFound},
		{"guide.md/.", NotFound},
		{"guide.md/..", NotFound},
		{"guide.md.", NotFound},
		{"guide.md ", NotFound},
		{" guide.md", NotFound},
		{"docs", NotAFile},
		{"docs/", NotAFile},
		{".", NotAFile},
		{"docs/..", NotAFile},
		{" ", NotFound},
		// Other ways to write a slash or a dot.
		{`..\secret.md`, NotFound},
		{`docs\..\..\secret.md`, NotFound},
		{`\\host\share\secret.md`, NotFound},
		{`C:\secret.md`, NotFound},
		{"%2e%2e%2fsecret.md", NotFound},
		{"%2e%2e/secret.md", NotFound},
		{"..%2fsecret.md", NotFound},
		{"%252e%252e/secret.md", NotFound},
		{"..%c0%afsecret.md", NotFound},
		{"guide%2emd", NotFound},
		{"\u2024\u2024/secret.md", NotFound},
		{"\uff0e\uff0e/secret.md", NotFound},
		{"..\u2215secret.md", NotFound},
		{"..\uff0fsecret.md", NotFound},
		{"file://" + base + "/secret.md", NotFound},
		{"~/secret.md", NotFound},
		{"$HOME/secret.md", NotFound},
		{"docs/*.md", NotFound},
		// Twins.
		{"cafe\u0301.md", NotFound},
		{"gu\u0456de.md", NotFound},
		{"guide.md\u200b", NotFound},
		{"\ufeffguide.md", NotFound},
		// Very long.
		{strings.Repeat("a", 300) + ".md", NotFound},
		{strings.Repeat("a", 5000), NotFound},
		{strings.Repeat("a", 10_000_000), NotFound},
		{strings.Repeat("docs/../", 600) + "guide.md", NotFound},
		{strings.Repeat("../", 2000) + "secret.md", NotFound},
		{strings.Repeat("a/", 2000) + "b.md", NotFound},
		// Version control, under whatever name.
		{".env", PathOutsideRoot},
		{".ssh/key.pem", PathOutsideRoot},
		{"docs/.hidden/note.txt", NotAFile},
		{".git", PathOutsideRoot},
		{ws + "/.git/readme.md", PathOutsideRoot},
		{"docs/../.git/readme.md", PathOutsideRoot},
		{".git/../guide.md", PathOutsideRoot},
		{".git/missing.md", PathOutsideRoot},
		{"docs/.git/guide.md", PathOutsideRoot},
		{".jj/guide.md", PathOutsideRoot},
		{"docs/.jj/repo/guide.md", PathOutsideRoot},
	}
	for _, name := range []string{
		".git", ".GIT", ".Git", ".git.", ".git...", ".git ", ".git . .", ".git::$INDEX_ALLOCATION", ".git::$DATA", ".git:x",
		"git~1", "GIT~1", "git~12", "git~1.", ".g\u200cit", ".git\u200d", "\ufeff.git", ".\u206agit", ".JJ", "jj~1", ".jj:x",
	} {
		list = append(list, attack{name + "/readme.md", PathOutsideRoot})
	}
	return list
}

// linkAttacks are those that lead through links.
var linkAttacks = []attack{
	{"out.md", PathOutsideRoot},
	{"out2.md", PathOutsideRoot},
	{"out/secret.md", PathOutsideRoot},
	{"out/", PathOutsideRoot},
	{"out", PathOutsideRoot},
	{"out/../guide.md", PathOutsideRoot},
	{"docs/out/secret.md", PathOutsideRoot},
	{"docs/up/../secret.md", PathOutsideRoot},
	{"docs/up/docs/up/docs/up/../secret.md", PathOutsideRoot},
	{"docs/up/.git/readme.md", PathOutsideRoot},
	{"absolute.md", PathOutsideRoot},
	{"absolute/secret.md", PathOutsideRoot},
	{"etc/passwd", PathOutsideRoot},
	{"root/etc/passwd", PathOutsideRoot},
	{"inside.md", PathOutsideRoot},
	{"inside/a.md", PathOutsideRoot},
	{"proc/etc/passwd", PathOutsideRoot},
	{"chain0.md", PathOutsideRoot},
	{"dir0/secret.md", PathOutsideRoot},
	{"back/guide.md", PathOutsideRoot},
	{"twin/guide.md", PathOutsideRoot},
	{"circle.md", NotFound},
	{"ping.md", NotFound},
	{"loop/guide.md", NotFound},
	{"loop", NotFound},
	{"bombA/guide.md", NotFound},
	{"env.md", PathOutsideRoot},
	{"key.md", PathOutsideRoot},
	{"hidden/note.txt", NotAFile},
	{"note.md", NotAFile},
	{"git/readme.md", PathOutsideRoot},
	{"git.md", PathOutsideRoot},
	{"gitdir/guide.md", PathOutsideRoot},
	{"past.md", PathOutsideRoot},
	{"past", PathOutsideRoot},
	{"jj.md", PathOutsideRoot},
	{"dangling.md", NotFound},
	{"tofolder.md", NotAFile},
	{"toslash.md", NotFound},
	{"dots.md", PathOutsideRoot},
	{"here.md", NotAFile},
	{"tilde.md", NotFound},
}

// probe reads and resolves a path within the time that it may take.
func probe(tb testing.TB, r *Roots, path string) (text string, err error) {
	tb.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var bytes []byte
		bytes, err = r.Read(new(Reader), path)
		text = string(bytes)
		if _, resolveErr := r.Resolve(path); err != nil && codeOf(err) != codeOf(resolveErr) && resolveErr != nil {
			err = errors.Join(err, resolveErr)
		}
	}()
	select {
	case <-done:
	case <-time.After(patience):
		tb.Fatalf("%.80q blocks", path)
	}
	return text, err
}

// leaks returns what an error tells beside the path as it was given and must not:
// a secret, or where on the host something lies.
func leaks(err error, base, path string) string {
	e, ok := errors.AsType[*Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return "an error that is none of ours"
	case e.Path != path && e.Path != shorten(path):
		return "another path: " + e.Path
	}
	told := e.Sentence()
	for cause := e.Err; cause != nil; cause = errors.Unwrap(cause) {
		told += "\n" + cause.Error()
	}
	if !filepath.IsAbs(path) {
		told += "\n" + strings.Join(e.Closest, "\n")
	}
	for _, hint := range []string{secret, base, filepath.Base(base), "/etc", "/proc"} {
		if strings.Contains(told, hint) {
			return hint
		}
	}
	return ""
}

// TestAttacks reads what must not be read, with and without other text, and by
// both names of a root that is a link.
func TestAttacks(t *testing.T) {
	base := stronghold(t)
	list := attacks(base)
	roots := map[string]*Roots{
		"Markdown": openRoots(t, RootOptions{}, base+"/ws"),
		"text":     openRoots(t, RootOptions{TextFiles: true}, base+"/ws"),
	}
	if runtime.GOOS != "windows" {
		list = append(list, linkAttacks...)
		if err := os.Symlink("ws", base+"/alias"); err != nil {
			t.Fatal(err)
		}
		roots["linked"] = openRoots(t, RootOptions{TextFiles: true}, base+"/alias")
	}
	for kind, r := range roots {
		for _, a := range list {
			if kind == "linked" {
				a.path = strings.Replace(a.path, base+"/ws/", base+"/alias/", 1)
			}
			text, err := probe(t, r, a.path)
			if codeOf(err) != a.want {
				t.Errorf("%s: %.80q: %v, want %s", kind, a.path, err, a.want)
			}
			if text != "" {
				t.Errorf("%s: %.80q gives %q", kind, a.path, text)
			}
			if told := leaks(err, base, a.path); told != "" {
				t.Errorf("%s: %.80q tells %q: %v", kind, a.path, told, err)
			}
			if e, ok := errors.AsType[*Error](err); ok && (len(e.Error()) > maxPath+500 || len(e.Closest) > maxClosest) {
				t.Errorf("%s: %.80q: an error of %d bytes, %d names", kind, a.path, len(e.Error()), len(e.Closest))
			}
		}
		if text := got(r, "guide.md"); text != "open" {
			t.Errorf("%s: what may be read gives %q", kind, text)
		}
		for _, path := range foundBy(t.Context(), r) {
			if text := got(r, path); text != "open" {
				t.Errorf("%s: found %s, which gives %q", kind, path, text)
			}
		}
	}
	if len(list) < 60 {
		t.Errorf("only %d attacks", len(list))
	}
}

// TestCaseTwins names files in another case: nothing else is read for them where
// case counts.
func TestCaseTwins(t *testing.T) {
	base := stronghold(t)
	if _, err := os.Stat(base + "/ws/GUIDE.md"); err == nil {
		t.Skip("case does not count in this file system")
	}
	r := openRoots(t, RootOptions{}, base+"/ws")
	for _, path := range []string{"GUIDE.md", "guide.MD", "Docs/a.md", "docs/A.md", "CAF\u00c9.md"} {
		if text := got(r, path); text != string(NotFound) {
			t.Errorf("%s gives %q", path, text)
		}
	}
	write(t, base+"/ws/Guide.md", "twin")
	if one, two := got(r, "guide.md"), got(r, "Guide.md"); one != "open" || two != "twin" {
		t.Errorf("twins give %q and %q", one, two)
	}
	write(t, base+"/ws/cafe\u0301.md", "twin")
	if one, two := got(r, "caf\u00e9.md"), got(r, "cafe\u0301.md"); one != "open" || two != "twin" {
		t.Errorf("twins of Unicode give %q and %q", one, two)
	}
}

// TestAttackReasons wants reasons that tell what to do.
func TestAttackReasons(t *testing.T) {
	base := stronghold(t)
	r := openRoots(t, RootOptions{}, base+"/ws")
	reasons := map[string]string{
		"../secret.md":     "inside",
		"/etc/passwd":      "relative",
		".git/readme.md":   "never read",
		"notes.txt":        "--text-files",
		`docs\a.md`:        "forward slashes",
		"docs":             "name a file in it",
		"guide.md\x00":     "control character",
		"nothing-of-it.md": "check the path",
	}
	if runtime.GOOS != "windows" {
		reasons["inside.md"] = "relative one"
		reasons["inside/a.md"] = "relative one"
		reasons["absolute.md"] = "leads out"
		reasons["circle.md"] = "circle"
		reasons["dangling.md"] = "link"
	}
	for path, want := range reasons {
		if _, err := r.Read(new(Reader), path); !strings.Contains(reasonOf(err), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
}

// TestSystemFailure turns errors that name the host's paths into ones that don't.
func TestSystemFailure(t *testing.T) {
	for _, cause := range []error{syscall.EIO, syscall.ENOENT, syscall.EACCES, os.ErrClosed, errors.New("odd")} {
		err := systemFailure("a.md", fmt.Errorf("stat: %w", &os.PathError{Op: "stat", Path: "/host/ws/a.md", Err: cause}))
		if told := leaks(err, "/host", "a.md"); told != "" || !errors.Is(err, cause) {
			t.Errorf("%v tells %q", err, told)
		}
	}
}
