package crossing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/crossing"
)

// TestHostile: what is made to take long takes about as long as anything of its size. None of
// these ends within the time of a test if the work grows with the square of it.
func TestHostile(t *testing.T) {
	const n = 2_000
	chain, many, left, note := &strings.Builder{}, &strings.Builder{}, &strings.Builder{}, &strings.Builder{}
	chain.WriteString("# A\n\n# B\n\n[^0]\n\n# C\n\n")
	many.WriteString("# A\n\n# B\n\n")
	left.WriteString("# A\n\n")
	note.WriteString("# A\n\n# B\n\n" + strings.Repeat("[^1] ", n) + "\n\n# C\n\n[^1]: " + strings.Repeat("text ", n) + "\n")
	for i := range n {
		fmt.Fprintf(chain, "[^%d]: see [^%d]\n\n", i, i+1)
		fmt.Fprintf(many, "[l%d] ", i)
		fmt.Fprintf(left, "[l%d] ", i)
	}
	many.WriteString("\n\n# C\n\n")
	left.WriteString("\n\n# B\n\n")
	taken := &strings.Builder{}
	taken.WriteString("# D\n\n")
	for i := range n {
		fmt.Fprintf(many, "[l%d]: /%d\n", i, i)
		fmt.Fprintf(left, "[l%d]: /%d\n", i, i)
		fmt.Fprintf(taken, "[l%d]: /other\n", i)
	}
	left.WriteString("\n# C\n")
	nested := &strings.Builder{}
	nested.WriteString("# A\n\n# B\n\n")
	for i := range n {
		fmt.Fprintf(nested, "[^%d] ", i)
	}
	nested.WriteString("\n\n")
	for i := range n {
		fmt.Fprintf(nested, "[^%d]: ", i)
	}
	for name, src := range map[string][2]string{
		"a chain of notes": {chain.String(), "# D\n"}, "many definitions": {many.String(), "# D\n"}, "labels that are taken": {many.String(), taken.String()},
		"definitions that stay": {left.String(), "# D\n"}, "a note that is used often": {note.String(), "# D\n"},
		"notes in each other": {nested.String() + "x\n\n# C\n", "# D\n"},
	} {
		op := edit.Op{Action: edit.Move, Address: "B"}
		if _, err := crossing.Move(t.Context(), parse(t, src[0]), parse(t, src[1]), &op, crossing.Options{}); err != nil {
			t.Logf("%s: %.200v", name, err)
		}
	}
}
