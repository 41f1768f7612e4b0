package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// results is the table of tools for documents, for programs and for its page.
type results struct {
	Made    string   `json:"made"`
	Seed    uint64   `json:"seed"`
	Rows    []result `json:"rows"`
	LeftOut []string `json:"left_out,omitempty"`
}

// result is a line of it.
type result struct {
	Measure string   `json:"measure"`
	Tool    string   `json:"tool"`
	Result  string   `json:"result"`
	Detail  string   `json:"detail,omitempty"`
	Beside  string   `json:"beside,omitempty"`
	Value   float64  `json:"value"`
	Unit    string   `json:"unit,omitempty"`
	Cases   []single `json:"cases,omitempty"`
}

// peersText is the table of tools for documents with how it was made.
func (b *bench) peersText(ctx context.Context) string {
	if b.report.peers == nil {
		return ""
	}
	return b.conditions(ctx) + "\n\n" + b.report.peers.table()
}

// peersResults are what was measured of them.
func (b *bench) peersResults(ctx context.Context) *results {
	r := &results{Made: b.conditions(ctx), Seed: b.seed, LeftOut: b.report.skipped}
	for i := range b.report.peers.rows {
		line := &b.report.peers.rows[i]
		r.Rows = append(r.Rows, result{line.measure, line.tool, line.result, line.detail, line.beside, line.value, line.unit, line.cases})
	}
	return r
}

// writePeers puts them beside the page, if they were measured, and makes the page with the
// charts from that file.
func (b *bench) writePeers(ctx context.Context) error {
	if b.report.peers == nil {
		return nil
	}
	text, err := json.MarshalIndent(b.peersResults(ctx), "", " ")
	if err != nil {
		return err
	}
	docs := filepath.Join(b.root, "docs")
	if err := os.WriteFile(filepath.Join(docs, "benchmarks-peers.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return writeCharts(docs)
}

// writeCharts makes benchmarks.html from benchmarks-peers.json, both in a folder.
func writeCharts(docs string) error {
	data, err := os.ReadFile(filepath.Join(docs, "benchmarks-peers.json"))
	if err != nil {
		return err
	}
	var r results
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	page, err := chartsPage(&r)
	return errors.Join(err, os.WriteFile(filepath.Join(docs, "benchmarks.html"), page, 0o644))
}
