package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Other programs save files, each in its own way, while commands and a server edit them,
// and nobody waits for anybody. Each save must be there until the next one, or in a file
// that a reply names; what another program has appended must be there to the end.

// foreignWays are the ways in which files are saved, and the longest pause between two
// saves: who has a file open for longer leaves more time for edits.
var foreignWays = map[string]time.Duration{
	"rename": 5 * time.Millisecond, "pieces": 40 * time.Millisecond, "append": 5 * time.Millisecond, "held": 60 * time.Millisecond,
}

// foreignHead is what a file has before the lines that another program saves: a section
// that is edited, and the heading of theirs.
const (
	foreignHead  = "# Ours\n\n%s\n\n# Saved\n\n"
	foreignLines = 40 // of each save in pieces, and by renaming
)

// foreign is a file, and the program that saves it.
type foreign struct {
	*run

	way, file string
	random    *rand.Rand
	last      int // the number of the last save

	mu     sync.Mutex
	named  []string // files that replies have named
	copied []string // what stood before the lines of saves that have copied it
}

// foreigns has files saved and edited until the context ends.
func (r *run) foreigns(ctx context.Context, dir string, random *rand.Rand) error {
	server, err := startServer(command(dir, r.program, serverArguments...))
	if err != nil {
		return err
	}
	var savers, editors sync.WaitGroup
	var all []*foreign
	over := make(chan struct{})
	for way, pause := range foreignWays {
		f := &foreign{run: r, way: way, file: filepath.Join(dir, way+".md"), random: newChance(random)}
		all = append(all, f)
		if err := os.WriteFile(f.file, fmt.Appendf(nil, foreignHead, "none"), 0o640); err != nil {
			return errors.Join(err, server.close())
		}
		savers.Go(func() { f.save(ctx, pause) })
		editors.Go(func() { f.edits(over, "server", f.byServer(server)) })
		editors.Go(func() { f.edits(over, "command", f.byCommand) })
	}
	savers.Wait()
	close(over)
	editors.Wait()
	err = server.close()
	for _, f := range all {
		err = errors.Join(err, f.check())
	}
	return err
}

// save saves the file until the context ends, and looks before each save whether the last
// one is there.
func (f *foreign) save(ctx context.Context, pauses time.Duration) {
	for n := 0; (n == 0 || ctx.Err() == nil) && len(f.wrongs()) == 0; n++ {
		err := f.saveOnce()
		if err != nil {
			f.fail("%s, saved as %s: %v", f.file, f.way, err)
			return
		}
		pause(ctx, f.random, pauses)
		if missing := f.missing(); missing != "" && !f.isNamed(f.last) {
			f.fail("%s: save %d (%s) is lost, and no reply names it: %s", f.file, f.last, f.way, missing)
		}
	}
}

// savedLine returns a line of a save.
func savedLine(n int) string { return fmt.Sprintf("saved %d.\n", n) }

// saveOnce saves the file once.
func (f *foreign) saveOnce() error {
	text, err := os.ReadFile(f.file)
	if err != nil {
		return err
	}
	f.last++
	f.tally.add("saves among edits", 1)
	head, _, found := strings.Cut(string(text), "# Saved\n")
	if !found {
		return fmt.Errorf("the file has no heading for what is saved: %q", clip(string(text)))
	}
	f.copies(head)
	whole := head + "# Saved\n\n" + strings.Repeat(savedLine(f.last), foreignLines)
	switch f.way {
	case "rename":
		next := filepath.Join(filepath.Dir(f.file), "next-"+filepath.Base(f.file))
		return errors.Join(os.WriteFile(next, []byte(whole), 0o640), os.Rename(next, f.file))
	case "pieces":
		return f.inPieces(os.O_TRUNC, whole[:len(whole)/3], whole[len(whole)/3:len(whole)/2], whole[len(whole)/2:])
	case "append":
		return f.inPieces(os.O_APPEND, savedLine(f.last))
	}
	f.last += 2
	f.tally.add("saves among edits", 2)
	return f.inPieces(os.O_APPEND, savedLine(f.last-2), savedLine(f.last-1), savedLine(f.last))
}

// copies remembers what a save takes over from the file. That may be an edit which stood there for an instant:
// it is taken back when a save came between, made again, and there already then.
func (f *foreign) copies(head string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.copied = append(f.copied, head)
}

// hasCopied reports whether a save has taken over an edit.
func (f *foreign) hasCopied(content string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.copied, func(head string) bool { return strings.Contains(head, content+"\n") })
}

// inPieces writes to the file a bit at a time, while it is held open.
func (f *foreign) inPieces(how int, pieces ...string) error {
	h, err := os.OpenFile(f.file, os.O_WRONLY|how, 0)
	if err != nil {
		return err
	}
	for i, piece := range pieces {
		if i > 0 {
			time.Sleep(time.Duration(f.random.Int64N(int64(3 * time.Millisecond))))
		}
		if _, err = h.WriteString(piece); err != nil {
			break
		}
	}
	return errors.Join(err, h.Close())
}

// missing returns what of the last save is not there, looking again for a while: an edit
// puts back what it has displaced within an instant.
func (f *foreign) missing() (missing string) {
	want := foreignLines
	if f.way == "append" || f.way == "held" {
		want = 1
	}
	for range 100 {
		text, err := os.ReadFile(f.file)
		n := strings.Count(string(text), savedLine(f.last))
		if err == nil && n == want {
			return ""
		}
		missing = fmt.Sprintf("%d of %d lines are there, %v", n, want, err)
		time.Sleep(5 * time.Millisecond)
	}
	return missing
}

// isNamed reports whether a save is in one of the files that replies have named.
func (f *foreign) isNamed(n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range f.named {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(f.file), name))
		if err == nil && strings.Contains(string(text), savedLine(n)) {
			return true
		}
	}
	return false
}

// edits edits the file until that is over.
func (f *foreign) edits(over <-chan struct{}, who string, edit func(content string) (said string, made bool, err error)) {
	for n := 0; !isClosed(over); n++ {
		content := fmt.Sprintf("edit %d by a %s", n, who)
		said, made, err := edit(content)
		f.note(said)
		switch {
		case err != nil:
			f.fail("%s: %v", f.file, err)
			return
		case made:
			f.tally.add("edits among saves", 1)
		case strings.Contains(said, "conflict:"):
			f.tally.add("edits among saves refused: conflict", 1)
		case strings.Contains(said, "no_change:") && f.hasCopied(content):
			f.tally.add("edits among saves that a save had copied", 1)
		// On a machine that is busy with other things. Saves are looked for all the same.
		case strings.Contains(said, "no answer within"):
			f.tally.add("edits among saves not ended in time", 1)
		// A file that is being written in place may have no heading.
		case !strings.Contains(said, "section_not_found:"):
			f.fail("%s: an edit among saves is refused: %s", f.file, clip(said))
		}
	}
}

// keptAs finds the files that a reply names.
var keptAs = regexp.MustCompile(`kept as "([^"]+)"`)

// note remembers what files a reply names.
func (f *foreign) note(said string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range keptAs.FindAllStringSubmatch(said, -1) {
		f.named = append(f.named, path.Base(m[1]))
		f.tally.add("files kept among edits, and named", 1)
	}
}

// byServer edits by a call of a server.
func (f *foreign) byServer(s *server) func(string) (string, bool, error) {
	return func(content string) (string, bool, error) {
		r, err := s.call("edit_section", object{
			"path": filepath.Base(f.file), "heading": "# Ours", "action": "replace", "scope": "body", "content": content,
		})
		if err != nil {
			return "", false, err
		}
		return r.text(), !r.IsError, nil
	}
}

// byCommand edits by a command.
func (f *foreign) byCommand(content string) (string, bool, error) {
	e, err := finish(command(filepath.Dir(f.file), f.program, "edit", filepath.Base(f.file), "# Ours", "replace",
		"--scope", "body", "--content", content), nil)
	return string(e.out) + string(e.log), err == nil && e.state.Success(), err
}

// check sees that all that was appended is there, and that nothing is that nobody named.
func (f *foreign) check() error {
	text, err := os.ReadFile(f.file)
	if err != nil {
		return err
	}
	for n := 1; n <= f.last && (f.way == "append" || f.way == "held"); n++ {
		if !strings.Contains(string(text), savedLine(n)) && !f.isNamed(n) {
			f.fail("%s: save %d (%s) is lost, and no reply names it", f.file, n, f.way)
		}
	}
	kept, err := filepath.Glob(strings.TrimSuffix(f.file, ".md") + ".kept-*")
	if len(kept) != len(f.named) {
		f.fail("%d files are kept beside %s, and %d named", len(kept), f.file, len(f.named))
	}
	return err
}

// clip returns the beginning of a text.
func clip(text string) string { return text[:min(len(text), 300)] }

// canTellWriters reports whether sectile is told here who has a file open.
func canTellWriters() (undo func(), err error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("it isn't told here who has a file open for writing: %w", errors.ErrUnsupported)
	}
	return func() {}, nil
}
