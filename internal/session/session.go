// Package session remembers which sections of which documents a reader was shown,
// so that a reply can tell what is still unread and a write can warn; and which text
// of a plan, so that a position in another one is not taken for what it is not.
//
//	s := session.New()
//	s.Delivered(file, doc, lines) // these lines were shown
//	unread := s.Unread(file, doc) // what of the document wasn't
//
// What is remembered are units: what stands before the first section, if it is not
// blank, and each section up to its first subsection, its heading included. A unit
// was shown when each of its lines that is not blank was: at once, or in parts as
// long as it stays the same. So to read a section is to read all below it.
//
// A unit is known by the headings that it stands below and by a hash of its text.
// So a change of the file makes unread what has changed, wherever the rest of it
// has gone: a unit whose place is new counts as the same one if it is nowhere else
// any more.
//
// What the reader writes counts as shown. Who it was that wrote makes no other
// difference: what somebody else has changed stays unread, in the same file and in
// the same section too.
//
// Which file holds what:
//
//   - session.go: the session and what it remembers; unit.go, lines.go: units, and which of
//     their lines were shown; wrote.go: what a reader knows after a write; plan.go: plans
package session

import (
	"container/list"
	"sync"
	"weak"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

const (
	maxFiles = 1_000
	// maxUnits is the number of units of all files together. A unit of which
	// parts were shown counts for each of them too. It makes about 20 MB.
	maxUnits = 200_000
	// maxSections is the number of unread sections that are named.
	maxSections = 10
)

// Session is what one reader was shown. The zero value is not ready; see New. It is
// safe for concurrent use. The documents are those of markdown.Parse, which stay as
// they are.
//
// It remembers so much: 1,000 files and 200,000 units. Beyond that the file that
// was asked about least recently is forgotten first, and what is forgotten is
// unread again.
type Session struct {
	maxFiles, maxUnits int

	mu    sync.Mutex
	files map[string]*list.Element // of *file, by name
	order list.List                // the most recently used first
	units int                      // the size of all files
	last  hashed

	plan Plan
}

// maxHashed is the number of units up to which those of a document are kept.
const maxHashed = 50_000

// hashed are the units of the document that was asked about last: a reply asks
// more than once, and to hash a long document takes some milliseconds.
type hashed struct {
	doc   weak.Pointer[markdown.Document]
	units []unit
}

// file is what was shown of a file, in whatever versions of it.
type file struct {
	name string
	// shown has no lines for a unit that was shown whole, and else those that
	// were: in order, apart, and counted from the unit's first one, which is 0.
	shown shown
	size  int
}

// New returns a session in which nothing was read.
func New() *Session {
	return &Session{maxFiles: maxFiles, maxUnits: maxUnits, files: map[string]*list.Element{}}
}

// NewOfMany returns a session in which nothing was read, of one of many readers.
func NewOfMany() *Session {
	s := New()
	s.plan.oneOfMany = true
	return s
}

// Size returns how much is remembered, in units; 200,000 make about 20 MB.
func (s *Session) Size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.units + len(s.last.units)
}

// Written is a range that a write has changed: where it was, and where it is now.
// Either may be empty.
type Written struct{ Before, After markdown.Span }

// Unread is what was not shown of a document.
type Unread struct {
	// Sections are the first ten in the order of the document, and Total is the
	// number of all.
	Sections []Section
	Total    int
	All      int // sections of the document, without their subsections, unread or not
}

// Section is a section, without its subsections, that was not shown.
type Section struct {
	// Selector is an address, such as "h2.1". What stands before the first
	// section is "@preamble" and has no title.
	Selector, Title string
}

// Delivered notes that the lines of a document were shown, whole; they may be in
// any order, and lines that the document hasn't are left out. File is a name that
// stands for the same file in every call.
func (s *Session) Delivered(file string, doc *markdown.Document, lines []markdown.Lines) {
	lines = within(doc, lines)
	if len(lines) == 0 {
		return
	}
	u := newUnits(doc)
	found := u.holding(lines)
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.open(file)
	for k, parts := range f.with(u, found, lines) {
		s.put(f, doc, k, parts)
	}
}

// Unread returns what was not shown of a document.
func (s *Session) Unread(file string, doc *markdown.Document) Unread {
	return s.UnreadAfter(file, doc, nil)
}

// UnreadAfter returns what Unread would if the lines were delivered, and notes
// nothing.
func (s *Session) UnreadAfter(file string, doc *markdown.Document, lines []markdown.Lines) Unread {
	lines = within(doc, lines)
	u := newUnits(doc)
	all, found := s.all(u), u.holding(lines)
	s.mu.Lock()
	f := s.look(file)
	covered := f.covers(all, f.with(u, found, lines))
	s.mu.Unlock()
	unread := Unread{All: len(all)}
	for i := range all {
		if covered[i] {
			continue
		}
		if unread.Total++; unread.Total <= maxSections {
			unread.Sections = append(unread.Sections, all[i].named(doc))
		}
	}
	return unread
}

// all returns every unit of a document.
func (s *Session) all(u *units) []unit {
	doc := weak.Make(u.doc)
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	if last.doc == doc {
		return last.units
	}
	last = hashed{doc, u.all()}
	if len(last.units) > maxHashed {
		return last.units
	}
	s.mu.Lock()
	s.last = last
	s.mu.Unlock()
	return last.units
}

// named names the unit.
func (u *unit) named(doc *markdown.Document) Section {
	if u.section < 0 {
		return Section{Selector: "@preamble"}
	}
	return Section{address.SelectorOf(doc, address.NodeOfSection(u.section)), doc.SectionTitle(u.section)}
}

// look returns what is known of a file, nil if nothing is.
func (s *Session) look(name string) *file {
	e := s.files[name]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*file)
}

// open returns what is known of a file, which from now on is something.
func (s *Session) open(name string) *file {
	if f := s.look(name); f != nil {
		return f
	}
	f := &file{name: name, shown: shown{}}
	s.files[name] = s.order.PushFront(f)
	for len(s.files) > s.maxFiles {
		s.forget(s.order.Back())
	}
	return f
}

// forget forgets a file.
func (s *Session) forget(e *list.Element) {
	f := e.Value.(*file)
	s.order.Remove(e)
	delete(s.files, f.name)
	s.units -= f.size
}

// put notes which lines of a unit of the document were shown, none for all of
// them, as long as there is room: that of other files, then that of what this one
// no longer has.
func (s *Session) put(f *file, doc *markdown.Document, k key, parts []markdown.Lines) {
	need := 1 + len(parts)
	if before, known := f.shown[k]; known {
		need -= 1 + len(before)
	}
	for s.units+need > s.maxUnits && s.order.Back().Value.(*file) != f {
		s.forget(s.order.Back())
	}
	if s.units+need > s.maxUnits {
		s.prune(f, doc)
		if _, known := f.shown[k]; !known {
			need = 1 + len(parts)
		}
	}
	if s.units+need > s.maxUnits {
		return
	}
	f.shown[k] = parts
	f.size += need
	s.units += need
}

// prune forgets what the document no longer has.
func (s *Session) prune(f *file, doc *markdown.Document) {
	there := map[key]bool{}
	for _, u := range newUnits(doc).all() {
		there[u.key] = true
	}
	for k := range f.shown {
		if !there[k] {
			s.remove(f, k)
		}
	}
}

// remove forgets a unit, if it is known.
func (s *Session) remove(f *file, k key) {
	if parts, known := f.shown[k]; known {
		delete(f.shown, k)
		f.size -= 1 + len(parts)
		s.units -= 1 + len(parts)
	}
}
