package mcpserver

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

// A wrong token waits for its answer, a right one for nothing: not for the wrong ones
// from the same machine either.
func TestGuessesAreLate(t *testing.T) {
	limits := few()
	limits.Strangers, limits.Connections = 100, 200
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), limits)
	var guesses []*wire
	for range 50 {
		c := w.dial()
		c.send(strings.Replace(head(0), secret, "wrong"+secret[5:], 1))
		guesses = append(guesses, c)
	}
	for range 10 {
		w.dial().calls()
	}
	missing := w.dial() // no guess
	missing.send(strings.Replace(head(0), "Authorization: Bearer "+secret+"\r\n", "", 1))
	if text := missing.ended(); !strings.HasPrefix(text, "HTTP/1.1 401 ") {
		t.Errorf("%q", text)
	}
	for len(w.closed) > 0 { // the others wait on
		if closed := <-w.closed; closed != missing.LocalAddr().String() {
			t.Errorf("%s didn't wait", closed)
		}
	}
	_ = guesses[0].Close() // who goes isn't kept
	for closed := range w.closed {
		if closed == guesses[0].LocalAddr().String() {
			break
		}
	}
	w.end() // and none of them holds up the end
	for _, c := range guesses[1:] {
		if text := c.ended(); text != "" && !strings.HasPrefix(text, "HTTP/1.1 401 ") {
			t.Errorf("%q", text)
		}
	}
}

// The log says who was refused and why, never what was shown, and doesn't grow with the
// guesses.
func TestGuessesAreLogged(t *testing.T) {
	workspace, err := documents.OpenWorkspace(documents.Options{Roots: []string{docs(t, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = workspace.Close() })
	out, in := io.Pipe()
	lines := bufio.NewReader(out)
	s, err := newServer(doctor.ServerOptions{Shared: true}, workspace, slog.New(slog.NewTextHandler(in, nil)))
	if err != nil {
		t.Fatal(err)
	}
	limits := few()
	limits.Late = 0
	w := startWeb(t, s, limits)
	for i, shown := range []string{"Bearer guess-" + secret, "", "Basic " + secret} {
		c := w.dial()
		line := "Authorization: " + shown + "\r\n"
		if shown == "" {
			line = ""
		}
		c.send(strings.Replace(head(0), "Authorization: Bearer "+secret+"\r\n", line, 1))
		said, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(said, "a login was refused") || !strings.Contains(said, "peer="+c.LocalAddr().String()) ||
			strings.Contains(said, secret) || strings.Contains(said, "shown=nothing") != (shown == "") {
			t.Errorf("%d: %q, %v", i, said, err)
		}
		if text := c.ended(); !strings.HasPrefix(text, "HTTP/1.1 401 ") {
			t.Errorf("%q", text)
		}
	}
	rest := make(chan int, 1)
	go func() {
		text, _ := io.ReadAll(lines)
		rest <- strings.Count(string(text), "a login was refused")
	}()
	for range 200 {
		if resp, text := w.do(request{header: map[string]string{"Authorization": "Bearer wrong"}}); resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%d %s", resp.StatusCode, text)
		}
	}
	w.end()
	_ = in.Close()
	if n := <-rest; n < 2 || n > 100 {
		t.Errorf("200 guesses made %d lines", n)
	}
}
