package planstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/files"
)

// A folder that was cloned or unpacked holds whatever its author liked, names such as
// .git and .jj included, and each of them can lead to another repository of the user:
// as a link, as a file that names a folder, by what lies in it. Such a repository would
// be read and written in the name of the project. So one is used only if it belongs to
// the project's folder: it lies in there as a whole, or the folder that it leads to
// says itself that the project is one of its own (proof_git.go, proof_jj.go). Anything
// else needs the user's word: Trust, or GIT_DIR in the environment. The proof looks at
// files, and is made anew before each command.

// Trust is what the user, and never a project, allows.
type Trust struct {
	// Folders, by their absolute paths, belong to other users, and their repositories
	// are used as if they were the user's own; "*" stands for any, as in git's
	// safe.directory.
	Folders []string
	// Repositories are the folders, by their absolute paths, whose .git or .jj may lead
	// anywhere. A bare repository is its own folder.
	Repositories []string
}

// proof is an examination of the repository of one folder.
type proof struct {
	folder string // that has the .git or .jj, or is a bare repository
	trust  *Trust
}

// elsewhere reports whether the user lets the folder's repository lie elsewhere.
func (p *proof) elsewhere() bool { return files.IsNamed(p.folder, p.trust.Repositories) }

// untrusted returns the error for a repository that isn't proven to belong to the
// folder; what is a sentence without a full stop.
func untrusted(what string) *Error {
	return &Error{
		Type: TypeUntrusted, Critical: true,
		Message: what + "; nothing was read or written there",
		Hint:    "if it is yours, name the project's folder under `trust.repositories` in your own configuration, which `sectile doctor` finds; a project's can't allow it",
	}
}

// unreadable returns the error for a part of a repository that can't be examined.
func unreadable(what string, err error) *Error {
	return &Error{
		Type: TypeFailed, Critical: true, Err: bareError(err),
		Message: fmt.Sprintf("%s can't be examined: %v", what, bareError(err)),
		Hint:    "see who may read it",
	}
}

// owned sees that the paths belong to the user, as git does for its own.
func (p *proof) owned(paths ...string) error {
	if files.IsNamed(p.folder, p.trust.Folders) {
		return nil
	}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			return unreadable(code(filepath.Base(path)), err)
		}
		if !files.OwnedByUser(info) {
			return &Error{
				Type: TypeUntrusted, Critical: true,
				Message: fmt.Sprintf("%s belongs to another user, and may say anything in your name; nothing was read or written there", code(p.shown(path))),
				Hint:    "if you trust them, name the project's folder under `trust.folders` in your own configuration, which `sectile doctor` finds",
			}
		}
	}
	return nil
}

// shown returns a path as it may be shown: from the folder on if it is in there, its
// last name otherwise.
func (p *proof) shown(path string) string {
	if below, err := filepath.Rel(p.folder, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return filepath.Base(path)
}

// maxPointer is the number of bytes that a file which names a folder has at most.
const maxPointer = 8192

// readPointer returns what a small regular file holds, which is a path and maybe words
// before it. A link, a pipe or a device is no such file. Each program cuts off other
// characters at the end, or none, so only line endings may be there, and only if they
// are cut off here too.
func readPointer(path string, cutLineEndings bool) (string, error) {
	info, err := os.Lstat(path) //nolint:gosec // it may lie anywhere: nothing of it is shown or written
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is no file")
	case info.Size() > maxPointer:
		return "", errors.New("it is too long")
	}
	bytes, err := os.ReadFile(path) //nolint:gosec // the same
	text := string(bytes)
	if cutLineEndings {
		text = strings.TrimRight(text, "\r\n")
	}
	if err == nil && strings.ContainsAny(text, "\r\n\x00") {
		err = errors.New("it has more than one line")
	}
	return text, err
}

// from returns the path that a file in a folder names.
func from(folder, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// noLinksOut sees that no entry of the folders, relative to dir, is a link that leads
// out of it: through one, what is read and written as the repository's would be
// another's. Nor may an entry be a pipe or a device, which would be waited for or never
// end. A folder that ends with /** is examined with all below it; one that isn't there has
// no entries. Of some names, which no command of ours reads data from or writes to, links
// may lead anywhere.
func (p *proof) noLinksOut(dir string, leftOut []string, folders ...string) error {
	whole, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return unreadable(code(p.shown(dir)), err)
	}
	for _, folder := range folders {
		folder, deep := strings.CutSuffix(folder, "/**")
		if err := p.examine(whole, filepath.Join(whole, folder), leftOut, deep); err != nil {
			return err
		}
	}
	return nil
}

// examine sees that no entry of a folder is a link out of the whole.
func (p *proof) examine(whole, folder string, leftOut []string, deep bool) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unreadable(code(p.shown(folder)), err)
	}
next:
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if e.Type()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeCharDevice) != 0 {
			return untrusted(fmt.Sprintf("%s is a pipe or a device, which no repository has", code(p.shown(path))))
		}
		for _, name := range leftOut {
			if path == filepath.Join(whole, name) {
				continue next
			}
		}
		switch {
		case e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 && leavesFolder(whole, path):
			return untrusted(fmt.Sprintf("%s is a link out of the repository that it lies in, and may lead to any other", code(p.shown(path))))
		case e.IsDir() && deep:
			if err := p.examine(whole, path, nil, deep); err != nil {
				return err
			}
		}
	}
	return nil
}

// leavesFolder reports whether the link at path leads out of the folder. One that leads
// nowhere is judged by its words.
func leavesFolder(whole, path string) bool {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		if to, err = os.Readlink(path); err != nil {
			return true
		}
		to = from(filepath.Dir(path), to)
	}
	return !liesIn(whole, to)
}

// liesIn reports whether a path is in the folder, or that itself, by their words.
func liesIn(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}
