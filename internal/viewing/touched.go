package viewing

import (
	"context"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Touched is a section of which something happened.
type Touched struct {
	Title string
	At    string // its address; empty if it isn't there any more
	What  string // changed, new or removed
}

// How many bytes and sections a document may have for its sections to be told.
const (
	maxTouched  = 1 << 20
	maxSections = 10_000
)

// beforeFirst stands for the title of what stands before the first section.
const beforeFirst = "before the first heading"

// Changes returns the sections whose own text a change has made another one, or that it has made
// or removed, in the order of the document. Of a long document, and of a file that is none, it
// returns none.
func Changes(work *documents.Work, path string, before, after documents.Stored) ([]Touched, error) {
	if before.Size > maxTouched || after.Size > maxTouched || !files.IsMarkdown(path) {
		return nil, nil
	}
	old, err := unitsOf(work, before)
	if err != nil || old == nil {
		return nil, err
	}
	now, err := unitsOf(work, after)
	if err != nil || now == nil {
		return nil, err
	}
	var list []Touched
	for _, u := range now.list {
		switch {
		case old.hashes[u.hash], u.At == "":
		case old.titles[u.Title]:
			u.What = "changed"
			list = append(list, u.Touched)
		default:
			u.What = "new"
			list = append(list, u.Touched)
		}
	}
	for _, u := range old.list {
		if !now.hashes[u.hash] && !now.titles[u.Title] && u.At != "" {
			list = append(list, Touched{Title: u.Title, What: "removed"})
		}
	}
	return list, nil
}

// Which returns the sections of a document that have hashes, each without its subsections, as it is
// now, and whether these are all that it has. Of a long document it returns none.
func Which(ctx context.Context, docs documents.Set, path string, hashes map[string]bool) (list []Touched, all bool, err error) {
	doc, err := docs.Open(path)
	if err != nil {
		return nil, false, err
	}
	if len(doc.Source) > maxTouched || len(doc.Sections) > maxSections {
		return nil, false, nil
	}
	units := unitsIn(doc)
	for _, u := range units.list {
		if hashes[u.hash] {
			list = append(list, u.Touched)
		}
	}
	return list, len(list) == len(units.list), ctx.Err()
}

// units are the sections of a document, each for itself, and what stands before the first.
type units struct {
	list           []unit
	hashes, titles map[string]bool
}

type unit struct {
	Touched

	hash string
}

// unitsOf parses a text; of one with too many sections it returns nil.
func unitsOf(work *documents.Work, text documents.Stored) (*units, error) {
	doc, lease, err := work.ParseStored(text)
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	if len(doc.Sections) > maxSections {
		return nil, nil
	}
	return unitsIn(doc), nil
}

func unitsIn(doc *markdown.Document) *units {
	u := &units{hashes: map[string]bool{}, titles: map[string]bool{}}
	add := func(title, at, hash string) {
		u.list = append(u.list, unit{Touched{Title: title, At: at}, hash})
		u.hashes[hash], u.titles[title] = true, true
	}
	switch preamble := doc.Text(doc.Preamble()); {
	case replies.CountWords(preamble) == 0:
	case len(doc.Sections) == 0: // it is all of the document, and nothing to name
		add("", "", markdown.Hash(preamble))
	default:
		add(beforeFirst, "@preamble", markdown.Hash(preamble))
	}
	for i, s := range sectionsOf(doc, make([]int, len(doc.Sections)), &marks{}) {
		add(s.Title, s.At, doc.BodyHash(i))
	}
	return u
}
