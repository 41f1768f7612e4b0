package ranking

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// bleveEngine is the index of bleve, as it is by default but for its scores, which are BM25.
type bleveEngine struct {
	index  bleve.Index
	places []Place // by the number of the section
}

// Bleve returns the engine.
func Bleve() Engine { return &bleveEngine{} }

func (b *bleveEngine) Name() string { return "bleve" }

// bleveMapping has the four fields as English text.
func bleveMapping() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.DocValues, text.IncludeInAll = en.AnalyzerName, false, false, false
	section := bleve.NewDocumentStaticMapping()
	for _, field := range []string{"title", "around", "path", "body"} {
		section.AddFieldMappingsAt(field, text)
	}
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.DefaultAnalyzer, m.ScoringModel = section, en.AnalyzerName, "bm25"
	return m
}

func (b *bleveEngine) Load(_ context.Context, folder string, docs []Document) (err error) {
	if b.index, err = bleve.New(filepath.Join(folder, "sections.bleve"), bleveMapping()); err != nil {
		return err
	}
	batch := b.index.NewBatch()
	for _, d := range docs {
		sections, err := sectionsOf(d)
		if err != nil {
			return err
		}
		for i := range sections {
			c := &sections[i]
			fields := map[string]any{"title": c.Title, "around": c.Breadcrumb, "path": pathWords(c.Path), "body": c.Body}
			if err := batch.Index(strconv.Itoa(len(b.places)), fields); err != nil {
				return err
			}
			b.places = append(b.places, c.Place)
		}
		if batch.Size() < 1000 {
			continue
		}
		if err := b.index.Batch(batch); err != nil {
			return err
		}
		batch.Reset()
	}
	return b.index.Batch(batch)
}

func (b *bleveEngine) Knobs() []Knob {
	weights := []float64{0, 0.1, 0.25, 0.5, 1, 2}
	return []Knob{
		{"title", 1, []float64{1, 2, 3, 5, 8, 12, 20}, 1},
		{"around", 1, weights, 0},
		{"path", 1, weights, 1},
		// By words: each word in any field, so that what has more of them counts more. Else
		// by fields.
		{"by words", 0, []float64{0, 1}, 0},
		{"phrase in the title", 0, []float64{0, 0.5, 1, 2, 5, 10}, 5},
		{"phrase in the body", 0, []float64{0, 0.5, 1, 2, 5}, 1},
		{"k1", 1.2, []float64{0.6, 0.9, 1.2, 1.6, 2}, 1.2},
		{"b", 0.75, []float64{0.25, 0.5, 0.75, 0.9}, 0.25},
	}
}

func (b *bleveEngine) Answers(ctx context.Context, texts []string, settings []float64) ([][]Place, error) {
	search.BM25_k1, search.BM25_b = settings[6], settings[7]
	all := make([][]Place, len(texts))
	for i, text := range texts {
		r, err := b.index.SearchInContext(ctx, bleve.NewSearchRequestOptions(bleveQuery(text, settings), Most, 0, false))
		if err != nil {
			return nil, err
		}
		for _, hit := range r.Hits {
			at, err := strconv.Atoi(hit.ID)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], b.places[at])
		}
	}
	return all, nil
}

// bleveQuery is the query for a text.
func bleveQuery(text string, settings []float64) query.Query {
	inFields := func(text string) *query.DisjunctionQuery {
		fields := bleve.NewDisjunctionQuery()
		for i, field := range []string{"title", "around", "path", "body"} {
			boost := append(settings[:3:3], 1)[i]
			if boost == 0 {
				continue
			}
			match := bleve.NewMatchQuery(text)
			match.SetField(field)
			match.SetBoost(boost)
			fields.AddQuery(match)
		}
		return fields
	}
	all := inFields(text)
	if settings[3] > 0 {
		all = bleve.NewDisjunctionQuery()
		for _, word := range wordsOf(text, true) {
			all.AddQuery(inFields(word))
		}
	}
	for i, field := range []string{"title", "body"} {
		if boost := settings[4+i]; boost > 0 {
			phrase := bleve.NewMatchPhraseQuery(text)
			phrase.SetField(field)
			phrase.SetBoost(boost)
			all.AddQuery(phrase)
		}
	}
	return all
}
