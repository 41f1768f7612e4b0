package finding

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/engine"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestEngineThatFails asks engines that aren't there, answer with anything, or lead elsewhere: by
// the configuration the files answer, with a word about it, and by the address there is an error.
func TestEngineThatFails(t *testing.T) {
	t.Setenv("SECTILE_SEARCH_CREDENTIALS", "")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	answering := func(status int, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\nalpha\n"})
	for name, test := range map[string]struct{ address, code, want string }{
		"closed":      {closed.URL, "backend_unreachable", "can't be reached"},
		"redirect":    {answering(307, ""), "backend_refused", "redirects elsewhere"},
		"redirect 2":  {answering(302, ""), "backend_refused", "redirects elsewhere"},
		"page":        {answering(200, "<html>"), "backend_strange", "something else than an engine"},
		"list":        {answering(200, "[]"), "backend_strange", "something else than an engine"},
		"nothing":     {answering(200, "{}"), "backend_strange", "has no documents of the root"},
		"partial":     {answering(200, `{"_shards":{"failed":1}}`), "backend_refused", "not all its parts"},
		"late":        {answering(200, `{"timed_out":true}`), "backend_refused", "not all its parts"},
		"password":    {answering(401, "{}"), "backend_refused", "wants other credentials"},
		"no index":    {answering(404, `{"error":{"type":"index_not_found_exception"}}`), "backend_refused", "sectile search push"},
		"hostile":     {answering(400, `{"error":{"type":"x\u001b[2J","reason":"`+strings.Repeat("y", 5000)+`"}}`), "backend_refused", "refuses"},
		"gateway":     {answering(502, "oh"), "backend_refused", "status 502"},
		"other roots": {answering(200, `{"aggregations":{"roots":{"buckets":[{"key":"of others"}]}}}`), "backend_strange", "has no documents of the root"},
	} {
		t.Run(name, func(t *testing.T) {
			e := configured(t, test.address, "root", dir)
			a := asked(t, documents.Set{Paths: []string{dir}}, SearchRequest{Query: "alpha", Elsewhere: e})
			if len(a.Hits) != 1 || a.Backend != "" || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "the files were searched, for ") || len(a.Notes[0]) > 400 {
				t.Errorf("%+v", a)
			}
			e.Address = test.address
			_, err := Search(t.Context(), documents.Set{Paths: []string{dir}}, SearchRequest{Query: "alpha", Elsewhere: e})
			if code(err) != test.code || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 1000 {
				t.Errorf("%v, want %s with %q", err, test.code, test.want)
			}
			if _, err := Push(t.Context(), PushRequest{Elsewhere: e}); err == nil {
				t.Error("a push succeeded")
			}
		})
	}
}

// TestEngineIsNotAsked asks for what no engine answers, and about folders that none has.
func TestEngineIsNotAsked(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the engine is asked") }))
	defer server.Close()
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\nalpha\n"})
	other := testkit.Folder(t, map[string]string{"b.md": "# B\n\nalpha\n"})
	for name, test := range map[string]struct {
		path string
		req  SearchRequest
		want string
	}{
		"text":    {dir, SearchRequest{Match: MatchText}, "it finds words alone"},
		"regex":   {dir, SearchRequest{Match: MatchRegex}, "it finds words alone"},
		"all":     {dir, SearchRequest{Limit: -1}, "the best sections alone"},
		"others":  {other, SearchRequest{}, "none of search.roots"},
		"missing": {filepath.Join(other, "none", "x.md"), SearchRequest{}, "it has folders alone"},
	} {
		t.Run(name, func(t *testing.T) {
			e := configured(t, server.URL, "root", dir)
			req := test.req
			req.Query, req.Elsewhere = "alpha", e
			if name != "missing" {
				if a := asked(t, documents.Set{Paths: []string{test.path}}, req); len(a.Hits) != 1 || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], test.want) {
					t.Errorf("%+v", a)
				}
			}
			e.Address = server.URL
			if _, err := Search(t.Context(), documents.Set{Paths: []string{test.path}}, req); code(err) != "invalid_argument" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("by its address: %v", err)
			}
		})
	}
	names := SearchRequest{Query: "alpha", Names: true, Elsewhere: configured(t, server.URL, "root", dir)}
	if reply, err := Search(t.Context(), documents.Set{Paths: []string{dir}}, names); err != nil || !strings.HasSuffix(string(reply.Text), "a.md\n") {
		t.Errorf("%v", err)
	}
	none := &Elsewhere{UserFile: filepath.Join(dir, "none.yaml")}
	if a := asked(t, documents.Set{Paths: []string{dir}}, SearchRequest{Query: "alpha", Elsewhere: none}); len(a.Hits) != 1 || a.Notes != nil {
		t.Errorf("without a configuration: %+v", a)
	}
}

// TestPushRefuses asks to push what the configuration doesn't say.
func TestPushRefuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"x":{"mappings":{"_meta":{"sectile":1}}}}`))
	}))
	defer server.Close()
	dir, empty := testkit.Folder(t, map[string]string{"a.md": "# A\n"}), t.TempDir()
	e := configured(t, server.URL, "gone", filepath.Join(dir, "gone"), "empty", empty, "wiki", "elsewhere")
	for name, test := range map[string]struct {
		req  PushRequest
		want string
	}{
		"no engine":      {PushRequest{Elsewhere: &Elsewhere{UserFile: "-"}}, "no engine is named"},
		"a folder":       {PushRequest{Roots: []string{dir}, Elsewhere: e}, "none of search.roots"},
		"elsewhere":      {PushRequest{Roots: []string{"wiki"}, Elsewhere: e}, "feed it there"},
		"nothing":        {PushRequest{Elsewhere: configured(t, server.URL, "wiki", "elsewhere")}, "has no folder"},
		"remove nothing": {PushRequest{Remove: true, Elsewhere: e}, "name the roots"},
		"gone":           {PushRequest{Roots: []string{"gone"}, Elsewhere: e}, "no such folder"},
		"empty":          {PushRequest{Roots: []string{"empty"}, Elsewhere: e}, "no Markdown"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Push(t.Context(), test.req); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestPushBelievesNoEnd pushes to engines that tell of documents without end, or of sections that
// these can't have. Nothing is written there and nothing removed.
func TestPushBelievesNoEnd(t *testing.T) {
	hit := func(path string, sections int) string {
		return fmt.Sprintf(`{"_source":{"path":%q,"document":"h","version":1,"sections":%d}}`, path, sections)
	}
	for name, test := range map[string]struct{ hits, want string }{
		"the same again": {strings.Repeat(hit("gone.md", 1)+",", 1999) + hit("gone.md", 1), "in no order"},
		"sections":       {hit("gone1.md", 1<<26) + "," + hit("gone2.md", 1<<26), `"gone2.md" has 67108864 sections`},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := "{}"
				switch {
				case strings.HasSuffix(r.URL.Path, "_mapping"):
					answer = `{"x":{"mappings":{"_meta":{"sectile":1}}}}`
				case strings.HasSuffix(r.URL.Path, "_search"):
					answer = `{"hits":{"hits":[` + test.hits + `]}}`
				case !strings.HasSuffix(r.URL.Path, "_refresh"):
					t.Errorf("%s %s", r.Method, r.URL.Path)
				}
				_, _ = w.Write([]byte(answer))
			}))
			defer server.Close()
			e := configured(t, server.URL, "root", testkit.Folder(t, map[string]string{"a.md": "# A\n"}))
			if reply, err := Push(t.Context(), PushRequest{Elsewhere: e}); code(err) != "backend_strange" || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), server.URL) {
				t.Errorf("%+v, %v", reply, err)
			}
		})
	}
}

// TestEngineNamesOthers has an engine name documents that a pass through the folder doesn't find:
// links that lead out, and files that are no documents. None is opened.
func TestEngineNamesOthers(t *testing.T) {
	outside := testkit.Folder(t, map[string]string{"s.md": "# S\n\nneedle SECRET\n", "d/s.md": "# S\n\nneedle SECRET\n"})
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\nneedle\n", ".env": "needle SECRET\n", ".env.md": "needle SECRET\n", ".git/x.md": "needle SECRET\n", ".ssh/n.md": "needle SECRET\n", "b.txt": "needle SECRET\n"})
	for name, to := range map[string]string{"l.md": outside + "/s.md", "d": outside + "/d", "in.md": "a.md"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	address := naming(t, "l.md", "d/s.md", "in.md", ".env", ".env.md", ".git/x.md", ".GIT/x.md", ".ssh/n.md", "b.txt", "d", "../s.md", outside+"/s.md", "gone.md", "a.md")
	for name, set := range map[string]documents.Set{
		"a folder":  {Paths: []string{dir}},
		"a pattern": {Paths: []string{filepath.Join(dir, "**")}},
	} {
		r, err := Search(t.Context(), set, SearchRequest{Query: "needle", Elsewhere: configured(t, address, "r", dir)})
		if err != nil {
			t.Fatal(err)
		}
		text := string(r.Text)
		if strings.Contains(text, "SECRET") || strings.Contains(text, "in.md") || !strings.Contains(text, "a.md:1-3") || strings.Contains(text, "not_a_file") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// naming returns the address of an engine that names documents of the root r, whatever it is
// asked.
func naming(t *testing.T, paths ...string) string {
	t.Helper()
	var hits []string
	for _, path := range paths {
		hits = append(hits, fmt.Sprintf(`{"_id":%q,"_source":{"root":%q,"path":%q,"position":1}}`, path, engine.RootID("r"), path))
	}
	return handing(t, hits, nil)
}

// handing returns the address of an engine that has fed the root r, hands over these sections whatever it is
// asked, and has kept these texts of some.
func handing(t *testing.T, hits, kept []string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "_mget"):
			_, _ = io.WriteString(w, `{"docs":[`+strings.Join(kept, ",")+`]}`)
		case strings.HasSuffix(r.URL.Path, "_msearch"):
			_, _ = io.WriteString(w, `{"responses":[{"aggregations":{"documents":{"doc_count":10},"seen":{"buckets":{"0":{"doc_count":9}}},"match":{"doc_count":9}}},{"hits":{"hits":[`+strings.Join(hits, ",")+`]}},{}]}`)
		default:
			_, _ = fmt.Fprintf(w, `{"aggregations":{"roots":{"buckets":[{"key":%q,"latest":{"value":1}}]}}}`, engine.RootID("r"))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestEngineKeepsLargeTexts has an engine answer with texts that take more memory than there is: those
// that do are named as not searched, and the rest is shown.
func TestEngineKeepsLargeTexts(t *testing.T) {
	large, err := json.Marshal("needle\n\n" + strings.Repeat("a\n\n", 1_000_000))
	if err != nil {
		t.Fatal(err)
	}
	var hits, texts []string
	for i := range 6 {
		text := string(large)
		if i == 5 {
			text = `"needle in few words"`
		}
		hits = append(hits, fmt.Sprintf(`{"_id":"%d","_source":{"root":%q,"path":"p%d.md","position":0,"first":1,"last":2}}`, i, engine.RootID("wiki"), i))
		texts = append(texts, fmt.Sprintf(`{"_id":"%d","found":true,"_source":{"text":%s}}`, i, text))
	}
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n"})
	t.Chdir(dir)
	memory := documents.NewMemory(documents.MinMaxMemory)
	work := memory.Begin(t.Context(), nil)
	r, err := Search(t.Context(), documents.Set{Work: work}, SearchRequest{Query: "needle", JSON: true, Elsewhere: configured(t, handing(t, hits, texts), "r", dir, "wiki", "elsewhere")})
	work.End()
	if err != nil {
		t.Fatal(err)
	}
	var a struct{ Hits []shown }
	if err := json.Unmarshal(r.Text, &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Hits) != 1 || a.Hits[0].Path != "wiki:p5.md" || len(r.Failed) != 5 || r.Failed[0].Code != replies.CodeTooComplex || r.Failed[0].Path != "wiki:p0.md" {
		t.Errorf("%s\n%v", r.Text, r.Failed)
	}
	if left := memory.Reserved(); left != 0 {
		t.Errorf("%d bytes stay reserved", left)
	}
}

// TestEngineHasTheSameText has an engine know, in a root elsewhere, the text of a section that is here too: each
// is shown as what it is, and neither stands for the other, whichever comes first.
func TestEngineHasTheSameText(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## Same\n\nneedle\n"})
	t.Chdir(dir)
	for position := 1; position < 3; position++ {
		here := fmt.Sprintf(`{"_id":"a","_source":{"root":%q,"path":"a.md","position":2}}`, engine.RootID("r"))
		there := fmt.Sprintf(`{"_id":"x","found":true,"_source":{"root":%q,"path":"w.md","position":%d,"first":1,"last":3,"hash":"ab","titles":"Theirs","text":"## Same\n\nneedle\n"}}`, engine.RootID("wiki"), position)
		address := handing(t, []string{here, there}, []string{there})
		e := configured(t, address, "r", dir, "wiki", "elsewhere")
		e.Address = address // so that nothing else answers
		shown := map[string]string{}
		for _, h := range asked(t, documents.Set{}, SearchRequest{Query: "needle", Elsewhere: e}).Hits {
			if shown[h.Path] = h.Titles; len(h.Also) > 0 || (h.IndexedAt != "") != (h.Path == "wiki:w.md") {
				t.Errorf("position %d: %+v", position, h)
			}
		}
		if len(shown) != 2 || shown["a.md"] == "Theirs" || shown["wiki:w.md"] != "Theirs" {
			t.Errorf("position %d: %v", position, shown)
		}
	}
}

// TestEngineNamesHidden has an engine name each document of a folder, hidden and ignored ones too,
// also by other ways of writing: shown are those that a pass finds, whatever is asked.
func TestEngineNamesHidden(t *testing.T) {
	all := map[string]string{}
	for _, path := range []string{
		"a.md", ".b.md", "docs/c.md", ".hidden/d.md", "docs/.hidden/e.md", "private/f.md", "docs/private/g.md", "drafts/h.md", "drafts/kept.md", "other/i.md", "out/j.md",
		".claude/k.md", "inner/l.md", "inner/private/m.md", "inner/no/n.md", ".env.md", ".ssh/o.md", "docs/deep/er/p.md", "[x]/q.md",
	} {
		all[path] = "# " + path + "\n\nneedle\n"
	}
	named := slices.Sorted(maps.Keys(all))
	for _, path := range slices.Clone(named) {
		named = append(named, "./"+path, "docs/../"+path, "/"+path, "docs//"+path)
	}
	maps.Copy(all, map[string]string{
		".gitignore": "/private/\n", ".ignore": "other\n", "drafts/.gitignore": "*.md\n!kept.md\n", ".git/HEAD": "", ".git/info/exclude": "out/\n", "inner/.jj/x": "", "inner/.gitignore": "no/\n",
	})
	top := testkit.Folder(t, all)
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(top)
	elsewhere := configured(t, naming(t, named...), "r", top)
	elsewhere.Address = naming(t, named...) // so that nothing else answers
	sets := map[string]documents.Set{}
	for _, walk := range []documents.WalkOptions{{}, {Hidden: true}, {NoIgnore: true}, {Hidden: true, NoIgnore: true}} {
		for _, paths := range [][]string{
			nil, {"."}, {top}, {"docs"}, {"./docs", "inner"}, {".hidden"}, {"private"}, {"inner/private"}, {"**"}, {"docs/**"}, {".hidden/*.md"}, {"*.md"}, {"a.md", "private/f.md"}, {"docs", "docs/c.md"}, {"./docs/*.md"}, {"docs//c*.md"}, {"docs/**.md"}, {"[x]"}, {`\[x]/*.md`}, {"[x]/*.md"},
		} {
			sets[fmt.Sprintf("%v %+v", paths, walk)] = documents.Set{Paths: paths, Walk: walk}
		}
		for _, roots := range [][]string{{"."}, {"docs"}, {"docs", "inner"}, {".", "docs"}} {
			w, err := documents.OpenWorkspace(documents.Options{Roots: roots, Walk: walk})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() }) // nothing was written
			for _, paths := range [][]string{nil, {"docs"}, {"private"}, {"private/f.md"}, {".hidden"}, {"**/*.md"}, {"./docs/*.md"}, {"docs//c*.md"}, {top + "/docs/*.md"}, {"[x]"}, {`\[x]/*.md`}, {"[x]/*.md"}} {
				sets[fmt.Sprintf("roots %v %v %+v", roots, paths, walk)] = documents.Set{Paths: paths, Workspace: w}
			}
		}
	}
	shown := func(set documents.Set, e *Elsewhere) (paths []string) {
		r, err := Search(t.Context(), set, SearchRequest{Query: "needle", Limit: 100, JSON: true, Elsewhere: e})
		if err != nil {
			return nil
		}
		var a answer
		if err := json.Unmarshal(r.Text, &a); err != nil {
			t.Fatal(err)
		}
		for i := range a.Hits {
			paths = append(paths, filepath.Clean(a.Hits[i].Path))
		}
		return slices.Compact(slices.Sorted(slices.Values(paths)))
	}
	most := 0
	for name, set := range sets {
		here := shown(set, nil)
		most = max(most, len(here))
		if got := shown(set, elsewhere); !slices.Equal(got, here) {
			t.Errorf("%s:\nthe engine: %q\na pass:     %q", name, got, here)
		}
	}
	if most < 14 {
		t.Errorf("at most %d documents", most)
	}
}
