//go:build race

package edit_test

// sampled is the part of long tables that is run: the race detector makes each edit
// ten times as slow, and what it looks for shows in a few of them.
const sampled = 10
