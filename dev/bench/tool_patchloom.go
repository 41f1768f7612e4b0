package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// patchloom edits files for agents, in Rust. It knows a section by the line of its heading.
func patchloom(m *machine) tool {
	program := peer(m, "patchloom")
	return tool{
		name: "patchloom", install: installPeer("patchloom"), optional: true, long: true, find: findPeer(m, "patchloom"), version: versionBy(program, "--version"),
		editor: func(ctx context.Context, folder string) (editor, error) {
			return &patchloomEditor{ctx, program, folder}, nil
		},
	}
}

type patchloomEditor struct {
	ctx     context.Context
	program string
	folder  string
}

func (e *patchloomEditor) close() {}

// edit changes a line as a text, and sections by their headings.
func (e *patchloomEditor) edit(file string, c change) (calls int, err error) {
	var command []string
	switch c.op {
	case changeLine:
		command = []string{"replace", "--unique", c.sent + c.old, "--new", c.sent + c.new, file}
	case appendText:
		before := "\n" // unless a blank line stands there
		if strings.HasSuffix(c.body, "\n\n") {
			before = ""
		}
		command = []string{"md", "insert-after-section", file, "--heading", strings.TrimSpace(c.heading), "--content", before + c.new + "\n\n"}
	default:
		command = []string{"md", "replace-section", file, "--heading", strings.TrimSpace(c.heading), "--content", c.new}
	}
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.program, append(command, "--apply")...)
	cmd.Dir = filepath.Clean(e.folder)
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return 1, refusal{fmt.Sprintf("%.300s", out)}
	}
	return 1, err
}
