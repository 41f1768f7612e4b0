package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// messages is the Messages API of Anthropic, as Claude Code uses it.
type messages struct{}

func (messages) path() string { return "/v1/messages" }

// block is a part of a message.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	UseID   string          `json:"tool_use_id"`
	IsError bool            `json:"is_error"`
	Content json.RawMessage `json:"content"`
}

func (messages) read(body []byte) (*request, error) {
	var in struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("a request of the Messages API: %w", err)
	}
	out := &request{results: map[string]result{}}
	for _, t := range in.Tools {
		out.offers = out.offers || strings.HasPrefix(t.Name, toolPrefix)
	}
	for _, m := range in.Messages {
		blocks, err := blocksOf(m.Content)
		if err != nil {
			return nil, err
		}
		var beside []string
		for _, b := range blocks {
			if b.Type == "text" {
				beside = append(beside, b.Text)
			}
		}
		for _, b := range blocks {
			if b.Type != "tool_result" {
				continue
			}
			inner, err := blocksOf(b.Content)
			if err != nil {
				return nil, err
			}
			r := result{beside: beside, failed: &b.IsError}
			for _, part := range inner {
				r.parts = append(r.parts, part.Text)
			}
			out.results[b.UseID] = r
		}
	}
	return out, nil
}

// blocksOf reads content, which is a text or a list of blocks.
func blocksOf(content json.RawMessage) ([]block, error) {
	var blocks []block
	var text string
	if len(content) == 0 {
		return nil, nil
	}
	if json.Unmarshal(content, &text) == nil {
		return []block{{Type: "text", Text: text}}, nil
	}
	if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, fmt.Errorf("the content of a message: %w", err)
	}
	return blocks, nil
}

// loading asks for the tools by name, as the client tells the model to.
func (messages) loading(tools []string) *call {
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, toolPrefix+t)
	}
	return &call{
		clientTool: "ToolSearch",
		arguments:  map[string]any{"query": "select:ReadMcpResourceTool," + strings.Join(names, ","), "max_results": len(names)},
	}
}

func (messages) calling(c *call) []event {
	name, arguments := toolPrefix+c.tool, c.arguments
	switch {
	case c.resource != "":
		name, arguments = "ReadMcpResourceTool", map[string]any{"server": serverName, "uri": c.resource}
	case c.clientTool != "":
		name = c.clientTool
	}
	return turn(c.id, "tool_use",
		event{"type": "tool_use", "id": c.id, "name": name, "input": map[string]any{}},
		event{"type": "input_json_delta", "partial_json": asJSON(arguments)})
}

func (messages) ending() []event {
	return turn("end", "end_turn", event{"type": "text", "text": ""}, event{"type": "text_delta", "text": "done"})
}

// turn returns the events of an answer with one block. Claude Code takes answers with
// the same id for one.
func turn(id, reason string, block, delta event) []event {
	usage := map[string]any{"input_tokens": 1, "output_tokens": 1}
	return []event{
		{"type": "message_start", "message": map[string]any{
			"id": "msg_" + id, "type": "message", "role": "assistant", "model": "stand-in", "content": []any{},
			"stop_reason": nil, "stop_sequence": nil, "usage": usage,
		}},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	}
}
