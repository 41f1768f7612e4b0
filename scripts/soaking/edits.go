package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// arena is a folder with documents that many writers edit.
type arena struct {
	*run

	dir  string
	docs []document
	full bool // the disk may be full

	mu    sync.Mutex
	tries []*try
	cut   int // edits without an answer; each may leave a temporary file
}

// edits has writers of all kinds edit documents until the context ends.
func (r *run) edits(ctx context.Context, dir string, random *rand.Rand) error {
	a := &arena{run: r, dir: dir, docs: newDocuments()}
	return a.soak(ctx, random)
}

// soak writes the documents, has them edited, and checks them.
func (a *arena) soak(ctx context.Context, random *rand.Rand) error {
	for _, d := range a.docs {
		if err := os.WriteFile(filepath.Join(a.dir, d.Name), []byte(d.Text), 0o640); err != nil {
			return err
		}
	}
	stdio := func() (caller, error) { return startServer(a.program, a.dir, nil) }
	http := func() (caller, error) { return startWeb(a.program, a.dir) }
	endpoints := []*endpoint{{start: stdio}, {start: stdio}, {start: http}}
	var writing, killing sync.WaitGroup
	for writer := range writers {
		own := newChance(random)
		maker := a.byCommand(a.dir, newChance(random), sometimes)
		if writer >= 2 { // two writers a server
			maker = byServer(endpoints[writer/2-1])
		}
		writing.Go(func() { a.write(ctx, own, writer, maker) })
	}
	for _, e := range endpoints {
		own := newChance(random)
		killing.Go(func() { a.killing(ctx, own, e, 3*time.Second) })
	}
	writing.Wait()
	killing.Wait()
	for _, e := range endpoints {
		if err := e.close(); err != nil {
			a.fail("%v", err)
		}
	}
	a.dieWriting(random)
	return a.check(random)
}

// dieWriting has processes killed while they write, with nobody there who would take
// away what they leave.
func (a *arena) dieWriting(random *rand.Rand) {
	seen := map[string]string{}
	for n := range 8 {
		a.try(random, 0, 1_000_000+n, seen, a.byCommand(a.dir, random, whileWrite))
	}
}

// write makes one edit after the other.
func (a *arena) write(ctx context.Context, random *rand.Rand, writer int, edit maker) {
	seen := map[string]string{}                   // the hash of a section, as it was last told
	for n := 0; n == 0 || ctx.Err() == nil; n++ { // at least once, however slow the machine is
		if !a.try(random, writer, n, seen, edit) {
			return
		}
	}
}

// try makes an edit, and reports whether that went as it may.
func (a *arena) try(random *rand.Rand, writer, n int, seen map[string]string, edit maker) bool {
	d := &a.docs[random.IntN(len(a.docs))]
	t := newTry(random, d, writer, n, seen)
	a.mu.Lock()
	a.tries = append(a.tries, t)
	a.mu.Unlock()
	a.tally.add("edits tried", 1)
	said := edit(t)
	if said.hash != "" && t.Call.Address != "" {
		seen[t.File+t.Call.Address] = said.hash
	}
	wrong := a.note(t, said)
	if wrong != "" {
		a.fail("%s: %s of %s %q: %s", d.Name, t.Token, t.Call.Action, t.Call.Address, wrong)
	}
	return wrong == ""
}

// note notes what came of an edit, and returns what is wrong with it.
func (a *arena) note(t *try, said answer) (wrong string) {
	switch {
	case errors.Is(said.err, errGone): // that it was a kill is seen where the end is judged
		a.tally.add("edits without an answer", 1)
		a.mu.Lock()
		a.cut++
		a.mu.Unlock()
		return ""
	case said.err != nil:
		return said.err.Error()
	case said.code == "" && t.Must:
		t.Known = acknowledged
		return "made, though it had to be refused with " + t.May
	case said.code == "":
		t.Known = acknowledged
		a.tally.add("edits acknowledged", 1)
		return ""
	}
	t.Known, t.Code = refused, said.code
	switch {
	case said.code == codeNoSpace && a.full:
		a.tally.add("edits refused: disk full", 1)
	case said.code == t.May && t.May == codeConflict:
		a.tally.add("edits refused: conflict", 1)
	case said.code == t.May:
		a.tally.add("edits refused: structure changed", 1)
	default:
		return "refused with " + said.code + ": " + said.message
	}
	return ""
}

// check checks the documents and what else is in the folder.
func (a *arena) check(random *rand.Rand) error {
	if raw, err := json.MarshalIndent(a.tries, "", " "); err == nil {
		name := filepath.Base(filepath.Dir(a.dir)) + "-tries.json"
		_ = os.WriteFile(filepath.Join(a.run.dir, name), raw, 0o600) // for whoever looks for what went wrong
	}
	left, err := a.leftovers()
	a.tally.add("temporary files left by kills", left)
	if left > a.cut {
		a.fail("%d temporary files are left by %d edits without an answer", left, a.cut)
	}
	if err != nil {
		return err
	}
	for _, d := range a.docs {
		// All goes on after kills, and takes away what they have left.
		last := &try{File: d.Name, Token: "@last@", Known: unanswered}
		last.inline(&d, d.Shared[0])
		said := a.byCommand(a.dir, random, never)(last)
		if wrong := a.note(last, said); wrong != "" || last.Known != acknowledged {
			a.fail("%s: an edit after all others: %s %s", d.Name, wrong, last.Code)
		}
		text, err := os.ReadFile(filepath.Join(a.dir, d.Name))
		if err != nil {
			return err
		}
		mine := append(slices.DeleteFunc(slices.Clone(a.tries), func(t *try) bool { return t.File != d.Name }), last)
		v := check(&d, mine, string(text))
		for _, wrong := range v.wrong {
			a.fail("%s", wrong)
		}
		a.tally.add("edits without an answer that were made", v.late)
		if info, err := os.Stat(filepath.Join(a.dir, d.Name)); err != nil || info.Mode().Perm() != 0o640 {
			a.fail("%s has mode %v, %v", d.Name, info.Mode(), err)
		}
	}
	if left, err = a.leftovers(); err == nil && left > 0 {
		a.fail("%d temporary files stay behind a later edit", left)
	}
	return err
}

// leftovers returns how many temporary files are in the folder, where nothing else may
// be but the documents.
func (a *arena) leftovers() (int, error) {
	entries, err := os.ReadDir(a.dir)
	left := 0
	for _, e := range entries {
		known := slices.ContainsFunc(a.docs, func(d document) bool { return d.Name == e.Name() })
		switch {
		case known:
		case isTemporary(e.Name()):
			left++
		default:
			err = errors.Join(err, fmt.Errorf("%s is in the folder, and nobody put it there", e.Name()))
		}
	}
	return left, err
}
