// Package edit changes Markdown by section and proves that nothing else changed.
//
//	doc, err := markdown.Parse(src)
//	…
//	result, err := edit.Apply(doc, []edit.Op{
//		{Action: edit.Replace, Address: "## Install", Text: "Run `make`.\n"},
//		{Action: edit.InsertAfter, Address: "h2.4", ExpectedHash: hash, Text: "## Usage\n\n…\n"},
//		{Action: edit.ReplaceText, Old: "colour", Text: "color", All: true},
//	})
//	…
//	os.Stdout.Write(result.Doc.Source)
//
// # Operations
//
// An [Op] is a value. Its address is resolved by package address, so that the range
// that a read shows is the range that a write changes. [Apply] takes any number of
// operations: all of them or none. Addresses and hashes mean the document as it was
// before the first; texts are looked for in what the operations before have made.
//
// # What holds
//
// Bytes outside of the edit are untouched. The result is the source with a few
// ranges replaced, [Result.Splices]; nothing is rendered. New text takes the line
// ending of its surroundings.
//
// Blocks outside of the edit are unchanged. The result is parsed again; every block
// that no splice touches must be there with its bytes, its kind and level, and in
// the same section and container. Otherwise the edit is refused: an open fence
// can't swallow the next heading. [Op.AllowRestructure] allows it and says what
// became of the blocks.
//
// Nothing lands in the wrong place. An address that stands for no part or for
// several is an error, and so is one that counts, like "h2.3", without the hash of
// what was read there.
//
// New text is read in the document's dialect, see [markdown.Options], and so is the
// result.
//
// Whoever stores documents has to keep others from writing at the same time: the
// package does no input or output and keeps nothing between calls.
//
// # Files
//
//   - op.go, result.go, also.go, error.go: operations, results, errors
//   - apply.go: the way of operations; arguments.go: those that are refused at once; target.go:
//     the part that one is about; content.go, levels.go, missing.go, sentence.go: its text, the levels of
//     its headings, those that are missing, names in messages
//   - section.go, block.go, nested.go with asread.go, named.go, rename.go, replacetext.go: each
//     kind of target, as a change of change.go; inplace.go: text with the lines that were read;
//     body.go, rows.go: text among whole lines, rows of tables with too many or too few cells;
//     small.go, key.go, many.go, present.go: tasks, cells, columns and keys, see also internal/parts, and many of them at once;
//     numbers.go: those of items
//   - gap.go: blank lines around what is put in, see also internal/textlines; draft.go: the
//     document between two operations
//   - arrange.go: sections in another order or with other levels, see also internal/arrange
//   - laws.go: what must hold of all, see also internal/blockcheck;
//     duplicates.go: reasons to warn
//   - place.go: a text found, told where, or meant; diff.go: differences
package edit
