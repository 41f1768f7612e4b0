package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// What is refused of a body is told as it is on standard output, and the rest is
// answered.
func TestHTTPAnswersLikeStdio(t *testing.T) {
	const (
		unknown    = `{"jsonrpc":"2.0","id":1,"method":"tasks/list"}`
		noParams   = `{"jsonrpc":"2.0","id":"a","method":"tools/call"}`
		unknownFor = `{"jsonrpc":"2.0","method":"notifications/other"}`
	)
	p := startStdio(t, nil)
	s := shared(t, nil)
	s.mcp = p.server
	w := startWeb(t, s, usual())
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
			resp, text := w.do(request{body: tt.body, header: map[string]string{"Mcp-Protocol-Version": revision}})
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

// Of two calls of a batch with the same id neither is dropped without a word.
func TestHTTPBatchOfEdits(t *testing.T) {
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), usual())
	edit := func(id int, heading string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"edit_section","arguments":`+
			`{"path":"guide.md","heading":"Usage","action":"insert_after","content":"## %s"}}}`, id, heading)
	}
	body := "[" + edit(1, "First") + "," + edit(1, "Second") + "," + edit(2, "Third") + "]"
	resp, text := w.do(request{body: body, header: map[string]string{"Mcp-Protocol-Version": "2025-03-26"}})
	want := []string{"1: done", "2: done", "null: -32600 the id 1 is in use by a call that has no answer yet; give each call an id of its own"}
	if diff := cmp.Diff(want, outline(t, answersOf(t, resp, text)...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, tree := w.do(request{body: treeRequest})
	if !strings.Contains(tree, "First") || strings.Contains(tree, "Second") || !strings.Contains(tree, "Third") {
		t.Error(tree)
	}
}

// What is wrong with the request and not with its messages is told once.
func TestHTTPRefusesBatches(t *testing.T) {
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), usual())
	batch := "[" + treeRequest + "," + ping("2") + ",3]"
	for name, tt := range map[string]struct {
		request

		status int
		text   string
	}{
		"other host":   {request{host: "evil.example"}, 403, "invalid Host"},
		"other type":   {request{header: map[string]string{"Content-Type": "text/plain"}}, 415, "application/json"},
		"no stream":    {request{header: map[string]string{"Accept": "application/json"}}, 400, `"id":null,"error":{"code":-32600,"message":"Accept must`},
		"no batches":   {request{header: map[string]string{revisionHeader: "2025-06-18"}}, 400, `"id":null,"error":{"code":-32600,"message":"the revision 2025-06-18 of the protocol has no batches`},
		"no revision":  {request{header: map[string]string{revisionHeader: "2020-01-01"}}, 400, `"id":null,"error":{"code":-32022,"message":"the header Mcp-Protocol-Version is \"2020-01-01\"`},
		"subscription": {request{body: "[" + listen("1") + "]"}, 400, `[{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"a subscription can't be in a batch; send it alone"}}]`},
	} {
		if tt.body == "" {
			tt.body = batch
		}
		resp, text := w.do(tt.request)
		if resp.StatusCode != tt.status || strings.Count(text, tt.text) != 1 || strings.Contains(text, "Usage") {
			t.Errorf("%s: %d %s", name, resp.StatusCode, text)
		}
	}
}

// A revision that is not served is told with those that are, for programs too.
func TestHTTPRevisionOfTheFuture(t *testing.T) {
	w := startWeb(t, shared(t, nil), usual())
	for _, revision := range []string{"2020-01-01", "2099-01-01", "newest"} {
		resp, text := w.do(request{body: ping("5"), header: map[string]string{revisionHeader: revision}})
		var m struct {
			ID    int
			Error struct {
				Code    int
				Message string
				Data    mcp.UnsupportedProtocolVersionData
			}
		}
		err := json.Unmarshal([]byte(text), &m)
		if err != nil || resp.StatusCode != 400 || m.ID != 5 || m.Error.Code != -32022 || m.Error.Data.Requested != revision ||
			!slices.Equal(m.Error.Data.Supported, revisions) || !strings.Contains(m.Error.Message, "not served; use one of 20") {
			t.Errorf("%s: %v, %d %s", revision, err, resp.StatusCode, text)
		}
	}
}
