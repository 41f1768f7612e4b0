package editing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// TestMoveUnread moves a section that was read and one that wasn't: what was not read stays
// unread wherever it stands.
func TestMoveUnread(t *testing.T) {
	const text = "# A\n\none\n\n# B\n\ntwo\n\n## B1\n\nthree\n\n# C\n\nfour\n"
	for _, test := range []struct {
		name, read string
		req        MoveSectionRequest
		want       string
	}{
		{"nothing read", "", MoveSectionRequest{Heading: "B", Action: "move", To: "C", Where: "after"}, "A C B B1"},
		{"it was read", "# B", MoveSectionRequest{Heading: "B", Action: "move", To: "C", Where: "after"}, "A C"},
		{"to the front", "# A", MoveSectionRequest{Heading: "C", Action: "move", To: "A", Where: "before"}, "C B B1"},
		{"with another level", "", MoveSectionRequest{Heading: "B", Action: "move", To: "A", Where: "last"}, "A B B1 C"},
		{"read, with another level", "# B", MoveSectionRequest{Heading: "B", Action: "move", To: "C", Where: "last"}, "A C"},
		{"one is", "## B1", MoveSectionRequest{Heading: "B", Action: "move", To: "A", Where: "before"}, "B A C"},
		{"demoted", "# A", MoveSectionRequest{Heading: "B1", Action: "demote"}, "B B1 C"},
		{"reordered", "# C", MoveSectionRequest{Heading: "@document", Action: "reorder", Order: []string{"C", "B", "A"}}, "B B1 A"},
	} {
		dir, docs := served(t, text)
		key, before := docs.FileKey("a.md"), parsed(t, text)
		for i := range before.Sections {
			if doc := before; address.HeadingOf(doc, i) == test.read {
				docs.Session.Delivered(key, doc, []markdown.Lines{doc.SectionLines(i)})
			}
		}
		if _, err := MoveSection(t.Context(), docs, test.req); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		now, err := os.ReadFile(filepath.Join(dir, "a.md"))
		if err != nil {
			t.Fatal(err)
		}
		after := parsed(t, string(now))
		var got []string
		for _, s := range docs.Session.Unread(key, after).Sections {
			got = append(got, s.Title)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: unread are %q, want %q", test.name, got, test.want)
		}
	}
}

// parsed returns the parse of a text.
func parsed(t *testing.T, text string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestMoveBlankGuards: a guard that guards nothing is an error, also for a move to another document.
func TestMoveBlankGuards(t *testing.T) {
	for _, to := range []string{"", "b.md"} {
		_, docs := served(t, "# A\n\n## B\n")
		req := MoveSectionRequest{Heading: "B", Action: "promote", ToPath: to, Create: to != ""}
		if to != "" {
			req.Action = "move"
		}
		for _, blank := range []string{"#", " # ", " "} {
			hash, version := req, req
			hash.ExpectedHash, version.ExpectedVersion = blank, blank
			for _, r := range []MoveSectionRequest{hash, version} {
				if _, err := MoveSection(t.Context(), docs, r); err == nil || !strings.Contains(err.Error(), "is empty; leave it out") {
					t.Errorf("%+v: %v", r, err)
				}
			}
		}
	}
}
