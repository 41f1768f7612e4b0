package editing

import (
	"context"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
)

// TestTargetsSeparated has changes part a line that names a heading from the heading, and others
// that keep them together.
func TestTargetsSeparated(t *testing.T) {
	const text = "# Rules\n\nr[rules.a]\n## A\n\none\n\n<!-- rules.b -->\n## B\n\ntwo\n\n(c-target)=\n## C\n\nthree\n\n<a id=\"e-name\"></a>\n## E\n\nfour\n"
	const a, b, c = `"r[rules.a]" stood directly above the heading "A"`, `"<!-- rules.b -->" stood directly above the heading "B"`, `"(c-target)=" stood directly above the heading "C"`
	const e = `"<a id=\"e-name\"></a>" stood directly above the heading "E"`
	content := func(s string) *string { return &s }
	move := func(req MoveSectionRequest) func(context.Context, documents.Set) (*EditReply, error) {
		return func(ctx context.Context, docs documents.Set) (*EditReply, error) { return MoveSection(ctx, docs, req) }
	}
	change := func(req EditSectionRequest) func(context.Context, documents.Set) (*EditReply, error) {
		return func(ctx context.Context, docs documents.Set) (*EditReply, error) {
			return EditSection(ctx, docs, req)
		}
	}
	for _, test := range []struct {
		name string
		make func(context.Context, documents.Set) (*EditReply, error)
		want []string
	}{
		{"moved", move(MoveSectionRequest{Heading: "A", Action: "move", To: "C", Where: "after"}), []string{a}},
		{"moved to another document", move(MoveSectionRequest{Heading: "A", Action: "move", ToPath: "b.md", Create: true}), []string{a + ", which it may name, and doesn't now, and so for 1 more"}},
		{"removed", change(EditSectionRequest{Heading: "A", Action: "remove"}), []string{a + ", which it may name, and doesn't now, and so for 1 more"}},
		{"the last one removed", change(EditSectionRequest{Heading: "C", Action: "remove"}), []string{c}},
		{"something behind it", change(EditSectionRequest{Heading: "A", Action: "append", Content: content("more")}), []string{b}},
		{"something before it", change(EditSectionRequest{Heading: "C", Action: "insert_before", Content: content("## New\n\nnew")}), []string{c}},
		{"replaced", change(EditSectionRequest{Heading: "B", Action: "replace", Content: content("new")}), []string{c}},
		{"replaced with it", change(EditSectionRequest{Heading: "B", Action: "replace", Content: content("new\n\n(c-target)=")}), nil},
		{"replaced by another one", change(EditSectionRequest{Heading: "B", Action: "replace", Content: content("new\n\n(d-target)=")}), nil},
		{"renamed", change(EditSectionRequest{Heading: "B", Action: "rename", Content: content("D")}), nil},
		{"something behind an element", change(EditSectionRequest{Heading: "C", Action: "append", Content: content("more")}), []string{e}},
		{"the last one", change(EditSectionRequest{Heading: "E", Action: "append", Content: content("more")}), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, docs := served(t, text)
			reply, err := test.make(t.Context(), docs)
			if err != nil {
				t.Fatal(err)
			}
			said := string(reply.Text())
			if got := strings.Count(said, "stood directly above"); got != len(test.want) {
				t.Errorf("%d warnings, want %d:\n%s", got, len(test.want), said)
			}
			for _, want := range test.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %s:\n%s", want, said)
				}
			}
		})
	}
}
