package linking

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/links"
	"github.com/sectile/sectile/markdown"
)

// renaming returns the renaming of the first heading of a document.
func renaming(t *testing.T, src, title string) *links.Renaming {
	t.Helper()
	before, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	content := before.Content(int(before.Sections[0].Heading))
	after, err := markdown.Parse([]byte(src[:content.Start] + title + src[content.End:]))
	if err != nil {
		t.Fatal(err)
	}
	return &links.Renaming{Before: before, After: after, Heading: int(before.Sections[0].Heading)}
}

// elsewhere locates a renaming and returns the links of other documents that it breaks.
func elsewhere(t *testing.T, docs documents.Set, r *links.Renaming) ([]Place, error) {
	t.Helper()
	if err := Locate(t.Context(), docs, r); err != nil {
		t.Fatal(err)
	}
	found, err := Elsewhere(t.Context(), docs, r)
	return found.Places, err
}

// TestElsewhere finds links of other documents, and refuses to answer where one can't be read.
func TestElsewhere(t *testing.T) {
	const src = "# Head\n"
	dir := testkit.Folder(t, map[string]string{
		"x/a.md":     src,
		"x/b.md":     "[1](a.md#head) [2](a.md) [3](a.md#none) [4](none.md#head)\n",
		"c.md":       "[1](x/a.md#head)\n\n[2]: <x/%61.md#head>\n",
		"x/other.md": "# Head\n\n[1](#head) [2](b.md#head)\n",
	})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	docs := documents.Set{Paths: []string{"x/a.md"}, Workspace: w}
	found, err := elsewhere(t, docs, renaming(t, src, "Title"))
	want := []Place{{"c.md", 1, "x/a.md#head"}, {"c.md", 3, "x/%61.md#head"}, {"x/b.md", 1, "a.md#head"}}
	if err != nil || len(found) != len(want) {
		t.Fatalf("%v, %v", found, err)
	}
	for i := range want {
		if found[i] != want[i] {
			t.Errorf("%v, want %v", found[i], want[i])
		}
	}
	if found, err = elsewhere(t, docs, renaming(t, src, "HEAD")); err != nil || found != nil {
		t.Errorf("a name that stays: %v, %v", found, err)
	}
}

// TestMentions: however the name of a document is written, a link to it isn't passed over.
func TestMentions(t *testing.T) {
	for _, link := range []string{
		"[x](my_doc.md#head)", `[x](my\_doc.md#head)`, "[x](my&#95;doc.md#head)", "[x](&#109;y_doc.md#head)", "[x](my%5Fdoc.md#head)", "[x](%6dy_doc.md#head)",
		`<a href="my&lowbar;doc.md#head">x</a>`, "[x][r]\n\n[r]: my\\_doc.md#head", "[x](my_doc#head)", "[x](my_doc.html#head)",
	} {
		dir := testkit.Folder(t, map[string]string{"my_doc.md": "# Head\n", "b.md": link + "\n"})
		docs := documents.Set{Paths: []string{filepath.Join(dir, "my_doc.md")}, MaxBytes: 1 << 20}
		found, err := elsewhere(t, docs, renaming(t, "# Head\n", "Title"))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", link, found, err)
		}
	}
}

// TestElsewhereUnread: links of a document that can't be read aren't passed over in silence.
func TestElsewhereUnread(t *testing.T) {
	const src = "# Head\n"
	dir := testkit.Folder(t, map[string]string{
		"a.md": src,
		"b.md": "[1](a.md#head)\n" + strings.Repeat("[x](a.md#head) ", 150_000),
		"c.md": "# Other\n" + strings.Repeat("no links to it\n", 150_000),
	})
	work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
	defer work.End()
	docs := documents.Set{Paths: []string{filepath.Join(dir, "a.md")}, Work: work, MaxBytes: 1 << 30}
	found, err := elsewhere(t, docs, renaming(t, src, "Title"))
	e := replies.AsError(err)
	if err == nil || e.Code != replies.CodeTooComplex || filepath.Base(e.Path) != "b.md" || !strings.Contains(e.Message.String(), "rename with links \"leave\"") {
		t.Errorf("%v, %v", found, err)
	}

	// The size is enough to refuse one, and each that is refused is named.
	docs = documents.Set{Paths: docs.Paths, MaxBytes: 100}
	e = replies.AsError(func() error { _, err := elsewhere(t, docs, renaming(t, src, "Title")); return err }())
	if e.Code != replies.CodeFileTooLarge || filepath.Base(e.Path) != "b.md" || len(e.Details) != 1 || !strings.Contains(e.Details[0], "c.md can't be read either") {
		t.Errorf("%v, %q", e, e.Details)
	}

	// What is there no more links to nothing.
	for _, name := range []string{"b.md", "c.md"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("none.md", filepath.Join(dir, "d.md")); err != nil {
		t.Log(err) // Windows asks for a right
	}
	if found, err := elsewhere(t, docs, renaming(t, src, "Title")); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// TestElsewhereBySymlink: links that lead to a document by a symbolic link are found, on the host
// and below roots, and nothing is told of what lies outside of these.
func TestElsewhereBySymlink(t *testing.T) {
	const src = "# Head\n"
	dir := testkit.Folder(t, map[string]string{
		"p/.sectile.yaml": "", "p/real/a.md": src, "p/b.md": "[1](same.md#head) [2](d/a.md#head) [3](d/same.md#head) [4](same#head) [5](out.md#head) [6](other.md#head)\n", "out.md": src, "p/c.md": src,
	})
	for name, to := range map[string]string{"same.md": "real/a.md", "d": "real", "real/same.md": "a.md", "out.md": "../out.md", "other.md": "c.md"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, "p", filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{filepath.Join(dir, "p")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	t.Chdir(filepath.Join(dir, "p"))
	for _, docs := range []documents.Set{{Paths: []string{"real/a.md"}, Workspace: w}, {Paths: []string{"d/same.md"}, Workspace: w}, {Paths: []string{"real/a.md"}}, {Paths: []string{"same.md"}}} {
		found, err := elsewhere(t, docs, renaming(t, src, "Title"))
		want := []Place{{"b.md", 1, "same.md#head"}, {"b.md", 1, "d/a.md#head"}, {"b.md", 1, "d/same.md#head"}, {"b.md", 1, "same#head"}}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%v: %v, %v", docs.Paths, found, err)
		}
	}
	var text strings.Builder
	docs := documents.Set{Workspace: w}
	if _, err := Links(t.Context(), docs, &Request{Everywhere: true}, func(part []byte) error { text.Write(part); return nil }, func(e *replies.Error) error { return e }); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "out.md#head: unknown") || !strings.Contains(text.String(), "other.md#head -> c.md:1\n") {
		t.Error(text.String())
	}
}
