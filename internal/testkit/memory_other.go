//go:build !linux

package testkit

// freeMemory returns nothing: other systems have no folder in memory that is always there.
func freeMemory(uint64) string { return "" }
