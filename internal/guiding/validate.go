package guiding

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// GuideReport is what looking at a configuration found: of the file, of each
// category, and of each collection.
type GuideReport struct {
	Failed bool            `json:"failed"` // a check did
	Checks []replies.Check `json:"checks"`
}

// maxTold is the number of files that a check names.
const maxTold = 5

// countLimit is the number of files from which on those that match are only
// counted.
const countLimit = 1 << 20

// maxValidation is how long Validate looks. What a configuration names of folders and of entries of
// collections in collections multiplies.
const maxValidation = time.Minute

// Validate reads the configuration, looks at the folder and the patterns of every
// category and collection, and renders every template that they serve. What is
// wrong are checks that failed, and so is what there was no time for; a pattern that
// matches nothing is a warning. The error is that of the context.
func (g *Guides) Validate(ctx context.Context) (*GuideReport, error) {
	report := &GuideReport{}
	loaded, err := g.Loader.Load(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		report.add(g.BrokenChecks(err)...)
		return report, nil
	}
	report.add(ConfigurationCheck(loaded))
	v := newValidation(loaded, g.places(), g.now().Format(time.DateOnly))
	limited, stop := context.WithTimeout(ctx, g.patience)
	defer stop()
	for i := range len(loaded.Categories) + len(loaded.Collections) {
		checks := v.named(limited, i)
		if limited.Err() != nil { // what was said may come of that
			report.add(v.unseen(i))
			break
		}
		report.add(checks...)
	}
	return report, ctx.Err()
}

// JSON renders the report as a line of JSON.
func (r *GuideReport) JSON() []byte { return replies.AppendJSON(nil, r) }

// add adds checks.
func (r *GuideReport) add(checks ...replies.Check) {
	for _, c := range checks {
		r.Failed = r.Failed || c.Status == replies.StatusFailed
		r.Checks = append(r.Checks, c)
	}
}

// BrokenChecks are the checks of a configuration that can't be used.
func (g *Guides) BrokenChecks(err error) []replies.Check {
	places := g.places()
	problems, ok := errors.AsType[*config.Error](err)
	if !ok {
		e := *replies.AsError(err)
		e.Path = places.of(e.Path)
		if file, ok := errors.AsType[*fileerror.Error](err); ok && file.Hint != "" {
			e.Message = replies.Text(file.Reason)
			return []replies.Check{{Name: "configuration", Status: replies.StatusFailed, Message: replies.Safe(e.Error()), Advice: replies.Safe(file.Hint)}}
		}
		return []replies.Check{{
			Name: "configuration", Status: replies.StatusFailed, Message: replies.Clip(replies.Safe(e.Error()), replies.MaxMessage),
			Advice: "make it a file of UTF-8 text that you may read, or remove it",
		}}
	}
	checks := make([]replies.Check, len(problems.Problems))
	for i, p := range problems.Problems {
		checks[i] = replies.Check{Name: "configuration", Status: replies.StatusFailed, Message: replies.Safe(places.located(p))}
	}
	return checks
}

// ConfigurationCheck tells which files there are.
func ConfigurationCheck(l *config.Loaded) replies.Check {
	c := replies.Check{Name: "configuration", Status: replies.StatusOK}
	var files []string
	if l.HasFile {
		files = append(files, replies.Safe(displayPath(filepath.Join(l.Root, config.Name))))
	}
	if l.HasUser {
		files = append(files, replies.Safe(displayPath(l.UserFile)))
	}
	if len(l.Categories) > 0 {
		c.Message = strings.Join(files, " and ") + ": " + configured(l)
		return c
	}
	c.Status = replies.StatusWarning
	c.Message = "there is none"
	c.Advice = "'sectile guide init' writes a start from what it finds in the project"
	if len(files) > 0 {
		c.Message = strings.Join(files, " and ") + ": no category"
		c.Advice = "add one with 'sectile guide add NAME --dir DIR --pattern PATTERN'"
	}
	return c
}

// configured counts the categories and collections.
func configured(l *config.Loaded) string {
	text := categoryCount(len(l.Categories))
	if n := len(l.Collections); n > 0 {
		text += ", " + replies.Plural(n, "collection")
	}
	return text
}

// categoryCount counts categories.
func categoryCount(n int) string {
	if n == 1 {
		return "1 category"
	}
	return fmt.Sprint(n, " categories")
}

// validation looks at what is configured.
type validation struct {
	loaded *config.Loaded
	all    *config.Loaded // the same without a limit on the number of files
	places configPlaces
	date   string
	memory guide.Memory
}

func newValidation(loaded *config.Loaded, places configPlaces, date string) *validation {
	all := *loaded
	all.Guide.MaxFiles = countLimit
	return &validation{loaded: loaded, all: &all, places: places, date: date}
}

// subject is a category or collection, and where it is configured.
type subject struct {
	name  string // of the check
	of    string // of the category or collection
	scope config.Scope
	field string // the path of its key
}

// check is a check of the subject. What is not well has its place in front: that of
// a key below the subject's.
func (v *validation) check(s *subject, status replies.Status, key, message string) replies.Check {
	if status != replies.StatusOK {
		p := v.loaded.Problem(s.scope, s.field+key, message)
		p.Field = "" // the name of the check says what it is about
		message = v.places.located(p)
	}
	return replies.Check{Name: s.name, Status: status, Message: replies.Safe(message)}
}

// named looks at a category or collection, by its place in the list of first these, then those.
func (v *validation) named(ctx context.Context, i int) []replies.Check {
	if n := len(v.loaded.Categories); i >= n {
		return v.collection(ctx, &v.loaded.Collections[i-n])
	}
	return v.category(ctx, &v.loaded.Categories[i])
}

// unseen is the check of the categories and collections from a place on, for which there was no
// time.
func (v *validation) unseen(i int) replies.Check {
	n := len(v.loaded.Categories)
	what, more := "the ", n+len(v.loaded.Collections)-i-1
	if i < n {
		what += "category " + v.loaded.Categories[i].Name
	} else {
		what += "collection " + v.loaded.Collections[i-n].Name
	}
	if more > 0 {
		what += fmt.Sprintf(" and %d after it", more)
	}
	return replies.Check{
		Name: "configuration", Status: replies.StatusFailed, Message: replies.Safe("to look at all of it takes more than a minute; not looked at: " + what),
		Advice: "name fewer collections in collections, folders with fewer files, or fewer links on the way to them",
	}
}

// category looks at a category: what it serves, and each of its patterns.
func (v *validation) category(ctx context.Context, c *config.Category) []replies.Check {
	s := &subject{name: "category " + c.Name, of: c.Name, scope: c.Scope, field: "categories." + c.Name}
	if len(c.Patterns) == 0 {
		// Nothing counts, and still the folder must be there.
		found, err := v.find(ctx, c.Name, "**")
		if err != nil {
			return []replies.Check{v.failed(s, err)}
		}
		return []replies.Check{v.check(s, replies.StatusOK, "", fmt.Sprintf("%s in %s; no patterns, ask with one", replies.Plural(found.Matched, "file"), c.Dir))}
	}
	found, err := v.find(ctx, c.Name, "")
	if err != nil {
		return []replies.Check{v.failed(s, err)}
	}
	checks := append([]replies.Check{v.check(s, replies.StatusOK, "", replies.Plural(found.Matched, "file")+" in "+c.Dir)}, v.limits(s, found)...)
	checks = append(checks, v.skipped(s, v.unserved(ctx, c.Name, found))...)
	for i, pattern := range c.Patterns {
		if len(c.Patterns) > 1 && v.matchesNothing(ctx, c.Name, pattern) {
			checks = append(checks, v.idle(s, fmt.Sprintf(".patterns[%d]", i), fmt.Sprintf("the pattern %q matches no file", pattern)))
		}
	}
	return unlessFailed(checks)
}

// unlessFailed leaves out the first of checks, that all is well, if another failed.
func unlessFailed(checks []replies.Check) []replies.Check {
	if slices.ContainsFunc(checks, func(c replies.Check) bool { return c.Status == replies.StatusFailed }) {
		return checks[1:]
	}
	return checks
}

// collection looks at a collection: whether all of it can be served, and each of
// its entries. Its files are looked at with their categories.
func (v *validation) collection(ctx context.Context, c *config.Collection) []replies.Check {
	s := &subject{name: "collection " + c.Name, of: c.Name, scope: c.Scope, field: "collections." + c.Name}
	found, err := v.find(ctx, c.Name, "")
	if err != nil {
		return []replies.Check{v.failed(s, err)}
	}
	checks := append([]replies.Check{v.check(s, replies.StatusOK, "", replies.Plural(found.Matched, "file"))}, v.limits(s, found)...)
	for i, e := range c.Entries {
		if len(c.Entries) > 1 && e.Pattern != "" && v.matchesNothing(ctx, e.Name, e.Pattern) {
			checks = append(checks, v.idle(s, fmt.Sprintf(".entries[%d]", i), fmt.Sprintf("the entry %q matches no file", e.Name+"/"+e.Pattern)))
		}
	}
	return checks
}

// find finds all that match, without reading it.
func (v *validation) find(ctx context.Context, name, pattern string) (*guide.Reply, error) {
	return guide.Serve(ctx, v.all, name, pattern, guide.Options{Date: v.date, Memory: &v.memory})
}

// matchesNothing reports whether no file matches a pattern.
func (v *validation) matchesNothing(ctx context.Context, name, pattern string) bool {
	_, err := v.find(ctx, name, pattern)
	e, ok := errors.AsType[*guide.Error](err)
	return ok && e.Type == guide.NoMatches
}

// idle warns of what is configured for nothing.
func (v *validation) idle(s *subject, key, message string) replies.Check {
	c := v.check(s, replies.StatusWarning, key, message)
	c.Advice = "correct it, or take it out"
	return c
}

// limits warns of what is too much for one reply.
func (v *validation) limits(s *subject, found *guide.Reply) []replies.Check {
	limits := v.loaded.Guide
	var bytes int64
	for i := range found.Files {
		bytes += found.Files[i].Size
	}
	var message, limit string
	switch {
	case len(found.Files) > limits.MaxFiles:
		message, limit = fmt.Sprintf("a reply has the first %s only", replies.Plural(limits.MaxFiles, "file")), "guide.max_files"
	case bytes > limits.MaxReplyBytes:
		message, limit = fmt.Sprintf("a reply has at most %d of %d bytes", limits.MaxReplyBytes, bytes), "guide.max_reply_bytes"
	default:
		return nil
	}
	c := v.check(s, replies.StatusWarning, "", message)
	c.Advice = "narrow the patterns, or raise " + limit
	return []replies.Check{c}
}

// unserved reads what a reply has of a category, and renders all of its templates.
// It returns what can't be served.
func (v *validation) unserved(ctx context.Context, name string, found *guide.Reply) []guide.Skipped {
	o := guide.Options{Content: true, Date: v.date}
	served, err := guide.Serve(ctx, v.loaded, name, "", o)
	if err != nil {
		return []guide.Skipped{{Reason: guide.SkipIOError, Detail: message(err)}}
	}
	done := map[string]bool{}
	for i := range served.Files {
		done[served.Files[i].Path] = true
	}
	skipped := served.Skipped
	for _, s := range skipped {
		done[s.Path] = true
	}
	for i := range found.Files {
		file := &found.Files[i]
		if !file.Template || done[file.Path] {
			continue
		}
		if _, err := guide.Document(ctx, v.loaded, name, file.Path, o); err != nil {
			skipped = append(skipped, guide.Skipped{Path: file.Path, Reason: guide.SkipTemplate, Detail: message(err)})
		}
	}
	return skipped
}

// message returns the message of an error without its type.
func message(err error) string {
	if e, ok := errors.AsType[*guide.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// failed is the check of what can't be served. That nothing matches is a warning, and
// so is a folder of the user's file that is relative to a project where there is none.
func (v *validation) failed(s *subject, err error) replies.Check {
	e, ok := errors.AsType[*guide.Error](err)
	switch {
	case ok && e.Type == guide.NoMatches:
		return v.idle(s, ".patterns", message(err))
	case ok && e.Type == guide.NoSession:
		c := v.check(s, replies.StatusWarning, "", message(err))
		c.Advice = "it is served inside of a project only"
		return c
	case ok && e.Type == guide.NotFound:
		c := v.check(s, replies.StatusWarning, "", message(err))
		c.Advice = "it is served where that is"
		return c
	case ok && e.Type == guide.IOError:
		return v.check(s, replies.StatusFailed, ".dir", message(err))
	}
	return v.check(s, replies.StatusFailed, "", message(err))
}

// skipped tells what can't be served, a part of it if it is much.
func (v *validation) skipped(s *subject, skipped []guide.Skipped) []replies.Check {
	var checks []replies.Check
	for _, file := range skipped {
		status := replies.StatusWarning
		switch file.Reason {
		case guide.SkipTemplate, guide.SkipPermission, guide.SkipIOError:
			status = replies.StatusFailed
		}
		c := replies.Check{Name: s.name, Status: status, Message: file.Path + ": " + file.Reason}
		if file.Path == "" {
			c.Message = file.Reason
		}
		if file.Detail != "" {
			c.Message += ": " + file.Detail
		}
		c.Message = replies.Clip(replies.Safe(c.Message), replies.MaxMessage)
		checks = append(checks, c)
	}
	if len(checks) <= maxTold {
		return checks
	}
	more := replies.Check{Name: s.name, Status: replies.StatusWarning, Message: fmt.Sprintf("%d more can't be served", len(checks)-maxTold)}
	if slices.ContainsFunc(checks[maxTold:], func(c replies.Check) bool { return c.Status == replies.StatusFailed }) {
		more.Status = replies.StatusFailed
	}
	return append(checks[:maxTold], more)
}
