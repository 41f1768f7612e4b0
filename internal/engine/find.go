package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/sectile/sectile/search"
)

// candidates is the number of sections that an engine hands over: of those, package search takes
// the best.
const candidates = 200

// Hit is a section that an engine has found.
type Hit struct {
	ID       string
	Root     string // the id of its root
	Path     string // below it, with forward slashes
	Document string // the hash of the document that it was in
	Section  int    // its index there, as search.Hit has it
	Time     time.Time
	Shown    Shown
}

// Found is what an engine has found.
type Found struct {
	Documents int   // that were looked at
	Bytes     int64 // of all of them
	Matching  int   // documents that have a section that matches
	Sections  int   // that match
	// Have is of each of Query.Words the number of sections that match and have it in the
	// heading or below it; Seen is the same of all sections, whether or not they match.
	Have, Seen []int

	Hits []Hit
}

// searchAnswer is what an engine answers a search with.
type searchAnswer struct {
	TimedOut bool `json:"timed_out"`
	Shards   struct {
		Failed int `json:"failed"`
	} `json:"_shards"`
	Hits struct {
		Hits []hitAnswer `json:"hits"`
	} `json:"hits"`
	Error  json.RawMessage `json:"error"`
	Status int             `json:"status"`

	Aggregations struct {
		Documents struct {
			Count int `json:"doc_count"`
			Bytes struct {
				Value float64 `json:"value"`
			} `json:"bytes"`
		} `json:"documents"`
		Seen  bucketsAnswer `json:"seen"`
		Match struct {
			Count     int           `json:"doc_count"`
			Have      bucketsAnswer `json:"have"`
			Documents struct {
				Value int `json:"value"`
			} `json:"documents"`
		} `json:"match"`
		Roots struct {
			Buckets []struct {
				Key    string `json:"key"`
				Latest struct {
					Value float64 `json:"value"`
				} `json:"latest"`
			} `json:"buckets"`
		} `json:"roots"`
	} `json:"aggregations"`
}

type hitAnswer struct {
	ID     string  `json:"_id"`
	Score  float64 `json:"_score"`
	Source record  `json:"_source"`
	Found  bool    `json:"found"`
}

type bucketsAnswer struct {
	Buckets map[string]struct {
		Count int `json:"doc_count"`
	} `json:"buckets"`
}

// whole returns an error if an answer is not that of all parts of an index: some that are
// missing would look like documents that there aren't.
func (a *searchAnswer) whole(c *Client) error {
	switch {
	case len(a.Error) > 0:
		text, err := json.Marshal(object{"error": a.Error})
		if err != nil {
			return err
		}
		return c.refused(a.Status, text)
	case a.TimedOut || a.Shards.Failed > 0:
		return &Error{Code: Refused, Status: http.StatusServiceUnavailable, Message: c.URL() + " has not all its parts at hand; try again later"}
	}
	return nil
}

// Roots returns of some roots, by their ids, those that the index has, with the time of their
// latest document.
func (c *Client) Roots(ctx context.Context, ids []string) (map[string]time.Time, error) {
	body, err := json.Marshal(object{
		"size": 0, "track_total_hits": false,
		"query": object{"bool": object{"filter": []object{{"term": object{"kind": kindDocument}}, {"terms": object{"root": ids}}}}},
		"aggs":  object{"roots": object{"terms": object{"field": "root", "size": len(ids) + 1}, "aggs": object{"latest": object{"max": object{"field": "time"}}}}},
	})
	if err != nil {
		return nil, err
	}
	var found searchAnswer
	if err := c.send(ctx, http.MethodPost, c.index+"/_search?allow_partial_search_results=false", body, &found); err != nil {
		return nil, err
	}
	if err := found.whole(c); err != nil {
		return nil, err
	}
	there := map[string]time.Time{}
	for _, b := range found.Aggregations.Roots.Buckets {
		if slices.Contains(ids, b.Key) {
			there[b.Key] = time.UnixMilli(int64(b.Latest.Value)).UTC()
		}
	}
	return there, nil
}

// Find asks for the sections of the scopes that a query may be about, and for what there is to
// know of all that match.
func (c *Client) Find(ctx context.Context, query *search.Query, scopes []Scope, paths []PathFilter) (*Found, error) {
	a := &asked{query, query.Clauses(), scopes, paths}
	answers, err := c.searches(ctx, a.totals(), a.hits(false), a.hits(true))
	if err != nil {
		return nil, err
	}
	out, ok := answers[0].totals(a.clauses)
	if !ok {
		return nil, errorOf(Strange, "%s has counted what can't be; check the address", c.URL())
	}
	out.Hits = merged(answers[1].Hits.Hits, answers[2].Hits.Hits)
	return out, nil
}

// totals returns the search that counts.
func (a *asked) totals() object {
	seen, have := object{}, object{}
	for i := range a.clauses {
		c := &a.clauses[i]
		where := []string{fieldTitle, fieldBody}
		if a.query.In == search.InCode {
			where = []string{fieldCode}
		}
		seen[strconv.Itoa(i)] = has(c, where...)
		have[strconv.Itoa(i)] = has(c, a.own(c)...)
	}
	return object{
		"size": 0, "track_total_hits": false, "query": a.within(),
		"aggs": object{
			"documents": object{"filter": object{"term": object{"kind": kindDocument}}, "aggs": object{"bytes": object{"sum": object{"field": "bytes"}}}},
			"seen":      object{"filters": object{"filters": seen}},
			"match": object{"filter": a.matching(), "aggs": object{
				"have":      object{"filters": object{"filters": have}},
				"documents": object{"cardinality": object{"field": "place", "precision_threshold": 40_000}},
			}},
		},
	}
}

// hits returns the search for the sections that may be the best.
func (a *asked) hits(all bool) object {
	return object{"size": candidates, "track_total_hits": false, "_source": object{"excludes": heavy()}, "query": a.best(all)}
}

// heavy are the fields that are asked for only where they are needed.
func heavy() []string {
	list := []string{"text", "headings"}
	for _, field := range fields() {
		list = append(list, field, field+ofWords)
	}
	return list
}

// totals returns the counts of an answer, and whether they can be.
func (a *searchAnswer) totals(clauses []search.Clause) (found *Found, ok bool) {
	of := &a.Aggregations
	ok = areCounts(float64(of.Documents.Count), of.Documents.Bytes.Value, float64(of.Match.Count), float64(of.Match.Documents.Value))
	out := &Found{
		Documents: of.Documents.Count, Bytes: int64(of.Documents.Bytes.Value),
		Sections: of.Match.Count, Matching: min(of.Match.Documents.Value, of.Match.Count, of.Documents.Count), // which is an estimate
	}
	for i := range clauses {
		if counts(&clauses[i]) {
			have, seen := of.Match.Have.Buckets[strconv.Itoa(i)].Count, of.Seen.Buckets[strconv.Itoa(i)].Count
			out.Have, out.Seen = append(out.Have, have), append(out.Seen, seen)
			ok = ok && areCounts(float64(have), float64(seen))
		}
	}
	return out, ok
}

// merged returns at most so many candidates of two lists, from each its best, those of both once.
func merged(some, all []hitAnswer) []Hit {
	var list []Hit
	have := map[string]bool{}
	for i := 0; len(list) < candidates && (i < len(some) || i < len(all)); i++ {
		for _, from := range [][]hitAnswer{all, some} {
			if i < len(from) && !have[from[i].ID] {
				have[from[i].ID] = true
				list = append(list, from[i].hit())
			}
		}
	}
	return list
}

// hit returns an answer as a hit.
func (h *hitAnswer) hit() Hit {
	r := &h.Source
	return Hit{
		ID: h.ID, Root: r.Root, Path: r.Path, Document: r.Document, Section: r.Position - 1, Time: r.Time,
		Shown: Shown{Selector: r.Selector, Titles: r.Titles, First: r.First, Last: r.Last, Hash: r.Hash},
	}
}

// searches asks several searches at once. The error is that of the first that fails.
func (c *Client) searches(ctx context.Context, list ...object) ([]searchAnswer, error) {
	var body bytes.Buffer
	for _, search := range list {
		text, err := json.Marshal(search)
		if err != nil {
			return nil, err
		}
		body.WriteString(`{"search_type":"dfs_query_then_fetch","allow_partial_search_results":false}` + "\n")
		body.Write(append(text, '\n'))
	}
	var out struct {
		Responses []searchAnswer `json:"responses"`
	}
	if err := c.send(ctx, http.MethodPost, c.index+"/_msearch", body.Bytes(), &out); err != nil {
		return nil, err
	}
	if len(out.Responses) != len(list) {
		return nil, errorOf(Strange, "%s answers with something else than an engine does; check the address", c.URL())
	}
	for i := range out.Responses {
		if err := out.Responses[i].whole(c); err != nil {
			return nil, err
		}
	}
	return out.Responses, nil
}

// Kept is what an index has kept of a section.
type Kept struct {
	Text     string   // up to its first subsection
	Headings []string // that it stands below, from the outermost on
}

// Kept returns what the index has kept of some hits, by their ids. Hits that are gone are
// missing.
func (c *Client) Kept(ctx context.Context, ids []string) (map[string]Kept, error) {
	body, err := json.Marshal(object{"ids": ids})
	if err != nil {
		return nil, err
	}
	var out struct {
		Docs []hitAnswer `json:"docs"`
	}
	if err := c.send(ctx, http.MethodPost, c.index+"/_mget?_source_includes="+url.QueryEscape("text,headings"), body, &out); err != nil {
		return nil, err
	}
	kept := map[string]Kept{}
	for i := range out.Docs {
		if d := &out.Docs[i]; d.Found {
			kept[d.ID] = Kept{d.Source.Text, d.Source.Headings}
		}
	}
	return kept, nil
}

// Near returns texts of the scopes that have words which differ from one of some in few letters.
func (c *Client) Near(ctx context.Context, words []string, scopes []Scope) ([]string, error) {
	a := &asked{scopes: scopes}
	var list []object
	for _, word := range words {
		var near []object
		for _, field := range []string{fieldTitle, fieldBody} {
			near = append(near, object{"fuzzy": object{field + ofWords: object{"value": word, "fuzziness": "AUTO:4,8", "transpositions": true}}})
		}
		list = append(list, object{
			"size": candidates, "track_total_hits": false, "_source": []string{fieldTitle + ofWords, fieldBody + ofWords},
			"query": object{"bool": object{"filter": []object{a.within()}, "must": []object{anyOf(near)}}},
		})
	}
	answers, err := c.searches(ctx, list...)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for i := range answers {
		for k := range answers[i].Hits.Hits {
			h := &answers[i].Hits.Hits[k]
			texts[h.ID] = h.Source.TitleWords + "\n" + h.Source.BodyWords
		}
	}
	return slices.Collect(maps.Values(texts)), nil
}
