// Package testkit has what the tests of several packages share: documents that are real
// (CorpusFiles), generated with known outlines (Fixtures) or hard on parsers
// (HostileInputs, Extremes), texts of YAML such as these (YAML, HostileYAML), the program as a process (BuildProgram), a place for temporary
// files (RunInMemory), processes of a test's own (Elsewhere, WithMounts), and how much a run takes on (Long, Some). Only tests and the module
// dev use it.
//
// Which file holds what:
//
//   - corpus.go, fixture.go, fixture_body.go, hostile*.go, extreme.go: documents; folder.go:
//     folders of them; headings.go: markers of headings; program.go: the program as a process, and programs that are missing
//   - yaml.go, hostile_yaml.go: texts of YAML
//   - memory.go, memory_linux.go, memory_other.go: temporary files in memory, and those that aren't
//   - elsewhere_unix.go, mount_linux.go, folding_linux.go, mirror.go: tests in processes of their own, with file systems of their own
//   - opensearch.go: nodes of a search engine
//   - racing.go, race.go, norace.go: whether the race detector runs, and what is left out then
package testkit

import "os"

// Long reports whether the environment asks for tests of minutes: SECTILE_LONG is set.
// Without it, what only gains by its size has a fraction of it.
func Long() bool { return os.Getenv("SECTILE_LONG") != "" }
