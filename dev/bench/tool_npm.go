package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// markdownPatch is a library that changes what stands below a heading.
func markdownPatch(m *machine) tool {
	return tool{
		name: "markdown-patch", install: installNPM, find: editsWithNPM, version: npmVersion(m, "markdown-patch"),
		editor: func(ctx context.Context, folder string) (editor, error) {
			return startNPM(ctx, m, folder, "markdown-patch")
		},
	}
}

// remark parses a document, has its tree changed, and writes a new document from it.
func remark(m *machine) tool {
	return tool{
		name: "remark", install: installNPM, find: editsWithNPM, version: npmVersion(m, "remark-stringify"),
		editor: func(ctx context.Context, folder string) (editor, error) { return startNPM(ctx, m, folder, "remark") },
	}
}

// editsWithNPM reports why edit.mjs can't be run: it ends at once where there is
// nothing to read, if all that it imports is there.
func editsWithNPM(ctx context.Context, m *machine) error {
	if _, err := run(ctx, []string{"node", filepath.Join(m.npm, "edit.mjs")}); err != nil {
		return errNoPackage(err)
	}
	return nil
}

// errNoPackage is the error of a program of Node.js that does not start, without all
// that Node.js has to say about it.
func errNoPackage(err error) error {
	if _, ok := errors.AsType[*exec.Error](err); ok {
		return err
	}
	return errors.New("its npm packages are not all installed")
}

// npmVersion returns the version of a package from npm, and of what runs it.
func npmVersion(m *machine, name string) func(context.Context) string {
	return func(ctx context.Context) string {
		data, err := os.ReadFile(filepath.Join(m.npm, "node_modules", filepath.FromSlash(name), "package.json"))
		if err != nil {
			return ""
		}
		var info struct{ Version string }
		if json.Unmarshal(data, &info) != nil {
			return ""
		}
		return info.Version + " on Node.js " + versionBy("node", "--version")(ctx)
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
		"tool": e.tool, "file": filepath.Join(e.folder, file), "title": c.title, "line": c.line, "path": c.path, "operation": "replace",
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
	ended := time.AfterFunc(patience, func() { _ = e.cmd.Process.Kill() })
	answer, err := e.out.ReadBytes('\n')
	ended.Stop()
	if err != nil {
		return 0, fmt.Errorf("edit.mjs has ended, or did not answer within %v: %w", patience, err)
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
