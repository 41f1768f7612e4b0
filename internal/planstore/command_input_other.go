//go:build !linux

package planstore

// newInput makes an empty file.
func newInput() (input, error) { return temporaryInput() }
