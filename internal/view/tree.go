package view

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/viewing"
)

// The list at the side has the documents of folders that are open, and of the others how many
// they hold: a page opens the documents that it shows, and no more, however many there are. What
// a folder holds is a page of its own, which the script puts in its place.

// folder is a folder of documents with those below it.
type folder struct {
	Name, Path string
	Documents  []viewing.Document
	Folders    []*folder
	Count      int // documents in it and below
	Open       bool
	// Shown and Changed say that of a document in it or below something was.
	Shown, Changed bool
	Rest           string // the address of what isn't listed; empty for nothing
}

// Folders of few documents are open at first, where there are not many of them.
const (
	maxOpen    = 100 // documents of a folder that is open
	maxAllOpen = 400 // documents of all
	maxListed  = 500 // documents and folders of a folder that are listed at once
)

// treeOf returns the documents by their folders, which come in the order of the list.
func treeOf(list []viewing.Document) *folder {
	root := &folder{Open: true}
	folders := map[string]*folder{"": root}
	for i := range list {
		d := &list[i]
		f := folders[""]
		root.Count++
		dir, _ := parent(d.Path)
		for at := len(dir) - len(strings.TrimLeft(dir, "/")); at < len(dir); { // it is absolute where another root has the same path
			end := len(dir)
			if next := strings.IndexByte(dir[at:], '/'); next >= 0 {
				end = at + next
			}
			sub := folders[dir[:end]]
			if sub == nil {
				sub = &folder{Name: dir[at:end], Path: dir[:end]}
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

// named returns documents of which nothing but the names is known.
func named(names []string) []viewing.Document {
	list := make([]viewing.Document, len(names))
	for i, name := range names {
		list[i].Path = name
	}
	return list
}

// below returns the names of what lies in a folder. They are in order, so that they stand side
// by side; in the root lies everything.
func below(names []string, dir string) []string {
	if dir == "" {
		return names
	}
	var list []string
	for _, name := range names {
		if strings.HasPrefix(name, dir+"/") {
			list = append(list, name)
		}
	}
	return list
}

// at returns a folder of the tree, nil if there is none.
func (f *folder) at(path string) *folder {
	if f.Path == path {
		return f
	}
	for _, sub := range f.Folders {
		if sub.Path == path || strings.HasPrefix(path, sub.Path+"/") {
			return sub.at(path)
		}
	}
	return nil
}

// list leaves of each open folder what is listed at once: of this one from a number on.
func (f *folder) list(from int) {
	all := len(f.Documents) + len(f.Folders)
	from = min(max(from, 0), all)
	end := min(from+maxListed, all)
	if end < all {
		f.Rest = folderPath(f.Path, end)
	}
	documents := len(f.Documents)
	f.Documents = f.Documents[min(from, documents):min(end, documents)]
	f.Folders = f.Folders[max(from-documents, 0):max(end-documents, 0)]
	for _, sub := range f.Folders {
		if sub.Open {
			sub.list(0)
		} else {
			sub.Rest = folderPath(sub.Path, 0)
		}
	}
}

// each calls do with the documents of open folders.
func (f *folder) each(do func(d *viewing.Document)) {
	if !f.Open {
		return
	}
	for i := range f.Documents {
		do(&f.Documents[i])
	}
	for _, sub := range f.Folders {
		sub.each(do)
	}
}

// mark notes what happened to documents below each folder.
func (f *folder) mark(r *recent) {
	for path := range r.shown {
		f.parents(path, func(of *folder) { of.Shown = true })
	}
	for path := range r.former {
		f.parents(path, func(of *folder) { of.Changed = true })
	}
}

// parents calls do with the folders that a path lies in.
func (f *folder) parents(path string, do func(*folder)) {
	do(f)
	for _, sub := range f.Folders {
		if strings.HasPrefix(path, sub.Path+"/") {
			sub.parents(path, do)
		}
	}
}

// open opens the documents that are listed.
func (f *folder) open(known []viewing.Document) {
	of := make(map[string]*viewing.Document, len(known))
	for i := range known {
		of[known[i].Path] = &known[i]
	}
	f.each(func(d *viewing.Document) {
		if k := of[d.Path]; k != nil {
			*d = *k
		} else {
			d.Problem = "it has gone" // since its name was read
		}
	})
}

// listed returns the names of the documents that are listed.
func (f *folder) listed() []string {
	var names []string
	f.each(func(d *viewing.Document) { names = append(names, d.Path) })
	return names
}

// folderPage is what a folder holds.
type folderPage struct {
	frame

	Tree   *folder
	Up     string // the address of the folder that it lies in; empty for none
	Unread unread
}

// folder answers with what a folder holds.
func (s *site) folder(r *http.Request) (*answer, error) {
	docs, end := s.docs(r.Context())
	defer end()
	path, from := r.URL.Query().Get("path"), numberOf(r.URL.Query().Get("from"))
	names, missing, err := viewing.Names(r.Context(), docs)
	if err != nil {
		return nil, err
	}
	names = below(names, path)
	tree := treeOf(named(names)).at(path)
	if tree == nil || len(names) == 0 {
		return nil, &replies.Error{Code: codeNotFound, Message: replies.Say("there are no documents in a folder %q", replies.Clip(path, replies.MaxShown))}
	}
	recent := s.recently(r.Context(), docs)
	tree.Open = true
	tree.list(from)
	tree.mark(recent)
	list, err := recent.survey(docs, tree.listed(), false)
	if err != nil {
		return nil, err
	}
	tree.open(list)
	p := folderPage{frame: s.newFrame(r, "read", replies.Safe(path)+"/"), Tree: tree, Unread: unreadOf(missing, list)}
	p.Wide = true
	if up, nested := parent(path); nested {
		p.Up = folderPath(up, 0)
	}
	return &answer{template: "folder.html", data: p}, nil
}

// folderPath is the address of what a folder holds, from a number on.
func folderPath(path string, from int) string {
	to := "/folder?path=" + url.QueryEscape(path)
	if from > 0 {
		to += fmt.Sprint("&from=", from)
	}
	return to
}

// parent returns the folder that something lies in, and whether that isn't the root.
func parent(path string) (folder string, nested bool) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], i >= 0
}
