package planstore

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

// misleading says why a path means one thing here and another there, after the name of
// what has it.
type misleading string

func (e misleading) Error() string { return string(e) }

const (
	ofProcesses misleading = "leads through `/proc` or `/dev`, where each program finds something else"
	inTwoWays   misleading = "has `..` behind a link, which programs follow in two ways"
)

// maxLinks is how many links the system follows for one path, or fewer.
const maxLinks = 40

// resolved returns where the system comes to by an absolute path, without links. If
// nothing is there the error is fs.ErrNotExist, and the path is the one that could be
// made; "" where a folder is missing from which the path goes up again.
func resolved(path string) (string, error) {
	if runtime.GOOS == "windows" { // takes `..` by the words alone, and has no such folders
		return filepath.EvalSymlinks(filepath.Clean(path))
	}
	at, rest, links := "/", path, 0
	for rest != "" {
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
			return "", ofProcesses
		}
		info, err := os.Lstat(next) //nolint:gosec // it may lie anywhere: that is to be found out
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

// from returns the path that a file in a folder names, with all that it says: where `..`
// leads to only the system can tell.
func from(folder, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return folder + string(filepath.Separator) + path
}

// leadsTo returns where a path leads that a file in a folder names, without links. By its
// words it must lead there too, for some programs shorten it by them.
func leadsTo(folder, path string) (string, error) {
	path = from(folder, path)
	to, err := resolved(path)
	if err != nil {
		return "", err
	}
	if byWords, err := resolved(filepath.Clean(path)); err != nil || byWords != to {
		return "", inTwoWays
	}
	return to, nil
}

// goesTo is leadsTo for what the user lets lead anywhere, in any way.
func goesTo(folder, path string) (string, error) { return filepath.EvalSymlinks(from(folder, path)) }

// leavesFolder reports whether the link at path leads out of the folder. One that leads
// nowhere yet is judged by the path of what would be made through it.
func leavesFolder(whole, path string) bool {
	to, err := resolved(path)
	if to == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return !liesIn(whole, to)
}

// liesIn reports whether a path is in the folder, or that itself, by their words.
func liesIn(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}
