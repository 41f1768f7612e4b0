package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Whatever comes in, the call after it is answered once, and what goes out is
// messages, one a line.
func FuzzStdioLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n\r", "words", ping("1"), ping("1.0"), ping(`"\ud800"`), ping("1") + "\n" + ping("1"), stdioInitialize + "\n" + callTool("1", "echo"),
		stdioInitialize + "\n" + callTool("1", "broken"), listen("1") + "\n" + listen("1"), listen("1") + "\n" + cancelCall("1"),
		"[" + ping("1") + "," + cancelCall("1") + "," + listen("2") + ",[],1]", "[]", "[", `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","\u0069d":1,"id":2,"method":"ping","params":null}`, strings.Repeat("[", 2000), `{"a":"` + "\xff" + `"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":null}}}`,
	} {
		f.Add([]byte(seed))
	}
	tools := newStdioTools()
	close(tools.release)
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte(`"lost"`)) {
			t.Skip("the tool whose answer the library loses")
		}
		const id = `"behind it"`
		var out bytes.Buffer
		in := io.MultiReader(bytes.NewReader(input), strings.NewReader("\n"+ping(id)+"\n"))
		if err := tools.server.Run(t.Context(), NewStdio(in, &out, nil)); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), "\n") {
			t.Fatalf("the last line has no end: %q", out.String())
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if err := checkWire(line); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if idOf(line) == id {
				answers++
			}
		}
		if answers != 1 && !bytes.Contains(input, []byte("behind")) {
			t.Errorf("the call behind it was answered %d times:\n%s", answers, out.String())
		}
	})
}

// BenchmarkStdio is one call and its answer, through the guard and through the
// library's own transport.
func BenchmarkStdio(b *testing.B) {
	type pipes struct {
		in  *io.PipeReader
		out *io.PipeWriter
	}
	for _, bb := range []struct {
		name      string
		transport func(pipes) mcp.Transport
	}{
		{"guard", func(p pipes) mcp.Transport { return NewStdio(p.in, p.out, nil) }},
		{"library", func(p pipes) mcp.Transport { return &mcp.IOTransport{Reader: p.in, Writer: p.out} }},
	} {
		for _, size := range []int{10, 64 << 10} {
			b.Run(fmt.Sprintf("%s/%d", bb.name, size), func(b *testing.B) {
				in, toServer := io.Pipe()
				fromServer, out := io.Pipe()
				tools := newStdioTools()
				go func() { _ = tools.server.Run(context.Background(), bb.transport(pipes{in, out})) }()
				read := make([]byte, 1<<20)
				call := func(line string) {
					if _, err := io.WriteString(toServer, line); err != nil {
						b.Fatal(err)
					}
					for {
						n, err := fromServer.Read(read)
						if err != nil {
							b.Fatal(err)
						}
						if read[n-1] == '\n' {
							return
						}
					}
				}
				call(stdioInitialize + "\n")
				line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"a":"` + strings.Repeat("a", size) + `"}}}` + "\n"
				close(tools.release)
				b.ReportAllocs()
				for b.Loop() {
					call(line)
				}
				_ = toServer.Close()
				_ = fromServer.Close()
			})
		}
	}
}
