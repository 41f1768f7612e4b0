package markdown

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where implementations differ, and what the specifications' examples leave out:
// testdata/hard.json holds such documents with our trees, each with the rule that
// decides. `go test -update` writes the trees; read the difference.

func TestHardDocuments(t *testing.T) {
	file := filepath.Join("testdata", "hard.json")
	var documents []struct {
		Rule     string   `json:"rule"`
		Markdown string   `json:"markdown"`
		Blocks   []string `json:"blocks"`
	}
	readJSON(t, file, &documents)
	for i := range documents {
		d := &documents[i]
		got := tree(mustParse(t, d.Markdown, Options{}))
		if *update {
			d.Blocks = got
		} else if diff := cmp.Diff(d.Blocks, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", d.Rule, d.Markdown, diff)
		}
	}
	if *update {
		writeJSON(t, file, documents)
	}
}
