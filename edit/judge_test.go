package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// The judge says whether a result obeys the laws. It looks at bytes and at two
// parsed documents, and asks package edit for nothing. What it is told is what the
// operations were made for; see attempt.

// judgement is a result beside what it was made of.
type judgement struct {
	*attempt
	res    *edit.Result
	new    *markdown.Document // of a parse of its own
	deltas []int              // by how much what stands after so many splices has moved
}

// judge returns the first breach of a law, or nil.
func judge(a *attempt, res *edit.Result) error {
	j := &judgement{attempt: a, res: res}
	if err := j.bytes(); err != nil {
		return err
	}
	var err error
	if j.new, err = (&markdown.Parser{Options: a.doc.Options()}).Parse(res.Doc.Source); err != nil {
		return err
	}
	if len(res.Changes) != len(a.ops) {
		return fmt.Errorf("%d changes for %d operations", len(res.Changes), len(a.ops))
	}
	laws := []func() error{j.sameTree, j.endings, j.tail, j.targets, j.places, j.gaps, j.blocks, j.hashes, j.after, j.arrived, j.texts, j.small}
	if a.renumbers() {
		laws = []func() error{j.sameTree, j.endings, j.tail, j.targets, j.hashes, j.after, j.numbers}
	}
	if slices.ContainsFunc(a.ops, func(o made) bool { return o.Rows != nil }) {
		laws = []func() error{j.sameTree, j.endings, j.tail, j.targets, j.hashes, j.after, j.rows}
	}
	if a.isStructural() {
		laws = []func() error{j.sameTree, j.endings, j.tail, j.targets, j.structure, j.moved}
	}
	for _, law := range laws {
		if err := law(); err != nil {
			return err
		}
	}
	return nil
}

// bytes: the result is the old source with the splices replaced, which are in order
// and apart; a byte order mark stays.
func (j *judgement) bytes() error {
	old := j.doc.Source
	var built []byte
	at, before := 0, -1
	j.deltas = []int{0}
	for i, s := range j.res.Splices {
		if s.Start <= before || s.End < s.Start || s.End > len(old) {
			return fmt.Errorf("bytes: splice %d, %v, behind one that ends at %d, in %d bytes", i, s.Span, before, len(old))
		}
		built = append(append(built, old[at:s.Start]...), s.Text...)
		at, before = s.End, s.End
		j.deltas = append(j.deltas, j.deltas[i]+len(s.Text)-s.Len())
	}
	built = append(built, old[at:]...)
	if !bytes.Equal(built, j.res.Doc.Source) {
		return fmt.Errorf("bytes: the splices make %q, the result is %q", built, j.res.Doc.Source)
	}
	if bytes.HasPrefix(old, []byte("\uFEFF")) && (!bytes.HasPrefix(built, []byte("\uFEFF")) || len(j.res.Splices) > 0 && j.res.Splices[0].Start < 3) {
		return fmt.Errorf("bytes: the byte order mark is touched: %q", built)
	}
	if !bytes.HasPrefix(old, []byte("\uFEFF")) && bytes.HasPrefix(built, []byte("\uFEFF")) {
		return errors.New("bytes: the document has got a byte order mark")
	}
	if utf8.Valid(old) && !utf8.Valid(built) {
		return errors.New("bytes: the document is no valid UTF-8 any more")
	}
	if bytes.Equal(old, built) && len(j.ops) == 1 {
		return errors.New("bytes: nothing has changed")
	}
	return nil
}

// sameTree: the document of the result is what its source parses to.
func (j *judgement) sameTree() error {
	if !slices.Equal(j.new.Blocks, j.res.Doc.Blocks) || !slices.Equal(j.new.Sections, j.res.Doc.Sections) || j.new.LineCount != j.res.Doc.LineCount {
		return errors.New("tree: the document of the result is not the one that its source parses to")
	}
	if j.new.LineEnding() != j.res.Doc.LineEnding() {
		return errors.New("tree: the document of the result has another line ending than its source")
	}
	if len(j.new.Source) > 5000 {
		return nil
	}
	for b := range j.new.Blocks {
		if !slices.Equal(slices.Collect(j.new.ContentLines(b)), slices.Collect(j.res.Doc.ContentLines(b))) || j.new.Tight(b) != j.res.Doc.Tight(b) {
			return fmt.Errorf("tree: block %d of the result is read otherwise than that of its source", b)
		}
	}
	return nil
}

// endings: a document that ends its lines in one way still does.
func (j *judgement) endings() error {
	old, now := j.doc.LineEnding(), j.new.LineEnding()
	switch old {
	case markdown.MixedEnding:
		return j.endingsThere()
	case markdown.NoEnding:
		old = markdown.LF
	}
	if len(j.ops) > 1 && slices.ContainsFunc(j.ops, func(o made) bool { return o.Action == edit.ReplaceText }) {
		return nil // one may take all line endings out that the next would go by
	}
	if now != old && now != markdown.NoEnding {
		return fmt.Errorf("endings: the document had %v and has %v", j.doc.LineEnding(), now)
	}
	return nil
}

// endingsThere: where they differ, new text has one that stands there.
func (j *judgement) endingsThere() error {
	if len(j.ops) > 1 || j.ops[0].Action == edit.ReplaceText || j.isStructural() {
		return nil
	}
	for _, s := range j.res.Splices {
		has := endingsOf(s.Text)
		first, last := j.doc.LineAt(s.Start), j.doc.LineAt(s.End)
		around := j.doc.Text(j.doc.LineSpan(markdown.Lines{First: max(1, first-2), Last: min(j.doc.LineCount, last+2)}))
		var before []string
		if n := j.res.Changes[0].Target; n.Kind == address.BlockNode {
			first := max(1, n.Lines(j.doc).First-1) // what stands before it counts, too
			before = endingsOf(j.doc.Text(j.doc.LineSpan(markdown.Lines{First: first, Last: first})))
		}
		near := append(endingsOf(around), before...)
		if len(has) > 1 && !slices.Equal(has, near) && len(has) > len(near) || len(near) > 0 && len(has) == 1 && !slices.Contains(near, has[0]) {
			return fmt.Errorf("endings: new text %q has %q, around it is %q", s.Text, has, near)
		}
	}
	return nil
}

// endingsOf returns the line endings in a text, each once.
func endingsOf(text []byte) []string {
	var has []string
	for i := 0; i < len(text); i++ {
		ending := ""
		switch {
		case text[i] == '\n':
			ending = "\n"
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			ending = "\r\n"
			i++
		case text[i] == '\r':
			ending = "\r"
		}
		if ending != "" && !slices.Contains(has, ending) {
			has = append(has, ending)
		}
	}
	slices.Sort(has)
	return has
}

// unified returns a text with LF at the end of its lines.
func unified(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// tail: what stands after the last line with text stays as it was.
func (j *judgement) tail() error {
	for i := range j.ops {
		o, t := &j.ops[i], j.res.Changes[i].Target
		if o.Action == edit.ReplaceText || o.AllowRestructure || len(j.ops) > 1 && opensSomething(o.Text) || j.doc.LineEnding() == markdown.MixedEnding || len(j.ops) > 1 && (t.Kind == address.DocumentNode || t.Kind == address.PreambleNode) {
			return nil
		}
	}
	old, now := tailOf(j.doc.Source), tailOf(j.new.Source)
	if isBlank(j.doc.Source) || isBlank(j.new.Source) {
		return nil
	}
	// Code or HTML that isn't closed has the blank lines at the end of the document.
	if n := len(j.doc.Blocks); int(j.doc.Blocks[n-1].End) > len(bytes.TrimRight(j.doc.Source, white)) {
		return nil
	}
	if unified(old) != unified(now) {
		return fmt.Errorf("tail: the document ended with %q and ends with %q", old, now)
	}
	return nil
}

// opensSomething reports whether code or HTML in a text is not closed. Blank lines at
// the end of the document then belong to it, for operations that come later.
func opensSomething(text string) bool {
	doc, err := markdown.Parse([]byte(text + "\n\n"))
	if err != nil {
		return false
	}
	for b := range doc.Blocks {
		if open(doc, b) {
			return true
		}
	}
	return false
}

// isBlank reports whether a source has nothing but white space, besides a byte order
// mark.
func isBlank(src []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(src, []byte("\uFEFF")), white)) == 0
}

// tailOf returns what stands after the last line that isn't blank, its line ending
// included.
func tailOf(src []byte) string {
	end := len(bytes.TrimRight(src, " \t\r\n"))
	for end < len(src) && end > 0 && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	if end < len(src) || end == 0 {
		return string(src[end:])
	}
	return ""
}

// targets: each address stands for what it was made for, and where it only counts,
// the hash proves it.
func (j *judgement) targets() error {
	for i := range j.ops {
		o, c := &j.ops[i], &j.res.Changes[i]
		if o.Address == "" {
			if o.Action != edit.ReplaceText || c.Target != nil {
				return fmt.Errorf("target of %d: %v without an address, %+v", i, o.Action, c.Target)
			}
			continue
		}
		if c.Target == nil {
			return fmt.Errorf("target of %d: there is none for %q", i, o.Address)
		}
		if o.sure && c.Target.Node != o.node {
			return fmt.Errorf("target of %d: %q is %+v instead of %+v", i, o.Address, c.Target.Node, o.node)
		}
		if err := j.target(o, c); err != nil {
			return fmt.Errorf("target of %d, %q: %w", i, o.Address, err)
		}
	}
	return nil
}

func (j *judgement) target(o *made, c *edit.Change) error {
	r, err := address.ResolveNth(j.doc, o.Address, o.Occurrence)
	if err != nil || r.Node != c.Target.Node {
		return fmt.Errorf("resolves to %+v, %w; not to %+v", r, err, c.Target.Node)
	}
	if r.ByPosition && o.ExpectedHash == "" && !j.options.Pinned {
		return errors.New("a position without a hash")
	}
	if o.ExpectedHash == "" {
		return nil
	}
	if len(o.ExpectedHash) < 12 {
		return errors.New("a hash that is too short")
	}
	ok := strings.HasPrefix(markdown.Hash(j.doc.Text(c.Target.Span(j.doc))), o.ExpectedHash)
	whole := o.Scope != edit.ScopeBody && (o.Action == edit.Replace || o.Action == edit.Remove) || slices.Contains(edit.Structural(), o.Action)
	if !ok && c.Target.Kind == address.SectionNode && !whole {
		ok = strings.HasPrefix(j.doc.BodyHash(c.Target.Section), o.ExpectedHash)
	}
	if !ok {
		return fmt.Errorf("hash %s is not that of what is there", o.ExpectedHash)
	}
	return nil
}

// image returns where the old offset is in the new document. What was put in at the
// offset itself comes before it.
func (j *judgement) image(offset int) int {
	n := sort.Search(len(j.res.Splices), func(i int) bool { return j.res.Splices[i].End > offset })
	return offset + j.deltas[n]
}

// touched reports whether a splice takes some of the range, or stands in it.
func (j *judgement) touched(from, to int) bool {
	n := sort.Search(len(j.res.Splices), func(i int) bool { return j.res.Splices[i].End > from })
	return n < len(j.res.Splices) && j.res.Splices[n].Start < to
}

// restructured reports whether an operation may change the blocks around and says
// that it did.
func (j *judgement) restructured() bool {
	allowed, said := false, false
	for i := range j.ops {
		allowed = allowed || j.ops[i].AllowRestructure
		said = said || len(j.res.Changes[i].Restructured) > 0
	}
	return allowed && said
}

// hashes: the sections that are neither the target's nor above it have the hash
// that they had.
func (j *judgement) hashes() error {
	if slices.ContainsFunc(j.ops, func(o made) bool { return o.AllowRestructure }) {
		return nil // a heading of another level may be put anywhere
	}
	above := make([]bool, len(j.doc.Sections))
	for i := range j.ops {
		t := j.res.Changes[i].Target
		if t == nil {
			continue
		}
		for s := t.Section; s >= 0; s = int(j.doc.Sections[s].Parent) {
			above[s] = true
		}
	}
	for i := range j.doc.Sections {
		span := j.doc.SectionSpan(i)
		end := span.Start + len(bytes.TrimRight(j.doc.Text(span), " \t\r\n"))
		if above[i] || j.touched(span.Start, end) || j.joins(span.Start, span.End) {
			continue
		}
		b := j.find(int(j.doc.Sections[i].Heading))
		if b < 0 {
			return fmt.Errorf("hashes: section %d, %q, has no heading any more", i, j.doc.SectionTitle(i))
		}
		s := sectionOf(j.new, b)
		if s < 0 || int(j.new.Sections[s].Heading) != b || !j.sameHashes(i, s) {
			return fmt.Errorf("hashes: section %d, %q, which nothing touches, has another hash", i, j.doc.SectionTitle(i))
		}
	}
	return nil
}

// sameHashes compares the hashes of an old and a new section. In long documents it
// compares what they are made of, which is faster.
func (j *judgement) sameHashes(i, s int) bool {
	if len(j.doc.Source) < 10_000 {
		return j.new.SectionHash(s) == j.doc.SectionHash(i) && j.new.BodyHash(s) == j.doc.BodyHash(i)
	}
	old, now := j.doc.Text(j.doc.SectionSpan(i)), j.new.Text(j.new.SectionSpan(s))
	oldBody, nowBody := j.doc.Text(j.doc.BodySpan(i)), j.new.Text(j.new.BodySpan(s))
	return bytes.Equal(bytes.TrimRight(old, white), bytes.TrimRight(now, white)) && bytes.Equal(bytes.TrimRight(oldBody, white), bytes.TrimRight(nowBody, white))
}

// joins reports whether something that belongs to no one section was put at the
// edge of the range: it may belong to it.
func (j *judgement) joins(from, to int) bool {
	for i := range j.ops {
		t := j.res.Changes[i].Target
		if j.ops[i].Action != edit.ReplaceText && t != nil && t.Kind == address.SectionNode {
			continue
		}
		// Without the heading after it, what stood below that belongs to it.
		if s := sectionAt(j.doc, to); s >= 0 {
			to = int(j.doc.Blocks[j.doc.Sections[s].Heading].End)
		}
		for _, s := range j.res.Splices {
			if s.Start <= to && s.End >= from {
				return true
			}
		}
	}
	return false
}

// sectionAt returns the section that begins at the offset, or -1.
func sectionAt(doc *markdown.Document, offset int) int {
	i := sort.Search(len(doc.Sections), func(i int) bool { return doc.SectionSpan(i).Start >= offset })
	if i < len(doc.Sections) && doc.SectionSpan(i).Start == offset {
		return i
	}
	return -1
}
