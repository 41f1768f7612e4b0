// Package search finds the sections of Markdown documents that a query is about, and ranks
// them. It is given the bytes of documents and does no input or output; it keeps no index.
//
//	query, err := search.Parse("install proxy")
//	…
//	scanner := query.Scanner()
//	for i, src := range sources {
//		if err := scanner.Scan(i, paths[i], src, markdown.Parse); err != nil { … }
//	}
//	for _, hit := range query.Rank(0, 10, scanner).Hits {
//		fmt.Println(paths[hit.Document], hit.Section, hit.Score)
//	}
//
// # What to use when
//
//   - [Parse] for words in any order, ranked: a [Query]. Each goroutine has a [Scanner] of its
//     own, and [Query.Rank] takes all of them. [Query.Excerpts] finds the lines to show.
//   - [ParseLines] for lines with an exact text or a regular expression, in the order of the
//     document: [Lines.Sections].
//   - [Near] for words that were mistyped.
//
// # The language of queries
//
// Words are looked for in any order; a section need not have all of them, but the more it has
// the better. English words match their other forms ("install", "installing"). Written together
// with one of these marks they mean more:
//
//	"a phrase"   these words side by side, in this order; what lacks it is left out
//	word*        words that begin so
//	-word        leaves out sections that have the word; -"a phrase" too
//	title:word   the word in the section's own heading
//	path:glob    documents whose path matches; see Query.Paths
//
// Words of documents that have more than 128 bytes are none, and not found. Words of scripts that
// write without spaces are cut into pieces of two characters. What is written as one identifier,
// os_str or CreateWindowEx, is looked for as that, and stands before sections that have its parts
// apart. English words that every section has, such as "the", are left out unless there is nothing
// else.
//
// # How sections are ranked
//
// By the sum of BM25 over the fields title, titles of the sections around, path, and body, each
// with a weight and the title's length normalised; times the share of the words that are found;
// more if all stand side by side, and for the first section of a document. The weights are those
// that were best on one half of 400 queries made of links of real documents; docs/benchmarks.md
// has what they reach on the other half. [Weights] are a value, so that others can be tried.
//
// The words of a section are those from its heading to its first subsection. Its own words are
// not counted for the sections around it. Front matter, and what else stands before the first
// section, are found as sections without a heading: [FrontMatter] and [Preamble].
//
// # Files
//
//   - query.go: queries of words; word.go: what a word is, its stem, words that are left out
//   - filter.go: where words of a query stand in a text; scan.go: documents to candidates;
//     sequence.go: words side by side
//   - index.go: what an index elsewhere is given and asked; rank.go: scores; near.go: words that were meant
//   - lines.go: lines with a text or a regular expression; literal.go: what they must have;
//     automaton.go: which of them match; begin.go: where words and texts may begin
//   - excerpt.go: lines to show
package search
