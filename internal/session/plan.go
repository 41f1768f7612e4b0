package session

import (
	"crypto/sha256"
	"strings"
	"sync"
)

// Positions of tasks count in the text of a plan that the reader was shown. Calls of
// one reader run beside each other: the change of one is there before its reply is
// seen, and replies are not seen in the order of the changes. So what a change makes
// of the plan without moving a task is known from when it is made, and a reply counts
// by when its text was there, not by when it comes.

// Plan is what one reader was shown of a plan. The zero value stands for nothing, and
// nil for a reader whom nobody knows. It is safe for concurrent use.
type Plan struct {
	mu sync.Mutex
	// known are the texts in which positions of tasks mean what the reader takes them
	// for: the one shown last, and those that its own changes made of it without
	// moving a task; empty for none.
	known map[PlanText]bool
	// listed are the positions that errors and parts of the plan have shown in the text that
	// was there then; the rest of that text wasn't shown.
	listed   map[string]bool
	listedIn PlanText
	partly   bool // a part of the plan was shown
	turns    Turn // of the reader's last change
	shown    Turn // when the text was there that was shown last
	// oneOfMany says that others may have changed the plan before anything was shown.
	oneOfMany bool
}

// maxPlanTexts is the number of texts that are known of a plan; beyond it all but the
// last two are forgotten.
const maxPlanTexts = 1_000

// PlanText stands for the text of a plan.
type PlanText [sha256.Size]byte

// NewPlanText returns what stands for a text in a place of a kind of store. Whether it
// ends with a newline makes no difference.
func NewPlanText(kind, where, text string) PlanText {
	return sha256.Sum256([]byte(kind + "\x00" + where + "\x00" + strings.TrimSuffix(text, "\n")))
}

// Turn is a point in time: so many changes of this reader were there.
type Turn int

// Plan returns what the reader was shown of the plan, nil for no session.
func (s *Session) Plan() *Plan {
	if s == nil {
		return nil
	}
	return &s.plan
}

// Now returns the turn for a text that is about to be read.
func (p *Plan) Now() Turn {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turns
}

// Next returns the turn for a change that is being made.
func (p *Plan) Next() Turn {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns++
	return p.turns
}

// Knows reports whether positions mean in a text what the reader takes them for.
func (p *Plan) Knows(text PlanText) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[text]
}

// Listed notes positions that an error, or a part of the plan, shows in a text. What was listed
// of another text is forgotten.
func (p *Plan) Listed(text PlanText, positions []string) {
	if p == nil || len(positions) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listedIn != text || p.listed == nil {
		p.listedIn, p.listed = text, map[string]bool{}
	}
	for _, position := range positions {
		p.listed[position] = true
	}
}

// WasListed reports whether this position was listed last in this text.
func (p *Plan) WasListed(text PlanText, position string) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.listedIn == text && p.listed[position]
}

// IsNew reports whether nothing was shown to the reader, who is the only one.
func (p *Plan) IsNew() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.known) == 0 && !p.partly && !p.oneOfMany
}

// IsStranger reports whether the reader is nobody, or one of many to whom nothing was
// shown.
func (p *Plan) IsStranger() bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.known) == 0 && p.oneOfMany
}

// Made notes that a change of the reader makes one text of another, and moves no task.
func (p *Plan) Made(before, after PlanText) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listedIn == before {
		p.listedIn = after
	}
	switch n := len(p.known); {
	case n > 0 && !p.known[before], n == 0 && p.partly:
	case n == 0, n >= maxPlanTexts:
		p.known = map[PlanText]bool{before: true, after: true}
	default:
		p.known[after] = true
	}
}

// Shown notes that the reader is shown a text that was there at this turn. One that
// comes after the reply to a later change takes nothing back.
func (p *Plan) Shown(text PlanText, turn Turn) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if turn < p.shown {
		return
	}
	p.shown = turn
	if !p.known[text] {
		p.known = map[PlanText]bool{text: true}
	}
}

// ShownPart is Shown for a part of a text, in which these positions stand: others mean nothing
// from then on, unless all of the text was shown before.
func (p *Plan) ShownPart(text PlanText, positions []string, turn Turn) {
	if p == nil {
		return
	}
	p.Listed(text, positions)
	p.mu.Lock()
	defer p.mu.Unlock()
	if turn < p.shown {
		return
	}
	p.shown, p.partly = turn, true
	if !p.known[text] {
		p.known = nil
	}
}
