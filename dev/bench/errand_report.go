package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// measureErrands does all errands, on the documents of the corpus that they are made for.
// A corpus that hasn't got them is an error only if nothing else is measured.
func measureErrands(ctx context.Context, b *bench) error {
	all := errands()
	if err := b.suits(all); err != nil && b.apart() {
		return err
	} else if err != nil {
		b.report.note("Tasks were not done: %v", err)
		return nil
	}
	log := func(string, ...any) {}
	if b.verbose {
		log = func(format string, arguments ...any) { fmt.Fprintf(os.Stderr, format, arguments...) }
	}
	var err error
	b.report.errands, err = runErrands(ctx, filepath.Join(b.machine.scratch, "sectile"), b.corpus, b.machine.scratch, all, log, b.others(ctx)...)
	return err
}

// others are the other servers that are there, and what is missing is noted.
func (b *bench) others(ctx context.Context) []otherServer {
	found := otherServers(ctx, b.machine)
	if len(found) < 2 {
		b.report.note("Tasks were not done by other servers: not all of them are in .tools/peers. To have them: scripts/install-peers")
	}
	return found
}

// suits returns why errands can't be done on the corpus of the run, or nil.
func (b *bench) suits(all []errand) error {
	if b.corpus == "" {
		return errors.New("they need the documents of a corpus")
	}
	is, err := digest(b.corpus, all)
	if err == nil && is != documentsDigest {
		err = fmt.Errorf("the documents of the corpus are others than the tasks are made for: their digest is %s", is)
	}
	return err
}

// errandText is what the errands have cost, for people.
func (b *bench) errandText(ctx context.Context) string {
	return fmt.Sprintf("Made by `scripts/bench -corpus DIR -only tasks -write` on %s at %s, on %s with `grep` of that system.\n\n%s",
		time.Now().UTC().Format(time.DateOnly), b.measured, runtime.GOOS, errandTable(b.report.errands)+"\n"+serversTable(b.report.errands, b.others(ctx)))
}

// serversTable writes what the errands have cost with other servers, and the sums of those that each
// does right beside ours and the shell's for the same.
func serversTable(all []ran, others []otherServer) string {
	if len(others) == 0 {
		return ""
	}
	var b strings.Builder
	line := func(cells ...string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	head, rule := []string{"task", "sectile", "shell"}, []string{"---", "---", "---"}
	for i := range others {
		head, rule = append(head, others[i].name), append(rule, "---")
	}
	line(head...)
	line(rule...)
	for i := range all {
		r := &all[i]
		cells := []string{r.name, r.ours.String(), r.shell.String()}
		for j := range others {
			cell := "can't: " + others[j].less
			if d := r.others[others[j].name]; d != nil {
				cell = d.String()
			}
			cells = append(cells, cell)
		}
		line(cells...)
	}
	for j := range others {
		theirs, n := done{}, 0
		does := func(r *ran) bool { d := r.others[others[j].name]; return d != nil && d.wrong == "" }
		for i := range all {
			if does(&all[i]) {
				n++
				theirs.add(*all[i].others[others[j].name])
			}
		}
		ours, shell := summed(all, does)
		cells := []string{fmt.Sprintf("**sum of the %d that %s does right**", n, others[j].name), ours.String(), shell.String()}
		for k := range others {
			cell := ""
			if k == j {
				cell = fmt.Sprintf("%s; sectile ÷ it **%s**", theirs, ratio(ours, theirs))
			}
			cells = append(cells, cell)
		}
		line(cells...)
	}
	return b.String()
}

// errandTable writes a line for each errand, and their sums.
func errandTable(all []ran) string {
	var b strings.Builder
	b.WriteString("| task | sectile | shell | sectile ÷ shell | shell, with sed |\n| --- | --- | --- | --- | --- |\n")
	for i := range all {
		r := &all[i]
		sed := ""
		if r.sed != nil {
			sed = r.sed.String()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name, r.ours, r.shell, ratio(r.ours, r.shell), sed)
	}
	for _, sum := range []struct {
		name string
		in   func(*ran) bool
	}{
		{"sum of those in documents that are named", func(r *ran) bool { return r.named }},
		{"sum of all", func(*ran) bool { return true }},
	} {
		ours, shell := summed(all, sum.in)
		fmt.Fprintf(&b, "| **%s** | %s | %s | **%s** |  |\n", sum.name, ours, shell, ratio(ours, shell))
	}
	return b.String()
}

// summed adds up errands.
func summed(all []ran, in func(*ran) bool) (ours, shell done) {
	for i := range all {
		if r := &all[i]; in(r) {
			ours.add(r.ours)
			shell.add(r.shell)
		}
	}
	return ours, shell
}

func (d *done) add(other done) {
	d.calls += other.calls
	d.in += other.in
	d.out += other.out
	if other.wrong != "" {
		d.wrong = other.wrong
	}
}

// String writes calls, bytes in and bytes out, and whether the result is wrong.
func (d done) String() string {
	text := fmt.Sprintf("%d calls, %s + %s", d.calls, thousands(d.in), thousands(d.out))
	if d.calls == 1 {
		text = strings.Replace(text, "calls", "call", 1)
	}
	if d.wrong != "" {
		text += ", **wrong**"
	}
	return text
}

// ratio is how many times the bytes of the second the first has.
func ratio(ours, shell done) string {
	return fmt.Sprintf("%.2f ×", float64(ours.in+ours.out)/float64(shell.in+shell.out))
}
