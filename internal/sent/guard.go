package sent

import (
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// Guards are hashes and versions of what was read: what has another one now isn't changed.

// IsBlankGuard reports whether a guard was given that guards nothing. An empty one is
// none, and who asks sees to it that it was not given.
func IsBlankGuard(guard string) bool { return guard != "" && GuardOf(guard) == "" }

// GuardOf returns a hash or a version that was sent as replies show it, or as it is.
func GuardOf(guard string) string {
	return strings.TrimPrefix(strings.TrimSpace(guard), replies.HashMark)
}

// EmptyHash says what is wrong with such a hash.
func EmptyHash() replies.Sentence {
	return replies.Say("%s is empty; leave it out or give the hash", replies.ExpectedHash)
}

// EmptyVersion says what is wrong with such a version.
func EmptyVersion() replies.Sentence {
	return replies.Say("%s is empty; leave it out or give the version", replies.ExpectedVersion)
}
