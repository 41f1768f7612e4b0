package repoproof

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileinfo"
)

// parts are the parts of a repository that commands of ours read data from or write to,
// by their paths in its folder. All else in there may be anything.
type parts struct {
	entries []string // names of entries; one that ends with * stands for all that begin so
	folders []string // all entries of these; and all below them, with /** at the end
	// inEach names entries of each folder that is in one of these.
	inEach map[string][]string
	// files may be links to files anywhere: of their text nothing is shown.
	files []string
}

// noLinksOut sees that none of the parts in dir is a link that leads out of it: through
// one, what is read and written as the repository's would be another's. Nor may one be a
// pipe or a device, which would be waited for or never end. Parts may be missing.
func (p *Proof) noLinksOut(dir string, parts *parts) error {
	whole, err := fileinfo.Resolved(dir)
	if err != nil {
		return Unreadable(code(p.shown(dir)), err)
	}
	for _, name := range parts.entries {
		if begin, many := strings.CutSuffix(name, "*"); many {
			err = p.examineAll(whole, begin)
		} else {
			err = p.examineOne(whole, filepath.Join(whole, name))
		}
		if err != nil {
			return err
		}
	}
	for _, name := range parts.files {
		if err := p.isFile(filepath.Join(whole, name)); err != nil {
			return err
		}
	}
	for _, folder := range parts.folders {
		folder, deep := strings.CutSuffix(folder, "/**")
		if err := p.examine(whole, filepath.Join(whole, folder), parts.files, deep); err != nil {
			return err
		}
	}
	for name, entries := range parts.inEach {
		folder := filepath.Join(whole, name)
		below, err := p.foldersIn(whole, folder, nil)
		if err != nil {
			return err
		}
		for _, name := range below {
			if err := p.examineSome(filepath.Join(folder, name), entries); err != nil {
				return err
			}
		}
	}
	return nil
}

// examineSome examines the entries of these names in a folder, out of which they may not lead.
func (p *Proof) examineSome(folder string, names []string) error {
	if err := p.count(1, 0); err != nil {
		return err
	}
	before, err := os.Lstat(folder)
	switch {
	case isGone(err):
		return nil
	case err != nil:
		return Unreadable(code(p.shown(folder)), err)
	}
	// The folder is known by the first of these entries: of all others nothing is.
	first, links := filepath.Join(folder, names[0]), false
	if _, known := p.known.Names(first, before); known {
		return nil
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		switch {
		case isGone(err):
			continue
		case err != nil:
			return Unreadable(code(p.shown(path)), err)
		}
		links = links || !info.IsDir() && !info.Mode().IsRegular()
		if err := p.examineType(folder, path, info.Mode().Type()); err != nil {
			return err
		}
	}
	if !links {
		p.known.Keep(first, before, nil)
	}
	return nil
}

// examineAll examines the entries of a folder whose names begin so, in any case.
func (p *Proof) examineAll(whole, begin string) error {
	entries, err := os.ReadDir(whole)
	if err != nil {
		return Unreadable(code(p.shown(whole)), err)
	}
	for _, e := range entries {
		if len(e.Name()) < len(begin) || !strings.EqualFold(e.Name()[:len(begin)], begin) {
			continue
		}
		if err := p.examineType(whole, filepath.Join(whole, e.Name()), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// examineOne examines the entry at a path, if there is one.
func (p *Proof) examineOne(whole, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return Unreadable(code(p.shown(path)), err)
	}
	return p.examineType(whole, path, info.Mode().Type())
}

// examineType sees that an entry of this type leads nowhere else.
func (p *Proof) examineType(whole, path string, kind fs.FileMode) error {
	if kind&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		if err := p.count(0, linkEntries); err != nil {
			return err
		}
	}
	switch {
	case kind&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeCharDevice) != 0:
		return Untrusted(fmt.Sprintf("%s is a pipe or a device, which no repository has", code(p.shown(path))))
	case kind&(fs.ModeSymlink|fs.ModeIrregular) != 0 && fileinfo.LeavesFolder(whole, path):
		return Untrusted(fmt.Sprintf("%s is a link out of the repository that it lies in, and may lead to any other", code(p.shown(path))))
	case kind&(fs.ModeSymlink|fs.ModeIrregular) != 0 && isFolder(path):
		return Untrusted(fmt.Sprintf("%s is a link to a folder, in which nothing was examined", code(p.shown(path))))
	}
	return nil
}

// isFolder reports whether a path leads to a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isFile sees that there is a file at a path, or a link to one, or nothing.
func (p *Proof) isFile(path string) error {
	to, err := fileinfo.Resolved(path)
	if errors.Is(err, fileinfo.OfProcesses) {
		return Unreadable(code(p.shown(path)), err)
	} else if err != nil || to == os.DevNull {
		return nil //nolint:nilerr // what isn't there is not read
	}
	if info, err := os.Lstat(to); err == nil && !info.Mode().IsRegular() {
		return Untrusted(fmt.Sprintf("%s is no file, nor a link to one", code(p.shown(path))))
	}
	return nil
}

// examine examines all entries of a folder, and if it is deep all below them.
func (p *Proof) examine(whole, folder string, leftOut []string, deep bool) error {
	below, err := p.foldersIn(whole, folder, leftOut)
	if err != nil || !deep {
		return err
	}
	for _, name := range below {
		if err := p.examine(whole, filepath.Join(folder, name), nil, deep); err != nil {
			return err
		}
	}
	return nil
}

// foldersIn examines all entries of a folder, by the types that listing it tells: a
// repository may have very many. It returns the names of folders in there.
func (p *Proof) foldersIn(whole, folder string, leftOut []string) ([]string, error) {
	if err := p.count(1, 0); err != nil {
		return nil, err
	}
	before, err := os.Lstat(folder)
	switch {
	case isGone(err):
		return nil, nil
	case err != nil:
		return nil, Unreadable(code(p.shown(folder)), err)
	case before.Mode().IsRegular(): // there is nothing in it
		return nil, nil
	}
	if names, known := p.known.Names(folder, before); known {
		return names, nil
	}
	names, links, err := p.list(whole, folder, leftOut)
	switch {
	case errors.Is(err, fs.ErrNotExist), isGone(err) && before.IsDir():
		return nil, nil
	case err != nil:
		return nil, err
	case !links:
		p.known.Keep(folder, before, names)
	}
	return names, nil
}

// isGone reports whether an error says that a file or folder isn't there: git removes
// folders that are empty, and makes files of their names.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// list examines the entries of a folder. It returns the names of folders in there, and
// whether there are links. What is gone meanwhile leads nowhere.
func (p *Proof) list(whole, folder string, leftOut []string) (folders []string, links bool, err error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, false, Unreadable(code(p.shown(folder)), err)
	}
	defer dir.Close() //nolint:errcheck // it was read
	for {
		entries, err := dir.ReadDir(examinedAtOnce)
		if errors.Is(err, io.EOF) {
			return folders, links, nil
		} else if err != nil {
			return nil, false, Unreadable(code(p.shown(folder)), err)
		}
		if err := p.count(0, len(entries)); err != nil {
			return nil, false, err
		}
		below, further, err := p.listed(whole, folder, entries, leftOut)
		if err != nil {
			return nil, false, err
		}
		folders, links = append(folders, below...), links || further
	}
}

// examinedAtOnce is the number of entries that are read of a folder before it is seen
// whether somebody waits still.
const examinedAtOnce = 10_000

// listed is list for some entries of the folder.
func (p *Proof) listed(whole, folder string, entries []fs.DirEntry, leftOut []string) (folders []string, links bool, err error) {
	areWrittenInto := fileinfo.LiesIn(filepath.Join(whole, "logs"), folder) || filepath.Base(folder) == "heads" && slices.Contains([]string{"op_heads", "extra"}, filepath.Base(filepath.Dir(folder)))
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch kind := e.Type(); {
		case kind.IsDir():
			folders = append(folders, e.Name())
		case areWrittenInto, isLock(e.Name()):
			if err := p.examineAlone(path, e); err != nil {
				return nil, false, err
			}
		case kind.IsRegular():
		default:
			links = true
			if slices.ContainsFunc(leftOut, func(name string) bool { return path == filepath.Join(whole, name) }) {
				continue
			}
			if err := p.examineType(whole, path, kind); err != nil {
				return nil, false, err
			}
		}
	}
	return folders, links, nil
}

// isLock reports whether a file of this name in a repository is a lock.
func isLock(name string) bool { return name == "lock" || strings.HasSuffix(name, ".lock") }

// examineAlone sees that a log of a ref, a head of operations or of a table in Jujutsu, or a lock,
// is a file with one name. Other files of a repository are replaced; logs are appended to, and
// Jujutsu empties its heads and locks: through a second name, or a link within the repository, that
// would be done to another file.
func (p *Proof) examineAlone(path string, e fs.DirEntry) error {
	if !e.Type().IsRegular() {
		return Untrusted(code(p.shown(path)) + " is no file, as each log, head and lock of a repository is")
	}
	info, err := e.Info()
	switch {
	case isGone(err):
		return nil
	case err != nil:
		return Unreadable(code(p.shown(path)), err)
	case fileinfo.HasOtherNames(info):
		return Untrusted(code(p.shown(path)) + " is a hard link: what is written into it would be in another file, too (a copy by `cp -al` has such, one by `cp -a` hasn't)")
	}
	return nil
}
