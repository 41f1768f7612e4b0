// Package yamltree reads a text of YAML as a tree in which each value has its bytes, and changes
// it by splices, so that comments, blank lines, the order of keys and line endings stay as they
// are. It takes no more of YAML than files need that are written by hand: no anchors, no aliases,
// no tags, one document. What is wrong is told with its place and the way out, usual mistakes in
// their own words; what can't be read with certainty is refused.
//
// Which file holds what:
//
//   - text.go: a text by its lines; tree.go, build.go: the YAML library's nodes as a tree with
//     places in bytes
//   - syntax.go, mistakes.go: the library's verdict on a text, and the usual mistakes told better
//   - splice.go, inline.go, scalar.go: how a change is written
package yamltree
