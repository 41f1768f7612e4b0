package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// module is a module that is linked.
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

// linked returns the modules of the packages that the program is made of, with Go's
// standard library at the end.
func linked() ([]*module, error) {
	found := map[string]*module{}
	folders := map[string]bool{}
	for _, system := range systems {
		packages, err := packagesFor(system)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Standard || p.Module == nil || p.Module.Path == self {
				continue
			}
			m := found[p.Module.Path]
			if m == nil {
				m = p.Module
				found[m.Path] = m
			}
			if err := m.collect(p.Dir, folders); err != nil {
				return nil, err
			}
		}
	}
	var modules []*module
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	root, err := goRoot()
	if err != nil {
		return nil, err
	}
	// Without its version, which is that of whoever builds.
	library := &module{Path: "Go's standard library", Dir: root}
	return append(modules, library), library.collect(root, folders)
}

// packagesFor returns what the program is made of on a system.
func packagesFor(system string) ([]goPackage, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", program)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("go list for %s: %w", system, err)
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
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
