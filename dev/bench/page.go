package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Between these lines of the page stands what a run has found.
const (
	beginMark = "<!-- Made by: scripts/bench -write -->"
	endMark   = "<!-- End of what scripts/bench -write makes -->"
)

// between returns a page with another text between the marks.
func between(page, text string) (string, error) {
	head, rest, ok := strings.Cut(page, beginMark+"\n")
	_, tail, closed := strings.Cut(rest, endMark)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no %q and %q, each on a line of its own: put them back where the table belongs", beginMark, endMark)
	}
	return head + beginMark + "\n\n" + strings.TrimSpace(text) + "\n\n" + endMark + tail, nil
}

// text is what a run has found, for people.
func (b *bench) text(ctx context.Context) string {
	var s strings.Builder
	s.WriteString(b.conditions(ctx) + "\n\n" + b.report.table())
	for _, line := range b.report.skipped {
		s.WriteString("\n" + line + ".\n")
	}
	return s.String()
}

// write puts what a run has found into the page and draws the chart.
func (b *bench) write(ctx context.Context) error {
	path := filepath.Join(b.root, "docs", "benchmarks.md")
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	updated, err := between(string(page), b.text(ctx))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.WriteFile(path, []byte(updated), 0o644); err != nil {
		return err
	}
	return b.draw(filepath.Join(b.root, "docs", "images", "benchmarks.svg"))
}

// draw writes the chart to a file.
func (b *bench) draw(path string) error {
	return os.WriteFile(path, []byte(svg(b.report.panels)), 0o644)
}
