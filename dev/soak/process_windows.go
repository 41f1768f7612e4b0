package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// killedCode is the exit code of processes that we kill: one that none ends with by
// itself.
const killedCode = 0x50ac

// ownGroup does nothing: no signal goes to what this program has started.
func ownGroup(*exec.Cmd) {}

// killProcess ends a process without a word.
func killProcess(p *os.Process) error {
	var failed error
	err := p.WithHandle(func(handle uintptr) { failed = syscall.TerminateProcess(syscall.Handle(handle), killedCode) })
	return errors.Join(err, failed)
}

// byKill reports whether a process that has ended was killed, instead of having ended by
// itself.
func byKill(state *os.ProcessState) bool { return state.ExitCode() == killedCode }

// suspend would have a process stop.
func suspend(*os.Process) error { return errors.ErrUnsupported }

// resume would have it go on.
func resume(*os.Process) error { return errors.ErrUnsupported }
