package planning

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/plan"
)

// A plan as one page of HTML. It needs no script and nothing beside it, and its policy
// forbids both, so that a plan somebody else wrote can be opened in a browser. The
// page is put together by hand because html/template costs every run of the program
// more than it saves here; whatever comes from a plan goes through escaped.

//go:embed export.css
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
	w.body(r, stages)
	w.add("</main>\n<footer>%s</footer>\n</body>\n</html>\n", r.origin())
	return []byte(w.String())
}

// ExportBody returns the plan as HTML without a page around it, for one that has a style for
// it, and where it is from. The error is a *PlanError or the context's.
func (p *Plans) ExportBody(ctx context.Context) (body []byte, origin string, err error) {
	r, err := p.Show(ctx)
	if err != nil {
		return nil, "", err
	}
	var w planHTML
	w.body(r, p.options.Stages)
	if plan.State(r.State) == plan.Empty {
		return []byte(w.String()), fmt.Sprintf("There is nothing in %s (%s) yet. An agent begins a plan with set_overarching_goal, a person with sectile plan goal.", r.Where, r.Store), nil
	}
	return []byte(w.String()), r.origin(), nil
}

// body writes the plan.
func (w *planHTML) body(r *PlanReply, stages plan.Table) {
	w.head(r, cmp.Or(r.goal(), "No plan yet"))
	w.progress(r, stages)
	if plan.State(r.State) == plan.Parsed {
		w.document(r)
		w.notes(r)
	} else {
		w.notes(r) // they say why the text below them is no plan
		w.source(r)
	}
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
	return html.EscapeString(replies.SafeLines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)))
}

// head writes the title, and above it what kind of change the plan is for. A title
// that can't be told from the rest of the line stands as the whole line.
func (w *planHTML) head(r *PlanReply, line string) {
	w.WriteString("<header>\n")
	h, title := r.Document.Header, ""
	if h != nil {
		title = cmp.Or(h.Title, r.Document.IgnoredTitle)
	}
	if title != "" && h.Type != "" {
		w.add(`<p class="kind"><span>%s</span>`, h.Type)
		if h.Scope != "" {
			w.add(` <span>%s</span>`, h.Scope)
		}
		if h.Breaking {
			w.WriteString(` <strong>breaking</strong>`)
		}
		w.WriteString("</p>\n")
	}
	w.add("<h1 dir=\"auto\">%s</h1>\n</header>\n", cmp.Or(title, line))
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
			w.add("<li class=\"past\"><span role=\"img\" aria-label=\"done\">✓</span> %s</li>\n", s.Name)
		case i == current:
			w.add("<li aria-current=\"step\">%s <small>(now)</small></li>\n", s.Name)
		default:
			w.add("<li>%s</li>\n", s.Name)
		}
	}
	w.add("</ol>\n<p>Stage %s of %s: %s</p>\n</section>\n", r.Stage.Shown, strconv.Itoa(r.Stage.Last), r.Stage.Meaning)
}

// source writes the text of what is no plan.
func (w *planHTML) source(r *PlanReply) {
	if plan.State(r.State) != plan.Empty {
		w.add("<section>\n<h2>Text</h2>\n<pre dir=\"auto\">%s</pre>\n</section>\n", r.Source)
	}
}

// document writes the sections of the plan.
func (w *planHTML) document(r *PlanReply) {
	d := &r.Document
	w.prose("Description", d.Description)
	if len(d.Constraints)+len(d.Skipped) > 0 {
		w.WriteString("<section>\n<h2>Constraints</h2>\n<ul dir=\"auto\">\n")
		for _, c := range d.Constraints {
			w.add("<li><strong>%s</strong>: <span class=\"own\">%s</span></li>\n", c.Key, c.Value)
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

// prose writes a text in paragraphs. Lines end where they did, but for those of a
// paragraph that was broken to a width: they flow, for the page is as wide as it is.
func (w *planHTML) prose(title, text string) {
	if text == "" {
		return
	}
	w.add("<section>\n<h2>%s</h2>\n", title)
	last := "" // the line before, if it is of this paragraph
	for line := range strings.SplitSeq(text, "\n") {
		blank := strings.TrimSpace(line) == ""
		switch {
		case blank && last != "":
			w.WriteString("</p>\n")
			last = ""
			continue
		case blank:
			continue
		case last == "":
			w.add("<p class=\"text\" dir=\"auto\">%s", line)
		case flows(last, line):
			w.add(" %s", line)
		default:
			w.add("\n%s", line)
		}
		last = line
	}
	if last != "" {
		w.WriteString("</p>\n")
	}
	w.WriteString("</section>\n")
}

// fullLine is how many characters a line has, at the least, that ended because it was
// full. Messages of commits are broken at 72, and a word that didn't fit is short.
const fullLine = 56

// flows reports whether a line goes on with what the one before it says: that one was
// full, and this one begins with a letter, so it is no item and no indented code.
func flows(last, line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLetter(first) && utf8.RuneCountInString(last) >= fullLine
}

// tasks writes the tree. The list of a task's subtasks stands in its item. The boxes
// are drawn by the style: the characters for them are pictures in colours on phones.
func (w *planHTML) tasks(tasks []PlanTask) {
	if len(tasks) == 0 {
		return
	}
	w.WriteString("<section>\n<h2>Tasks</h2>\n")
	depth := -1
	direction := ` dir="auto"` // of the whole tree, by its first text
	for i := range tasks {
		t := &tasks[i]
		switch {
		case t.Depth > depth:
			w.WriteString("<ul class=\"tasks\"" + direction + ">\n")
			direction = ""
		default:
			w.WriteString("</li>\n" + strings.Repeat("</ul>\n</li>\n", depth-t.Depth))
		}
		depth = t.Depth
		state, tick := "open", ""
		if t.Done {
			state, tick = "done", "✓"
		}
		words, fields := plan.ReadTask(t.Text)
		w.add("<li class=\"%s\"><div><span class=\"box\" role=\"img\" aria-label=\"%s\">%s</span> <span class=\"id\">%s</span> <span class=\"own\">%s</span>",
			state, state, tick, t.ID, words)
		w.fields(&fields)
		w.WriteString("</div>\n")
	}
	w.WriteString(strings.Repeat("</li>\n</ul>\n", depth+1) + "</section>\n")
}

// fields writes what else is said of a task.
func (w *planHTML) fields(f *plan.TaskFields) {
	if f.ID != "" {
		w.add(" <small class=\"field\">id %s</small>", f.ID)
	}
	if len(f.After) > 0 {
		w.add(" <small class=\"field\">after %s</small>", strings.Join(f.After, ", "))
	}
	if f.Claim != nil {
		w.add(" <small class=\"field claim\">claimed by %s until %s</small>", f.Claim.By, f.Claim.Until.UTC().Format("2006-01-02 15:04 UTC"))
	}
	for _, note := range f.Notes {
		w.add(" <small class=\"note\">%s</small>", note)
	}
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
