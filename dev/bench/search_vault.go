package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/dev/bench/ranking"
	"github.com/sectile/sectile/markdown"
)

// vaultSearch is markdown-vault-mcp as a search engine: its tool search returns documents, each with
// the sections that suit best. It has nothing to tune.
type vaultSearch struct {
	machine *machine
	server  *server
	titles  map[string]map[string]ranking.Place // of a document's sections, the first of equal ones
}

func (v *vaultSearch) Name() string { return "markdown-vault-mcp" }

func (v *vaultSearch) Knobs() []ranking.Knob { return nil }

// Load writes the documents and starts a server, which makes its index in memory.
func (v *vaultSearch) Load(ctx context.Context, folder string, docs []ranking.Document) error {
	v.titles = map[string]map[string]ranking.Place{}
	below := filepath.Join(v.machine.scratch, "searched")
	for _, d := range docs {
		path := filepath.Join(below, filepath.FromSlash(d.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(path, d.Source, 0o600); err != nil {
			return err
		}
		doc, err := markdown.Parse(d.Source)
		if err != nil {
			return err
		}
		v.titles[d.Path] = map[string]ranking.Place{"": ranking.PlaceOf(d.Path, doc, min(0, len(doc.Sections)-1))}
		for i := range doc.Sections {
			title := unmarkedTitle(doc.SectionTitle(i))
			if _, ok := v.titles[d.Path][title]; !ok {
				v.titles[d.Path][title] = ranking.PlaceOf(d.Path, doc, i)
			}
		}
	}
	command := append([]string{"env", "MARKDOWN_VAULT_MCP_READ_ONLY=true", "MARKDOWN_VAULT_MCP_INDEX_PATH=" + filepath.Join(folder, "index.db")}, vaultCommand(v.machine)(below)...)
	s, err := startServer(ctx, command)
	if err != nil {
		return err
	}
	v.server = s
	return vaultReady(s)
}

// unmarkedTitle is a title without the marks of code, which one of both shows.
func unmarkedTitle(title string) string { return strings.NewReplacer("`", "", "*", "").Replace(title) }

// Answers asks for documents with up to three sections of each, and takes the sections in the order of the reply.
func (v *vaultSearch) Answers(_ context.Context, texts []string, _ []float64) ([][]ranking.Place, error) {
	all := make([][]ranking.Place, len(texts))
	for i, text := range texts {
		reply, err := v.server.call(call{"search", map[string]any{"query": text, "limit": ranking.Most / 3, "chunks_per_file": 3, "snippet_words": 1}})
		if err != nil {
			return nil, err
		}
		var notes []struct {
			Path     string
			Sections []struct{ Heading string }
		}
		if err := json.Unmarshal([]byte(reply), &notes); err != nil && reply != "" {
			return nil, err
		}
		for _, n := range notes {
			for _, s := range n.Sections {
				if place, ok := v.titles[n.Path][unmarkedTitle(s.Heading)]; ok {
					all[i] = append(all[i], place)
				}
			}
		}
	}
	return all, nil
}
