package vcs

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	slashed "path"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
)

// Blob is what a file held.
type Blob struct {
	ID   string // of the object
	Size int64  // bytes; negative if git can't read the object
	// Conflicted says that the commit has a conflict in the file, which is one of Jujutsu's: the
	// object is what one of its sides has, or none.
	Conflicted bool
}

// Is reports whether a text is the very one, byte by byte, by its size and its hash.
func (b Blob) Is(text []byte) bool {
	if b.Conflicted || b.Size >= 0 && int64(len(text)) != b.Size {
		return false
	}
	h := sha1.New() //nolint:gosec // git names objects by it
	if len(b.ID) == 2*sha256.Size {
		h = sha256.New()
	}
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(text)) // a hash takes all
	_, _ = h.Write(text)
	return hex.EncodeToString(h.Sum(nil)) == b.ID
}

// maxTree is the number of bytes of a list of files; of most commits it is shorter than firstTree, and of others it
// is asked for again with moreTree times as many. What is made of a list takes listMemory times its bytes.
const (
	maxTree    = 32 << 20
	firstTree  = 1 << 20
	moreTree   = 8
	listMemory = 4
)

// errTooMany is the error for a list of more bytes than it may have.
var errTooMany error = &planstore.Error{Type: planstore.TypeFailed, Message: "the commit can't be read: it has too many files to list", Hint: "name a folder of it"}

// maxSides is the number of sides of a conflict of Jujutsu's.
const maxSides = 100

// Files returns the regular files of the commit at a path and below it, by their paths from
// the top with forward slashes; all of them for the path ".". Links and submodules are none.
// Before it takes memory it is held: the error of that is returned.
func (c *Commit) Files(ctx context.Context, path string, hold func(bytes int64) error) (map[string]Blob, error) {
	if strings.Trim(c.ID, "0") == "" { // Jujutsu's root, which is no object of git's
		return map[string]Blob{}, nil
	}
	held := 0
	for most := firstTree; ; most = min(moreTree*most, maxTree) {
		if err := hold(int64(most-held) * listMemory); err != nil {
			return nil, err
		}
		held = most
		files, err := c.filesWithin(ctx, path, most)
		if most == maxTree || !errors.Is(err, errTooMany) {
			return files, err
		}
	}
}

// filesWithin is Files with lists of no more bytes than are left.
func (c *Commit) filesWithin(ctx context.Context, path string, left int) (map[string]Blob, error) {
	files, err := c.list(ctx, path, &left)
	if err != nil || c.reader.Kind() != planstore.JJ {
		return files, err
	}
	if conflicted, err := c.isConflicted(ctx); err != nil || !conflicted {
		return files, err
	}
	out, err := c.lsTree(ctx, ".", &left, "--name-only")
	if err != nil {
		return nil, err
	}
	sides := slices.DeleteFunc(strings.Split(out, "\x00"), func(name string) bool { return !strings.HasPrefix(name, planstore.ConflictPrefix) })
	if len(sides) > maxSides {
		return nil, unreadable("its conflict has too many sides")
	}
	for i, side := range sides {
		listed, err := c.list(ctx, slashed.Join(side, path), &left)
		if err != nil {
			return nil, err
		}
		theirs := make(map[string]Blob, len(listed))
		for name, b := range listed {
			theirs[strings.TrimPrefix(name, side+"/")] = b
		}
		if i == 0 { // the tree itself has files of Jujutsu's own
			files = theirs
		} else {
			markConflicts(files, theirs)
		}
	}
	return files, nil
}

// isConflicted reports whether Jujutsu says in the head of the commit that it has a conflict.
func (c *Commit) isConflicted(ctx context.Context) (bool, error) {
	const most = 1 << 20 // bytes of a head
	out, exit, err := c.reader.Git(ctx, "", most, "cat-file", "commit", c.ID)
	switch {
	case err != nil:
		return false, err
	case exit != 0:
		return false, unreadable("its object is not there")
	}
	head, _, _ := bytes.Cut(out, []byte("\n\n"))
	return bytes.Contains(head, []byte("\njj:trees ")), nil
}

// markConflicts marks files that another side of a conflict has otherwise, and adds those that it alone has.
func markConflicts(files, side map[string]Blob) {
	for name, b := range files {
		if side[name].ID != b.ID {
			b.Conflicted = true
			files[name] = b
		}
	}
	for name, b := range side {
		if _, ok := files[name]; !ok {
			b.Conflicted = true
			files[name] = b
		}
	}
}

// list is Files of the tree as git has it, within the bytes that are left.
func (c *Commit) list(ctx context.Context, path string, left *int) (map[string]Blob, error) {
	out, err := c.lsTree(ctx, path, left, "-r", "-l")
	if err != nil && ctx.Err() == nil && !errors.Is(err, errTooMany) { // in a partial clone git lists no sizes if it lacks an object
		if out, err = c.lsTree(ctx, path, left, "-r"); err == nil {
			return c.withSizes(ctx, parseTree(out), left)
		}
	}
	if err != nil {
		return nil, err
	}
	return parseTree(out), nil
}

// withSizes returns the files with the sizes of their objects, which git looks for one by one.
func (c *Commit) withSizes(ctx context.Context, files map[string]Blob, left *int) (map[string]Blob, error) {
	out, exit, err := c.reader.Git(ctx, "", *left, "rev-list", "--objects", "--no-walk", "--missing=print", "--no-object-names", c.ID)
	switch {
	case err != nil:
		return nil, err
	case exit != 0:
		return nil, unreadable("the objects of its files can't be listed")
	case len(out) >= *left:
		return nil, errTooMany
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutPrefix(line, "?"); ok {
			missing[strings.TrimSuffix(id, "\n")] = true
		}
	}
	var names []string
	var ids strings.Builder
	for name, b := range files {
		if !missing[b.ID] {
			names = append(names, name)
			ids.WriteString(b.ID + "\n")
		}
	}
	out, exit, err = c.reader.Git(ctx, ids.String(), *left, "cat-file", "--batch-check=%(objectsize)")
	lines := strings.Split(string(out), "\n")
	switch {
	case err != nil:
		return nil, err
	case exit != 0 || len(lines) != len(names)+1:
		return nil, unreadable("the sizes of its files can't be listed")
	}
	for i, name := range names {
		size, err := strconv.ParseInt(lines[i], 10, 64)
		if err != nil { // "ID missing"
			size = -1
		}
		files[name] = Blob{ID: files[name].ID, Size: size}
	}
	return files, nil
}

// parseTree reads what `git ls-tree -z -r` lists, with -l or without it.
func parseTree(out string) map[string]Blob {
	files := map[string]Blob{}
	for line := range strings.SplitSeq(out, "\x00") {
		facts, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(facts) // mode, type, identifier, size
		if !ok || len(words) < 3 || words[0] != "100644" && words[0] != "100755" || words[1] != "blob" || !isID(words[2]) {
			continue
		}
		size, err := strconv.ParseInt(words[len(words)-1], 10, 64)
		if err != nil || len(words) != 4 { // git says "BAD" of an object that is missing or damaged
			size = -1
		}
		files[name] = Blob{ID: words[2], Size: size}
	}
	return files
}

// lsTree has git list what the tree of the commit has at a path, all of it for ".", each with a NUL
// after it, within the bytes that are left.
func (c *Commit) lsTree(ctx context.Context, path string, left *int, flags ...string) (string, error) {
	args := append(append([]string{"ls-tree", "-z", "--full-tree"}, flags...), c.ID)
	if path != "." {
		args = append(args, "--", ":(literal)"+path) // a name that begins with ':' says more to git
	}
	out, exit, err := c.reader.Git(ctx, "", *left, args...)
	switch {
	case err != nil:
		return "", err
	case len(out) >= *left: // whatever became of git then
		return "", errTooMany
	case exit != 0:
		return "", unreadable("its files can't be listed")
	}
	*left -= len(out)
	return string(out), nil
}

// NotCheckedOut returns what reports whether a file, by its path from the top, is none of those
// that the working copy is to have, though its commit has it: the working copy is sparse. It
// knows files at a path and below it.
func (c *Commit) NotCheckedOut(ctx context.Context, path string) (func(name string) bool, error) {
	if c.reader.Kind() == planstore.JJ {
		folders, err := c.reader.Sparse(ctx)
		return func(name string) bool {
			return !slices.ContainsFunc(folders, func(folder string) bool {
				return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
			})
		}, err
	}
	none := func(string) bool { return false }
	sparse, _, err := c.reader.Git(ctx, "", maxTree, "config", "--type=bool", "--get", "core.sparseCheckout")
	if err != nil || string(sparse) != "true\n" { // people set the bit of single files for reasons of their own
		return none, err
	}
	out, err := c.index(ctx, path, "-t")
	if err != nil {
		return nil, err
	}
	skipped := map[string]bool{}
	for line := range strings.SplitSeq(out, "\x00") {
		if name, ok := strings.CutPrefix(line, "S "); ok { // skip-worktree
			skipped[name] = true
		}
	}
	return func(name string) bool { return skipped[name] }, nil
}

// Submodules returns the paths from the top, of those at a path and below it, at which git's index has
// a commit of another repository.
func (c *Commit) Submodules(ctx context.Context, path string) (map[string]bool, error) {
	if c.reader.Kind() == planstore.JJ {
		return nil, nil
	}
	out, err := c.index(ctx, path, "--stage")
	if err != nil {
		return nil, err
	}
	submodules := map[string]bool{}
	for line := range strings.SplitSeq(out, "\x00") {
		if facts, name, _ := strings.Cut(line, "\t"); strings.HasPrefix(facts, "160000 ") {
			submodules[name] = true
		}
	}
	return submodules, nil
}

// index lists what git's index has at a path and below it, as a flag says, each with a NUL after it.
func (c *Commit) index(ctx context.Context, path, flag string) (string, error) {
	args := []string{"ls-files", flag, "-z", "--cached", "--full-name"}
	if path != "." {
		args = append(args, "--", ":(top,literal)"+path)
	}
	out, exit, err := c.reader.Git(ctx, "", maxTree, args...)
	if err == nil && (exit != 0 || len(out) >= maxTree) {
		err = &planstore.Error{Type: planstore.TypeFailed, Message: "git can't list the files of its index", Hint: "see what `git ls-files " + flag + "` says"}
	}
	return string(out), err
}

// unreadable is the error for a repository that doesn't give what it has.
func unreadable(what string) error {
	return &planstore.Error{Type: planstore.TypeFailed, Message: "the commit can't be read: " + what, Hint: planstore.HintLost}
}

// AtOnce is the number of bytes of blobs that Read is best given.
const AtOnce = 4 << 20

// maxDamaged is the number of blobs of one call of Read that may be damaged.
const maxDamaged = 8

// Read reads blobs, and calls yield with the text of each, in their order, which is valid for
// good; with nil for one that is missing or damaged.
func (c *Commit) Read(ctx context.Context, blobs []Blob, yield func(i int, text []byte) error) error {
	for at, damaged := 0, 0; at < len(blobs); damaged++ {
		n, err := c.readWhole(ctx, blobs[at:], func(i int, text []byte) error { return yield(at+i, text) })
		if err != nil {
			return err
		}
		if at += n; at == len(blobs) {
			break
		}
		if damaged == maxDamaged {
			return unreadable("its files are not there, or damaged")
		}
		if err := yield(at, nil); err != nil { // git ends at the first object that is damaged
			return err
		}
		at++
	}
	return nil
}

// readWhole is Read up to the first blob that is damaged, and returns how many there are before it.
func (c *Commit) readWhole(ctx context.Context, blobs []Blob, yield func(i int, text []byte) error) (n int, err error) {
	var ids strings.Builder
	limit := 1 // so that a limit that is reached is known
	for _, b := range blobs {
		ids.WriteString(b.ID + "\n")
		limit += len(b.ID) + len(" missing") + len(strconv.FormatInt(b.Size, 10)) + 2 + int(max(b.Size, 0))
	}
	out, _, err := c.reader.Git(ctx, ids.String(), limit, "cat-file", "--batch")
	if err != nil {
		return 0, err
	}
	for ; n < len(blobs); n++ {
		b := blobs[n]
		if rest, ok := bytes.CutPrefix(out, []byte(b.ID+" missing\n")); ok {
			if err := yield(n, nil); err != nil {
				return n, err
			}
			out = rest
			continue
		}
		rest, ok := bytes.CutPrefix(out, []byte(fmt.Sprintf("%s blob %d\n", b.ID, b.Size)))
		if !ok || int64(len(rest)) < b.Size+1 || !b.Is(rest[:b.Size]) {
			return n, nil
		}
		if err := yield(n, rest[:b.Size:b.Size]); err != nil {
			return n, err
		}
		out = rest[b.Size+1:]
	}
	return n, nil
}
