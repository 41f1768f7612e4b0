package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/guiding"
)

// part is a part of a multipart value.
type part struct{ location, kind, text string }

// messageParts takes a value of several parts apart.
func messageParts(t testing.TB, value string) (list []part) {
	t.Helper()
	head, body, _ := strings.Cut(value, "\r\n\r\n")
	_, media, err := mime.ParseMediaType(strings.TrimPrefix(head, "Content-Type: "))
	if err != nil {
		t.Fatal(err)
	}
	reader := multipart.NewReader(strings.NewReader(body), media["boundary"])
	for {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part{p.Header.Get("Content-Location"), p.Header.Get("Content-Type"), string(text)})
	}
}

// Every Content-Location of a reply is a resource with the same bytes.
func TestGuideLocationsAreResources(t *testing.T) {
	documents := guided(map[string]string{
		"docs/rules/with space.md": "x", "docs/rules/100% #1?.md": "y\r\n", "docs/rules/größe.md": "ü", "docs/rules/crlf.md": "a\r\nb\r\n\r\n", "docs/rules/empty.md": "",
		"docs/rules/bom.md": "\ufeff# B\n", "docs/rules/q\"uo'te;=&+.md": "q", "docs/rules/{name}.md": "n", "docs/howto/ü/deep er/x.MD.md": "deep\n",
		"docs/Ü b/i.json": "{}", "docs/Ü b/p.txt": "text",
	})
	documents[".sectile.yaml"] = strings.Replace(guideConfig, "  howto:", "  Über_1:\n    dir: docs/Ü b\n    patterns: ['*']\n  howto:", 1) + "  all: [rules, howto, Über_1]\n"
	session := client(t, documents)
	for _, name := range []string{"rules", "howto", "Über_1", "start", "all"} {
		r, text := category(t, session, object{"category": name})
		if !r.Success {
			t.Fatal(text)
		}
		list := messageParts(t, r.Value)
		if r.Returned == nil || len(list) != *r.Returned || len(list) < 2 {
			t.Errorf("%s: %d parts of %v", name, len(list), r.Returned)
		}
		for _, p := range list {
			result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: p.location})
			if err != nil {
				t.Errorf("%s: %v", p.location, err)
				continue
			}
			c := result.Contents[0]
			if c.Text != p.text || c.MIMEType != p.kind || c.URI != p.location || (c.Blob != nil) != (p.text == "") {
				t.Errorf("%s: %q %s, want %q %s", p.location, c.Text, c.MIMEType, p.text, p.kind)
			}
			if result.CacheScope != "private" || result.TTLMs != 0 {
				t.Errorf("%s: may be kept: %+v", p.location, result.Cacheable)
			}
		}
	}
}

func TestGuideResources(t *testing.T) {
	documents := guided(map[string]string{
		"docs/rules/.hidden.md": "hidden\n", "docs/rules/.git/config.md": "no\n", "docs/rules/x.txt": "# T\n", "docs/rules/twice.md": "# A\n\n# B\n\none\n\n# B\n\ntwo\n",
	})
	documents["docs/g/a b.md"], documents["docs/g/ü.md"] = "x", "# Ü\n"
	documents[".sectile.yaml"] = strings.Replace(guideConfig, "collections:", "  Größe_1: {dir: docs/g}\ncollections:", 1)
	session := client(t, documents)
	for _, tt := range []struct{ uri, want, err string }{
		{"guide://category/rules/style.md#names", "## Names\n\nPlain ones.\n", ""},
		{"guide://category/rules/style.md", documents["docs/rules/style.md"], ""},
		{"guide://category/rules/review.md", "# Review\n\nAsk team blue about rules.\n", ""},
		{"guide://category/rules/review.md#review", "# Review\n\nAsk team blue about rules.\n", ""},
		{"guide://category/rules/twice.md#b-1", "# B\n\ntwo\n", ""},
		{"guide://category/rules/x.txt", "# T\n", ""},
		{"guide://category/rules/.hidden.md", "hidden\n", ""},
		{"guide://category/rules/x.txt#t", "", "only Markdown has sections"},
		{"guide://category/rules/style.md#nowhere", "", "heading_not_found"},
		{"guide://category/rules/style", "", "no_matches"},
		{"guide://category/rules/*.md", "", "no_matches"},
		{"guide://category/rules/.git/config.md", "", "no_matches"},
		{"guide://category/rules/review.md.mustache", "", "invalid_pattern"},
		{"guide://category/rules/../howto/release.md", "", "validation_error"},
		{"guide://category/rules/%2e%2e/howto/release.md", "", "validation_error"},
		{"guide://category/rules//etc/passwd", "", "validation_error"},
		{"guide://category/rules/%2Fetc%2Fpasswd", "", "validation_error"},
		{"guide://category/rules/a%00.md", "", "validation_error"},
		{"guide://category/start/style.md", "", "is a collection"},
		{"guide://category/nobody/style.md", "", "not_found"},
		{"guide://category/rules/", "", ""},
		{"guide://other/rules/style.md", "", "only guide://category/ is known"},
		{"guide://category/rules", "", "it names no file"},
		{"guide://category/rules/a%zz.md", "", "write %25 for the sign itself"},
		{"guide:rules/style.md", "", "write guide://category/NAME/PATH"},
		{"GUIDE://Category/rules/style.md#names", "## Names\n\nPlain ones.\n", ""},
		{"guide://category/Größe_1/a b.md", "x", ""},
		{"guide://category/Gr%C3%B6%C3%9Fe_1/a b.md", "x", ""},
		{"guide://category/Größe_1/ü.md#ü", "# Ü\n", ""},
	} {
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: tt.uri})
		if tt.want != "" {
			if err != nil || result.Contents[0].Text != tt.want || result.Contents[0].URI != tt.uri || result.CacheScope != "private" {
				t.Errorf("%s: %+v, %v; want %q", tt.uri, result, err, tt.want)
			}
			continue
		}
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(tt.err)) {
			t.Errorf("%s: error %v, want %q", tt.uri, err, tt.err)
		}
	}
}

// Without a tool of the toolset there is no way to guides at all.
func TestGuidesAreOfferedTogether(t *testing.T) {
	dir := docs(t, guided(nil))
	for _, tt := range []struct {
		options doctor.ServerOptions
		want    bool
	}{
		{doctor.ServerOptions{}, true},
		{doctor.ServerOptions{Tools: []string{toolCategories}}, true},
		{doctor.ServerOptions{Preset: "lean"}, true},
		{doctor.ServerOptions{Toolsets: []string{"navigate"}}, false},
		{doctor.ServerOptions{ExcludeTools: []string{toolCategories, toolCategory}}, false},
	} {
		tt.options.Roots = []string{dir}
		session := connect(t, start(t, tt.options), "", nil)
		there := false
		for r, err := range session.ResourceTemplates(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			there = there || r.URITemplate == guiding.GuideTemplate
		}
		_, readErr := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "guide://category/rules/style.md"})
		_, completeErr := session.Complete(t.Context(), &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/resource", URI: guiding.GuideTemplate}, Argument: mcp.CompleteParamsArgument{Name: "name"},
		})
		if there != tt.want || (readErr == nil) != tt.want || (completeErr == nil) != tt.want {
			t.Errorf("%+v: the template is there: %v, reading: %v, completing: %v; want %v", tt.options, there, readErr, completeErr, tt.want)
		}
	}
}

func TestGuideCompletion(t *testing.T) {
	documents := guided(map[string]string{"docs/howto/a b/Größe.md": "# One\n\n## Two Words\n", "docs/bare/x.txt": "x", "docs/bare/.y.txt": "y"})
	documents[".sectile.yaml"] = strings.Replace(guideConfig, "collections:", "  bare: {dir: docs/bare}\n  Größe: {dir: docs/bare}\n  gone: {dir: docs/gone, patterns: ['*']}\ncollections:", 1)
	for i := range 120 {
		documents[fmt.Sprintf("docs/howto/many/%03d.md", i)] = "x"
	}
	dir := docs(t, documents)
	session := connect(t, start(t, doctor.ServerOptions{Roots: []string{dir}}), "", nil)
	complete := func(argument, typed, name string) ([]string, bool) {
		t.Helper()
		p := &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: guiding.GuideTemplate},
			Argument: mcp.CompleteParamsArgument{Name: argument, Value: typed},
		}
		if name != "" {
			p.Context = &mcp.CompleteContext{Arguments: map[string]string{"name": name}}
		}
		result, err := session.Complete(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return result.Completion.Values, result.Completion.HasMore
	}
	for _, tt := range []struct {
		argument, typed, name string
		want                  []string
	}{
		{"name", "", "", []string{"rules", "howto", "bare", "Größe", "gone"}},
		{"name", "Gr%C3%B6", "", []string{"Größe"}},
		{"name", "grö", "", []string{"Größe"}},
		{"path", "", "Gr%C3%B6%C3%9Fe", []string{"x.txt"}},
		{"path", "", "Größe", []string{"x.txt"}},
		{"name", "R", "", []string{"rules", "bare", "Größe"}},
		{"name", "zz", "", []string{}},
		{"path", "", "rules", []string{"review.md", "style.md"}},
		{"path", "s", "rules", []string{"style.md"}},
		{"path", "a%20b/gr", "howto", []string{"a b/Größe.md"}},
		{"path", "größe", "howto", []string{"a b/Größe.md"}},
		{"path", "a%20b/Gr%C3%B6%C3%9Fe.md#", "howto", []string{"a%20b/Gr%C3%B6%C3%9Fe.md#one", "a%20b/Gr%C3%B6%C3%9Fe.md#two-words"}},
		{"path", "style.md#n", "rules", []string{"style.md#names"}},
		{"path", "nobody.md#n", "rules", []string{}},
		{"path", "", "bare", []string{"x.txt"}},
		{"path", "x.txt#", "bare", []string{}},
		{"path", "", "gone", []string{}},
		{"path", "", "start", []string{}},
		{"path", "", "", []string{}},
		{"other", "", "", []string{}},
	} {
		got, _ := complete(tt.argument, tt.typed, tt.name)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %q of %q (-want +got):\n%s", tt.argument, tt.typed, tt.name, diff)
		}
	}
	if got, more := complete("path", "many/", "howto"); len(got) != maxCompletions || !more {
		t.Errorf("%d values, more %v; want %d and more", len(got), more, maxCompletions)
	}
	if err := os.WriteFile(filepath.Join(dir, ".sectile.yaml"), []byte("categories: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, argument := range []string{"name", "path"} {
		if got, _ := complete(argument, "", "rules"); len(got) != 0 {
			t.Errorf("a broken configuration completes %s: %v", argument, got)
		}
	}
}
