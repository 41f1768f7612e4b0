package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// Extreme documents: what they cost a server in memory and time. Each request has a
// server of its own, whose largest size the system tells (VmHWM), so that nothing of
// one request is in the figure of another.

// extremeRequests are what is asked of a server about a document.
func extremeRequests(path string) []struct {
	name string
	call call
} {
	return []struct {
		name string
		call call
	}{
		{"read", call{"read_file", map[string]any{"path": path, "heading": testkit.RareHeading}}},
		{"lines", call{"read_file", map[string]any{"path": path, "start_line": 1, "end_line": 3}}},
		{"map", call{"read_file", map[string]any{"path": path}}},
		{"tree", call{"markdown_tree", map[string]any{"file_path": path}}},
		{"list", call{"markdown_list_sections", map[string]any{"file_path": path}}},
		{"bounds", call{"markdown_section_bounds", map[string]any{"file_path": path, "section_name": "Rare"}}},
		{"index", call{"mdsel_index", map[string]any{"files": []string{path}}}},
		{"select", call{"mdsel_select", map[string]any{"files": []string{path}, "selector": "h2.0"}}},
		{"edit", call{"edit_section", map[string]any{"path": path, "heading": testkit.RareHeading, "action": "append", "content": "new text"}}},
	}
}

// measureExtremes prints, for each kind of extreme document of so many million bytes
// (0 for each kind's own size), the largest size that a server had beyond its idle
// one, divided by the document's, and the time to the answer.
func measureExtremes(ctx context.Context, o *options, scratch string) error {
	program := filepath.Join(scratch, "sectile")
	if o.program != "" {
		program = o.program
	} else if _, err := run(ctx, []string{"go", "build", "-C", o.root, "-trimpath", "-o", program, "./cmd/sectile"}); err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "document\tMB\trequest\tMiB\t× size\tMiB over 12×+32\tms\tanswer")
	for _, kind := range testkit.Extremes() {
		if o.only != "" && !slices.Contains(o.parts(), kind.Name) {
			continue
		}
		size := kind.Size
		if o.extreme > 0 {
			size = o.extreme * 1_000_000
		}
		text := kind.Make(size)
		size = len(text)
		for _, r := range extremeRequests("x.md") {
			if o.request != "" && !slices.Contains(strings.Split(o.request, ","), r.name) {
				continue
			}
			if err := os.WriteFile(filepath.Join(scratch, "x.md"), text, 0o600); err != nil {
				return err
			}
			s, err := measureExtreme(ctx, program, scratch, r.call)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", kind.Name, r.name, err)
			}
			over := max(0, s.peak-12*size-32<<20)
			_, _ = fmt.Fprintf(out, "%s\t%.1f\t%s\t%d\t%.1f\t%d\t%d\t%s\n", kind.Name, float64(size)/1e6, r.name,
				s.peak>>20, float64(s.peak)/float64(size), over>>20, s.took.Milliseconds(), s.answer)
			_ = out.Flush()
		}
	}
	return nil
}

// extreme is what a request cost.
type extreme struct {
	peak   int // bytes beyond the idle server
	took   time.Duration
	answer string // "ok", or the code of the error
}

// measureExtreme makes one request of a new server.
func measureExtreme(ctx context.Context, program, root string, c call) (extreme, error) {
	s, err := startServerFor(ctx, []string{program, "mcp", "--root", root, "--max-bytes", "1000000000", "--timeout", "10m"}, 10*time.Minute)
	if err != nil {
		return extreme{}, err
	}
	defer s.close()
	idle, err := peakOf(s.cmd.Process.Pid)
	if err != nil {
		return extreme{}, err
	}
	start := time.Now()
	_, err = s.call(c)
	took := time.Since(start)
	answer := "ok"
	var refused refusal
	switch {
	case errors.As(err, &refused):
		answer, _, _ = strings.Cut(refused.text, ":")
	case err != nil:
		return extreme{took: took, answer: "the server ended"}, nil
	}
	peak, err := peakOf(s.cmd.Process.Pid)
	return extreme{peak - idle, took, answer}, err
}

// peakOf returns the largest size that a process has had, in bytes. Only Linux tells
// it while the process runs.
func peakOf(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("the system does not tell how large a process was: %w", err)
	}
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kb, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(string(value)), " kB"))
			return kb << 10, err
		}
	}
	return 0, errors.New("the system does not tell how large a process was")
}
