// Package doctor says whether the program, its configuration and what it is installed in work together,
// and what a server is started with.
//
// Which file holds what:
//
//   - doctor.go, checks.go, journal.go: the checks; hook.go: what a client's hook says to a model;
//     skill.go: the skill; serve.go: the options of a server
package doctor
