package editing

import (
	"context"
	"path"
	"path/filepath"
	"slices"

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
	e.brokenLinks, e.keptLinks, e.astray, e.redefined, e.unchecked = 0, 0, 0, 0, false
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
		e.countBroken(r)
		return nil
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
	var elsewhere []linking.Place
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
	if len(elsewhere) > 0 && kept && e.alone && e.links == linking.UpdateLinks {
		return errElsewhere
	}
	if len(elsewhere) > 0 || !kept || len(splices) > 0 && e.links == "" {
		return linking.WouldBreak(replies.DisplayPath(e.path), own, elsewhere, kept)
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

// countBroken counts the links that led to names which are gone, and those that lead elsewhere
// after an action on the structure, unless there is no room for that now.
func (e *editing) countBroken(r *links.Renaming) {
	if size := e.linkBytes(); size > linking.SmallPage {
		borrowed, err := e.docs.Work.Borrow(size, e.before)
		if err != nil {
			e.unchecked = true
			return
		}
		defer borrowed.Release()
	}
	if e.namesChanged() {
		e.brokenLinks = len(linking.Broken(path.Base(filepath.ToSlash(e.path)), e.before, e.result.Doc))
	}
	if r != nil && r.Blocks != nil {
		splices, lost := links.Rename(r)
		e.astray, e.redefined = len(splices)+len(lost)-e.brokenLinks, len(r.Redefined())
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

// renaming returns what headings have other names for, and whether that is all that is done:
// one was renamed, or an action on the structure was made.
func (e *editing) renaming() (*links.Renaming, bool) {
	r := &links.Renaming{
		Before: e.before, After: e.result.Doc, Heading: -1, Blocks: e.result.Blocks, Instead: -1,
	}
	if e.result.Blocks != nil {
		if now := e.result.Changes[0].After; e.ops[0].Action == edit.Dissolve && now != nil { // its text is part of that
			r.Instead = int(r.After.Sections[now.Section].Heading)
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
