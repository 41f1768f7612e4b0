package guide

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
)

// TestDiscoverRest counts what there is no room for as it would be counted if there
// were: a link to a folder is no file.
func TestDiscoverRest(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a.md", "b.md", "d/x", "g.md.mustache", "h.md.mustache", "m.md", "m.md.mustache", "y.mustache.mustache")
	linkTo(t, dir, map[string]string{
		"c.md": "d", "e.md": "a.md", "f.md": "nowhere", "g.md": "d", "i.md.mustache": "d", "j.md.mustache": "h.md.mustache",
		"k.md": "d", "k.md.mustache": "d", "n.md.mustache": "nowhere", "p.md.mustache": "d", "z1.md": "d", "z2.md": "d",
	})
	special := files.Entry{Type: fs.ModeNamedPipe}
	for _, content := range []bool{true, false} {
		request := Request{Dir: dir, Patterns: patterns(t, "*"), Content: content}
		s := spy{listing: func(_ string, entries []files.Entry) ([]files.Entry, error) {
			for _, name := range []string{"o.md", "p.md", "h.md", "q.md.mustache"} {
				special.Name = name
				entries = append(entries, special)
			}
			return append(entries, files.Entry{Name: "w\xff"}), nil
		}}
		whole := s.discover(t, request)
		if whole.Matched != len(whole.Files)+len(whole.Skipped) || whole.Truncated || len(whole.Files) != 7 {
			t.Errorf("%d of %d files: %+v", len(whole.Files), whole.Matched, whole)
		}
		for request.MaxFiles = range len(whole.Files) + 2 {
			if request.MaxFiles == 0 {
				continue
			}
			found := s.discover(t, request)
			rest := found.Matched - len(found.Files) - len(found.Skipped)
			if found.Matched != whole.Matched || found.Truncated != (rest > 0) {
				t.Errorf("with room for %d, %d of %d match, truncated %v with %d more", request.MaxFiles, found.Matched, whole.Matched, found.Truncated, rest)
			}
		}
	}
	found, err := Discover(t.Context(), Request{Dir: dir, Patterns: patterns(t, "{b,c,z?}.md"), MaxFiles: 1})
	if err != nil || found.Matched != 1 || found.Truncated {
		t.Errorf("%d match, truncated %v, %v: only links to folders are left", found.Matched, found.Truncated, err)
	}
}

// TestDiscoverRestOpens looks at links alone among what there is no room for, and at
// none when the context has ended.
func TestDiscoverRestOpens(t *testing.T) {
	dir := t.TempDir()
	shelve(t, dir, "a", "d/")
	s := spy{listing: func(_ string, entries []files.Entry) ([]files.Entry, error) {
		for i := range 20_000 {
			entries = append(entries, files.Entry{Name: fmt.Sprintf("b%06d", i)}, files.Entry{Name: fmt.Sprintf("c%06d.mustache", i)})
		}
		return append(entries, files.Entry{Name: "l1", Type: fs.ModeSymlink}, files.Entry{Name: "l2.mustache", Type: fs.ModeSymlink}), nil
	}}
	r := Request{Dir: dir, Patterns: patterns(t, "*"), MaxFiles: 1, Names: true}
	if found := s.discover(t, r); found.Matched != 40_003 || !found.Truncated || strings.Join(s.opened, " ") != "/ l1 l2.mustache" {
		t.Errorf("%d match, opened %.200q", found.Matched, s.opened)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.opened, s.before = nil, func(string) error { cancel(); return nil }
	if _, err := discover(ctx, r, s.open); !errors.Is(err, context.Canceled) || len(s.opened) != 2 {
		t.Errorf("%v, opened %q", err, s.opened)
	}
}

// TestCountLinks counts no link to a folder.
func TestCountLinks(t *testing.T) {
	c := project(t, map[string]string{"docs/a.md": "a", "docs/b.md": "b", "docs/sub/x": "x"}, category("docs", "docs", "*"))
	linkTo(t, filepath.Join(c.Root, "docs"), map[string]string{"c.md": "a.md", "e": "sub", "f": "sub"})
	n, err := Count(t.Context(), c, "docs", Options{})
	if n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	c.Guide.MaxFiles = 3
	reply, err := Serve(t.Context(), c, "docs", "", Options{Content: true})
	if err != nil || reply.Matched != 3 || reply.Truncated {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestDiscoverOneWayOut names one way out where the folder can't be opened or listed,
// not that for whoever names a file.
func TestDiscoverOneWayOut(t *testing.T) {
	fails := &fileerror.Error{Code: fileerror.PathOutsideRoot, Reason: "it leads elsewhere", Hint: "name a file inside"}
	r := Request{Dir: t.TempDir(), Patterns: patterns(t, "*")}
	s := spy{listing: func(string, []files.Entry) ([]files.Entry, error) { return nil, fails }}
	for _, open := range []opener{s.open, func(*files.Roots, string, string) (root, error) { return nil, fails }} {
		for _, r.Within = range []string{"", r.Dir} {
			_, err := discover(t.Context(), r, open)
			if e, ok := errors.AsType[*Error](err); !ok || strings.Contains(e.Message, "name a file") {
				t.Errorf("within %q: %v", r.Within, err)
			}
		}
	}
}

// TestVarsAreText makes a text of the name of a folder that is none.
func TestVarsAreText(t *testing.T) {
	c := &config.Loaded{Root: filepath.FromSlash("/p\xfe/w\xff")}
	docs := category("docs", "docs")
	project, _ := vars(c, &docs, "")["project"].(map[string]any)
	if project["name"] != "w\uFFFD" || project["root"] != filepath.FromSlash("/p\uFFFD/w\uFFFD") {
		t.Errorf("%q", project)
	}
}
