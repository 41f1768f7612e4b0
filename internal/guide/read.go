package guide

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
)

// Reading: the bytes of a file as they are, and of a template what it gives.

// leftOutError is an error that is a reason for leaving a file out.
type leftOutError struct{ reason, detail string }

// Error says in words why the file can't be used.
func (e *leftOutError) Error() string {
	switch {
	case e.detail != "":
		return e.detail
	case e.reason == SkipPermission:
		return "it may not be read"
	}
	return "it can't be read"
}

// full is the error for a content that doesn't fit any more.
func full(size, left int64) *leftOutError {
	return &leftOutError{SkipTooLarge, fmt.Sprintf("it has %d bytes, and guide.max_reply_bytes leaves room for %d more; ask for fewer files at once", size, left)}
}

// crowded is the error for a content that doesn't fit any more, with how much room it
// takes.
func crowded(path string, content []byte, left int64) *leftOutError {
	size, takes := int64(len(content)), room(path, content)
	if takes == size {
		return full(size, left)
	}
	return &leftOutError{SkipTooLarge, fmt.Sprintf("it has %d bytes, which with its path take the room of %d as the reply writes them, "+
		"and guide.max_reply_bytes leaves room for %d more; ask for fewer files at once, or take control characters out of it", size, takes, left)}
}

// lost is the error for a file that isn't there when it is opened, and err for any
// other.
func lost(err error, is kind) error {
	e, ok := errors.AsType[*fileerror.Error](err)
	switch {
	case !ok || e.Code != fileerror.NotFound:
		return err
	case is == link:
		return &leftOutError{SkipMissing, "it is a link to nothing"}
	}
	return &leftOutError{SkipMissing, "it vanished while the category was read"}
}

// load looks at the file that has the name, or reads it if contents are asked for.
func (s *search) load(c *candidate, name string, is kind) (File, error) {
	file := File{Path: c.path, Basename: path.Base(c.path)}
	if is == special {
		return file, &leftOutError{SkipNotAFile, notAFile}
	}
	if !s.request.Content {
		if s.request.Names && is == regular {
			return file, nil
		}
		i, err := s.root.stat(name)
		file.Size, file.Modified = i.size, i.modified
		return file, lost(err, is)
	}
	limit := s.request.MaxFileBytes
	isTemplate := name != c.path
	if !isTemplate {
		limit = min(limit, s.left)
	}
	text, i, err := s.root.read(name, limit)
	file.Size, file.Modified = i.size, i.modified
	if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.TooLarge {
		if i.size <= s.request.MaxFileBytes {
			return file, full(i.size, s.left)
		}
		return file, &leftOutError{SkipTooLarge, fmt.Sprintf("it has %d bytes, and guide.max_file_bytes is %d", i.size, s.request.MaxFileBytes)}
	}
	if err != nil {
		return file, lost(err, is)
	}
	file.Content = append(make([]byte, 0, len(text)), text...) // not nil: it was asked for
	return file, nil
}

// render renders the template of the file at name.
func (s *search) render(name string, source []byte) ([]byte, error) {
	text, err := Render(s.ctx, Template{
		Path: name + templateSuffix, Source: source, Vars: s.request.Vars, Partial: s.partial, MaxBytes: s.request.MaxFileBytes,
	})
	if err != nil {
		return nil, &leftOutError{SkipTemplate, err.Error()}
	}
	if text == nil {
		text = []byte{}
	}
	return text, nil
}

// partial returns the text of a partial that the file at from includes, and its path.
// It is looked for in that file's folder, then in the category's; in each as a template
// by that name, as one of a Markdown file, and as it is named.
func (s *search) partial(from, name string) ([]byte, string, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, "", err
	}
	if strings.HasPrefix(name, "/") || hasDrive(name) || strings.ContainsRune(name, 0) {
		return nil, "", &leftOutError{SkipOutside, "a partial is named relative to the template or to the category"}
	}
	tried := map[string]bool{}
	outside := isAbove(path.Join(path.Dir(from), name))
	for _, base := range [...]string{path.Dir(from), "."} {
		for _, suffix := range [...]string{templateSuffix, ".md" + templateSuffix, ""} {
			at := path.Join(base, name) + suffix
			if isAbove(at) || tried[at] {
				continue
			}
			tried[at] = true
			text, _, err := s.root.read(at, s.request.MaxFileBytes)
			switch {
			case err == nil:
				return bytes.Clone(text), at, nil
			case isFolder(err) || errors.Is(err, fs.ErrNotExist):
				continue
			}
			if reason, detail := skippedBy(err); reason != SkipMissing {
				return nil, at, &leftOutError{reason, detail}
			}
		}
	}
	if outside {
		return nil, "", &leftOutError{SkipOutside, "it would lie outside of the category"}
	}
	return nil, "", fs.ErrNotExist
}

// isAbove reports whether a clean path leaves the folder that it begins in.
func isAbove(clean string) bool { return clean == ".." || strings.HasPrefix(clean, "../") }
