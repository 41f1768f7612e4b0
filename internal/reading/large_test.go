package reading

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// What is read of a document beyond the limit is what is read of it below.

func TestReadLarge(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	for _, file := range testkit.SomeCorpusFiles(t, 40) {
		src := file.Data
		if err := os.WriteFile(path, src, 0o600); err != nil {
			t.Fatal(err)
		}
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		for i := range doc.Sections {
			if doc.SectionSpan(i).Len() == len(src) {
				continue // which is not beyond its own size
			}
			docs := documents.Set{Paths: []string{path}, MaxBytes: int64(doc.SectionSpan(i).Len())}
			lines := doc.SectionLines(i)
			for _, req := range []ReadRequest{
				{Heading: "L" + strconv.Itoa(lines.First)},
				{StartLine: lines.First, EndLine: lines.Last},
			} {
				got, err := Read(docs, req)
				if err != nil {
					t.Fatalf("%s, section %d: %v", file.Name, i, err)
				}
				if text := textOf(got); !strings.Contains(text, strings.TrimRight(string(doc.Text(doc.SectionSpan(i))), "\n")) {
					t.Fatalf("section %d: %q is not in %q", i, doc.Text(doc.SectionSpan(i)), text)
				}
			}
			docs.MaxBytes = int64(doc.BodySpan(i).Len())
			got, err := Read(docs, ReadRequest{Heading: "L" + strconv.Itoa(lines.First), BodyOnly: true})
			if err != nil {
				t.Fatalf("section %d: %v", i, err)
			}
			if text := textOf(got); !strings.Contains(text, strings.TrimRight(string(doc.Text(doc.BodySpan(i))), "\n")) {
				t.Fatalf("body %d: %q is not in %q", i, doc.Text(doc.BodySpan(i)), text)
			}
		}
	}
}

// TestReadLargeAnchor: what an anchor leads to is not told if headings that aren't there count.
func TestReadLargeAnchor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	docs := documents.Set{Paths: []string{path}, MaxBytes: 100}
	for src, lacks := range map[string]bool{
		"text\n": false, "> # A\n": true, "- a\n\n  # B\n": true, "<p>\n<H2>A</H2>\n": true, "<header>A</header>\n\n`<h1>`\n": false,
	} {
		src = src + "\n# A\n\nb\n\n# D {#own}\n\n# C\n\n" + strings.Repeat("long\n", 100)
		if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(docs, ReadRequest{Heading: "#a"})
		if told := err != nil && strings.Contains(err.Error(), "depends on headings in quotes, items or HTML"); told != lacks || !lacks && !strings.Contains(textOf(got), "# A") {
			t.Errorf("%.30q: %v, %v", src, got, err)
		}
		got, err = Read(docs, ReadRequest{Heading: "#own"}) // which one of those may have too
		if told := err != nil && strings.Contains(err.Error(), "depends on headings in quotes, items or HTML"); told != lacks || !lacks && !strings.Contains(textOf(got), "# D") {
			t.Errorf("%.30q, own: %v, %v", src, got, err)
		}
	}
}

// textOf returns the text of the document in a reply.
func textOf(r *ReadReply) string {
	var b bytes.Buffer
	for is, text := range r.Pieces() {
		if is {
			b.Write(text)
		}
	}
	return b.String()
}
