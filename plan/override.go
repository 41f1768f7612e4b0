package plan

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
)

// Override returns the configuration with the fields that are given changed: values
// as JSON and YAML decode them, under the names that [Config] gives in parentheses.
// The field "base" names the preset to begin with; without it that is base, or the
// default if base is nil. Lists are replaced whole, and one string stands for a list
// of it. The error is a FieldErrors with every field that is wrong, and with what is
// wrong with the configuration that they make.
func Override(base *Config, values map[string]any) (*Config, error) {
	cfg := commitMessage()
	if base != nil {
		cfg = *base
	}
	var errs FieldErrors
	if value, ok := values[fieldBase]; ok {
		preset, err := presetOf(value)
		if err != nil {
			return nil, err
		}
		cfg = *preset
	}
	fields := cfg.fields()
	names := []string{fieldBase}
	for _, f := range fields {
		names = append(names, f.name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			errs = append(errs, FieldError{name, unknownName("field", name, names), InvalidValue})
		}
	}
	for _, f := range fields {
		if value, ok := values[f.name]; ok {
			errs = append(errs, assign(f, value)...)
		}
	}
	if errs == nil {
		errs = cfg.Check()
	}
	if errs != nil {
		return nil, errs
	}
	return &cfg, nil
}

// fieldBase is the field that names a preset to begin with.
const fieldBase = "base"

func presetOf(value any) (*Config, error) {
	name, ok := value.(string)
	if !ok {
		return nil, FieldErrors{{fieldBase, expected("string", value), InvalidType}}
	}
	preset, err := Preset(name)
	if wrong, ok := errors.AsType[FieldErrors](err); ok {
		wrong[0].Field = fieldBase
		return nil, wrong
	}
	return preset, nil
}

// assign sets one field.
func assign(f field, value any) FieldErrors {
	wrong := func(want string) FieldErrors { return FieldErrors{{f.name, expected(want, value), InvalidType}} }
	switch at := f.at.(type) {
	case *string:
		text, ok := value.(string)
		if !ok {
			return wrong("string")
		}
		*at = text
	case *bool:
		b, ok := value.(bool)
		if !ok {
			return wrong("boolean")
		}
		*at = b
	case *int:
		n, ok := wholeNumber(value)
		if !ok {
			return wrong("whole number")
		}
		*at = n
	case *[]string:
		return assignList(f.name, at, value)
	}
	return nil
}

func assignList(name string, at *[]string, value any) (errs FieldErrors) {
	switch list := value.(type) {
	case string:
		*at = []string{list}
	case []string:
		*at = slices.Clone(list)
	case []any:
		texts := make([]string, len(list))
		for i, entry := range list {
			var ok bool
			if texts[i], ok = entry.(string); !ok {
				errs = append(errs, FieldError{numbered(name, i), expected("string", entry), InvalidType})
			}
		}
		*at = texts
	default:
		errs = FieldErrors{{name, expected("array", value), InvalidType}}
	}
	return errs
}

// wholeNumber returns a number of any type that decoders make. What is too large
// for an int of 32 bits is that large, which no limit allows.
func wholeNumber(value any) (n int, ok bool) {
	switch v := value.(type) {
	case int:
		return v, true
	case int64:
		return int(max(math.MinInt32, min(v, math.MaxInt32))), true
	case uint64:
		return int(min(v, math.MaxInt32)), true
	case float64:
		return int(max(math.MinInt32, min(v, math.MaxInt32))), v == math.Trunc(v)
	}
	return 0, false
}

// expected says what type a value should have.
func expected(want string, value any) string {
	return fmt.Sprintf("Expected %s, got %s", want, typeName(value))
}

// typeName returns the name of a decoded value's type in JSON.
func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any, []string:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// unknownName says which names there are, the closest alone if there is one.
func unknownName(what, name string, names []string) string {
	if near := nearest.Names(name, names, 1); near != nil {
		return fmt.Sprintf("there is no %s %q; did you mean %q?", what, clip(name, 40), near[0])
	}
	return fmt.Sprintf("there is no %s %q; use one of %s", what, clip(name, 40), strings.Join(names, ", "))
}
