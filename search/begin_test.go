package search

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestBeginnings compares the places at which texts may begin with those at which they do, in
// texts of every length around eight bytes: none is missing, and few are told in vain.
func TestBeginnings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abcdeABC_1 \n-"[random.IntN(13)])
		}
		return b.String()
	}
	for range 2000 {
		var b beginnings
		texts := []string{word(1 + random.IntN(5)), word(2 + random.IntN(5)), word(3 + random.IntN(5))}
		for _, text := range texts {
			b.add(text)
		}
		src := word(random.IntN(40)) + texts[random.IntN(3)] + word(random.IntN(12))
		var want, got []int
		for at := range len(src) {
			if slices.ContainsFunc(texts, func(text string) bool {
				return len(src)-at >= len(text) && strings.EqualFold(src[at:at+len(text)], text)
			}) {
				want = append(want, at)
			}
		}
		for at := b.next([]byte(src), 0); at < len(src); at = b.next([]byte(src), at+1) {
			if i, ok := slices.BinarySearch(want, at); ok {
				want = slices.Delete(want, i, i+1)
			} else {
				got = append(got, at)
			}
		}
		if len(want) > 0 {
			t.Fatalf("%q in %q: not told of %d; in vain of %d", texts, src, want, got)
		}
	}
	var b beginnings
	b.add("zyx")
	if src := []byte(strings.Repeat("a text without it ", 9)); b.next(src, 0) != len(src) {
		t.Error("told in vain")
	}
}
