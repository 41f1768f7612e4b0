package undoing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
)

// UndoRequest asks to take back a change.
type UndoRequest struct {
	// ID is of the change; empty for the newest that isn't taken back yet, of the documents.
	ID string
	// Paths are files of the change, or folders with some, in which alone it is taken back; none
	// for all of it. They need an ID.
	Paths []string
	// Redo asks, without an ID, to take back the newest undo.
	Redo bool
	// DryRun writes nothing and answers with the difference.
	DryRun bool
	// MaxChars is the largest number of characters of the reply; 0 sets none.
	MaxChars int
	// JSON wants the reply in JSON, Structured in JSON too.
	JSON, Structured bool
}

// undoData is what was undone, in JSON.
type undoData struct {
	Undone   string     `json:"undone"`
	Redone   string     `json:"redone,omitempty"` // the change that is made again, if Undone is an undo
	Written  bool       `json:"written"`
	Change   string     `json:"change,omitempty"`   // that has done so, to undo
	Of       int        `json:"of_files,omitempty"` // that the change has, if not all were asked for or are made again
	Files    []fileData `json:"files"`
	More     int        `json:"more_files,omitempty"` // that are not in Files
	Merged   []string   `json:"merged,omitempty"`     // files that have changed since in other sections
	Kept     []string   `json:"kept,omitempty"`
	Warnings []string   `json:"warnings,omitempty"`
	Diff     string     `json:"diff,omitempty"`
}

// restored is what becomes of a file.
type restored struct {
	name      string
	path      string // that it is written by
	entry     *journal.Entry
	old, next []byte // what it holds, and what it shall hold; nil for no file
	isBack    bool   // an undo has taken the change back in it
	isMerged  bool
	reserved  bool // memory is reserved for its texts
	lacks     bool // its folder is gone, and is made anew
	gone      bool // its folder is gone, and it is to be gone
}

// Undo takes back a change: as a change of its own, of all its files or none. A document that
// has changed since keeps that where it is in other sections; else the error is a conflict
// and nothing is written. The error is an *Error.
func (h *History) Undo(ctx context.Context, docs documents.Set, req UndoRequest) (*Reply, error) {
	s, err := scopeOf(&docs, false)
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	if h == nil {
		return nil, replies.Unwritten(&replies.Error{Code: "not_found", Message: replies.Say("there is no journal of changes")})
	}
	c, err := h.choose(ctx, docs, s, req)
	u := &undoing{history: h, docs: docs, req: req, change: c}
	if err == nil {
		err = u.selectFiles()
	}
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	u.of = len(c.Entries)
	if c.TakesBack {
		u.of = cmp.Or(c.OriginFiles, u.of) // it may be gone already
	}
	if err := u.run(ctx); err != nil {
		return nil, replies.Unwritten(err)
	}
	u.warning = append(u.warning, linking.LedTo(ctx, docs, u.restoredDocuments())...)
	r, err := u.reply()
	if err != nil {
		return nil, replies.Unwritten(err)
	}
	return r, nil
}

// undoing is a change that is being taken back.
type undoing struct {
	history *History
	docs    documents.Set
	req     UndoRequest
	change  *seen
	of      int // the number of files of the change that is taken back or made again
	files   []restored
	undo    files.Undo // of it
	warning []string
	kept    fileerror.Kept
	memory  documents.Taken
}

// run takes the change back.
func (u *undoing) run(ctx context.Context) error {
	const perEntry = 3 << 10 // what is known of a file from the journal, and told of it
	if err := u.memory.Add(u.docs.Work, int64(len(u.files))*(perEntry+documents.FileBytes)); err != nil {
		return err
	}
	unmake, err := u.makeFolders(ctx)
	if err != nil {
		return err
	}
	var paths []string
	limit := int64(0)
	for i := range u.files {
		f := &u.files[i]
		for _, t := range []*journal.Text{f.entry.Before, f.entry.After} {
			if t != nil {
				limit = max(limit, t.Size)
			}
		}
		if !f.gone && (!f.lacks || !u.req.DryRun) {
			paths = append(paths, f.path)
		}
	}
	var last *files.Tx
	change := func(tx *files.Tx) error {
		last = tx
		tx.Together()
		u.kept = tx.Kept()
		return u.restore(ctx, tx)
	}
	asker := u.asker(ctx)
	kept := u.history.journalFor(ctx, asker)
	ctx = kept.In(ctx)
	if w := u.docs.Workspace; w != nil {
		err = w.FileRoots().Update(ctx, paths, change)
	} else {
		err = files.Update(ctx, paths, files.UpdateOptions{Limit: max(limit, u.docs.MaxBytes, textfile.DefaultLimit)}, change)
	}
	switch {
	case errors.Is(err, errDry):
		return nil
	case err != nil:
		unmake()
		return replies.ErrorAbout("", err)
	}
	if !u.kept.None() {
		u.warning = append(u.warning, replies.Safe(u.kept.String()))
	}
	u.undo = last.Undo()
	if u.undo.Off {
		u.warning = append(u.warning, "no undo of this: your configuration says journal.days: 0; the list tells the change as it was")
	}
	u.warning = append(u.warning, u.undo.Warnings()...)
	return nil
}

// makeFolders makes the folders that files were in and that are gone with them, and returns what
// removes them again.
func (u *undoing) makeFolders(ctx context.Context) (unmake func(), err error) {
	for i := range u.files {
		f := &u.files[i]
		if _, err := os.Lstat(filepath.Dir(f.entry.Path)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f.gone, f.lacks = f.entry.Before == nil, f.entry.Before != nil && f.entry.LacksFolders()
		if !f.gone && !f.lacks {
			return nil, u.unobeyed(f, errNoFolder)
		}
	}
	var made []func()
	unmake = func() {
		for _, undo := range slices.Backward(made) {
			undo()
		}
	}
	for i := range u.files {
		f := &u.files[i]
		if !f.lacks {
			continue
		}
		_, undo, err := u.docs.MakeFolders(ctx, f.path, f.entry.Modes, u.req.DryRun)
		if err != nil {
			unmake()
			return nil, replies.ErrorAbout(f.name, err)
		}
		made = append(made, undo)
	}
	return unmake, nil
}

// asker returns who undoes.
func (u *undoing) asker(ctx context.Context) journal.Asker {
	a := journal.AskerOf(ctx)
	a.Undoes, a.Redo, a.Part = u.change.ID, u.change.TakesBack, u.isPart()
	return a
}

// unobeyed is the error for a file that isn't what the change was about.
func (u *undoing) unobeyed(f *restored, err error) error {
	if errors.Is(err, journal.ErrProtected) {
		return &replies.Error{Code: string(fileerror.PathOutsideRoot), Path: f.name, Message: replies.Say("change %s is not undone: %s", u.change.ID, err.Error())}
	}
	what := "that folder"
	if errors.Is(err, journal.ErrLinked) {
		what = "the file"
	}
	return &replies.Error{Code: "conflict", Path: f.name, Message: replies.Say(
		"change %s is not undone: %s; put %s back in its place, without links, or take the text from the difference of the change", u.change.ID, err.Error(), what)}
}

// errNoFolder says why a file can't be put back.
var errNoFolder = errors.New("its folder is gone")

// errDry ends a change of which nothing is to be written.
var errDry = errors.New("nothing is to be written")

// restore has the files hold what they held.
func (u *undoing) restore(ctx context.Context, tx *files.Tx) error {
	var failed []failure
	changes := false // whether a file holds another text than before the change
	for i := range u.files {
		f := &u.files[i]
		why, err := u.prepare(ctx, tx, f)
		if err != nil {
			return err
		}
		if why != "" {
			failed = append(failed, failure{f, why})
		}
		changes = changes || !sameText(f.old, f.next) || why != "" && why != whyBefore
	}
	switch {
	case changes && len(failed) > 0:
		return u.conflict(failed)
	case !changes:
		return &replies.Error{Code: "no_change", Message: replies.Say("change %s is undone already: its files hold what they held before it", u.change.ID)}
	case u.req.DryRun:
		return errDry
	}
	for i := range u.files {
		if err := u.files[i].write(tx); err != nil {
			return err
		}
	}
	return nil
}

// sameText reports whether two texts are the same; nil is no file.
func sameText(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// failure is a file that can't be put back.
type failure struct {
	file *restored
	why  string
}

// whyBefore is why a change isn't taken back in the others of its files: what it put into this one may
// be elsewhere by now.
const whyBefore = "it holds what it held before the change, and no undo of that has put it back: undo what has changed it since, or name the other files alone"

// whyAsBefore is the why of prepare for a file that holds what it held before the change.
func (f *restored) whyAsBefore() string {
	if f.isBack || f.entry.After.Is(f.old) {
		return ""
	}
	return whyBefore
}

// prepare finds what a file shall hold; why says, if it isn't "", why that can't be told.
func (u *undoing) prepare(ctx context.Context, tx *files.Tx, f *restored) (why string, err error) {
	e := f.entry
	f.isMerged = false
	if f.gone {
		return f.whyAsBefore(), nil
	}
	if f.lacks && u.req.DryRun {
		f.next, _, err = u.history.journal.Texts(ctx, e)
		return "", err
	}
	if err := e.Obeyed(tx, f.path); err != nil {
		return "", u.unobeyed(f, err)
	}
	if err := u.reserve(tx, f); err != nil {
		return "", err
	}
	f.old, err = journal.Current(tx, f.path)
	if err != nil {
		return "", err
	}
	f.next = f.old
	before, after, err := u.history.journal.Texts(ctx, e)
	switch {
	case e.Before.Is(f.old):
		return f.whyAsBefore(), nil
	case err != nil && journal.IsGone(err):
		return err.Error(), nil
	case err != nil:
		return "", err
	case e.After.Is(f.old):
		f.next = before
		return "", nil
	case f.old == nil:
		return "it was removed since", nil
	case after == nil:
		return "there is another file by its name now", nil
	case before == nil:
		return "it has changed since, and would be removed", nil
	case !files.IsMarkdown(filepath.Base(f.path)):
		return "it has changed since", nil
	}
	text, ok, err := merged(ctx, &u.docs, before, after, f.old)
	if err != nil {
		return "", err
	}
	if !ok {
		return "it has changed since, in sections that the change touched", nil
	}
	f.next, f.isMerged = text, true
	return "", nil
}

// reserve reserves memory, once, for the texts of a file and what is made of them: what it was,
// what it is, and their difference.
func (u *undoing) reserve(tx *files.Tx, f *restored) error {
	if f.reserved {
		return nil
	}
	const times = 2
	f.reserved = true
	return u.memory.Add(u.docs.Work, times*(sizeOf(f.entry)+tx.Size(f.path)))
}

// write has a file hold what it shall.
func (f *restored) write(tx *files.Tx) error {
	switch tx.Folders(f.path, f.entry.Folders); {
	case sameText(f.old, f.next):
		return nil
	case f.next == nil:
		return tx.Remove(f.path)
	}
	return tx.WriteNew(f.path, f.next, f.entry.Before.Mode)
}

// conflictLines is how many lines of differences a refusal has.
const conflictLines = 40

// leftOutLine stands for a line of a document that would be taken for one that names a mark.
const leftOutLine = "[a line that reads like sectile's own is left out; the command line prints it]"

// conflict returns the error for files that can't be put back, with what has changed in them
// since.
func (u *undoing) conflict(failed []failure) error {
	e := &replies.Error{Code: "conflict", Path: failed[0].file.name}
	names := make([]string, len(failed))
	for i, f := range failed {
		names[i] = f.file.name + " (" + f.why + ")"
	}
	e.Message = replies.Say("change %s can't be undone: %s", u.change.ID, strings.Join(names[:min(len(names), maxFiles)], ", "))
	if more := len(names) - maxFiles; more > 0 {
		e.Message = e.Message.Then(" and %d more", more)
	}
	if u.req.ID == "" {
		e.Message = e.Message.Then("; it is the newest; an older one is undone by its identifier, which the list of changes has")
	}
	for _, f := range failed {
		_, after, err := u.history.journal.Texts(context.Background(), f.file.entry)
		if err != nil || sameText(after, f.file.old) {
			continue
		}
		diff := linediff.Unified(after, f.file.old, f.file.name)
		lines := strings.Split(strings.TrimRight(string(diff), "\n"), "\n")
		if more := len(lines) - conflictLines; more > 0 {
			e.Details = append(e.Details, fmt.Sprintf("of what has changed since, the first %d lines; %d more are not shown:", conflictLines, more))
		}
		for _, line := range lines[:min(len(lines), conflictLines)] {
			if u.docs.Marks != nil && replies.Announcing([]byte(line)) { // an error has no place for a mark of its own
				line = line[:1] + leftOutLine
			}
			e.Details = append(e.Details, replies.Clip(replies.Safe(line), 3*replies.MaxShown))
		}
		break
	}
	return e
}

// reply tells what was undone. The error is that of a preview, an *Error.
func (u *undoing) reply() (*Reply, error) {
	d := undoData{Undone: u.change.ID, Written: !u.req.DryRun, Change: u.undo.Change, Files: []fileData{}, Kept: u.kept.Paths(), Warnings: u.warning}
	if u.change.TakesBack {
		d.Redone = u.change.Origin
	}
	if len(u.files) < u.of {
		d.Of = u.of
	}
	told := told{maxChars: u.req.MaxChars}
	for i := range u.files {
		f := &u.files[i]
		if sameText(f.old, f.next) {
			continue
		}
		if u.docs.Workspace != nil && len(d.Files) == maxTold {
			d.More++
		} else {
			d.Files = append(d.Files, fileData{Path: f.name, Change: journal.KindOf(f.old != nil, f.next != nil)})
		}
		if f.isMerged && (u.docs.Workspace == nil || len(d.Merged) < maxTold) {
			d.Merged = append(d.Merged, f.name)
		}
		if !u.req.DryRun {
			continue
		}
		if err := u.differ(&told, f); err != nil {
			return nil, replies.ErrorAbout(f.name, err)
		}
	}
	told.head = d.text()
	text, diff := told.text(u.docs.Marks)
	d.Diff = string(diff)
	r := reply(text, &d, u.req.MaxChars, u.req.JSON, u.req.Structured)
	r.Warnings = u.warning
	return r, nil
}

// restoredDocuments returns the documents that hold another text, or are gone, or shall be: links
// may lead to what they have no more.
func (u *undoing) restoredDocuments() []linking.Restored {
	var all []linking.Restored
	for i := range u.files {
		if f := &u.files[i]; f.old != nil && files.IsMarkdown(filepath.Base(f.path)) && !sameText(f.old, f.next) {
			all = append(all, linking.Restored{Path: f.path, Before: f.old, After: f.next})
		}
	}
	return all
}

// differ adds what becomes of a file.
func (u *undoing) differ(t *told, f *restored) error {
	if t.isFull() {
		t.left++
		return nil
	}
	diff, err := t.kept(u.docs.Work, linediff.Unified(f.old, f.next, f.name), u.req.JSON || u.req.Structured)
	if err == nil {
		t.add(diff)
	}
	return err
}

// text renders what was undone.
func (d *undoData) text() string {
	var b strings.Builder
	id, done := d.Undone, "undone"
	if d.Redone != "" {
		id, done = d.Redone, "done again"
	}
	if !d.Written {
		done = "would be " + done
	}
	if d.Of > 0 {
		done += fmt.Sprintf(" in %d of %s", len(d.Files)+d.More, replies.Plural(d.Of, "file"))
	}
	if d.Change != "" {
		done += " by " + d.Change
	}
	fmt.Fprintf(&b, "%s %s: %s", id, done, filesText(d.Files, d.More))
	if !d.Written {
		b.WriteString("; nothing was written")
	}
	b.WriteString("\n")
	if len(d.Merged) > 0 {
		b.WriteString("changed since in other sections, which stay: " + firstNames(d.Merged, maxFiles) + "\n")
	}
	for _, warning := range d.Warnings {
		b.WriteString("warning: " + warning + "\n")
	}
	return b.String()
}
