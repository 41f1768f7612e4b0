package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
)

// Journal is the journal of a user. It is safe for concurrent use, by several processes too.
type Journal struct {
	options Options
	asker   Asker
}

// Options say where a journal is and what it keeps.
type Options struct {
	// Dir is its folder, an absolute path. It is made when something is written down.
	Dir string
	// MaxAge is how long a change is kept; 0 means DefaultMaxAge.
	MaxAge time.Duration
	// MaxBytes is how many bytes of texts and records are kept; 0 means DefaultMaxBytes.
	MaxBytes int64
	// Refused is why nothing may be written down; nil if it may.
	Refused error
	// Off writes nothing down and clears nothing away, as its user wishes. What was interrupted is
	// taken back all the same.
	Off bool
	// Told is called with what was taken back; nil for nobody.
	Told func(Recovered)
}

// What is kept unless the user says otherwise.
const (
	DefaultMaxAge   = 30 * 24 * time.Hour
	DefaultMaxBytes = 200 << 20
)

// Asker is who asked for a change.
type Asker struct {
	Client  string   `json:"client,omitempty"`  // what a client calls itself; empty for a command
	Session string   `json:"session,omitempty"` // of a client
	Tool    string   `json:"tool,omitempty"`    // the name of the tool, or of the command
	Command []string `json:"command,omitempty"` // the arguments of the command line
	Undoes  string   `json:"undoes,omitempty"`  // the change that this one takes back
	Redo    bool     `json:"redo,omitempty"`    // that one takes back another itself
	Part    bool     `json:"part,omitempty"`    // it takes that back in its own files alone
}

// New returns the journal in the folder of the options.
func New(o Options) *Journal {
	if o.MaxAge == 0 {
		o.MaxAge = DefaultMaxAge
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return &Journal{options: o}
}

// For returns the same journal for the changes of who asks.
func (j *Journal) For(a Asker) *Journal { return &Journal{options: j.options, asker: a} }

// Keeping returns the journal with another age and size of what it keeps.
func (j *Journal) Keeping(age time.Duration, bytes int64) *Journal {
	o := j.options
	o.MaxAge, o.MaxBytes = age, bytes
	return New(o)
}

// Refusing returns the journal, which writes nothing down for this reason.
func (j *Journal) Refusing(why error) *Journal {
	o := j.options
	o.Refused = why
	return New(o)
}

// Off returns the journal, which writes nothing down for its user wants no more to be kept.
func (j *Journal) Off() *Journal {
	o := j.options
	o.Off = true
	return New(o)
}

// Telling returns the journal, which calls this function, too, with what was taken back.
func (j *Journal) Telling(told func(Recovered)) *Journal {
	o, before := j.options, j.options.Told
	o.Told = func(r Recovered) {
		if before != nil {
			before(r)
		}
		told(r)
	}
	return &Journal{options: o, asker: j.asker}
}

// IsOff reports whether it is one of Off.
func (j *Journal) IsOff() bool { return j.options.Off }

// Dir returns the folder of the journal.
func (j *Journal) Dir() string { return j.options.Dir }

// In returns a context whose updates are written down here.
func (j *Journal) In(ctx context.Context) context.Context {
	if j == nil {
		return ctx
	}
	return files.WithJournal(ctx, j)
}

// AskerOf returns who asks in a context of In.
func AskerOf(ctx context.Context) Asker {
	if j, ok := files.JournalOf(ctx).(*Journal); ok {
		return j.asker
	}
	return Asker{}
}

// The folders and the file of a journal.
const (
	openDir  = "open"
	doneDir  = "done"
	copyDir  = "copies"
	lockName = "lock"
)

// folder is a journal that is open.
type folder struct {
	*os.Root

	steps filesystem.Steps
	id    FolderID
}

// ErrUntrusted is what errors wrap about a journal that is not believed.
var ErrUntrusted = errors.New("the journal isn't believed")

// open opens the journal, and makes it if that is asked for. Without that the error is
// fs.ErrNotExist if there is none.
func (j *Journal) open(ctx context.Context, makes bool) (*folder, error) {
	steps := filesystem.StepsOf(ctx)
	info, err := os.Lstat(j.options.Dir)
	if makes && errors.Is(err, fs.ErrNotExist) {
		if err := makeDir(steps, j.options.Dir); err != nil {
			return nil, err
		}
		info, err = os.Lstat(j.options.Dir)
	}
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != fs.ModeDir {
		return nil, fmt.Errorf("%w: its folder is a link, or none", ErrUntrusted)
	}
	root, err := fileinfo.OpenFolder(j.options.Dir)
	if err != nil {
		return nil, err
	}
	f := &folder{Root: root, steps: steps}
	err = f.judge(info)
	if err == nil && makes {
		err = f.makeDirs()
	}
	if err == nil {
		f.id, err = f.identify()
	}
	if err != nil {
		_ = root.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// judge says why the journal isn't believed; nothing if it is. Seen is what was found by its
// name.
func (f *folder) judge(seen fs.FileInfo) error {
	info, err := f.Stat(".")
	if err != nil {
		return err
	}
	switch {
	case !os.SameFile(info, seen):
		return fmt.Errorf("%w: its folder was replaced", ErrUntrusted)
	case !fileinfo.OwnedByUser(info):
		return fmt.Errorf("%w: its folder belongs to %s", ErrUntrusted, fileinfo.OwnerName(info))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: others than its owner may open its folder (mode %#o, not 0700)", ErrUntrusted, info.Mode().Perm())
	}
	for _, name := range []string{openDir, doneDir, copyDir} {
		if info, err := f.Lstat(name); err == nil && !info.IsDir() {
			return fmt.Errorf("%w: %s in it is a link, or no folder", ErrUntrusted, name)
		}
	}
	return nil
}

// identify returns what tells the journal from a copy: the number of its folder, and when that of the copies
// in it was made, or, without one, it itself. The tops of file systems have one number, and may have been made
// at one moment.
func (f *folder) identify() (FolderID, error) {
	id, err := identifyOpen(f.Root)
	if err != nil {
		return id, err
	}
	copies, err := f.OpenRoot(copyDir)
	if errors.Is(err, fs.ErrNotExist) {
		return id, nil
	}
	if err != nil {
		return id, err
	}
	defer copies.Close() //nolint:errcheck // it is a handle alone
	id.Born = fileinfo.BirthTime(copies)
	return id, nil
}

// makeDir makes the folder of the journal, through no link of its name.
func makeDir(steps filesystem.Steps, dir string) error {
	if err := steps.Before("mkdir", dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// makeDirs makes the folders in that of the journal.
func (f *folder) makeDirs() error {
	for _, name := range []string{openDir, doneDir, copyDir} {
		if _, err := f.Lstat(name); err == nil {
			continue
		}
		if err := f.steps.Before("mkdir", name); err != nil {
			return err
		}
		if err := f.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// lock opens the file that is locked by who works on the journal.
func (f *folder) lock() (*os.File, error) {
	h, err := f.regular(lockName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("%s in it can't be opened: %w", lockName, err)
	}
	return h, nil
}

// errNoFile says that something else lies where a file of the journal should.
var errNoFile = errors.New("it is a link, folder, pipe, socket or device, and no file")

// regular opens a file of the journal itself, by no link, and waits for no pipe. The error is
// fs.ErrNotExist, errNoFile, or the system's, and then nobody knows whether it is there.
func (f *folder) regular(name string, flags int) (*os.File, error) {
	if err := f.steps.Before("open", name); err != nil {
		return nil, err
	}
	for range attempts {
		h, openErr := f.OpenFile(filepath.FromSlash(name), flags|fileinfo.OpenFlags, 0o600)
		info, err := f.Lstat(filepath.FromSlash(name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && openErr != nil && flags&os.O_CREATE != 0:
			err = openErr // it couldn't be made
		case err != nil:
		case !info.Mode().IsRegular():
			err = errNoFile
		case openErr != nil:
			err = openErr
		default:
			now, statErr := h.Stat()
			if statErr == nil && os.SameFile(now, info) {
				return h, nil
			}
			if statErr == nil {
				_ = h.Close() // nothing was written
				continue      // it was replaced just now
			}
			err = statErr
		}
		if openErr == nil {
			_ = h.Close() // nothing was written
		}
		return nil, cause(err)
	}
	return nil, fs.ErrNotExist
}

// attempts is how often a file is opened that is replaced meanwhile.
const attempts = 10

// cause returns what is wrong in an error of the system's, without the places of the host.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// remove removes a file of the journal.
func (f *folder) remove(name string) error {
	if err := f.steps.Before("remove", name); err != nil {
		return err
	}
	return f.Remove(filepath.FromSlash(name))
}

// rename renames a file of the journal.
func (f *folder) rename(from, to string) error {
	from, there := filepath.FromSlash(from), filepath.FromSlash(to)
	return filesystem.Rename(f, from, there, func() error {
		return f.steps.Do("rename", to, func() error { return f.Rename(from, there) })
	})
}

// sync makes the names in a folder of the journal outlast a crash.
func (f *folder) sync(dir string) error {
	if err := f.steps.Before("sync", dir); err != nil {
		return err
	}
	h, err := f.OpenFile(dir, fileinfo.OpenFlags, 0)
	if err != nil {
		return err
	}
	err = h.Sync()
	if closeErr := h.Close(); err == nil {
		err = closeErr
	}
	if runtime.GOOS == "windows" || errors.Is(err, errors.ErrUnsupported) {
		return nil // folders can't be synced
	}
	return err
}

// create makes a file of the journal that nobody has made yet.
func (f *folder) create(name string) (*os.File, error) {
	if err := f.steps.Before("create", name); err != nil {
		return nil, err
	}
	return f.OpenFile(filepath.FromSlash(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// write writes to a file of the journal.
func (f *folder) write(h *os.File, text []byte) error {
	if err := f.steps.Before("write", h.Name()); err != nil {
		return err
	}
	_, err := h.Write(text)
	return err
}

// syncFile makes what a file of the journal holds outlast a crash.
func (f *folder) syncFile(h *os.File) error {
	if err := f.steps.Before("sync", h.Name()); err != nil {
		return err
	}
	return h.Sync()
}
