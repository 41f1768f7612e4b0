package config

import (
	"path"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/filenames"
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
func (f *file) readLinks(n *node) {
	if n == nil {
		return
	}
	for name, value := range f.fields(n, "links", "links") {
		message := ""
		switch name {
		case "dialect":
			if !slices.Contains(linkDialects, value.text) {
				message = strings.TrimSpace("there is no such dialect; "+meant(value.text, linkDialects)) + " allowed: " + strings.Join(linkDialects, ", ")
			}
		case "root":
			message = checkLinkRoot(value.text)
		}
		if !f.judge(value, "links."+name, message) {
			continue
		}
		if name == "dialect" {
			f.linked.Dialect = value.text
		} else {
			f.linked.Root = path.Clean(strings.ReplaceAll(value.text, `\`, "/"))
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

// addLinks puts together what both files say of links: each setting is the project's if
// that has it.
func (m *merged) addLinks() {
	for _, f := range []*file{m.user, m.project} {
		if f == nil {
			continue
		}
		if f.linked.Dialect != "" {
			m.config.Links.Dialect = f.linked.Dialect
		}
		if f.linked.Root != "" {
			m.config.Links.Root = f.linked.Root
		}
	}
}
