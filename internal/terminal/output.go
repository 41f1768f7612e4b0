package terminal

import (
	"encoding/binary"
	"io"
	"os"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
)

// Output is where a command prints to. What is printed is JSON from when PrintsJSON is
// called: what documents and files are called may do something to the terminal that shows
// it, and encoders leave that as it is.
type Output struct {
	to   io.Writer
	page *Pager // nil for none
	json bool
	part []byte // the beginning of a character that the next piece goes on with
	err  error  // of the first piece that could not be written

	queue *queue // where what is printed waits; nil if nothing does
}

// NewOutput returns an output that prints to w.
func NewOutput(w io.Writer) *Output { return &Output{to: w} }

// Err returns the error of the first piece that could not be written, nil if there is none: of some
// pieces, such as those of help, nobody else looks at it.
func (o *Output) Err() error { return o.err }

// put writes bytes as they are.
func (o *Output) put(p []byte) (int, error) {
	if o.queue != nil {
		return o.queue.Write(p)
	}
	n, err := o.to.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Write writes a piece of what is printed, in JSON with escapes for all that acts without
// being seen. The values stay the same.
func (o *Output) Write(p []byte) (int, error) {
	switch {
	case o.page != nil:
		return o.page.Write(p)
	case !o.json || len(o.part) == 0 && plainBytes(p) == len(p):
		return o.put(p)
	}
	text := p
	if len(o.part) > 0 {
		text = slices.Concat(o.part, p)
	}
	var escaped []byte // up to what begins at from
	from, i := 0, 0
	for {
		i += plainBytes(text[i:])
		if i == len(text) || !utf8.FullRune(text[i:]) {
			break
		}
		r, size := utf8.DecodeRune(text[i:])
		if replies.Acts(r) && r >= ' ' {
			escaped = appendEscape(append(escaped, text[from:i]...), r)
			from = i + size
		}
		i += size
	}
	o.part = append(o.part[:0:0], text[i:]...)
	shown := text[from:i]
	if len(escaped) > 0 {
		shown = append(escaped, shown...)
	}
	if _, err := o.put(shown); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plainBytes returns how many bytes a text begins with that are characters of ASCII that are
// shown, or what JSON has between its values.
func plainBytes(text []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	i := 0
	for ; len(text)-i >= 8; i += 8 { // eight at a time: none of them is 0x7F or above
		w := binary.LittleEndian.Uint64(text[i:])
		if (w|(w+ones))&highs != 0 {
			break
		}
	}
	for i < len(text) && text[i] < 0x7F {
		i++
	}
	return i
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

// PrintsJSON says that what is printed to w from now on is JSON.
func PrintsJSON(w io.Writer) {
	if out, ok := w.(*Output); ok {
		out.json = true
	}
}

// Printed returns what an output prints to, and any other writer as it is.
func Printed(w io.Writer) io.Writer {
	if out, ok := w.(*Output); ok {
		return out.to
	}
	return w
}

// fileOf returns the file that w prints to, if it is one.
func fileOf(w io.Writer) (*os.File, bool) {
	f, ok := Printed(w).(*os.File)
	return f, ok
}
