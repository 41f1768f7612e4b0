// Package vcs reads files as they are in commits of git and Jujutsu. It writes nothing, and runs
// nothing that a repository names: package planstore, which knows which repository is the
// project's own and how programs are run in it, runs the commands.
//
// Which file holds what:
//
//   - commit.go: the commit that a revision names; tree.go: its files, what they hold, and which
//     aren't checked out
package vcs
