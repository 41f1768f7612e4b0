package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// How processes run and end. A call without an answer is excused by a kill of ours and
// by nothing else, and so each end is looked at: one that a process came to by itself is
// a crash, whatever it has logged.

// callLimit is how long a call may take before it counts as hanging. Servers end a call
// after 30 seconds by themselves.
const callLimit = time.Minute

// lastBreath is how long after its last word a process may take to be gone.
const lastBreath = 10 * time.Second

// errGone says that the process ended before it answered.
var errGone = errors.New("the process is gone")

// errHangs says that there was no answer within callLimit.
var errHangs = fmt.Errorf("no answer within %v", callLimit)

// errByItself says that a process ended though nobody killed it.
var errByItself = errors.New("it ended by itself")

// command returns a program that is to be run in a folder.
func command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.WaitDelay = dir, lastBreath
	ownGroup(cmd)
	return cmd
}

// running is a command that runs.
type running struct {
	*os.Process

	done        chan struct{} // is closed when it has ended
	ours, hangs atomic.Bool   // it was killed, as it had no time left
}

// kill kills the command.
func (p *running) kill() {
	p.ours.Store(true)
	_ = killProcess(p.Process) // it may have ended, which its state tells
}

// ended is what a command leaves.
type ended struct {
	out, log []byte
	state    *os.ProcessState
	killed   bool // by us
}

// finish runs a command to its end. What is to happen meanwhile begins after its start,
// and ends with it. The error says that it did not start, hangs, or logs what none may.
func finish(cmd *exec.Cmd, meanwhile func(*running)) (ended, error) {
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Start(); err != nil {
		return ended{}, err
	}
	p := &running{Process: cmd.Process, done: make(chan struct{})}
	limit := time.AfterFunc(callLimit, func() { p.hangs.Store(true); p.kill() })
	var beside sync.WaitGroup
	if meanwhile != nil {
		beside.Go(func() { meanwhile(p) })
	}
	_ = cmd.Wait() // the state of the process says how it ended
	limit.Stop()
	close(p.done)
	beside.Wait()
	e := ended{out.Bytes(), log.Bytes(), cmd.ProcessState, p.ours.Load() && byKill(cmd.ProcessState)}
	switch line := badLog(log.String()); {
	case line != "":
		return e, fmt.Errorf("the command ends with %s and logs %s", e.state, line)
	case p.hangs.Load():
		return e, errHangs
	}
	return e, nil
}

// process is a server that runs until it is killed or told to end.
type process struct {
	what string
	cmd  *exec.Cmd
	tell func() error  // tells it to end
	gone chan struct{} // is closed when it has ended

	logging sync.Mutex
	log     bytes.Buffer
}

// begin starts the process of a server. What reads its output runs until that ends.
func (p *process) begin(cmd *exec.Cmd, what string, read func()) error {
	p.cmd, p.what, p.gone = cmd, what, make(chan struct{})
	cmd.Stderr = p
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		read()
		_ = cmd.Wait() // the state of the process says how it ended
		close(p.gone)
	}()
	return nil
}

// Write takes what the process logs.
func (p *process) Write(log []byte) (int, error) {
	p.logging.Lock()
	defer p.logging.Unlock()
	return p.log.Write(log)
}

var _ io.Writer = (*process)(nil)

// logged returns the log.
func (p *process) logged() string {
	p.logging.Lock()
	defer p.logging.Unlock()
	return p.log.String()
}

// kill ends the process without a word. The error says what is wrong with its end: it was
// gone before, or had logged what nobody may log.
func (p *process) kill() error {
	before := isClosed(p.gone)
	_ = killProcess(p.cmd.Process) // it may have ended, which is found out
	<-p.gone
	return p.judge(!before && byKill(p.cmd.ProcessState))
}

// close tells the process to end, which it must do well.
func (p *process) close() error {
	before := isClosed(p.gone)
	if err := p.tell(); err != nil && !before {
		return p.kill() // a system without signals, or it ended just now
	}
	select {
	case <-p.gone:
	case <-time.After(callLimit):
		return errors.Join(fmt.Errorf("%s did not end when it was told to", p.what), p.kill())
	}
	return p.judge(!before && p.cmd.ProcessState.Success())
}

// judge says what is wrong with the end of the process, and with its log.
func (p *process) judge(well bool) error {
	switch line := badLog(p.logged()); {
	case line != "":
		return fmt.Errorf("%s logs %s", p.what, line)
	case !well:
		return fmt.Errorf("%s: %w with %s and logs %.300s", p.what, errByItself, p.cmd.ProcessState, p.logged())
	}
	return nil
}

// badLog returns the first line of a program's log that none may write, or nothing.
func badLog(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "panic") || strings.Contains(line, "goroutine ") || strings.Contains(line, "internal_error") {
			return strings.TrimSpace(line)
		}
	}
	return ""
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
