package undoing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/replies"
)

// ListRequest asks for changes, the newest first.
type ListRequest struct {
	// ID is of the change whose difference is asked for; then the reply is about that alone.
	ID string
	// All lists changes of files that are not below the working directory, too.
	All bool
	// Limit is the number of changes; 0 means DefaultLimit.
	Limit int
	// MaxChars is the largest number of characters of the reply; 0 sets none.
	MaxChars int
	// MaxLines is how many lines of the difference are told, from FirstLine on, which counts from 0, and of
	// how many; 0 tells all.
	FirstLine, MaxLines int
	// JSON wants the reply in JSON, Structured in JSON too.
	JSON, Structured bool
}

// DefaultLimit is how many changes are listed unless somebody asks for another number.
const DefaultLimit = 20

// Reply answers a request.
type Reply struct {
	Text       []byte
	Structured []byte
	Warnings   []string // of an undo; the text has them too
}

// changeData is a change in JSON.
type changeData struct {
	ID      string     `json:"id"`
	Time    time.Time  `json:"time"`
	Tool    string     `json:"tool,omitempty"`
	Client  string     `json:"client,omitempty"`
	Session string     `json:"session,omitempty"`
	Command []string   `json:"command,omitempty"`
	State   string     `json:"state"` // done, undone, undone in part, taken back or damaged
	Undoes  string     `json:"undoes,omitempty"`
	Redo    bool       `json:"redo,omitempty"` // Undoes is an undo itself
	Undone  string     `json:"undone_by,omitempty"`
	Files   []fileData `json:"files,omitempty"`
	More    int        `json:"more_files,omitempty"`  // that are not in Files
	Others  int        `json:"other_files,omitempty"` // that the request may not see
	Left    []string   `json:"left,omitempty"`
	Problem string     `json:"problem,omitempty"`
	Diff    string     `json:"diff,omitempty"`
	Lines   int        `json:"diff_lines,omitempty"` // of all of the difference, if Diff has some of them
	Missing []string   `json:"warnings,omitempty"`   // why the difference of a file is not in Diff
}

// fileData is what a change did to a file.
type fileData struct {
	Path   string `json:"file_path"`
	Change string `json:"change"` // create, change or remove
	Undone bool   `json:"undone,omitempty"`
}

// listData is a list of changes in JSON.
type listData struct {
	Changes []changeData `json:"changes"`
	More    bool         `json:"more"` // there are older ones
}

// data returns a change as it is told.
func (c *seen) data(s *scope) changeData {
	d := changeData{
		ID: c.ID, Time: c.Time.UTC().Truncate(time.Second), Tool: replies.Clip(c.Asker.Tool, replies.MaxShown),
		State: stateDone, Undoes: c.Asker.Undoes, Redo: c.IsRedo(), Undone: c.by.by, Others: c.hidden, Problem: c.Problem,
	}
	if s.workspace == nil { // a client isn't told of others, nor of paths that a command has named
		d.Client, d.Session, d.Command = c.Asker.Client, c.Asker.Session, c.Asker.Command
	}
	switch {
	case c.Problem != "":
		d.State = stateDamaged
	case c.State == journal.TakenBack:
		d.State = string(journal.TakenBack)
	case c.isUndone():
		d.State = stateUndone
	case c.undone > 0:
		d.State = stateUndoneInPart
	}
	for i, name := range c.names {
		switch {
		case name == "":
		case s.workspace != nil && len(d.Files) == maxTold:
			d.More++
		default:
			d.Files = append(d.Files, fileData{name, c.Entries[i].Kind(), c.back[i]})
		}
	}
	for _, path := range c.Left {
		if name, ok := s.name(path); ok && (s.workspace == nil || len(d.Left) < maxTold) {
			d.Left = append(d.Left, name)
		}
	}
	return d
}

// States of changes as they are told, beside that of one that was interrupted.
const (
	stateDone         = "done"
	stateUndone       = "undone"         // taken back in all of its files
	stateUndoneInPart = "undone in part" // in some of them
	stateDamaged      = "damaged"        // has a Problem
)

// IsLeft reports whether some of the change is left to take back.
func (d *changeData) IsLeft() bool { return d.State == stateDone || d.State == stateUndoneInPart }

// IsUndone reports whether all of the change is taken back, and not made again.
func (d *changeData) IsUndone() bool { return d.State == stateUndone }

// IsUndo reports whether the change takes another one back, which a redo makes again.
func (d *changeData) IsUndo() bool { return d.Undoes != "" && !d.Redo }

// maxTold is the number of files of a change that a client is told of.
const maxTold = 100

// maxFiles is the number of files that the line of a change names.
const maxFiles = 5

// line tells of a change in a line.
func (d *changeData) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", d.ID, d.Time.Format(time.RFC3339))
	switch {
	case d.Redo:
		b.WriteString(" redo of " + d.Undoes)
	case d.Undoes != "":
		b.WriteString(" undo of " + d.Undoes)
	case d.Tool != "":
		b.WriteString(" " + replies.Safe(d.Tool))
	}
	switch {
	case d.Problem != "":
		b.WriteString(": it can't be undone, for " + replies.Safe(d.Problem))
	case d.IsUndone(), d.State == stateUndoneInPart:
		b.WriteString(" [" + d.State + " by " + d.Undone + "]")
	case d.State != stateDone:
		b.WriteString(" [" + d.State + "]")
	}
	if len(d.Files) > 0 {
		b.WriteString(": " + filesText(d.Files, d.More))
	}
	if d.Others > 0 {
		fmt.Fprintf(&b, "; and %s elsewhere", replies.Plural(d.Others, "file"))
	}
	if len(d.Left) > 0 {
		b.WriteString("; left as it was found: " + firstNames(d.Left, maxFiles))
	}
	return b.String()
}

// firstNames joins the first of some names, safe and cut, and says how many more there are.
func firstNames(names []string, most int) string {
	var short []string
	for _, name := range names[:min(len(names), most)] {
		short = append(short, replies.ClipMiddle(replies.Safe(name), replies.MaxShown))
	}
	text := strings.Join(short, ", ")
	if more := len(names) - len(short); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// filesText tells what was done to some files, and of how many more.
func filesText(files []fileData, more int) string {
	var told []string
	for _, f := range files[:min(len(files), maxFiles)] {
		told = append(told, f.Change+" "+replies.ClipMiddle(replies.Safe(f.Path), replies.MaxShown))
	}
	text := strings.Join(told, ", ")
	if more += len(files) - len(told); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// List lists changes of the documents, or tells of one with its difference. The error is an
// *Error.
func (h *History) List(ctx context.Context, docs documents.Set, req ListRequest) (*Reply, error) {
	s, err := scopeOf(&docs, req.All)
	if err != nil {
		return nil, err
	}
	if req.Limit < 0 {
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s must be greater than 0", replies.Limit)}
	}
	if docs.Workspace == nil { // a server may be one that writes nothing
		h.clearOld(ctx)
	}
	if req.ID != "" {
		return h.show(ctx, s, req)
	}
	if err := s.inPlace(); err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = DefaultLimit
	}
	list := listData{Changes: []changeData{}}
	var text []byte
	room := req.MaxChars - len(olderChanges)
	err = h.walk(ctx, s, func(c *seen) bool {
		d := c.data(s)
		line := d.line() + "\n"
		if list.More = len(list.Changes) == req.Limit || req.MaxChars > 0 && replies.Chars(text)+replies.Chars([]byte(line)) > room; list.More && len(text) > 0 {
			return false
		} else if list.More { // a line that alone has no room
			line, list.More = replies.Clip(d.line(), room-1)+"\n", false
		}
		text = append(text, line...)
		list.Changes = append(list.Changes, d)
		return true
	})
	switch {
	case err != nil:
		return nil, err
	case len(list.Changes) == 0:
		text = []byte("no changes " + s.of() + "are in the journal\n")
	case list.More:
		text = append(text, olderChanges...)
	}
	return reply(text, &list, req.MaxChars, req.JSON, req.Structured), nil
}

// of says of which files alone a request sees changes, with a blank after; "" for all.
func (s *scope) of() string {
	switch {
	case len(s.paths) > 0:
		return "of what is named "
	case s.workspace != nil:
		return "of files that this server serves "
	case s.all:
		return ""
	}
	return "of files in this folder "
}

// olderChanges ends a list that hasn't room for all.
const olderChanges = "[older changes are not listed; give a path, or a higher limit]\n"

// reply returns a reply in the forms that are asked for. Structured content has at most so many
// characters, 0 for any number, with what there is less of as the data get shorter; it is nil if there is
// no room for the rest.
func reply(text []byte, data shorter, maxChars int, json, structured bool) *Reply {
	r := &Reply{Text: text}
	if json || structured {
		r.Structured = replies.JSON(data)
	}
	for maxChars > 0 && replies.Chars(r.Structured) > maxChars {
		r.Structured = nil
		if data.shorten() {
			r.Structured = replies.JSON(data)
		}
	}
	if json {
		r.Text = r.Structured
	}
	return r
}

// show tells of one change with its difference.
func (h *History) show(ctx context.Context, s *scope, req ListRequest) (*Reply, error) {
	c, err := h.find(ctx, s, req.ID)
	if err != nil {
		return nil, err
	}
	d := c.data(s)
	told := told{head: d.line() + "\n", maxChars: req.MaxChars, part: linesPart{first: req.FirstLine, most: req.MaxLines}}
	failed := 0
	for i := range c.Entries {
		switch {
		case c.names[i] == "":
			continue
		case told.isFull():
			told.left++
			continue
		}
		one, err := h.difference(ctx, s.work, &c.Entries[i], c.names[i])
		if err == nil {
			one, err = told.kept(s.work, one, req.JSON || req.Structured)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			if failed++; failed <= maxFiles {
				d.Missing = append(d.Missing, replies.ClipMiddle(replies.Safe(c.names[i]), 2*replies.MaxShown)+": "+replies.Safe(err.Error()))
				told.head += "warning: " + d.Missing[len(d.Missing)-1] + "\n"
			}
			continue
		}
		told.add(one)
	}
	if more := failed - maxFiles; more > 0 {
		d.Missing = append(d.Missing, "and so for "+replies.Plural(more, "more file"))
		told.head += "warning: " + d.Missing[maxFiles] + "\n"
	}
	d.Lines = told.part.lines
	text, diff := told.text(s.marks)
	d.Diff = string(diff)
	return reply(text, &d, req.MaxChars, req.JSON, req.Structured), nil
}

// difference returns what a change did to a file, as a unified diff, for which memory is
// reserved while it is made.
func (h *History) difference(ctx context.Context, work *documents.Work, e *journal.Entry, name string) ([]byte, error) {
	l, err := work.Reserve(sizeOf(e))
	if err != nil {
		return nil, err
	}
	defer l.Release()
	before, after, err := h.journal.Texts(ctx, e)
	if err != nil {
		return nil, err
	}
	return linediff.Unified(before, after, name), nil
}

// sizeOf returns how many bytes the texts of an entry have.
func sizeOf(e *journal.Entry) (bytes int64) {
	for _, t := range []*journal.Text{e.Before, e.After} {
		if t != nil {
			bytes += t.Size
		}
	}
	return bytes
}
