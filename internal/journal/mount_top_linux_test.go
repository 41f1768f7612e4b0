package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
)

// TestJournalOfAnotherTop copies a journal that is the top of a file system to the top of another one, which has
// the same number: it isn't believed.
func TestJournalOfAnotherTop(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	tops := []string{testkit.Mount(t, "mode=700"), testkit.Mount(t, "mode=700")}
	var numbers []uint64
	for _, top := range tops {
		info, err := os.Stat(top)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, info.Sys().(*syscall.Stat_t).Ino) //nolint:forcetypeassert // it is one
	}
	j, copied := journal.New(journal.Options{Dir: tops[0]}), journal.New(journal.Options{Dir: tops[1]})
	put(t, openRoots(t, before.make(t)), j, "a.md", "changed")
	list := records(t, j)
	if len(list) != 1 || list[0].Problem != "" || numbers[0] != numbers[1] {
		t.Fatalf("%+v, %d", list, numbers)
	}
	if list[0].JournalBorn == 0 {
		t.Skip("the file system doesn't tell when a folder was made")
	}
	names, err := filepath.Glob(filepath.Join(tops[0], "done", "*"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	text, err := os.ReadFile(names[0])
	done := filepath.Join(tops[1], "done")
	for _, name := range []string{"open", "done", "copies"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(tops[1], name), 0o700))
	}
	if err := errors.Join(err, os.WriteFile(filepath.Join(done, filepath.Base(names[0])), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if list := records(t, copied); len(list) != 1 || !strings.Contains(list[0].Problem, "elsewhere") {
		t.Errorf("%+v", list)
	}
}
