package main

import (
	"bytes"
	"context"
	"regexp"
)

// ripgrep prints the lines that look like headings. It is no outline, for a comment
// in a program looks like one too, but the least time in which all of the files can
// be searched.
func ripgrep() tool {
	return tool{
		name: "ripgrep", install: "apt-get install ripgrep", find: program("rg"), version: versionBy("rg", "--version"),
		outline: func(folder string) []string { return []string{"rg", "--line-number", "^#{1,6} ", folder} },
	}
}

// expression is the regular expression by which most scripts find headings.
func expression() tool {
	return tool{
		name: "regular expression", install: "it is part of this program", find: always,
		headings: func(_ context.Context, _ string, docs []document) (map[string][]heading, error) {
			pattern := regexp.MustCompile(`^(#{1,6})\s+\S`)
			found := map[string][]heading{}
			for _, d := range docs {
				for i, line := range bytes.Split(d.source, []byte("\n")) {
					if m := pattern.FindSubmatch(line); m != nil {
						found[d.name] = append(found[d.name], heading{len(m[1]), i + 1, i + 1})
					}
				}
			}
			return found, nil
		},
	}
}
