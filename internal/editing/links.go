package editing

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// A heading's text is what links lead to: whoever renames it says what becomes of them, and
// what is said to be kept is proved. Other changes are made, and tell what they break.

// strays are what a change lets lead elsewhere.
type strays struct {
	brokenLinks int             // links of the document that lead nowhere now
	astray      int             // those that lead to something else
	elsewhere   linking.Strayed // both, of other documents
	renames     bool            // those of other documents are to be looked at with all documents that change
	redefined   int             // references with another definition
	unchecked   bool            // those of the document aren't known
	unreadable  bool            // those of other documents aren't known
}

// warnings tells of them, of a document that has the name.
func (s *strays) warnings(name string) []string {
	var all []string
	count := func(n int, noun, rest string) {
		if n > 0 {
			all = append(all, replies.Plural(n, noun)+rest)
		}
	}
	count(s.brokenLinks, "link", " of "+name+" led to an anchor that is gone")
	if s.unchecked {
		all = append(all, "the links of "+name+" were not checked, for which there is no memory now: some may lead to an anchor that is gone")
	}
	count(s.astray, "link", " of "+name+" led to another anchor")
	count(len(s.elsewhere.Places), "link", " of other documents led to an anchor that is gone, or is another's now"+s.shown())
	if s.unreadable {
		all = append(all, "not all links of other documents could be looked at: some may lead to an anchor that is gone")
	}
	count(s.redefined, "reference", " of "+name+" belonged to another definition of the same label")
	return all
}

// maxStrays is the number of links of other documents that a warning shows, and maxStray of characters of
// the destination of each.
const (
	maxStrays = 2
	maxStray  = 100
)

// shown shows the first links of other documents, and how they would have been taken along.
func (s *strays) shown() string {
	var first []string
	for i := range s.elsewhere.Places[:min(maxStrays, len(s.elsewhere.Places))] {
		first = append(first, s.elsewhere.Places[i].Shown(maxStray))
	}
	text := ": " + strings.Join(first, ", ")
	if more := len(s.elsewhere.Places) - maxStrays; more > 0 {
		text += " and " + replies.Plural(more, "more link")
	}
	if s.elsewhere.Retitled() {
		text += "; " + string(edit.Rename) + " with links " + linking.UpdateLinks + " would take them along"
	}
	return text
}

// LinkChoices are the values of a request's Links.
func LinkChoices() []string { return []string{linking.UpdateLinks, linking.LeaveLinks} }

// checkLinks says what is wrong with what shall become of links.
func checkLinks(choice string, action edit.Action) replies.Sentence {
	switch {
	case choice == "":
		return replies.Sentence{}
	case choice != linking.UpdateLinks && choice != linking.LeaveLinks:
		return replies.Say("there is no %s %q; it is %s or %s", replies.Links, replies.Clip(choice, replies.MaxShown), linking.UpdateLinks, linking.LeaveLinks)
	case action != edit.Rename && !slices.Contains(edit.Structural(), action):
		return replies.Say("%s is for the action %s alone; leave it out", replies.Links, edit.Rename)
	}
	return replies.Sentence{}
}

// keepLinks looks what becomes of links that lead to the headings of the document before:
// those of a heading that is renamed are changed or left, as is asked for, or the change is
// refused; of other changes it warns.
func (e *editing) keepLinks(ctx context.Context, l *documents.Lease) error {
	e.strays, e.keptLinks = strays{}, 0
	if e.plain {
		return nil
	}
	r, ok := e.renaming()
	if ok {
		if err := linking.Locate(ctx, e.docs, r); err != nil {
			return err
		}
	}
	if !ok || e.links == linking.LeaveLinks {
		return e.countStrays(ctx, l, r)
	}
	if size := e.linkBytes(); size > linking.SmallPage {
		if l.Bears(documents.EditBytes(e.before)+size, e.before) != nil {
			borrowed, err := e.docs.Work.Borrow(size, e.before)
			if err != nil {
				return err
			}
			defer borrowed.Release()
		}
	}
	return e.keepNames(ctx, l, r)
}

// keepNames keeps the links that lead to what is renamed, as is asked for, or refuses the
// change.
func (e *editing) keepNames(ctx context.Context, l *documents.Lease, r *links.Renaming) error {
	var redefined []markdown.Link
	if r.Blocks != nil {
		redefined = r.Redefined()
	}
	renames := r.Renames()
	if !renames && len(redefined) == 0 {
		return nil
	}
	var elsewhere linking.Strayed
	if renames && !e.together {
		e.docs.Work.Keep(l)
		e.phase = looking
		var err error
		if elsewhere, err = linking.Elsewhere(ctx, e.docs, r); err != nil {
			return err
		}
	}
	e.phase = changing
	splices, lost := links.Rename(r)
	own, kept := e.placesOf(r, splices, lost, redefined), len(lost) == 0 && len(redefined) == 0
	if len(elsewhere.Places) > 0 && kept && e.alone && e.links == linking.UpdateLinks {
		return errElsewhere
	}
	if len(elsewhere.Places) > 0 || !kept || len(splices) > 0 && e.links == "" {
		return linking.WouldBreak(replies.DisplayPath(e.path), own, elsewhere.Places, kept)
	}
	if len(splices) == 0 {
		return nil
	}
	more := make([]edit.Splice, len(splices))
	for i, s := range splices {
		more[i] = edit.Splice{Span: s.Span, Text: []byte(s.Text)}
	}
	result, err := e.result.Also(ctx, more, l.Limits(len(e.before.Source)+e.sizeWith(e.before)))
	if err != nil {
		return err
	}
	if r.After = result.Doc; !r.Proved() {
		return linking.WouldBreak(replies.DisplayPath(e.path), own, nil, false)
	}
	e.result, e.keptLinks = result, len(splices)
	return nil
}

// linkBytes returns about how much memory the links and names before and after take.
func (e *editing) linkBytes() int64 {
	return linking.PageBytes(e.before) + linking.PageBytes(e.result.Doc)
}

// countStrays counts the links that led to names which are gone, and those that lead elsewhere,
// unless there is no room for that now: those of the document, and of a change that says
// nothing of links also those of other documents. R is nil for a change that renames nothing.
func (e *editing) countStrays(ctx context.Context, l *documents.Lease, r *links.Renaming) error {
	structural := r != nil && r.Blocks != nil
	others := r == nil && !e.together
	if size := e.linkBytes(); size > linking.SmallPage {
		borrowed, err := e.docs.Work.Borrow(size, e.before)
		if err != nil {
			e.unchecked = true // the change is made, and tells that nobody has looked
			others = others && e.namesChanged()
			e.unreadable, e.renames = others && e.alone, others && !e.alone
			return nil
		}
		defer borrowed.Release()
	}
	if !structural {
		if len(e.result.Splices) <= 1 && !e.namesChanged() {
			return nil // what stands around one splice has the names that it had
		}
		r = linking.Changed(e.before, e.result.Doc, e.result.Splices)
	}
	renames := r.Renames()
	if e.renames = renames && others && !e.alone; e.renames {
		others = false
	}
	if renames {
		if linking.Locate(ctx, e.docs, r) != nil { // a configuration that is wrong keeps nobody from editing
			r.Path, e.unreadable, others = path.Base(filepath.ToSlash(e.path)), others, false
		}
		e.brokenLinks, e.astray = r.Strays()
	}
	if structural {
		e.redefined = len(r.Redefined())
	}
	if !renames || !others {
		return nil
	}
	e.docs.Work.Keep(l)
	e.phase = looking
	elsewhere, err := linking.Elsewhere(ctx, e.docs, r)
	e.phase = changing
	if ctx.Err() != nil {
		return err
	}
	e.elsewhere, e.unreadable = elsewhere, err != nil
	return nil
}

// namesChanged reports whether the names of the document are others after the change, or in
// another order, or one is a heading's no longer, or headings stand below others, which are part of
// names in the dialect of Obsidian.
func (e *editing) namesChanged() bool {
	isBelow := func(a, b markdown.Section) bool { return a.Parent == b.Parent }
	if e.before.Options().Dialect == markdown.Obsidian && !slices.EqualFunc(e.before.Sections, e.result.Doc.Sections, isBelow) {
		return true
	}
	ofHeading := func(doc *markdown.Document, p address.Place) bool {
		return doc.Blocks[p.Block].Kind == markdown.Heading
	}
	isSame := func(a, b address.Place) bool {
		return a.Name == b.Name && ofHeading(e.before, a) == ofHeading(e.result.Doc, b)
	}
	return !slices.EqualFunc(address.PlacesOf(e.before).All(), address.PlacesOf(e.result.Doc).All(), isSame)
}

// renaming returns what headings have other names for, and whether that is all that is done:
// one was renamed, or an action on the structure was made.
func (e *editing) renaming() (*links.Renaming, bool) {
	r := &links.Renaming{
		Before: e.before, After: e.result.Doc, Heading: -1, Blocks: e.result.Blocks, Instead: -1,
	}
	if e.result.Blocks != nil {
		change := e.result.Changes[0]
		if t := change.Target; change.After != nil && t.Kind == address.SectionNode && r.Blocks[r.Before.Sections[t.Section].Heading] < 0 {
			r.Instead = int(r.After.Sections[change.After.Section].Heading) // the target's heading is gone, and its text is part of that section
		}
		return r, true
	}
	if e.batch || len(e.ops) != 1 || e.ops[0].Action != edit.Rename || len(e.result.Splices) != 1 || len(e.before.Blocks) != len(e.result.Doc.Blocks) {
		return nil, false
	}
	target := e.result.Changes[0].Target
	if target == nil || target.Kind != address.SectionNode {
		return nil, false
	}
	r.Heading = int(e.before.Sections[target.Section].Heading)
	return r, true
}

// placesOf returns where the links of the document stand that a renaming would break.
func (e *editing) placesOf(r *links.Renaming, splices []links.Splice, lost []int, redefined []markdown.Link) []linking.Place {
	var places []linking.Place
	shown := replies.DisplayPath(e.path)
	for _, l := range redefined {
		places = append(places, linking.Place{FilePath: shown, Line: r.Before.LineAt(l.Whole.Start), Destination: string(r.Before.Text(l.Whole))})
	}
	for _, s := range splices {
		places = append(places, linking.Place{FilePath: shown, Line: r.After.LineAt(s.Span.Start), Destination: "#" + string(r.After.Text(s.Span))})
	}
	if len(lost) > 0 {
		page := links.NewPage(r.Path, r.Before)
		for _, i := range lost {
			places = append(places, linking.Place{FilePath: shown, Line: page.Links[i].Line, Destination: page.Links[i].Destination})
		}
	}
	return places
}
