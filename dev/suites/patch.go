package main

// markdownPatch runs the cases of front matter and tables, whose results are files.
func markdownPatch(s *suite, r *runner) error {
	const (
		key   = "@frontmatter."
		cells = "| `something else` | Some other application | ✅ | ✅ | ✅ |"
	)
	for _, c := range []struct {
		file string
		args []string
	}{
		{"frontmatter.append.list", []string{key + "array-value", "append", "--content", `"Beep"`}},
		{"frontmatter.append.dictionary", []string{key + "object-value.three", "set", "--content", "Beep"}},
		{"frontmatter.append.string", []string{key + "string-value", "set", "--content", "AlphaBeep"}},
		{"frontmatter.prepend.list", []string{key + "array-value", "set", "--content", `["Beep", "Delta", "Gamma"]`}},
		{"frontmatter.prepend.dictionary", []string{key + "object-value", "set", "--content", `{"three": "Beep", "one": "Epsilon", "two": "Theta"}`}},
		{"frontmatter.prepend.string", []string{key + "string-value", "set", "--content", "BeepAlpha"}},
		{"frontmatter.replace.list", []string{key + "array-value", "set", "--content", `["Replaced"]`}},
		{"frontmatter.replace.dictionary", []string{key + "object-value", "set", "--content", `{"replaced": true}`}},
		{"frontmatter.replace.string", []string{key + "string-value", "set", "--content", "Replaced"}},
		{"frontmatter.replace.number", []string{key + "number-value", "set", "--content", "10"}},
		{"frontmatter.replace.boolean", []string{key + "boolean-value", "set", "--content", "true"}},
		{"frontmatter.createTargetIfMissing.list", []string{key + "new-field", "set", "--content", `["New Value"]`}},
		{"frontmatter.createTargetIfMissing.dictionary", []string{key + "new-field", "set", "--content", `{"newValue": true}`}},
		{"frontmatter.createTargetIfMissing.string", []string{key + "new-field", "set", "--content", "New Value"}},
		{"frontmatter.createTargetIfMissing.number", []string{key + "new-field", "set", "--content", "588600"}},
		{"frontmatter.createTargetIfMissing.boolean", []string{key + "new-field", "set", "--content", "true"}},
		{"block.targetBlockTypeBehavior.table.append", []string{"Actions/table.0[5]", "insert_after", "--content", cells, "--expected-hash", ""}},
		{"block.targetBlockTypeBehavior.table.prepend", []string{"Actions/table.0[1]", "insert_before", "--content", cells, "--expected-hash", ""}},
	} {
		before := "src/tests/sample.md"
		if c.args[0][0] == '@' {
			before = "src/tests/sample.frontmatter.md"
		}
		document, err := s.show(before)
		if err != nil {
			return err
		}
		want, err := s.show("src/tests/sample.patch." + c.file + ".md")
		if err != nil {
			return err
		}
		if last := len(c.args) - 1; c.args[last] == "" { // a row counts, so its hash is needed
			c.args[last] = r.hash(document, c.args[0])
		}
		_, after, _ := r.sectile(document, append([]string{"edit", "doc.md"}, c.args...)...)
		r.judge(s.name+": "+c.file, after, want, "")
	}
	return nil
}
