package linking

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/project"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Paths in a set are relative to one folder, with slashes: that of the project, or of the
// documents if they lie outside of it; in a server, its root, or the one around its roots. In replies
// they are as somebody at the working directory writes them.

// scan is the documents of a request as a set.
type scan struct {
	docs    documents.Set
	set     *links.Set
	base    string            // the folder, absolute; empty in a server with one root
	sites   []project.Site    // of a server that has several roots, or one below what is set as the root of links: their paths in the set
	placed  sync.Map          // the paths in the set, by those below several roots
	project string            // the folder of the project, or the working directory; absolute
	working string            // the working directory, absolute, by the name that the system has for it
	options links.Options     // of the set
	shown   map[string]string // the paths of the request by those of the set
	changed map[string]string // in a change: those of the set, and of folders above, folded

	mu    sync.Mutex
	small int64 // bytes of small pages for which nothing is reserved yet
	seen  map[string]sight
	pages []*links.Page

	near *neighbours // what is known for nearest; nil before it is asked for
}

// What a scan opens of what links lead to.
const (
	alone    = false // the documents of the request and no others
	together = true  // other documents too, for the names in them
)

// newScan returns a scan that has read nothing yet.
func newScan(ctx context.Context, docs documents.Set, opens bool) (*scan, error) {
	s := &scan{docs: docs, shown: map[string]string{}, seen: map[string]sight{}}
	if !opens { // what changes is meant by whatever name it is given
		s.docs.Paths = make([]string, len(docs.Paths))
		for i, path := range docs.Paths {
			s.docs.Paths[i] = docs.Straight(path)
		}
	}
	options := links.Options{Look: s.look, Own: s.own}
	if opens {
		options.Open = s.open
	}
	if err := s.placeSites(ctx, &options); err != nil {
		return nil, err
	}
	s.set, s.options = links.NewSet(options), options
	if !opens {
		s.changed = map[string]string{}
		for _, changed := range s.docs.Paths {
			in := s.inSet(changed)
			if len(in) > maxListed {
				continue
			}
			for ; in != path.Dir(in); in = path.Dir(in) {
				s.changed[folded(in)] = in
			}
		}
	}
	return s, nil
}

// placeSites says what the paths of the set are relative to, and those in it that begin with '/'.
func (s *scan) placeSites(ctx context.Context, options *links.Options) error {
	unusable := func(err error) error {
		return &replies.Error{Code: replies.CodeConfiguration, Message: replies.Text(err.Error()), Err: err}
	}
	if s.docs.Workspace != nil {
		sites, err := project.Sites(ctx, s.docs.Workspace.FileRoots())
		if err != nil {
			return unusable(err)
		}
		s.placeRoots(sites, options)
		return nil
	}
	settings, err := project.Links(ctx, "")
	if err != nil {
		return unusable(err)
	}
	if s.working, err = filepath.Abs("."); err != nil {
		return replies.ErrorAbout("", err)
	}
	// Links may have led there, and ".." leads up from where they lead.
	s.working = s.docs.Listed(s.docs.Straight(s.working))
	s.project = s.working
	if settings.Folder != "" && settings.Folder != s.working { // which is listed already
		s.project = s.docs.Listed(s.docs.Straight(settings.Folder))
	}
	s.base = s.common(s.project)
	site := s.project
	if options.HasRoot = settings.Root != ""; options.HasRoot {
		site = s.docs.Listed(s.docs.Straight(filepath.Join(site, settings.Root)))
	}
	options.Root = s.inSet(site)
	return nil
}

// maxListed is the number of bytes of a path that a system without differences of case may have.
const maxListed = 4096

// folded returns a path without the differences of case and of Unicode forms.
func folded(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// listed returns the path of what changes, or of a folder above, for one by which the system finds
// the same file or folder, in another case or Unicode form; any other as it is.
func (s *scan) listed(name string) string {
	to := s.changed[folded(name)]
	if to == "" || to == name || s.inSet(s.docs.Listed(s.path(name))) != to {
		return name
	}
	return to
}

// common returns the folder, or the one around it in which all paths of the request lie.
func (s *scan) common(folder string) string {
	for _, path := range s.docs.Paths {
		abs := s.absolute(path)
		if path == documents.Stdin {
			continue
		}
		for !below(folder, abs) && filepath.Dir(folder) != folder {
			folder = filepath.Dir(folder)
		}
	}
	return folder
}

// below reports whether a path is a folder or lies in it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// inSet returns the path in the set of a path of the system.
func (s *scan) inSet(path string) string {
	if s.sites != nil {
		return s.place(path)
	}
	if s.docs.Workspace != nil {
		return filepath.ToSlash(filepath.Clean(path))
	}
	if s.base == s.working && filepath.IsLocal(path) {
		return filepath.ToSlash(filepath.Clean(path))
	}
	abs := s.absolute(path)
	if rel, err := filepath.Rel(s.base, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// absolute returns the absolute path of one as somebody at the working directory writes it.
func (s *scan) absolute(path string) string {
	if clean := filepath.Clean(path); filepath.IsLocal(clean) || clean == ".." || strings.HasPrefix(clean, ".."+string(filepath.Separator)) {
		return filepath.Join(s.working, clean)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// path returns the path of the system of one in the set, as it is shown.
func (s *scan) path(name string) string {
	if shown, ok := s.shown[name]; ok {
		return shown
	}
	switch {
	case s.sites != nil:
		return s.docs.Workspace.Called(filepath.Join(s.base, filepath.FromSlash(name)))
	case s.docs.Workspace != nil:
		return name
	}
	abs := filepath.Join(s.base, filepath.FromSlash(name))
	if rel, err := filepath.Rel(s.working, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// sight is what there is at a path of the set, and the path in it without symbolic links on the
// way: what is given two names is one document. Beyond says that one of them leads out of the
// folder of the set, where nothing is looked at.
type sight struct {
	entry  links.Entry
	own    string
	beyond bool
}

// look says what there is at a path of the set, for links.Options.
func (s *scan) look(name string) links.Entry { return s.see(name).entry }

// own returns the path of what symbolic links lead to from a path of the set; that path itself if
// they lead out of the folder of the set, or from a document to what is none.
func (s *scan) own(name string) string { return s.see(name).own }

// see says what there is at a path of the set; each is looked at once, from the outermost folder
// down to what is missing: nothing lies in that, and however deep a path says that it goes, it
// takes one look.
func (s *scan) see(name string) sight {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs.Workspace != nil {
		return s.seeIn(sight{}, name)
	}
	in, known := s.seen[path.Dir(name)]
	for i := 1; i < len(name) && !known; i++ {
		if name[i] != '/' {
			continue
		}
		if in = s.seeIn(in, name[:i]); in.holdsNothing() {
			return in.lacking(name[i:])
		}
	}
	if known && in.holdsNothing() {
		return in.lacking(path.Base(name))
	}
	return s.seeIn(in, name)
}

// holdsNothing reports whether there is nothing below a path, or nothing that is looked at.
func (is sight) holdsNothing() bool {
	return is.entry == links.Nothing || is.entry == links.File || is.entry == links.Outer
}

// lacking returns what there is at a path below one that holds nothing.
func (is sight) lacking(below string) sight {
	is.own = path.Join(is.own, below)
	if is.entry == links.File {
		is.entry = links.Nothing
	}
	return is
}

// seeIn is see for a path in a folder, and for who has the lock.
func (s *scan) seeIn(folder sight, name string) sight {
	is, known := s.seen[name]
	if known {
		return is
	}
	is = sight{own: name, beyond: folder.beyond}
	if folder.own != "" {
		is.own = path.Join(folder.own, path.Base(name))
	}
	if at := s.path(is.own); at == "" {
		is.entry = links.Outer
	} else {
		kind, own := s.docs.Own(at)
		if own != at {
			in := s.inSet(own)
			is.beyond = is.beyond || !filepath.IsLocal(in)
			if filepath.IsLocal(in) && (kind == documents.AFolder || files.IsMarkdown(path.Base(in)) || !files.IsMarkdown(path.Base(name))) {
				is.own = in
			}
		}
		is.own = s.listed(is.own)
		if is.entry = entries[kind]; is.beyond {
			is.entry = links.Outer
		}
	}
	s.seen[name] = is
	return is
}

// open returns a document that the request doesn't name, nil if it can't be read, or isn't for
// what another one says.
func (s *scan) open(name string) *links.Page {
	at := s.path(name)
	if s.docs.Workspace == nil && !files.MayFollow(s.base, s.absolute(at)) {
		return nil
	}
	one := s.docs
	worker := one.Worker()
	defer worker.Close()
	doc, err := worker.Open(at)
	if err != nil {
		return nil
	}
	page, err := s.page(name, doc)
	if err != nil {
		return nil
	}
	return page
}

// page returns the links and names of a document, for which memory is reserved.
func (s *scan) page(name string, doc *markdown.Document) (*links.Page, error) {
	if mostPageBytes(doc) > SmallPage {
		if size := PageBytes(doc); size > SmallPage {
			if err := s.docs.Work.HoldBytes(size, doc); err != nil {
				return nil, err
			}
			return links.NewPage(name, doc), nil
		}
	}
	page := links.NewPage(name, doc)
	return page, s.hold(pageBytes(page), doc)
}

// hold reserves memory for small pages, as soon as together they take much.
func (s *scan) hold(size int64, doc *markdown.Document) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.small += size
	if s.small <= SmallPage {
		return nil
	}
	err := s.docs.Work.HoldBytes(s.small, doc)
	if err == nil {
		s.small = 0
	} else {
		s.small -= size // it is given up
	}
	return err
}

// pageBytes returns about how much memory a page takes, and what its links lead to.
func pageBytes(p *links.Page) int64 {
	const perPage, perLink, perPlace = 1 << 10, 350, 200
	return perPage + perLink*int64(len(p.Links)) + perPlace*int64(len(p.Places.All()))
}

// SmallPage is the number of bytes up to which links and names are part of what the program
// itself takes.
const SmallPage = 256 << 10

// What a page takes for each sign of a link or name, and for each byte of its document.
const perSign, perByte = 400, 2

// PageBytes returns about how much memory it takes to find the links and names of a
// document, and what they lead to.
func PageBytes(doc *markdown.Document) int64 {
	n := signs(doc) + bytes.Count(doc.Source, []byte("www."))
	return perSign*int64(n) + perByte*int64(len(doc.Source)) + int64(address.LinkBytes(doc)+address.PlaceBytes(doc))
}

// mostPageBytes returns a number of bytes that PageBytes doesn't exceed, in a fraction of the
// time.
func mostPageBytes(doc *markdown.Document) int64 {
	n := signs(doc) + bytes.Count(doc.Source, []byte("w"))/len("www")
	return perSign*int64(n) + perByte*int64(len(doc.Source)) + int64(address.LinkBytes(doc)+address.MostPlaceBytes(doc))
}

// signs returns how many signs of links and names are in a document, but that of a host.
func signs(doc *markdown.Document) int {
	n := 0
	for _, sign := range []string{"[", "<", ":", "@"} {
		n += bytes.Count(doc.Source, []byte(sign))
	}
	for i := range doc.Blocks {
		if doc.Blocks[i].Kind == markdown.Heading {
			n++
		}
	}
	return n
}

// read reads the documents of the request into the set. Emit is called with those that
// can't be read, in order.
func (s *scan) read(ctx context.Context, failed func(*replies.Error) error) error {
	r := documents.Renderer{Document: func(dst []byte, doc *markdown.Document, path string) ([]byte, error) {
		name := s.inSet(path)
		if s.docs.Workspace == nil || len(s.docs.Paths) == 1 { // all of a workspace are found by no link
			name = s.own(name)
		}
		page, err := s.page(name, doc)
		if err != nil {
			return dst, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, twice := s.shown[name]; !twice {
			s.shown[name] = path
			s.pages = append(s.pages, page)
		}
		return dst, nil
	}}
	err := s.docs.Each(ctx, r, func(part documents.Part) error {
		for _, e := range part.Errors {
			if err := failed(e); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(s.pages, func(a, b *links.Page) int { return strings.Compare(a.Path, b.Path) })
	for _, p := range s.pages {
		s.set.Add(p)
	}
	return err
}

var entries = [...]links.Entry{
	documents.Nothing: links.Nothing, documents.AFile: links.File, documents.AFolder: links.Folder, documents.Unseen: links.Unseen, documents.NoFolder: links.NoFolder,
}
