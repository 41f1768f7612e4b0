//go:build race

package testkit

// RaceDetector reports whether this program was built with the race detector.
const RaceDetector = true
