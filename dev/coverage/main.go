// Coverage fails when the tests of a package run less of it than the project
// asks for: 85 % of the statements of the packages that others import, 80 % of
// every other one, and all of the files that parse plans. It reads what go test
// prints, and the profile that it writes:
//
//	go test -coverprofile=FILE ./... | go run ./dev/coverage FILE
//
// A package is measured by its own tests and the copies of the test binary that
// they start. What is in a folder cmd is exempt, and so is the floor that rooms stand
// on, which the tests of the rooms run: one package's tests don't show that.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	module      = "github.com/sectile/sectile/"
	publicLimit = 85.0
	limit       = 80.0
)

var publicPackages = []string{"markdown", "address", "outline", "edit", "links", "plan", "search"}

// floor are the packages whose code the tests of packages above them run for the most part.
var floor = []string{"internal/clients", "internal/comparing", "internal/documents", "internal/fileerror", "internal/fileinfo", "internal/filelock", "internal/files", "internal/filesystem", "internal/httpguard", "internal/linking", "internal/project", "internal/replies", "internal/repoproof", "internal/syntax", "internal/terminal", "internal/testkit", "internal/undoing", "internal/walking"}

// coverageLine finds a package's line with and without tests, run and cached:
//
//	ok  	example.org/m/a	1.2s	coverage: 66.7% of statements
//		example.org/m/b		coverage: 0.0% of statements
//
// It is not anchored: after a package without statements go test leaves out the
// newline.
var coverageLine = regexp.MustCompile(`(\S+)\t[^\t]*\tcoverage: ([0-9.]+)% of statements`)

func main() {
	low, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(2)
	}
	if low > 0 {
		os.Exit(1)
	}
}

// run checks the packages and the files, and returns how many are below their limit.
func run(args []string) (low int, err error) {
	if len(args) != 1 {
		return 0, errors.New("the profile is missing: go test -coverprofile=FILE ./... | go run ./dev/coverage FILE")
	}
	packages, err := check(os.Stdout, os.Stdin)
	if err != nil {
		return 0, err
	}
	profile, err := os.Open(args[0])
	if err != nil {
		return 0, err
	}
	defer profile.Close() //nolint:errcheck // it is only read
	files, err := checkFiles(os.Stdout, profile)
	return packages + files, err
}

// check writes a line for each package that has a limit and returns how many
// are below it. Output without any such package is an error: then the tests
// were run without -cover.
func check(w io.Writer, r io.Reader) (low int, err error) {
	var report strings.Builder
	packages := 0
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		m := coverageLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		name := strings.TrimPrefix(m[1], module)
		want, limited := limitOf(name)
		if !limited {
			continue
		}
		got, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return 0, fmt.Errorf("reading %q: %w", lines.Text(), err)
		}
		packages++
		verdict := "ok"
		if got < want {
			verdict = "TOO LOW"
			low++
		}
		fmt.Fprintf(&report, "%5.1f %% (at least %.0f %%) %s: %s\n", got, want, name, verdict)
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	if packages == 0 {
		return 0, fmt.Errorf("no package with its coverage in the input")
	}
	_, err = io.WriteString(w, report.String())
	return low, err
}

// limitOf returns the least coverage in percent of a package, named by its path
// within the module, and whether it has a limit at all.
func limitOf(name string) (percent float64, limited bool) {
	switch {
	case strings.Contains("/"+name+"/", "/cmd/"), slices.Contains(floor, name):
		return 0, false
	case slices.Contains(publicPackages, name):
		return publicLimit, true
	default:
		return limit, true
	}
}
