package main

import (
	"bytes"
	"context"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// goldmarkTool is the parser of CommonMark that most Go programs use. It parses
// inline content too.
func goldmarkTool() tool {
	p := goldmark.DefaultParser()
	return tool{
		name: "goldmark", install: "it comes with this module", find: always, version: moduleVersion("github.com/yuin/goldmark"),
		does:  withInline,
		parse: func(source []byte) { p.Parse(text.NewReader(source)) },
		headings: func(_ context.Context, _ string, docs []document) (map[string][]heading, error) {
			found := map[string][]heading{}
			for _, d := range docs {
				found[d.name] = goldmarkHeadings(p, d.source)
			}
			return found, nil
		},
	}
}

// goldmarkGFM is goldmark with tables, task items and what else GitHub adds.
func goldmarkGFM() tool {
	p := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	return tool{
		name: "goldmark with GFM", install: "it comes with this module", find: always,
		does:  withInline,
		parse: func(source []byte) { p.Parse(text.NewReader(source)) },
	}
}

// goldmarkHeadings returns the headings of a document that stand in no other block.
func goldmarkHeadings(p parser.Parser, source []byte) []heading {
	source = withoutFrontMatter(source)
	var all []heading
	line, at := 1, 0
	for n := p.Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		pos := max(at, h.Pos())
		line += bytes.Count(source[at:pos], []byte("\n"))
		at = pos
		all = append(all, heading{h.Level, line, line + max(0, h.Lines().Len()-1)})
	}
	return all
}
