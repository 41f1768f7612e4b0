package linking

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// TestLinksWithinMemory: a document whose links take more than the program may have is named,
// and the others are answered.
func TestLinksWithinMemory(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{
		"a.md": "# Head\n\n" + strings.Repeat("[x](#head) ", 150_000),
		"b.md": "# Other\n\n[gone](#gone) [there](a.md#head)\n",
	})
	for _, c := range []struct {
		memory int64
		failed string
		links  int
	}{
		{documents.MinMaxMemory, replies.CodeTooComplex + " " + filepath.Join(dir, "a.md"), 2},
		{0, "", 150_002},
	} {
		work := documents.NewMemory(c.memory).Begin(t.Context(), nil)
		failed := ""
		var text strings.Builder
		res, err := Links(t.Context(), documents.Set{Paths: []string{dir}, Work: work, MaxBytes: 1 << 30}, &Request{Tells: true},
			func(part []byte) error { text.Write(part); return nil },
			func(e *replies.Error) error {
				failed = e.Code + " " + e.Path
				return nil
			})
		work.End()
		if err != nil || failed != c.failed || res.Links != c.links || res.Broken != 1 {
			t.Errorf("with %d bytes: %+v, %v, failed: %q", c.memory, res, err, failed)
		}
		for _, told := range []string{"a.md can't be read: its", "a.md#head: unknown, the document can't be read\n"} {
			if strings.Contains(text.String(), told) == (c.failed == "") {
				t.Errorf("with %d bytes: %q is told of or not: %.500s", c.memory, told, text.String())
			}
		}
	}
}

// TestPageBytes: each kind of link is counted that a document may be full of.
func TestPageBytes(t *testing.T) {
	const many = 1000
	for _, link := range []string{"[x](y)\n\n", "www.a.bc\n\n", "a@b.c\n\n", "<ab:c>\n\n", "https://a.b\n\n", "<img src=a>\n\n", "[x]: y\n", "# h\n", "<a id=x>\n\n"} {
		doc, err := markdown.Parse([]byte(strings.Repeat(link, many)))
		if err != nil {
			t.Fatal(err)
		}
		page := links.NewPage("a.md", doc)
		if n := len(page.Links) + len(page.Places.All()); n < many || PageBytes(doc) < int64(300*n) {
			t.Errorf("%q: %d bytes for %d links and names", link, PageBytes(doc), n)
		}
		if most := mostPageBytes(doc); most < PageBytes(doc) {
			t.Errorf("%q: %d bytes are the most of %d", link, most, PageBytes(doc))
		}
	}
}

// TestSmallPagesAreCounted: what small documents take together is reserved, and those for
// which there is no room are told of.
func TestSmallPagesAreCounted(t *testing.T) {
	texts := map[string]string{}
	for i := range 300 {
		texts[strconv.Itoa(i)+".md"] = "# h\n\n" + strings.Repeat("[](#h)", 600)
	}
	work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
	defer work.End()
	docs := documents.Set{Paths: []string{testkit.Folder(t, texts)}, Work: work, MaxBytes: 1 << 20}
	refused := 0
	res, err := Links(t.Context(), docs, &Request{Max: 1}, func([]byte) error { return nil }, func(e *replies.Error) error {
		if e.Code != replies.CodeTooComplex {
			t.Error(e)
		}
		refused++
		return nil
	})
	if err != nil || refused == 0 || res.Documents < 50 || res.Documents+refused != len(texts) {
		t.Errorf("%d refused, %+v, %v", refused, res, err)
	}
}

// TestLedToOfWhatIsNotLookedAt: what can't be looked at for want of room is warned of, though each
// document can be read.
func TestLedToOfWhatIsNotLookedAt(t *testing.T) {
	before := "# Old\n\n" + strings.Repeat("[x](#old) ", 150_000)
	work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
	defer work.End()
	dir := testkit.Folder(t, map[string]string{"a.md": before})
	docs := documents.Set{Work: work, MaxBytes: 1 << 30}
	got := LedTo(t.Context(), docs, []Restored{{filepath.Join(dir, "a.md"), []byte(before), []byte("# New\n")}})
	if want := "not all documents could be looked at: links in them may lead to what is gone"; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}
