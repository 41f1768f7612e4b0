package editing

import (
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Guards are hashes and versions of what was read: what has another one now isn't changed.

// blankGuard reports whether a guard was given that guards nothing. An empty one is
// none, and who asks sees to it that it was not given.
func blankGuard(guard string) bool { return guard != "" && guardOf(guard) == "" }

// guardOf returns a hash or a version that was sent as replies show it, or as it is.
func guardOf(sent string) string {
	return strings.TrimPrefix(strings.TrimSpace(sent), replies.HashMark)
}

// noContent says that the new text is missing, and what to do.
func noContent(hint replies.Sentence) replies.Sentence {
	return replies.Say("%s; %s", replies.Either{
		Model: replies.Say("%s is missing", replies.Content), Person: replies.Say("the new text is missing from %s", replies.Content),
	}, hint)
}

// emptyHash says what is wrong with such a hash.
func emptyHash() replies.Sentence {
	return replies.Say("%s is empty; leave it out or give the hash", replies.ExpectedHash)
}

// emptyVersion says what is wrong with such a version.
func emptyVersion() replies.Sentence {
	return replies.Say("%s is empty; leave it out or give the version", replies.ExpectedVersion)
}

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
