package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// How processes end. A call without an answer is excused by a kill of ours and by
// nothing else, and so each end is looked at: one that a process came to by itself is a
// crash, whatever it has logged.

// errByItself says that a process ended though nobody killed it.
var errByItself = errors.New("it ended by itself")

// byKill reports whether a process that has ended was killed, instead of having ended by
// itself.
func byKill(state *os.ProcessState) bool {
	if runtime.GOOS == "windows" {
		return state.ExitCode() == 1 // which is all that is told of a kill
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// judgeKilled returns what is wrong with the end of a process that we killed: it was
// gone before, or had logged what nobody may log.
func judgeKilled(what string, before bool, state *os.ProcessState, log string) error {
	if line := badLog(log); line != "" {
		return fmt.Errorf("%s logs %s", what, line)
	}
	if before || !byKill(state) {
		return fmt.Errorf("%s was gone before it was killed: %w with %s and logs %.300s", what, errByItself, state, log)
	}
	return nil
}

// judgeEnded returns what is wrong with the end of a process that was told to end.
func judgeEnded(what string, before bool, state *os.ProcessState, log string) error {
	if line := badLog(log); line != "" {
		return fmt.Errorf("%s logs %s", what, line)
	}
	if before || !state.Success() {
		return fmt.Errorf("%s: %w with %s and logs %.300s", what, errByItself, state, log)
	}
	return nil
}

// isClosed reports whether a channel is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// whyNone says what is wrong where a run of a minute or more tried something and what it
// is for never happened. A shorter one may have had no luck.
func (r *run) whyNone() (wrong []string) {
	if r.time < longRun {
		return nil
	}
	for _, must := range []struct{ tried, what string }{
		{"edits tried", "commands killed while they write"},
		{"edits tried", "servers killed"},
		{"reads tried", "reads of a whole version"},
		{"plan writes tried", "plan writes acknowledged"},
	} {
		if r.tally.get(must.tried) > 0 && r.tally.get(must.what) == 0 {
			wrong = append(wrong, must.what+": none, so that nothing is proved; run it for longer, or on a disk that is slower")
		}
	}
	return wrong
}
