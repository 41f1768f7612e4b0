package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// timeServers times servers of tools: from the start of each to its list of tools, and one section
// of a long document by a server that runs. Then it asks how large each has become.
func (b *bench) timeServers(ctx context.Context, long, folder string, a *askedFor) {
	var starts, reads []contender
	var sizes []row
	for i := range b.tools {
		for _, kind := range b.tools[i].servers {
			running, err := kind.start(ctx, folder)
			if err != nil {
				b.report.note("Servers: %s fails: %v", kind.name, err)
				continue
			}
			defer running.close() //nolint:gocritic // all of them run at once, to be asked in turns
			starts = append(starts, contender{kind.name, func() error {
				s, err := startServer(ctx, kind.command(folder))
				if err != nil {
					return err
				}
				defer s.close()
				_, err = s.request("tools/list", map[string]any{})
				return err
			}})
			read := func() error {
				var err error
				if kind.section != nil {
					_, err = kind.section(running, a.file, a)
				} else {
					_, err = running.call(kind.read(filepath.Join(folder, a.file), a.title()))
				}
				return err
			}
			reads = append(reads, contender{kind.name, read})
			if err := read(); err != nil {
				continue // inTurns says why
			}
			bytes, err := largest(running.cmd.Process.Pid)
			if err != nil {
				b.report.note("Memory of a server: %v", err)
				continue
			}
			line := row{tool: kind.name, result: figure(bytes/1e6) + " MB", value: bytes / 1e6, unit: "MB"}
			if len(sizes) > 0 {
				line.beside = times(line.value / sizes[0].value)
			}
			sizes = append(sizes, line)
		}
	}
	const whole = " (server-filesystem: all of it)"
	b.timed("Start of a server, to its list of tools", starts, nil)
	b.timed("One section "+long+", of a running server"+whole, reads, nil)
	for i := range sizes {
		sizes[i].measure = "Memory: largest size of a server that has read one section " + long + whole
		b.report.peers.add(sizes[i])
	}
}

// largest is the largest size that a running process has had, in bytes.
func largest(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("the system does not tell how large a process is: %w", err)
	}
	found := regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`).FindSubmatch(status)
	if found == nil {
		return 0, fmt.Errorf("the system does not tell how large a process was")
	}
	kilobytes, err := strconv.ParseFloat(string(found[1]), 64)
	return kilobytes * 1024, err
}
