//go:build unix

package planstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// What jj may do instead of what it should, and what its configuration may want.

// TestJJAsksNoTerminal: whoever doesn't say how wide the terminal is has jj start tput twice
// for each command.
func TestJJAsksNoTerminal(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	programs := t.TempDir()
	asked := filepath.Join(programs, "asked")
	script(t, filepath.Join(programs, "tput"), fmt.Sprintf("echo \"$@\" >>'%s'; echo 80", asked))
	s := jjStoreIn(t, dir, jj)
	store, ok := s.(*jjStore)
	if !ok {
		t.Fatalf("%T", s)
	}
	store.program.env = append(store.program.env, "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	save(t, s, plan)
	if text, err := os.ReadFile(asked); !os.IsNotExist(err) {
		t.Errorf("%q, %v", text, err)
	}
}

// TestJJVersions pretends that the real jj is older.
func TestJJVersions(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for said, want := range map[string]Type{
		"jj 0.24.0": TypeVersion, "jj 0.9.0-abc": TypeVersion, "hello": TypeVersion, "": TypeVersion, "jj x.y": TypeVersion,
		"jj 0.25.0": "", "jj 0.27.1-dev+x": "", "jj 0.31.0": "", "jj 1.0.0": "",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			dir, jj := newJJ(t)
			fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`[ "$1" = --version ] && { echo '%s'; exit; }; exec '%s' "$@"`, said, jj))
			s := jjStoreIn(t, dir, fake)
			if want != "" {
				_, err := s.Load(t.Context())
				wantType(t, err, want)
				return
			}
			names := []string{"carriage returns", "white space alone", "looks like what is asked"}
			if said != "jj 0.31.0" && said != "jj 1.0.0" && !testkit.Long() { // a text is quoted in two ways
				names = names[2:]
			}
			for _, name := range names {
				if got := save(t, s, texts[name]); got.Text != texts[name] || got != load(t, s) {
					t.Errorf("%s: %+v", name, got)
				}
			}
			saved := save(t, s, plan)
			write(t, filepath.Join(dir, "a b.txt"), "one\n")
			now, changes, err := s.Survey(t.Context())
			if err != nil || now != saved {
				t.Errorf("%+v %v", now, err)
			}
			if diff := cmp.Diff([]Change{{"added", "a b.txt"}}, changes.Files); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if _, _, err := s.New(t.Context(), never); err != nil {
				t.Error(err)
			}
			plans, err := s.List(t.Context())
			if err != nil || len(plans) != 1 || plans[0].Name != saved.Name {
				t.Errorf("%+v %v", plans, err)
			}
		})
	}
}

func TestProgramMissing(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir, _ := newJJ(t)
	run(t, dir, "git", "init", "-q")
	noProgram := filepath.Join(t.TempDir(), "file")
	write(t, noProgram, "")
	for _, name := range []string{"no-such-program-at-all", filepath.Join(dir, "none"), noProgram} {
		for _, s := range []Store{open(t, Options{Root: dir, Kind: JJ, JJ: name}), open(t, Options{Root: dir, Kind: Git, Git: name})} {
			_, err := s.Load(t.Context())
			if e := typed(t, err, TypeFailed); !e.Critical {
				t.Errorf("not critical: %s", detail(err))
			}
		}
	}
}

// TestProgramHangs sees that a program that does not end is ended, with what it has
// started, and that the lock is free then.
func TestProgramHangs(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	child := filepath.Join(t.TempDir(), "child")
	fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`case $1 in --version) echo jj 0.46.0; exit;; esac
sleep 1000 & echo $! >'%s.new'; mv '%s.new' '%s'; echo out; echo err >&2; wait`, child, child, child))
	s := open(t, Options{Root: dir, Kind: JJ, JJ: fake, Timeout: 2 * time.Second})
	_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
	e := typed(t, err, TypeFailed)
	if !e.Critical || !strings.Contains(e.Message, "2s") || strings.Contains(detail(err), "err\n") {
		t.Errorf("%s", detail(err))
	}
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, child)))
	if err != nil {
		t.Fatal(err)
	}
	for syscall.Kill(pid, 0) == nil { // until whoever has inherited it has seen its end
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(string(state), ") Z ") {
			break
		}
		time.Sleep(10 * time.Millisecond)
		if t.Context().Err() != nil {
			t.Fatal("the child lives on")
		}
	}
	save(t, jjStoreIn(t, dir, jj), plan)
}

// TestProgramFailsInTheMiddle has each call in turn fail, before or after it was
// done. The text is the old or the new one then, nothing is divergent, and the next
// writer is not kept waiting.
func TestProgramFailsInTheMiddle(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, ways := range map[string]struct {
		body string
		want Type
	}{
		"exit before": {`echo 'Error: at /secret/place' >&2; exit 255`, TypeExit},
		"exit after":  {`%s "$@" >/dev/null; exit 3`, TypeExit},
		"killed":      {`kill -9 $$`, TypeFailed},
		"garbage":     {`echo garbage; exit 0`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, jj := newJJ(t)
			count := filepath.Join(t.TempDir(), "count")
			body := strings.ReplaceAll(ways.body, "%s", "'"+jj+"'")
			fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`n=$(cat '%s'); echo $((n - 1)) >'%s'
[ "$n" = 1 ] && { %s; }; exec '%s' "$@"`, count, count, body, jj))
			genuine := jjStoreIn(t, dir, jj)
			save(t, genuine, plan)
			for n := 1; ; n++ {
				before := load(t, genuine)
				next := plan + fmt.Sprintf("- [ ]: %d\n", n)
				write(t, count, strconv.Itoa(n)+"\n")
				after, err := Save(t.Context(), jjStoreIn(t, dir, fake), next, before.Version)
				failed := !strings.HasPrefix(read(t, count), "0") || err != nil
				now := load(t, genuine)
				if now.Divergent || now.Text != next && now != before {
					t.Errorf("call %d: %+v", n, now)
				}
				if err == nil && now != after {
					t.Errorf("call %d: saved %+v, there is %+v", n, after, now)
				}
				if err != nil && ways.want != "" {
					e := typed(t, err, ways.want)
					if ways.want == TypeExit && (e.Exit == 0 || !strings.HasPrefix(e.Command, "jj ")) {
						t.Errorf("call %d: %s", n, detail(err))
					}
				}
				if !failed {
					t.Fatalf("call %d did not fail", n)
				}
				if strings.HasPrefix(read(t, count), "0") && err == nil && ways.want != "" {
					t.Errorf("call %d failed, and nobody said so", n)
				}
				if n == 4 { // version, read, describe, read back
					break
				}
			}
			save(t, genuine, plan)
		})
	}
}

// TestJJStoppedAmidSnapshot has jj be killed when it may have taken a snapshot of the files, which the
// error tells, and when it takes none.
func TestJJStoppedAmidSnapshot(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	fake := script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(`case " $* " in *" --version "*) exec '%s' "$@";; esac; kill -9 $$`, jj))
	s := jjStoreIn(t, dir, fake)
	_, err := s.Load(t.Context())
	if e := typed(t, err, TypeFailed); e.Snapshot || strings.Contains(e.Message, "snapshot") {
		t.Errorf("read: %+v", e)
	}
	_, err = s.Update(t.Context(), func(State) (string, error) { return plan, nil })
	if e := typed(t, err, TypeFailed); !e.Snapshot || !strings.HasSuffix(e.Message, "; it may have taken a snapshot of the files") {
		t.Errorf("written: %+v", e)
	}
}

func TestProgramPrintsTooMuch(t *testing.T) {
	t.Parallel()
	dir, _ := newJJ(t)
	fake := script(t, filepath.Join(t.TempDir(), "jj"), `case $1 in --version) echo jj 0.46.0; exit;; esac
yes | head -c 20000000; yes xxxxxxxxxxxxxxx/ | head -c 200000 >&2`)
	_, err := jjStoreIn(t, dir, fake).Load(t.Context())
	wantType(t, err, TypeFailed)

	fake = script(t, filepath.Join(t.TempDir(), "jj"), `case $1 in --version) echo jj 0.46.0; exit;; esac
yes ü | head -c 200000 >&2; exit 1`)
	_, err = jjStoreIn(t, dir, fake).Load(t.Context())
	if wantType(t, err, TypeExit); strings.Contains(detail(err), "ü") {
		t.Error(detail(err))
	}
}

// TestJJHostile has a repository's configuration name programs wherever one can be
// named. None of them runs, and none changes what is stored.
func TestJJHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir, jj := newJJ(t)
	marks, programs := t.TempDir(), t.TempDir()
	mark := func(name string) string {
		return script(t, filepath.Join(programs, name), fmt.Sprintf("touch '%s/%s'; cat >/dev/null; exit 0", marks, name))
	}
	config := fmt.Sprintf(`
[ui]
pager = %q
paginate = "auto"
editor = %q
diff-editor = %q
merge-editor = %q
diff-formatter = [%q, "$left", "$right"]
log-word-wrap = true
show-cryptographic-signatures = true
default-command = ["util", "exec", "--", %q]
color = "always"
[signing]
behavior = "own"
backend = "gpg"
backends.gpg.program = %q
backends.ssh.program = %q
[fsmonitor]
backend = "watchman"
[git]
executable-path = %q
[aliases]
log = ["util", "exec", "--", %q]
describe = ["util", "exec", "--", %q]
diff = ["util", "exec", "--", %q]
new = ["util", "exec", "--", %q]
[templates]
commit_trailers = '"Trailer: hostile"'
new_description = '"hostile"'
draft_commit_description = '"hostile"'
log = '"hostile"'
[fix.tools.x]
command = [%q]
patterns = ["glob:**"]
`, mark("pager"), mark("editor"), mark("diff-editor"), mark("merge"), mark("formatter"), mark("default"), mark("gpg"), mark("ssh"),
		mark("git"), mark("log"), mark("describe"), mark("diff"), mark("new"), mark("fix"))
	mark("watchman")
	// As it lies in a repository that was copied from somewhere.
	write(t, filepath.Join(dir, ".jj", "repo", "config.toml"), config)
	genuine := strings.Trim(run(t, dir, jj, "config", "list", "--repo"), "\n")
	if !strings.Contains(genuine, "Trailer: hostile") {
		t.Fatalf("jj does not know of the configuration: %s", genuine)
	}

	s := jjStoreIn(t, dir, jj)
	environ := append(environment(os.Environ()), "PATH="+programs+":"+os.Getenv("PATH"), "JJ_EDITOR="+mark("JJ_EDITOR"),
		"EDITOR="+mark("EDITOR"), "VISUAL="+mark("VISUAL"), "PAGER="+mark("PAGER"))
	s.(*jjStore).program.env = environment(environ, "JJ_EDITOR=false")
	save(t, s, plan)
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	now, changes, err := s.Survey(t.Context())
	if err != nil || now.Text != plan || len(changes.Files) != 1 {
		t.Errorf("%+v %+v %v", now, changes, err)
	}
	testDiff(t, s, "+one")
	next, _, err := s.New(t.Context(), never)
	if err != nil || next.Text != "" {
		t.Errorf("%+v %v", next, err)
	}
	save(t, s, texts["long"])
	if plans, err := s.List(t.Context()); err != nil || len(plans) != 2 {
		t.Errorf("%+v %v", plans, err)
	}
	if _, err := s.Adopt(t.Context(), now.Name, never); !isType(err, TypeUnsupported) {
		t.Error(err)
	}
	left, err := os.ReadDir(marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was run", e.Name())
	}
	// What would have happened otherwise.
	if _, err := tryRun(t, dir, "x", jj, "describe", "--stdin"); err != nil {
		t.Log(err)
	}
	if _, err := os.Stat(filepath.Join(marks, "gpg")); err != nil {
		t.Errorf("the configuration has no effect: %v", err)
	}
}
