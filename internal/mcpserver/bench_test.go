package mcpserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// The server as a client sees it: the program as users have it, over a pipe.
//
//	go test ./internal/mcpserver -run '^$' -bench Process -benchtime 200x

// document makes a document of about so many lines with a heading every ten.
func document(lines int) string { return string(testkit.Sections(lines)) }

// treeCall is the parameters of a call of markdown_tree that shows two levels.
func treeCall(file string) string {
	return fmt.Sprintf(`{"name":"markdown_tree","arguments":{"file_path":%q,"max_depth":2}}`, file)
}

// median reports the median of durations as a metric beside the mean, which a
// busy machine spoils.
func median(b *testing.B, all []time.Duration) {
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2])/1e6, "median-ms")
}

// BenchmarkProcessFirstReply is the time from the start of the process to its
// first reply, in one measurement.
func BenchmarkProcessFirstReply(b *testing.B) {
	root := docs(b, map[string]string{"guide.md": guide})
	var all []time.Duration
	for b.Loop() {
		start := time.Now()
		p := startProcess(b, root, false)
		p.initialize()
		all = append(all, time.Since(start))
		_ = p.cmd.Process.Kill()
	}
	median(b, all)
}

// BenchmarkProcessTree is a call of markdown_tree: warm on a document that has
// not changed since the last call, cold on one that has.
func BenchmarkProcessTree(b *testing.B) {
	for _, lines := range []int{2500, 50_000} {
		for _, temperature := range []string{"warm", "cold"} {
			b.Run(fmt.Sprintf("%d-lines/%s", lines, temperature), func(b *testing.B) {
				root := docs(b, map[string]string{"a.md": document(lines)})
				p := startProcess(b, root, false)
				p.initialize()
				p.answer(p.call("tools/call", treeCall("a.md")))
				text := []byte(document(lines))
				var all []time.Duration
				for i := 0; b.Loop(); i++ {
					if temperature == "cold" {
						text = append(text, fmt.Sprintf("\nLine %d.\n", i)...)
						if err := os.WriteFile(filepath.Join(root, "a.md"), text, 0o600); err != nil {
							b.Fatal(err)
						}
					}
					start := time.Now()
					m := p.answer(p.call("tools/call", treeCall("a.md")))
					all = append(all, time.Since(start))
					if !bytes.Contains(m.Result, []byte("tree_json")) {
						b.Fatalf("%+v", m)
					}
				}
				median(b, all)
			})
		}
	}
}

// BenchmarkProcessParallel is 32 calls at once.
func BenchmarkProcessParallel(b *testing.B) {
	root := docs(b, map[string]string{"a.md": document(2500)})
	p := startProcess(b, root, false)
	p.initialize()
	var all []time.Duration
	for b.Loop() {
		start := time.Now()
		for range 32 {
			p.call("tools/call", treeCall("a.md"))
		}
		for range 32 {
			p.read()
		}
		all = append(all, time.Since(start))
	}
	median(b, all)
}
