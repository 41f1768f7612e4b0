package journal

import (
	"slices"
	"testing"
)

// TestWhoGot tells who got a line once: for thousands of files with the same lines that would else be told
// for each of them.
func TestWhoGot(t *testing.T) {
	t.Parallel()
	a, b, c := new(Entry), new(Entry), new(Entry)
	m := newMoved(nil, nil)
	m.got = []gotLine{{1, a}, {1, b}, {2, c}}
	for _, want := range [][]*Entry{{a, b}, nil} {
		if got := m.whoGot(1); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := m.whoGot(2); !slices.Equal(got, []*Entry{c}) {
		t.Errorf("%v", got)
	}
}
