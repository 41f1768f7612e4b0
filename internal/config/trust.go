package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/frontmatter"
	"github.com/sectile/sectile/internal/yamltree"
)

// Which folders and repositories of others are obeyed is the user's to say: in a
// project's file it would be the project that vouches for itself.

// Trust is what the user's file allows. The paths are absolute, those of a project are
// not resolved any further.
type Trust struct {
	// Folders belong to other users, and are obeyed all the same; "*" stands for any.
	Folders []string
	// Repositories are folders whose .git or .jj may lead elsewhere.
	Repositories []string
}

// anyFolder stands for all folders in a list.
const anyFolder = "*"

// readTrust reads what the user trusts.
func (f *file) readTrust(n *yamltree.Node) {
	if n == nil {
		return
	}
	for name, value := range f.fields(n, "trust", "trust") {
		folders := f.texts(value, "trust."+name, func(folder string) string { return checkTrusted(folder, name == "folders") })
		switch name {
		case "folders":
			f.trusted.Folders = folders
		case "repositories":
			f.trusted.Repositories = folders
		}
	}
}

// checkTrusted tells what is wrong with a folder that is trusted.
func checkTrusted(folder string, mayBeAny bool) string {
	switch {
	case folder != anyFolder:
		return checkPlace("folder", folder)
	case mayBeAny:
		return ""
	}
	return "all repositories can't be trusted at once; name them, absolute or beginning with ~/"
}

// checkPlace tells what is wrong with the path of a folder or file that only the user's file names.
func checkPlace(noun, path string) string {
	if path == "" {
		return "the " + noun + " is empty; name one, absolute or beginning with ~/"
	}
	if message := checkPathName(noun, path); message != "" {
		return message
	}
	if path != "~" && !strings.HasPrefix(path, "~/") && !filepath.IsAbs(path) && path[0] != '/' {
		return "the " + noun + " must be absolute, or begin with ~/"
	}
	if slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..") {
		return "the " + noun + " must not contain ..; name it as it is"
	}
	return ""
}

// trust returns what a user's file, or nil, allows, with absolute paths. Those below a home
// folder that nobody knows are left out.
func (f *file) trust() Trust {
	if f == nil {
		return Trust{}
	}
	return Trust{resolvedFolders(f.trusted.Folders), resolvedFolders(f.trusted.Repositories)}
}

// hasTrust reports whether a user's file, or nil, says what is trusted.
func (f *file) hasTrust() bool {
	if f == nil {
		return false
	}
	_, ok := f.places["trust"]
	return ok
}

// withTrust adds to an error about a project of others how the user says that it is
// trusted: the line for the user's file, which is given, or nil.
func withTrust(err error, root string, user *file) error {
	e, ok := errors.AsType[*fileerror.Error](err)
	if !ok || e.Code != fileerror.NotOwned {
		return err
	}
	if user != nil && len(user.problems) > 0 { // it may say so, once it is right
		return problemsOf(user)
	}
	name := frontmatter.YAMLText(filepath.ToSlash(root), true)
	line := "add this line to your own sectile/config.yaml: trust: {folders: [" + name + "]}"
	if user.hasTrust() {
		line = "add " + name + " to trust.folders in your own sectile/config.yaml"
	}
	copied := *e
	copied.Hint = "if you trust whoever can write there, " + line
	return &copied
}

// resolvedFolders returns the absolute paths of folders, without those that nobody knows.
func resolvedFolders(folders []string) []string {
	var made []string
	for _, folder := range folders {
		if folder = resolvedFolder(folder); folder != "" {
			made = append(made, folder)
		}
	}
	return made
}

// resolvedFolder returns the absolute path of a folder, "" if it lies below a home folder that
// nobody knows.
func resolvedFolder(folder string) string {
	if folder == anyFolder {
		return folder
	}
	if rest, ok := strings.CutPrefix(folder, "~"); ok {
		home, err := fileinfo.HomeDir()
		if err != nil {
			return ""
		}
		return filepath.Join(home, filepath.FromSlash(rest))
	}
	return filepath.Clean(folder)
}
