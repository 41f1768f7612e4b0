package hostile

import "testing"

// TestInputs makes each input small and twice as large: sizes are about what was
// asked for, and names are there once.
func TestInputs(t *testing.T) {
	seen := map[string]bool{}
	for _, in := range Inputs() {
		if seen[in.Name] {
			t.Errorf("%s is there twice", in.Name)
		}
		seen[in.Name] = true
		for _, size := range []int{100_000, 200_000} {
			if n := len(in.Make(size)); n < size*7/10 || n > size*13/10 {
				t.Errorf("%s: %d bytes, want about %d", in.Name, n, size)
			}
		}
		if found, err := Find(in.Name); err != nil || found.Name != in.Name {
			t.Errorf("Find(%s): %v", in.Name, err)
		}
	}
	if _, err := Find("nothing"); err == nil {
		t.Error("an input that is not there is found")
	}
	if len(seen) < 60 {
		t.Errorf("%d inputs", len(seen))
	}
}

// TestExtremes makes each extreme document, of about the size that was asked for.
func TestExtremes(t *testing.T) {
	seen := map[string]bool{}
	for _, in := range Extremes() {
		if seen[in.Name] {
			t.Errorf("%s is there twice", in.Name)
		}
		seen[in.Name] = true
		for _, size := range []int{100_000, 200_000} {
			if n := len(in.Make(size)); n < size*7/10 || n > size*13/10 {
				t.Errorf("%s: %d bytes, want about %d", in.Name, n, size)
			}
		}
	}
	if len(seen) < 14 {
		t.Errorf("%d documents", len(seen))
	}
}
