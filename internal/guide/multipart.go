package guide

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"
)

// The writer is our own, for the one of mime/multipart sorts the fields of a part
// and quotes nothing that is needed here. It follows RFC 2046, section 5.1.1:
//
//	multipart-body := dash-boundary CRLF body-part *encapsulation close-delimiter
//	encapsulation  := CRLF "--" boundary CRLF body-part
//	close-delimiter := CRLF "--" boundary "--"
//
// "The CRLF preceding the boundary delimiter line is conceptually attached to the
// boundary": a content that ends without a line break, or with one of its own, is
// read back as it was, and Content-Length doesn't count that CRLF. There is no
// preamble and no epilogue. A part has no Content-Transfer-Encoding, so that its
// content stands there byte by byte.

const (
	crlf = "\r\n"
	// boundaryPrefix and a UUID make 51 of the 70 characters that a boundary may
	// have, all of them bcharsnospace (RFC 2046, section 5.1.1).
	boundaryPrefix = "guide-boundary-"
	// boundaryDraws is how often a boundary is drawn before something must be
	// wrong with the source of randomness.
	boundaryDraws = 10
)

// Part is one file of a message.
type Part struct {
	Category string
	Path     string // relative to the category
	Content  []byte
}

// Multipart returns the parts as one message of type multipart/mixed, its own
// header first (RFC 2046, section 5.1). There must be a part, and the system must
// have randomness to give.
func Multipart(parts []Part) ([]byte, error) {
	return writeMultipart(parts, func() (string, error) {
		id, err := uuid.NewRandom()
		return boundaryPrefix + id.String(), err
	})
}

// writeMultipart writes the message with the first boundary of draw that is in none of
// the contents. RFC 2046, section 5.1.1, asks only that no line begins with the
// delimiter; a reader that searches without looking for lines is safe too.
func writeMultipart(parts []Part, draw func() (string, error)) ([]byte, error) {
	if len(parts) == 0 {
		return nil, errors.New("a message of several parts needs at least one (RFC 2046, section 5.1)")
	}
	boundary, err := freeBoundary(parts, draw)
	if err != nil {
		return nil, err
	}
	head := `Content-Type: multipart/mixed; boundary="` + boundary + `"` + crlf + crlf
	open, end := "--"+boundary+crlf, "--"+boundary+"--"+crlf

	headers := make([]string, len(parts))
	size := len(head) + len(end)
	for i, p := range parts {
		headers[i] = partHeader(p)
		size += len(open) + len(headers[i]) + len(p.Content) + len(crlf)
	}
	message := append(make([]byte, 0, size), head...)
	for i, p := range parts {
		message = append(message, open...)
		message = append(message, headers[i]...)
		message = append(message, p.Content...)
		message = append(message, crlf...)
	}
	return append(message, end...), nil
}

// partHeader returns the fields of a part (RFC 2046, section 5.1) and the empty
// line after them. A location is percent-encoded, so nothing in a name can end
// its line.
func partHeader(p Part) string {
	return "Content-Type: " + ContentType(p.Path) + crlf +
		"Content-Location: " + Location(p.Category, p.Path) + crlf +
		"Content-Length: " + strconv.Itoa(len(p.Content)) + crlf + crlf
}

func freeBoundary(parts []Part, draw func() (string, error)) (string, error) {
	for range boundaryDraws {
		boundary, err := draw()
		if err != nil {
			return "", fmt.Errorf("no boundary between the parts could be drawn: %w", err)
		}
		if !inAny(parts, []byte(boundary)) {
			return boundary, nil
		}
	}
	return "", fmt.Errorf("each of %d boundaries that were drawn is in a content already; the system's randomness can't be trusted", boundaryDraws)
}

func inAny(parts []Part, text []byte) bool {
	for _, p := range parts {
		if bytes.Contains(p.Content, text) {
			return true
		}
	}
	return false
}
