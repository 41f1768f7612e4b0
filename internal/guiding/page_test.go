package guiding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
)

// pageReply is a reply of the tool as a client reads it.
type pageReply struct {
	Success     bool
	Value       *string
	Files       string
	Matched     *int
	Returned    *int
	Path        string
	Next        string `json:"next_cursor"`
	Instruction string
}

// request asks the guides, and checks that there is either a text or a list, with no more
// characters than asked for.
func request(t *testing.T, g *Guides, r ContentRequest) (reply pageReply) {
	t.Helper()
	text, err := g.Reply(t.Context(), nil, r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	if err := json.Unmarshal(text, &reply); err != nil || !reply.Success {
		t.Fatalf("%v: %s", err, text)
	}
	if reply.Value == nil == (reply.Files == "") {
		t.Fatalf("%+v: %s", r, text)
	}
	if n := utf8.RuneCountInString(reply.Files + reply.text()); n > r.MaxChars {
		t.Fatalf("%+v: %d characters", r, n)
	}
	return reply
}

// text returns the value, or "" if there is none.
func (r *pageReply) text() string {
	if r.Value == nil {
		return ""
	}
	return *r.Value
}

// filesIn adds the files of a message to what there is of them, read by Go's own library.
func filesIn(t *testing.T, all map[string]string, message string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		path, err := url.PathUnescape(part.Header.Get("Content-Location"))
		if err != nil {
			t.Fatal(err)
		}
		_, path, _ = strings.Cut(path, "docs/")
		all[path] += string(text)
	}
}

// TestContentInPages reads a category that is longer than any reply: what its pages hold is
// every file, byte for byte, and each file is found by the list that comes instead.
func TestContentInPages(t *testing.T) {
	testkit.OneGoroutine(t)
	texts := map[string]string{
		"docs/empty.md":      "",
		"docs/one line.md":   strings.Repeat("é—𝕏", 5_000),
		"docs/crlf.md":       strings.Repeat("a line\r\n\r\n", 1_000),
		"docs/carriage.md":   strings.Repeat("\r\r\n", 1_000),
		"docs/boundary.md":   strings.Repeat("--guide-boundary-1\r\n\r\n{\"next_cursor\":\"x\"}\n", 300),
		"docs/sub/é ü.md":    "# é\n",
		"docs/no newline.md": "x",
	}
	for i := range 40 {
		texts[fmt.Sprintf("docs/n%02d.md", i)] = strings.Repeat("word\n", i*8)
	}
	config := map[string]string{".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['**']}\ncollections:\n  both: [docs]\n"}
	maps.Copy(config, texts)
	g, _ := shelf(t, config)
	for _, limit := range []int{500, 3_000, 40_000} {
		listed := request(t, g, ContentRequest{Name: "docs", MaxChars: limit})
		cursor := listed.Instruction[strings.LastIndex(listed.Instruction, `cursor "`)+len(`cursor "`):]
		if listed.Files == "" || *listed.Matched != len(texts) {
			t.Fatalf("%+v", listed)
		}
		if _, rest, more := strings.Cut(listed.Instruction, `read all in pages with the cursor "`); more {
			cursor = rest
		}
		cursor, _, _ = strings.Cut(cursor, `"`)
		all, pages := map[string]string{}, 0
		for cursor != "" {
			page := request(t, g, ContentRequest{Name: "docs", Cursor: cursor, MaxChars: limit})
			if page.Path != "" {
				all[strings.TrimPrefix(page.Path, "docs/")] += page.text()
			} else {
				filesIn(t, all, page.text())
			}
			if pages++; page.Next == cursor || pages > 2_000 {
				t.Fatalf("no end at %q", cursor)
			}
			cursor = page.Next
		}
		for path, want := range texts {
			if got, there := all[strings.TrimPrefix(path, "docs/")]; !there || got != want {
				t.Errorf("%d characters: %s has %d bytes in %d pages, want %d", limit, path, len(got), pages, len(want))
			}
		}
		if len(all) != len(texts) {
			t.Errorf("%d files, want %d: %q", len(all), len(texts), slices.Sorted(maps.Keys(all)))
		}
	}

	// What the instruction names works, of a collection too.
	for _, name := range []string{"docs", "both"} {
		listed := request(t, g, ContentRequest{Name: name, MaxChars: 40_000})
		for line := range strings.Lines(listed.Files) {
			category := "docs"
			pattern, _, _ := strings.Cut(line, ": ")
			if name == "both" {
				category, pattern, _ = strings.Cut(pattern, "/")
			}
			if page := request(t, g, ContentRequest{Name: category, Pattern: pattern, MaxChars: 40_000}); page.Matched != nil && *page.Matched != 1 || page.Files != "" {
				t.Errorf("%q: %+v", line, page.Matched)
			}
		}
	}

	// A single file comes at once, in pieces.
	page := request(t, g, ContentRequest{Name: "docs", Pattern: "crlf.md", MaxChars: 1_000})
	if page.Path != "docs/crlf.md" || page.Next == "" || !strings.HasSuffix(page.text(), "\r\n") {
		t.Errorf("%+v", page)
	}
	// What fits is as it always was.
	text, err := g.Reply(t.Context(), nil, ContentRequest{Name: "docs", Pattern: "sub/*", MaxChars: 500})
	if want := `{"success":true,"value":"# é\n"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNamesInPages reads the list alone, in pages too, and goes on with one that came instead of
// the text; files that can't be read are on each.
func TestNamesInPages(t *testing.T) {
	texts := map[string]string{".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['**']}\n"}
	for i := range 90 {
		texts[fmt.Sprintf("docs/%s%02d.md", strings.Repeat("long/", i%30), i)] = "12345"
	}
	texts["docs/"+strings.Repeat(strings.Repeat("x", 200)+"/", 4)+"a.md"] = "12345"
	texts["docs/latin.md"], texts["docs/long/nul.md"] = "caf\xe9\n", "a\x00b\n"
	texts[".sectile.yaml"] += "collections:\n  both: [docs, docs]\n"
	g, _ := shelf(t, texts)
	for _, name := range []string{"docs", "both"} {
		want, err := g.Files(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{1_000, 2_000, 40_000} {
			for _, names := range []bool{true, false} {
				var all bytes.Buffer
				r := ContentRequest{Name: name, NamesOnly: names, MaxChars: limit}
				for range 200 {
					page := request(t, g, r)
					all.WriteString(page.Files)
					if _, cursor, more := strings.Cut(page.Instruction, `, and the rest of the list with names_only and the cursor "`); more {
						page.Next = strings.TrimSuffix(cursor, `"`)
					}
					if r.NamesOnly, r.Cursor = true, page.Next; r.Cursor == "" {
						break
					}
				}
				if (names || all.Len() > 0) && !bytes.Equal(all.Bytes(), want.Text()) {
					t.Errorf("%s, %d characters, names %v: %s", name, limit, names, all.String())
				}
			}
		}
	}
}

// TestStaleCursors refuses cursors of files that are others by now, and what is none.
func TestStaleCursors(t *testing.T) {
	g, root := shelf(t, map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['**']}\n",
		"docs/a.md":     strings.Repeat("é\n", 5_000), "docs/b.md": "b",
	})
	page := request(t, g, ContentRequest{Name: "docs", Pattern: "a", MaxChars: 500})
	hash, _, _ := strings.Cut(page.Next, ".")
	for _, cursor := range []string{"x", "0.0", hash + ".0", hash + ".-1.0", hash + ".1.0", hash + ".0.1", hash + ".0.-1", hash + ".0.99999999", hash + ".00.0", hash + ".0.0.0"} {
		if _, err := g.Reply(t.Context(), nil, ContentRequest{Name: "docs", Pattern: "a", Cursor: cursor, MaxChars: 500}); err == nil || AsGuideError(err).Type != "stale_cursor" {
			t.Errorf("%q: %v", cursor, err)
		}
	}
	list := request(t, g, ContentRequest{Name: "docs", NamesOnly: true, MaxChars: 20})
	hash, _, _ = strings.Cut(list.Next, ".")
	for _, cursor := range []string{"0", "1", "x", hash + ".0", hash + ".-1", hash + ".2", hash + ".01", hash + ".1.0", page.Next} {
		if _, err := g.Reply(t.Context(), nil, ContentRequest{Name: "docs", NamesOnly: true, Cursor: cursor, MaxChars: 500}); err == nil || AsGuideError(err).Type != "stale_cursor" {
			t.Errorf("names %q: %v", cursor, err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "docs", "a.md"), []byte(strings.Repeat("é\n", 5_001)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Reply(t.Context(), nil, ContentRequest{Name: "docs", Pattern: "a", Cursor: page.Next, MaxChars: 500}); err == nil || AsGuideError(err).Instruction != "Call again without cursor." {
		t.Errorf("a cursor of the file as it was: %v", err)
	}
	if _, err := g.Reply(t.Context(), nil, ContentRequest{Name: "docs", NamesOnly: true, Cursor: list.Next, MaxChars: 500}); err == nil {
		t.Error("a cursor of the list as it was is taken")
	}
}
