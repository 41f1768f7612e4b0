package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// goal is a line of the table.
type goal struct {
	what         string
	ours, beside string // what was measured; empty for nothing
	unit         string // of figures: " ×", " %", " ms"
	figure       float64
	wanted       float64
	atLeast      bool // the figure shall be so large, and not so small
}

// isMet reports whether the figure is what is wanted.
func (g *goal) isMet() bool {
	if g.atLeast {
		return g.figure >= g.wanted
	}
	return g.figure <= g.wanted
}

// goalsTable writes the table of ratios.
func goalsTable(all []goal) string {
	var s strings.Builder
	s.WriteString("| what | sectile | beside | figure | wanted | met |\n| --- | --- | --- | --- | --- | --- |\n")
	for i := range all {
		g := &all[i]
		met := "no"
		if g.isMet() {
			met = "yes"
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s%s | %s | %s |\n", g.what, g.ours, g.beside, figure(g.figure), g.unit, g.wantedText(), met)
	}
	return s.String()
}

// wantedText is the wanted figure, for people.
func (g *goal) wantedText() string {
	if g.atLeast {
		return fmt.Sprint("at least ", g.wanted, g.unit)
	}
	return fmt.Sprint("at most ", g.wanted, g.unit)
}

// speedText is the table of ratios with how it was made.
func (b *bench) speedText(ctx context.Context) string {
	var beside []string
	for _, other := range []struct {
		name    string
		version func(context.Context) string
	}{{"ripgrep", versionBy("rg", "--version")}, {"md4c", versionBy("pkg-config", "--modversion", "md4c")}} {
		if version := other.version(ctx); version != "" {
			beside = append(beside, other.name+" "+version)
		}
	}
	return fmt.Sprintf("Made by `scripts/bench%s` on %s at %s, on %s/%s with %d cores, %s; %d rounds in turns. Beside %s.\n\n%s",
		b.flags, time.Now().UTC().Format(time.DateOnly), b.measured, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), b.rounds,
		strings.Join(slices.Concat(beside, []string{"a Go program that prints a line"}), ", "), goalsTable(b.report.goals))
}
