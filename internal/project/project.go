// Package project reads the configuration of the project that a folder lies in, for the
// rooms of guides and of plans.
//
// Which file holds what:
//
//   - project.go: the configuration of a project; forms.go: the forms of its plans;
//     forms_build.go: builds a form within limits
package project

import (
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/guide"
)

// NewLoader returns a reader of the configuration of the project that start lies in; the
// user's is read from userFile, empty for the usual place, "-" for none. For a server, all
// paths that the project's file names must lie in the server's roots; nil roots stand for
// the user. Both get the same checks: a file is right or wrong for everybody.
func NewLoader(start, userFile string, server *files.Roots) *config.Loader {
	return config.NewLoader(config.LoadOptions{
		Start: start, UserFile: userFile, CheckPlan: checkForms, Roots: server,
		CheckPattern: guide.PatternProblem,
	})
}

// Obeyed returns the host's files that decide which files a server may open: the user's
// configuration. A server reads them and never writes them.
func Obeyed(loader *config.Loader) []string { return []string{loader.UserFile()} }
