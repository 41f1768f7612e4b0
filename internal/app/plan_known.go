package app

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/planstore"
	"github.com/sectile/sectile/plan"
)

// Positions of tasks count in the text that the reader was shown. Calls of one reader
// run beside each other: the change of one is there before its reply is seen, and
// replies are not seen in the order of the changes. So what a change makes is known
// from when it is made, under the store's lock.

// textKey is the hash of a text and its place.
type textKey [sha256.Size]byte

func textKeyOf(kind, where, text string) textKey {
	return sha256.Sum256([]byte(kind + "\x00" + where + "\x00" + strings.TrimSuffix(text, "\n")))
}

// holds reports whether positions of tasks mean in the plan of now what the reader
// takes them for: it has named this version, or knows this text, or was shown none.
func (p *Plans) holds(expected string, now planstore.State) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return expected == now.Version || p.known[textKeyOf(string(now.Kind), now.Where, now.Text)] || expected == "" && len(p.known) == 0
}

// made notes the text that a change of the reader makes of one in which its positions
// hold, if no task moves.
func (p *Plans) made(now planstore.State, text string, before, after []plan.Task) {
	same := func(a, b plan.Item) bool { return a.ID == b.ID && a.Text == b.Text }
	if !p.holds("", now) || !slices.EqualFunc(plan.Items(before), plan.Items(after), same) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[textKey]bool{}
	}
	p.known[textKeyOf(string(now.Kind), now.Where, now.Text)] = true
	p.known[textKeyOf(string(now.Kind), now.Where, text)] = true
}

// seen notes what the reader is shown.
func (p *Plans) seen(r *PlanReply) *PlanReply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if shown := textKeyOf(r.Store, r.Where, r.Source); !p.known[shown] {
		p.known = map[textKey]bool{shown: true}
	}
	return r
}
