package guide

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/config"
)

// TestMemory asks for much of a project with a memory and without: the answers are the same. When
// the files are gone those with the memory still are, so none of them looks for what was found.
func TestMemory(t *testing.T) {
	c := shelves(t)
	type answer struct {
		Reply *Reply
		Error string
	}
	one := func(c *config.Loaded, m *Memory, name, pattern string) answer {
		r, err := Serve(t.Context(), c, name, pattern, Options{Memory: m})
		if err != nil {
			return answer{r, err.Error()}
		}
		return answer{r, ""}
	}
	ask := func(c *config.Loaded, m *Memory) (answers []answer) {
		for i := range c.Categories {
			for _, pattern := range []string{"", "**", "a", "*.md", "none", "docs/a.md"} {
				answers = append(answers, one(c, m, c.Categories[i].Name, pattern))
			}
		}
		for i := range c.Collections {
			for _, pattern := range []string{"", "**", "a.md", "*.txt", "none", "notes/a.md"} {
				answers = append(answers, one(c, m, c.Collections[i].Name, pattern))
			}
		}
		return answers
	}
	var m Memory
	few := *c
	few.Guide.MaxFiles = 1
	for name, c := range map[string]*config.Loaded{"all": c, "few": &few} {
		if diff := cmp.Diff(ask(c, nil), ask(c, &m)); diff != "" {
			t.Errorf("%s (-without +with):\n%s", name, diff)
		}
	}
	before := ask(c, &m)
	full := Memory{size: maxMemory}
	one(c, &full, "all", "")
	if len(full.kept) > 0 {
		t.Errorf("%d are kept where there is no room", len(full.kept))
	}
	if err := os.RemoveAll(c.Root + "/docs"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(c.Root + "/notes"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, ask(c, &m)); diff != "" {
		t.Errorf("files are looked for again (-before +after):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Serve(ctx, c, "docs", "", Options{Memory: &m}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r, err := Serve(t.Context(), c, "docs", "", Options{Memory: &m, Content: true}); err == nil {
		t.Errorf("contents are kept: %+v", r)
	}
}
