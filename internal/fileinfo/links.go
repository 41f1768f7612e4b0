package fileinfo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Paths that a repository names, by links or by files, must mean one thing to this
// process and to git and jj. So each link of a chain is followed as the system follows
// it, `..` behind a link included, and none may lead through what is another folder for
// each process.

// Misleading is an error that says why a path means one thing here and another there, after
// the name of what has it.
type Misleading string

// Error returns why.
func (e Misleading) Error() string { return string(e) }

// How a path can be misleading.
const (
	OfProcesses Misleading = "leads through `/proc` or `/dev`, where each program finds something else"
	InTwoWays   Misleading = "has `..` behind a link, which programs follow in two ways"
)

// What is followed for one path: so many links, as the system does, or fewer; and so many names,
// those that links bring among them. No path has as many by its own words.
const (
	maxLinks = 40
	maxNames = 2048
)

// Destination returns where a path leads, of which the last names may be missing; the absolute
// path itself where that can't be said.
func Destination(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if there, _ := Resolved(path); there != "" { // it may be missing
		return there
	}
	return path
}

// Resolved returns where the system comes to by an absolute path, without links. If
// nothing is there the error is fs.ErrNotExist, and the path is the one that could be
// made; "" where a folder is missing from which the path goes up again.
func Resolved(path string) (string, error) { return resolve(path, func(string) {}) }

// Spellings returns an absolute path in all the ways that it can be read: as it is, with each link
// on its way replaced by where that leads, one after another, and without any, as Destination has it.
func Spellings(path string) []string {
	all := []string{filepath.Clean(path)}
	if runtime.GOOS != "windows" {
		_, _ = resolve(path, func(next string) { all = append(all, next) }) // as far as it leads
	}
	return append(all, Destination(path))
}

// resolve is Resolved, and tells of the path behind each link.
func resolve(path string, linked func(path string)) (string, error) {
	if runtime.GOOS == "windows" { // takes `..` by the words alone, and has no such folders
		return filepath.EvalSymlinks(filepath.Clean(path))
	}
	at, rest, links := "/", path, 0
	for names := 0; rest != ""; names++ {
		if names > maxNames {
			return "", syscall.ENAMETOOLONG
		}
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		if isOfProcesses(next) {
			return "", OfProcesses
		}
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) && hasNoWayUp(rest):
			return filepath.Join(next, rest), err
		case err != nil:
			return "", err
		case info.Mode().Type() == fs.ModeSymlink:
			to, err := os.Readlink(next)
			if links++; err == nil && links > maxLinks {
				err = syscall.ELOOP
			}
			if err != nil {
				return "", err
			}
			if filepath.IsAbs(to) {
				at = "/"
			}
			rest = to + "/" + rest
			linked(filepath.Join(at, rest))
		case rest != "" && !info.IsDir():
			return "", syscall.ENOTDIR
		default:
			at = next
		}
	}
	return at, nil
}

// hasNoWayUp reports whether no part of a path is `..`.
func hasNoWayUp(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name == ".." {
			return false
		}
	}
	return true
}

// isOfProcesses reports whether an absolute path is one that the system answers for each
// process anew: the files that it has open, the folder that it works in. Of /dev the
// null device is the same to all, and so is the memory that some keep files in.
func isOfProcesses(path string) bool {
	top, below, _ := strings.Cut(strings.ToLower(path[1:]), "/")
	first, _, _ := strings.Cut(below, "/")
	return top == "proc" || top == "dev" && first != "" && first != "null" && first != "shm"
}

// From returns the path that a file in a folder names, with all that it says: where `..`
// leads to only the system can tell.
func From(folder, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return folder + string(filepath.Separator) + path
}

// LeadsTo returns where a path leads that a file in a folder names, without links. By its
// words it must lead there too, for some programs shorten it by them.
func LeadsTo(folder, path string) (string, error) {
	path = From(folder, path)
	if _, err := Resolved(path); err != nil {
		return "", err
	}
	return OneWay(path)
}

// OneWay is Resolved for a path that leads there by its words too, whether anything is there or not;
// else the error is InTwoWays.
func OneWay(path string) (string, error) {
	to, err := Resolved(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if byWords, errOf := Resolved(filepath.Clean(path)); byWords != to || (errOf == nil) != (err == nil) {
		return "", InTwoWays
	}
	return to, err
}

// GoesTo is LeadsTo for what the user lets lead anywhere, in any way.
func GoesTo(folder, path string) (string, error) { return filepath.EvalSymlinks(From(folder, path)) }

// LeavesFolder reports whether the link at path leads out of the folder. One that leads
// nowhere yet is judged by the path of what would be made through it.
func LeavesFolder(whole, path string) bool {
	to, err := Resolved(path)
	if to == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return !LiesIn(whole, to)
}

// LiesIn reports whether a path is in the folder, or that itself, by their words.
func LiesIn(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}
