package journal

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/filelock"
)

// A record is a file of lines. The first has the hash of the second, which has the change in
// JSON: so a record that is cut off or changed is known. Each further line says what became
// of it.

// Record is a change of files, as it was written down.
type Record struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	Journal uint64    `json:"journal"` // the number of its folder: a copy of a journal has another
	// JournalBorn is when the folder of copies in that was made, as in FolderID.
	JournalBorn int64   `json:"journal_born,omitempty"`
	Asker       Asker   `json:"asker"`
	Entries     []Entry `json:"entries"`

	// State is what became of it.
	State State `json:"-"`
	// Left are the paths of files that were left as they are when it was taken back.
	Left []string `json:"-"`
	// Problem says why nothing can be done with it; then all else but the ID may be missing,
	// and if there are entries they are those that were written down.
	Problem string `json:"-"`

	About `json:"-"`

	name   string // of its file
	unread error  // why that can't be read now
}

// About is what a record is about in the end, through undos of undos, as far as the journal still has them.
type About struct {
	// Origin is the change that is taken back or made again: the record's own for one that takes none back.
	Origin string
	// Whole has the files of what the record takes back or makes again, and no others: the oldest of the
	// changes on the way to Origin that has; the record's own for one that takes none back.
	Whole string
	// OriginFiles is how many files Origin has; 0 where nothing of it can be read.
	OriginFiles int
	// TakesBack says that Origin is taken back, and not made again.
	TakesBack bool
}

// Order returns the place of the record among all: later than that of any older one, and no earlier than
// its Time.
func (r *Record) Order() time.Time {
	at, _, _ := parseName(r.name)
	return at
}

// IsRedo reports whether the record takes back another one so that Origin is made again.
func (r *Record) IsRedo() bool { return r.Asker.Undoes != "" && !r.TakesBack }

// State is what became of a change.
type State string

// The states of changes.
const (
	Prepared  State = ""           // nobody knows whether it is done
	Committed State = "committed"  // all of it is done
	TakenBack State = "taken back" // it was interrupted, and nothing of it is left, but for Left
)

// Entry is what a change does to one file.
type Entry struct {
	Path   string   `json:"path"`           // absolute
	Root   string   `json:"root,omitempty"` // the root of the server that it lies below
	Folder FolderID `json:"folder"`         // that it was in
	Before *Text    `json:"before"`         // nil if there was no such file
	After  *Text    `json:"after"`          // nil if it was removed

	Project *Project `json:"project,omitempty"` // that it was in; nil if it was in none

	// Folders is how many folders above the file, from its own up, were made for it or go with
	// it, Modes are theirs, of as many as are known, and Above is the one that they are in.
	Folders int           `json:"folders,omitempty"`
	Modes   []fs.FileMode `json:"folder_modes,omitempty"`
	Above   *FolderID     `json:"above,omitempty"`
}

// MarshalJSON writes the entry down with paths that JSON can hold.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	p := plain(e)
	p.Path, p.Root = encodePath(e.Path), encodePath(e.Root)
	if e.Project != nil {
		project := *e.Project
		project.Path = encodePath(project.Path)
		p.Project = &project
	}
	return json.Marshal(p)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (e *Entry) UnmarshalJSON(data []byte) error {
	type plain Entry
	if err := json.Unmarshal(data, (*plain)(e)); err != nil {
		return err
	}
	e.Path, e.Root = decodePath(e.Path), decodePath(e.Root)
	if e.Project != nil {
		e.Project.Path = decodePath(e.Project.Path)
	}
	return nil
}

// encoded begins a path that is no text; as the others are absolute, none of them begins so.
const encoded = "base64:"

// encodePath returns a path as it is written in JSON, in which only texts can stand: other
// bytes would become U+FFFD, and the path that of another file.
func encodePath(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return encoded + base64.StdEncoding.EncodeToString([]byte(path))
}

// decodePath returns the path that is written so.
func decodePath(written string) string {
	text, is := strings.CutPrefix(written, encoded)
	path, err := base64.StdEncoding.DecodeString(text)
	if !is || err != nil {
		return written
	}
	return string(path)
}

// mapPaths returns the paths, each as f makes it.
func mapPaths(paths []string, f func(string) string) (list []string) {
	for _, path := range paths {
		list = append(list, f(path))
	}
	return list
}

// FolderID is which folder a file was in.
type FolderID struct {
	Device uint64 `json:"device"`
	File   uint64 `json:"file"`
	Born   int64  `json:"born,omitempty"` // fileinfo.BirthTime
}

// is reports whether it is a folder: by its number, and by when it was made as far as both are
// known to tell that. Numbers of devices are other ones when the system has been started anew.
func (f FolderID) is(now FolderID) bool {
	return f.File == now.File && (f.Born == now.Born || f.Born == 0 || now.Born == 0)
}

// newFolderID returns what is written down of a folder.
func newFolderID(id filelock.ID, born int64) FolderID { return FolderID{id.Device, id.File, born} }

// Text is what a file held.
type Text struct {
	Hash string      `json:"sha256"`
	Size int64       `json:"size"`
	Mode fs.FileMode `json:"mode"`
}

// Is reports whether it is this text; nil is no file, and so is a nil text.
func (t *Text) Is(text []byte) bool {
	if t == nil || text == nil {
		return t == nil && text == nil
	}
	return t.Size == int64(len(text)) && t.Hash == hashOf(text)
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// What is done to a file.
const (
	Created = "create"
	Changed = "change"
	Removed = "remove"
)

// Kind says what an entry does to its file: Created, Changed or Removed.
func (e *Entry) Kind() string { return KindOf(e.Before != nil, e.After != nil) }

// KindOf says what is done to a file that is there before, and after.
func KindOf(before, after bool) string {
	switch {
	case !before:
		return Created
	case !after:
		return Removed
	}
	return Changed
}

// limits of what a record may hold: it is read whole.
const (
	maxRecord  = 16 << 20
	maxEntries = 100_000
	idLength   = 8
)

// head begins each record.
const head = "sectile journal 1 "

// newID returns an identifier for a change, in letters that are not taken for each other.
func newID() string { return strings.ToLower(rand.Text()[:idLength]) }

// newName returns a name for a record, by whose order older ones come first.
func newName(at time.Time, id string) string {
	return fmt.Sprintf("%016x-%s", at.UnixMicro(), id)
}

// parseName returns the time and the identifier in the name of a record.
func parseName(name string) (at time.Time, id string, ok bool) {
	micros, id, found := strings.Cut(name, "-")
	n, err := strconv.ParseInt(micros, 16, 64)
	if !found || err != nil || len(micros) != 16 || !isID(id) {
		return time.Time{}, "", false
	}
	return time.UnixMicro(n), id, true
}

// isID reports whether a text is an identifier.
func isID(id string) bool {
	return len(id) == idLength && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// format returns the record as it is written.
func (r *Record) format() ([]byte, error) {
	data, err := json.Marshal(r)
	switch {
	case err != nil:
		return nil, err
	case len(r.Entries) > maxEntries || len(data) > maxRecord/2: // the other half is for the files that are left when it is taken back
		return nil, errors.New("a record holds 100,000 files at most, and 8 MiB of their paths")
	}
	return slices.Concat([]byte(head+hashOf(data)+"\n"), data, []byte("\n")), nil
}

// The errors of a record that can't be believed.
var (
	errDamaged = errors.New("it is damaged")
	errForeign = errors.New("it was written for a journal elsewhere, or the folder of its copies is another one")
)

// isUnread reports whether an error of opening or reading a record is the system's, so that nobody
// can tell what the record says, now at least. What the other ones say is for good.
func isUnread(err error) bool {
	return err != nil && !errors.Is(err, errDamaged) && !errors.Is(err, errForeign) && !errors.Is(err, errNoFile)
}

// parse reads a record that lies in a journal.
func parse(name string, text []byte, journal FolderID) (*Record, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	data, lines, complete := bytes.Cut(rest, []byte("\n"))
	sum, ok := strings.CutPrefix(string(first), head)
	if !ok || !complete || sum != hashOf(data) {
		return nil, errDamaged
	}
	r := &Record{name: name}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, errDamaged
	}
	_, id, named := parseName(name)
	if !named || id != r.ID {
		return nil, errDamaged
	}
	if !journal.is(FolderID{File: r.Journal, Born: r.JournalBorn}) {
		return nil, errForeign
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	r.outcome(string(lines))
	return r, nil
}

// check refuses entries that no change of ours has.
func (r *Record) check() error {
	if len(r.Entries) == 0 || len(r.Entries) > maxEntries || r.Asker.Undoes != "" && !isID(r.Asker.Undoes) {
		return errDamaged
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Folders < 0 || len(e.Modes) > e.Folders || e.Folders >= strings.Count(e.Path, string(filepath.Separator)) {
			return errDamaged
		}
		if !isClean(e.Path) || e.Root != "" && !isClean(e.Root) || e.Project != nil && (!isClean(e.Project.Path) || !fileinfo.LiesIn(e.Project.Path, e.Path)) || e.Before == nil && e.After == nil || !e.Before.isWhole() || !e.After.isWhole() {
			return errDamaged
		}
	}
	return nil
}

// isClean reports whether a path is absolute, and leads nowhere but by its names.
func isClean(path string) bool {
	return filepath.IsAbs(path) && filepath.Clean(path) == path && !strings.ContainsRune(path, 0)
}

// isWhole reports whether a text, or nil, can be one.
func (t *Text) isWhole() bool {
	return t == nil || isHash(t.Hash) && t.Size >= 0 && t.Mode.IsRegular()
}

// isHash reports whether a text is a SHA-256 as it is written here.
func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// outcome reads the lines behind the change.
func (r *Record) outcome(lines string) {
	for line := range strings.Lines(lines) {
		line, complete := strings.CutSuffix(line, "\n")
		if !complete {
			return // whoever wrote it was killed
		}
		switch what, rest, _ := strings.Cut(line, ": "); State(what) {
		case Committed:
			r.State = Committed
		case TakenBack:
			r.State, r.Left = TakenBack, nil
			_ = json.Unmarshal([]byte(rest), &r.Left) // there may be none
			r.Left = mapPaths(r.Left, decodePath)
		}
	}
}

// takenBack returns the line that says that the change was taken back, but for some files.
func takenBack(left []string) []byte {
	if len(left) == 0 {
		return []byte(string(TakenBack) + "\n")
	}
	data, _ := json.Marshal(mapPaths(left, encodePath)) // texts always have a form
	return slices.Concat([]byte(string(TakenBack)+": "), data, []byte("\n"))
}
