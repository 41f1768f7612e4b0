package project

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/sectile/sectile/plan"
)

// The presets of a configuration are forms of plans that are built on each other. Anybody
// may have written a project's file, and patterns take long to read: so the patterns of all
// presets together have a limit.

const (
	// maxBases is the length of the longest chain of bases under a preset.
	maxBases = 16
	// maxPatterns is the number of bytes of the patterns of all presets, inherited
	// ones included: as many as some forty built-in presets have.
	maxPatterns = 16 << 10
)

var (
	errPresetCircle = fmt.Errorf("the presets are built on each other in a circle, or more than %d deep; give one of them another base", maxBases)
	errManyPatterns = fmt.Errorf("the presets have more than %d KiB of patterns up to here; take some out, or shorten them", maxPatterns>>10)
)

// builder builds the forms of presets. It isn't safe for concurrent use.
type builder struct {
	presets Forms
	built   map[string]*plan.Config
	bases   map[string]int // the number of bases under each built form
	room    int            // bytes of patterns that may still be read
}

func newBuilder(presets Forms) *builder {
	return &builder{presets: presets, built: map[string]*plan.Config{}, bases: map[string]int{}, room: maxPatterns}
}

// form returns the form of a name; the default form if the name is empty. The error is
// errPresetCircle, errManyPatterns or one of package plan.
func (f *builder) form(name string) (*plan.Config, error) { return f.formAt(name, maxBases) }

// formAt returns the form of a name, built on at most bases other presets.
func (f *builder) formAt(name string, bases int) (*plan.Config, error) {
	fields, ok := f.presets[name]
	if name == "" || !ok {
		return plan.Preset(cmp.Or(name, plan.CommitMessage))
	}
	if form := f.built[name]; form != nil && f.bases[name] <= bases {
		return form, nil
	} else if form != nil {
		return nil, errPresetCircle
	}
	base, _ := fields["base"].(string) // package plan takes or refuses any other base
	var on *plan.Config
	if base != name && f.presets[base] != nil { // a base of the preset's own name is the built-in form
		if bases == 0 {
			return nil, errPresetCircle
		}
		var err error
		if on, err = f.formAt(base, bases-1); err != nil {
			return nil, err
		}
		fields = maps.Clone(fields)
		delete(fields, "base")
	}
	if f.room -= patternBytes(on) + textBytes(fields); f.room < 0 {
		return nil, errManyPatterns
	}
	form, err := plan.Override(on, fields)
	if err != nil {
		return nil, err
	}
	form.Name = name
	if f.built[name] = form; on != nil {
		f.bases[name] = f.bases[base] + 1
	}
	return form, nil
}

// patternBytes returns the number of bytes of the patterns of a form; nil stands for the
// default one.
func patternBytes(form *plan.Config) int {
	if form == nil {
		form, _ = plan.Preset(plan.CommitMessage)
	}
	n := 0
	for _, pattern := range append([]string{
		form.Task, form.TaskLax, form.TaskLike, form.TaskBare, form.Constraint, form.ConstraintLike, form.Scope,
	}, form.Header...) {
		n += len(pattern)
	}
	return n
}

// textBytes returns the number of bytes of the texts in a value of a preset.
func textBytes(value any) (n int) {
	switch v := value.(type) {
	case string:
		return len(v)
	case []any:
		for _, element := range v {
			n += textBytes(element)
		}
	case map[string]any:
		for _, element := range v {
			n += textBytes(element)
		}
	}
	return n
}
