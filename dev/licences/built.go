package main

// Tests, scripts and the benchmark are built with modules that are not part of the
// program. Nobody is handed these, so that their texts need not go with it; but whoever
// works on sectile has them, and so their licences are judged and listed as well.

// mains are the folders of the modules of ours that tests and scripts are in.
var mains = []string{".", "dev"}

// onLinux makes the lists the same wherever they are made.
var onLinux = []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}

// builtWith returns the modules that packages and their tests are built with, but for
// those that are linked.
func builtWith(linked []*module) ([]*module, error) {
	found := newFinding()
	for _, dir := range mains {
		packages, err := list(dir, onLinux, "-test", "./...")
		if err != nil {
			return nil, err
		}
		if err := found.add(packages); err != nil {
			return nil, err
		}
	}
	for _, m := range linked {
		delete(found.modules, m.Path)
	}
	return found.sorted(), nil
}
