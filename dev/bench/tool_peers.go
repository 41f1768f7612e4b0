package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// peer returns the path of a program that scripts/install-peers has put into the project.
func peer(m *machine, name string) string {
	return filepath.Join(m.root, ".tools", "peers", "bin", name)
}

// findPeer reports why such a program can't be used, or nil.
func findPeer(m *machine, name string) func(context.Context, *machine) error {
	return findProgram(peer(m, name))
}

// python returns the interpreter itself, for what a PATH has may be a script that looks for one.
var python = sync.OnceValue(func() string {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return name
	}
	return "python3"
})

// peerPython is a command of Python with a package that scripts/install-peers has unpacked.
func peerPython(m *machine, name, module string, arguments ...string) []string {
	return append([]string{"env", "PYTHONPATH=" + filepath.Join(m.root, ".tools", "peers", "python", name), python(), "-m", module}, arguments...)
}

// peerScript is a command of Python that runs a script of such a package.
func peerScript(m *machine, name, script string, arguments ...string) []string {
	return append([]string{"env", "PYTHONPATH=" + filepath.Join(m.root, ".tools", "peers", "python", name), python(), wheel(m, name, script)}, arguments...)
}

// peerVersion returns the version of such a package.
func peerVersion(m *machine, name string) func(context.Context) string {
	return func(context.Context) string {
		start := filepath.Join(m.root, ".tools", "peers", "python", name, strings.ReplaceAll(name, "-", "_")+"-")
		found, _ := filepath.Glob(start + "*.dist-info") // the pattern is right
		if len(found) != 1 {
			return ""
		}
		return strings.TrimSuffix(strings.TrimPrefix(found[0], start), ".dist-info")
	}
}

// wheel returns the path of a program that such a package has.
func wheel(m *machine, name, program string) string {
	return filepath.Join(m.root, ".tools", "peers", "python", name, "bin", program)
}

// findProgram reports why a program of a peer can't be used, or nil.
func findProgram(path string) func(context.Context, *machine) error {
	return func(context.Context, *machine) error {
		if _, err := exec.LookPath(path); err != nil {
			return errors.New("it is not in .tools/peers") // and no path of this machine, for a page may have it
		}
		return nil
	}
}

// installPeer says how to get a peer.
func installPeer(name string) string { return "scripts/install-peers " + name }
