package outline

import (
	"bytes"
	"fmt"
	"testing"
	"unicode"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
)

func TestFoldRuneIsOneForAllCases(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		folded := runes.Fold(r)
		if other := unicode.SimpleFold(r); runes.Fold(other) != folded {
			t.Errorf("%U folds to %U, and %U to %U", r, folded, other, runes.Fold(other))
		}
		if folded > r {
			t.Errorf("%U folds to %U, which is not the smallest", r, folded)
		}
	}
}

// The short way past titles is right only if what it takes for plain is plain,
// beside any other such byte and at either end.
func TestPlainBytesAreTheirOwnTitle(t *testing.T) {
	var src []byte
	var texts []string
	add := func(text string) {
		src = fmt.Appendf(src, "## %s\n\n", text)
		texts = append(texts, text)
	}
	for a := range 256 {
		for b := range 256 {
			if plainFold[a] == 0 || plainFold[b] == 0 || a == ' ' && b == ' ' {
				continue
			}
			add("x" + string([]byte{byte(a), byte(b)}) + "y")
			if a != ' ' && b != ' ' {
				add(string([]byte{byte(a), byte(b)}))
			}
		}
	}
	add("http://example.com/a?b=c www.example.com me@example.com")
	doc, err := markdown.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	p := newPattern("x")
	for i, text := range texts {
		if title := doc.SectionTitle(i); title != text {
			t.Errorf("%q has the title %q", text, title)
		}
		if !p.foldPlain([]byte(text)) || !bytes.Equal(p.text, runes.AppendFolded(nil, text)) {
			t.Errorf("%q folds to %q, want %q", text, p.text, runes.AppendFolded(nil, text))
		}
	}
}

// A pattern matches titles as they are typed, and as lists show them.
func TestPatternAsTyped(t *testing.T) {
	doc, err := markdown.Parse([]byte("# Re\u0301sume\u0301\n\n# ⚙\uFE0F Settings\n\n# so\u00ADft\u200Bware\n\n# The “best” way – now\n"))
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{
		"Résumé": 0, "re\u0301sum": 0, "⚙ Settings": 1, "⚙\uFE0F s": 1, "software": 2, "so\uFFFDft\uFFFDware": 2, `"best" way - n`: 3,
		"Resume": -1, "\u200B": -1, "\uFFFD": -1,
	} {
		list, err := List(doc, ListOptions{Pattern: pattern})
		if err != nil {
			t.Fatal(err)
		}
		if want < 0 && len(list.Sections) > 0 || want >= 0 && (len(list.Sections) != 1 || list.Sections[0].StartLine != 1+2*want) {
			t.Errorf("%q: %+v", pattern, list.Sections)
		}
	}
}
