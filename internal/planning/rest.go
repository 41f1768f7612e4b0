package planning

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
)

// A plan that is too long for a reply is read on from where that ended. The lines are
// those of the plan as a reply with room for all of it has them, tasks with their ids, so
// that what replies have shown and what their notes name is the whole plan.

// place is where a line of the plan begins, or a part of it.
type place struct {
	line int // so many lines are before it
	char int // so many characters of the line are before it
	end  int // so many lines are before the end of what is read; 0 for that of the plan
}

// maxCursorVersion is how much of the version a cursor has.
const maxCursorVersion = 8

// cursor returns the cursor for a place in the plan as it is now.
func (r *PlanReply) cursor(at place) string {
	text := r.Version[:min(len(r.Version), maxCursorVersion)] + "." + strconv.Itoa(at.line)
	if at.char > 0 {
		text += "." + strconv.Itoa(at.char)
	}
	if at.end > 0 {
		text += "-" + strconv.Itoa(at.end)
	}
	return text
}

// wayTo is the request that reads the plan from a place on.
func (r *PlanReply) wayTo(at place) string {
	return replies.Say("%s with %s", showPlan, replies.Given{Arg: replies.Cursor, Value: r.cursor(at)}).In(r.voice())
}

// cursorForm is what cursor makes.
var cursorForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9a-f]{` + strconv.Itoa(maxCursorVersion) + `})\.(\d{1,9})(?:\.(\d{1,9}))?(?:-(\d{1,9}))?$`)
})

// readCursor returns the version that a cursor is about, and the place.
func readCursor(cursor string) (version string, at place, ok bool) {
	m := cursorForm().FindStringSubmatch(cursor)
	if m == nil {
		return "", place{}, false
	}
	number := func(digits string) int { n, _ := strconv.Atoi(digits); return n }
	at = place{number(m[2]), number(m[3]), number(m[4])}
	return m[1], at, m[4] == "" || at.end > at.line
}

// readOn returns the plan from a cursor on, or a section of it, and looks at no files.
func (p *Plans) readOn(ctx context.Context, req *PlanGather) (*PlanReply, error) {
	version, at, ok := readCursor(req.Cursor)
	if req.Cursor != "" && !ok {
		return nil, &PlanError{
			Type: planInput, Message: replies.Say("%q is no cursor of a plan", replies.Clip(req.Cursor, replies.MaxShown)),
			Hint: replies.Say("take one from a note of a reply, or leave it out"), Metadata: map[string]any{"field": string(replies.Cursor)},
		}
	}
	r, err := p.Show(ctx)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(r.Version, version) {
		return nil, &PlanError{
			Type: planConcurrent, Message: replies.Say("the plan was changed since that cursor was given, so that it may lead to other lines; the version is %s now", r.Version),
			Hint: replies.Say("begin again with %s, without a cursor", showPlan), Metadata: map[string]any{"version": r.Version},
		}
	}
	if req.Section != "" {
		part, err := r.section(req.Section)
		switch {
		case err != nil:
			return nil, AsPlanError(err)
		case req.Cursor == "":
			at = part
		case at.line < part.line || at.line >= part.end:
			return nil, &PlanError{
				Type: planInput, Message: replies.Say("the cursor %q leads to no line of the section %q", replies.Clip(req.Cursor, replies.MaxShown), replies.Clip(req.Section, replies.MaxShown)),
				Hint: replies.Say("give one of them alone"), Metadata: map[string]any{"field": string(replies.Cursor)},
			}
		default:
			at.end = part.end
		}
	}
	if len(r.linesFrom(at)) == 0 {
		return nil, &PlanError{
			Type: planInput, Message: replies.Say("the plan ends before the cursor %q", replies.Clip(req.Cursor, replies.MaxShown)),
			Hint: replies.Say("begin again with %s, without a cursor", showPlan), Metadata: map[string]any{"field": string(replies.Cursor)},
		}
	}
	r.from = &at
	return r, nil
}

// unlimited is room for all of a plan.
const unlimited = 1 << 30

// linesFrom returns the parts of the plan from a place on to its end, whole.
func (r *PlanReply) linesFrom(at place) (rest planParts) {
	before := 0 // lines
	for _, p := range r.document(unlimited) {
		if p.ours {
			continue
		}
		all := strings.TrimSuffix(string(p.text), "\n")
		first, end := max(at.line-before, 0), 1+strings.Count(all, "\n")
		before += end
		if at.end > 0 {
			end = min(end, end+at.end-before)
		}
		if first >= end {
			continue
		}
		text := string(replies.WithNewline([]byte(linesBetween(all, first, end))))
		tasks := slices.Clone(p.tasks[min(first, len(p.tasks)):])
		if at.char > 0 {
			end := strings.IndexByte(text, '\n')
			text = text[min(replies.CharOffset([]byte(text), at.char), end):]
			at.char = 0
			if len(tasks) > 0 {
				tasks[0] = ""
			}
		}
		rest.add(planPart{apart: p.apart, title: p.title, text: []byte(text), tasks: tasks})
	}
	return rest
}

// rest renders the plan from where the reply begins, in about so many characters.
func (r *PlanReply) rest(maxChars int) (all planParts) {
	short := *r
	short.Notes, short.Others, short.Tasks, short.Total = nil, nil, nil, 0
	if r.unseen != "" {
		short.note("%s", r.unseen)
	}
	head := short.head(maxNote)
	for width := maxNote / 2; maxChars > 0 && replies.Chars(head) > maxChars/2 && width >= minNote/2; width /= 2 {
		head = short.head(width)
	}
	all.add(planPart{ours: true, text: head})
	parts := r.linesFrom(*r.from)
	parts[0].apart = false // it goes on
	if maxChars == 0 || replies.Chars(append(slices.Clip(all), parts...).render("")) <= maxChars {
		return append(all, parts...)
	}
	room := max(maxChars-replies.Chars(all.render(""))-noteRoom, minNote)
	at, left := *r.from, 0
	for i := range parts {
		p := &parts[i]
		room -= utf8.RuneCountInString(p.title)
		whole := strings.TrimSuffix(string(p.text), "\n")
		lines, shown, size := 1+strings.Count(whole, "\n"), 0, 0 // size is that of those that are shown
		for line := range strings.Lines(whole) {
			chars := utf8.RuneCountInString(line)
			if left > 0 || chars >= room { // the rest of a line is none that is shown
				break
			}
			room -= chars
			size += len(line)
			shown++
		}
		text := whole[:size]
		if i == 0 && shown == 0 { // a single line may be longer than the room
			line, _, _ := strings.Cut(whole, "\n")
			var next place
			text, next = cutLine(line, room)
			room -= utf8.RuneCountInString(text)
			at.char += next.char
			shown = next.line
		}
		if shown > 0 {
			at = place{line: at.line + shown, end: at.end}
		}
		if left += lines - shown; text != "" {
			all.add(planPart{apart: p.apart, title: p.title, text: replies.WithNewline([]byte(text)), tasks: p.tasks})
		}
	}
	if left > 0 {
		all.add(planPart{ours: true, text: []byte(replies.LeftOutOfPlan(left, "line", r.wayTo(at)))})
	}
	return all
}

// linesBetween returns lines of a text, counted from 0, without that of the end.
func linesBetween(text string, first, end int) string {
	at, from := 0, 0
	for n := 0; n < end && at < len(text); n++ {
		if n == first {
			from = at
		}
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(text)
		}
	}
	return text[from:at]
}

// tasksAt returns how many lines of the plan are before the tasks.
func (r *PlanReply) tasksAt() int {
	return r.constraintsAt() + len(r.Document.Constraints) + len(r.Document.Skipped)
}

// constraintsAt returns how many lines of the plan are before the constraints.
func (r *PlanReply) constraintsAt() int { return descriptionAt + linesIn(r.Document.Description) }

// descriptionAt is how many lines of the plan are before the description: the goal.
const descriptionAt = 1

// linesIn returns the number of lines of a text as a reply has it.
func linesIn(text string) int {
	if text == "" {
		return 0
	}
	return 1 + strings.Count(strings.TrimRight(text, "\r\n"), "\n")
}

// leftOut returns the note for lines of a section that begins behind so many lines of the
// plan.
func (r *PlanReply) leftOut(before int, text string) func(shown int, in place) string {
	return func(shown int, in place) string {
		return replies.LeftOutOfPlan(max(linesIn(text)-shown, 1), "line", r.wayTo(place{line: before + in.line, char: in.char}))
	}
}

// cutTasks returns the note for tasks whose texts are cut.
func (r *PlanReply) cutTasks(n int) []byte {
	return []byte(replies.CutTasks(n, r.wayTo(place{line: r.tasksAt()})))
}

// readAll says how all of a plan is read.
var readAll = either(
	replies.Say("%s reads all of it, with the cursors that its notes name", showPlan),
	replies.Say("`sectile plan message` prints it"))
