package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// asServer is the variable that makes the test binary a server with a flaw, or none.
const asServer = "BENCH_TEST_SERVER"

func TestMain(m *testing.M) {
	if flaw, ok := os.LookupEnv(asServer); ok {
		serve(flaw)
		return
	}
	os.Exit(m.Run())
}

// serve answers every request with the same text. With "dies" it ends at the fifth
// call, with "hangs" it answers none from then on.
func serve(flaw string) {
	calls := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var request struct {
			ID     *int
			Method string
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		if request.Method == "tools/call" {
			calls++
		}
		switch {
		case calls < 5 || flaw == "":
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"a"}]}}`+"\n", *request.ID)
		case flaw == "dies":
			return
		}
	}
}

// serving is a kind of server that is the test binary.
func serving(name, flaw string) serverKind {
	return serverKind{
		name: name, command: func(string) []string { return []string{"env", asServer + "=" + flaw, os.Args[0]} },
		read: func(file, _ string) call { return call{"read", map[string]any{"path": file}} },
	}
}

// TestMeasureServers has as many figures as there were reads, and goes on without a
// server that ends in the middle.
func TestMeasureServers(t *testing.T) {
	b := &bench{machine: &machine{scratch: t.TempDir()}, report: &report{}}
	b.rounds = 2
	b.tools = []tool{{servers: []serverKind{serving(ours, ""), serving("other", ""), serving("broken", "dies")}}}
	if err := measureServers(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, r := range b.report.rows {
		measure, _, _ := strings.Cut(r.measure, " of a document")
		named = append(named, measure+" | "+r.tool)
	}
	var want []string
	for _, measure := range []string{
		"process start to the answers of initialize and tools/list", "first read", "every further read", "32 reads at once", "its list of tools",
	} {
		want = append(want, "Server: "+measure+" | "+ours, "Server: "+measure+" | other")
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Error(diff)
	}
	if len(b.report.skipped) != 1 || !strings.HasPrefix(b.report.skipped[0], "Servers: broken fails") {
		t.Errorf("%q", b.report.skipped)
	}
	s := &served{serverKind: serving(ours, "")}
	if err := s.round(t.Context(), b.machine.scratch, "a.md"); err != nil {
		t.Fatal(err)
	}
	if got := []int{len(s.start), len(s.cold), len(s.warm), len(s.parallel)}; !cmp.Equal(got, []int{1, 1, warmCalls, 1}) {
		t.Errorf("%v figures", got)
	}
	b.tools[0].servers[0] = serving(ours, "dies")
	if err := measureServers(t.Context(), b); err == nil {
		t.Error("that ours ends is no error")
	}
}

// TestSilentServer ends a server that does not answer.
func TestSilentServer(t *testing.T) {
	s, err := startServerFor(t.Context(), serving("", "hangs").command(""), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for range 4 {
		if _, err := s.call(call{Name: "read"}); err != nil {
			t.Fatal(err)
		}
	}
	s.patience = 10 * time.Millisecond
	if _, err := s.call(call{Name: "read"}); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("%v", err)
	}
}
