package planstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/repoproof"
)

// Kind says what keeps the plan.
type Kind string

// The kinds of stores.
const (
	// Auto chooses by the nearest folder, the root or one above it, that holds a
	// repository: JJ if there is a `.jj` in it (and maybe a `.git`), Git if there is
	// a `.git` or it is a bare one; File if no folder does.
	Auto Kind = "auto"
	JJ   Kind = "jj"
	Git  Kind = "git"
	File Kind = "file"
)

// Kinds are those that can be asked for.
func Kinds() []Kind { return []Kind{Auto, JJ, Git, File} }

// ChooseKind is what to do about a kind that isn't one, as a sentence without a full stop.
func ChooseKind() string {
	kinds, text := Kinds(), "set `plan.store` to "
	for _, kind := range kinds[:len(kinds)-2] {
		text += string(kind) + ", "
	}
	return text + string(kinds[len(kinds)-2]) + " or " + string(kinds[len(kinds)-1])
}

// DefaultFile is the file that a plan is kept in, below the root.
const DefaultFile = ".sectile/plan.md"

const (
	defaultTimeout     = 10 * time.Second
	defaultLockTimeout = 30 * time.Second
)

// Options say where a plan is kept and how its store is worked with.
type Options struct {
	Root string // folder of the project; "" is the working directory
	Kind Kind   // "" is Auto
	File string // of the file store, below the root; "" is DefaultFile

	// Nearest says that the project names the kind and not the user: then the nearest
	// folder with a repository counts, and must have one of this kind.
	Nearest bool

	// ByProject says that the project names the file and not the user: it is Markdown,
	// or in the folder of DefaultFile. Roots are those of a server, one of which it must
	// lie in; nil for any.
	ByProject bool
	Roots     *files.Roots
	// Unwritten are files of the host that the file of a plan is none of, by whatever link.
	Unwritten []string

	JJ, Git string        // programs, by name or path; "" is jj and git in the PATH
	Timeout time.Duration // of one command; 0 is 10 s
	// LockTimeout is how long other writers are waited for; 0 is 30 s.
	LockTimeout time.Duration

	Trust repoproof.Trust // what the user allows
	// Shows returns what reports whether Survey and Diff may tell of the file at a path, an absolute
	// one of the host; it is asked for anew for each list of files. Without it they tell of all. With
	// it a Reader finds no commit by what is in its files.
	Shows func() func(path string) bool
	// ReadOnly has Load, Survey, Diff and List write nothing at all: Jujutsu takes no
	// snapshot, merges no operations and makes no index. It is up to the caller to
	// leave the other methods alone.
	ReadOnly bool

	// IsOpenPlan reports whether a text is a plan that is not finished. Without it
	// every text that is not blank is taken for one.
	IsOpenPlan func(text string) bool
	// IsFinished reports whether a text is a plan that is finished. Without it none is.
	IsFinished func(text string) bool
	Log        *slog.Logger // of commands, without texts; nil for none

	examined *fileinfo.KnownFolders // shared by copies
}

// State is a plan's text and where it is.
type State struct {
	// Text is what is stored, to the byte. It ends with a newline, unless somebody
	// else wrote it or it is empty. No text and no place for one are the same.
	Text string
	// Version is 16 hexadecimal digits that change when the text or its place does
	// (the Jujutsu change, the ref, the file) and at nothing else: not when files
	// of the project change, nor when the same text is written again. A text that
	// comes back has its version back.
	Version string

	Kind  Kind
	Name  string // of the place: a change's identifier, a branch or worktree, a path below the root
	Where string // the same in words, which follow "in": "change qpvuntsm"; no path of the host

	// Kept says in a sentence without a full stop which files were kept beside the plan's file
	// while it was written, as another program had saved it meanwhile. Mostly it is empty.
	Kept string

	// What follows is told of Jujutsu alone.

	Conflict  bool // files of the change have conflicts; its description can be written
	Immutable bool // the description can't be written
	Divergent bool // several commits are this change, and this is one of them; it is not written
	// Twins are the beginnings of the identifiers of the others, with commas between, as
	// far as Load and Survey have found them.
	Twins string
	// Stale says that the working copy is not what the repository thinks it is.
	// Only Survey finds out, which then knows no changes of files since, and Update
	// fails.
	Stale bool
	// Heads names operations that ran at once and that Jujutsu would merge, which with
	// Options.ReadOnly it doesn't: the beginnings of their identifiers, with commas
	// between. The state is that of the first. Mostly there are none, and it is empty.
	Heads string
}

// Change is a file that was changed.
type Change struct {
	Status string // added, modified, removed, renamed, copied, typechanged, unmerged or untracked
	Path   string // relative to the root, with forward slashes; of a renamed file the new one
}

// Changes are the files that differ from what they are compared with.
type Changes struct {
	// Against is what that is: "the parent of change qpvuntsm", "HEAD". It is empty
	// if the store knows of no files: the file store, and a bare repository.
	Against string
	Files   []Change // at most 1,000
	More    int      // files beyond those, as far as they are known
	Hidden  int      // files that Options.Shows keeps back, which are in neither
	// Unknown says why there may be changed files beyond Files and More, "" if there are none, as
	// a sentence without a full stop: "`git ls-files` printed more than 8388608 bytes".
	Unknown string
}

// Empty reports whether no file was changed that may be told of.
func (c *Changes) Empty() bool { return len(c.Files) == 0 }

// told returns the changes that may be told of, and the number of the others. The paths
// are relative to a folder. A file in whose place there is a folder by now, or the other
// way round, is told of if all below it is: git shows what is below a path with it.
func (o *Options) told(folder string, all []Change) (told []Change, hidden int) {
	if o.Shows == nil {
		return all, 0
	}
	shows := o.Shows()
	above := map[string]bool{} // the paths that lead to hidden ones
	for _, c := range all {
		if shows(filepath.Join(folder, filepath.FromSlash(c.Path))) {
			told = append(told, c)
			continue
		}
		for dir := path.Dir(c.Path); dir != "." && dir != "/" && !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
		}
	}
	told = slices.DeleteFunc(told, func(c Change) bool { return above[c.Path] })
	return told, len(all) - len(told)
}

// Diff is the beginning of the difference that Changes lists.
type Diff struct {
	Text string // in git's format; characters that are not UTF-8 are replaced
	Cut  bool   // there is more
	// Unknown says why the rest of it, or all, can't be told, as in Changes.
	Unknown string
}

// Plan is one of the plans that a store has.
type Plan struct {
	Name    string // for Adopt
	Where   string // in words, as in State
	Text    string
	Fault   *Error // why the text can't be read, or nil; it is "" then
	Current bool   // it is what Load gives
	Open    bool   // it is not finished, as IsOpenPlan says
	// Orphan says that there is no branch of this plan's name, nor a worktree whose
	// plan it is, so that it can be adopted; or that a message has taken its place in a
	// change of Jujutsu.
	Orphan bool
	// Gone says why it is one: "its branch is gone"; or why that can't be told.
	Gone string
	// Mend says how that can be told again, where it can't; otherwise "".
	Mend string
	// Workspace is another workspace of Jujutsu that works on the change, or another
	// worktree of git that has the branch checked out, or "".
	Workspace string
	// Continue is the command that goes on with it, or "" if it is the current one.
	Continue string
}

// Old is where a plan stays when a new one was begun. It is zero if there was none.
type Old struct {
	Name  string // "qpvuntsm", a commit's identifier, ".sectile/plan.1.md"
	Where string // in words, as in State
	See   string // a command that shows it, or "" for a file
}

// Store is a place that keeps a plan's text. All methods can be called at the same
// time, by many goroutines and processes.
//
// Errors are the context's, if that ended, or an *Error; those of the functions
// that are handed in are returned as they are. After an error nothing was written,
// unless it says otherwise.
type Store interface {
	// Kind is JJ, Git or File.
	Kind() Kind

	// Load reads the text. Jujutsu takes no snapshot of the working copy and does not
	// look for new commits of git; it merges operations that ran at once, unless
	// Options.ReadOnly is set. Nothing else is changed.
	Load(ctx context.Context) (State, error)

	// Survey reads the text and what files were changed, as they are now. Jujutsu
	// takes a snapshot of the working copy for it, which is what every command of
	// its does, unless Options.ReadOnly is set; git changes nothing. It shows what Load would, and after a `git
	// commit` beside Jujutsu where the working copy is now. That files can't be told
	// is no error: Unknown says so.
	Survey(ctx context.Context) (State, Changes, error)

	// Diff returns the difference of the files that Survey listed last, at most limit
	// bytes and whole characters. Files that git does not track are not in it.
	Diff(ctx context.Context, limit int) (Diff, error)

	// Update changes the text. It calls change with the state as it is and writes
	// the text that change returns, if that differs; a newline is added to one
	// that doesn't end with it, and nothing else is changed. It returns the state
	// as it is then. What change returns is written in the place of what it was
	// given, or not at all: change is called again if somebody else came between.
	// It must not use the store.
	//
	// The error is change's, or an *Error with Type TypeNotText (NUL, not UTF-8, or in git a noncharacter),
	// TypeImmutable, TypeDivergent, TypeStale, TypeConcurrent (again and again, or
	// the lock was not to be had), or one of Load's.
	Update(ctx context.Context, change func(State) (string, error)) (State, error)

	// New begins a new plan: the text is empty then, and the old one stays where Old
	// says. Check is called with the state before, and its error ends it. In
	// Jujutsu it is a new change after this one. In git it is another commit on the
	// same ref, so that the old text is in its history. A file is copied to one
	// beside it with a number. Nothing happens if there is no text, and in Jujutsu
	// no changed file either, unless the change is immutable.
	New(ctx context.Context, check func(State) error) (State, Old, error)

	// List returns the plans that there are. In Jujutsu these are the open ones
	// among the mutable ancestors of the working copy and the mutable children of
	// its nearest ancestors; in git those of all branches and worktrees; for a file
	// that one and those that New has kept. The current one is first, if it has a
	// text.
	List(ctx context.Context) ([]Plan, error)

	// Adopt takes over the plan of this name, one of List's. Check is called with the state
	// before, when all is ready to be written, and its error ends it; it isn't called for the
	// current plan, which stays. In git it becomes that
	// of the branch that is checked out: its ref is renamed, with its history; only
	// an Orphan can be taken over (else TypeUnsupported). A kept file becomes the plan's file. In Jujutsu a plan can't leave its change,
	// and the error (TypeUnsupported) says how to go there; one that a message has taken
	// the place of is written into the current change. The current text must
	// not be an open plan (else TypeOccupied); it is kept as New keeps it.
	Adopt(ctx context.Context, name string, check func(State) error) (State, error)
}

// Save writes text in the place of the one that has this version. If another one is
// there by now, the error is an *Error with Type TypeConcurrent and the Version of
// that, and nothing is written; unless that is this very text.
func Save(ctx context.Context, s Store, text, version string) (State, error) {
	return s.Update(ctx, func(now State) (string, error) {
		if now.Version != version && now.Text != text && now.Text != complete(text) {
			return "", Concurrent(now)
		}
		return text, nil
	})
}

// Message returns a plan's text as the message of a commit.
func Message(text string) string {
	if text = strings.TrimRight(text, " \t\r\n"); text == "" {
		return ""
	}
	return text + "\n"
}

// complete returns the text as it is stored.
func complete(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// stored returns the text that is stored when a change has returned one: the text of the state
// as it is, and any other completed. What a store can't keep is refused.
func (s *State) stored(text string) (string, error) {
	if text == s.Text {
		return text, nil
	}
	if fault := textFault(text); fault != "" {
		return "", &Error{Type: TypeNotText, Message: "the text " + fault, Hint: "write it in UTF-8 and without NUL", Unwritten: true}
	}
	return complete(text), nil
}

// textFault says what keeps bytes from being the text of a plan, "" for nothing.
func textFault(text string) string {
	switch {
	case strings.IndexByte(text, 0) >= 0:
		return "has a NUL"
	case !utf8.ValidString(text):
		return "is not UTF-8"
	}
	return ""
}

// newVersion returns the version of a text in a place.
func newVersion(kind Kind, place, text string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + place + "\x00" + text))
	return hex.EncodeToString(sum[:8])
}

// isOpen reports whether a text is an open plan.
func (o *Options) isOpen(text string) bool {
	if o.IsOpenPlan == nil {
		return strings.TrimSpace(text) != ""
	}
	return o.IsOpenPlan(text)
}
