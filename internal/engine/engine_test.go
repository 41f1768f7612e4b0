package engine

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/glob"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunInMemory(m.Run)) }

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example":              "https://a.example/sectile",
		"https://a.example/":             "https://a.example/sectile",
		"http://127.0.0.1:9200/docs-1":   "http://127.0.0.1:9200/docs-1",
		"https://a.example/proxy/x/docs": "https://a.example/proxy/x/docs",
		"https://[::1]:9200/docs/":       "https://[::1]:9200/docs",
		"https://a.example/../docs":      "https://a.example/docs",
		"":                               "is no address",
		"a.example:9200":                 "is no address",
		"ftp://a.example":                "is no address",
		"https://":                       "is no address",
		"https://u:p@a.example":          "has a user",
		"https://a.example/x?y=z":        "has more than",
		"https://a.example/x#y":          "has more than",
		"https://a.example/_all":         "is no name",
		"https://a.example/a,b":          "is no name",
		"https://a.example/A":            "is no name",
		"https://a.example/*":            "is no name",
	} {
		c, err := New(Options{URL: address})
		switch {
		case err == nil && c.URL() != want, err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %q", address, err, want)
		case err != nil && strings.Contains(err.Error(), "u:p"):
			t.Errorf("%q: the error has the password: %v", address, err)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Setenv(CredentialsVariable, "")
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good", "me:secret\n", 0o600)
	if got, err := Credentials(good); got != "me:secret" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Credentials(""); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	bad := map[string]string{"missing": filepath.Join(dir, "none"), "a folder": dir, "empty": write("empty", " \n", 0o600)}
	if runtime.GOOS != "windows" {
		bad["open"] = write("open", "me:secret", 0o640)
	}
	for name, path := range bad {
		if _, err := Credentials(path); err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "search.credentials") {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv(CredentialsVariable, "other:words")
	if got, err := Credentials(good); got != "other:words" || err != nil {
		t.Errorf("the environment doesn't count first: %q, %v", got, err)
	}
	for given, want := range map[string]string{
		"":          "",
		"a:b":       "Basic " + base64.StdEncoding.EncodeToString([]byte("a:b")),
		"ApiKey x":  "ApiKey x",
		"Bearer x":  "Bearer x",
		"Basic eDp": "Basic eDp",
		"x":         "!no colon",
		"a:b\nX: y": "!more than a line",
		strings.Repeat("a", maxCredentials) + ":": "!more than a line",
	} {
		c, err := New(Options{URL: "https://a.example", Credentials: given})
		if wrong, isWrong := strings.CutPrefix(want, "!"); isWrong && (err == nil || !strings.Contains(err.Error(), wrong)) || !isWrong && (err != nil || c.authent != want) {
			t.Errorf("%.20q: %v", given, err)
		}
	}
	if _, err := New(Options{URL: "http://a.example", Credentials: "a:b"}); err == nil || !strings.Contains(err.Error(), "over https alone") {
		t.Errorf("credentials over http: %v", err)
	}
	if _, err := New(Options{URL: "http://localhost:9200", Credentials: "a:b"}); err != nil {
		t.Error(err)
	}
}

// TestUnknownAuthority asks a server whose certificate nobody vouches for.
func TestUnknownAuthority(t *testing.T) {
	asked := false
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer s.Close()
	s.Config.ErrorLog = nil
	c, err := New(Options{URL: s.URL, Credentials: "a:b"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err == nil || asked || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("asked %v, %v", asked, err)
	}
}

// TestExpressions compares expressions with the globs that they are made of: they match at least
// as much.
func TestExpressions(t *testing.T) {
	paths := []string{"a.md", "b.md", "docs/a.md", "docs/deep/a.md", "docs/x-y.md", "a+b (c).md", "d[1].md", `ba\ck.md`, "é.md", "docs/.md"}
	for _, pattern := range []string{"*.md", "**/*.md", "docs/**", "docs/*.md", "?.md", "[ab].md", "[^a].md", "[a-c].md", "{a,b}.md", "docs/{deep/,}a.md", `a+b (c).md`, `d\[1\].md`, "**", "x[", "docs/**/a.md", "{docs,**}/a.md", "{**,x}/deep/*.md", "docs{/**,}/a.md", "*/**", "docs/*/**", "docs/deep/**"} {
		g, err := glob.Parse(pattern)
		if err != nil {
			continue
		}
		expression := regexp.MustCompile(`^(?:` + strings.ReplaceAll(strings.ReplaceAll(expressionOf(pattern), `\@`, "@"), `\~`, "~") + `)$`)
		for _, path := range paths {
			if g.Match(path) && !expression.MatchString(path) {
				t.Errorf("%q matches %q, and %q doesn't", pattern, path, expression)
			}
			if !strings.Contains(pattern, "**") && expression.MatchString(path) != g.Match(path) {
				t.Errorf("%q is %v for %q, and %q is not", pattern, g.Match(path), path, expression)
			}
		}
	}
}

// client returns one for a server that answers by a function, and is patient for as long as that
// makes the tests fast.
func client(t *testing.T, answer func(r *http.Request, body string) (int, string)) *Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		status, text := answer(r, string(body))
		if status == 0 { // the connection is lost
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{URL: s.URL, Patience: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	c.pause = time.Microsecond
	return c
}

// answerTo returns an answer to a bulk, with a status for each record.
func answerTo(body string, status func(i int) int) string {
	var items []string
	for i, line := range slices.DeleteFunc(strings.Split(body, "\n"), func(l string) bool {
		return !strings.HasPrefix(l, `{"index"`) && !strings.HasPrefix(l, `{"delete"`)
	}) {
		verb := "index"
		if strings.HasPrefix(line, `{"delete"`) {
			verb = "delete"
		}
		items = append(items, fmt.Sprintf(`{%q:{"status":%d,"error":{"type":"t","reason":"r"}}}`, verb, status(i)))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// TestBulkGoesOn feeds engines that are busy, lose connections, and refuse what is too large.
func TestBulkGoesOn(t *testing.T) {
	actions := func() []action {
		return []action{{"1", 1, []byte(`{}`), "a.md"}, {"2", 1, []byte(`{}`), "a.md"}, {"3", 1, nil, "b.md"}}
	}
	tries := 0
	for name, test := range map[string]struct {
		answer func(r *http.Request, body string) (int, string)
		want   string // of the error; empty for none
		tries  int    // at least
	}{
		"taken": {func(_ *http.Request, body string) (int, string) {
			return 200, answerTo(body, func(int) int { return 201 })
		}, "", 1},
		"busy": {func(_ *http.Request, body string) (int, string) {
			return 200, answerTo(body, func(i int) int {
				if i == 0 && tries < 4 {
					return 429
				}
				return 200
			})
		}, "", 4},
		"refused then taken": {func(_ *http.Request, body string) (int, string) {
			if tries < 3 {
				return 503, "starting"
			}
			return 200, answerTo(body, func(int) int { return 200 })
		}, "", 3},
		"lost": {func(_ *http.Request, body string) (int, string) {
			if tries < 3 {
				return 0, ""
			}
			return 200, answerTo(body, func(int) int { return 200 })
		}, "", 3},
		"gone already": {func(_ *http.Request, body string) (int, string) {
			return 200, answerTo(body, func(i int) int { return []int{200, 200, 404}[i] })
		}, "", 1},
		"conflict": {func(_ *http.Request, body string) (int, string) {
			return 200, answerTo(body, func(int) int { return 409 })
		}, "somebody else feeds this root", 1},
		"bad": {func(_ *http.Request, body string) (int, string) {
			return 200, answerTo(body, func(int) int { return 400 })
		}, `doesn't take "a.md" (status 400): t: r`, 1},
		"strange": {func(*http.Request, string) (int, string) { return 200, `{"items":[]}` }, "something else", 1},
		"too large": {func(_ *http.Request, body string) (int, string) {
			if strings.Count(body, "_id") > 1 {
				return 413, ""
			}
			return 200, answerTo(body, func(int) int { return 200 })
		}, "", 4},
		"one too large": {func(*http.Request, string) (int, string) { return 413, "" }, "takes no section as large as one of", 2},
	} {
		t.Run(name, func(t *testing.T) {
			tries = 0
			c := client(t, func(r *http.Request, body string) (int, string) { tries++; return test.answer(r, body) })
			err := c.bulk(t.Context(), actions())
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) || tries < test.tries {
				t.Errorf("after %d tries: %v, want %q", tries, err, test.want)
			}
		})
	}
	c := client(t, func(_ *http.Request, body string) (int, string) {
		return 200, answerTo(body, func(int) int { return 429 })
	})
	c.patient = time.Millisecond
	if err := c.bulk(t.Context(), actions()); err == nil || !strings.Contains(err.Error(), "is busy") {
		t.Errorf("an engine that is always busy: %v", err)
	}
}

// TestStrangeIndex prepares and reads indexes that are none of ours.
func TestStrangeIndex(t *testing.T) {
	for name, test := range map[string]struct{ mapping, want string }{
		"other version": {`{"x":{"mappings":{"_meta":{"sectile":99}}}}`, "not made by this version"},
		"another's":     {`{"x":{"mappings":{}}}`, "not made by this version"},
		"none":          {`{}`, "something else"},
	} {
		c := client(t, func(*http.Request, string) (int, string) { return 200, test.mapping })
		if err := c.Prepare(t.Context(), 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := client(t, func(*http.Request, string) (int, string) {
		return 200, `{"responses":[{"error":{"type":"x","reason":"y"},"status":400}]}`
	})
	if _, err := c.searches(t.Context(), object{}); err == nil || !strings.Contains(err.Error(), "x: y") {
		t.Error(err)
	}
}

// document returns a document to be fed.
func document(t *testing.T, path, text string) *Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &Document{Path: path, Time: time.Unix(1_700_000_000, 0), Doc: doc, Shown: func(section int) Shown {
		return Shown{Selector: fmt.Sprint("s", section), First: 1, Last: 2, Hash: "h"}
	}}
}

// TestRecords sees that the sections of documents of the corpus are all of their bytes, and that
// each can be read from what is kept of it.
func TestRecords(t *testing.T) {
	for _, f := range testkit.SomeCorpusFiles(t, 50) {
		list := recordsOf("r", 1, document(t, f.Name, string(f.Data)))
		text := ""
		ids := map[string]bool{}
		for i := range list {
			above := ""
			if list[i].Position == 0 { // what stands above the preamble is kept with it
				above = text
			}
			text += strings.TrimPrefix(list[i].Text, above)
			ids[list[i].id()] = true
			if list[i].Bytes != int64(len(list[i].Text)-len(above)) {
				t.Errorf("%s: record %d has %d bytes, and a text of %d", f.Name, i, list[i].Bytes, len(list[i].Text))
			}
			if _, err := json.Marshal(list[i]); err != nil {
				t.Error(err)
			}
		}
		if text != string(f.Data) || len(ids) != len(list) {
			t.Errorf("%s: its %d records are not all of it, each once", f.Name, len(list))
		}
	}
}

// TestFeed writes, finds and removes documents in a real engine.
func TestFeed(t *testing.T) {
	c, err := New(Options{URL: testkit.OpenSearch(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(t.Context(), 1); err != nil {
		t.Fatalf("prepared twice: %v", err)
	}
	root, other := RootID("one"), RootID("other")
	known := func() (list []Known) {
		if err := c.Known(t.Context(), root, func(k Known) error { list = append(list, k); return nil }); err != nil {
			t.Fatal(err)
		}
		return list
	}
	feed := func(root string, began int64, do func(f *Feeder) error) {
		f := c.NewFeeder(root, time.UnixMilli(began))
		if err := do(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	put := func(path, text string, k *Known) func(*Feeder) error {
		return func(f *Feeder) error { return f.Put(t.Context(), document(t, path, text), k) }
	}
	feed(root, 1000, put("a.md", "# One\n\nfirst words\n\n## Two\n\nsecond words\n", nil))
	feed(other, 1000, put("a.md", "# One\n\nfirst words of others\n", nil))
	list := known()
	if len(list) != 1 || list[0].Path != "a.md" || list[0].Sections != 3 || list[0].Version != 1000 {
		t.Fatalf("%+v", list)
	}
	find := func(query string, scopes ...Scope) *Found {
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		q, err := search.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.Find(t.Context(), q, scopes, nil)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	found := find("words", Scope{Root: root})
	if found.Documents != 1 || found.Sections != 2 || found.Matching != 1 || found.Have[0] != 2 || len(found.Hits) != 2 || found.Hits[0].Root != root {
		t.Errorf("%+v", found)
	}
	kept, err := c.Kept(t.Context(), []string{found.Hits[0].ID, "none"})
	if err != nil || len(kept) != 1 || !strings.Contains(kept[found.Hits[0].ID].Text, " words\n") {
		t.Errorf("%+v, %v", kept, err)
	}
	if texts, err := c.Near(t.Context(), []string{"scond"}, []Scope{{Root: root}}); err != nil || len(texts) != 1 || !strings.Contains(texts[0], "second") {
		t.Errorf("%q, %v", texts, err)
	}
	there, err := c.Roots(t.Context(), []string{root, other, RootID("none")})
	if err != nil || len(there) != 2 || !there[root].Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("%v, %v", there, err)
	}

	feed(root, 2000, put("a.md", "# One\n\nnow words\n", &list[0]))
	if found := find("words", Scope{Root: root, Path: "a.md"}); found.Sections != 1 {
		t.Errorf("a section that is gone is found: %+v", found.Hits)
	}
	// What an older push sends late changes nothing.
	late := c.NewFeeder(root, time.UnixMilli(1500))
	if err := late.Put(t.Context(), document(t, "a.md", "# Late\n"), nil); err != nil {
		t.Fatal(err)
	}
	if err := late.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "newer state") {
		t.Errorf("a late push: %v", err)
	}
	list = known()
	feed(root, 3000, func(f *Feeder) error { return f.Remove(t.Context(), &list[0]) })
	if left := known(); len(left) > 0 {
		t.Errorf("%+v", left)
	}
	if n, err := c.RemoveRoot(t.Context(), other); n != 3 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
}

// TestAnswersAreBounded has an engine answer with little text that would become much, with too
// much text, slowly, and with counts that can't be.
func TestAnswersAreBounded(t *testing.T) {
	testkit.OneGoroutine(t)
	query, err := search.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	hits := func(list string) string {
		return `{"responses":[{"aggregations":{"documents":{"doc_count":1}}},{"hits":{"hits":[` + list + `]}},{}]}`
	}
	for name, test := range map[string]struct{ answer, want string }{
		"few":              {hits(strings.Repeat("{},", 1000) + "{}"), ""},
		"many":             {hits(strings.Repeat("{},", 100_000) + "{}"), ""},
		"braces in a text": {hits(`{"_source":{"text":"` + strings.Repeat(`{,[\"`, 300_000) + `"}}`), ""},
		"too many":         {hits(strings.Repeat("{},", maxObjects) + "{}"), "more than an engine has to say"},
		"too many nulls":   {hits(strings.Repeat("null,", maxObjects) + "null"), "more than an engine has to say"},
		"too many values":  {hits("{" + strings.Repeat(`"":0,`, maxValues+1) + `"":0}`), "more than an engine has to say"},
		"too much":         {strings.Repeat(" ", maxAnswer) + "{}", "more than 64 MiB"},
		"never ends":       {hits(`{"_source":{"text":"\`), "something else than an engine"},
		"less than none":   {`{"responses":[{"aggregations":{"documents":{"doc_count":-1}}},{},{}]}`, "counted what can't be"},
		"beyond counting":  {`{"responses":[{"aggregations":{"match":{"have":{"buckets":{"0":{"doc_count":9000000000000000000}}}}}},{},{}]}`, "counted what can't be"},
		"bytes":            {`{"responses":[{"aggregations":{"documents":{"bytes":{"value":1e300}}}},{},{}]}`, "counted what can't be"},
	} {
		c := client(t, func(*http.Request, string) (int, string) { return 200, test.answer })
		_, err := c.Find(t.Context(), query, nil, nil)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if len(c.large) != 0 {
			t.Errorf("%s: the place of a large answer is kept", name)
		}
	}
}

// TestAnswersEnd has an engine begin answers that don't end, and another one be at work.
func TestAnswersEnd(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(" ", smallAnswer+1))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	if c.http.Timeout != wholePatience {
		t.Errorf("an answer has %v", c.http.Timeout)
	}
	c.http.Timeout = 100 * time.Millisecond
	if _, err := c.Roots(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "can't be reached") {
		t.Errorf("an answer that doesn't end: %v", err)
	}
	c.http.Timeout = time.Hour
	c.large <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Roots(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an answer that waits for another one: %v", err)
	}
}
