package markdown

// delimiterRun reads the run at i (6.2; GFM's strikethrough).
func (r *inlineReader) delimiterRun(i int) int {
	end, number := r.emphasis.Read(r.text, r.start, i)
	if number < 0 {
		return end
	}
	r.leaf(inlineRun, Span{i, end}, Span{})
	r.raw[len(r.raw)-1].ref = number
	r.marked = true
	return end
}

// settleRun adds what the run n has closed and opened, and between them what is left.
func (r *inlineReader) settleRun(n *Inline) {
	pos := n.Start
	closes, left, opens := r.emphasis.Settled(n.ref)
	for closes != 0 {
		m := r.emphasis.Match(closes)
		r.closeNode(pos, pos+m.Length)
		pos += m.Length
		closes = m.Next
	}
	if left > 0 {
		r.addText(pos, pos+left)
		pos += left
	}
	for opens != 0 {
		m := r.emphasis.Match(opens)
		kind := InlineEmphasis
		switch {
		case r.text[n.Start] == '~':
			kind = InlineStrikethrough
		case m.Length == 2:
			kind = InlineStrong
		}
		r.openNode(kind, pos, pos+m.Length, 0)
		pos += m.Length
		opens = m.Next
	}
}
