package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
)

// shownSince returns what was shown, a line for each.
func shownSince(t *testing.T, j *Journal, since time.Time) []string {
	t.Helper()
	var list []string
	partly, err := j.Shown(t.Context(), since, func(int64) bool { return true }, func(s *Shown) bool {
		line := filepath.Base(s.Path)
		for _, section := range s.Sections {
			line += " " + section.Selector + "#" + section.Hash
		}
		list = append(list, line)
		return true
	})
	if err != nil || !partly.IsZero() {
		t.Fatal(partly, err)
	}
	return list
}

// TestShown notes what was shown, by two journals of the same folder, and reads it again.
func TestShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	one, other := New(Options{Dir: dir}), New(Options{Dir: dir})
	if list := shownSince(t, one, time.Time{}); list != nil {
		t.Errorf("without a journal: %q", list)
	}
	stamp := one.Stamp(t.Context())
	now := time.Now()
	path := filepath.Join(t.TempDir(), "a.md")
	for i, j := range []*Journal{one, other, one} {
		s := Shown{Time: now.Add(time.Duration(i) * time.Nanosecond), Path: path, Sections: []ShownSection{{"h1.0", "a"}, {"h2.1", strings.Repeat("b", i+1)}}}
		if err := j.Saw(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a.md h1.0#a h2.1#b", "a.md h1.0#a h2.1#bb", "a.md h1.0#a h2.1#bbb"}
	if diff := cmp.Diff(want, shownSince(t, other, now.Add(-time.Hour))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if list := shownSince(t, other, now.Add(time.Hour)); list != nil {
		t.Errorf("of the time to come: %q", list)
	}
	if one.Stamp(t.Context()) == stamp {
		t.Error("the stamp is the same")
	}
	files, err := filepath.Glob(filepath.Join(dir, shownDir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, filepath.Join(dir, shownDir)) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others may open it: %v", name, info.Mode())
		}
	}
	if err := one.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := shownSince(t, one, time.Time{}); list != nil {
		t.Errorf("after it was forgotten: %q", list)
	}
}

// TestShownHostile reads files that no server has written.
func TestShownHostile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	j := New(Options{Dir: dir})
	now := time.Now()
	if err := j.Saw(t.Context(), Shown{Time: now, Path: filepath.Join(dir, "a.md"), Sections: []ShownSection{{"h1.0", "a"}}}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, shownDir, now.UTC().Format(shownHour))
	text := "{}\nnull\n[]\n" + `{"time":"2026-01-01T00:00:00Z","path":"../a.md","sections":[]}` + "\n" + strings.Repeat("x", maxShownLine+1) + "\n{\"path\":"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, shownDir, "no hour"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := shownSince(t, j, now.Add(-time.Hour)); list != nil {
		t.Errorf("it is believed: %q", list)
	}
	if err := os.Truncate(name, maxShownFile+maxShownLine+1); err != nil {
		t.Fatal(err)
	}
	if list := shownSince(t, j, now.Add(-time.Hour)); list != nil {
		t.Errorf("a file that is too long is read: %q", list)
	}
	if err := j.Saw(t.Context(), Shown{Time: now, Path: name, Sections: []ShownSection{{"h1.0", "a"}}}); err != nil {
		t.Fatal(err)
	}
	if list := shownSince(t, j, now.Add(-time.Hour)); len(list) != 1 {
		t.Errorf("behind a file that is too long: %q", list)
	}
}

// TestShownIsBounded notes more than is kept of an hour: the last of it is there.
func TestShownIsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	j := New(Options{Dir: dir})
	now := time.Now()
	sections := make([]ShownSection, 10*maxShownParts)
	for i := range sections {
		sections[i] = ShownSection{fmt.Sprint("h1.", i), "0123456789abcdef"}
	}
	for i := range 20 {
		if err := j.Saw(t.Context(), Shown{Time: now, Path: filepath.Join(dir, fmt.Sprint(i, ".md")), Sections: sections}); err != nil {
			t.Fatal(err)
		}
	}
	list := shownSince(t, j, now.Add(-time.Hour))
	if len(list) < 20 || !strings.HasPrefix(list[len(list)-1], "19.md ") {
		t.Errorf("%d lines, the last %.40q", len(list), list[len(list)-1])
	}
	files, err := os.ReadDir(filepath.Join(dir, shownDir))
	total := 0
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += int(info.Size())
	}
	if err != nil || total > 2*(maxShownFile+maxShownLine) || total < maxShownFile {
		t.Errorf("%d bytes in %d files, %v", total, len(files), err)
	}
}

// TestShownInPart reads as much of the notes as may be: files as a whole, the newest first, and tells
// of which hour not all was read.
func TestShownInPart(t *testing.T) {
	j := New(Options{Dir: filepath.Join(t.TempDir(), "journal")})
	now := time.Now()
	hour := now.UTC().Truncate(time.Hour)
	for _, ago := range []int{3, 2, 1, 0} { // the first one is made by the last
		s := Shown{Time: hour.Add(-time.Duration(ago) * time.Hour), Path: filepath.Join(j.Dir(), fmt.Sprint(ago, ".md")), Sections: []ShownSection{{"h1.0", "a"}}}
		if err := j.Saw(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	current := filepath.Join(j.Dir(), shownDir, hour.Format(shownHour))
	if text, err := os.ReadFile(current); err != nil || os.WriteFile(current+shownBefore, text, 0o600) != nil {
		t.Fatal(err)
	}
	for admitted, want := range []struct {
		read   string
		partly time.Time
	}{{"", hour.Add(time.Hour)}, {"0", hour.Add(time.Hour)}, {"00", hour}, {"100", hour.Add(-time.Hour)}, {"2100", hour.Add(-2 * time.Hour)}, {"32100", time.Time{}}} {
		read, left := "", admitted
		partly, err := j.Shown(t.Context(), now.Add(-shownAge), func(bytes int64) bool {
			left--
			return left >= 0 && bytes > 0
		}, func(s *Shown) bool {
			read += strings.TrimSuffix(filepath.Base(s.Path), ".md")
			return true
		})
		if err != nil || read != want.read || !partly.Equal(want.partly) {
			t.Errorf("%d files: %q, not all before %v, %v, want %v", admitted, read, partly, err, want)
		}
	}
}

// TestShownIsForgotten removes files of hours that are over.
func TestShownIsForgotten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	j := New(Options{Dir: dir})
	now := time.Now()
	s := Shown{Time: now, Path: filepath.Join(dir, "a.md"), Sections: []ShownSection{{"h1.0", "a"}}}
	old := now.Add(-shownAge - 2*time.Hour)
	s.Time = old
	for range 2 {
		if err := j.Saw(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		s.Time = now
	}
	if _, err := os.Stat(filepath.Join(dir, shownDir, old.UTC().Format(shownHour))); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	if list := shownSince(t, j, time.Time{}); len(list) != 1 {
		t.Errorf("%q", list)
	}
}

// TestShownGoes: notes that are too old go when something is shown in another hour, and with a change or a look
// for what is old, whatever is kept of changes; young ones, and what is no note, stay.
func TestShownGoes(t *testing.T) {
	for name, do := range map[string]func(j *Journal) error{
		"shown": func(j *Journal) error {
			return j.Saw(t.Context(), Shown{Time: time.Now(), Path: "/a.md", Sections: []ShownSection{{"h1.0", "a"}}})
		},
		"looked":  func(j *Journal) error { return j.ClearOld(t.Context()) },
		"off":     func(j *Journal) error { return j.Off().ClearOld(t.Context()) },
		"refused": func(j *Journal) error { return j.Refusing(os.ErrPermission).ClearOld(t.Context()) },
		"changed": func(j *Journal) error {
			path := filepath.Join(t.TempDir(), "a.md")
			return files.Update(j.In(t.Context()), []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error { return tx.WriteNew(path, []byte("a"), 0o600) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := makeFolder(t)
			if err := f.setKept(kept{oldest: time.Now(), cleared: time.Now()}); err != nil { // nothing else is due
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(f.Name(), shownDir), 0o700); err != nil {
				t.Fatal(err)
			}
			hour := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(shownHour) }
			stay := []string{hour(23 * time.Hour), "other"}
			for _, note := range append([]string{hour(72 * time.Hour), hour(27*time.Hour) + shownBefore}, stay...) {
				if err := os.WriteFile(filepath.Join(f.Name(), shownDir, note), []byte("{}\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := do(New(Options{Dir: f.Name(), MaxAge: time.Hour, MaxBytes: 1 << 20})); err != nil {
				t.Fatal(err)
			}
			names, err := f.names(shownDir)
			names = slices.DeleteFunc(names, func(s string) bool { return s == hour(0) || s == hour(time.Minute) }) // what was shown now
			if err != nil || !slices.Equal(names, stay) {
				t.Errorf("%q are left, %v", names, err)
			}
		})
	}
}
