package replies

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFit(t *testing.T) {
	three := []Block{{9, 5, 2}, {9, 5, 2}, {9, 5, 2}}
	note := func(n int) int { return 4 * min(3-n, 1) }
	for _, tt := range []struct {
		name   string
		room   int
		blocks []Block
		note   func(int) int
		forms  []int
		spare  int
	}{
		{"nothing", 5, nil, nil, nil, 5},
		{"all in full", 27, three, note, []int{0, 0, 0}, 0},
		{"one in full", 19, three, note, []int{0, 1, 1}, 0},
		{"one form before the next longer one", 14, three, note, []int{1, 1, 2}, 2},
		{"all at their shortest", 6, three, note, []int{2, 2, 2}, 0},
		{"no room for the note on the last", 5, three, note, []int{}, 1},
		{"one and the note", 7, three[:2], func(int) int { return 4 }, []int{2}, 1},
		{"not even the note", 3, three, note, []int{}, -1},
		{"all without a note, whether they fit or not", 3, three, nil, []int{2, 2, 2}, -3},
		{"a longer form that takes less", 4, []Block{{3, 5, 4}}, nil, []int{0}, 1},
		{"one form of some", 7, []Block{{5}, {4, 2}}, nil, []int{0, 1}, 0},
	} {
		if forms, spare := Fit(tt.room, tt.blocks, tt.note); !slices.Equal(forms, tt.forms) || spare != tt.spare {
			t.Errorf("%s: forms %v with %d characters free, want %v with %d", tt.name, forms, spare, tt.forms, tt.spare)
		}
	}
}

// TestFitLaws holds Fit to its laws on random blocks: nothing is above the room that the
// note alone is not, one block more has no room, and none could be longer by a form.
func TestFitLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		blocks := make([]Block, random.IntN(6))
		for i := range blocks {
			for range 1 + random.IntN(3) {
				blocks[i] = append(blocks[i], random.IntN(20))
			}
			slices.Sort(blocks[i])
			slices.Reverse(blocks[i])
		}
		room, base := random.IntN(60), random.IntN(8)
		note := func(n int) int { return base * min(len(blocks)-n, 1) }
		forms, spare := Fit(room, blocks, note)
		least := func(n int) (sum int) {
			for _, b := range blocks[:n] {
				sum += b[len(b)-1]
			}
			return sum + note(n)
		}
		used := note(len(forms))
		for i, form := range forms {
			used += blocks[i][form]
			if form > 0 && blocks[i][form-1]-blocks[i][form] <= spare {
				t.Errorf("%v in %d: block %d has form %d, and %d characters are free", blocks, room, i, form, spare)
			}
		}
		if used+spare != room || spare < 0 && len(forms) > 0 {
			t.Errorf("%v in %d: forms %v take %d, and %d should be free", blocks, room, forms, used, spare)
		}
		for n := len(forms) + 1; n <= len(blocks); n++ {
			if least(n) <= room {
				t.Errorf("%v in %d: %d blocks are shown, %d would fit", blocks, room, len(forms), n)
			}
		}
	}
}
