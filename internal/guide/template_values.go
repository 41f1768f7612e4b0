package guide

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The library prints what it is given with fmt, looks into structs and calls
// methods. It gets copies of a few plain types, of which neither can be more than
// it seems.

const (
	maxValueDepth  = 16
	maxValues      = 100_000
	maxValueBytes  = 4 << 20
	valuesPerLook  = 1024 // that are copied between two looks at the context
	maxValueBlanks = 4096 // around a text: the library trims it for each section that asks whether it is blank
)

// null is a value that is there and has no value. It is printed as nothing and
// doesn't hold for a section, as a text it is none of the template's.
type null string

type valueCopier struct {
	ctx    context.Context
	values int
	bytes  int
}

// templateValues returns a copy of the variables.
func templateValues(ctx context.Context, vars map[string]any) (map[string]any, error) {
	c := valueCopier{ctx: ctx}
	return c.mapping("", vars, 0)
}

func (c *valueCopier) mapping(name string, m map[string]any, depth int) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		path := key
		if name != "" {
			path = name + "." + key
		}
		v, err := c.value(path, m[key], depth+1)
		if err != nil {
			return nil, err
		}
		out[key] = v
	}
	return out, nil
}

// value copies a value; name is how a template would call it.
func (c *valueCopier) value(name string, v any, depth int) (any, error) {
	c.values++
	switch {
	case depth > maxValueDepth:
		return nil, fmt.Errorf("the variable %s is nested more than %d deep", quoted(name), maxValueDepth)
	case c.values > maxValues || c.bytes > maxValueBytes:
		return nil, fmt.Errorf("the variables have more than %d values or %d bytes", maxValues, maxValueBytes)
	case c.values%valuesPerLook == 0 && c.ctx.Err() != nil:
		return nil, c.ctx.Err()
	}
	switch v := v.(type) {
	case nil:
		return null(""), nil
	case bool, int, int64, uint64:
		return v, nil
	case float64:
		return number(v), nil
	case string:
		c.bytes += len(v)
		if len(v)-len(strings.TrimSpace(v)) > maxValueBlanks {
			return nil, fmt.Errorf("the variable %s has more than %d blanks around its text", quoted(name), maxValueBlanks)
		}
		return v, nil
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			var err error
			if out[i], err = c.value(name+"."+strconv.Itoa(i+1), item, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		return c.mapping(name, v, depth)
	}
	return nil, fmt.Errorf("the variable %s is a %T, which templates don't know; use a text", quoted(name), v)
}

// number returns what is printed for a number: the shortest digits that mean it,
// with an exponent only for what is very large or small, as in JavaScript. Zero
// stays a number, for it must not hold for a section.
func number(f float64) any {
	size := math.Abs(f)
	switch {
	case f == 0:
		return int64(0)
	case math.IsInf(f, 0) || math.IsNaN(f):
		return fmt.Sprint(f)
	case size >= 1e21 || size < 1e-6:
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// holds reports whether the library renders a section over the value.
func holds(v any) bool {
	switch v := v.(type) {
	case null:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case int64:
		return v != 0
	case uint64:
		return v != 0
	case string:
		return strings.TrimSpace(v) != ""
	case []any:
		return len(v) > 0
	}
	return true
}
