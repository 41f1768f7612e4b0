package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// arena is a folder with documents that many writers edit.
type arena struct {
	*run

	dir  string
	docs []document
	full bool // the disk may be full
	// limits are sizes of a file at which processes find no room, one a process by chance;
	// none for no limit.
	limits []string

	mu    sync.Mutex
	tries []*try
	cut   int // edits without an answer; each may leave a temporary file
}

// edits has writers of all kinds edit documents until the context ends.
func (r *run) edits(ctx context.Context, dir string, random *rand.Rand) error {
	a := &arena{run: r, dir: dir, docs: newDocuments()}
	return a.soak(ctx, random)
}

// begin writes the documents.
func (a *arena) begin() error {
	for _, d := range a.docs {
		if err := os.WriteFile(filepath.Join(a.dir, d.Name), []byte(d.Text), 0o640); err != nil {
			return err
		}
	}
	return nil
}

// soak writes the documents, has them edited, and checks them.
func (a *arena) soak(ctx context.Context, random *rand.Rand) error {
	if err := a.begin(); err != nil {
		return err
	}
	var endpoints []*endpoint
	for i := range 3 {
		own := newChance(random)
		endpoints = append(endpoints, &endpoint{start: func() (caller, error) {
			if i == 2 {
				return startWeb(a.command(own, webArguments...))
			}
			return startServer(a.command(own, serverArguments...))
		}})
	}
	var writing, killing sync.WaitGroup
	for writer := range writers {
		own := newChance(random)
		maker := a.byCommand(newChance(random), sometimes)
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
	if a.limits != nil { // none holds after this
		a.limits = nil
		a.closeAll(endpoints)
	}
	makers := []maker{a.byCommand(newChance(random), never)}
	for _, e := range endpoints {
		makers = append(makers, byServer(e))
	}
	for n, maker := range makers {
		a.alone(random, 2_000_000+10*n, maker)
	}
	a.closeAll(endpoints)
	a.dieWriting(random)
	return a.check(random)
}

// alone makes edits with nobody else there. One with the hash that was told must be made,
// and one with a hash from before that must not.
func (a *arena) alone(random *rand.Rand, n int, edit maker) {
	d := pick(random, a.docs)
	s := pick(random, d.Shared)
	hash, stale := "", ""
	for i := range 3 {
		t := newToken(random, &d, 0, n+i)
		t.append(&d, s)
		if i == 1 {
			t.Call.Hash = hash
		}
		if i == 2 {
			t.Call.Hash, t.May, t.Must = stale, codeConflict, true
		}
		said, wrong := a.do(t, edit)
		if wrong == "" && t.Known != acknowledged && !t.Must {
			wrong = fmt.Sprintf("%s: %s", t.Known, t.Code)
		}
		if wrong != "" {
			a.fail("%s: %s, an edit with nobody else there and hash %q: %s", d.Name, t.Token, t.Call.Hash, wrong)
			return
		}
		stale, hash = hash, said.hash
	}
}

// dieWriting has processes killed while they write, with nobody there who would take
// away what they leave.
func (a *arena) dieWriting(random *rand.Rand) {
	seen := map[string]string{}
	for n := range 8 {
		a.try(random, 0, 1_000_000+n, seen, a.byCommand(random, whileWrite))
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

// try makes an edit by chance, and reports whether that went as it may.
func (a *arena) try(random *rand.Rand, writer, n int, seen map[string]string, edit maker) bool {
	t := newTry(random, &a.docs[random.IntN(len(a.docs))], writer, n, seen)
	said, wrong := a.do(t, edit)
	if said.hash != "" && t.Call.Address != "" {
		seen[t.File+t.Call.Address] = said.hash
	}
	if wrong != "" {
		a.fail("%s: %s of %s %q: %s", t.File, t.Token, t.Call.Action, t.Call.Address, wrong)
	}
	return wrong == ""
}

// do makes an edit, and returns what is wrong with what came of it.
func (a *arena) do(t *try, edit maker) (said answer, wrong string) {
	a.add(t)
	a.tally.add("edits tried", 1)
	said = edit(t)
	return said, a.note(t, said)
}

// add takes an edit into the list of those that are checked.
func (a *arena) add(t *try) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tries = append(a.tries, t)
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
		if t.Call.Hash != "" {
			a.tally.add("edits acknowledged: with a hash", 1)
		}
		return ""
	}
	t.Known, t.Code = refused, said.code
	switch {
	case a.full && said.code == codeNoSpace:
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
		below := strings.TrimPrefix(a.dir, a.run.dir+string(filepath.Separator))
		name, _, _ := strings.Cut(below, string(filepath.Separator))               // of the part
		_ = os.WriteFile(filepath.Join(a.run.dir, name+"-tries.json"), raw, 0o600) // for whoever looks for what went wrong
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
		said := a.byCommand(random, never)(last)
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
		info, err := os.Stat(filepath.Join(a.dir, d.Name))
		if err != nil {
			return err
		}
		if info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
			a.fail("%s has mode %v", d.Name, info.Mode())
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
