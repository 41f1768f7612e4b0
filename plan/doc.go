// Package plan reads, changes and writes plan documents: commit messages that
// carry a plan from a goal to finished tasks.
//
//	feat(parser): read nested tasks
//
//	Plans have more than one level.
//
//	- Do not: change the file format
//
//	- [ ]: read
//	  - [x]: measure the indentation
//	  - [ ]: build the tree
//	- [ ]: write
//
//	~~~ EXECUTE ~~~
//
// A document has a header, and may have a description, constraints, a tree of
// tasks, a direction (free text) and a directive (one word or several).
//
//	r := plan.Parse(text, nil)
//	if r.State != plan.Parsed {
//		return fmt.Errorf("no plan: %v", r.Halt)
//	}
//	doc, marked, err := plan.Mark(r.Document, "1.2", true)
//	…
//	text, err = plan.Format(doc, nil)
//
// # Reading
//
// [Parse] never fails: a [Result] says in its State what the text is. A text that
// begins like a plan and goes on as none is [Halted], with the line, a code, and all
// that was read before; nothing is guessed. A line that is left out of the plan,
// such as a constraint whose value begins with a capital letter, is kept as it is,
// reported in Diagnostics, and written back.
//
// A description is text, with lists of links ("- [docs](url)") and with code between
// fences, in which a box is no task and "- Never: a" no constraint. A fence that isn't
// closed is none, so that it takes no tasks away. "- [" that is neither a task nor a link
// halts: a box that was written wrongly must not become text.
//
// # Writing
//
// [Format] writes one canonical text, and reads it again before it returns it:
//
//	Parse(Format(d)) == Normalise(d)
//
// A document for which that does not hold, because a task has two lines or a
// description ends like a list of constraints, is refused with an error that names
// the field, the line and what the line would be read as. So what was saved can be
// loaded, and what was loaded and saved has all of its text. [FormatResult] refuses
// what halted, too. Formatting is idempotent.
//
// [Validate] says what else is wrong with a document: types, scopes, prefixes,
// lengths. [ValidateJSON] does so for JSON from anywhere, with types of values.
//
// # Changing
//
// Documents are values. [SetHeader], [SetDescription], [SetTasks], [Mark] and
// [Finish] return new ones and leave their arguments alone. Tasks are named by their
// position ("2.1.3"), their text, or a part of it, see [Find]; only tasks without
// subtasks are marked, and their parents follow. [ReadPlan] and [ReadConstraints]
// take what an agent sends.
//
// # Stages
//
// Stages are data. [Table.Of] says what is missing in a document first, and what to do
// about it: by the table of [Stages], or by one of your own.
//
// # Forms
//
// What a plan looks like is data, too. A [Config] holds patterns, formats, limits
// and words; nil stands for the preset COMMIT_MESSAGE. [Preset] returns the others,
// [Override] changes single fields by name, as a configuration file does.
// [Config.Check] names every field that is wrong.
//
// # Limits
//
// Parsing and formatting take time linear in the length of the text and a constant
// amount of stack, whatever the text is. The package does no input or output and
// keeps nothing between calls; everything in it can be used by several goroutines
// at once.
//
// # Files
//
//   - document.go, normalise.go: the value; encode.go, decode.go: its JSON
//   - config.go, preset.go, override.go, grammar.go: the forms that it is written in;
//     expression.go, pattern.go, template.go: their patterns
//   - parse.go, line.go, header.go, description.go, fence.go, sections.go, tree.go, text.go: a text read;
//     format.go, readback.go: one written, and read again; validate.go: judged; fielderror.go,
//     formaterror.go: errors
//   - change.go, mark.go, task.go: fields and tasks changed; read.go, tuples.go, checklist.go:
//     tasks as they are sent; stage.go: the stages; field.go: what stands behind the words of
//     a task; schedule.go: which tasks wait, claims and notes
package plan
