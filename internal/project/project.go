// Package project reads the configuration of the project that a folder lies in, for the
// rooms of guides and of plans.
//
// Which file holds what:
//
//   - project.go: the configuration of a project; forms.go: the forms of its plans;
//     forms_build.go: builds a form within limits; sites.go: what links of a server that begin
//     with '/' are relative to
package project

import (
	"context"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/markdown"
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

// Dialect returns the dialect of anchors that is set for the project in which start lies;
// the usual one where nothing is set. The error is that of the configuration, if that can't be
// used and may set one: by another dialect an anchor can stand for another section.
func Dialect(ctx context.Context, start string) (markdown.Dialect, error) {
	name, err := NewLoader(start, "", nil).Dialect(ctx)
	dialect, _ := markdown.DialectNamed(name)
	return dialect, err
}

// Headings returns the markers of headings that are the user's own: those that are given, or
// else those of the user's file. A project has none. Its error is that of package headings, or
// of the configuration.
func Headings(ctx context.Context, given []string) (*headings.Set, error) {
	if len(given) == 0 {
		var err error
		if given, err = NewLoader("", "", nil).Headings(ctx); err != nil {
			return nil, err
		}
	}
	return headings.Compile(given...)
}

// LinkSettings are what a project says of its links.
type LinkSettings struct {
	// Folder is that of the project, absolute; empty if there is none.
	Folder string
	// Root is the folder below it that links which begin with '/' are relative to; empty
	// where nothing is set.
	Root string
}

// Links returns what the project in which start lies says of its links. Its error is that
// of the configuration.
func Links(ctx context.Context, start string) (LinkSettings, error) {
	root, set, err := NewLoader(start, "", nil).LoadLinks(ctx)
	return LinkSettings{root, set.Root}, err
}
