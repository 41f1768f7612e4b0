package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

// probeDocument is what the server is asked about.
const probeDocument = "# Probe\n\n## Section\n\nText.\n"

// Probe starts a program as a server of tools, asks what it offers, calls one of
// its tools, and ends it: what a client does, over a real pipe. The program is
// started with the arguments and, as its root, a folder with one small document. If
// the arguments name roots, no folder is made and no tool is called.
func Probe(ctx context.Context, program string, args ...string) (report doctor.ProbeReport, err error) {
	calls := !slices.Contains(args, "--root")
	if calls {
		dir, err := os.MkdirTemp("", "sectile-probe-")
		if err != nil {
			return report, err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a small file in the system's folder for them
		if err := os.WriteFile(filepath.Join(dir, "probe.md"), []byte(probeDocument), 0o600); err != nil {
			return report, err
		}
		args = append(args, "--root", dir)
	}
	start := time.Now()
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // the program is this one
	var log tail
	cmd.Stderr = &log
	client := mcp.NewClient(&mcp.Implementation{Name: "sectile-doctor", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}, nil)
	if err != nil {
		return report, fmt.Errorf("no answer: %w%s", err, log.quoted())
	}
	defer func() { _ = session.Close() }() // what it was asked, it has answered
	report.FirstReply = time.Since(start)
	if init := session.InitializeResult(); init != nil {
		report.ProtocolVersion = init.ProtocolVersion
		if init.ServerInfo != nil {
			report.ServerName, report.ServerVersion = init.ServerInfo.Name, init.ServerInfo.Version
		}
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return report, fmt.Errorf("no list of tools: %w", err)
	}
	for _, t := range list.Tools {
		report.Tools = append(report.Tools, t.Name)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		return report, err
	}
	report.ListBytes = len(text)
	if calls {
		if err := probeCall(ctx, session, &report); err != nil {
			return report, err
		}
	}
	if resource, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: cacheURI}); err == nil && len(resource.Contents) == 1 {
		report.Cache = new(documents.CacheStats)
		err = json.Unmarshal([]byte(resource.Contents[0].Text), report.Cache)
		return report, err
	}
	return report, nil
}

// probeCall calls a tool that the server offers, twice: of the second call the document was
// parsed before.
func probeCall(ctx context.Context, session *mcp.ClientSession, report *doctor.ProbeReport) error {
	calls := map[string]map[string]any{
		"markdown_tree": {"file_path": "probe.md"},
		"mdsel_index":   {"files": []string{"probe.md"}},
	}
	for _, name := range report.Tools {
		arguments, ok := calls[name]
		if !ok {
			continue
		}
		start := time.Now()
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			return fmt.Errorf("calling %s: %w", name, err)
		}
		report.Called, report.Call, report.CallFailed = name, time.Since(start), result.IsError
		for _, c := range result.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				report.CallText += text.Text
			}
		}
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments}); err != nil {
			return fmt.Errorf("calling %s again: %w", name, err)
		}
		return nil
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is the number of bytes that a tail keeps.
const maxTail = 500

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// quoted returns what was written as the end of an error.
func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.text) == 0 {
		return ""
	}
	return fmt.Sprintf("; its log ends with %q", strings.TrimSpace(strings.ToValidUTF8(string(t.text), "")))
}
