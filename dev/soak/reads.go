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
	"binary_file": true, "encoding_error": true, "no_matches": true, "file_read_error": true,
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

// reading is the part that reads files while they change. One server is kept for the
// whole run.
type reading struct {
	*part

	root      string // which all rounds use
	server    *server
	histories map[string]*history // of this round, by file

	first, last usage // of the server, after the first round and the last
	rounds      int
}

// prepare sees whether what a server holds is seen here.
func (g *reading) prepare() (undo func(), err error) {
	if _, err := usageOf(os.Getpid()); err != nil {
		g.without = fmt.Sprintf("the growth of a server: %v", err)
	}
	return func() {}, nil
}

// round has files read until the context ends, while they change.
func (g *reading) round(ctx context.Context, dir string, random *rand.Rand) error {
	outside, err := g.begin(dir)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	g.histories = map[string]*history{}
	for _, name := range changing {
		g.histories[name] = newHistory()
		c := &changer{run: g.run, history: g.histories[name], path: filepath.Join(g.root, name), outside: outside, random: newChance(random)}
		running.Go(func() { g.until(ctx, c.change) })
	}
	g.histories[otherName] = newHistory()
	g.histories[otherName].begin(change{to: state{name: otherName, version: 1}})
	g.histories[otherName].end()
	for i := range 3 {
		own := newChance(random)
		next := i - 1 // so that each happens
		read := func() error {
			name, what := pick(own, changing), next
			next = own.IntN(6)
			switch {
			case i == 0:
				return g.readByCommand(g.root, name, g.histories[name])
			case what == 0:
				return g.tree(g.server, name)
			case what == 1:
				return g.index(g.server)
			}
			return g.readByServer(g.server, name)
		}
		running.Go(func() { g.until(ctx, read) })
	}
	running.Wait()
	return g.measure()
}

// begin makes the files of a round, in the folder that the server serves.
func (g *reading) begin(dir string) (outside string, err error) {
	g.root = filepath.Join(filepath.Dir(dir), "root")
	outside = filepath.Join(dir, outsideName)
	err = errors.Join(os.MkdirAll(g.root, 0o755), os.WriteFile(outside, []byte(outsideText), 0o600),
		os.WriteFile(filepath.Join(g.root, otherName), []byte(version(otherName, 1)), 0o600))
	for _, name := range changing {
		err = errors.Join(err, os.RemoveAll(filepath.Join(g.root, name)))
	}
	if err == nil && g.server == nil {
		g.server, err = startServer(command(g.root, g.program, serverArguments...))
	}
	return outside, err
}

// measure notes what the server holds.
func (g *reading) measure() error {
	if g.without != "" {
		return nil
	}
	now, err := usageOf(g.server.cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("what the server holds: %w", err)
	}
	if g.rounds++; g.rounds == 1 {
		g.first = now
	}
	g.last = now
	return nil
}

// end ends the server.
func (g *reading) end() {
	if g.server == nil {
		return
	}
	if err := g.server.close(); err != nil {
		g.fail("reading: %v", err)
	}
	if g.rounds == 0 {
		return
	}
	g.tally.add("MB of the server that reads after its first round", g.first.megabytes)
	g.tally.add("MB of it at the end", g.last.megabytes)
	g.tally.add("files open in it after its first round", g.first.files)
	g.tally.add("files open in it at the end", g.last.files)
	if wrong := grown(g.first, g.last); wrong != "" {
		g.fail("reading: after %d rounds the server has grown: %s", g.rounds, wrong)
	}
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

// shown is what is shown of a file, or the code of the error instead.
type shown struct {
	what          string // "reads" or "outlines", as in the table
	name          string
	text          string
	by            look
	code, message string
}

// called calls a tool that reads, and keeps from view what nobody may see.
func (g *reading) called(c caller, tool string, args object) (*reply, error) {
	got, err := c.call(tool, args)
	if err == nil && (strings.Contains(got.text(), secret) || strings.Contains(string(got.StructuredContent), secret)) {
		err = fmt.Errorf("%s %v read a link that leads outside: %s", tool, args, got.text())
	}
	return got, err
}

// readByServer reads a file.
func (g *reading) readByServer(c caller, name string) error {
	h := g.histories[name]
	from := h.completed()
	got, err := g.called(c, "read_file", object{"path": name, "heading": "@document"})
	if err != nil {
		return err
	}
	if got.IsError {
		code, message, _ := strings.Cut(got.text(), ":")
		return g.judge(&shown{what: "reads", name: name, code: code, message: message}, h.since(from))
	}
	return g.judgeRead(name, got.StructuredContent, h.since(from))
}

// treeNode is a node of an outline.
type treeNode struct {
	Name     string
	Children []treeNode
}

// headings returns those below a node, a line each.
func (n *treeNode) headings() string {
	var b strings.Builder
	for i := range n.Children {
		b.WriteString(n.Children[i].Name + "\n" + n.Children[i].headings())
	}
	return b.String()
}

// tree asks for the outline of a file.
func (g *reading) tree(c caller, name string) error {
	h := g.histories[name]
	from := h.completed()
	got, err := g.called(c, "markdown_tree", object{"file_path": name})
	if err != nil {
		return err
	}
	s := &shown{what: "outlines", name: name, by: headings}
	if got.IsError {
		s.code, s.message, _ = strings.Cut(got.text(), ":")
		return g.judge(s, h.since(from))
	}
	var tree struct {
		Root      *treeNode `json:"tree_json"`
		Documents []struct {
			Root  *treeNode `json:"tree_json"`
			Error *struct{ Code, Message string }
		}
	}
	err = json.Unmarshal(got.StructuredContent, &tree)
	// It was a folder, whose documents are listed, and then a file.
	if list := tree.Documents; err == nil && tree.Root == nil && len(list) == 1 {
		if tree.Root = list[0].Root; list[0].Error != nil {
			s.code, s.message = list[0].Error.Code, list[0].Error.Message
			return g.judge(s, h.since(from))
		}
	}
	if err != nil || tree.Root == nil {
		return errors.Join(err, fmt.Errorf("markdown_tree of %s shows no tree: %q", name, got.StructuredContent))
	}
	s.text = tree.Root.headings()
	return g.judge(s, h.since(from))
}

// indexed is an index of several files.
type indexed struct {
	Data struct {
		Documents []struct {
			Path     string `json:"file_path"`
			Headings []struct{ Text string }
		}
	}
	Errors []struct{ Code, Message, File string }
}

// index asks for the outlines of all files at once.
func (g *reading) index(c caller) error {
	names := append([]string{otherName}, changing...)
	from := map[string]int{}
	for _, name := range names {
		from[name] = g.histories[name].completed()
	}
	got, err := g.called(c, "mdsel_index", object{"files": names, "max_chars": 40_000})
	if err != nil {
		return err
	}
	var all indexed
	if err := json.Unmarshal(got.StructuredContent, &all); got.IsError || err != nil {
		return errors.Join(err, fmt.Errorf("mdsel_index fails, though %s is there all the time: %q", otherName, got.text()))
	}
	of := map[string]*shown{}
	for _, d := range all.Data.Documents {
		s := &shown{what: "outlines", name: d.Path, by: headings}
		for _, h := range d.Headings {
			s.text += h.Text + "\n"
		}
		of[d.Path] = s
	}
	for _, e := range all.Errors {
		of[e.File] = &shown{what: "outlines", name: e.File, code: strings.ToLower(e.Code), message: e.Message}
	}
	for _, name := range names {
		if of[name] == nil {
			return fmt.Errorf("mdsel_index says nothing of %s: %s", name, got.text())
		}
		if err := g.judge(of[name], g.histories[name].since(from[name])); err != nil {
			return err
		}
	}
	return nil
}

// readByCommand reads a file by a process of its own.
func (r *run) readByCommand(dir, name string, h *history) error {
	from := h.completed()
	e, err := finish(command(dir, r.program, "read", "--json", name, "@document"), nil)
	may := h.since(from)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(e.out) == 0 {
		code, message, _ := strings.Cut(strings.TrimPrefix(string(e.log), "sectile: "), ":")
		if !e.state.Success() && refusals[code] {
			return r.judge(&shown{what: "reads", name: name, code: code, message: message}, may)
		}
		return fmt.Errorf("read %s: no reply, %s and the log %q", name, e.state, e.log)
	}
	return r.judgeRead(name, e.out, may)
}

// passages is what is read.
type passages struct {
	Passages []struct {
		Hash  string
		Texts []struct{ Text string }
	}
	Error *struct{ Code, Message string }
}

// judgeRead judges a text that was read, and its hash.
func (r *run) judgeRead(name string, raw []byte, may states) error {
	var p passages
	// A command that is given a folder prints a line for each file in it.
	if err := json.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("%s: %w in %q", name, err, raw)
	}
	s := &shown{what: "reads", name: name, by: whole}
	if p.Error != nil {
		s.code, s.message = p.Error.Code, p.Error.Message
		return r.judge(s, may)
	}
	if len(p.Passages) != 1 {
		return fmt.Errorf("%s: %d passages: %.200s", name, len(p.Passages), raw)
	}
	var text strings.Builder
	for _, t := range p.Passages[0].Texts {
		text.WriteString(t.Text)
	}
	if got, want := p.Passages[0].Hash, hashOf(text.String()); got != want {
		return fmt.Errorf("%s: hash %s instead of %s of %.60q", name, got, want, text.String())
	}
	s.text = whole(text.String())
	return r.judge(s, may)
}

// judge judges what was shown by what may have been in the place of the file while the
// call lasted.
func (r *run) judge(s *shown, may states) error {
	r.tally.add(s.what+" tried", 1)
	if s.code != "" {
		if !refusals[s.code] {
			return fmt.Errorf("%s can't be read: %s: %s", s.name, s.code, s.message)
		}
		if !may.none() {
			return fmt.Errorf("%s can't be read, though a text was there all the time: %s: %s", s.name, s.code, s.message)
		}
		r.tally.add(s.what+" refused: other file or none there", 1)
		return nil
	}
	kind, wrong := may.judge(s.text, s.by)
	if wrong != "" {
		return fmt.Errorf("%s, %s: %s", s.what, s.name, wrong)
	}
	r.tally.add(s.what+" "+kind, 1)
	return nil
}
