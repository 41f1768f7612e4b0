package planstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/repofiles"
	"github.com/sectile/sectile/internal/runes"
)

// Programs are run in a fixed way (internal/programs), in the folder of the project and with
// an environment that names no other repository. What failed is told here.

// maxOutput is the most bytes of a program's output.
const maxOutput = programs.MaxOutput

const printedTooMuch = "printed more than 8 MiB"

// program is a program and how it is run.
type program struct {
	name    string // jj or git
	path    string // as it was configured
	dir     string // in which it runs
	env     []string
	timeout time.Duration
	log     *slog.Logger
}

// in returns the program as it is run in a folder.
func (p *program) in(dir string) *program {
	there := *p
	there.dir = dir
	return &there
}

// call is one run of a program.
type call struct {
	args   []string // what is shown of it
	more   []string // further arguments, which say nothing about what is done
	first  []string // the same, before args
	last   []string // the same, after more
	input  string
	output int      // bytes of output that are wanted, the rest is cut off; 0 for all
	env    []string // further variables
	writes []string // the folders below which alone it may write; nil for any
	reads  []string // what alone it may read beside these, the system and the user's configuration; nil for any
	// keeps is the file of a lock under which the program writes, or nil: it has the lock
	// until it ends, should this process be killed before.
	keeps *os.File
}

// result is what a run gave.
type result struct {
	out    []byte
	cut    bool // there was more
	exit   int
	stderr string // its beginning; it is never shown
}

// run runs the program and returns its output. A run that ends with another exit
// code than 0 is an *Error with TypeExit.
func (p *program) run(ctx context.Context, c *call) (result, error) {
	r, err := p.try(ctx, c)
	if err == nil && r.exit != 0 {
		err = p.exitError(c, &r)
	}
	return r, err
}

// exitError returns the error for a run that says that it failed. It has none of the
// program's words: those may quote any file of the user that the repository leads to.
func (p *program) exitError(c *call, r *result) *Error {
	e := &Error{
		Type: TypeExit, Command: p.show(c), Exit: r.exit, Critical: true,
		Message: fmt.Sprintf("%s ended with exit code %d", code(p.show(c)), r.exit),
		Hint:    "run it in a terminal, in the project's folder, to see why",
	}
	if refused := r.refusal(); refused != nil {
		e.because(refused.why)
		e.Hint = refused.hint
		if refused.denied && c.reads != nil {
			e.Message += "; it may read and write in the project, its repository and your configuration of it alone"
			e.Hint = "see in a terminal what it reads elsewhere, such as through a link; who needs that lists the project's folder under `trust.repositories` in your own configuration"
		}
	}
	return e
}

// refusals are what systems say, which git and Jujutsu repeat, of a file that they can't read or write:
// a disk that is full or a quota that is used up, one that is read-only, and a right that is missing.
var refusals = sync.OnceValue(func() []refusal {
	return []refusal{
		{regexp.MustCompile(`(?i)no space left on device|not enough space on the disk|disk quota exceeded|file too large`), false, "no room is left on the disk", "free some and try again"},
		{regexp.MustCompile(`(?i)read-only file system|write.protected`), false, "the file system is read-only", "make it writable, or work on a copy elsewhere"},
		{regexp.MustCompile(`(?i)permission denied|access is denied|insufficient permission`), true, "a permission was denied", "see in a terminal, in the project's folder, which file it is, and ask for the right to it"},
		// git doesn't say why where a file is there and can't be filled.
		{regexp.MustCompile(`couldn't write '`), false, "a file can't be written, as where no room is left on the disk", "see whether the disk has room, then try again"},
	}
})

// refusal is one that the system tells a program.
type refusal struct {
	words     *regexp.Regexp
	denied    bool   // for want of a right
	why, hint string // in words of ours
}

// refusal returns why the system had the program fail, nil if that isn't why. What the program only
// warns of isn't.
func (r *result) refusal() *refusal {
	if r.exit == 0 {
		return nil
	}
	for i := range refusals() {
		refused := &refusals()[i]
		for line := range strings.Lines(r.stderr) {
			if !isWarning(line) && refused.words.MatchString(line) {
				return refused
			}
		}
	}
	return nil
}

// isWarning reports whether a line of a program's words tells of what it goes on without.
func isWarning(line string) bool { return strings.HasPrefix(strings.ToLower(line), "warning:") }

// because adds to an error of exitError why the program failed, in words of ours.
func (e *Error) because(why string) { e.Message += ": " + why }

// try runs the program and returns what it gave, whatever its exit code is.
func (p *program) try(ctx context.Context, c *call) (result, error) {
	start := time.Now()
	var reads []string
	if c.reads != nil {
		reads = append(repofiles.ConfigurationOfUser(), c.reads...)
	}
	r, err := programs.Run(ctx, &programs.Call{
		Program: p.path, Args: slices.Concat(c.first, c.args, c.more, c.last), Dir: p.dir, Env: slices.Concat(p.env, c.env),
		Timeout: p.timeout, Input: c.input, Output: c.output, Writes: c.writes, Reads: reads, Keeps: c.keeps,
	})
	if r.Started {
		p.log.DebugContext(ctx, "command", "run", p.show(c), "took", time.Since(start), "exit", r.Exit, "error", err)
	}
	if failed, ok := errors.AsType[*programs.Error](err); ok {
		err = p.failed(c, failed)
	}
	return result{r.Out, r.Cut, r.Exit, r.Stderr}, err
}

// failed returns the error for a run that gave no exit code.
func (p *program) failed(c *call, failed *programs.Error) error {
	switch cause := fileinfo.Cause(failed.Err); failed.Reason {
	case programs.Missing:
		return &Error{
			Type: TypeFailed, Command: p.show(c), Critical: true, Unwritten: true, Err: cause,
			Message: p.name + " can't be run: " + cause.Error(),
			Hint:    "install " + p.name + ", or keep plans elsewhere with `plan.store` in .sectile.yaml",
		}
	case programs.NoInput:
		return p.notRun(c, "its input can't be stored", "see whether there is room for temporary files, and whether their folder is there (TMPDIR)", cause)
	case programs.NotStarted:
		return p.notRun(c, "it can't be started", "see whether it runs in a terminal", cause)
	case programs.TooMuch:
		return p.failure(c, printedTooMuch, nil)
	case programs.TooLong:
		return p.failure(c, fmt.Sprintf("did not end within %v and was stopped", p.timeout), failed)
	case programs.NoTime:
		return p.notRun(c, "no time is left for it", "see how long commands of git and Jujutsu take in a terminal, in the project's folder: the repository's configuration may include many files, or the disk be slow", failed)
	}
	return p.failure(c, "failed: "+fileinfo.Cause(failed.Err).Error(), fileinfo.Cause(failed.Err))
}

// outOfTime reports whether a program was stopped, or not run, for want of time.
func outOfTime(err error) bool {
	failed, ok := errors.AsType[*programs.Error](err)
	return ok && (failed.Reason == programs.TooLong || failed.Reason == programs.NoTime)
}

// ofTime returns an error that outOfTime reports, and nil for any other.
func ofTime(err error) error {
	if outOfTime(err) {
		return err
	}
	return nil
}

// failure returns the error for a run that didn't come to its end.
func (p *program) failure(c *call, what string, err error) *Error {
	return &Error{
		Type: TypeFailed, Command: p.show(c), Critical: true, Err: err,
		Message: code(p.show(c)) + " " + what,
		Hint:    "see what it does in a terminal; if it was writing, read the plan before it is changed again",
	}
}

// notRun returns the error for a command that was not even started.
func (p *program) notRun(c *call, why, hint string, err error) *Error {
	e := p.failure(c, fmt.Sprintf("was not run, for %s: %v", why, fileinfo.Cause(err)), err)
	e.Hint, e.Unwritten = hint, true
	return e
}

// tooMuch says of a command that its output was cut.
func (p *program) tooMuch(c *call) string { return code(p.show(c)) + " " + printedTooMuch }

// show returns the command for people. Revisions may be long.
func (p *program) show(c *call) string {
	return runes.Clip(p.name+" "+strings.Join(c.args, " "), 500)
}

// code marks a command in a sentence.
func code(command string) string { return "`" + command + "`" }

// operand returns a name as an argument that a shell and a program take for nothing else:
// one that begins with a dash stands after the mark that ends the options.
func operand(name string) string {
	if strings.HasPrefix(name, "-") {
		return "-- " + runes.ShellQuoted(name)
	}
	return runes.ShellQuoted(name)
}

// kept are the variables of version control that say who the user is and where
// the user's own configuration lies. All others are left out: they name other
// repositories, programs, and files to write to.
var kept = [...]string{
	"JJ_CONFIG", "JJ_USER", "JJ_EMAIL",
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH",
}

// environment returns the environment for a program: ours without what would lead
// it elsewhere, and with more.
func environment(ours []string, more ...string) []string {
	env := make([]string, 0, len(ours)+len(more))
	for _, variable := range ours {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "JJ_") || slices.Contains(kept[:], name) {
			env = append(env, variable)
		}
	}
	return append(env, more...)
}
