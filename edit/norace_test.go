//go:build !race

package edit_test

// sampled is the part of long tables that is run: all of them.
const sampled = 1
