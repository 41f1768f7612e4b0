package project

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/plan"
)

// Forms are a project's own forms of plans: the fields of each, by its name.
type Forms map[string]map[string]any

// maxShown is the number of characters of a name in an error.
const maxShown = 60

// FormsOf returns the presets of the configuration by their names.
func FormsOf(p config.Plan) Forms {
	forms := make(Forms, len(p.Presets))
	for _, preset := range p.Presets {
		forms[preset.Name] = preset.Fields
	}
	return forms
}

// checkForms returns the problems of the presets of a configuration.
func checkForms(p config.Plan) (problems []config.PlanProblem) {
	f := FormsOf(p)
	b := newBuilder(f)
	for _, preset := range p.Presets {
		if base, ok := preset.Fields["base"].(string); ok && base != preset.Name && f[base] != nil {
			if _, err := b.form(base); err != nil && !errors.Is(err, errPresetCircle) {
				continue // the base's own problem is reported with the base
			}
		}
		_, err := b.form(preset.Name)
		switch {
		case errors.Is(err, errPresetCircle):
			problems = append(problems, config.PlanProblem{Preset: preset.Name, Field: "base", Message: err.Error()})
		case errors.Is(err, errManyPatterns):
			return append(problems, config.PlanProblem{Preset: preset.Name, Message: err.Error()})
		}
		wrong, _ := errors.AsType[plan.FieldErrors](err)
		for _, e := range wrong {
			problems = append(problems, config.PlanProblem{Preset: preset.Name, Field: e.Field, Message: e.Message})
		}
	}
	if names := f.Names(); p.Preset != "" && !slices.Contains(names, p.Preset) {
		problems = append(problems, config.PlanProblem{Message: fmt.Sprintf("there is no preset %q; use one of %s", runes.Clip(p.Preset, maxShown), strings.Join(names, ", "))})
	}
	return problems
}

// Form returns the form of a name; the default form if the name is empty.
func (f Forms) Form(name string) (*plan.Config, error) { return newBuilder(f).form(name) }

// Names returns the names of the forms.
func (f Forms) Names() []string {
	var names []string
	for _, preset := range plan.Presets() { //nolint:gocritic // five of them, and rarely
		names = append(names, preset.Name)
	}
	builtIn := len(names)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if !slices.Contains(names[:builtIn], name) {
			names = append(names, name)
		}
	}
	return names
}
