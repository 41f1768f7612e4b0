package config

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/yamltree"
)

// TestHostile parses what is hard on parsers. It ends: how long it takes is for the
// benchmark. SECTILE_LONG has it parse texts as large as a file may be.
func TestHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	n := yamltree.MaxSize / 4
	if testkit.Long() {
		n = yamltree.MaxSize - 100
	}
	for name, text := range testkit.HostileYAML(n) {
		t.Run(name, func(t *testing.T) {
			f := parse([]byte(text), Project, nil)
			if len(f.problems) > maxProblems+1 {
				t.Errorf("%d problems", len(f.problems))
			}
			if len(f.problems) == 0 {
				merge(f, nil)
			}
			for _, p := range f.problems {
				if s := p.String(); len(s) > 1000 || strings.Contains(s, "\n") {
					t.Errorf("a message of %d bytes: %.100q", len(s), s)
				}
			}
		})
	}
}

// TestTooLarge has a file that is wrong as a whole, of which no place is told.
func TestTooLarge(t *testing.T) {
	const want = ".sectile.yaml: it has more than 1048576 bytes; make it shorter"
	if f := parse([]byte(strings.Repeat("#\n", yamltree.MaxSize)), Project, nil); len(f.problems) != 1 || f.problems[0].String() != want {
		t.Errorf("%v, want %s", f.problems, want)
	}
}

// FuzzParse sees that no text makes the parser panic, and that problems have places in
// the text.
func FuzzParse(f *testing.F) {
	for seed := range uint64(30) {
		f.Add([]byte(generate(seed).text))
	}
	for _, s := range testkit.HostileYAML(64) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<14 {
			return
		}
		for _, scope := range []Scope{Project, User} {
			checkParse(t, source, scope)
		}
	})
}

func checkParse(t *testing.T, source []byte, scope Scope) {
	t.Helper()
	file := parse(source, scope, nil)
	lines := max(1, len(file.Lines))
	problems := slices.Concat(file.problems, together(file, nil).problems)
	for _, p := range problems {
		if p.Line < 0 || p.Line > lines || p.Column < 0 || p.Column > len(source)+1 || p.Message == "" || strings.Contains(p.String(), "\n") {
			t.Errorf("%q: %+v", source, p)
		}
	}
}

// FuzzChange changes any text that is a configuration, in any way: the law is
// checked in the code, and here that nothing panics and that a refusal is one.
func FuzzChange(f *testing.F) {
	for seed := range uint64(30) {
		f.Add([]byte(generate(seed).text), seed)
	}
	f.Fuzz(func(t *testing.T, source []byte, seed uint64) {
		if len(source) > 1<<12 {
			return
		}
		file := parse(source, Project, refusing)
		if len(file.problems) > 0 {
			return
		}
		s := sample{text: string(source), categories: append(categoryNames(file), "docs"), collections: collectionNames(file)}
		r := rand.New(rand.NewPCG(seed, 5))
		for range 5 {
			c, _ := someChange(r, s)
			text, err := apply(file, nil, c)
			if err != nil {
				if _, ok := errors.AsType[*Error](err); !ok {
					t.Errorf("%q: %+v: %v", source, c, err)
				}
				continue
			}
			if problems := problemsIn(string(text), Project); problems != nil {
				t.Errorf("%q: %+v: %v", source, c, problems)
			}
		}
	})
}
