package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// made is a place of the page: between its two lines stands what a run has found.
type made struct{ begin, end string }

var (
	madeAll     = made{"<!-- Made by: scripts/bench -write -->", "<!-- End of what scripts/bench -write makes -->"}
	madeErrands = made{"<!-- Made by: scripts/bench -only tasks -write -->", "<!-- End of what scripts/bench -only tasks -write makes -->"}
	madeSpeed   = made{"<!-- Made by: scripts/bench -only speed -write -->", "<!-- End of what scripts/bench -only speed -write makes -->"}
	madePeers   = made{"<!-- Made by: scripts/bench -only peers -write -->", "<!-- End of what scripts/bench -only peers -write makes -->"}
	madeSearch  = made{"<!-- Made by: scripts/bench -only search -write -->", "<!-- End of what scripts/bench -only search -write makes -->"}
)

// between returns a page with another text between the marks.
func (m made) between(page, text string) (string, error) {
	head, rest, ok := strings.Cut(page, m.begin+"\n")
	_, tail, closed := strings.Cut(rest, m.end)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no %q and %q, each on a line of its own: put them back where the table belongs", m.begin, m.end)
	}
	return head + m.begin + "\n\n" + strings.TrimSpace(text) + "\n\n" + m.end + tail, nil
}

// text is what a run has found, for people.
func (b *bench) text(ctx context.Context) string {
	switch b.only {
	case "tasks":
		return b.errandText(ctx)
	case "speed":
		return strings.Join(append([]string{b.speedText(ctx)}, b.report.skipped...), "\n")
	case "peers":
		return strings.Join(append([]string{b.peersText(ctx)}, b.report.skipped...), "\n")
	case "search":
		return strings.Join(append([]string{b.searchText(ctx)}, b.report.skipped...), "\n")
	}
	var s strings.Builder
	s.WriteString(b.conditions(ctx) + "\n\n" + b.report.table())
	for _, line := range b.report.skipped {
		s.WriteString("\n" + line + ".\n")
	}
	if len(b.report.errands) > 0 && !b.options.write {
		s.WriteString("\n" + b.errandText(ctx))
	}
	if len(b.report.sought) > 0 && !b.options.write {
		s.WriteString("\n" + b.searchText(ctx))
	}
	if len(b.report.goals) > 0 && !b.options.write {
		s.WriteString("\n" + b.speedText(ctx))
	}
	if b.report.peers != nil && !b.options.write {
		s.WriteString("\n" + b.peersText(ctx))
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
	updated := string(page)
	for _, part := range []struct {
		made
		text   string
		absent bool
	}{
		{madeAll, b.text(ctx), b.apart()},
		{madeErrands, b.errandText(ctx), len(b.report.errands) == 0},
		{madeSearch, b.searchText(ctx), len(b.report.sought) == 0},
		{madeSpeed, b.speedText(ctx), len(b.report.goals) == 0},
		{madePeers, b.peersText(ctx), b.report.peers == nil},
	} {
		if part.absent {
			continue
		}
		if updated, err = part.between(updated, part.text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := errors.Join(os.WriteFile(path, []byte(updated), 0o644), b.writePeers(ctx)); err != nil || b.apart() {
		return err
	}
	return b.draw(filepath.Join(b.root, "docs", "images", "benchmarks.svg"))
}

// draw writes the chart to a file.
func (b *bench) draw(path string) error {
	return os.WriteFile(path, []byte(svg(b.report.panels)), 0o644)
}
