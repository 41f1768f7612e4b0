//go:build unix

package planstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/repoproof"
	"github.com/sectile/sectile/internal/testkit"
)

// TestRefusedConfiguration: what a repository is refused for is told by its file and line, of files
// elsewhere by the line that includes them, and the ways out are some.
func TestRefusedConfiguration(t *testing.T) {
	t.Parallel()
	jj := findJJ(t)
	outside := filepath.ToSlash(filepath.Join(testkit.Folder(t, map[string]string{"note.md": "SECRET\n", "odd": "[core]\n\n\teditor = a\\b\n"}), "note.md"))
	for name, tt := range map[string]struct {
		colocated bool
		text      string
		includes  bool
	}{
		"odd":       {true, "[alias]\n\tlog = a\\b\n", false},
		"control":   {true, "[alias]\n\tx = a\x01\n", false},
		"within":    {false, "[alias]\n\tlog = a\\b\n", false},
		"path":      {true, "[include]\n\tpath = :(optional)x\n", false},
		"elsewhere": {true, "[core]\n\texcludesFile = " + outside + "\n", false},
		"included":  {true, "[include]\n\tpath = " + filepath.ToSlash(filepath.Dir(outside)) + "/odd\n", true},
		"library":   {true, "[gitoxide]\n\tx = y\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := unpack(t, tt.colocated)
			config := filepath.Join(u.gitDir, "config")
			before := read(t, config)
			write(t, config, before+tt.text)
			look := func(trust repoproof.Trust) error {
				_, err := open(t, Options{Root: u.dir, Kind: JJ, JJ: jj, Trust: trust}).(*jjStore).run(t.Context(), &call{args: []string{"status"}})
				return err
			}
			shown, _ := filepath.Rel(u.dir, config)
			at := fmt.Sprintf("(line %d of %#q", strings.Count(before, "\n")+2, filepath.ToSlash(shown))
			if tt.includes {
				at += ", or what it includes"
			}
			err := look(repoproof.Trust{})
			if !isType(err, TypeUntrusted) || !strings.Contains(err.Error(), at+")") || !strings.Contains(err.Error(), "`trust.repositories`") || strings.Contains(err.Error(), filepath.Base(filepath.Dir(outside))) {
				t.Errorf("%v\nwant %s", err, at)
			}
			if err := look(repoproof.Trust{Repositories: []string{u.dir}}); err != nil {
				t.Errorf("where the user names it: %v", err)
			}
			write(t, config, before)
			if err := look(repoproof.Trust{}); err != nil {
				t.Errorf("without it: %v", err)
			}
		})
	}
	dir := newGit(t)
	config := filepath.Join(dir, ".git", "config")
	before := read(t, config)
	write(t, config, before+"[extensions]\n\trefStorage = reftable://x\n")
	_, err := gitStoreIn(t, dir).Load(t.Context())
	if at := fmt.Sprintf("line %d of `.git/config`", strings.Count(before, "\n")+2); !isType(err, TypeUntrusted) || !strings.Contains(err.Error(), at) {
		t.Errorf("%v\nwant %s", err, at)
	}
}
