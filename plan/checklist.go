package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A checklist is written by hand or by a model that knows Markdown: bullets of every
// kind, boxes with and without a colon, or no box where the mark shall stay.

// readChecklist reads a list of tasks from text.
func (g *grammar) readChecklist(field, text string) (p Plan, err *InputError) {
	var open openTasks
	number := 0
	for s := range strings.SplitSeq(unixLines(text), "\n") {
		number++
		if blank(s) {
			continue
		}
		width, task, problem := g.readChecklistLine(s)
		parent := open.parent(width)
		if problem == "" && len(open) > g.MaxDepth {
			problem = fmt.Sprintf("it is nested deeper than %d levels; move it up", g.MaxDepth)
		}
		if problem != "" {
			return Plan{}, &InputError{Field: field, Line: number, Message: problem}
		}
		task.parent, task.depth = parent, len(open)
		open = append(open, openTask{len(p.tasks), width})
		p.tasks = append(p.tasks, task)
	}
	if len(p.tasks) == 0 {
		return Plan{}, &InputError{Field: field, Message: "there is no task in it", Hint: SendEmptyList}
	}
	return p, nil
}

// readChecklistLine reads a line: how far it is indented, and the task; or what is
// wrong.
func (g *grammar) readChecklistLine(s string) (width int, t plannedTask, problem string) {
	var l line
	if g.asTask(g.task, s, &l) || g.asTask(g.taskLax, s, &l) {
		return l.width, plannedTask{text: l.text, mark: markOf(l.done)}, ""
	}
	item := unindented(s)
	for i := range len(s) - len(item) {
		if width++; s[i] == '\t' {
			width += g.Indent - 1
		}
	}
	item, ok := cutBullet(item)
	if !ok {
		return width, t, fmt.Sprintf("%q is no task; begin each with \"- [ ] \"", clip(s, 80))
	}
	if box, after, found := strings.Cut(item, "]"); found && isBox(box, after) {
		if len(box) != 2 || strings.IndexByte("xX ", box[1]) < 0 {
			return width, t, fmt.Sprintf("%q is no box; write \"[ ]\" or \"[x]\"", box+"]")
		}
		t.mark = markOf(box[1] != ' ')
		item = strings.TrimPrefix(after, ":")
	}
	if t.text = strings.TrimSpace(item); t.text == "" {
		problem = "the task has no text; say what is to be done"
	}
	return width, t, problem
}

// isBox reports whether text was meant as a box: a bracket with a character at most
// and nothing after it that would make it a link.
func isBox(box, after string) bool {
	return box != "" && box[0] == '[' && utf8.RuneCountInString(box) <= 2 && (after == "" || strings.IndexByte(" \t:", after[0]) >= 0)
}

// cutBullet takes the bullet off an item, "-", "*", "+" or a number, and the white
// space after it.
func cutBullet(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	bullets := "-*+"
	if len(rest) < len(s) {
		bullets = ".)"
	}
	if rest == "" || strings.IndexByte(bullets, rest[0]) < 0 {
		return s, false
	}
	rest = rest[1:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return s, false
	}
	return strings.TrimLeft(rest, " \t"), true
}
