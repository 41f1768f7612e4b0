//go:build !linux

package programs

import (
	"os"
	"os/exec"
)

// newInput makes an empty file.
func newInput() (input, error) { return temporaryInput() }

// limitMemory is for systems that let one process limit another.
func limitMemory(*os.Process) {}

// start starts a command, which may write anywhere: only some systems confine what they start.
func start(cmd *exec.Cmd, _, _ []string) error { return cmd.Start() }
