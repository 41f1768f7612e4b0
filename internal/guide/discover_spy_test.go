package guide

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sectile/sectile/internal/files"
)

// spy opens folders as Discover does and keeps what was opened.
type spy struct {
	opened []string // paths of folders, with a slash after them, and of files
	limits []int64  // those of files that were read
	// What is done to the listing of a folder, and before a file is looked at; nil for
	// nothing. An error of the second is that of the file.
	listing func(path string, entries []files.Entry) ([]files.Entry, error)
	before  func(path string) error
}

func (s *spy) open(roots *files.Roots, dir, within string) (root, error) {
	s.opened = append(s.opened, "/")
	top, err := openRoot(roots, dir, within)
	if err != nil {
		return nil, err
	}
	return spiedRoot{spiedDirectory{top, "", s}, top}, nil
}

// discover is Discover through the spy.
func (s *spy) discover(tb testing.TB, r Request) *Found {
	tb.Helper()
	found, err := discover(tb.Context(), r, s.open)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// shuffle lists every folder in another order.
func (s *spy) shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	s.listing = func(_ string, entries []files.Entry) ([]files.Entry, error) {
		r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		return entries, nil
	}
}

type spiedDirectory struct {
	directory
	path string
	spy  *spy
}

func (d spiedDirectory) entries(ctx context.Context) ([]files.Entry, error) {
	entries, err := d.directory.entries(ctx)
	if err == nil && d.spy.listing != nil {
		return d.spy.listing(d.path, entries)
	}
	return entries, err
}

func (d spiedDirectory) enter(name string) (directory, error) {
	path := d.path + name + "/"
	d.spy.opened = append(d.spy.opened, path)
	next, err := d.directory.enter(name)
	if err != nil {
		return nil, err
	}
	return spiedDirectory{next, path, d.spy}, nil
}

type spiedRoot struct {
	spiedDirectory
	root root
}

func (r spiedRoot) stat(path string) (info, error) {
	if err := r.spy.look(path); err != nil {
		return info{}, err
	}
	return r.root.stat(path)
}

func (r spiedRoot) read(path string, limit int64) ([]byte, info, error) {
	if err := r.spy.look(path); err != nil {
		return nil, info{}, err
	}
	r.spy.limits = append(r.spy.limits, limit)
	return r.root.read(path, limit)
}

func (s *spy) look(path string) error {
	s.opened = append(s.opened, path)
	if s.before == nil {
		return nil
	}
	return s.before(path)
}

// put makes files; those whose path ends in a slash are folders.
func put(tb testing.TB, dir string, texts map[string]string) {
	tb.Helper()
	for path, text := range texts {
		at := filepath.Join(dir, filepath.FromSlash(path))
		if path[len(path)-1] == '/' {
			if err := os.MkdirAll(at, 0o750); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// shelve makes files that have their paths for text.
func shelve(tb testing.TB, dir string, paths ...string) {
	tb.Helper()
	texts := map[string]string{}
	for _, path := range paths {
		texts[path] = path
	}
	put(tb, dir, texts)
}

// linkTo makes links, by name and target.
func linkTo(tb testing.TB, dir string, links map[string]string) {
	tb.Helper()
	if runtime.GOOS == "windows" {
		tb.Skip("links need a right on Windows")
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			tb.Fatal(err)
		}
	}
}

// pathsOf returns the paths of what was found; of templates with a mark after.
func pathsOf(found *Found) []string {
	var paths []string
	for i := range found.Files {
		path := found.Files[i].Path
		if found.Files[i].Template {
			path += " (template)"
		}
		paths = append(paths, path)
	}
	return paths
}

// skippedOf returns what was skipped, as PATH: REASON.
func skippedOf(found *Found) []string {
	var list []string
	for _, s := range found.Skipped {
		list = append(list, s.Path+": "+s.Reason)
	}
	return list
}
