package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/yamltree"
)

// The variables of a category are the one place where it counts what YAML takes a
// value for, and where lists and mappings may be nested.

// taken are the variables that every template has.
var taken = []string{"project", "category", "date"}

// vars reads the variables of a category.
func (f *file) vars(n *yamltree.Node, here string) map[string]any {
	for i := range n.Items {
		if name := n.Items[i].Key.Text; slices.Contains(taken, name) {
			f.problem(n.Items[i].Start, field(here, name), "the name is taken, for every template has this variable; choose another")
		}
	}
	value, _ := f.variable(n, here, 0).(map[string]any)
	return value
}

// variable returns what a value is: string, bool, int64, float64, []any or
// map[string]any; nil if there is a problem.
func (f *file) variable(n *yamltree.Node, here string, depth int) any {
	if depth > maxVars {
		f.problem(n.Start, here, fmt.Sprintf("nested deeper than %d levels; make it flatter", maxVars))
		return nil
	}
	switch n.Kind {
	case yamltree.Mapping:
		values := make(map[string]any, len(n.Items))
		for i := range n.Items {
			it := &n.Items[i]
			name := it.Key.Text
			inner := field(here, name)
			_, twice := values[name]
			switch {
			case twice:
				f.problem(it.Start, inner, "the key is there twice; take one of the two out")
			case name == "" || strings.ContainsAny(name, ".{}\x00") || strings.TrimSpace(name) != name:
				f.problem(it.Start, inner, "a variable's name must not be empty, nor have dots, braces or blanks around it; rename it")
			}
			values[name] = f.variable(it.Value, inner, depth+1)
		}
		return values
	case yamltree.List:
		values := make([]any, len(n.Items))
		for i := range n.Items {
			values[i] = f.variable(n.Items[i].Value, fmt.Sprintf("%s[%d]", here, i), depth+1)
		}
		return values
	case yamltree.Scalar:
		return f.single(n, here)
	}
	f.problem(n.Start, here, `it has no value; write one, "" for an empty text`)
	return nil
}

// single returns what a scalar is.
func (f *file) single(n *yamltree.Node, here string) any {
	digits := strings.TrimLeft(n.Text, "+-")
	switch n.Plain {
	case "!!bool":
		return strings.EqualFold(n.Text, "true")
	case "!!int":
		if len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789_") == "" {
			f.problem(n.Start, here, "a number that begins with 0 can be read in two ways; put it in quotes, or leave the 0 out")
			return nil
		}
		value, err := strconv.ParseInt(n.Text, 0, 64)
		if err != nil {
			f.problem(n.Start, here, "it is no number that can be kept as it is written; put it in quotes")
			return nil
		}
		if !f.keeps(n, here, strconv.FormatInt(value, 10)) {
			return nil
		}
		return value
	case "!!float":
		if !strings.Contains(n.Text, ".") {
			break // 1e3, 08 and integers that are too large are texts
		}
		value, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
			f.problem(n.Start, here, "it is no number that can be kept as it is written; put it in quotes")
			return nil
		}
		if !f.keeps(n, here, formatNumber(value)) {
			return nil
		}
		return value
	}
	if strings.IndexByte(n.Text, 0) >= 0 {
		f.problem(n.Start, here, "it has a NUL character; take it out")
	}
	return n.Text
}

// keeps reports whether a number is printed as it is written, and adds a problem if
// not: 1.10 may be a version.
func (f *file) keeps(n *yamltree.Node, here, printed string) bool {
	if printed == n.Text {
		return true
	}
	f.problem(n.Start, here, fmt.Sprintf("as a number this would become %s; put it in quotes to keep it as it is written: %s", printed, strconv.Quote(n.Text)))
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

// variableValue returns a variable for writing.
func variableValue(v any) yamltree.Raw {
	switch v := v.(type) {
	case string:
		return yamltree.Raw(frontmatter.YAMLText(v, true))
	case bool:
		return yamltree.Raw(strconv.FormatBool(v))
	case int64:
		return yamltree.Raw(strconv.FormatInt(v, 10))
	case float64:
		return yamltree.Raw(formatNumber(v))
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = string(variableValue(v[i]))
		}
		return yamltree.Raw("[" + strings.Join(parts, ", ") + "]")
	case map[string]any:
		var pairs []yamltree.Pair
		for key, value := range v {
			pairs = append(pairs, yamltree.Pair{Key: key, Value: variableValue(value)})
		}
		slices.SortFunc(pairs, func(a, b yamltree.Pair) int { return strings.Compare(a.Key, b.Key) })
		return yamltree.Raw(yamltree.WriteValue(pairs))
	}
	return yamltree.Raw(frontmatter.YAMLText(fmt.Sprint(v), true))
}
