package transport

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// outline is what answers say: the id of each, and its error or that it has none.
func outline(t *testing.T, messages ...string) []string {
	t.Helper()
	all := []string{}
	for _, text := range messages {
		var members []json.RawMessage
		if json.Unmarshal([]byte(text), &members) != nil {
			members = []json.RawMessage{json.RawMessage(text)}
		}
		for _, one := range members {
			var m struct {
				JSONRPC string
				ID      json.RawMessage
				Result  json.RawMessage
				Error   *struct {
					Code    int
					Message string
				}
			}
			switch err := json.Unmarshal(one, &m); {
			case err != nil || m.JSONRPC != "2.0" || m.ID == nil || (m.Result == nil) == (m.Error == nil):
				t.Errorf("%v: this is no answer: %s", err, one)
			case m.Error != nil:
				all = append(all, fmt.Sprintf("%s: %d %s", m.ID, m.Error.Code, m.Error.Message))
			default:
				all = append(all, string(m.ID)+": done")
			}
		}
	}
	slices.Sort(all)
	return all
}

// answersOf are the messages of an answer over HTTP.
func answersOf(t *testing.T, resp *http.Response, text string) []string {
	t.Helper()
	switch kind := resp.Header.Get("Content-Type"); {
	case kind == "application/json":
		return []string{text}
	case kind == "text/event-stream":
		var all []string
		for line := range strings.Lines(text) {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				all = append(all, data)
			}
		}
		return all
	case resp.StatusCode != http.StatusAccepted || kind != "" || text != "":
		t.Errorf("%d %s: %s", resp.StatusCode, kind, text)
	}
	return nil
}

// startAnswers serves the answers of a server over HTTP, without the guards before it, and
// returns its URL.
func startAnswers(t *testing.T, server *mcp.Server) string {
	t.Helper()
	library := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	answers := NewHTTPAnswers(t.Context(), library, MaxListens, slog.New(slog.DiscardHandler))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		answers.Answer(w, r, body)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// post sends a body in a revision of the protocol, "" for none, and returns the answer.
func post(t *testing.T, url, body, revision string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if revision != "" {
		r.Header.Set(revisionHeader, revision)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, strings.TrimSpace(string(text))
}

// What is refused of a body is told as it is on standard output, and the rest is
// answered.
func TestHTTPAnswersLikeStdio(t *testing.T) {
	const (
		unknown    = `{"jsonrpc":"2.0","id":1,"method":"tasks/list"}`
		noParams   = `{"jsonrpc":"2.0","id":"a","method":"tools/call"}`
		unknownFor = `{"jsonrpc":"2.0","method":"notifications/other"}`
	)
	p := startStdio(t, nil)
	web := startAnswers(t, p.server)
	deep := `{"jsonrpc":"2.0","id":2,"method":"ping","params":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}"
	batch := func(members ...string) string { return "[" + strings.Join(members, ",") + "]" }
	for _, tt := range []struct {
		body   string
		status int
	}{
		{ping("1"), 200},
		{unknown, 200},
		{noParams, 200},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":7}`, 400},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}`, 200},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none"}}`, 200},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none","name":"echo"}}`, 400},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none","n\u0061me":"echo"}}`, 400},
		{`{"jsonrpc":"2.0","id":3,"method":"ping","params":{` + manyKeys(101) + `}}`, 400},
		{`{"jsonrpc":"2.0","id":3,"method":"ping","params":{` + manyKeys(100) + `}}`, 200},
		{`{"jsonrpc":"2.0","id":4,"method":"notifications/initialized"}`, 200},
		{`{"jsonrpc":"2.0","id":4,"method":"notifications/cancelled"}`, 400},
		{`{"jsonrpc":"2.0","id":4,"method":"` + strings.Repeat("m", 129) + `"}`, 400},
		{`{"jsonrpc":"2.0","method":"` + strings.Repeat("m", 129) + `"}`, 202},
		{unknownFor, 202},
		{`{"jsonrpc":"2.0","method":"tools/list"}`, 202},
		{`{"jsonrpc":"2.0","id":4,"result":{}}`, 202},
		{batch(ping("1"), unknown, ping("2")), 200}, // an id twice
		{batch(ping("7"), unknown, noParams, unknownFor, ping("2")), 200},
		{batch(callTool("1", "echo"), callTool("1", "echo"), callTool(`"1"`, "echo")), 200},
		{batch(unknown, noParams), 200},
		{batch(ping("1"), "3", "{}", deep), 200},
		{batch(deep, deep), 400},
		{batch("3"), 400},
		{batch(unknownFor, "3"), 200},
		{batch(unknownFor, unknownFor), 202},
		{batch(slices.Repeat([]string{"1"}, 101)...), 400},
		{batch(), 400},
		{batch(ping("1"), batch(ping("2"))), 200},
	} {
		p.send(tt.body)
		var lines []string
		if tt.status != http.StatusAccepted { // a batch is answered on one line
			lines = append(lines, p.receive())
		}
		p.send(ping(`"after"`))
		if line := p.receive(); idOf(line) != `"after"` {
			t.Fatalf("%.120s: standard output goes on with %s", tt.body, line)
		}
		want := outline(t, lines...)
		for _, revision := range []string{"", "2025-03-26", "2025-11-25"} {
			if revision > "2025-03-26" && tt.body[0] == '[' {
				continue
			}
			resp, text := post(t, web, tt.body, revision)
			if diff := cmp.Diff(want, outline(t, answersOf(t, resp, text)...)); diff != "" || resp.StatusCode != tt.status {
				t.Errorf("%.120s in %q: %d, want %d; (-standard output +HTTP):\n%s", tt.body, revision, resp.StatusCode, tt.status, diff)
			}
		}
	}
}

// manyKeys are so many keys of an object.
func manyKeys(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`"k%d":0`, i)
	}
	return strings.Join(all, ",")
}
