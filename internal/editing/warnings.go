package editing

import (
	"fmt"

	"github.com/sectile/sectile/internal/replies"
)

// addWarnings adds the warnings, a line each.
func addWarnings(h *replies.Head, warnings []string) {
	for i, warning := range warnings {
		if i == warningLines {
			h.Add("warning", fmt.Sprintf("and %d more", len(warnings)-i))
			return
		}
		h.Add("warning", replies.Clip(replies.Safe(warning), warningChars))
	}
}
