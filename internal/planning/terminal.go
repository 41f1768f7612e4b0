package planning

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/outline"
	"github.com/sectile/sectile/plan"
)

// How a plan is shown to people: a head with a bar, the description, the tree of
// tasks. Unlike Text, nothing is left out, and lines are broken at the terminal's
// width. What comes from a plan does nothing to a terminal.

// PlanLook says how a plan is shown. The zero value is for what is no terminal.
type PlanLook struct {
	Style replies.Style
	Width int // columns to break lines at; 0 for not breaking any
}

// The width of the bar, in characters.
const (
	maxBar = 40
	minBar = 10
)

// planPage is a plan as it is being rendered.
type planPage struct {
	look PlanLook
	text []byte
}

// Terminal renders the plan for people.
func (r *PlanReply) Terminal(look PlanLook) []byte {
	p := &planPage{look: look}
	p.head(r)
	switch plan.State(r.State) {
	case plan.Empty:
	case plan.Unknown, plan.Halted:
		p.block(r.Source)
	case plan.Parsed:
		p.document(r)
	}
	for i, note := range r.WrittenNotes() {
		if i == 0 {
			p.blank()
		}
		p.line("note: ", outline.Mark{}, note)
	}
	return p.text
}

// head renders what is said of the plan.
func (p *planPage) head(r *PlanReply) {
	if title := r.goal(); title != "" {
		p.line("", p.look.Style.Name, title)
	}
	if r.Where != "" {
		p.line("", p.look.Style.Range, fmt.Sprintf("%s (%s), version %s", r.Where, r.Store, r.Version))
	}
	if r.Total > 0 {
		p.line("", outline.Mark{}, r.bar(p.look.Width))
	}
	p.line("", outline.Mark{}, "stage "+r.Stage.line())
	if ready := r.ready(); ready != "" {
		p.line("can be begun: ", outline.Mark{}, ready)
	}
	if next := r.nextRequests(); len(next) > 0 {
		p.line("next: ", outline.Mark{}, strings.Join(next, ", "))
	}
}

// goal returns the first line of a plan, "" if the text is none.
func (r *PlanReply) goal() string {
	if r.Document.Header == nil {
		return ""
	}
	return firstLine(r.Source)
}

// bar renders the progress: "[####------] 2 of 5 tasks done (40 %)".
func (r *PlanReply) bar(width int) string {
	told := r.progress()
	room := maxBar
	if width > 0 {
		room = min(max(width-len("[] ")-len(told), minBar), maxBar)
	}
	full := room * r.Done / r.Total
	return "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "] " + told
}

// progress says how many tasks are done: "2 of 5 tasks done (40 %)".
func (r *PlanReply) progress() string {
	return fmt.Sprintf("%s (%d %%)", done(r.Done, r.Total, r.State == string(plan.Halted)), 100*r.Done/max(r.Total, 1))
}

// line renders a stage: "2/3 of 6, constraints and plan: what it means".
func (s *PlanStage) line() string {
	return fmt.Sprintf("%s of %d, %s: %s", s.Shown, s.Last, s.Name, s.Meaning)
}

// voice returns the voice in which the reply names requests.
func (r *PlanReply) voice() replies.Voice {
	if r.Voice == nil {
		return replies.Plain
	}
	return r.Voice
}

// guidance says what the stage means and what to do now, "" if that need not be said.
func (r *PlanReply) guidance() string {
	if r.Stage.Advice.IsEmpty() {
		return ""
	}
	return r.Stage.Meaning + " " + r.Stage.Advice.In(r.voice())
}

// nextRequests names the requests that come next.
func (r *PlanReply) nextRequests() []string {
	names := make([]string, len(r.Stage.Next))
	for i, call := range r.Stage.Next {
		names[i] = r.voice().Request(call)
	}
	return names
}

// document renders a plan below its first line.
func (p *planPage) document(r *PlanReply) {
	d := &r.Document
	p.block(d.Description)
	for i, c := range d.Constraints {
		if i == 0 {
			p.blank()
		}
		p.line("- ", outline.Mark{}, c.Key+": "+c.Value)
	}
	for i, line := range d.Skipped {
		if i == 0 && len(d.Constraints) == 0 {
			p.blank()
		}
		p.line("", outline.Mark{}, line)
	}
	p.tasks(r)
	p.block(d.Direction)
	if d.Directive != "" {
		p.block("~~~ " + d.Directive + " ~~~")
	}
}

// tasks renders the tree: boxes, positions, texts. The task that comes next stands
// out, and those that are done stand back.
func (p *planPage) tasks(r *PlanReply) {
	tasks, next := r.Tasks, r.nextTask()
	for i := range tasks {
		if i == 0 {
			p.blank()
		}
		t, box, mark := &tasks[i], "[ ] ", outline.Mark{}
		if i == next {
			mark = p.look.Style.Name
		}
		if t.Done {
			box, mark = "[x] ", p.look.Style.Range
		}
		p.line(strings.Repeat("  ", t.Depth)+box+t.ID+" ", mark, t.Text)
	}
}

// blank renders an empty line, unless it would be the first one.
func (p *planPage) blank() {
	if len(p.text) > 0 {
		p.text = append(p.text, '\n')
	}
}

// block renders a text of several lines with an empty one before it.
func (p *planPage) block(text string) {
	if text == "" {
		return
	}
	p.blank()
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		p.line("", outline.Mark{}, strings.TrimSuffix(line, "\r"))
	}
}

// line renders a text after a lead, with what it is broken into below the text.
func (p *planPage) line(lead string, mark outline.Mark, text string) {
	room := 0
	if p.look.Width > 0 {
		room = max(p.look.Width-len(lead), minBar)
	}
	before := lead
	for _, part := range replies.Broken(replies.Safe(text), room) {
		p.text = append(p.text, strings.TrimRight(before+mark.Before+part+mark.After, " ")...)
		p.text = append(p.text, '\n')
		before = strings.Repeat(" ", len(lead))
	}
}

// Brief renders what was done, and how far the plan is then.
func (r *PlanReply) Brief() []byte {
	text := fmt.Appendf(nil, "%s\nstage %s of %d, %s", replies.Safe(r.Did), r.Stage.Shown, r.Stage.Last, replies.Safe(r.Stage.Name))
	if r.Total > 0 {
		text = append(text, "; "+r.progress()...)
	}
	text = append(text, "; version "+r.Version+"\n"...)
	if r.Old != nil {
		text = append(text, "the old plan stays in "+replies.Safe(r.Old.Where)...)
		if r.Old.See != "" {
			text = append(text, ": `"+replies.Safe(r.Old.See)+"` shows it"...)
		}
		text = append(text, '\n')
	}
	return text
}

// PlanListText renders the plans that a project has, the current one marked.
func PlanListText(list []PlanListed, style replies.Style) []byte {
	var text []byte
	for i := range list {
		l, mark := &list[i], "  "
		if l.Current {
			mark = "* "
		}
		title, told := cmp.Or(l.Title, "no plan"), l.progress()
		if l.Unreadable != "" {
			title, told = "can't be read: "+l.Unreadable, l.Hint
		}
		text = append(text, mark+style.Name.Before+replies.Safe(l.Name)+style.Name.After+": "+replies.Safe(title)+"\n"...)
		if l.Where != l.Name && l.Unreadable == "" {
			told += ", in " + l.Where
		}
		told += l.wayOn()
		if l.Orphan && l.Unreadable == "" {
			told += "; " + l.gone
		}
		text = append(text, "    "+style.Range.Before+replies.Safe(told)+style.Range.After+"\n"...)
	}
	if len(list) == 0 {
		return []byte("no plans\n")
	}
	return text
}

// PlanListJSON renders them for programs.
func PlanListJSON(list []PlanListed) []byte {
	return append(replies.JSON(struct {
		Plans []PlanListed `json:"plans"`
	}{append([]PlanListed{}, list...)}), '\n')
}
