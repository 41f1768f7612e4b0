package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/textfile"
	"github.com/sectile/sectile/markdown"
)

// The checks that the doctor makes, one function each.

const (
	programName = "sectile"

	commandTimeout = 5 * time.Second
	probeTimeout   = 20 * time.Second
	// slowStart is the time to the first reply from which on it is worth a word:
	// clients give up after 10 to 30 seconds.
	slowStart = 3 * time.Second

	// So much of a root is looked at.
	maxCounted   = 20_000 // documents
	countingTime = 3 * time.Second
)

// together does the work at the same time and returns the results in order.
func together(work []func() []replies.Check) [][]replies.Check {
	var (
		running sync.WaitGroup
		results = make([][]replies.Check, len(work))
	)
	for i, do := range work {
		running.Go(func() { results[i] = do() })
	}
	running.Wait()
	return results
}

// checkVersion tells what is running.
func checkVersion(version string) replies.Check {
	return replies.Check{Name: "version", Status: replies.StatusOK, Message: fmt.Sprintf(
		"%s %s, built with %s for %s/%s", programName, version, runtime.Version(), runtime.GOOS, runtime.GOARCH)}
}

// checkPath finds out which program clients start that start it by its name.
func checkPath(program string) replies.Check {
	c := replies.Check{Name: "path", Status: replies.StatusOK}
	found, err := exec.LookPath(programName)
	if err != nil {
		c.Status, c.Message = replies.StatusWarning, unfound(programName, found, err)
		c.Advice = fmt.Sprintf("clients must be given the whole path, %s, as 'sectile mcp --print-config' does; or put its folder into the PATH", replies.Safe(program))
		return c
	}
	if fileinfo.IsSame(found, program) {
		c.Message = replies.Safe(found) + " is this program"
		return c
	}
	c.Status, c.Message = replies.StatusFailed, fmt.Sprintf("clients start %s, but this program is %s", replies.Safe(found), replies.Safe(program))
	c.Advice = "remove one of the two, or change their order in the PATH"
	return c
}

// checkFolder looks at a root and, if a server could use it, at its configuration.
func checkFolder(ctx context.Context, root string, o ServerOptions) []replies.Check {
	c := checkRoot(ctx, root, o)
	if c.Status == replies.StatusFailed {
		return []replies.Check{c}
	}
	return []replies.Check{c, checkConfig(ctx, root)}
}

// checkRoot opens a root as the server does, and looks at the documents below it.
func checkRoot(ctx context.Context, root string, o ServerOptions) replies.Check {
	c := replies.Check{Name: "root", Status: replies.StatusFailed}
	where := root
	if abs, err := filepath.Abs(root); err == nil {
		where = abs
	}
	o.Roots = []string{root}
	w, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		c.Message = replies.Clip(replies.Safe(replies.ErrorAbout(root, err).Error()), replies.MaxMessage)
		c.Advice = "name the folder of the project with --root"
		return c
	}
	defer func() { _ = w.Close() }() // nothing was written
	seen := examine(ctx, w)
	c.Message = replies.Safe(where) + ": " + seen.String()
	switch {
	case seen.broken > 0:
		c.Status = replies.StatusWarning
		c.Message += fmt.Sprintf("; %d can't be read, the first is %s", seen.broken, replies.Clip(replies.Safe(seen.first.Error()), replies.MaxMessage))
		c.Advice = "convert those to UTF-8, or leave them out of what agents are asked about"
	case seen.files == 0 && !seen.more:
		c.Status = replies.StatusWarning
		c.Advice = "name the folder with the documents with --root"
	default:
		c.Status = replies.StatusOK
	}
	return c
}

// examined is what is known of the documents below the roots.
type examined struct {
	files  int            // that were looked at
	more   bool           // there may be more
	broken int            // those that can't be read
	first  *replies.Error // why the first of these can't
}

// String tells how many there are.
func (e *examined) String() string {
	switch {
	case e.more:
		return fmt.Sprintf("%d Markdown files and more", e.files)
	case e.files == 0:
		return "no Markdown file"
	}
	return replies.Plural(e.files, "Markdown file")
}

// examine reads the documents below the roots as far as time allows.
func examine(ctx context.Context, w *documents.Workspace) (e examined) {
	ctx, cancel := context.WithTimeout(ctx, countingTime)
	defer cancel()
	var reader textfile.Reader
	for path, err := range w.FileRoots().Find(ctx) {
		if err != nil {
			continue
		}
		if e.files == maxCounted {
			break
		}
		e.files++
		if _, err := w.FileRoots().Read(&reader, path); err != nil {
			if e.broken++; e.first == nil {
				e.first = replies.ErrorAbout(path, err)
			}
		}
	}
	e.more = ctx.Err() != nil || e.files == maxCounted
	return e
}

// checkConfig reads the configuration of the project that a root lies in. Most
// projects have none, and nothing is wrong with that.
func checkConfig(ctx context.Context, root string) replies.Check {
	g := guiding.NewGuides(guiding.GuideOptions{Start: root})
	loaded, err := g.Loader.Load(ctx)
	if err != nil {
		return brokenConfig(g.BrokenChecks(err))
	}
	c := guiding.ConfigurationCheck(loaded)
	switch {
	case c.Status == replies.StatusOK:
		c.Message += "; 'sectile guide validate' looks at what they hold"
	case loaded.HasFile || loaded.HasUser:
		c = replies.Check{Name: c.Name, Status: replies.StatusOK, Message: c.Message}
	default:
		c = replies.Check{Name: c.Name, Status: replies.StatusOK, Message: replies.Safe(filepath.Join(root, config.Name)) +
			" is not there; the defaults hold, and 'sectile guide init' writes one with guidance for agents"}
	}
	c.Message += anchorsOf(loaded.Links.Dialect)
	if own, err := g.Loader.Headings(ctx); err == nil && len(own) > 0 {
		c.Message += "; lines are headings too by " + replies.Plural(len(own), "pattern") + " of headings in your configuration"
	}
	return c
}

// anchorsOf says which dialect of anchors is in force, given the one that is set, and why.
func anchorsOf(set string) string {
	if set == "" {
		return "; anchors are those of " + markdown.GitHub.String() + ", for links.dialect isn't set"
	}
	return "; anchors are those of " + replies.Safe(set) + ", by links.dialect"
}

// brokenConfig is the first of what is wrong with a configuration.
func brokenConfig(problems []replies.Check) replies.Check {
	c := problems[0]
	c.Message = replies.Clip(c.Message, replies.MaxMessage)
	if more := len(problems) - 1; more > 0 {
		c.Message += fmt.Sprintf(" (and %d more)", more)
	}
	if c.Advice == "" {
		c.Advice = "correct the file; 'sectile guide validate' tells all that is wrong"
	}
	return c
}

// checkCommand asks a program of version control for its version.
func checkCommand(ctx context.Context, name string, timeout time.Duration) replies.Check {
	c := replies.Check{Name: name, Status: replies.StatusWarning}
	path, err := exec.LookPath(name)
	if err != nil {
		c.Message = unfound(name, path, err)
		c.Advice = "install it if plans are to be kept with it; nothing else needs it"
		if errors.Is(err, exec.ErrDot) {
			c.Advice = "let that entry of the PATH be an absolute path, or the last one"
		}
		return c
	}
	if timeout <= 0 {
		timeout = commandTimeout
	}
	version, err := commandVersion(ctx, path, name, timeout)
	if err != nil {
		c.Status, c.Message = replies.StatusFailed, fmt.Sprintf("%s does not tell its version: %s", replies.Safe(path), replies.Clip(replies.Safe(err.Error()), replies.MaxMessage))
		c.Advice = fmt.Sprintf("see what '%s --version' says in a terminal, and mend or remove that installation", name)
		return c
	}
	c.Status, c.Message = replies.StatusOK, fmt.Sprintf("%s (%s)", replies.Clip(replies.Safe(version), replies.MaxMessage), replies.Safe(path))
	return c
}

// unfound says why a program isn't run by its name: none has that, or the first one that has is found by a
// relative entry of the PATH, which leads to another program in each folder.
func unfound(name, path string, err error) string {
	if errors.Is(err, exec.ErrDot) {
		return fmt.Sprintf("the first %s in the PATH lies in %s, a relative path, and isn't run", name, replies.Safe(filepath.Dir(path)))
	}
	return name + " is not in the PATH"
}

// commandVersion runs the program at path with --version, and returns the first line that it
// prints. It runs in the root of a file system: in no repository, and no folder is made for it.
func commandVersion(ctx context.Context, path, name string, timeout time.Duration) (string, error) {
	dir := filepath.VolumeName(os.TempDir()) + string(filepath.Separator)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	args := []string{"--version"}
	if name == "git" {
		args = []string{"--no-pager", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "--version"}
	}
	var out, errs firstLine
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), programs.Untraced()...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.WaitDelay = time.Second // for those that it has started and that keep its output open
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay) && out.String() != "": // what it has started doesn't matter
		return out.String(), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("no answer within %v", timeout)
	case err != nil && errs.String() != "":
		return "", fmt.Errorf("%w: %s", err, errs.String())
	case err != nil:
		return "", err
	case out.String() == "":
		return "", errors.New("it prints nothing")
	}
	return out.String(), nil
}

// firstLine keeps the beginning of what is written to it: more than a line that
// is worth showing.
type firstLine struct{ text []byte }

func (f *firstLine) Write(p []byte) (int, error) {
	f.text = append(f.text, p[:min(len(p), 4*replies.MaxMessage-len(f.text))]...)
	return len(p), nil
}

// String returns the first line that is not blank, without white space around it.
func (f *firstLine) String() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(f.text)), "\n")
	return strings.TrimSpace(line)
}

// checkServer starts the program as a server and questions it.
func checkServer(ctx context.Context, req *DoctorRequest) (replies.Check, *ProbeReport) {
	c := replies.Check{Name: "server", Status: replies.StatusFailed}
	if req.Probe == nil {
		c.Status, c.Message = replies.StatusWarning, "was not asked"
		return c, nil
	}
	timeout := req.ProbeTimeout
	if timeout <= 0 {
		timeout = probeTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	args := append([]string{"mcp"}, req.Arguments...)
	here := slices.Clone(args)
	for _, root := range req.Server.rootsOrHere() {
		here = append(here, "--root", root)
	}
	if req.Server.ReadOnly { // no document is made for it
		args = here
	}
	report, err := req.Probe(ctx, req.Program, args...)
	if err == nil && req.Server.Preset != "" && !req.Server.ReadOnly { // which tools that means depends on the project
		if there, err := req.Probe(ctx, req.Program, here...); err == nil { // else the check of the root tells
			report.Tools, report.ListBytes = there.Tools, there.ListBytes
		}
	}
	c.Advice = "run 'sectile mcp --log-level debug' and see what it writes before it is ended with Ctrl-D"
	switch {
	case ctx.Err() != nil:
		c.Message = fmt.Sprintf("no answer within %v", timeout)
		return c, nil
	case err != nil:
		c.Message = replies.Clip(replies.Safe(err.Error()), replies.MaxMessage)
		return c, nil
	case report.CallFailed:
		c.Message = fmt.Sprintf("%s failed: %s", replies.Safe(report.Called), replies.Clip(replies.Safe(report.CallText), replies.MaxMessage))
	case report.Called != "" && report.CallText == "":
		c.Message = replies.Safe(report.Called) + " gave no text"
	case report.ServerVersion != req.Server.Version:
		c.Message = fmt.Sprintf("it says that it is version %s, not %s", replies.Safe(report.ServerVersion), req.Server.Version)
		c.Advice = "the file of the program was replaced while it ran; try again"
	default:
		c.Status, c.Advice = replies.StatusOK, ""
		c.Message = report.summary()
		if req.Server.ReadOnly {
			c.Message += "; no tool was called, for --read-only makes no document to ask about"
		}
		if report.FirstReply > slowStart {
			c.Status = replies.StatusWarning
			c.Advice = "clients may give up on a server that takes so long to start; see whether the machine is busy, or a scanner checks every program"
		}
	}
	return c, &report
}

// summary says how the server answered.
func (p *ProbeReport) summary() string {
	text := fmt.Sprintf("answers after %v: protocol %s, %s in %d bytes",
		p.FirstReply.Round(100*time.Microsecond), replies.Safe(p.ProtocolVersion), replies.Plural(len(p.Tools), "tool"), p.ListBytes)
	if p.Called != "" {
		text += fmt.Sprintf(", %s in %v", replies.Safe(p.Called), p.Call.Round(10*time.Microsecond))
	}
	return text
}
