package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Another program saves what sectile edits. It does what editors do: it writes a file of
// its own and renames it, and asks for no lock. sectile looks at what its own file has
// displaced, puts it back if it is something else than it has read, and begins anew; so
// what is saved before it answers must stay.
//
// So that a save comes in the middle of an edit, and never over one that is done, the
// process that edits is made to stop when its temporary file is there.

// saver is the other program.
type saver struct {
	*arena

	random *rand.Rand
	n      int
}

// canSuspend reports whether processes can be stopped here, and be seen to have stopped.
func canSuspend() (undo func(), err error) {
	if _, err := isSuspended(os.Getpid()); err != nil {
		return nil, fmt.Errorf("it can't be seen here whether a process has stopped: %w (%w)", err, errors.ErrUnsupported)
	}
	return func() {}, nil
}

// saves has documents edited, one edit after the other, and saved meanwhile.
func (r *run) saves(ctx context.Context, dir string, random *rand.Rand) error {
	s := &saver{arena: &arena{run: r, dir: dir, docs: newDocuments()}, random: newChance(random)}
	if err := s.begin(); err != nil {
		return err
	}
	server, err := startServer(command(dir, r.program, serverArguments...))
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for n := 0; n == 0 || ctx.Err() == nil && len(s.wrongs()) == 0; n++ {
		maker := func(t *try) answer {
			return s.perish(s.editing(random, t), func(p *running) { s.saveWithin(t, p.Process, p.done) })
		}
		if random.IntN(2) == 0 {
			maker = func(t *try) answer {
				done := make(chan struct{})
				saved := make(chan struct{})
				go func() {
					s.saveWithin(t, server.cmd.Process, done)
					close(saved)
				}()
				said := byServer(server)(t)
				close(done)
				<-saved
				return said
			}
		}
		if n == 0 || random.IntN(4) == 0 { // while nobody else writes
			d := pick(random, s.docs)
			if _, err := s.save(&d); err != nil {
				s.fail("%s: %v", d.Name, err)
			}
		}
		if !s.try(random, n%writers, n, seen, maker) {
			break
		}
	}
	return errors.Join(server.close(), s.check(random))
}

// saveWithin saves the document of an edit when the process that makes it has written its
// temporary file, if it does so before all is done.
func (s *saver) saveWithin(t *try, p *os.Process, done <-chan struct{}) {
	if !waitForTemporary(s.dir, nil, done) || suspend(p) != nil {
		return
	}
	for {
		all, err := isSuspended(p.Pid)
		if err != nil || isClosed(done) {
			_ = resume(p) // it may have ended
			return
		}
		if all {
			break
		}
	}
	within := len(temporaries(s.dir)) > 0 // or else it has been renamed
	var saved *try
	var err error
	for i := range s.docs {
		if s.docs[i].Name == t.File {
			saved, err = s.save(&s.docs[i])
		}
	}
	if err = errors.Join(err, resume(p)); err != nil {
		s.fail("%s: %v", t.File, err)
		return
	}
	if !within {
		return
	}
	<-done
	s.tally.add("saves while an edit is written", 1)
	if text, err := os.ReadFile(filepath.Join(s.dir, t.File)); err == nil && !strings.Contains(string(text), saved.Token) {
		s.tally.add("saves while an edit is written that were lost", 1)
		saved.Known = unanswered
	}
}

// save puts a token into a document as it is now.
func (s *saver) save(d *document) (*try, error) {
	s.n++
	t := newToken(s.random, d, -1, s.n)
	t.inline(d, pick(s.random, d.Shared))
	t.Known = acknowledged
	path := filepath.Join(s.dir, d.Name)
	text, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	was, is := t.Call.Texts[0][0], t.Call.Texts[0][1]
	if !strings.Contains(string(text), was) {
		return t, fmt.Errorf("%q is not there any more", was)
	}
	next := path + ".next"
	if err := os.WriteFile(next, []byte(strings.Replace(string(text), was, is, 1)), 0o640); err != nil {
		return t, err
	}
	s.add(t)
	s.tally.add("saves by another program", 1)
	return t, os.Rename(next, path)
}

// judgeSaves sees that none of the saves was lost that came in the middle of an edit.
func (p *part) judgeSaves() {
	within, lost := p.tally.get("saves while an edit is written"), p.tally.get("saves while an edit is written that were lost")
	if lost > 0 {
		p.fail("%d of %d saves were lost that came while an edit was written", lost, within)
	}
}

// isSuspended reports whether all of a process has stopped.
func isSuspended(pid int) (bool, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err == nil && len(threads) == 0 {
		err = fmt.Errorf("nothing is known of the process %d", pid)
	}
	if err != nil {
		return false, err
	}
	for _, thread := range threads {
		// Behind the name, which stands in parentheses, is the state.
		text, err := os.ReadFile(thread)
		if err != nil {
			return false, err
		}
		_, state, _ := strings.Cut(string(text[strings.LastIndex(string(text), ")")+1:]), " ")
		if !strings.HasPrefix(state, "T") {
			return false, nil
		}
	}
	return true, nil
}
