package linking

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// Place is where a link stands.
type Place struct {
	FilePath    string
	Line        int
	Destination string
}

// Locate sets the path and the root of a renaming in the one document in docs, however that
// is named: by them it is told which links lead to the document itself.
func Locate(ctx context.Context, docs documents.Set, r *links.Renaming) error {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return err
	}
	r.Path, r.Root, r.HasRoot = s.inSet(docs.Paths[0]), s.root, s.hasRoot
	return nil
}

// Elsewhere returns the links of other documents that lead to the one document in docs and
// would lead elsewhere after a renaming in it, in the order of their paths: of those below
// the same root, in the same project, or in the same folder outside of it. Locate has said
// where the document lies. The error is an *Error or the context's; if there are no links, it
// names the first documents that can't be read, for any of them may hold some.
func Elsewhere(ctx context.Context, docs documents.Set, r *links.Renaming) ([]Place, error) {
	s, err := newScan(ctx, docs, alone)
	if err != nil {
		return nil, err
	}
	s.set.Add(links.NewPage(r.Path, r.Before))
	name := []byte(bareName(r.Path))
	index := isIndex(string(name))
	var mu sync.Mutex
	var found []Place
	var unread []*replies.Error
	others := s.others(ctx)
	err = others.Each(ctx, documents.Renderer{Document: func(dst []byte, doc *markdown.Document, at string) ([]byte, error) {
		in := s.inSet(at)
		if in == r.Path || !index && !mentions(doc.Source, name) {
			return dst, nil
		}
		page, err := s.page(in, doc)
		if err != nil {
			return dst, err
		}
		broken := r.Broken(s.set, page)
		mu.Lock()
		defer mu.Unlock()
		for _, i := range broken {
			found = append(found, Place{at, page.Links[i].Line, page.Links[i].Destination})
		}
		return dst, nil
	}}, func(part documents.Part) error {
		for _, e := range part.Errors {
			if e.Code != replies.CodeFileNotFound { // it is gone, and links to nothing
				unread = append(unread, e)
			}
		}
		return nil
	})
	if err == nil && len(found) == 0 && len(unread) > 0 {
		err = unreadable(unread)
	}
	slices.SortStableFunc(found, func(a, b Place) int { return strings.Compare(a.FilePath, b.FilePath) })
	return found, err
}

// unreadable returns the error for a renaming, when other documents can't be read.
func unreadable(all []*replies.Error) *replies.Error {
	first := all[0]
	e := &replies.Error{Code: first.Code, Path: first.Path, Err: first}
	e.Message = first.Message.Then("; links in it may lead to what is renamed, so mend this, or rename with %s", replies.Given{Arg: replies.Links, Value: LeaveLinks})
	for i, other := range all[1:] {
		if i == maxPlaces {
			e.Details = append(e.Details, "and "+replies.Plural(len(all)-1-i, "more document")+" that can't be read")
			break
		}
		e.Details = append(e.Details, replies.Safe(other.Path)+" can't be read either")
	}
	return e
}

// isIndex reports whether a document of the name may stand for its folder, which is enough to
// mean it then.
func isIndex(name string) bool {
	return strings.EqualFold(name, "readme") || strings.Contains(strings.ToLower(name), "index")
}

// mentions reports whether a name may be written in a source, where characters may stand
// encoded, escaped or as entities.
func mentions(src, name []byte) bool {
	plain := !bytes.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || r == ' ' })
	return !plain || bytes.Contains(src, name) || bytes.ContainsAny(src, `%\&`)
}

// others returns all documents of the same roots, or of the project; those of its folder if
// the document lies outside of the project.
func (s *scan) others(ctx context.Context) documents.Set {
	if s.docs.Workspace != nil {
		return s.docs.All(ctx)
	}
	all := s.docs
	folder := s.project
	if abs, err := filepath.Abs(s.docs.Paths[0]); err == nil && !below(folder, abs) {
		folder = filepath.Dir(abs)
	}
	all.Paths = []string{s.path(s.inSet(folder))}
	return all
}

// Broken returns the links of a document, whose file has the name, that led to names in it
// and lead elsewhere after a change.
func Broken(name string, before, after *markdown.Document) []Place {
	was, is := links.NewSet(links.Options{}), links.NewSet(links.Options{})
	old, now := links.NewPage(name, before), links.NewPage(name, after)
	was.Add(old)
	is.Add(now)
	var broken []Place
	for i := range now.Links {
		l := &now.Links[i]
		if t := is.Resolve(now, l); t.Status != links.Broken || t.Reason != links.NoAnchor || t.Path != name {
			continue
		}
		if t := was.Resolve(old, l); t.Status == links.OK {
			broken = append(broken, Place{name, l.Line, l.Destination})
		}
	}
	return broken
}

// codeWouldBreak is the code of a change after which links would lead elsewhere.
const codeWouldBreak = "links_would_break"

// maxPlaces is how many links an error names.
const maxPlaces = 5

// WouldBreak returns the error for links that lead to what a request renames: those of the
// document itself, those that stand in others, and whether the first ones can be kept.
func WouldBreak(shown string, own, elsewhere []Place, kept bool) *replies.Error {
	all := slices.Concat(own, elsewhere)
	e := &replies.Error{Code: codeWouldBreak, Path: shown}
	count := replies.Plural(len(all), "link")
	leave := replies.Given{Arg: replies.Links, Value: LeaveLinks}
	update := replies.Given{Arg: replies.Links, Value: UpdateLinks}
	switch {
	case !kept:
		e.Message = replies.Say("%s would lead nowhere, and can't be kept; do it another way, or send it again with %s", count, leave)
	case len(elsewhere) > 0:
		e.Message = replies.Say("%s would lead nowhere or elsewhere, %s of them in other documents; send it again with %s to change them too, or with %s to leave them",
			count, replies.Plural(len(elsewhere), "link"), update, leave)
	default:
		e.Message = replies.Say("%s of this document would lead nowhere or elsewhere; send it again with %s to change them too, or with %s to leave them", count, update, leave)
	}
	for i, p := range all {
		if i == maxPlaces {
			e.Details = append(e.Details, "and "+replies.Plural(len(all)-i, "more link"))
			break
		}
		e.Details = append(e.Details, replies.Safe(p.FilePath+":"+strconv.Itoa(p.Line)+" "+replies.Clip(p.Destination, maxDestination)))
	}
	return e
}

// What becomes of links that lead to what is renamed.
const (
	UpdateLinks = "update" // their destinations are changed too
	LeaveLinks  = "leave"  // they stay
)
