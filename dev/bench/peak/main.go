//go:build linux

// The command peak runs a command and prints the largest size that it had, in bytes. What the
// system tells of a process is at least the size of the one that has started it, so this is a
// program of its own that does nothing else.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		fmt.Fprintln(os.Stderr, "peak: the system does not tell how large a process was")
		os.Exit(1)
	}
	fmt.Print(usage.Maxrss << 10)
}
