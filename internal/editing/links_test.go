package editing

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestEndedWhile: an edit whose time ends tells what it was about.
func TestEndedWhile(t *testing.T) {
	w, _ := workspace(t, map[string]string{"a.md": "# Head\n", "b.md": "[a](a.md#head)" + strings.Repeat("x", 200)})
	title := "Title"
	_, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, EditSectionRequest{Heading: "Head", Action: "rename", Content: &title})
	if err == nil || !strings.Contains(err.Error(), "links_would_break") {
		t.Errorf("%v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for phase, want := range map[phase]string{
		waiting: "waited for others", changing: "made the change", looking: "looked for links in other documents; try again, or rename with links \"leave\"",
	} {
		e := editing{path: "a.md", phase: phase}
		if got := e.cause(ended.Err()); !strings.Contains(got.Message.String(), want) {
			t.Errorf("%s", got)
		}
	}
	for _, dry := range []bool{true, false} {
		_, err := EditSection(ended, documents.Set{Paths: []string{"a.md"}, Workspace: w}, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &title, EditOptions: EditOptions{DryRun: dry},
		})
		if err == nil || dry == strings.Contains(err.Error(), "waited for others") {
			t.Errorf("dry run %v: %v", dry, err)
		}
	}
}

// TestLinksThatAreNotChecked: an edit tells that links weren't checked, where they take more
// memory than there is, and counts them where there is enough.
func TestLinksThatAreNotChecked(t *testing.T) {
	const links = 150_000
	_, dir := workspace(t, map[string]string{"a.md": "# Head\n\n## Tail\n\n" + strings.Repeat("[x](#head) [y](#tail) ", links/2)})
	for memory, want := range map[int64]string{
		documents.MinMaxMemory: "the links of this document were not checked",
		0:                      "75000 links of this document led to an anchor that is gone",
	} {
		w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}, MaxMemory: memory})
		if err != nil {
			t.Fatal(err)
		}
		work := w.Begin(t.Context(), nil)
		text := "Other"
		r, err := EditSection(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}, EditSectionRequest{
			Heading: "Head", Action: "rename", Content: &text, Links: linking.LeaveLinks, EditOptions: EditOptions{DryRun: true},
		})
		if err != nil || !strings.Contains(string(r.Head), want) {
			t.Errorf("%d bytes: %v, %+v", memory, err, r)
		}
		work.End()
		work = w.Begin(t.Context(), nil)
		f, err := EditFile(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w, Work: work}, EditFileRequest{
			Edits: []sent.Edit{{OldString: new("## Tail"), NewString: new("## End")}}, EditOptions: EditOptions{DryRun: true},
		})
		if others := "not all links of other documents could be looked at"; err != nil || strings.Contains(string(f.Head), others) != (memory > 0) {
			t.Errorf("%d bytes, others: %v, %+v", memory, err, f)
		}
		work.End()
		_ = w.Close()
	}
}

// TestStrays: each way of changing a document tells how many links lead nowhere or elsewhere
// now, those of other documents too, and of nothing where all names are where they were.
func TestStrays(t *testing.T) {
	const src = "# A\n\n[1](#b) [2](#b-1) [3](#c)\n\n## B\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n"
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	version := doc.Version()
	const gone, astray, elsewhere = "led to an anchor that is gone", "led to another anchor", " of other documents led to an anchor that is gone, or is another's now"
	const way = "; rename with links update would take them along"
	twin, same, plain, title := "## B\n\nnew\n", "## C\n\nother\n", "## D\n\nnew\n", "Title"
	heading, text, other := "\n## C\n", "three", "x\n"
	for name, c := range map[string]struct {
		section EditSectionRequest
		file    EditFileRequest
		want    []string
	}{
		"remove a section":         {section: EditSectionRequest{Heading: "C", Action: "remove"}, want: []string{"1 link of this document " + gone, "1 link" + elsewhere + ": o.md:1 a.md#c"}},
		"remove the first twin":    {section: EditSectionRequest{Heading: "B", Occurrence: 1, Action: "remove"}, want: []string{"1 link of this document " + gone, "1 link of this document " + astray, "2 links" + elsewhere + ": o.md:1 a.md#b, o.md:1 a.md#b-1"}},
		"a twin before":            {section: EditSectionRequest{Heading: "B", Occurrence: 1, Action: "insert_before", Content: &twin}, want: []string{"2 links of this document " + astray, "2 links" + elsewhere + ": o.md:1 a.md#b, o.md:1 a.md#b-1"}},
		"a twin behind":            {section: EditSectionRequest{Heading: "C", Action: "insert_after", Content: &twin}},
		"another section before":   {section: EditSectionRequest{Heading: "B", Occurrence: 1, Action: "insert_before", Content: &plain}},
		"the same title":           {section: EditSectionRequest{Heading: "C", Action: "replace", Scope: "section", Content: &same}},
		"another title":            {section: EditSectionRequest{Heading: "C", Action: "replace", Scope: "section", Content: &plain}, want: []string{"1 link of this document " + gone, "1 link" + elsewhere + ": o.md:1 a.md#c" + way}},
		"a twin renamed, and left": {section: EditSectionRequest{Heading: "B", Occurrence: 1, Action: "rename", Content: &title, Links: linking.LeaveLinks}, want: []string{"1 link of this document " + gone, "1 link of this document " + astray}},
		"text that is a heading":   {file: EditFileRequest{Edit: sent.Edit{OldString: &heading, NewString: &other}}, want: []string{"1 link of this document " + gone, "1 link" + elsewhere + ": o.md:1 a.md#c"}},
		"text that is none":        {file: EditFileRequest{Edit: sent.Edit{OldString: &text, NewString: &other}}},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := workspace(t, map[string]string{"a.md": src, "o.md": "[b](a.md#b) [b1](a.md#b-1) [c](a.md#c)\n"})
			docs := documents.Set{Paths: []string{"a.md"}, Workspace: w}
			var r *EditReply
			var err error
			if c.file.OldString != nil {
				c.file.AllowRestructure = true
				r, err = EditFile(t.Context(), docs, c.file)
			} else {
				c.section.AllowRestructure, c.section.ExpectedVersion = true, version
				r, err = EditSection(t.Context(), docs, c.section)
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(string(r.Head)) {
				if text, ok := strings.CutPrefix(line, "warning: "); ok && strings.Contains(text, " led to ") {
					got = append(got, strings.TrimSpace(text))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStraysOfElements: of links to what no rename takes along, an element's id or a heading in HTML, the
// warning names no rename, in a change of one document and of several.
func TestStraysOfElements(t *testing.T) {
	const way = "would take them along"
	for _, c := range []struct {
		old, now string
		takes    bool
	}{
		{"## One", "## Two", true},
		{"## Own {#own}", "## Mine", true},
		{"<a id=\"x\"></a>", "", false},
		{"<h2>Usage</h2>", "<h2>Use</h2>", false},
		{"## One\n\n<a id=\"x\"></a>", "## Two\n\n", false},
		{"## One\n\n<a id=\"x\"></a>text<a id=\"y\"></a>", "## Two\n\n<a id=\"x\"></a>text", true}, // no link led to y
		{"# A\n", "# A\n\n> ## One\n", false},
		{"# A\n", "# A\n\n- ## One\n", false},
		{"# A\n", "# A\n\n<h2>One</h2>\n", false},
		{"# A\n", "# B\n\n> ## One\n", false},
		{"# A\n", "# One\n", true},
		{"## One\n", "", false},
	} {
		w, _ := workspace(t, map[string]string{
			"a.md": "# A\n\n## One\n\n<a id=\"x\"></a>text<a id=\"y\"></a>\n\n<h2>Usage</h2>\n\n## Own {#own}\n", "c.md": "# C\n\ntext\n",
			"b.md": "[x](a.md#x) [u](a.md#usage) [o](a.md#one) [w](a.md#own)\n",
		})
		text := "words"
		for _, edits := range [][]sent.Edit{
			{{Path: "a.md", OldString: &c.old, NewString: &c.now}},
			{{Path: "a.md", OldString: &c.old, NewString: &c.now}, {Path: "c.md", OldString: new("text"), NewString: &text}},
		} {
			r, err := EditFile(t.Context(), documents.Set{Workspace: w}, EditFileRequest{Edits: edits, EditOptions: EditOptions{AllowRestructure: true, DryRun: true}})
			if err != nil || !strings.Contains(string(r.Head), " of other documents led to ") || strings.Contains(string(r.Head), way) != c.takes {
				t.Errorf("%q: %v, %+v", c.old, err, r)
			}
		}
		section, err := EditFile(t.Context(), documents.Set{Paths: []string{"a.md"}, Workspace: w}, EditFileRequest{Edit: sent.Edit{OldString: &c.old, NewString: &c.now}, EditOptions: EditOptions{AllowRestructure: true, DryRun: true}})
		if err != nil || strings.Contains(string(section.Head), way) != c.takes {
			t.Errorf("%q: %v, %+v", c.old, err, section)
		}
	}
}

// TestStraysOfMany: a change of several documents, or of one by the number of its places, tells how
// many links of others of them and of all other documents lead nowhere now: the preview of it, too.
func TestStraysOfMany(t *testing.T) {
	const elsewhere = " of other documents led to an anchor that is gone, or is another's now"
	const four, way = ": d/c.md:3 a.md#usage, x.md:1 d/a.md#usage and 2 more links", "; rename with links update would take them along"
	own, twin := "1 link of d/a.md led to an anchor that is gone", "## Usage\n\nnew"
	text := func(path, old, now string) sent.Edit { return sent.Edit{Path: path, OldString: &old, NewString: &now} }
	action := func(path, heading, action string) sent.Edit {
		item := sent.Edit{Path: path, Heading: heading, Action: action}
		if title := "Use"; action != "remove" {
			item.Content = &title
		}
		return item
	}
	for name, c := range map[string]struct {
		edits []sent.Edit
		one   *EditSectionRequest
		want  []string
	}{
		"one document":                {edits: []sent.Edit{text("d/a.md", "## Usage", "## Use")}, want: []string{"3 links" + elsewhere + ": d/c.md:3 a.md#usage, x.md:1 d/a.md#usage and 1 more link" + way, own}},
		"a folder":                    {edits: []sent.Edit{text("d", "## Usage", "## Use")}, want: []string{"4 links" + elsewhere + four + way, own}},
		"a section that goes":         {edits: []sent.Edit{action("d", "## Usage", "remove")}, want: []string{"4 links" + elsewhere + four, own}},
		"one action":                  {one: &EditSectionRequest{Heading: "## Usage", Action: "remove"}, want: []string{"4 links" + elsewhere + four, own}},
		"one rename, and links left":  {one: &EditSectionRequest{Heading: "## Usage", Action: "rename", Links: linking.LeaveLinks}, want: []string{own}},
		"renames in a list":           {edits: []sent.Edit{action("d/a.md", "Usage", "rename"), action("d/b.md", "Usage", "rename")}, want: []string{"4 links" + elsewhere + four + way, own}},
		"one rename in a list":        {edits: []sent.Edit{action("d/b.md", "Usage", "rename")}, want: []string{"1 link" + elsewhere + ": x.md:1 d/b.md#usage" + way}},
		"links among them are mended": {edits: []sent.Edit{text("d", "## Usage", "## Use"), text("d", "#usage", "#use")}, want: []string{"3 links" + elsewhere + ": x.md:1 d/a.md#usage, x.md:1 d/a.md#usage and 1 more link" + way}},
		"names that stay":             {edits: []sent.Edit{text("d", "own", "other")}},
		"a name between":              {edits: []sent.Edit{text("d", "## Usage", "## New\n\n## Usage")}},
		"a twin before":               {edits: []sent.Edit{{Path: "d/b.md", Heading: "Usage", Action: "insert_before", Content: &twin}}, want: []string{"1 link" + elsewhere + ": x.md:1 d/b.md#usage"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Folder(t, map[string]string{
				"d/a.md": "# A\n\nown [u](#usage)\n\n## Usage\n\nu [z](#z)\n", "d/b.md": "# B\n\nown\n\n## Usage\n\n[a](a.md#a)\n", "d/c.md": "# C\n\nown [a](a.md#usage)\n",
				"x.md": "[a](d/a.md#usage) [a](d/a.md#usage) [b](d/b.md#usage)\n",
			})
			w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			ask := func(version string, dry bool) *EditReply {
				options := EditOptions{AllowRestructure: true, DryRun: dry}
				var r *EditReply
				var err error
				if title := "Use"; c.one != nil {
					if c.one.Action == "rename" {
						c.one.Content = &title
					}
					c.one.EditOptions, c.one.ExpectedVersion = options, version
					r, err = EditSection(t.Context(), documents.Set{Paths: []string{"d"}, Workspace: w}, *c.one)
				} else {
					r, err = EditFile(t.Context(), documents.Set{Workspace: w}, EditFileRequest{Edits: c.edits, ExpectedVersion: version, EditOptions: options})
				}
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for line := range strings.Lines(string(r.Head)) {
					if text, ok := strings.CutPrefix(line, "warning: "); ok {
						got = append(got, strings.TrimSpace(text))
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("dry run %v, version %q: %s", dry, version, diff)
				}
				return r
			}
			ask("", true)
			r := ask("", false)
			if said := regexp.MustCompile(`expected_version "([0-9a-f]{16})"`).FindStringSubmatch(r.Expects.String()); said != nil {
				ask(said[1], false)
			}
		})
	}
}

// TestRenameThroughLinks: a document is the same one by whatever name a server is asked for it.
func TestRenameThroughLinks(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"real/r.md": "# R\n\n## H\n", "o.md": "[y](real/r.md#h)\n"})
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for name, to := range map[string]string{"s.md": filepath.Join("real", "r.md"), "d": "real"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, path := range []string{"s.md", "d/r.md", filepath.Join(dir, "s.md")} {
		title := "Z"
		ask := func(links string) error {
			_, err := EditSection(t.Context(), documents.Set{Paths: []string{path}, Workspace: w}, EditSectionRequest{
				Heading: "H", Action: "rename", Content: &title, Links: links, EditOptions: EditOptions{DryRun: links != ""},
			})
			return err
		}
		if err := ask(""); err == nil || !strings.Contains(err.Error(), "links_would_break") {
			t.Errorf("%s: %v", path, err)
		}
		if err := ask(linking.UpdateLinks); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
