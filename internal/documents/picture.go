package documents

import (
	"bytes"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
)

// pictures are the kinds of raster images that Picture returns, each by how its files begin.
var pictures = []struct {
	media  string
	begins []byte // the signature
	at     int    // where more of it stands
	more   []byte
}{
	{"image/png", []byte("\x89PNG\r\n\x1a\n"), 0, nil},
	{"image/jpeg", []byte("\xff\xd8\xff"), 0, nil},
	{"image/gif", []byte("GIF8"), 0, nil},
	{"image/webp", []byte("RIFF"), 8, []byte("WEBP")},
	{"image/avif", nil, 4, []byte("ftypavif")},
}

// Picture returns the raster image in the file at a path below the roots, of at most so many
// bytes, and its media type. What it is its first bytes say, and never its name. The error is
// an *Error; a file that is no such image is [files.NotAFile].
func (w *Workspace) Picture(path string, most int64) (data []byte, media string, err error) {
	slashed := filepath.ToSlash(path)
	err = &files.Error{Code: files.NotFound, Path: path, Reason: "there is no such picture below the roots"}
	for _, root := range w.Roots() {
		below := slashed
		if filepath.IsAbs(path) {
			if !fileinfo.LiesIn(root, path) {
				continue
			}
			rel, failed := filepath.Rel(root, path)
			if failed != nil {
				continue
			}
			below = filepath.ToSlash(rel)
		}
		var folder *files.Folder
		if folder, err = w.roots.OpenFolder(root, ""); err != nil {
			return nil, "", err
		}
		data, _, err = folder.Read(&files.Reader{Bytes: true}, below, most)
		folder.Close()
		if err == nil {
			break
		}
	}
	if err != nil {
		return nil, "", err
	}
	for _, p := range pictures {
		if bytes.HasPrefix(data, p.begins) && len(data) > p.at && bytes.HasPrefix(data[p.at:], p.more) {
			return data, p.media, nil
		}
	}
	return nil, "", &files.Error{Code: files.NotAFile, Path: path, Reason: "it is no picture that is shown (PNG, JPEG, GIF, WebP, AVIF)"}
}
