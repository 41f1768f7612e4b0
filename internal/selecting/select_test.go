package selecting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// selectFrom selects from one document, given as text.
func selectFrom(t *testing.T, src []byte, req SelectRequest) (out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	docs := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	err = Select(t.Context(), docs, req, &o, &e)
	if err != nil && !errors.Is(err, ErrIncomplete) {
		t.Fatal(err)
	}
	return o.String(), e.String(), err
}

type selectObject struct {
	Success bool
	Data    struct {
		Matches    []jsonNode
		Unresolved []struct {
			Selector, Reason string
			Suggestions      []string
		}
	}
	Errors []map[string]any
}

// TestContentLaws selects all there is to select: what comes back is the source,
// the selector before it chooses the same part again, and its children are in it.
func TestContentLaws(t *testing.T) {
	files := testkit.CorpusFiles(t)
	chosen := 0
	for i := 0; i < len(files); i += 41 {
		src := files[i].Data
		for _, selector := range []string{
			"root", "h1", "h2", "h3", "para", "code", "list.0/item", "table.0/row", "quote.0/para", "h2.0/list.0/item.0/para", "html",
		} {
			text, _, err := selectFrom(t, src, SelectRequest{Selector: selector, JSON: true})
			if err != nil {
				continue
			}
			var s selectObject
			decode(t, text, &s)
			for _, m := range s.Data.Matches {
				chosen++
				if !strings.HasPrefix(string(src[m.StartByte:]), strings.TrimLeft(m.Content, " ")) &&
					!strings.Contains(string(src[m.StartByte:m.EndByte]), m.Content) {
					t.Fatalf("%s: %s is not the source: %.80q", files[i].Name, m.Selector, m.Content)
				}
				again, errs, _ := selectFrom(t, src, SelectRequest{Selector: m.Selector})
				if again != m.Content+"\n" && again != m.Content {
					t.Fatalf("%s: %s chooses %.80q, before %.80q; %s", files[i].Name, m.Selector, again, m.Content, errs)
				}
				for _, c := range m.Available {
					if c.StartByte < m.StartByte || c.EndByte > m.EndByte {
						t.Fatalf("%s: %s/%s is outside", files[i].Name, m.Selector, c.Selector)
					}
				}
			}
		}
	}
	if chosen < 1000 {
		t.Errorf("%d parts were chosen, want at least 1000", chosen)
	}
}

// TestWholeContent takes documents apart into sections: together with what stands
// before them they are the document, but for blank lines.
func TestWholeContent(t *testing.T) {
	for _, tt := range []struct{ src, selector, want string }{
		{"", "root", "\n"},
		{"\n\n", "root", "\n"},
		{"\uFEFF# A\n\ntext\n\n", "root", "# A\n\ntext\n"},
		{"   # A  \r\ntext\r\n\r\n# B", "h1.0", "# A  \r\ntext\r\n"},
		{"# A\r\n\r\nb\r\nc\r\n", "h1.0?head=3", "# A\r\n\r\nb\r\n"},
		{"# A\r\n\r\nb", "h1.0", "# A\r\n\r\nb\n"},
		{"# A\n```\nopen\n\n", "code.0", "```\nopen\n"},
		{"# A\n\n> # Q\n> x\n> ## R\n> # S\n> y", "quote.0/h1.0", "# Q\n> x\n> ## R\n"},
		{"# A\n\n> # Q\n> x\n> ## R\n> # S\n> y", "quote.0/h1.1", "# S\n> y\n"},
		{"- a\n\n  b\n- c", "list.0/item.0/para.1", "b\n"},
		{"    code\n", "code.0", "    code\n"},
		{"a\n\n[x]: /y\n", "root", "a\n\n[x]: /y\n"},
	} {
		got, errs, _ := selectFrom(t, []byte(tt.src), SelectRequest{Selector: tt.selector})
		if got != tt.want {
			t.Errorf("%s of %q is %q, want %q; %s", tt.selector, tt.src, got, tt.want, errs)
		}
	}
}

func TestHeadAndTail(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll("a\n\nb\nc\n", "\n", ending)
		for _, tt := range []struct{ query, want string }{
			{"head=1", "a"},
			{"head=2", "a\n"},
			{"head=3", "a\n\nb"},
			{"head=4", "a\n\nb\nc"},
			{"head=9", "a\n\nb\nc"},
			{"tail=1", "c"},
			{"tail=2", "b\nc"},
			{"tail=3", "\nb\nc"},
			{"tail=4", "a\n\nb\nc"},
			{"tail=9", "a\n\nb\nc"},
			{"head=3&tail=1", "b"},
			{"head=1&tail=1", "a"},
			{"head=1&full=true", "a\n\nb\nc"},
		} {
			want := strings.ReplaceAll(tt.want, "\n", ending)
			text, _, _ := selectFrom(t, []byte(src), SelectRequest{Selector: "root?" + tt.query, JSON: true})
			var s selectObject
			decode(t, text, &s)
			m := s.Data.Matches[0]
			if m.Content != want || m.Truncated != (len(tt.want) < len("a\n\nb\nc")) {
				t.Errorf("%q?%s is %q, truncated %v, want %q", src, tt.query, m.Content, m.Truncated, want)
			}
		}
	}
}

func TestSelectJSON(t *testing.T) {
	src := "Intro *text*.\n\n# A\n\nwords and words\n\n## B\n\n| a |\n|---|\n| 1 |\n\n<b>\n\n1. x\n"
	text, _, err := selectFrom(t, []byte(src), SelectRequest{
		Selector: "h2.0", JSON: true, Time: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.FixedZone("", 3600)),
	})
	if err != nil || !strings.Contains(text, `"timestamp":"2026-01-02T02:04:05.006Z"`) {
		t.Fatalf("%s, %v", text, err)
	}
	var s selectObject
	decode(t, text, &s)
	var got []string
	for _, c := range s.Data.Matches[0].Available {
		got = append(got, fmt.Sprintf("%s %s %q %d-%d", c.Selector, c.Type, c.Preview, c.StartLine, c.EndLine))
	}
	want := []string{
		`h2[0] heading "B" 7-15`, `table[0] table "| a |\n|---|\n| 1 |" 9-11`, `html[0] html "<b>" 13-13`, `list[0] list "1. x" 15-15`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var x indexObject
	decode(t, indexOf(t, []byte(src), IndexRequest{JSON: true}), &x)
	root := x.Data.Documents[0].Root
	if root == nil || root.ContentPreview != "Intro *text*." || root.Words != 2 || root.Children != 1 || root.EndLine != 2 {
		t.Errorf("the root is %+v", root)
	}
	if a := x.Data.Documents[0].Headings[0]; a.Children != 5 || a.Words != 1 || a.SectionWords != replies.CountWords([]byte(src))-2 {
		t.Errorf("the first heading is %+v", a)
	}
}

// TestUnresolved tells why a selector finds nothing, and suggests what does.
func TestUnresolved(t *testing.T) {
	for _, selector := range []string{"h1.7", "h2.0/h3.9", "list.5", "h2.0/code", "stdn::h1.0", "h1.0/root", "quote.0/para.9"} {
		src := []byte("# A\n\n- x\n\n## B\n\n### C\n\n> q\n")
		out, errs, err := selectFrom(t, src, SelectRequest{Selector: selector})
		lines := strings.Split(errs, "\n")
		if err == nil || out != "" || lines[0] != "!"+selector || len(lines) < 3 {
			t.Errorf("%s: %q, %q, %v", selector, out, errs, err)
			continue
		}
		for suggestion := range strings.FieldsSeq(lines[2]) {
			if _, errs, err := selectFrom(t, src, SelectRequest{Selector: strings.TrimPrefix(suggestion, "~")}); err != nil {
				t.Errorf("%s is suggested for %s, but %s", suggestion, selector, errs)
			}
		}
		var s selectObject
		text, _, _ := selectFrom(t, src, SelectRequest{Selector: selector, JSON: true})
		decode(t, text, &s)
		if u := s.Data.Unresolved[0]; s.Success || u.Selector != selector || u.Reason != lines[1] || u.Suggestions == nil {
			t.Errorf("%s: %+v", selector, u)
		}
	}
}

// TestManyFiles names so many namespaces that an error can't list them.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d.md", i)), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	docs := documents.Set{Paths: []string{dir}}
	var out, errs bytes.Buffer
	err := Select(t.Context(), docs, SelectRequest{Selector: "f99::h1.0"}, &out, &errs)
	if !errors.Is(err, ErrIncomplete) || !strings.Contains(errs.String(), "f18, f19 and 10 more\n") {
		t.Errorf("%v: %s", err, errs.String())
	}
	out.Reset()
	if err := Select(t.Context(), docs, SelectRequest{Selector: "h1"}, &out, &errs); err != nil || strings.Count(out.String(), "::h1.0:\n# A\n") != 30 {
		t.Errorf("%v: %s", err, out.String())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Select(ended, docs, SelectRequest{Selector: "h1"}, &out, &errs); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	if err := Index(ended, docs, IndexRequest{}, &out, &errs); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// TestRepeats repeats a large part more often than memory could hold.
func TestRepeats(t *testing.T) {
	src := []byte("# A\n\n" + strings.Repeat("word ", 20_000))
	counter := &countingWriter{}
	docs := documents.Set{Paths: []string{documents.Stdin}, Stdin: bytes.NewReader(src)}
	selector := "h1.0" + strings.Repeat(",0", 4999)
	if err := Select(t.Context(), docs, SelectRequest{Selector: selector}, counter, &bytes.Buffer{}); err != nil || counter.n < 5000*100_000 {
		t.Errorf("%d bytes, %v", counter.n, err)
	}
	_, errs, err := selectFrom(t, src, SelectRequest{Selector: "h1.0" + strings.Repeat(",0", 20_000)})
	if err == nil || !strings.Contains(errs, "too many matches") {
		t.Errorf("%v, %.80q", err, errs[len(errs)-80:])
	}
}

// TestCompleteSelector completes in folders that a story can't hold.
func TestCompleteSelector(t *testing.T) {
	dir := t.TempDir()
	if got := CompleteSelector(filepath.Join(dir, "missing"), ""); got != nil {
		t.Errorf("in no folder: %+v", got)
	}
	if got := CompleteSelector("[", ""); got != nil {
		t.Errorf("in a folder that is no pattern: %+v", got)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a b.md", strings.Repeat("# A &#27;[1m&#10;&#9; title\n\ntext\n\n", 2000))
	got := CompleteSelector(dir, "")
	if len(got) != maxCompletions || got[3].Selector != "h1.3" {
		t.Errorf("%d completions, %+v", len(got), got[:min(4, len(got))])
	}
	for _, c := range got {
		if c.Description != "A \uFFFD[1m title" {
			t.Fatalf("%+v", c)
		}
	}
	write("\x1b.md", "# A\n")
	write("zz.md", strings.Repeat("x", maxCompletionBytes+1))
	var selectors []string
	for _, c := range CompleteSelector(dir, "") {
		selectors = append(selectors, c.Selector)
	}
	if diff := cmp.Diff([]string{"\"\uFFFD\"::", `"a b"::`, "zz::"}, selectors); diff != "" {
		t.Errorf("namespaces: %s", diff)
	}
	if got := CompleteSelector(dir, `"a b"::h1.1999`); len(got) != 1 || got[0].Selector != `"a b"::h1.1999` {
		t.Errorf("behind a namespace: %+v", got)
	}
	if got := CompleteSelector(dir, "\"\uFFFD\"::h"); len(got) != 1 || got[0].Selector != "\"\uFFFD\"::h1.0" {
		t.Errorf("behind a namespace with a character that isn't shown: %+v", got)
	}
	if got := CompleteSelector(dir, "zz::"); got != nil {
		t.Errorf("in a large document: %+v", got)
	}
}

// TestSelectTooComplex: that there is no memory to look for what an address names is told, and not
// that the document hasn't it.
func TestSelectTooComplex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, bytes.Repeat([]byte("![a](b) "), 3<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	work := documents.NewMemory(64<<20).Begin(t.Context(), nil)
	defer work.End()
	var out, errs bytes.Buffer
	err := Select(t.Context(), documents.Set{Paths: []string{path}, Work: work}, SelectRequest{Selector: "image.0"}, &out, &errs)
	if !errors.Is(err, ErrIncomplete) || out.Len() > 0 || !strings.HasPrefix(errs.String(), "!TOO_COMPLEX: its 1.5 MiB take more") {
		t.Errorf("%v: %q %q", err, out.String(), errs.String())
	}
}
