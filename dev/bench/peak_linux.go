package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// peakArgument is what this program is called with to tell how large a command became, in
// bytes. What the system tells of a process is at least the size of the one that has started
// it, so that must be a small one: one that has done nothing else.
const peakArgument = "-largest-size"

// printPeak runs a command and prints the largest size that it had, in bytes.
func printPeak(command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return fmt.Errorf("the system does not tell how large a process was")
	}
	_, err := fmt.Print(usage.Maxrss << 10)
	return err
}
