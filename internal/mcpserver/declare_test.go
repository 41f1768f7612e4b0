package mcpserver

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestToolsOfTheAgentsPage compares the table of tools that AGENTS.md has with the tools.
func TestToolsOfTheAgentsPage(t *testing.T) {
	page, err := os.ReadFile("../../AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (`.*) \\|$").FindAllSubmatch(page, -1) {
		// Members of objects stand in brackets.
		plain := regexp.MustCompile(`\([^)]*\)`).ReplaceAll(row[2], nil)
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllSubmatch(plain, -1) {
			told[string(row[1])] = append(told[string(row[1])], string(name[1]))
		}
		slices.Sort(told[string(row[1])])
	}
	are := map[string][]string{}
	for _, tool := range allTools() {
		for i := range tool.args {
			if !tool.args[i].Hidden {
				are[tool.name] = append(are[tool.name], tool.args[i].Name)
			}
		}
		slices.Sort(are[tool.name])
	}
	if diff := cmp.Diff(are, told); diff != "" {
		t.Errorf("the tools, and what AGENTS.md tells of them (-tools +page):\n%s", diff)
	}
}
