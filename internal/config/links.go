package config

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/yamltree"
)

// Links say how the links of documents are read.
type Links struct {
	Dialect string // of anchors, one of LinkDialects; empty where no file says
	Root    string // the folder that links which begin with '/' are relative to, below the project's root; empty where no file says
}

// linkDialects are the values of links.dialect, the first where it isn't set. They are
// those of package markdown, which a test in package project compares.
var linkDialects = []string{"github", "gitlab", "mkdocs", "obsidian"}

// LinkDialects returns the values of links.dialect.
func LinkDialects() []string { return slices.Clone(linkDialects) }

// readLinks reads what a file says of links.
func (f *file) readLinks(n *yamltree.Node) {
	if n == nil {
		return
	}
	for name, value := range f.fields(n, "links", "links") {
		message := ""
		switch name {
		case "dialect":
			if !slices.Contains(linkDialects, value.Text) {
				message = noSuch("dialect", value.Text, linkDialects)
			}
		case "root":
			message = checkLinkRoot(value.Text)
		}
		if !f.judge(value, "links."+name, message) {
			continue
		}
		if name == "dialect" {
			f.linked.Dialect = value.Text
		} else {
			f.linked.Root = path.Clean(strings.ReplaceAll(value.Text, `\`, "/"))
		}
	}
}

// checkLinkRoot tells what is wrong with the folder of links that begin with '/'.
func checkLinkRoot(folder string) string {
	slashed := strings.ReplaceAll(folder, `\`, "/")
	switch {
	case folder == "":
		return "it names no folder; write one, such as docs, or . for the project's root"
	case slashed[0] == '/' || strings.HasPrefix(slashed, "~"), strings.Contains(slashed, ":"):
		return "the folder must be relative to the project's root"
	case slices.Contains(strings.Split(slashed, "/"), ".."):
		return "the folder must not contain ..; name one inside the project"
	}
	if reason := filenames.WriteProtection(slashed); reason != "" && path.Clean(slashed) != "." {
		return reason + "; choose another folder"
	}
	return ""
}

// LoadLinks returns the root of the project, empty if there is none, and what the configuration
// says of links. A user's file that is somebody else's, or that the user may not read, says nothing;
// nor does a project's that somebody has left in a folder of everybody, which is no project to
// links. The error is that of any other file that can't be used, by which links may lead elsewhere.
func (l *Loader) LoadLinks(ctx context.Context) (root string, set Links, err error) {
	loaded, err := l.Load(ctx)
	if err == nil {
		return loaded.Root, loaded.Links, nil
	}
	dir, startErr := l.start()
	user, userErr := l.readUser(l.UserFile())
	if ctx.Err() != nil || startErr != nil || userErr != nil && !isForOthers(userErr) {
		return "", Links{}, err
	}
	root, project, err := l.ofLinks(dir, user)
	if err != nil {
		return "", Links{}, err
	}
	merged, err := l.merge(project, user)
	if err != nil {
		return "", Links{}, err
	}
	return root, merged.config.Links, nil
}

// addLinks puts together what both files say of links: each setting is the project's if
// that has it.
func (m *merged) addLinks() {
	for _, f := range slices.Backward(m.files()) {
		if f.linked.Dialect != "" {
			m.config.Links.Dialect = f.linked.Dialect
		}
		if f.linked.Root != "" {
			m.config.Links.Root = f.linked.Root
		}
	}
}
