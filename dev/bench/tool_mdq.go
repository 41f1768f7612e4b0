package main

import (
	"fmt"
	"regexp"
	"strings"
)

// mdq is a query language for Markdown in Rust. It writes what it selects anew.
func mdq(m *machine) tool {
	program := peer(m, "mdq")
	return tool{
		name: "mdq", install: installPeer("mdq"), optional: true, find: findPeer(m, "mdq"), version: versionBy(program, "--version"),
		section: func(file string, a *askedFor) []string {
			// Each title is searched for below the one before it, whole, and in lines of its own
			// where it has several.
			steps := make([]string, len(a.shown))
			for i, title := range a.shown {
				steps[i] = "# /^" + strings.NewReplacer("/", `\/`, " ", `\s+`).Replace(regexp.QuoteMeta(title)) + "$/"
			}
			steps[len(steps)-1] = strings.Replace(steps[len(steps)-1], "# ", fmt.Sprintf("#{%d} ", a.level), 1)
			return []string{program, strings.Join(steps, " | "), file}
		},
	}
}
