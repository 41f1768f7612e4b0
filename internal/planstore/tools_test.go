package planstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// What the tests share: a world in which no configuration of the machine counts,
// the programs, and repositories.

// asProcess is the variable that makes the test binary a process that writes to a
// plan; its value is the kind of store, or asCrasher.
const asProcess = "SECTILE_TEST_PLANSTORE"

// whole is how long a test's commands may take together.
const whole = 4 * time.Minute

func TestMain(m *testing.M) {
	switch kind := os.Getenv(asProcess); kind {
	case "":
	case asCrasher:
		os.Exit(beCrasher(os.Args[1], os.Args[2]))
	case asFeeder:
		os.Exit(beFeeder(os.Args[1], os.Args[2]))
	default:
		os.Exit(beWriter(Kind(kind), os.Args[1], os.Args[2]))
	}
	os.Exit(testkit.RunInMemory(func() int { return inOwnWorld(m) }))
}

// inOwnWorld runs the tests with a home of their own.
func inOwnWorld(m *testing.M) int {
	home, err := os.MkdirTemp("", "sectile-planstore-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(home) }()
	config := filepath.Join(home, "jj.toml")
	if err := os.WriteFile(config, []byte("user.name = \"Tester\"\nuser.email = \"tester@example.com\"\ngit.colocate = false\n"), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "JJ_CONFIG": config,
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"), "GIT_CEILING_DIRECTORIES": strings.Join(testkit.TempFolders(), string(filepath.ListSeparator)),
	} {
		_ = os.Setenv(name, value)
	}
	// Without templates a repository has half as many files to make, copy and compare.
	templates := filepath.Join(home, "templates")
	if err := os.MkdirAll(filepath.Join(templates, "info"), 0o700); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, setting := range [][2]string{
		{"user.name", "Tester"}, {"user.email", "tester@example.com"}, {"init.defaultBranch", "main"}, {"init.templateDir", templates},
	} {
		_ = exec.Command("git", "config", "--global", setting[0], setting[1]).Run() // git may be missing
	}
	return m.Run()
}

// findJJ returns the path of jj, in the PATH or where scripts/install-jj puts it.
func findJJ(t testing.TB) string {
	t.Helper()
	if path, err := exec.LookPath("jj"); err == nil {
		return path
	}
	path, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin", "jj"))
	if err == nil {
		path, err = exec.LookPath(path)
	}
	if err != nil {
		testkit.Missing(t, "there is no jj; scripts/install-jj installs it")
	}
	return path
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Missing(t, "there is no git in the PATH")
	}
}

// run runs a program as a user would, and returns what it prints.
func run(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	return runWith(t, dir, "", name, args...)
}

func runWith(t testing.TB, dir, input, name string, args ...string) string {
	t.Helper()
	out, err := tryRun(t, dir, input, name, args...)
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}
	return out
}

func tryRun(t testing.TB, dir, input, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// write writes a file, and the folders that it lies in.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// script writes a program of the shell.
func script(t testing.TB, path, body string) string {
	t.Helper()
	// No process may begin meanwhile: it would hold the file open for writing until it
	// is another program, and a file that is being written can't be run.
	syscall.ForkLock.RLock()
	write(t, path, "#!/bin/sh\n"+body+"\n")
	syscall.ForkLock.RUnlock()
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// newJJ makes a repository of Jujutsu.
func newJJ(t testing.TB) (dir, jj string) {
	t.Helper()
	dir = t.TempDir()
	return dir, initJJ(t, dir)
}

// newGit makes a repository of git with a commit.
func newGit(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	initCommitted(t, dir)
	return dir
}

// initCommitted makes what newGit makes in a folder.
func initCommitted(t testing.TB, dir string) {
	t.Helper()
	committed.copyTo(t, dir, func(made string) {
		initGit(t, made)
		write(t, filepath.Join(made, "a.txt"), "one\n")
		run(t, made, "git", "add", ".")
		run(t, made, "git", "commit", "-qm", "one")
	})
}

// initBoth makes a repository of git with a commit, in which Jujutsu works too, and returns
// the path of jj.
func initBoth(t testing.TB, dir string) string {
	t.Helper()
	jj := findJJ(t)
	both.copyTo(t, dir, func(made string) {
		initCommitted(t, made)
		run(t, made, jj, "git", "init", "--colocate")
	})
	return jj
}

// initGit does what "git init" does.
func initGit(t testing.TB, dir string) {
	t.Helper()
	needGit(t)
	emptyGit.copyTo(t, dir, func(made string) { run(t, made, "git", "init", "-q") })
}

// initJJ does what "jj git init" does, and returns the path of jj.
func initJJ(t testing.TB, dir string) string {
	t.Helper()
	jj := findJJ(t)
	emptyJJ.copyTo(t, dir, func(made string) { run(t, made, jj, "git", "init") })
	return jj
}

// What programs make once: they take ten times as long as a copy.
var emptyGit, emptyJJ, committed, both template

// template is a folder that others are copies of.
type template struct {
	mu  sync.Mutex
	dir string // empty until it is made
}

// copyTo copies the folder, which is made at first, to another. Where the program that
// makes it is missing, makeIn skips each test.
func (m *template) copyTo(t testing.TB, dir string, makeIn func(dir string)) {
	t.Helper()
	copyFolder(t, m.made(t, makeIn), dir)
}

// made returns the folder.
func (m *template) made(t testing.TB, makeIn func(dir string)) string {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir == "" {
		made, err := os.MkdirTemp(os.Getenv("HOME"), "template") //nolint:usetesting // it outlives the first test
		if err != nil {
			t.Fatal(err)
		}
		makeIn(made)
		m.dir = made
	}
	return m.dir
}

// copyFolder copies what is in a folder to another, with its modes, and with the times that
// an index of files has.
func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		there := to + strings.TrimPrefix(path, from)
		if e.IsDir() {
			return os.MkdirAll(there, info.Mode().Perm())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(there, text, info.Mode().Perm()); err != nil {
			return err
		}
		return os.Chtimes(there, info.ModTime(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOpenPlan takes for an open plan what looks like one to these tests.
func isOpenPlan(text string) bool { return strings.Contains(text, "- [ ]: ") }

// shown returns Options.Shows for what reports the same of a path at any time.
func shown(is func(path string) bool) func() func(path string) bool {
	return func() func(path string) bool { return is }
}

// open opens a store.
func open(t testing.TB, o Options) Store {
	t.Helper()
	if o.Kind == JJ && o.JJ == "" {
		o.JJ = findJJ(t)
	}
	if o.IsOpenPlan == nil {
		o.IsOpenPlan = isOpenPlan
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func load(t testing.TB, s Store) State {
	t.Helper()
	state, err := s.Load(t.Context())
	if err != nil {
		t.Fatalf("load: %v", detail(err))
	}
	return state
}

func save(t testing.TB, s Store, text string) State {
	t.Helper()
	state, err := Save(t.Context(), s, text, load(t, s).Version)
	if err != nil {
		t.Fatalf("save: %v", detail(err))
	}
	return state
}

// detail shows all of an error.
func detail(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return fmt.Sprintf("%+v", *e)
	}
	return fmt.Sprint(err)
}

// wantType fails the test unless the error has the type, says something useful and
// names no path of the host.
func wantType(t testing.TB, err error, want Type) {
	t.Helper()
	_ = typed(t, err, want)
}

// typed does what wantType does, and returns the error.
func typed(t testing.TB, err error, want Type) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Type != want {
		t.Fatalf("error %s, want type %s", detail(err), want)
	}
	if e.Hint == "" || e.Message == "" {
		t.Errorf("no message or no hint: %s", detail(err))
	}
	for _, part := range []string{e.Message, e.Hint, e.Command} {
		for _, path := range append(testkit.TempFolders(), os.Getenv("HOME"), "/usr") {
			if strings.Contains(part, path+"/") {
				t.Errorf("a path of the host in %q", part)
			}
		}
	}
	return e
}

// never is a check for New that lets everything pass.
func never(State) error { return nil }

// beWriter adds a line to a plan as often as writers do, and is a process.
func beWriter(kind Kind, root, name string) int {
	ctx, cancel := context.WithTimeout(context.Background(), whole)
	defer cancel()
	s, err := Open(ctx, Options{Root: root, Kind: kind, JJ: os.Getenv("SECTILE_TEST_JJ"), LockTimeout: whole})
	add := updateLine
	if strings.HasSuffix(name, "0") || strings.HasSuffix(name, "5") {
		add = addLine
	}
	if err == nil {
		err = add(ctx, s, name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, detail(err))
		return 1
	}
	return 0
}

// addLine adds a line to the plan by Load and Save, and starts over when somebody
// else was faster.
func addLine(ctx context.Context, s Store, line string) error {
	for {
		now, err := s.Load(ctx)
		if err != nil {
			return err
		}
		_, err = Save(ctx, s, now.Text+"- [ ]: "+line+"\n", now.Version)
		if !isType(err, TypeConcurrent) {
			return err
		}
	}
}

// updateLine adds a line by Update.
func updateLine(ctx context.Context, s Store, line string) error {
	_, err := s.Update(ctx, func(now State) (string, error) { return now.Text + "- [ ]: " + line + "\n", nil })
	return err
}

// manyWriters has processes and goroutines write to a plan at once, and sees that
// all that they wrote is there. It returns how often they did. SECTILE_LONG has more of them start programs.
func manyWriters(t *testing.T, o Options) (s Store, writes int) {
	t.Helper()
	processes, goroutines := 3, 4 // of each kind one writes by addLine
	if testkit.Long() {
		processes, goroutines = 8, 12
	}
	if o.Kind == File { // which start no programs that take long
		processes, goroutines = 20, 4
	}
	o.LockTimeout = whole
	s = open(t, o)
	save(t, s, "feat: many\n\n")
	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		failed []string
	)
	fail := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		failed = append(failed, fmt.Sprintf(format, args...))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range processes {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), self, o.Root, fmt.Sprint("process ", i))
			cmd.Env = append(os.Environ(), asProcess+"="+string(o.Kind), "SECTILE_TEST_JJ="+o.JJ)
			if out, err := cmd.CombinedOutput(); err != nil {
				fail("process %d: %v\n%s", i, err, out)
			}
		})
	}
	for i := range goroutines {
		all.Go(func() {
			add := updateLine
			if i%5 == 0 {
				add = addLine
			}
			if err := add(t.Context(), s, fmt.Sprint("goroutine ", i)); err != nil {
				fail("goroutine %d: %s", i, detail(err))
			}
		})
	}
	all.Wait()
	for _, f := range failed {
		t.Error(f)
	}
	text := load(t, s).Text
	for _, want := range []struct {
		what string
		n    int
	}{{"process", processes}, {"goroutine", goroutines}} {
		for i := range want.n {
			if strings.Count(text, fmt.Sprintf("- [ ]: %s %d\n", want.what, i)) != 1 {
				t.Errorf("the line of %s %d is not there once", want.what, i)
			}
		}
	}
	if got, want := strings.Count(text, "\n"), 2+processes+goroutines; got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, text)
	}
	return s, 1 + processes + goroutines
}
