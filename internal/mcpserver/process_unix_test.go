//go:build linux

package mcpserver

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// resident returns the resident memory of the server in KiB.
func (p *peer) resident() int {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// A server can be left running: after 1,600 calls it needs what it needed after 800;
// with SECTILE_LONG after 40,000 what it needed after 10,000.
func TestProcessDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	const atOnce = 32
	calls, early := 1_600, 800
	if testkit.Long() {
		calls, early = 40_000, 10_000
	}
	documents := map[string]string{"guide.md": guide}
	for i := range 50 {
		documents[fmt.Sprintf("doc%d.md", i)] = document(200 + i)
	}
	p := startProcess(t, docs(t, documents), false)
	p.initialize()
	kinds := []string{
		`{"name":"markdown_tree","arguments":{"file_path":"doc%d.md"}}`,
		`{"name":"markdown_read_section","arguments":{"file_path":"doc%d.md","section_name":"Section 3"}}`,
		`{"name":"markdown_read_section","arguments":{"file_path":"doc%d.md","section_name":"nowhere"}}`,
		`{"name":"mdsel_index","arguments":{"files":["doc%d.md","guide.md"]}}`,
	}
	var before int
	for n := 0; n < calls; n += atOnce {
		for i := range atOnce {
			p.call("tools/call", fmt.Sprintf(kinds[(n+i)%len(kinds)], (n/len(kinds)+i)%50))
		}
		for range atOnce {
			if m := p.read(); m.Error != nil || len(m.Result) < 100 {
				t.Fatalf("%+v: %s", m, m.Result)
			}
		}
		if before == 0 && n >= early {
			before = p.resident()
		}
	}
	after := p.resident()
	t.Logf("resident memory after %d calls %d KiB, after %d calls %d KiB", early, before, calls, after)
	if after > before*6/5 {
		t.Errorf("the server has grown from %d to %d KiB", before, after)
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("%d messages too many", len(rest))
	}
	if p.errs.Len() > 0 {
		t.Errorf("standard error: %.500s", p.errs)
	}
}

// 32 calls at once come back whole, each with its own answer.
func TestProcessParallel(t *testing.T) {
	documents := map[string]string{}
	for i := range 32 {
		documents[fmt.Sprintf("doc%d.md", i)] = fmt.Sprintf("# Only %d here\n\n%s", i, document(500))
	}
	p := startProcess(t, docs(t, documents), false)
	p.initialize()
	for range 20 {
		asked := map[float64]int{}
		for i := range 32 {
			asked[float64(p.call("tools/call", fmt.Sprintf(`{"name":"markdown_tree","arguments":{"file_path":"doc%d.md"}}`, i)))] = i
		}
		for range 32 {
			m := p.read()
			id, _ := m.ID.(float64)
			i, ok := asked[id]
			if want := fmt.Sprintf("Only %d here", i); !ok || !bytes.Contains(m.Result, []byte(want)) {
				t.Fatalf("call %v: %q is not in %.200s", m.ID, want, m.Result)
			}
			delete(asked, id)
		}
	}
	p.end()
}
