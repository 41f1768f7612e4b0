package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/yamltree"
)

// What the files say of plans. The fields of presets are the business of whoever
// reads plans: they are kept as they are written and checked by a function that is
// handed in.

// Plan says where plans are kept, and in which form.
type Plan struct {
	Store string // auto, jj, git or file
	// StoreScope says whose word Store is: the user's if their file says the same as the
	// project's, and the project's if neither says anything. A project's chooses no
	// repository around the nearest.
	StoreScope Scope
	File       string // below the project's root, with forward slashes; empty for the usual one
	// FileScope says whose file names File: a project's must lie in the roots of the
	// server, and be Markdown or in .sectile. It is the project's if neither does.
	FileScope Scope
	Preset    string // the name of the form; empty for the usual one
	Presets   []Preset
	Workflow  []Stage // in the order of the file; nil for the usual stages
	IsSet     bool    // a file says something of plans
}

// Preset is a form of plans by its name.
type Preset struct {
	Name   string
	Fields map[string]any // as Vars of a category
	Scope  Scope
}

// PlanProblem is what a check of plans has found.
type PlanProblem struct {
	Preset  string // the name of a preset; empty for the setting preset
	Field   string // of the preset, such as types.0; empty for all of it
	Message string // what is wrong, and the way out
}

// planStores are the values of plan.store, the first where it isn't set. They are the kinds
// of package planstore, which a test in package planning compares.
var planStores = []string{"auto", "jj", "git", "file"}

// PlanStores returns the values of plan.store.
func PlanStores() []string { return slices.Clone(planStores) }

// planSettings is what one file says of plans.
type planSettings struct {
	texts    map[string]string // store, file and preset, those that are set
	presets  []Preset
	workflow []Stage
}

// plan reads what a file says of plans.
func (f *file) plan(n *yamltree.Node) {
	if n == nil {
		return
	}
	fields := f.fields(n, "plan", "plan")
	for name, value := range fields {
		if name == "presets" || name == "workflow" {
			continue
		}
		here := "plan." + name
		message := ""
		switch name {
		case "store":
			if !slices.Contains(planStores, value.Text) {
				message = noSuch("store", value.Text, planStores)
			}
		case "file":
			message = checkPlanFile(value.Text, f.scope)
		case "preset":
			if strings.TrimSpace(value.Text) == "" {
				message = "the name is empty; write one, or leave the key out"
			}
		}
		if !f.judge(value, here, message) {
			continue
		}
		if f.planned.texts == nil {
			f.planned.texts = map[string]string{}
		}
		f.planned.texts[name] = value.Text
	}
	f.workflow(fields["workflow"])
	const at = "plan.presets"
	if n := fields["presets"]; n != nil && len(n.Items) > maxList {
		f.problem(n.Start, at, fmt.Sprintf("it has more than %d presets; take some out", maxList))
		return
	}
	for _, it := range f.named(fields["presets"], at) {
		f.preset(&it, field(at, it.Key.Text))
	}
}

// preset reads a preset.
func (f *file) preset(it *yamltree.Item, here string) {
	p := Preset{Name: it.Key.Text, Fields: map[string]any{}, Scope: f.scope}
	if it.Value.Kind != yamltree.Null {
		if !f.typed(it.Value, here, MappingValue) {
			return
		}
		p.Fields, _ = f.variable(it.Value, here, 0).(map[string]any)
	}
	for i := range it.Value.Items {
		inner := &it.Value.Items[i]
		place := field(here, inner.Key.Text)
		f.places[place] = inner.Start
		for j := range inner.Value.Items {
			f.places[fmt.Sprintf("%s[%d]", place, j)] = inner.Value.Items[j].Value.Start
		}
	}
	f.planned.presets = append(f.planned.presets, p)
}

// PlanFolder is the folder below a project's root in which the file of a plan may have
// any name, whoever names it.
const PlanFolder = ".sectile"

// checkPlanFile tells what is wrong with the file that a plan is kept in.
func checkPlanFile(name string, scope Scope) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	drive := len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0]))
	switch {
	case name == "" || strings.HasSuffix(slashed, "/") || path.Clean(slashed) == ".":
		return "it names no file; write its path, such as .sectile/plan.md"
	case len(name) > maxDir:
		return fmt.Sprintf("the path has more than %d bytes; shorten it", maxDir)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "the path has a control character; take it out"
	case slashed[0] == '/' || drive || strings.HasPrefix(slashed, "~/"):
		return "the path must be relative to the project's root"
	}
	for part := range strings.SplitSeq(slashed, "/") {
		same := strings.TrimRight(part, ". ") // as Windows takes it
		switch {
		case part == "..":
			return "the path must not contain ..; name a file inside the project"
		case filenames.IsOurs(part):
			return filenames.ReasonOurs + "; choose another"
		case strings.EqualFold(same, Name):
			return "the file is a configuration, which a plan would be written over; choose another"
		}
	}
	if reason := filenames.WriteProtection(slashed); reason != "" {
		return reason + "; choose another file"
	}
	clean := path.Clean(slashed)
	if scope == Project && !files.IsMarkdown(clean) && !strings.HasPrefix(clean, PlanFolder+"/") {
		return "a project's plan is a Markdown file, or in " + PlanFolder + "; name one, such as .sectile/plan.md, for other files are the user's to name, in their own configuration"
	}
	return ""
}

// addPlan puts together what both files say of plans: each setting and each preset
// is the project's if that has it.
func (m *merged) addPlan() {
	p := &m.config.Plan
	p.Store = planStores[0]
	for _, f := range slices.Backward(m.files()) {
		p.IsSet = p.IsSet || len(f.planned.texts)+len(f.planned.presets)+len(f.planned.workflow) > 0
		if f.planned.workflow != nil {
			p.Workflow = f.planned.workflow
		}
		for name, text := range f.planned.texts {
			switch name {
			case "store":
				if f.scope == User || text != p.Store {
					p.StoreScope = f.scope
				}
				p.Store = text
			case "file":
				p.File, p.FileScope = text, f.scope
			case "preset":
				p.Preset = text
			}
		}
	}
	for _, f := range m.files() {
		for _, preset := range f.planned.presets {
			if !slices.ContainsFunc(p.Presets, func(q Preset) bool { return q.Name == preset.Name }) {
				p.Presets = append(p.Presets, preset)
			}
		}
	}
}

// checkPlan adds what a check finds, at the places of the keys.
func (m *merged) checkPlan(check func(Plan) []PlanProblem) {
	if check == nil || !m.config.Plan.IsSet {
		return
	}
	for _, found := range check(m.config.Plan) {
		f, at := m.project, "plan.preset"
		if f == nil || f.planned.texts["preset"] == "" {
			f = m.user
		}
		if i := slices.IndexFunc(m.config.Plan.Presets, func(p Preset) bool { return p.Name == found.Preset }); i >= 0 {
			f, at = m.of(m.config.Plan.Presets[i].Scope), field("plan.presets", found.Preset)
		}
		if f == nil { // it is about nothing that a file says
			continue
		}
		m.problem(f, f.presetField(at, found.Field), found.Message)
	}
	m.sort()
}

// presetField returns the path of a field of a preset that has a place in the file,
// given the path that the check knows it by.
func (f *file) presetField(at, name string) string {
	if name == "" {
		return at
	}
	name, number, _ := strings.Cut(name, ".")
	for _, place := range []string{fmt.Sprintf("%s[%s]", field(at, name), number), field(at, name)} {
		if _, ok := f.places[place]; ok {
			return place
		}
	}
	return at
}
