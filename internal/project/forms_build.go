package project

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/sectile/sectile/plan"
)

// The presets of a configuration are forms of plans that are built on each other. A
// project's file is whoever's wrote it, and patterns take long to read: so there is a
// limit on what is read of all presets together.

const (
	// maxBases is how many presets one is built on, each on the next.
	maxBases = 16
	// maxPatterns is the number of bytes of the patterns of all presets, those that they
	// have from their bases with them: those of some forty built-in ones.
	maxPatterns = 16 << 10
)

var (
	errPresetCircle = fmt.Errorf("the presets are built on each other in a circle, or more than %d deep; give one of them another base", maxBases)
	errManyPatterns = fmt.Errorf("the presets have more than %d KiB of patterns up to here; take some out, or shorten them", maxPatterns>>10)
)

// making makes the forms of presets. It isn't safe for concurrent use.
type making struct {
	presets Forms
	made    map[string]*plan.Config
	bases   map[string]int // of those that were made, on how many they are built
	room    int            // bytes of patterns that may still be read
}

func newMaking(presets Forms) *making {
	return &making{presets: presets, made: map[string]*plan.Config{}, bases: map[string]int{}, room: maxPatterns}
}

// form returns the form of a name; the default one if that is empty. The error is
// errPresetCircle, errManyPatterns or one of package plan.
func (f *making) form(name string) (*plan.Config, error) { return f.formAt(name, maxBases) }

// formAt returns a form that is built on so many others at most.
func (f *making) formAt(name string, bases int) (*plan.Config, error) {
	fields, ok := f.presets[name]
	if name == "" || !ok {
		return plan.Preset(cmp.Or(name, plan.CommitMessage))
	}
	if form := f.made[name]; form != nil && f.bases[name] <= bases {
		return form, nil
	} else if form != nil {
		return nil, errPresetCircle
	}
	base, _ := fields["base"].(string) // what is no name of ours is plan's to take or refuse
	var on *plan.Config
	if base != name && f.presets[base] != nil { // one of its own name is built in
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
	made, err := plan.Override(on, fields)
	if err != nil {
		return nil, err
	}
	made.Name = name
	if f.made[name] = made; on != nil {
		f.bases[name] = f.bases[base] + 1
	}
	return made, nil
}

// patternBytes returns the number of bytes of the patterns of a form; nil stands for the
// default one.
func patternBytes(form *plan.Config) int {
	if form == nil {
		form, _ = plan.Preset(plan.CommitMessage) // which there is
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
