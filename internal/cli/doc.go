// Package cli is the command line. A command is one file: its flags, the request
// that they make, and the printing of the reply. What a command does, a room
// does.
//
// Results go to standard output, errors to standard error, each in a line that
// begins with "sectile: " and the error's code, with candidates below it; with --json
// an error is an object on standard output. The exit code is 0 if all was done, 1 if a
// document failed, 2 if the command was wrong.
//
// Which file holds what:
//
//   - run.go: the program, exit codes, errors; commands.go: all its commands; meant.go: what arguments mean that are short or
//     misspelled; voice.go: names in sentences as a command line
//     has them; documents.go: flags that several commands share; output.go: replies printed,
//     and help; completion.go, man.go, version.go
//   - tree.go, sections.go, bounds.go, read.go: reading; search.go, search_push.go, list.go: finding; index.go, select.go,
//     format.go: selecting; diff.go: comparing; links.go, toc.go: links; edit.go, move.go, move_documents.go, replace.go: editing; log.go: what
//     was changed, and taking it back
//   - guide*.go, plan*.go: guides and plans, a file for the commands that belong together
//   - mcp.go: the server and its registration with clients; view.go: the page for people; doctor.go, hook.go,
//     skill.go
//   - mdsel.go, mdsel_help.go: the program under the name mdsel
package cli
