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
	host, err := c.hostOf(c.req.New)
	if err != nil { // it is a pattern, or missing
		host, err = c.hostOf(".")
	}
	isAsked := err == nil
	if isAsked {
		_, err = c.openCommit(host)
	}
	// Without git or Jujutsu no word is a revision.
	isNone := err != nil && (replies.AsError(err).Code == "not_found" || errors.Is(err, exec.ErrNotFound))
	shown := replies.Clip(replies.Safe(c.req.Revision), replies.MaxShown)
	if c.req.Old != "" && c.isPattern(c.req.Old) { // such as @{u} may be
		if err == nil {
			c.req.Old = ""
			return nil
		}
		c.old = onDisk(c.ctx, c.docs, c.req.Old)
		unmatched := c.unmatched(c.req.Old, c.old)
		switch {
		case !isAsked:
			return nil
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
