// Package planstore keeps the text of a plan: in the description of a Jujutsu
// change, in a private ref of git, or in a file.
//
// It knows texts, versions and places, and nothing of the grammar of plans: what
// must be known of a text is asked of a function that the caller hands in. Open
// chooses the store, Load reads the text, and Update changes it.
//
// Two promises hold for all three. Nothing of ours overwrites what it has not
// seen: a text is written only in the place of the one that it was made from,
// whoever writes at the same time. And reading runs no program that a repository
// names: its hooks, filters, monitors, pagers, editors and signers are left out of
// every command.
//
// Which file holds what:
//
//   - store.go: what every store does, and the kinds; open.go: the choice of one; error.go
//   - jj.go, jj_version.go, jj_write.go, jj_lost.go, jj_tracked.go; git.go and git_*.go; file.go, file_list.go: the three stores;
//     lock.go: the lock that they share
//   - git_place.go, jj_place.go: where a repository lies, proven by package repoproof to be
//     the project's own
//   - command.go: programs and how they are run; reader.go: those that package vcs runs
package planstore
