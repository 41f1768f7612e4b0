package documents

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"sync"

	"github.com/sectile/sectile/markdown"
)

// A file is read at every request, for an answer must never be stale: neither
// size nor time tells whether it has changed. What can be kept is the parse of
// bytes that were seen before. They are found by the path that they came from
// and compared byte by byte, which costs less than a hash of them.

const (
	cacheBytes    = 32 << 20       // of sources and parses together
	maxCacheEntry = cacheBytes / 4 // beyond it a document is parsed each time
)

// CacheStats says what a cache of parses has saved.
type CacheStats struct {
	Hits   int `json:"hits"` // requests that were answered by a parse that was kept
	Misses int `json:"misses"`
	Bytes  int `json:"bytes"` // of the sources and parses that are kept
}

// parseCache keeps the parses of documents, those that were used least recently
// going first. It is safe for concurrent use.
type parseCache struct {
	limit int // bytes

	mu      sync.Mutex
	entries map[string]*list.Element // of *parsed, by path
	order   list.List                // the most recently used first
	size    int                      // bytes
	hits    int
	misses  int
}

// parsed is the parse of a source.
type parsed struct {
	path   string
	source []byte
	size   int           // bytes that it counts for
	done   chan struct{} // closed when doc and err are there
	doc    *markdown.Document
	err    error
}

func newParseCache(limit int) *parseCache {
	return &parseCache{limit: limit, entries: map[string]*list.Element{}}
}

// parse returns the parse of src, which was read from path and which the caller
// may use again; it has at most maxCacheEntry bytes. Those who ask for the same at the
// same time share one parse, which is made within what its maker has reserved: by size,
// so that others have as much. An error is not kept.
func (c *parseCache) parse(ctx context.Context, l *Lease, path string, src []byte) (*markdown.Document, error) {
	var other *parsed // the parse of other bytes from the path, or one that has failed
	for {
		p, mine := c.find(path, other, src)
		switch {
		case mine:
			return c.make(ctx, l, p)
		case bytes.Equal(p.source, src):
			if err := wait(ctx, p.done); err != nil {
				return nil, err
			}
			if p.err == nil || !IsEnd(p.err) {
				c.count(true)
				return p.doc, p.err
			}
		}
		other = p
	}
}

// IsEnd reports whether an error is that of a context.
func IsEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// make makes the parse that others may be waiting for.
func (c *parseCache) make(ctx context.Context, l *Lease, p *parsed) (*markdown.Document, error) {
	defer c.weigh(p)
	defer close(p.done)
	p.err = errUnparsed // if the next line panics
	p.doc, p.err = l.Parse(ctx, new(markdown.Parser), p.source)
	if p.err != nil {
		p.doc = nil
	}
	return p.doc, p.err
}

// errUnparsed is what a parse ends with that has panicked.
var errUnparsed = errors.New("the document could not be parsed; this is a fault of the program")

// find returns the parse from path. If there is none but the other, whose bytes
// differ, it puts a new one in its place, which the caller must make.
func (c *parseCache) find(path string, other *parsed, src []byte) (p *parsed, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[path]; e != nil {
		if p = e.Value.(*parsed); p != other {
			c.order.MoveToFront(e)
			return p, false
		}
		c.drop(e)
	}
	p = &parsed{path: path, source: bytes.Clone(src), size: len(src) + len(path), done: make(chan struct{})}
	c.entries[path] = c.order.PushFront(p)
	c.size += p.size
	c.misses++
	return p, true
}

// weigh counts the parse in, and drops what there is no room for.
func (c *parseCache) weigh(p *parsed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[p.path]; e != nil && e.Value.(*parsed) == p {
		if p.err != nil {
			c.drop(e)
			return
		}
		size := p.size + parseBytes(p.doc)
		c.size += size - p.size
		p.size = size
	}
	for c.size > c.limit {
		c.drop(c.order.Back())
	}
}

// blockBytes is the size of a block of a document.
const blockBytes = 28

// parseBytes is about how much memory a document takes beside its source, with the
// index of its lines, which is made when it is first asked for.
func parseBytes(doc *markdown.Document) int {
	const section, line, fixed = 16, 4, 512
	return cap(doc.Blocks)*blockBytes + cap(doc.Sections)*section + doc.LineCount*line + fixed
}

// drop forgets a parse. Who has it may go on using it.
func (c *parseCache) drop(e *list.Element) {
	p := e.Value.(*parsed)
	c.order.Remove(e)
	delete(c.entries, p.path)
	c.size -= p.size
}

// count counts a request.
func (c *parseCache) count(hit bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hit {
		c.hits++
	} else {
		c.misses++
	}
}

func (c *parseCache) stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Hits: c.hits, Misses: c.misses, Bytes: c.size}
}
