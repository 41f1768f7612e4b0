package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What a test of codescout that edits a section holds: the document, the call, and what is asserted.
var (
	scoutTest   = regexp.MustCompile(`(?s)\nfn (\w+)\(\) \{\n(.*?)\n\}\n`)
	scoutText   = regexp.MustCompile(`(?s)let content =\s*(?:concat!\((.*?)\)|` + rustText + `);`)
	scoutEdit   = regexp.MustCompile(`(?s)perform_section_edit\(\s*content,\s*` + rustText + `,\s*` + rustText + `,\s*(?:None|Some\(` + rustText + `\)),?\s*\)`)
	scoutScoped = regexp.MustCompile(`(?s)perform_scoped_edit\(\s*content,\s*` + rustText + `,\s*` + rustText + `,\s*` + rustText + `,\s*(true|false),?\s*\)`)
	scoutEqual  = regexp.MustCompile(`(?s)assert_eq!\(\s*result,\s*` + rustText)
	scoutHas    = regexp.MustCompile(`(!?)result\.contains\(` + rustText + `\)`)
)

// rustText is a text of Rust, which is a text of Go too.
const rustText = `("(?:[^"\\]|\\.)*")`

// Why sectile does something else than codescout.
const (
	unclosed = "CommonMark 4.5: a fence that isn't closed goes on to the end, and what looks like a heading in it is none"
	firstOf  = "codescout changes the first of several equal texts; sectile refuses until it is told which, or all"
	glued    = "codescout puts the line end back that the caller left out; sectile refuses, for the heading below would become text"
	behind   = "text without a heading is no section to put behind one; sectile refuses, and names append"
	rule     = "a rule at the end of a section is part of it, and goes with it; codescout keeps it"
)

// scoutReasons are the differences that README.md explains.
var scoutReasons = map[string]string{
	"scoped_edit_first_occurrence":                                       firstOf,
	"scoped_edit_consuming_trailing_newline_preserves_following_heading": glued,
	"unclosed_code_fence":                                                unclosed,
	"insert_after_h1_default_appends_at_end_of_section":                  behind,
	"insert_after_without_trailing_newline_preserves_following_heading":  behind,
	"replace_preserves_trailing_horizontal_rule_separator":               rule,
	"replace_preserves_hr_separator_with_trailing_blank_lines":           rule,
	"replace_preserves_asterisk_hr_separator":                            rule,
}

// codescout runs the tests of its section edits that make one edit of one document.
func codescout(s *suite, r *runner) error {
	source, err := s.show("src/tools/markdown/tests.rs")
	if err != nil {
		return err
	}
	skipped := 0
	for _, m := range scoutTest.FindAllStringSubmatch(source, -1) {
		name, body := m[1], m[2]
		text, edits, scoped := scoutText.FindStringSubmatch(body), scoutEdit.FindAllStringSubmatch(body, -1), scoutScoped.FindAllStringSubmatch(body, -1)
		if !strings.Contains(body, "perform_s") {
			continue // what it reads, and how it prints that
		}
		if text == nil || len(edits)+len(scoped) != 1 || strings.Count(body, "perform_s") != 1 {
			skipped++
			continue
		}
		document := unquoted(text[1] + text[2])
		var args []string
		if len(edits) == 1 {
			args = []string{"edit", "doc.md", unquoted(edits[0][1]), unquoted(edits[0][2])}
			if edits[0][2] == `"replace"` {
				args = append(args, "--scope", "section")
			}
			if edits[0][3] != "" {
				args = append(args, "--content", unquoted(edits[0][3]))
			}
		} else {
			args = []string{"replace", "doc.md", "--in", unquoted(scoped[0][1])}
			if scoped[0][4] == "true" {
				args = append(args, "--all")
			}
			args = append(args, "--", unquoted(scoped[0][2]), unquoted(scoped[0][3]))
		}
		_, after, ok := r.sectile(document, args...)
		got, want := after, ""
		for _, has := range scoutHas.FindAllStringSubmatch(body, -1) {
			if part := unquoted(has[2]); strings.Contains(after, part) == (has[1] == "!") {
				want += fmt.Sprintf("%swith %q; ", map[bool]string{true: "not "}[has[1] == "!"], part)
			}
		}
		switch equal := scoutEqual.FindStringSubmatch(body); {
		case strings.Contains(body, "unwrap_err"):
			got, want = map[bool]string{true: after, false: "refused"}[ok], "refused"
		case !ok:
			got, want = "refused", "edited"
		case equal != nil:
			want = unquoted(equal[1])
		case want == "":
			want = got
		}
		reason := scoutReasons[name]
		if reason == "" && got != want && withoutBlank(got) == withoutBlank(want) {
			got = want // a blank line is no difference in Markdown
		}
		r.judge(s.name+": "+name, got, want, reason)
	}
	fmt.Printf("%s: %d tests of edits make several, or are written in a way that isn't read\n", s.name, skipped)
	return nil
}

// unquoted is what texts of Rust are, one after another.
func unquoted(texts string) string {
	var all strings.Builder
	for _, one := range regexp.MustCompile(rustText).FindAllString(texts, -1) {
		text, err := strconv.Unquote(strings.ReplaceAll(one, "\n", `\n`))
		if err != nil {
			return ""
		}
		all.WriteString(text)
	}
	return all.String()
}

// withoutBlank leaves out blank lines.
func withoutBlank(text string) string {
	return regexp.MustCompile(`\n\s*\n`).ReplaceAllString(text, "\n")
}
