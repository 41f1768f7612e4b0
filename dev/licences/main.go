// Licences lists the modules that are linked into the program on any of its systems, with
// their versions and licences, and writes the list and the texts to THIRD_PARTY_LICENSES,
// which goes with every copy of the program: most licences ask for that. What only tests,
// scripts and the benchmark are built with is listed there without texts, then what tools
// are made of, which are only run, and what is in the repository and is of others.
//
//	scripts/dev licences          write it
//	scripts/dev licences -check   fail if it is not what would be written
//
// Either fails if a licence is not one of those that are allowed, or can't be told.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
)

// target is the file that is written.
const target = "THIRD_PARTY_LICENSES"

func main() {
	check := flag.Bool("check", false, "write nothing, fail if the file is stale")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// run writes the file, or compares it.
func run(check bool) error {
	var c contents
	var err error
	if c.linked, err = linked(); err != nil {
		return err
	}
	if c.built, err = builtWith(c.linked); err != nil {
		return err
	}
	for _, m := range slices.Concat(c.linked, c.built) {
		if err := m.judge(); err != nil {
			return err
		}
	}
	if c.goTools, err = goTools(); err != nil {
		return err
	}
	if c.packages, err = npmPackages("."); err != nil {
		return err
	}
	if err := missing(); err != nil {
		return err
	}
	text := c.render()
	if !check {
		return os.WriteFile(target, text, 0o644)
	}
	have, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, text) {
		return fmt.Errorf("%s is stale; write it with: scripts/dev licences", target)
	}
	fmt.Printf("%d modules, %d more that tests and scripts use, and Go's standard library: all licences allowed\n", len(c.linked)-1, len(c.built))
	fmt.Printf("of tools, which are only run: %d modules and %d packages of npm: all licences allowed for that\n", len(c.goTools), len(c.packages))
	return nil
}
