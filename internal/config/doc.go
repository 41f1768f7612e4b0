// Package config reads and changes the configuration: the file .sectile.yaml at
// the root of a project, and the user's own for what the project doesn't say.
//
// A Loader finds both, and gives what they say together; all that is wrong is told
// at once, with line and column. Keys lists every key with its limits: reading goes
// by it, and docs/config.md is made from it.
//
// Nothing is ever written back from what was parsed: a change is a splice of the
// file's bytes, so that comments, blank lines, the order of keys and line endings
// stay as they are. What a splice makes is read again before it is written, and must
// say what was asked for and nothing else.
//
// Which file holds what:
//
//   - keys.go: the table of keys; config.go: the values
//   - parse.go, values.go, vars.go, journal.go, links.go, dialect.go, headings.go, plan.go, workflow.go, trust.go,
//     search.go: values taken from the tree of package yamltree
//   - load.go, place.go: which files count, found and read; merge.go: two of them together
//   - change.go, verbs.go, set.go: what a change is; apply.go: its law; message.go: what
//     messages share
package config
