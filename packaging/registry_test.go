package packaging_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// The entry of the registry is valid by the schema that it names, as it stands and
// with a hash.
func TestRegistryEntry(t *testing.T) {
	schema := registrySchema(t)
	for name, tt := range map[string]struct {
		old, text string
		valid     bool
	}{
		"as it is":            {"", "", true},
		"with a hash":         {`"registryType": "mcpb",`, `"registryType": "mcpb", "fileSha256": "` + strings.Repeat("0f", 32) + `",`, true},
		"with half of a hash": {`"registryType": "mcpb",`, `"registryType": "mcpb", "fileSha256": "` + strings.Repeat("0f", 16) + `",`, false},
		"without a name":      {`"name": "io.`, `"called": "io.`, false},
		"without a folder":    {`io.github.sectile/sectile`, `sectile`, false},
		"another transport":   {`"stdio"`, `"pipe"`, false},
	} {
		text := read(t, "server.json")
		if !strings.Contains(text, tt.old) {
			t.Errorf("%s: server.json does not hold %s", name, tt.old)
		}
		var entry any
		if err := json.Unmarshal([]byte(strings.Replace(text, tt.old, tt.text, 1)), &entry); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(entry); (err == nil) != tt.valid {
			t.Errorf("%s: %v, want it valid: %v", name, err, tt.valid)
		}
	}
}

// registrySchema returns the schema that server.json names, from testdata/registry.
func registrySchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	address, _ := decode(t, "server.json")["$schema"].(string)
	date := filepath.Base(filepath.Dir(address))
	text, err := os.ReadFile(filepath.Join("testdata", "registry", date+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(address, strings.TrimPrefix(schema.ID, "https://")) {
		t.Errorf("the schema is %s, want %s", schema.ID, address)
	}
	return resolved
}
