package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filenames"
)

// Opening a root: it must be a folder, and no broader than somebody would hand to
// a program that reads on behalf of others.

// openRoot opens the root at dir, a name in the host's form.
func openRoot(dir string, broad bool) (*root, error) {
	refuse := func(code fileerror.Code, reason, hint string) (*root, error) {
		return nil, &fileerror.Error{Code: code, Path: dir, Reason: reason, Hint: hint}
	}
	if dir == "" {
		return refuse(fileerror.InvalidArgument, "the name of a root is empty", "name a folder")
	}
	if err := CheckClimb(dir); err != nil {
		return nil, err
	}
	// Before it is opened: a pipe would wait for its other end.
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse(fileerror.NotFound, "no such folder", "name one that exists with --root DIR")
	case err != nil:
		return nil, fileerror.System(dir, err)
	case !info.IsDir():
		return refuse(fileerror.InvalidArgument, "it is no folder", "name the folder of the documents with --root DIR")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fileerror.System(dir, err)
	}
	listed := fileinfo.InCase(abs)
	handle, err := fileinfo.OpenFolder(listed)
	if err != nil {
		return nil, fileerror.System(dir, err)
	}
	r := &root{handle: handle, given: filepath.Clean(dir), dir: listed}
	if listed != abs {
		r.others = []string{abs}
		r.callAs(abs)
	}
	if r.info, err = handle.Stat("."); err != nil {
		_ = handle.Close() // nothing was written
		return nil, fileerror.System(dir, err)
	}
	r.real = realName(listed, r.info)
	r.callAs(r.real)
	r.callAs(r.dir)
	switch {
	case inHistory(r.dir) || inHistory(r.real):
		_ = handle.Close() // nothing was written
		return refuse(fileerror.PathOutsideRoot, filenames.ReasonHistory, "")
	case fileinfo.InJournal(r.real):
		_ = handle.Close() // nothing was written
		return refuse(fileerror.PathOutsideRoot, filenames.Journal.Reason, "")
	case !broad && r.isBroad():
		_ = handle.Close() // nothing was written
		return refuse(fileerror.InvalidArgument, "it is the root of the file system, the home folder or one above it",
			"name a narrower folder with --root DIR, or allow this one with --allow-broad-root")
	}
	return r, nil
}

// realName returns the name of the folder at abs with links resolved, by the names that folders
// list, or abs if that can't be told.
func realName(abs string, info fs.FileInfo) string {
	name, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return abs
	}
	if there, err := os.Stat(name); err != nil || !os.SameFile(there, info) {
		return abs
	}
	return fileinfo.Listed(name) // links have what names they like
}

// isBroad reports whether the root is that of the file system, the home folder,
// or a folder above it. Names don't decide, for links and mounts give others to
// the same folder.
func (r *root) isBroad() bool {
	top := func(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }
	if r.is(top(r.dir)) || r.is(top(r.real)) {
		return true
	}
	home, err := fileinfo.HomeDir()
	if err != nil {
		return false
	}
	if slices.ContainsFunc(slices.Collect(fileinfo.WithParents(home)), r.is) {
		return true
	}
	home, err = filepath.EvalSymlinks(home)
	return err == nil && slices.ContainsFunc(slices.Collect(fileinfo.WithParents(home)), r.is)
}

// is reports whether the root is the folder at path.
func (r *root) is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, r.info)
}

// inHistory reports whether a path of the host lies in a folder of version
// control, or is one.
func inHistory(path string) bool { return filenames.IsHistory(filepath.ToSlash(path)) }

// CheckWritable returns a *fileerror.Error, PathOutsideRoot, for a file of the host that is never
// written, whoever names it: by its path, or where links on that lead to. Below the repository
// that the working directory is in, the names below it count, else all of them; those of version
// control always do. Projects don't matter: a clone may bring a .sectile.yaml along in any folder.
func CheckWritable(path string) error { return checkWritable(path, nil) }

// CheckWritableFrom is CheckWritable for who names a file in the place of the working directory: below
// the repository that the folder is in, its own name and those below it may allow a file too.
func CheckWritableFrom(folder, path string) error {
	if root := fileinfo.Repository(fileinfo.Destination(folder)); root != "" {
		return checkWritable(path, []string{root})
	}
	return checkWritable(path, nil)
}

// checkWritable is CheckWritable for a file that may lie below other folders too, where their own
// name and those below it count.
func checkWritable(path string, below []string) error {
	if err := checkHistory(path); err != nil {
		return err
	}
	full, reason := path, ""
	if dir, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
		full = filepath.Join(fileinfo.Destination(dir), path)
	}
	spellings := fileinfo.Spellings(full)
	for _, spelling := range spellings {
		reason = cmp.Or(reason, protectionAt(spelling, below))
	}
	there := spellings[len(spellings)-1]
	if journal, err := fileinfo.JournalDir(); err == nil && fileinfo.LiesIn(fileinfo.Destination(journal), there) {
		reason = filenames.Journal.Reason
	}
	if reason == "" {
		return nil
	}
	return &fileerror.Error{
		Code: fileerror.PathOutsideRoot, Path: path, Err: ErrProtected, Reason: reason,
		Hint: "name another file; one of a repository that lies there can be changed from within it",
	}
}

// protectionAt says why nothing is written at an absolute path, as checkWritable has it; empty if
// something may be.
func protectionAt(path string, below []string) string {
	if filenames.IsOurs(filepath.Base(path)) {
		return filenames.ReasonOurs
	}
	reason := filenames.WriteProtection(path)
	if dir, err := os.Getwd(); reason != "" && err == nil {
		if root := fileinfo.Repository(fileinfo.Destination(dir)); root != "" && fileinfo.LiesIn(root, path) {
			reason = filenames.WriteProtection(strings.TrimPrefix(path, root))
		}
	}
	for _, root := range below {
		if reason != "" && fileinfo.LiesIn(root, path) {
			reason = filenames.WriteProtectionBelow([]string{filepath.Base(root)}, strings.TrimPrefix(path, root))
		}
	}
	return reason
}

// MayFollow reports whether the file at a path of the host is read though nobody has named it but
// a document: links on that lead to a file below the folder, which no name there protects.
func MayFollow(folder, path string) bool {
	folder = fileinfo.Destination(folder)
	below, err := filepath.Rel(folder, fileinfo.Destination(path))
	return err == nil && filepath.IsLocal(below) && filenames.FileProtectionBelow([]string{filepath.Base(folder)}, below) == ""
}

// checkHistory is CheckWritable for the data of version control alone.
func checkHistory(path string) error {
	abs, err := filepath.Abs(path)
	if inHistory(path) || err == nil && (inHistory(abs) || inHistory(fileinfo.Destination(abs))) { // the working directory may be named by a link too
		return &fileerror.Error{Code: fileerror.PathOutsideRoot, Path: path, Err: ErrProtected, Reason: "the data of version control (.git, .jj) is never changed"}
	}
	return nil
}
