// Package fuzzing checks scripts/fuzz: what it finds nothing in must have been fuzzed.
package fuzzing

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestFaultsAreFound runs the script in a module whose targets fail, hang, skip or try
// next to nothing, and sees that it names each of them and what is wrong with it.
func TestFaultsAreFound(t *testing.T) {
	testkit.OneGoroutine(t)
	if testing.Short() {
		t.Skip("takes seconds")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]string{"scripts/fuzz": filepath.Join("..", "..", "scripts", "fuzz"), "a/a_test.go": filepath.Join("testdata", "a_test.go"), "go.mod": ""} {
		text := []byte("module example.com/m\n\ngo 1.26\n")
		if from != "" {
			if text, err = os.ReadFile(from); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Join(strings.TrimSpace(string(cache)), "fuzz", "example.com", "m")) })
	cmd := exec.CommandContext(t.Context(), bash, filepath.Join(dir, "scripts", "fuzz"), "1s")
	cmd.Env = append(os.Environ(), "FUZZ_AGAIN=1s", "FUZZ_SEEDS=3", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	_, end, _ := strings.Cut(string(out), " targets failed; the inputs:\n")
	got := map[string]string{}
	for line := range strings.Lines(end) {
		name, what, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "example.com/m/a "), ": ")
		got[name] = filepath.ToSlash(what)
	}
	for name, want := range map[string]string{
		"FuzzHang":       "some input takes seconds or has no end; run it for longer",
		"FuzzFails":      regexp.QuoteMeta(filepath.ToSlash(dir)) + "/a/testdata/fuzz/FuzzFails/[0-9a-f]+",
		"FuzzSeedFails":  "the seed FuzzSeedFails/seed#1",
		"FuzzSeedPanics": "the seed FuzzSeedPanics/seed#1",
		"FuzzSkips":      "only 0 seeds are tried, at least 3 are wanted",
		"FuzzSkipped":    "only 0 seeds are tried, at least 3 are wanted",
		"FuzzFew":        "only 1 seeds are tried, at least 3 are wanted",
	} {
		if !regexp.MustCompile("^" + want + "$").MatchString(got[name]) {
			t.Errorf("of %s it says %q, want %s", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) != 0 {
		t.Errorf("these failed as well: %v", got)
	}
	if !regexp.MustCompile(`(?m)^a FuzzFine: fuzz: elapsed: .* execs: [1-9]`).Match(out) {
		t.Error("FuzzFine was not fuzzed")
	}
	list, err := exec.CommandContext(t.Context(), bash, filepath.Join(dir, "scripts", "fuzz"), "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	if listed := strings.Fields(string(list)); !slices.Contains(listed, "FuzzFine$") || len(listed) < 16 || listed[0] != "./a" {
		t.Errorf("it lists %q", list)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
