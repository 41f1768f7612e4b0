// Package testkit has what the tests of several packages share: documents that are real
// (CorpusFiles), generated with known outlines (Fixtures) or hard on parsers
// (HostileInputs, Extremes), the program as a process (BuildProgram), and how much a run
// takes on (Long, Some). Only tests and the module dev use it.
package testkit

import "os"

// Long reports whether the environment asks for tests of minutes: SECTILE_LONG is set.
// Without it, what only gains by its size has a fraction of it.
func Long() bool { return os.Getenv("SECTILE_LONG") != "" }
