package main

import (
	"context"
	"fmt"

	"rsc.io/markdown"
)

// rsc is the parser that some of Go's own programs use. It parses inline content
// too.
func rsc() tool {
	parse := func(source []byte) *markdown.Document {
		var p markdown.Parser
		return p.Parse(string(source))
	}
	return tool{
		name: "rsc.io/markdown", install: "it comes with this module", find: always, version: moduleVersion("rsc.io/markdown"),
		does:  withInline,
		parse: func(source []byte) { parse(source) },
		headings: func(_ context.Context, _ string, docs []document) (map[string][]heading, error) {
			found := map[string][]heading{}
			for _, d := range docs {
				doc, err := recovered(func() *markdown.Document { return parse(withoutFrontMatter(d.source)) })
				if err != nil {
					continue // it finds nothing in what it can't parse
				}
				for _, b := range doc.Blocks {
					if h, ok := b.(*markdown.Heading); ok {
						found[d.name] = append(found[d.name], heading{h.Level, h.StartLine, h.EndLine})
					}
				}
			}
			return found, nil
		},
	}
}

// recovered calls f and returns its panic as an error.
func recovered[T any](f func() T) (result T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	return f(), nil
}
