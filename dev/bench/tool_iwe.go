package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// iwe keeps a folder of notes, in Rust. It names a section by a query, in which sections above it can
// stand, and writes documents anew that it changes.
func iwe(m *machine) tool {
	program := peer(m, "iwe")
	find := func(file, key, query string) []string {
		return []string{"env", "-C", filepath.Dir(file), program, "find", "-k", strings.TrimSuffix(filepath.Base(file), ".md"), "--project", "{" + key + ": {$content: " + query + "}}"}
	}
	return tool{
		name: "iwe", install: installPeer("iwe"), optional: true, long: true, find: findPeer(m, "iwe"), version: versionBy(program, "--version"),
		list:    func(file string) []string { return find(file, "headings", "{$header: {}}") },
		section: func(file string, a *askedFor) []string { return find(file, "section", iweSection(a.shown)) },
		// A folder alone stands for links within a document, and says of none of them that it is broken.
		broken: complaints(`(?m)^- .* -> (.+/.+)$`, program, "stats"),
		move: func(ctx context.Context, folder, from, to string) error {
			// It looks at the folder for how links are written there.
			if err := changed(ctx, folder, program, "init", "--auto"); err != nil {
				return err
			}
			return errors.Join(changed(ctx, folder, program, "rename", strings.TrimSuffix(from, ".md"), strings.TrimSuffix(to, ".md")), os.RemoveAll(filepath.Join(folder, ".iwe")))
		},
		editor: func(ctx context.Context, folder string) (editor, error) { return &iweEditor{ctx, program, folder}, nil },
	}
}

// iweSection is a query for the section with these titles, as a text of JSON is one of YAML too.
func iweSection(titles []string) string {
	query := ""
	for _, title := range titles {
		text, _ := json.Marshal(title) // a text has no error
		if query != "" {
			query = ", $within: " + query
		}
		query = fmt.Sprintf("{$section: {$text: {$eq: %s}%s}}", text, query)
	}
	return query
}

// iweEditor changes a line as a text within its section, and the rest by the section.
type iweEditor struct {
	ctx     context.Context
	program string
	folder  string
}

func (e *iweEditor) close() {}

func (e *iweEditor) edit(file string, c change) (calls int, err error) {
	titles := slices.Clone(c.path)
	if c.title == "" || len(titles) == 0 {
		return 0, errNotAsked
	}
	quoted := func(text string) string {
		as, _ := json.Marshal(text) // a text has no error
		return string(as)
	}
	section := strings.TrimSuffix(strings.TrimPrefix(iweSection(titles), "{"), "}")
	header := strings.Replace(section, "$section", "$header", 1)
	var change []string
	switch c.op {
	case changeLine:
		within := "$within: {" + section + "}, "
		if c.alone {
			within = ""
		}
		change = []string{"--replace-text", fmt.Sprintf("{ %s$text: %s, from: %[2]s, to: %s, expect: 1 }", within, quoted(c.old), quoted(c.new))}
	case appendText:
		change = []string{"--append", fmt.Sprintf("{ %s, content: %s, expect: 1 }", header, quoted(c.new))}
	default:
		// Its own guide has a heading replaced by all that is to stand there, and what stood below it deleted.
		change = []string{
			"--replace", fmt.Sprintf("{ %s, content: %s, expect: 1 }", header, quoted(c.heading+"\n\n"+c.new)), "--delete", "{ $within: {" + section + "} }",
		}
	}
	ctx, cancel := context.WithTimeout(e.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.program, append([]string{"update", "-k", strings.TrimSuffix(file, ".md")}, change...)...)
	cmd.Dir = e.folder
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return 1, refusal{fmt.Sprintf("%.300s", out)}
	}
	return 1, err
}
