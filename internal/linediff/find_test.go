package linediff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sectile/sectile/internal/testkit"
)

// whole is the range of a text.
func whole[T string | []byte](text T) Span { return Span{End: len(text)} }

// spans makes ranges of pairs of offsets.
func spans(offsets ...int) []Span {
	var list []Span
	for i := 0; i < len(offsets); i += 2 {
		list = append(list, Span{Start: offsets[i], End: offsets[i+1]})
	}
	return list
}

func TestFindText(t *testing.T) {
	for _, test := range []struct {
		name, src, old string
		want           []Span
	}{
		{"once", "abc", "b", spans(1, 2)},
		{"not at all", "abc", "x", nil},
		{"all of it", "abc", "abc", spans(0, 3)},
		{"longer than all", "abc", "abcd", nil},
		{"nothing", "abc", "", nil},
		{"overlapping", "aaaa", "aa", spans(0, 2, 1, 3, 2, 4)},
		{"LF for CRLF", "a\r\nb", "a\nb", spans(0, 4)},
		{"LF for CR", "a\rb", "a\nb", spans(0, 3)},
		{"CRLF for LF", "a\nb", "a\r\nb", spans(0, 3)},
		{"CR for CRLF", "a\r\nb", "a\rb", spans(0, 4)},
		{"two endings are two", "a\r\nb\n\nc", "\n\n", spans(4, 6)},
		{"CR and LF are one", "a\r\nb", "\n\n", nil},
		{"whole at the start", "a\r\nb", "\nb", spans(1, 4)},
		{"whole at the end", "a\r\nb", "a\r", spans(0, 3)},
		{"endings alone", "\r\n\r\r\n\n", "\n", spans(0, 2, 2, 3, 3, 5, 5, 6)},
		{"no half at the end of a file", "a\r", "a\n", spans(0, 2)},
		{"no byte order mark", "\uFEFFa", "\uFEFF", nil},
		{"behind a byte order mark", "\uFEFFa", "a", spans(3, 4)},
		{"a byte order mark in the text", "a\uFEFFa", "\uFEFF", spans(1, 4)},
		{"longer than a head", strings.Repeat("a", 70), strings.Repeat("a", 69), spans(0, 69, 1, 70)},
		{"head and other tail", strings.Repeat("a", 40) + "b", strings.Repeat("a", 39) + "b", spans(1, 41)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, total := Find([]byte(test.src), whole(test.src), test.old, 10)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" || total != len(test.want) {
				t.Errorf("total %d: %s", total, diff)
			}
		})
	}
}

func TestFindTextInScope(t *testing.T) {
	src := "ab\r\nab\r\nab"
	for _, test := range []struct {
		name       string
		start, end int
		old        string
		want       []Span
	}{
		{"inside", 4, 8, "ab", spans(4, 6)},
		{"not half inside", 1, 5, "ab", nil},
		{"from the middle of a line ending", 3, 8, "\n", spans(6, 8)},
		{"to the middle of a line ending", 0, 7, "\n", spans(2, 4)},
		{"all of it half a line ending", 3, 4, "\n", nil},
		{"half a line ending alone", 2, 3, "\n", nil},
		{"empty", 5, 5, "a", nil},
		{"beyond the end", 8, 50, "b", spans(9, 10)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _ := Find([]byte(src), Span{Start: test.start, End: test.end}, test.old, 10)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAllText(t *testing.T) {
	src := []byte("aaaaa\r\na")
	if diff := cmp.Diff(spans(0, 2, 2, 4), All(src, whole(src), "aa")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(spans(4, 8), All(src, whole(src), "a\na")); diff != "" {
		t.Error(diff)
	}
	got, total := Find(src, whole(src), "a", 2)
	if diff := cmp.Diff(spans(0, 1, 1, 2), got); diff != "" || total != 6 {
		t.Errorf("limit 2 of %d: %s", total, diff)
	}
}

// TestFindTextHostile takes minutes if the time isn't linear.
func TestFindTextHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	a := strings.Repeat("a", 2<<20)
	b := strings.Repeat("a\n", 1<<20)
	for _, test := range []struct {
		name, src, old string
		total          int
	}{
		{"all equal", a, a[:1<<19], 3<<19 + 1},
		{"nearly equal", a, a[:1<<19] + "b", 0},
		{"late and nearly equal", strings.Repeat("x", 2<<20) + a, a[:1<<19] + "b", 0},
		{"another in the middle", a, a[:1<<18] + "b" + a[:1<<18], 0},
		{"lines", b, b[:1<<19] + "b", 0},
		{"CRLF", strings.ReplaceAll(b, "\n", "\r\n"), b[:1<<19], 1<<20 - 1<<18 + 1},
		{"line endings", strings.Repeat("\r", 1<<20), "\n\n", 1<<20 - 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			places, total := Find([]byte(test.src), whole(test.src), test.old, 10)
			if total != test.total || len(places) != min(total, 10) {
				t.Errorf("%d places of %d, want %d", len(places), total, test.total)
			}
			all := All([]byte(test.src), whole(test.src), test.old)
			if (total > 0) != (len(all) > 0) {
				t.Errorf("%d of %d places", len(all), total)
			}
		})
	}
}

// naive returns the places where old is, by trying all of them.
func naive(src, old string, from int) []Span {
	var list []Span
	for start := from; start < len(src) && old != ""; start++ {
		if start > 0 && src[start-1:start+1] == "\r\n" {
			continue
		}
		if end, ok := matches(src, start, old); ok {
			list = append(list, Span{Start: start, End: end})
		}
	}
	return list
}

// matches reports whether old is in src from start on, and up to where.
func matches(src string, start int, old string) (end int, ok bool) {
	for old != "" {
		var n, m int
		switch n, m = endingLen(src[start:]), endingLen(old); {
		case n > 0 && m > 0:
		case n > 0 || m > 0 || start == len(src) || src[start] != old[0]:
			return 0, false
		default:
			n, m = 1, 1
		}
		start, old = start+n, old[m:]
	}
	return start, true
}

// endingLen returns the length of the line ending that a text begins with, or 0.
func endingLen(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case strings.HasPrefix(text, "\r"), strings.HasPrefix(text, "\n"):
		return 1
	}
	return 0
}

func checkFindText(t *testing.T, src, old string) {
	t.Helper()
	want := naive(src, old, textStart([]byte(src)))
	got, total := Find([]byte(src), whole(src), old, 1<<20)
	if !slices.Equal(got, want) || total != len(want) {
		t.Fatalf("%q in %q: got %v of %d, want %v", old, src, got, total, want)
	}
	var apart []Span
	for _, s := range want {
		if len(apart) == 0 || s.Start >= apart[len(apart)-1].End {
			apart = append(apart, s)
		}
	}
	if got := All([]byte(src), whole(src), old); !slices.Equal(got, apart) {
		t.Fatalf("all of %q in %q: got %v, want %v", old, src, got, apart)
	}
}

func TestFindTextIsNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pick := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString([]string{"a", "a", "a", "b", "\n", "\r", "\r\n", "\uFEFF"}[r.IntN(8)])
		}
		return b.String()
	}
	for range 50_000 {
		src := pick(40)
		checkFindText(t, src, pick(5))
		i := r.IntN(len(src) + 1)
		checkFindText(t, src, src[i:i+r.IntN(len(src)-i+1)])
	}
}

func FuzzFindText(f *testing.F) {
	f.Add("a\r\nb\rc\n\n", "b\nc")
	f.Add("\uFEFFaaaa", "aa")
	f.Add(strings.Repeat("ab", 50), strings.Repeat("ab", 20)+"a")
	f.Fuzz(func(t *testing.T, src, old string) {
		if len(src)*len(old) < 1<<20 {
			checkFindText(t, src, old)
		}
	})
}

func BenchmarkFindText(b *testing.B) {
	lf := strings.Repeat(string(testkit.LargeFixture().Source), 21)
	for _, bench := range []struct{ name, src, old string }{
		{"last", lf + "the only\nplace", "the only\nplace"},
		{"last in CRLF", strings.ReplaceAll(lf, "\n", "\r\n") + "the only\r\nplace", "the only\nplace"},
		{"none", lf, "nowhere to be found"},
		{"word", lf, "the"},
		{"hostile", strings.Repeat("a", len(lf)), strings.Repeat("a", 100_000) + "b"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			src := []byte(bench.src)
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Find(src, whole(src), bench.old, 10)
			}
		})
	}
}
