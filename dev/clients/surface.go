package main

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// surface is what a model is told of the server besides replies.
type surface struct {
	startTools, startBytes int // of ours that are whole in the first request
	tools, bytes           int // in the last request
	descriptions, all      int // of tools, that reach the model unchanged
	arguments, allArgs     int // descriptions of arguments, likewise
	lines, allLines        int // of the instructions, in the first request
	resources, prompts     bool
}

// look compares the requests with what the server says of itself.
func look(t *twin, s *standIn) (*surface, error) {
	requests := make([]any, len(s.requests))
	for i, body := range s.requests {
		if err := json.Unmarshal(body, &requests[i]); err != nil {
			return nil, err
		}
	}
	first, last := requests[0], requests[len(requests)-1]
	out := &surface{all: len(t.tools)}
	out.startTools, out.startBytes = ours(first)
	out.tools, out.bytes = ours(last)
	if programs := s.results[s.script[0].id].parts; out.tools == 0 && s.script[0].script != "" {
		for _, text := range programs {
			if strings.HasPrefix(text, toolPrefix) {
				out.tools++
				out.bytes += len(text)
			}
		}
	}
	for _, tool := range t.tools {
		if mentions(last, tool.Description) {
			out.descriptions++
		}
		for _, text := range argumentDescriptions(tool) {
			out.allArgs++
			if mentions(last, text) {
				out.arguments++
			}
		}
	}
	for text := range strings.SplitSeq(strings.TrimSpace(t.session.InitializeResult().Instructions), "\n") {
		out.allLines++
		if mentions(first, text) {
			out.lines++
		}
	}
	out.resources = mentions(first, "read_mcp_resource") || mentions(first, "ReadMcpResourceTool")
	out.prompts = mentions(first, toolPrefix+"review_document") || mentions(first, serverName+":review_document")
	return out, nil
}

// ours counts the definitions of our tools in a request, and their bytes with those
// of the namespace around them.
func ours(value any) (tools, bytes int) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n, size := ours(item)
			tools, bytes = tools+n, bytes+size
		}
	case map[string]any:
		name, _ := v["name"].(string)
		inner, _ := v["tools"].([]any)
		switch {
		case v["description"] != nil && strings.HasPrefix(name, toolPrefix):
			return 1, len(asJSON(v))
		case v["type"] == "namespace" && name+"__" == toolPrefix:
			return len(inner), len(asJSON(v))
		}
		for _, item := range v {
			n, size := ours(item)
			tools, bytes = tools+n, bytes+size
		}
	}
	return tools, bytes
}

// argumentDescriptions returns those of a tool's schema.
func argumentDescriptions(tool *mcp.Tool) (list []string) {
	schema, _ := tool.InputSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	for _, p := range properties {
		property, _ := p.(map[string]any)
		if text, _ := property["description"].(string); text != "" {
			list = append(list, text)
		}
	}
	return list
}
