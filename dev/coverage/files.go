package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// wholeFiles are the files of which every statement must be run: what plan.Parse
// calls.
var wholeFiles = []string{
	"plan/description.go", "plan/expression.go", "plan/grammar.go", "plan/header.go", "plan/line.go",
	"plan/parse.go", "plan/pattern.go", "plan/sections.go", "plan/text.go", "plan/tree.go",
}

// block is a line of a profile: a part of a file without branches, how many
// statements it has, and how often it was run.
//
//	example.org/m/a/x.go:12.34,15.2 3 1
var block = regexp.MustCompile(`^(\S+):([0-9]+)\.[0-9]+,[0-9.]+ ([0-9]+) ([0-9]+)$`)

// checkFiles writes a line for each of the files that must be run whole, with the
// lines that were not, and returns of how many there are any. A file that the
// profile doesn't have is an error: then it has another name by now.
func checkFiles(w io.Writer, profile io.Reader) (low int, err error) {
	statements, missed := map[string]int{}, map[string][]string{}
	lines := bufio.NewScanner(profile)
	for lines.Scan() {
		m := block.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		name := strings.TrimPrefix(m[1], module)
		n, err := strconv.Atoi(m[3])
		if err != nil {
			return 0, fmt.Errorf("reading %q: %w", lines.Text(), err)
		}
		statements[name] += n
		if m[4] == "0" && n > 0 {
			missed[name] = append(missed[name], m[2])
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	for _, name := range wholeFiles {
		verdict := "ok"
		switch {
		case statements[name] == 0:
			return 0, fmt.Errorf("%s is not in the profile; name the files that parse plans in dev/coverage/files.go", name)
		case missed[name] != nil:
			verdict = "NOT RUN: line " + strings.Join(missed[name], ", ")
			low++
		}
		if _, err := fmt.Fprintf(w, "%s, all of it: %s\n", name, verdict); err != nil {
			return low, err
		}
	}
	return low, nil
}
