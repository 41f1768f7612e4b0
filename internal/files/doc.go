// Package files opens, finds and changes documents on disk; what is in one of them package
// textfile reads.
//
// It knows bytes and paths and nothing of Markdown. Every failure is a *fileerror.Error
// with one of the product's codes, so that a caller can say what to do next; no
// file is left open and no read blocks on something that is no file. One thing
// writes, Update: what it changes is there whole or not at all.
//
// Which file holds what:
//
//   - find.go: which files are Markdown, and
//     those that folders and patterns mean, on the command line, without what walks leave
//     out (internal/walking)
//   - roots.go, roots_open.go: the roots of a server; roots_path.go, roots_walk.go: the way
//     of a path through them, component by component; roots_find.go, roots_folder.go: all
//     documents, one folder; roots_own.go: the user's own configuration and journal;
//     roots_closest.go: which path was meant; roots_make.go: folders of a file that is made;
//     folders.go: those that go with one
//   - journal.go: where updates are written down; step.go: the calls of the system that make them
//   - update.go, update_place.go: Update, the way in which files are written; commit.go:
//     new bytes in a file of their own, with the rights and owner of the old one;
//     install.go, install_back.go: the exchange of both, and taking it back; install_look.go: whether a file is
//     in place when that fails; held.go: a file that another program saved
//     meanwhile; lock.go: the locks of all that, which are internal/filelock's
package files
