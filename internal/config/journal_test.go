package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestJournalMayBeMeant gives files with mistakes: what may say something of the journal is no leave
// to keep what is usual, and what can't is.
func TestJournalMayBeMeant(t *testing.T) {
	mistakes := ""
	for i := range maxProblems + 1 {
		mistakes += fmt.Sprintf("zq%d: 1\n", i)
	}
	for text, unknown := range map[string]bool{
		"journal: {days: x}\n":                                     true,
		"Journal: {days: 0}\n":                                     true,
		"jornal: {days: 0}\n":                                      true,
		"journal\u00a0: {days: 0}\n":                               true,
		"jou rnal: {days: 0}\n":                                    true,
		"jo urnal: {days: 0}\n":                                    true,
		"j o u r n a l: {days: 0}\n":                               true,
		"jou\u200brnal: {days: 0}\n":                               true,
		"jou\u00adrnal: {days: 0}\n":                               true,
		"j\u200bo\u200bu\u200br\u200bn\u200ba\u200bl: {days: 0}\n": true,
		"jou" + strings.Repeat("\u200b", 99) + "rnal: {days: 0}\n": true,
		"ｊｏｕｒｎａｌ: {days: 0}\n":                                     true,
		"jóürñàl: {days: 0}\n":                                     true,
		"da\u200bys: 0\n":                                          true,
		"guide: {days: 0}\n":                                       true,
		"guide: {jou\u200brnal: {days: 0}}\n":                      true,
		"jo urnal: [\n":                                            true,
		"j\u200bo\u200bu\u200br\u200bn\u200bal: [\n":               true,
		"x: [\n  'jo urnal' : {days: 0}":                           true,
		mistakes + "jouranl: {days: 0}\n":                          true,
		"# kept some days: no\nx: [\n":                             false,
		mistakes:                                                   false,
		"days: 0\n":                                                true,
		"Days: 0\n":                                                true,
		"DAYS: 0\n":                                                true,
		"day: 0\n":                                                 true,
		"Bytes: 1\n":                                               true,
		"byte: 1\n":                                                true,
		"categorys: {}\n":                                          false,
		"collection: {}\n":                                         false,
		"guide: 1\n":                                               false,
		"links: 1\n":                                               false,
		"heading: []\n":                                            false,
		"headings: 1\n":                                            false,
		"plans: {}\n":                                              false,
		"trust: {dirs: []}\n":                                      false,
		"search: {by: x}\n":                                        false,
		"x:\n  journal:\n    days: 0\n":                            true,
		"x: [{jornal: {days: 0}}]\n":                               true,
		"x: {y: 0, dayz: [a]}\n":                                   false,
		"guide: {max_file_byte: 1}\n":                              false,
		"guide: {max_file_bytes: x}\n":                             false,
		"journal: [\n":                                             true,
		"Journal: [\n":                                             true,
		"jurnal:\n  days: 0\n\tx: 1\n":                             true,
		"x: [\n  'jornal' : {days: 0}":                             true,
		"x: [\rbyte : 1\r":                                         true,
		"x: [ # j\xf6urnal\n":                                      true,
		"j\x00o\x00u\x00r\x00n\x00a\x00l\x00:\x00 \x00[\x00":       true,
		"x: [\n": false,
		"guide: {docs: [\n  plan: days, bytes\n  paths: x\n  max_file_bytes: 1\n  links: x": false,
		"guide: {docs: [\n  normal\n  a, jornal\n":                                          false,
		"Journal {days: 0}\nguide: [\n":                                                     true,
		"Journal\n  days: 0\n":                                                              true,
		"'Jornal' {days: 0}\n":                                                              true,
		"DAYS 0\n":                                                                          true,
		"guides: {}\n":                                                                      false,
		"guide: {max_files: x}\n":                                                           false,
		"journal: {days: 7}\nx: 1\n":                                                        false,
	} {
		dir := tree(t, map[string]string{"user.yaml": text})
		l := NewLoader(LoadOptions{Start: dir, UserFile: filepath.Join(dir, "user.yaml")})
		if _, err := l.Journal(); (err != nil) != unknown {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestDialectMayBeMeant gives files with mistakes: where one may name a dialect, no anchor is taken for that of
// the usual one; and so with headings of the user's own.
func TestDialectMayBeMeant(t *testing.T) {
	for text, unknown := range map[string]struct{ dialect, headings bool }{
		"links: {dialect: x}\n":               {true, false},
		"links: {dialekt: gitlab}\n":          {true, false},
		"links:\n  Dialects: gitlab\nx: [\n":  {true, false},
		"links: {dialct : gitlab}\nx: [\n":    {true, false},
		"dialekt gitlab\n":                    {true, false},
		"Headings ['a']\nx: [\n":              {false, true},
		"hedings: ['a']\nx: [\n":              {false, true},
		"guide: [\n  deadline, or a dial\n":   {false, false},
		"categories:\n  a: {patterns: [*.m]}": {false, false},
	} {
		for _, name := range []string{"user.yaml", ".sectile.yaml"} {
			dir := tree(t, map[string]string{".git/HEAD": "", name: text})
			l := NewLoader(LoadOptions{Start: dir, UserFile: filepath.Join(dir, "user.yaml")})
			if _, err := l.Dialect(t.Context()); (err != nil) != unknown.dialect {
				t.Errorf("dialect of %q as %s: %v", text, name, err)
			}
			if _, err := l.Headings(t.Context()); (err != nil) != (unknown.headings && name == "user.yaml") {
				t.Errorf("headings of %q as %s: %v", text, name, err)
			}
		}
	}
}
