package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// What is longer than the terminal goes to a pager, the program in PAGER, as people know
// it from git. What fits is printed at once: a program more would take longer than most
// runs of this one.

// noPager is the flag of the commands whose output may be long.
const noPager = "no-pager"

// addNoPager adds the flag. A command that has it pages.
func addNoPager(flags *pflag.FlagSet) {
	flags.Bool(noPager, false, "print to a terminal without a pager, however long the output is")
}

// pager holds back what is printed until it is longer than the terminal, and from then on
// hands it to a program.
type pager struct {
	to      io.Writer // the terminal
	command []string
	width   int
	room    int // lines that are left on the terminal
	column  int
	colour  bool // the column is inside of a sequence that colours
	held    []byte
	direct  bool // nothing is held back any more

	program *exec.Cmd
	pipe    io.WriteCloser
}

// newPager returns the pager for a command's output, nil if it goes to none.
func newPager(cmd *cobra.Command, s Streams) *pager {
	flag := cmd.Flags().Lookup(noPager)
	if flag == nil || flag.Value.String() == "true" || wantsJSON(cmd, nil, nil) || !isTerminal(s.Out) {
		return nil
	}
	if watch := cmd.Flags().Lookup("watch"); watch != nil && watch.Value.String() == "true" {
		return nil
	}
	name, ok := os.LookupEnv("PAGER")
	if !ok {
		name = "less"
	}
	command := strings.Fields(name)
	f, _ := fileOf(s.Out)
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 || height < 2 || len(command) == 0 || command[0] == "cat" {
		return nil
	}
	return &pager{to: f, command: command, width: width, room: height - 1}
}

// pages has the output of a command paged, and what it tells beside it if that goes to a
// terminal too.
func (p *pager) pages(s Streams) {
	for _, w := range []io.Writer{s.Out, s.Err} {
		if out, ok := w.(*output); ok && isTerminal(out) {
			out.page = p
		}
	}
}

// Write holds a piece back, or hands it on.
func (p *pager) Write(piece []byte) (int, error) {
	switch {
	case p.pipe != nil:
		return p.pipe.Write(piece)
	case p.direct:
		return p.to.Write(piece)
	}
	p.held = append(p.held, piece...)
	if p.fits(piece) {
		return len(piece), nil
	}
	p.start()
	return len(piece), p.release()
}

// fits reports whether the terminal has room for a piece, too.
func (p *pager) fits(piece []byte) bool {
	for len(piece) > 0 && p.room >= 0 {
		r, size := utf8.DecodeRune(piece)
		piece = piece[size:]
		switch {
		case r == '\x1b':
			p.colour = true
		case p.colour:
			p.colour = r != 'm'
		case r == '\n':
			p.column = 0
			p.room--
		default:
			if p.column++; p.column > p.width {
				p.column = 1
				p.room--
			}
		}
	}
	return p.room >= 0
}

// start starts the program. Without it, all is printed as it comes.
func (p *pager) start() {
	program := exec.Command(p.command[0], p.command[1:]...) //nolint:gosec // whoever runs this one has named it
	program.Stdout, program.Stderr = p.to, p.to
	program.Env = os.Environ()
	if _, ok := os.LookupEnv("LESS"); !ok {
		program.Env = append(program.Env, "LESS=FRX") // end if all fits, keep colours, leave the text on the terminal
	}
	pipe, err := program.StdinPipe()
	if err != nil || program.Start() != nil {
		p.direct = true
		return
	}
	p.program, p.pipe = program, pipe
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // which is for the pager, and this one ends after it
}

// release hands on what was held back.
func (p *pager) release() error {
	held := p.held
	p.held = nil
	to := p.to
	if p.pipe != nil {
		to = p.pipe
	}
	_, err := io.Copy(to, bytes.NewReader(held))
	return err
}

// paging returns the pager of the output, nil if it goes to none.
func paging(s Streams) *pager {
	if out, ok := s.Out.(*output); ok {
		return out.page
	}
	return nil
}

// runs reports whether the pager has the terminal.
func (p *pager) runs() bool { return p != nil && p.pipe != nil }

// end prints what was held back, or waits until whoever reads has seen enough.
func (p *pager) end() {
	if p == nil {
		return
	}
	if p.pipe == nil {
		p.direct = true
		_ = p.release() // there is nowhere else to tell
		return
	}
	_ = p.pipe.Close()
	_ = p.program.Wait() // what the program ends with is no matter of ours
}
