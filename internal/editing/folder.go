package editing

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A folder moves with all of its documents, as one change: each is found at the same path in the
// new one, and all links of and to any of them lead where they led. Files that are no documents
// stay, and symbolic links, for nothing here could say what else needs them; links of documents to
// them are changed too. Documents that lists leave out move with the others, but for those in
// folders that ignore files name, which are mostly made or fetched by programs with files of theirs.

// folder is such a move in work.
type folder struct {
	*document

	from, at string
	named    string   // at, as the request has it
	top      string   // the folder that from is on the host, below several roots
	list     []string // the documents, by the names that their files have
	labels   []string // how a difference calls them there
	fresh    []string // where they lie afterwards
	folders  map[string]int
	moved    map[string]string
	unmake   []func()
}

// folderData is what was done, in JSON.
type folderData struct {
	FilePath string `json:"file_path"`
	Action   string `json:"action"`
	From     string `json:"from"`

	fate

	Moved        []otherData `json:"moved"` // the documents, where they are now
	LinksChanged int         `json:"links_changed,omitempty"`
	Documents    []otherData `json:"documents,omitempty"` // others, in which links were changed
	Kept         []string    `json:"kept,omitempty"`
	Warnings     []string    `json:"warnings,omitempty"`
	Diff         string      `json:"diff,omitempty"`
}

// moveFolder moves the documents of a folder.
func moveFolder(ctx context.Context, d *document) (*EditReply, error) {
	f := &folder{document: d, folders: map[string]int{}, moved: map[string]string{}}
	d.links = cmp.Or(d.req.Links, linking.UpdateLinks)
	err := f.find(ctx)
	if err == nil {
		err = f.run(ctx)
	}
	if err != nil {
		for _, unmake := range slices.Backward(f.unmake) {
			unmake()
		}
		return nil, replies.Unwritten(d.failure(err))
	}
	d.rememberOthers()
	return f.reply(ctx)
}

// find finds the documents, and where each goes.
func (f *folder) find(ctx context.Context) error {
	docs := f.docs
	f.path = docs.Paths[0]
	f.from = path.Clean(filepath.ToSlash(f.path))
	f.at = path.Clean(filepath.ToSlash(f.req.To))
	if listed := docs.Listed(f.at); listed != f.from { // else it is the same folder in another case, as below
		f.at = listed
	}
	if docs.IsFolder(f.req.To) && !strings.EqualFold(f.at, f.from) {
		f.at = path.Join(f.at, path.Base(f.from))
	}
	f.named = f.at
	if docs.Workspace != nil { // whose documents are found by their paths in it
		f.from, f.at = path.Clean(filepath.ToSlash(docs.Straight(f.from))), path.Clean(filepath.ToSlash(docs.Straight(f.at)))
	}
	refuse := func(code string, message replies.Sentence) error {
		return &replies.Error{Code: code, Path: replies.DisplayPath(f.path), Message: message}
	}
	switch itself := filepath.ToSlash(docs.Straight(f.from)); {
	case f.req.ExpectedVersion != "":
		return refuse(replies.CodeInvalidArgument, replies.Say("%s is of one document, and this is a folder; leave it out", replies.ExpectedVersion))
	case f.from == "." || f.from == ".." || strings.HasSuffix(f.from, "/..") || path.Dir(f.from) == f.from:
		return refuse(replies.CodeInvalidArgument, replies.Say("it holds the working directory, or a root; name a folder in it"))
	case path.Base(itself) != path.Base(f.from):
		return refuse(string(fileerror.NotAFile), replies.Say("it is a link to %s; name that", replies.Safe(replies.DisplayPath(itself))))
	case f.at == f.from || docs.IsBelow(f.from, f.at):
		return refuse(replies.CodeInvalidArgument, replies.Say("a folder can't move into itself"))
	case docs.IsFolder(f.at) || docs.Look(f.at) == documents.AFile:
		return taken(f.from, f.at)
	case files.IsMarkdown(path.Base(f.at)):
		return refuse(replies.CodeInvalidArgument, replies.Say("%s has the name of a document, and this is a folder", replies.ToPath))
	}
	docs.Paths = []string{f.from}
	docs.Walk.Hidden, docs.Walk.IgnoredFiles = true, true
	for name, err := range docs.Find(ctx) {
		if err != nil {
			return err
		}
		if f.isProtected(name) {
			continue
		}
		if len(f.list) == maxChanged {
			return refuse(replies.CodeTooComplex, replies.Say("it has more than %d documents; move its folders one by one", maxChanged))
		}
		if err := f.add(name); err != nil {
			return err
		}
	}
	if len(f.list) == 0 {
		return refuse(replies.CodeFileNotFound, replies.Say("no documents are in this folder"))
	}
	return nil
}

// isProtected reports whether a document is never written, so that it stays.
func (f *folder) isProtected(name string) bool {
	if f.docs.Workspace != nil {
		return f.docs.Workspace.FileRoots().WriteProtection(name) != ""
	}
	return files.CheckWritable(name) != nil
}

// stays says why the folder is still there, after the move, with the first document in it that
// lists have.
func (f *folder) stays(ctx context.Context) string {
	docs, such := f.docs, ""
	docs.Paths, docs.Walk.Hidden, docs.Walk.NoIgnore = []string{cmp.Or(f.top, f.from)}, true, true
	for name, err := range docs.Find(ctx) {
		if err == nil {
			such = ", such as " + shownPath(replies.DisplayPath(name))
			break
		}
	}
	return fmt.Sprintf("%s stays: files that are no documents, symbolic links, protected documents, and those in folders that ignore files name don't go with it%s", shownPath(replies.DisplayPath(f.from)), such)
}

// add adds a document.
func (f *folder) add(name string) error {
	below, err := filepath.Rel(filepath.FromSlash(f.from), filepath.FromSlash(name))
	isIn := err == nil && filepath.IsLocal(below)
	if w := f.docs.Workspace; isIn && w != nil && w.HasSeveralRoots() {
		top := strings.TrimSuffix(filepath.ToSlash(w.Host(name)), filepath.ToSlash(below))
		f.top = cmp.Or(f.top, top)
		isIn = top == f.top
	}
	if !isIn && f.docs.Workspace != nil && f.docs.Workspace.HasSeveralRoots() {
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(f.from), Message: replies.Say("several roots have a folder with this path, or it lies in a root within another one, where it has another path; move its documents one by one")}
	}
	if !isIn {
		return &replies.Error{Code: replies.CodeInvalidArgument, Path: replies.DisplayPath(name), Message: replies.Say("it lies in the folder by a link; name the folder by the path that it has")}
	}
	below = filepath.ToSlash(below)
	from, to := f.docs.Straight(f.from), path.Join(f.named, below)
	own := f.docs.Straight(name)
	if filepath.ToSlash(own) != path.Join(filepath.ToSlash(from), below) {
		return &replies.Error{Code: string(fileerror.NotAFile), Path: replies.DisplayPath(name), Message: replies.Say("it is a link to %s, and would lead elsewhere; move it first, or remove it", replies.Safe(replies.DisplayPath(own)))}
	}
	for _, p := range []string{name, to} {
		if err := checkDocument(&f.docs, p); err != nil {
			return err
		}
	}
	f.list, f.labels, f.fresh = append(f.list, own), append(f.labels, labelOf(&f.docs, own)), append(f.fresh, to)
	f.folders[own] = strings.Count(below, "/") + 1
	for dir := below; dir != "."; { // the folders on the way to it, and the folder itself
		dir = path.Dir(dir)
		f.moved[path.Join(filepath.ToSlash(from), dir)] = path.Join(f.at, dir)
	}
	return nil
}

// run makes the move.
func (f *folder) run(ctx context.Context) error {
	docs, fresh := f.docs, map[string]bool{} // folders that are made
	for i, to := range f.fresh {
		own := f.list[i]
		made, unmake, err := docs.MakeFolders(ctx, to, docs.FolderModes(own, f.folders[own]), f.options.DryRun)
		if err != nil {
			return err
		}
		f.unmake = append(f.unmake, unmake)
		dir := path.Dir(to)
		for range made {
			fresh[dir] = true
			dir = path.Dir(dir)
		}
		f.fresh[i] = docs.Straight(to)
		for dir = path.Dir(to); fresh[dir]; dir = path.Dir(dir) {
			f.folders[f.fresh[i]]++
		}
	}
	docs.Paths = append(append(docs.Paths[:0:0], f.list...), f.fresh...)
	f.phase = looking
	t := linking.Together{
		Docs: docs, Links: f.links, Fresh: f.fresh, Folders: f.folders, Moved: f.moved, DryRun: f.options.DryRun,
		Make: func(_ context.Context, was []*markdown.Document) (*linking.Made, error) { return f.made(was) },
	}
	var err error
	if f.done, err = t.Run(ctx); err != nil {
		return err
	}
	f.take(f.done)
	return nil
}

// made returns the documents with where they are afterwards.
func (f *folder) made(was []*markdown.Document) (*linking.Made, error) {
	made := &linking.Made{}
	for k, from := range f.list {
		if was[len(f.list)+k] != nil {
			return nil, linking.Exists(f.fresh[k])
		}
		made.Docs = append(made.Docs, movedWhole(from, f.fresh[k], was[k], k))
	}
	return made, nil
}

// reply tells what was moved. The error is that of a preview, an *Error.
func (f *folder) reply(ctx context.Context) (*EditReply, error) {
	data := folderData{
		FilePath: replies.DisplayPath(f.at), From: replies.DisplayPath(f.from), Action: f.action, fate: f.fate(),
		LinksChanged: f.done.Links, Documents: othersOf(f.others), Kept: f.kept.Paths(), Warnings: f.common(),
	}
	diff := f.differences()
	if f.options.wantsDiff() {
		diff.addOthers(&f.docs, f.others)
	}
	for i := range f.done.Docs {
		one := &f.done.Docs[i]
		data.Moved = append(data.Moved, otherData{FilePath: replies.DisplayPath(one.Now), Version: one.Result.Doc.Version()})
		if to := labelOf(&f.docs, one.Now); f.options.wantsDiff() {
			diff.add(one.Now, linediff.Renamed(one.Result.Diff(to), f.labels[i], to))
		}
	}
	if data.Written && f.docs.IsFolder(cmp.Or(f.top, f.from)) { // of several roots another may have its path now
		data.Warnings = append(data.Warnings, f.stays(ctx))
	}
	data.Warnings = append(data.Warnings, replies.UnseenIn(diff.text)...)
	h := replies.Head(fmt.Sprintf("%s %s%s, %s%s\n", shownPath(data.FilePath), done(data.Action, data.Written), fromPath(data.From),
		replies.Plural(len(data.Moved), "document"), data.ending()))
	if data.LinksChanged > 0 {
		h.Add("links changed", data.LinksChanged)
	}
	addOthers(&h, data.Documents)
	addWarnings(&h, data.Warnings)
	return f.shown(h, diff, func(shown string) any {
		data.Diff = shown
		return data
	})
}
