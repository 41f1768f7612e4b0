package editing

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
)

// checkNoGuide refuses the address of a document of guides: what is read by it and a file with
// such a path would be two documents.
func checkNoGuide(path string) error {
	if !documents.IsGuide(path) {
		return nil
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(path), Message: replies.Say("documents of guides are not changed by their addresses; name the file")}
}

// target finds out which file is changed, and whether it is Markdown.
func (e *editing) target() error {
	if len(e.docs.Paths) != 1 {
		return replies.Invalid(replies.Say("name one document"))
	}
	e.path = e.docs.Paths[0]
	if err := checkNoGuide(e.path); err != nil {
		return err
	}
	switch {
	case e.docs.Workspace != nil:
		e.plain = e.docs.Workspace.IsPlain(e.path)
		return nil
	case e.path == documents.Stdin:
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(e.path), Message: replies.Say("standard input can't be changed; name a file")}
	}
	return e.hostTarget()
}

// hostTarget is target for files of the host: the same are Markdown, and the same
// other ones are refused, as below the roots of a server.
func (e *editing) hostTarget() error {
	if err := files.CheckWritable(e.path); err != nil {
		return replies.ErrorAbout(replies.DisplayPath(e.path), err)
	}
	target, err := filepath.EvalSymlinks(e.path)
	if err != nil {
		return nil //nolint:nilerr // opening the file tells what is wrong, in our words
	}
	if info, err := os.Stat(target); err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // the same
	}
	given, there := files.IsMarkdown(filepath.Base(e.path)), files.IsMarkdown(filepath.Base(target))
	e.plain = !given && !there
	switch {
	case given && there:
		return nil
	case !e.options.TextFiles:
		return e.notText("it is no Markdown file (.md, .markdown or .mdx); other text can be changed with --text-files")
	case hasDotName(e.path):
		return e.notText("files and folders whose names begin with a dot are changed if they are Markdown alone")
	}
	return nil
}

// notText is the error for a file that is not to be changed.
func (e *editing) notText(reason string) error {
	return &replies.Error{Code: string(fileerror.NotAFile), Path: e.path, Message: replies.Text(reason)}
}

// hasDotName reports whether a name in a path begins with a dot, other than "."
// and "..".
func hasDotName(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return true
		}
	}
	return false
}
