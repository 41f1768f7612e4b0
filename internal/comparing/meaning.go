package comparing

import (
	"cmp"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
)

// checkMeaning returns an error for a word that names a commit beside what else it names: a
// repository can have a folder that is called HEAD. A pattern that names a commit is none.
func (c *comparing) checkMeaning() error {
	word := filepath.ToSlash(c.req.Revision)
	isPath := c.req.Old != "" && (filepath.IsAbs(word) || strings.HasPrefix(word+"/", "./") || strings.HasPrefix(word, "../") || files.IsMarkdown(word))
	if word == "" || isPath || c.req.Old == "" && c.req.Past == nil {
		return nil
	}
	isAsked, err := c.askRepositories()
	if !isAsked {
		return nil
	}
	// Without git or Jujutsu no word is a revision.
	isNone := err != nil && (isUnknown(err) || errors.Is(err, exec.ErrNotFound))
	shown := replies.Clip(replies.Safe(c.req.Revision), replies.MaxShown)
	if c.req.Old != "" && c.isPattern(c.req.Old) { // such as @{u} may be
		if err == nil {
			c.req.Old = ""
			return nil
		}
		c.old = onDisk(c.ctx, c.docs, c.req.Old)
		unmatched := c.unmatched(c.req.Old, c.old)
		switch {
		case isNone && unmatched != nil:
			told := *replies.AsError(err)
			told.Message = told.Message.Then("; and as a path, %s", unmatched.Error())
			return &told
		case unmatched != nil:
			return err
		}
	}
	switch {
	case isNone, err != nil && c.req.Past != nil: // no repository chooses the ids of changes
		return nil
	case err != nil:
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is a path, and whether it is a revision too can't be told: %s; write ./%s for the path", shown, err.Error(), shown)}
	case c.req.Past != nil:
		return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is a revision and the beginning of a change's id; give the whole id, or the whole one of the commit", shown)}
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("%s is a revision and a path; write ./%s for the path, or the whole id of the commit", shown, shown)}
}

// askRepositories asks for the commit of the revision where the documents of the request lie, or would:
// those of a pattern, or of what is gone, in each folder of the host that is left on the way. The error
// is nil if one of the repositories has it, else what one fails at. It is asked nowhere if no folder may
// be looked at.
func (c *comparing) askRepositories() (isAsked bool, err error) {
	host, missing := c.hostOf(c.req.New)
	var folders []string
	add := func(folder, _ string) {
		if folder != "" && c.serves(folder) {
			folders = append(folders, folder)
		}
	}
	if missing == nil {
		add(lastLink(c.asked())) // whose commit may have a document in its place
		folders = append(folders, host)
	} else {
		for _, name := range c.places(c.req.New) {
			add(lastLink(name))
			add(deepest(name))
		}
	}
	for _, folder := range folders {
		_, failed := c.openCommit(folder)
		switch {
		case failed == nil:
			return true, nil
		case err == nil, isUnknown(err):
			err = failed
		}
	}
	return len(folders) > 0, err
}

// isUnknown reports whether an error says that no commit has a name, or that there is no repository, and
// not that it can't be told.
func isUnknown(err error) bool { return replies.AsError(err).Code == "not_found" }

// isPattern reports whether a path reads as a pattern, and names no file or folder.
func (c *comparing) isPattern(path string) bool {
	return isMany(&c.docs, path) && c.docs.Look(path) != documents.AFile && !c.docs.IsFolder(path)
}

// unmatched returns the error for a pattern by which no document is found, beside which all others
// would be told of as added or removed; nil for what is none.
func (c *comparing) unmatched(path string, found *state) error {
	if !c.isPattern(path) {
		return nil
	}
	var first error
	for _, key := range found.order {
		from := found.sources[key]
		if from.err == nil {
			return nil
		}
		first = cmp.Or(first, error(replies.ErrorAbout(from.shown, from.err)))
	}
	return first
}
