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
)

// Files change in all ways while they are read. A reply has the whole of one version
// with its hash, or is an error that says why there is none.

// otherName is a file that stays as it is, to which links lead.
const otherName = "other.md"

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
		os.WriteFile(filepath.Join(root, otherName), []byte(version(otherName, 1)), 0o600))
	if err != nil {
		return err
	}
	s, err := startServer(r.program, root, nil)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	histories := map[string]*history{}
	for _, name := range changing {
		histories[name] = newHistory()
		c := &changer{run: r, history: histories[name], path: filepath.Join(root, name), outside: outside, random: newChance(random)}
		running.Go(func() { c.run.until(ctx, c.change) })
	}
	for i := range 3 {
		own := newChance(random)
		read := func() error {
			name := pick(own, changing)
			if i == 0 {
				return r.readByCommand(root, name, histories[name])
			}
			return r.readByServer(s, name, histories[name], own)
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
func (r *run) readByServer(s caller, name string, h *history, random *rand.Rand) error {
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
	from := h.completed()
	got, err := s.call("read_file", object{"path": name, "heading": "@document"})
	if err != nil {
		return err
	}
	if strings.Contains(got.text(), secret) {
		return fmt.Errorf("%s was read through a link that leads outside: %s", name, got.text())
	}
	if got.IsError {
		code, message, _ := strings.Cut(got.text(), ":")
		return r.judgeRead(name, nil, code, message, h.since(from))
	}
	return r.judgeRead(name, got.StructuredContent, "", "", h.since(from))
}

// readByCommand reads a file by a process of its own.
func (r *run) readByCommand(dir, name string, h *history) error {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, "read", "--json", name, "@document")
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	from := h.completed()
	out, err := cmd.Output()
	may := h.since(from)
	if ctx.Err() != nil {
		return errHangs
	}
	if line := badLog(errs.String()); line != "" {
		return fmt.Errorf("read %s: the command ends with %s and logs %s", name, cmd.ProcessState, line)
	}
	if len(out) == 0 {
		code, message, _ := strings.Cut(strings.TrimPrefix(errs.String(), "sectile: "), ":")
		if err != nil && refusals[code] {
			return r.judgeRead(name, nil, code, message, may)
		}
		return errors.Join(err, fmt.Errorf("read %s: no reply, and the log %q", name, errs.String()))
	}
	return r.judgeRead(name, out, "", "", may)
}

// judgeRead judges a reply, or the error instead of one, by what may have been in the
// place of the file while the call lasted.
func (r *run) judgeRead(name string, raw []byte, code, message string, may states) error {
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
		if !may.none() {
			return fmt.Errorf("%s can't be read, though a text was there all the time: %s: %s", name, code, message)
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
	kind, wrong := may.judge(text.String())
	if wrong != "" {
		return fmt.Errorf("%s: %s", name, wrong)
	}
	if got, want := p.Passages[0].Hash, hashOf(text.String()); got != want {
		return fmt.Errorf("%s: hash %s instead of %s of %.60q", name, got, want, text.String())
	}
	r.tally.add(kind, 1)
	return nil
}
