package undoing

import (
	"bytes"
	"context"
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linediff"
	"github.com/sectile/sectile/markdown"
)

// A document that has changed since can have a change taken back where the sections that it
// touched are as it left them, each from its heading to its first subsection. What is put
// back are whole sections, and all others stay what they are. Blanks at the end of one differ
// when a section is put behind it: they are put back where the change alone has altered them.

// parted is a document in the texts of its sections, what stands before the first among them.
type parted struct {
	parts  [][]byte
	keys   []string // the same without the blanks at their ends
	heads  []string // the headings that they begin with, "" for what stands before the first
	titles []string // of these, whatever their level and form
	above  []int    // which of them each stands below, -1 for none
}

// part parses a document.
func part(ctx context.Context, docs *documents.Set, text []byte) (*parted, error) {
	l, err := docs.Work.Reserve(int64(len(text)))
	if err != nil {
		return nil, err
	}
	doc, l, err := docs.Work.ParsedWithin(l, int64(len(text)), func(l *documents.Lease) (*markdown.Document, error) {
		return l.Parse(ctx, new(markdown.Parser), text)
	})
	defer l.Release()
	if err != nil {
		return nil, err
	}
	p := &parted{}
	from, heading, title := 0, 0, ""
	for i, section := range doc.Sections {
		at := doc.SectionSpan(i).Start
		if at > from {
			p.add(text[from:at], heading, title)
			from = at
		}
		heading, title = int(doc.Blocks[section.Heading].End)-at, "#"+doc.Title(int(section.Heading))
	}
	p.add(text[from:], heading, title)
	first := len(p.parts) - len(doc.Sections)
	p.above = slices.Repeat([]int{-1}, len(p.parts))
	for i, section := range doc.Sections {
		if section.Parent >= 0 {
			p.above[first+i] = first + int(section.Parent)
		}
	}
	return p, nil
}

// add takes in a section whose heading is its first bytes.
func (p *parted) add(text []byte, heading int, title string) {
	key := string(trimmed(text))
	p.parts, p.keys, p.titles = append(p.parts, text), append(p.keys, key), append(p.titles, title)
	p.heads = append(p.heads, key[:len(trimmed(text[:heading]))])
}

// trimmed returns a text without the blanks at its end.
func trimmed(text []byte) []byte { return bytes.TrimRight(text, " \t\r\n") }

// tail returns the blanks at the end of a section.
func (p *parted) tail(i int) []byte { return p.parts[i][len(trimmed(p.parts[i])):] }

// merged returns now with the change from before to after taken back, section by section; ok
// is false if a section that it touched isn't what it was after it, or can't be put back
// without a change of others, or if nothing of it can be.
func merged(ctx context.Context, docs *documents.Set, before, after, now []byte) (text []byte, ok bool, err error) {
	var states [3]*parted
	for i, state := range [][]byte{before, after, now} {
		if states[i], err = part(ctx, docs, state); err != nil {
			return nil, false, err
		}
	}
	b, a, c := states[0], states[1], states[2]
	since := pairs(a, c, linediff.Compare(a.keys, c.keys))
	changes := pairs(a, b, linediff.Compare(a.keys, b.keys))
	if !putTailsBack(b, a, c, changes, since) {
		return nil, false, nil
	}
	ids := idsIn(b, a, c, changes, since)
	var want []string
	var is []int // the ids of the result's sections
	at := 0      // of now, what isn't written yet
	places := places{after: a, now: c, since: since}
	for _, d := range changes {
		start, end, same := places.of(d.Start, d.End)
		if !same {
			return nil, false, nil
		}
		want = append(append(want, c.keys[at:start]...), b.keys[d.ReplStart:d.ReplEnd]...)
		is = append(append(is, ids.now[at:start]...), ids.before[d.ReplStart:d.ReplEnd]...)
		text = append(text, bytes.Join(c.parts[at:start], nil)...)
		text = append(text, bytes.Join(b.parts[d.ReplStart:d.ReplEnd], nil)...)
		if d.ReplStart < d.ReplEnd && start < end {
			text = append(trimmed(text), c.tail(end-1)...)
		}
		at = end
	}
	want, is = append(want, c.keys[at:]...), append(is, ids.now[at:]...)
	text = append(text, bytes.Join(c.parts[at:], nil)...)
	r, err := part(ctx, docs, text)
	if err != nil {
		return nil, false, err
	}
	done := !bytes.Equal(text, now) || bytes.Equal(before, after)
	return text, done && slices.Equal(want, r.keys) && stand(r.below(is), b.below(ids.before), a.below(ids.after), c.below(ids.now)), nil
}

// ids say which sections of the three states are the same one: these have the same id.
type ids struct{ before, after, now []int }

// idsIn returns the ids of three states, of which the first and the last differ from the one between them.
func idsIn(before, after, now *parted, changes, since []lcs.Diff) ids {
	all := ids{after: make([]int, len(after.parts))}
	for i := range all.after {
		all.after[i] = i
	}
	all.before = after.idsOf(before, changes, len(all.after))
	all.now = after.idsOf(now, since, len(all.after)+len(all.before))
	return all
}

// idsOf returns the ids of another state's sections: the index of the section here that each one is, be it
// elsewhere, or one from next on for one that is none of them.
func (p *parted) idsOf(other *parted, diffs []lcs.Diff, next int) []int {
	list := slices.Repeat([]int{-1}, len(other.parts))
	gone := map[string][]int{}
	for i, k := range counterparts(diffs, len(p.parts), func(d lcs.Diff) bool { return remains(p, other, d) })[:len(p.parts)] {
		if k >= 0 {
			list[k] = i
		} else {
			gone[p.keys[i]] = append(gone[p.keys[i]], i)
		}
	}
	for k, id := range list {
		if id >= 0 {
			continue
		}
		list[k] = next + k
		if same := gone[other.keys[k]]; len(same) > 0 {
			list[k], gone[other.keys[k]] = same[0], same[1:]
		}
	}
	return list
}

// below returns by its id below which section each one stands, -1 for none.
func (p *parted) below(ids []int) map[int]int {
	all := make(map[int]int, len(ids))
	for i, id := range ids {
		all[id] = -1
		if p.above[i] >= 0 {
			all[id] = ids[p.above[i]]
		}
	}
	return all
}

// stand reports whether each section of the result stands below the one that it stands below now, or stood
// below before the change where that has not moved since, or where it isn't there now. What is taken away, be it
// the same section in other words, must stand where the change has left it.
func stand(result, before, after, now map[int]int) bool {
	for id, is := range now {
		left, was := after[id]
		if _, stays := before[id]; was && !stays && left != is {
			return false
		}
	}
	for id, is := range result {
		then, old := before[id]
		want, stays := now[id]
		if left, was := after[id]; old && (!stays || was && left == want) {
			want = then
		}
		if is != want {
			return false
		}
	}
	return true
}

// putTailsBack gives the sections of now the blanks at their ends that they had before the
// change, if it has altered these and the same section follows before and after it, or will
// follow as before once it is taken back. It returns false where a section, or what lies between
// it and the same next one, is another one since.
func putTailsBack(before, after, now *parted, changes, since []lcs.Diff) bool {
	n := len(after.parts)
	old := counterparts(changes, n, func(d lcs.Diff) bool { return d.ReplStart < d.ReplEnd })
	current := counterparts(since, n, func(d lcs.Diff) bool { return remains(after, now, d) })
	for i := range n {
		j, k := old[i], current[i]
		if j < 0 || bytes.Equal(before.tail(j), after.tail(i)) {
			continue
		}
		asLeft := k >= 0 && bytes.Equal(now.tail(k), after.tail(i))
		if old[i+1] != j+1 { // the change has put sections behind it, or taken them away
			next := i + 1
			for next < n && old[next] < 0 {
				next++
			}
			asLeft = asLeft && current[next]-k == next-i
		} else if k < 0 || now.keys[k] != after.keys[i] || !asLeft && current[i+1] == k+1 && !bytes.Equal(now.tail(k), before.tail(j)) {
			return false
		}
		if asLeft {
			now.parts[k] = slices.Concat(trimmed(now.parts[k]), before.tail(j))
		}
	}
	return true
}

// counterparts returns which section of the other state each of n sections is there, and the end
// of the one the end of the other; -1 for none. The last one of a difference for which stands is
// true is the last one that is there in its place.
func counterparts(diffs []lcs.Diff, n int, stands func(lcs.Diff) bool) []int {
	list := make([]int, 0, n+1)
	moved := 0
	for _, d := range append(slices.Clip(diffs), lcs.Diff{Start: n + 1, End: n + 1}) {
		for i := len(list); i < d.Start; i++ {
			list = append(list, i+moved)
		}
		for range d.End - d.Start {
			list = append(list, -1)
		}
		if d.Start < d.End && stands(d) {
			list[d.End-1] = d.ReplEnd - 1
		}
		moved += d.ReplEnd - d.ReplStart - (d.End - d.Start)
	}
	return list
}

// pairs returns the differences that make b of a, with each section that has its title in both
// for itself.
func pairs(a, b *parted, diffs []lcs.Diff) []lcs.Diff {
	var list []lcs.Diff
	for _, d := range diffs {
		old, now := a.titles[d.Start:d.End], b.titles[d.ReplStart:d.ReplEnd]
		i, k := 0, 0
		for _, other := range append(linediff.Compare(old, now), lcs.Diff{Start: len(old), End: len(old), ReplStart: len(now), ReplEnd: len(now)}) {
			for ; i < other.Start; i, k = i+1, k+1 {
				list = append(list, lcs.Diff{Start: d.Start + i, End: d.Start + i + 1, ReplStart: d.ReplStart + k, ReplEnd: d.ReplStart + k + 1})
			}
			if i, k = other.End, other.ReplEnd; other.Start < i || other.ReplStart < k {
				list = append(list, lcs.Diff{Start: d.Start + other.Start, End: d.Start + i, ReplStart: d.ReplStart + other.ReplStart, ReplEnd: d.ReplStart + k})
			}
		}
	}
	return list
}

// remains reports whether a difference that makes b of a is one section that is the same one in
// spite of it: it has its title still, or another one and its text.
func remains(a, b *parted, d lcs.Diff) bool {
	if d.End-d.Start != 1 || d.ReplEnd-d.ReplStart != 1 {
		return false
	}
	old, now := a.heads[d.Start], b.heads[d.ReplStart]
	return a.titles[d.Start] == b.titles[d.ReplStart] || a.keys[d.Start][len(old):] == b.keys[d.ReplStart][len(now):]
}

// places says where sections of one state stand in another one.
type places struct {
	after, now *parted
	since      []lcs.Diff // what makes the other state, from the first difference on that isn't passed
	moved      int        // by how many sections those that are passed move what follows
}

// of returns where sections stand, and whether they are the same there; or where none stands,
// between the same two, whatever these say. It is asked in the order of the sections.
func (p *places) of(start, end int) (from, to int, same bool) {
	for len(p.since) > 0 && (p.since[0].End < start || p.since[0].End == start && (start < end || remains(p.after, p.now, p.since[0]))) {
		d := p.since[0]
		p.moved += d.ReplEnd - d.ReplStart - (d.End - d.Start)
		p.since = p.since[1:]
	}
	if len(p.since) > 0 && (p.since[0].Start < end || p.since[0].Start == start && !remains(p.after, p.now, p.since[0])) {
		return 0, 0, false
	}
	return start + p.moved, end + p.moved, true
}
