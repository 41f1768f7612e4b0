package testkit

import "testing"

// checkInputs makes each input small and twice as large: sizes are about what was asked
// for, and names are there once.
func checkInputs(t *testing.T, inputs []HostileInput) {
	t.Helper()
	seen := map[string]bool{}
	for _, in := range inputs {
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
}

func TestInputs(t *testing.T) {
	inputs := HostileInputs()
	checkInputs(t, inputs)
	for _, in := range inputs {
		if found, err := FindHostileInput(in.Name); err != nil || found.Name != in.Name {
			t.Errorf("FindHostileInput(%s): %v", in.Name, err)
		}
	}
	if _, err := FindHostileInput("nothing"); err == nil {
		t.Error("an input that is not there is found")
	}
	if len(inputs) < 60 {
		t.Errorf("%d inputs", len(inputs))
	}
}

func TestExtremes(t *testing.T) {
	checkInputs(t, Extremes())
	if n := len(Extremes()); n < 18 {
		t.Errorf("%d documents", n)
	}
}

func TestHostileInlines(t *testing.T) {
	checkInputs(t, HostileInlines())
	if n := len(HostileInlines()); n < 60 {
		t.Errorf("%d inputs", n)
	}
}
