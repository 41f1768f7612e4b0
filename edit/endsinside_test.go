package edit_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sectile/sectile/edit"
)

// containersAround returns the quotes and lists around the block that has a word in one of its lines.
func containersAround(root ast.Node, src []byte, word string) (all []ast.Node) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || !bytes.Contains(n.Lines().Value(src), []byte(word)) {
			return ast.WalkContinue, nil
		}
		for p := n.Parent(); p != nil; p = p.Parent() {
			if p.Kind() == ast.KindBlockquote || p.Kind() == ast.KindList {
				all = append(all, p)
			}
		}
		return ast.WalkStop, nil
	})
	return all
}

// TestRestStaysInside replaces a line of code or of a paragraph in quotes and lists by lines of any kind. What stands
// behind it in the block stays in all the quotes and lists that what stands before it is in, or the text is refused: by
// goldmark, which knows nothing of how that is seen to.
func TestRestStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	containers := [][2]string{{"> ", "> "}, {"- ", "  "}, {"1. ", "   "}}
	lines := []string{"x", "x\ny", "x\n\ny", "x\n%sy", "x\n%sy\n%sz", "x\n> y", "> y", "x\n- y", "x\n  y", "x\n```\ny", "x\n%s\n%sy", "x\n# y", "x\n%s> y", "x\n%s- y", "x\n\n%sy", "-   x", "> x"}
	made, refused := 0, 0
	for range 4000 {
		first, prefix := "", ""
		for range 1 + r.IntN(3) {
			c := containers[r.IntN(len(containers))]
			first, prefix = first+c[0], prefix+c[1]
		}
		leaf := []string{"one make", "two", "three make", "four make"}
		if r.IntN(2) == 0 {
			leaf = []string{"```", leaf[0], leaf[1], leaf[2], "", leaf[3], "```"}
		}
		src := "# T\n\n" + first + strings.Join(leaf, "\n"+prefix) + "\n"
		if r.IntN(2) == 0 {
			src += "\nlast\n"
		}
		put := strings.ReplaceAll(lines[r.IntN(len(lines))], "%s", prefix)
		old := []string{"two", "wo", "two\n" + prefix + "three", prefix[len(prefix)-2:] + "two", "make"}[r.IntN(5)]
		doc := parse(t, []byte(src))
		result, err := applyWith(doc, []edit.Op{{Action: edit.ReplaceText, Old: old, Text: put, All: true}}, edit.Options{})
		if err != nil {
			if failed, ok := errors.AsType[edit.Errors](err); !ok || failed[0].Code != edit.StructureChanged {
				t.Errorf("%q, %q to %q: %v", src, old, put, err)
			}
			refused++
			continue
		}
		made++
		now := result.Doc.Source
		root := newGoldmark().Parse(text.NewReader(now))
		before, behind := containersAround(root, now, "one"), containersAround(root, now, "four")
		for _, c := range before {
			if !slices.Contains(behind, c) {
				t.Errorf("%q, %q to %q: what stands behind it is in %d quotes and lists, and not in all of the %d before it:\n%s", src, old, put, len(behind), len(before), now)
				break
			}
		}
	}
	if made < 500 || refused < 500 {
		t.Errorf("%d made, %d refused", made, refused)
	}
}
