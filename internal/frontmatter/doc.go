// Package frontmatter reads the metadata that a document begins with, YAML or TOML, and
// changes single keys of it. A change is a list of splices of the text: comments, order,
// quotes and indentation of all else stay, because their bytes do.
//
//	text, err := frontmatter.Read("title: Old # draft\n", frontmatter.YAML)
//	…
//	value, err := frontmatter.ParseValue(`"New"`)
//	…
//	splices, err := text.Apply(frontmatter.Change{Action: frontmatter.Set, Path: path, Value: value})
//
// What a change would make is read again and compared: it must be what was there before
// and the change, nothing else; otherwise the change is refused. YAML is 1.2 as
// go.yaml.in/yaml reads it, and what is written means the same in YAML 1.1; TOML is 1.0.
//
// Refused are texts that a template makes, mappings with a key twice, and changes of what
// an anchor, an alias or a merge key of YAML hands to other places.
//
// The package does no input or output and keeps nothing between calls.
//
// # Files
//
//   - path.go: which value is meant; node.go: a text as a tree of values with their bytes;
//     error.go: what can go wrong
//   - yaml.go, yaml_scalar.go, toml.go: texts to trees; lines.go: lines and blanks
//   - value.go: values that are put in; date.go: which of them are dates;
//     write.go, write_yaml.go: how they are written
//   - change.go: the way of a change; add.go, remove.go, replace.go: its splices; expect.go:
//     what the text must say after it
package frontmatter
