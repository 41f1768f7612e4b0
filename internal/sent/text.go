package sent

import (
	"fmt"
	"io"
	"os"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
)

// ReadText returns the text of a file of the host, or of standard input, for a
// request. Whatever else can be read to its end is such a file too: a shell makes a
// pipe of <(…). The error is a *replies.Error.
func ReadText(docs documents.Set) (string, error) { return readText(docs, nil) }

// readText is ReadText with what is asked of the size before a file is read, as textfile.Reader does,
// and of a stream while it is read.
func readText(docs documents.Set, admit func(size int64) error) (string, error) {
	if len(docs.Paths) != 1 {
		return "", replies.Invalid(replies.Say("name one file"))
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
