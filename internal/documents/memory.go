package documents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sectile/sectile/headings"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Documents come from anybody, and a byte of one can take many bytes of memory. So a
// process has a budget, and who opens a document reserves what the document may take:
// an amount by its size, which real documents never need all of. A document that
// would take more is refused; one that there is no room for now waits, until its
// request ends. Small documents have a share of their own, so that they wait for each
// other alone, and a large one also needs a slot while it is worked on, so that a
// processor is left for small ones.
//
// Requests never wait for each other in a circle: one that holds memory waits for more
// a moment only, and then does without the document; and who has a slot waits for
// nothing.

const (
	// DefaultMaxMemory is the budget of a process in bytes unless it is told another.
	DefaultMaxMemory = 1 << 30
	// MinMaxMemory is the smallest budget: the program and what it keeps need as much.
	MinMaxMemory = 64 << 20

	// largeDocument is the size in bytes from which on a document is a large one.
	largeDocument = 1 << 20

	// What a document may take beside its source: so many times its size, and as much
	// more; what a small one takes unless it is a strange one.
	memoryFactor = 12
	memoryExtra  = 16 << 20
	smallExtra   = 256 << 10

	// The part of the budget for the program itself: its code, what the runtime keeps,
	// parses that are kept, replies. Idle it has more than half of the smallest.
	minOwnMemory = 32 << 20
	maxOwnMemory = 96 << 20
	// runtimeMemory is what the runtime has in use when the program is idle, and some.
	runtimeMemory = 14 << 20
)

// Memory is the budget of a process, of which documents reserve. The nil one bounds
// nothing. It is safe for concurrent use.
type Memory struct {
	limit int64 // bytes of the process
	pools [2]pool
	slots *semaphore.Weighted // of large documents
	// whole bounds the bytes of documents that become answers for which no memory is reserved yet.
	whole [2]*semaphore.Weighted // of small ones, and of large
	kept  func() int             // bytes of parses that are kept; nil for none
	// dialect is what documents are parsed in, wherever they come from. A document carries
	// it along, to those who resolve an address in it or change it.
	dialect markdown.Options
	// patience is how long a request that holds something waits for more.
	patience time.Duration

	mu       sync.Mutex
	rules    bool  // the runtime is told
	reserved int64 // for large documents
	inSmall  atomic.Int64
}

// pool is a part of the budget.
type pool struct {
	size int64
	free *semaphore.Weighted
}

// The pools of small and large documents.
const (
	small = iota
	large
)

// NewMemory returns a budget of so many bytes for the process, 0 for the default one.
func NewMemory(limit int64) *Memory {
	if limit == 0 {
		limit = DefaultMaxMemory
	}
	m := &Memory{
		limit: limit, slots: semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0)))), patience: time.Second,
	}
	forSmall := limit / 8
	for i, size := range [...]int64{small: forSmall, large: limit - forSmall - ownMemory(limit)} {
		m.pools[i], m.whole[i] = pool{size, semaphore.NewWeighted(size)}, semaphore.NewWeighted(largeDocument)
	}
	return m
}

// ownMemory returns the part of a budget for the program itself.
func ownMemory(limit int64) int64 { return min(max(limit/4, minOwnMemory), maxOwnMemory) }

// Read makes the documents of the process be parsed in a dialect of anchors, and with markers
// of headings that are the user's own. It is for a budget of which nothing is reserved yet.
func (m *Memory) Read(dialect markdown.Dialect, own *headings.Set) {
	m.dialect = markdown.Options{Dialect: dialect, WikiLinks: dialect == markdown.Obsidian, Headings: own}
}

// Options are those with which the request parses documents.
func (w *Work) Options() markdown.Options {
	if w == nil || w.memory == nil {
		return markdown.Options{}
	}
	return w.memory.dialect
}

// Rule makes the runtime clear away garbage so that the process stays within the
// budget. It is for the one budget of a program.
func (m *Memory) Rule() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rules = true
	m.tell()
}

// tell tells the runtime how much may be in use. While large documents are open, that
// is what is reserved for them, so that what one takes depends on its own size.
func (m *Memory) tell() {
	if !m.rules {
		return
	}
	most := m.limit - ownMemory(m.limit)/4*3
	if m.reserved > 0 {
		now := m.reserved + runtimeMemory + m.inSmall.Load()
		if m.kept != nil {
			now += int64(m.kept())
		}
		most = min(most, now)
	}
	debug.SetMemoryLimit(most)
}

// Lease is memory that is reserved for a document.
type Lease struct {
	memory *Memory
	kind   int // small or large
	bytes  int64
	most   int64 // of the source and all that is made of it
	slot   bool  // it has a slot

	counted *markdown.Document // whose names are known to take no more bytes than names
	names   int64
}

// complexity says that a document takes more memory than it may.
type complexity struct {
	size, most, limit int64
	blocks            int // that were found before it was given up; 0 if none were looked for
}

// Code returns the error's code.
func (c *complexity) Code() string { return replies.CodeTooComplex }

// Error returns the error's message, with the way out.
func (c *complexity) Error() string {
	found := ""
	if c.blocks > 0 {
		found = fmt.Sprintf(", or has too many blocks (%d were found before it was given up)", c.blocks)
	}
	return fmt.Sprintf("its %s take more than the %s of memory that it may have%s; split it, "+
		"or raise the memory of the program (%s) with --max-memory",
		sizeText(c.size), sizeText(c.most), found, sizeText(c.limit))
}

// sizeText renders a number of bytes for people.
func sizeText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return replies.Plural(int(n), "byte")
}

// reserveSmall reserves memory for a small document of the request, as soon as there is
// some. Beside what the request holds, that may be of what large documents have.
func (m *Memory) reserveSmall(w *Work, size int64) (*Lease, error) {
	bytes := min(memoryFactor*size+smallExtra, m.pools[small].size)
	l := &Lease{memory: m, kind: small, bytes: bytes, most: bytes}
	free := m.pools[small].free
	switch {
	case free.TryAcquire(bytes):
	case w.holds() && m.pools[large].free.TryAcquire(bytes):
		l.kind = large
		m.reserve(bytes)
		return l, nil
	default:
		if err := w.acquire(w.ctx, free, bytes); err != nil {
			return nil, err
		}
	}
	m.inSmall.Add(bytes)
	return l, nil
}

// allowance returns how much memory a document of the size may take. More is allowed
// with a larger budget than the default one.
func (m *Memory) allowance(size int64) int64 {
	most := float64(memoryFactor*size+memoryExtra) * max(1, float64(m.limit)/DefaultMaxMemory)
	return int64(min(most, float64(m.pools[large].size)))
}

// MayHave reports whether a document of the size may have so many blocks, without that it is parsed.
// The list of blocks grows while it is parsed, which takes half as much again at the least.
func (w *Work) MayHave(size, blocks int64) bool {
	return w == nil || w.memory == nil || size+blocks*blockBytes*3/2 <= w.memory.allowance(size)
}

// reserveLarge reserves memory and a slot for a large document of the request, as soon
// as both are free and until the context ends.
func (m *Memory) reserveLarge(ctx context.Context, w *Work, size int64) (*Lease, error) {
	bytes := m.allowance(size)
	if size > bytes/5*4 { // hardly anything is left for what is in it
		return nil, &complexity{size: size, most: bytes, limit: m.limit}
	}
	return m.reserveBytes(ctx, w, bytes)
}

// reserveBytes is reserveLarge for so many bytes.
func (m *Memory) reserveBytes(ctx context.Context, w *Work, bytes int64) (*Lease, error) {
	l := &Lease{memory: m, kind: large, bytes: bytes, most: bytes, slot: true}
	free := m.pools[large].free
	if err := w.acquire(ctx, free, bytes); err != nil {
		return nil, err
	}
	if err := m.slots.Acquire(ctx, 1); err != nil { // who has one waits for nothing
		free.Release(bytes)
		return nil, err
	}
	m.reserve(bytes)
	return l, nil
}

// reserve notes that bytes for a large document are taken.
func (m *Memory) reserve(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved += bytes
	m.tell()
}

// errCrowded says that a request holds so many documents that there is no room for
// another one.
var errCrowded error = crowded{}

type crowded struct{}

// Code returns the error's code.
func (crowded) Code() string { return replies.CodeTooComplex }

// Error returns the error's message, with the way out.
func (crowded) Error() string {
	return "there is no memory for it beside the other documents of the request and of other requests; " +
		"ask for fewer at once, try again, or raise the memory of the program with --max-memory"
}

// Release gives back what is reserved. The nil one has nothing.
func (l *Lease) Release() {
	if l == nil {
		return
	}
	l.Shrink(0)
}

// Shrink gives back all but so many bytes, and the slot.
func (l *Lease) Shrink(bytes int64) {
	if l == nil {
		return
	}
	m := l.memory
	if l.slot {
		l.slot = false
		m.slots.Release(1)
	}
	if bytes >= l.bytes {
		return
	}
	back := l.bytes - bytes
	l.bytes = bytes
	if l.kind == large {
		if back >= m.pools[large].size/releasedAtOnce && m.rules {
			debug.FreeOSMemory() // or the next one takes memory while the garbage has some
		}
		m.mu.Lock()
		m.reserved -= back
		m.tell()
		m.mu.Unlock()
	}
	if l.kind == small {
		m.inSmall.Add(-back)
	}
	m.pools[l.kind].free.Release(back)
}

// releasedAtOnce is the part of the memory for large documents from which on what was
// reserved is given back to the system before others can have it.
const releasedAtOnce = 12

// Parse parses a source within what is reserved for it. The error is a *complexity if
// that is not enough.
func (l *Lease) Parse(ctx context.Context, p *markdown.Parser, src []byte) (*markdown.Document, error) {
	if p.Options = (markdown.Options{}); l != nil {
		p.Options = l.memory.dialect
	}
	if l == nil {
		return p.ParseContext(ctx, src, markdown.Limits{})
	}
	doc, err := p.ParseContext(ctx, src, l.Limits(len(src)))
	if err != nil {
		return nil, l.Explained(err, len(src))
	}
	return doc, l.Bears(l.readBytesWithin(doc, 0), doc)
}

// Limits returns what the parse of a source of the size may take.
func (l *Lease) Limits(size int) markdown.Limits {
	if l == nil {
		return markdown.Limits{}
	}
	return markdown.Limits{Memory: int(min(max(l.most-int64(size), 1), math.MaxInt))}
}

// Ceiling is as much as any document may take, without that it is reserved: for what is made of
// documents whose own memory is, and is reserved when its size is known. It must not be released.
func (w *Work) Ceiling() *Lease {
	if w == nil || w.memory == nil {
		return nil
	}
	return &Lease{memory: w.memory, kind: large, most: w.memory.pools[large].size}
}

// isStrange reports whether a source of the size needs more than its size tells.
func (l *Lease) isStrange(size int) bool { return l != nil && l.kind == large && size < largeDocument }

// Enough returns a lease for all that a document and the answer take, which may be more
// than its size tells: l, or another one in its place.
func (w *Work) Enough(l *Lease, bytes int64, doc *markdown.Document) (*Lease, error) {
	if l == nil || bytes <= l.most {
		return l, nil
	}
	l.Release()
	return w.reserveBytes(bytes, doc)
}

// reserveBytes reserves so many bytes for a document.
func (w *Work) reserveBytes(bytes int64, doc *markdown.Document) (*Lease, error) {
	m := w.memory
	if most := m.pools[large].size; bytes > most {
		return nil, &complexity{size: int64(len(doc.Source)), most: most, limit: m.limit, blocks: len(doc.Blocks)}
	}
	return m.reserveBytes(w.ctx, w, bytes)
}

// Explained returns the error of a parse as one that people understand.
func (l *Lease) Explained(err error, size int) error {
	var e *markdown.ComplexityError
	if l == nil || !errors.As(err, &e) {
		return err
	}
	return &complexity{size: int64(size), most: l.most, limit: l.memory.limit, blocks: e.Blocks}
}

// Bears refuses a document that takes so many bytes if that is more than is reserved.
func (l *Lease) Bears(bytes int64, doc *markdown.Document) error {
	if l == nil || bytes <= l.most {
		return nil
	}
	return &complexity{size: int64(len(doc.Source)), most: l.most, limit: l.memory.limit, blocks: len(doc.Blocks)}
}
