package ignore_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/ignore"
	"github.com/sectile/sectile/internal/testkit"
)

// said returns what git says of each path, by one ignore file at the top of a repository:
// the number of the line that decides, with a "!" before it where it keeps, or "".
func said(t *testing.T, repository, text string, paths []string) []string {
	t.Helper()
	testkit.WriteFile(t, filepath.Join(repository, ".gitignore"), text)
	cmd := exec.Command("git", "-C", repository, "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false",
		"check-ignore", "--verbose", "--non-matching", "--no-index", "-z", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if _, isExit := err.(*exec.ExitError); err != nil && (!isExit || stderr.Len() > 0) { //nolint:errorlint // as it comes
		t.Fatalf("git check-ignore: %v: %s", err, stderr.String())
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("git answered %d fields for %d paths", len(fields), len(paths))
	}
	list := make([]string, len(paths))
	for i := range list {
		switch line, pattern := fields[4*i+1], fields[4*i+2]; {
		case strings.HasPrefix(pattern, "!"):
			list[i] = "kept"
		case line != "":
			list[i] = "ignored"
		}
	}
	return list
}

// verdict returns what the rules say of a path and of the folders on the way, as git
// says it: what a folder has lost no file in it gets back.
func verdict(r *ignore.Rules, path string, isFolder bool) string {
	for i := range len(path) {
		if path[i] == '/' && r.Match([]byte(path[:i]), true) == ignore.Ignored {
			return "ignored"
		}
	}
	return [...]string{"", "ignored", "kept", "kept"}[r.Match([]byte(path), isFolder)]
}

// tree makes folders and files for patterns to match, and returns the paths.
func tree(t *testing.T) (repository string, folders map[string]bool, paths []string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "git is not installed")
	}
	repository = t.TempDir()
	if out, err := exec.Command("git", "init", "-q", repository).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	folders = map[string]bool{}
	add := func(path string, isFolder bool) {
		paths = append(paths, path)
		if folders[path] = isFolder; isFolder {
			if err := os.Mkdir(filepath.Join(repository, path), 0o750); err != nil {
				t.Fatal(err)
			}
			return
		}
		testkit.WriteFile(t, filepath.Join(repository, path), "")
	}
	for _, a := range []string{"a", "b", "ab"} {
		add(a, true)
		for _, b := range []string{"a", "b"} {
			add(a+"/"+b, true)
			for _, c := range []string{"a", "ab", "b.md"} {
				add(a+"/"+b+"/"+c, false)
			}
		}
		for _, c := range []string{"ab", "a.md", "-", "]", "é", "a b"} {
			add(a+"/"+c, false)
		}
	}
	for _, c := range []string{"abab", "aa", "a.md", "b.md", "#a", "!a", "a ", "A", "[a]", "5", "\\a", "a*b", "a-b", "^"} {
		add(c, false)
	}
	return repository, folders, paths
}

// TestMatchIsThatOfGit: of the patterns of a table, and of random ones, the rules say of
// each path what git check-ignore says.
func TestMatchIsThatOfGit(t *testing.T) {
	repository, folders, paths := tree(t)
	texts := []string{
		"a", "a/", "/a", "a/b", "/a/b/", "*", "*\n!a", "*\n!*/\n!*.md", "**", "**/", "**/a", "a/**", "a/**/b.md", "**/a/**",
		"a**/ab", "a**", "**b", "a/**b", "***/a", "a/***/ab", "a/*/ab", "a/*", "*/a", "/*", "/*/", "*.md\n!b.md", "a//", "//a", "/",
		"!", "!a", "\\!a", "\\#a", "#a", "a\\ ", "a ", "a\\  ", "a\t", "\xef\xbb\xbfa", "a\r\nb\r\n", "a\r", "a\\", "\\", "[", "[a", "[a]", "[a]*",
		"[!a]*", "[^a]*", "[]]", "[!]]", "[]-]", "[a-c]", "[a-]*", "[-a]", "[\\]]", "[\\[]a]", "[[a]", "[[:alpha:]]", "[[:alpha:][:digit:]]",
		"[[:nope:]]", "[[:alpha]", "[[:]", "[a/b]", "a[/]b", "a/[!b]", "a/?", "?", "??", "a?b", "\\a", "\\\\a", "a\\*b", "a\\/b", "a/b\\", "**/*.md",
		"*a*b*", "*b*b", "a*/*b", "a/**/**/a", "**/**/a", "*/**/a", "a**b", "a***b", "a/**\\/a", "ab/", "!ab/\n*", "a\x00b", "é", "[é]", "?é", "a/\n!a/ab",
		"[9-1]", "[a-\\c]", "[--a]", "[!-]", "[^^]", "[a-a]b*", "a/b.md", "/**/a", "/**", "b**/a", "?**/a", "a?**/b", "a/b/**", "ab**/b*", "a/*b**/a", "\\a**/ab", "\\ab**/a", "a\\b**/a",
	}
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "*", "**", "/", "?", "[ab]", "[!a]", "!", "\\", " ", ".md", "\n", "-", "[", "]", "***", "a", "/", "**/", "/**"}
	for range 400 {
		var text strings.Builder
		for range 1 + r.IntN(9) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		texts = append(texts, text.String())
	}
	if !testkit.Long() { // a process each
		texts = texts[:130]
	}
	for _, text := range texts {
		rules := ignore.Parse([]byte(text), math.MaxInt)
		for i, want := range said(t, repository, text, paths) {
			if got := verdict(rules, paths[i], folders[paths[i]]); got != want {
				t.Errorf("%q: %q is %q, with git %q", text, paths[i], got, want)
			}
		}
	}
}

// TestHostilePatterns: time grows with the length of pattern and path, whatever they are. It takes
// minutes if it grows faster.
func TestHostilePatterns(t *testing.T) {
	path := strings.Repeat("a", 2000)
	for _, text := range []string{
		strings.Repeat("*a", 500) + "*b?", strings.Repeat("**/", 300) + "x?", "/" + strings.Repeat("*a", 500) + "*b?",
		strings.Repeat("a*/**/", 160) + "b?", strings.Repeat("[a", 1000) + "?", strings.Repeat("\\", 3000), strings.Repeat("?", 3000) + "*",
		"[" + strings.Repeat("[:", 1_000_000) + "x]", "/" + strings.Repeat("b", 1_000_000) + strings.Repeat("**c", 300_000),
	} {
		rules := ignore.Parse([]byte(text), math.MaxInt)
		for _, path := range []string{path, strings.Repeat("aaa/", 500) + "a"} {
			if rules.Match([]byte(path), false) != ignore.Unsaid {
				t.Errorf("%.20q matches", text)
			}
		}
	}
}

// FuzzParse reads any text: what it says of any path is what the last of its lines says that
// says anything by itself.
func FuzzParse(f *testing.F) {
	f.Add([]byte("a/**/b\n!*.md\n[[:alpha:]-z]/"), "a/x/b")
	f.Add([]byte("*\n!keep.md\n"), "docs/keep.md")
	f.Add([]byte("/build/\r\n\\#name\n\\!x \nend\\ \n"), "build")
	f.Add([]byte("\xef\xbb\xbf*.log\n[a-\n**\n"), "a/b.log")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		r := ignore.Parse(text, math.MaxInt)
		wild := 0
		for _, isFolder := range []bool{false, true} {
			want := ignore.Unsaid // of the last line that says something by itself
			wild = 0
			for i, line := range bytes.SplitAfter(text, []byte("\n")) {
				if i > 0 { // a byte order mark is one at the beginning alone
					line = append([]byte("#\n"), line...)
				}
				alone := ignore.Parse(line, math.MaxInt)
				wild += alone.Wild()
				if v := alone.Match([]byte(path), isFolder); v != ignore.Unsaid {
					want = v
				}
			}
			if got := r.Match([]byte(path), isFolder); got != want {
				t.Errorf("%q of %q (folder: %v): %v, and line by line %v", text, path, isFolder, got, want)
			}
		}
		if r.Wild() != wild {
			t.Errorf("%q: %d patterns with wildcards, and line by line %d", text, r.Wild(), wild)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	r := ignore.Parse([]byte("node_modules/\n*.log\n*.py[cod]\n/build/\ndist\n.DS_Store\n*.egg-info/\ndocs/_build/\n**/generated/*.md\n!keep.md\n"), math.MaxInt)
	path := []byte("docs/reference/commands/generated.md")
	for b.Loop() {
		r.Match(path, false)
	}
}

// BenchmarkHostileMatch is that of as many parts as patterns may have: few patterns of which half goes on
// at each byte, and many.
func BenchmarkHostileMatch(b *testing.B) {
	for name, text := range map[string]string{"few": strings.Repeat(strings.Repeat("*a", 99)+"[b]\n", 98), "many": strings.Repeat("*b*\n", 4900)} {
		r, path := ignore.Parse([]byte(text), math.MaxInt), bytes.Repeat([]byte("a"), 243)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Match(path, false)
			}
		})
	}
}
