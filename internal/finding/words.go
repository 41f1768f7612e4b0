package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// wordFinder finds sections by words, by a pass over all documents.
type wordFinder struct {
	query    *search.Query
	globs    []pathFilter
	excerpts *search.Excerpts
}

// pathFilter is a "path:" of a query.
type pathFilter struct {
	pattern string
	glob    glob.Pattern
}

// has reports whether a path is meant: the pattern matches it or what it ends with, or, of a
// pattern that is none, is a part of it.
func (f *pathFilter) has(path string) bool {
	path = strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "./")
	if !strings.ContainsAny(f.pattern, "*?[{") {
		return strings.Contains(strings.ToLower(path), strings.ToLower(f.pattern))
	}
	for {
		if f.glob.Match(path) {
			return true
		}
		_, rest, ok := strings.Cut(path, "/")
		if !ok {
			return false
		}
		path = rest
	}
}

// wordLooker looks for words in one goroutine.
type wordLooker struct {
	*search.Scanner
	versions map[int]uint64 // of documents that have some
}

func (l *wordLooker) look(number int, path string, src []byte, parse func([]byte) (*markdown.Document, error)) error {
	return l.Scan(number, path, src, func(src []byte) (*markdown.Document, error) {
		l.versions[number] = versionOf(src)
		return parse(src)
	})
}

func (l *wordLooker) lookPart(number int, path string, part *documents.DocumentPart, version uint64, parse func([]byte) (*markdown.Document, error)) error {
	return l.ScanPart(number, path, search.Part(*part), func(src []byte) (*markdown.Document, error) {
		l.versions[number] = version
		return parse(src)
	})
}

// vocabularyLooker takes in the words of documents in one goroutine.
type vocabularyLooker struct{ *search.Vocabulary }

func (l vocabularyLooker) look(_ int, _ string, src []byte, _ func([]byte) (*markdown.Document, error)) error {
	l.Scan(src)
	return nil
}

func (l vocabularyLooker) lookPart(_ int, _ string, part *documents.DocumentPart, _ uint64, _ func([]byte) (*markdown.Document, error)) error {
	l.Scan(part.Source[part.Text:])
	return nil
}

// versionIn returns the version that a document had when it was looked at.
func versionIn(lookers []*wordLooker, number int) uint64 {
	for _, l := range lookers {
		if v, ok := l.versions[number]; ok {
			return v
		}
	}
	return 0
}

// wanted reports whether a document is one of those that the query is about.
func (f *wordFinder) wanted(path string) bool {
	return len(f.globs) == 0 || slices.ContainsFunc(f.globs, func(g pathFilter) bool { return g.has(path) })
}

// find implements finder.
func (f *wordFinder) find(s *searching, most int) (*found, error) {
	out := &found{ranked: true}
	query, ranking, err := f.rank(s, f.query, most, out)
	if err != nil {
		return nil, err
	}
	if len(ranking.Absent) > 0 && query.Only == nil {
		if other, err := f.instead(s, query, ranking.Absent, out); err != nil {
			return nil, err
		} else if other != nil {
			if query, ranking, err = f.rank(s, other, most, out); err != nil {
				return nil, err
			}
		}
	}
	if dropped := f.query.Dropped(); len(dropped) > 0 && ranking.Sections == 0 {
		out.notes = append(out.notes, "left out of the query: "+strings.Join(dropped, ", "))
	}
	f.excerpts = query.Excerpts()
	out.documents, out.matching, out.sections = ranking.Scanned, ranking.Matching, ranking.Sections
	return out, nil
}

// rank looks at all documents and puts the best sections into out.
func (f *wordFinder) rank(s *searching, query *search.Query, most int, out *found) (*search.Query, *search.Ranking, error) {
	var lookers []*wordLooker
	p, err := s.each(f.wanted, func() looker {
		l := &wordLooker{query.Scanner(), map[int]uint64{}}
		lookers = append(lookers, l)
		return l
	})
	if err != nil {
		return nil, nil, err
	}
	var scanners []*search.Scanner
	for _, l := range lookers {
		scanners = append(scanners, l.Scanner)
	}
	ranking := query.Rank(0, most, scanners...)
	out.failed, out.hits = p.failed, nil
	for _, h := range ranking.Hits {
		out.hits = append(out.hits, hit{path: p.paths[h.Document], section: h.Section, score: h.Score, version: versionIn(lookers, h.Document)})
	}
	return query, &ranking, nil
}

// instead returns the query with other words in the place of those that no document has, and
// says so; nil if there are none.
func (f *wordFinder) instead(s *searching, query *search.Query, absent []string, out *found) (*search.Query, error) {
	return otherWords(query, absent, out, func() (all []*search.Vocabulary, err error) {
		_, err = s.each(f.wanted, func() looker {
			v := search.NewVocabulary(absent)
			all = append(all, v)
			return vocabularyLooker{v}
		})
		return all, err
	})
}

// otherWords is instead, with the words that there are.
func otherWords(query *search.Query, absent []string, out *found, vocabulary func() ([]*search.Vocabulary, error)) (*search.Query, error) {
	if apart, ok := query.Apart(absent); ok {
		out.notes = append(out.notes, fmt.Sprintf("no document has %s; its parts are looked for", quoted(absent)))
		return apart, nil
	}
	all, err := vocabulary()
	if err != nil {
		return nil, err
	}
	near := search.Near(all...)
	others := map[string][]string{}
	var told []string
	for _, word := range absent {
		if other, ok := near[word]; ok {
			others[word] = []string{other}
			told = append(told, fmt.Sprintf("no document has %q; %q is looked for", replies.Safe(word), replies.Safe(other)))
		} else {
			told = append(told, fmt.Sprintf("no document has %q", replies.Safe(word)))
		}
	}
	out.notes = append(out.notes, replies.Clip(strings.Join(told, "; "), 2*replies.MaxShown))
	if len(others) == 0 {
		return nil, nil //nolint:nilnil // there is no other query
	}
	return query.With(others), nil
}

// quoted lists words.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = fmt.Sprintf("%q", replies.Safe(word))
	}
	return replies.Clip(strings.Join(list, ", "), replies.MaxShown)
}

// shownLines is the number of lines that are shown of a section that was found by words.
const shownLines = 2

// lines implements finder.
func (f *wordFinder) lines(d *opened, section int) (matching, error) {
	lines := f.excerpts.Lines(d.doc, section, shownLines)
	return matching{first: lines, count: len(lines)}, nil
}

// clip implements finder.
func (f *wordFinder) clip(src []byte, line search.Line, most int) (part search.Line, before, after bool) {
	return f.excerpts.Clip(src, line, min(most, maxExcerpt))
}
