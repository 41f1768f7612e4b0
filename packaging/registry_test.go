package packaging_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sectile/sectile/internal/testprogram"
)

// registry is the module of the MCP registry, which holds the schemas that it checks
// entries with.
const registry = "github.com/modelcontextprotocol/registry@v1.8.7"

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

// registrySchema returns the schema that server.json names.
func registrySchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	address, _ := decode(t, "server.json")["$schema"].(string)
	date := filepath.Base(filepath.Dir(address))
	cmd := exec.Command("go", "mod", "download", "-json", registry)
	cmd.Dir = t.TempDir() // outside of the module, which does not depend on it
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr != nil || module.Dir == "" {
		testprogram.Missing(t, "the module with the schemas of the registry can't be had: "+module.Error+" "+string(out))
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "internal", "validators", "schemas", date+".json"))
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
