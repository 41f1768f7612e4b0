package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCharts draws rows with cases, with what a hostile name might be, and names a loss.
func TestCharts(t *testing.T) {
	page, err := chartsPage(&results{Made: "Made by `x`.", Rows: []result{
		{Measure: "Right", Tool: ours, Result: "1 of 2", Value: 50, Unit: share, Cases: []single{{"a", "done", true}, {"b <script>", "lost", false}}},
		{Measure: "Right", Tool: "other", Result: "2 of 2", Value: 100, Unit: share},
		{Measure: "Time", Tool: ours, Result: "1 ms", Value: 1, Unit: "ms"},
		{Measure: "Time", Tool: "other", Result: "4 ms", Value: 4, Unit: "ms", Beside: "4 ×"},
		{Measure: "Time", Tool: "third", Result: "it fails"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, want := range []string{
		`<li><a href="#m1">Right</a>: 1 of 2, and other 2 of 2</li>`, `style="width:50.0%"`, `style="width:25.0%"`, "b &lt;script&gt;", "prefers-color-scheme: dark", "@media print",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, `href="#m2">Time</a>:`) {
		t.Error("a gain is told as a loss")
	}
}

// TestChartsPage compares docs/benchmarks.html with the file beside it that it is made from. It
// brings everything with it, and is small.
func TestChartsPage(t *testing.T) {
	docs := filepath.Join(here(t).root, "docs")
	before, err := os.ReadFile(filepath.Join(docs, "benchmarks.html"))
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	data, err := os.ReadFile(filepath.Join(docs, "benchmarks-peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeAll(copied, []document{{"benchmarks-peers.json", data}}); err != nil {
		t.Fatal(err)
	}
	if err := writeCharts(copied); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(copied, "benchmarks.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("benchmarks.html isn't made of benchmarks-peers.json: run scripts/bench -charts")
	}
	if len(after) > 200_000 {
		t.Errorf("the page has %d bytes", len(after))
	}
	if found := regexp.MustCompile(`(?i)<script|<img|<link|@import|<iframe|url\(`).FindString(string(after)); found != "" {
		t.Errorf("the page has %q", found)
	}
}
