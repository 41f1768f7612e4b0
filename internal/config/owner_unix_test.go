//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// stranger is the number of another user.
const stranger = 12345

// needsRoot skips a test that gives files to others.
func needsRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	t.Setenv("SUDO_UID", "")
}

// give gives files and links below a folder to the other user.
func give(t *testing.T, dir string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		switch err := os.Lchown(filepath.Join(dir, path), stranger, stranger); {
		case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.EPERM): // a name space without that user
			testkit.Missing(t, "no file can be given to another user here")
		case err != nil:
			t.Fatal(err)
		}
	}
}

func codeOf(err error) fileerror.Code {
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		return e.Code
	}
	return ""
}

// TestOwners loads what others have put in place.
func TestOwners(t *testing.T) {
	needsRoot(t)
	tests := map[string]struct {
		given []string
		links map[string]string
		user  string // DIR stands for the folder of the project
		sudo  string
		want  string // of the error; empty for none
	}{
		"own":                        {},
		"other documents":            {given: []string{"project/docs", "project/docs/a.md"}},
		"file":                       {given: []string{"project/.sectile.yaml"}, want: "it belongs to another user (number 12345)"},
		"folder":                     {given: []string{"project"}, want: "the folder that holds it belongs to another user (number 12345)"},
		"both":                       {given: []string{"project", "project/.sectile.yaml"}, want: "number 12345"},
		"link":                       {links: map[string]string{"project/.sectile.yaml": "docs/a.yaml"}, given: []string{"project/.sectile.yaml"}, want: "a link on the way"},
		"file behind a link":         {links: map[string]string{"project/.sectile.yaml": "docs/a.yaml"}, given: []string{"project/docs/a.yaml"}, want: "it belongs"},
		"folder behind a link":       {links: map[string]string{"project/.sectile.yaml": "docs/a.yaml"}, given: []string{"project/docs"}, want: "a folder on the way"},
		"own link":                   {links: map[string]string{"project/.sectile.yaml": "docs/a.yaml"}},
		"link to nothing":            {links: map[string]string{"project/.sectile.yaml": "gone"}, given: []string{"project/.sectile.yaml"}, want: "a link on the way"},
		"folder above":               {given: []string{"."}},
		"caller of sudo":             {given: []string{"project", "project/.sectile.yaml"}, sudo: "12345"},
		"other caller of sudo":       {given: []string{"project"}, sudo: "12346", want: "number 12345"},
		"trusted":                    {given: []string{"project", "project/.sectile.yaml"}, user: "trust: {folders: [DIR]}\n"},
		"trusted with all":           {given: []string{"project", "project/.sectile.yaml"}, user: "trust: {folders: ['*']}\n"},
		"trusted by another name":    {given: []string{"project"}, links: map[string]string{"name": "project"}, user: "trust: {folders: [DIR/../name]}\n", want: "must not contain .."},
		"trusted by a link":          {given: []string{"project"}, links: map[string]string{"docs": "project"}, user: "trust: {folders: [DIRS]}\n"},
		"above is trusted":           {given: []string{"project"}, user: "trust: {folders: [ABOVE]}\n", want: "add DIR to trust.folders"},
		"below is trusted":           {given: []string{"project"}, user: "trust: {folders: [DIR/docs]}\n", want: "number 12345"},
		"trusted for its repository": {given: []string{"project"}, user: "trust: {repositories: [DIR]}\n", want: "number 12345"},
		"trusted by a broken file":   {given: []string{"project"}, user: "trust: {folders: [DIR}\n", want: "config.yaml of the user:1"},
		"trusts itself":              {given: []string{"project"}, want: "add this line to your own sectile/config.yaml: trust: {folders: [DIR]}"},
		"others' user file":          {given: []string{"config.yaml"}, user: "guide: {max_files: 1}\n", want: "config.yaml of the user: it belongs to another user"},
		"others' trust":              {given: []string{"config.yaml", "project"}, user: "trust: {folders: [DIR]}\n", want: "config.yaml of the user: it belongs to another user"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{"project/docs/a.yaml": docsText, "project/docs/a.md": "# A\n", "project/.sectile.yaml": docsText}
			if test.links["project/.sectile.yaml"] != "" {
				delete(texts, "project/.sectile.yaml")
			}
			dir := tree(t, texts)
			project := filepath.Join(dir, "project")
			named := strings.NewReplacer("DIRS", filepath.Join(dir, "docs"), "DIR", project, "ABOVE", dir)
			write(t, filepath.Join(dir, "config.yaml"), false, named.Replace(test.user))
			for link, target := range test.links {
				if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			give(t, dir, test.given...)
			t.Setenv("SUDO_UID", test.sudo)
			for range 2 { // a parse that is kept is not obeyed for that
				got, err := load(t, filepath.Join(project, "docs"), filepath.Join(dir, "config.yaml"))
				switch {
				case test.want == "" && (err != nil || got.Category("docs") == nil):
					t.Errorf("%+v, %v", got, err)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), named.Replace(test.want))):
					t.Errorf("%v, want %s", err, named.Replace(test.want))
				}
			}
		})
	}
}

// TestOwnersLine does what an error says, for a folder of any name.
func TestOwnersLine(t *testing.T) {
	needsRoot(t)
	for _, name := range []string{"project", "a: b, [c] #d", "it's", `"x"`, "*", "über uns", "a{b}", "~", "- a", `back\slash`} {
		dir := tree(t, map[string]string{name + "/.sectile.yaml": docsText})
		give(t, dir, name)
		_, err := load(t, filepath.Join(dir, name), "-")
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok {
			t.Errorf("%q: %v", name, err)
			continue
		}
		_, line, _ := strings.Cut(e.Hint, "sectile/config.yaml: ")
		write(t, filepath.Join(dir, "config.yaml"), false, line+"\n")
		if got, err := load(t, filepath.Join(dir, name), filepath.Join(dir, "config.yaml")); err != nil || got.Category("docs") == nil {
			t.Errorf("%q with %s: %v", name, line, err)
		}
	}
}

// TestOwnersOfNothing obeys nothing where others have a repository and no configuration,
// and so has nothing to refuse.
func TestOwnersOfNothing(t *testing.T) {
	needsRoot(t)
	dir := tree(t, map[string]string{".git/HEAD": ""})
	give(t, dir, ".", ".git")
	if got, err := load(t, dir, "-"); err != nil || got.HasFile || got.Root != dir {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestOwnersOfMarks finds no project by the repository that another user has left in a folder
// which everybody may write to, and none is lost where users work in each other's.
func TestOwnersOfMarks(t *testing.T) {
	needsRoot(t)
	for name, test := range map[string]struct {
		given []string
		mode  os.FileMode
		user  string // DIR stands for the folder
		above bool   // the project is found further up
	}{
		"left in a folder of everybody": {given: []string{"shared/MARK"}, mode: 0o777 | os.ModeSticky, above: true},
		"left where all may remove it":  {given: []string{"shared/MARK"}, mode: 0o777, above: true},
		"left above another's folder":   {given: []string{"shared/MARK", "shared/mine"}, mode: 0o777, above: true},
		"the user's":                    {given: []string{"shared"}, mode: 0o777 | os.ModeSticky},
		"the folder's owner's":          {given: []string{"shared", "shared/MARK"}, mode: 0o777},
		"in a folder of the user":       {given: []string{"shared/MARK"}, mode: 0o775},
		"trusted":                       {given: []string{"shared/MARK"}, mode: 0o777, user: "trust: {folders: [DIR]}\n"},
		"trusted with all":              {given: []string{"shared/MARK"}, mode: 0o777, user: "trust: {folders: ['*']}\n"},
		"not trusted by a broken file":  {given: []string{"shared/MARK"}, mode: 0o777, user: "trust: {folders: [DIR}\n", above: true},
	} {
		for _, mark := range []string{".git", ".jj"} {
			dir := tree(t, map[string]string{".git/HEAD": "", "shared/" + mark + "/x": "", "shared/mine/a.md": ""})
			shared := filepath.Join(dir, "shared")
			write(t, filepath.Join(dir, "config.yaml"), false, strings.ReplaceAll(test.user, "DIR", shared))
			for _, path := range test.given {
				give(t, dir, strings.ReplaceAll(path, "MARK", mark))
			}
			if err := os.Chmod(shared, test.mode); err != nil {
				t.Fatal(err)
			}
			want := shared
			if test.above {
				want = dir
			}
			l := NewLoader(LoadOptions{Start: filepath.Join(shared, "mine"), UserFile: filepath.Join(dir, "config.yaml")})
			if got := l.ProjectRoot(); got != want {
				t.Errorf("%s, %s: %s, want %s", name, mark, got, want)
			}
			if got, err := l.Load(t.Context()); err == nil && got.Root != want {
				t.Errorf("%s, %s: loaded at %s, want %s", name, mark, got.Root, want)
			}
		}
	}
}

// TestOwnersOfDialects takes the dialect of anchors from the file that is obeyed, if only one is.
func TestOwnersOfDialects(t *testing.T) {
	needsRoot(t)
	const mkdocs, gitlab = "links: {dialect: mkdocs}\n", "links: {dialect: gitlab}\n"
	for name, test := range map[string]struct {
		given         string
		project, user string
		mode          os.FileMode // of the project's folder, 0 for the user's alone
		want          string      // empty for the usual
		refused       bool
	}{
		"another's project":                       {given: "project/.sectile.yaml", project: gitlab, user: mkdocs, want: "mkdocs"},
		"another's project without links":         {given: "project/.sectile.yaml", project: "categories: {}\n", user: mkdocs, want: "mkdocs"},
		"another's broken project":                {given: "project/.sectile.yaml", project: "garbage: [", user: mkdocs, want: "mkdocs"},
		"another's folder":                        {given: "project", project: gitlab, user: mkdocs, want: "mkdocs"},
		"another's project, nothing of the user":  {given: "project/.sectile.yaml", project: gitlab},
		"another's project, wrong word of user's": {given: "project/.sectile.yaml", project: gitlab, user: "links: {dialect: x}\n", refused: true},
		"left in a folder of everybody":           {given: "project/.sectile.yaml", mode: 0o777, project: gitlab, user: "journal: {days: 1}\n", want: "obsidian"},
		"another's project that is trusted":       {given: "project/.sectile.yaml", project: gitlab, user: mkdocs + "trust: {folders: ['*']}\n", want: "gitlab"},
		"own project with a wrong collection":     {project: gitlab + "collections: {start: [none]}\n", refused: true},
		"another's user file":                     {given: "config.yaml", project: gitlab, user: mkdocs, want: "gitlab"},
		"another's user file, wrong project":      {given: "config.yaml", project: gitlab + "x: 1\n", user: mkdocs, refused: true},
		"another's user file, nothing of project": {given: "config.yaml", project: "categories: {}\n", user: mkdocs},
	} {
		dir := tree(t, map[string]string{".sectile.yaml": "links: {dialect: obsidian}\n", "project/.sectile.yaml": test.project, "config.yaml": test.user})
		if test.given != "" {
			give(t, dir, test.given)
		}
		if test.mode != 0 {
			if err := os.Chmod(filepath.Join(dir, "project"), test.mode); err != nil {
				t.Fatal(err)
			}
		}
		l := NewLoader(LoadOptions{Start: filepath.Join(dir, "project"), UserFile: filepath.Join(dir, "config.yaml")})
		if got, err := l.Dialect(t.Context()); got != test.want || (err != nil) != test.refused {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestOwnersOfLinks finds links without a file of somebody else's that makes no project, and is
// refused where it may be meant.
func TestOwnersOfLinks(t *testing.T) {
	needsRoot(t)
	const docs, site = "links: {root: docs}\n", "links: {root: site}\n"
	for name, test := range map[string]struct {
		given         string
		repository    bool        // there is a .git in the project's folder
		mode          os.FileMode // of the project's folder
		project, user string
		root          string // of the project, below the test's folder
		want          string // links.root; "refused" for an error
	}{
		"own":                                  {mode: 0o777, project: docs, user: site, root: "project", want: "docs"},
		"left in a folder of everybody":        {given: "project/.sectile.yaml", mode: 0o777 | os.ModeSticky, project: docs, want: "above"},
		"left, and the user's own":             {given: "project/.sectile.yaml", mode: 0o777, project: docs, user: "journal: {days: 1}\n", want: "above"},
		"left, broken":                         {given: "project/.sectile.yaml", mode: 0o777, project: "garbage: [", want: "above"},
		"left, and the user's is wrong":        {given: "project/.sectile.yaml", mode: 0o777, project: docs, user: "x: 1\n", want: "refused"},
		"left, and trusted":                    {given: "project/.sectile.yaml", mode: 0o777, project: docs, user: "trust: {folders: ['*']}\n", root: "project", want: "docs"},
		"left beside an own repository":        {given: "project/.sectile.yaml", repository: true, mode: 0o777, project: docs, root: "project"},
		"in a folder of the user":              {given: "project/.sectile.yaml", mode: 0o775, project: docs, want: "refused"},
		"another's folder":                     {given: "project", mode: 0o755, project: docs, want: "refused"},
		"another's folder, of everybody":       {given: "project", mode: 0o777, project: docs, want: "refused"},
		"another's user file":                  {given: "config.yaml", mode: 0o755, project: docs, user: site, root: "project", want: "docs"},
		"another's user file sets none":        {given: "config.yaml", mode: 0o755, project: "categories: {}\n", user: site, root: "project"},
		"another's user file, and it is wrong": {given: "config.yaml", mode: 0o755, project: "x: 1\n", user: site, want: "refused"},
	} {
		dir := tree(t, map[string]string{".sectile.yaml": "links: {root: above}\n", "project/.sectile.yaml": test.project, "project/mine/a.md": "", "config.yaml": test.user})
		if test.given != "" {
			give(t, dir, test.given)
		}
		if test.repository {
			if err := os.Mkdir(filepath.Join(dir, "project", ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Join(dir, "project"), test.mode); err != nil {
			t.Fatal(err)
		}
		l := NewLoader(LoadOptions{Start: filepath.Join(dir, "project", "mine"), UserFile: filepath.Join(dir, "config.yaml")})
		root, got, err := l.LoadLinks(t.Context())
		switch {
		case test.want == "refused" && err == nil, test.want != "refused" && (err != nil || got.Root != test.want || root != filepath.Join(dir, test.root)):
			t.Errorf("%s: %s, %+v, %v", name, root, got, err)
		}
	}
}

// TestOwnersOfChanges changes nothing for others, and the user's own file wherever.
func TestOwnersOfChanges(t *testing.T) {
	needsRoot(t)
	for _, given := range [][]string{{"project"}, {"project/.sectile.yaml"}} {
		dir := tree(t, map[string]string{"project/.sectile.yaml": docsText, "config.yaml": "# mine\n"})
		give(t, dir, given...)
		l := NewLoader(LoadOptions{Start: filepath.Join(dir, "project"), UserFile: filepath.Join(dir, "config.yaml")})
		added := AddCategory{Category{Name: "x", Dir: "x"}}
		if _, err := l.Change(t.Context(), Project, added); codeOf(err) != fileerror.NotOwned || !strings.Contains(err.Error(), "trust: {folders: [") {
			t.Errorf("%v: %v", given, err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "project", Name)); err != nil || string(text) != docsText {
			t.Errorf("%v: %q, %v", given, text, err)
		}
		added.Dir = "~/x"
		if _, err := l.Change(t.Context(), User, added); err != nil {
			t.Errorf("%v: %v", given, err)
		}
	}
	dir := tree(t, map[string]string{"project/": ""})
	give(t, dir, "project")
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "project"), UserFile: "-"})
	if l.ProjectRoot() != "" {
		t.Skip("the folder of temporary files lies in a project")
	}
	if err := l.Create(t.Context(), Project, []byte(docsText)); codeOf(err) != fileerror.NotOwned {
		t.Errorf("made for others: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "project")); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestOwnersSwapped has another user swap the file for theirs and back while it is
// loaded: theirs is never obeyed, whenever the owner is looked at.
func TestOwnersSwapped(t *testing.T) {
	needsRoot(t)
	dir := tree(t, map[string]string{"project/.sectile.yaml": docsText, "mine": docsText, "theirs": "categories: {evil: {dir: .}}\n"})
	give(t, dir, "theirs")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			temp := filepath.Join(dir, "temp")
			_ = os.Link(filepath.Join(dir, []string{"mine", "theirs"}[i%2]), temp)
			_ = os.Rename(temp, filepath.Join(dir, "project", Name))
			_ = os.Remove(temp)
		}
	})
	defer swapping.Wait()
	defer close(stop)
	l := NewLoader(LoadOptions{Start: filepath.Join(dir, "project"), UserFile: "-"})
	obeyed, refused := 0, 0
	for i := 0; i < 2000 || i < 1_000_000 && (obeyed == 0 || refused == 0); i++ {
		got, err := l.Load(t.Context())
		switch {
		case err == nil && got.Category("evil") != nil:
			t.Fatal("theirs is obeyed")
		case err == nil:
			obeyed++
		case codeOf(err) == fileerror.NotOwned:
			refused++
		}
	}
	if obeyed == 0 || refused == 0 {
		t.Errorf("%d obeyed, %d refused", obeyed, refused)
	}
}
