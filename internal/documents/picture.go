package documents

import (
	"bytes"
	"errors"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/textfile"
)

// pictures are the kinds of raster images, each by how its files begin.
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

// SVG is the media type of an image that is a document of its own, which may hold scripts: a
// browser runs none of them where it is shown as an image, and must be kept from it elsewhere.
const SVG = "image/svg+xml"

// maxSVG is the size of the largest SVG that is shown, in bytes: it is drawn, and not copied.
const maxSVG = 2 << 20

// Picture returns the image in the file at a path below the roots, of at most so many bytes, and
// its media type. What it is its first bytes say, and never its name. It is reserved until the request
// is answered. The error is an *Error, or that of [Work.ReserveAnswer]; a file that is no such image
// is [fileerror.NotAFile].
func (w *Workspace) Picture(work *Work, path string, most int64) (data []byte, media string, err error) {
	slashed := filepath.ToSlash(path)
	err = &fileerror.Error{Code: fileerror.NotFound, Path: path, Reason: "there is no such picture below the roots"}
	for i, root := range w.Roots() {
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
		if folder, err = w.roots.Folder(i); err != nil {
			return nil, "", err
		}
		data, _, err = folder.Read(&textfile.Reader{Bytes: true, Admit: work.ReserveAnswer}, below, most)
		folder.Close()
		if _, found := errors.AsType[*fileerror.Error](err); err == nil || !found {
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
	if len(data) <= maxSVG && isSVG(data) {
		return data, SVG, nil
	}
	return nil, "", &fileerror.Error{Code: fileerror.NotAFile, Path: path, Reason: "it is no picture that is shown (PNG, JPEG, GIF, WebP, AVIF, SVG)"}
}

// isSVG reports whether a text begins as an SVG does: with the element, before which there may be
// a declaration, comments and a document type that declares nothing itself.
func isSVG(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for {
		data = bytes.TrimLeft(data, " \t\r\n")
		var end string
		switch {
		case bytes.HasPrefix(data, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(data, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(data, []byte("<!DOCTYPE")):
			end = ">"
		default:
			rest, found := bytes.CutPrefix(data, []byte("<svg"))
			return found && len(rest) > 0 && bytes.IndexByte([]byte(" \t\r\n>/"), rest[0]) >= 0
		}
		before, rest, found := bytes.Cut(data, []byte(end))
		if !found || end == ">" && bytes.IndexByte(before, '[') >= 0 { // entities grow without end
			return false
		}
		data = rest
	}
}
