// Package ranking compares search engines by how soon the section that is looked for stands
// in their answers. Queries are texts of links of real documents, and the answer to each is
// the section that its link leads to. One half of the queries is for tuning, by the same
// procedure for every engine ([Tune]), and what is reported is judged by the other
// half ([Judge]).
package ranking

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Place is a section by the names that queries have for it. Title and breadcrumb are empty for what stands before
// the first heading.
type Place struct {
	Path       string `json:"path"`
	Title      string `json:"title"`
	Breadcrumb string `json:"breadcrumb"` // titles of the sections around, outermost first, with " > " between
}

// Query is a text with the section that it leads to, and the sections that hold the link
// itself, which are dropped from all answers.
type Query struct {
	Text    string  `json:"query"`
	Answer  Place   `json:"answer"`
	Exclude []Place `json:"exclude"`
}

// Document is a file that engines look through, by its path below the folder of all.
type Document struct {
	Path   string
	Source []byte
}

// Section is what an engine is given of a document: the text of a section up to its first
// subsection, as Markdown, without its heading.
type Section struct {
	Place
	Body string
}

// Most is how many answers an engine is asked for. What is judged are the first ten that are
// not excluded.
const Most = 60

// Engine is a search engine with its settings.
type Engine interface {
	Name() string
	// Load makes the documents ready, in a folder that is empty.
	Load(ctx context.Context, folder string, docs []Document) error
	// Knobs are what can be tuned. Settings are a value for each, in their order.
	Knobs() []Knob
	// Answers returns the sections for each of the texts, the best first and at most
	// Most, with these settings.
	Answers(ctx context.Context, texts []string, settings []float64) ([][]Place, error)
}

// Knob is a setting.
type Knob struct {
	Name   string
	Plain  float64   // where tuning begins
	Values []float64 // that are tried
	Tuned  float64   // what tuning has found
}

// Tuned returns the settings that tuning has found.
func Tuned(e Engine) []float64 {
	return settings(e, func(k Knob) float64 { return k.Tuned })
}

func settings(e Engine, of func(Knob) float64) []float64 {
	var list []float64
	for _, k := range e.Knobs() {
		list = append(list, of(k))
	}
	return list
}

// ReadQueries reads a file that has a query as JSON in each line. Those of odd lines, counted
// from 1, are for tuning, and those of even ones judge.
func ReadQueries(path string) (tune, judge []Query, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close() //nolint:errcheck // it is only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var q Query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if n%2 == 1 {
			tune = append(tune, q)
		} else {
			judge = append(judge, q)
		}
	}
	return tune, judge, lines.Err()
}

// Result is what an engine has reached.
type Result struct {
	MRR   float64 // mean of the queries' reciprocal ranks among the first ten
	First int     // queries whose answer came first
	Ten   int     // queries whose answer came among the first ten
}

// Judge asks an engine all queries.
func Judge(ctx context.Context, e Engine, queries []Query, settings []float64) (Result, error) {
	texts := make([]string, len(queries))
	for i := range queries {
		texts[i] = queries[i].Text
	}
	answers, err := e.Answers(ctx, texts, settings)
	if err == nil && len(answers) != len(queries) {
		err = fmt.Errorf("%d answers to %d queries", len(answers), len(queries))
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", e.Name(), err)
	}
	var r Result
	for i := range queries {
		switch rank := queries[i].rank(answers[i]); rank {
		case 0:
		case 1:
			r.First++
			fallthrough
		default:
			r.Ten++
			r.MRR += 1 / float64(rank) / float64(len(queries))
		}
	}
	return r, nil
}

// rank is where among the first ten answers the right one stands, counted from 1, or 0.
func (q *Query) rank(answers []Place) int {
	rank := 0
	for _, a := range answers {
		if slices.Contains(q.Exclude, a) {
			continue
		}
		if rank++; rank > 10 {
			return 0
		}
		if a == q.Answer {
			return rank
		}
	}
	return 0
}

// sectionsOf returns the sections of a document, what stands before the first one too.
func sectionsOf(d Document) ([]Section, error) {
	doc, err := markdown.Parse(d.Source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	list := []Section{{Place: PlaceOf(d.Path, doc, -1), Body: string(doc.Text(doc.Preamble()))}}
	for i := range doc.Sections {
		span := doc.BodySpan(i)
		span.Start = max(span.Start, int(doc.Blocks[doc.Sections[i].Heading].End))
		list = append(list, Section{Place: PlaceOf(d.Path, doc, i), Body: string(doc.Text(span))})
	}
	return list, nil
}

// PlaceOf names a section of a document, -1 for what stands before the first.
func PlaceOf(path string, doc *markdown.Document, section int) Place {
	p := Place{Path: path}
	if section < 0 {
		return p
	}
	p.Title = doc.SectionTitle(section)
	for i := doc.Sections[section].Parent; i >= 0; i = doc.Sections[i].Parent {
		p.Breadcrumb = strings.TrimSuffix(doc.SectionTitle(int(i))+" > "+p.Breadcrumb, " > ")
	}
	return p
}

// pathWords returns a path as words, for engines that take "ch01-title.md" for one.
func pathWords(path string) string {
	return strings.NewReplacer("/", " ", "-", " ", "_", " ", "+", " ", ".", " ").Replace(strings.TrimSuffix(path, ".md"))
}

// Tune returns the settings that are best on queries: beginning with the plain ones it takes
// for each knob in turn the best of its values, and goes over all knobs until none changes
// any more, three times at most. It is the same for every engine. Log is told each
// improvement.
func Tune(ctx context.Context, e Engine, queries []Query, log func(format string, arguments ...any)) ([]float64, Result, error) {
	knobs := e.Knobs()
	best := settings(e, func(k Knob) float64 { return k.Plain })
	reached, err := Judge(ctx, e, queries, best)
	if err != nil {
		return nil, Result{}, err
	}
	log("%s: plain: %.4f\n", e.Name(), reached.MRR)
	for range 3 {
		improved := false
		for i, k := range knobs {
			for _, v := range k.Values {
				if cmp.Compare(v, best[i]) == 0 {
					continue
				}
				tried := append([]float64(nil), best...)
				tried[i] = v
				r, err := Judge(ctx, e, queries, tried)
				if err != nil {
					return nil, Result{}, err
				}
				if r.MRR > reached.MRR+1e-9 {
					best, reached, improved = tried, r, true
					log("%s: %s %v: %.4f\n", e.Name(), k.Name, v, r.MRR)
				}
			}
		}
		if !improved {
			break
		}
	}
	return best, reached, nil
}
