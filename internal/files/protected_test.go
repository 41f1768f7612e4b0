package files

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestProtectedNames says of names what happens to files below them.
func TestProtectedNames(t *testing.T) {
	for _, path := range []string{
		// By the table, in any folder and whatever is below.
		".git/config", "a/.jj/b.md", ".hg/hgrc", ".svn/a.md", ".env", "a/b/.env", ".env/a.md", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass",
		".htpasswd", ".git-credentials", ".ssh/notes.md", ".gnupg/a", ".aws/credentials", ".kube/config", ".docker/config.json", ".config/gh/hosts.yml",
		".vscode/settings.json", ".vscode/a.md", ".idea/a.md", ".husky/pre-commit", ".devcontainer/README.md", ".cargo/config.toml", ".bashrc", ".mcp.json",
		".github/workflows/ci.yml", "a/.github/workflows/README.md", ".gitlab-ci.yml", ".circleci/config.yml", ".pre-commit-config.yaml",
		// By how they begin or end.
		".env.local", ".env.md", ".env-old", "id_rsa", "id_rsa.pub", "id_rsa_old.md", "x/id_ed25519", "id_ecdsa_sk", "tls/server.pem", "a.key", "a.p12", "a.pfx", "a.kdbx", "a.pem.mustache", ".env.mustache", ".npmrc.MUSTACHE",
		"k.pem.bak", "k.PEM.OLD", "k.key~", "#.env#", "#k.pem#", ".k.pem.swp", ".netrc.bak", ".npmrc~", "id_rsa.bak~", ".git.old/config",
		// As file systems compare them.
		".ENV", ".Git/a.md", ".eNv.Local", "ID_RSA", "SERVER.PEM", ".github/Workflows/a.md", ".GITHUB/WORKFLOWS/a.md",
		".env.", ".env. .", ".env ", ".env::$DATA", ".ssh:x/a.md", "a.pem.", "a.pem ", "a.key:x",
		"ENV~1", "env~1", "GIT~1/config", "SSH~2/a.md", "VSCODE~1/a.md", "GITCON~1", "YARNRC~1.YML", "GITHUB~1/WORKFL~1/a.md", ".github/WORKFL~1/a.md",
		".e\u200cnv", "\ufeff.env", ".g\u200dit/a.md", "a.p\u200eem", ".\u017fsh/a.md", ".\u212Aube/a.md", ".env\u200c",
		".s\u2060sh/a.md", ".e\u00adnv", ".en\ufe0fv", ".\U000e0041env", ".e\u034fnv", ".e\u180envrc", ".e\u3164nv", ".e\u2065nv", ".\u00dfh/a.md", ".\u1e9eh/a.md", ".gitcon\ufb01g",
	} {
		if FolderProtection(path) == "" || FileProtection(path) == "" || WriteProtection("/home/me/"+path) == "" {
			t.Errorf("%q is not protected", path)
		}
		if windows := strings.ReplaceAll(path, "/", `\`); FileProtection(windows) == "" {
			t.Errorf("%q is not protected", windows)
		}
	}
	for _, path := range []string{
		".claude/commands/a.md", ".cursor/rules/a.mdc", ".github/instructions/a.md", ".CLAUDE/a.md", "CLAUDE~1/a.md", ".claude\u00ad/a.md", ".clinerules", ".claude/a.md.mustache", ".cursor/rules/a.MDC.mustache",
	} {
		if FolderProtection(path) != "" || FileProtection(path) != "" || WriteProtection(path) == "" {
			t.Errorf("%q: %q, %q", path, FileProtection(path), WriteProtection(path))
		}
	}
	for _, path := range []string{
		".claude/settings.json", "x/.claude/hooks/a.sh", ".cursor/mcp.json", "CLAUDE~1/settings.json", ".claude/rules",
		".claude/settings.json.mustache", ".claude/hooks/a.mustache", ".claude/.mustache", ".claude/a.md.mustache.mustache",
	} {
		if FolderProtection(path) != "" || FileProtection(path) == "" || WriteProtection(path) == "" {
			t.Errorf("%q: %q, %q", path, FolderProtection(path), FileProtection(path))
		}
	}
	for _, path := range []string{
		"", ".", "..", "a.md", "docs/a.md", ".github/CONTRIBUTING.md", ".github/copilot-instructions.md", ".sectile/plan.md", ".sectile.yaml", ".config/rules/a.md",
		"workflows/a.md", "docs/workflows/a.md", "gh/a.md", ".config/git.md", "environment.md", "env.md", "env", "git/a.md", "x.git", ".gitignore", ".gitattributes", ".hidden/h.md",
		"id_of_things.md", "key.md", "keys/a.md", "pem", "a.pem.md", "ssh/a.md", "kube.md", "v1~2.md", "a~1.md", "env~1.md", "env~x", "a: b.md", "日本語.md", "\u00e9.md", "e\u0301.md",
		"Straße.md", "GROẞ/a.md", "\u2764\ufe0f.md", "so\u00adft.md", "e\u0301nv.md", "می\u200cخواهم.md", "ﬁn.md", ".straße/a.md",
		"credentials.md", "a.mustache", "a.md.mustache", "docs/passwords.md", ".cursorrules", ".windsurfrules", ".well-known/a.md", "ci.yml", "keynote.md", "a.md.bak", "a.bak", "#a.md#", "#", "##", "~", "a.md~", ".bak",
	} {
		if FileProtection(path) != "" || WriteProtection(path) != "" {
			t.Errorf("%q is protected: %q", path, WriteProtection(path))
		}
	}
}

// TestProtectedTable sees that each name of the table is found, and by a name that is
// already folded.
func TestProtectedTable(t *testing.T) {
	rows, _ := tableRows()
	if len(rows) < 50 {
		t.Fatalf("%d names", len(rows))
	}
	for _, r := range rows {
		above := r.above
		if above == "" {
			above = "x"
		}
		for _, name := range []string{r.name, strings.ToUpper(r.name), r.name + "."} {
			if got := protected(above, name); got != r.protection {
				t.Errorf("%s/%s: %v", above, name, got)
			}
		}
		if foldName(r.name).folded != r.name || r.above != "" && protected("x", r.name) != nil {
			t.Errorf("%s/%s is no name of the table", r.above, r.name)
		}
	}
}

// TestProtectedFiles reads, lists, finds and writes below a root in which all that is
// protected is there.
func TestProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	closed := []string{
		".env", ".env.md", ".envrc", "id_rsa", "id_rsa.md", "tls.pem", ".ssh/notes.md", ".vscode/settings.json", ".vscode/a.md", ".github/workflows/ci.yml",
		".github/workflows/a.md", ".hg/a.md", ".claude/settings.json", ".claude/hooks/run.sh",
	}
	readable := []string{".claude/a.md", ".cursor/rules/b.mdc", ".github/c.md", "d.md", ".sectile/plan.md"}
	links := map[string]string{
		"env.md": ".env", "notes.md": ".ssh/notes.md", "ssh": ".ssh", "work": ".github/workflows", "hub": ".github", "settings.md": ".claude/settings.json",
		"claude": ".claude", "round.md": "ssh/../.ssh/notes.md", ".claude/up.md": "../.env", "chain.md": "env.md",
	}
	tree(t, dir, links, slices.Concat(closed, readable)...)
	ways := append(slices.Clone(closed), "env.md", "notes.md", "ssh/notes.md", "work/a.md", "hub/workflows/a.md", "settings.md", "claude/settings.json", "round.md",
		".claude/up.md", "chain.md", "./.env.md", ".github/../.ssh/notes.md", "hub/../.vscode/a.md", filepath.Join(dir, ".env.md"))
	if runtime.GOOS != "windows" {
		ways = append(ways, ".SSH/notes.md", ".Env.md")
	}
	for _, o := range []RootOptions{{}, {TextFiles: true}, {TextFiles: true, DotFiles: true}} {
		r := openRoots(t, o, dir)
		for _, path := range ways {
			text, err := r.Read(new(Reader), path)
			if err == nil || codeOf(err) == NotFound && !strings.ContainsAny(path, "SE") {
				t.Errorf("%s with %+v: %q, %v", path, o, text, err)
			}
			if leaks(err, dir, path) != "" {
				t.Errorf("%s: %v", path, err)
			}
			wrote := r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
			if wrote == nil {
				t.Errorf("%s is written with %+v", path, o)
			}
		}
		for _, path := range []string{".claude/a.md", ".claude/new.md", "claude/a.md", "claude/new.md", ".cursor/rules/new.md"} {
			err := r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
			if !errors.Is(err, ErrProtected) {
				t.Errorf("%s is written: %v", path, err)
			}
		}
		if found := slices.Sorted(r.Find(t.Context())); !slices.Equal(found, []string{".claude/a.md", ".github/c.md", ".sectile/plan.md", "d.md"}) {
			t.Errorf("found %q", found)
		}
		for _, near := range []string{".env.m", ".ssh/note.md", "id_rsa.m", ".envmd", ".vscod/a.md"} {
			_, err := r.Read(new(Reader), near)
			if e, ok := errors.AsType[*Error](err); !ok || slices.ContainsFunc(e.Closest, func(c string) bool { return FileProtection(c) != "" }) {
				t.Errorf("%s: %v", near, err)
			}
		}
	}
	for _, path := range closed {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != path {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestProtectedFolders opens folders as categories do, and reads in them.
func TestProtectedFolders(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"ssh": ".ssh", "claude": ".claude", "env.md": ".env"},
		".ssh/a.md", ".env", "a.md", ".vscode/a.md", ".github/workflows/w.md", ".github/c.md", ".claude/settings.json", ".claude/a.md", ".claude/deep/b.md", ".claude/deep/run.sh")
	for _, closed := range []string{".ssh", "ssh", ".vscode", ".github/workflows", ".env"} {
		for _, within := range []string{dir, ""} {
			if f, err := OpenFolder(filepath.Join(dir, closed), within); !errors.Is(err, ErrProtected) && closed != ".env" || err == nil {
				f.Close()
				t.Errorf("%s within %q is opened: %v", closed, within, err)
			}
		}
	}
	for _, within := range []string{dir, ""} {
		top := openedFolder(t, dir, within)
		if got := listedIn(t, top); !slices.Equal(got, []string{".claude/", ".github/", "a.md", "claude@", "env.md@", "ssh@"}) {
			t.Errorf("%q", got)
		}
		for _, path := range []string{".env", "env.md", ".ssh/a.md", "ssh/a.md", ".vscode/a.md", ".claude/settings.json", "claude/settings.json", "claude/deep/run.sh"} {
			if text, _, err := top.Read(new(Reader), path, 100); !errors.Is(err, ErrProtected) {
				t.Errorf("%s: %q, %v", path, text, err)
			}
		}
		for _, agents := range []string{".claude", "claude"} {
			f := openedFolder(t, filepath.Join(dir, agents), within)
			if got := listedIn(t, f); !slices.Equal(got, []string{"a.md", "deep/"}) {
				t.Errorf("%s: %q", agents, got)
			}
			deep, err := f.Enter("deep")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(deep.Close)
			if got := listedIn(t, deep); !slices.Equal(got, []string{"b.md"}) {
				t.Errorf("%s: %q", agents, got)
			}
			if _, _, err := f.Read(new(Reader), "settings.json", 100); !errors.Is(err, ErrProtected) {
				t.Errorf("%s: %v", agents, err)
			}
			if text, _, err := f.Read(new(Reader), "deep/b.md", 100); err != nil || len(text) == 0 {
				t.Errorf("%s: %v", agents, err)
			}
		}
		hub, err := top.Enter(".github")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(hub.Close)
		if got := listedIn(t, hub); !slices.Equal(got, []string{"c.md"}) {
			t.Errorf("%q", got)
		}
		if _, err := hub.Enter("workflows"); !errors.Is(err, ErrProtected) {
			t.Errorf("workflows: %v", err)
		}
	}
}
