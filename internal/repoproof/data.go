package repoproof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/sectile/sectile/internal/repofiles"
)

// By its files a repository of git can say that its objects and refs lie elsewhere. Two of
// them list the names of others beside them, and programs open what such a name leads to,
// be it `../../../another/.git/objects/pack/x.idx`.

// refStorage finds where a repository's configuration says that its refs are; git reads
// that setting from this one file. A setting begins a line, or stands behind a section's head.
var refStorage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)(?:^|[\]\x{FEFF}])\s*refstorage[\s\\]*=([^\n]*)`)
})

// refsInPlace is what such a setting may be: quotes and backslashes join what stands beside
// them to another value.
var refsInPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*(?:files|reftable|"files"|"reftable")[ \t\r]*(?:[#;].*)?$`)
})

// ownData proves that neither objects nor refs are another repository's by the words of a
// file: who knows, or finds out, the name of an object there could have it shown.
func (p *Proof) ownData(common string) error {
	alternates, err := os.Lstat(filepath.Join(common, "objects", "info", "alternates"))
	if err == nil && (alternates.Size() > 0 || !alternates.Mode().IsRegular()) {
		return Untrusted("the repository takes objects from another one (`objects/info/alternates`, as `git clone --shared` and `--reference` make it)")
	}
	if err := ownTables(common); err != nil {
		return err
	}
	path := filepath.Join(common, "config")
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return Unreadable("`config`", err)
	case !info.Mode().IsRegular() || info.Size() > maxConfig:
		return Untrusted("the repository's `config` is no file, or larger than one is")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Unreadable("`config`", err)
	}
	for _, found := range refStorage().FindAllSubmatchIndex(text, -1) {
		if from, to := found[2], found[3]; !refsInPlace().Match(text[from:to]) {
			at := repofiles.Place{File: path, Line: 1 + bytes.Count(text[:from], []byte("\n"))}
			return Untrusted(fmt.Sprintf("the repository's configuration says that its refs are elsewhere (`extensions.refStorage` in %s)", p.place(at)))
		}
	}
	return nil
}

// maxConfig is the number of bytes that a repository's configuration has at most.
const maxConfig = 4 << 20

// ownTables proves that the tables in which a repository keeps its refs, if it keeps them
// so, lie in their folder.
func ownTables(gitDir string) error {
	const name = "`reftable/tables.list`"
	file, size, err := openOwn(filepath.Join(gitDir, "reftable", "tables.list"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return Unreadable(name, err)
	}
	defer file.Close() //nolint:errcheck // it was read
	if size > maxConfig {
		return Untrusted(name + " is larger than one is")
	}
	names, err := io.ReadAll(io.LimitReader(file, size))
	switch {
	case err != nil:
		return Unreadable(name, err)
	case bytes.ContainsAny(names, `/\`):
		return Untrusted(name + " names files in other folders")
	}
	return nil
}

// ownPacks proves that the packs which a repository's multi-pack-index names lie beside
// it. git is told to leave that file alone, and jj can't be.
func ownPacks(common string) error {
	const name = "`objects/pack/multi-pack-index`"
	file, _, err := openOwn(filepath.Join(common, "objects", "pack", "multi-pack-index"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return Unreadable(name, err)
	}
	defer file.Close() //nolint:errcheck // it was read
	names, err := repofiles.PackNames(file)
	switch {
	case err != nil:
		return Untrusted(name + " can't be read, so that it may name any other repository's packs")
	case bytes.ContainsAny(names, `/\`):
		return Untrusted(name + " names packs in other folders")
	}
	return nil
}

// openOwn opens a file that was examined, and returns its size in bytes.
func openOwn(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		return nil, 0, err
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}
