package linediff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// moving is a text before and after a change.
type moving struct{ before, after string }

func (m *moving) texts() (before, after []byte) { return []byte(m.before), []byte(m.after) }

// TestReceiversFirst puts texts in order.
func TestReceiversFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list []moving
		want string
	}{
		"none":                            {nil, "[]"},
		"nothing moves":                   {[]moving{{"a\n", "b\n"}, {"c\n", "d\n"}}, "[0 1]"},
		"one gets shorter":                {[]moving{{"a\nb\n", "a\n"}, {"c\n", "c\nd\n"}}, "[1 0]"},
		"both get longer":                 {[]moving{{"a\n", "long line\n"}, {"c\n", "c\na\n"}}, "[1 0]"},
		"who gets it gets shorter":        {[]moving{{"a\n", "long line\n"}, {"another long line\n", "a\n"}}, "[1 0]"},
		"a chain":                         {[]moving{{"a\n", "x\n"}, {"b\n", "a\n"}, {"c\n", "b\n"}, {"", "c\n"}}, "[3 2 1 0]"},
		"a heading of another level":      {[]moving{{"# Kept\n## Moved\n", "# Kept\na long line\n"}, {"", "# Moved\n"}}, "[1 0]"},
		"a link that leads elsewhere":     {[]moving{{"[a](b.md)\nz", "a long line\nz"}, {"", "[a](../c/b.md)\n"}}, "[1 0]"},
		"lines of signs":                  {[]moving{{"---\nz", "a long line\nz"}, {"y", "---\ny"}}, "[1 0]"},
		"other ends of lines":             {[]moving{{"a\r\nb\r\n", "a\r\na long line\r\n"}, {"c\n", "c\nb\n"}}, "[1 0]"},
		"the end of a line alone":         {[]moving{{"xa\n", "x long line a\n"}, {"y", "ya\n"}}, "[0 1]"},
		"one has it as often as before":   {[]moving{{"a\nb\na\n", "a\nbb\na\n"}, {"c\n", "c\na\n"}}, "[0 1]"},
		"each gets one of the other":      {[]moving{{"a\n", "b\n"}, {"b\n", "a\n"}}, "[1 0]"},
		"another one of the same letters": {[]moving{{"x != y\n", "x = y\na long line\n"}, {"z\n", "x != y\n"}}, "[1 0]"},
		"a picture that lies elsewhere":   {[]moving{{"![](b.png)\nz", "a long line\nz"}, {"", "![](../c/b.png)\n"}}, "[1 0]"},
		"other lines of signs":            {[]moving{{"---\nz", "a long line\nz"}, {"y", "***\ny"}}, "[0 1]"},
		"the last has all":                {[]moving{{"a\n", ""}, {"a\n", ""}, {"b\n", ""}, {"", "a\nb\n"}}, "[3 0 1 2]"},
	} {
		list := make([]*moving, len(test.list))
		places := map[*moving]int{}
		for i := range test.list {
			list[i] = &test.list[i]
			places[list[i]] = i
		}
		got := []int{}
		for _, m := range ReceiversFirst(list, (*moving).texts) {
			got = append(got, places[m])
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}

// TestReceiversFirstLarge: where much differs, nothing of it is looked at, and those that get longer come first; what is the
// same at both ends of much doesn't matter.
func TestReceiversFirstLarge(t *testing.T) {
	many := strings.Repeat("x\n", maxMoving/4)
	for name, test := range map[string]struct {
		list  []moving
		first int
	}{
		"much stays":            {[]moving{{many + "a\n" + many, many + "long\n" + many}, {"c\n", "c\na\n"}}, 1},
		"much is between":       {[]moving{{"b\na\n" + many + many + "b\n", "long\n" + many + many + "long\n"}, {"c\n", "c\na\n"}}, 0},
		"much in both together": {[]moving{{"a\n" + many, "lo\n" + many + "n"}, {"c\n" + many, "b\na\n" + many + "c"}}, 0},
		"the second is shorter": {[]moving{{"long\na\n" + many + many, "a\nb\n"}, {"", "long\n"}}, 1},
	} {
		list := []*moving{&test.list[0], &test.list[1]}
		if got := ReceiversFirst(list, (*moving).texts); got[0] != list[test.first] {
			t.Errorf("%s: not %d is first", name, test.first)
		}
	}
}

// TestReceiversFirstRandom has lines move from later texts of a hidden order to earlier ones, and others come
// and go: whenever the first so many are changed, each line that is there before and after is there.
func TestReceiversFirstRandom(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 2 + random.IntN(6)
		before, after := make([][]string, n), make([][]string, n)
		for i := range before {
			for range random.IntN(5) {
				line := fmt.Sprintf("line %d", random.IntN(1e9))
				before[i] = append(before[i], line)
				to := random.IntN(i + 1)
				after[to] = slices.Insert(after[to], random.IntN(len(after[to])+1), line)
			}
			for range random.IntN(5) {
				before[i] = append(before[i], fmt.Sprintf("gone %d", random.IntN(1e9)))
			}
			for range random.IntN(5) {
				after[i] = append(after[i], fmt.Sprintf("come %d", random.IntN(1e9)))
			}
		}
		var list []*moving
		for i := range before {
			list = append(list, &moving{strings.Join(before[i], "\n"), strings.Join(after[i], "\n")})
		}
		random.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		ordered := ReceiversFirst(list, (*moving).texts)
		if len(ordered) != n {
			t.Fatalf("%d of %d", len(ordered), n)
		}
		for done := range n + 1 {
			var now []string
			for i, m := range ordered {
				text := m.before
				if i < done {
					text = m.after
				}
				now = append(now, strings.Split(text, "\n")...)
			}
			for _, line := range slices.Concat(before...) {
				if strings.HasPrefix(line, "line") && !slices.Contains(now, line) {
					t.Fatalf("%q is in none when %d are changed: %q", line, done, now)
				}
			}
		}
	}
}
