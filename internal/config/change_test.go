package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

var (
	addAPI   = AddCategory{Category{Name: "api", Dir: "api", Patterns: []string{"*.md"}, Description: "How: it works"}}
	addSmall = AddCategory{Category{Name: "api", Dir: "api"}}
	addTold  = AddCollection{Collection{Name: "all", Description: "x", Entries: []Entry{{Name: "docs"}}}}
)

// TestChange has changes of all kinds. How they are written, package yamltree's TestDraft shows.
func TestChange(t *testing.T) {
	tests := []struct {
		name, before string
		change       Change
		after        string
	}{
		{"nothing there", "", addAPI, "categories:\n  api:\n    dir: api\n    patterns: [\"*.md\"]\n    description: \"How: it works\"\n"},
		{"brackets", "categories: {docs: {dir: docs}} # what\n", addAPI, "categories: {docs: {dir: docs}, api: {dir: api, patterns: [\"*.md\"], description: \"How: it works\"}} # what\n"},
		{"a new key where keys are close", docsText + "guide:\n  max_depth: 3\n", addTold, docsText + "guide:\n  max_depth: 3\ncollections:\n  all:\n    description: x\n    entries: [docs]\n"},

		{"dir", docsText, Set{Name: "docs", Dir: new("a: b")}, "categories:\n  docs:\n    dir: \"a: b\"\n"},
		{"description added", docsText + "  api:\n    dir: api\n", Set{Name: "docs", Description: new("two\nlines")}, docsText + "    description: \"two\\nlines\"\n  api:\n    dir: api\n"},
		{"description taken out", docsText + "    # why\n    description: x\n    vars: {a: b}\n", Set{Name: "docs", Description: new("")}, docsText + "    # why\n    vars: {a: b}\n"},
		{"patterns added in brackets", "categories: {docs: {dir: docs}}\n", Set{Name: "docs", Patterns: &[]string{"a", "*"}}, "categories: {docs: {dir: docs, patterns: [a, \"*\"]}}\n"},
		{"patterns taken out", docsText + "    patterns:\n    - a\n", Set{Name: "docs", Patterns: &[]string{}}, docsText},
		{"all fields", docsText, Set{Name: "docs", Rename: new("2024"), Dir: new("x"), Patterns: &[]string{"a"}, Description: new("z")}, "categories:\n  \"2024\":\n    dir: x\n    patterns: [a]\n    description: z\n"},
		{"what is so already", docsText, Set{Name: "docs", Rename: new("docs"), Dir: new("docs"), Patterns: &[]string{}, Description: new(" \n")}, docsText},

		{"renamed everywhere", docsText + "collections:\n  a: [docs, \"docs/*.md\", x] # a\n  x:\n    entries:\n    - 'docs' # x\n", Set{Name: "docs", Rename: new("new")}, "categories:\n  new:\n    dir: docs\ncollections:\n  a: [new, \"new/*.md\", x] # a\n  x:\n    entries:\n    - 'new' # x\n"},
		{"a collection renamed", docsText + "collections:\n  a: [b]\n  \"b\": [docs]\n", Set{Name: "b", Rename: new("no")}, docsText + "collections:\n  a: [\"no\"]\n  \"no\": [docs]\n"},
		{"entries", docsText + "collections:\n  a: [docs]\n", Set{Name: "a", Entries: &[]Entry{{Name: "docs"}, {"docs", "{a,b}/*"}}}, docsText + "collections:\n  a: [docs, \"docs/{a,b}/*\"]\n"},
		{"a list described", docsText + "collections:\n  a: # why\n    # first\n    - docs # d\n", Set{Name: "a", Description: new("x")}, docsText + "collections:\n  a: # why\n    description: x\n    entries:\n    # first\n    - docs # d\n"},
		{"a list within brackets described", docsText + "collections: {a: [docs]}\n", Set{Name: "a", Description: new("x, y")}, docsText + "collections: {a: {description: \"x, y\", entries: [docs]}}\n"},
		{"a mapping stays one", docsText + "collections:\n  a:\n    description: x\n    entries: [docs]\n", Set{Name: "a", Description: new("")}, docsText + "collections:\n  a:\n    entries: [docs]\n"},

		{"removed", docsText + "  # of a\n  a:\n    # inside\n    dir: a # a\n    # at its end\n  b:\n    dir: b\n", Remove{"a"}, docsText + "  # of a\n  b:\n    dir: b\n"},
		{"the only one removed", "categories: # all\n  docs:\n    dir: docs\n  # end\nguide:\n", Remove{"docs"}, "categories: # all\n  # end\nguide:\n"},
		{"a collection removed", docsText + "collections:\n  a: [docs]\n", Remove{"a"}, docsText + "collections:\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := apply(parse([]byte(test.before), Project, refusing), nil, test.change)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestChangeRefused(t *testing.T) {
	const base = docsText + "  api: {dir: api}\ncollections:\n  all: [docs, mine]\n  more: [all, docs/*.md]\n"
	const user = "categories:\n  mine: {dir: /m}\n  docs: {dir: /d}\ncollections:\n  ours: [api]\n"
	add := func(c Category) Change { return AddCategory{c} }
	tests := []struct {
		name   string
		scope  Scope
		change Change
		want   []string
	}{
		{"there already", Project, add(Category{Name: "docs", Dir: "x"}), []string{": categories.docs: there is a category called docs already; change that one, or choose another name"}},
		{"there as a collection", Project, add(Category{Name: "all", Dir: "x"}), []string{": categories.all: there is a collection called all already; change that one, or choose another name"}},
		{"values", Project, add(Category{Name: "a b", Dir: "../x", Description: strings.Repeat("x", 501), Patterns: []string{"a", ".."}}), []string{
			`: categories."a b": ' ' is not allowed in a name; names have letters, digits, - and _, 1 to 64 characters`,
			`: categories."a b".dir: the folder must not contain ..; name one inside the project`,
			`: categories."a b".description: it has 501 characters; shorten it to 500`,
			`: categories."a b".patterns[1]: it must not contain ..; write one inside the category`,
		}},
		{"no entries", Project, AddCollection{Collection{Name: "x"}}, []string{": collections.x: it has no entries; name at least one category, or remove the collection"}},
		{"an unknown entry", Project, AddCollection{Collection{Name: "x", Entries: []Entry{{Name: "dosc"}}}}, []string{`: collections.x[0]: no category or collection is called "dosc"; did you mean docs? add it, or take the entry out`}},
		{"a circle", Project, Set{Name: "all", Entries: &[]Entry{{Name: "more"}}}, []string{": collections.more[0]: the collections name each other in a circle: all → more → all; take one of the entries out"}},
		{"unknown", Project, Remove{"doc"}, []string{`: no category or collection of this file is called "doc"; did you mean docs?`}},
		{"unknown and like nothing", Project, Set{Name: "xyzxyz"}, []string{`: no category or collection of this file is called "xyzxyz"; list what there is with sectile guide list`}},
		{"of the other file", Project, Remove{"mine"}, []string{`: no category or collection of this file is called "mine"; it is in config.yaml of the user, change it there`}},
		{"of the project", User, Remove{"more"}, []string{`: no category or collection of this file is called "more"; it is in .sectile.yaml, change it there`}},
		{"named here", Project, Remove{"docs"}, []string{":2:3: categories.docs: it is named in all and more; take it out there first"}},
		{"named in the other file", Project, Remove{"api"}, []string{":4:3: categories.api: it is named in ours of config.yaml of the user; take it out there first"}},
		{"named in the project", User, Remove{"mine"}, []string{":2:3: categories.mine: it is named in all of .sectile.yaml; take it out there first"}},
		{"renamed and named there", Project, Set{Name: "api", Rename: new("x")}, []string{": categories.api: it is named in ours of config.yaml of the user; take it out there before it gets another name"}},
		{"renamed to another", Project, Set{Name: "docs", Rename: new("api")}, []string{": categories.api: there is a category called api already; change that one, or choose another name"}},
		{"renamed to what the other file has", Project, Set{Name: "docs", Rename: new("ours")}, []string{": categories.ours: there is a collection of this name in config.yaml of the user; rename one of the two"}},
		{"fields of the other kind", Project, Set{Name: "docs", Entries: &[]Entry{}}, []string{": categories.docs: it is a category and has no entries; entries are for collections"}},
		{"fields of the other kind too", Project, Set{Name: "all", Dir: new("x"), Entries: &[]Entry{}}, []string{
			": collections.all: it is a collection and has neither dir nor patterns; change its entries",
			": collections.all: it has no entries; name at least one category, or remove the collection",
		}},
		{"too much", Project, Set{Name: "docs", Patterns: new(make([]string, maxList+1))}, []string{": categories.docs.patterns: it has more than 1000 items; make the list shorter"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, other := parse([]byte(base), Project, refusing), parse([]byte(user), User, refusing)
			if test.scope == User {
				f, other = other, f
			}
			text, err := apply(f, other, test.change)
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("%q, %v", text, err)
			}
			for i := range test.want {
				test.want[i] = f.name + test.want[i]
			}
			if diff := cmp.Diff(strings.Join(test.want, "\n"), err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	t.Run("what is shadowed can go", func(t *testing.T) {
		if _, err := apply(parse([]byte(user), User, refusing), parse([]byte(base), Project, refusing), Remove{"docs"}); err != nil {
			t.Error(err)
		}
	})
	t.Run("a wrong file", func(t *testing.T) {
		_, err := apply(parse([]byte("x: y\n"), Project, nil), nil, addSmall)
		if err == nil || err.Error() != ".sectile.yaml:1:1: x: unknown key; allowed: categories, collections, guide, links, plan" {
			t.Error(err)
		}
	})
}

// TestByHand has texts in which a change can't be made by splicing: they are
// refused, and nothing else happens.
func TestByHand(t *testing.T) {
	for name, test := range map[string]struct {
		text   string
		change Change
		want   string
	}{
		"a text that would get a line ending": {
			docsText + "    vars:\n      a: |+\n        x",
			AddCategory{Category{Name: "b", Dir: "b"}},
			".sectile.yaml:6:10: it is written in a way that can't be changed here without risk to the rest; change it by hand",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := apply(parse([]byte(test.text), Project, nil), nil, test.change)
			if err == nil || err.Error() != test.want {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// TestAddAndRemove adds something to generated configurations and takes it out
// again: where there is a brother before it, all bytes are what they were.
func TestAddAndRemove(t *testing.T) {
	same := 0
	for seed := range uint64(*samples) {
		s := generate(seed)
		f := parse([]byte(s.text), Project, nil)
		top, c := "categories", Change(addAPI)
		if seed%2 == 1 {
			top, c = "collections", AddCollection{Collection{Name: "api", Entries: []Entry{{Name: "docs"}}}}
			if len(f.categories) == 0 || f.categories[0].Name != "docs" {
				continue
			}
		}
		if n := f.root.Value(top); n == nil || len(n.Items) == 0 {
			continue
		}
		added, err := apply(f, nil, c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		removed, err := apply(parse(added, Project, nil), nil, Remove{"api"})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, added)
		}
		if diff := cmp.Diff(s.text, string(removed)); diff != "" {
			t.Fatalf("seed %d: (-before +after)\n%s\nwith it:\n%s", seed, diff, added)
		}
		same++
	}
	if same < *samples/5 {
		t.Errorf("%d of %d: it proves little", same, *samples)
	}
}

// TestServerLeavesTheUsersFile has a loader of a server, which reads the user's file and
// never changes it.
func TestServerLeavesTheUsersFile(t *testing.T) {
	dir := tree(t, map[string]string{"p/.git/": "", "user.yaml": "{}\n"})
	roots, err := files.OpenRoots([]string{filepath.Join(dir, "p")}, files.RootOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	user := filepath.Join(dir, "user.yaml")
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p"), UserFile: user, Roots: roots})
	_, changing := l.Change(t.Context(), User, AddCategory{Category{Name: "x", Dir: "/"}})
	for _, err := range []error{changing, l.Create(t.Context(), User, []byte("{}"))} {
		if err == nil || !strings.Contains(err.Error(), "none changes it") {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(user); err != nil || string(text) != "{}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := l.Change(t.Context(), Project, AddCategory{Category{Name: "x", Dir: "docs"}}); err != nil {
		t.Error(err)
	}
}

func TestLoaderChange(t *testing.T) {
	dir := tree(t, map[string]string{"p/.git/": "", "p/sub/": "", "p/docs/a.md": "x"})
	user := filepath.Join(dir, "home", ".config", "sectile", "config.yaml")
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p", "sub"), UserFile: user})
	steps := []struct {
		scope  Scope
		change Change
	}{
		{Project, AddCategory{Category{Name: "docs", Dir: "docs"}}},
		{Project, addTold},
		{User, AddCategory{Category{Name: "mine", Dir: "~/mine"}}},
		{Project, Set{Name: "all", Entries: &[]Entry{{Name: "docs"}, {Name: "mine"}}}},
		{User, Set{Name: "mine", Description: new("ours")}},
	}
	if _, err := l.Change(t.Context(), User, Remove{"x"}); err == nil {
		t.Error("something was removed from nothing")
	}
	if _, err := os.Stat(filepath.Dir(filepath.Dir(user))); err == nil {
		t.Error("a change that can't be made has made folders")
	}
	for _, step := range steps {
		if _, err := l.Change(t.Context(), step.scope, step.change); err != nil {
			t.Fatalf("%+v: %v", step, err)
		}
		if _, err := l.Load(t.Context()); err != nil {
			t.Fatalf("%+v: %v", step, err)
		}
	}
	want := map[string]string{
		filepath.Join(dir, "p", Name): "categories:\n  docs:\n    dir: docs\n\ncollections:\n  all:\n    description: x\n    entries: [docs, mine]\n",
		user:                          "categories:\n  mine:\n    dir: \"~/mine\"\n    description: ours\n",
	}
	for path, text := range want {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(got)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	info, err := os.Stat(filepath.Dir(user))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the user's file: %v, %v", info.Mode(), err)
	}
	if _, err := l.Change(t.Context(), User, Remove{"mine"}); err == nil || !strings.Contains(err.Error(), "named in all of .sectile.yaml") {
		t.Error(err)
	}
	write(t, user, false, "x: 1\n")
	if _, err := l.Change(t.Context(), Project, addSmall); err == nil || !strings.HasSuffix(err.Error(), "\nconfig.yaml of the user:1:1: x: unknown key; allowed: categories, collections, guide, links, headings, plan, search, journal, trust") {
		t.Error(err)
	}
	if err := os.Chmod(filepath.Join(dir, "p", Name), 0o444); err != nil {
		t.Fatal(err)
	}
	write(t, user, false, "categories: {mine: {dir: x}}\n")
	_, err = l.Change(t.Context(), Project, Remove{"docs"})
	if err == nil {
		t.Error("something that is named was removed")
	}
	_, err = l.Change(t.Context(), Project, addSmall)
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Path != Name || strings.Contains(err.Error(), dir) {
		t.Errorf("a file that is write-protected: %v", err)
	}
}

// TestFolderIsFile: where a file has the place of the folder of the user's configuration, the error says so.
func TestFolderIsFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system doesn't tell such a folder from one that is missing")
	}
	dir := tree(t, map[string]string{"p/.sectile.yaml": "", "conf": "x"})
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "p"), UserFile: filepath.Join(dir, "conf", "config.yaml")})
	err := l.Create(t.Context(), User, []byte(docsText))
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.NotAFile || e.Reason != "a file has the place of a folder on the way to it" {
		t.Errorf("%#v", err)
	}
}

func TestCreate(t *testing.T) {
	dir := tree(t, map[string]string{"p/sub/": ""})
	user := filepath.Join(dir, "conf", "config.yaml")
	sub := filepath.Join(dir, "p", "sub")
	l := NewLoader(LoadOptions{Start: sub, UserFile: user})
	if root := l.ProjectRoot(); root != "" {
		t.Skipf("%s is a project", root)
	}
	if err := l.Create(t.Context(), Project, []byte("x: 1\n")); err == nil || err.Error() != ".sectile.yaml:1:1: x: unknown key; allowed: categories, collections, guide, links, plan" {
		t.Error(err)
	}
	if err := l.Create(t.Context(), Project, []byte("collections: {a: [b]}\n")); err == nil || !strings.Contains(err.Error(), `.sectile.yaml:1:19: collections.a[0]: no category or collection is called "b"`) {
		t.Error(err)
	}
	for _, scope := range []Scope{Project, User} {
		if err := l.Create(t.Context(), scope, []byte("# ours\n"+docsText)); err != nil {
			t.Fatal(err)
		}
		err := l.Create(t.Context(), scope, nil)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), "the file is there already") {
			t.Error(err)
		}
	}
	for _, path := range []string{filepath.Join(sub, Name), user} {
		if text, err := os.ReadFile(path); err != nil || string(text) != "# ours\n"+docsText {
			t.Errorf("%q, %v", text, err)
		}
	}
	if got, err := l.Load(t.Context()); err != nil || got.Root != sub {
		t.Errorf("%+v, %v", got, err)
	}
}
