package repofiles

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileinfo"
)

// At which commit git is, and which one Jujutsu has taken up, are read in one form each, that in
// which git and Jujutsu write them. What has another form, or stands there twice, isn't told: each
// program has a reading of its own for that, and whoever made the repository may know all of them.

// Bytes that are looked at of packed-refs, and of what Jujutsu keeps of an operation.
const (
	maxPackedRefs = 64 << 20
	maxView       = 64 << 20
	maxHeadOf     = 4 << 10 // of one of its fields
)

// Where HEAD stands for a ref that is a branch or, before the first change, one that Jujutsu makes up.
const (
	toRef    = "ref: "
	branches = "refs/heads/"
	ofNone   = "refs/jj/root"
)

// HeadOfGit returns the full identifier of the commit that a repository of git is at, "" where its
// branch has none yet. It isn't told where HEAD, the branch or packed-refs have any other form than
// the one that git writes. Common is the folder that has the branches.
func HeadOfGit(gitDir, common string) (id string, told bool) {
	text, err := readLine(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return "", false
	}
	ref, ok := strings.CutPrefix(text, toRef)
	if !ok {
		return text, isID(text)
	}
	if branch, ok := strings.CutPrefix(ref, branches); ref != ofNone && (!ok || !isPlainBranch(branch)) {
		return "", false
	}
	if _, err := os.Lstat(filepath.Join(common, "reftable")); !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	switch text, err = readLine(filepath.Join(common, filepath.FromSlash(ref))); {
	case err == nil:
		return text, isID(text)
	case !errors.Is(err, fs.ErrNotExist):
		return "", false
	}
	return packedRef(filepath.Join(common, "packed-refs"), ref)
}

// readLine returns the one line that a small file has.
func readLine(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxPointer:
		return "", errNoLine
	}
	read, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	line, rest, ok := strings.Cut(string(read), "\n")
	if !ok || rest != "" {
		return "", errNoLine
	}
	return line, nil
}

var errNoLine = errors.New("it is no file of one line")

// isID reports whether a text is the full identifier of a commit.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// isPlainBranch reports whether a name of a branch is read in one way by all, on all file systems.
func isPlainBranch(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || part[len(part)-1] == '.' || strings.HasSuffix(part, ".lock") || strings.Contains(part, "..") {
			return false
		}
	}
	return name != "@" && !strings.Contains(name, "@{") && utf8.ValidString(name) && strings.IndexFunc(name, func(c rune) bool {
		isOther := c >= 0x7f && (runtime.GOOS != "linux" || !unicode.IsPrint(c)) // file systems elsewhere have forms of Unicode
		return c <= ' ' || isOther || strings.ContainsRune(`~^:?*[\"<>|`, c)
	}) < 0
}

// packedRef returns the identifier that a file packed-refs has for a name, "" if it has none.
func packedRef(path, name string) (id string, told bool) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", true
	case err != nil || !info.Mode().IsRegular() || info.Size() > maxPackedRefs:
		return "", false
	}
	file, err := os.OpenFile(path, fileinfo.OpenFlags, 0)
	if err != nil {
		return "", false
	}
	defer file.Close() //nolint:errcheck // it was read alone
	in := bufio.NewReader(io.LimitReader(file, maxPackedRefs+1))
	last := ""
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF && len(line) == 0:
			return id, true
		case err != nil || bytes.ContainsAny(line, "\r\x00"):
			return "", false
		case first && bytes.HasPrefix(line, []byte("# pack-refs with: ")):
			continue
		}
		text := string(line[:len(line)-1])
		if peeled, ok := strings.CutPrefix(text, "^"); ok && isID(peeled) && last != name { // a branch is at no tag
			continue
		}
		of, ref, ok := strings.Cut(text, " ")
		last = ref
		switch {
		case !ok || !isID(of) || ref == name && id != "":
			return "", false
		case ref == name:
			id = of
		}
	}
}

// HeadTakenUp returns the identifier of the commit of git's HEAD that Jujutsu has taken up last in
// the workspace of a folder, "" for none. Repo is its repository. Before 0.45 Jujutsu has one for all
// workspaces, and isOlder says that it is such a version. It isn't told where several operations are
// to be merged, or what one says has any other form than the one that Jujutsu writes.
func HeadTakenUp(repo, folder string, isOlder bool) (id string, told bool) {
	workspace, ok := workspaceName(folder)
	head, one := onlyHead(repo)
	if !ok || !one {
		return "", false
	}
	view, err := onlyField(filepath.Join(repo, "op_store", "operations", head), 1)
	if err != nil || len(view) == 0 {
		return "", false
	}
	return headOfView(filepath.Join(repo, "op_store", "views", hex.EncodeToString(view)), workspace, isOlder)
}

// workspaceName returns the name of the workspace in a folder.
func workspaceName(folder string) (name string, ok bool) {
	text, err := onlyField(filepath.Join(folder, ".jj", "working_copy", "checkout"), 3)
	return string(text), err == nil && len(text) > 0
}

// onlyHead returns the operation that a repository is at, if it is at one.
func onlyHead(repo string) (operation string, ok bool) {
	entries, err := os.ReadDir(filepath.Join(repo, "op_heads", "heads"))
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "lock":
		case operation != "" || name == "" || !e.Type().IsRegular() || strings.Trim(name, "0123456789abcdef") != "":
			return "", false
		default:
			operation = name
		}
	}
	return operation, err == nil && operation != ""
}

// onlyField returns what the message in a file has in a field, which must be there once.
func onlyField(path string, number uint64) (value []byte, err error) {
	found := 0
	err = eachField(path, func(field uint64, text []byte) error {
		if field == number {
			found++
			value = bytes.Clone(text)
		}
		return nil
	}, number)
	if err == nil && found != 1 {
		err = errNoTreeState
	}
	return value, err
}

// eachField calls do with the fields of the message in a file, and with what these have that are
// wanted.
func eachField(path string, do func(field uint64, text []byte) error, wanted ...uint64) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() >= maxView:
		return errNoTreeState
	}
	file, err := os.OpenFile(path, fileinfo.OpenFlags, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was read alone
	return readMessage(file, maxView, maxHeadOf, do, wanted...)
}

// Fields of what Jujutsu keeps as the view of an operation.
const (
	headOfAll    = 9  // HEAD of the default workspace, or of all before there were others
	headsOfEach  = 13 // HEAD by the workspace
	lastOfView   = 13
	legacyOfView = 7 // HEAD before 0.9
)

// headOfView returns HEAD of a workspace as a view has it.
func headOfView(path, workspace string, isOlder bool) (id string, told bool) {
	var all, each []string
	listed := false
	err := eachField(path, func(field uint64, text []byte) error {
		switch field {
		case headOfAll:
			target, err := refTarget(text)
			all = append(all, target)
			return err
		case headsOfEach:
			listed = true
			name, err := singleField(text, 1, 2)
			if err != nil || string(name) != workspace {
				return err
			}
			of, err := singleField(text, 2, 1)
			if err != nil {
				return err
			}
			target, err := refTarget(of)
			each = append(each, target)
			return err
		}
		if field == legacyOfView || field > lastOfView { // nobody knows what that means to Jujutsu
			return errNoTreeState
		}
		return nil
	}, headOfAll, headsOfEach)
	if err != nil || len(all) > 1 || len(each) > 1 {
		return "", false
	}
	was, is := strings.Join(all, ""), strings.Join(each, "")
	if !listed && workspace == "default" {
		is = was
	}
	return is, is == was || !isOlder
}

// refTarget returns the identifier of the one commit that a ref is at, "" for none, as Jujutsu
// writes it.
func refTarget(message []byte) (id string, err error) {
	merge, err := singleField(message, 3)
	if err != nil {
		return "", err
	}
	term, err := singleField(merge, 2)
	if err != nil || len(term) == 0 {
		return "", err
	}
	value, err := singleField(term, 1)
	if err == nil && len(value) == 0 {
		err = errNoTreeState
	}
	return hex.EncodeToString(value), err
}

// singleField returns a field of a message, which has it once and no others but those beside it.
func singleField(message []byte, number uint64, beside ...uint64) (value []byte, err error) {
	found := 0
	err = fields(message, func(field uint64, text []byte) error {
		switch {
		case field == number:
			found++
			value = text
		case !slices.Contains(beside, field):
			return errNoTreeState
		}
		return nil
	})
	if err == nil && found != 1 {
		err = errNoTreeState
	}
	return value, err
}
