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

// The hashes of all files are signed by the workflow that made them, and the commands that
// users are given ask for just that workflow.
func TestReleaseIsSigned(t *testing.T) {
	const workflow = ".github/workflows/release.yml"
	want := []any{map[string]any{
		"cmd": "cosign", "artifacts": "checksum", "signature": "${artifact}.sigstore.json",
		"args": []any{"sign-blob", "--yes", "--bundle=${signature}", "${artifact}"},
	}}
	config := decode(t, ".goreleaser.yaml")
	if diff := cmp.Diff(want, listOf(config, "signs")); diff != "" {
		t.Errorf("signs (-want +got):\n%s", diff)
	}
	if name := config["checksum"].(map[string]any)["name_template"]; name != "checksums.txt" {
		t.Errorf("the hashes are in %v", name)
	}
	for path, identity := range map[string]string{
		workflow:                 `"https://github.com/$GITHUB_REPOSITORY/` + workflow + `@$GITHUB_REF"`,
		"docs/how-to-install.md": "https://github.com/sectile/sectile/" + workflow + "@refs/tags/v",
	} {
		text := read(t, path)
		for _, part := range []string{
			"cosign verify-blob", "--bundle checksums.txt.sigstore.json", "--certificate-identity " + identity,
			"--certificate-oidc-issuer https://token.actions.githubusercontent.com", "gh attestation verify", "--source-ref", "--signer-workflow",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("%s does not say %s", path, part)
			}
		}
	}
	attested := 0
	jobs := decode(t, workflow)["jobs"].(map[string]any)
	for _, step := range listOf(jobs["draft"], "steps") {
		with, _ := step.(map[string]any)["with"].(map[string]any)
		if s := with["subject-checksums"]; s == "dist/checksums.txt" || s == "dist/digests.txt" {
			attested++
		}
	}
	if attested != 2 {
		t.Errorf("%d of files and images are attested, want both", attested)
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
