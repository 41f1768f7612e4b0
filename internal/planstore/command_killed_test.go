package planstore

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// asFeeder is the value of asProcess for a process that runs a program with an input
// that fits into no pipe.
const asFeeder = "feed"

// fedText is that input.
func fedText() string { return strings.Repeat("a line of the plan\n", 50_000) }

// beFeeder runs the program in the folder.
func beFeeder(dir, path string) int {
	p := program{name: "program", path: path, dir: dir, env: os.Environ(), timeout: whole, log: slog.New(slog.DiscardHandler)}
	if _, err := p.try(context.Background(), &call{input: fedText()}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A program reads all that it was given, though who gave it is killed meanwhile: it
// would keep a part of a plan as the whole.
func TestInputSurvivesAKill(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script for a shell")
	}
	dir := t.TempDir()
	started, read := filepath.Join(dir, "started"), filepath.Join(dir, "read")
	path := script(t, filepath.Join(dir, "program"), "touch started; while [ -e started ]; do sleep 0.01; done; cat >partly; mv partly read")
	killAt(t, started, []string{asProcess + "=" + asFeeder}, dir, path)
	if err := os.Remove(started); err != nil {
		t.Fatal(err)
	}
	await(t, read)
	got, err := os.ReadFile(read)
	if err != nil || !bytes.Equal(got, []byte(fedText())) {
		t.Errorf("the program has read %d bytes of %d: %v", len(got), len(fedText()), err)
	}
}

// killAt runs the test binary as another process, and kills it when a file is there.
func killAt(t *testing.T, started string, env []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, started)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
}

// await waits for a file.
func await(t *testing.T, name string) {
	t.Helper()
	for end := time.Now().Add(whole); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(name + " is not there")
		}
	}
}

// A command that writes has the lock until it ends, though the writer that began it is
// killed: it could undo what the next one writes, or make the change divergent.
func TestJJLockSurvivesAKill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script for a shell, and a lock is not inherited")
	}
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj)
	save(t, s, plan)
	apart := t.TempDir()
	started := filepath.Join(apart, "started")
	slow := script(t, filepath.Join(apart, "jj"), fmt.Sprintf(
		`case " $* " in *" describe "*) touch %[1]q; while [ -e %[1]q ]; do sleep 0.01; done;; esac; exec %[2]q "$@"`, started, jj))
	killAt(t, started, []string{asProcess + "=" + string(JJ), "SECTILE_TEST_JJ=" + slow}, dir, "killed 1")
	hasty := open(t, Options{Root: dir, Kind: JJ, JJ: jj, LockTimeout: 50 * time.Millisecond})
	_, err := Save(t.Context(), hasty, plan+"\nOther.\n", load(t, s).Version)
	wantType(t, err, TypeConcurrent)
	if err := os.Remove(started); err != nil {
		t.Fatal(err)
	}
	if err := updateLine(t.Context(), s, "next 1"); err != nil {
		t.Fatal(detail(err))
	}
	if now := load(t, s); !strings.Contains(now.Text, "killed 1") || !strings.Contains(now.Text, "next 1") || now.Divergent {
		t.Errorf("%+v", now)
	}
}
