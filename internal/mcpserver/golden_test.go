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

// sameMarks is a source of random bytes from which every mark comes out as k7q2mx, unless
// a document has that.
type sameMarks struct{ at int }

// Read implements io.Reader.
func (r *sameMarks) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = []byte{10, 31, 16, 26, 12, 23}[r.at%6]
		r.at++
	}
	return len(into), nil
}

// markOf returns what the lines of ours in a reply begin with, as its first line tells,
// and the rest of the reply. It is empty for a reply without a mark.
func markOf(text string) (mark, rest string) {
	first, rest, found := strings.Cut(text, "\n")
	drawn, told := strings.CutPrefix(first, "mark: ")
	drawn, told2 := strings.CutSuffix(drawn, " begins every line that is sectile's")
	if !found || !told || !told2 {
		return "", text
	}
	return drawn + " ", rest
}

// theirs takes a reply apart by nothing but the rule: lines that begin with the mark are
// ours, or without a mark those up to the first empty line.
func theirs(text string) (document, ours string) {
	mark, rest := markOf(text)
	if mark == "" {
		ours, document, _ = strings.Cut(text, "\n\n")
		return document, ours + "\n"
	}
	for line := range strings.SplitAfterSeq(rest, "\n") {
		if words, found := strings.CutPrefix(line, mark); found {
			ours += words
		} else {
			document += line
		}
	}
	return document, ours
}

// unmarked returns a reply without its mark.
func unmarked(text string) string {
	mark, rest := markOf(text)
	if mark == "" {
		return text
	}
	return strings.ReplaceAll("\n"+rest, "\n"+mark, "\n")[1:]
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
