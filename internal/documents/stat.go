package documents

import (
	"io/fs"
	"os"

	"github.com/sectile/sectile/internal/replies"
)

// Stat returns what the document at path is, without reading it. The error is an *Error.
func (d *Set) Stat(path string) (info fs.FileInfo, err error) {
	if d.Workspace != nil {
		info, err = d.Workspace.roots.Stat(path)
	} else {
		info, err = os.Stat(path)
	}
	if err != nil {
		return nil, replies.ErrorAbout(path, err)
	}
	return info, nil
}
