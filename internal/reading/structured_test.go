package reading

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestStructuredIsOneReading asks for a document that can be read only once.
func TestStructuredIsOneReading(t *testing.T) {
	src := []byte("# A\n\ntext\n\n## B\n\nmore\n")
	once := func() documents.Set {
		return documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	}
	both, err := Read(once(), ReadRequest{Heading: "A", MaxChars: 1000, Structured: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, asJSON := range []bool{false, true} {
		alone, err := Read(once(), ReadRequest{Heading: "A", MaxChars: 1000, JSON: asJSON})
		got := both.Text
		if asJSON {
			got = both.Structured
		}
		if err != nil || !bytes.Equal(got, alone.Text) || alone.Structured != nil {
			t.Errorf("in JSON %v: %v %s", asJSON, err, cmp.Diff(string(alone.Text), string(got)))
		}
	}
}

// TestStructuredInLimit leaves JSON out that is longer than the reply may be.
func TestStructuredInLimit(t *testing.T) {
	for limit := replies.MinChars; limit < 1200; limit += 50 {
		reply, err := read([]byte(guideText), ReadRequest{Heading: "Install", MaxChars: limit, Structured: true})
		if err != nil || replies.Chars(reply.Structured) > limit {
			t.Errorf("%d: %v, JSON of %d characters", limit, err, replies.Chars(reply.Structured))
		}
	}
}
