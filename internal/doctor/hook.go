package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
)

// A hook is a program that a client starts when something has happened. This one is
// started when a file was read, and reminds whoever read a long Markdown document
// whole that there is a way to read the part that is needed. It looks at what the
// client says of the read and answers from that; it keeps nothing between two calls.
// Whatever it can't make sense of, it is silent about: a reminder is never worth an
// error in the middle of somebody's work.

// DefaultMinWords is the number of words beyond which a document that was read whole
// is worth a reminder.
const DefaultMinWords = 200

const (
	hookEvent    = "PostToolUse" // the event of Claude Code after a call of a tool
	hookTool     = "Read"        // its tool that reads a file
	maxHookInput = 64 << 20      // bytes of an event; it holds the text that was read
	maxHookPath  = 200           // characters of a path in a reminder
)

// HookRequest is an event of Claude Code.
type HookRequest struct {
	In       io.Reader // the event, a JSON object
	MinWords string    // a number of words as a user has set it; DefaultMinWords if it is none
}

// claudeEvent is the part of an event that counts here. What may have any form is
// decoded when it is known to be needed.
type claudeEvent struct {
	Event    string          `json:"hook_event_name"`
	Tool     string          `json:"tool_name"`
	Folder   string          `json:"cwd"`
	Input    json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
}

// claudeRead is the arguments of a read. Offset and limit are there if a part of the
// file was asked for.
type claudeRead struct {
	Path   string          `json:"file_path"`
	Offset json.RawMessage `json:"offset"`
	Limit  json.RawMessage `json:"limit"`
}

// claudeText is the result of a read. Lines are counted from 1.
type claudeText struct {
	Type string `json:"type"`
	File struct {
		Content    *string `json:"content"`
		StartLine  int     `json:"startLine"`
		NumLines   int     `json:"numLines"`
		TotalLines int     `json:"totalLines"`
	} `json:"file"`
}

// ClaudeHook answers an event of Claude Code with what its hooks print: a reminder
// for the agent if a Markdown document of more than MinWords words was read whole.
// It returns nothing for every other event, and for what is none.
func ClaudeHook(req HookRequest) []byte {
	input, err := io.ReadAll(io.LimitReader(req.In, maxHookInput+1))
	if err != nil || len(input) > maxHookInput {
		return nil
	}
	var event claudeEvent
	var read claudeRead
	if json.Unmarshal(input, &event) != nil || event.Event != hookEvent || event.Tool != hookTool ||
		json.Unmarshal(event.Input, &read) != nil || !files.IsMarkdown(read.Path) {
		return nil
	}
	words := event.words(&read)
	if words <= minWords(req.MinWords) {
		return nil
	}
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	return replies.AppendJSON(nil, map[string]output{
		"hookSpecificOutput": {hookEvent, reminder(event.displayPath(read.Path), words)},
	})
}

// words returns the number of words that were read, or 0 if it was a part of the
// file. A part was read if one was asked for, unless it turned out to be all, and if
// the client delivered less than there is. A client that does not hand over the text
// has the file itself counted.
func (e *claudeEvent) words(read *claudeRead) int {
	part := isGiven(read.Offset) || isGiven(read.Limit)
	var text claudeText
	if json.Unmarshal(e.Response, &text) == nil && text.Type != "" {
		f := &text.File
		cut := f.StartLine > 1 || f.NumLines < f.TotalLines
		told := f.StartLine == 1 && f.NumLines > 0
		if text.Type != "text" || f.Content == nil || cut || part && !told {
			return 0
		}
		return replies.CountWords([]byte(*f.Content))
	}
	if part {
		return 0
	}
	path := read.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Folder, path)
	}
	src, err := new(textfile.Reader).Read(path)
	if err != nil {
		return 0
	}
	return replies.CountWords(src)
}

// isGiven reports whether an argument is there and not null.
func isGiven(argument json.RawMessage) bool {
	return len(argument) > 0 && string(argument) != "null"
}

// displayPath returns a path as the tools want it: relative to the folder that the agent
// works in, if the file is below.
func (e *claudeEvent) displayPath(path string) string {
	if rel, err := filepath.Rel(e.Folder, path); err == nil && filepath.IsLocal(rel) {
		path = filepath.ToSlash(rel)
	}
	return replies.ClipMiddle(replies.Safe(path), maxHookPath)
}

// minWords returns the number that a user has set, or the default if that is no
// number of words.
func minWords(set string) int {
	n, err := strconv.Atoi(strings.TrimSpace(set))
	if err != nil || n < 0 {
		return DefaultMinWords
	}
	return n
}

// reminder is the text for the agent. It is told what costs less the next time, not
// what to do now: the document has been read. First come the tools that every choice
// of tools has. The commands stand without the path, which would need to be quoted for
// a shell that isn't known.
func reminder(path string, words int) string {
	return fmt.Sprintf("%s was read whole, %s. A long Markdown document costs less by section: see its outline, then read "+
		"what the task needs. With the tools of sectile: markdown_tree {file_path}, then read_file {path, heading}. In a shell: "+
		"sectile tree FILE, then sectile read FILE HEADING; or sectile index FILE, then sectile select SELECTOR FILE, where a "+
		"selector is h2.1 for the second section of level 2, or h2.1/code.0 for the first code block in it. A server that has "+
		"mdsel_index {files} and mdsel_select {selector, files} does the latter too.",
		path, replies.Plural(words, "word"))
}
