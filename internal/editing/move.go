package editing

import (
	"context"
	"slices"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
)

// Changing the structure of a document: where a section stands, its level, and the order of
// what is below it. No text is sent, and none is lost.

// MoveSectionRequest asks for one change of the structure of one document.
type MoveSectionRequest struct {
	Heading    string // an address
	Action     string // one of MoveActions
	To         string // for move: the address of the section that it goes beside or into
	Where      string // for move: one of MovePlaces
	KeepLevels bool   // for move
	// ToPath is the document that it moves to, empty for its own: then To may be empty, for
	// the end of it. Create makes that document; LeaveLink leaves the heading with a link.
	ToPath            string
	Create, LeaveLink bool
	// Order is for reorder: the headings of all subsections. Without it they are ordered by
	// their titles.
	Order []string
	// Occurrence, ExpectedHash, ExpectedVersion and Links are as in EditSectionRequest.
	Occurrence                           int
	ExpectedHash, ExpectedVersion, Links string
	EditOptions
}

// MoveActions are the names of the actions on the structure of a document.
func MoveActions() []string { return sent.Names(edit.Structural()) }

// MovePlaces are the names of the places that a section can be moved to.
func MovePlaces() []string { return sent.Names(edit.MovePlaces()) }

// MoveSection changes the structure of the one document in docs. The error is an *Error,
// and then nothing is written unless it says so.
func MoveSection(ctx context.Context, docs documents.Set, req MoveSectionRequest) (*EditReply, error) {
	if message := req.wrong(); !message.IsEmpty() {
		return nil, replies.Unwritten(replies.Invalid(message))
	}
	op := edit.Op{
		Action: edit.Action(req.Action), Address: req.Heading, To: req.To, Where: edit.Where(req.Where), KeepLevels: req.KeepLevels,
		Order: req.Order, Occurrence: req.Occurrence, ExpectedHash: sent.GuardOf(req.ExpectedHash),
	}
	docs = docs.AsListed()
	e := editing{docs: docs, options: req.EditOptions, ops: []edit.Op{op}, version: sent.GuardOf(req.ExpectedVersion), links: req.Links}
	if req.ToPath != "" {
		return moveAcross(ctx, &e, &req)
	}
	return e.run(ctx)
}

// wrong says what is wrong with a request before the document is looked at.
func (r *MoveSectionRequest) wrong() replies.Sentence {
	actions, places := MoveActions(), MovePlaces()
	moves := r.Action == string(edit.Move)
	switch {
	case r.Action == "":
		return replies.Say("%s is missing; it is one of %s", replies.Action, strings.Join(actions, ", "))
	case !slices.Contains(actions, r.Action):
		return replies.Say("there is no action %q; %sit is one of %s", replies.Clip(r.Action, replies.MaxShown), nearest.Question("", r.Action, actions), strings.Join(actions, ", "))
	case strings.TrimSpace(r.Heading) == "":
		return replies.Say("%s is missing; name the section, by its heading or another address", replies.Heading)
	case sent.IsBlankGuard(r.ExpectedHash):
		return sent.EmptyHash()
	case sent.IsBlankGuard(r.ExpectedVersion):
		return sent.EmptyVersion()
	case r.Action != string(edit.Reorder) && r.Order != nil:
		return replies.Say("%s is for the action %s alone; leave it out", replies.Order, edit.Reorder)
	case r.ToPath == "" && (r.Create || r.LeaveLink):
		return replies.Say("%s and %s are for a move to another document; name it with %s", replies.Create, replies.LeaveLink, replies.ToPath)
	case r.ToPath != "" && !moves:
		return replies.Say("%s is for the action %s alone; leave it out", replies.ToPath, edit.Move)
	case r.ToPath != "" && r.To == "" && r.Where == "":
	case r.Create && r.To != "":
		return replies.Say("a document that is made has no section yet; leave %s out", replies.To)
	case moves && strings.TrimSpace(r.To) == "":
		return replies.Say("%s is missing; name the section that it goes beside or into", replies.To)
	case moves && !slices.Contains(places, r.Where):
		return replies.Say("%s is one of %s; it says where the section goes as seen from %s", replies.Where, strings.Join(places, ", "), replies.To)
	case !moves && (r.To != "" || r.Where != "" || r.KeepLevels):
		return replies.Say("%s is for the action %s alone; leave it out", replies.To, edit.Move)
	}
	return checkLinks(r.Links, edit.Action(r.Action))
}
