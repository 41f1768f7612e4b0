package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
)

// markdownPatch is a library that changes what stands below a heading.
func markdownPatch(m *machine) tool {
	return tool{
		name: "markdown-patch", install: installNPM, find: npmPackage("markdown-patch"),
		editor: func(ctx context.Context, folder string) (editor, error) {
			return startNPM(ctx, m, folder, "markdown-patch")
		},
	}
}

// remark parses a document, has its tree changed, and writes a new document from it.
func remark(m *machine) tool {
	return tool{
		name: "remark", install: installNPM, find: npmPackage("remark-stringify"),
		editor: func(ctx context.Context, folder string) (editor, error) { return startNPM(ctx, m, folder, "remark") },
	}
}

// npmEditor has a program of Node.js edit, which reads a request a line.
type npmEditor struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	folder string
	tool   string
}

func startNPM(ctx context.Context, m *machine, folder, tool string) (editor, error) {
	e := &npmEditor{cmd: exec.CommandContext(ctx, "node", filepath.Join(m.npm, "edit.mjs")), folder: folder, tool: tool}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return e, e.cmd.Start()
}

func (e *npmEditor) close() {
	_ = e.in.Close()
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait()
}

// edit replaces the body of the section, which is how these tools change a line, or
// appends to it.
func (e *npmEditor) edit(file string, c change) (calls int, err error) {
	request := map[string]any{
		"tool": e.tool, "file": filepath.Join(e.folder, file), "title": c.title, "path": c.path, "operation": "replace",
	}
	body, ok := c.newBody()
	request["content"] = body
	if !ok {
		return 0, errNotAsked
	}
	if c.op == appendText {
		request["operation"], request["content"] = "append", c.new
	}
	line, err := json.Marshal(request)
	if err != nil {
		return 0, err
	}
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		return 0, err
	}
	answer, err := e.out.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("edit.mjs has ended: %w", err)
	}
	var result struct{ Error string }
	if err := json.Unmarshal(answer, &result); err != nil {
		return 0, err
	}
	if result.Error != "" {
		return 1, refusal{result.Error}
	}
	return 1, nil
}
