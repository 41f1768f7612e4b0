package finding

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// These tests ask a real engine; see testkit.OpenSearch.

// configured returns the engine at an address, by a configuration with some roots: pairs of a
// name and a folder.
func configured(t *testing.T, address string, roots ...string) *Elsewhere {
	t.Helper()
	text := "search:\n  backend: " + address + "\n  roots:\n"
	for i := 0; i+1 < len(roots); i += 2 {
		text += fmt.Sprintf("    %s: %q\n", roots[i], filepath.ToSlash(roots[i+1]))
	}
	return &Elsewhere{UserFile: filepath.Join(testkit.Folder(t, map[string]string{"config.yaml": text}), "config.yaml")}
}

// pushed returns an engine that has been fed with a folder.
func pushed(t *testing.T, dir string) *Elsewhere {
	t.Helper()
	e := configured(t, testkit.OpenSearch(t), "root", dir)
	push(t, e)
	return e
}

// push feeds an engine with all roots, and returns what was done with the first.
func push(t *testing.T, e *Elsewhere) PushedRoot {
	t.Helper()
	reply, err := Push(t.Context(), PushRequest{Elsewhere: e})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Roots[0]
}

// asked returns the answer to a request about some paths.
func asked(t *testing.T, docs documents.Set, req SearchRequest) (a answer) {
	t.Helper()
	req.JSON = true
	reply, err := Search(t.Context(), docs, req)
	if err != nil {
		t.Fatalf("%q: %v", req.Query, err)
	}
	if err := json.Unmarshal(reply.Text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// languageDocuments try each part of the language of queries.
func languageDocuments() map[string]string {
	return map[string]string{
		"docs/a.md":     "intro os_str\n\n# Install\nProxy settings here.\n\n## Windows\n\nRun the installer behind a proxy server. CreateWindowEx is called.\n\n```sh\ninstall --proxy\n```\n",
		"docs/b.md":     "# Proxies\n\nA proxy, installed.\n\n## Install\n\nNothing.\n\n### Deep\n\nthe proxy installs\n",
		"notes/c.md":    "# Notes\n\nThe configuration of the server.\n\nproxy\n\nserver\n",
		"notes/d.md":    "# 安装\n\n在窗口中安装代理。\n\n## Straße\n\nÉcole e\u0301cole and naïve text. İzmir ΛΟΓΟΣ サーバー2 か\u3099く哈哈哈.\n",
		"notes/f.md":    "+++\ntitle = 'proxy server'\n+++\n\nThe proxy before a heading,\nand where it is installed.\n\n# Rest\n\nNo more.\n",
		"notes/copy.md": "# Proxies\n\nA proxy, installed.\n",
		"e.md":          "---\ntitle: X\n---\n\n" + strings.Repeat("## Part\n\nproxy and install again.\n\n", 30),
	}
}

// languageQueries are queries of each kind.
func languageQueries() []SearchRequest {
	var list []SearchRequest
	for _, query := range []string{
		"install proxy", "proxy", `"behind a proxy"`, `"install proxy"`, `"install proxy" title:install`, `title:"proxy settings"`, `proxy -title:"proxy server"`, `"proxy server"`, "inst*", "proxy -windows", `proxy -"proxy server"`, "title:install",
		"title:proxies proxy", "path:notes/** proxy", "path:docs proxy", "path:*.md server", "the", "CreateWindowEx", "createwindow", "WindowEx", "os_str", "configurtion",
		"izmir", "λογος", `"サーバー"`, "データ", "がく", `"哈哈哈"`, "安装", "代", "安装代理", "école", "strasse straße", "nothing at all", "server settings", "-proxy install", "-title:install proxy", "title:安装", `"proxy installs" deep`,
		"proxy -title -servers", "title", "before -server", "rest",
	} {
		list = append(list, SearchRequest{Query: query})
	}
	for _, in := range Places()[1:] {
		list = append(list, SearchRequest{Query: "install proxy", In: in}, SearchRequest{Query: `"install proxy"`, In: in}, SearchRequest{Query: "inst* -windows", In: in})
	}
	return list
}

// TestEngineAnswersTheSame asks about the same documents with the engine and without, in all
// parts of the language of queries.
func TestEngineAnswersTheSame(t *testing.T) {
	dir := testkit.Folder(t, languageDocuments())
	e := pushed(t, dir)
	sub := filepath.Join(dir, "docs")
	for _, paths := range [][]string{{dir}, {sub}, {filepath.Join(dir, "notes", "c.md"), sub}, {filepath.Join(dir, "*", "[ac]*.md")}} {
		for _, req := range languageQueries() {
			docs := documents.Set{Paths: paths}
			want, err := Search(t.Context(), docs, SearchRequest{Query: req.Query, In: req.In, JSON: true})
			req.JSON, req.Elsewhere = true, e
			got, gotErr := Search(t.Context(), docs, req)
			if err != nil || gotErr != nil {
				if err == nil || gotErr == nil || err.Error() != gotErr.Error() {
					t.Errorf("%q in %s: %v, and with the engine %v", req.Query, req.In, err, gotErr)
				}
				continue
			}
			var a, b answer
			if err := json.Unmarshal(want.Text, &a); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got.Text, &b); err != nil {
				t.Fatal(err)
			}
			if b.Backend == "" || b.Backend != strings.TrimSuffix(b.Backend, "/") {
				t.Errorf("%q: the backend is %q", req.Query, b.Backend)
			}
			b.Backend = ""
			if diff := cmp.Diff(a, b, cmp.AllowUnexported(shown{})); diff != "" {
				t.Errorf("%q in %s, of %q (-files +engine):\n%s", req.Query, req.In, paths, diff)
			}
		}
	}
}

func code(err error) string {
	if e := replies.AsError(err); e != nil {
		return e.Code
	}
	return ""
}

// TestEngineOfTheCorpus compares the first ten sections of real queries, which an engine has to
// choose among thousands that match.
func TestEngineOfTheCorpus(t *testing.T) {
	every := 16
	if testkit.Long() {
		every = 1
	}
	address := testkit.OpenSearch(t)
	files := map[string]string{}
	for _, f := range testkit.SomeCorpusFiles(t, every) {
		files[f.Name] = string(f.Data)
	}
	dir := testkit.Folder(t, files)
	e := configured(t, address, "corpus", dir)
	if done := push(t, e); done.Written != len(files) || len(done.Failed) > 0 {
		t.Fatalf("of %d documents: %+v", len(files), done)
	}
	docs := documents.Set{Paths: []string{dir}}
	queries, firsts, shared, all := 0, 0, 0, 0
	for _, query := range corpusQueries(t, every) {
		here := asked(t, docs, SearchRequest{Query: query})
		there := asked(t, docs, SearchRequest{Query: query, Elsewhere: e})
		queries++
		if len(here.Hits) == 0 && len(there.Hits) == 0 || len(here.Hits) > 0 && len(there.Hits) > 0 && here.Hits[0].Hash == there.Hits[0].Hash {
			firsts++
		} else {
			t.Logf("%q has another best section", query)
		}
		all += len(here.Hits)
		for _, h := range here.Hits {
			if slices.ContainsFunc(there.Hits, func(o shown) bool { return o.Path == h.Path && o.Selector == h.Selector }) {
				shared++
			}
		}
	}
	t.Logf("%d queries: the best section is the same of %d; of the first ten, %d of %d are", queries, firsts, shared, all)
	if firsts < queries || shared*100 < all*99 {
		t.Error("the engine doesn't hand over what is best")
	}
}

// corpusQueries returns some of the reference queries.
func corpusQueries(t *testing.T, every int) (list []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(testkit.CorpusDir(t), "search", "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		var q struct{ Query string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if n%every == 0 {
			list = append(list, q.Query)
		}
	}
	return list
}

// TestEngineNeverStale changes, renames and removes documents that the engine has: no line is
// shown that isn't in its document now.
func TestEngineNeverStale(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# One\n\nalpha word\n", "b.md": "# Two\n\nalpha beta\n", "c.md": "# Three\n\nalpha last\n"})
	e := pushed(t, dir)
	docs := documents.Set{Paths: []string{dir}}
	lines := func() (list []string) {
		for _, h := range asked(t, docs, SearchRequest{Query: "alpha", Elsewhere: e}).Hits {
			for _, l := range h.Lines {
				list = append(list, filepath.Base(h.Path)+": "+l.Text)
			}
		}
		slices.Sort(list)
		return list
	}
	want := []string{"a.md: alpha word", "b.md: alpha beta", "c.md: alpha last"}
	if got := lines(); !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	testkit.WriteFile(t, filepath.Join(dir, "a.md"), "# One\n\nnothing any more\n\n# New\n\nthe new alpha\n")
	if err := os.Rename(filepath.Join(dir, "b.md"), filepath.Join(dir, "d.md")); err != nil {
		t.Fatal(err)
	}
	if got, want := lines(), []string{"a.md: the new alpha", "c.md: alpha last"}; !slices.Equal(got, want) {
		t.Errorf("after changes: %q", got)
	}
	if err := os.Remove(filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	if done := push(t, e); done.Written != 2 || done.Removed != 2 || done.Documents != 2 {
		t.Errorf("%+v", done)
	}
	if got, want := lines(), []string{"a.md: the new alpha", "d.md: alpha beta"}; !slices.Equal(got, want) {
		t.Errorf("after a push: %q", got)
	}
}

// TestEngineForgetsFrontMatter feeds a document whose front matter comes and goes: it is found by
// itself while it is there, on another machine too.
func TestEngineForgetsFrontMatter(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"b.md": "# B\n\nBeta.\n"})
	address := testkit.OpenSearch(t)
	e := configured(t, address, "wiki", dir)
	own := testkit.Folder(t, map[string]string{"own.md": "# Own\n\nMine.\n"})
	other := configured(t, address, "own", own, "wiki", "elsewhere")
	push(t, other)
	t.Chdir(own)
	matter, before := "---\ntitle: alpha\n---\n", "Alpha before.\n\n# A\n"
	for _, step := range []struct {
		text string
		want []string
	}{
		{before, []string{"@preamble"}},
		{matter + before, []string{"@frontmatter", "@preamble"}},
		{matter + "# A\n", []string{"@frontmatter"}},
		{matter, []string{"@frontmatter"}},
		{before, []string{"@preamble"}},
		{matter + before, []string{"@frontmatter", "@preamble"}},
		{"", nil},
	} {
		name := filepath.Join(dir, "a.md")
		if testkit.WriteFile(t, name, step.text); step.text == "" {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		push(t, e)
		for who, a := range map[string]answer{
			"here":      asked(t, documents.Set{Paths: []string{dir}}, SearchRequest{Query: "alpha", Elsewhere: e}),
			"elsewhere": asked(t, documents.Set{}, SearchRequest{Query: "alpha", Elsewhere: other}),
		} {
			var got []string
			for i := range a.Hits {
				got = append(got, a.Hits[i].Selector)
			}
			slices.Sort(got)
			if !slices.Equal(got, step.want) || a.Sections != len(step.want) || a.Backend == "" {
				t.Errorf("of %q %s finds %q, %d sections by %s", step.text, who, got, a.Sections, a.Backend)
			}
		}
	}
}

// TestEngineElsewhere finds sections whose files are on another machine, in the order and with the
// lines that they have there.
func TestEngineElsewhere(t *testing.T) {
	dir := testkit.Folder(t, languageDocuments())
	address := testkit.OpenSearch(t)
	push(t, configured(t, address, "wiki", dir))
	own := testkit.Folder(t, map[string]string{"own.md": "# Own\n\nMine.\n"})
	e := configured(t, address, "own", own, "wiki", "elsewhere")
	push(t, e)
	t.Chdir(own)
	there := configured(t, address, "wiki", dir)
	for _, req := range languageQueries() {
		req.Elsewhere = e
		if strings.HasPrefix(req.Query, "path:docs") {
			continue // where the folder is counts
		}
		got := asked(t, documents.Set{}, req)
		req.Elsewhere = there
		want, err := Search(t.Context(), documents.Set{Paths: []string{dir}}, SearchRequest{Query: req.Query, In: req.In, JSON: true, Elsewhere: there})
		if err != nil {
			continue
		}
		var a answer
		if err := json.Unmarshal(want.Text, &a); err != nil {
			t.Fatal(err)
		}
		for i := range got.Hits {
			if got.Hits[i].IndexedAt == "" {
				t.Errorf("%q: %s is said to be as it is now", req.Query, got.Hits[i].Path)
			}
		}
		if x, y := flat(a.Hits, dir+string(filepath.Separator)), flat(got.Hits, "wiki:"); !slices.Equal(x, y) {
			t.Errorf("%q in %s:\n%s", req.Query, req.In, cmp.Diff(x, y))
		}
	}
	text, err := Search(t.Context(), documents.Set{}, SearchRequest{Query: "behind", Elsewhere: e})
	if err != nil || !strings.Contains(string(text.Text), "wiki:docs/a.md:6-12 h2.0 #") || !strings.Contains(string(text.Text), "(as indexed at 2") || !strings.Contains(string(text.Text), "found by "+address) {
		t.Errorf("%s, %v", text.Text, err)
	}
	only := asked(t, documents.Set{Paths: []string{own}}, SearchRequest{Query: "proxy", Elsewhere: e})
	if len(only.Hits) > 0 {
		t.Errorf("a folder that is named has what is elsewhere: %+v", only.Hits)
	}
}

// flat returns what hits show, without scores and equal sections, sorted by what they are.
func flat(hits []shown, prefix string) (list []string) {
	for i := range hits {
		h := &hits[i]
		line := fmt.Sprintf("%s:%d-%d %s #%s %s", filepath.ToSlash(strings.TrimPrefix(h.Path, prefix)), h.StartLine, h.EndLine, h.Selector, h.Hash, h.Titles)
		for _, l := range h.Lines {
			line += fmt.Sprintf(" %d:%s", l.Line, l.Text)
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// TestEngineWithinRoots asks a server for what the engine has of other folders of the same
// root, and of other roots.
func TestEngineWithinRoots(t *testing.T) {
	all := testkit.Folder(t, map[string]string{
		"mine/a.md": "# Mine\n\nsecret word\n", "theirs/b.md": "# Theirs\n\nsecret word\n", "mine2/c.md": "# Other\n\nsecret word\n", "mine/.hidden/d.md": "# D\n\nsecret\n",
	})
	other := testkit.Folder(t, map[string]string{"o.md": "# Elsewhere\n\nsecret word\n"})
	e := configured(t, testkit.OpenSearch(t), "all", all, "other", other)
	push(t, e)
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{filepath.Join(all, "mine")}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, paths := range [][]string{nil, {"."}, {"a.md"}, {"*.md"}, {filepath.Join(all, "mine")}, {filepath.Join(all, "mine", "a.md")}} {
		a := asked(t, documents.Set{Workspace: w, Paths: paths}, SearchRequest{Query: "secret", Elsewhere: e})
		if len(a.Hits) != 1 || a.Hits[0].Path != "a.md" && a.Hits[0].Path != filepath.Join(all, "mine", "a.md") || a.Sections != 1 || a.Documents != 1 || a.Backend == "" {
			t.Errorf("%q: %+v", paths, a)
		}
	}
	for _, path := range []string{"../theirs", filepath.Join(all, "theirs"), other, "nowhere.md"} {
		reply, err := Search(t.Context(), documents.Set{Workspace: w, Paths: []string{path}}, SearchRequest{Query: "secret", Elsewhere: e})
		if err == nil && strings.Contains(string(reply.Text), "secret") {
			t.Errorf("%s: %s", path, reply.Text)
		}
	}
}

// TestPush feeds folders again and again, by name and by path, interrupts it, and takes a root
// out again.
func TestPush(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%d/%d.md", i%7, i)] = fmt.Sprintf("# T%d\n\nword %d\n\n## Below\n\n%s\n", i, i, strings.Repeat("many words here ", 2000))
	}
	dir := testkit.Folder(t, files)
	address := testkit.OpenSearch(t)
	e := configured(t, address, "root", dir, "wiki", "elsewhere")

	ctx, cancel := context.WithCancel(t.Context())
	_, err := Push(ctx, PushRequest{Elsewhere: e, Progress: func(root string, looked, written int) {
		if root == "root" && looked > 50 && written > 0 {
			cancel()
		}
	}})
	if err == nil {
		t.Fatal("the push was not interrupted")
	}
	first := push(t, e)
	if first.Documents != 300 || first.Written == 0 || first.Written == 300 {
		t.Errorf("what was interrupted doesn't go on: %+v", first)
	}
	if again := push(t, e); again.Written != 0 || again.Removed != 0 || again.Documents != 300 {
		t.Errorf("pushed again: %+v", again)
	}
	a := asked(t, documents.Set{Paths: []string{dir}}, SearchRequest{Query: "below", Elsewhere: e})
	if a.Documents != 300 || a.Sections != 300 || a.Matching != 300 {
		t.Errorf("%d documents, %d sections in %d", a.Documents, a.Sections, a.Matching)
	}

	testkit.WriteFile(t, filepath.Join(dir, "d0", "0.md"), "# T0\n\nshort\n") // which has a section less
	reply, err := Push(t.Context(), PushRequest{Elsewhere: e, Roots: []string{dir}})
	if err != nil || reply.Roots[0].Written != 1 || reply.Roots[0].Sections != 2 || !strings.HasPrefix(reply.Text(), "root: 300 documents, 1 written with 2 sections, 0 removed; in "+address) {
		t.Errorf("%+v, %v", reply, err)
	}
	if a := asked(t, documents.Set{Paths: []string{dir}}, SearchRequest{Query: "below", Elsewhere: e}); a.Sections != 299 {
		t.Errorf("%d sections have a word of which one is gone", a.Sections)
	}

	if reply, err = Push(t.Context(), PushRequest{Elsewhere: e, Roots: []string{"root"}, Remove: true}); err != nil || reply.Roots[0].Records < 900 || !strings.HasPrefix(reply.Text(), "root: removed with ") {
		t.Errorf("%+v, %v", reply, err)
	}
	if _, err := Search(t.Context(), documents.Set{Paths: []string{dir}}, SearchRequest{Query: "below", Elsewhere: &Elsewhere{Address: address, UserFile: e.UserFile}}); code(err) != "backend_strange" {
		t.Errorf("a root that is not there: %v", err)
	}
}
