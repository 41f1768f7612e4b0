package replies

// Block is a part of a reply: the numbers of characters of its forms, from long to short,
// such as those of a section in full, of its first paragraph, and of its heading.
type Block []int

// Fit chooses which blocks a reply shows in room characters, and in which form:
//
//   - As many blocks as have room in their shortest form are shown, from the first on.
//     The others go, from the last on, and a note takes their place.
//   - The room that is left makes blocks longer, form by form from short to long: all that
//     can, in their order, take one form before any takes the next longer one.
//
// Note returns the number of characters of what a reply says of the blocks after the
// first n, 0 if that is nothing. It is asked for all of them too, since a caller may count
// more than it has blocks of. Without note all blocks are shown, whether they fit or not.
//
// The result has the index of a form for each block that is shown, and the number of
// characters that are still free, which is negative if not even that much fits.
func Fit(room int, blocks []Block, note func(n int) int) (forms []int, spare int) {
	spare, most := room, 0
	for _, b := range blocks {
		forms = append(forms, len(b)-1)
		spare -= b[len(b)-1]
		most = max(most, len(b))
	}
	if note != nil {
		n := len(forms)
		for ; n > 0 && (spare < 0 || note(n) > spare); n-- {
			spare += blocks[n-1][forms[n-1]]
		}
		forms, spare = forms[:n], spare-note(n)
	}
	for longer := most - 2; longer >= 0; longer-- {
		for i, form := range forms {
			if longer >= form {
				continue
			}
			if more := blocks[i][longer] - blocks[i][form]; more <= spare {
				forms[i], spare = longer, spare-more
			}
		}
	}
	return forms, spare
}
