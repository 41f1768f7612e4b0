package undoing

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestRefusalWithMark: a refusal has the difference, of which a line is left out that a client would
// take for one that names a mark.
func TestRefusalWithMark(t *testing.T) {
	w := newWorld(t)
	const body = "# A\n\nMark: a line of an honest text\n\nmine\n"
	w.set(t, 0o600, map[string]string{"a.md": "# A\n"})
	w.set(t, 0o600, map[string]string{"a.md": body})
	if err := os.WriteFile(filepath.Join(w.dir, "a.md"), []byte(strings.Replace(body, "mine", "theirs", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, marks := range []*replies.Marks{nil, replies.NewMarks(nil)} {
		docs := w.docs
		docs.Marks = marks
		_, err := w.Undo(t.Context(), docs, UndoRequest{})
		if codeOf(err) != "conflict" {
			t.Fatal(err)
		}
		told := replies.AsError(err).Details
		if !slices.Contains(told, "+theirs") || !slices.Contains(told, "-mine") ||
			slices.Contains(told, " Mark: a line of an honest text") != (marks == nil) || slices.Contains(told, " "+leftOutLine) != (marks != nil) {
			t.Errorf("%q", told)
		}
	}
}

// TestToldLeftOut: what is said of differences that don't fit is one line.
func TestToldLeftOut(t *testing.T) {
	for n, want := range map[int]string{1: "1 file", 2: "2 files"} {
		told := told{head: "head\n", maxChars: 1}
		for range n {
			told.diffs = append(told.diffs, []byte("+x\n"))
		}
		if text, diff := told.text(nil); string(text) != "head\nleft_out: the difference of "+want+"; the command line prints all of it\n" || len(diff) > 0 {
			t.Errorf("%q, %q", text, diff)
		}
	}
}

// TestLinesPart: pages of differences, one behind the other, are all of them.
func TestLinesPart(t *testing.T) {
	random := rand.New(rand.NewPCG(40, 6))
	for range 1000 {
		var all string
		var diffs [][]byte
		lines := 0
		for range random.IntN(4) {
			diff := ""
			for range random.IntN(6) {
				diff += fmt.Sprintf("+%d\n", lines)
				lines++
			}
			all += diff
			diffs = append(diffs, []byte(diff))
		}
		most := 1 + random.IntN(5)
		got := ""
		for first := 0; first < lines; first += most {
			p := linesPart{first: first, most: most}
			part := ""
			for _, diff := range diffs {
				part += string(p.of(diff))
			}
			if p.lines != lines || strings.Count(part, "\n") != min(most, lines-first) {
				t.Fatalf("%q from %d: %q of %d", all, first, part, p.lines)
			}
			got += part
		}
		if got != all {
			t.Fatalf("%q became %q", all, got)
		}
	}
}

// TestDifferenceInMemory: of a long difference a part is told in little memory, and all of it is
// refused there.
func TestDifferenceInMemory(t *testing.T) {
	w := newWorld(t)
	const lines = 150_000
	w.set(t, 0o600, map[string]string{"a.md": strings.Repeat("a\n", lines)})
	w.set(t, 0o600, map[string]string{"a.md": strings.Repeat("b\n", lines)})
	var id string
	if err := w.walk(t.Context(), &scope{workspace: w.docs.Workspace}, func(c *seen) bool {
		id = c.ID
		return false
	}); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{0, 100} {
		m := documents.NewMemory(documents.MinMaxMemory)
		docs := w.docs
		docs.Work = m.Begin(t.Context(), nil)
		left, err := docs.Work.Borrow(18<<20, nil) // by others
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.List(t.Context(), docs, ListRequest{ID: id, MaxLines: most, JSON: true})
		if err != nil {
			t.Fatal(err)
		}
		if refused := strings.Contains(string(r.Text), `"diff":`); refused == (most == 0) || most > 0 && !strings.Contains(string(r.Text), fmt.Sprintf(`"diff_lines":%d`, 2*lines+3)) {
			t.Errorf("%d lines: %.1000s", most, r.Text)
		}
		if told := strings.Contains(string(r.Text), `"warnings":["a.md: there is no memory for it`); told != (most == 0) {
			t.Errorf("%d lines: %.1000s", most, r.Text)
		}
		left.Release()
		docs.Work.End()
	}
}

// TestPreviewInJSONWithinMemory: an undo of control characters, each of which is six bytes of JSON, isn't
// shown in JSON where there is no memory for that, and is in text; another one of the size is in both.
func TestPreviewInJSONWithinMemory(t *testing.T) {
	for unit, refused := range map[string]bool{"\x01": true, "x": false} {
		w := newWorld(t)
		const lines = 500
		w.set(t, 0o600, map[string]string{"a.md": strings.Repeat("a"+strings.Repeat(unit, 1000)+"\n", lines)})
		w.set(t, 0o600, map[string]string{"a.md": strings.Repeat("b"+strings.Repeat(unit, 1000)+"\n", lines)})
		for _, json := range []bool{true, false} {
			docs := w.docs
			docs.Work = documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
			_, err := w.Undo(t.Context(), docs, UndoRequest{DryRun: true, JSON: json})
			docs.Work.End()
			if refused := refused && json; (err != nil) != refused || refused && codeOf(err) != replies.CodeTooComplex {
				t.Errorf("%q, JSON %v: %v", unit, json, err)
			}
		}
	}
}
