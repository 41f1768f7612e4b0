package selecting

import (
	"maps"
	"slices"
	"time"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
)

// The description of the two outputs for those who write tool descriptions. The
// words are mdsel's, which prompts of its users contain; but all counts that the
// inventory can have are named.

const (
	indexFormat  = `hN.I title (indented)\n---\ncode:N para:N list:N table:N quote:N`
	selectFormat = `content only. multiple: selector: prefix. no index = all`

	indexExample = `h1.0 mdsel
 h2.0 Installation
 h2.1 Quick Start
 h2.2 Commands
  h3.0 index
  h3.1 select
---
code:19 para:23 list:5 table:3`
	selectExample = `h2.0:
## Installation
content...
h2.1:
## Quick Start
content...

# single result: no prefix
## Installation
content...

# error format
!selector
reason
~suggestion1 ~suggestion2`
)

// FormatRequest asks what the output of a command looks like.
type FormatRequest struct {
	Command string // "index" or "select"; empty for both
	Example bool   // an example instead of a description
	JSON    bool
	Time    time.Time // of the request, for JSON
}

// Format describes the output of index and select. The error is an *Error.
func Format(req FormatRequest) ([]byte, error) {
	index, selected := indexFormat, selectFormat
	if req.Example {
		index, selected = indexExample, selectExample
	}
	formats := map[string]string{"index": index, "select": selected}
	var text string
	switch req.Command {
	case "":
		text = "# index\n" + index + "\n\n# select\n" + selected
	case "index", "select":
		text = formats[req.Command]
		formats = map[string]string{req.Command: text}
	default:
		return nil, &replies.Error{
			Code: replies.CodeInvalidArgument,
			Message: replies.Say("the format of %s is not known; %sname index or select, or nothing for both",
				replies.Safe(req.Command), nearest.Question("", req.Command, slices.Sorted(maps.Keys(formats)))),
		}
	}
	if !req.JSON {
		return append([]byte(text), '\n'), nil
	}
	e := envelope{command: "format", time: req.Time}
	return e.end(append(e.begin(), replies.JSON(formats)...)), nil
}
