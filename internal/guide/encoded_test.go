package guide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/config"
)

// inAnswer returns the text as the answer of a server has it: in JSON without escapes for
// HTML, in JSON with them.
func inAnswer(t *testing.T, text string) []byte {
	t.Helper()
	var inner bytes.Buffer
	enc := json.NewEncoder(&inner)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	outer, err := json.Marshal(string(bytes.TrimSuffix(inner.Bytes(), []byte("\n"))))
	if err != nil {
		t.Fatal(err)
	}
	return outer
}

func TestEncodedIsTheSizeInAnAnswer(t *testing.T) {
	texts := []string{"", "words é 漢 🙂\r\n", "\u2027\u2028\u2029\u202A", "\x7f"}
	for b := range byte(0x80) {
		texts = append(texts, string(rune(b)))
	}
	around := len(inAnswer(t, ""))
	for _, text := range texts {
		if got, want := Encoded([]byte(text)), int64(len(inAnswer(t, text))-around); got != want {
			t.Errorf("%q: %d bytes, in an answer it has %d", text, got, want)
		}
	}
}

// TestAnswersHaveALimit: whatever the files of a category are made of, what they take in
// an answer is at most twice what a reply may have; texts for people take their size.
func TestAnswersHaveALimit(t *testing.T) {
	const most, files, size = 64 << 10, 40, 4 << 10
	for name, tt := range map[string]struct {
		text string
		want int // files in the reply
	}{
		"control characters": {"\x01", 4}, "less-than signs": {"<", 5}, "quotes": {`"`, 8}, "line breaks": {"\n", 10},
		"prose": {"- `go build ./...` makes the \"program\" <here>\n", 16},
	} {
		root := t.TempDir()
		for i := range files {
			text := bytes.Repeat([]byte(tt.text), size/len(tt.text)+1)[:size]
			if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("%02d.md", i)), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c := &config.Loaded{Root: root}
		c.Categories = []config.Category{{Name: "c", Dir: ".", Patterns: []string{"*.md"}, Scope: config.Project}}
		c.Guide = config.Guide{MaxReplyBytes: most, MaxFiles: files}
		reply, err := Serve(t.Context(), c, "c", "", Options{Content: true})
		if err != nil {
			t.Fatal(name, err)
		}
		encoded := int64(0)
		for i := range reply.Parts {
			encoded += Encoded(reply.Parts[i].Content)
		}
		if len(reply.Parts) != tt.want || len(reply.Parts)+len(reply.Skipped) != files || encoded > 2*most {
			t.Errorf("%s: %d files of %d bytes each, and %d left out; %d bytes in the answer, at most %d",
				name, len(reply.Parts), size, len(reply.Skipped), encoded, 2*most)
		}
	}
}
