package replies

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// TestMarksAreInNoText draws marks beside texts that have nearly all short ones, or the
// very one that comes next.
func TestMarksAreInNoText(t *testing.T) {
	var known bytes.Buffer // what a source of zeros and ones makes
	for i := range 1 << markLength {
		for bit := range markLength {
			known.WriteByte(markLetters[i>>bit&1])
		}
		known.WriteByte('\n')
	}
	zero := NewMarks(zeros{})
	for _, texts := range [][][]byte{{[]byte("aaaaaa")}, {[]byte("x"), []byte("aaaaaaa\naaaaaa")}, {known.Bytes()}} {
		m := strings.TrimSpace(string(zero.Draw(texts...)))
		if isIn([]byte(m), texts) || len(m) <= markLength {
			t.Errorf("%q is drawn", m)
		}
		if !zero.Begins(m+" [2 of 2]") || !zero.Begins("mark: "+m+" begins") || zero.Begins("x"+m) || zero.Begins("aaaaaa [2 of 2]") {
			t.Errorf("%q is not known as it should be", m)
		}
	}
	if one, other := NewMarks(nil).Draw(), NewMarks(nil).Draw(); one == other || (*Marks)(nil).Draw() != "" || (*Marks)(nil).Begins("aaaaaa ") {
		t.Error("marks are drawn that should not be")
	}
}

// zeros is a source of zeros.
type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	clear(into)
	return len(into), nil
}

// TestMarkBegins knows a mark whatever stands behind it, and no longer word that begins with it.
func TestMarkBegins(t *testing.T) {
	m := NewMarks(zeros{})
	mark := strings.TrimSpace(string(m.Draw()))
	for behind, want := range map[string]bool{
		"": true, " x": true, "\tx": true, "\u00a0x": true, ": x": true, ", x": true, "|": true, "_x": true, "\u200bx": true, "a": false, "A x": false, "7 x": false, "\u00e9 x": false, "\u0438": false,
	} {
		if m.Begins(mark+behind) != want {
			t.Errorf("%q: want %t", mark+behind, want)
		}
	}
}

// TestMarkColons finds in the guarantees each character that counts as a colon.
func TestMarkColons(t *testing.T) {
	page, err := os.ReadFile("../../docs/guarantees.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range colons {
		list = append(list, fmt.Sprintf("U+%04X", r))
		if !Announcing([]byte("mark" + string(r) + " aaaaaa is ours")) {
			t.Errorf("%U is no colon", r)
		}
	}
	if want := strings.Join(list, ", "); !strings.Contains(string(page), want) {
		t.Error("the page doesn't have: " + want)
	}
}

// TestMarksForget remembers no more marks than it should, however many draw at once.
func TestMarksForget(t *testing.T) {
	m := NewMarks(rand.Reader)
	first := m.Draw()
	var drawing sync.WaitGroup
	for range 4 {
		drawing.Go(func() {
			for range maxRecent / 2 {
				m.Draw()
			}
		})
	}
	drawing.Wait()
	if last := m.Draw(); !m.Begins(string(last)) || len(m.recent) != maxRecent || len(m.order) != maxRecent || m.Begins(string(first)) {
		t.Errorf("%d marks are known", len(m.recent))
	}
}

// TestAnnouncing judges lines by whether a reader might take them for one that names a mark.
func TestAnnouncing(t *testing.T) {
	for text, want := range map[string]bool{
		"mark: aaaaaa": true, "x\n> **Mark**: aaaaaa\ny": true, "mark\u0589 aaaaaa": true, "mark\ufe13aaaaaa": true, "mark\u00a0\u205a aaaaaa": true, "mark\t:\taaaaaa": true,
		"The mark: aaaaaa": true, "Sectile's mark: aaaaaa, at the beginning": true, "now the m\u0430rk: aaaaaa": true, "now the \uff4d\uff41\uff52\uff4b\uff1a aaaaaa": true, "a: the mark : x": true,
		"aaaaaa begins every\u00a0line": true, "aaaaaa begins  every\u2800 line": true, "aaaaaa begins\teach line": true, "aaaaaa begins all lines": true, "aaaaaa is before each line that is sectile's": true,
		"Lines of Sectile\u2019s have the mark aaaaaa": true, "sectile's marks are aaaaaa": true,
		"aaaaaa begins \u00e9very line": true, "aaaaaa begins e\u0301very line": true, "s\u00e9ctile's m\u00e1rk is aaaaaa": true, "M\u00c1RK: aaaaaa": true,
		"aaaaaa begins\fevery line": true, "aaaaaa begins\u2028every line": true, "mark\v: aaaaaa": true, "x\u2028\u0441\u043b\u043e\u0432: aaaaaa": true, "x\r\u0441\u043b\u043e\u0432: aaaaaa": true,
		"x \u0441\u043b\u043e\u0432: aaaaaa": false, "it begins\revery line": false, "m\u00f8re begins ev\u00f8ry line": false,
		"": false, "mark": false, "mark:": false, "mark: \u2014": false, "mark my words: this is sectile.": false, "bookmark: x": false, "remarks: x": false, "marks: x": false,
		"This is the \u0441\u043b\u043e\u0432\u043e: x": false, "a mark is sectile": false, "sectile's lines": false, "it begins\nevery line": false, "the mark\n: x": false,
	} {
		if Announcing([]byte(text)) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
