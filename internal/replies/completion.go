package replies

import (
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// AnchorsOf returns at most limit anchors, without #, of the document's headings
// that begin with what is typed, and whether there are more.
func AnchorsOf(doc *markdown.Document, typed string, limit int) (anchors []string, more bool) {
	for _, anchor := range address.Anchors(doc) {
		anchor = strings.TrimPrefix(anchor, "#")
		if anchor == "" || !strings.HasPrefix(anchor, strings.ToLower(typed)) || Safe(anchor) != anchor {
			continue
		}
		if len(anchors) == limit {
			return anchors, true
		}
		anchors = append(anchors, anchor)
	}
	return anchors, false
}

// Completion is a way to go on with a selector or another argument that is being typed.
// A shell is handed it by ForShell alone.
type Completion struct {
	Selector    string // all of it, with what is typed
	Description string // one line for people, safe to print; may be empty
	Open        bool   // it is the beginning of a selector

	// Counted is a selector of the same part, and Title what the part is called then.
	// Both are empty where there are none.
	Counted, Title string
}

const maxCompletionDetail = 60 // characters of a description

// Described returns the beginning of a text as a description: on one line,
// without what acts on terminals.
func Described(text string) string {
	return Clip(strings.Join(strings.Fields(Safe(text)), " "), maxCompletionDetail)
}
