package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearch(t *testing.T) {
	home := tree(t, map[string]string{
		"config.yaml":           "search:\n  backend: https://a.example:9200/docs\n  credentials: ~/secret\n  roots: {wiki: elsewhere, handbook: ~/hand/./book, abs: \"" + filepath.ToSlash(t.TempDir()) + "\"}\n",
		"project/.sectile.yaml": docsText,
		"wrong.yaml":            "search: {backend: a.example}\n",
	})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	loaded, err := load(t, filepath.Join(home, "project"), filepath.Join(home, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := NewLoader(LoadOptions{UserFile: filepath.Join(home, "config.yaml")}).LoadSearch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(loaded.Search, alone); diff != "" {
		t.Errorf("by itself it is another one:\n%s", diff)
	}
	if alone.Backend != "https://a.example:9200/docs" || alone.Credentials != filepath.Join(home, "secret") || len(alone.Roots) != 3 ||
		alone.Roots[1] != (SearchRoot{"handbook", filepath.Join(home, "hand", "book")}) || alone.Roots[2] != (SearchRoot{"wiki", ""}) {
		t.Errorf("%+v", alone)
	}
	for _, none := range []string{"-", filepath.Join(home, "none.yaml")} {
		if s, err := NewLoader(LoadOptions{UserFile: none}).LoadSearch(t.Context()); err != nil || s.Backend != "" {
			t.Errorf("%s: %+v, %v", none, s, err)
		}
	}
	if _, err := NewLoader(LoadOptions{UserFile: filepath.Join(home, "wrong.yaml")}).LoadSearch(t.Context()); err == nil {
		t.Error("a wrong file is taken")
	}
}

func TestSearchMistakes(t *testing.T) {
	tests := map[string]struct {
		text  string
		scope Scope
		want  string // of the only problem; empty for none
	}{
		"project":            {"search:\n  backend: https://a.example\n", Project, ".sectile.yaml:1:1: search: only the user's own file, sectile/config.yaml, may say which engine is searched"},
		"empty in a project": {"search:\n", Project, "only the user's own file"},
		"empty":              {"search:\n", User, ""},
		"no scheme":          {"search: {backend: \"a.example:9200\"}\n", User, "it is no address of an engine"},
		"other scheme":       {"search: {backend: \"file:///etc\"}\n", User, "it is no address of an engine"},
		"blank":              {"search: {backend: \"https://a example\"}\n", User, "blank or a control character"},
		"long":               {"search: {backend: \"https://" + strings.Repeat("a", maxAddress) + "\"}\n", User, "more than 2000 bytes"},
		"password":           {"search: {backend: \"https://me:secret@a.example/i\"}\n", User, "the address has a user or password"},
		"relative file":      {"search: {credentials: secret}\n", User, "search.credentials: the file must be absolute"},
		"any root":           {"search: {roots: {a: \"*\"}}\n", User, "search.roots.a: the folder must be absolute"},
		"relative root":      {"search: {roots: {a: docs}}\n", User, "search.roots.a: the folder must be absolute"},
		"no folder":          {"search: {roots: {a: [x]}}\n", User, "must be a text"},
		"no name":            {"search: {roots: {\"a b\": /x}}\n", User, "search.roots"},
		"list":               {"search: {roots: [/a]}\n", User, "must be a mapping"},
		"unknown":            {"search: {backends: x}\n", User, "did you mean backend?"},
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
