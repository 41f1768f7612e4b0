// Package packaging_test checks what can be said of packages without building them:
// that the manifests agree with each other and with the program. What needs the
// packages themselves, or other programs, is in scripts/package.
package packaging_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/sectile/sectile/internal/cli"
)

// `go test ./packaging -update` gives all manifests the version in packaging/version,
// and the plugin the skill file and the hook of the program.
var update = flag.Bool("update", false, "write the manifests anew")

// read returns the text of a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// decode returns the value of a JSON or YAML file of the repository.
func decode(t *testing.T, path string) map[string]any {
	t.Helper()
	var value map[string]any
	if err := yaml.Unmarshal([]byte(read(t, path)), &value); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return value
}

// compare fails if a file of the repository has not the text that it should have, or
// writes it.
func compare(t *testing.T, path, want string) {
	t.Helper()
	got := read(t, path)
	switch {
	case got == want:
	case *update:
		if err := os.WriteFile(filepath.Join("..", path), []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is stale (-want +got); run go test ./packaging -update\n%s", path, cmp.Diff(want, got))
	}
}

// printed returns what a command of the program prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{}}
	if code := cli.Run(t.Context(), args, streams, cli.Servers{}); code != 0 {
		t.Fatalf("%q: exit code %d", args, code)
	}
	return out.String()
}

// versionIn is a version where a manifest has its own.
var versionIn = regexp.MustCompile(`("version": "|/download/v|sectile_|ghcr\.io/sectile/sectile:)(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+?)?)("|/|\.mcpb)`)

// One version is in all manifests, so often as each has it.
func TestVersions(t *testing.T) {
	version := strings.TrimSpace(read(t, "packaging/version"))
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`).MatchString(version) {
		t.Fatalf("packaging/version is %q, which is no version", version)
	}
	for path, times := range map[string]int{
		".claude-plugin/marketplace.json":                    2,
		"packaging/claude-plugin/.claude-plugin/plugin.json": 1,
		"packaging/mcpb/manifest.json":                       1,
		"gemini-extension.json":                              1,
		"server.json":                                        4,
	} {
		text := read(t, path)
		if n := len(versionIn.FindAllString(text, -1)); n != times {
			t.Errorf("%s has %d versions, want %d", path, n, times)
		}
		compare(t, path, versionIn.ReplaceAllString(text, "${1}"+version+"${3}"))
	}
}

// The skill and the hook of the plugin are those of the program.
func TestPlugin(t *testing.T) {
	const plugin = "packaging/claude-plugin/"
	compare(t, plugin+"skills/sectile/SKILL.md", printed(t, "skill"))
	compare(t, plugin+"LICENSE", read(t, "LICENSE"))
	var settings map[string]any
	// The program is named by its path where the PATH does not lead to it.
	text := regexp.MustCompile(`"command": ".*? hook claude"`).ReplaceAllString(
		printed(t, "hook", "claude", "--print-config"), `"command": "sectile hook claude"`)
	if err := json.Unmarshal([]byte(text), &settings); err != nil {
		t.Fatal(err)
	}
	hooks := decode(t, plugin+"hooks/hooks.json")
	delete(hooks, "description")
	if diff := cmp.Diff(normal(t, settings), normal(t, hooks)); diff != "" {
		t.Errorf("the hook of the plugin is not that of the program (-want +got):\n%s", diff)
	}
}

// normal returns a value as it is after a way through JSON, so that numbers of two
// decoders are equal.
func normal(t *testing.T, value any) (same any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &same)
	}
	if err != nil {
		t.Fatal(err)
	}
	return same
}

// All manifests start the server in the same way, but for where the documents are.
func TestManifestsStartTheServer(t *testing.T) {
	want := []any{"mcp", "--preset", "lean"}
	at := func(value any, keys ...string) any {
		for _, key := range keys {
			value = value.(map[string]any)[key]
		}
		return value
	}
	for path, keys := range map[string][]string{
		"packaging/claude-plugin/.mcp.json": {"mcpServers", "sectile", "args"},
		"gemini-extension.json":             {"mcpServers", "sectile", "args"},
		"packaging/mcpb/manifest.json":      {"server", "mcp_config", "args"},
	} {
		args := slices.DeleteFunc(slices.Clone(at(decode(t, path), keys...).([]any)), func(arg any) bool {
			return arg == "--root" || arg == "${user_config.folder}"
		})
		if diff := cmp.Diff(want, args); diff != "" {
			t.Errorf("%s starts the server with other arguments (-want +got):\n%s", path, diff)
		}
	}
	var image []any
	for _, p := range decode(t, "server.json")["packages"].([]any) {
		for _, argument := range listOf(p, "packageArguments") {
			for _, key := range []string{"name", "value"} {
				if word := at(argument, key); word != nil {
					image = append(image, word)
				}
			}
		}
	}
	if diff := cmp.Diff(want, image); diff != "" {
		t.Errorf("server.json starts the image with other arguments (-want +got):\n%s", diff)
	}
}

// listOf returns a list of a JSON object, or nil.
func listOf(object any, key string) []any {
	list, _ := object.(map[string]any)[key].([]any)
	return list
}

// There is no Docker where the tests run, so what matters of the image is read: it
// holds nothing but the program, runs as a user without rights that a cluster can tell by
// its number, and has the label that the registry looks for.
func TestDockerfile(t *testing.T) {
	var lines []string
	for line := range strings.Lines(read(t, "Dockerfile")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	name, _ := decode(t, "server.json")["name"].(string)
	want := []string{
		"FROM scratch",
		"ARG TARGETPLATFORM",
		"COPY --chmod=0755 ${TARGETPLATFORM}/sectile /usr/bin/sectile",
		`LABEL io.modelcontextprotocol.server.name="` + name + `"`,
		"USER 65532:65532",
		"WORKDIR /work",
		`ENTRYPOINT ["/usr/bin/sectile"]`,
		`CMD ["mcp"]`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("the Dockerfile says something else (-want +got):\n%s", diff)
	}
}

// A release is built with the flags that scripts/package builds it again with, for
// every system that is promised.
func TestReleaseConfiguration(t *testing.T) {
	build := decode(t, ".goreleaser.yaml")["builds"].([]any)[0]
	for key, want := range map[string][]any{
		"env":     {"CGO_ENABLED=0"},
		"goos":    {"linux", "darwin", "windows"},
		"goarch":  {"amd64", "arm64"},
		"flags":   {"-trimpath", "-buildvcs=true"},
		"ldflags": {"-s -w -buildid="},
	} {
		if diff := cmp.Diff(want, listOf(build, key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if line := "build_flags=(-trimpath -buildvcs=true '-ldflags=-s -w -buildid=')"; !strings.Contains(read(t, "scripts/package"), "\n"+line+"\n") {
		t.Errorf("scripts/package builds with other flags than .goreleaser.yaml: want %s", line)
	}
}

// What makes manual pages stays out of the program: it would cost time at every start.
func TestProgramHasNoGenerator(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/sectile/sectile/cmd/sectile").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/spf13/cobra") {
		t.Errorf("the list of packages is not that of the program: %q", deps)
	}
	for _, dep := range deps {
		if strings.HasPrefix(dep, "github.com/spf13/cobra/") || strings.Contains(dep, "md2man") {
			t.Errorf("the program links %s", dep)
		}
	}
}
