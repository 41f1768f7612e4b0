package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Of two calls of a batch with the same id neither is dropped without a word.
func TestHTTPBatchOfEdits(t *testing.T) {
	w := startWeb(t, shared(t, map[string]string{"guide.md": guide}), usual())
	edit := func(id int, heading string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"edit_section","arguments":`+
			`{"path":"guide.md","heading":"Usage","action":"insert_after","content":"## %s"}}}`, id, heading)
	}
	body := "[" + edit(1, "First") + "," + edit(1, "Second") + "," + edit(2, "Third") + "]"
	resp, text := w.do(request{body: body, header: map[string]string{"Mcp-Protocol-Version": "2025-03-26"}})
	for _, want := range []string{
		`"id":1,"result"`, `"id":2,"result"`,
		`"id":null,"error":{"code":-32600,"message":"the id 1 is in use by a call that has no answer yet; give each call an id of its own"}`,
	} {
		if strings.Count(text, want) != 1 || strings.Count(text, `"id"`) != 3 || resp.StatusCode != http.StatusOK {
			t.Errorf("%d, want %s once:\n%s", resp.StatusCode, want, text)
		}
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
		"other host":   {request{host: "evil.example"}, 403, "name of another host"},
		"other type":   {request{header: map[string]string{"Content-Type": "text/plain"}}, 415, "application/json"},
		"no stream":    {request{header: map[string]string{"Accept": "application/json"}}, 400, `"id":null,"error":{"code":-32600,"message":"Accept must`},
		"no batches":   {request{header: map[string]string{"Mcp-Protocol-Version": "2025-06-18"}}, 400, `"id":null,"error":{"code":-32600,"message":"the revision 2025-06-18 of the protocol has no batches`},
		"no revision":  {request{header: map[string]string{"Mcp-Protocol-Version": "2020-01-01"}}, 400, `"id":null,"error":{"code":-32022,"message":"the header Mcp-Protocol-Version is \"2020-01-01\"`},
		"subscription": {request{body: `[{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}]`}, 400, `[{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"a subscription can't be in a batch; send it alone"}}]`},
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
		resp, text := w.do(request{body: ping("5"), header: map[string]string{"Mcp-Protocol-Version": revision}})
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

// ping is a call that is answered at once.
func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
