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

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
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
	want fileerror.Code
}

// attacks returns paths that must not be read in the stronghold at base, whether
// other text may be read or not.
func attacks(base string) []attack {
	ws := base + "/ws"
	list := []attack{
		// Up and out.
		{"../secret.md", fileerror.PathOutsideRoot},
		{"..", fileerror.PathOutsideRoot},
		{"../", fileerror.PathOutsideRoot},
		{"./../secret.md", fileerror.PathOutsideRoot},
		{".//.././/secret.md", fileerror.PathOutsideRoot},
		{"docs/../../secret.md", fileerror.PathOutsideRoot},
		{"docs/../docs/../../ws/guide.md", fileerror.PathOutsideRoot},
		{"docs/deep/../../../secret.md", fileerror.PathOutsideRoot},
		{strings.Repeat("../", 50) + "etc/passwd", fileerror.PathOutsideRoot},
		{strings.Repeat("docs/../", 100) + "../secret.md", fileerror.PathOutsideRoot},
		{"missing/../../secret.md", fileerror.NotFound},
		{"guide.md/../../secret.md", fileerror.NotFound},
		{"guide.md/../guide.md", fileerror.NotFound},
		{"..../secret.md", fileerror.NotFound},
		{".../secret.md", fileerror.NotFound},
		{".. /secret.md", fileerror.NotFound},
		{"docs/.. ./secret.md", fileerror.NotFound},
		// Absolute.
		{"/etc/passwd", fileerror.PathOutsideRoot},
		{"//etc/passwd", fileerror.PathOutsideRoot},
		{"/", fileerror.PathOutsideRoot},
		{"/proc/self/environ", fileerror.PathOutsideRoot},
		{"/proc/self/cwd/guide.md", fileerror.PathOutsideRoot},
		{base + "/secret.md", fileerror.PathOutsideRoot},
		{base, fileerror.PathOutsideRoot},
		{ws + "/../secret.md", fileerror.PathOutsideRoot},
		{ws + "/docs/../../secret.md", fileerror.PathOutsideRoot},
		{ws + "/../ws/guide.md", fileerror.PathOutsideRoot},
		{base + "/out/../ws/guide.md", fileerror.PathOutsideRoot},
		{ws, fileerror.NotAFile},
		{ws + "/", fileerror.NotAFile},
		// The prefix twin.
		{base + "/ws-evil/guide.md", fileerror.PathOutsideRoot},
		{base + "/ws.md", fileerror.PathOutsideRoot},
		{base + "/w/guide.md", fileerror.PathOutsideRoot},
		{base + "/out/ws/guide.md", fileerror.PathOutsideRoot},
		{"../ws-evil/guide.md", fileerror.PathOutsideRoot},
		// Nothing, NUL and control characters.
		{"", fileerror.InvalidArgument},
		{"\x00", fileerror.InvalidArgument},
		{"guide.md\x00", fileerror.InvalidArgument},
		{"guide.md\x00../secret.md", fileerror.InvalidArgument},
		{"guide.md\n", fileerror.InvalidArgument},
		{"\tguide.md", fileerror.InvalidArgument},
		{"gui\x1b[2Jde.md", fileerror.InvalidArgument},
		{"guide\x7f.md", fileerror.InvalidArgument},
		{"guide\u0085.md", fileerror.InvalidArgument},
		{"guide\xff.md", fileerror.InvalidArgument},
		{"\xc0\xae\xc0\xae/secret.md", fileerror.InvalidArgument}, // ".." in too many bytes
		{"\xed\xa0\x80.md", fileerror.InvalidArgument},
		// Slashes, dots and blanks at the end.
		{"guide.md/", fileerror.NotFound},
		{"guide.md//", fileerror.NotFound},
		{"guide.md/.", fileerror.NotFound},
		{"guide.md/..", fileerror.NotFound},
		{"guide.md.", fileerror.NotFound},
		{"guide.md ", fileerror.NotFound},
		{" guide.md", fileerror.NotFound},
		{"docs", fileerror.NotAFile},
		{"docs/", fileerror.NotAFile},
		{".", fileerror.NotAFile},
		{"docs/..", fileerror.NotAFile},
		{" ", fileerror.NotFound},
		// Other ways to write a slash or a dot.
		{`..\secret.md`, fileerror.NotFound},
		{`docs\..\..\secret.md`, fileerror.NotFound},
		{`\\host\share\secret.md`, fileerror.NotFound},
		{`C:\secret.md`, fileerror.NotFound},
		{"%2e%2e%2fsecret.md", fileerror.NotFound},
		{"%2e%2e/secret.md", fileerror.NotFound},
		{"..%2fsecret.md", fileerror.NotFound},
		{"%252e%252e/secret.md", fileerror.NotFound},
		{"..%c0%afsecret.md", fileerror.NotFound},
		{"guide%2emd", fileerror.NotFound},
		{"\u2024\u2024/secret.md", fileerror.NotFound},
		{"\uff0e\uff0e/secret.md", fileerror.NotFound},
		{"..\u2215secret.md", fileerror.NotFound},
		{"..\uff0fsecret.md", fileerror.NotFound},
		{"file://" + base + "/secret.md", fileerror.NotFound},
		{"~/secret.md", fileerror.NotFound},
		{"$HOME/secret.md", fileerror.NotFound},
		{"docs/*.md", fileerror.NotFound},
		// Twins.
		{"cafe\u0301.md", fileerror.NotFound},
		{"gu\u0456de.md", fileerror.NotFound},
		{"guide.md\u200b", fileerror.NotFound},
		{"\ufeffguide.md", fileerror.NotFound},
		// Very long.
		{strings.Repeat("a", 300) + ".md", fileerror.NotFound},
		{strings.Repeat("a", 5000), fileerror.NotFound},
		{strings.Repeat("a", 10_000_000), fileerror.NotFound},
		{strings.Repeat("docs/../", 600) + "guide.md", fileerror.NotFound},
		{strings.Repeat("../", 2000) + "secret.md", fileerror.NotFound},
		{strings.Repeat("a/", 2000) + "b.md", fileerror.NotFound},
		// Version control, under whatever name.
		{".env", fileerror.PathOutsideRoot},
		{".ssh/key.pem", fileerror.PathOutsideRoot},
		{"docs/.hidden/note.txt", fileerror.NotAFile},
		{".git", fileerror.PathOutsideRoot},
		{ws + "/.git/readme.md", fileerror.PathOutsideRoot},
		{"docs/../.git/readme.md", fileerror.PathOutsideRoot},
		{".git/../guide.md", fileerror.PathOutsideRoot},
		{".git/missing.md", fileerror.PathOutsideRoot},
		{"docs/.git/guide.md", fileerror.PathOutsideRoot},
		{".jj/guide.md", fileerror.PathOutsideRoot},
		{"docs/.jj/repo/guide.md", fileerror.PathOutsideRoot},
	}
	for _, name := range []string{
		".git", ".GIT", ".Git", ".git.", ".git...", ".git ", ".git . .", ".git::$INDEX_ALLOCATION", ".git::$DATA", ".git:x",
		"git~1", "GIT~1", "git~12", "git~1.", ".g\u200cit", ".git\u200d", "\ufeff.git", ".\u206agit", ".JJ", "jj~1", ".jj:x",
	} {
		list = append(list, attack{name + "/readme.md", fileerror.PathOutsideRoot})
	}
	return list
}

// linkAttacks are those that lead through links.
var linkAttacks = []attack{
	{"out.md", fileerror.PathOutsideRoot},
	{"out2.md", fileerror.PathOutsideRoot},
	{"out/secret.md", fileerror.PathOutsideRoot},
	{"out/", fileerror.PathOutsideRoot},
	{"out", fileerror.PathOutsideRoot},
	{"out/../guide.md", fileerror.InvalidArgument},
	{"docs/out/secret.md", fileerror.PathOutsideRoot},
	{"docs/up/../secret.md", fileerror.InvalidArgument},
	{"docs/up/docs/up/docs/up/../secret.md", fileerror.InvalidArgument},
	{"docs/up/.git/readme.md", fileerror.PathOutsideRoot},
	{"absolute.md", fileerror.PathOutsideRoot},
	{"absolute/secret.md", fileerror.PathOutsideRoot},
	{"etc/passwd", fileerror.PathOutsideRoot},
	{"root/etc/passwd", fileerror.PathOutsideRoot},
	{"inside.md", fileerror.PathOutsideRoot},
	{"inside/a.md", fileerror.PathOutsideRoot},
	{"proc/etc/passwd", fileerror.PathOutsideRoot},
	{"chain0.md", fileerror.PathOutsideRoot},
	{"dir0/secret.md", fileerror.PathOutsideRoot},
	{"back/guide.md", fileerror.PathOutsideRoot},
	{"twin/guide.md", fileerror.PathOutsideRoot},
	{"circle.md", fileerror.NotFound},
	{"ping.md", fileerror.NotFound},
	{"loop/guide.md", fileerror.NotFound},
	{"loop", fileerror.NotFound},
	{"bombA/guide.md", fileerror.NotFound},
	{"env.md", fileerror.PathOutsideRoot},
	{"key.md", fileerror.PathOutsideRoot},
	{"hidden/note.txt", fileerror.NotAFile},
	{"note.md", fileerror.NotAFile},
	{"git/readme.md", fileerror.PathOutsideRoot},
	{"git.md", fileerror.PathOutsideRoot},
	{"gitdir/guide.md", fileerror.PathOutsideRoot},
	{"past.md", fileerror.PathOutsideRoot},
	{"past", fileerror.PathOutsideRoot},
	{"jj.md", fileerror.PathOutsideRoot},
	{"dangling.md", fileerror.NotFound},
	{"tofolder.md", fileerror.NotAFile},
	{"toslash.md", fileerror.NotFound},
	{"dots.md", fileerror.PathOutsideRoot},
	{"here.md", fileerror.NotAFile},
	{"tilde.md", fileerror.NotFound},
}

// probe reads and resolves a path within the time that it may take.
func probe(tb testing.TB, r *Roots, path string) (text string, err error) {
	tb.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var bytes []byte
		bytes, err = r.Read(new(textfile.Reader), path)
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
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return "an error that is none of ours"
	case e.Path != path && e.Path != fileerror.Shorten(path):
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
			if e, ok := errors.AsType[*fileerror.Error](err); ok && (len(e.Error()) > maxPath+500 || len(e.Closest) > maxClosest) {
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
		if text := got(r, path); text != string(fileerror.NotFound) {
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
		if _, err := r.Read(new(textfile.Reader), path); !strings.Contains(reasonOf(err), want) {
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
