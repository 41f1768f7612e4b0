package finding

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/engine"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// PushRequest asks for folders to be fed to the engine.
type PushRequest struct {
	// Roots are names of search.roots in the user's configuration, or folders that these
	// are; none for all whose files are here.
	Roots []string
	// Remove takes the roots out of the index instead.
	Remove bool
	// Shards is the number of parts of an index that is made; 0 means 1.
	Shards    int
	Elsewhere *Elsewhere
	// Progress is called now and then with the root and the documents that were looked at and
	// written of it; nil for nobody. It is called by one goroutine at a time.
	Progress func(root string, looked, written int)
}

// PushReply says what was done.
type PushReply struct {
	Backend string       `json:"backend"`
	Roots   []PushedRoot `json:"roots"`
}

// PushedRoot is a root that was fed.
type PushedRoot struct {
	Name      string       `json:"name"`
	Documents int          `json:"documents"` // that there are
	Written   int          `json:"written"`   // of which the index had another state, or none
	Sections  int          `json:"sections"`  // of those
	Removed   int          `json:"removed"`   // documents that are gone
	Failed    []Unsearched `json:"failed,omitempty"`
	// Records is the number of records that were removed with the root.
	Records int `json:"records,omitempty"`
}

// Text returns the reply in lines.
func (r *PushReply) Text() string {
	var b strings.Builder
	for i := range r.Roots {
		p := &r.Roots[i]
		if p.Records > 0 || p.Documents == 0 && p.Written == 0 && len(p.Failed) == 0 && p.Removed == 0 {
			fmt.Fprintf(&b, "%s: removed with %s, from %s\n", p.Name, replies.Plural(p.Records, "record"), r.Backend)
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %d written with %s, %d removed; in %s\n", p.Name, replies.Plural(p.Documents, "document"), p.Written, replies.Plural(p.Sections, "section"), p.Removed, r.Backend)
	}
	return b.String()
}

// Push feeds an engine with what has changed in folders since they were fed last, and removes
// what is gone. When it is interrupted, the next one goes on. The error is an *Error; what could
// not be read is in the reply, and stays in the index as it was.
func Push(ctx context.Context, req PushRequest) (*PushReply, error) {
	e, err := req.Elsewhere.settle(ctx)
	switch {
	case err != nil:
		return nil, asError(err)
	case e == nil:
		return nil, invalid("no engine is named; set search.backend in your own configuration, or give its address")
	}
	roots, err := pushedRoots(req.Roots, e.roots, req.Remove)
	if err != nil {
		return nil, err
	}
	reply := &PushReply{Backend: e.URL()}
	if err := e.Prepare(ctx, max(req.Shards, 1)); err != nil {
		return nil, asError(engineError(err))
	}
	for _, root := range roots {
		var done *PushedRoot
		if req.Remove {
			n, err := e.RemoveRoot(ctx, engine.RootID(root.Name))
			if err != nil {
				return nil, asError(engineError(err))
			}
			reply.Roots = append(reply.Roots, PushedRoot{Name: root.Name, Records: n})
			continue
		}
		if done, err = pushRoot(ctx, e.Client, root, req.Progress); err != nil {
			return nil, asError(engineError(err))
		}
		reply.Roots = append(reply.Roots, *done)
	}
	return reply, nil
}

// pushedRoots returns the roots that a request names.
func pushedRoots(named []string, roots []config.SearchRoot, elsewhereToo bool) ([]config.SearchRoot, error) {
	if len(named) == 0 {
		if elsewhereToo {
			return nil, invalid("name the roots to remove")
		}
		here := slices.DeleteFunc(slices.Clone(roots), func(r config.SearchRoot) bool { return r.Dir == "" })
		if len(here) == 0 {
			return nil, invalid("search.roots in your own configuration has no folder; add one: search: {roots: {NAME: FOLDER}}")
		}
		return here, nil
	}
	var list []config.SearchRoot
	for _, name := range named {
		at := slices.IndexFunc(roots, func(r config.SearchRoot) bool { return r.Name == name })
		if at < 0 {
			if dir, err := filepath.Abs(name); err == nil {
				if resolved, err := filepath.EvalSymlinks(dir); err == nil {
					dir = resolved
				}
				at = slices.IndexFunc(roots, func(r config.SearchRoot) bool { return r.Dir == dir })
			}
		}
		switch {
		case at < 0:
			return nil, invalid("%s is none of search.roots in your own configuration, which says whose text may be sent; add it: search: {roots: {NAME: FOLDER}}", replies.Clip(replies.Safe(name), replies.MaxShown))
		case roots[at].Dir == "" && !elsewhereToo:
			return nil, invalid("the files of %s are elsewhere, as your own configuration has it; feed it there", roots[at].Name)
		}
		list = append(list, roots[at])
	}
	return list, nil
}

// pushWorkers is the number of goroutines that read documents and send them: while one waits for
// the engine, others work.
const pushWorkers = 4

// pushing is a push of one root in work.
type pushing struct {
	ctx    context.Context //nolint:containedctx // for as long as one request
	client *engine.Client
	root   config.SearchRoot
	began  time.Time
	known  map[string]engine.Known

	mu     sync.Mutex
	done   PushedRoot
	looked int
	seen   map[string]bool
	tell   func(root string, looked, written int)
	whole  bool  // no folder was left out, so that what was not seen is gone
	failed error // of the engine
	cancel context.CancelFunc
}

// pushRoot feeds one root.
func pushRoot(ctx context.Context, client *engine.Client, root config.SearchRoot, tell func(string, int, int)) (*PushedRoot, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &pushing{
		ctx: ctx, client: client, root: root, began: time.Now(), known: map[string]engine.Known{},
		done: PushedRoot{Name: root.Name}, seen: map[string]bool{}, tell: tell, whole: true, cancel: cancel,
	}
	id := engine.RootID(root.Name)
	if err := client.Known(ctx, id, func(k engine.Known) error { p.known[k.Path] = k; return nil }); err != nil {
		return nil, err
	}
	paths := make(chan string)
	var workers sync.WaitGroup
	for range pushWorkers {
		workers.Go(func() { p.work(client.NewFeeder(id, p.began), paths) })
	}
	err := p.find(paths)
	close(paths)
	workers.Wait()
	switch {
	case p.failed != nil:
		return nil, p.failed
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	if err := p.removeGone(client.NewFeeder(id, p.began)); err != nil {
		return nil, err
	}
	return &p.done, client.Refresh(ctx)
}

// find hands over the paths of the root's documents, relative to it.
func (p *pushing) find(paths chan<- string) error {
	if !isFolder(p.root.Dir) {
		return &replies.Error{Code: replies.CodeFileNotFound, Path: p.root.Dir, Message: replies.Say("there is no such folder; what the index has of it is left as it is")}
	}
	docs := documents.Set{Paths: []string{p.root.Dir}}
	n := 0
	for path, err := range docs.Find(p.ctx) {
		if e, ok := errors.AsType[*fileerror.Error](err); ok && e.Code == fileerror.NoMatches {
			continue // all was listed, and is told of below
		}
		below, relErr := filepath.Rel(p.root.Dir, path)
		if err != nil || relErr != nil {
			p.fail(path, errors.Join(err, relErr))
			p.whole = false
			continue
		}
		n++
		select {
		case paths <- below:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
	if n == 0 && p.whole {
		return &replies.Error{Code: replies.CodeFileNotFound, Path: p.root.Dir, Message: replies.Say("the folder has no Markdown document; what the index has of it is left as it is, and is removed if the root is")}
	}
	return nil
}

// fail tells of a document that could not be read.
func (p *pushing) fail(path string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done.Failed = append(p.done.Failed, withPaths([]*replies.Error{replies.ErrorAbout(replies.DisplayPath(path), err)})...)
}

// work reads documents and feeds those that have changed.
func (p *pushing) work(f *engine.Feeder, paths <-chan string) {
	docs := documents.Set{}
	w := docs.Worker()
	defer w.Close()
	var sections, written int
	report := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done.Sections += f.Sections - sections
		p.done.Written += f.Documents - written
		sections, written = f.Sections, f.Documents
		if p.tell != nil {
			p.tell(p.root.Name, p.looked, p.done.Written)
		}
	}
	for below := range paths {
		if err := p.document(f, w, below); err != nil {
			p.stop(err)
			return
		}
		report()
	}
	if err := f.Flush(p.ctx); err != nil {
		p.stop(err)
	}
	report()
}

// stop ends the push by an error of the engine.
func (p *pushing) stop(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = err
	}
	p.cancel()
}

// document feeds a document if it has changed. The error is one of the engine.
func (p *pushing) document(f *engine.Feeder, w *documents.Worker, below string) error {
	name := filepath.ToSlash(below)
	p.mu.Lock()
	p.looked++
	p.done.Documents++
	p.seen[name] = true
	p.mu.Unlock()
	full := filepath.Join(p.root.Dir, below)
	if !utf8.ValidString(name) {
		p.fail(full, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("its name is not UTF-8, which an index can't hold; rename it")})
		return nil
	}
	src, err := w.Source(full)
	if err != nil {
		p.fail(full, err)
		return nil
	}
	var known *engine.Known
	if k, ok := p.known[name]; ok {
		if k.Hash == engine.HashOf(src) {
			return nil
		}
		known = &k
	}
	at := time.Now()
	doc, err := w.Parsed(src)
	if err != nil {
		p.fail(full, err)
		return nil
	}
	named := replies.NewNamed(doc)
	return f.Put(p.ctx, &engine.Document{Path: name, Time: at, Doc: doc, Shown: func(section int) engine.Shown {
		return shownOf(doc, named, section)
	}}, known)
}

// shownOf returns what is told of a section.
func shownOf(doc *markdown.Document, named *replies.Named, section int) engine.Shown {
	s := headOf(doc, named, section)
	return engine.Shown{Selector: s.Selector, Titles: s.Titles, First: s.StartLine, Last: s.EndLine, Hash: s.Hash}
}

// removeGone removes the documents that the index has and the folder hasn't.
func (p *pushing) removeGone(f *engine.Feeder) error {
	if !p.whole {
		return nil
	}
	for path := range p.known {
		if known := p.known[path]; !p.seen[path] {
			if err := f.Remove(p.ctx, &known); err != nil {
				return err
			}
		}
	}
	if err := f.Flush(p.ctx); err != nil {
		return err
	}
	p.done.Removed = f.Removed
	return nil
}
