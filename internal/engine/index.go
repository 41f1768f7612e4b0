package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// schema is the version of the fields. An index with another one is not used.
const schema = 1

// object is a value in JSON.
type object = map[string]any

// The fields. Those of words have their stems, and beside them, with "_words", the words.
const (
	fieldTitle  = "title"  // of the section's own heading
	fieldAround = "around" // of the headings that it stands below
	fieldPath   = "names"  // of the document's path
	fieldBody   = "body"   // of what stands below the heading
	fieldCode   = "code"   // of the code in it
	ofWords     = "_words"
)

// fields are those of words.
func fields() []string {
	return []string{fieldTitle, fieldAround, fieldPath, fieldBody, fieldCode}
}

// properties returns the fields as an engine is told of them. No field is made by what is fed.
func properties() object {
	keyword := object{"type": "keyword"}
	kept := object{"type": "keyword", "index": false, "doc_values": false}
	list := object{
		"kind": keyword, "root": keyword, "path": keyword, "place": keyword, "document": kept,
		"position": object{"type": "integer"}, "bytes": object{"type": "long"}, "version": object{"type": "long"},
		"hash": kept, "text": object{"type": "text", "index": false}, "headings": kept,
		"first": object{"type": "integer", "index": false}, "last": object{"type": "integer", "index": false},
		"selector": kept, "titles": kept, "time": object{"type": "date", "index": false},
		"sections": object{"type": "integer", "index": false},
	}
	for _, field := range fields() {
		stems := object{"type": "text", "analyzer": "whitespace", "similarity": "even"}
		if field == fieldBody {
			stems["similarity"] = "body"
		}
		if field == fieldTitle {
			stems["similarity"] = "title"
		}
		list[field] = stems
		list[field+ofWords] = object{"type": "text", "analyzer": "whitespace", "index_options": "docs", "norms": false}
	}
	return list
}

// settings returns those of a new index, with so many parts. The similarities are as near to
// the scores of package search as an engine comes.
func settings(shards int) object {
	bm25 := func(b float64) object { return object{"type": "BM25", "k1": 1.2, "b": b} }
	return object{
		"number_of_shards": shards,
		"refresh_interval": "30s", // a push refreshes when it is done
		"similarity":       object{"title": bm25(0.75), "body": bm25(0.5), "even": bm25(0)},
	}
}

// Prepare makes the index, with so many shards, unless there is one, and checks the one that
// there is. What is searched and fed is an alias of the index, so that whoever runs the engine
// can put another one in its place.
func (c *Client) Prepare(ctx context.Context, shards int) error {
	err := c.check(ctx)
	if e := (*Error)(nil); !errors.As(err, &e) || e.Status != http.StatusNotFound {
		return err
	}
	body, err := json.Marshal(object{
		"settings": settings(shards),
		"mappings": object{"dynamic": "strict", "_meta": object{"sectile": schema}, "properties": properties()},
		"aliases":  object{c.index: object{}},
	})
	if err != nil {
		return err
	}
	err = c.send(ctx, http.MethodPut, fmt.Sprintf("%s-%d", c.index, schema), body, nil)
	if e := (*Error)(nil); errors.As(err, &e) && e.Err != nil && e.Err.Error() == "resource_already_exists_exception" {
		err = nil // by somebody else, just now
	}
	if err != nil {
		return err
	}
	return c.check(ctx)
}

// check returns an error if the index is not one of this version.
func (c *Client) check(ctx context.Context) error {
	var found map[string]struct {
		Mappings struct {
			Meta struct {
				Sectile int `json:"sectile"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	if err := c.send(ctx, http.MethodGet, c.index+"/_mapping", nil, &found); err != nil {
		return err
	}
	for _, index := range found {
		if index.Mappings.Meta.Sectile != schema {
			return errorOf(Strange, "the index %s was not made by this version of sectile; give another name in its address, and feed that", c.URL())
		}
	}
	if len(found) == 0 {
		return errorOf(Strange, "%s answers with something else than an engine does; check the address", c.URL())
	}
	return nil
}

// Refresh makes what was written visible to searches.
func (c *Client) Refresh(ctx context.Context) error {
	return c.send(ctx, http.MethodPost, c.index+"/_refresh", nil, nil)
}
