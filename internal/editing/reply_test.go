package editing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/markdown"
)

// The section that a text was replaced in is told as it is now, also if it has moved or
// is called otherwise; what has no name after a change is not.
func TestEditTellsHowItIsNow(t *testing.T) {
	const text = "---\na: 1\n---\n\nBefore.\n\n# A\n\none\n\n## B\n\ntwo\n\n```\nthree\n```\n"
	replaceIn := func(heading, old, with string) sent.Edit {
		return sent.Edit{Heading: heading, OldString: &old, NewString: &with}
	}
	for _, tt := range []struct {
		name  string
		edits []sent.Edit // the last one is looked at
		want  string      // of it: part, selector and lines
	}{
		{"text in a section", []sent.Edit{replaceIn("B", "two", "2\n2")}, "## B h2.0 11-18"},
		{"its heading too", []sent.Edit{replaceIn("B", "## B\n\ntwo", "## C")}, "## C h2.0 11-15"},
		{"moved by another", []sent.Edit{
			{Heading: "A", Action: "insert_before", Content: new("# New")}, replaceIn("B", "two", "2"),
		}, "## B h2.0 13-19"},
		{"renamed by another", []sent.Edit{
			{Heading: "B", Action: "rename", Content: new("C")}, replaceIn("B", "two", "2"),
		}, "## C h2.0 11-17"},
		{"text in all", []sent.Edit{replaceIn("@document", "two", "2")}, "document @document 1-17"},
		{"before the first heading", []sent.Edit{{Heading: "@preamble", Action: "append", Content: new("More.")}}, "preamble @preamble 4-8"},
		{"front matter", []sent.Edit{replaceIn("@frontmatter", "a: 1", "b: 1")}, "front_matter @frontmatter 1-3"},
		{"a section", []sent.Edit{{Heading: "B", Action: "append", Content: new("More.")}}, "## B h2.0 11-19"},
		{"removed", []sent.Edit{{Heading: "B", Action: "remove"}}, "removed ## B"},
		{"a block, removed", []sent.Edit{{
			Heading: "h2.0/code.0", Action: "remove", ExpectedHash: hashIn(t, text, "h2.0/code.0"),
		}}, "removed h2.0/code.0 fenced_code"},
		{"text in the file", []sent.Edit{replaceIn("", "two", "2")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			docs := host(t, "a.md", text)
			reply, err := EditFile(t.Context(), docs, EditFileRequest{Edits: tt.edits})
			if err != nil {
				t.Fatal(err)
			}
			var out edited
			if err := json.Unmarshal(reply.JSON, &out); err != nil {
				t.Fatal(err)
			}
			last := out.Edits[len(out.Edits)-1]
			got := ""
			switch now := last.Now; {
			case now != nil:
				got = fmt.Sprintf("%s%s %s %d-%d", now.Heading, now.Part, now.Selector, now.StartLine, now.EndLine)
			case last.Removed != nil:
				got = "removed " + strings.Join(last.Removed, "; ")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s%s", diff, reply.Head)
			}
			if last.Now != nil && last.Now.Part != "preamble" {
				if hash := hashIn(t, content(t, docs), last.Now.Selector); last.Now.Hash != hash {
					t.Errorf("hash %s, want %s", last.Now.Hash, hash)
				}
			}
		})
	}
}

// Texts from a document take no more than their share of a head.
func TestEditHeads(t *testing.T) {
	long := strings.Repeat("long words ", 100)
	text := "# " + long + "\n\n## B" + long + "\n\n" + strings.Repeat("> ", 200) + "- x\n"
	for i := range 30 {
		text += fmt.Sprintf("\n### %d %s\n", i, long)
	}
	docs := host(t, "a.md", text)
	req := EditSectionRequest{Heading: "h2.0", Action: "remove", ExpectedHash: hashIn(t, text, "h2.0")}
	req.DryRun = true
	reply, err := EditSection(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	if n := replies.Chars(reply.Head); n > 2500 || !strings.Contains(string(reply.Head), "; and 25 more\n") {
		t.Errorf("%d characters: %s", n, reply.Head)
	}
	var h replies.Head
	addWarnings(&h, strings.Split(strings.Repeat(long+"\n", 15), "\n"))
	if n := replies.Chars(h); n > 4500 || !strings.HasSuffix(string(h), "\nwarning: and 6 more\n") {
		t.Errorf("%d characters: %s", n, h)
	}
}

// The difference of a dry run is left out by whole hunks.
func TestFitDiff(t *testing.T) {
	diff := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-@@ a\n+b\n@@ -9 +9,3 @@\n c\n+é\n+" + strings.Repeat("é", 400) + "\n"
	all, left := fitDiff([]byte(diff), 0)
	if string(all) != diff || left != nil {
		t.Errorf("%q %v", all, left)
	}
	one := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-@@ a\n+b\n"
	for room, want := range map[int]string{
		replies.Chars([]byte(diff)):                  diff,
		replies.Chars([]byte(diff)) - 1:              one,
		replies.Chars([]byte(one)) + leftOutRoom:     one,
		replies.Chars([]byte(one)) + leftOutRoom - 1: "",
		1: "",
	} {
		got, left := fitDiff([]byte(diff), room)
		if string(got) != want {
			t.Errorf("in %d: %q, want %q", room, got, want)
		}
		if want == diff {
			continue
		}
		wantLeft := diffLeftOut{Hunks: 2, Lines: 5, All: 2}
		if want == one {
			wantLeft = diffLeftOut{Hunks: 1, Lines: 3, All: 2}
		}
		if *left != wantLeft {
			t.Errorf("in %d: %+v are left out, want %+v", room, *left, wantLeft)
		}
	}
	moved, other := "diff --git a/x b/y\nrename from x\nrename to y\n", "diff --git a/v b/w\nrename from v\nrename to w\n"
	for _, parts := range [][]string{{"", moved + one, other}, {"", other, moved}, {one[:16], one[16:], "@@ -9 +9 @@\n-c\n+d\n", other, moved + one}} {
		if head, hunks := splitHunks([]byte(strings.Join(parts, ""))); string(head) != parts[0] || string(bytes.Join(hunks, []byte("|"))) != strings.Join(parts[1:], "|") {
			t.Errorf("%q %q, want %q", head, hunks, parts)
		}
	}
	if head, hunks := splitHunks([]byte("nothing\n")); string(head) != "nothing\n" || hunks != nil {
		t.Errorf("%q %q", head, hunks)
	}
}

// Dry runs fit into replies, and what is left out is said; without a limit, nothing
// is.
func TestDryRunsFit(t *testing.T) {
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "## Part %d\n\nOld text with some words.\n\n%s", i, strings.Repeat("More.\n", 5))
	}
	docs := host(t, "a.md", text.String())
	req := EditFileRequest{Edit: sent.Edit{OldString: new("Old"), NewString: new("New"), ReplaceAll: true}}
	req.DryRun = true
	whole, err := EditFile(t.Context(), docs, req)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole.Diff), "\n@@ "); n != 400 || strings.Contains(string(whole.Head), "left_out") {
		t.Errorf("%d hunks: %s", n, whole.Head)
	}
	for _, limit := range []int{2000, 10_000} {
		req.MaxChars, req.Structured = limit, true
		reply, err := EditFile(t.Context(), docs, req)
		if err != nil {
			t.Fatal(err)
		}
		n := strings.Count(string(reply.Diff), "\n@@ ")
		left := fmt.Sprintf("\nleft_out: %d of 400 hunks of the difference, ", 400-n)
		if replies.Chars(reply.Text()) > limit || replies.Chars(reply.Text()) < limit*3/4 || n == 0 || !strings.Contains(string(reply.Head), left) {
			t.Errorf("in %d: %d characters, %d hunks: %s", limit, replies.Chars(reply.Text()), n, reply.Head)
		}
		if !strings.HasPrefix(string(whole.Diff), string(reply.Diff)) {
			t.Errorf("in %d: another difference: %s", limit, reply.Diff)
		}
		var structured struct {
			Diff    string
			LeftOut struct{ Hunks int } `json:"diff_left_out"`
		}
		if err := json.Unmarshal(reply.JSON, &structured); err != nil || replies.Chars(reply.JSON) > limit {
			t.Errorf("in %d: %d characters of JSON: %v", limit, replies.Chars(reply.JSON), err)
		}
		if n := strings.Count(structured.Diff, "\n@@ "); n+structured.LeftOut.Hunks != 400 || n == 0 {
			t.Errorf("in %d: %d hunks in JSON and %d left out", limit, n, structured.LeftOut.Hunks)
		}
	}
	req.MaxChars = 400
	if reply, err := EditFile(t.Context(), docs, req); err != nil || len(reply.Diff) > 0 || replies.Chars(reply.Text()) > 400 {
		t.Errorf("%+v, %v", reply, err)
	}
}

// Of very many edits a reply has all that is known, or a line each, or some of those.
func TestBatchReplies(t *testing.T) {
	docs := host(t, "a.md", "# A\n\none\n")
	for _, tt := range []struct {
		edits int
		limit int
		want  []string
		not   string
	}{
		{3, 10_000, []string{" edited by 3 edits, +12 -0 version #", "\nedits[2]:1-15 @document edited #", "\n12 \"\" | 13 \"# Part 2\" … 15 \"Text.\" | end\n"}, "more edit"},
		{90, 10_000, []string{" edited by 90 edits, ", "\nedits[89]:1-375 @document edited #"}, "more edit"},
		{400, 10_000, []string{" edited by 400 edits, ", "\nedits[1]:1-1975 @document edited #", " more edits]\n"}, "edits[399]"},
		{400, 0, []string{"\nedits[399]:1-3575 @document edited #", "3575 \"Text.\" | end\n"}, "more edit"},
	} {
		var req EditFileRequest
		for i := range tt.edits {
			req.Edits = append(req.Edits, sent.Edit{Heading: "@document", Action: "append", Content: new(fmt.Sprintf("# Part %d\n\nText.", i))})
		}
		req.MaxChars = tt.limit
		reply, err := EditFile(t.Context(), docs, req)
		if err != nil {
			t.Fatal(err)
		}
		text := string(reply.Text())
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%d edits in %d: no %q in %.800s", tt.edits, tt.limit, want, text)
			}
		}
		if strings.Contains(text, tt.not) || tt.limit > 0 && replies.Chars(reply.Text()) > tt.limit {
			t.Errorf("%d edits in %d: %d characters, or %q in them: %.300s", tt.edits, tt.limit, replies.Chars(reply.Text()), tt.not, text)
		}
	}
}

// TestUnlessPresentTellsNothing appends what is there, which is no error: the reply tells that nothing
// is changed, and of several edits which of them had nothing to do.
func TestUnlessPresentTellsNothing(t *testing.T) {
	const src = "---\ntags: [x]\n---\n# A\n\none\n\n| a |\n|---|\n| 1 |\n"
	for _, tt := range []struct {
		address, content string
		more             string // that another edit appends
		head             string
		written          bool
	}{
		{"A", "one", "", "a.md:4-10 h1.0 unchanged, +0 -0 #", false},
		{"@frontmatter.tags", "x", "", "a.md:2 @frontmatter.tags unchanged, +0 -0 #", false},
		{"A/table", "| 1 |", "", "a.md:8-10 h1.0/table.0 unchanged, +0 -0 #", false},
		{"A", "two", "", "a.md:4-12 h1.0 edited, +2 -0 #", true},
		{"A", "one", "one", "edits[0]:4-10 h1.0 unchanged #", false},
		{"A", "one", "one", "a.md unchanged by 2 edits, +0 -0 version #", false},
		{"A", "one", "two", "edits[0]:4-12 h1.0 unchanged #", true},
		{"A", "one", "two", "a.md edited by 2 edits, +2 -0 version #", true},
	} {
		for _, dry := range []bool{false, true} {
			docs := host(t, "a.md", src)
			edits := []sent.Edit{{Heading: tt.address, Action: "append", Content: &tt.content, UnlessPresent: true}}
			options := EditOptions{DryRun: dry}
			reply, err := EditSection(t.Context(), docs, EditSectionRequest{Heading: tt.address, Action: "append", Content: &tt.content, UnlessPresent: true, EditOptions: options})
			if tt.more != "" {
				docs = host(t, "a.md", src)
				edits = append(edits, sent.Edit{Heading: "A", Action: "append", Content: &tt.more, UnlessPresent: true})
				reply, err = EditFile(t.Context(), docs, EditFileRequest{Edits: edits, EditOptions: options})
			}
			if err != nil {
				t.Errorf("%q to %s, %q: %v", tt.content, tt.address, tt.more, err)
				continue
			}
			head := tt.head
			if dry {
				head = strings.Replace(head, " edited", " would be edited", 1)
			}
			written := tt.written && !dry
			if text := string(reply.Text()); !strings.Contains(text, head) || strings.Contains(text, "; nothing was written\n") == written ||
				!bytes.Contains(reply.JSON, fmt.Appendf(nil, `"written":%t`, written)) {
				t.Errorf("%q to %s, %q: no %q in %s%s", tt.content, tt.address, tt.more, head, text, reply.JSON)
			}
		}
	}
}

// A difference calls the file as it is found from the working directory or the root,
// by its name alone where that leads elsewhere.
func TestDiffLabels(t *testing.T) {
	w, dir := workspace(t, map[string]string{"b.md": "# B\n"})
	if err := os.CopyFS(filepath.Join(dir, "docs"), fstest.MapFS{"a.md": {Data: []byte("# A\n")}}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "docs"))
	if err := os.Symlink("docs", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		path, host, workspace string // empty for no such path
	}{
		{"a.md", "a.md", ""},
		{"./a.md", "a.md", ""},
		{"docs/a.md", "", "docs/a.md"},
		{"docs/../b.md", "", "b.md"},
		{"../docs/a.md", "a.md", ""},
		{"../link/a.md", "a.md", ""},
		{"../b.md", "b.md", ""},
		{filepath.Join(dir, "docs", "a.md"), "a.md", "docs/a.md"},
		{filepath.Join(dir, "link", "a.md"), "a.md", "docs/a.md"},
		{filepath.Join(dir, "b.md"), "b.md", "b.md"},
	} {
		for which, want := range map[*documents.Workspace]string{nil: tt.host, w: tt.workspace} {
			if want == "" {
				continue
			}
			docs := documents.Set{Paths: []string{tt.path}, Workspace: which}
			reply, err := EditSection(t.Context(), docs, EditSectionRequest{
				Heading: "@document", Action: "prepend", Content: new("x"), EditOptions: EditOptions{DryRun: true},
			})
			if err != nil {
				t.Errorf("%s: %v", tt.path, err)
			} else if wanted := "--- a/" + want + "\n+++ b/" + want + "\n"; !strings.HasPrefix(string(reply.Diff), wanted) {
				t.Errorf("%s below %v: %.100s, want %s", tt.path, which, reply.Diff, want)
			}
		}
	}
}

// TestJointOfExactText shows the neighbours of a text only where it begins or ends with
// another number of line endings than the one in whose place it is.
func TestJointOfExactText(t *testing.T) {
	for _, c := range []struct {
		from, to string
		shown    bool
	}{
		{"b\n", "b\nc\n", false},
		{"b\n\nc", "d", false},
		{"a\n", "", true},
		{"b", "b\n\nd\n", true},
		{"b", "", false},
	} {
		docs := host(t, "a.md", "# A\n\na\nb\n\nc\n")
		reply, err := EditFile(t.Context(), docs, EditFileRequest{Edits: []sent.Edit{{OldString: &c.from, NewString: &c.to}}})
		if err != nil {
			t.Fatalf("%q to %q: %v", c.from, c.to, err)
		}
		if strings.Contains(string(reply.Head), " | ") != c.shown {
			t.Errorf("%q to %q: %s", c.from, c.to, reply.Head)
		}
	}
}

// Of two texts put after one section, the second stands before the first.
func TestInsertsAfterOneSection(t *testing.T) {
	docs := host(t, "a.md", "# A\n")
	_, err := EditFile(t.Context(), docs, EditFileRequest{Edits: []sent.Edit{
		{Heading: "A", Action: "insert_after", Content: new("# B")}, {Heading: "A", Action: "insert_after", Content: new("# C")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, docs, "# A\n\n# C\n\n# B\n")
}

// TestEditedPartsOnce: a part that many edits are of is described once, before and after the change; that
// it is one of several edits changes nothing of what is told of it.
func TestEditedPartsOnce(t *testing.T) {
	doc, err := markdown.Parse([]byte("# A\n\nx\n\n## B\n\ny\n"))
	if err != nil {
		t.Fatal(err)
	}
	ops := []edit.Op{{Action: edit.Append, Address: "A", Text: "a"}, {Action: edit.Append, Address: "A", Text: "b"}, {Action: edit.Append, Address: "B", Text: "c"}}
	res, err := edit.Apply(doc, ops)
	if err != nil {
		t.Fatal(err)
	}
	e := editing{ops: ops, before: doc, result: res}
	parts := editedParts{}
	var told []outcome
	for i := range ops {
		one := e.outcome(&ops[i], &res.Changes[i], parts)
		if alone := e.outcome(&ops[i], &res.Changes[i], editedParts{}); !reflect.DeepEqual(one, alone) {
			t.Errorf("%d: %+v, alone %+v", i, one, alone)
		}
		told = append(told, one)
	}
	if len(parts) != 4 || told[0].Now != told[1].Now || told[0].Now == told[2].Now {
		t.Errorf("%d parts are described: %+v", len(parts), told)
	}
	if n := parts.of(doc, res.Changes[0].Target.Node); n.Selector == "" || n.Tier != "" {
		t.Errorf("what is told of how it was found is in the part: %+v", n)
	}
}
