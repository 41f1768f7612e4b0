package links

import (
	"cmp"
	"math"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/sectile/sectile/markdown"
)

// A change may let parts of documents lie elsewhere: a section in another document, a
// document at another path, a heading by another name. Links are relative to the document
// that they stand in, and name where they lead: either end may need another destination.

// A Shift is a change of documents of a set.
type Shift struct {
	// Was and Is are all documents before and after: those of Docs, and others at least by a
	// Page with their path, so that what names of documents mean is known.
	Was, Is *Set
	Docs    []Shifted
	// Copies are blocks that stand in a second place now: definitions, with all that is in them.
	Copies []Pair
	// Folders are folders that lie elsewhere: their paths after by those before.
	Folders map[string]string
	// MaxBytes is how many bytes the new destinations have at most that one call puts in: the
	// links after those can't be kept. 0 sets no limit.
	MaxBytes int

	once  sync.Once         // of what follows
	names []map[Part]string // by document: the name of each block after the change
	at    map[string]int    // the documents by their paths before
	now   map[string]int    // and after
}

// Shifted is one of the documents that change.
type Shifted struct {
	Before, After *Page  // nil if there is none
	Source        []byte // of After
	// Blocks says where each block of Before is after the change; nil if each is the block
	// of After that has its index.
	Blocks []Spot
	// Apart says that its own links are kept already.
	Apart bool
}

// Pair is a block of one of the documents, and the same one after the change.
type Pair struct{ Old, New Spot }

// Spot is a block of one of the documents, by its index in Docs; Gone is none.
type Spot struct{ Document, Block int }

// Gone is where a block lies that there isn't any more.
var Gone = Spot{-1, -1}

// Lost is a link, by its index in a document before the change, that leads elsewhere for want
// of a splice.
type Lost struct{ Document, Link int }

// Keep returns the splices, for each of the documents in its source after the change and in
// the order of that, that let the links of the documents lead where they led; and those that
// can't be kept.
func (s *Shift) Keep() (splices [][]Splice, lost []Lost) {
	splices = make([][]Splice, len(s.Docs))
	room := s.room()
	for pair := range s.pairs() {
		old, now := &s.Docs[pair.Old.Document], (*Page)(nil)
		was, is := linksOf(old.Before, pair.Old.Block), [2]int{}
		if pair.New != Gone {
			now = s.Docs[pair.New.Document].After
			is = linksOf(now, pair.New.Block)
		}
		for i := was[0]; i < was[1]; i++ {
			k := is[0] + i - was[0]
			if now == nil {
				continue // it has gone with its link
			}
			if was[1]-was[0] != is[1]-is[0] || room <= 0 {
				lost = append(lost, Lost{pair.Old.Document, i})
				continue
			}
			more, ok := s.keep(old.Before, &old.Before.Links[i], now, &now.Links[k], s.Docs[pair.New.Document].Source)
			if !ok {
				lost = append(lost, Lost{pair.Old.Document, i})
			}
			room -= bytesOf(more)
			splices[pair.New.Document] = append(splices[pair.New.Document], more...)
		}
		if was == [2]int{} && is[0] < is[1] { // text has become a link
			lost = append(lost, Lost{pair.Old.Document, -1})
		}
	}
	for i := range splices {
		slices.SortFunc(splices[i], func(a, b Splice) int { return a.Span.Start - b.Span.Start })
	}
	return splices, lost
}

// KeepIn returns the splices in the source of a document that isn't one of Docs, and the
// indexes of its links that can't be kept. Old is what it was before the change, now what it is
// with the splices that were made already. Several goroutines may call it at once.
func (s *Shift) KeepIn(old, now *Page, src []byte) (splices []Splice, lost []int) {
	room := s.room()
	for i := range old.Links {
		if len(old.Links) != len(now.Links) || room <= 0 {
			lost = append(lost, i)
			continue
		}
		more, ok := s.keep(old, &old.Links[i], now, &now.Links[i], src)
		if !ok {
			lost = append(lost, i)
		}
		room -= bytesOf(more)
		splices = append(splices, more...)
	}
	slices.SortFunc(splices, func(a, b Splice) int { return a.Span.Start - b.Span.Start })
	return splices, lost
}

// room returns the number of bytes that new destinations may have.
func (s *Shift) room() int { return cmp.Or(s.MaxBytes, math.MaxInt) }

// bytesOf returns the number of bytes that splices put in.
func bytesOf(splices []Splice) (bytes int) {
	for i := range splices {
		bytes += len(splices[i].Text)
	}
	return bytes
}

// pairs yields the blocks of the documents with where they are.
func (s *Shift) pairs() func(yield func(Pair) bool) {
	return func(yield func(Pair) bool) {
		for d := range s.Docs {
			if s.Docs[d].Apart {
				continue
			}
			for b, spot := range s.Docs[d].Blocks {
				if !yield(Pair{Spot{d, b}, spot}) {
					return
				}
			}
		}
		for _, p := range s.Copies {
			if !yield(p) {
				return
			}
		}
	}
}

// linksOf returns the indexes of the links of a block, from the first up to the second.
func linksOf(p *Page, block int) [2]int {
	from := sort.Search(len(p.Links), func(i int) bool { return p.Links[i].Block >= block })
	to := from
	for to < len(p.Links) && p.Links[to].Block == block {
		to++
	}
	if from == to {
		return [2]int{}
	}
	return [2]int{from, to}
}

// keep returns the splices that let a link of a page before the change, which is one of a
// page after it, lead where it led, and whether it does then.
func (s *Shift) keep(old *Page, l *Link, now *Page, is *Link, src []byte) ([]Splice, bool) {
	s.once.Do(s.prepare)
	t := s.Was.Resolve(old, l)
	if t.Reason == Outside {
		return s.keepOutside(old, l, now, is, src)
	}
	to := s.Is.Resolve(now, is)
	missing := t.Status == Broken && !t.Reaches()
	stays := missing && (!to.Reaches() || t.Reason != NoFile && old.Path == now.Path) // what comes to its name may be meant
	if t.Status == External || t.Path == "" || stays {
		return nil, true // it may be no path at all
	}
	want, there := s.meant(t.Lead())
	if !there {
		return nil, !t.Reaches()
	}
	fits := func(is Target) bool {
		return is.Path == want.Path && (t.Status != OK || is.Lead() == want) && (!t.Reaches() || is.Reaches())
	}
	if fits(to) {
		return nil, true
	}
	splices, ok := s.lead(now, is, src, want, &before{t, old.Path}, fits)
	return splices, ok || !t.Reaches()
}

// keepOutside is keep for a link that leads out of the folder of the set. What is there isn't looked
// at: the way back to where the link stood is put before its path. Of that way no name is a link of
// the system, so that ".." leads back from each.
func (s *Shift) keepOutside(old *Page, l *Link, now *Page, is *Link, src []byte) ([]Splice, bool) {
	from, to := path.Dir(old.Path), path.Dir(now.Path)
	was, d := ParseDestination(l.Destination), ParseDestination(is.Destination)
	if from == to || was.Rooted || path.Join(from, was.Path) == path.Join(to, d.Path) && !d.External {
		return nil, true
	}
	written := string(src[is.Written.Start:is.Written.End])
	if i := strings.IndexAny(written, "?#"); i >= 0 {
		written = written[:i]
	}
	span := markdown.Span{Start: is.Written.Start, End: is.Written.Start + len(written)}
	rest := strings.TrimPrefix(strings.TrimLeft(written, " \t\r\n"), "./")
	back := strings.Split(strings.TrimSuffix(relative(to, from), "/"), "/")
	for len(back) > 0 && back[len(back)-1] != ".." && strings.HasPrefix(rest, "../") {
		back, rest = back[:len(back)-1], rest[len("../"):]
	}
	if len(back) > 0 {
		rest = inPath(is.encoded(written, strings.Join(back, "/"))) + "/" + rest
	}
	return []Splice{{span, rest}}, true
}

// meant returns where a link is to lead that led there before the change; nothing if it is
// gone.
func (s *Shift) meant(lead Lead) (want Lead, there bool) {
	d, changes := s.at[lead.Path]
	if now, moves := s.Folders[lead.Path]; moves {
		lead.Path = now
		return lead, true
	}
	if !changes {
		return lead, true
	}
	spot := Spot{d, lead.Block}
	if blocks := s.Docs[d].Blocks; blocks != nil && lead.Block >= 0 {
		spot = blocks[lead.Block]
	}
	if spot == Gone || s.Docs[spot.Document].After == nil {
		return lead, false
	}
	lead.Path, lead.Block = s.Docs[spot.Document].After.Path, spot.Block
	return lead, true
}

// prepare finds the documents by their paths, and the names in them.
func (s *Shift) prepare() {
	s.names, s.at, s.now = make([]map[Part]string, len(s.Docs)), map[string]int{}, map[string]int{}
	for i := range s.Docs {
		if before := s.Docs[i].Before; before != nil {
			s.at[before.Path] = i
		}
		if after := s.Docs[i].After; after != nil {
			s.now[after.Path], s.names[i] = i, namesOf(after.Places)
		}
	}
}

// name returns the name of a block of one of the documents after the change.
func (s *Shift) name(of Lead) (name string, ok bool) {
	if d, changes := s.now[of.Path]; changes {
		name, ok = s.names[d][of.Part]
	}
	return name, ok
}

// way is a destination that a link may get: what becomes of its path and of its fragment.
type way struct {
	path, fragment       string
	setPath, setFragment bool
	alone                bool // without a path, of a link that has no query
}

// before is where a link led before the change, from the document at a path.
type before struct {
	Target
	from string
}

// lead returns the splices that make a link of a document lead elsewhere, and whether there
// are any: of all ways the one that changes least. Symbolic links that led there do as long as they
// can, and a link of a document to itself keeps its path.
func (s *Shift) lead(from *Page, l *Link, src []byte, want Lead, was *before, fits func(Target) bool) ([]Splice, bool) {
	if want.Block >= 0 && !l.HasFragment && !l.Wiki() {
		return nil, false
	}
	name, named := s.name(want)
	_, hasQuery := l.query()
	var ways []way
	for _, setFragment := range []bool{false, true} {
		if setFragment && (want.Block < 0 || !named) {
			continue
		}
		w := way{fragment: name, setFragment: setFragment}
		if setFragment {
			ways = append(ways, w)
		}
		alone, isAlone := w, want.Path == from.Path && want.Block >= 0 && !hasQuery
		alone.alone = true
		if isAlone && was.Path != was.from {
			ways = append(ways, alone)
		}
		w.setPath = true
		for _, to := range []string{was.By, want.Path} {
			if to == "" {
				continue
			}
			for _, p := range s.paths(from, l, src, to, was) {
				w.path = p
				ways = append(ways, w)
			}
		}
		if isAlone {
			ways = append(ways, alone)
		}
	}
	for _, w := range ways {
		to := *l
		to.Destination = w.destination(l)
		if fits(s.Is.Resolve(from, &to)) {
			return w.splices(l, src)
		}
	}
	return nil, false
}

// paths returns the paths by which a link of a document may lead to another one, the one in
// the style of the link first.
func (s *Shift) paths(from *Page, l *Link, src []byte, to string, was *before) []string {
	if l.Wiki() {
		name, _, _ := strings.Cut(l.Destination, "#")
		return wikiPaths(from, strings.TrimSpace(name), to)
	}
	plain := relative(path.Dir(from.Path), to)
	all := []string{plain, "./" + plain} // the second for a name with a colon
	byFolder := isIndex(cmp.Or(was.By, was.Path)) && !isIndex(ParseDestination(l.Destination).Path)
	root, _ := s.Is.options.rootOf(from.Path)
	if styled, ok := setPath(src, l, from.Path, to, root, byFolder); ok {
		all = append([]string{decoded(styled.Text)}, all...)
	}
	return all
}

// wikiPaths is paths for a wiki link with a name: with a folder and with an extension first, if
// the name has these.
func wikiPaths(from *Page, name, to string) []string {
	bare := strings.TrimSuffix(to, path.Ext(to))
	styled, other := bare, to
	if path.Ext(name) == path.Ext(to) {
		styled, other = to, bare
	}
	switch {
	case isRelative(name):
		plain := relative(path.Dir(from.Path), styled)
		if !strings.HasPrefix(plain, "../") {
			plain = "./" + plain
		}
		return []string{plain, path.Base(bare), bare, to}
	case strings.Contains(name, "/"):
		return []string{styled, other, path.Base(styled)}
	}
	return []string{path.Base(styled), styled, other}
}

// query returns what stands between '?' and '#' in the link's destination, and whether there is
// a '?'; the name in a wiki link has it like any other character.
func (l *Link) query() (query string, ok bool) {
	name, _, _ := strings.Cut(l.Destination, "#")
	_, query, ok = strings.Cut(name, "?")
	return query, ok && !l.Wiki()
}

// destination returns what the link's destination means when it goes this way.
func (w *way) destination(l *Link) string {
	name, fragment, has := strings.Cut(l.Destination, "#")
	if w.setFragment {
		_, text := cutText(fragment)
		if fragment = w.fragment; !l.Wiki() {
			fragment = Encoded(fragment)
		}
		fragment, has = fragment+text, true
	}
	query, hasQuery := l.query()
	switch {
	case w.alone:
		name = ""
	case w.setPath:
		name = w.path
		if !l.Wiki() {
			name = inPath(Encoded(name))
		}
		if hasQuery {
			name += "?" + query
		}
	}
	if !has {
		return name
	}
	return name + "#" + fragment
}

// inPath returns an encoded text as a path, which a '#' ends.
func inPath(text string) string { return strings.ReplaceAll(text, "#", "%23") }

// splices returns those that let a link go this way, and whether there are any.
func (w *way) splices(l *Link, src []byte) ([]Splice, bool) {
	if l.Wiki() {
		text := w.destination(l)
		return []Splice{{l.Written, text}}, !strings.ContainsAny(text, "[]|\r\n")
	}
	written := string(src[l.Written.Start:l.Written.End])
	end, ok := pathEnd(l, written)
	if (w.setPath || w.alone) && !ok {
		return nil, false
	}
	var of []Splice // of the path, of the fragment
	if w.setPath || w.alone {
		span := markdown.Span{Start: l.Written.Start, End: l.Written.Start + end}
		of = append(of, Splice{span, inPath(l.encoded(written[:end], w.path))})
	}
	if w.setFragment {
		s, ok := SetFragment(src, l, w.fragment)
		if !ok {
			return nil, false
		}
		of = append(of, s)
	}
	if len(of) == 2 {
		between := string(src[of[0].Span.End:of[1].Span.Start])
		of = []Splice{{markdown.Span{Start: of[0].Span.Start, End: of[1].Span.End}, of[0].Text + between + of[1].Text}}
	}
	return of, len(of) > 0
}
