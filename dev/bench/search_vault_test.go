package main

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/dev/bench/ranking"
	"github.com/sectile/sectile/internal/testkit"
)

// TestVaultSearch has markdown-vault-mcp find a section, whose place is named as queries name it.
func TestVaultSearch(t *testing.T) {
	m := here(t)
	if err := vault(m).find(t.Context(), m); err != nil {
		testkit.Missing(t, fmt.Sprintf("%v; %s", err, vault(m).install))
	}
	v := &vaultSearch{machine: m}
	long := "# Birds\n\nBirds fly.\n"
	for i := range 40 { // a short document is one piece to it
		long += fmt.Sprintf("\n## Part %d\n\nProse.\n", i)
	}
	docs := []ranking.Document{{Path: "a.md", Source: []byte(long + "\n## The `heron`\n\nIt stands in water.\n")}, {Path: "b/c.md", Source: []byte("# Plants\n\nMoss.\n")}}
	if err := v.Load(t.Context(), t.TempDir(), docs); err != nil {
		t.Fatal(err)
	}
	defer v.server.close()
	got, err := v.Answers(t.Context(), []string{"stands in water", "moss"}, nil)
	want := [][]ranking.Place{{{Path: "a.md", Title: "The heron", Breadcrumb: "Birds"}}, {{Path: "b/c.md", Title: "Plants"}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
