package mcpserver

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// The memory of a process has a bound while nobody reads, and every call is
// answered once when somebody does.
func TestProcessMemoryThoughNobodyReads(t *testing.T) {
	t.Parallel()
	const (
		calls = 120
		limit = 350 << 10 // KiB; it is 250, and would be 450 without a bound
	)
	root, lines := manyReads(t, calls)
	p := startProcess(t, root, false)
	p.initialize()
	p.send(lines[:len(lines)-1])
	most := 0
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		most = max(most, p.resident())
	}
	got := map[string]int{}
	for range calls {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("reading: %v; standard error: %s", err, p.errs)
		}
		if len(line) < 1_000_000 || !bytes.Contains(line[:100], []byte(`"result"`)) {
			t.Errorf("%d bytes: %.200s", len(line), line)
		}
		_, id, _ := bytes.Cut(line[:100], []byte(`"id":"`))
		id, _, _ = bytes.Cut(id, []byte(`"`))
		got[string(id)]++
	}
	most = max(most, p.resident())
	t.Logf("%d KiB resident", most)
	if most > limit {
		t.Errorf("%d KiB are resident, want %d at most", most, limit)
	}
	for i := range calls {
		if id := fmt.Sprintf("b%d", i); got[id] != 1 {
			t.Errorf("call %s was answered %d times", id, got[id])
		}
	}
	if rest := p.end(); len(rest) > 0 {
		t.Errorf("%d messages too many", len(rest))
	}
}
