package app

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/plan"
)

// A plan as one page of HTML. It needs no script and nothing beside it, and its policy
// forbids both, so that a plan somebody else wrote can be opened in a browser. The
// page is put together by hand because html/template costs every run of the program
// more than it saves here; whatever comes from a plan goes through escaped.

//go:embed plan_export.css
var planStyle string

// planHTML is a page that is being written.
type planHTML struct{ strings.Builder }

// ExportHTML returns the plan as a page of HTML. The error is a *PlanError or the
// context's.
func (p *Plans) ExportHTML(ctx context.Context) ([]byte, error) {
	r, err := p.Show(ctx)
	if err != nil {
		return nil, err
	}
	return r.html(p.options.Stages), nil
}

// html renders the plan as a page.
func (r *PlanReply) html(stages plan.Table) []byte {
	var w planHTML
	title := cmp.Or(r.goal(), "No plan yet")
	w.add(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
`, title)
	w.WriteString(planStyle)
	w.WriteString("</style>\n</head>\n<body>\n<main>\n")
	w.head(r, title)
	w.progress(r, stages)
	w.document(r)
	w.notes(r)
	w.add("</main>\n<footer>%s</footer>\n</body>\n</html>\n", r.origin())
	return []byte(w.String())
}

// origin says where the plan is from.
func (r *PlanReply) origin() string {
	return fmt.Sprintf("From %s (%s), version %s", r.Where, r.Store, r.Version)
}

// add writes a piece of HTML. The arguments are texts, which are escaped.
func (w *planHTML) add(format string, texts ...string) {
	shown := make([]any, len(texts))
	for i, text := range texts {
		shown[i] = escaped(text)
	}
	_, _ = fmt.Fprintf(w, format, shown...) // it can't fail
}

// escaped returns a text as HTML. What acts without being seen is replaced; lines
// stay.
func escaped(text string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for i, line := range lines {
		lines[i] = safe(line)
	}
	return html.EscapeString(strings.Join(lines, "\n"))
}

// head writes the title, and above it what kind of change the plan is for.
func (w *planHTML) head(r *PlanReply, title string) {
	w.WriteString("<header>\n")
	h := r.Document.Header
	if h == nil {
		w.add("<h1>%s</h1>\n</header>\n", title)
		return
	}
	if h.Type != "" {
		w.add(`<p class="kind"><span>%s</span>`, h.Type)
		if h.Scope != "" {
			w.add(` <span>%s</span>`, h.Scope)
		}
		if h.Breaking {
			w.WriteString(` <strong>breaking</strong>`)
		}
		w.WriteString("</p>\n")
	}
	w.add("<h1>%s</h1>\n</header>\n", cmp.Or(h.Title, r.Document.IgnoredTitle, title))
}

// progress writes the stages and the bar.
func (w *planHTML) progress(r *PlanReply, stages plan.Table) {
	w.WriteString("<section aria-labelledby=\"progress\">\n<h2 id=\"progress\">Progress</h2>\n")
	if r.Total > 0 {
		w.add("<p><label for=\"done\">%s</label></p>\n<progress id=\"done\" max=\"%s\" value=\"%s\">%s</progress>\n",
			r.progress(), strconv.Itoa(r.Total), strconv.Itoa(r.Done), strconv.Itoa(r.Done)+" of "+strconv.Itoa(r.Total))
	}
	w.WriteString("<ol class=\"stages\">\n")
	current := slices.IndexFunc(stages, func(s plan.Stage) bool { return s.Number == r.Stage.Number })
	for i, s := range stages {
		switch {
		case i < current:
			w.add("<li class=\"past\">%s <small>(done)</small></li>\n", s.Name)
		case i == current:
			w.add("<li aria-current=\"step\">%s <small>(now)</small></li>\n", s.Name)
		default:
			w.add("<li>%s</li>\n", s.Name)
		}
	}
	w.add("</ol>\n<p>Stage %s: %s</p>\n</section>\n", r.Stage.Shown, r.Stage.Meaning)
}

// document writes the sections of the plan, or the text if it is none.
func (w *planHTML) document(r *PlanReply) {
	switch plan.State(r.State) {
	case plan.Empty:
		return
	case plan.Unknown, plan.Halted:
		w.add("<section>\n<h2>Text</h2>\n<pre>%s</pre>\n</section>\n", r.Source)
		return
	case plan.Parsed:
	}
	d := &r.Document
	w.prose("Description", d.Description)
	if len(d.Constraints)+len(d.Skipped) > 0 {
		w.WriteString("<section>\n<h2>Constraints</h2>\n<ul>\n")
		for _, c := range d.Constraints {
			w.add("<li><strong>%s</strong>: %s</li>\n", c.Key, c.Value)
		}
		for _, line := range d.Skipped {
			w.add("<li>%s</li>\n", strings.TrimPrefix(line, "- "))
		}
		w.WriteString("</ul>\n</section>\n")
	}
	w.tasks(r.Tasks)
	w.prose("Direction", d.Direction)
	if d.Directive != "" {
		w.add("<p class=\"directive\">%s</p>\n", d.Directive)
	}
}

// prose writes a text in paragraphs, in which lines end where they did.
func (w *planHTML) prose(title, text string) {
	if text == "" {
		return
	}
	w.add("<section>\n<h2>%s</h2>\n", title)
	open := false
	for line := range strings.SplitSeq(text, "\n") {
		blank := strings.TrimSpace(line) == ""
		switch {
		case blank && open:
			w.WriteString("</p>\n")
			open = false
		case blank:
		case open:
			w.add("\n%s", line)
		default:
			w.add("<p class=\"text\">%s", line)
			open = true
		}
	}
	if open {
		w.WriteString("</p>\n")
	}
	w.WriteString("</section>\n")
}

// tasks writes the tree. The list of a task's subtasks stands in its item.
func (w *planHTML) tasks(tasks []PlanTask) {
	if len(tasks) == 0 {
		return
	}
	w.WriteString("<section>\n<h2>Tasks</h2>\n")
	depth := -1
	for i := range tasks {
		t := &tasks[i]
		switch {
		case t.Depth > depth:
			w.WriteString("<ul class=\"tasks\">\n")
		default:
			w.WriteString("</li>\n" + strings.Repeat("</ul>\n</li>\n", depth-t.Depth))
		}
		depth = t.Depth
		class, box, state := "open", "☐", "open"
		if t.Done {
			class, box, state = "done", "☑", "done"
		}
		w.add("<li class=\"%s\"><span role=\"img\" aria-label=\"%s\">%s</span> <span class=\"id\">%s</span> <span class=\"task\">%s</span>\n",
			class, state, box, t.ID, t.Text)
	}
	w.WriteString(strings.Repeat("</li>\n</ul>\n", depth+1) + "</section>\n")
}

// notes writes what else should be known: what is wrong with the text.
func (w *planHTML) notes(r *PlanReply) {
	if len(r.Problems) == 0 || r.State == string(plan.Empty) {
		return
	}
	w.WriteString("<section>\n<h2>To look at</h2>\n<ul>\n")
	for i := range r.Problems {
		problem := &r.Problems[i]
		line := ""
		if problem.Line > 0 {
			line = "line " + strconv.Itoa(problem.Line) + ": "
		}
		w.add("<li>%s%s</li>\n", line, problem.Message)
	}
	w.WriteString("</ul>\n</section>\n")
}
