package replies

import "github.com/sectile/sectile/outline"

// Style says what stands around the parts of a line that people read; the zero
// value puts nothing there.
type Style = outline.Style

// Colours returns the style for terminals: names bold, numbers dim.
func Colours() Style {
	return Style{
		Name:  outline.Mark{Before: "\x1b[1m", After: "\x1b[0m"},
		Range: outline.Mark{Before: "\x1b[2m", After: "\x1b[0m"},
	}
}
