package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What a test of patchloom that appends a row holds: the document, the row, and what is asserted.
var (
	loomTest   = regexp.MustCompile(`(?s)\n    fn (table_append_\w+)\(\) \{\n(.*?)\n    \}\n`)
	loomText   = regexp.MustCompile(`let content = ("(?:[^"\\]|\\.)*");`)
	loomRow    = regexp.MustCompile(`table_append_(?:in\(content, [^,]+, [^,]+|for_tx\(content, "[^"]*"), ("(?:[^"\\]|\\.)*")\)`)
	loomHas    = regexp.MustCompile(`[^!\w]\w+\.contains\(("(?:[^"\\]|\\.)*")\)`)
	loomRefuse = regexp.MustCompile(`unwrap_err|is_err`)
)

// loomReasons are the differences that README.md explains.
var loomReasons = map[string]string{
	"table_append_compact_row_without_outer_pipes":            "the row stays as it is sent, without outer pipes",
	"table_append_compact_row_spaced_cells":                   "the row stays as it is sent, without outer pipes",
	"table_append_column_mismatch_mentions_formats":           "a row with fewer cells is written with a warning, as GFM reads it",
	"table_append_wrong_column_count_returns_column_mismatch": "a row with fewer cells is written with a warning, as GFM reads it",
	"table_append_not_table_row_returns_column_mismatch":      "the row stays as it is sent, without outer pipes",
}

// patchloom runs the cases that append a row to a table, of those whose document and row can be read
// from the test.
func patchloom(s *suite, r *runner) error {
	source, err := s.show("src/ops/md_tests.rs")
	if err != nil {
		return err
	}
	skipped := 0
	for _, m := range loomTest.FindAllStringSubmatch(source, -1) {
		name, body := m[1], m[2]
		text, row := loomText.FindStringSubmatch(body), loomRow.FindStringSubmatch(body)
		if text == nil || row == nil {
			skipped++
			continue
		}
		document, err := strconv.Unquote(text[1])
		if err != nil {
			skipped++
			continue
		}
		line, err := strconv.Unquote(row[1])
		if err != nil {
			skipped++
			continue
		}
		last := 0 // the head is row 0, and the line below it is none
		table, _, _ := r.sectile(document, "select", "table.0", "doc.md")
		if n := len(strings.Split(strings.TrimSpace(table), "\n")); n > 1 {
			last = n - 2
		}
		address := fmt.Sprintf("@document/table.0[%d]", last)
		_, after, ok := r.sectile(document, "edit", "doc.md", address, "insert_after", "--content", line, "--expected-hash", r.hash(document, address))
		got, want := "appended", "appended"
		if !ok {
			got = "refused"
		}
		if loomRefuse.MatchString(body) {
			want = "refused"
		}
		for _, has := range loomHas.FindAllStringSubmatch(body, -1) {
			part, err := strconv.Unquote(has[1])
			if err == nil && strings.ContainsAny(part, "|") && want == "appended" && !strings.Contains(after, part) {
				got = fmt.Sprintf("%q, without %q", after, part)
			}
		}
		r.judge(s.name+": "+name, got, want, loomReasons[name])
	}
	fmt.Printf("%s: %d tests of tables are written in a way that isn't read\n", s.name, skipped)
	return nil
}
