package glob

import "testing"

func TestAlternatives(t *testing.T) {
	if n := alternatives(`\{a,b\}{c,d}`); n != 2 {
		t.Errorf("%d alternatives, want 2", n)
	}
}
