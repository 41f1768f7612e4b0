package terminal

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// What is longer than the terminal goes to a pager, the program in PAGER, as people know
// it from git. What fits is printed at once: a program more would take longer than most
// runs of this one.

// Pager holds back what is printed until it is longer than the terminal, and from then on
// hands it to a program.
type Pager struct {
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

// NewPager returns the pager for what is printed to w, nil if that is no terminal, or if
// the user wants none.
func NewPager(w io.Writer) *Pager {
	if !Is(w) {
		return nil
	}
	name, ok := os.LookupEnv("PAGER")
	if !ok {
		name = "less"
	}
	command := strings.Fields(name)
	f, _ := fileOf(w)
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 || height < 2 || len(command) == 0 || command[0] == "cat" {
		return nil
	}
	return &Pager{to: f, command: command, width: width, room: height - 1}
}

// Pages has pages of what is printed to outputs, of which those that are no terminals are
// left as they are.
func (p *Pager) Pages(outputs ...io.Writer) {
	for _, w := range outputs {
		if out, ok := w.(*Output); ok && Is(out) {
			out.page = p
		}
	}
}

// Write holds a piece back, or hands it on.
func (p *Pager) Write(piece []byte) (int, error) {
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
func (p *Pager) fits(piece []byte) bool {
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
func (p *Pager) start() {
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
func (p *Pager) release() error {
	held := p.held
	p.held = nil
	to := p.to
	if p.pipe != nil {
		to = p.pipe
	}
	_, err := io.Copy(to, bytes.NewReader(held))
	return err
}

// PagerOf returns the pager of an output, nil if it goes to none.
func PagerOf(w io.Writer) *Pager {
	if out, ok := w.(*Output); ok {
		return out.page
	}
	return nil
}

// runs reports whether the pager has the terminal.
func (p *Pager) runs() bool { return p != nil && p.pipe != nil }

// End prints what was held back, or waits until whoever reads has seen enough.
func (p *Pager) End() {
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
