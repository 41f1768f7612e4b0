package outline_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/outline"
)

var update = flag.Bool("update", false, "write the files in testdata instead of comparing with them")

// golden compares got with the file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	// A checkout on Windows may have changed line endings.
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got)\n%s", path, diff)
	}
}

// A tree in JSON has no more in it than the ASCII form, and is six times as
// long: its files hold it indented, and only of the small documents.
func TestGolden(t *testing.T) {
	for _, f := range testkit.Fixtures() {
		t.Run(f.Name, func(t *testing.T) {
			doc := parse(t, string(f.Source))
			base := strings.TrimSuffix(f.Name, ".md")
			tree := outline.NewTree(doc, outline.TreeOptions{})
			golden(t, base+".tree.txt", tree.AppendASCII(nil, f.Name))
			match := outline.NewTree(doc, outline.TreeOptions{Pattern: "SEARCH", MaxDepth: 4})
			golden(t, base+".search.txt", match.AppendASCII(nil, f.Name))
			if len(doc.Sections) > 20 {
				return
			}
			golden(t, base+".tree.json", indent(t, tree.AppendJSON(nil, f.Name)))
			page, err := outline.List(doc, outline.ListOptions{Level: 2, Max: 3})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, base+".list.json", indent(t, page.AppendJSON(nil)))
		})
	}
}

func indent(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}
