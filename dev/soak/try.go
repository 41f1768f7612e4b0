package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// outcome is what a writer knows of an edit.
type outcome string

const (
	unanswered   outcome = "unanswered" // the process ended before it said anything
	acknowledged outcome = "acknowledged"
	refused      outcome = "refused"
)

// try is an edit, and what is known of it.
type try struct {
	File   string
	Writer int
	Token  string
	// Pieces are the bytes that the edit puts into the file, each once, with the number
	// of the mark whose section they belong to; or with State the body that it puts in the
	// place of the one of the writer's section.
	Pieces []piece
	State  string

	Call  call   // what is asked for
	May   string // the code of an error that may come; empty for none
	Must  bool   // and it must come
	Code  string // the code that came
	Known outcome
}

// piece is a part of an edit.
type piece struct {
	Bytes string
	Mark  int
}

// call is an edit as it is asked for.
type call struct {
	Address, Action, Content, Hash string      // of one section
	Texts                          [][2]string // or texts that are replaced, all or none
}

// code words of refusals.
const (
	codeConflict  = "conflict"
	codeStructure = "structure_changed"
	codeNoSpace   = "no_space"
	codeIO        = "io_error"
)

// contents are what a token is written into.
var contents = []string{
	"%s",
	"%[1]s begins.\n\nAnd %[1]s ends.",
	"In %[1]s a list:\n\n- %[1]s\n- and again %[1]s\n\nIts end.",
	"```sh\n# %[1]s\n## Not a heading\n```",
	"> quoted %[1]s\n> and %[1]s",
	"| a | b |\n| - | - |\n| %[1]s | %[1]s |",
}

// openEnd is content that would swallow what follows.
const openEnd = "```\n%s and no end"

// wrongHash is the hash of nothing.
const wrongHash = "0123456789abcdef"

// newTry makes an edit of a document by a writer, who has seen a hash of each of its
// sections.
func newTry(random *rand.Rand, d *document, writer, n int, seen map[string]string) *try {
	t := newToken(random, d, writer, n)
	if random.IntN(6) == 0 {
		own := d.Own[writer]
		t.State = "State: " + t.Token + padding(random)
		t.Call = call{Address: own.Address, Action: "replace", Content: t.State}
		return t
	}
	at := random.IntN(len(d.Shared))
	s := d.Shared[at]
	if random.IntN(3) == 0 {
		t.inline(d, s)
		if random.IntN(2) == 0 { // another one with it, and both or none
			t.inline(d, d.Shared[(at+1+random.IntN(len(d.Shared)-1))%len(d.Shared)])
		}
		return t
	}
	content := fmt.Sprintf(pick(random, contents), t.Token)
	if !strings.HasPrefix(content, "|") && !strings.HasPrefix(content, "`") {
		content += padding(random)
	}
	t.Call = call{Address: s.Address, Action: pick(random, []string{"append", "prepend"}), Content: content}
	switch random.IntN(8) {
	case 0:
		if at < len(d.Shared)-1 { // after the last section there is nothing to swallow
			t.Call.Content = fmt.Sprintf(openEnd, t.Token)
			t.May, t.Must = codeStructure, true
		}
	case 1:
		t.Call.Hash, t.May, t.Must = wrongHash, codeConflict, true
	case 2, 3:
		if hash := seen[d.Name+s.Address]; hash != "" { // which others may have made stale
			t.Call.Hash, t.May = hash, codeConflict
		}
	}
	t.block(d, s)
	return t
}

// newToken makes an edit that asks for nothing yet.
func newToken(random *rand.Rand, d *document, writer, n int) *try {
	return &try{File: d.Name, Writer: writer, Token: fmt.Sprintf("@%d.%d.%08x@", writer, n, random.Uint32()), Known: unanswered}
}

// append has the edit append its token to a section.
func (t *try) append(d *document, s section) {
	t.Call = call{Address: s.Address, Action: "append", Content: t.Token}
	t.block(d, s)
}

// block notes what an edit puts in the beginning or the end of a section.
func (t *try) block(d *document, s section) {
	mark := d.mark(s)
	if t.Call.Action == "append" {
		mark++ // after what only looks like a heading
	}
	t.Pieces = []piece{{s.EOL + s.EOL + strings.ReplaceAll(t.Call.Content, "\n", s.EOL), mark}}
}

// inline has the edit put its token after the anchor of a section.
func (t *try) inline(d *document, s section) {
	text := fmt.Sprintf(" %s%d", t.Token, len(t.Pieces))
	t.Pieces = append(t.Pieces, piece{text, d.mark(s)})
	t.Call.Texts = append(t.Call.Texts, [2]string{s.Anchor, s.Anchor + text})
}

// padding is text of a random length, so that some writes take longer than others.
func padding(random *rand.Rand) string {
	if random.IntN(8) > 0 {
		return ""
	}
	return strings.Repeat(" and more", 1+random.IntN(400))
}

// mark returns the number of the mark that begins a section: that before its anchor.
// The headings of two sections may be the same, and so the anchor's place counts.
func (d *document) mark(s section) int {
	return markAt(d.places(d.Text), strings.Index(d.Text, s.Anchor))
}

// places returns where in a text each of the marks is, -1 for one that is not there
// after those before it.
func (d *document) places(text string) []int {
	places := make([]int, len(d.Marks))
	at := 0
	for i, mark := range d.Marks {
		found := strings.Index(text[at:], mark)
		if found < 0 {
			places[i] = -1
			continue
		}
		places[i] = at + found
		at += found + len(mark)
	}
	return places
}

// markAt returns the number of the last mark before a place.
func markAt(places []int, at int) int {
	found := -1
	for i, place := range places {
		if place >= 0 && place <= at {
			found = i
		}
	}
	return found
}
