package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
)

// isTerminal reports whether w is a terminal that understands escape sequences.
func isTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// style returns the style that the --color flag asks for. Without it, colours are for
// terminals, unless NO_COLOR is set (no-color.org) or CLICOLOR is 0, and for others if
// CLICOLOR_FORCE is set (bixense.com/clicolors).
func style(color string, out io.Writer) (replies.Style, error) {
	switch color {
	case "always":
		return replies.Colours(), nil
	case "never":
		return replies.Style{}, nil
	case "auto":
		force := os.Getenv("CLICOLOR_FORCE")
		switch {
		case os.Getenv("NO_COLOR") != "":
		case force != "" && force != "0", os.Getenv("CLICOLOR") != "0" && isTerminal(out):
			return replies.Colours(), nil
		}
		return replies.Style{}, nil
	}
	return replies.Style{}, usage(fmt.Sprintf(
		"there is no --color %q; %sit is one of auto, always, never", color, nearest.Question("", color, []string{"auto", "always", "never"})))
}

// isLookedAt reports whether somebody looks at a text that is printed to w. JSON has escapes
// of its own, and is for programs.
func isLookedAt(w io.Writer) bool {
	if out, ok := w.(*output); ok && out.json {
		return false
	}
	f, ok := fileOf(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printedText returns a text as it is printed to w: to the byte, unless somebody looks at it.
func printedText(w io.Writer, text string) []byte {
	if isLookedAt(w) {
		return planning.TerminalText(text)
	}
	return []byte(text)
}

// difference returns a difference as it is printed, for those who look at it in the
// colours of other tools. No variable puts them into a pipe, which may be that of patch.
func difference(s Streams, diff []byte) []byte {
	text := printedText(s.Out, string(diff))
	if shade, err := style("auto", s.Out); err != nil || shade == (replies.Style{}) || !isTerminal(s.Out) || !isLookedAt(s.Out) {
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

// seen writes the output of a command as somebody sees it who looks at it: what is written
// in one piece has whole characters.
type seen struct {
	s  Streams
	to io.Writer
}

// Write implements io.Writer.
func (o seen) Write(p []byte) (int, error) {
	if _, err := o.to.Write(printedText(o.s.Out, string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
