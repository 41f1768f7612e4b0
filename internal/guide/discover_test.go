package guide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// TestDiscover finds files in one tree, which is listed in several orders: the result
// is the same.
func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir,
		"a.md", "b.md", "c.txt", "B.md", "sub/x.md", "sub-2/y.md", "sub.md/w.md", "sub/z.txt", "sub/deep/er/v.md",
		"both.md", "both.md.mustache", "only.md.mustache", "sub/only.txt.mustache", "folder.md/in.md", "folder.md.mustache",
		"intro", "intro.md", "setup.md", "setup.txt", "tpl.mustache", "tpl.md", "named/", "named.md", "named.md.bak",
		"sub/intro.md", "é.md", "twice.md.mustache.mustache", ".mustache",
		".hidden/h.md", ".sectile", "sub/.draft.md", ".config/deep/c.md", ".git/g.md", "sub/.git/g.md", ".jj/j.md", ".GIT/g.md", "sub/.gitignore",
	)
	for _, tt := range []struct {
		name             string
		patterns, filter string // separated by blanks
		want             string
		skipped          string
	}{
		{name: "none"},
		{name: "one", patterns: "a.md", want: "a.md"},
		{name: "one component", patterns: "*.md", want: "B.md a.md b.md both.md folder.md(t) intro.md named.md only.md(t) setup.md tpl.md é.md"},
		{name: "order of whole paths", patterns: "sub*/**/*.md", want: "sub-2/y.md sub.md/w.md sub/deep/er/v.md sub/intro.md sub/x.md"},
		{name: "patterns in turn", patterns: "b.md *.txt a.md", want: "b.md c.txt setup.txt a.md"},
		{name: "a file comes once", patterns: "b.md ?.md a.md", want: "b.md B.md a.md é.md"},
		{name: "braces in order of paths", patterns: "{b,a}.md", want: "a.md b.md"},
		{name: "folders", patterns: "sub/**", want: "sub/deep/er/v.md sub/intro.md sub/only.txt(t) sub/x.md sub/z.txt"},
		{name: "a folder is no file", patterns: "sub", want: ""},
		{name: "a folder by pattern", patterns: "su?", want: ""},

		{name: "plain wins", patterns: "both.md", want: "both.md"},
		{name: "plain wins by any pattern", patterns: "both*", want: "both.md"},
		{name: "a template", patterns: "only.md", want: "only.md(t)"},
		{name: "a template by pattern", patterns: "sub/*.txt", want: "sub/only.txt(t) sub/z.txt"},
		{name: "a template beside a folder", patterns: "folder.md", want: "folder.md(t)"},
		{name: "a folder like a file", patterns: "folder.md/*", want: "folder.md/in.md"},
		{name: "twice a template", patterns: "twice*", skipped: "twice.md.mustache: template"},
		{name: "nothing but the suffix", patterns: ".*", want: ""},

		{name: "bare, exact", patterns: "intro", want: "intro"},
		{name: "bare, extended", patterns: "setup", want: "setup.md setup.txt"},
		{name: "bare, a template is exact", patterns: "tpl", want: "tpl(t)"},
		{name: "bare, a folder is not", patterns: "named", want: "named.md named.md.bak"},
		{name: "bare in folders", patterns: "sub/intro", want: "sub/intro.md"},
		{name: "bare anywhere", patterns: "**/intro", want: "intro"},
		{name: "bare anywhere, extended", patterns: "**/x", want: "sub/x.md"},
		{name: "bare, taken before", patterns: "intro **/intro", want: "intro"},
		{name: "bare, exact is taken by another", patterns: "i* intro", want: "intro intro.md"},
		{name: "bare, exact, and another pattern", patterns: "intro *.md", want: "intro B.md a.md b.md both.md folder.md(t) intro.md named.md only.md(t) setup.md tpl.md é.md"},
		{name: "bare and extended twice", patterns: "setup {setup,a}.md", want: "setup.md setup.txt a.md"},
		{name: "several bare", patterns: "intro setup tpl nope", want: "intro setup.md setup.txt tpl(t)"},
		{name: "bare of nothing", patterns: "nope", want: ""},
		{name: "bare of a hidden file", patterns: "sub/.draft", want: ""},

		{name: "hidden", patterns: ".sectile", want: ".sectile"},
		{name: "hidden in folders", patterns: "**/.draft.md", want: "sub/.draft.md"},
		{name: "hidden folder", patterns: ".hidden/*", want: ".hidden/h.md"},
		{name: "hidden by pattern", patterns: ".h*/* .??? **/.*", want: ""},
		{name: "below a hidden folder", patterns: ".config/**", want: ".config/deep/c.md"},
		{name: "not everything of git is git's", patterns: "sub/.gitignore", want: "sub/.gitignore"},
		{name: "git", patterns: ".git/** .git/g.md **/.git/* .jj/* .GIT/* .git .jj", want: ""},

		{name: "filter", patterns: "**/*.md", filter: "sub/**", want: "sub/deep/er/v.md sub/intro.md sub/x.md"},
		{name: "filters", patterns: "**", filter: "sub*/** **/[x-y].*", want: "sub-2/y.md sub/x.md"},
		{name: "filter that is bare", patterns: "**", filter: "**/setup", want: "setup.md setup.txt"},
		{name: "filter that is bare and exact", patterns: "*", filter: "intro", want: "intro"},
		{name: "filter and pattern are bare", patterns: "setup", filter: "{setup,x}.*", want: "setup.md setup.txt"},
		{name: "filter of what is exact elsewhere", patterns: "*.md", filter: "intro", want: ""},
		{name: "filter, hidden", patterns: ".hidden/**", filter: "**", want: ""},
		{name: "filter, hidden in both", patterns: ".hidden/**", filter: "**/.hidden/*", want: ".hidden/h.md"},
		{name: "filter of nothing", patterns: "**", filter: "nope/**", want: ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(3) {
				var s spy
				s.shuffle(seed)
				found := s.discover(t, Request{
					Dir: dir, Content: true,
					Patterns: patterns(t, strings.Fields(tt.patterns)...), Filter: patterns(t, strings.Fields(tt.filter)...),
				})
				got := strings.ReplaceAll(strings.Join(pathsOf(found), " "), " (template)", "(t)")
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Fatalf("-want +got:\n%s", diff)
				}
				if diff := cmp.Diff(tt.skipped, strings.Join(skippedOf(found), " ")); diff != "" {
					t.Errorf("skipped, -want +got:\n%s", diff)
				}
				if found.Matched != len(found.Files)+len(found.Skipped) || found.Truncated || found.NoFolder {
					t.Errorf("%+v", found)
				}
				for _, f := range found.Files {
					from := f.Path
					if f.Template {
						from += ".mustache"
					}
					if string(f.Content) != from || f.Basename != path.Base(f.Path) || f.Size != int64(len(from)) || f.Modified.IsZero() {
						t.Errorf("%+v", f)
					}
				}
			}
		})
	}
}

// TestDiscoverOrder compares the order with that of sorted paths, in trees with names
// that sort otherwise as parts of paths.
func TestDiscoverOrder(t *testing.T) {
	dir := t.TempDir()
	var want []string
	names := []string{"a", "a-b", "a.b", "a b", "a!", "ab", "a\x01", "a~", "B", "é"}
	for _, one := range names {
		for _, two := range names {
			for _, three := range []string{"x", "a", "a-b", "a.mustache"} {
				at := one + "1/" + two + "/" + three
				shelve(t, dir, at)
				want = append(want, strings.TrimSuffix(at, ".mustache"))
			}
		}
		shelve(t, dir, one)
		want = append(want, one)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	for seed := range uint64(5) {
		var s spy
		s.shuffle(seed)
		found := s.discover(t, Request{Dir: dir, Patterns: patterns(t, "**"), MaxFiles: 1000})
		var got []string
		for i := range found.Files {
			got = append(got, found.Files[i].Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}

// TestDiscoverOpens looks at what is opened: folders in which something can match, and
// the files that are returned.
func TestDiscoverOpens(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a.md", "b.md", "docs/a.md", "docs/b.md", "docs/deep/c.md", "src/d.md", "src/.x/e.md", ".git/f.md", "z/docs/g.md")
	for _, tt := range []struct {
		patterns, filter string
		maxFiles         int
		content          bool
		want             string
	}{
		{"*.md", "", 0, true, "/ a.md b.md"},
		{"*.md", "", 0, false, "/ a.md b.md"},
		{"*.md", "", 1, true, "/ a.md"},
		{"docs/*", "", 0, true, "/ docs/ docs/a.md docs/b.md"},
		{"docs/**/c.md", "", 0, true, "/ docs/ docs/deep/ docs/deep/c.md"},
		{"{docs,z/docs}/[bg].md", "", 0, true, "/ docs/ z/ z/docs/ docs/b.md z/docs/g.md"},
		{"**/g.md", "z/**", 0, true, "/ z/ z/docs/ z/docs/g.md"},
		{"docs/**", "src/**", 0, true, "/"},
		{"", "**", 0, true, "/"},
		{"nope", "", 0, true, "/"},
		{"src/**", "", 0, true, "/ src/ src/d.md"},
		{"src/.x/*", "", 0, true, "/ src/ src/.x/ src/.x/e.md"},
		{".git/** **/.git/**", "", 0, true, "/ docs/ docs/deep/ src/ z/ z/docs/"},
	} {
		var s spy
		s.shuffle(1)
		s.discover(t, Request{
			Dir: dir, Content: tt.content, MaxFiles: tt.maxFiles,
			Patterns: patterns(t, strings.Fields(tt.patterns)...), Filter: patterns(t, strings.Fields(tt.filter)...),
		})
		if got := strings.Join(s.opened, " "); got != tt.want {
			t.Errorf("%s with %s opens %s, want %s", tt.patterns, tt.filter, got, tt.want)
		}
	}
	// Names alone are not looked at, unless they are those of links.
	linkTo(t, dir, map[string]string{"link.md": "a.md", "linked": "docs"})
	var s spy
	if found := s.discover(t, Request{Dir: dir, Patterns: patterns(t, "**"), Names: true}); len(found.Files) != 8 || len(s.opened) != 8 {
		t.Errorf("%d files, opened %q", len(found.Files), s.opened)
	}
}

func TestDiscoverLimits(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"1": "one", "2": "two two", "3": "three three three", "4": "", "5": "five!", "d/d/d/6": "six", "d/7": "7", "d/.e/e/e/8": "8", "x/y/z/w/": "",
	})
	for _, tt := range []struct {
		name      string
		request   Request
		patterns  string
		want      string
		skipped   string
		matched   int
		truncated bool
	}{
		{"files", Request{MaxFiles: 2}, "?", "1 2", "", 5, true},
		{"as many as there are", Request{MaxFiles: 5}, "?", "1 2 3 4 5", "", 5, false},
		{"over patterns", Request{MaxFiles: 2}, "5 ?", "5 1", "", 5, true},
		{"depth", Request{MaxDepth: 2}, "d/**", "d/7", "d/d/d: depth", 1, false},
		{"depth 1", Request{MaxDepth: 1}, "**/6", "", "d/d: depth x/y: depth", 0, false},
		{"just deep enough", Request{MaxDepth: 3}, "d/**", "d/7 d/d/d/6", "", 2, false},
		{"depth of no interest", Request{MaxDepth: 1}, "d/*", "d/7", "", 1, false},
		{"depth in a hidden folder", Request{MaxDepth: 1}, "d/.e/**", "", "d/.e: depth", 0, false},
		{"default depth", Request{}, "x/**", "", "", 0, false},
		{"bytes of a file", Request{MaxFileBytes: 7}, "?", "1 2 4 5", "3: too_large", 5, false},
		{"bytes of all", Request{MaxBytes: 9}, "?", "1 4 5", "2: too_large 3: too_large", 5, false},
		{"no byte left", Request{MaxBytes: 3}, "?", "1 4", "2: too_large 3: too_large 5: too_large", 5, false},
		{"a skipped file takes no place", Request{MaxBytes: 9, MaxFiles: 3}, "?", "1 4 5", "2: too_large 3: too_large", 5, false},
		{"and more follow", Request{MaxFileBytes: 4, MaxFiles: 2}, "?", "1 4", "2: too_large 3: too_large", 5, true},
	} {
		r := tt.request
		r.Dir, r.Content, r.Patterns = dir, true, patterns(t, strings.Fields(tt.patterns)...)
		found, err := Discover(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(pathsOf(found), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if got := strings.Join(skippedOf(found), " "); got != tt.skipped {
			t.Errorf("%s: skipped %s, want %s", tt.name, got, tt.skipped)
		}
		if found.Matched != tt.matched || found.Truncated != tt.truncated {
			t.Errorf("%s: %d match, truncated %v", tt.name, found.Matched, found.Truncated)
		}
	}
	// No more of a file is read than fits.
	var s spy
	s.shuffle(1)
	s.discover(t, Request{Dir: dir, Patterns: patterns(t, "?"), Content: true, MaxFileBytes: 7, MaxBytes: 9})
	if diff := cmp.Diff([]int64{7, 6, 6, 6, 6}, s.limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	// What is not read has no size that matters.
	found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "?"), MaxFileBytes: 1, MaxBytes: 1})
	if err != nil || len(found.Files) != 5 || found.Files[2].Size != 17 || found.Files[2].Content != nil {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDiscoverManyLeftOut ends when too many were opened for nothing.
func TestDiscoverManyLeftOut(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a", "z")
	s := spy{before: func(path string) error {
		if path != "z" {
			return &fileerror.Error{Code: fileerror.Permission}
		}
		return nil
	}}
	s.listing = func(_ string, entries []files.Entry) ([]files.Entry, error) {
		for i := range maxLeftOut - 1 {
			entries = append(entries, files.Entry{Name: fmt.Sprintf("b%06d", i)})
		}
		return entries, nil
	}
	r := Request{Dir: dir, Patterns: patterns(t, "**"), Content: true}
	found := s.discover(t, r)
	if len(found.Files) != 0 || !found.Truncated || found.Matched != maxLeftOut+1 || len(found.Skipped) != maxLeftOut {
		t.Errorf("%d files, %d of %d skipped, truncated %v", len(found.Files), len(found.Skipped), found.Matched, found.Truncated)
	}
	found, err := Discover(t.Context(), r)
	if err != nil || len(found.Files) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDiscoverFolder asks for folders that are none, and looks at the log.
func TestDiscoverFolder(t *testing.T) {
	base := t.TempDir()
	shelve(t, base, "project/docs/a.md", "project/file", "project/.git/b.md", "project/my docs/c.md", "else/d.md", "project/.config/app/e.md", "project/.config/app/.f.md", "next.js/docs/g.md")
	linkTo(t, base, map[string]string{
		"project/linked": "docs", "project/out": "../else", "project/absolute": base + "/project/docs", "project/git": ".git", "project/nowhere": "nope", "project/around": "docs/../../project/docs",
	})
	in := func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) }
	for _, tt := range []struct {
		dir, within string
		want        string // what is found, or the type of the error
		log         string
	}{
		{"project/docs", "project", "a.md", ""},
		{"project/docs", "", "a.md", ""},
		{"project/my docs", "project", "c.md", ""},
		{"project", "project", "docs/a.md file my docs/c.md", ""},
		{"next.js/docs", "next.js", "g.md", ""},
		{"project/.config/app", "project", "e.md", ""},
		{"project/.config", "project/.config", "app/e.md", ""},
		{"project/linked", "project", "a.md", ""},
		{"project/linked", "", "a.md", ""},
		{"project/out", "", "d.md", ""},
		{"project/absolute", "", "a.md", ""},
		{"project/out", "project", "io_error", ""},
		{"project/absolute", "project", "io_error", ""},
		{"project/around", "project", "io_error", ""},
		{"project/.git", "project", "io_error", ""},
		{"project/git", "project", "io_error", ""},
		{"project/.git", "", "io_error", ""},
		{"project/git", "", "io_error", ""},
		{"else", "project", "io_error", ""},
		{"project/nope", "project", "no folder", "nope"},
		{"project/nope", "", "no folder", "nope"},
		{"project/file", "project", "no folder", "file"},
		{"project/file", "", "no folder", "file"},
		{"project/file/x", "project", "no folder", "file/x"},
		{"project/file/x", "", "no folder", "x"},
		{"project/nowhere", "project", "no folder", "nowhere"},
		{"nope/docs", "nope", "no folder", "docs"},
	} {
		var log bytes.Buffer
		r := Request{Dir: in(tt.dir), Patterns: patterns(t, "**"), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
		if tt.within != "" {
			r.Within = in(tt.within)
		}
		found, err := Discover(t.Context(), r)
		got := ""
		if e, ok := errors.AsType[*Error](err); ok {
			got = string(e.Type)
			if strings.Contains(e.Message, base) {
				t.Errorf("%s in %s: a path of the host in %q", tt.dir, tt.within, e.Message)
			}
		} else if err != nil {
			t.Fatal(err)
		} else if got = strings.Join(pathsOf(found), " "); found.NoFolder {
			got += "no folder"
		}
		if got != tt.want {
			t.Errorf("%s in %s: %s, %v, want %s", tt.dir, tt.within, got, err, tt.want)
		}
		lines := strings.Count(log.String(), "\n")
		if (tt.log == "") != (lines == 0) || lines > 1 || !strings.Contains(log.String(), "folder="+tt.log+"\n") && tt.log != "" || strings.Contains(log.String(), base) {
			t.Errorf("%s in %s: the log is %q", tt.dir, tt.within, log.String())
		}
	}
}

// TestDiscoverRefuses asks for folders that can't be one by their names.
func TestDiscoverRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []Request{{Dir: ""}, {Dir: "docs"}, {Dir: "."}, {Dir: "../x"}, {Dir: dir, Within: "docs"}} {
		var s spy
		_, err := discover(t.Context(), r, s.open)
		if e, ok := errors.AsType[*Error](err); !ok || e.Type != ValidationError || strings.Contains(e.Message, "/tmp") && r.Within == "" || len(s.opened) > 0 {
			t.Errorf("%q in %q: %v, opened %q", r.Dir, r.Within, err, s.opened)
		}
	}
	// No match, and nothing in the log.
	var log bytes.Buffer
	found, err := Discover(t.Context(), Request{
		Dir: dir, Patterns: patterns(t, "*.md"), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil || found.Matched != 0 || found.NoFolder || log.Len() > 0 {
		t.Errorf("%+v, %v, log %q", found, err, log.String())
	}
}

// TestDiscoverContext ends before it begins, while folders are walked, and while files
// are read.
func TestDiscoverContext(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a/b/c.md", "d.md", "e.md")
	r := Request{Dir: dir, Patterns: patterns(t, "**"), Content: true}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s spy
	if _, err := discover(ctx, r, s.open); !errors.Is(err, context.Canceled) || len(s.opened) > 0 {
		t.Errorf("%v, opened %q", err, s.opened)
	}
	ctx, cancel = context.WithCancel(t.Context())
	s.listing = func(path string, e []files.Entry) ([]files.Entry, error) {
		if path == "a/" {
			cancel()
		}
		return e, nil
	}
	if _, err := discover(ctx, r, s.open); !errors.Is(err, context.Canceled) || len(s.opened) != 2 {
		t.Errorf("%v, opened %q", err, s.opened)
	}
	ctx, cancel = context.WithCancel(t.Context())
	s = spy{before: func(string) error { cancel(); return nil }}
	if _, err := discover(ctx, r, s.open); !errors.Is(err, context.Canceled) || len(s.opened) != 4 {
		t.Errorf("%v, opened %q", err, s.opened)
	}
}

// TestDiscoverFolderFails walks folders that can't be listed or are gone.
func TestDiscoverFolderFails(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a/x.md", "b/y.md", "c/z.md", "d/v.md", "e/w.md")
	var log bytes.Buffer
	s := spy{listing: func(path string, entries []files.Entry) ([]files.Entry, error) {
		switch path {
		case "a/":
			return nil, &fileerror.Error{Code: fileerror.Permission, Reason: "no"}
		case "c/":
			return entries, &fileerror.Error{Code: fileerror.IOError, Reason: "the disk is on fire; try again", Err: fs.ErrInvalid}
		case "b/":
			return entries, os.RemoveAll(filepath.Join(dir, "d"))
		}
		return entries, nil
	}}
	r := Request{Dir: dir, Patterns: patterns(t, "**"), Content: true, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	found := s.discover(t, r)
	if diff := cmp.Diff([]string{"b/y.md", "c/z.md", "e/w.md"}, pathsOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a: permission", "c: io_error", "d: missing"}, skippedOf(found)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if found.Skipped[1].Detail != "the disk is on fire; try again" || strings.Count(log.String(), "level=DEBUG") != 3 || found.Matched != 3 {
		t.Errorf("%+v\n%s", found, log.String())
	}
	s.listing = func(string, []files.Entry) ([]files.Entry, error) {
		return nil, &fileerror.Error{Code: fileerror.Permission, Reason: "permission denied; ask for the right to read it"}
	}
	_, err := discover(t.Context(), r, s.open)
	if e, ok := errors.AsType[*Error](err); !ok || e.Type != IOError || !strings.Contains(e.Message, "permission denied") {
		t.Error(err)
	}
	_, err = discover(t.Context(), r, func(*files.Roots, string, string) (root, error) { return nil, errors.New("/tmp/secret") })
	if e, ok := errors.AsType[*Error](err); !ok || e.Type != IOError || strings.Contains(e.Message, "secret") {
		t.Error(err)
	}
}
