package filenames

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
)

// Names that files have beside those that are changed, while they are.

// A temporary and a held file have names that no other has, and that tell them from all
// that others make.
const (
	// TempPrefix begins the names of temporary and held files.
	TempPrefix = ".sectile-"
	tempSuffix = ".tmp"
	tempRandom = 26 // characters between them, of rand.Text, and of each hash: 130 bits
	heldSuffix = ".held"
	// MaxName is the number of bytes of a name in most file systems.
	MaxName = 255
	// shortName is that in the others, which encrypt names: eCryptfs has 143, EncFS and gocryptfs have 175. What a
	// system says of it (f_namelen) isn't true there.
	shortName = 143
)

// letters are those of rand.Text, and of the hashes.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// HashOf returns what stands for a text in the names of held files.
func HashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return HashText(sum[:])
}

// HashText returns what stands for a text with the SHA-256 in the names of held files.
func HashText(sum []byte) string { return base32.StdEncoding.EncodeToString(sum)[:tempRandom] }

// Temporary returns a new name for a file that holds nothing but what is being written.
func Temporary() string { return TempPrefix + rand.Text() + tempSuffix }

// Held returns a name for what a file that holds the old text is exchanged with.
// The file's own name stands in it if it is given and there is room.
func Held(before, after []byte, name string) string {
	held := TempPrefix + rand.Text() + "-" + HashOf(before) + "-" + HashOf(after)
	if full := held + "-" + name + heldSuffix; name != "" && len(full) <= MaxName {
		return full
	}
	return held + heldSuffix
}

// AsHeld has a call give a file a name of Held, once more without its own name in that where the file
// system has no name so long. It returns what the last call has got and returned.
func AsHeld(before, after []byte, name string, rename func(held string) error) (held string, err error) {
	held = Held(before, after, name)
	if err = rename(held); errors.Is(err, syscall.ENAMETOOLONG) {
		held = Held(before, after, "")
		err = rename(held)
	}
	return held, err
}

// IsTemporary reports whether a name is that of a temporary file of ours, in any case.
func IsTemporary(name string) bool {
	random, ok := between(name, tempSuffix)
	return ok && isRandom(random)
}

// ReasonOurs says why nothing is written by a name that IsOurs reports.
const ReasonOurs = "such a name is that of a file which an edit that was killed has left, and would be removed"

// IsOurs reports whether a name is that of a temporary file or of a held one, in any case.
func IsOurs(name string) bool {
	_, _, _, held := ParseHeld(name)
	return held || IsTemporary(name)
}

// between returns what stands in a name of ours before its suffix. Case is no matter: some file
// systems list names in one case, whatever they were given.
func between(name, suffix string) (middle string, ok bool) {
	begin, end := len(TempPrefix), len(name)-len(suffix)
	if end < begin || !strings.EqualFold(name[:begin], TempPrefix) || !strings.EqualFold(name[end:], suffix) {
		return "", false
	}
	return name[begin:end], true
}

// isRandom reports whether it is as many of our letters, in any case, as a random part or a hash.
func isRandom(s string) bool {
	return len(s) == tempRandom && strings.Trim(s, letters+"abcdefghijklmnopqrstuvwxyz") == ""
}

// ParseHeld returns the hashes, as HashText makes them, and the file's name in the name of a held
// file, in any case. The file's name may be missing.
func ParseHeld(held string) (before, after, name string, ok bool) {
	rest, isHeld := between(held, heldSuffix)
	parts := strings.SplitN(rest, "-", 4)
	if !isHeld || len(parts) < 3 || !isRandom(parts[0]) || !isRandom(parts[1]) || !isRandom(parts[2]) {
		return "", "", "", false
	}
	if len(parts) == 4 {
		name = parts[3]
	}
	return strings.ToUpper(parts[1]), strings.ToUpper(parts[2]), name, true
}

// Keepable returns the name that what is kept in a folder is called after: that of the file, if anybody knows it,
// but none that is protected, and not that of a folder: whoever made that has named it, and what is in it.
func Keepable(folder, name string, isFolder bool) string {
	switch {
	case isFolder:
		return "unnamed"
	case name == "", Protected([]string{folder}, Kept(name, 1)) != nil:
		return "unnamed.md"
	}
	return name
}

// Kept returns the name of the n-th file that is kept beside one, which is no longer than a file system
// may have them that has the other name.
func Kept(name string, n int) string {
	limit := min(max(len(name), shortName), MaxName)
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	tail := fmt.Sprintf(".kept-%d", n)
	if stem == "" || len(tail)+len(ext) >= limit { // nothing but a dot and what follows it
		stem, ext = name, ""
	}
	tail += ext
	return strings.ToValidUTF8(stem[:min(len(stem), limit-len(tail))], "") + tail
}
