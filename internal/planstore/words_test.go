//go:build unix

package planstore

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// TestWordsOfGitAreNotRepeated has an archive's repository lead git to a file of the
// user's, whose lines git quotes where it can't read them.
func TestWordsOfGitAreNotRepeated(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	const secret = "S3CR3T-token"
	for name, attack := range map[string]func(t *testing.T, dir, file string){
		"info/grafts": func(t *testing.T, dir, file string) {
			put(t, dir, map[string]string{".git/info/grafts": "-> " + file})
			run(t, dir, "git", "config", "advice.graftFileDeprecated", "false")
		},
		"info/sparse-checkout": func(t *testing.T, dir, file string) {
			put(t, dir, map[string]string{".git/info/sparse-checkout": "-> " + file})
			run(t, dir, "git", "config", "core.sparseCheckout", "true")
		},
		"info/attributes": func(t *testing.T, dir, file string) {
			put(t, dir, map[string]string{".git/info/attributes": "-> " + file})
		},
		"info": func(t *testing.T, dir, file string) {
			if err := os.RemoveAll(filepath.Join(dir, ".git", "info")); err != nil {
				t.Fatal(err)
			}
			put(t, dir, map[string]string{".git/info": "-> " + filepath.Dir(file)})
		},
		"commit-graph-chain": func(t *testing.T, dir, file string) {
			put(t, dir, map[string]string{".git/objects/info/commit-graphs/commit-graph-chain": "-> " + file})
		},
		"core.attributesFile": func(t *testing.T, dir, file string) { run(t, dir, "git", "config", "core.attributesFile", file) },
		"diff.orderFile":      func(t *testing.T, dir, file string) { run(t, dir, "git", "config", "diff.orderFile", file) },
		"include.path": func(t *testing.T, dir, file string) {
			write(t, file, "[core]\n\tcreateObject = "+secret+"\n")
			run(t, dir, "git", "config", "include.path", file)
		},
		"include.path of no configuration": func(t *testing.T, dir, file string) { run(t, dir, "git", "config", "include.path", file) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := newGit(t), filepath.Join(t.TempDir(), "grafts")
			blob := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD:a.txt"))
			write(t, filepath.Join(dir, "a.txt"), "changed\n")
			write(t, file, "[attr]"+secret+" -"+secret+"\nhttps://me:"+secret+"@example.com\n[attr]"+secret+" "+secret+"\n")
			attack(t, dir, file)
			if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
				t.Fatal(err)
			}
			for _, readOnly := range []bool{true, false} {
				told, _ := everyMethod(t.Context(), open(t, Options{Root: dir, Kind: Git, ReadOnly: readOnly}))
				if strings.Contains(told, secret) {
					t.Errorf("the file's text is told:\n%s", told)
				}
			}
		})
	}
}

// TestProgramsWordsAreNotRepeated has programs quote a secret as they fail. What is known
// of the failure is told in words of ours.
func TestProgramsWordsAreNotRepeated(t *testing.T) {
	t.Parallel()
	const secret = "S3CR3T"
	dir := newGit(t)
	for said, want := range map[string]string{
		"error: bad graft data: " + secret:                                                                       "see why",
		"fatal: unable to read tree " + secret:                                                                   "missing or damaged",
		"fatal: bad config line 1 in file " + secret:                                                             "configuration",
		"fatal: Unable to create '" + secret + "/x.lock': File exists":                                           "locked",
		"fatal: Unable to create '" + secret + "/x.lock': Read-only file system":                                 "the file system is read-only",
		"fatal: Unable to create '" + secret + "/x.lock': Permission denied":                                     "a permission was denied",
		"fatal: cannot lock ref '" + secret + "/x': unable to create lock file x.lock; non-directory in the way": "in the way",
		"fatal: Unable to create '" + secret + "/x.lock': Too many open files":                                   "see why",
		"warning: unable to access '" + secret + "': Permission denied\nfatal: bad config line 1":                "can't read the repository's configuration",
		"error: unable to write file " + secret + ": No space left on device\nfatal: unable to read " + secret:   "no room is left",
		"": "see why",
	} {
		git := script(t, filepath.Join(t.TempDir(), "git"), "cat >&2 <<'END'\n"+said+"\nEND\nexit 128")
		told, err := everyMethod(t.Context(), open(t, Options{Root: dir, Kind: Git, Git: git}))
		if !strings.Contains(told, want) || strings.Contains(told, secret) || !strings.Contains(detail(err), "128") {
			t.Errorf("%q: %s", said, told)
		}
	}
	dir, _ = newJJ(t)
	for _, said := range []string{
		"Error: " + secret,
		"Config error: " + secret + "\nCaused by:\n1: TOML parse error at line 1\n1 | " + secret,
		"Error: The working copy is stale (" + secret + ")",
	} {
		jj := script(t, filepath.Join(t.TempDir(), "jj"), "case $1 in --version) echo jj 0.46.0; exit;; esac; cat >&2 <<'END'\n"+said+"\nEND\nexit 1")
		if told, err := everyMethod(t.Context(), jjStoreIn(t, dir, jj)); strings.Contains(told, secret) || err == nil {
			t.Errorf("%q: %s", said, told)
		}
	}
}

// TestConfigurationOfJJAsALink has a repository of Jujutsu be configured by a file
// elsewhere: jj would quote a line of it. A file in the user's own configuration of jj is
// where newer versions put it.
func TestConfigurationOfJJAsALink(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	const secret = "https://me:S3CR3T@example.com"
	for _, name := range []string{"repo/config.toml", "workspace-config.toml", "repo/config-id", "workspace-config-id"} {
		dir, jj := newJJ(t)
		other := filepath.Join(t.TempDir(), "credentials")
		write(t, other, secret+"\n")
		for _, to := range []string{other, "/dev/zero", filepath.Dir(other)} {
			put(t, dir, map[string]string{".jj/" + name: "-> " + to})
			told, err := everyMethod(t.Context(), jjStoreIn(t, dir, jj))
			if !isType(err, TypeUntrusted) || strings.Contains(told, "S3CR3T") {
				t.Errorf("%s to %s: %v\n%s", name, to, err, told)
			}
		}
		path := filepath.Join(dir, ".jj", filepath.FromSlash(name)) // a hole as large as memory
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		put(t, dir, map[string]string{".jj/" + name: ""})
		if err := os.Truncate(path, 5<<30); err != nil {
			t.Fatal(err)
		}
		if _, err := everyMethod(t.Context(), jjStoreIn(t, dir, jj)); !isType(err, TypeUntrusted) {
			t.Errorf("%s of 5 GiB: %v", name, err)
		}
	}
	dir, jj := newJJ(t)
	own := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "jj", "repos", filepath.Base(dir), "config.toml")
	write(t, own, "[ui]\neditor = \"x\"\n")
	put(t, dir, map[string]string{".jj/repo/config.toml": "-> " + own})
	save(t, jjStoreIn(t, dir, jj), plan)
	write(t, own, secret+"\n") // of the user's own files too nothing is repeated
	if told, err := everyMethod(t.Context(), jjStoreIn(t, dir, jj)); err == nil || strings.Contains(told, "S3CR3T") {
		t.Errorf("%v\n%s", err, told)
	}
}

// TestFilesetAliases has a repository's configuration give the filesets that are asked
// for another meaning, to have files compared that may not be told of.
func TestFilesetAliases(t *testing.T) {
	t.Parallel()
	for _, alias := range []string{`"cwd-file:x" = "all()"`, `"cwd-file:x" = "root:'.'"`, `"cwd-file:x" = "root:priv | root:docs"`} {
		dir, jj := newJJ(t)
		for _, name := range []string{"docs/a.md", "docs/.env", "priv/b.md", "docs/e b/f g.md"} {
			write(t, filepath.Join(dir, name), "text of "+filepath.Base(name)+"\n")
		}
		write(t, filepath.Join(dir, ".jj", "repo", "config.toml"), "[fileset-aliases]\n"+alias+"\n")
		docs := filepath.Join(dir, "docs")
		shows := func(path string) bool { return fileinfo.LiesIn(docs, path) && filepath.Base(path) != ".env" }
		s := open(t, Options{Root: docs, Kind: JJ, JJ: jj, Shows: shown(shows)})
		_, changes, err := s.Survey(t.Context())
		diff, errDiff := s.Diff(t.Context(), 10_000)
		if err != nil || errDiff != nil || len(changes.Files) != 2 || changes.Hidden != 2 {
			t.Fatalf("%s: %+v %v %v", alias, changes, err, errDiff)
		}
		if strings.Contains(diff.Text, ".env") || strings.Contains(diff.Text, "b.md\n") || !strings.Contains(diff.Text, "+text of a.md") ||
			!strings.Contains(diff.Text, "+text of f g.md") || diff.Cut || diff.Unknown != "" {
			t.Errorf("%s: %+v", alias, diff)
		}
	}
}

// TestForgedNames has files whose names read like others of which may be told, be gone, new or
// renamed; and the commit's identifier be an alias and a bookmark of another: of what may not be
// told nothing is shown.
func TestForgedNames(t *testing.T) {
	t.Parallel()
	template := strings.Repeat("a line of the template\n", 40)
	for _, name := range []string{"s/q\ndiff --git a/docs/a.md b/docs/a.md", "q.md b/.env b/q.md", "a/docs/x b/docs/y"} {
		for _, what := range []string{"gone", "new", "renamed"} {
			dir, jj := newJJ(t)
			forged, secret := filepath.Join(dir, name), filepath.Join(dir, ".env")
			if err := os.MkdirAll(filepath.Dir(forged), 0o700); err != nil {
				t.Skip(err) // Windows has no such names
			}
			write(t, filepath.Join(dir, "docs", "a.md"), "# A\n")
			switch what {
			case "gone":
				write(t, forged, template)
			case "renamed":
				write(t, secret, template+"PASS=SECRET\n")
			}
			config := "[fileset-aliases]\n\"cwd-file:x\" = \"all()\"\n[diff.git]\nshow-path-prefix = false\n"
			write(t, filepath.Join(dir, ".jj", "repo", "config.toml"), config)
			run(t, dir, jj, "commit", "-m", "one")
			switch what {
			case "gone":
				if err := os.Remove(forged); err != nil {
					t.Fatal(err)
				}
				write(t, secret, template+"PASS=SECRET\n")
			case "new":
				write(t, forged, template+"PASS=SECRET\n")
			default:
				if err := os.Rename(secret, forged); err != nil {
					t.Fatal(err)
				}
			}
			write(t, filepath.Join(dir, "docs", "a.md"), "# B\n")
			docs := filepath.Join(dir, "docs")
			s := open(t, Options{Root: docs, Kind: JJ, JJ: jj, Shows: shown(func(path string) bool { return fileinfo.LiesIn(docs, path) })})
			if _, _, err := s.Survey(t.Context()); err != nil {
				t.Fatal(err)
			}
			id := run(t, dir, jj, "log", "--ignore-working-copy", "--no-graph", "-r", "@", "-T", "commit_id")
			run(t, dir, jj, "bookmark", "create", "--ignore-working-copy", "-r", "@-", id)
			write(t, filepath.Join(dir, ".jj", "repo", "config.toml"), config+"[revset-aliases]\n\""+id+"\" = \"@-\"\n")
			d, err := s.Diff(t.Context(), 10_000)
			if err != nil || !strings.Contains(d.Text, "-# A\n+# B\n") || strings.Contains(d.Text, "SECRET") || strings.Contains(d.Text, "template") || d.Cut {
				t.Errorf("%q is %s: %+v, %v", name, what, d, err)
			}
		}
	}
}

// TestSolvedConflicts has a change solve the conflict of the one before: git has the sides of that as
// folders of files, of which nobody has changed one.
func TestSolvedConflicts(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	for i, text := range []string{"base\n", "one\n", "two\n"} {
		if i > 0 {
			run(t, dir, jj, "new", "description(exact:'base\n')")
		}
		write(t, filepath.Join(dir, "a.md"), text)
		write(t, filepath.Join(dir, ".env"), "SECRET\n")
		run(t, dir, jj, "describe", "-m", strings.TrimSpace(text))
	}
	run(t, dir, jj, "new", "description(exact:'one\n')", "description(exact:'two\n')")
	run(t, dir, jj, "new")
	write(t, filepath.Join(dir, "a.md"), "solved\n")
	s := open(t, Options{Root: dir, Kind: JJ, JJ: jj, Shows: shown(func(path string) bool { return strings.HasSuffix(path, ".md") })})
	if _, changes, err := s.Survey(t.Context()); err != nil || len(changes.Files) != 1 {
		t.Fatalf("%+v, %v", changes, err)
	}
	if d, err := s.Diff(t.Context(), 10_000); err != nil || d.Text != "" || !strings.Contains(d.Unknown, "conflicts") {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestUnmergedNames has a conflict in git of a file in whose name another difference stands: git
// wouldn't quote it.
func TestUnmergedNames(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	const name = "q\ndiff --git a/x.md b/x.md\n+forged"
	id := strings.TrimSpace(runWith(t, dir, "text\n", "git", "hash-object", "-w", "--stdin"))
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		t.Skip(err)
	}
	runWith(t, dir, "100644 "+id+" 1\t"+name+"\x00100644 "+id+" 2\t"+name+"\x00", "git", "update-index", "-z", "--index-info")
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	s := open(t, Options{Root: dir, Kind: Git, Shows: shown(func(string) bool { return true })})
	if d, err := s.Diff(t.Context(), 10_000); err != nil || !strings.Contains(d.Text, "+two\n") || strings.Contains(d.Text, "\n+forged") {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestFilesBetweenCommands has a file that may not be told of change after git has listed what has,
// and one that was told of become a folder with another: neither is in the difference.
func TestFilesBetweenCommands(t *testing.T) {
	t.Parallel()
	for _, folder := range []bool{false, true} {
		dir := newGit(t)
		for _, name := range []string{".env", "docs/a.md", "docs/t.md", "x.txt"} {
			write(t, filepath.Join(dir, name), "old\n")
		}
		run(t, dir, "git", "add", "-f", ".")
		run(t, dir, "git", "commit", "-qm", "two")
		write(t, filepath.Join(dir, "docs", "a.md"), "new\n")
		write(t, filepath.Join(dir, "docs", "t.md"), "new\n")
		if folder {
			write(t, filepath.Join(dir, "x.txt"), "hidden, and so paths are given\n")
		}
		changed := false
		s := open(t, Options{Root: dir, Kind: Git, Shows: shown(func(path string) bool {
			if !changed { // git has listed them
				changed = true
				secret := filepath.Join(dir, ".env")
				if folder {
					secret = filepath.Join(dir, "docs", "t.md", ".env")
					if err := os.Remove(filepath.Dir(secret)); err != nil {
						t.Error(err)
					}
				}
				write(t, secret, "SECRET\n")
				run(t, dir, "git", "add", "-f", ".")
			}
			return strings.HasSuffix(path, ".md")
		})})
		d, err := s.Diff(t.Context(), 10_000)
		if err != nil || strings.Contains(d.Text, "SECRET") || !strings.Contains(d.Text, "+new") || !d.Cut || d.Unknown == "" {
			t.Errorf("a folder: %t: %+v, %v", folder, d, err)
		}
	}
}

// TestShownParts has the headers of parts as git writes them.
func TestShownParts(t *testing.T) {
	t.Parallel()
	s := &gitStore{found: &repository{dir: "/p"}, options: &Options{Shows: shown(func(path string) bool { return !strings.Contains(path, "env") })}}
	for text, want := range map[string]bool{
		"diff --git a/a.md b/a.md\n+a\n":                                          true,
		"diff --git a/a b/c.md b/a b/c.md\n+a\n":                                  true,
		`diff --git "a/a\tb.md" "b/a\tb.md"` + "\n+a\n":                           true,
		`diff --git "a/a\303\244\"\\.md" "b/a\303\244\"\\.md"` + "\n+a\n":         true,
		"diff --git a/.env b/.env\n+a\n":                                          false,
		`diff --git "a/\145nv" "b/\145nv"` + "\n+a\n":                             false,
		"diff --git a/a.md b/b.md\n+a\n":                                          false,
		`diff --git "a/a\q" "b/a\q"` + "\n+a\n":                                   false,
		"diff --git a/a.md b/a.md\n+a\ndiff --cc .env\n++a\n":                     false,
		"diff --git a/a.md b/a.md\n+a\ndiff --git a/a.md/.env b/a.md/.env\n++a\n": false,
		"diff --git a/a.md b/a.md\n+diff --git a/.env b/.env\n-* \n":              true,
		"diff --git a\n+a\n":                                                      false,
		"diff --git \n":                                                           false,
	} {
		if d := s.shownParts(Diff{Text: text}); (d.Text == text) != want || d.Cut == want {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

// TestShownPartsOfCut has a difference end anywhere: what is left out is told of where it is the
// part of a file, and not for the end of a text.
func TestShownPartsOfCut(t *testing.T) {
	t.Parallel()
	s := &gitStore{found: &repository{dir: "/p"}, options: &Options{Shows: shown(func(path string) bool { return !strings.Contains(path, "env") })}}
	const first, second = "diff --git a/a.md b/a.md\n+a\n", "diff --git a/.env b/.env\n+b\n"
	for n := range len(first) + len(second) {
		text := (first + second)[:n]
		d := s.shownParts(Diff{Text: text, Cut: true})
		hides := n > len(first)+strings.IndexByte(second, '\n')
		if d.Unknown != "" != hides || !strings.HasPrefix(text, d.Text) || strings.Contains(d.Text, "env") {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

// TestPathspecs has more names than fit into a command line: what is left out is counted and told.
func TestPathspecs(t *testing.T) {
	t.Parallel()
	var files []Change
	for i := range 30 {
		files = append(files, Change{Path: strings.Repeat("x", 2000) + strconv.Itoa(i)})
	}
	list, left := pathspecs(files)
	if len(list)+left != len(files) || left == 0 || len(strings.Join(list, " ")) > maxPathspecs {
		t.Errorf("%d names of %d bytes, %d are left", len(list), len(strings.Join(list, " ")), left)
	}
	if d := (Diff{}).lacking(left); !d.Cut || d.Unknown == "" {
		t.Errorf("%+v", d)
	}
	files[0].Path = strings.Repeat("x", 2*maxPathspecs) // one is asked for in any case
	if list, left = pathspecs(files); len(list) != 1 || left != len(files)-1 {
		t.Errorf("%d names, %d are left", len(list), left)
	}
	if list, left = pathspecs(files[1:3]); len(list) != 2 || left != 0 || (Diff{}).lacking(left).Cut {
		t.Errorf("%d names, %d are left", len(list), left)
	}
}
