package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// A server that answers for days may not grow. One is kept for the whole run, and what it
// holds is compared between the end of the first round and the last.

// usage is what a process holds.
type usage struct {
	megabytes int // in memory
	files     int // that are open
}

// A server may hold so much more at the end than after its first round: its caches fill,
// and memory that is given back stays for a while.
const (
	moreMegabytes = 64
	moreFiles     = 16
)

// usageOf tells what a process holds, where the system has files that say it.
func usageOf(pid int) (usage, error) {
	memory, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	files, filesErr := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err := errors.Join(err, filesErr); err != nil {
		return usage{}, err
	}
	var pages []byte
	if fields := bytes.Fields(memory); len(fields) > 1 {
		pages = fields[1]
	}
	n, err := strconv.Atoi(string(pages))
	return usage{n * os.Getpagesize() >> 20, len(files)}, err
}

// grown says what a process holds too much of.
func grown(before, now usage) (wrong string) {
	switch {
	case now.megabytes > 2*before.megabytes+moreMegabytes:
		return fmt.Sprintf("it holds %d MB instead of %d", now.megabytes, before.megabytes)
	case now.files > before.files+moreFiles:
		return fmt.Sprintf("it has %d files open instead of %d", now.files, before.files)
	}
	return ""
}
