package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Files change in all ways while they are read. A reply has the whole of one version
// with its hash, or is an error that says why there is none.

// changing are the files that change.
var changing = []string{"a.md", "b.md", "c.md"}

// outsideText is in a file outside of the root, to which links lead. A server must not
// show the secret in it.
const (
	secret      = "nobody may read this"
	outsideText = "# " + secret + "\n"
)

// refusals are the codes that a file which is none has.
var refusals = map[string]bool{
	"file_not_found": true, "not_a_file": true, "path_outside_root": true, "permission": true,
	"binary_file": true, "encoding_error": true, "no_matches": true,
}

// version returns the n-th version of a file: its first line says which one it is, and
// its length and all that is in it follow from that.
func version(name string, n int) string {
	random := rand.New(rand.NewPCG(uint64(n), uint64(len(name))))
	var b strings.Builder
	fmt.Fprintf(&b, "# Version %d of %s\n\n", n, name)
	for i := range 1 + random.IntN(12) {
		fmt.Fprintf(&b, "## Part %d of %d\n\n%s\n\n", i, n, strings.Repeat(fmt.Sprintf("Words of %d. ", n), random.IntN(60)))
	}
	fmt.Fprintf(&b, "## End of %d\n\nThe end of %d.\n", n, n)
	return b.String()
}

// halfOf returns how much of a version is there while it is written in place.
func halfOf(text string) int { return len(text) / 2 }

// isVersion returns what is wrong with a text that was read from a file.
func isVersion(text string) (wrong string) {
	if text == "" {
		return "" // it was about to be written in place
	}
	if text == outsideText || text == strings.TrimSuffix(outsideText, "\n") {
		return "" // commands have no roots; what a server reads was looked at before
	}
	var n int
	var name string
	if _, err := fmt.Sscanf(text, "# Version %d of %s", &n, &name); err != nil {
		return fmt.Sprintf("the text begins with %.60q", text)
	}
	// What a reply shows ends without the last newline, or with it.
	whole := version(name, n)
	states := []string{whole, whole[:halfOf(whole)]}
	for end := page; end < len(whole); end += page { // a system writes page by page
		states = append(states, whole[:end])
	}
	for _, is := range states {
		if text == is || text == strings.TrimSuffix(is, "\n") {
			return ""
		}
	}
	return "the text is no version: " + difference(whole, text)
}

// hashOf returns the hash of a text, as docs/tools.md explains it: of its bytes without
// the blank lines at its end. No line here is blank and has white space.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimRight(text, "\r\n")))
	return hex.EncodeToString(sum[:8])
}

// passages is what is read.
type passages struct {
	Passages []struct {
		Hash  string
		Texts []struct{ Text string }
	}
	Error *struct{ Code, Message string }
}

// reads has files read until the context ends, while they change.
func (r *run) reads(ctx context.Context, dir string, random *rand.Rand) error {
	root := filepath.Join(dir, "root")
	outside := filepath.Join(dir, "outside.md")
	err := errors.Join(os.Mkdir(root, 0o755), os.WriteFile(outside, []byte(outsideText), 0o600),
		os.WriteFile(filepath.Join(root, "other.md"), []byte(version("other.md", 1)), 0o600))
	if err != nil {
		return err
	}
	s, err := startServer(r.program, root, nil)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	for _, name := range changing {
		c := &changer{run: r, path: filepath.Join(root, name), outside: outside, random: newChance(random)}
		running.Go(func() { c.run.until(ctx, c.change) })
	}
	for i := range 3 {
		own := newChance(random)
		read := func() error { return r.readByServer(s, pick(own, changing), own) }
		if i == 0 {
			read = func() error { return r.readByCommand(root, pick(own, changing)) }
		}
		running.Go(func() { r.until(ctx, read) })
	}
	running.Wait()
	return s.close()
}

// until does something until the context ends, or it fails, but at least once.
func (r *run) until(ctx context.Context, do func() error) {
	for {
		if err := do(); err != nil {
			r.fail("reading: %v", err)
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// readByServer reads a file, or calls another tool with it.
func (r *run) readByServer(s *server, name string, random *rand.Rand) error {
	if random.IntN(4) == 0 {
		tool, args := "markdown_tree", object{"file_path": name}
		if random.IntN(2) == 0 {
			tool, args = "mdsel_index", object{"files": []string{"."}}
		}
		got, err := s.call(tool, args)
		if err == nil && strings.Contains(got.text(), "internal_error") || err == nil && strings.Contains(got.text(), secret) {
			err = fmt.Errorf("%s of %s: %s", tool, name, got.text())
		}
		return err
	}
	got, err := s.call("read_file", object{"path": name, "heading": "@document"})
	if err != nil {
		return err
	}
	if strings.Contains(got.text(), secret) {
		return fmt.Errorf("%s was read through a link that leads outside: %s", name, got.text())
	}
	if got.IsError {
		code, message, _ := strings.Cut(got.text(), ":")
		return r.judgeRead(name, nil, code, message)
	}
	return r.judgeRead(name, got.StructuredContent, "", "")
}

// readByCommand reads a file by a process of its own.
func (r *run) readByCommand(dir, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, "read", "--json", name, "@document")
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return errHangs
	}
	if len(out) == 0 || strings.Contains(errs.String(), "goroutine ") {
		code, message, _ := strings.Cut(strings.TrimPrefix(errs.String(), "sectile: "), ":")
		if err != nil && refusals[code] {
			return r.judgeRead(name, nil, code, message)
		}
		return fmt.Errorf("read %s: %w %q %q", name, err, out, errs.String())
	}
	return r.judgeRead(name, out, "", "")
}

// judgeRead judges a reply, or the error instead of one.
func (r *run) judgeRead(name string, raw []byte, code, message string) error {
	r.tally.add("reads tried", 1)
	var p passages
	if raw != nil {
		// A command that is given a folder prints a line for each file in it.
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("%s: %w in %q", name, err, raw)
		}
		if p.Error != nil {
			code, message = p.Error.Code, p.Error.Message
		}
	}
	if code != "" {
		if !refusals[code] {
			return fmt.Errorf("%s can't be read: %s: %s", name, code, message)
		}
		r.tally.add("reads refused: other file or none there", 1)
		return nil
	}
	var text strings.Builder
	for _, passage := range p.Passages {
		for _, t := range passage.Texts {
			text.WriteString(t.Text)
		}
	}
	if len(p.Passages) != 1 {
		return fmt.Errorf("%s: %d passages: %.200s", name, len(p.Passages), raw)
	}
	if wrong := isVersion(text.String()); wrong != "" {
		return fmt.Errorf("%s: %s", name, wrong)
	}
	if got, want := p.Passages[0].Hash, hashOf(text.String()); got != want {
		return fmt.Errorf("%s: hash %s instead of %s of %.60q", name, got, want, text.String())
	}
	r.tally.add("reads of a whole version", 1)
	return nil
}

// changer changes one file.
type changer struct {
	run     *run
	path    string
	outside string // a file outside of the root
	random  *rand.Rand
	n       int
}

// change puts something in the place of the file.
func (c *changer) change() error {
	c.n++
	c.run.tally.add("changes under readers", 1)
	time.Sleep(time.Duration(c.random.IntN(1500)) * time.Microsecond)
	text := version(filepath.Base(c.path), c.n)
	switch c.random.IntN(12) {
	case 0:
		return c.instead(func(path string) error { return os.Symlink(c.outside, path) })
	case 1:
		return c.instead(func(path string) error { return os.Symlink("other.md", path) })
	case 2:
		return c.instead(func(path string) error {
			if err := exec.Command("mkfifo", path).Run(); err != nil {
				return os.Mkdir(path, 0o755) // a system without pipes
			}
			return nil
		})
	case 3:
		return c.instead(func(path string) error { return os.Mkdir(path, 0o755) })
	case 4:
		return c.instead(func(path string) error { return os.WriteFile(path, []byte("# A\n\x00\n"), 0o600) })
	case 5:
		return c.instead(func(path string) error { return os.WriteFile(path, []byte("# A\n\xff\xfe\n"), 0o600) })
	case 6:
		return os.RemoveAll(c.path)
	case 7, 8:
		return c.inPlace(text)
	}
	return c.instead(func(path string) error { return os.WriteFile(path, []byte(text), 0o600) })
}

// instead puts what is made in the place of the file in one step, where there is one.
func (c *changer) instead(put func(path string) error) error {
	next := c.path + ".next" // which is no document by its name
	if err := errors.Join(os.RemoveAll(next), put(next)); err != nil {
		return err
	}
	if os.Rename(next, c.path) == nil {
		return nil
	}
	// A folder takes no file's place, and no file a folder's.
	return errors.Join(os.RemoveAll(c.path), os.Rename(next, c.path))
}

// inPlace writes the file anew without another one: it is empty for a moment, and then
// there is half of it.
func (c *changer) inPlace(text string) error {
	info, err := os.Lstat(c.path)
	if err != nil || !info.Mode().IsRegular() {
		if err := os.RemoveAll(c.path); err != nil {
			return err
		}
	}
	f, err := os.Create(c.path)
	if err != nil {
		return err
	}
	_, first := f.WriteString(text[:halfOf(text)])
	time.Sleep(time.Duration(c.random.IntN(300)) * time.Microsecond)
	_, second := f.WriteString(text[halfOf(text):])
	return errors.Join(first, second, f.Close())
}
