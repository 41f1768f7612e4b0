package filenames

import (
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
		"r.git/HEAD", "r.git/hooks/a.md", "a/R.Git/Config", "r.git/objects/a", ".bare/hooks/a.md", "r.git./refs/a",
		// By how they begin or end.
		".env.local", ".env.md", ".envrc.md", ".envrc.local", ".ENVRC-old", ".envrc_x.md", ".env-old", "id_rsa", "id_rsa.pub", "id_rsa_old.md", "x/id_ed25519", "id_ecdsa_sk", "tls/server.pem", "a.key", "a.p12", "a.pfx", "a.kdbx", "a.pem.mustache", ".env.mustache", ".npmrc.MUSTACHE",
		"k.pem.bak", "k.PEM.OLD", "k.key~", "#.env#", "#k.pem#", ".k.pem.swp", ".netrc.bak", ".npmrc~", "id_rsa.bak~", ".git.old/config",
		// As file systems compare them.
		".ENV", ".Git/a.md", ".eNv.Local", "ID_RSA", "SERVER.PEM", ".github/Workflows/a.md", ".GITHUB/WORKFLOWS/a.md",
		".env.", ".env. .", ".env ", ".env::$DATA", ".ssh:x/a.md", "a.pem.", "a.pem ", "a.key:x",
		"ENV~1", "env~1", "ENV~1.MD", "env~2.md", "ID_RSA~1.MD", "EN0F32~1.MD", "GIT~1/config", "SSH~2/a.md", "VSCODE~1/a.md", "GITCON~1", "YARNRC~1.YML", "GITHUB~1/WORKFL~1/a.md", ".github/WORKFL~1/a.md",
		"GI7EBA~1", "gi7eb~10", "GI250A~1/config", "HU0F3C~2/pre-commit", "YA12EF~1.YML", "ENFFFF~1.LOC", "GI12AB~1/WO34CD~1/a.md", ".github/WO34CD~1/a.md",
		"ID_ECD~1", "ID_ED2~1", "id12ab~1", "MYCERT~1.OVP", "A~1.MOB", "MYCERT~1.KEY", "PROJEC~1.GIT/hooks",
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
		"project.git/main/a.md", "x.git/README.md", "git/hooks/a.md", "hooks/a.md", "config", "HEAD", "a.gitx/config", "bare/a.md",
		"workflows/a.md", "docs/workflows/a.md", "gh/a.md", ".config/git.md", "environment.md", "env.md", "env", "git/a.md", "x.git", ".gitignore", ".gitattributes", ".hidden/h.md",
		"id_of_things.md", "key.md", "keys/a.md", "pem", "a.pem.md", "ssh/a.md", "kube.md", "v1~2.md", "a~1.md", "gi7eba.md", "gi7eba~1.md", "gi7eba~10", "gi7ebg~1", "gi~1", "xq7eba~1", "gi7eba~x", "a~1.txt", "a.ovp", "a~1.ovpx", "env~x.md", "en~1.md", "git~1.md", "env~x", "a: b.md", "日本語.md", "\u00e9.md", "e\u0301.md",
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
			if got := protected(above, name); got != r.Protection {
				t.Errorf("%s/%s: %v", above, name, got)
			}
		}
		if foldName(r.name).folded != r.name || r.above != "" && protected("x", r.name) != nil {
			t.Errorf("%s/%s is no name of the table", r.above, r.name)
		}
	}
}

// TestNamesWithBackslashes judges names on Unix by the paths that they are on Windows.
func TestNamesWithBackslashes(t *testing.T) {
	for name, want := range map[string]*Protection{
		`.git\x.md`: history, `a\.ssh\x.md`: credentials, `.github\workflows\x.md`: commands, `\.git\x.md`: history,
		`.claude\x.md`: Agents, `a\b.md`: nil, `\`: nil, `docs\.md`: nil,
	} {
		if got := Protected(nil, name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	if got := Protected([]string{".github"}, `workflows\x.md`); got != commands {
		t.Error(got)
	}
}

// TestNamesWithColons judges names as NTFS takes them, and as Unix does.
func TestNamesWithColons(t *testing.T) {
	for name, want := range map[string]*Protection{
		"host:443.pem": credentials, "x.pem#": credentials, "#x.pem": credentials, "my:cert.KEY.bak": credentials, "id_rsa:x": credentials, ".env:x.md": credentials, "a:.env": nil, "a:b.md": nil, ":": nil,
	} {
		if got := Protected(nil, name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	for folder, want := range map[string]*Protection{"srv:repo.git": history, "repo.git:x": history, "srv:repo": nil} {
		if got := Protected([]string{folder}, "hooks"); got != want {
			t.Errorf("%q: %v, want %v", folder, got, want)
		}
	}
}

// TestHistoryNames judges names by what some file system would make of them.
func TestHistoryNames(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".jj": true, ".Git. .": true, "GIT~2": true, "jj~10": true, ".git:a:b": true, ".g\u200ei\u206ft": true,
		"": false, ".": false, "..": false, "git": false, "jj": false, "git~": false, "git~x": false, "git~1x": false, "~1": false,
		".github": false, ".gitignore": false, ".git.md": false, "x.git": false, " .git": false, "digit~1": false, "a:.git": false,
		"sub.git/hooks": true, "a/sub.git/refs/x": true, "a/.git/x": true, "/a/.jj": true, "sub.git/docs": false, "sub/hooks": false,
	} {
		if got := IsHistory(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestPlacesOfProtected(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{".config": true, ".CONFIG": true, "x.git": true, ".github": true, ".git": true, "docs": false, "git": false, "": false} {
		if got := IsPlaceOfProtected(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
