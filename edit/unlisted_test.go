package edit

import (
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// An action that a part has no rule for is refused there, even if Actions lists it: it is
// not taken for another one.
func TestActionWithoutRuleIsRefused(t *testing.T) {
	doc, err := markdown.Parse([]byte("---\na: b\n---\n\nIntro.\n\n# One\n\nText.\n\n> Quote.\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, refused := newContent(newDraft(t.Context(), doc, markdown.Limits{}), "Other text.")
	if refused != nil {
		t.Fatal(refused)
	}
	op := &Op{Action: "move"}
	for _, addr := range []string{"# One", "h1.0/para.0", "h1.0/quote.0/para.0", "@preamble", "@frontmatter", "@document"} {
		res, err := address.Resolve(doc, addr)
		if err != nil {
			t.Fatal(err)
		}
		ch, refused := op.on(doc, res.Node, c)
		if ch != nil || refused == nil || refused.Code != InvalidArgument {
			t.Errorf("%s: %v, %v", addr, ch, refused)
		}
	}
}

func TestEachActionHasARuleForSections(t *testing.T) {
	for _, action := range Actions() {
		if action == Set { // which is for smaller parts
			continue
		}
		doc, err := markdown.Parse([]byte("# One\n\nText.\n\n# Two\n"))
		if err != nil {
			t.Fatal(err)
		}
		op := Op{Action: action, Address: "# Two", Text: "Other"}
		switch action {
		case Remove:
			op.Text = ""
		case InsertBefore, InsertAfter:
			op.Text = "# Three"
		}
		if _, err := Apply(doc, []Op{op}); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
}
