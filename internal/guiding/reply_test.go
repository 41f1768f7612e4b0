package guiding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// shelf makes a project with files, and returns its guides on a certain day.
func shelf(t testing.TB, texts map[string]string) (*Guides, string) {
	t.Helper()
	root := t.TempDir()
	for path, text := range texts {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }
	return NewGuides(GuideOptions{Start: root, UserFile: "-", Now: now}), root
}

// The Result object has its keys in one order, keeps an empty value, and says no more
// than there is to say.
func TestGuideContentJSON(t *testing.T) {
	many := make([]GuideSkipped, 150)
	for i := range many {
		many[i] = GuideSkipped{Path: fmt.Sprint(i), Reason: guide.SkipBinary}
	}
	for _, tt := range []struct {
		content GuideContent
		want    string
	}{
		{GuideContent{Value: []byte{}, Matched: 1, Returned: 1}, `{"success":true,"value":""}`},
		{GuideContent{Value: []byte("<a> & \"b\"\r\n\u2028é\ufeff"), Matched: 1, Returned: 1}, `{"success":true,"value":"<a> & \"b\"\r\n\u2028é` + "\ufeff" + `"}`},
		{GuideContent{Value: []byte("x"), Matched: 2, Returned: 2}, `{"success":true,"value":"x","matched":2,"returned":2}`},
		{GuideContent{Value: []byte("x"), Matched: 2, Returned: 1, Truncated: true}, `{"success":true,"value":"x","matched":2,"returned":1,"truncated":true}`},
		{
			GuideContent{Value: []byte("x"), Matched: 1, Returned: 1, Skipped: []GuideSkipped{{Path: "a<b", Reason: "depth"}, {Path: "c", Reason: "template", Detail: "why"}}},
			`{"success":true,"value":"x","skipped":[{"path":"a<b","reason":"depth"},{"path":"c","reason":"template","detail":"why"}]}`,
		},
	} {
		if diff := cmp.Diff(tt.want, string(tt.content.JSON())); diff != "" {
			t.Error(diff)
		}
	}
	text := string((&GuideContent{Matched: 151, Returned: 1, Skipped: many}).JSON())
	if strings.Count(text, `"reason"`) != 100 || !strings.HasSuffix(text, `],"skipped_total":150}`) {
		t.Errorf("%s", text[len(text)-100:])
	}
	for i := range many { // what is said of one may be long
		many[i].Detail = strings.Repeat("x", 700)
	}
	text = string((&GuideContent{Matched: 151, Returned: 1, Skipped: many}).JSON())
	if len(text) > 6000 || strings.Count(text, `"reason"`) != 7 || !strings.HasSuffix(text, `],"skipped_total":150}`) {
		t.Errorf("%d bytes: %s", len(text), text[len(text)-100:])
	}
}

// An error of any kind has a type of the contract with its instruction, fits into a
// reply, and names no path of the host.
func TestAsGuideError(t *testing.T) {
	host := t.TempDir()
	problem := func(message string) config.Problem {
		return config.Problem{File: ".sectile.yaml", Line: 2, Column: 3, Field: "categories.x", Message: message}
	}
	var many config.Error
	for range 200 {
		many.Problems = append(many.Problems, problem(strings.Repeat("\"é\x01", 30)))
	}
	_, missing := os.Open(filepath.Join(host, "x"))
	for _, tt := range []struct {
		err  error
		kind guide.Type
		has  string
	}{
		{&guide.Error{Type: guide.NoMatches, Message: "m"}, guide.NoMatches, "m"},
		{fmt.Errorf("wrapped: %w", &guide.Error{Type: guide.NotFound, Message: "m"}), guide.NotFound, "m"},
		{&config.Error{Problems: []config.Problem{problem("bad"), problem("worse")}}, guide.ValidationError, ".sectile.yaml:2:3: categories.x: bad\n.sectile.yaml:2:3: categories.x: worse"},
		{&many, guide.ValidationError, "…"},
		{&fileerror.Error{Code: fileerror.Permission, Path: ".sectile.yaml", Reason: "denied"}, guide.IOError, ".sectile.yaml: denied"},
		{&fileerror.Error{Code: fileerror.Permission, Path: filepath.Join(host, "config.yaml"), Reason: "denied"}, guide.IOError, "denied"},
		{&replies.Error{Code: replies.CodeUnknownArgument, Message: replies.Say("unknown argument")}, guide.ValidationError, "unknown argument"},
		{&replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("missing: category"), Details: []string{"more"}}, guide.ValidationError, "missing: category:\nmore"},
		{&replies.Error{Code: "internal_error", Message: replies.Say("a fault")}, guide.IOError, "a fault"},
		{missing, guide.IOError, "open"},
		{context.DeadlineExceeded, guide.IOError, "deadline"},
	} {
		e := AsGuideError(tt.err)
		if e.Type != string(tt.kind) || e.Instruction != tt.kind.Instruction() || e.Instruction == "" {
			t.Errorf("%v: %+v, want %s", tt.err, e, tt.kind)
		}
		if AsGuideError(fmt.Errorf("again: %w", e)) != e || !errors.Is(e, tt.err) && e.Err == nil {
			t.Errorf("%v is another error the second time", tt.err)
		}
		text := e.JSON()
		var r struct {
			Success     *bool
			Error       string
			Type        string `json:"error_type"`
			Instruction string
		}
		if err := json.Unmarshal(text, &r); err != nil || r.Success == nil || *r.Success || r.Type != e.Type || r.Instruction != e.Instruction {
			t.Errorf("%v: %s", err, text)
		}
		if n := utf8.RuneCount(text); n >= 2000 || !strings.Contains(r.Error, tt.has) || strings.Contains(r.Error, host) {
			t.Errorf("%d characters: %s\nwithout %q", n, r.Error, tt.has)
		}
		if shown := replies.ErrorAbout("", e); shown.Code != e.Type || shown.Usage() != (tt.kind == guide.InvalidPattern) || !errors.Is(shown, e) {
			t.Errorf("the command line shows %+v", shown)
		}
	}
	shown := replies.ErrorAbout("", AsGuideError(&config.Error{Problems: []config.Problem{problem("bad")}}))
	if diff := cmp.Diff([]string{".sectile.yaml:2:3: categories.x: bad"}, shown.Lines()); diff != "" || shown.Message.String() != "the configuration can't be used" {
		t.Errorf("%q\n%s", shown.Message.String(), diff)
	}
}

func TestGuidesContent(t *testing.T) {
	g, root := shelf(t, map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['*']}\n", "docs/a.md.mustache": "{{date}} {{project.name}}\n",
	})
	c, err := g.Content(t.Context(), nil, "docs", "")
	if want := "2026-03-04 " + filepath.Base(root) + "\n"; err != nil || string(c.Value) != want || c.Matched != 1 || c.Returned != 1 {
		t.Errorf("%+v, %v; want %q", c, err, want)
	}
	if _, err = g.Content(t.Context(), nil, "dosc", ""); AsGuideError(err).Type != "not_found" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = g.Content(ctx, nil, "docs", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
}

// Without a project and a user's file there are no guides, and that is told apart from
// a project that has none yet.
func TestGuidesOfNobody(t *testing.T) {
	bare, _ := shelf(t, nil)
	broken, _ := shelf(t, map[string]string{".sectile.yaml": "categories: ["})
	empty, _ := shelf(t, map[string]string{".sectile.yaml": "\n"})
	for _, tt := range []struct {
		name       string
		guides     *Guides
		kind       string
		configured bool
	}{
		{"bare", bare, "no_session", false}, {"broken", broken, "validation_error", true}, {"empty", empty, "", false},
	} {
		list, err := tt.guides.List(t.Context())
		if tt.kind != "" && (err == nil || AsGuideError(err).Type != tt.kind) {
			t.Errorf("%s: %v, %v", tt.name, list, err)
		}
		if got := tt.guides.Configured(t.Context()); got != tt.configured {
			t.Errorf("%s: configured: %v", tt.name, got)
		}
		if _, err := tt.guides.Document(t.Context(), nil, "guide://category/docs/a.md"); err == nil || tt.kind != "" && AsGuideError(err).Type != tt.kind {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	list, err := empty.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := list.Page("", 500)
	if err != nil || !strings.HasPrefix(string(text), `{"categories":[],"hint":"no category is configured`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestGuidesList(t *testing.T) {
	g, root := shelf(t, map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['*.md'], description: \"What \\u202e there is\"}\n  bare: {dir: docs}\n  gone: {dir: none, patterns: ['*']}\n" +
			"collections:\n  all: {description: Everything, entries: [docs, 'docs/b*']}\n",
		"docs/a.md": "a", "docs/b.md": "b", "docs/c.txt": "c",
	})
	list, err := g.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := list.Categories[0]; c.Files != 2 || c.Dir != "docs" || cmp.Diff([]string{"*.md"}, c.Patterns) != "" || c.User {
		t.Errorf("%+v", c)
	}
	text, err := list.Page("", 0)
	if err != nil || strings.Contains(string(text), "\u202e") || strings.Contains(string(text), root) {
		t.Errorf("%s, %v", text, err)
	}
	for _, want := range []string{
		`"name":"docs","description":"What `, `{"name":"bare","files":3,"on_request":true}`, `{"name":"gone","files":0,"error":"the folder \"none\" `,
		`"collections":[{"name":"all","description":"Everything","entries":["docs","docs/b*"]}]}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s\nwithout %s", text, want)
		}
	}
	text, err = list.Page("gone", 500)
	if err != nil || string(text) != `{"categories":[],"collections":[{"name":"all","description":"Everything","entries":["docs","docs/b*"]}]}` {
		t.Errorf("%s, %v", text, err)
	}
	if text, err = list.Page("all", 500); err != nil || string(text) != `{"categories":[]}` {
		t.Errorf("%s, %v", text, err)
	}
	if _, err = list.Page("nobody", 500); replies.ErrorAbout("", err).Code != replies.CodeInvalidArgument {
		t.Error(err)
	}
}

// What can be said of one category may be longer than a reply: it is cut and says so.
func TestGuideListCuts(t *testing.T) {
	long := GuideCollection{Name: strings.Repeat("n", 64), Description: strings.Repeat("\"é", 250)}
	for i := range 900 {
		long.Entries = append(long.Entries, fmt.Sprintf("category-%d/%s", i, strings.Repeat("x", i)))
	}
	list := &GuideList{
		Categories:  []GuideCategory{{Name: strings.Repeat("m", 64), Description: strings.Repeat("\"", 500), Error: strings.Repeat("\\", 900)}},
		Collections: []GuideCollection{long, long},
	}
	for _, limit := range []int{replies.MinChars, 700, 2000, 40_000} {
		for _, cursor := range []string{"", list.Categories[0].Name} {
			text, err := list.Page(cursor, limit)
			if n := utf8.RuneCount(text); err != nil || n > limit || !json.Valid(text) || !strings.Contains(string(text), `"name":"`) {
				t.Errorf("%d characters, want at most %d: %s, %v", n, limit, text, err)
			}
			if cut := strings.Contains(string(text), "is cut at …"); !cut && limit == replies.MinChars {
				t.Errorf("nothing tells that it is cut: %s", text)
			}
		}
	}
	if len(list.Collections[0].Entries) != 900 || len(list.Categories[0].Error) != 900 {
		t.Error("the list itself is cut")
	}
}

func TestGuidesDocument(t *testing.T) {
	g, _ := shelf(t, map[string]string{
		".sectile.yaml": "categories:\n  docs: {dir: docs, patterns: ['*']}\n", "docs/a b.md": "\ufeff# One\r\n\r\nx\r\n\r\n## Two\r\ny", "docs/t.txt": "# T\n",
	})
	for _, tt := range []struct{ uri, kind, want, err string }{
		{"guide://category/docs/a%20b.md", "text/markdown; charset=utf-8", "\ufeff# One\r\n\r\nx\r\n\r\n## Two\r\ny", ""},
		{"guide://category/docs/a%20b.md#two", "text/markdown; charset=utf-8", "## Two\r\ny", ""},
		{"guide://category/docs/t.txt", "text/plain; charset=utf-8", "# T\n", ""},
		{"guide://category/docs/t.txt#t", "", "", replies.CodeInvalidArgument},
		{"guide://category/docs/a%20b.md#three", "", "", "heading_not_found"},
		{"guide://category/docs/c.md", "", "", "no_matches"},
		{"doc:///a.md", "", "", "validation_error"},
	} {
		d, err := g.Document(t.Context(), nil, tt.uri)
		if tt.err != "" {
			if err == nil || replies.ErrorAbout("", err).Code != tt.err {
				t.Errorf("%s: %+v, %v; want %s", tt.uri, d, err, tt.err)
			}
			continue
		}
		if err != nil || d.Type != tt.kind || string(d.Text) != tt.want {
			t.Errorf("%s: %+v, %v", tt.uri, d, err)
		}
	}
}

// A path that can't be read is no path of the host in a message.
func TestGuideErrorOfThePathIsBare(t *testing.T) {
	e := AsGuideError(&fs.PathError{Op: "open", Path: "/secret/place", Err: fs.ErrPermission})
	if e.Message != "open: permission denied" {
		t.Error(e.Message)
	}
}

// What can't be seen in a guide is told, with its lines and, of several, its file.
func TestGuideUnseen(t *testing.T) {
	g, _ := shelf(t, map[string]string{
		".sectile.yaml": "categories:\n  g: {dir: g, patterns: ['*.md']}\n",
		"g/a.md":        "\ufeff# A\n\nplain 👩‍👩‍👧\n", "g/b.md": "# B\n\nte\u202ext\n",
	})
	for pattern, want := range map[string]string{
		"":     "the text has 1 invisible or direction-changing character (U+202E at line 3 of g/b.md)",
		"b.md": "the text has 1 invisible or direction-changing character (U+202E at line 3)", "a.md": "",
	} {
		content, err := g.Content(t.Context(), nil, "g", pattern)
		if err != nil {
			t.Fatal(err)
		}
		var reply struct{ Warning string }
		if err := json.Unmarshal(content.JSON(), &reply); err != nil || reply.Warning != want {
			t.Errorf("%s: %q, %v, want %q", pattern, reply.Warning, err, want)
		}
	}
}
