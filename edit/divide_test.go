package edit_test

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
)

// TestDivide divides sections by replacing text: what follows in the section's own text
// stands below a deeper heading that was written, and nothing else moves.
func TestDivide(t *testing.T) {
	const doc = "before\n\nand\n\n# A\n\none\n\ntwo\n\n- x\n- y\n\nthree\n\n### Sub\n\nsub\n\n## B\n\nb\n\nlast\n\nend\n"
	replace := func(old, text string) edit.Op { return edit.Op{Action: edit.ReplaceText, Old: old, Text: text} }
	for name, test := range map[string]struct {
		ops  []edit.Op
		code edit.Code
	}{
		"deeper":                         {[]edit.Op{replace("two", "## New\n\ntwo")}, edit.StructureChanged}, // takes Sub
		"as deep as what follows":        {[]edit.Op{replace("two", "### New\n\ntwo")}, ""},
		"far deeper":                     {[]edit.Op{replace("two", "###### New\n\ntwo")}, ""},
		"text before it":                 {[]edit.Op{replace("one\n", "one\n\nmore\n\n### New\n")}, ""},
		"two, one below the other":       {[]edit.Op{replace("two", "### New\n\n#### Newer\n\ntwo")}, ""},
		"three parts":                    {[]edit.Op{replace("two", "### New\n\ntwo"), replace("three", "### Newer\n\nthree")}, ""},
		"no subsections":                 {[]edit.Op{replace("b\n\nlast", "b\n\n### New\n\nlast")}, ""},
		"before the first section":       {[]edit.Op{replace("and", "#### New\n\nand")}, ""},
		"before it, above what follows":  {[]edit.Op{replace("and", "# New\n\nand")}, ""},
		"the section's level":            {[]edit.Op{replace("last\n", "## New\n\nlast\n")}, edit.StructureChanged},
		"a shallower level":              {[]edit.Op{replace("last\n", "# New\n\nlast\n")}, edit.StructureChanged},
		"one that belongs to the parent": {[]edit.Op{replace("last\n", "# New\n\n### Newer\n\nlast\n")}, edit.StructureChanged},
		"underlined":                     {[]edit.Op{replace("one\n", "one\n\nNew\n---\n")}, edit.StructureChanged},
		"an underline alone":             {[]edit.Op{replace("last\n", "last\n---\n")}, edit.StructureChanged},
		"half of the heading stood":      {[]edit.Op{replace("two", "###"), replace("\n\n- x", " New\n\n- x")}, edit.StructureChanged},
		"a list in two":                  {[]edit.Op{replace("- x\n", "- x\n\n### New\n\n")}, edit.StructureChanged},
		"sections that run together":     {[]edit.Op{replace("one\n", "one\n\n### New\n"), replace("### Sub\n\n", "")}, edit.StructureChanged},
		"an open fence behind it":        {[]edit.Op{replace("two", "### New\n\n```")}, edit.StructureChanged},
		"beside a section":               {[]edit.Op{replace("two", "### New\n\ntwo"), {Action: edit.InsertAfter, Address: "## B", Text: "## C"}}, edit.StructureChanged},
		"beside text":                    {[]edit.Op{replace("two", "### New\n\ntwo"), {Action: edit.Append, Address: "B", Text: "c"}}, ""},
		"by a section's name":            {[]edit.Op{{Action: edit.Prepend, Address: "B", Text: "### New\n\nn"}}, edit.StructureChanged},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := edit.Apply(parse(t, []byte(doc)), test.ops)
			if codeOf(err) != test.code {
				t.Fatalf("%v, want %q", err, test.code)
			}
			if err != nil {
				return
			}
			a := &attempt{doc: parse(t, []byte(doc))}
			for _, op := range test.ops {
				a.ops = append(a.ops, made{Op: op})
			}
			if !strings.Contains(string(r.Doc.Source), "# New") {
				t.Errorf("%q", r.Doc.Source)
			}
			if len(a.ops) == 1 {
				if err := judge(a, r); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
