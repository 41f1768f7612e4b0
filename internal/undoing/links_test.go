package undoing

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUndoWarnsOfLinksToTwins: a section of the same title as another one comes or goes, whose name is the
// other's without it. Links that lead to another section are told of, once, by the undo and by the redo.
func TestUndoWarnsOfLinksToTwins(t *testing.T) {
	const (
		a, one, two = "# A\n\n[1](#a)\n\n", "## S\n\nnew text\n\n", "## S\n\nold text\n\n"
		newT, oldT  = "## S\n\n### T\n\nnew text\n\n", "## S\n\n### T\n\nold text\n"
		toc         = "# A\n\n[1](#s)\n[2](#s-1)\n\n"
		oldU, b     = "## S\n\n### U\n\nold text\n", "# B\n\nb\n\n"
	)
	ofA := "1 link of what was changed led to what is gone, or is another's now"
	astray := []string{"1 link of other documents led to what is gone, or is another's now"}
	for name, c := range map[string]struct {
		before, after string
		from          [2]string // another document before and after
		want          []string
	}{
		"put in before":               {before: a + two, after: a + one + two, want: astray},
		"put in before, alone":        {before: two, after: one + two, want: astray},
		"moved in before":             {before: a + two, after: a + one + two, from: [2]string{b + one, b}, want: astray},
		"put in before, with more":    {before: a + two, after: "# Z\n\n" + a + one + two + "## Z\n", want: astray},
		"a link of the same document": {before: a + "[2](#s)\n\n" + two, after: a + "[2](#s)\n\n" + one + two, want: append([]string{ofA}, astray...)},
		"taken away before":           {before: a + one + two, after: a + two, want: astray},
		"subsections below":           {before: a + oldT, after: a + newT + oldT, want: astray},
		"the same, other subsections": {before: a + oldU, after: a + newT + oldU, want: astray},
		"swapped":                     {before: a + one + two, after: a + two + one, want: astray},
		"put in behind":               {before: a + two, after: a + two + one},
		"taken away behind":           {before: a + two + one, after: a + two},
		"moved in behind":             {before: a + two, after: a + two + one, from: [2]string{b + one, b}},
		"the same text":               {before: a + two, after: a + two + two},
		"another text":                {before: a + two, after: a + one},
		"with its own links":          {before: toc + one + two, after: "# A\n\n[1](#r)\n[2](#s)\n\n" + "## R" + one[4:] + two, want: astray},
		"other texts of both":         {before: a + one + two, after: a + "## S\n\nx\n\n" + two + "y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.set(t, 0o600, map[string]string{"a.md": c.before, "b.md": c.from[0] + "\n"})
			w.set(t, 0o600, map[string]string{"a.md": c.after, "b.md": c.from[1] + "\n"})
			if err := os.WriteFile(filepath.Join(w.dir, "l.md"), []byte("[1](a.md#s)\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, redo := range []bool{false, true} {
				reply, err := w.Undo(t.Context(), w.docs, UndoRequest{Redo: redo})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, reply.Warnings); diff != "" {
					t.Errorf("redo %t (-want +got):\n%s", redo, diff)
				}
			}
		})
	}
}
