package main

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// What a test of IWE that changes blocks holds: the document, the operation, and what comes of it.
var iweTest = regexp.MustCompile(`(?s)\nfn (\w+)\(\) \{\n    assert_update\(\n        indoc! \{` + rustText + `\},\n        indoc! \{` + rustText + `\},\n        (?:indoc! \{)?` + rustText)

// iweReasons are the differences that README.md explains.
var iweReasons = map[string]string{
	"append_items_to_list": "sectile appends to sections; an item is put behind another one, by insert_after",
}

// iwe runs the updates of one block that both can express.
func iwe(s *suite, r *runner) error {
	source, err := s.show("crates/liwe/tests/query_block_update.rs")
	if err != nil {
		return err
	}
	skipped := 0
	for _, m := range iweTest.FindAllStringSubmatch(source, -1) {
		var operation struct{ Update map[string]map[string]any }
		if err := yaml.Unmarshal([]byte(undented(m[3])), &operation); err != nil {
			return fmt.Errorf("%s: %s: %w", s.name, m[1], err)
		}
		args := iweEdit(operation.Update)
		if args == nil {
			skipped++
			continue
		}
		document := undented(m[2])
		if strings.Contains(args[0], ".0") || strings.HasPrefix(args[0], "para[") || strings.HasPrefix(args[0], "item[") {
			args = append(args, "--expected-hash", r.hash(document, args[0]))
		}
		command := append([]string{"edit", "doc.md"}, args...)
		if args[1] == "dissolve" {
			command = []string{"move", "doc.md", args[0], "dissolve"}
		}
		_, after, ok := r.sectile(document, command...)
		if !ok {
			after = "refused"
		}
		r.judge(s.name+": "+m[1], after, undented(m[4]), iweReasons[m[1]])
	}
	fmt.Printf("%s: %d updates are of several blocks at once, or of none that an address of sectile names\n", s.name, skipped)
	return nil
}

// iweEdit is an operation on one block as arguments of sectile edit behind the file.
func iweEdit(update map[string]map[string]any) []string {
	if len(update) != 1 {
		return nil
	}
	for operator, what := range update {
		address, kind := "", ""
		for _, of := range []struct{ key, form string }{{"$section", "%s"}, {"$header", "%s"}, {"$paragraph", "para[%q]"}, {"$item", "item[%q]"}, {"$list", ""}} {
			target, ok := what[of.key]
			if !ok {
				continue
			}
			kind = of.key
			text, named := target.(string)
			if fields, ok := target.(map[string]any); ok && len(fields) == 1 && !named {
				text, named = fields["$text"].(string)
			}
			switch {
			case named:
				address = fmt.Sprintf(of.form, text)
			case kind == "$list":
				address = "@document/list.0"
			case kind == "$paragraph":
				address = "@document/para.0"
			}
		}
		if address == "" || what["expect"] != nil && what["expect"] != 1 {
			return nil
		}
		content, _ := what["content"].(string)
		to, _ := what["to"].(string)
		switch operator + " " + kind {
		case "$delete $section", "$delete $paragraph":
			return []string{address, "remove"}
		case "$delete $header":
			return []string{address, "dissolve"}
		case "$replaceText $header":
			return []string{address, "rename", "--content", to}
		case "$replaceText $paragraph":
			return []string{address, "replace", "--content", to}
		case "$replace $paragraph":
			return []string{address, "replace", "--content", content}
		case "$replace $header":
			if strings.HasPrefix(content, "#") {
				return []string{address, "rename", "--content", strings.TrimLeft(content, "# ")}
			}
		case "$insertBefore $paragraph":
			return []string{address, "insert_before", "--content", content}
		case "$insertAfter $paragraph", "$insertAfter $section", "$insertAfter $item":
			return []string{address, "insert_after", "--content", content}
		case "$insertAfter $header":
			return []string{address, "prepend", "--content", content}
		case "$append $header", "$append $list":
			return []string{address, "append", "--content", content}
		}
	}
	return nil
}

// undented is a text of Rust without what all of its lines are indented by.
func undented(quoted string) string {
	lines := strings.Split(strings.TrimPrefix(unquoted(quoted), "\n"), "\n")
	least := -1
	for _, line := range lines {
		if in := len(line) - len(strings.TrimLeft(line, " ")); strings.TrimSpace(line) != "" && (least < 0 || in < least) {
			least = in
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line[min(max(least, 0), len(line)):], " ")
	}
	return strings.Join(lines, "\n")
}
