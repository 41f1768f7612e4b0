// Package a has targets that are as they shouldn't be, each in its way.
package a

import "testing"

func seeds(f *testing.F) {
	for _, s := range []string{"a", "b", "c"} {
		f.Add(s)
	}
}

func FuzzFine(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {})
}

func FuzzHang(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		for len(s) > 3 {
		}
	})
}

func FuzzFails(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 3 {
			t.Error(s)
		}
	})
}

func FuzzSeedFails(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if s == "b" {
			t.Error(s)
		}
	})
}

func FuzzSeedPanics(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if s == "b" {
			panic(s)
		}
	})
}

func FuzzSkips(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) { t.Skip() })
}

func FuzzSkipped(f *testing.F) { f.Skip() }

func FuzzFew(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {})
}
