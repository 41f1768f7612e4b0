package planstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// A process that writes plans is killed at any point, and above all while it begins a
// new one, which changes two files: the old plan is copied, then its file is emptied.

// asCrasher is the value of asProcess for a process that writes plans until it is
// killed: by its parent (byParent), or because it has asked for that (between).
const (
	asCrasher = "crash"
	byParent  = "parent"
	between   = "between" // the two files of New
)

// crashPlan returns the text that step n writes, from which no part can be missing
// unseen; empty if the step begins a new plan instead.
func crashPlan(n int) string {
	if n%3 == 2 {
		return ""
	}
	return fmt.Sprintf("feat: plan %d\n\n%s- [ ]: end of %d\n", n, strings.Repeat("- [x]: a task that is done\n", 200), n)
}

// beCrasher takes step after step and prints the number of each that is done.
func beCrasher(root, when string) int {
	ctx, cancel := context.WithTimeout(context.Background(), whole)
	defer cancel()
	s, err := Open(ctx, Options{Root: root, Kind: File, LockTimeout: whole})
	for n := 0; err == nil; n++ {
		if text := crashPlan(n); text != "" {
			_, err = s.Update(ctx, func(State) (string, error) { return text, nil })
		} else {
			if when == between && n > 5 {
				ctx = &armed{Context: ctx, dir: filepath.Join(root, ".sectile")}
			}
			_, _, err = s.New(ctx, never)
		}
		if err == nil {
			fmt.Println(n)
		}
	}
	fmt.Fprintln(os.Stderr, detail(err))
	return 1
}

// armed is a context that has the process killed between the two files of a new plan.
// It is asked a last time when both are written under other names, and nothing has its
// own name yet.
type armed struct {
	context.Context

	dir string
}

// Err arms the process, and says what Context does.
func (a *armed) Err() error {
	temporary, err := filepath.Glob(filepath.Join(a.dir, ".sectile-*.tmp"))
	if err == nil && len(temporary) == 2 {
		err = killAtNextFile(a.dir)
	}
	if err != nil {
		return err
	}
	return a.Context.Err()
}

// crashState is what is in the folder of the plan: the texts of the files by their
// names.
type crashState map[string]string

// crashStates returns what may be there when step done was the last of which the
// process has told, -1 for none: what that left, what the next one leaves, or what is
// between.
func crashStates(done int) []crashState {
	const file = "plan.md"
	now := crashState{}
	var states []crashState
	for n := range done + 2 {
		states = []crashState{maps.Clone(now)}
		text := crashPlan(n)
		if text == "" {
			now[fmt.Sprintf("plan.%d.md", n/3+1)] = now[file]
			states = append(states, maps.Clone(now))
		}
		now[file] = text
		states = append(states, maps.Clone(now))
	}
	return states
}

// readCrashed returns what is there, without temporary files.
func readCrashed(t *testing.T, dir string) (state crashState, temporary int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	state = crashState{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") || strings.HasSuffix(e.Name(), ".held") {
			temporary++
			continue
		}
		state[e.Name()] = read(t, filepath.Join(dir, e.Name()))
	}
	return state, temporary
}

// TestFileKilled kills processes that write. The files are those before or after a
// step, whole, and no plan is lost; the next process goes on at once. SECTILE_LONG has
// it kill a thousand of them.
func TestFileKilled(t *testing.T) {
	t.Parallel()
	kills := testkit.Some(36, 6)
	if testing.Short() {
		kills = 8
	}
	if testkit.Long() {
		kills = 1000
	}
	exactly := canKill(testkit.OnDisk(t))
	if exactly != nil {
		t.Log("no process is killed just between two files, for the system can't: ", exactly)
	}
	random := rand.New(rand.NewPCG(3, 5))
	halfway, temps := 0, 0
	for i := range kills {
		root := testkit.OnDisk(t)
		when := byParent
		if i%3 == 0 && exactly == nil {
			when = between
		}
		done := killed(t, root, when, 1+random.IntN(8), time.Duration(random.IntN(4000))*time.Microsecond)
		dir := filepath.Join(root, ".sectile")
		state, temporary := readCrashed(t, dir)
		states := crashStates(done)
		at := slices.IndexFunc(states, func(s crashState) bool { return maps.Equal(s, state) })
		if at < 0 {
			t.Fatalf("after step %d there are %s", done, names(state))
		}
		if isBetween := len(states) == 3 && at == 1; isBetween {
			halfway++
		} else if when == between {
			t.Errorf("after step %d the process was not killed between the files: %s", done, names(state))
		}
		temps += temporary
		goesOn(t, root, state)
	}
	t.Logf("%d processes killed, %d of them between the two files of a new plan; %d temporary files", kills, halfway, temps)
}

// killed starts a process, kills it so long after so many steps, unless it does so
// itself, and returns the last step that it has told of.
func killed(t *testing.T, root, when string, steps int, later time.Duration) (done int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, root, when)
	cmd.Env = append(os.Environ(), asProcess+"="+asCrasher)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done = -1
	told := bufio.NewScanner(out)
	for (when == between || done+1 < steps) && told.Scan() {
		done++
	}
	if when == byParent {
		time.Sleep(later)
		_ = cmd.Process.Kill()
	}
	for told.Scan() {
		done++
	}
	_ = cmd.Wait() // it was killed
	if errs.Len() > 0 || ctx.Err() != nil {
		t.Fatalf("the process ended by itself, or not at all: %v %s", ctx.Err(), &errs)
	}
	return done
}

// goesOn works on with what a process that was killed has left: nothing is locked,
// what is there is kept, and no temporary file stays.
func goesOn(t *testing.T, root string, state crashState) {
	t.Helper()
	s := open(t, Options{Root: root, Kind: File, LockTimeout: whole})
	if now := load(t, s); now.Text != state["plan.md"] {
		t.Fatalf("%.30q is loaded, and %.30q is there", now.Text, state["plan.md"])
	}
	old := save(t, s, load(t, s).Text+"- [ ]: more\n").Text
	_, kept, err := s.New(t.Context(), never)
	if err != nil {
		t.Fatal(detail(err))
	}
	want := maps.Clone(state)
	want["plan.md"], want[filepath.Base(kept.Name)] = "", old
	if _, taken := state[filepath.Base(kept.Name)]; taken {
		t.Errorf("%s was overwritten", kept.Name)
	}
	after, temporary := readCrashed(t, filepath.Join(root, ".sectile"))
	if !maps.Equal(want, after) || temporary > 0 {
		t.Errorf("%s and %d temporary files, want %s", names(after), temporary, names(want))
	}
}

// names shows what is there.
func names(state crashState) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(state)) {
		text := state[name]
		fmt.Fprintf(&b, "%s: %.14q…%.16q (%d bytes); ", name, text, text[max(0, len(text)-14):], len(text))
	}
	return b.String()
}

// TestFileKilledBetween has what a process leaves that is killed just between the two
// files of a new plan: the copy has its name and still that of the temporary file.
func TestFileKilledBetween(t *testing.T) {
	t.Parallel()
	root := testkit.OnDisk(t)
	s := open(t, Options{Root: root, Kind: File})
	save(t, s, plan)
	dir := filepath.Join(root, ".sectile")
	temp := filepath.Join(dir, ".sectile-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp")
	write(t, temp, plan)
	write(t, filepath.Join(dir, ".sectile-BBCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"), "") // of the emptied file
	if err := os.Link(temp, filepath.Join(dir, "plan.1.md")); err != nil {
		t.Skip(err)
	}
	plans, err := s.List(t.Context())
	if err != nil || len(plans) != 1 || plans[0].Text != plan || !plans[0].Current { // the copy is no other plan yet
		t.Errorf("%+v %v", plans, err)
	}
	goesOn(t, root, crashState{"plan.md": plan, "plan.1.md": plan})
}
