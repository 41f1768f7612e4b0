package mcpserver

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// fingerprints returns what tells each file and folder below some folders from what it
// was: type, mode, times, content.
func fingerprints(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			text := []byte{}
			if info.Mode().IsRegular() {
				if text, err = os.ReadFile(path); err != nil {
					return err
				}
			}
			all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(text))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestReadOnlyWritesNothing has a server that must not write, as a process, in
// repositories of which a read would write something down: files that no snapshot has,
// operations that aren't merged, an index that is missing, a configuration that jj would
// move. Each tool is called, and not a byte or a time of the project, its repository or
// the user's configuration is another one after it.
func TestReadOnlyWritesNothing(t *testing.T) {
	const unsaved = "a change that no snapshot has"
	for _, c := range []struct {
		name, store string
		make        func(t *testing.T, dir string)
		wants       string // in the reply of gather_requirements
	}{
		{name: "git", store: "git"},
		{name: "a plan of another branch", store: "git", make: func(t *testing.T, dir string) {
			t.Helper()
			runIn(t, dir, "git", "update-ref", "refs/sectile/plans/other", strings.TrimSpace(runIn(t, dir, "git", "commit-tree", "-m", "feat(other): plan", "HEAD^{tree}")))
		}, wants: "feat(other): plan"},
		{name: "file", store: "file"},
		{name: "jj", store: "jj", wants: "nothing may be written"},
		{name: "jj and git", store: "git", make: func(t *testing.T, dir string) {
			t.Helper()
			need(t, "jj")
			runIn(t, dir, "jj", "git", "init", "--colocate")
			runIn(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "beside jj")
		}, wants: "nothing may be written"},
		{name: "operations at once", store: "jj", make: func(t *testing.T, dir string) {
			t.Helper()
			at := strings.TrimSpace(runIn(t, dir, "jj", "op", "log", "--no-graph", "--limit", "1", "-T", "id"))
			runIn(t, dir, "jj", "describe", "-m", "feat(a): one", "--at-op", at)
			runIn(t, dir, "jj", "describe", "-m", "feat(a): two", "--at-op", at)
		}, wants: "have run at once"},
		{name: "no index", store: "jj", make: func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(dir, ".jj", "repo", "index", "op_links")); err != nil {
				t.Fatal(err)
			}
		}, wants: "jj log"},
		{name: "a configuration of old", store: "jj", make: func(t *testing.T, dir string) {
			t.Helper()
			if runtime.GOOS != "linux" {
				t.Skip("the system doesn't keep jj from moving it")
			}
			config := filepath.Join(dir, ".jj", "repo", "config.toml")
			if err := os.WriteFile(config, []byte("ui.color = \"never\"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a repository that was copied", store: "jj", make: func(t *testing.T, dir string) {
			t.Helper()
			if runtime.GOOS != "linux" {
				t.Skip("the system doesn't keep jj from copying its configuration")
			}
			runIn(t, dir, "jj", "config", "set", "--repo", "ui.color", "never")
			if err := os.Rename(dir, dir+" moved"); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(dir, os.DirFS(dir+" moved")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := planned(t, c.store)
			if c.make != nil {
				c.make(t, dir)
			}
			for path, text := range guided(map[string]string{"guide.md": guide + unsaved}) {
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			session := process(t, dir, "--read-only")
			for name, args := range readingCalls() {
				before := fingerprints(t, dir, os.Getenv("XDG_CONFIG_HOME"))
				text, _ := ask(t, session, name, args)
				after := fingerprints(t, dir, os.Getenv("XDG_CONFIG_HOME"))
				if name == toolGather {
					shows(t, text, c.wants)
				}
				for path, was := range before {
					if after[path] != was {
						t.Errorf("%s changed %s", name, path)
					}
					delete(after, path)
				}
				for path := range after {
					t.Errorf("%s made %s", name, path)
				}
			}
		})
	}
}

// TestReadOnlyDoctorWritesNothing has doctor look at a project, with a folder for temporary files
// of its own: not a byte and no time of either, or of the user's folders, is another one after it.
func TestReadOnlyDoctorWritesNothing(t *testing.T) {
	for _, store := range []string{"git", "jj", "file"} {
		t.Run(store, func(t *testing.T) {
			dir := planned(t, store)
			temporary, state := t.TempDir(), t.TempDir()
			cmd := exec.CommandContext(t.Context(), testkit.BuildProgram(t), "doctor", "--read-only", "--json", "--root", dir)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "TMP="+temporary, "TEMP="+temporary, "XDG_STATE_HOME="+state)
			all := func() map[string]string { return fingerprints(t, dir, temporary, state, os.Getenv("XDG_CONFIG_HOME")) }
			before := all()
			out, err := cmd.Output()
			if text := string(out); err != nil && !strings.Contains(text, `"name":"path","status":"failed"`) || strings.Count(text, `"status":"failed"`) > 1 {
				t.Errorf("%v: %s", err, text)
			} else if !strings.Contains(text, "; no tool was called, for --read-only makes no document to ask about") {
				t.Errorf("what wasn't tried isn't told: %s", text)
			}
			if diff := cmp.Diff(before, all()); diff != "" {
				t.Errorf("doctor wrote (-before +after):\n%s", diff)
			}
		})
	}
}
