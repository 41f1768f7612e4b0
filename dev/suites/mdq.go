package main

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// mdqFile is a file of cases: one document, and what is selected of it.
type mdqFile struct {
	Given  struct{ MD string }
	Expect map[string]struct {
		Args   []string `toml:"cli_args"`
		Output string
	}
}

// Why mdq's output is another one.
const (
	rewritten  = "mdq writes Markdown anew: links to the end, tables in line, definitions of labels; sectile shows the source"
	whole      = "a row or column is shown with its table or as it stands; mdq makes a smaller table"
	containers = "sectile names each part by a selector before it where there are several, and keeps the marks of containers"
)

// mdqCases are the selections that both can express, by file and case.
var mdqCases = []struct{ file, name, address, reason string }{
	{"select_front_matter", "select any front matter", "@frontmatter", ""},
	{"select_front_matter", "select toml matter", "@frontmatter", ""},
	{"select_tables", "table not normalized by default", "@document", ""},
	{"select_tables", "select all table cells normalizes", "table.0", rewritten},
	{"select_tables", "select only name", `table.0["Name"]`, whole},
	{"select_tables", "select only description", `table.0["Description"]`, whole},
	{"select_tables", "select only the big red row", "table.0[3]", whole},
	{"select_lists", "select ordered task by text", `task["an incomplete"]`, ""},
	{"select_lists", "select incomplete ordered tasks", "task[open].0", ""},
	{"select_lists", "select completed ordered tasks", "task[done]", ""},
	{"select_lists", "select all ordered tasks", "Tasks/task", containers},
	{"select_lists", "select unordered", "Unordered/list.0/item", containers},
	{"select_lists", "select ordered", "Ordered/list.0/item", containers},
	{"select_link", "select all", "@document/link", containers},
	{"select_link", "select link by text", `link["an inline"]`, ""},
	{"select_link", "select link by url", `link["referenced link"]`, rewritten},
	{"select_link", "select image", "@document/image", ""},
	{"select_sections", "select top-level section", "# alpha", ""},
	{"select_sections", "select subsection", "## sub", ""},
	{"select_paragraphs", "all", "@document/para", containers},
	{"select_paragraphs", "select within a block quote", "quote.0/para.0", ""},
	{"select_paragraphs", "matcher ignores inline formatting", `para["This paragraph has inline"]`, ""},
}

// mdq runs the selections.
func mdq(s *suite, r *runner) error {
	files := map[string]*mdqFile{}
	for _, c := range mdqCases {
		f := files[c.file]
		if f == nil {
			text, err := s.show("tests/md_cases/" + c.file + ".toml")
			if err != nil {
				return err
			}
			f = &mdqFile{}
			if err := toml.Unmarshal([]byte(text), f); err != nil {
				return fmt.Errorf("%s: %w", c.file, err)
			}
			files[c.file] = f
		}
		want, ok := f.Expect[c.name]
		if !ok {
			return fmt.Errorf("%s has no case %q", c.file, c.name)
		}
		out, _, _ := r.sectile(strings.TrimPrefix(f.Given.MD, "\n"), "select", c.address, "doc.md")
		r.judge(s.name+": "+c.file+": "+c.name, out, want.Output, c.reason)
	}
	return nil
}
