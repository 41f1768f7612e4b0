package finding

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sectile/sectile/internal/engine"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// engineFinder finds sections by words in an engine. The engine hands over candidates, and how
// rare words are; each document among them that can be reached is looked at as it is now, as by
// a pass, so that nothing stale is shown, and the rest as it was indexed.
type engineFinder struct {
	wordFinder

	engine *settled
	scopes []scoped
}

// noted is a finder that has something to say about itself.
type noted struct {
	finder

	note string
}

// find implements finder.
func (n *noted) find(s *searching, most int) (*found, error) {
	f, err := n.finder.find(s, most)
	if err == nil {
		f.notes = append(f.notes, n.note)
	}
	return f, err
}

// elsewhere returns a finder that asks the engine for what another one finds, if there is an
// engine that can: it knows words, and hands over the best.
func (s *searching) elsewhere(here finder) (finder, error) {
	e, err := s.req.Elsewhere.settle(s.ctx)
	if err != nil || e == nil {
		return here, err
	}
	instead := func(why string) (finder, error) {
		if e.asked {
			return nil, invalid("%s can't answer this: %s", e.URL(), why)
		}
		return &noted{here, "the files were searched, and not " + e.URL() + ": " + why}, nil
	}
	words, ok := here.(*wordFinder)
	switch {
	case !ok:
		return instead("it finds words alone")
	case s.req.Names || s.req.Limit < 0:
		return instead("it hands over the best sections alone")
	}
	regions, ok := s.regions()
	if !ok {
		return instead("it has folders alone")
	}
	list, ok := scopes(regions, e.roots)
	if !ok {
		return instead("the folder is none of search.roots in your configuration")
	}
	if len(s.docs.Paths) == 0 {
		list = append(list, elsewhereOf(e.roots)...)
	}
	return &engineFinder{wordFinder: *words, engine: e, scopes: list}, nil
}

// find implements finder.
func (f *engineFinder) find(s *searching, most int) (*found, error) {
	out, err := f.ask(s, most)
	if err == nil && out.documents == 0 { // which is told better by who looks
		if out, err = f.wordFinder.find(s, most); err == nil {
			out.notes = append(out.notes, "the files were searched, for "+f.engine.URL()+" has none of these documents yet")
		}
		return out, err
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		if f.engine.asked {
			return nil, engineError(err)
		}
		out, err := f.wordFinder.find(s, most)
		if err != nil {
			return nil, err
		}
		out.notes = append(out.notes, "the files were searched, for "+replies.Clip(replies.Safe(e.Message), 2*replies.MaxShown))
		return out, nil
	}
	return out, err
}

// ask finds sections by the engine, and sections that have words like those that no document has.
func (f *engineFinder) ask(s *searching, most int) (*found, error) {
	out := &found{ranked: true, backend: f.engine.URL()}
	if err := f.checkRoots(s); err != nil {
		return nil, err
	}
	query := f.query
	ranking, err := f.rank(s, query, most, out)
	if err != nil {
		return nil, err
	}
	if len(ranking.Absent) > 0 {
		other, err := f.instead(s, query, ranking.Absent, out)
		if err != nil {
			return nil, err
		}
		if other != nil {
			query = other
			if ranking, err = f.rank(s, query, most, out); err != nil {
				return nil, err
			}
		}
	}
	f.excerpts = query.Excerpts()
	for i := range out.hits {
		if kept := out.hits[i].kept; kept != nil {
			out.hits[i].shown = s.asIndexed(f, kept, out.hits[i].score)
		}
	}
	if dropped := f.query.Dropped(); len(dropped) > 0 && ranking.Sections == 0 {
		out.notes = append(out.notes, "left out of the query: "+strings.Join(dropped, ", "))
	}
	out.documents, out.matching, out.sections = ranking.Scanned, ranking.Matching, ranking.Sections
	return out, nil
}

// checkRoots returns an error if the engine has never been fed with a root of this machine.
func (f *engineFinder) checkRoots(s *searching) error {
	var ids []string
	for i := range f.scopes {
		ids = append(ids, f.scopes[i].scope.Root)
	}
	there, err := f.engine.Roots(s.ctx, ids)
	if err != nil {
		return err
	}
	for i := range f.scopes {
		root := &f.scopes[i].root
		if _, ok := there[f.scopes[i].scope.Root]; !ok && root.Dir != "" {
			return &engine.Error{Code: engine.Strange, Message: fmt.Sprintf("%s has no documents of the root %s; feed it: sectile search push %s", f.engine.URL(), root.Name, root.Name)}
		}
	}
	return nil
}

// keptHit is a section as the engine has kept it.
type keptHit struct {
	engine.Hit

	path string
	doc  *markdown.Document // of it alone
}

// rank finds candidates, looks at them and puts the best sections into out.
func (f *engineFinder) rank(s *searching, query *search.Query, most int, out *found) (*search.Ranking, error) {
	answer, err := f.engine.Find(s.ctx, query, onlyScopes(f.scopes), f.filters())
	if err != nil {
		return nil, err
	}
	within := *query
	within.Known = &search.Known{Bytes: answer.Bytes, Matching: answer.Sections, Sections: answer.Have}
	here, kept := f.sorted(answer.Hits)
	var lookers []*wordLooker
	p, err := s.lookAt(here, f.wanted, func() looker {
		l := &wordLooker{within.Scanner(), map[int]uint64{}}
		lookers = append(lookers, l)
		return l
	})
	if err != nil {
		return nil, err
	}
	out.failed = slices.DeleteFunc(p.failed, func(e *replies.Error) bool { return e.Code == replies.CodeFileNotFound }) // gone since
	of, scanner, failed, err := f.lookAtKept(s, &within, kept, len(p.paths))
	if err != nil {
		return nil, err
	}
	out.failed = append(out.failed, failed...)
	scanners := []*search.Scanner{scanner}
	for _, l := range lookers {
		scanners = append(scanners, l.Scanner)
	}
	ranking := within.Rank(0, maxSections, scanners...)
	out.hits, out.handed = nil, len(ranking.Hits)
	for _, h := range ranking.Hits[:min(most, len(ranking.Hits))] {
		one := hit{section: h.Section, score: h.Score}
		if h.Document >= len(p.paths) {
			one.kept = &of[h.Document-len(p.paths)]
			one.path = one.kept.path
		} else {
			one.path, one.version = p.paths[h.Document], versionIn(lookers, h.Document)
		}
		out.hits = append(out.hits, one)
	}
	f.count(query, &ranking, answer, out.handed)
	return &ranking, nil
}

// count puts into a ranking what the engine has counted: it knows all documents.
func (f *engineFinder) count(query *search.Query, r *search.Ranking, answer *engine.Found, handed int) {
	r.Scanned = answer.Documents
	if handed > 0 { // otherwise what it counts has gone meanwhile
		r.Sections, r.Matching = max(answer.Sections, handed), max(answer.Matching, r.Matching)
	}
	r.Absent = nil
	for i, word := range query.Words() {
		if answer.Seen[i] == 0 {
			r.Absent = append(r.Absent, word)
		}
	}
}

// filters returns the paths that the query wants.
func (f *engineFinder) filters() []engine.PathFilter {
	var list []engine.PathFilter
	for _, g := range f.globs {
		if strings.ContainsAny(g.pattern, "*?[{") {
			list = append(list, engine.PathFilter{Pattern: g.pattern})
		} else {
			list = append(list, engine.PathFilter{Text: g.pattern})
		}
	}
	return list
}

// sorted returns the documents of candidates that can be reached, each once, as Set.Find would
// yield them, and the candidates of others.
func (f *engineFinder) sorted(hits []engine.Hit) (here iter.Seq2[string, error], kept []keptHit) {
	var names []string
	known := map[string]bool{}
	isNew := func(what string) bool {
		is := !known[what]
		known[what] = true
		return is
	}
	for i := range f.scopes {
		s := &f.scopes[i]
		about := s.about(hits)
		if s.root.Dir == "" || !isFolder(s.root.Dir) {
			for _, h := range about {
				if isNew("section " + h.ID) {
					kept = append(kept, keptHit{Hit: *h, path: s.root.Name + ":" + h.Path})
				}
			}
			continue
		}
		for below, found := range s.found(about) {
			if name := s.region.name(below); found && name != "" && isNew("document "+s.scope.Root+s.offset+below) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names) // so that equal scores have the order that a pass has
	slices.SortFunc(kept, func(a, b keptHit) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Section, b.Section))
	})
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !yield(name, nil) {
				return
			}
		}
	}, kept
}

// lookAtKept looks at sections as the engine has kept them, whose numbers begin at one. Those that
// there is no memory for have failed.
func (f *engineFinder) lookAtKept(s *searching, query *search.Query, hits []keptHit, first int) (list []keptHit, scanner *search.Scanner, failed []*replies.Error, err error) {
	scanner = query.Scanner()
	if len(hits) == 0 {
		return nil, scanner, nil, nil
	}
	var ids []string
	for i := range hits {
		ids = append(ids, hits[i].ID)
	}
	texts, err := f.engine.Kept(s.ctx, ids)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range hits {
		h := &hits[i]
		kept, ok := texts[h.ID]
		delete(texts, h.ID) // the text is copied
		if !ok || len(kept.Text) > maxKept || !f.wanted(h.Path) {
			continue
		}
		doc, err := s.docs.Work.Retain([]byte(kept.Text))
		switch {
		case s.ctx.Err() != nil:
			return nil, nil, nil, s.ctx.Err()
		case err != nil:
			failed = append(failed, replies.ErrorAbout(h.path, err))
			continue
		case h.Section >= 0 && (len(doc.Sections) != 1 || doc.BodySpan(0).Start != 0): // it isn't what was fed
			continue
		}
		scanner.ScanSection(first+len(list), h.Section, h.Path, kept.Headings, doc)
		list = append(list, keptHit{h.Hit, h.path, doc})
	}
	return list, scanner, failed, nil
}

// maxKept is the size of a section, in bytes, beyond which it is not shown as it was indexed.
const maxKept = 4 << 20

// asIndexed returns a section as a reply has it, of which the engine's text alone is at hand.
func (s *searching) asIndexed(find finder, k *keptHit, score float64) *shown {
	section := min(k.Section, 0)
	m, _ := find.lines(&opened{path: k.path, doc: k.doc}, section) // by words, of which a section has few lines
	found := m.first
	lines := s.withContext(find, k.doc, found)
	if section >= 0 { // what stands before the first has its own lines
		for i := range lines {
			lines[i].Line += k.Shown.First - 1
		}
	}
	out := &shown{
		Path: k.path, Selector: replies.Safe(k.Shown.Selector), StartLine: k.Shown.First, EndLine: k.Shown.Last, Hash: replies.Safe(k.Shown.Hash),
		Titles: replies.Clip(replies.Safe(k.Shown.Titles), maxTitles), Score: score, LineCount: len(found), Lines: lines,
		IndexedAt: k.Time.UTC().Format(time.RFC3339),
	}
	if section < 0 {
		out.standsAt(k.doc, partBefore(k.doc, section))
	}
	return out
}

// instead is that of a wordFinder, with words of the engine.
func (f *engineFinder) instead(s *searching, query *search.Query, absent []string, out *found) (*search.Query, error) {
	return otherWords(query, absent, out, func() ([]*search.Vocabulary, error) {
		texts, err := f.engine.Near(s.ctx, absent, onlyScopes(f.scopes))
		if err != nil {
			return nil, err
		}
		v := search.NewVocabulary(absent)
		for _, text := range texts {
			v.Scan([]byte(text))
		}
		return []*search.Vocabulary{v}, nil
	})
}

// isFolder reports whether there is a folder of a name.
func isFolder(name string) bool {
	info, err := os.Stat(filepath.Clean(name))
	return err == nil && info.IsDir()
}
