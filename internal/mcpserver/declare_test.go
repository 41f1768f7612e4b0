package mcpserver

import (
	"testing"

	"github.com/sectile/sectile/internal/toolargs"
)

// TestDeclaredNames has every argument of every tool have a name, and each name once.
func TestDeclaredNames(t *testing.T) {
	var check func(place string, args []toolargs.Argument)
	check = func(place string, args []toolargs.Argument) {
		seen := map[string]bool{}
		for i := range args {
			for _, name := range append([]string{args[i].Name}, args[i].Aliases...) {
				if name == "" || seen[name] {
					t.Errorf("%s: %q is missing or there twice", place, name)
				}
				seen[name] = true
			}
			check(place+"."+args[i].Name, args[i].Fields)
		}
	}
	for _, tool := range allTools() {
		check(tool.name, tool.args)
	}
}
