package links

import (
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/filenames"
)

// What can't be judged is unknown, and never broken: a check that cries wolf is switched
// off.

// Status says what became of a link.
type Status uint8

// The statuses of links.
const (
	OK        Status = iota // it leads to what the target says
	Broken                  // there is nothing where it leads
	Unknown                 // it can't be judged from the documents alone
	Ambiguous               // it fits several documents
	External                // it leads out of the documents; nothing is fetched
)

// String returns "ok", "broken", "unknown", "ambiguous" or "external".
func (s Status) String() string {
	return [...]string{"ok", "broken", "unknown", "ambiguous", "external"}[min(s, External)]
}

// Reason says why a link is broken or unknown, or what is odd about one that is neither.
type Reason string

// The reasons.
const (
	NoFile       Reason = "no_file"        // broken, or unknown where a site may make it
	NotLookedAt  Reason = "not_looked_at"  // unknown: nobody says what is there
	NoAnchor     Reason = "no_anchor"      // broken: the document has no such name
	OtherCase    Reason = "other_case"     // a file, and broken; or an anchor, and found: it differs in case
	OtherForm    Reason = "other_form"     // broken: a file or an anchor that differs in the normal form of Unicode
	Outside      Reason = "outside"        // unknown: it leads out of the folder
	NotSet       Reason = "site_root"      // unknown: nothing says what '/' stands for
	FileAnchor   Reason = "file_anchor"    // unknown: an anchor of what is no document
	MadeAnchor   Reason = "made_elsewhere" // unknown: the document takes parts from elsewhere
	ManyFit      Reason = "many_fit"       // ambiguous
	LineAnchor   Reason = "line"           // unknown: #L10, which forges make of lines
	FolderAnchor Reason = "folder_anchor"  // unknown: an anchor of a folder without a document
	Unread       Reason = "unread"         // unknown: an anchor of a document that is none of the set, or can't be read
)

// OfAnchor reports whether the reason is about an anchor, so that what the path of the link
// names is there.
func (r Reason) OfAnchor() bool {
	switch r {
	case NoAnchor, FileAnchor, MadeAnchor, LineAnchor, FolderAnchor, Unread:
		return true
	}
	return false
}

// Target is what a link leads to.
type Target struct {
	Status Status
	Reason Reason // empty if there is nothing to say
	// Path is that of the document, file or folder, with slashes; of a broken link the one
	// that was looked for. It is empty for what is outside.
	Path string
	// By is the path from which symbolic links lead to Path; empty if none do.
	By string
	// Place is where in the document, nil for all of it; of a link to a name in another normal form
	// the one that it probably means.
	Place *address.Place
	// Others are the paths that fit an ambiguous link.
	Others []string
}

// Reaches reports whether what the path of the link names is there, whatever its anchor is.
func (t *Target) Reaches() bool { return t.Status == OK || t.Reason.OfAnchor() || t.Place != nil }

// Entry says what there is at a path.
type Entry uint8

// What there may be at a path.
const (
	Nothing Entry = iota
	File
	Folder
	Unseen   // nobody can say
	NoFolder // nobody can say, but that it is no folder
	Outer    // it lies outside, as what leads out of the set's folder does
)

// Options say how the links of a set are read. The zero value knows the documents of the
// set alone, and judges links to nothing else.
type Options struct {
	// Look says what there is at a path that is no document of the set; nil for Unseen.
	// Paths are relative to the set's folder, clean, with slashes.
	Look func(name string) Entry
	// Own returns the path of what symbolic links lead to from a path at which Look says that
	// something is, itself if there are none; nil where nobody follows them.
	Own func(name string) string
	// Open returns a document that is none of the set, for the names in it, nil if it can't
	// be read; nil for none. It is called once for each.
	Open func(name string) *Page
	// Root is the folder that paths which begin with '/' are relative to. Where it isn't
	// set it is the set's folder, and what isn't there is unknown.
	Root    string
	HasRoot bool
	// RootOf returns Root and HasRoot for the document at a path, where not all have the same; nil
	// where all have.
	RootOf func(document string) (root string, set bool)
}

// rootOf returns the folder that paths in a document which begin with '/' are relative to, and
// whether that is set.
func (o *Options) rootOf(document string) (root string, set bool) {
	if o.RootOf != nil {
		return o.RootOf(document)
	}
	return o.Root, o.HasRoot
}

// A Set is documents that link to each other. It isn't changed by resolving, which
// several goroutines may do at once when all are added.
type Set struct {
	options Options
	pages   map[string]*Page
	order   []*Page
	folded  map[string]*Page      // by path without case and normal form
	names   map[string]*namesakes // by the name of the file without extension, folded, for wiki links

	mu     sync.Mutex
	opened map[string]*Page // those that are none of the set; nil for what can't be read
}

// NewSet returns a set without documents.
func NewSet(o Options) *Set {
	return &Set{options: o, pages: map[string]*Page{}, folded: map[string]*Page{}, names: map[string]*namesakes{}, opened: map[string]*Page{}}
}

// Add adds a document, or puts it in the place of the one at its path.
func (s *Set) Add(p *Page) {
	if old := s.pages[p.Path]; old != nil {
		*old = *p
		return
	}
	s.pages[p.Path] = p
	s.order = append(s.order, p)
	if key := fold(p.Path); s.folded[key] == nil {
		s.folded[key] = p
	}
	name := fold(strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))
	if s.names[name] == nil {
		s.names[name] = &namesakes{}
	}
	s.names[name].list = append(s.names[name].list, namesake{page: p})
}

// Pages returns the documents in the order in which they were added.
func (s *Set) Pages() []*Page { return s.order }

// Page returns the document at a path, nil if there is none.
func (s *Set) Page(name string) *Page { return s.pages[name] }

// PlacesAt returns the places of the document at a path, none for what is no document.
func (s *Set) PlacesAt(name string) []address.Place {
	if p := s.page(name); p != nil {
		return p.Places.All()
	}
	return nil
}

// fold returns a path without the differences of case and of normal forms.
func fold(s string) string { return strings.ToLower(norm.NFC.String(s)) }

// Resolve returns what a link of a document leads to.
func (s *Set) Resolve(from *Page, l *Link) Target {
	if l.Wiki() {
		return s.resolveWiki(from, l)
	}
	return s.ResolveDestination(from.Path, ParseDestination(l.Destination))
}

// ResolveDestination returns what a destination in a document at a path leads to.
func (s *Set) ResolveDestination(from string, d Destination) Target {
	if d.External {
		return Target{Status: External}
	}
	if d.Path == "" && !d.Rooted {
		return s.withFragment(Target{Path: from}, &d)
	}
	root, set := s.options.rootOf(from)
	name, inside := d.from(from, root)
	if !inside {
		return Target{Status: Unknown, Reason: Outside}
	}
	t := s.file(name, d.Folder)
	if t.Status == Broken && d.Rooted && !set {
		t.Status, t.Reason = Unknown, NotSet
	}
	if t.Status != OK {
		return t
	}
	return s.withFragment(t, &d)
}

// indexes are the documents that stand for their folder.
var indexes = []string{"README.md", "index.md", "readme.md", "Readme.md", "_index.md", "README.markdown", "index.mdx"}

// extensions are those by which a site finds a document under another name or none. What a name says
// itself counts in any case (filenames.IsMarkdown).
var extensions = []string{".md", ".mdx", ".markdown"}

// isDocument reports whether a document is at a path.
func (s *Set) isDocument(name string) bool {
	return s.pages[name] != nil || filenames.IsMarkdown(name) && s.look(name) == File
}

// file returns what there is at a path, or where symbolic links lead from there.
func (s *Set) file(name string, folder bool) Target {
	t := s.named(name, folder)
	if t.Status == OK && s.options.Own != nil && s.pages[t.Path] == nil {
		if own := s.options.Own(t.Path); own != t.Path {
			t.Path, t.By = own, t.Path
		}
	}
	return t
}

// named returns what there is at a path: a document, the one that a site makes of it, a
// file, a folder.
func (s *Set) named(name string, folder bool) Target {
	if s.pages[name] != nil && !folder {
		return Target{Path: name}
	}
	entry := s.look(name)
	switch {
	case entry == Outer:
		return Target{Status: Unknown, Reason: Outside}
	case entry == File && !folder:
		return Target{Path: name}
	case entry == Folder || entry == Unseen:
		if index := s.indexOf(name); index != "" {
			return Target{Path: index}
		}
	}
	if made := s.made(name); made != "" {
		return Target{Path: made}
	}
	if entry == Folder {
		return Target{Path: name}
	}
	nothing := entry == Nothing || s.options.Look == nil
	if p := s.folded[fold(name)]; nothing && p != nil && p.Path != name { // which a slash behind it makes a folder
		t := Target{Status: Broken, Reason: OtherCase, Path: p.Path}
		if norm.NFC.String(p.Path) == norm.NFC.String(name) {
			t.Reason = OtherForm
		}
		return t
	}
	for _, form := range [...]norm.Form{norm.NFC, norm.NFD} {
		if other := form.String(name); other != name && s.look(other) == File {
			return Target{Status: Broken, Reason: OtherForm, Path: other}
		}
	}
	if entry == Unseen || entry == NoFolder {
		return Target{Status: Unknown, Reason: NotLookedAt, Path: name}
	}
	if ext := path.Ext(name); ext == ".html" || ext == "" { // a site may make it of something else
		return Target{Status: Unknown, Reason: NoFile, Path: name}
	}
	return Target{Status: Broken, Reason: NoFile, Path: name}
}

// made returns the document that a site makes the file at a path of, "" if there is none.
func (s *Set) made(name string) string {
	bare, isHTML := strings.CutSuffix(name, ".html")
	if !isHTML && filenames.IsMarkdown(bare) {
		return ""
	}
	for _, ext := range extensions {
		if s.isDocument(bare + ext) {
			return bare + ext
		}
	}
	if isHTML && path.Base(bare) == "index" {
		return s.indexOf(path.Dir(bare))
	}
	return ""
}

// indexOf returns the path of the document that stands for a folder, "" if there is none.
func (s *Set) indexOf(folder string) string {
	for _, index := range indexes {
		if name := path.Join(folder, index); s.isDocument(name) {
			return name
		}
	}
	return ""
}

// page returns the document at a path, nil for what is none.
func (s *Set) page(name string) *Page {
	if p := s.pages[name]; p != nil || s.options.Open == nil || !filenames.IsMarkdown(name) {
		return p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, known := s.opened[name]
	if !known {
		p = s.options.Open(name)
		s.opened[name] = p
	}
	return p
}

// look says what there is at a path that is no document of the set.
func (s *Set) look(name string) Entry {
	if s.options.Look == nil {
		return Unseen
	}
	return s.options.Look(name)
}

// withFragment returns a target with the place in it that a fragment names. Where no place has
// just that name, "top" in any case is the beginning of the document, as to a browser.
func (s *Set) withFragment(t Target, d *Destination) Target {
	name, _ := cutText(d.Fragment)
	if name == "" {
		return t
	}
	isTop := strings.EqualFold(d.Fragment, "top")
	page := s.page(t.Path)
	if page == nil && isTop {
		return t
	}
	if page == nil {
		t.Status, t.Reason = Unknown, FileAnchor
		switch {
		case path.Ext(t.Path) == "":
			t.Reason = FolderAnchor
		case filenames.IsMarkdown(t.Path):
			t.Reason = Unread
		}
		return t
	}
	place, exact := page.Places.Find(name)
	if isTop && (place == nil || !exact) {
		return t
	}
	if place == nil { // GitHub puts this before names that are written down
		place, exact = page.Places.Find(strings.TrimPrefix(name, "user-content-"))
	}
	switch {
	case place == nil && isLineAnchor(name):
		t.Status, t.Reason = Unknown, LineAnchor
	case place == nil && page.Open:
		t.Status, t.Reason = Unknown, MadeAnchor
	case place == nil:
		t.Status, t.Reason = Broken, NoAnchor
	default:
		t.Place = place
		switch {
		case exact:
		case anchors.Lower(place.Name) == anchors.Lower(name):
			t.Reason = OtherCase
		default:
			t.Status, t.Reason = Broken, OtherForm
		}
	}
	return t
}

// isLineAnchor reports whether a fragment is "L10", "L10-L20" or "L10C3-L20C4".
func isLineAnchor(s string) bool {
	if len(s) < 2 || s[0] != 'L' || s[1] < '0' || s[1] > '9' {
		return false
	}
	return strings.Trim(s, "LC-0123456789") == ""
}

// resolveWiki returns what a wiki link leads to: a document by its path, from the folder of its own
// alone if it begins with "./" or "../", or by its name wherever it lies. No site makes anything of a
// name without an extension.
func (s *Set) resolveWiki(from *Page, l *Link) Target {
	name, fragment, has := strings.Cut(l.Destination, "#")
	d := Destination{Fragment: strings.TrimSpace(fragment), HasFragment: has}
	name = strings.TrimSpace(name)
	if name == "" {
		return s.withFragment(Target{Path: from.Path}, &d)
	}
	if isRelative(name) {
		t := Target{Status: Unknown, Reason: Outside}
		if at := path.Join(path.Dir(from.Path), name); at != ".." && !strings.HasPrefix(at, "../") {
			t = s.file(at, false)
		}
		switch {
		case t.Status == OK:
			return s.withFragment(t, &d)
		case t.Reason == NoFile, t.Reason == NotLookedAt && namesNote(name):
			t.Status, t.Reason = Broken, NoFile
		}
		return t
	}
	clean := path.Clean("/" + name)[1:]
	missing := Target{Status: Broken, Reason: NoFile, Path: clean}
	for _, base := range []string{"", path.Dir(from.Path)} {
		t := s.file(path.Join(base, clean), false)
		if t.Status == OK {
			return s.withFragment(t, &d)
		}
		if t.Reason == NotLookedAt && !namesNote(clean) {
			missing.Status, missing.Reason = t.Status, t.Reason
		}
	}
	bare := strings.TrimSuffix(clean, ".md")
	fit := s.names[fold(path.Base(bare))].endingWith(bare)
	switch len(fit) {
	case 0:
		return missing
	case 1:
		return s.withFragment(Target{Path: fit[0].Path}, &d)
	}
	t := Target{Status: Ambiguous, Reason: ManyFit, Path: clean}
	for _, p := range fit {
		t.Others = append(t.Others, p.Path)
	}
	slices.Sort(t.Others)
	return t
}

// namesNote reports whether the name in a wiki link is that of a document without its extension: what
// stands behind its last dot, if it has one, is no extension with a blank in it, or of digits alone.
func namesNote(name string) bool {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	return strings.Contains(ext, " ") || strings.Trim(ext, "0123456789") == ""
}

// isRelative reports whether the name in a wiki link is a path from the folder of its document.
func isRelative(name string) bool {
	return strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
}
