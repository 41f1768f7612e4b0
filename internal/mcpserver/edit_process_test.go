package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// Many processes change one file at the same time, some by the command line, some as
// servers whose roots overlap: no update is lost, and none is made to what somebody
// else has changed.

const (
	editors    = 8 // processes, or those who start one for each edit
	ownParts   = 8 // sections that one editor alone changes
	sharedOnes = 8 // sections that all change
	lastLine   = "The end.\n"
)

// editsPerPart is the number of edits that are made in each section: with
// SECTILE_LONG 200 in each of 16.
func editsPerPart() int {
	if testkit.Long() {
		return 200
	}
	return 8
}

// answerToEdit is what an editor hears.
type answerToEdit struct {
	Edits []struct {
		Target struct{ Hash string }
		Now    struct{ Hash string }
	}
	Written bool
	Error   *struct {
		Code    string
		Current []struct{ Hash string }
	}
}

// editor appends text to a section, if it has the hash.
type editor func(heading, content, hash string) (answerToEdit, error)

// commandEditor starts a process for each edit.
func commandEditor(program, dir, path string) editor {
	return func(heading, content, hash string) (a answerToEdit, err error) {
		args := []string{"edit", "--json", path, heading, "append", "--content", content}
		if hash != "" {
			args = append(args, "--expected-hash", hash)
		}
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil && (len(out) == 0 || !errors.As(err, new(*exec.ExitError))) {
			return a, fmt.Errorf("%w: %s", err, out)
		}
		err = json.Unmarshal(out, &a)
		return a, err
	}
}

// currentHash finds in an error the hash of what is there.
var currentHash = regexp.MustCompile(`(?m)^current text of .* hash ([0-9a-f]{16})`)

// serverEditor calls a server that was started with the roots.
func serverEditor(t *testing.T, program, dir, path string, roots ...string) editor {
	t.Helper()
	args := []string{"mcp", "--structured"}
	for _, root := range roots {
		args = append(args, "--root", root)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil || log.Len() > 0 {
			t.Errorf("the server ends with %v and logs %s", err, log.String())
		}
	})
	lines := bufio.NewReader(out)
	id := 0
	call := func(method string, params any) (result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}, err error,
	) {
		id++
		raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			return result, err
		}
		if _, err := in.Write(append(raw, '\n')); err != nil {
			return result, err
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return result, err
		}
		var m struct{ Result json.RawMessage }
		if err := json.Unmarshal(line, &m); err != nil || m.Result == nil {
			return result, fmt.Errorf("%w in %s", err, line)
		}
		err = json.Unmarshal(m.Result, &result)
		return result, err
	}
	if _, err := call("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return func(heading, content, hash string) (a answerToEdit, err error) {
		args := object{"path": path, "heading": heading, "action": "append", "content": content}
		if hash != "" {
			args["expected_hash"] = hash
		}
		r, err := call("tools/call", object{"name": "edit_section", "arguments": args})
		if err != nil || !r.IsError {
			err = errors.Join(err, json.Unmarshal(r.StructuredContent, &a))
			return a, err
		}
		text := r.Content[0].Text
		code, _, _ := strings.Cut(text, ":")
		raw := object{"code": code}
		if found := currentHash.FindStringSubmatch(text); found != nil {
			raw["current"] = []object{{"hash": found[1]}}
		}
		whole, err := json.Marshal(object{"error": raw})
		if err != nil {
			return a, err
		}
		err = json.Unmarshal(whole, &a)
		return a, err
	}
}

// steps are the edits that were made to a section: from hash to hash.
type steps struct {
	mu   sync.Mutex
	from map[string]string // by the hash before
}

// add notes an edit. It fails if another one was made to the same text.
func (s *steps) add(heading, before, after string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := heading + " " + before
	if other, twice := s.from[key]; twice {
		return fmt.Errorf("%s was changed twice as it was with hash %s: to %s and to %s", heading, before, other, after)
	}
	s.from[key] = after
	return nil
}

// manyEdits is the file and what is known of it.
type manyEdits struct {
	path     string
	headings []string
	steps    steps
	per      int // edits by an editor in a section
}

// newManyEdits makes the file.
func newManyEdits(t *testing.T, dir string) *manyEdits {
	t.Helper()
	m := &manyEdits{path: filepath.Join(dir, "docs", "shared.md"), steps: steps{from: map[string]string{}}}
	text := "# All\n\n"
	for i := range ownParts + sharedOnes {
		m.headings = append(m.headings, fmt.Sprintf("## Part %d.", i))
		text += m.headings[i] + "\n\nText.\n\n"
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path, []byte(text+"## Last\n\n"+lastLine), 0o640); err != nil {
		t.Fatal(err)
	}
	return m
}

// token is the paragraph of an edit.
func token(who, part, n int) string { return fmt.Sprintf("Edit %d of %d in %d.", n, who, part) }

// own makes the edits of an editor in the section that it has for itself: its hash is
// never stale, whatever is changed elsewhere, and the one before always is.
func (m *manyEdits) own(edit editor, who int) error {
	hash := ""
	for n := range m.per * editors {
		a, err := edit(m.headings[who], token(who, who, n), hash)
		if err != nil {
			return err
		}
		if a.Error != nil || !a.Written || hash != "" && a.Edits[0].Target.Hash != hash {
			return fmt.Errorf("edit %d of the editor's own section: %+v", n, a)
		}
		before := a.Edits[0].Target.Hash
		hash = a.Edits[0].Now.Hash
		if err := m.steps.add(m.headings[who], before, hash); err != nil {
			return err
		}
		if n%4 > 0 {
			continue
		}
		if a, err = edit(m.headings[who], "Stale.", before); err != nil || a.Error == nil || a.Error.Code != "conflict" {
			return fmt.Errorf("an edit with a stale hash: %+v, %w", a, err)
		}
		if a.Error.Current[0].Hash != hash {
			return fmt.Errorf("a conflict shows hash %s, want %s", a.Error.Current[0].Hash, hash)
		}
	}
	return nil
}

// shared makes the edits of an editor in a section that all change: every other one
// with the hash of what it saw last, which it tries until it is not too late.
func (m *manyEdits) shared(edit editor, who, part int) error {
	hash := "0123456789abcdef"
	for n := range m.per {
		expected := hash
		if n%2 == 1 {
			expected = ""
		}
		for {
			a, err := edit(m.headings[part], token(who, part, n), expected)
			if err != nil {
				return err
			}
			if a.Error == nil {
				if expected != "" && a.Edits[0].Target.Hash != expected {
					return fmt.Errorf("written on %s, though %s was expected", a.Edits[0].Target.Hash, expected)
				}
				hash = a.Edits[0].Now.Hash
				if err := m.steps.add(m.headings[part], a.Edits[0].Target.Hash, hash); err != nil {
					return err
				}
				break
			}
			if a.Error.Code != "conflict" || expected == "" || len(a.Error.Current) != 1 {
				return fmt.Errorf("%+v", *a.Error)
			}
			expected = a.Error.Current[0].Hash
		}
	}
	return nil
}

// watch reads the file until stop is closed: it is always whole, and nothing that was
// there goes.
func (m *manyEdits) watch(stop <-chan struct{}) (reads int, err error) {
	most := 0
	for {
		select {
		case <-stop:
			return reads, nil
		default:
		}
		text, err := os.ReadFile(m.path)
		if err != nil {
			return reads, err
		}
		reads++
		at := 0
		for _, heading := range m.headings {
			i := bytes.Index(text[at:], []byte("\n"+heading+"\n"))
			if i < 0 {
				return reads, fmt.Errorf("%s is not there: %s", heading, text)
			}
			at += i
		}
		n := bytes.Count(text, []byte("Edit "))
		if n < most || !bytes.HasSuffix(text, []byte(lastLine)) || bytes.Contains(text, []byte("Stale")) {
			return reads, fmt.Errorf("%d edits after %d: %s", n, most, text)
		}
		most = n
	}
}

// want is the file with all edits, those of a section in the order of the file.
func (m *manyEdits) check(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(m.path)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	count := func(who, part, n int) {
		total++
		_, section, _ := strings.Cut(string(text), "\n"+m.headings[part]+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if got := strings.Count(section, "\n"+token(who, part, n)+"\n"); got != 1 {
			t.Errorf("%q is there %d times", token(who, part, n), got)
		}
	}
	for who := range editors {
		for n := range m.per * editors {
			count(who, who, n)
		}
		for part := ownParts; part < len(m.headings); part++ {
			for n := range m.per {
				count(who, part, n)
			}
		}
	}
	if got := bytes.Count(text, []byte("Edit ")); got != total || len(m.steps.from) != total {
		t.Errorf("%d edits are there and %d were told, want %d", got, len(m.steps.from), total)
	}
	if lines := 1 + 1 + 4*len(m.headings) + 2*total + 3; bytes.Count(text, []byte("\n")) != lines {
		t.Errorf("the file has %d lines, want %d", bytes.Count(text, []byte("\n")), lines)
	}
	info, err := os.Stat(m.path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(m.path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files are left in the folder: %v %v", len(entries), entries, err)
	}
}

func TestProcessesLoseNoUpdate(t *testing.T) {
	t.Parallel()
	program := testkit.BuildProgram(t)
	dir := t.TempDir()
	m := newManyEdits(t, dir)
	m.per = editsPerPart() / editors
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "docs"), link); err != nil {
		testkit.Missing(t, err.Error())
	}
	all := [editors]editor{
		commandEditor(program, dir, "docs/shared.md"),
		commandEditor(program, filepath.Join(dir, "docs"), "shared.md"),
		commandEditor(program, dir, m.path),
		commandEditor(program, dir, filepath.Join(link, "shared.md")),
		serverEditor(t, program, dir, "docs/shared.md", dir),
		serverEditor(t, program, dir, "shared.md", filepath.Join(dir, "docs")),
		serverEditor(t, program, dir, "docs/shared.md", ".", "docs"),
		serverEditor(t, program, dir, "shared.md", link),
	}
	stop := make(chan struct{})
	watched := make(chan error, 1)
	reads := 0
	go func() {
		var err error
		reads, err = m.watch(stop)
		watched <- err
	}()
	begin := time.Now()
	var running sync.WaitGroup
	errs := make([]error, editors)
	for who, edit := range all {
		running.Go(func() {
			// From part to part and back, so that all meet everywhere.
			for i := range sharedOnes {
				if errs[who] == nil {
					errs[who] = m.shared(edit, who, ownParts+(who+i)%sharedOnes)
				}
			}
			if errs[who] == nil {
				errs[who] = m.own(edit, who)
			}
		})
	}
	running.Wait()
	close(stop)
	if err := errors.Join(errors.Join(errs...), <-watched); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d edits by %d processes in %v, read %d times meanwhile", len(m.steps.from), editors, time.Since(begin).Round(time.Millisecond), reads)
	if reads == 0 {
		t.Error("the file was never read meanwhile")
	}
	m.check(t)
}
