//go:build !linux

package programs

// newInput makes an empty file.
func newInput() (input, error) { return temporaryInput() }

// limitMemory is for systems that let one process limit another.
func limitMemory(int) {}
