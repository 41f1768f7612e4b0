package main

import (
	"bytes"
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

// measureRounds counts the bytes that differ after changes and their inverses, of
// documents with LF and of documents with CRLF.
func measureRounds(ctx context.Context, b *bench) error {
	for _, endings := range []struct {
		name string
		crlf bool
	}{{"LF", false}, {"CRLF", true}} {
		docs := b.undone(endings.crlf)
		if len(docs) == 0 {
			b.report.note("no document with %s has %d places for edits and their inverses", endings.name, changes)
			continue
		}
		measure := fmt.Sprintf("%d edits and their inverses, %d times; documents with %s: %d", changes, changeRounds, endings.name, len(docs))
		for i := range b.tools {
			t := &b.tools[i]
			if t.editor == nil {
				continue
			}
			begin := time.Now()
			left, err := b.undo(ctx, *t, docs)
			if b.verbose {
				fmt.Fprintf(os.Stderr, "edits and inverses by %s: %.1f s\n", t.name, time.Since(begin).Seconds())
			}
			if err != nil {
				if err := b.fails(ctx, measure, t.name, err); err != nil {
					return err
				}
				continue
			}
			b.report.add(left.row(measure, t.name, len(docs)))
		}
	}
	return nil
}

// undone chooses documents with ten lines and bodies that can be changed, and not so
// large that it takes long: each is edited 400 times.
func (b *bench) undone(crlf bool) (docs []undone) {
	r := rand.New(rand.NewPCG(b.seed, 11))
	for _, at := range r.Perm(len(b.docs)) {
		if d := b.docs[at]; len(d.source) > 10_000 || len(docs) == b.undoneDocs || bytes.Contains(d.source, []byte("\r\n")) != crlf {
			continue
		}
		m, ok := newMaker(r, b.docs[at], b.reference[b.docs[at].name])
		if !ok {
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

// residue is what is left of changes that were taken back.
type residue struct {
	differ            int // bytes
	same              int // documents that are as they were
	made              int // edits
	refused, notAsked int // edits that were not made
}

// add counts what is left of another document.
func (r *residue) add(other residue) {
	r.differ += other.differ
	r.same += other.same
	r.made += other.made
	r.refused += other.refused
	r.notAsked += other.notAsked
}

// row says what is left. Nothing is, if nothing was done: then it says that.
func (r *residue) row(measure, tool string, documents int) row {
	line := row{measure: measure, tool: tool, result: thousands(r.differ) + " bytes differ"}
	if r.made == 0 {
		line.result = "it made no edit"
	}
	parts := []string{fmt.Sprintf("%d of %d documents as they were", r.same, documents)}
	if r.refused > 0 {
		parts = append(parts, thousands(r.refused)+" edits refused")
	}
	if r.notAsked > 0 {
		parts = append(parts, thousands(r.notAsked)+" edits of lines that were lost before")
	}
	line.detail = strings.Join(append(parts, thousands(r.made)+" edits made"), "; ")
	return line
}

// undo has an editor make all changes of all documents and take them back.
func (b *bench) undo(ctx context.Context, t tool, docs []undone) (left residue, err error) {
	folder, err := os.MkdirTemp(b.machine.scratch, "undo-")
	if err != nil {
		return left, err
	}
	e, err := t.editor(ctx, folder)
	if err != nil {
		return left, err
	}
	defer e.close()
	for i, d := range docs {
		one, err := undoOne(e, folder, fmt.Sprintf("undo-%d.md", i), d)
		if err != nil {
			return left, fmt.Errorf("%s: %w", d.name, err)
		}
		left.add(one)
	}
	return left, nil
}

// undoOne makes the changes of a document and takes them back.
func undoOne(e editor, folder, file string, d undone) (left residue, err error) {
	path := filepath.Join(folder, file)
	if err := os.WriteFile(path, d.source, 0o600); err != nil {
		return left, err
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
				return left, err
			}
			_, err = e.edit(file, all[i].asRead(now))
			_, isRefusal := errors.AsType[refusal](err)
			switch {
			case isRefusal:
				left.refused++
			case errors.Is(err, errNotAsked):
				left.notAsked++
			case err != nil:
				return left, err
			default:
				left.made++
			}
		}
	}
	result, err := os.ReadFile(path)
	left.differ = changedOutside(d.source, result, -1, -1)
	if left.differ == 0 {
		left.same = 1
	}
	return left, err
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
