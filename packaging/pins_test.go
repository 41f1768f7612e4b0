package packaging_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whoever can move a tag decides what runs under it. So what builds, tests and releases
// sectile is named by digest, with the tag beside it for the reader and for Dependabot.
var (
	pinnedAction = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	ownWorkflow  = regexp.MustCompile(`^\./\.github/workflows/[\w-]+\.yml$`)
	pinnedImage  = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
	pinnedRunner = regexp.MustCompile(`^[a-z]+-\d[\d.]*$`)

	uses    = regexp.MustCompile(`^\s*(?:- )?uses:\s*(.*)$`)
	runsOn  = regexp.MustCompile(`^\s*(?:runs-on|os):\s*(.*)$`)
	image   = regexp.MustCompile(`\bimage[=:]\s*([^\s"']+)`)
	from    = regexp.MustCompile(`(?i)^\s*FROM\s+(?:--\S+\s+)*(\S+)`)
	copying = regexp.MustCompile(`(?i)^\s*(?:COPY|ADD)\s.*--from=(\S+)`)
)

// unpinned returns what the lines of a workflow load that another version could take the
// place of.
func unpinned(workflow string) (found []string) {
	for line := range strings.Lines(workflow) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if m := uses.FindStringSubmatch(line); len(m) > 1 && !pinnedAction.MatchString(m[1]) && !ownWorkflow.MatchString(m[1]) {
			found = append(found, m[1])
		}
		if m := image.FindStringSubmatch(line); len(m) > 1 && !pinnedImage.MatchString(m[1]) {
			found = append(found, m[1])
		}
		if m := runsOn.FindStringSubmatch(line); len(m) > 1 && !strings.HasPrefix(m[1], "${{ matrix.") {
			for runner := range strings.SplitSeq(strings.Trim(m[1], "[]"), ",") {
				if runner = strings.TrimSpace(runner); !pinnedRunner.MatchString(runner) {
					found = append(found, runner)
				}
			}
		}
	}
	return found
}

// unpinnedBases returns the images that a Dockerfile starts from or copies from and names
// by no digest.
func unpinnedBases(dockerfile string) (found []string) {
	for line := range strings.Lines(dockerfile) {
		for _, kind := range []*regexp.Regexp{from, copying} {
			if m := kind.FindStringSubmatch(line); len(m) > 1 && m[1] != "scratch" && !pinnedImage.MatchString(m[1]) {
				found = append(found, m[1])
			}
		}
	}
	return found
}

func TestPins(t *testing.T) {
	t.Chdir("..")
	workflows, err := filepath.Glob(filepath.Join(".github", "workflows", "*"))
	if err != nil || len(workflows) < 2 {
		t.Fatalf("the workflows are %q, %v", workflows, err)
	}
	dockerfiles := 0
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", ".tools", "node_modules", "dist", "build", "testdata"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.Contains(strings.ToLower(d.Name()), "dockerfile"):
			return nil
		}
		dockerfiles++
		text, err := os.ReadFile(path)
		for _, base := range unpinnedBases(string(text)) {
			t.Errorf("%s: the image %s has no digest", path, base)
		}
		return err
	})
	if err != nil || dockerfiles == 0 {
		t.Fatalf("%d Dockerfiles, %v", dockerfiles, err)
	}
	for _, path := range workflows {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range unpinned(string(text)) {
			t.Errorf("%s: %s is not pinned: write the commit's 40 digits and # vX.Y.Z, the image's digest, or the runner's version", path, name)
		}
	}
}

func TestUnpinnedIsFound(t *testing.T) {
	digest := strings.Repeat("0f", 20)
	for line, want := range map[string]bool{
		"- uses: actions/checkout@" + digest + " # v7.0.1":                          false,
		"  uses: ./.github/workflows/ci.yml":                                        false,
		"    # uses: actions/checkout@v4":                                           false,
		"- uses: actions/checkout@" + digest:                                        true,
		"- uses: actions/checkout@" + digest[2:] + " # v7.0.1":                      true,
		"- uses: actions/checkout@" + digest + " # v7":                              true,
		"- uses: actions/checkout@v4 # v4.0.0":                                      true,
		"uses: docker://alpine:3":                                                   true,
		"runs-on: ubuntu-24.04":                                                     false,
		"runs-on: ${{ matrix.os }}":                                                 false,
		"runs-on: ubuntu-latest":                                                    true,
		"os: [macos-15, windows-2025]":                                              false,
		"os: [macos-15, windows-latest]":                                            true,
		"--driver-opt image=moby/buildkit:v1@sha256:" + strings.Repeat("0f", 32):    false,
		"--driver-opt image=moby/buildkit:v1":                                       true,
		"image: postgres:18":                                                        true,
		"--driver-opt image=moby/buildkit@sha256:" + strings.Repeat("0f", 32) + "0": true,
	} {
		if got := unpinned(line); (len(got) > 0) != want {
			t.Errorf("%s: found %q, want something: %v", line, got, want)
		}
	}
	for text, want := range map[string]bool{
		"FROM scratch\n": false, "FROM a/b:1@sha256:" + strings.Repeat("0f", 32) + "\n": false,
		"FROM a/b:1\n": true, "from --platform=x a/b AS c\n": true, "FROM scratch\nCOPY --from=a/b:1 /c /c\n": true,
	} {
		if got := unpinnedBases(text); (len(got) > 0) != want {
			t.Errorf("%s: found %q, want something: %v", text, got, want)
		}
	}
}

// Workflows may do what their work needs and no more: nothing by default, and to write
// only where a release is made.
func TestWorkflowPermissions(t *testing.T) {
	want := map[string]map[string][]string{
		"ci.yml":      {"": {"contents: read"}},
		"long.yml":    {"": {"contents: read"}},
		"release.yml": {"ci": {"contents: read"}, "draft": {"attestations: write", "contents: write", "id-token: write", "packages: write"}},
	}
	entries, err := os.ReadDir(filepath.Join("..", ".github", "workflows"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		workflow := decode(t, ".github/workflows/"+e.Name())
		got := map[string][]string{}
		if _, ok := workflow["permissions"]; !ok {
			t.Errorf("%s leaves its permissions to the repository's settings", e.Name())
		}
		note := func(job string, holder any) {
			switch permissions := holder.(map[string]any)["permissions"].(type) {
			case nil:
			case map[string]any:
				for name, level := range permissions {
					got[job] = append(got[job], fmt.Sprint(name, ": ", level))
				}
				slices.Sort(got[job])
			default:
				got[job] = []string{fmt.Sprint(permissions)}
			}
		}
		note("", workflow)
		for name, job := range workflow["jobs"].(map[string]any) {
			note(name, job)
		}
		for job, permissions := range got {
			if !slices.Equal(permissions, want[e.Name()][job]) {
				t.Errorf("%s, job %q: permissions %q, want %q", e.Name(), job, permissions, want[e.Name()][job])
			}
		}
		for job := range want[e.Name()] {
			if got[job] == nil {
				t.Errorf("%s: job %q has no permissions of its own", e.Name(), job)
			}
		}
	}
}
