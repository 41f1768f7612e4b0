package mcpserver

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

var extremeMB = flag.Float64("extreme-mb", 0.25, "the size of the documents that fill the server's memory, in MiB")

// peak returns the largest resident memory that the server has had, in bytes.
func (p *peer) peak() int {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return n << 10
}

// TestProcessStaysInItsMemory: whatever the documents are made of, and however many of
// them are asked for at once, the server answers all calls, and is never larger than it
// may be. With -extreme-mb 64 the documents are as large as they may be by default, and
// so is the memory.
func TestProcessStaysInItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	size := int(*extremeMB * (1 << 20))
	budget := 16*size + 64<<20
	if *extremeMB >= 60 {
		budget = 1 << 30
	}
	root := t.TempDir()
	small := `{"name":"read_file","arguments":{"path":"small.md","heading":"# a"}}`
	if err := os.WriteFile(filepath.Join(root, "small.md"), []byte("# a\n\ntext\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", root, "--timeout", "10m", "--max-memory", strconv.Itoa(budget)))
	p.initialize()
	calls := map[int]string{}
	for i, kind := range testkit.Extremes() {
		name := fmt.Sprintf("%d.md", i)
		if err := os.WriteFile(filepath.Join(root, name), kind.Make(size-64), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, arguments := range []string{
			`{"name":"read_file","arguments":{"path":%q}}`,
			`{"name":"read_file","arguments":{"path":%q,"heading":"## Rare"}}`,
			`{"name":"mdsel_index","arguments":{"files":[%q]}}`,
			`{"name":"mdsel_select","arguments":{"files":[%q],"selector":"para"}}`,
			`{"name":"edit_section","arguments":{"path":%q,"heading":"## Rare","action":"append","content":"new text"}}`,
		} {
			calls[p.call("tools/call", fmt.Sprintf(arguments, name))] = kind.Name
		}
		calls[p.call("tools/call", small)] = "small"
	}
	refused := map[string]int{}
	for range calls {
		m := p.read()
		id, _ := m.ID.(float64)
		kind := calls[int(id)]
		var result struct {
			IsError bool
			Content []struct{ Text string }
		}
		if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) == 0 {
			t.Fatalf("%s: %v, %.300s", kind, err, m.Result)
		}
		text := result.Content[0].Text
		switch {
		case !result.IsError:
		case strings.Contains(strings.ToLower(text), "too_complex: ") && kind != "small": // mdsel has its own form
			refused[kind]++
		default:
			t.Errorf("%s: %.300s", kind, text)
		}
	}
	if got := p.peak(); got > budget {
		t.Errorf("%d MiB of %d MiB", got>>20, budget>>20)
	} else {
		t.Logf("%d MiB of %d MiB; refused: %v", got>>20, budget>>20, refused)
	}
	for _, kind := range testkit.Honest() {
		if refused[kind.Name] > 0 {
			t.Errorf("%s is refused %d times", kind.Name, refused[kind.Name])
		}
	}
	p.end()
}

// TestSelectStaysInItsMemory: what a selector chooses of documents of many paragraphs
// takes no more than any other answer, for one client and for many at once, with JSON
// beside the text. With SECTILE_LONG there are four times as many clients, documents of 16 MiB
// and further selectors.
func TestSelectStaysInItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	budget, users, large, selectors := 256<<20, 4, 3<<20, []string{"para", "h2.0?head=1"}
	if testkit.Long() {
		budget, users, large, selectors = 512<<20, 16, 16<<20, []string{"para", "h2.0", "h2.0/para", "h2.0?head=1"}
	}
	root := t.TempDir()
	for _, doc := range []struct {
		kind string
		size int
	}{{"short-paragraphs", 2 << 20}, {"short-paragraphs", 1<<20 - 1}, {"paragraphs", large}} {
		kinds := testkit.Extremes()
		kind := kinds[slices.IndexFunc(kinds, func(k testkit.HostileInput) bool { return k.Name == doc.kind })]
		if err := os.WriteFile(filepath.Join(root, "a.md"), kind.Make(doc.size), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, selector := range selectors {
			p := startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", root, "--structured", "--timeout", "10m",
				"--max-memory", strconv.Itoa(budget)))
			p.initialize()
			idle := p.peak()
			ask := func(n int) {
				for range n {
					p.call("tools/call", fmt.Sprintf(`{"name":"mdsel_select","arguments":{"files":["a.md"],"selector":%q}}`, selector))
				}
				for range n {
					var result struct{ IsError bool }
					if m := p.read(); json.Unmarshal(m.Result, &result) != nil || result.IsError {
						t.Fatalf("%s of %s: %.300s", selector, doc.kind, m.Result)
					}
				}
			}
			ask(1)
			if got, most := p.peak()-idle, 12*doc.size+32<<20; got > most {
				t.Errorf("%s of %d MiB of %s: %d MiB, at most %d", selector, doc.size>>20, doc.kind, got>>20, most>>20)
			} else {
				t.Logf("%s of %d MiB of %s: %d MiB, at most %d", selector, doc.size>>20, doc.kind, got>>20, most>>20)
			}
			ask(users)
			if got := p.peak(); got > budget {
				t.Errorf("%s of %d MiB of %s, %d at once: %d MiB of %d", selector, doc.size>>20, doc.kind, users, got>>20, budget>>20)
			}
			p.end()
		}
	}
}

// TestCompleteStaysInItsMemory: a plan file that is read complete counts with the JSON that it becomes: of
// control characters, each of which is six bytes, it is refused where there is no memory for that, and an
// ordinary one of the size is read, also by several at once.
func TestCompleteStaysInItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Run("some", func(t *testing.T) { completeStays(t, 64<<20, 2<<20, 4) })
	t.Run("many", func(t *testing.T) { completeStays(t, 128<<20, 5<<20, 30) })
}

// completeStays has so many users read plan files of so many bytes at once.
func completeStays(t *testing.T, budget, size, users int) {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "plans"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, unit := range map[string]string{"control": "\x01", "words": "some words, and more\n"} {
		if err := os.WriteFile(filepath.Join(root, "plans", name+".md"), []byte("# A\n\n"+strings.Repeat(unit, size/len(unit))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"words", "control"} {
		p := startCommand(t, exec.Command(testkit.BuildProgram(t), "mcp", "--root", root, "--timeout", "10m", "--max-memory", strconv.Itoa(budget)))
		p.initialize()
		for range users {
			p.call("tools/call", fmt.Sprintf(`{"name":"read_file","arguments":{"path":"plans/%s.md","mode":"complete"}}`, name))
		}
		for range users {
			var result struct {
				IsError bool
				Content []struct{ Text string }
			}
			m := p.read()
			if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 {
				t.Fatalf("%s: %v, %.300s", name, err, m.Result)
			}
			text := result.Content[0].Text
			if refused := strings.HasPrefix(text, replies.CodeTooComplex) && len(text) < maxErrorChars; refused != (name == "control") || result.IsError != refused {
				t.Errorf("%s: %.300s", name, text)
			}
		}
		if got := p.peak(); got > budget {
			t.Errorf("%s: %d MiB of %d", name, got>>20, budget>>20)
		} else {
			t.Logf("%s: %d MiB of %d", name, got>>20, budget>>20)
		}
		p.end()
	}
}
