package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sectile/sectile/internal/testkit"
)

var third = filepath.Join("..", "..", "THIRD_PARTY_LICENSES")

// The list has the modules that Go itself names, each with a licence and a hash, has the
// form that its schema asks for, and is the same each time.
func TestList(t *testing.T) {
	program := testkit.BuildProgram(t)
	out := filepath.Join(t.TempDir(), "a.json")
	var texts [2][]byte
	for i := range texts {
		if err := write(out, program, third, time.Unix(1767225600, 0).UTC()); err != nil {
			t.Fatal(err)
		}
		var err error
		if texts[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the same program makes two lists")
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(texts[0]), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	named, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for line := range strings.Lines(string(named)) {
		if fields := strings.Fields(line); len(fields) == 4 && fields[0] == "dep" {
			want = append(want, fields[1]+" "+fields[2])
		}
	}
	if len(want) < 5 {
		t.Fatalf("go version -m names %q", want)
	}
	for _, part := range *bom.Components {
		if part.Licenses == nil || part.Name != "std" && part.Hashes == nil {
			t.Errorf("%s has no licence or no hash", part.Name)
		}
		if part.Name != "std" {
			got = append(got, part.Name+" "+part.Version)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	if bom.Metadata.Timestamp != "2026-01-01T00:00:00Z" || len(*bom.Metadata.Component.Hashes) != 1 {
		t.Errorf("metadata: %+v", bom.Metadata)
	}
	var value map[string]any
	if err := json.Unmarshal(texts[0], &value); err != nil {
		t.Fatal(err)
	}
	schema := schemaOfCycloneDX(t)
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	value["bomFormat"] = "other"
	if schema.Validate(value) == nil {
		t.Error("the schema takes anything")
	}
}

// schemaOfCycloneDX returns the schema, which lies beside the library that writes the list.
func schemaOfCycloneDX(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string) (*jsonschema.Schema, error) {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schema", name))
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		return &s, json.Unmarshal(text, &s)
	}
	schema, err := load("bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		return load(strings.Replace(filepath.Base(uri.Path), "jsf-0.82.schema.json", "jsf-0.82.schemax.json", 1))
	}})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestListRefuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(empty+".json", empty, third, time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("what is no program: %v", err)
	}
	if err := write(empty+".json", testkit.BuildProgram(t), empty, time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "no licence is known of") {
		t.Errorf("without licences: %v", err)
	}
	if _, err := hashes("h1:AAAA"); err == nil {
		t.Error("a short hash is one")
	}
}
