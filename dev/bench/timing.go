package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// sample is what was measured of one thing: a figure for each round. What the
// figures are, milliseconds or megabytes a second, whoever took them knows.
type sample []float64

// quantile returns the figure that a share of all figures are at or below: the
// median for 0.5. Of nothing it is not a number.
func (s sample) quantile(share float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	at := share * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

func (s sample) median() float64 { return s.quantile(0.5) }

// each returns the sample with every figure changed.
func (s sample) each(change func(float64) float64) sample {
	changed := make(sample, len(s))
	for i, v := range s {
		changed[i] = change(v)
	}
	return changed
}

// over returns the median of what the figures are of those that another sample
// has for the same rounds. What slows a machine down for a while slows down both
// of a round, so that this varies less than either of them.
func (s sample) over(other sample) float64 {
	ratios := make(sample, min(len(s), len(other)))
	for i := range ratios {
		ratios[i] = s[i] / other[i]
	}
	return ratios.median()
}

// contender is one of those that are measured in turns.
type contender struct {
	name string
	run  func() error
}

// inTurns runs all contenders once in each round, beginning with another one in
// each, and returns the milliseconds that they took, in their order. A round that
// is not counted goes before, for what is cold. One that fails runs no more and has
// no figures, but an error in its place.
func inTurns(rounds int, all []contender) (took []sample, failed []error) {
	took, failed = make([]sample, len(all)), make([]error, len(all))
	for round := -1; round < rounds; round++ {
		for i := range all {
			at := (i + max(round, 0)) % len(all)
			if failed[at] != nil {
				continue
			}
			runtime.GC() // so that nobody clears away what others have left
			start := time.Now()
			failed[at] = all[at].run()
			passed := milliseconds(time.Since(start))
			switch {
			case failed[at] != nil:
				took[at] = nil
			case round >= 0:
				took[at] = append(took[at], passed)
			}
		}
	}
	return took, failed
}

// inTurns runs contenders in as many rounds as the run has, and notes which failed.
func (b *bench) inTurns(measure string, all []contender) []sample {
	took, failed := inTurns(b.rounds, all)
	for i, err := range failed {
		if err != nil {
			b.report.note("%s: %s fails, so it has no figure: %v", measure, all[i].name, err)
		}
	}
	return took
}

// peakProgram builds the program that tells how large another one became, which only Linux does.
func (b *bench) peakProgram(ctx context.Context) (string, error) {
	path := filepath.Join(b.machine.scratch, "peak")
	_, err := run(ctx, []string{"go", "build", "-C", filepath.Join(b.root, "dev"), "-o", path, "./bench/peak"})
	return path, err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// figure writes a number with three digits that count, and thousands apart.
func figure(v float64) string {
	switch abs := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "none"
	case abs >= 100:
		return thousands(int(math.Round(v)))
	case abs >= 10:
		return fmt.Sprintf("%.1f", v)
	case abs >= 1:
		return fmt.Sprintf("%.2f", v)
	case abs == 0:
		return "0"
	}
	return fmt.Sprintf("%.3f", v)
}

// thousands writes a whole number with a comma between groups of three digits.
func thousands(n int) string {
	if n < 0 {
		return "-" + thousands(-n)
	}
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// times writes how many times one thing is another.
func times(ratio float64) string {
	if math.IsNaN(ratio) || math.IsInf(ratio, 0) {
		return ""
	}
	return figure(ratio) + " ×"
}

// spread writes from where to where the figures of a sample go, without the tenth
// at either end.
func (s sample) spread() string {
	low, high := s.quantile(0.1), s.quantile(0.9)
	if cmp.Compare(low, high) == 0 {
		return figure(low)
	}
	return figure(low) + " to " + figure(high)
}
