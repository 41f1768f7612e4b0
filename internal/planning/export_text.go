package planning

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// What the command line does with plans in files: it checks them, formats them in
// place, and writes what was rendered.

// ReadGoal returns the goal that a line is in the configured form, such as
// "feat(scope)!: title". The error is a *PlanError.
func (p *Plans) ReadGoal(ctx context.Context, line string) (PlanGoal, error) {
	goal, err := p.readGoal(ctx, line)
	return goal, withOutcome(err, false) // it is read to be set
}

// readGoal is ReadGoal, whose errors say nothing of what was written.
func (p *Plans) readGoal(ctx context.Context, line string) (PlanGoal, error) {
	r, err := p.Inspect(ctx, line, "")
	if err != nil {
		return PlanGoal{}, err
	}
	h := r.Document.Header
	if h == nil || strings.ContainsAny(strings.TrimSpace(line), "\r\n") {
		return PlanGoal{}, &PlanError{
			Type: planInput, Message: replies.Text("this is no goal: " + replies.Clip(line, maxTitle)), Hint: replies.Say("write it in one line, such as 'feat(scope): title', or give --type, --scope and --title"),
			Metadata: map[string]any{"field": "goal"},
		}
	}
	if r.State == string(plan.Halted) {
		return PlanGoal{}, &PlanError{Type: planInput, Message: replies.Say("the goal can't be used"), Hint: replies.Text(r.Problems[0].Message), Metadata: map[string]any{"field": "goal"}}
	}
	if r.Document.IgnoredTitle != "" {
		return PlanGoal{}, &PlanError{
			Type: planInput, Message: replies.Say("a goal without a scope has no title"), Hint: replies.Text("name the part that it is about, such as '" + h.Type + "(scope): " + replies.Clip(r.Document.IgnoredTitle, replies.MaxShown) + "'"),
			Metadata: map[string]any{"field": "goal.scope"},
		}
	}
	return PlanGoal{Type: h.Type, Scope: h.Scope, Breaking: h.Breaking, Title: h.Title}, nil
}

// Valid reports whether the text is a plan in which nothing is wrong.
func (r *PlanReply) Valid() bool {
	for i := range r.Problems {
		if !r.Problems[i].Warning {
			return false
		}
	}
	return r.State == string(plan.Parsed)
}

// Report renders what is wrong with a text of this name, a line each.
func (r *PlanReply) Report(name string) []byte {
	var text []byte
	for i := range r.Problems {
		problem := &r.Problems[i]
		text = append(text, replies.Safe(name)+":"...)
		if problem.Line > 0 {
			text = fmt.Appendf(text, "%d:", problem.Line)
		}
		kind, about := "error", cmp.Or(problem.Halt, problem.Code)
		if problem.Warning {
			kind = "warning"
		} else if problem.Field != stateField {
			about = problem.Field + ", " + about
		}
		text = fmt.Appendf(text, " %s: %s (%s)\n", kind, replies.Safe(problem.Message), replies.Safe(about))
	}
	if !r.Valid() {
		return text
	}
	text = append(text, replies.Safe(name)+": valid; stage "+r.Stage.Shown+", "+replies.Safe(r.Stage.Name)...)
	if r.Total > 0 {
		text = append(text, "; "+r.progress()...)
	}
	return append(text, '\n')
}

// ReportJSON renders it for programs.
func (r *PlanReply) ReportJSON() []byte {
	errs, warnings := []PlanProblem{}, []PlanProblem{}
	for _, problem := range r.Problems {
		if problem.Warning {
			warnings = append(warnings, problem)
		} else {
			errs = append(errs, problem)
		}
	}
	return append(replies.JSON(struct {
		Valid    bool          `json:"isValid"`
		State    string        `json:"state"`
		Errors   []PlanProblem `json:"errors"`
		Warnings []PlanProblem `json:"warnings"`
	}{r.Valid(), r.State, errs, warnings}), '\n')
}

// FormatFile formats the plan in a file where it is, and reports whether that changed
// it. The error is a *PlanError, an *Error or the context's; the file is as it was
// then.
func (p *Plans) FormatFile(ctx context.Context, path, form string) (changed bool, err error) {
	err = files.Update(ctx, []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error {
		text, err := tx.Read(path)
		if err != nil {
			return err
		}
		made, err := p.Format(ctx, string(text), form)
		if err != nil {
			return err
		}
		changed = made != string(text)
		return tx.Write(path, []byte(made))
	})
	if err != nil {
		failed := *replies.ErrorAbout(replies.DisplayPath(path), err)
		failed.Path = replies.DisplayPath(path)
		if !failed.Written {
			failed.Message = failed.Message.Then("; nothing was written")
		}
		return false, &failed
	}
	return changed, nil
}

// WriteText writes a text into a file, whole or not at all. A link is not followed: whoever
// names a file to be made means no other one, and a clone may bring links along. The error
// is an *Error or the context's. A document or a configuration that is there stays, and so does
// what is no page and no JSON: nobody means to lose a plan to its page.
func WriteText(ctx context.Context, path string, text []byte) error {
	err := refuseLinks(path)
	if err == nil {
		err = files.Update(ctx, []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error {
			if err := refuseLinks(path); err != nil { // one that came before the file was found
				return err
			}
			there, err := tx.Read(path)
			if err == nil && len(there) > 0 && (files.IsMarkdown(path) || isConfiguration(path) || !isExport(there)) {
				return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(path), Message: replies.Say(
					"it is there and would be lost; name another file, or take it away first")}
			}
			return tx.Write(path, text)
		})
	}
	if err != nil {
		return replies.Unwritten(replies.ErrorAbout(replies.DisplayPath(path), err))
	}
	return nil
}

// isExport reports whether a text begins as a page or JSON, as exports do.
func isExport(text []byte) bool {
	const page = "<!doctype html"
	return text[0] == '{' || bytes.EqualFold(text[:min(len(text), len(page))], []byte(page))
}

// isConfiguration reports whether a path is that of a project's or the user's own configuration.
func isConfiguration(path string) bool {
	if filepath.Base(path) == config.Name {
		return true
	}
	user, err := os.Stat(config.NewLoader(config.LoadOptions{}).UserFile())
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(user, there)
}

// refuseLinks refuses a path that is a link, or that leads by links from below the
// working directory out of it.
func refuseLinks(path string) error {
	refuse := func(what, target string) error {
		return &replies.Error{Code: string(fileerror.PathOutsideRoot), Path: replies.DisplayPath(path), Message: replies.Say(
			"%s leads to %s; name that if you mean it, or another file", what, target)}
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSymlink {
		target, err := os.Readlink(path)
		if err != nil {
			return replies.ErrorAbout(replies.DisplayPath(path), err)
		}
		return refuse("it is a link and", target)
	}
	if !filepath.IsLocal(path) {
		return nil
	}
	here, err := filepath.Abs(".")
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	folder, folderErr := filepath.EvalSymlinks(filepath.Join(here, filepath.Dir(path)))
	if err != nil || folderErr != nil {
		return nil //nolint:nilerr // making the file tells what is wrong, in our words
	}
	if below, err := filepath.Rel(here, folder); err != nil || !filepath.IsLocal(below) {
		return refuse("its folder is a link and", folder)
	}
	return nil
}

// PlanTextJSON renders a text under a name for programs.
func PlanTextJSON(name, text string) []byte {
	return append(replies.JSON(map[string]string{name: text}), '\n')
}

// FileLine tells what was done to a file, in a line.
func FileLine(did, path string) []byte { return []byte(did + " " + replies.Safe(path) + "\n") }

// CompleteTask completes a position of a task that can be marked: of those that are
// done, or of those that are open.
func (r *PlanReply) CompleteTask(done bool, word string) []replies.Completion {
	var list []replies.Completion
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if !t.Parent && t.Done == done && strings.HasPrefix(t.ID, word) {
			list = append(list, replies.Completion{Selector: t.ID, Description: replies.Clip(replies.Safe(t.Text), replies.MaxShown)})
		}
	}
	return list
}

// Label is the first line of a plan, for a list that a shell shows.
func (l *PlanListed) Label() string { return replies.Clip(replies.Safe(l.Title), replies.MaxShown) }
