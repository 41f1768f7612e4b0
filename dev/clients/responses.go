package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// responses is the Responses API of OpenAI, as Codex uses it. What Codex does
// depends on what its catalogue says of the model.
type responses struct {
	search bool   // the model has to look for tools before it can call them
	code   string // the model writes JavaScript that calls them; this shows the reply r
}

func (responses) path() string { return "/v1/responses" }

func (d responses) read(body []byte) (*request, error) {
	var in struct {
		Input []struct {
			Type   string          `json:"type"`
			CallID string          `json:"call_id"`
			Output json.RawMessage `json:"output"`
		} `json:"input"`
	}
	var all any
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("a request of the Responses API: %w", err)
	}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	// Where tools are held back the namespace is named in a text alone.
	out := &request{offers: mentions(all, "mcp__"+serverName), results: map[string]result{}}
	for _, item := range in.Input {
		switch item.Type {
		case "function_call_output", "custom_tool_call_output", "tool_search_output":
			blocks, err := blocksOf(item.Output)
			if err != nil {
				return nil, err
			}
			var r result
			for _, b := range blocks {
				r.parts = append(r.parts, b.Text)
			}
			out.results[item.CallID] = r
		}
	}
	return out, nil
}

func (d responses) loading([]string) *call {
	switch {
	case d.search:
		return &call{clientTool: "tool_search", arguments: map[string]any{"query": "sectile markdown section category plan", "limit": 40}}
	case d.code != "":
		return &call{clientTool: "exec", script: "// @exec: {\"max_output_tokens\": 40000}\nfor (const t of ALL_TOOLS) if (t.name.startsWith(" + asJSON(toolPrefix) + ")) text(t.name + '\\n' + t.description);"}
	}
	return nil
}

func (d responses) calling(c *call) []event {
	item := event{"id": "item_" + c.id, "call_id": c.id, "status": "completed"}
	switch {
	case c.clientTool == "tool_search":
		item["type"], item["execution"], item["arguments"] = "tool_search_call", "client", c.arguments
	case d.code != "":
		item["type"], item["name"], item["input"] = "custom_tool_call", "exec", d.program(c)
	case c.resource != "":
		item["type"], item["name"] = "function_call", "read_mcp_resource"
		item["arguments"] = asJSON(map[string]any{"server": serverName, "uri": c.resource})
	default:
		item["type"], item["namespace"], item["name"] = "function_call", strings.TrimSuffix(toolPrefix, "__"), c.tool
		item["arguments"] = asJSON(c.arguments)
	}
	return answerOf(item)
}

// program is what a model writes in JavaScript to make the call.
func (d responses) program(c *call) string {
	switch {
	case c.script != "":
		return c.script
	case c.resource != "":
		return fmt.Sprintf("text(await tools.read_mcp_resource({server: %q, uri: %s}));", serverName, asJSON(c.resource))
	}
	return fmt.Sprintf("const r = await tools.%s%s(%s);\n%s", toolPrefix, c.tool, asJSON(c.arguments), d.code)
}

func (responses) ending() []event {
	return answerOf(event{
		"type": "message", "role": "assistant", "id": "item_end",
		"content": []any{map[string]any{"type": "output_text", "text": "done"}},
	})
}

// answerOf returns the events of an answer with one item.
func answerOf(item event) []event {
	return []event{
		{"type": "response.created", "response": map[string]any{"id": "response"}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": map[string]any{
			"id": "response", "usage": map[string]any{
				"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2,
			},
		}},
	}
}
