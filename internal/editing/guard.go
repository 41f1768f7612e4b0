package editing

import (
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// leastVersion is the number of digits of a version that are enough to name it, as
// with hashes.
const leastVersion = 12

// checkVersion refuses a document that is not the one that was read.
func (e *editing) checkVersion(doc *markdown.Document) error {
	if e.version == "" {
		return nil
	}
	now := doc.Version()
	if len(e.version) >= leastVersion && strings.HasPrefix(now, strings.ToLower(e.version)) {
		return nil
	}
	return &replies.Error{Code: string(edit.Conflict), Path: replies.DisplayPath(e.path), Message: replies.Say(
		"the file has version %s, not %s: it has changed since it was read; read what the edit is about again, then send the new version",
		now, replies.Clip(e.version, replies.MaxShown))}
}
