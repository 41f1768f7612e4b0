package markdown

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/sectile/sectile/internal/syntax"
)

// hashLen is the number of bytes of the digest that a hash keeps: 16 characters
// of hexadecimal, short enough for a prompt and long enough that nobody finds a
// second text to it by trying.
const hashLen = 8

// Hash returns 16 hexadecimal digits of the SHA-256 digest of text without the
// blank lines and the line ending at its end. So a section's hash does not
// change when a neighbour is added after it or the final newline goes.
func Hash(text []byte) string { return digest(syntax.TrimBlankLines(text)) }

// Version returns 16 hexadecimal digits of the SHA-256 digest of all of the
// document's bytes: any change to them gives another version. An abridged document has
// none, and it is empty.
func (d *Document) Version() string {
	if d.abridged != nil {
		return ""
	}
	return digest(d.Source)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:hashLen])
}
