package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// Faults are planted in the program here: a run that finds nothing in a program that
// crashes, reads another file or can't be killed in a write proves nothing.

// wrapped returns a program that does what the script says, in which REAL stands for the
// true one.
func wrapped(t *testing.T, script string) string {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no shell to wrap the program with")
	}
	for _, name := range []string{"grep", "sed"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Missing(t, "there is no "+name+" here, which scripts need that the program is wrapped with")
		}
	}
	path := filepath.Join(t.TempDir(), "wrapped")
	text := "#!/bin/sh\n" + strings.ReplaceAll(script, "REAL", "'"+testkit.BuildProgram(t)+"'") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFaultsAreFound(t *testing.T) {
	// A server gets its first call and no more, while two writers call it.
	const served = `case "$*" in *--http*) ;; mcp*) for i in 1 2 3; do IFS= read -r line; printf '%s\n' "$line"; done | REAL "$@"; `
	for name, tt := range map[string]struct {
		script, part, want string
	}{
		"a panic":                 {served + `echo "panic: boom" >&2; exit 2;; esac; exec REAL "$@"`, "edits", "panic: boom"},
		"an end with no word":     {served + `exit 0;; esac; exec REAL "$@"`, "edits", errByItself.Error()},
		"a panic over HTTP":       {`case "$*" in *--http*) echo "panic: boom" >&2;; esac; exec REAL "$@"`, "edits", "panic: boom"},
		"a command":               {`case $1 in mcp) ;; *) echo "panic: boom" >&2;; esac; exec REAL "$@"`, "edits", "panic: boom"},
		"no answer with no id":    {`case $1 in mcp) REAL "$@" | sed '/^{[^[]*"id":null/d'; exit 0;; esac; exec REAL "$@"`, "lines", "not answered"},
		"no answer to a bad call": {`case $1 in mcp) REAL "$@" | sed '/"id":"bad-.*"error"/d'; exit 0;; esac; exec REAL "$@"`, "lines", "not answered"},
		"a server that fails":     {`case $1 in mcp) REAL "$@"; exit 3;; esac; exec REAL "$@"`, "lines", "exit status 3"},
		"every hash is refused": {
			`case "$*" in *--expected-hash*) echo '{"error":{"code":"conflict"}}'; exit 1;; esac; exec REAL "$@"`, "edits", "with nobody else there",
		},
		"plans": {served + `echo "panic: boom" >&2; exit 2;; esac; exec REAL "$@"`, "plans-file", "panic: boom"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &options{program: wrapped(t, tt.script), time: time.Millisecond, round: time.Millisecond, seed: 7, parts: tt.part}
			r := newRun(o, o.program, t.TempDir())
			r.work(t.Context())
			if got := strings.Join(r.wrongs(), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("wrong is %q, and not %q", got, tt.want)
			}
		})
	}
}

// TestEndsAreJudged looks at each way in which a server of either kind may end.
func TestEndsAreJudged(t *testing.T) {
	panics := wrapped(t, `echo "panic: boom" >&2; exec REAL "$@"`)
	stdio := func(program string) (caller, func(), error) {
		s, err := startServer(command(t.TempDir(), program, serverArguments...))
		return s, func() { _ = s.in.Close(); <-s.gone }, err
	}
	http := func(program string) (caller, func(), error) {
		w, err := startWeb(command(t.TempDir(), program, webArguments...))
		return w, func() { _ = w.cmd.Process.Signal(os.Interrupt); <-w.gone }, err
	}
	for kind, start := range map[string]func(string) (caller, func(), error){"stdio": stdio, "http": http} {
		for _, fault := range []string{"", "panic", "gone"} {
			for _, how := range []string{"kill", "close"} {
				program := testkit.BuildProgram(t)
				if fault == "panic" {
					program = panics
				}
				c, end, err := start(program)
				if err != nil {
					t.Fatal(err)
				}
				if fault == "gone" {
					end()
				}
				done := c.close
				if how == "kill" {
					done = c.kill
				}
				if err := done(); (err == nil) != (fault == "") {
					t.Errorf("%s, %s, fault %q: %v", kind, how, fault, err)
				}
				if _, err := c.call("list_categories", object{}); !errors.Is(err, errGone) {
					t.Errorf("%s, %s, fault %q: a call behind the end: %v", kind, how, fault, err)
				}
			}
		}
	}
}

func TestKilledCommands(t *testing.T) {
	const reply = `echo '{"edits":[{"now":{"hash":"1"}}],"written":true}'`
	for name, tt := range map[string]struct {
		script string
		when   dying
		want   string // in the error; empty for none
		writes int    // that were killed
	}{
		"while it writes":         {`: > .sectile-new.tmp; exec sleep 60`, whileWrite, errGone.Error(), 1},
		"writes nothing":          {`sleep 0.1; ` + reply, whileWrite, "", 0},
		"had answered":            {reply + `; : > .sectile-new.tmp; exec sleep 60`, whileWrite, "", 0},
		"dies of something else":  {`kill -KILL $$`, never, "killed", 0},
		"fails behind its answer": {reply + `; exit 2`, never, "exit status 2", 0},
		"says half of it":         {`printf '{"edits":[{"now":{"hash":"1"}}],"written":true}'`, never, "says", 0},
		"logs a panic":            {`echo "panic: boom" >&2; ` + reply, never, "panic: boom", 0},
	} {
		dir := t.TempDir()
		// One that was there before says nothing on this process.
		if err := os.WriteFile(filepath.Join(dir, ".sectile-old.tmp"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r := newRun(&options{}, wrapped(t, tt.script), dir)
		a := &arena{run: r, dir: dir}
		said := a.byCommand(rand.New(rand.NewPCG(1, 2)), tt.when)(&try{File: "lf.md", Call: call{Action: "append"}})
		if got := fmt.Sprint(said.err); tt.want == "" && said.err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v", name, said.err)
		}
		if got := r.tally.get("commands killed while they write"); got != tt.writes {
			t.Errorf("%s: %d killed while they write, instead of %d", name, got, tt.writes)
		}
	}
	r := newRun(&options{}, filepath.Join(t.TempDir(), "none"), "")
	said := (&arena{run: r}).byCommand(rand.New(rand.NewPCG(1, 2)), whileWrite)(&try{})
	if said.err == nil || errors.Is(said.err, errGone) || r.tally.get("commands killed") > 0 {
		t.Errorf("a command that did not start: %v", said.err)
	}
}

func TestLongRunsMustDoAll(t *testing.T) {
	for _, p := range newRun(&options{}, "", "").all() {
		for _, line := range p.must {
			p.tally.add(line, 1)
		}
		p.lasted = longRun
		p.judgeCounts()
		if wrong := p.wrongs(); len(wrong) > 0 {
			t.Errorf("%s did it all: %q", p.name, wrong)
		}
		for n, line := range p.must {
			p.tally.add(line, -1)
			p.lasted = longRun - 1
			p.judgeCounts()
			if len(p.wrongs()) > n {
				t.Errorf("%s, a short one without %q: %q", p.name, line, p.wrongs())
			}
			p.lasted = longRun
			p.judgeCounts()
			if len(p.wrongs()) != n+1 {
				t.Errorf("%s, a long one without %q: %q", p.name, line, p.wrongs())
			}
			p.tally.add(line, 1)
		}
		p.found.wrong = nil
	}
}

// TestWrongReadsAreFound has commands that show another file, or an older text.
func TestWrongReadsAreFound(t *testing.T) {
	root := t.TempDir()
	for name, n := range map[string]int{"a.md": 4, "b.md": 4, "old.md": 0} {
		text := version(name, n)
		if name == "old.md" {
			text = version("a.md", 3)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := newHistory()
	for n := range 4 {
		h.begin(change{to: state{name: "a.md", version: n + 1}})
		h.end()
	}
	for name, tt := range map[string]struct {
		script string
		right  bool
	}{
		"as it is":     {`exec REAL "$@"`, true},
		"another file": {`exec REAL read --json b.md @document`, false},
		"a stale text": {`exec REAL read --json old.md @document`, false},
		"none":         {`exec REAL read --json none.md @document`, false},
		"a panic":      {`echo "panic: boom" >&2; exec REAL "$@"`, false},
	} {
		r := newRun(&options{}, wrapped(t, tt.script), "")
		if err := r.readByCommand(root, "a.md", h); (err == nil) != tt.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}
