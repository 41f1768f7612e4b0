package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// For a day it is kept which sections servers have shown, so that a page can tell what agents
// have read: paths and selectors alone, with hashes of texts, and no text. It is a file an
// hour, to which each server adds lines. Nothing is synced, for nothing rests on it: what is
// lost by a crash counts as not shown.

const (
	shownDir      = "shown"
	shownHour     = "2006010215" // the name of a file, in UTC
	shownAge      = 24 * time.Hour
	maxShownFile  = 4 << 20 // bytes of a file, beyond which an hour begins another one
	shownBefore   = ".1"    // ends the name of the one before it, and what was before that is forgotten
	maxShownLine  = 256 << 10
	maxShownParts = 2000 // sections of a line; a document with more of them is told of in several
)

// Shown is a document of which a reader was shown sections.
type Shown struct {
	Time time.Time `json:"time"`
	// Client and Session are who it was, as for a change.
	Client  string `json:"client,omitempty"`
	Session string `json:"session,omitempty"`
	// Path is that of the file, absolute.
	Path string `json:"path"`
	// Sections are those that were shown, each without its subsections.
	Sections []ShownSection `json:"sections"`
}

// ShownSection is a section that was shown: the selector that it had then, such as "h2.1", and
// the hash of its text without its subsections.
type ShownSection struct {
	Selector string `json:"at"`
	Hash     string `json:"hash"`
}

// Saw notes what was shown.
func (j *Journal) Saw(ctx context.Context, s Shown) error {
	f, err := j.open(ctx, true)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it is a handle alone
	name := s.Time.UTC().Format(shownHour)
	s.Path = encodePath(s.Path)
	for sections := s.Sections; len(sections) > 0; {
		n := min(len(sections), maxShownParts)
		s.Sections, sections = sections[:n], sections[n:]
		line, err := json.Marshal(s)
		if err == nil {
			err = f.addShown(name, append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addShown adds a line to the file of an hour, which begins anew if it is full. The line is written
// at once, so that those of several servers don't mix.
func (f *folder) addShown(name string, line []byte) error {
	full := path.Join(shownDir, name)
	h, err := f.regular(full, os.O_WRONLY|os.O_APPEND)
	if err == nil {
		if info, failed := h.Stat(); failed == nil && info.Size() > maxShownFile && f.isStill(h, full) {
			_ = h.Close() // nothing was written
			if err := f.rename(full, full+shownBefore); err != nil {
				return err
			}
			err = fs.ErrNotExist
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		h, err = f.beginHour(name)
	}
	if err != nil {
		return err
	}
	defer h.Close() //nolint:errcheck // what is lost counts as not shown
	return f.write(h, line)
}

// forgetShown removes the files of hours that are too old; what can't be removed now, the next one does. It
// looks at names alone, so that each change may do it, also where nothing else is to be cleared away.
func (f *folder) forgetShown() {
	names, _ := f.names(shownDir)
	for _, old := range names {
		if at, err := time.Parse(shownHour, strings.TrimSuffix(old, shownBefore)); err == nil && time.Since(at) > shownAge+time.Hour {
			_ = f.remove(path.Join(shownDir, old))
		}
	}
}

// beginHour makes the file of an hour.
func (f *folder) beginHour(name string) (*os.File, error) {
	if err := f.Mkdir(shownDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f.forgetShown()
	return f.regular(path.Join(shownDir, name), os.O_WRONLY|os.O_APPEND|os.O_CREATE)
}

// Shown calls yield with what was shown since a time, at most a day ago, in the order of the
// hours, until it returns false. Lines that are none of ours are passed over. Before a file of notes is
// read, the newest first, admit is asked whether so many bytes may be: with the first that may not, the
// older ones are left out too, and partly is when that hour ends; otherwise it is zero.
func (j *Journal) Shown(ctx context.Context, since time.Time, admit func(bytes int64) bool, yield func(*Shown) bool) (partly time.Time, err error) {
	f, err := j.open(ctx, false)
	if errors.Is(err, fs.ErrNotExist) {
		return partly, nil
	}
	if err != nil {
		return partly, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	files, partly, err := f.shownFiles(since, admit)
	if err != nil {
		return partly, err
	}
	for _, name := range slices.Backward(files) {
		text, err := f.shownIn(name)
		if err != nil {
			return partly, err
		}
		for line := range bytes.Lines(text) {
			s, ok := parseShown(line)
			if ok && !s.Time.Before(since) && !yield(s) {
				return partly, nil
			}
		}
		if err := ctx.Err(); err != nil {
			return partly, err
		}
	}
	return partly, nil
}

// shownFiles returns the names of the files of notes that may be read, the newest first, as Shown says.
func (f *folder) shownFiles(since time.Time, admit func(bytes int64) bool) (files []string, partly time.Time, err error) {
	names, err := f.names(shownDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, partly, nil
	}
	if err != nil {
		return nil, partly, err
	}
	for _, name := range slices.Backward(names) {
		at, err := time.Parse(shownHour, name)
		if err != nil || at.Add(time.Hour).Before(since) || time.Since(at) > shownAge+time.Hour {
			continue
		}
		for _, part := range []string{name, name + shownBefore} {
			info, err := f.Lstat(path.Join(shownDir, part))
			if err != nil || info.Size() > maxShownFile+maxShownLine {
				continue // there is none, or it is none of ours
			}
			if !admit(info.Size()) {
				return files, at.Add(time.Hour), nil
			}
			files = append(files, part)
		}
	}
	return files, partly, nil
}

// shownIn returns what was noted in an hour.
func (f *folder) shownIn(name string) ([]byte, error) {
	h, err := f.regular(path.Join(shownDir, name), os.O_RDONLY)
	if err != nil {
		return nil, nil // it is gone, or none of ours
	}
	defer h.Close() //nolint:errcheck // nothing was written
	if info, err := h.Stat(); err != nil || info.Size() > maxShownFile+maxShownLine {
		return nil, err
	}
	return io.ReadAll(h)
}

// parseShown reads a line, and reports whether it is one of ours.
func parseShown(line []byte) (*Shown, bool) {
	s := &Shown{}
	if len(line) > maxShownLine || json.Unmarshal(line, s) != nil || len(s.Sections) > maxShownParts {
		return nil, false
	}
	s.Path = decodePath(s.Path)
	return s, isClean(s.Path)
}

// Stamp returns a text that is another one when something was written down meanwhile; "" if
// there is no journal.
func (j *Journal) Stamp(ctx context.Context) string {
	f, err := j.open(ctx, false)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // nothing was written
	var b strings.Builder
	for _, name := range []string{doneDir, path.Join(shownDir, time.Now().UTC().Format(shownHour))} {
		if info, err := f.Stat(name); err == nil {
			fmt.Fprint(&b, info.ModTime().UnixNano(), ".", info.Size(), " ")
		}
	}
	return b.String()
}
