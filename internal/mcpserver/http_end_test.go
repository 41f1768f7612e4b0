package mcpserver

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// Who is still sending when the server ends is cut off, whether it was asked for a
// token or for a body; what has come whole is answered.
func TestHTTPShutdownCutsOffSenders(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Header, limits.Sending = time.Hour, time.Hour
	s, b := blocking(t, map[string]string{"guide.md": guide})
	w := startWeb(t, s, limits)
	half := w.dial()
	half.send(head(1000) + `{"jsonrpc":`)
	used := w.dial() // a connection that was in work before
	used.send(head(len(treeRequest)) + treeRequest)
	if status, _ := used.answer(); status != http.StatusOK {
		t.Fatal(status)
	}
	used.send(head(1000) + `{"jsonrpc":`)
	refused := w.dial()
	refused.send(strings.Replace(head(1000), secret, "wrong", 1))
	bare := w.dial()
	bare.send("POST /mcp HTTP/1.1\r\n")
	working := w.dial()
	body := callOf("block", "{}")
	working.send(head(len(body)) + body)
	<-b.began
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.end()
	}()
	for name, c := range map[string]*wire{"half": half, "used": used, "refused": refused, "bare": bare} {
		rest, err := io.ReadAll(c.from) // it ends though the call is still in work
		if err != nil && !strings.Contains(err.Error(), "reset") || strings.Contains(string(rest), "200 OK") {
			t.Errorf("%s: %v, %s", name, err, rest)
		}
	}
	b.release <- struct{}{}
	if status, text := working.answer(); status != http.StatusOK || !strings.Contains(text, "released") {
		t.Errorf("%d %s", status, text)
	}
	<-ended
}

// Whoever read the log may be gone: a refusal that is logged doesn't end the server.
func TestHTTPThoughNobodyReadsTheLog(t *testing.T) {
	t.Parallel()
	log, errs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(testkit.BuildProgram(t), "mcp", "--http", "127.0.0.1:0", "--root", docs(t, nil))
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = errs.Close() // it is the server's
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	lines, url := bufio.NewReader(log), ""
	for line := ""; !strings.Contains(line, "clients send the header"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err, line)
		}
		if _, at, ok := strings.Cut(line, "serving "); ok {
			url = strings.TrimSpace(at)
		}
	}
	_ = log.Close()
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%v", answer.Status)
		}
		time.Sleep(50 * time.Millisecond) // the log is written meanwhile
	}
}
