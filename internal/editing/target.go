package editing

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
)

// checkNoGuide refuses the address of a document of guides: what is read by it and a file with
// such a path would be two documents.
func checkNoGuide(path string) error {
	if !documents.IsGuide(path) {
		return nil
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(path), Message: replies.Say("documents of guides are not changed by their addresses; name the file")}
}

// target finds out which file is changed, and whether it is Markdown.
func (e *editing) target() error {
	if len(e.docs.Paths) != 1 {
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("name one document")}
	}
	e.path = e.docs.Paths[0]
	if err := checkNoGuide(e.path); err != nil {
		return err
	}
	switch {
	case e.docs.Workspace != nil:
		e.plain = e.docs.Workspace.IsPlain(e.path)
		return nil
	case e.path == documents.Stdin:
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(e.path), Message: replies.Say("standard input can't be changed; name a file")}
	}
	return e.hostTarget()
}

// hostTarget is target for files of the host: the same are Markdown, and the same
// other ones are refused, as below the roots of a server.
func (e *editing) hostTarget() error {
	if err := files.CheckWritable(e.path); err != nil {
		return replies.ErrorAbout(replies.DisplayPath(e.path), err)
	}
	target, err := filepath.EvalSymlinks(e.path)
	if err != nil {
		return nil //nolint:nilerr // opening the file tells what is wrong, in our words
	}
	if info, err := os.Stat(target); err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // the same
	}
	given, there := files.IsMarkdown(filepath.Base(e.path)), files.IsMarkdown(filepath.Base(target))
	e.plain = !given && !there
	switch {
	case given && there:
		return nil
	case !e.options.TextFiles:
		return e.notText("it is no Markdown file (.md, .markdown or .mdx); other text can be changed with --text-files")
	case hasDotName(e.path):
		return e.notText("files and folders whose names begin with a dot are changed if they are Markdown alone")
	}
	return nil
}

// notText is the error for a file that is not to be changed.
func (e *editing) notText(reason string) error {
	return &replies.Error{Code: string(fileerror.NotAFile), Path: e.path, Message: replies.Text(reason)}
}

// hasDotName reports whether a name in a path begins with a dot, other than "."
// and "..".
func hasDotName(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return true
		}
	}
	return false
}

// ReadText returns the text of a file of the host, or of standard input, for a
// request. Whatever else can be read to its end is such a file too: a shell makes a
// pipe of <(…). The error is an *Error.
func ReadText(docs documents.Set) (string, error) { return readText(docs, nil) }

// readText is ReadText with what is asked of the size before a file is read, as textfile.Reader does,
// and of a stream while it is read.
func readText(docs documents.Set, admit func(size int64) error) (string, error) {
	if len(docs.Paths) != 1 {
		return "", &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("name one file")}
	}
	path := docs.Paths[0]
	reader := textfile.Reader{Limit: docs.MaxBytes, Admit: admit}
	var (
		text []byte
		err  error
	)
	switch {
	case path == documents.Stdin:
		text, err = reader.ReadStream(replies.DisplayPath(path), &asking{in: docs.Stdin, admit: admit})
	case isStream(path):
		text, err = readPipe(&reader, path, admit)
	default:
		text, err = reader.Read(path)
	}
	if err != nil {
		return "", replies.ErrorAbout(replies.DisplayPath(path), fmt.Errorf("the new text: %w", err))
	}
	return string(text), nil
}

// isStream reports whether the path is that of a pipe or a device.
func isStream(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// readPipe reads what comes out of a pipe or a device.
func readPipe(reader *textfile.Reader, path string, admit func(size int64) error) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &replies.Error{Code: replies.CodeIOError, Path: path, Message: replies.Say("it can't be read; name a file, a pipe, or - for standard input"), Err: err}
	}
	defer func() { _ = f.Close() }() // nothing was written to it
	return reader.ReadStream(path, &asking{in: f, admit: admit})
}

// asking is a stream that asks, if admit isn't nil, whether as much may be read as was, again
// whenever that is a quarter more.
type asking struct {
	in          io.Reader
	admit       func(size int64) error
	read, asked int64
}

// Read is io.Reader's; what is not admitted is an error of reading.
func (a *asking) Read(p []byte) (int, error) {
	n, err := a.in.Read(p)
	if a.read += int64(n); a.admit != nil && a.read > a.asked {
		a.asked = a.read + a.read/4
		if refused := a.admit(a.read); refused != nil {
			return n, refused
		}
	}
	return n, err //nolint:wrapcheck // it is the stream's
}
