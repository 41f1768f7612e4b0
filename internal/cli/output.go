package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// output is where commands print to. What is printed is JSON from when json is set: what
// documents and files are called may do something to the terminal that shows it, and
// encoders leave that as it is.
type output struct {
	to   io.Writer
	page *pager // nil for none
	json bool
	part []byte // the beginning of a character that the next piece goes on with
}

// Write writes a piece of what is printed, in JSON with escapes for all that acts without
// being seen. The values stay the same.
func (o *output) Write(p []byte) (int, error) {
	switch {
	case o.page != nil:
		return o.page.Write(p)
	case !o.json || len(o.part) == 0 && isHarmless(p):
		return o.to.Write(p)
	}
	text := slices.Concat(o.part, p)
	escaped := make([]byte, 0, len(text)+64)
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		if replies.Acts(r) && r >= ' ' {
			escaped = appendEscape(escaped, r)
		} else {
			escaped = append(escaped, text[:size]...)
		}
		text = text[size:]
	}
	o.part = text
	if _, err := o.to.Write(escaped); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isHarmless reports whether a text has no characters but those of ASCII that are shown,
// and what JSON has between its values.
func isHarmless(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return r >= 0x7F }) < 0
}

// appendEscape appends a character as JSON escapes it.
func appendEscape(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	units := []rune{r}
	if first, second := utf16.EncodeRune(r); r > 0xFFFF {
		units = []rune{first, second}
	}
	for _, u := range units {
		dst = append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	return dst
}

// printsJSON says that what is printed from now on is JSON.
func printsJSON(s Streams) {
	if out, ok := s.Out.(*output); ok {
		out.json = true
	}
}

// printed returns what a command's output goes to.
func printed(w io.Writer) io.Writer {
	if out, ok := w.(*output); ok {
		return out.to
	}
	return w
}

// fileOf returns the file that a command's output goes to, if it is one.
func fileOf(w io.Writer) (*os.File, bool) {
	f, ok := printed(w).(*os.File)
	return f, ok
}

// printParts prints the parts of a reply as they come, errors in between. It
// returns errFailed if a document failed.
func printParts(ctx context.Context, s Streams, docs documents.Set, request func(emit func(documents.Part) error) error) error {
	p := newProgress(s)
	go p.run(ctx, docs)
	defer p.stop()
	failed := 0
	err := request(func(part documents.Part) error {
		failed += part.Failed
		return p.print(part)
	})
	if err == nil && failed > 0 {
		return errFailed
	}
	return err
}

// printReply prints a reply that comes in one piece.
func printReply(s Streams, request func() ([]byte, error)) error {
	text, err := request()
	if len(text) > 0 {
		if _, writeErr := s.Out.Write(text); writeErr != nil {
			return writeErr
		}
	}
	return err
}
