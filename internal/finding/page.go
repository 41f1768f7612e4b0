package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// A reply is a page: so many sections as were asked for and there is room for, and the cursor
// that goes on. Equal sections of several documents are shown once.

// reply makes the reply. Its error is errChanged if a document has changed since it was
// searched.
func (s *searching) reply(find finder) (*SearchReply, error) {
	from, err := s.start()
	if err != nil {
		return nil, err
	}
	limit := s.req.Limit
	if s.req.Names {
		limit = -1
	}
	switch limit {
	case 0:
		limit = DefaultLimit
	case -1:
		limit = maxSections
	}
	most := limit
	if limit < maxSections { // some may be equal
		most = min(2*from+3*limit+1, maxSections-1)
	}
	f, err := find.find(s, most)
	if err != nil {
		return nil, err
	}
	if err := s.begin(f, from); err != nil {
		return nil, err
	}
	if s.req.Names {
		return s.names(f)
	}
	list, ends, err := s.verified(find, f, limit)
	if err != nil {
		return nil, err
	}
	r := &SearchReply{Found: f.sections, Failed: slices.Concat(f.failed, f.unshown)}
	if s.req.JSON || s.req.Structured {
		structured, err := s.json(f, list, ends, from)
		if err != nil {
			return nil, err
		}
		if s.req.JSON {
			if structured == nil {
				return nil, s.tooLittle()
			}
			r.Text = structured
			return r, nil
		}
		r.Structured = structured
	}
	r.Text, err = s.text(f, list, ends, from)
	return r, err
}

// maxSections is the number of sections of a reply without a limit.
const maxSections = 1 << 30

// verified reads the sections that were found again, until there are so many that differ, and
// returns of each how many of those that were found it ends with.
func (s *searching) verified(find finder, f *found, limit int) (list []shown, ends []int, err error) {
	w := s.docs.Worker()
	defer w.Close()
	var d *opened
	byText := map[string]int{}
	for i := range f.hits {
		h := &f.hits[i]
		if h.shown != nil && h.kept == nil {
			list, ends = append(list, *h.shown), append(ends, i+1)
			continue
		}
		var one shown
		var unshown *replies.Error
		section := h.section
		if h.kept != nil {
			one, d, section = *h.shown, &opened{path: h.path, doc: h.kept.doc}, min(section, 0)
		} else {
			if d == nil || d.path != h.path {
				if d, err = s.open(w, h); err != nil {
					return nil, nil, err
				}
				if !f.ranked { // all lines of these are found at once
					d.wanted = f.sectionsIn(h.path)
				}
			}
			if one, err = s.section(find, d, h); err != nil {
				if unshown = replies.ErrorAbout(one.Path, err); unshown.Code != string(fileerror.TooLarge) {
					return nil, nil, unshown
				}
			}
		}
		if s.req.MaxChars > 0 { // a heading may be as long as a small reply
			one.Titles = replies.ClipMiddle(one.Titles, max(replies.MaxShown, s.req.MaxChars/10))
		}
		text := ""
		if f.ranked && section >= 0 && d.large == nil {
			text = d.doc.SectionTitle(section) + "\n" + d.doc.BodyHash(section) + "\n" + one.IndexedAt // what is there now stands for none that was
		}
		if at, ok := byText[text]; ok && text != "" && list[at].standsAlso(&one, s.req.MaxChars/partAlso) {
			ends[len(ends)-1] = i + 1
			continue
		}
		if len(list) == limit {
			break
		}
		if unshown != nil {
			f.unshown = append(f.unshown, unshown)
		}
		if err := s.reserve(sectionBytes); err != nil {
			return nil, nil, err
		}
		byText[text] = len(list)
		list, ends = append(list, one), append(ends, i+1)
	}
	return list, ends, nil
}

// sectionsIn returns the sections of a document that were found, as far as they are known.
func (f *found) sectionsIn(path string) map[int]bool {
	sections := map[int]bool{}
	for i := range f.hits {
		if h := &f.hits[i]; h.path == path {
			sections[h.section] = true
		}
	}
	return sections
}

// partAlso says which part of a reply the places of one section's text may take: an eighth. Behind
// them the text is shown once more, with the places that follow, so that none is left out.
const partAlso = 8

// standsAlso adds the place of a section with the same text, and reports whether there is room for it:
// the places may have so many characters, 0 for any number.
func (h *shown) standsAlso(other *shown, most int) bool {
	place := fmt.Sprintf("%s:%d-%d", other.Path, other.StartLine, other.EndLine)
	size := h.alsoChars + chars(replies.Safe(place)) + len(", ")
	if most > 0 && size > most {
		return false
	}
	h.Also, h.alsoChars = append(h.Also, place), size
	return true
}

// names answers with the paths of the documents that have a section.
func (s *searching) names(f *found) (*SearchReply, error) {
	paths, named := []string{}, map[string]bool{}
	for i := range f.hits {
		if path := replies.DisplayPath(f.hits[i].path); !named[path] {
			named[path] = true
			paths = append(paths, path)
		}
	}
	r := &SearchReply{Found: f.sections, Failed: f.failed}
	if s.req.JSON {
		r.Text = replies.AppendJSON(nil, nameList{paths, withPaths(f.failed)})
		return r, nil
	}
	for _, path := range paths {
		r.Text = append(append(r.Text, replies.Safe(path)...), '\n')
	}
	return r, nil
}

// text returns the reply in lines.
func (s *searching) text(f *found, list []shown, ends []int, from int) ([]byte, error) {
	mark := s.mark(f, list, ends, from)
	ours := func(text string) string { return string(mark.Lines([]byte(text))) }
	top := ours(f.problems(s))
	first := ours(f.first(s, len(list)))
	room := s.req.MaxChars - chars(mark.Top()) - chars(top) - chars(first) - mark.Chars() - moreRoom
	fitted := list
	if s.req.MaxChars > 0 {
		fitted = fitting(room, list, func(h *shown) int { return replies.Chars(h.appendTo(nil, mark)) })
	}
	n := len(fitted)
	if n == 0 && len(list) > 0 {
		return nil, s.tooLittle()
	}
	text := []byte(mark.Top() + ours(f.first(s, n)) + top)
	for i := range fitted {
		text = fitted[i].appendTo(text, mark)
	}
	if n > 0 && from+ends[n-1] < f.reach() {
		cursor, err := s.cursor(f, ends[n-1])
		if err != nil {
			return nil, err
		}
		text = append(text, ours(fmt.Sprintf("%d more; go on with %s %s\n", f.sections-from-ends[n-1], replies.Cursor, cursor))...)
	} else if rest := f.sections - f.reach(); n > 0 && rest > 0 {
		text = append(text, ours(fmt.Sprintf("%d more, which the engine has not handed over; ask more narrowly\n", rest))...)
	}
	return text, nil
}

func (s *searching) tooLittle() error {
	return invalid("there is too little room for one section; raise %s", replies.MaxChars)
}

// reach returns the number of sections that cursors lead to: an engine hands over the best alone.
func (f *found) reach() int {
	if f.backend != "" {
		return f.handed
	}
	return f.sections
}

// mark draws the mark of a reply in which words of ours follow a line of a document, or in which
// a document seems to name one; there is none in others.
func (s *searching) mark(f *found, list []shown, ends []int, from int) replies.Mark {
	if s.docs.Marks == nil {
		return ""
	}
	var texts []byte
	needed := false
	for i := range list {
		h := &list[i]
		texts = append(append(texts, h.head()...), strings.Join(h.Also, "\n")+"\n"...)
		for _, l := range h.Lines {
			texts = append(append(texts, l.Text...), '\n')
		}
		last := i == len(list)-1 && len(h.Also) == 0 && from+ends[i] >= f.reach()
		needed = needed || len(h.Lines) > 1 || len(h.Lines) == 1 && !last
	}
	if !needed && !replies.Announcing(texts) {
		return ""
	}
	return s.docs.Marks.Draw(texts, []byte(f.problems(s)))
}

// moreRoom is the number of characters of the line that tells how to go on.
const moreRoom = 80

// cursor returns the cursor that goes on after so many sections of this page. It stands for the
// query, and for all sections up to there in the documents as they are: while these come first,
// in any order, what follows is what wasn't shown.
func (s *searching) cursor(f *found, shown int) (string, error) {
	r := &s.req
	known := []string{r.Query, r.Match, r.In}
	w := s.docs.Worker()
	defer w.Close()
	var sections []string
	for _, h := range slices.Concat(f.before, f.hits[:shown]) {
		hash, err := s.hash(w, &h)
		if err != nil {
			return "", err
		}
		sections = append(sections, fmt.Sprintf("%s\x00%d\x00%s", h.path, h.section, hash))
	}
	slices.Sort(sections)
	h := sha256.Sum256([]byte(strings.Join(append(known, sections...), "\x00")))
	return fmt.Sprintf("%d.%s", len(sections), hex.EncodeToString(h[:4])), nil
}

// hash returns what tells the document of a section from what it was, in another process too.
func (s *searching) hash(w *documents.Worker, h *hit) (string, error) {
	if h.kept != nil {
		return h.kept.Shown.Hash, nil
	}
	state := documentState{h.path, h.version}
	if hash, ok := s.hashes[state]; ok {
		return hash, nil
	}
	src, large, err := s.read(w, h)
	if err != nil {
		return "", err
	}
	hash := markdown.Hash(src)
	if large != nil {
		stamp, err := large.Stamp()
		if err != nil {
			return "", errChanged
		}
		hash = fmt.Sprint(stamp.Size, stamp.Modified.UnixNano())
	}
	if s.hashes == nil {
		s.hashes = map[documentState]string{}
	}
	s.hashes[state] = hash
	return hash, nil
}

// start returns where the cursor goes on.
func (s *searching) start() (int, error) {
	if s.req.Cursor == "" {
		return 0, nil
	}
	number, _, _ := strings.Cut(s.req.Cursor, ".")
	from, err := strconv.Atoi(number)
	if err != nil || from < 1 || from > maxSections {
		return 0, s.badCursor()
	}
	return from, nil
}

// begin has a page begin where its cursor goes on.
func (s *searching) begin(f *found, from int) error {
	if from == 0 {
		return nil
	}
	if from >= f.reach() || from > len(f.hits) {
		return s.badCursor()
	}
	cursor, err := s.cursor(f, from)
	if err != nil {
		return err
	}
	if cursor != s.req.Cursor {
		return s.badCursor()
	}
	f.before, f.hits = f.hits[:from], f.hits[from:]
	return nil
}

func (s *searching) badCursor() error {
	return invalid("the cursor %q is of no page of this query in the documents as they are now; begin again without %s", replies.Clip(s.req.Cursor, replies.MaxShown), replies.Cursor)
}
