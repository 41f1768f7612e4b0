//go:build !race

package racing

// Detector reports whether this program was built with the race detector.
const Detector = false
