package planstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
)

// The plan is a file below the root. files.Update does the work: it locks, reads,
// and puts the new file in the old one's place.

// fileStore keeps a plan in a file.
type fileStore struct {
	options *Options
	path    string // below the root, with forward slashes
}

func newFileStore(o *Options) (*fileStore, error) {
	slashed := filepath.ToSlash(cmp.Or(o.File, DefaultFile))
	clean := path.Clean(slashed)
	if !filepath.IsLocal(filepath.FromSlash(clean)) || clean == "." || strings.HasSuffix(slashed, "/") {
		return nil, &Error{Type: TypeInvalid, Message: "the plan's file is not in the project", Hint: "set `plan.file` to a path below the project's folder"}
	}
	return &fileStore{o, clean}, nil
}

func (*fileStore) Kind() Kind { return File }

// roots opens the root.
func (s *fileStore) roots() (*files.Roots, error) {
	r, err := files.OpenRoots([]string{s.options.Root}, files.RootOptions{
		Limit: maxOutput,
		Broad: true, TextFiles: !s.options.ByProject, DotFiles: true, TextIn: path.Dir(DefaultFile), Within: s.options.Roots, Unwritten: s.options.Unwritten,
	})
	if err != nil {
		return nil, s.fail("opened", err)
	}
	return r, nil
}

// state returns the state for a text in the file.
func (s *fileStore) state(text string) State {
	return State{Text: text, Version: newVersion(File, s.path, text), Kind: File, Name: s.path, Where: s.path}
}

// fail returns the error for what package files says. Other errors are returned as
// they are.
func (s *fileStore) fail(what string, err error) error {
	e, ok := errors.AsType[*fileerror.Error](err)
	if !ok {
		return err
	}
	named := s.path
	if path.Dir(e.Path) == path.Dir(s.path) { // one that is kept beside it
		named = e.Path
	}
	says := "can't be " + what + ": "
	if len(e.Written) > 0 {
		says = "" // the reason says what was written
	}
	failed := &Error{Type: TypeFailed, Told: len(e.Written) > 0, Message: fmt.Sprintf("the plan's file, %s, %s%s", named, says, e.Reason), Hint: e.Hint, Err: e.Err, Kept: e.Kept, Unwritten: len(e.Written) == 0}
	switch e.Code {
	case fileerror.Conflict:
		failed.Type = TypeConcurrent
	case fileerror.BinaryFile, fileerror.EncodingError:
		failed.Type = TypeNotText
	case fileerror.PathOutsideRoot, fileerror.NotAFile, fileerror.InvalidArgument:
		failed.Type = TypeInvalid
		if !errors.Is(err, files.ErrOutsideRoots) {
			failed.Hint = "set `plan.file` to a file of the project"
		}
	case fileerror.TooLarge:
		failed.Critical = true
		failed.Hint = "make it shorter, or set `plan.file` to another file of the project"
	default:
		failed.Critical = true
		failed.Hint = cmp.Or(failed.Hint, "set `plan.file` to another file of the project")
	}
	return failed
}

// isMissing reports whether an error says that there is no such file.
func isMissing(err error) bool {
	e, ok := errors.AsType[*fileerror.Error](err)
	return ok && e.Code == fileerror.NotFound
}

// Load reads the file. One that is missing is an empty text.
func (s *fileStore) Load(ctx context.Context) (State, error) {
	if err := ctx.Err(); err != nil {
		return State{}, err
	}
	r, err := s.roots()
	if err != nil {
		return State{}, err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	text, err := r.Read(&textfile.Reader{}, s.path)
	if err != nil && !isMissing(err) {
		return State{}, s.fail("read", err)
	}
	return s.state(string(text)), nil
}

const noFiles = "plans are kept in files here, and then no changed files are looked for" // be there a repository or not

// Survey looks at no files.
func (s *fileStore) Survey(ctx context.Context) (State, Changes, error) {
	state, err := s.Load(ctx)
	return state, Changes{Unknown: noFiles}, err
}

// Diff is empty.
func (*fileStore) Diff(ctx context.Context, _ int) (Diff, error) {
	return Diff{Unknown: noFiles}, ctx.Err()
}

// Update changes the file.
func (s *fileStore) Update(ctx context.Context, update func(State) (string, error)) (State, error) {
	var after State
	turn := func(before State) (changed bool, err error) {
		text, err := update(before)
		if err == nil {
			text, err = before.stored(text)
		}
		after = s.state(text)
		return after.Text != before.Text, err
	}
	var kept fileerror.Kept
	err := s.change(ctx, []string{s.path}, turn, func(tx *files.Tx) error {
		kept = tx.Kept()
		before, err := s.read(tx)
		if err != nil {
			return err
		}
		changed, err := turn(before)
		if err != nil || !changed {
			return err
		}
		return tx.Write(s.path, []byte(after.Text))
	})
	if err != nil {
		return State{}, err
	}
	after.Kept = kept.String()
	return after, nil
}

// read reads the file in a change.
func (s *fileStore) read(tx *files.Tx) (State, error) {
	text, err := tx.Read(s.path)
	if err != nil && !isMissing(err) {
		return State{}, err
	}
	return s.state(string(text)), nil
}

// change changes files in the folder of the plan. If that is missing, first says
// whether it is to be made: it is given the state without a file.
func (s *fileStore) change(ctx context.Context, paths []string, first func(State) (bool, error), do func(*files.Tx) error) error {
	if s.options.Roots == nil { // a server's user has given it the folder
		if err := files.CheckWritableFrom(s.options.Root, filepath.Join(s.options.Root, filepath.FromSlash(s.path))); err != nil {
			return s.fail("written", err)
		}
	}
	r, err := s.roots()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // what was written is in place
	began := false
	watched := func(tx *files.Tx) error {
		began = true
		return do(tx)
	}
	err = r.Update(ctx, paths, watched)
	if !began && isMissing(err) && (s.lacksFolder() || s.folderProtection(r) != "") {
		if wanted, err := first(s.state("")); err != nil || !wanted {
			return err
		}
		var unmake func()
		if unmake, err = s.makeFolder(ctx, r); err != nil {
			return err
		}
		if err = r.Update(ctx, paths, watched); err != nil {
			unmake()
		}
	}
	return s.fail("written", err)
}

// lacksFolder reports whether the folder of the file isn't there.
func (s *fileStore) lacksFolder() bool {
	info, err := os.Stat(filepath.Join(s.options.Root, filepath.FromSlash(path.Dir(s.path))))
	return err != nil || !info.IsDir()
}

// makeFolder makes the folder of the file, inside the root whatever links say, and returns what
// removes it again as long as nothing is in it. In is that root.
func (s *fileStore) makeFolder(ctx context.Context, in *files.Roots) (unmake func(), err error) {
	if why := s.folderProtection(in); why != "" {
		return nil, &Error{Type: TypeInvalid, Told: true, Message: "the folder of the plan's file, " + s.path + ", is not made, and nothing was written: " + why, Hint: "set `plan.file` to a file of the project"}
	}
	if fileinfo.ProjectRoot(s.options.Root) != s.options.Root { // nobody has made it a project
		if err := files.CheckWritable(filepath.Join(s.options.Root, filepath.FromSlash(s.path))); err != nil {
			return nil, s.fail("written", err)
		}
	}
	if _, unmake, err = in.MakeFolders(ctx, s.path, nil, false); err != nil {
		return nil, s.fail("written", err)
	}
	return unmake, nil
}

// folderProtection says why nothing is made where the file's folder would be, wherever
// links lead; empty if something may be. In is the root.
func (s *fileStore) folderProtection(in *files.Roots) string {
	rest := ""
	for dir := path.Dir(s.path); ; dir = path.Dir(dir) {
		there, err := filepath.EvalSymlinks(filepath.Join(s.options.Root, filepath.FromSlash(dir)))
		if err == nil {
			below, err := filepath.Rel(s.options.Root, there)
			if err != nil {
				return "it lies elsewhere"
			}
			at := path.Join(filepath.ToSlash(below), rest)
			if own := path.Dir(DefaultFile); s.options.ByProject && !files.IsMarkdown(s.path) && at != own && !strings.HasPrefix(at, own+"/") {
				return "links lead it out of " + own + ", and elsewhere a project's plan is a file of Markdown"
			}
			return in.WriteProtection(at)
		}
		if _, err := os.Lstat(filepath.Join(s.options.Root, filepath.FromSlash(dir))); err == nil {
			return "a link leads it to where nothing is"
		}
		if dir == "." {
			return ""
		}
		rest = path.Join(path.Base(dir), rest)
	}
}

// maxKept is the number of plans that are kept beside the file, and maxDigits that of
// the digits that they are numbered with.
const (
	maxKept   = 10_000
	maxDigits = 9
	maxNumber = 999_999_999 // that has so many
)

// kept returns the path of the n-th plan that is kept.
func (s *fileStore) kept(n int) string {
	ext := path.Ext(s.path)
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(s.path, ext), n, ext)
}

// numbers returns the numbers of the plans that are kept, in order; with all, those too that links
// and other things that are no files have taken. Any of them may have been removed.
func (s *fileStore) numbers(ctx context.Context, all bool) ([]int, error) {
	entries, err := s.folder()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		// What is wrong with the file says more; without one there is nothing to keep.
		if now, failed := s.Load(ctx); failed != nil || now.Text == "" {
			return nil, failed
		}
		return nil, &Error{
			Type: TypeFailed, Critical: true, Err: fileinfo.Cause(err),
			Message: fmt.Sprintf("the folder of the plan's file, %s, can't be read: %v", s.path, fileinfo.Cause(err)),
			Hint:    "see who may read it, or set `plan.file`",
		}
	}
	ext := path.Ext(s.path)
	before := strings.TrimSuffix(path.Base(s.path), ext) + "."
	var numbers []int
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), before)
		digits, isKept := strings.CutSuffix(digits, ext)
		n, err := strconv.Atoi(digits)
		if ok && isKept && err == nil && n > 0 && len(digits) <= maxDigits && path.Base(s.kept(n)) == e.Name() && !e.IsDir() && (all || e.Type().IsRegular()) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// folder lists the folder of the file, inside the root whatever links say.
func (s *fileStore) folder() ([]fs.DirEntry, error) {
	root, err := fileinfo.OpenFolder(s.options.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it is a handle alone
	dir := path.Dir(s.path)
	info, err := root.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir(): // a pipe would be waited for
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return fs.ReadDir(root.FS(), dir)
}

// keep copies the present text to the next path beside the file, and puts the
// file at from in its place, or nothing if from is empty. The copy is there before
// the file changes, and the file at from goes last.
func (s *fileStore) keep(ctx context.Context, check func(State) error, from string) (State, Old, error) {
	numbers, err := s.numbers(ctx, true)
	if err != nil {
		return State{}, Old{}, err
	}
	n := 1
	if len(numbers) > 0 {
		n = numbers[len(numbers)-1] + 1
	}
	if n > maxNumber-maxKept { // somebody has put one there
		n = 1
	}
	var kept fileerror.Kept
	for tries := len(numbers); tries < maxKept; n++ { // others may be faster
		if slices.Contains(numbers, n) {
			continue
		}
		tries++
		if exists(filepath.Join(s.options.Root, filepath.FromSlash(s.kept(n)))) { // a folder, say
			continue
		}
		k := &keeping{fileStore: s, check: check, from: from, to: s.kept(n), after: s.state("")}
		paths := []string{k.to, s.path}
		if from != "" && from != k.to {
			paths = append(paths, from)
		}
		err := s.change(ctx, paths, func(none State) (bool, error) { return false, check(none) }, k.do)
		kept = kept.And(k.aside)
		if err != nil {
			return State{}, Old{}, fileerror.WithKept(err, kept)
		}
		if !k.taken {
			k.after.Kept = kept.String()
			return k.after, k.old, nil
		}
	}
	return State{}, Old{}, fileerror.WithKept(s.tooMany("more than 10,000"), kept)
}

// tooMany returns the error for plans that are more, in words, than are looked at.
func (s *fileStore) tooMany(many string) *Error {
	return &Error{Type: TypeFailed, Unwritten: true, Message: fmt.Sprintf("too many plans are kept beside %s: %s", s.path, many), Hint: "remove the old ones"}
}

// keeping is one try to keep a plan.
type keeping struct {
	*fileStore
	check    func(State) error
	from, to string

	after State
	old   Old
	taken bool // there is a file at to; nothing was done
	aside fileerror.Kept
}

func (k *keeping) do(tx *files.Tx) error {
	tx.Together()
	k.aside = tx.Kept()
	before, err := k.read(tx)
	if err != nil {
		return err
	}
	if err := k.check(before); err != nil {
		return err
	}
	var next []byte
	if k.from != "" {
		if next, err = tx.Read(k.from); err != nil {
			return err
		}
	}
	k.after, k.old, k.taken = k.state(string(next)), Old{}, false
	if before.Text == k.after.Text {
		return nil
	}
	if before.Text != "" {
		if _, err := tx.Read(k.to); !isMissing(err) {
			k.taken = err == nil
			return err
		}
		if err := tx.WriteNew(k.to, []byte(before.Text), tx.Mode(k.path)); err != nil { // who may not read the one may not read the other
			return err
		}
		k.old = Old{Name: k.to, Where: k.to}
	}
	if k.from == "" {
		return tx.Write(k.path, next)
	}
	if err := tx.WriteNew(k.path, next, tx.Mode(k.from)); err != nil {
		return err
	}
	return tx.Remove(k.from)
}

// New copies the file to one with a number, and empties it.
func (s *fileStore) New(ctx context.Context, check func(State) error) (State, Old, error) {
	return s.keep(ctx, check, "")
}
