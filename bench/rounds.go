package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A document is changed in ten places and changed back, again and again. Nothing
// should be left of it.
const (
	changes      = 10
	changeRounds = 20
)

// undone is a document with changes that can be taken back.
type undone struct {
	document
	changes []change
}

// measureRounds counts the bytes that differ after changes and their inverses.
func measureRounds(ctx context.Context, b *bench) error {
	docs := b.undone()
	measure := fmt.Sprintf("%d edits and their inverses, %d times; documents: %d", changes, changeRounds, len(docs))
	for i := range b.tools {
		t := &b.tools[i]
		if t.editor == nil {
			continue
		}
		begin := time.Now()
		line, err := b.undo(ctx, *t, docs)
		if b.verbose {
			fmt.Fprintf(os.Stderr, "edits and inverses by %s: %.1f s\n", t.name, time.Since(begin).Seconds())
		}
		if err != nil {
			return fmt.Errorf("edits and inverses by %s: %w", t.name, err)
		}
		line.measure = measure
		b.report.add(line)
	}
	return nil
}

// undone chooses documents with ten lines and bodies that can be changed, and not so
// large that it takes long: each is edited 400 times.
func (b *bench) undone() (docs []undone) {
	r := rand.New(rand.NewPCG(b.seed, 11))
	for _, at := range r.Perm(len(b.docs)) {
		m, ok := newMaker(r, b.docs[at], b.reference[b.docs[at].name])
		if !ok || len(docs) == b.undoneDocs || len(m.doc.source) > 10_000 {
			continue
		}
		all := m.linesAndBodies()
		if len(all) == changes {
			docs = append(docs, undone{m.doc, all})
		}
	}
	return docs
}

// linesAndBodies returns ten changes that don't touch each other, or fewer.
func (m *maker) linesAndBodies() (all []change) {
	used := map[int]bool{} // sections whose body is replaced
	bodies := m.endsInProse(m.sole)
	for _, s := range bodies[:min(3, len(bodies))] {
		used[s.ordinal] = true
		all = append(all, m.where(s, change{op: setBody, new: "\nAnother body for now.\n\n"}).change)
	}
	for _, p := range m.proseLines(1) {
		if !used[p.in.ordinal] && m.sole(p.in) && len(all) < changes {
			all = append(all, m.where(p.in, change{op: changeLine, old: p.text, new: strings.TrimSuffix(p.text, ".") + " for now."}).change)
		}
	}
	return all
}

// inverse is the change that takes another one back.
func (c change) inverse() change {
	if c.op == changeLine {
		c.old, c.new = c.new, c.old
		return c
	}
	c.body, c.new = c.new, c.body
	return c
}

// undo has an editor make all changes of all documents and take them back.
func (b *bench) undo(ctx context.Context, t tool, docs []undone) (row, error) {
	folder, err := os.MkdirTemp(b.machine.scratch, "undo-")
	if err != nil {
		return row{}, err
	}
	e, err := t.editor(ctx, folder)
	if err != nil {
		return row{}, err
	}
	defer e.close()
	differ, refusals, same := 0, 0, 0
	for i, d := range docs {
		file := fmt.Sprintf("undo-%d.md", i)
		n, failed, err := undoOne(e, folder, file, d)
		if err != nil {
			return row{}, fmt.Errorf("%s: %w", d.name, err)
		}
		differ += n
		refusals += failed
		if n == 0 {
			same++
		}
	}
	return row{
		tool: t.name, result: thousands(differ) + " bytes differ",
		detail: fmt.Sprintf("%d of %d documents as they were; %s of %s edits refused", same, len(docs), thousands(refusals), thousands(2*changes*changeRounds*len(docs))),
	}, nil
}

// undoOne returns the bytes of a document that differ at the end, and how many edits
// were refused.
func undoOne(e editor, folder, file string, d undone) (differ, refusals int, err error) {
	path := filepath.Join(folder, file)
	if err := os.WriteFile(path, d.source, 0o600); err != nil {
		return 0, 0, err
	}
	inverses := make([]change, len(d.changes))
	for i := range d.changes {
		inverses[i] = d.changes[i].inverse()
	}
	slices.Reverse(inverses)
	all := slices.Concat(d.changes, inverses)
	for range changeRounds {
		for i := range all {
			now, err := os.ReadFile(path)
			if err != nil {
				return 0, 0, err
			}
			_, err = e.edit(file, all[i].asRead(now))
			if _, ok := errors.AsType[refusal](err); ok || errors.Is(err, errNotAsked) {
				refusals++
			} else if err != nil {
				return 0, 0, err
			}
		}
	}
	result, err := os.ReadFile(path)
	return changedOutside(d.source, result, -1, -1), refusals, err
}

// asRead is a change by somebody who has just read the document.
func (c change) asRead(source []byte) change {
	for _, s := range sections(source, judgeHeadings(source)) {
		if s.title == c.title {
			c.line, c.above, c.body = s.line, unified(source[s.begin:s.start]), unified(source[s.start:s.end])
		}
	}
	return c
}
