// Package fileinfo says what a system knows of a file beyond its name, size and mode.
//
// Which file holds what:
//
//   - owner.go, owner_*.go: whose a file is, and how many names it has
//   - change_time_*.go, change_time.go: when it was changed last; known.go: what was found in
//     folders that are unchanged
//   - birth_time_*.go: when a folder was made, and on which mount it lies
//   - open.go, open_*.go: opening folders and files without waiting
//   - same.go: whether two paths lead to one file; listed.go: by which name a folder lists it;
//     working.go: what the working directory is called
//   - cause.go: what the system said, without the paths of the host
//   - links.go: where a path leads that a repository names
//   - climb.go: whether a path goes up again from behind a link
//   - project.go: which folder is the root of a project
//   - home.go: the user's home folder; journal.go: their journal of changes
package fileinfo
