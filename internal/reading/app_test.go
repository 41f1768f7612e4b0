package reading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
)

// request is one of the functions that answer in parts.
type request func(ctx context.Context, docs documents.Set, emit func(documents.Part) error) error

func tree(req TreeRequest) request {
	return func(ctx context.Context, docs documents.Set, emit func(documents.Part) error) error {
		return Tree(ctx, docs, req, emit)
	}
}

func sections(req SectionsRequest) request {
	return func(ctx context.Context, docs documents.Set, emit func(documents.Part) error) error {
		return Sections(ctx, docs, req, emit)
	}
}

// reply collects the parts of a reply.
func reply(t *testing.T, docs documents.Set, r request) (text string, errs []string, failed int) {
	t.Helper()
	err := r(t.Context(), docs, func(p documents.Part) error {
		text += string(p.Text)
		for _, e := range p.Errors {
			errs = append(errs, e.Error())
		}
		failed += p.Failed
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text, errs, failed
}

// makeFolder makes n documents in a folder, each with a heading of its number
// and some that can't be read.
func makeFolder(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		text := fmt.Sprintf("# Number %d\n\n%s", i, strings.Repeat("text\n", i%50))
		if i%10 == 9 {
			text = "\x00"
		}
		path := filepath.Join(dir, fmt.Sprintf("%04d.md", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestOrder answers about a folder several times: the same reply comes in the
// order of names, errors where they belong.
func TestOrder(t *testing.T) {
	const n = 500
	dir := makeFolder(t, n)
	docs := documents.Set{Paths: []string{dir}}
	for range 5 {
		text, errs, failed := reply(t, docs, sections(SectionsRequest{JSON: true}))
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != n || failed != n/10 || len(errs) != 0 {
			t.Fatalf("%d lines, %d failed, %d errors beside", len(lines), failed, len(errs))
		}
		for i, line := range lines {
			want := fmt.Sprintf(`"name":"Number %d"`, i)
			if i%10 == 9 {
				want = `"code":"binary_file"`
			}
			if path := fmt.Sprintf("%04d.md", i); !strings.Contains(line, want) || !strings.Contains(line, path) {
				t.Fatalf("line %d: %s", i, line)
			}
			if !json.Valid([]byte(line)) {
				t.Fatalf("line %d is no JSON: %s", i, line)
			}
		}
	}
	if got := documents.Count(t.Context(), docs); got != n {
		t.Errorf("Count: %d, want %d", got, n)
	}
}

// TestStop ends a request in the middle, from both sides: nothing hangs.
func TestStop(t *testing.T) {
	docs := documents.Set{Paths: []string{makeFolder(t, 400)}}
	enough := errors.New("enough")
	parts := 0
	err := Tree(t.Context(), docs, TreeRequest{}, func(documents.Part) error {
		if parts++; parts == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || parts != 3 {
		t.Errorf("%v after %d parts", err, parts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Tree(ctx, docs, TreeRequest{}, func(documents.Part) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v after the context ended", err)
	}
	if n := documents.Count(ctx, docs); n != 0 {
		t.Errorf("%d documents counted after the context ended", n)
	}
}

func TestReplies(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	if err := os.WriteFile(path, []byte("# A & <b>\n\n## B\n\n## B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		r    request
		want string
	}{
		{"tree", tree(TreeRequest{Format: "ascii"}), "PATH\n\n└ A & H1:1:5\n  ├ B H2:3:4\n  └ B H2:5:5\n"},
		{"tree in JSON", tree(TreeRequest{MaxDepth: 1}), `{"file_path":"PATH","format":"json","tree_json":` +
			`{"name":"a.md","level":"H0","start_line":0,"end_line":0,"children":[` +
			`{"name":"A &","level":"H1","start_line":1,"end_line":5,"children":[]}]}}` + "\n"},
		{"sections", sections(SectionsRequest{Level: "h2"}), "3-4: ## B\n5-5: ## B\n"},
		{"sections with path", sections(SectionsRequest{Level: "h1", WithPath: true, Raw: true}), "PATH:1-5: # A & <b>\n"},
		{"styled", sections(SectionsRequest{Level: "h1", Style: replies.Colours()}), "\x1b[2m1-5:\x1b[0m \x1b[1m# A &\x1b[0m\n"},
		{"sections in JSON", sections(SectionsRequest{JSON: true, Max: 1, Cursor: "1"}), `{"file_path":"PATH","sections":[` +
			`{"name":"B","start_line":3,"end_line":4,"level":"H2"}],"count":3,"next_cursor":"2"}` + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, errs, failed := reply(t, documents.Set{Paths: []string{path}}, tt.r)
			want := strings.ReplaceAll(tt.want, "PATH", path)
			if strings.HasPrefix(want, "{") {
				want = strings.ReplaceAll(tt.want, `"PATH"`, quoted(t, path))
			}
			if diff := cmp.Diff(want, got); diff != "" || failed > 0 || errs != nil {
				t.Errorf("(-want +got):\n%s%v", diff, errs)
			}
		})
	}
	got, _, _ := reply(t, documents.Set{Paths: []string{"-"}, Stdin: strings.NewReader("# S")}, tree(TreeRequest{Format: "ascii"}))
	if want := "stdin\n\n└ S H1:1:1\n"; got != want {
		t.Errorf("standard input: %q, want %q", got, want)
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWrongRequests are refused before any document is looked at.
func TestWrongRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		r    request
		want string
	}{
		"format": {tree(TreeRequest{Format: "x"}), "invalid_format: invalid format: x (must be 'json' or 'ascii')"},
		"depth":  {tree(TreeRequest{MaxDepth: -1}), "invalid_argument: the depth must not be negative; 0 shows every level"},
		"level":  {sections(SectionsRequest{Level: "H9"}), "invalid_level: invalid heading level: H9 (must be H1 to H6, or ALL)"},
		"cursor": {sections(SectionsRequest{Cursor: "-1"}), "invalid_argument: invalid cursor"},
	} {
		err := tt.r(t.Context(), documents.Set{Paths: []string{"missing.md"}}, func(documents.Part) error {
			t.Errorf("%s: a reply came", name)
			return nil
		})
		var e *replies.Error
		if !errors.As(err, &e) || !e.Usage() || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestBounds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("# A\n\n## B\n\n## B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		req  BoundsRequest
		want string // the reply, or the error's code
	}{
		{BoundsRequest{Heading: "A"}, "1-5: # A\n"},
		{BoundsRequest{Heading: "b", Occurrence: 2}, "5-5: ## B\n"},
		{BoundsRequest{Heading: "@document"}, "invalid_argument"},
		{BoundsRequest{Heading: "A", JSON: true}, `{"section_name":"A","start_line":1,"end_line":5,"level":"H1","total_lines":5}` + "\n"},
		{BoundsRequest{Heading: "B"}, "ambiguous_heading"},
		{BoundsRequest{Heading: "C"}, "heading_not_found"},
		{BoundsRequest{Heading: ""}, "invalid_argument"},
		{BoundsRequest{Heading: "A", Occurrence: -1}, "invalid_argument"},
	} {
		got, err := Bounds(documents.Set{Paths: []string{path}}, tt.req)
		if e, ok := errors.AsType[*replies.Error](err); ok {
			got = []byte(e.Code)
		}
		if string(got) != tt.want {
			t.Errorf("%+v: %s (%v), want %s", tt.req, got, err, tt.want)
		}
	}
	if _, err := Bounds(documents.Set{Paths: []string{"a", "b"}}, BoundsRequest{Heading: "A"}); err == nil {
		t.Error("two documents are taken")
	}
	_, err := Bounds(documents.Set{Paths: []string{path + "x"}}, BoundsRequest{Heading: "A"})
	var e *replies.Error
	if !errors.As(err, &e) || e.Code != string(fileerror.NotFound) || !errors.As(err, new(*fileerror.Error)) {
		t.Errorf("missing file: %v", err)
	}
}
