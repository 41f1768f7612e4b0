package edit_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

const manual = "# Guide\n\n## Install\n\nUse colour.\n\n## Usage\n\nRun it.\n"

// Several operations are one change: all of them or none.
func ExampleApply() {
	doc, _ := markdown.Parse([]byte(manual))
	result, err := edit.Apply(doc, []edit.Op{
		{Action: edit.Append, Address: "## Install", Text: "Then run `make`."},
		{Action: edit.ReplaceText, Old: "colour", Text: "color"},
		{Action: edit.InsertAfter, Address: "Usage", Text: "## Licence\n\nMIT"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", result.Doc.Source)
	added, removed := result.LineCounts()
	fmt.Printf("%d lines are new, %d gone\n", added, removed)
	// Output:
	// "# Guide\n\n## Install\n\nUse color.\n\nThen run `make`.\n\n## Usage\n\nRun it.\n\n## Licence\n\nMIT\n"
	// 7 lines are new, 1 gone
}

// A fence that is left open would swallow the section after it, so nothing is changed.
func ExampleErrors() {
	doc, _ := markdown.Parse([]byte(manual))
	_, err := edit.Apply(doc, []edit.Op{{Action: edit.Append, Address: "Install", Text: "```sh\nmake"}})
	failed, _ := errors.AsType[edit.Errors](err)
	for _, e := range failed {
		fmt.Printf("operation %d: %s\n", e.Op, e.Code)
	}
	// Output:
	// operation 0: structure_changed
}

// The hash of what was read proves that nobody has changed it since.
func ExampleOp() {
	doc, _ := markdown.Parse([]byte(manual))
	read := doc.BodyHash(2)
	now, _ := markdown.Parse([]byte("# Guide\n\n## Install\n\nUse colour.\n\n## Usage\n\nRun it twice.\n"))
	_, err := edit.Apply(now, []edit.Op{{Action: edit.Replace, Address: "h2.1", Text: "Run it once.", ExpectedHash: read}})
	failed, _ := errors.AsType[edit.Errors](err)
	fmt.Println(failed[0].Code)
	// Output:
	// conflict
}

func ExampleResult_Diff() {
	doc, _ := markdown.Parse([]byte(manual))
	result, err := edit.Apply(doc, []edit.Op{{Action: edit.Rename, Address: "Usage", Text: "Use"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(result.Diff("guide.md"))) {
		if !strings.HasPrefix(line, " ") { // what stays
			fmt.Print(line)
		}
	}
	// Output:
	// --- a/guide.md
	// +++ b/guide.md
	// @@ -4,6 +4,6 @@
	// -## Usage
	// +## Use
}
