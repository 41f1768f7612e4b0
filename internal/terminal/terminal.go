package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
)

// Is reports whether w is a terminal that understands escape sequences.
func Is(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Style returns the style that the --color flag asks for. Without it, colours are for
// terminals, unless NO_COLOR is set (no-color.org) or CLICOLOR is 0, and for others if
// CLICOLOR_FORCE is set (bixense.com/clicolors). The error is an *replies.Error.
func Style(color string, out io.Writer) (replies.Style, error) {
	switch color {
	case "always":
		return replies.Colours(), nil
	case "never":
		return replies.Style{}, nil
	case "auto":
		force := os.Getenv("CLICOLOR_FORCE")
		switch {
		case os.Getenv("NO_COLOR") != "":
		case force != "" && force != "0", os.Getenv("CLICOLOR") != "0" && Is(out):
			return replies.Colours(), nil
		}
		return replies.Style{}, nil
	}
	return replies.Style{}, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Text(fmt.Sprintf(
		"there is no --color %q; %sit is one of auto, always, never", color, nearest.Question("", color, []string{"auto", "always", "never"})))}
}

// isLookedAt reports whether somebody looks at a text that is printed to w. JSON has escapes
// of its own, and is for programs.
func isLookedAt(w io.Writer) bool {
	if out, ok := w.(*Output); ok && out.json {
		return false
	}
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Shown returns a text as it is printed to w: to the byte, unless somebody looks at it.
func Shown(w io.Writer, text string) []byte {
	if isLookedAt(w) {
		return harmless(text)
	}
	return []byte(text)
}

// Difference returns a difference as it is printed, for those who look at it in the
// colours of other tools. No variable puts them into a pipe, which may be that of patch.
func Difference(w io.Writer, diff []byte) []byte {
	text := Shown(w, string(diff))
	if shade, err := Style("auto", w); err != nil || shade == (replies.Style{}) || !Is(w) || !isLookedAt(w) {
		return text
	}
	var b bytes.Buffer
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var colour string
		switch {
		case n <= 2, bytes.IndexByte([]byte(" +-@\\"), line[0]) < 0: // the names of files and parts
			colour = "\x1b[1m"
		case bytes.HasPrefix(line, []byte("@@")):
			colour = "\x1b[36m"
		case line[0] == '+':
			colour = "\x1b[32m"
		case line[0] == '-':
			colour = "\x1b[31m"
		default:
			b.Write(line)
			continue
		}
		line, ending := bytes.CutSuffix(line, []byte("\n"))
		b.WriteString(colour)
		b.Write(line)
		b.WriteString("\x1b[0m")
		if ending {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// harmless returns a text of several lines so that it does nothing to a terminal. Tabs
// stay.
func harmless(text string) []byte {
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\t")
	for i := range parts {
		parts[i] = replies.SafeLines(parts[i])
	}
	return []byte(strings.Join(parts, "\t"))
}

// Seen returns a writer to w that writes as somebody sees it who looks at the output: what
// is written in one piece has whole characters.
func Seen(output, w io.Writer) io.Writer { return seen{output, w} }

// seen is the writer of Seen.
type seen struct{ output, to io.Writer }

// Write implements io.Writer.
func (o seen) Write(p []byte) (int, error) {
	if _, err := o.to.Write(Shown(o.output, string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Width returns the columns of the terminal that is written to, 0 if it is none.
func Width(w io.Writer) int {
	f, ok := fileOf(w)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
