package viewing

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Document is a document as a list shows it.
type Document struct {
	Path, Title  string
	Lines, Words int
	// Units are its sections, each for itself, and what stands before the first.
	Units Tally
	// Sections are in the order of the document, if they were asked for.
	Sections []Section
	// Problem says why it can't be read; then nothing else is known.
	Problem string
}

// Name is the last name of its path.
func (d Document) Name() string { return path.Base(d.Path) }

// Tally counts sections, each without its subsections.
type Tally struct{ All, Shown, Changed int }

// Section is a section with its subsections. Lines count from 1 and are inclusive.
type Section struct {
	Title       string
	At          string // an address of it in its document
	ID          string // that its heading has in HTML
	Level       int
	Depth       int // how many sections it stands in
	First, Last int
	Words       int // with its subsections
	OwnWords    int // without
	Shown       bool
	Changed     bool
	Current     bool // it is the one that is shown, or stands in it
	Open        bool // the one that is shown stands in it
	HasBelow    bool
}

// Lately is what happened to a document within the time that the page tells of. The zero value
// is nothing.
type Lately struct {
	// Hashes are those of the sections that readers were shown, without their subsections.
	Hashes map[string]time.Time
	// Before are the hashes of the sections that the document had before the first change, as
	// Hashes returns them; nil if there was none.
	Before map[string]bool
}

// Names returns the names of all documents, in the order of their folders and names. None is
// opened for that. What can't be looked at, such as a root that was replaced or a folder, is
// unread, with its problem; if there is nothing else, it is the error, an *Error. It is the
// context's if that ends.
func Names(ctx context.Context, docs documents.Set) (names []string, unread []Document, err error) {
	var first error
	docs.Paths = nil
	for path, err := range docs.Find(ctx) {
		if err == nil {
			names = append(names, path)
			continue
		}
		e := replies.ErrorAbout(path, err)
		if first == nil {
			first = e
		}
		unread = append(unread, Document{Path: path, Title: path, Problem: e.Message.String()})
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case len(names) == 0 && first != nil:
		return nil, nil, first
	}
	slices.SortFunc(names, compare)
	return names, unread, nil
}

// Survey returns documents, in the order of their folders and names. Lately is asked for each
// of them. The error is an *Error or the context's.
func Survey(ctx context.Context, docs documents.Set, names []string, sections bool, lately func(path string) Lately) ([]Document, error) {
	if len(names) == 0 {
		return nil, nil
	}
	docs.Paths = names
	var mu sync.Mutex
	var list []Document
	var taken documents.Taken
	r := documents.Renderer{Document: func(dst []byte, doc *markdown.Document, name string) ([]byte, error) {
		d := Document{Path: name, Lines: doc.LineCount, Title: titleOf(doc, name)}
		m := marks(lately(name))
		own := d.count(doc, &m)
		mu.Lock()
		defer mu.Unlock()
		if sections {
			if err := taken.Add(docs.Work, sectionsBytes(doc)); err != nil {
				return dst, err
			}
			d.Sections = sectionsOf(doc, own, &m)
		}
		list = append(list, d)
		return dst, nil
	}}
	err := docs.Each(ctx, r, func(part documents.Part) error {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range part.Errors {
			list = append(list, Document{Path: e.Path, Title: e.Path, Problem: e.Message.String()})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Document) int { return compare(a.Path, b.Path) })
	return list, nil
}

// compare compares paths: files come before the folders beside them, each by its name.
func compare(a, b string) int {
	for {
		x, restA, inA := strings.Cut(a, "/")
		y, restB, inB := strings.Cut(b, "/")
		switch {
		case inA != inB && inB:
			return -1
		case inA != inB:
			return 1
		case x != y:
			return strings.Compare(x, y)
		case !inA:
			return 0
		}
		a, b = restA, restB
	}
}

// count notes words and units of a document, and returns how many words each section has for
// itself.
func (d *Document) count(doc *markdown.Document, m *marks) []int {
	own := make([]int, len(doc.Sections))
	for i := range doc.Sections {
		own[i] = replies.CountWords(doc.Text(doc.BodySpan(i)))
		d.Words += own[i]
		d.Units.add(m.of(doc.BodyHash(i)))
	}
	preamble := doc.Text(doc.Preamble())
	if n := replies.CountWords(preamble); n > 0 {
		d.Words += n
		d.Units.add(m.of(markdown.Hash(preamble)))
	}
	return own
}

func (t *Tally) add(shown, changed bool) {
	t.All++
	if shown {
		t.Shown++
	}
	if changed {
		t.Changed++
	}
}

// sectionsBytes is about how much memory the sections of a document take until a page of them is sent.
func sectionsBytes(doc *markdown.Document) int64 {
	const each = 640
	return int64(len(doc.Sections)) * each
}

// sectionsOf returns the sections of a document.
func sectionsOf(doc *markdown.Document, own []int, m *marks) []Section {
	list := make([]Section, len(doc.Sections))
	anchors := address.Anchors(doc)
	ordinals := replies.Ordinals(doc)
	for i := len(list) - 1; i >= 0; i-- {
		s, lines := &doc.Sections[i], doc.SectionLines(i)
		list[i] = Section{
			Title: replies.Safe(replies.Clip(doc.SectionTitle(i), maxTitle)), Level: int(s.Level), First: lines.First, Last: lines.Last,
			OwnWords: own[i], HasBelow: int(s.Next) > i+1,
		}
		list[i].At, list[i].ID = addressOf(anchors[i], int(s.Level), ordinals[i])
		list[i].Shown, list[i].Changed = m.of(doc.BodyHash(i))
		list[i].Words += own[i]
	}
	for i := range list { // parents come first
		for p := doc.Sections[i].Parent; p >= 0; p = doc.Sections[p].Parent {
			list[i].Depth++
			list[p].Words += own[i]
		}
	}
	return list
}

// maxTitle is the number of characters of a title that are shown.
const maxTitle = 200

// marks tell which sections were shown and which were changed.
type marks Lately

// of returns what a text of a section is.
func (m *marks) of(hash string) (shown, changed bool) {
	_, shown = m.Hashes[hash]
	return shown, m.Before != nil && !m.Before[hash]
}

// hashBytes is the memory that a hash takes among others.
const hashBytes = 128

// Hashes returns the hashes of the sections of a text, each without its subsections, and of what
// stands before the first. What they take is added to what the request has taken. It may wait for
// memory: no document is to be open.
func Hashes(work *documents.Work, text documents.Stored, taken *documents.Taken) (map[string]bool, error) {
	doc, lease, err := work.ParseStored(text)
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	if err := taken.Add(work, int64(len(doc.Sections)+1)*hashBytes); err != nil {
		return nil, err
	}
	hashes := make(map[string]bool, len(doc.Sections)+1)
	for i := range doc.Sections {
		hashes[doc.BodyHash(i)] = true
	}
	hashes[markdown.Hash(doc.Text(doc.Preamble()))] = true
	return hashes, nil
}
