package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The variables of a category are the one place where it counts what YAML takes a
// value for, and where lists and mappings may be nested.

// taken are the variables that every template has.
var taken = []string{"project", "category", "date"}

// vars reads the variables of a category.
func (f *file) vars(n *node, here string) map[string]any {
	for i := range n.items {
		if name := n.items[i].key.text; slices.Contains(taken, name) {
			f.problem(n.items[i].start, field(here, name), "the name is taken, for every template has this variable; choose another")
		}
	}
	value, _ := f.variable(n, here, 0).(map[string]any)
	return value
}

// variable returns what a value is: string, bool, int64, float64, []any or
// map[string]any; nil if there is a problem.
func (f *file) variable(n *node, here string, depth int) any {
	if depth > maxVars {
		f.problem(n.start, here, fmt.Sprintf("nested deeper than %d levels; make it flatter", maxVars))
		return nil
	}
	switch n.kind {
	case mapping:
		values := make(map[string]any, len(n.items))
		for i := range n.items {
			it := &n.items[i]
			name := it.key.text
			inner := field(here, name)
			_, twice := values[name]
			switch {
			case twice:
				f.problem(it.start, inner, "the key is there twice; take one of the two out")
			case name == "" || strings.ContainsAny(name, ".{}\x00") || strings.TrimSpace(name) != name:
				f.problem(it.start, inner, "a variable's name must not be empty, nor have dots, braces or blanks around it; rename it")
			}
			values[name] = f.variable(it.value, inner, depth+1)
		}
		return values
	case list:
		values := make([]any, len(n.items))
		for i := range n.items {
			values[i] = f.variable(n.items[i].value, fmt.Sprintf("%s[%d]", here, i), depth+1)
		}
		return values
	case scalar:
		return f.single(n, here)
	}
	f.problem(n.start, here, `it has no value; write one, "" for an empty text`)
	return nil
}

// single returns what a scalar is.
func (f *file) single(n *node, here string) any {
	digits := strings.TrimLeft(n.text, "+-")
	switch n.plain {
	case "!!bool":
		return strings.EqualFold(n.text, "true")
	case "!!int":
		if len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789_") == "" {
			f.problem(n.start, here, "a number that begins with 0 can be read in two ways; put it in quotes, or leave the 0 out")
			return nil
		}
		value, err := strconv.ParseInt(n.text, 0, 64)
		if err != nil {
			f.problem(n.start, here, "it is no number that can be kept as it is written; put it in quotes")
			return nil
		}
		if !f.keeps(n, here, strconv.FormatInt(value, 10)) {
			return nil
		}
		return value
	case "!!float":
		if !strings.Contains(n.text, ".") {
			break // 1e3, 08 and integers that are too large are texts
		}
		value, err := strconv.ParseFloat(n.text, 64)
		if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
			f.problem(n.start, here, "it is no number that can be kept as it is written; put it in quotes")
			return nil
		}
		if !f.keeps(n, here, formatNumber(value)) {
			return nil
		}
		return value
	}
	if strings.IndexByte(n.text, 0) >= 0 {
		f.problem(n.start, here, "it has a NUL character; take it out")
	}
	return n.text
}

// keeps reports whether a number is printed as it is written, and adds a problem if
// not: 1.10 may be a version.
func (f *file) keeps(n *node, here, printed string) bool {
	if printed == n.text {
		return true
	}
	f.problem(n.start, here, fmt.Sprintf("as a number this would become %s; put it in quotes to keep it as it is written: %s", printed, strconv.Quote(n.text)))
	return false
}

// formatNumber returns a number as templates print it: the shortest digits that mean
// it, with an exponent only for what is very large or small.
func formatNumber(f float64) string {
	if size := math.Abs(f); size != 0 && (size >= 1e21 || size < 1e-6) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
