// Package project reads the configuration of the project that a folder lies in, and makes
// of it what the rooms of guides and of plans share.
//
// Which file holds what:
//
//   - project.go: the configuration of a project; forms.go, forms_made.go: the forms of its
//     plans, made within limits
package project

import (
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/guide"
)

// NewLoader returns what reads the configuration of the project that start lies in; the
// user's is read from userFile, empty for the usual place, "-" for none. For a server, what
// the project's file names must lie in its roots; they are nil if it is the user who asks.
// Whoever asks, all of it is checked: the same file is right or wrong for everybody.
func NewLoader(start, userFile string, server *files.Roots) *config.Loader {
	return config.NewLoader(config.LoadOptions{
		Start: start, UserFile: userFile, CheckPlan: checkForms, Roots: server,
		CheckPattern: guide.PatternProblem,
	})
}

// Obeyed returns the files of the host that say what a server may open, which it reads and
// never writes: the user's configuration.
func Obeyed(loader *config.Loader) []string { return []string{loader.UserFile()} }
