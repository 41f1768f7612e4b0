package reading

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
)

// TestTags: tags are words of the text, and of nothing else that a paragraph has.
func TestTags(t *testing.T) {
	for text, want := range map[string]string{
		"#a b #c_d (#e) #1 #2f x#g": "a c_d e 2f", "# T #a\n\n#b": "a b", "> x\n> #a\n> #b": "a b", "*#a* *x #b* \\#c": "b",
		"[L](#a) [L]( #b ) ![i](c.png \"a #d\")": "", "[l #a](x) [l](#b) #c": "a c", "`a #define b` #c": "c", "`a\n#b`": "", "<b title=' #a'> #b": "b", "<!-- #a -->b": "",
		"[a][ #b ]\n\n[ #b ]: c": "", "&amp; #a": "a", "a  \n#b": "b", "## T {.c #id}": "", "T {#id .c}\n===": "",
	} {
		doc := mustParse(t, text)
		s := sectionReader{doc: doc}
		if got := s.tagsIn(0, len(doc.Blocks)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}

// TestFields: a field is a line of a first paragraph, of an item or of HTML, however lines end.
func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		"A: b\nC: d\n\ne\n\nF: g": "a=b c=d", "A: b\\\nC: d\\": `a=b c=d\`, `A: b\\` + "\nC: d": `a=b\\ c=d`, "A: b  \r\nC: d": "a=b c=d", "A: b\rC: d\r\rE: f\r": "a=b c=d e=f",
		"- A: b\\\n  C: d\n- E: f\n\n+ **G**: h": "a=b c=d e=f g=h", "- A: b\n\n- C: d\n  - E: f": "a=b c=d e=f", "- A: b\n- [ ] C: d": "a=b", "1. A: b": "", "> A: b": "", "A: b\n> C: d": "a=b",
		"<!-- A: b -->\n<!-- C: d -->": "a=b c=d", "<!-- A: b\\ -->\nC: d": `a=b\ c=d`, "A: b\nA: c": "a=b", "__A:__ b\n- C:d": "a=b", "- ```\n  A: b\n  ```": "", "A: b\n# C": "a=b",
	} {
		doc := mustParse(t, text)
		var got []string
		for name, value := range fieldsOf(doc, 0, len(doc.Blocks)) {
			got = append(got, name+"="+value)
		}
		slices.Sort(got)
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%q: %q, want %q", text, all, want)
		}
	}
}

// TestFactsAreSeen: no fact has a character that can't be seen or that turns the direction of writing.
func TestFactsAreSeen(t *testing.T) {
	const hidden = "\u202e\u200b\u2066\ufeff\U000e0041"
	doc := mustParse(t, "# T {#a"+hidden+" .b}\n\nA: b"+hidden+"\n\n#a"+hidden+"\n\n```c"+hidden+"\n```\n")
	s := sectionReader{doc: doc, with: Facts()}
	if got := string(appendFacts(nil, s.factsOf(0))); strings.ContainsAny(got, hidden) || !strings.Contains(got, "{#a\ufffd") {
		t.Errorf("%+q", got)
	}
}

// TestHashOfFacts: the hash of a section is that of a read, which a write asks for.
func TestHashOfFacts(t *testing.T) {
	doc := mustParse(t, "# A\n\nb\n\n## C\n")
	s := sectionReader{doc: doc, with: []string{"words", "hash"}}
	if f := s.factsOf(0); f.Hash != doc.SectionHash(0) || *f.Words != 2 {
		t.Errorf("%s, %d words", f.Hash, *f.Words)
	}
}

// TestFactsInMemory: what is read of a paragraph for facts is in the budget of memory.
func TestFactsInMemory(t *testing.T) {
	many := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(many, []byte("# A\n\n"+strings.Repeat("#t *a* ", 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		with   string
		memory int64
		fits   bool
	}{{"tags", documents.MinMaxMemory, false}, {"tags", 0, true}, {"links", documents.MinMaxMemory, true}, {"words", documents.MinMaxMemory, true}} {
		work := documents.NewMemory(c.memory).Begin(t.Context(), nil)
		var said []byte
		err := Sections(t.Context(), documents.Set{Paths: []string{many}, Work: work}, SectionsRequest{With: []string{c.with}, Single: true}, func(p documents.Part) error {
			said = append(said, p.Text...)
			return nil
		})
		work.End()
		if c.fits != (err == nil) || !c.fits && replies.AsError(err).Code != replies.CodeTooComplex {
			t.Errorf("%s in %d bytes: %s %v", c.with, c.memory, said, err)
		}
	}
}
