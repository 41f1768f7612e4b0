// Package programs runs other programs within limits: without a terminal and without input
// of their own, for a limited time, as a group of processes that is killed as a whole, with a
// limit on what they print and on their memory, and on Linux to write below some folders alone, and
// to read and run what is named.
//
// Which file holds what:
//
//   - program.go: a run, what it reads and what it prints; within.go: the time of several
//   - program_unix.go, program_elsewhere.go: groups of processes; program_linux.go,
//     program_other.go: memory, and input that needs no disk; confine_linux.go: what they write,
//     read and run
package programs
