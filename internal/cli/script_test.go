package cli_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sectile/sectile/internal/cli"
	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/mcpserver"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/view"
)

// The stories in testdata/script show what the commands do; they run the program
// as a process. `go test ./internal/cli -update` writes the outputs that they
// compare anew.

var update = flag.Bool("update", false, "write the expected outputs of the stories anew")

// inMemory runs the tests with their temporary files in memory.
type inMemory struct{ *testing.M }

func (m inMemory) Run() int { return testkit.RunInMemory(testkit.KeepGarbage(m.M.Run)) }

func TestMain(m *testing.M) {
	testscript.Main(inMemory{m}, map[string]func(){
		"sectile": func() {
			streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
			servers := cli.Servers{
				Serve: mcpserver.Serve, ServeHTTP: func(ctx context.Context, o doctor.ServerOptions, h doctor.HTTPOptions, log io.Writer) error {
					return mcpserver.ServeHTTP(ctx, o, h, log, view.Mount)
				}, View: view.Serve, Check: mcpserver.Check, Probe: mcpserver.Probe,
			}
			os.Exit(cli.RunProgram(context.Background(), os.Args[0], os.Args[1:], streams, servers))
		},
	})
}

func TestScripts(t *testing.T) {
	// The program starts faster than the tests, which have all of it and more in them, and
	// with the detector, or where statements are counted, it would go unseen.
	program := ""
	if !testkit.RaceDetector && testing.CoverMode() == "" {
		program = testkit.BuildProgram(t)
	}
	stories := testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"bytes": writeBytes, "interrupt": interrupt},
		Condition: func(name string) (bool, error) {
			variable, ok := strings.CutPrefix(name, "env:")
			if !ok {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return os.Getenv(variable) != "", nil
		},
		Setup: func(env *testscript.Env) error {
			path, err := program, error(nil)
			if program != "" {
				env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			} else {
				path, err = exec.LookPath("sectile")
			}
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("SECTILE", path) // for a story that changes the PATH
			if err == nil {
				// Where scripts/install-jj puts jj, for stories that need it.
				path, err = filepath.Abs(filepath.Join("..", "..", ".tools", "bin"))
				env.Setenv("TOOLS", path)
			}
			return err
		},
	}
	if testkit.RaceDetector {
		// Each command is a process, and most have one goroutine: with the detector a few
		// stories of each kind stand for all.
		stories.Dir = ""
		for _, name := range []string{"batch", "guide", "index", "mcp", "plan_git", "plan_jj", "tree"} {
			stories.Files = append(stories.Files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, stories)
}

// writeBytes is the command `bytes FILE TEXT`: it writes TEXT; in both Go's
// escapes such as \x00 stand for bytes, for what a story can't hold.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes file text")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(name)), 0o750))
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
}

// interrupt is the command `interrupt FILE...`: it changes the files as one change with the
// journal, and ends as a kill does when the first of them is in place.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt file file...")
	}
	for i := range args {
		args[i] = ts.MkAbs(args[i])
	}
	killed, placed := errors.New("killed"), 0
	j := journal.New(journal.Options{Dir: filepath.Join(ts.Getenv("XDG_STATE_HOME"), "sectile", "journal")})
	ctx := filesystem.WithSteps(j.In(context.Background()), func(call, _ string) error {
		if call == "exchange" {
			placed++
		}
		if placed > 1 {
			return killed
		}
		return nil
	})
	err := files.Update(ctx, args, files.UpdateOptions{}, func(tx *files.Tx) error {
		tx.Together()
		for _, path := range args {
			if err := tx.Write(path, []byte("interrupted\n")); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, killed) {
		ts.Fatalf("it was not interrupted: %v", err)
	}
}
