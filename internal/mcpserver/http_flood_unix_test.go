//go:build unix

package mcpserver

import (
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// A process that may open 256 files is reached, and reads documents, while more
// connections than that want to stay: of strangers who say nothing, of those who were
// refused, and of those who have the token and do nothing.
func TestFloodOfConnections(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		testkit.Missing(t, "there is no sh here, which limits the files of a process")
	}
	const flood = 306
	p := startOverHTTP(t, exec.Command(sh, "-c", `ulimit -n 256 && exec "$@"`, "sh",
		testkit.BuildProgram(t), "mcp", "--http", "127.0.0.1:0", "--root", docs(t, map[string]string{"guide.md": guide})))
	w := &web{t: t, url: p.url}
	call := strings.Replace(head(len(treeRequest)), secret, p.secret, 1) + treeRequest
	answered := func(c *wire) {
		t.Helper()
		c.send(call)
		if status, text := c.answer(); status != http.StatusOK || !strings.Contains(text, "Usage") {
			t.Fatalf("%d %s", status, text)
		}
	}
	for name, stranger := range map[string]string{
		"silent": "", "half a header": "POST /mcp HTTP/1.1\r\n", "no token": "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"wrong token": head(0), "no path": "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		for range flood {
			_, _ = io.WriteString(w.dial(), stranger) // it may be closed already
		}
		answered(w.dial())
		t.Log(name)
	}
	for range flood {
		answered(w.dial())
	}
	if log := p.stop(t); !strings.Contains(log, "too many connections, so some are closed") || strings.Contains(log, "too many open files") {
		t.Errorf("the log is %s", log)
	}
}
