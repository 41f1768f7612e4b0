package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unprovoked are codes with an exit code for which no command here is sure to fail
// everywhere. TestErrorsPage compares their exit codes with the page's all the same.
var unprovoked = map[string]string{
	"not_owned": "needs another user", "permission": "needs to be no administrator", "read_only": "needs a file system",
	"no_space": "needs a full disk", "io_error": "needs a fault", "internal_error": "needs a fault",
	"too_complex": "needs much time", "unknown_argument": "is of the server alone",
	"backend_unreachable": "needs a configuration of the user", "backend_refused": "needs an engine", "backend_strange": "needs an engine",
	"invalid_format": "is of the server alone", "stale_cursor": "is of the server alone",
}

// failures are commands with the code that each fails with. All run in a folder with the
// files of exitFiles.
var failures = []struct {
	code string
	args string // divided by a bar
	exit string // if it is not the page's, as the page says in words
}{
	{"file_not_found", "read|missing.md|A", ""},
	{"not_a_file", "edit|a.txt|A|remove", ""},
	{"path_outside_root", "edit|.git/a.md|A|remove", ""},
	{"path_outside_root", "plan|export|--html|--store|file|-o|.git/config", ""},
	{"file_too_large", "read|a.md|A|--max-bytes|2", ""},
	{"encoding_error", "read|latin.md|A", ""},
	{"binary_file", "read|nul.md|A", ""},
	{"heading_not_found", "read|a.md|None", ""},
	{"ambiguous_heading", "read|a.md|Twice", ""},
	{"invalid_address", "read|a.md|L0", ""},
	{"invalid_address", "read|a.md|L99999999999999999999", ""},
	{"invalid_address", "read|a.md|A >  > B", ""},
	{"invalid_address", "read|a.md|None >  > B", ""},
	{"invalid_address", "read|a.md|L999", "1"},
	{"invalid_selector", "read|a.md|h1.0?x", ""},
	{"hash_required", "edit|a.md|h1.0|append|--content|x", ""},
	{"conflict", "edit|a.md|A|append|--content|x|--expected-hash|0000000000000000", ""},
	{"has_subsections", "edit|a.md|A|replace|--content|x", ""},
	{"level_mismatch", "edit|a.md|B|insert_before|--content|#### x", ""},
	{"heading_required", "edit|a.md|B|insert_before|--content|x", ""},
	{"structure_changed", "edit|a.md|A|append|--content|```", ""},
	{"text_not_found", "replace|a.md|nowhere|x", ""},
	{"ambiguous_text", "replace|a.md|Twice|x", ""},
	{"links_would_break", "edit|../linked/links.md|B|rename|--content|C", ""},
	{"toc_not_found", "toc|a.md|--write", ""},
	{"toc_has_text", "toc|../linked/toc.md|--write", ""},
	{"no_change", "replace|a.md|text|text", ""},
	{"invalid_argument", "read|a.md|A|--nope", ""},
	{"invalid_argument", "read|a.md|--lines|999", "1"},
	{"invalid_pattern", "guide|show|g|[", ""},
	{"invalid_pattern", "list|[", ""},
	{"invalid_pattern", "search|x|[", ""},
	{"invalid_pattern", "tree|[", "1"},
	{"invalid_pattern", "sections|[", "1"},
	{"invalid_pattern", "links|[", "1"},
	{"invalid_level", "sections|--level|H7|a.md", ""},
	{"not_found", "guide|show|none", ""},
	{"no_matches", "guide|show|g|none", ""},
	{"no_session", "guide|list|--root|../empty", ""},
	{"validation_error", "guide|list|--root|../wrong", ""},
	{"already_exists", "guide|init", ""},
}

var exitFiles = map[string]string{
	"p/a.md": "# A\n\ntext\n\n## B\n\n## Twice\n\n## Twice\n", "p/a.txt": "x\n", "p/.git/a.md": "# A\n", "p/.git/config": "",
	"p/latin.md": "# \xe4\n", "p/nul.md": "# \x00\n", "p/g/a.md": "x\n", "p/.sectile.yaml": "categories:\n  g:\n    dir: g\n    patterns: ['*.md']\n",
	"linked/links.md": "# A\n\n[b](#b)\n\n## B\n", "linked/toc.md": "<!-- toc -->\ntext\n<!-- /toc -->\n", "empty/a.md": "", "wrong/.sectile.yaml": "categories: 1\n",
}

// TestExitsOfPage has each code of docs/errors.md that has an exit code happen, and compares.
func TestExitsOfPage(t *testing.T) {
	page := readPage(t, filepath.Join("..", "..", "docs", "errors.md"))
	exits := map[string]string{}
	for _, m := range codeRow.FindAllStringSubmatch(page, -1) {
		if m[2] == "1" || m[2] == "2" {
			exits[m[1]] = m[2]
		}
	}
	base := t.TempDir()
	run(t, nil, "--version") // which builds the program, from here
	for name, text := range exitFiles {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(base, "p"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "none"))
	seen := map[string]bool{}
	for _, f := range failures {
		seen[f.code] = true
		stdout, stderr, code := run(t, strings.NewReader(""), strings.Split(f.args, "|")...)
		want := exits[f.code]
		if f.exit != "" {
			want = f.exit
		}
		if !strings.HasPrefix(stderr, "sectile: "+f.code+": ") || want != string(rune('0'+code)) {
			t.Errorf("%s: exit code %d, want %s and %s: %s%s", f.args, code, want, f.code, stdout, stderr)
		}
	}
	for code := range exits {
		if !seen[code] && unprovoked[code] == "" {
			t.Errorf("%s: no command shows its exit code; add one", code)
		}
	}
}
