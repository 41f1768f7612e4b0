package programs

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The most bytes of what a program prints.
const (
	MaxOutput = 8 << 20  // on standard output, unless fewer are wanted
	maxErrors = 32 << 10 // on standard error, by which failures are told apart
)

// Call is one run of a program.
type Call struct {
	Program string // its name or path
	Args    []string
	Dir     string // in which it runs
	Env     []string
	Timeout time.Duration
	Input   string // what it reads, "" for nothing
	Output  int    // bytes of output that are wanted, the rest is cut off; 0 for all
	// Writes are the folders below which alone the program may write, where the system can see to
	// that (Linux); nil for any. Reads are the files and folders that it may read beside these and
	// what the system's programs are made of; nil, also where Writes is, for any.
	Writes, Reads []string
	// Keeps is the file of a lock under which the program writes, or nil: it has the lock
	// until it ends, should this process be killed before.
	Keeps *os.File
}

// Untraced returns the variables by which git writes no trace. The user's configuration may ask for one, which
// is a file that is written, and no argument keeps git from it.
func Untraced() []string { return []string{"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0"} }

// Result is what a run gave.
type Result struct {
	Out     []byte
	Cut     bool // there was more
	Exit    int
	Stderr  string // its beginning
	Started bool
}

// Reason is why a run gave no exit code.
type Reason int

// The reasons.
const (
	Failed     Reason = iota // it was killed, say
	Missing                  // there is no such program
	NoInput                  // its input can't be stored; it was not run
	NotStarted               // the system doesn't start it
	TooMuch                  // it printed more than MaxOutput and was stopped
	TooLong                  // it didn't end in time and was stopped
	NoTime                   // those before it have taken the time of all (Within); it was not run
)

// Error is a run that gave no exit code.
type Error struct {
	Reason Reason
	Err    error // what the system said; nil for TooMuch
}

// Error returns what the system said.
func (e *Error) Error() string {
	if e.Err == nil {
		return "it printed too much"
	}
	return e.Err.Error()
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// Run runs a program and returns what it gave, whatever its exit code is. The error is the
// context's or an *Error.
func Run(ctx context.Context, c *Call) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	path, err := exec.LookPath(c.Program)
	if err != nil {
		return Result{}, &Error{Missing, err}
	}
	end, err := begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	timed, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	out := &capture{limit: c.Output, full: cancel}
	if c.Output <= 0 {
		out.limit = MaxOutput
	}
	errs := &capture{limit: maxErrors}
	cmd := exec.CommandContext(timed, path, c.Args...) //nolint:gosec // the program is configured by the user, the arguments are ours
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = c.Dir, out, errs, c.Env
	if c.Input != "" {
		input, err := inputFile(c.Input)
		if err != nil {
			return Result{}, &Error{NoInput, err}
		}
		defer input.remove()
		cmd.Stdin = input.File
	}
	if c.Keeps != nil {
		cmd.ExtraFiles = []*os.File{c.Keeps}
	}
	inGroup(cmd)
	cmd.WaitDelay = time.Second // for those that it has started and that keep its output open
	if err = start(cmd, c.Writes, c.Reads); err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{}, &Error{NotStarted, err}
	}
	limitMemory(cmd.Process)
	err = cmd.Wait()
	r := Result{Stderr: string(errs.taken()), Started: true}
	r.Out, r.Cut = out.taken(), out.cut
	if r.Cut && c.Output > 0 { // it was stopped on purpose
		return r, nil
	}
	failed, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case r.Cut:
		return r, &Error{Reason: TooMuch}
	case timed.Err() != nil:
		return r, &Error{TooLong, timed.Err()}
	case isExit && failed.Exited():
		r.Exit = failed.ExitCode()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // with which it is done; what it has started doesn't matter
		return r, &Error{Failed, err}
	}
	return r, nil
}

// input is a file that holds what a program reads.
type input struct {
	*os.File
	name string // of a file that remove removes, or ""
}

// inputFile makes a file of the text that a program is to read. A pipe would do, if
// this process were not killed while it fills it: then the program takes what has come
// for all, and keeps half a plan.
func inputFile(text string) (input, error) {
	in, err := newInput()
	if err != nil {
		return input{}, err
	}
	_, err = in.WriteString(text)
	if err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		in.remove()
		return input{}, err
	}
	return in, nil
}

// temporaryInput makes an empty file where the system keeps such ones.
func temporaryInput() (input, error) {
	file, err := os.CreateTemp("", "sectile-plan-")
	if err != nil {
		return input{}, err
	}
	_ = os.Remove(file.Name()) // where an open file can't be removed, remove does it
	return input{file, file.Name()}, nil
}

// remove closes and removes the file.
func (in input) remove() {
	_ = in.Close() // it has been read
	if in.name != "" {
		_ = os.Remove(in.name)
	}
}

// capture keeps the beginning of what is written to it. What a program has left
// behind may write to it for longer than the program runs.
type capture struct {
	limit int    // bytes
	full  func() // is called when there is more, or nil

	mu   sync.Mutex
	text []byte
	cut  bool
	done bool
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return len(p), nil
	}
	keep := min(len(p), c.limit-len(c.text))
	c.text = append(c.text, p[:keep]...)
	if keep < len(p) && !c.cut {
		c.cut = true
		if c.full != nil {
			c.full()
		}
	}
	return len(p), nil
}

// taken ends the capture and returns what it has.
func (c *capture) taken() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = true
	return c.text
}
