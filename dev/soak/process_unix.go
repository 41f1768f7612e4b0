//go:build !windows

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps from a process what a terminal or whoever ends this program sends to all
// that it has started: it ends when it is told to.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killProcess ends a process without a word.
func killProcess(p *os.Process) error { return p.Kill() }

// byKill reports whether a process that has ended was killed, instead of having ended by
// itself.
func byKill(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// suspend has a process stop; it takes a moment until it has.
func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

// resume has it go on.
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
