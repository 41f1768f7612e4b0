package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// cmark is the reference implementation of CommonMark, in C. As a command it renders
// what it has parsed as HTML.
func cmark() tool {
	return tool{
		name: "cmark", install: "apt-get install cmark", find: program("cmark"), version: versionBy("cmark", "--version"),
		does:      withInline + ", writes HTML",
		parseFile: func(path string) []string { return []string{"cmark", path} },
		headings: func(ctx context.Context, _ string, docs []document) (map[string][]heading, error) {
			return headingsOfXML(ctx, docs, "cmark", "--to", "xml", "--sourcepos")
		},
	}
}

// headingsOfXML returns the headings of documents from the trees that a command prints of
// each, in the XML of cmark.
func headingsOfXML(ctx context.Context, docs []document, command ...string) (map[string][]heading, error) {
	all := make([][]heading, len(docs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, d := range docs {
		group.Go(func() (err error) {
			all[i], err = headingsOfTree(ctx, d, command)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	found := map[string][]heading{}
	for i, d := range docs {
		found[d.name] = all[i]
	}
	return found, nil
}

// headingsOfTree returns the headings of a document that stand in no other block.
func headingsOfTree(ctx context.Context, d document, command []string) ([]heading, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin = bytes.NewReader(withoutFrontMatter(d.source))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", command[0], d.name, err)
	}
	// What XML can't hold is of no interest for where headings are.
	out = bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, out)
	var tree struct {
		Headings []struct {
			Level    int    `xml:"level,attr"`
			Position string `xml:"sourcepos,attr"`
		} `xml:"heading"`
	}
	if err := xml.Unmarshal(out, &tree); err != nil {
		return nil, fmt.Errorf("%s on %s: %w", command[0], d.name, err)
	}
	var all []heading
	for _, h := range tree.Headings {
		found := heading{level: h.Level}
		var skip int
		if _, err := fmt.Sscanf(h.Position, "%d:%d-%d:", &found.start, &skip, &found.end); err != nil {
			return nil, fmt.Errorf("%s on %s: %q: %w", command[0], d.name, h.Position, err)
		}
		all = append(all, found)
	}
	return all, nil
}
