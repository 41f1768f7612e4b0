package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// edited makes edits in a document as the program should, all acknowledged but some that
// have no answer, of which every other one was made.
func edited(d *document, n int) (tries []*try, text string) {
	random := rand.New(rand.NewPCG(1, 2))
	text = d.Text
	states := map[int]string{}
	for i := range n {
		t := newTry(random, d, i%writers, i, nil)
		tries = append(tries, t)
		t.Known, t.Code = acknowledged, ""
		switch {
		case t.Must:
			t.Known, t.Code = refused, t.May
			continue
		case i%5 == 0:
			t.Known = unanswered
			if i%2 == 0 {
				continue
			}
		}
		if t.State != "" {
			s := d.Own[t.Writer]
			was := noState
			if states[t.Writer] != "" {
				was = states[t.Writer]
			}
			states[t.Writer] = t.State
			text = strings.Replace(text, s.Heading+s.EOL+s.EOL+was, s.Heading+s.EOL+s.EOL+t.State, 1)
			continue
		}
		for _, p := range t.Pieces {
			at := d.places(text)[p.Mark] + len(d.Marks[p.Mark])
			if t.Call.Texts != nil { // after the anchor, which is the first paragraph that was there
				at += strings.Index(text[at:], "Anchor ")
				at += strings.Index(text[at:], ".") + 1
			} else {
				at -= len(d.lastEnding(p.Mark))
			}
			text = text[:at] + p.Bytes + text[at:]
		}
	}
	return tries, text
}

// lastEnding returns how the line of a mark ends.
func (d *document) lastEnding(mark int) string {
	return strings.TrimLeft(d.Marks[mark][len(strings.TrimRight(d.Marks[mark], "\r\n")):], " ")
}

// A check that finds nothing in files that were damaged proves nothing.
func TestCheckFindsLosses(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, d := range newDocuments() {
		tries, text := edited(&d, 150)
		if v := check(&d, tries, text); len(v.wrong) > 0 || v.late == 0 {
			t.Fatalf("%s, which is right: %q, %d late", d.Name, v.wrong, v.late)
		}
		eol := d.Shared[1].EOL
		var block, inline, both, missing, state, undone *try
		for _, tr := range tries {
			switch {
			case tr.Known == acknowledged && tr.State != "":
				state = tr
			case tr.Known == acknowledged && len(tr.Pieces) == 2:
				both = tr
			case tr.Known == acknowledged && tr.Call.Texts != nil:
				inline = tr
			case tr.Known == acknowledged && tr.Pieces[0].Mark == d.mark(d.Shared[1])+1:
				block = tr
			case tr.Known == refused:
				missing = tr
			case tr.Known == unanswered && tr.State == "" && !strings.Contains(text, tr.Token) && tr.Call.Texts == nil:
				undone = tr
			}
		}
		replace := func(was, is string) string { return strings.Replace(text, was, is, 1) }
		for name, damaged := range map[string]string{
			"an edit is lost":         replace(block.Pieces[0].Bytes, ""),
			"a word is lost":          replace(inline.Pieces[0].Bytes, ""),
			"an edit is there twice":  replace(block.Pieces[0].Bytes, strings.Repeat(block.Pieces[0].Bytes, 2)),
			"an edit is torn":         replace(block.Token, block.Token[:len(block.Token)/2]),
			"half of two is there":    replace(both.Pieces[0].Bytes, ""),
			"a refused one is there":  replace("The last line.", "The last line."+missing.Pieces[0].Bytes),
			"one without answer torn": replace("The last line.", "The last line."+undone.Pieces[0].Bytes[:len(undone.Pieces[0].Bytes)-1]),
			"an older state":          replace("State: "+state.Token, "State: "+tries[0].Token),
			"another line ending":     replace("- a list"+eol, "- a list"+map[string]string{"\n": "\r\n", "\r\n": "\n", "\r": "\n"}[eol]),
			"a blank line more":       replace("  with more", eol+"  with more"),
			"a heading is gone":       replace("## Last", "Last"),
			"the end is cut off":      text[:len(text)-1],
			"bytes behind the end":    text + "\n",
			"bytes before the start":  " " + text,
			"nothing is there":        "",
			"in another section":      strings.Replace(replace(block.Pieces[0].Bytes, ""), "Words before.", "Words before."+block.Pieces[0].Bytes, 1),
		} {
			if damaged == text {
				t.Errorf("%s: %s: the damage changes nothing", d.Name, name)
			} else if v := check(&d, tries, damaged); len(v.wrong) == 0 {
				t.Errorf("%s: %s, and the check finds nothing", d.Name, name)
			}
		}
	}
}
