// Package repoproof proves that a repository of git or Jujutsu belongs to the folder where it
// was found, before anything is read or written there.
//
// A folder that was cloned or unpacked holds whatever its author liked, names such as
// .git and .jj included, and each of them can lead to another repository of the user:
// as a link, as a file that names a folder, by what lies in it. Such a repository would
// be read and written in the name of the project. So one is used only if it belongs to
// the project's folder: it lies in there as a whole, or the folder that it leads to
// says itself that the project is one of its own. Anything else needs the user's word:
// Trust, or GIT_DIR in the environment.
//
// The proof looks at files, runs no program, and is made anew before each command. What git
// must be asked is a function that the caller hands in. Every failure is an *Error, but that
// of the caller's context or function.
//
// Which file holds what:
//
//   - proof.go: what the user allows, whose files are, and how much is looked at; error.go
//   - git.go, jj.go: where a repository lies, and that this is its folder; gitrefs.go: that refs are its own
//   - examine.go: that none of its parts leads out of it; data.go: nor the words of its files
//   - tree.go: links among the project's files behind which Jujutsu would look for its own
package repoproof
