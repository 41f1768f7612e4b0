package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
)

// peer returns the path of a program that scripts/install-peers has put into the project.
func peer(m *machine, name string) string {
	return filepath.Join(m.root, ".tools", "peers", "bin", name)
}

// findPeer reports why such a program can't be used, or nil.
func findPeer(name string) func(context.Context, *machine) error {
	return func(_ context.Context, m *machine) error {
		if _, err := exec.LookPath(peer(m, name)); err != nil {
			return errors.New("it is not in .tools/peers") // and no path of this machine, for a page may have it
		}
		return nil
	}
}

// installPeer says how to get a peer.
func installPeer(name string) string { return "scripts/install-peers " + name }
