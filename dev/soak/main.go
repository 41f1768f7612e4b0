// Soaking runs the whole program as many processes for a while, does to them what
// happens to programs, and proves at the end that nothing was lost.
//
//	scripts/dev soak -program sectile -time 10m
//
// scripts/soak builds the program and calls this. docs/testing.md says what is done and
// what is proved. The exit code is 1 if anything was lost; then the folder is kept, and
// the seed makes the same choices again. SIGINT and SIGTERM end the run early, with all
// that is checked at its end.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are those of a run.
type options struct {
	program string        // the path of sectile
	dir     string        // where folders are made; empty for the system's temporary folder
	keep    bool          // the folder is kept whatever happens
	time    time.Duration // how long new work is begun
	round   time.Duration // how long files grow before they are checked
	seed    uint64
	parts   string // the names of those that are done, with commas between them; empty for all
}

func main() {
	var o options
	flag.StringVar(&o.program, "program", "sectile", "the program to run")
	flag.StringVar(&o.dir, "dir", "", "make folders in this one (default: the system's for temporary files)")
	flag.BoolVar(&o.keep, "keep", false, "keep the folders even if all is well")
	flag.DurationVar(&o.time, "time", time.Minute, "how long")
	flag.DurationVar(&o.round, "round", 10*time.Second, "how long files grow before they are checked and made anew")
	flag.Uint64Var(&o.seed, "seed", 0, "what chance goes by (default: another one each time)")
	flag.StringVar(&o.parts, "parts", "", "do these alone: edits,disk,saves,foreign,reads,lines,plans-file,plans-git,plans-jj (default: all)")
	flag.Parse()
	if flag.NArg() > 0 || o.time <= 0 || o.round <= 0 {
		fmt.Fprintln(os.Stderr, "usage: soaking [-program FILE] [-time DURATION] [-round DURATION] [-seed N] [-parts NAMES] [-dir DIR] [-keep]")
		os.Exit(2)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1 << 32)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { // who sends one more, and not the same to all there are, ends it as it is
		time.Sleep(time.Second)
		stop()
	})
	found, err := soak(ctx, &o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soaking:", err)
		os.Exit(2)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// soak runs everything, prints what happened, and returns how many wrongs there were.
func soak(ctx context.Context, o *options) (found int, err error) {
	if err := newRun(o, "", "").checkParts(); err != nil {
		return 0, err
	}
	program, err := exec.LookPath(o.program)
	if err != nil {
		return 0, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp(o.dir, "soak-")
	if err != nil {
		return 0, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, err
	}
	r := newRun(o, program, dir)
	fmt.Printf("soaking %s for %v with seed %d in %s\n", program, o.time, o.seed, dir)
	begin := time.Now()
	result := r.work(ctx)
	if ctx.Err() != nil {
		fmt.Println("ended early:", context.Cause(ctx))
	}
	fmt.Printf("\nafter %v:\n\n%s", time.Since(begin).Round(time.Second), result.sum.table())
	for _, name := range result.skipped {
		fmt.Println("SKIPPED:", name)
	}
	wrongs := r.wrongs()
	for _, wrong := range wrongs {
		fmt.Println("WRONG:", wrong)
	}
	if len(wrongs) > 0 {
		fmt.Printf("%d wrongs; seed %d; everything is kept in %s\n", len(wrongs), o.seed, dir)
		return len(wrongs), nil
	}
	fmt.Println("nothing was lost")
	if o.keep {
		fmt.Println("kept:", dir)
		return 0, nil
	}
	return 0, os.RemoveAll(dir)
}
