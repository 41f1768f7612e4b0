package config

import (
	"path/filepath"
	"testing"
)

// TestJournalMayBeMeant gives files with mistakes: what may say something of the journal is no leave
// to keep what is usual, and what can't is.
func TestJournalMayBeMeant(t *testing.T) {
	for text, unknown := range map[string]bool{
		"journal: {days: x}\n":         true,
		"Journal: {days: 0}\n":         true,
		"jornal: {days: 0}\n":          true,
		"journal\u00a0: {days: 0}\n":   true,
		"days: 0\n":                    true,
		"Days: 0\n":                    true,
		"DAYS: 0\n":                    true,
		"day: 0\n":                     true,
		"Bytes: 1\n":                   true,
		"byte: 1\n":                    true,
		"categorys: {}\n":              false,
		"collection: {}\n":             false,
		"guide: 1\n":                   false,
		"links: 1\n":                   false,
		"heading: []\n":                false,
		"headings: 1\n":                false,
		"plans: {}\n":                  false,
		"trust: {dirs: []}\n":          false,
		"search: {by: x}\n":            false,
		"guide: {max_file_byte: 1}\n":  false,
		"guide: {max_file_bytes: x}\n": false,
		"journal: [\n":                 true,
		"x: [\n":                       false,
		"guides: {}\n":                 false,
		"guide: {max_files: x}\n":      false,
		"journal: {days: 7}\nx: 1\n":   false,
	} {
		dir := tree(t, map[string]string{"user.yaml": text})
		l := NewLoader(LoadOptions{Start: dir, UserFile: filepath.Join(dir, "user.yaml")})
		if _, err := l.Journal(); (err != nil) != unknown {
			t.Errorf("%q: %v", text, err)
		}
	}
}
