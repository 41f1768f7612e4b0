package replies

// Reading is the verb that everything else is for: a part of a document, as it
// is, in a reply of a size that the reader has room for. What does not fit is
// left out by structure (budget.go) and accounted for line by line, with the
// request that goes on; so a reader never takes a part for the whole.

// MinChars is the smallest MaxChars: a head needs so much.
const MinChars = 500

// FullChars is what Full lifts MaxChars to.
const FullChars = 40_000
