package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

func silence(string, ...any) {}

// sampleErrand changes a line of a document with CRLF, and reads another one.
func sampleErrand(ours, shell func(*hand)) errand {
	return errand{
		name: "a sample", repo: "repo", docs: []string{"*.md"}, ours: ours, shell: shell,
		want: func(w *wanted) {
			w.read("b.md", 1, 1, "# B")
			w.cut("a.md", 3, 1, "old", "new\n")
			w.cut("a.md", 1, 0, "# A", "first\n")
		},
	}
}

// sampleCorpus writes the documents of the sample.
func sampleCorpus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := writeAll(dir, []document{{"repo/a.md", []byte("# A\r\n\r\nold\r\n")}, {"repo/b.md", []byte("# B\n\ntext\n")}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestErrandsJudged has errands done right and in every wrong way that there is.
func TestErrandsJudged(t *testing.T) {
	right := func(h *hand) {
		h.read("b.md", 1, 10)
		h.replace("a.md", "# A\n\nold\n", "first\n# A\n\nnew\n")
	}
	for name, test := range map[string]struct {
		do   func(*hand)
		want string
	}{
		"right":            {right, ""},
		"a byte more":      {func(h *hand) { right(h); h.write("a.md", "first\r\n# A\r\n\r\nnew\r\n\n") }, "a.md is not as it must be, from line 5 on"},
		"LF":               {func(h *hand) { right(h); h.write("a.md", "first\n# A\n\nnew\n") }, "a.md is not as it must be, from line 1 on"},
		"nothing":          {func(h *hand) { h.read("b.md", 1, 10) }, "a.md is not as it must be, from line 1 on"},
		"another document": {func(h *hand) { right(h); h.replace("b.md", "text", "texts") }, "b.md is not as it must be, from line 3 on"},
		"a document more":  {func(h *hand) { right(h); h.create("c.md", "") }, "c.md was made"},
		"one is gone":      {func(h *hand) { right(h); h.sh("rm b.md") }, "b.md is gone"},
		"not read":         {func(h *hand) { h.read("b.md", 2, 10); h.replace("a.md", "# A\n\nold\n", "first\n# A\n\nnew\n") }, `this did not arrive: "# B"`},
	} {
		got, err := runErrands(t.Context(), "", sampleCorpus(t), t.TempDir(), []errand{sampleErrand(right, test.do)}, silence)
		if err != nil || got[0].ours.wrong != "" || got[0].shell.wrong != test.want {
			t.Errorf("%s: %v, %+v, want %q", name, err, got, test.want)
		}
		if wrong := strings.Contains(errandTable(got), "**wrong**"); wrong != (test.want != "") {
			t.Errorf("%s: the table says wrong: %v", name, wrong)
		}
	}
}

// TestErrandsOnOtherDocuments does not measure on documents whose lines are others, or
// that aren't there.
func TestErrandsOnOtherDocuments(t *testing.T) {
	corpus := sampleCorpus(t)
	before, err := digest(corpus, []errand{sampleErrand(nil, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(corpus, "repo", "a.md"), []byte("# A\r\n\r\nolder\r\n\r\nold\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if after, err := digest(corpus, []errand{sampleErrand(nil, nil)}); err != nil || after == before {
		t.Errorf("%v: other documents have the same digest", err)
	}
	moved := sampleErrand(nil, nil)
	moved.want = func(w *wanted) { w.cut("a.md", 2, 1, "old", "") }
	missing := sampleErrand(nil, nil)
	missing.docs = []string{"none*.md"}
	for _, e := range []errand{moved, missing} {
		if _, err := runErrands(t.Context(), "", corpus, t.TempDir(), []errand{e}, silence); err == nil {
			t.Error("errands on documents that they are not made for are no error")
		}
	}
}

// TestSuits refuses to do errands on documents that they are not made for, and leaves
// them out where more is measured.
func TestSuits(t *testing.T) {
	for _, corpus := range []string{"", sampleCorpus(t)} {
		alone := &bench{options: options{only: "tasks", corpus: corpus}, report: &report{}}
		if err := measureErrands(t.Context(), alone); err == nil {
			t.Errorf("corpus %q: it is no error", corpus)
		}
		among := &bench{options: options{corpus: corpus}, report: &report{}}
		if err := measureErrands(t.Context(), among); err != nil || len(among.report.skipped) != 1 {
			t.Errorf("corpus %q: %v, %q", corpus, err, among.report.skipped)
		}
	}
}

// TestHand counts what calls cost, and shows lines as readers of agents do.
func TestHand(t *testing.T) {
	h := &hand{ctx: t.Context(), folder: t.TempDir(), log: silence}
	replies := []string{
		h.create("a.md", "# A\r\n\r\n<x>\r\n<x>\r\n"),
		h.read("a.md", 2, 2),
		h.replace("a.md", "<x>", "y"),
		h.replace("a.md", "z", "y"),
		h.replaceAll("a.md", "<x>\n", "y\n"),
		h.sh("grep -n y *.md"),
		h.sh("grep none *.md"),
	}
	want := []string{
		"The file a.md has been written.",
		"     2\t\n     3\t<x>\n",
		"The text to replace was found 2 times in a.md.",
		"The text to replace was not found in a.md.",
		"The file a.md has been updated.",
		"3:y\r\n4:y\r\n",
		"",
	}
	if diff := cmp.Diff(want, replies); diff != "" {
		t.Error(diff)
	}
	if text := string(h.bytes("a.md")); text != "# A\r\n\r\ny\r\ny\r\n" || h.err != nil {
		t.Errorf("%q, %v", text, h.err)
	}
	in := 0
	for _, arguments := range []string{
		`{"content":"# A\r\n\r\n<x>\r\n<x>\r\n","path":"a.md"}`, `{"limit":2,"offset":2,"path":"a.md"}`,
		`{"new_string":"y","old_string":"<x>","path":"a.md"}`, `{"new_string":"y","old_string":"z","path":"a.md"}`,
		`{"new_string":"y\n","old_string":"<x>\n","path":"a.md","replace_all":true}`, `{"command":"grep -n y *.md"}`, `{"command":"grep none *.md"}`,
	} {
		in += len(arguments)
	}
	if d := (done{calls: 7, in: in, out: len(strings.Join(want, ""))}); h.done != d {
		t.Errorf("%+v, want %+v", h.done, d)
	}
	if seen := h.seen[1] + h.seen[5]; seen != "\n<x>\ny\ny\n" {
		t.Errorf("seen: %q", seen)
	}
}

// TestSteady makes replies of two runs the same.
func TestSteady(t *testing.T) {
	a := steady(`{"modified_at":1795816935.702786,"path":"/tmp/errand-123/a.md","transaction_id":"txn_0_12"}`, "/tmp/errand-123")
	b := steady(`{"modified_at":17958169.5,"path":"/tmp/errand-98765/a.md","transaction_id":"txn_0_3456"}`, "/tmp/errand-98765")
	if a != b || !strings.Contains(a, "/documents/a.md") {
		t.Errorf("%s\n%s", a, b)
	}
}

// TestCutOff finds the lines that a reply of search_sections has not shown to their end.
func TestCutOff(t *testing.T) {
	const reply = "4 lines in 2 sections, in 1 of 2 documents\na/b.md:3-9 h2.1 #0123456789abcdef A > B\n5: all of it\n7: not all…\nk7q2mx c.md:1 h1.0 #0123456789abcdef C…\n1: # C\n2: no…\n…: 12\n"
	if diff := cmp.Diff([]hit{{"a/b.md", 7}, {"c.md", 2}}, cutOff(reply), cmp.AllowUnexported(hit{})); diff != "" {
		t.Error(diff)
	}
}

func TestErrandTable(t *testing.T) {
	all := []ran{
		{errand: errand{name: "one", named: true}, ours: done{1, 10, 1190, ""}, shell: done{2, 100, 900, ""}},
		{errand: errand{name: "three"}, ours: done{1, 1, 199, ""}, shell: done{1, 1, 99, ""}},
		{errand: errand{name: "two"}, ours: done{3, 0, 600, "it is wrong"}, shell: done{1, 0, 1000, ""}, sed: &done{1, 5, 0, ""}},
	}
	want := `| task | sectile | shell | sectile ÷ shell | shell, with sed |
| --- | --- | --- | --- | --- |
| one | 1 call, 10 + 1,190 | 2 calls, 100 + 900 | 1.20 × |  |
| three | 1 call, 1 + 199 | 1 call, 1 + 99 | 2.00 × |  |
| two | 3 calls, 0 + 600, **wrong** | 1 call, 0 + 1,000 | 0.60 × | 1 call, 5 + 0 |
| **sum of those in documents that are named** | 1 call, 10 + 1,190 | 2 calls, 100 + 900 | **1.20 ×** |  |
| **sum of all** | 5 calls, 11 + 1,989, **wrong** | 4 calls, 101 + 1,999 | **0.95 ×** |  |
`
	if diff := cmp.Diff(want, errandTable(all)); diff != "" {
		t.Error(diff)
	}
}

// TestErrandsOfThePage does all errands: each is right in every way, and costs what the
// page says. Replies that have changed make the table stale; what it names makes it again.
func TestErrandsOfThePage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the page has the tools of Linux")
	}
	corpus := t.TempDir()
	for _, f := range testkit.CorpusFiles(t) {
		for _, repo := range []string{reference, evolution, book, eips} {
			if strings.HasPrefix(f.Name, repo+"/") {
				if err := writeAll(corpus, []document{{f.Name, f.Data}}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got, err := digest(corpus, errands()); err != nil || got != documentsDigest {
		t.Fatalf("%v: the digest of the documents is %s", err, got)
	}
	others := otherServers(t.Context(), here(t))
	if len(others) < 2 && os.Getenv("SECTILE_REQUIRE_PEERS") != "" {
		t.Error("other servers are missing; scripts/install-peers has them")
	}
	got, err := runErrands(t.Context(), testkit.BuildProgram(t), corpus, t.TempDir(), errands(), silence, others...)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 16 {
		t.Errorf("%d errands", len(got))
	}
	for _, r := range got {
		if r.ours.wrong+r.shell.wrong != "" || r.sed != nil && r.sed.wrong != "" {
			t.Errorf("%s: sectile: %s, shell: %s, sed: %v", r.name, r.ours.wrong, r.shell.wrong, r.sed)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "benchmarks.md"))
	if err != nil {
		t.Fatal(err)
	}
	if table := errandTable(got); !strings.Contains(string(page), "\n"+table) {
		t.Errorf("docs/benchmarks.md has another table; scripts/bench -corpus DIR -only tasks -write makes it again:\n%s", table)
	}
	if table := serversTable(got, others); len(others) == 2 && !strings.Contains(string(page), "\n"+table) {
		t.Errorf("docs/benchmarks.md has another table of servers:\n%s", table)
	}
}

// TestServersTable has a server that does one errand right, one wrong, and can't do the third.
func TestServersTable(t *testing.T) {
	all := []ran{
		{errand: errand{name: "one"}, ours: done{1, 10, 90, ""}, shell: done{2, 100, 900, ""}, others: map[string]*done{"x": {2, 50, 150, ""}}},
		{errand: errand{name: "two"}, ours: done{1, 1, 199, ""}, shell: done{1, 1, 99, ""}, others: map[string]*done{"x": {1, 5, 5, "it is wrong"}}},
		{errand: errand{name: "three"}, ours: done{1, 1, 1, ""}, shell: done{1, 1, 1, ""}},
	}
	want := `| task | sectile | shell | x |
| --- | --- | --- | --- |
| one | 1 call, 10 + 90 | 2 calls, 100 + 900 | 2 calls, 50 + 150 |
| two | 1 call, 1 + 199 | 1 call, 1 + 99 | 1 call, 5 + 5, **wrong** |
| three | 1 call, 1 + 1 | 1 call, 1 + 1 | can't: it does less |
| **sum of the 1 that x does right** | 1 call, 10 + 90 | 2 calls, 100 + 900 | 2 calls, 50 + 150; sectile ÷ it **0.50 ×** |
`
	if diff := cmp.Diff(want, serversTable(all, []otherServer{{name: "x", less: "it does less"}})); diff != "" {
		t.Error(diff)
	}
}
