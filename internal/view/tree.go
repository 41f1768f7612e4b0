package view

import (
	"strings"

	"github.com/sectile/sectile/internal/viewing"
)

// folder is a folder of documents with those below it.
type folder struct {
	Name      string
	Documents []viewing.Document
	Folders   []*folder
	Count     int // documents in it and below
	Open      bool
}

// Folders of few documents are open at first, where there are not many of them.
const (
	maxOpen    = 100 // documents of a folder that is open
	maxAllOpen = 400 // documents of all
)

// treeOf returns the documents by their folders, which come in the order of the list.
func treeOf(list []viewing.Document) *folder {
	root := &folder{Open: true}
	folders := map[string]*folder{"": root}
	for i := range list {
		d := &list[i]
		f := folders[""]
		root.Count++
		dir, _, ok := cutLast(d.Path)
		for at := 0; ok && at < len(dir); {
			end := len(dir)
			if next := strings.IndexByte(dir[at:], '/'); next >= 0 {
				end = at + next
			}
			sub := folders[dir[:end]]
			if sub == nil {
				sub = &folder{Name: dir[at:end]}
				folders[dir[:end]] = sub
				f.Folders = append(f.Folders, sub)
			}
			f = sub
			f.Count++
			f.Open = len(list) <= maxAllOpen && f.Count <= maxOpen
			at = end + 1
		}
		f.Documents = append(f.Documents, *d)
	}
	return root
}

// cutLast returns what stands before and after the last slash of a path.
func cutLast(path string) (before, after string, found bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}
