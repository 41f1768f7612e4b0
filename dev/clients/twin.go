package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// twin is a second server in a project like the client's. It gets the same calls in
// the same order, so that it knows as much as the other one of what was read.
type twin struct {
	session *mcp.ClientSession
	tools   []*mcp.Tool
}

// expected is what a call gives: the text, and whether it is an error.
type expected struct {
	text   string
	failed bool
}

// newTwin starts the server.
func newTwin(ctx context.Context, server []string, project string) (*twin, error) {
	cmd := exec.CommandContext(ctx, server[0], server[1:]...)
	cmd.Dir, cmd.Stderr = project, os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "twin", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, session.Close())
	}
	return &twin{session, listed.Tools}, nil
}

// ask makes the call.
func (t *twin) ask(ctx context.Context, c *call) (expected, error) {
	if c.resource != "" {
		read, err := t.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: c.resource})
		if err != nil {
			return expected{}, err
		}
		return expected{text: read.Contents[0].Text}, nil
	}
	reply, err := t.session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
	if err != nil {
		return expected{}, err
	}
	if len(reply.Content) != 1 {
		return expected{}, fmt.Errorf("%s: the reply has %d parts", c.about, len(reply.Content))
	}
	text, ok := reply.Content[0].(*mcp.TextContent)
	if !ok {
		return expected{}, fmt.Errorf("%s: the reply is no text", c.about)
	}
	if reply.IsError != c.fails {
		return expected{}, fmt.Errorf("%s: the server says: %.500s", c.about, text.Text)
	}
	return expected{text.Text, reply.IsError}, nil
}

// asJSON returns the value as JSON in which <, > and & are themselves.
func asJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // only values that are written in this program come here
	}
	return strings.TrimSuffix(b.String(), "\n")
}
