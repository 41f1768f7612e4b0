package app

import (
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guide"
)

// newLoader returns what reads the configuration of the project that start lies in.
// For a server, what the project's file names must lie in its roots. Whoever asks, all of it is checked: the same file is right or wrong for everybody.
func newLoader(start, userFile string, server *documents.Workspace) *config.Loader {
	return config.NewLoader(config.LoadOptions{
		Start: start, UserFile: userFile, CheckPlan: checkPlanForms, Roots: server.FileRoots(),
		CheckPattern: func(text string) error { _, err := guide.ParsePattern(text); return err },
	})
}

// obeyed returns the files of the host that say what a server may open, which it reads and
// never writes: the user's configuration.
func obeyed(loader *config.Loader) []string { return []string{loader.UserFile()} }
