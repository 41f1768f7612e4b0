package planning

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/repoproof"
	"github.com/sectile/sectile/plan"
)

// Which store keeps the plan and what it looks like is asked of the configuration at
// every call; the store stays open as long as the answer is the same.

// planLockTimeout is how long other writers are waited for: less than a server gives
// a call.
const planLockTimeout = 20 * time.Second

// planSettings say where the plan is kept and in which form.
type planSettings struct {
	root   string
	kind   planstore.Kind
	byFile bool // the kind is named by the project's file alone
	file   string
	byUser bool // the file is named by the user
	preset string
	forms  project.Forms // those of the project
	isSet  bool          // the configuration says something of plans
	trust  config.Trust
	stages []config.Stage // of the configuration; nil for the usual ones
}

// openPlans is a store with the form of what it keeps.
type openPlans struct {
	settings planSettings
	store    planstore.Store
	file     planstore.Store // where a plan lies that is older than the repository; nil if the store is a file, or is named
	git      planstore.Store // where plans lie that are older than a repository of Jujutsu in the same folder; nil if there is none, or the store is named
	form     *plan.Config
	stages   plan.Table
	guidance map[string]Guidance
	marks    *replies.Marks // whose lines are no text of a plan
	now      func() time.Time
}

// settings returns what counts now.
func (p *Plans) settings(ctx context.Context) (planSettings, error) {
	return p.settingsOf(ctx, p.loader)
}

// settingsOf returns what counts by this loader.
func (p *Plans) settingsOf(ctx context.Context, loader *config.Loader) (planSettings, error) {
	loaded, err := loader.Load(ctx)
	if err != nil {
		return planSettings{}, err
	}
	o := &p.options
	return planSettings{
		byFile: o.Store == "" && loaded.Plan.StoreScope == config.Project,
		byUser: o.File != "" || loaded.Plan.FileScope == config.User,
		root:   cmp.Or(loaded.Root, o.Start), isSet: loaded.Plan.IsSet, trust: loaded.Trust, forms: project.FormsOf(loaded.Plan), stages: loaded.Plan.Workflow,
		kind: planstore.Kind(cmp.Or(o.Store, loaded.Plan.Store)), file: cmp.Or(o.File, loaded.Plan.File), preset: cmp.Or(o.Preset, loaded.Plan.Preset),
	}, nil
}

// open returns the store for the settings as they are now. Opening one looks at folders,
// which may take long, so the lock isn't held meanwhile: of requests that come first at
// once, each opens a store, and the last is kept. They do as well as one.
func (p *Plans) open(ctx context.Context) (*openPlans, error) {
	settings, err := p.settings(ctx)
	if err != nil {
		return nil, AsPlanError(err)
	}
	if o := p.isOpen(&settings); o != nil {
		return o, nil
	}
	o := p.unopened(settings)
	if o.form, err = settings.forms.Form(settings.preset); err != nil {
		return nil, AsPlanError(err)
	}
	roots := p.options.Roots
	if settings.byUser {
		roots = nil
	}
	var shows func() func(string) bool
	if server := p.options.Roots; server != nil {
		shows = server.Covering
	}
	if kind := string(settings.kind); kind != "" && !slices.Contains(Stores(), kind) {
		return nil, &PlanError{
			Type: string(planstore.TypeInvalid), Message: replies.Say("there is no store %s", replies.Safe(kind)),
			Hint: replies.Text(nearest.Question("", kind, Stores()) + planstore.ChooseKind()),
		}
	}
	options := planstore.Options{
		Root: settings.root, Kind: cmp.Or(settings.kind, planstore.Auto), Nearest: settings.byFile, File: settings.file, ByProject: !settings.byUser, Roots: roots,
		JJ: p.options.JJ, Git: p.options.Git, Timeout: p.options.Timeout, LockTimeout: planLockTimeout,
		IsOpenPlan: o.isUnfinished, IsFinished: o.isFinished, Log: p.options.Log, Trust: repoproof.Trust(settings.trust), ReadOnly: p.options.ReadOnly, Shows: shows, Unwritten: project.Obeyed(p.loader),
	}
	if o.store, err = planstore.Open(ctx, options); err != nil {
		return nil, AsPlanError(err)
	}
	if options.Kind == planstore.Auto && o.store.Kind() != planstore.File {
		if o.store.Kind() == planstore.JJ {
			inside := options
			inside.Kind, inside.Nearest = planstore.Git, true
			if git, err := planstore.Open(ctx, inside); err == nil { // the nearest repository is one of git as well
				o.git = git
			}
		}
		options.Kind = planstore.File
		if file, err := planstore.Open(ctx, options); err == nil { // a name that can't be used keeps nothing
			o.file = file
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = o
	return o, nil
}

// unopened returns plans for the settings, without a store and a form.
func (p *Plans) unopened(settings planSettings) *openPlans {
	o := &openPlans{settings: settings, stages: p.options.Stages, guidance: p.options.Guidance, marks: p.options.Marks, now: p.options.Now}
	if settings.stages != nil {
		o.stages, o.guidance = workflow(settings.stages)
	}
	return o
}

// isOpen returns the store that is open for the settings, nil for none.
func (p *Plans) isOpen(settings *planSettings) *openPlans {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opened != nil && reflect.DeepEqual(p.opened.settings, *settings) {
		return p.opened
	}
	return nil
}

// isUnfinished reports whether a text is a plan that is not complete. Every second
// commit has a first line that looks like one; so in Jujutsu, where plans stand among
// such commits, a plan is what has tasks or constraints.
func (o *openPlans) isUnfinished(text string) bool {
	r := plan.Parse(text, o.form)
	if r.State != plan.Parsed && r.State != plan.Halted || r.Header == nil || r.Directive == plan.Complete {
		return false
	}
	return o.store.Kind() != planstore.JJ || len(r.Tasks)+len(r.Constraints) > 0
}

// isFinished reports whether a text is a plan that is complete.
func (o *openPlans) isFinished(text string) bool {
	return plan.Parse(text, o.form).Directive == plan.Complete
}

// Forms returns the names of the forms of plans that there are, the built-in ones
// first.
func (p *Plans) Forms(ctx context.Context) ([]string, error) {
	settings, err := p.settings(ctx)
	if err != nil {
		return nil, AsPlanError(err)
	}
	return settings.forms.Names(), nil
}

// planLookTime is how long the start of a server waits to learn whether there is a plan.
const planLookTime = 2 * time.Second

// Configured reports whether the project works with plans: it has settings for them, or
// a plan that is not finished. A configuration that can't be read counts, for somebody
// will mend it.
func (p *Plans) Configured(ctx context.Context) bool {
	settings, err := p.settings(ctx)
	if err != nil || settings.isSet {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, planLookTime)
	defer cancel()
	plans, err := p.List(ctx)
	return err == nil && slices.ContainsFunc(plans, func(l PlanListed) bool { return l.Open })
}

// Stores returns the names of the stores of plans that can be asked for.
func Stores() []string {
	kinds := planstore.Kinds()
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return names
}
