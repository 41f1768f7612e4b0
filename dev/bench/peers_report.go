package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
)

// peersText is the table of tools for documents with how it was made.
func (b *bench) peersText(ctx context.Context) string {
	if b.report.peers == nil {
		return ""
	}
	return b.conditions(ctx) + "\n\n" + b.report.peers.table()
}

// peersJSON is the same for programs.
func (b *bench) peersJSON(ctx context.Context) ([]byte, error) {
	type line struct {
		Measure string `json:"measure"`
		Tool    string `json:"tool"`
		Result  string `json:"result"`
		Detail  string `json:"detail,omitempty"`
		Beside  string `json:"beside,omitempty"`
	}
	made := struct {
		Made    string   `json:"made"`
		Seed    uint64   `json:"seed"`
		Rows    []line   `json:"rows"`
		LeftOut []string `json:"left_out,omitempty"`
	}{b.conditions(ctx), b.seed, nil, b.report.skipped}
	for _, r := range b.report.peers.rows {
		made.Rows = append(made.Rows, line{r.measure, r.tool, r.result, r.detail, r.beside})
	}
	text, err := json.MarshalIndent(made, "", "  ")
	return append(text, '\n'), err
}

// writePeers puts them beside the page, if they were measured.
func (b *bench) writePeers(ctx context.Context) error {
	if b.report.peers == nil {
		return nil
	}
	text, err := b.peersJSON(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.root, "docs", "benchmarks-peers.json"), text, 0o644)
}
