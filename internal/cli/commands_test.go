package cli

import "testing"

// TestCommandNames: commands are called by the names under which they are made.
func TestCommandNames(t *testing.T) {
	all := newRoot(Streams{}, Servers{}, "").Commands()
	listed := map[string]bool{}
	for _, c := range commands(Streams{}, Servers{}) {
		if name := c.make().Name(); name != c.name {
			t.Errorf("%q is made as %q", name, c.name)
		}
		listed[c.name] = true
		if got := onlyOf([]string{c.name, "a.md"}); got != c.name {
			t.Errorf("%q needs %q", c.name, got)
		}
	}
	for _, c := range all {
		if !listed[c.Name()] && c.Name() != "completion" {
			t.Errorf("%q is made apart", c.Name())
		}
		if len(c.Aliases) > 0 {
			t.Errorf("%q has other names, by which it is not found", c.Name())
		}
	}
	for _, args := range [][]string{nil, {"help", "tree"}, {"a.md"}, {"__complete", "tre"}, {"--help"}, {"completion", "bash"}} {
		if got := onlyOf(args); got != "" {
			t.Errorf("%q needs %q alone", args, got)
		}
	}
}
