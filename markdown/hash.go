package markdown

import (
	"crypto/sha256"
	"encoding/hex"
)

// hashLen is the number of bytes of the digest that a hash keeps: 16 characters
// of hexadecimal, short enough for a prompt and long enough that nobody finds a
// second text to it by trying.
const hashLen = 8

// Hash returns 16 hexadecimal digits of the SHA-256 digest of text without the
// blank lines and the line ending at its end. So a section's hash does not
// change when a neighbour is added after it or the final newline goes.
func Hash(text []byte) string { return digest(trimBlankLines(text)) }

// Version returns 16 hexadecimal digits of the SHA-256 digest of all of the
// document's bytes: any change to them gives another version.
func (d *Document) Version() string { return digest(d.Source) }

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:hashLen])
}

// trimBlankLines cuts off the blank lines at the end of text and the line ending
// of what is then the last line, whose own trailing spaces stay.
func trimBlankLines(text []byte) []byte {
	end := len(text)
	for i := len(text); i > 0; i-- {
		switch text[i-1] {
		case '\n', '\r':
			end = i - 1
		case ' ', '\t':
		default:
			return text[:end]
		}
	}
	return text[:0]
}
