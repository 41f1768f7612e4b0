//go:build unix

package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/sectile/sectile/internal/testkit"
)

// TestJSONIsSeen prints JSON about files whose names, titles and texts act on a terminal:
// what is printed doesn't, and its values are those names.
func TestJSONIsSeen(t *testing.T) {
	const hostile = "n\u202e\u009b31m\u0085\U000e0041\u007f"
	testkit.BuildProgram(t)
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	name := hostile + ".md"
	for path, text := range map[string]string{
		name:            "# A " + hostile + "\n\ntext " + hostile + "\n",
		"g/" + name:     "x " + hostile + "\n",
		"plan.md":       "feat(a): " + hostile + "\n",
		".sectile.yaml": "categories:\n  g:\n    dir: g\n    patterns: ['*.md']\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args  []string
		names bool // the name of the file is in the reply
	}{
		{[]string{"tree", "--json", "."}, true},
		{[]string{"tree", "--json", name}, true},
		{[]string{"tree", "--json", "missing" + name}, true},
		{[]string{"sections", "--json", name}, true},
		{[]string{"bounds", "--json", name, "A"}, false},
		{[]string{"bounds", "--json", name, "Z"}, true},
		{[]string{"read", "--json", name, "A"}, true},
		{[]string{"read", "--json", name, "Z"}, true},
		{[]string{"read", "--json", name}, true},
		{[]string{"read", "--json", name, "A", "--" + hostile}, false},
		{[]string{"index", "--json", name}, true},
		{[]string{"select", "--json", "h1.0", name}, false},
		{[]string{"select", "--json", "h7." + hostile, name}, false},
		{[]string{"edit", "--json", name, "A", "append", "--content", "x" + hostile}, true},
		{[]string{"edit", "--json", name, "Z" + hostile, "append", "--content", "x"}, true},
		{[]string{"replace", "--json", "--dry-run", name, "text", "new"}, true},
		{[]string{"replace", "--json", name, "missing" + hostile, "new"}, true},
		{[]string{"guide", "list", "--json"}, false},
		{[]string{"guide", "show", "g", "--json"}, false},
		{[]string{"guide", "show", "g", "--json", "--list"}, false},
		{[]string{"guide", "show", "z" + hostile, "--json"}, false},
		{[]string{"guide", "validate", "--json"}, false},
		{[]string{"plan", "fmt", "--json", "plan.md"}, false},
		{[]string{"plan", "validate", "--json", "plan.md"}, false},
		{[]string{"plan", "goal", "--json", "--store", "file", "feat(a): b" + hostile}, false},
		{[]string{"plan", "show", "--json", "--store", "file"}, false},
		{[]string{"plan", "list", "--json", "--store", "file"}, false},
		{[]string{"plan", "export", "--json", "--store", "file"}, false},
		{[]string{"doctor", "--json"}, false},
	} {
		stdout, _, _ := run(t, nil, tt.args...)
		for _, r := range strings.ReplaceAll(stdout, "\n", "") {
			if unicode.Is(unicode.C, r) {
				t.Errorf("%q: %U is printed: %q", tt.args, r, stdout)
				break
			}
		}
		decoder := json.NewDecoder(strings.NewReader(stdout))
		names, values := false, 0
		for {
			var v any
			err := decoder.Decode(&v)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%q: %v: %q", tt.args, err, stdout)
				break
			}
			values++
			names = names || holds(v, name)
		}
		if values == 0 || tt.names && !names {
			t.Errorf("%q: %d values, the name of the file is in them: %v: %q", tt.args, values, names, stdout)
		}
	}
}

// holds reports whether a text is in a value of JSON.
func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		for _, w := range v {
			if holds(w, text) {
				return true
			}
		}
	case map[string]any:
		for _, w := range v {
			if holds(w, text) {
				return true
			}
		}
	}
	return false
}
