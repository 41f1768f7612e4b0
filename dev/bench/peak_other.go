//go:build !linux

package main

import "errors"

// peakArgument is what this program is called with to tell how large a command became.
const peakArgument = "-largest-size"

// printPeak is for Linux, whose unit is known.
func printPeak([]string) error {
	return errors.New("only Linux tells how large a process was")
}
