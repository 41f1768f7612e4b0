// Package address says which part of a Markdown document a string means, and
// which string means a part.
//
//	doc, err := markdown.Parse(src)
//	…
//	r, err := address.Resolve(doc, "## Install")
//	…
//	span := r.Span(doc)
//	fmt.Printf("%s, lines %v:\n%s", r.Selector, r.Lines(doc), doc.Text(span))
//
// # Addresses
//
// [Resolve] takes every form of address. The shape of the string decides its
// form, never what is in the document:
//
//	h2.1, h2[1], h2.1/code.0     a selector with an index, no white space in it
//	#install-on-linux            an anchor, see below; no white space in it
//	L120                         the innermost section that holds the line
//	Guide > Install > Linux      a path: headings, each below the one before
//	@preamble                    what stands before the first heading
//	@frontmatter, @document      what their names say
//	@frontmatter.tags.0          a key of front matter; ["a.b"] for a name with a dot
//	Install/code[sh]             a part of a part, see below
//	## Auth, Auth                anything else: the text of a heading
//
// What begins with a heading's marks, "#" to "######" and white space, is a text
// whatever follows. So a heading that looks like another form is written with its
// marks: "## h2.1", "## A > B". In texts and paths `\>` stands for '>'.
//
// # Parts of parts
//
// Below any address, and below the document without one, steps lead to parts: "code[rust]"
// by the language; "task", "task[open]", "task[done]", `task["Buy milk"]`; `item["Buy"]` and
// `para["It"]` by the beginning of the text; `table.0[3]`, `table.0["Price"]`,
// `table.0[3, "Price"]` and `table.0["Apple", "Price"]`: a row, a column, a cell, by numbers
// from 0, the head being row 0, or by the head of a column and the first cell of a row.
// `link["the docs"]`, `image["a map"]` and `def["label"]` are links, images and definitions, by
// their text or label, link[broken] those that lead nowhere, which a [Resolver] must know.
// Indexes behind all of them choose among several. Tasks, and what is asked for by a text, are
// looked for in all that is below; the rest among the children. These forms, and keys of front
// matter, yield to a heading with just this text; [Resolution].TwoReadings says that both are
// there.
//
// # Anchors
//
// An anchor is a name that somebody has written down, "{#id}" behind a heading and id or
// name of an HTML element, or the one that the dialect of the document makes of a heading:
// that of GitHub unless [markdown.Options] name another. In the dialect of Obsidian blocks
// have names too, "#^id". [Places] are all names of a document that links can lead to.
//
// # Texts
//
// A text is compared with all headings that open a section, in four tiers. The
// first tier with a hit decides, and more than one hit in it is an error: exact,
// as it is written; stripped of formatting, attributes, typography, characters that
// can't be seen and white space, with case and, if that finds nothing, without; the
// beginning of it; any part of it. Marks fix the level in every tier. [Tier] tells how close it was, and a
// [Resolver] may take the first two alone.
//
// In a path, each part is matched like that among what is below all the sections
// that match the part before; parts but the first may have marks.
//
// # Selectors
//
// [ParseSelector] and [Select] are for selectors of their own, as mdsel has them:
// with a namespace and a query, and with as many matches as there are. Steps look
// through the children of the current node; "h2" is a section, which holds its
// own heading and what is below it up to the next heading of its level. Indexes
// begin with 0. Row 0 of a table is its head. What a heading in a block quote or
// an item begins can be selected like a section, but it is a [BlockNode].
//
// # The way back
//
// [SelectorOf], [Anchors], [Path] and [AddressOf] make addresses, and [Names] many selectors. Each of them
// resolves to the same node in the same bytes, or is empty if there is none of
// its form. AddressOf is the one to show. [HeadingOf] and [CandidateOf] describe
// the node beside it.
//
// # Writing
//
// An address that counts can mean something else after a change by another hand:
// [Resolution].ByPosition marks it, and who writes should ask for the hash of
// what was read. [Node.Span] is what a read shows and what a write changes.
//
// # When there is no one node
//
// An [*Error] has a code, a sentence that says what to do, and up to ten
// candidates whose addresses can be used as they are. [Suggest] does the same for
// selectors.
//
// The package does no input or output and keeps nothing between calls. Every
// function takes time linear in the number of blocks at most, for each
// candidate that it returns; ranges cost nothing by being large.
//
// # Files
//
//   - part.go, partfind.go, parttext.go, key.go, link.go: parts of a part: code by its language, tasks, cells,
//     keys, links
//   - resolve.go: an address to one part; resolvepath.go: a path of headings; parse.go, shape.go, selector.go: the forms of
//     addresses; anchor.go, place.go, text.go: anchors, see also internal/anchors, and headings; match.go, matches.go, select.go: the
//     parts that a selector chooses; node.go, name.go, names.go: a part, and its selector
//   - suggest.go, closest.go: which part was meant; error.go, selectorerror.go: errors
package address
