//go:build unix

package planstore

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// unpacked is a repository of somebody who knows of a folder of the user, to which a link leads in
// an ignored folder, and a commit in which Jujutsu tracks a file behind it.
type unpacked struct {
	*testing.T
	dir, gitDir  string
	parent       string // the commit that Jujutsu knows
	tree, commit string // in which it tracks ign/c/note.md
}

// unpack makes one whose repository of git is beside that of Jujutsu, or within it.
func unpack(t *testing.T, colocated bool) *unpacked {
	t.Helper()
	jj := findJJ(t)
	u := &unpacked{T: t, dir: filepath.Join(t.TempDir(), "main")}
	put(t, u.dir, map[string]string{"README.md": "# R\n", ".gitignore": "ign/\n"})
	how := "--no-colocate"
	if u.gitDir = filepath.Join(u.dir, ".jj", "repo", "store", "git"); colocated {
		how, u.gitDir = "--colocate", filepath.Join(u.dir, ".git")
	}
	run(t, u.dir, jj, "git", "init", how)
	run(t, u.dir, jj, "commit", "-m", "one")
	u.parent = run(t, u.dir, jj, "log", "--no-graph", "--ignore-working-copy", "-r", "@-", "-T", "commit_id")
	blob := u.git("x\n", "hash-object", "-w", "--stdin")
	below := u.git("100644 blob "+blob+"\tnote.md\n", "mktree")
	below = u.git("040000 tree "+below+"\tc\n", "mktree")
	u.tree = u.git(u.git("", "ls-tree", u.parent)+"\n040000 tree "+below+"\tign\n", "mktree")
	u.commit = u.git("", "commit-tree", "-p", u.parent, "-m", "x", u.tree)
	u.link(u.dir)
	return u
}

// link puts the link into a folder of files.
func (u *unpacked) link(dir string) {
	u.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "ign"), 0o700); err != nil {
		u.Fatal(err)
	}
	secret := testkit.Folder(u.T, map[string]string{"note.md": "SECRET\n"})
	if err := os.Symlink(secret, filepath.Join(dir, "ign", "c")); err != nil {
		testkit.Missing(u.T, err.Error())
	}
}

// git runs git in the repository, and returns the line that it prints.
func (u *unpacked) git(input string, args ...string) string {
	u.Helper()
	return strings.TrimSuffix(runWith(u.T, u.dir, input, "git", append([]string{"--git-dir=" + u.gitDir}, args...)...), "\n")
}

// put writes a file of the repository of git.
func (u *unpacked) put(name, text string) {
	u.Helper()
	write(u.T, filepath.Join(u.gitDir, name), text)
}

// TestTakenUpBehindLinks has Jujutsu take up a commit of git by each way in which it reads another
// one than git does, or knows of a repository that git doesn't, and track a file behind a link.
func TestTakenUpBehindLinks(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	for name, attack := range map[string]func(t *testing.T) (dir string){
		"store with a working tree": func(t *testing.T) string {
			u := unpack(t, false)
			u.put("HEAD", u.commit+"\n")
			u.git("", "config", "core.bare", "false")
			u.git("", "config", "core.worktree", "../../../..")
			return u.dir
		},
		"workspace":                  func(t *testing.T) string { return unpackBeside(t, "config") },
		"workspace by include":       func(t *testing.T) string { return unpackBeside(t, "inc") },
		"workspace by a second name": func(t *testing.T) string { return unpackBeside(t, "b/y") },
		"workspace if it is there":   func(t *testing.T) string { return unpackBeside(t, "optional") },
		"workspace by worktree":      func(t *testing.T) string { return unpackBeside(t, "config.worktree") },
		"two packs": func(t *testing.T) string {
			u := unpack(t, true)
			good := u.git(u.git("", "ls-tree", u.parent)+"\n100644 blob "+u.git("x\n", "hash-object", "-w", "--stdin")+"\tn.md\n", "mktree")
			u.put("HEAD", u.git("", "commit-tree", "-p", u.parent, "-m", "x", good)+"\n")
			text, other := u.body(good), u.body(u.tree)
			if err := os.Remove(u.loose(good)); err != nil {
				t.Fatal(err)
			}
			u.pack("11", good, text, 0)
			u.pack("55", good, other, 1000*time.Second)
			return u.dir
		},
		"ORIG_HEAD": func(t *testing.T) string {
			return unpackHead(t, map[string]string{"ORIG_HEAD": "COMMIT\n", "HEAD": "ref: ORIG_HEAD\n"})
		},
		"main-worktree": func(t *testing.T) string {
			return unpackHead(t, map[string]string{"refs/heads/m": "COMMIT\n", "HEAD": "ref: main-worktree/refs/heads/m\n"})
		},
		"two lines": func(t *testing.T) string {
			return unpackHead(t, map[string]string{"refs/heads/m": "COMMIT\n", "HEAD": "ref: refs/heads/m\nref: refs/heads/n\n"})
		},
		"CRLF": func(t *testing.T) string {
			return unpackHead(t, map[string]string{"packed-refs": "# pack-refs with: peeled fully-peeled sorted \r\nCOMMIT refs/heads/m\r\n", "HEAD": "ref: refs/heads/m\n"})
		},
		"namespace": func(t *testing.T) string {
			u := unpack(t, true)
			u.put("refs/namespaces/x/HEAD", u.commit+"\n")
			u.put("config", read(t, filepath.Join(u.gitDir, "config"))+"[gitoxide \"core\"]\n\trefsNamespace = x\n")
			return u.dir
		},
		"peeled": func(t *testing.T) string {
			u := unpack(t, true)
			u.put("packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+u.parent+" refs/heads/m\n^"+u.commit+"\n")
			u.put("HEAD", "ref: refs/heads/m\n")
			return u.dir
		},
		"tag": func(t *testing.T) string { u := unpack(t, true); return u.takeUp(u.tag()) },
		"tag by the name of a commit": func(t *testing.T) string {
			u := unpack(t, true)
			name := u.git("", "commit-tree", "-m", "y", u.tree)
			if err := os.Rename(u.loose(u.tag()), u.loose(name)); err != nil {
				t.Fatal(err)
			}
			return u.takeUp(name)
		},
		"conflict": func(t *testing.T) string {
			u := unpack(t, true)
			base := u.git("", "rev-parse", u.parent+"^{tree}")
			const by = "a <a@b> 1700000000 +0000\n"
			u.put("HEAD", u.git(fmt.Sprintf("tree %s\nparent %s\nauthor %scommitter %sjj:trees %s %s %s\n\nx\n", base, u.parent, by, by, u.tree, base, base), "hash-object", "-t", "commit", "-w", "--stdin")+"\n")
			return u.dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := attack(t)
			_, err := jjStoreIn(t, dir, jj).(*jjStore).run(t.Context(), &call{args: []string{"status"}})
			if !isType(err, TypeUntrusted) {
				t.Errorf("Jujutsu was started: %v", err)
			}
			// That it is an attack depends on the version, and that of the tests is one.
			run(t, dir, jj, "status")
			if text, err := tryRun(t, dir, "", jj, "file", "show", "ign/c/note.md"); err != nil || text != "SECRET\n" {
				t.Logf("no attack with this jj: %q, %v", text, err)
			}
		})
	}
}

// unpackHead is unpack with files of git's own that say where it is.
func unpackHead(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	u := unpack(t, true)
	for name, text := range files {
		u.put(name, strings.ReplaceAll(text, "COMMIT", u.commit))
	}
	return u.dir
}

// unpackBeside is unpack with a workspace, of which the repository beside it says in a file of its
// configuration that its files are there.
func unpackBeside(t *testing.T, file string) (dir string) {
	t.Helper()
	u := unpack(t, true)
	dir = filepath.Join(filepath.Dir(u.dir), "ws")
	run(t, u.dir, findJJ(t), "--config", "git.colocate=false", "workspace", "add", dir)
	u.link(dir)
	u.put("HEAD", u.commit+"\n")
	config := read(t, filepath.Join(u.gitDir, "config"))
	moves := "[core]\n\tworktree = ../../ws\n"
	switch file {
	case "config":
		u.put(file, config+moves)
	case "inc":
		u.put("config", config+"[include]\n\tpath = inc\n")
		u.put(file, moves)
	case "optional":
		u.put("config", config+"[include]\n\tpath = :(optional)optional\n")
		u.put(file, moves)
	case "b/y":
		u.put("config", config+"[include]\n\tpath = a/x\n\tpath = b/x\n")
		u.put("a/x", "[include]\n\tpath = y\n")
		u.put("a/y", "")
		u.put(file, moves)
		if err := os.Link(filepath.Join(u.gitDir, "a", "x"), filepath.Join(u.gitDir, "b", "x")); err != nil {
			testkit.Missing(t, err.Error())
		}
	default:
		u.git("", "config", "core.repositoryformatversion", "1")
		u.git("", "config", "extensions.worktreeConfig", "true")
		u.put(file, moves)
	}
	return dir
}

// tag makes a tag of the commit.
func (u *unpacked) tag() (id string) {
	u.Helper()
	return u.git("object "+u.commit+"\ntype commit\ntag t\ntagger a <a@b> 1700000000 +0000\n\nx\n", "hash-object", "-t", "tag", "-w", "--stdin")
}

// takeUp has git be at an object, and Jujutsu say that it has taken that up.
func (u *unpacked) takeUp(id string) (dir string) {
	u.Helper()
	u.put("HEAD", id+"\n")
	views, err := filepath.Glob(filepath.Join(u.dir, ".jj", "repo", "op_store", "views", "*"))
	if err != nil {
		u.Fatal(err)
	}
	was, err := hex.DecodeString(u.parent)
	if err != nil {
		u.Fatal(err)
	}
	is, err := hex.DecodeString(id)
	if err != nil {
		u.Fatal(err)
	}
	for _, view := range views {
		write(u.T, view, strings.ReplaceAll(read(u.T, view), string(was), string(is)))
	}
	return u.dir
}

// loose returns the path of an object, and body what is in it.
func (u *unpacked) loose(id string) string { return filepath.Join(u.gitDir, "objects", id[:2], id[2:]) }

func (u *unpacked) body(id string) []byte {
	u.Helper()
	in, err := zlib.NewReader(strings.NewReader(read(u.T, u.loose(id))))
	if err != nil {
		u.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(in); err != nil {
		u.Fatal(err)
	}
	_, body, _ := bytes.Cut(text.Bytes(), []byte{0})
	return body
}

// pack writes a pack with one tree, of an age, by any identifier.
func (u *unpacked) pack(name, id string, body []byte, age time.Duration) {
	u.Helper()
	n := len(body)
	entry := []byte{byte(2<<4 | n&15)}
	for n >>= 4; n > 0; n >>= 7 {
		entry[len(entry)-1] |= 0x80
		entry = append(entry, byte(n&127))
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(body)
	_ = w.Close()
	entry = append(entry, packed.Bytes()...)
	signed := func(b []byte) []byte { sum := sha1.Sum(b); return append(b, sum[:]...) }
	pack := signed(append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01"), entry...))
	oid, err := hex.DecodeString(id)
	if err != nil {
		u.Fatal(err)
	}
	index := []byte("\xfftOc\x00\x00\x00\x02")
	for i := range 256 {
		var has uint32
		if i >= int(oid[0]) {
			has = 1
		}
		index = binary.BigEndian.AppendUint32(index, has)
	}
	index = binary.BigEndian.AppendUint32(append(index, oid...), crc32.ChecksumIEEE(entry))
	index = signed(append(binary.BigEndian.AppendUint32(index, 12), pack[len(pack)-20:]...))
	for ext, text := range map[string][]byte{"pack": pack, "idx": index} {
		file := "objects/pack/pack-" + strings.Repeat(name, 20) + "." + ext
		u.put(file, string(text))
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(u.gitDir, file), at, at); err != nil {
			u.Fatal(err)
		}
	}
}

// TestTakenUpByPeople has Jujutsu take up a commit of git's where packages are linked to one another
// in an ignored folder, and a plan be written.
func TestTakenUpByPeople(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	jj := initBoth(t, dir)
	put(t, dir, map[string]string{
		".gitignore": "node_modules/\n", "packages/ours/index.js": "", "node_modules/.pnpm/p@1/node_modules/p/index.js": "", "node_modules/.bin/keep": "",
	})
	for at, to := range map[string]string{
		"node_modules/p": ".pnpm/p@1/node_modules/p", "node_modules/ours": "../packages/ours", "node_modules/.bin/p": "../p/index.js", "node_modules/.bin/sh": "/bin/sh",
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(at))); err != nil {
			testkit.Missing(t, err.Error())
		}
	}
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-qm", "two")
	state, err := jjStoreIn(t, dir, jj).Update(t.Context(), func(State) (string, error) { return "feat: plan\n", nil })
	if err != nil || state.Text != "feat: plan\n" {
		t.Errorf("%q, %v", state.Text, err)
	}
}

// TestIgnoredByAnother: a file of ignored names that a repository's own configuration names elsewhere
// isn't read, and Jujutsu, which can't go on without it, is not started. One of the project is.
func TestIgnoredByAnother(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	outside := filepath.Join(testkit.Folder(t, map[string]string{"note.md": "SECRET\n", "folder/a": ""}), "note.md")
	for _, colocated := range []bool{false, true} {
		u := unpack(t, colocated)
		look := func(file string) error {
			u.git("", "config", "core.excludesFile", file)
			_, err := jjStoreIn(t, u.dir, jj).(*jjStore).run(t.Context(), &call{args: []string{"status"}})
			return err
		}
		if err := os.Symlink(outside, filepath.Join(u.dir, "linked")); err != nil {
			testkit.Missing(t, err.Error())
		}
		if err := os.Symlink(filepath.Join(filepath.Dir(outside), "folder"), filepath.Join(u.dir, "folder")); err != nil {
			testkit.Missing(t, err.Error())
		}
		for _, file := range []string{outside, "linked", ":(optional)" + outside, "%(prefix)/.." + outside, "folder/../note.md"} {
			if err := look(file); !isType(err, TypeUntrusted) {
				t.Errorf("%s: %v", file, err)
			}
		}
		for _, file := range []string{filepath.Join(u.dir, ".gitignore"), "README.md", "nowhere", filepath.Dir(outside)} {
			if err := look(file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	for name, before := range map[string]string{
		"plain":      "",
		"odd path":   "[include]\n\tpath = :(optional)nowhere\n",
		"large":      strings.Repeat("#"+strings.Repeat("-", 1000)+"\n", 4000),
		"many":       strings.Repeat("[core]\n\texcludesFile = nowhere\n", 1001),
		"other word": "[core]\n\texcludesFile = :(optional)nowhere\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gitWithoutIgnored(t, before, outside)
		})
	}
}

// gitWithoutIgnored sees that git reads no file of ignored names that a repository's configuration
// names behind some text.
func gitWithoutIgnored(t *testing.T, before, outside string) {
	t.Helper()
	dir := newGit(t)
	config := filepath.Join(dir, ".git", "config")
	write(t, config, read(t, config)+before+"[core]\n\texcludesFile = "+outside+"\n")
	put(t, dir, map[string]string{"SECRET": ""})
	s := gitStoreIn(t, dir).(*gitStore)
	at, err := s.place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range at.Reads {
		if path == outside {
			t.Error("git may read it")
		}
	}
	if r, err := s.run(t.Context(), &call{args: []string{"ls-files", "--others", "--exclude-standard"}}); err != nil || !strings.Contains(string(r.out), "SECRET") {
		t.Errorf("git without it: %q, %v", r.out, err)
	}
}
