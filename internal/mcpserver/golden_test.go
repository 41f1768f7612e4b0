package mcpserver

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with the file at the path, which -update writes anew.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), go test ./internal/mcpserver -run '^%s$' -update writes it anew:\n%s", path, t.Name(), diff)
	}
}

// continueCall returns the arguments of the call of a tool that the head of a reply
// says goes on, and whether there is one.
func continueCall(text, tool string) (args object, more bool) {
	_, after, more := strings.Cut(text, "continue: "+tool+"(")
	if !more {
		return nil, false
	}
	spelled, _, _ := strings.Cut(after, ")\n")
	args = object{}
	for pair := range strings.SplitSeq(spelled, ", ") {
		name, value, _ := strings.Cut(pair, "=")
		args[name] = strings.Trim(value, `"`)
	}
	return args, true
}
