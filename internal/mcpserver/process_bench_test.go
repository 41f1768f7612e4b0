package mcpserver

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// BenchmarkProcessPipelined is so many calls in one go, and their answers.
//
//	go test ./internal/mcpserver -run '^$' -bench ProcessPipelined -benchtime 100x
func BenchmarkProcessPipelined(b *testing.B) {
	for _, kind := range []struct{ name, method, params string }{
		{"tree", "tools/call", treeCall("a.md")},
		{"document", "resources/read", `{"uri":"doc:///a.md"}`},
	} {
		for _, calls := range []int{32, 256} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, calls), func(b *testing.B) {
				p := startProcess(b, docs(b, map[string]string{"a.md": document(2500)}), false)
				p.initialize()
				var lines strings.Builder
				for i := range calls {
					fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":"b%d","method":%q,"params":%s}`+"\n", i, kind.method, kind.params)
				}
				var all []time.Duration
				for b.Loop() {
					start := time.Now()
					sent := make(chan error, 1)
					go func() {
						_, err := io.WriteString(p.in, lines.String())
						sent <- err
					}()
					for range calls {
						p.read()
					}
					if err := <-sent; err != nil {
						b.Fatal(err)
					}
					all = append(all, time.Since(start))
				}
				median(b, all)
			})
		}
	}
}
