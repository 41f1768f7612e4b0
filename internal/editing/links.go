package editing

import (
	"context"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/links"
)

// A heading's text is what links lead to: whoever renames it says what becomes of them, and
// what is said to be kept is proved. Other changes are made, and tell what they break.

// LinkChoices are the values of a request's Links.
func LinkChoices() []string { return []string{linking.UpdateLinks, linking.LeaveLinks} }

// checkLinks says what is wrong with what shall become of links.
func checkLinks(choice string, action edit.Action) replies.Sentence {
	switch {
	case choice == "":
		return replies.Sentence{}
	case choice != linking.UpdateLinks && choice != linking.LeaveLinks:
		return replies.Say("there is no %s %q; it is %s or %s", replies.Links, replies.Clip(choice, replies.MaxShown), linking.UpdateLinks, linking.LeaveLinks)
	case action != edit.Rename:
		return replies.Say("%s is for the action %s alone; leave it out", replies.Links, edit.Rename)
	}
	return replies.Sentence{}
}

// keepLinks looks what becomes of links that lead to the headings of the document before:
// those of a heading that is renamed are changed or left, as is asked for, or the change is
// refused; of other changes it warns.
func (e *editing) keepLinks(ctx context.Context, l *documents.Lease) error {
	e.brokenLinks, e.keptLinks, e.unchecked = 0, 0, false
	if e.plain {
		return nil
	}
	r, ok := e.renaming()
	if !ok || e.links == linking.LeaveLinks {
		e.countBroken()
		return nil
	}
	if size := e.linkBytes(); size > linking.SmallPage {
		if err := l.Bears(documents.EditBytes(e.before)+size, e.before); err != nil {
			return err
		}
	}
	if !e.namesChanged() {
		return nil
	}
	e.docs.Work.Keep(l)
	e.phase = looking
	elsewhere, err := linking.Elsewhere(ctx, e.docs, *r)
	if err != nil {
		return err
	}
	e.phase = changing
	splices, lost := links.Rename(r)
	own := e.placesOf(r, splices, lost)
	if len(elsewhere) > 0 || len(lost) > 0 || len(splices) > 0 && e.links == "" {
		return linking.WouldBreak(replies.DisplayPath(e.path), own, elsewhere, len(lost) == 0)
	}
	if len(splices) == 0 {
		return nil
	}
	result, err := e.result.Also(ctx, e.inOld(splices), l.Limits(len(e.before.Source)+e.sizeWith(e.before)))
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

// countBroken counts the links that led to names which are gone, unless there is no room for
// that now.
func (e *editing) countBroken() {
	if size := e.linkBytes(); size > linking.SmallPage {
		borrowed, err := e.docs.Work.Borrow(size, e.before)
		if err != nil {
			e.unchecked = true
			return
		}
		defer borrowed.Release()
	}
	if e.namesChanged() {
		e.brokenLinks = len(linking.Broken(e.before, e.result.Doc))
	}
}

// namesChanged reports whether the headings have other names after the change.
func (e *editing) namesChanged() bool {
	was, is := address.PlacesOf(e.before).All(), address.PlacesOf(e.result.Doc).All()
	if len(was) != len(is) {
		return true
	}
	for i := range was {
		if was[i].Name != is[i].Name {
			return true
		}
	}
	return false
}

// renaming returns what is renamed, and whether that is all that is done.
func (e *editing) renaming() (*links.Renaming, bool) {
	if e.batch || len(e.ops) != 1 || e.ops[0].Action != edit.Rename || len(e.result.Splices) != 1 || len(e.before.Blocks) != len(e.result.Doc.Blocks) {
		return nil, false
	}
	target := e.result.Changes[0].Target
	if target == nil || target.Kind != address.SectionNode {
		return nil, false
	}
	heading := int(e.before.Sections[target.Section].Heading)
	return &links.Renaming{Path: replies.DisplayPath(e.path), Before: e.before, After: e.result.Doc, Heading: heading}, true
}

// inOld returns splices of the document after a renaming as ones of the document before it.
func (e *editing) inOld(splices []links.Splice) []edit.Splice {
	own := e.result.Splices[0]
	moved := len(own.Text) - own.Len()
	old := make([]edit.Splice, len(splices))
	for i, s := range splices {
		span := s.Span
		if span.Start >= own.End+moved {
			span.Start, span.End = span.Start-moved, span.End-moved
		}
		old[i] = edit.Splice{Span: span, Text: []byte(s.Text)}
	}
	return old
}

// placesOf returns where the links of the document stand that a renaming would break.
func (e *editing) placesOf(r *links.Renaming, splices []links.Splice, lost []int) []linking.Place {
	var places []linking.Place
	shown := replies.DisplayPath(e.path)
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
