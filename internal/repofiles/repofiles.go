// Package repofiles reads what single files of repositories of git and Jujutsu say, without
// either of these programs: where a folder points, which packs and workspaces
// there are, at which operations a repository is, what a working copy leaves out.
// The files may be anybody's. configuration.go: which files both are configured by, the user's
// among them. githead.go: at which commit git is, and which Jujutsu has taken up.
package repofiles

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileinfo"
)

// maxPointer is the number of bytes that a file which names a folder has at most.
const maxPointer = 8192

// ReadPointer returns what a small regular file holds, which is a path and maybe words
// before it. A link, a pipe or a device is no such file. Each program cuts off other
// characters at the end, or none, so only line endings may be there, and only if they
// are cut off here too: what Unicode calls white space is refused at both ends.
func ReadPointer(path string, cutLineEndings bool) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is no file")
	case info.Size() > maxPointer:
		return "", errors.New("it is too long")
	}
	read, err := os.ReadFile(path)
	text := string(read)
	if cutLineEndings {
		text = strings.TrimRight(text, "\r\n")
	}
	switch {
	case err != nil:
	case strings.ContainsAny(text, "\r\n"):
		err = errors.New("it has more than one line")
	case strings.Contains(text, "\x00"):
		err = errors.New("it has a NUL")
	case strings.TrimSpace(text) != text:
		err = errors.New("it begins or ends with a blank")
	}
	return text, err
}

// errNoPackIndex says that a file is no multi-pack-index, or one with very many packs.
var errNoPackIndex = errors.New("it is no multi-pack-index")

// maxNames is the number of bytes that the names of packs have at most.
const maxNames = 4 << 20

// PackNames returns the names that a multi-pack-index has, as gitformat-pack says: a head
// of 12 bytes, of which byte 6 is the number of chunks and the last four that of packs;
// for each chunk its name and where it begins; in the chunk PNAM a name for each pack,
// with a NUL after it.
func PackNames(file io.ReaderAt) ([]byte, error) {
	const head, row = 12, 12 // bytes
	begin := make([]byte, head)
	if _, err := file.ReadAt(begin, 0); err != nil || string(begin[:4]) != "MIDX" {
		return nil, errNoPackIndex
	}
	rows := make([]byte, row*int(begin[6]))
	if _, err := file.ReadAt(rows, head); err != nil {
		return nil, errNoPackIndex
	}
	var names []byte
	for ; len(rows) > 0; rows = rows[row:] {
		if string(rows[:4]) != "PNAM" {
			continue
		}
		if names != nil { // each chunk is there once
			return nil, errNoPackIndex
		}
		at := int64(binary.BigEndian.Uint64(rows[4:])) //nolint:gosec // one that is too large is read as none
		text, err := io.ReadAll(io.NewSectionReader(file, at, maxNames))
		if err != nil {
			return nil, errNoPackIndex
		}
		end := 0
		for range binary.BigEndian.Uint32(begin[8:]) {
			n := bytes.IndexByte(text[end:], 0)
			if n < 0 {
				return nil, errNoPackIndex
			}
			end += n + 1
		}
		names = text[:end:end]
	}
	return names, nil
}

// Workspaces returns the folders of the workspaces that a repository knows, as its
// workspace_store/index has them: a message of protocol buffers, in which field 1 is
// repeated and holds a message each, with the name (field 1) and the path (field 2),
// relative to the repository.
func Workspaces(repo string) ([]string, error) {
	path := filepath.Join(repo, "workspace_store", "index")
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > 1<<20:
		return nil, errNoIndex
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var dirs []string
	err = fields(text, func(field uint64, entry []byte) error {
		if field != 1 {
			return nil
		}
		return fields(entry, func(field uint64, value []byte) error {
			if field == 2 {
				dirs = append(dirs, fileinfo.From(repo, string(value)))
			}
			return nil
		})
	})
	return dirs, err
}

// errNoIndex says that a file is no list of workspaces.
var errNoIndex = errors.New("it is no list of workspaces")

// fields calls do with the number and value of each field of a message whose fields all
// have a length.
func fields(message []byte, do func(field uint64, value []byte) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 || tag&7 != 2 {
			return errNoIndex
		}
		size, m := binary.Uvarint(message[n:])
		if m <= 0 || size > math.MaxInt32 || int(size) > len(message)-n-m {
			return errNoIndex
		}
		message = message[n+m:]
		if err := do(tag>>3, message[:size]); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

// errNoTreeState says that a file isn't what Jujutsu keeps of a working copy.
var errNoTreeState = errors.New("it is no state of a working copy")

// maxTreeState is the number of bytes of the state of a working copy, in which each file has some.
const maxTreeState = 256 << 20

// maxPatterns is the number of bytes of its patterns.
const maxPatterns = 8 << 20

// maxTracked is the number of bytes that the state has of one file.
const maxTracked = 64 << 10

// SparsePatterns returns the files and folders, by their paths from the top, below which a working
// copy of Jujutsu has files, as its tree_state has them: a message in which field 3 holds one whose
// field 1 is repeated. The path "" is the top, which is all there is without that field.
func SparsePatterns(state io.Reader) ([]string, error) {
	patterns, told := []string{}, false
	err := readState(state, 3, maxPatterns, func(list []byte) error {
		told = true
		return firstFields(list, func(path string) error {
			patterns = append(patterns, path)
			return nil
		})
	})
	if err == nil && !told {
		patterns = []string{""}
	}
	return patterns, err
}

// TrackedFiles calls do with the path of each file from the top that a working copy of Jujutsu
// tracks, as its tree_state has it: each field 2 holds a message whose field 1 it is. It ends with
// the error of do.
func TrackedFiles(state io.Reader, do func(path string) error) error {
	return readState(state, 2, maxTracked, func(entry []byte) error { return firstFields(entry, do) })
}

// firstFields calls do with each field 1 of a message, and returns its error.
func firstFields(message []byte, do func(value string) error) error {
	return fields(message, func(field uint64, value []byte) error {
		if field != 1 {
			return nil
		}
		return do(string(value))
	})
}

// readState calls do with each message that a tree_state has in a field, of at most so many bytes.
func readState(state io.Reader, field, most uint64, do func(message []byte) error) error {
	return readMessage(state, maxTreeState, most, func(number uint64, message []byte) error {
		if number != field {
			return nil
		}
		return do(message)
	}, field)
}

// readMessage calls do with the number of each field of a message that has fewer bytes than the limit,
// and with the text of the wanted ones, which is gone after the call and has at most so many bytes.
func readMessage(from io.Reader, limit int64, most uint64, do func(field uint64, text []byte) error, wanted ...uint64) error {
	limited := &io.LimitedReader{R: from, N: limit}
	in := bufio.NewReader(limited)
	var text []byte
	for {
		tag, err := binary.ReadUvarint(in)
		field, hasText := tag>>3, tag&7 == 2
		isWanted := slices.Contains(wanted, field)
		switch {
		case err == io.EOF && limited.N > 0: //nolint:errorlint // nothing was read
			return nil
		case err != nil || field == 0 || tag&7 != 0 && !hasText || isWanted && !hasText:
			return cmp.Or(ended(err), errNoTreeState)
		}
		size, err := binary.ReadUvarint(in)
		switch {
		case err != nil || hasText && size > uint64(limit) || isWanted && size > most: //nolint:gosec // the limit is positive
			return cmp.Or(ended(err), errNoTreeState)
		case isWanted:
			text = slices.Grow(text[:0], int(size))[:size] //nolint:gosec // at most as many as wanted
			_, err = io.ReadFull(in, text)
		case hasText: // a number is read by now
			_, err = in.Discard(int(size)) //nolint:gosec // at most the limit
		}
		if err != nil {
			return cmp.Or(ended(err), errNoTreeState)
		}
		read := text
		if !isWanted {
			read = nil
		}
		if err := do(field, read); errors.Is(err, errNoIndex) {
			return errNoTreeState
		} else if err != nil {
			return err
		}
	}
}

// ended returns the error of a call that has ended while it read, nil for any other.
func ended(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Heads returns the identifiers of the operations that the repository is at, in order:
// one, or several after commands that ran at once and that no later command has merged.
func Heads(repo string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(repo, "op_heads", "heads"))
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.Trim(e.Name(), "0123456789abcdef") == "" {
			list = append(list, e.Name())
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no operation is there")
	}
	return list, nil
}

// IsIndexed reports whether Jujutsu has the index of an operation, which it would write
// otherwise.
func IsIndexed(repo, operation string) bool {
	for _, folder := range [...]string{"op_links", "operations"} { // the second before 0.33
		if _, err := os.Stat(filepath.Join(repo, "index", folder, operation)); err == nil {
			return true
		}
	}
	return false
}
