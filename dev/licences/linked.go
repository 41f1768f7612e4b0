package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	program = "./cmd/sectile"
	self    = "github.com/sectile/sectile"
)

// systems are those that the program is built for.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// module is a module that something is made of.
type module struct {
	Path, Version, Dir string

	Files []file // with licences and notices
}

// file is one of a module's files with a licence or a notice.
type file struct {
	Name string // relative to the module
	Text []byte
	IDs  []string // of the licences in it, by SPDX; none for a notice
}

// goPackage is what go list says of a package.
type goPackage struct {
	Dir      string
	Standard bool
	Module   *module
}

// finding gathers the modules of packages.
type finding struct {
	modules map[string]*module // by their paths
	folders map[string]bool    // that were looked through
}

func newFinding() *finding {
	return &finding{modules: map[string]*module{}, folders: map[string]bool{}}
}

// add adds the modules of packages, but for our own and Go's standard library.
func (f *finding) add(packages []goPackage) error {
	for _, p := range packages {
		if p.Standard || p.Module == nil || p.Module.Path == self || strings.HasPrefix(p.Module.Path, self+"/") {
			continue
		}
		m := f.modules[p.Module.Path]
		if m == nil {
			m = p.Module
			f.modules[m.Path] = m
		}
		if err := m.collect(p.Dir, f.folders); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the modules by their paths.
func (f *finding) sorted() []*module {
	return slices.SortedFunc(maps.Values(f.modules), func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
}

// linked returns the modules of the packages that the program is made of, with Go's
// standard library at the end.
func linked() ([]*module, error) {
	found := newFinding()
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		packages, err := list(".", []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, program)
		if err != nil {
			return nil, fmt.Errorf("for %s: %w", system, err)
		}
		if err := found.add(packages); err != nil {
			return nil, err
		}
	}
	root, err := goRoot()
	if err != nil {
		return nil, err
	}
	// Without its version, which is that of whoever builds.
	library := &module{Path: "Go's standard library", Dir: root}
	return append(found.sorted(), library), library.collect(root, found.folders)
}

// list returns the packages that those which are named are made of.
func list(dir string, env []string, names ...string) ([]goPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Standard,Module"}, names...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("go list in %s: %w", dir, err)
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		packages = append(packages, p)
	}
}

// goRoot returns the folder of Go itself.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// legal finds the names of files with licences and notices.
var legal = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice)([-_.].*)?$`)

// collect reads the files with licences in a folder of the module and in those above it,
// up to the module's own: a folder may have come from elsewhere, with a licence of its
// own.
func (m *module) collect(dir string, done map[string]bool) error {
	for ; !done[dir]; dir = filepath.Dir(dir) {
		done[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || !legal.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			path := filepath.Join(dir, e.Name())
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(m.Dir, path)
			if err != nil {
				return err
			}
			m.Files = append(m.Files, file{Name: filepath.ToSlash(name), Text: text})
		}
		if dir == m.Dir {
			break
		}
	}
	slices.SortFunc(m.Files, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
	return nil
}
