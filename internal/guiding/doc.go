// Package guiding answers requests about guides: it lists and delivers the categories that a
// project and its user have configured, and changes that configuration.
//
// Which file holds what:
//
//   - guide.go: a request for guidance; page.go: one in pages; list.go, document.go: categories listed, one file;
//     print.go: how an answer is shown; memory.go: memory for answers
//   - change.go: changes of the configuration; init.go, init_look.go: the first one, from what
//     a project has; validate.go: what is wrong with it; complete.go: shells; error.go: errors
package guiding
