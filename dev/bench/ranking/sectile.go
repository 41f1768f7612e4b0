package ranking

import (
	"context"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/search"
)

// ours is the package search. It has no index: what it has found for a query is kept, for
// settings change only how that is scored.
type ours struct {
	docs   []Document
	parsed map[int]*markdown.Document
	found  map[string]*asked
}

type asked struct {
	query   *search.Query
	scanner *search.Scanner
}

// Sectile returns the engine.
func Sectile() Engine { return &ours{parsed: map[int]*markdown.Document{}, found: map[string]*asked{}} }

func (o *ours) Name() string { return "sectile" }

func (o *ours) Load(_ context.Context, _ string, docs []Document) error {
	o.docs = docs
	return nil
}

// Knobs are the weights; what tuning has found are the package's own.
func (o *ours) Knobs() []Knob {
	w := search.DefaultWeights()
	return []Knob{
		{"title", 1, []float64{1, 2, 3, 5, 8, 12, 20}, w.Title},
		{"around", 1, []float64{0, 0.1, 0.25, 0.4, 0.5, 1, 2}, w.Around},
		{"path", 1, []float64{0, 0.1, 0.25, 0.3, 0.5, 1, 2}, w.Path},
		{"k1", 1.2, []float64{0.6, 0.9, 1.2, 1.6, 2}, w.K1},
		{"b", 0.75, []float64{0.25, 0.5, 0.75, 0.9}, w.B},
		{"title's b", 0.75, []float64{0, 0.25, 0.5, 0.75, 0.9}, w.TitleB},
		{"share of the words", 0, []float64{0, 0.5, 1, 1.5, 2}, w.Share},
		{"side by side", 0, []float64{0, 0.1, 0.3, 0.5, 1}, w.Beside},
		{"whole title", 0, []float64{0, 0.1, 0.3, 0.5, 1}, w.Whole},
		{"first section", 0, []float64{0, 0.1, 0.2, 0.3}, w.First},
	}
}

func weightsOf(settings []float64) search.Weights {
	w := search.DefaultWeights()
	for i, at := range []*float64{&w.Title, &w.Around, &w.Path, &w.K1, &w.B, &w.TitleB, &w.Share, &w.Beside, &w.Whole, &w.First} {
		*at = settings[i]
	}
	return w
}

func (o *ours) Answers(_ context.Context, texts []string, settings []float64) ([][]Place, error) {
	all := make([][]Place, len(texts))
	for i, text := range texts {
		a, err := o.ask(text)
		if err != nil {
			return nil, err
		}
		a.query.Weights = weightsOf(settings)
		for _, hit := range a.query.Rank(0, Most, a.scanner).Hits {
			p, err := o.place(hit.Document, hit.Section)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], p)
		}
	}
	return all, nil
}

// ask looks through all documents for a text, once.
func (o *ours) ask(text string) (*asked, error) {
	if a := o.found[text]; a != nil {
		return a, nil
	}
	q, err := search.Parse(text)
	if err != nil {
		return nil, err
	}
	a := &asked{q, q.Scanner()}
	for n, d := range o.docs {
		parse := func([]byte) (*markdown.Document, error) { return o.parse(n) }
		if err := a.scanner.Scan(n, d.Path, d.Source, parse); err != nil {
			return nil, err
		}
	}
	o.found[text] = a
	return a, nil
}

// parse returns a document, parsed once for all queries.
func (o *ours) parse(document int) (doc *markdown.Document, err error) {
	if doc = o.parsed[document]; doc == nil {
		doc, err = markdown.Parse(o.docs[document].Source)
		o.parsed[document] = doc
	}
	return doc, err
}

func (o *ours) place(document, section int) (Place, error) {
	doc, err := o.parse(document)
	if err != nil {
		return Place{}, err
	}
	return PlaceOf(o.docs[document].Path, doc, section), nil
}
