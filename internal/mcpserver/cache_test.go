package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

// TestCacheResource reads the statistics of the cache, which change from read to read, are
// listed, and which no client may keep.
func TestCacheResource(t *testing.T) {
	session := client(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
	list, err := session.ListResources(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(list.Resources, func(r *mcp.Resource) bool { return r.URI == cacheURI && r.MIMEType == "application/json" }) {
		t.Errorf("%+v, %v", list, err)
	}
	for i, want := range []documents.CacheStats{{}, {Misses: 1}, {Hits: 1, Misses: 1}, {Hits: 1, Misses: 2}} {
		if i > 0 {
			path := [...]string{"a.md", "a.md", "b.md"}[i-1]
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "markdown_tree", Arguments: object{"file_path": path}}); err != nil {
				t.Fatal(err)
			}
		}
		got, result := cacheOf(t, session)
		if got.Bytes > 0 != (i > 0) {
			t.Errorf("%d: %d bytes", i, got.Bytes)
		}
		if got.Bytes = 0; got != want {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
		if result.TTLMs != 0 || result.CacheScope != "private" {
			t.Errorf("it may be kept: %+v", result.Cacheable)
		}
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "sectile://none"}); err == nil {
		t.Error("there is a sectile://none")
	}
}

func cacheOf(t *testing.T, session *mcp.ClientSession) (stats documents.CacheStats, result *mcp.ReadResourceResult) {
	t.Helper()
	result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: cacheURI})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(result.Contents[0].Text), &stats); err != nil || result.Contents[0].MIMEType != "application/json" {
		t.Fatalf("%v: %+v", err, result.Contents[0])
	}
	return stats, result
}

// TestCacheLog has the statistics written into the log by a read of the resource, and when the
// server ends.
func TestCacheLog(t *testing.T) {
	root := docs(t, map[string]string{"a.md": "# A\n"})
	call := func(id, method, params string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + "}\n"
	}
	in := call("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`) +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		call("2", "resources/read", `{"uri":"sectile://cache"}`)
	for level, want := range map[string]bool{"info": true, "warn": false} {
		var out, log strings.Builder
		if err := Serve(t.Context(), doctor.ServerOptions{Roots: []string{root}, LogLevel: level}, strings.NewReader(in), &out, &log); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `{\"hits\":0,\"misses\":0,\"bytes\":0}`) {
			t.Errorf("it answers %s", &out)
		}
		for _, line := range []string{"msg=cache cache_hits=0 cache_misses=0 cache_bytes=0", "msg=stopped cache_hits=0 cache_misses=0 cache_bytes=0"} {
			if strings.Contains(log.String(), line) != want {
				t.Errorf("at %s it logs\n%s", level, &log)
			}
		}
	}
	p := startProgram(t, root, "--log-level", "info")
	if log := p.stop(t); !strings.Contains(log, "msg=stopped cache_hits=0") {
		t.Errorf("over HTTP it logs\n%s", log)
	}
}
