package packaging_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a package leads to is there when the package is: a release is a draft first,
// whose files nobody can load, so nothing that names them is published with it.
func TestReleaseOrder(t *testing.T) {
	config := decode(t, ".goreleaser.yaml")
	release, _ := config["release"].(map[string]any)
	if release["draft"] != true {
		t.Errorf("the release is no draft: %v", release)
	}
	casks := listOf(config, "homebrew_casks")
	if len(casks) == 0 {
		t.Error("there is no cask")
	}
	for _, cask := range casks {
		if skip := cask.(map[string]any)["skip_upload"]; skip != true {
			t.Errorf("a cask is pushed before the draft is published: skip_upload is %v", skip)
		}
	}
}

// Packages of distributions say what completions of bash need, and have no tree of
// files, for these keep the time at which they were made.
func TestPackageContents(t *testing.T) {
	for _, p := range listOf(decode(t, ".goreleaser.yaml"), "nfpms") {
		if diff := cmp.Diff([]any{"bash-completion"}, listOf(p, "suggests")); diff != "" {
			t.Errorf("suggests (-want +got):\n%s", diff)
		}
		contents := listOf(p, "contents")
		if len(contents) < 5 {
			t.Errorf("contents: %v", contents)
		}
		for _, content := range contents {
			if content := content.(map[string]any); content["type"] != nil {
				t.Errorf("%v is a %v", content["src"], content["type"])
			}
		}
	}
}

// A container writes as somebody who may write in the folder that it is given: its own
// user has no right to, on Linux.
func TestContainerUser(t *testing.T) {
	const user = `--user "$(id -u):$(id -g)"`
	for _, path := range []string{"docs/how-to-install.md", "Dockerfile"} {
		if runs := strings.Count(read(t, path), "docker run"); runs == 0 || strings.Count(read(t, path), "docker run -i --rm "+user) != runs {
			t.Errorf("%s runs the image %d times, not always with %s", path, runs, user)
		}
	}
	given := 0
	for _, p := range listOf(decode(t, "server.json"), "packages") {
		for _, argument := range listOf(p, "runtimeArguments") {
			a := argument.(map[string]any)
			if a["name"] == "--user" && a["value"] == "{user}" && a["isRequired"] == true {
				given++
			}
		}
	}
	if given != 1 {
		t.Errorf("server.json asks %d times for the user of the container, want once", given)
	}
}
