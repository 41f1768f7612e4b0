package editing

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestHonestDocumentsAreNotRefused: neither to read nor to edit.
func TestHonestDocumentsAreNotRefused(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, kind := range testkit.Honest() {
		size := 2_500_000 // no small document
		if testkit.Long() {
			size = 6_000_000
		}
		w, _ := workspace(t, map[string]string{"a.md": string(kind.Make(size))})
		for _, dryRun := range []bool{true, false} {
			work := w.Begin(t.Context(), nil)
			text := "new text"
			docs := documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}
			if _, err := reading.Read(docs, reading.ReadRequest{Heading: testkit.RareHeading, MaxChars: 2_000}); err != nil {
				t.Errorf("%s: %v", kind.Name, err)
			}
			if _, err := EditSection(t.Context(), docs, EditSectionRequest{
				Heading: testkit.RareHeading, Action: "append", Content: &text, EditOptions: EditOptions{DryRun: dryRun},
			}); err != nil {
				t.Errorf("%s: edit, dry run %v: %v", kind.Name, dryRun, err)
			}
			work.End()
		}
	}
}

// TestLargeTextIntoASmallDocument: new text of many blocks is measured by its own size, not by
// that of the document that it comes into.
func TestLargeTextIntoASmallDocument(t *testing.T) {
	testkit.OneGoroutine(t)
	w, _ := workspace(t, map[string]string{"a.md": "# A\n\nx\n"})
	for name, text := range map[string]string{
		"items":      strings.Repeat("- item\n", 20_000),
		"rows":       "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 15_000),
		"paragraphs": strings.Repeat("text\n\n", 80_000),
		"prose":      strings.Repeat("a line of text\n", 100_000),
	} {
		for _, dryRun := range []bool{true, false} {
			work := w.Begin(t.Context(), nil)
			r, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}, EditSectionRequest{
				Heading: "A", Action: "replace", Content: &text, EditOptions: EditOptions{DryRun: dryRun},
			})
			if err != nil || strings.Contains(string(r.Head), "nothing was written") != dryRun {
				t.Errorf("%s, dry run %v: %v", name, dryRun, err)
			}
			work.End()
		}
	}
}

// TestRenameAmongLargeDocuments: looking for links in other large documents never waits for
// what the renaming itself has.
func TestRenameAmongLargeDocuments(t *testing.T) {
	large := "\n\n" + strings.Repeat("plain words here\n", 1_100_000/17)
	texts := map[string]string{"a.md": "# Head\n\n[h](#head)" + large}
	for _, name := range []string{"b.md", "c.md", "d.md"} {
		texts[name] = "# Other\n\n[a](a.md) [b](b.md#other) [c](c.md#other)" + large
	}
	w, dir := workspace(t, texts)
	memory := documents.NewMemory(0)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	title := "Title"
	for _, docs := range []documents.Set{
		{Paths: []string{"a.md"}, Workspace: w, Work: w.Begin(ctx, nil)},
		{Paths: []string{filepath.Join(dir, "a.md")}, Work: memory.Begin(ctx, nil), MaxBytes: 1 << 30},
	} {
		r, err := EditSection(ctx, docs, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &title, Links: linking.UpdateLinks, EditOptions: EditOptions{DryRun: true},
		})
		docs.Work.End()
		if err != nil || !strings.Contains(string(r.Head), "links changed: 1") {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// TestWholeDocumentsWithinMemory: what is made of whole documents, or of two, is refused where it
// takes more memory than any document may, while it is parsed.
func TestWholeDocumentsWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n\n## B\n\n" + strings.Repeat("- x\n", 20_000), "b.md": "# C\n\n" + strings.Repeat("- y\n", 20_000)})
	memory := documents.NewMemory(16 << 20)
	before := listed(t, dir)
	text := strings.Repeat("- item\n", 200_000)
	for name, change := range map[string]func(docs documents.Set) error{
		"new": func(docs documents.Set) error {
			docs.Paths = []string{filepath.Join(dir, "new", "c.md")}
			_, err := CreateDocument(t.Context(), docs, DocumentRequest{Content: &text})
			return err
		},
		"across": func(docs documents.Set) error {
			docs.Paths = []string{filepath.Join(dir, "a.md")}
			_, err := MoveSection(t.Context(), docs, MoveSectionRequest{Heading: "B", Action: "move", ToPath: filepath.Join(dir, "b.md")})
			return err
		},
	} {
		work := memory.Begin(t.Context(), nil)
		err := change(documents.Set{Work: work, MaxBytes: 1 << 30})
		work.End()
		if e := replies.AsError(err); err == nil || e.Code != replies.CodeTooComplex || e.Written || name == "new" && strings.Contains(err.Error(), "400001 were found") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now := listed(t, dir); now != before {
		t.Errorf("%s", now)
	}
}

// listOfEdits returns a list of edits of a folder, each of another text of those of allOf.
func listOfEdits(folder string, n int) []sent.Edit {
	edits := make([]sent.Edit, n)
	for i := range edits {
		old, now := fmt.Sprintf("k%04d", i), fmt.Sprintf("n%04d", i)
		edits[i] = sent.Edit{Path: folder, OldString: &old, NewString: &now}
	}
	return edits
}

// heapOf returns how many bytes more the heap has while what work returns is kept.
func heapOf(t *testing.T, work func() any) int64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := work()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestManyKeepsLittle: what is kept of documents that were looked at doesn't grow with the
// number of edits, whether these have something to do there or not.
func TestManyKeepsLittle(t *testing.T) {
	const documentsInAll, edits = 60, 300
	for name, text := range map[string]string{"none": "x\n", "one": "k0000\n", "all": allOf(edits)} {
		contents := map[string]string{}
		for i := range documentsInAll {
			contents[fmt.Sprintf("d%03d.md", i)] = text
		}
		dir := testkit.Folder(t, contents)
		kept := heapOf(t, func() any {
			m, err := newMany(documents.Set{}, EditOptions{}, "", 0)
			if err == nil {
				err = m.addItems(&EditFileRequest{Edits: listOfEdits(dir, edits)})
			}
			if err == nil {
				err = m.find(t.Context())
			}
			if err == nil {
				err = m.look(t.Context())
			}
			if err != nil || len(m.all) != documentsInAll {
				t.Fatalf("%s: %d documents, %v", name, len(m.all), err)
			}
			return m
		})
		const each = 2 << 10
		if of := kept - edits*1000; of > documentsInAll*each {
			t.Errorf("%s: %d bytes for a document", name, of/documentsInAll)
		}
	}
}

// allOf returns a text that each of so many edits has something to do in.
func allOf(edits int) string {
	var b strings.Builder
	for i := range edits {
		fmt.Fprintf(&b, "k%04d\n", i)
	}
	return b.String()
}

// TestManyWithinMemory: edits that all documents have something for are refused where there is no
// memory for what is kept of them until they are written.
func TestManyWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	const edits = 500
	contents := map[string]string{}
	for i := range 30 {
		contents[fmt.Sprintf("d%03d.md", i)] = allOf(edits)
	}
	for limit, refused := range map[int64]bool{8 << 20: true, 64 << 20: false} {
		dir := testkit.Folder(t, contents)
		work := documents.NewMemory(limit).Begin(t.Context(), nil)
		items := listOfEdits(dir, edits)
		for i := range items {
			items[i].ExpectedCount = len(contents)
		}
		_, err := EditFile(t.Context(), documents.Set{Work: work, MaxBytes: 1 << 30}, EditFileRequest{Edits: items})
		work.End()
		if (err != nil) != refused || refused && (replies.AsError(err).Code != replies.CodeTooComplex || replies.AsError(err).Written) {
			t.Errorf("%d bytes: %v", limit, err)
		}
		if isSame := read(t, dir, "d000.md") == allOf(edits); isSame != refused {
			t.Errorf("%d bytes: refused %v, and nothing is written %v", limit, refused, isSame)
		}
	}
}

// TestCopiesWithinMemory: a text that comes into many places is refused where there is no memory
// for all of them, and gets as much as a document of the size that there would be otherwise.
func TestCopiesWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	const places = 50_000
	text := "# A\n\n" + strings.Repeat("x ", places) + "\n"
	old, long, short := "x", strings.Repeat("y", 5_000), strings.Repeat("y", 20)
	for name, req := range map[string]EditFileRequest{
		"anywhere":     {Edit: sent.Edit{OldString: &old, ReplaceAll: true}},
		"in a section": {Edit: sent.Edit{OldString: &old, ReplaceAll: true, Heading: "A"}},
		"a dry run":    {Edit: sent.Edit{OldString: &old, ReplaceAll: true}, EditOptions: EditOptions{DryRun: true}},
		"a list":       {Edits: []sent.Edit{{OldString: &old, ReplaceAll: true}}},
		"a folder":     {Edit: sent.Edit{OldString: &old, ExpectedCount: places}},
	} {
		for _, now := range []*string{&long, &short} {
			dir := testkit.Folder(t, map[string]string{"a.md": text})
			docs := documents.Set{Paths: []string{filepath.Join(dir, "a.md")}, Work: documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil), MaxBytes: 1 << 30}
			if req.ExpectedCount > 0 {
				docs.Paths = []string{dir}
			}
			if req.NewString = now; req.Edits != nil {
				req.NewString, req.Edits[0].NewString = nil, now
			}
			_, err := EditFile(t.Context(), docs, req)
			docs.Work.End()
			isRefused := err != nil && replies.AsError(err).Code == replies.CodeTooComplex && strings.Contains(err.Error(), "its 238.") && read(t, dir, "a.md") == text
			if refused := now == &long; refused != isRefused || !refused && err != nil {
				t.Errorf("%s, %d bytes: %v", name, len(*now), err)
			}
		}
	}
}

// equalDocuments returns so many documents of one heading, by their paths.
func equalDocuments(n int) map[string]string {
	contents := map[string]string{}
	for i := range n {
		contents[fmt.Sprintf("d%03d.md", i)] = "# A\n"
	}
	return contents
}

// TestManyCountsWhatComes: what many documents hold after a change is bounded as what they held before
// it, when they are looked at; and until they are written it is within the budget.
func TestManyCountsWhatComes(t *testing.T) {
	testkit.OneGoroutine(t)
	const documentsInAll = 40
	contents := equalDocuments(documentsInAll)
	for _, c := range []struct {
		size    int
		memory  int64
		dry     bool
		refused string
	}{
		{maxChangedBytes/documentsInAll + 1, 0, true, "more than 134217728 bytes"},
		{600_000, documents.MinMaxMemory, true, ""},
		{600_000, documents.MinMaxMemory, false, "can't be changed"},
		{600_000, 0, false, ""},
	} {
		dir := testkit.Folder(t, contents)
		work := documents.NewMemory(c.memory).Begin(t.Context(), nil)
		text := strings.Repeat("a line of text\n", c.size/15+1)
		_, err := EditSection(t.Context(), documents.Set{Paths: []string{dir}, Work: work, MaxBytes: 1 << 30}, EditSectionRequest{
			Heading: "A", Action: "append", Content: &text,
			EditOptions: EditOptions{DryRun: c.dry, MaxChars: 2_000, Confirm: func(*EditReply) bool { return true }},
		})
		work.End()
		isRefused := err != nil && replies.AsError(err).Code == replies.CodeTooComplex && strings.Contains(err.Error(), c.refused)
		if refused := c.refused != ""; refused != isRefused || !refused && err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		if isSame := read(t, dir, "d000.md") == "# A\n"; isSame != (c.dry || c.refused != "") {
			t.Errorf("%+v: nothing is written %v", c, isSame)
		}
	}
}

// TestPassIsBounded: documents that are changed have a number and a size, before and after, beyond
// which they are too many.
func TestPassIsBounded(t *testing.T) {
	small, large := &markdown.Document{}, &markdown.Document{Source: make([]byte, maxChangedBytes/2)}
	for name, c := range map[string]struct {
		before, after *markdown.Document
		most          int
	}{"number": {small, small, maxChanged}, "before": {large, small, 2}, "after": {small, large, 2}} {
		var p pass
		for i := range c.most {
			if err := p.add(c.before, c.after); err != nil {
				t.Fatalf("%s: %d: %v", name, i, err)
			}
		}
		if large.Source = large.Source[:1]; p.add(large, large) == nil {
			t.Errorf("%s: one more is not too much", name)
		}
		large.Source = large.Source[:cap(large.Source)]
	}
}

// TestManyKeepsDiffsThatAreShown: of the differences of many documents only what a reply has room for
// is kept; a reply of any length has all of them, within the budget.
func TestManyKeepsDiffsThatAreShown(t *testing.T) {
	testkit.OneGoroutine(t)
	const documentsInAll = 40
	dir := testkit.Folder(t, equalDocuments(documentsInAll))
	preview := func(size, chars int, memory int64) (string, error) {
		work := documents.NewMemory(memory).Begin(t.Context(), nil)
		defer work.End()
		text := strings.Repeat("a line of text\n", size/15)
		r, err := EditSection(t.Context(), documents.Set{Paths: []string{dir}, Work: work, MaxBytes: 1 << 30}, EditSectionRequest{
			Heading: "A", Action: "append", Content: &text, EditOptions: EditOptions{DryRun: true, MaxChars: chars},
		})
		if err != nil {
			return "", err
		}
		if left := documentsInAll - strings.Count(string(r.Diff), "+++ "); left > 0 && !strings.Contains(string(r.Head), fmt.Sprintf("the difference of %d documents", left)) {
			t.Errorf("%d bytes, %d characters: %d differences are left out: %s", size, chars, left, r.Head)
		}
		return string(r.Diff), nil
	}
	for _, size := range []int{15, 300_000} {
		all, err := preview(size, 0, 0)
		if n := strings.Count(all, "+++ "); err != nil || n != documentsInAll {
			t.Errorf("%d bytes: %d differences, %v", size, n, err)
		}
		some, err := preview(size, 3_000, documents.MinMaxMemory)
		if err != nil || !strings.HasPrefix(all, some) || (some == "") != (size > 3_000) {
			t.Errorf("%d bytes: %q, %v", size, some, err)
		}
	}
	if _, err := preview(300_000, 0, documents.MinMaxMemory); err == nil || replies.AsError(err).Code != replies.CodeTooComplex {
		t.Errorf("in little memory: %v", err)
	}

	text := strings.Repeat("a line of text\n", 300_000/15)
	kept := heapOf(t, func() any {
		m, err := newMany(documents.Set{Paths: []string{dir}}, EditOptions{DryRun: true, MaxChars: 3_000}, "", 0)
		if err == nil {
			err = m.add("", edit.Op{Action: edit.Append, Address: "A", Text: text}, 0)
		}
		if err == nil {
			err = m.find(t.Context())
		}
		if err == nil {
			err = m.look(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	})
	if kept > 300_000 {
		t.Errorf("%d bytes are kept of %d documents", kept, documentsInAll)
	}
}

// TestOthersWithinMemory: the new destinations of links in other documents take memory within the
// budget, and so do the differences of these where a reply of any length shows them; of one that has
// a length no more is kept than it has room for.
func TestOthersWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	const perDocument = 500
	for _, c := range []struct {
		title, others, chars int
		fails                string
	}{
		{title: 2_000, others: 3},
		{title: 2_000, others: 10, chars: 3_000},
		{title: 2_000, others: 10, fails: "there is no memory"}, // for the differences
		{title: 2_000, others: 40, chars: 3_000, fails: "there is no memory"},
		{title: 20_000, others: 1, chars: 3_000, fails: "its 47.7 MiB take more"}, // copies
	} {
		contents := map[string]string{".sectile.yaml": "", "a.md": "# T\n\n## Old\n"}
		for i := range c.others {
			contents[fmt.Sprintf("n%02d.md", i)] = "# N\n\n" + strings.Repeat("[x](a.md#old)\n", perDocument)
		}
		dir := testkit.Folder(t, contents)
		for _, many := range []bool{false, true} {
			docs := documents.Set{Paths: []string{filepath.Join(dir, "a.md")}, Work: documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil), MaxBytes: 1 << 30}
			if many {
				docs.Paths[0] = filepath.Join(dir, "[a]*.md")
			}
			title := strings.Repeat("y", c.title)
			r, err := EditSection(t.Context(), docs, EditSectionRequest{
				Heading: "Old", Action: "rename", Content: &title, Links: linking.UpdateLinks, EditOptions: EditOptions{DryRun: true, MaxChars: c.chars},
			})
			docs.Work.End()
			switch {
			case (err != nil) != (c.fails != "") || err != nil && (replies.AsError(err).Code != replies.CodeTooComplex || !strings.Contains(err.Error(), c.fails)):
				t.Errorf("%+v, many %v: %v", c, many, err)
			case err == nil && c.chars == 0 && bytes.Count(r.Diff, []byte("\n+[x](a.md#yyy")) != c.others*perDocument:
				t.Errorf("%+v, many %v: not all of the difference is there: %.300s", c, many, r.Head)
			case err == nil && c.chars > 0 && !strings.Contains(string(r.Head), "left_out"):
				t.Errorf("%+v, many %v: %s", c, many, r.Head)
			}
		}
	}
}

// TestPreviewInJSONWithinMemory: a difference in JSON, in which each control character is six bytes, is
// refused where there is no memory for that; what is written is told without it.
func TestPreviewInJSONWithinMemory(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, c := range []struct {
		unit            string
		dry, diff, many bool
		refused         bool
	}{
		{"\x01", true, true, false, true},
		{"\x01", true, true, true, true},
		{"\x01", false, true, false, false},
		{"\x01", false, true, true, false},
		{"x", true, true, false, false},
		{"x", true, true, true, false},
		{"x", false, true, false, false},
		{"x", false, true, true, false},
	} {
		text := strings.Repeat("a"+strings.Repeat(c.unit, 1000)+"\n\n", 900)
		dir := testkit.Folder(t, map[string]string{"a.md": text})
		path := dir
		if !c.many {
			path = filepath.Join(dir, "a.md")
		}
		work := documents.NewMemory(documents.MinMaxMemory).Begin(t.Context(), nil)
		old, with := "a", "b"
		reply, err := EditFile(t.Context(), documents.Set{Paths: []string{path}, Work: work, MaxBytes: 1 << 30}, EditFileRequest{
			Edit:        sent.Edit{OldString: &old, NewString: &with, ReplaceAll: true, ExpectedCount: 900},
			EditOptions: EditOptions{DryRun: c.dry, Diff: c.diff},
		})
		work.End()
		if (err != nil) != c.refused || err != nil && (replies.AsError(err).Code != replies.CodeTooComplex || replies.AsError(err).Written) {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if isSame := read(t, dir, "a.md") == text; isSame != c.dry {
			t.Errorf("%+v: nothing is written: %v", c, isSame)
		}
		if err == nil && bytes.Contains(reply.JSON, []byte(`"diff":`)) != (c.unit == "x") {
			t.Errorf("%+v: %.300s", c, reply.JSON)
		}
	}
}
