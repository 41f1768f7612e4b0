package main

import (
	"fmt"
	"strings"
)

// The errands that stay in documents that they name. With a shell, a section is found by
// the headings of its page, as grep prints them, and read by its lines. With sectile one
// that is named is read by its name, another one is found in the map of its page, and read
// by the lines that stand there.

const reference, evolution, book, eips = "rust-lang+reference", "apple+swift-evolution", "rust-lang+book", "ethereum+EIPs"

func errandsInOne() []errand {
	all := []errand{changelog(), tableRow(), tableCell(), splitSection(), moveWithin(), crlf(), rowAndCell(), reads()}
	for i := range all {
		all[i].named = true
	}
	return all
}

// changelog adds an entry to the end of the list of a version.
func changelog() errand {
	const name, after, entry = "packages/trpl/CHANGELOG.md", "- Switched to `rustls`\n", "- Removed the dependency on `openssl`\n"
	return errand{
		name: "an entry into a changelog",
		told: "Add to the newest version in packages/trpl/CHANGELOG.md that the dependency on openssl is gone.",
		repo: book, docs: []string{name},
		want: func(w *wanted) { w.cut(name, 13, 0, "", entry) },
		ours: func(h *hand) {
			h.look(name, after, "0.3.0")
			h.call("edit_file", args{"path": name, "old_string": after, "new_string": after + entry})
		},
		shell: func(h *hand) {
			h.read(name, 1, 30)
			h.replace(name, after, after+entry)
		},
	}
}

// tableRow adds a row to the table of a section, which is read first.
func tableRow() errand {
	const name, title = "src/type-layout.md", "Primitive data layout"
	const before, added = "| `f64`             | 8                  |\n", "| `f128`            | 16                 |\n"
	return errand{
		name: "a row into a table, the section read first",
		told: "Read Primitive data layout in src/type-layout.md, and add f128 with 16 to its table.",
		repo: reference, docs: []string{name},
		want: func(w *wanted) {
			w.read(name, 27, 57, "## Primitive")
			w.cut(name, 43, 0, "| `char`", added)
		},
		ours: func(h *hand) {
			h.call("read_file", args{"path": name, "heading": title})
			h.call("edit_file", args{"path": name, "old_string": before, "new_string": before + added})
		},
		shell: func(h *hand) {
			h.sh("grep -n '^##' " + name)
			h.read(name, 27, 31)
			h.replace(name, before, before+added)
		},
	}
}

// tableCell changes a cell of a table of which other tables of the page have a row, too.
func tableCell() errand {
	const name, title, from, to = "src/types/boolean.md", "Logical or", "| `true` | `false` | `true` |", "| `true` | `false` | **`true`** |"
	return errand{
		name: "a cell",
		told: "In the table below Logical or in src/types/boolean.md, make the result of true and false bold.",
		repo: reference, docs: []string{name},
		want: func(w *wanted) { w.cut(name, 60, 1, from, to+"\n") },
		ours: func(h *hand) {
			h.call("read_file", args{"path": name, "heading": title})
			h.call("edit_file", args{"path": name, "heading": title, "old_string": from, "new_string": to})
		},
		shell: func(h *hand) {
			h.sh("grep -n -A 9 '# " + title + "' " + name)
			const above = "| `true` | `true` | `true` |\n"
			h.replace(name, above+from, above+to)
		},
	}
}

// splitSection divides a section where the reader sees that it turns to something else.
func splitSection() errand {
	const name, title = "src/abi.md", "The used attribute" // as the map has it, without marks
	const from, heading = "r[abi.used.syntax]\n", "### Syntax and positions\n\n"
	return errand{
		name: "a section split in two",
		told: "Split the section on the attribute used in src/abi.md where it comes to the syntax.",
		repo: reference, docs: []string{name},
		want: func(w *wanted) {
			w.read(name, 11, 63, "## The `used`")
			w.cut(name, 52, 0, from[:len(from)-1], heading)
		},
		ours: func(h *hand) {
			h.look(name, from, title)
			h.call("edit_file", args{"path": name, "old_string": from, "new_string": heading + from})
		},
		shell: func(h *hand) {
			h.sh("grep -n '^##' " + name)
			h.read(name, 11, 54)
			h.replace(name, from, heading+from)
		},
	}
}

// moveWithin moves a section to its place in the order of a glossary.
func moveWithin() errand {
	const name, title, next = "src/glossary.md", "### Dyn-compatible traits", "### Dynamically sized type"
	const text = "[Traits] that can be used in [trait object types] (`dyn Trait`). Only traits that follow specific [rules][dyn compatibility] are *dyn compatible*.\n\nThese were formerly known as *object safe* traits.\n"
	return errand{
		name: "a section moved within its page",
		told: "Move Dyn-compatible traits in src/glossary.md to where the alphabet wants it, before Dynamically sized type.",
		repo: reference, docs: []string{name},
		want: func(w *wanted) {
			w.cut(name, 52, 0, next, w.lines(name, 126, 131, title))
			w.cut(name, 126, 6, title, "")
		},
		ours: func(h *hand) {
			h.call("move_section", args{"path": name, "heading": title, "action": "move", "to": next, "where": "before"})
		},
		shell: func(h *hand) {
			h.sh("grep -n '^##' " + name)
			h.read(name, 126, 6)
			h.replace(name, title+"\n\n"+text+"\n", "")
			h.replace(name, next+"\n", title+"\n\n"+text+"\n"+next+"\n")
		},
	}
}

// crlf adds an example to the end of a section of a page with CRLF.
func crlf() errand {
	const name, title = "proposals/0253-callable.md", "When the type is also `@dynamicCallable`"
	const last = "`callAsFunction` method call, and finally a dynamic call.\n"
	const example = "```swift\n@dynamicCallable\nstruct Both {\n  func callAsFunction(_ x: Int) -> Int { x }\n}\n```\n"
	return errand{
		name: "an example into a page with CRLF",
		told: "Add an example to proposals/0253-callable.md where it tells of types that are also @dynamicCallable.",
		repo: evolution, docs: []string{name},
		want: func(w *wanted) {
			w.read(name, 342, 348, "### When")
			w.cut(name, 348, 0, "", "\n"+example)
		},
		ours: func(h *hand) {
			h.look(name, last, "When the type is also @dynamicCallable")
			h.call("edit_section", args{"path": name, "heading": title, "action": "append", "content": example})
		},
		shell: func(h *hand) {
			h.sh("grep -n '^##' " + name)
			h.read(name, 342, 7)
			h.replace(name, last, last+"\n"+example)
		},
	}
}

// rowAndCell adds a row to one table and changes a cell of another one.
func rowAndCell() errand {
	const name = "src/tokens.md"
	const above, row = "| Binary integer | `0b1111_0000` | `N/A` |\n", "| Hex floating-point | `0x1.8p3` | `Required` |\n"
	const from, to = "| `{` `}` | Curly braces    |", "| `{` `}` | Braces          |"
	return errand{
		name: "a row and a cell, in two sections",
		told: "In src/tokens.md add hexadecimal floats to the table below Numbers, and call curly braces Braces below Delimiters.",
		repo: reference, docs: []string{name},
		want: func(w *wanted) {
			w.cut(name, 104, 0, "| Floating-point", row)
			w.cut(name, 752, 1, from, to+"\n")
		},
		ours: func(h *hand) {
			h.call("read_file", args{"path": name, "headings": []string{"Numbers", "Delimiters"}})
			h.call("edit_file", args{"path": name, "edits": []args{
				{"old_string": above, "new_string": above + row},
				{"old_string": from, "new_string": to},
			}})
		},
		shell: func(h *hand) {
			h.sh("grep -n -A 10 -e '# Numbers' -e '# Delimiters' " + name)
			h.replace(name, above, above+row)
			h.replace(name, from, to)
		},
	}
}

// followed are the sections that links lead to, by pages.
var followed = []struct {
	name, title string
	first, last int
}{
	{"src/attributes/diagnostics.md", "Lint reasons", 105, 141},
	{"src/expressions/array-expr.md", "Array and slice indexing expressions", 76, 146},
	{"src/expressions/operator-expr.md", "Enum cast", 646, 664},
	{"src/glossary.md", "Namespace", 116, 121},
	{"src/input-format.md", "Tokenization", 48, 64},
	{"src/items/external-blocks.md", "Attributes on function parameters", 454, 475},
	{"src/items/external-blocks.md", "Variadic functions", 216, 245},
	{"src/items/functions.md", "Function body", 112, 131},
	{"src/items/modules.md", "Module source filenames", 53, 122},
	{"src/panic.md", "Panic strategy", 87, 103},
	{"src/patterns.md", "Tuple patterns", 862, 893},
	{"src/tokens.md", "Byte string literals", 269, 300},
	{"src/tokens.md", "C string literals", 341, 395},
	{"src/tokens.md", "Raw C string literals", 396, 421},
	{"src/types.md", "Parenthesized types", 100, 114},
	{"src/types/closure.md", "Capture modes", 59, 93},
	{"src/types/closure.md", "Capturing and slice patterns", 369, 438},
	{"src/types/closure.md", "Capturing references in move contexts", 439, 454},
	{"src/types/closure.md", "Rightmost shared reference truncation", 157, 182},
	{"src/types/impl-trait.md", "Limitations", 170, 176},
}

// reads follows links to sections of many pages, none of which was read before.
func reads() errand {
	e := errand{
		name: fmt.Sprintf("%d links followed, each to a section", len(followed)),
		told: "Read the sections that these links lead to.",
		repo: reference,
		want: func(w *wanted) {
			for _, l := range followed {
				w.read(l.name, l.first, l.last, "#")
			}
		},
		ours: func(h *hand) {
			for _, l := range followed {
				anchor := strings.ToLower(strings.ReplaceAll(l.title, " ", "-"))
				h.call("read_file", args{"path": l.name + "#" + anchor})
			}
		},
		shell: func(h *hand) {
			listed := ""
			for _, l := range followed {
				if l.name != listed { // whoever has seen the headings of a page has them
					h.sh("grep -n '^##' " + l.name)
					listed = l.name
				}
				h.read(l.name, l.first, l.last-l.first+1)
			}
		},
	}
	for _, l := range followed {
		e.docs = append(e.docs, l.name)
	}
	return e
}
