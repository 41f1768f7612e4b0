package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/sectile/sectile/search"
)

// Known is what an index has of a document.
type Known struct {
	Path     string
	Hash     string // of the document, as HashOf has it
	Version  int64
	Sections int // records of sections, from position 0 on, which front matter stands before
}

// listed is the number of records of documents that are asked for at once.
const listed = 2000

// What an engine says that it has of one root is believed up to here, which more than two million
// documents with usual paths stay below.
const (
	maxKnown    = 512 << 20 // bytes of what is known of all documents
	eachKnown   = 100       // bytes that one takes beside its path and hash
	maxSections = 1 << 26   // of all documents
)

// Known calls take with all documents that the index has of a root, in the order of their
// paths. What was written a moment ago is among them. The error is an *Error, of the code Strange
// for what no engine has: paths that don't grow, or more than the documents of a root; or that of
// take, or of the context.
func (c *Client) Known(ctx context.Context, root string, take func(Known) error) error {
	if err := c.Refresh(ctx); err != nil {
		return err
	}
	var last string // the path before
	size, sections := 0, 0
	for {
		request := object{
			"size": listed, "track_total_hits": false, "_source": []string{"path", "document", "version", "sections"},
			"query": object{"bool": object{"filter": []object{{"term": object{"kind": kindDocument}}, {"term": object{"root": root}}}}},
			"sort":  []object{{"path": "asc"}},
		}
		if last != "" {
			request["search_after"] = []string{last}
		}
		body, err := json.Marshal(request)
		if err != nil {
			return err
		}
		var found searchAnswer
		if err := c.send(ctx, http.MethodPost, c.index+"/_search", body, &found); err != nil {
			return err
		}
		if err := found.whole(c); err != nil {
			return err
		}
		for i := range found.Hits.Hits {
			h := &found.Hits.Hits[i]
			k := Known{h.Source.Path, h.Source.Document, h.Source.Version, h.Source.Sections}
			if k.Path <= last {
				return errorOf(Strange, "%s lists the documents of the root in no order, %q after %q, as no engine does; check the address", c.URL(), cut(k.Path), cut(last))
			}
			if size += len(k.Path) + len(k.Hash) + eachKnown; size > c.known {
				return errorOf(Strange, "%s lists more documents of the root than a root can have; check the address, or divide the folder into several roots", c.URL())
			}
			if k.Sections < 0 || k.Sections > maxSections-sections {
				return errorOf(Strange, "%s says that %q has %d sections, and those before it %d; remove the root from it and feed it again", c.URL(), cut(k.Path), k.Sections, sections)
			}
			sections += k.Sections
			if err := take(k); err != nil {
				return err
			}
			last = k.Path
		}
		if len(found.Hits.Hits) < listed {
			return nil
		}
	}
}

// Feeder writes the documents of one root, some at a time. It must not be used by several
// goroutines at once; several may feed the same root with different documents.
type Feeder struct {
	client *Client
	root   string
	start  int64 // the least version

	actions []action // sections, and
	markers []action // documents whose sections these are
	size    int
	// Fed and Removed are the sections and documents that the engine has confirmed.
	Sections, Documents, Removed int
	sections, documents, removed int // of those that are not sent yet
}

// maxBulk is the size beyond which a bulk is sent, in bytes.
const maxBulk = 4 << 20

// NewFeeder returns a feeder for the root of an id, for a push that began at a time.
func (c *Client) NewFeeder(root string, began time.Time) *Feeder {
	return &Feeder{client: c, root: root, start: began.UnixMilli()}
}

// Put writes a document, of which the index has what is known, nil for nothing. When it
// returns, the document may not be written yet; Flush does that.
func (f *Feeder) Put(ctx context.Context, d *Document, known *Known) error {
	version := f.version(known)
	list := recordsOf(f.root, version, d)
	for i := range list {
		a, err := write(&list[i])
		if err != nil {
			return err
		}
		if err := f.add(ctx, a); err != nil {
			return err
		}
	}
	f.sections += len(list)
	first, end := list[0].Position, list[len(list)-1].Position+1
	if known != nil {
		if err := f.remove(ctx, known, first, end, version); err != nil {
			return err
		}
	}
	marker := record{
		Kind: kindDocument, Root: f.root, Path: d.Path, Document: HashOf(d.Doc.Source), Version: version,
		Bytes: int64(len(d.Doc.Source)), Time: d.Time, Sections: end,
	}
	a, err := write(&marker)
	if err != nil {
		return err
	}
	f.markers = append(f.markers, a)
	f.documents++
	return nil
}

// Remove removes a document.
func (f *Feeder) Remove(ctx context.Context, known *Known) error {
	version := f.version(known)
	if err := f.remove(ctx, known, 0, 0, version); err != nil {
		return err
	}
	marker := record{Kind: kindDocument, Root: f.root, Path: known.Path}
	f.markers = append(f.markers, action{marker.id(), version, nil, known.Path})
	f.removed++
	return nil
}

// version returns the version of what is written now: greater than that of what is known, and
// than that of all earlier pushes.
func (f *Feeder) version(known *Known) int64 {
	if known == nil {
		return f.start
	}
	return max(known.Version+1, f.start)
}

// remove removes the sections of what is known but those from a position up to an end.
func (f *Feeder) remove(ctx context.Context, known *Known, first, end int, version int64) error {
	for i := search.FrontMatter + 1; i < known.Sections; i++ {
		if i >= first && i < end {
			continue
		}
		r := record{Kind: kindSection, Root: f.root, Path: known.Path, Position: i}
		if err := f.add(ctx, action{r.id(), version, nil, known.Path}); err != nil {
			return err
		}
	}
	return nil
}

// add adds an action, and sends those that there are if they are large enough.
func (f *Feeder) add(ctx context.Context, a action) error {
	f.actions = append(f.actions, a)
	if f.size += a.size(); f.size < maxBulk {
		return nil
	}
	return f.Flush(ctx)
}

// Flush writes what isn't written yet: first sections, and then, when the engine has confirmed
// them, the records of their documents.
func (f *Feeder) Flush(ctx context.Context) error {
	for _, list := range []*[]action{&f.actions, &f.markers} {
		if err := f.client.bulk(ctx, *list); err != nil {
			return err
		}
		*list = (*list)[:0]
	}
	f.size = 0
	f.Sections, f.Documents, f.Removed = f.Sections+f.sections, f.Documents+f.documents, f.Removed+f.removed
	f.sections, f.documents, f.removed = 0, 0, 0
	return nil
}

// Waiting returns the bytes that are not sent yet.
func (f *Feeder) Waiting() int { return f.size }

// RemoveRoot removes all that the index has of a root, and returns how many records that were.
func (c *Client) RemoveRoot(ctx context.Context, root string) (records int, err error) {
	if err := c.Refresh(ctx); err != nil {
		return 0, err
	}
	body, err := json.Marshal(object{"query": object{"term": object{"root": root}}})
	if err != nil {
		return 0, err
	}
	var done struct {
		Deleted  int   `json:"deleted"`
		Failures []any `json:"failures"`
	}
	if err := c.send(ctx, http.MethodPost, c.index+"/_delete_by_query?refresh=true&conflicts=proceed", body, &done); err != nil {
		return 0, err
	}
	if len(done.Failures) > 0 {
		return done.Deleted, &Error{Code: Refused, Message: fmt.Sprintf("%s could not remove all records of the root; do it again", c.URL())}
	}
	return done.Deleted, nil
}
