// Package planning answers requests about plans: it reads and changes them, renders them for
// tools, terminals and pages, and says what to do next.
//
// Which file holds what:
//
//   - plan.go: plans, and where they are; open.go: form and store of a request
//   - gather.go, change.go, mend.go, inspect.go: the verbs; reply.go: what is told of the text that
//     is there; known.go: when the position of a task counts; echo.go: texts of replies that
//     were sent back; refuse.go, error.go: refusals
//   - guidance.go, workflow.go, next.go: the stages, and the requests that lead on
//   - print.go, print_tasks.go: a plan for models, and as JSON; rest.go, section.go: one
//     that is too long, read on and in parts; terminal.go: for people; export.go, export_text.go: as a page and as text
package planning
