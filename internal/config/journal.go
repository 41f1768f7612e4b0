package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/fileinfo"
)

// Journal says what is kept of changes, as the user's file has it.
type Journal struct {
	Days  int   // 0 if nothing is written down
	Bytes int64 // of all changes together
}

// defaultJournal is what is kept where the user's file doesn't say.
var defaultJournal = Journal{Days: 30, Bytes: 200 << 20}

// Journal returns what is kept of changes. It doesn't depend on the project, nor on what else
// is wrong in the user's file: the error, an *Error or *fileerror.Error, is that of what the file
// says of the journal, or that the file can't be read at all and may say something. A file of
// somebody else, or in a place of somebody else that the user may not read, says nothing.
func (l *Loader) Journal() (Journal, error) {
	place := l.UserFile()
	user, err := l.readUser(place)
	switch {
	case err == nil:
		err = user.wrongIn("journal")
	case isNotOwned(err), errors.Is(err, fs.ErrPermission) && !isInOwnPlace(place):
		err = nil
	}
	return user.journal(), err
}

// isInOwnPlace reports whether a file that the user may not read is the user's own, or may be: it is
// root's, or nobody can tell whose it is, and the folder that it is in, or the nearest above it of which
// that can be told, is the user's.
func isInOwnPlace(place string) bool {
	info, err := os.Stat(place)
	if err == nil && !fileinfo.OwnedByUserOrRoot(info) {
		return false
	}
	if err == nil && fileinfo.OwnedByUser(info) {
		return true
	}
	for err = fs.ErrPermission; errors.Is(err, fs.ErrPermission) && place != filepath.Dir(place); {
		place = filepath.Dir(place)
		info, err = os.Stat(place)
	}
	return err == nil && fileinfo.OwnedByUser(info)
}

// escapedKey matches the end of a key in double quotes, from an escape in it on.
var escapedKey = regexp.MustCompile(`\\[^"]*"\s*:`)

// mayHaveMeant reports whether a file, or nil, that can't be used as it is may have a key that was written
// for a setting: what is before a colon may be one, and at the top what begins a line. One with an escape in a key, or in
// another encoding, may have any, and so may one with very many.
func (f *file) mayHaveMeant(setting string) bool {
	switch {
	case f == nil:
		return false
	case strings.Contains(f.Source, setting), escapedKey.MatchString(f.Source), strings.Contains(f.Source, "\x00"), !utf8.ValidString(f.Source):
		return true
	}
	type word struct {
		key   string
		isTop bool
	}
	const most = 10_000
	seen := map[word]bool{}
	for line := range strings.FieldsFuncSeq(f.Source, func(c rune) bool { return c == '\n' || c == '\r' }) {
		for i, part := range strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune("{[,", c) }) {
			whole := strings.TrimLeft(part, " \t\"'\ufeff")
			whole = whole[:strings.IndexByte(whole+":", ':')]
			first := whole[:strings.IndexAny(whole+" ", " \t\"'")]
			isTop := i == 0 && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t")
			place := word{whole, isTop}
			if !isTop && !strings.Contains(part, ":") || seen[place] {
				continue
			}
			seen[place] = true
			for _, key := range []string{letters(whole), first} {
				if len(seen) > most || mayMean(key, setting, isTop) {
					return true
				}
			}
		}
	}
	return false
}

// mayMean reports whether a key of a file with which something is wrong may have been written for a
// setting, or for a key below it: at the top for one like that, elsewhere for the same.
func mayMean(key, setting string, isTop bool) bool {
	names, plain := []string{setting}, letters(key)
	for i := range keys {
		below, ok := strings.CutPrefix(keys[i].Path, setting+".")
		switch {
		case ok && isTop:
			names = append(names, below)
		case ok && plain == letters(below):
			return true
		}
	}
	return strings.Contains(plain, setting) || len(near(key, names, 1)) > 0
}

// wrongIn returns what is wrong with a setting of the user's file, or nil, with what is below it, and
// with keys that may have been written for these; if the file can't be taken apart, or not all that is
// wrong with it is told, and it may have the setting, all that is told. The error is an *Error.
func (f *file) wrongIn(setting string) error {
	if f == nil {
		return nil
	}
	mayBeAny := (f.root == nil || len(f.problems) > maxProblems) && f.mayHaveMeant(setting)
	var problems []Problem
	for _, p := range f.problems {
		may := func(key string) bool { return mayMean(key, setting, p.Field == field("", key)) }
		unknown := p.keys
		if len(unknown) == 0 {
			unknown = []string{p.Field}
		}
		if mayBeAny || strings.HasPrefix(p.Field, setting) || slices.ContainsFunc(unknown, may) {
			problems = append(problems, p)
		}
	}
	return errorOf(problems)
}

// journal returns what a user's file, or nil, says of the journal.
func (f *file) journal() Journal {
	j := defaultJournal
	if f == nil {
		return j
	}
	if days, ok := f.settings["days"]; ok {
		j.Days = int(days)
	}
	if bytes, ok := f.settings["bytes"]; ok {
		j.Bytes = bytes
	}
	return j
}
