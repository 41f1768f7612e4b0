package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrust(t *testing.T) {
	home := tree(t, map[string]string{
		"config.yaml":           "trust:\n  folders: [~/a/./b, \"" + filepath.ToSlash(filepath.Join(t.TempDir(), "x")) + "\", \"*\"]\n  repositories:\n    - ~/work\n    - \"~\"\n",
		"project/.sectile.yaml": docsText,
	})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	got, err := load(t, filepath.Join(home, "project"), filepath.Join(home, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Trust.Folders) != 3 || got.Trust.Folders[0] != filepath.Join(home, "a", "b") ||
		filepath.Base(got.Trust.Folders[1]) != "x" || got.Trust.Folders[2] != "*" {
		t.Errorf("folders %q", got.Trust.Folders)
	}
	if want := []string{filepath.Join(home, "work"), home}; !cmp.Equal(got.Trust.Repositories, want) {
		t.Errorf("repositories %q", got.Trust.Repositories)
	}
	if got, err = load(t, filepath.Join(home, "project"), "-"); err != nil || got.Trust.Folders != nil || got.Trust.Repositories != nil {
		t.Errorf("%+v, %v", got.Trust, err)
	}
}

func TestTrustMistakes(t *testing.T) {
	tests := map[string]struct {
		text  string
		scope Scope
		want  string // of the only problem; empty for none
	}{
		"project":              {"categories: {}\ntrust:\n  folders: [\"*\"]\n", Project, ".sectile.yaml:2:1: trust: only the user's own file"},
		"empty in a project":   {"trust:\n", Project, ".sectile.yaml:1:1: trust: only the user's own file"},
		"quoted in a project":  {"{\"trust\": {repositories: [/a]}}", Project, ".sectile.yaml:1:2: trust: only the user's own file"},
		"other case":           {"Trust: {}\n", Project, "unknown key"},
		"without its mapping":  {"folders: [/a]\n", User, "it belongs below trust:"},
		"empty":                {"trust:\n", User, ""},
		"empty lists":          {"trust: {folders: [], repositories: }\n", User, ""},
		"unknown":              {"trust: {folder: [/a]}\n", User, "did you mean folders?"},
		"text":                 {"trust: {folders: /a}\n", User, "write [/a]"},
		"list":                 {"trust: [/a]\n", User, "must be a mapping"},
		"relative":             {"trust: {folders: [a]}\n", User, "trust.folders[0]: the folder must be absolute"},
		"here":                 {"trust: {folders: [.]}\n", User, "the folder must be absolute"},
		"another's home":       {"trust: {folders: [~bob/a]}\n", User, "the folder must be absolute"},
		"above":                {"trust: {folders: [~/a/../b]}\n", User, "must not contain .."},
		"blank":                {"trust: {repositories: [\"\"]}\n", User, "the folder is empty"},
		"control":              {"trust: {repositories: [\"/a\\x01\"]}\n", User, "control character"},
		"any repository":       {"trust: {repositories: [\"*\"]}\n", User, "can't be trusted at once"},
		"any below":            {"trust: {folders: [\"~/*\"]}\n", User, ""}, // a folder of that name
		"number":               {"trust: {folders: [[/a]]}\n", User, "must be a text"},
		"folders in a project": {"folders: [/a]\n", Project, "unknown key; allowed: categories, collections, guide, links, plan"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			problems := problemsIn(test.text, test.scope)
			if test.want == "" && problems != nil || test.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], test.want)) {
				t.Errorf("%q, want %q", problems, test.want)
			}
		})
	}
}

// TestTrustStays changes a user's file that trusts something.
func TestTrustStays(t *testing.T) {
	dir := tree(t, map[string]string{"config.yaml": "# mine\ntrust: {folders: [/srv/x]} # theirs\n"})
	user := filepath.Join(dir, "config.yaml")
	l := NewLoader(LoadOptions{Start: dir, UserFile: user})
	if _, err := l.Change(t.Context(), User, AddCategory{Category{Name: "a", Dir: "~/a"}}); err != nil {
		t.Fatal(err)
	}
	got, err := l.Load(t.Context())
	if err != nil || got.Category("a") == nil || !cmp.Equal(got.Trust.Folders, []string{filepath.Clean("/srv/x")}) {
		t.Errorf("%+v, %v", got, err)
	}
}
