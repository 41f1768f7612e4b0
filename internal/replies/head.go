package replies

import "fmt"

// Head is the part of a reply before the text: a line for each fact.
type Head []byte

// Add appends the line of a fact.
func (h *Head) Add(key string, value any) { *h = fmt.Appendf(*h, "%s: %v\n", key, value) }

// HashMark stands before a hash, and before a version. Guards take hashes with it and without.
const HashMark = "#"
