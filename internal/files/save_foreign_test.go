package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// Foreign programs save a file again and again, each in its own way, while it is edited
// again and again. They judge for themselves: each looks, before it saves, whether its
// last save is still there.

// foreignWays are the ways in which foreign programs save.
var foreignWays = []string{"rename", "pieces", "append", "held"}

// A file that they share has a line of ours, the number of the last save, and as many
// lines of the saver as it wants.
const (
	oursLine    = "ours: "
	savedLine   = "saved: "
	pieceLines  = 40 // of a save in pieces
	foreignFile = "a.md"
)

var savedNumber = regexp.MustCompile(`(?m)^saved: (\d+)$`)

// foreignText is what a saver writes, with the line of ours that it has found.
func foreignText(ours string, n int) string {
	return ours + "\n" + strings.Repeat(savedLine+strconv.Itoa(n)+"\n", pieceLines) + "end\n"
}

// pauses are how long they wait between two saves, in microseconds: those that have the
// file open for longer wait for longer, so that there is time for an edit.
var pauses = map[string]int{"rename": 2_000, "pieces": 10_000, "append": 2_000, "held": 15_000}

// saver is a foreign program.
type saver struct {
	way, file string
	random    *rand.Rand
	last      int // the number of its last save
}

// saveAsForeign saves the file in a way until its standard output is closed, and says
// which of its saves it has found there no more. Before each it waits a bit.
func saveAsForeign(file, task string) int {
	way, number, _ := strings.Cut(task, ":")
	limit, err := strconv.Atoi(number)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s := &saver{way: way, file: file, random: rand.New(rand.NewPCG(uint64(limit), 1))}
	for s.last < limit {
		time.Sleep(time.Duration(s.random.IntN(pauses[s.way])) * time.Microsecond)
		if err := s.save(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: save %d: %v\n", way, s.last, err)
			return 1
		}
		fmt.Println("saved", s.last)
	}
	if lost, err := s.look(); err != nil || lost != "" {
		fmt.Println("lost", s.last, lost, err)
	}
	return 0
}

// look returns what of the last save isn't there any more. What an edit has displaced is
// put back within an instant, so that one look isn't enough.
func (s *saver) look() (lost string, err error) {
	for range 100 {
		if lost, err = s.lookOnce(); err != nil || lost == "" {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return lost, err
}

func (s *saver) lookOnce() (lost string, err error) {
	text, err := os.ReadFile(s.file)
	if err != nil || s.last == 0 {
		return "", err
	}
	there := map[string]int{}
	for _, m := range savedNumber.FindAllStringSubmatch(string(text), -1) {
		there[m[1]]++
	}
	want := pieceLines
	if s.way == "append" || s.way == "held" {
		want = 1
	}
	if n := there[strconv.Itoa(s.last)]; n != want {
		return fmt.Sprintf("%d of %d lines, %d bytes", n, want, len(text)), nil
	}
	return "", nil
}

// save saves once.
func (s *saver) save() error {
	if lost, err := s.look(); err != nil {
		return err
	} else if lost != "" {
		fmt.Println("lost", s.last, lost)
	}
	text, err := os.ReadFile(s.file)
	if err != nil {
		return err
	}
	ours, _, _ := strings.Cut(string(text), "\n")
	s.last++
	switch s.way {
	case "rename":
		next := s.file + "~"
		return errors.Join(os.WriteFile(next, []byte(foreignText(ours, s.last)), 0o600), os.Rename(next, s.file))
	case "pieces":
		return s.inPieces(foreignText(ours, s.last))
	case "append":
		return s.appendLines(0)
	}
	return s.appendLines(3)
}

// inPieces empties the file and writes it anew, a bit at a time.
func (s *saver) inPieces(text string) error {
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	for i := range 4 {
		part := text[len(text)*i/4 : len(text)*(i+1)/4]
		if _, err := f.WriteString(part); err != nil {
			return err
		}
		time.Sleep(time.Duration(s.random.IntN(1000)) * time.Microsecond)
	}
	return f.Close()
}

// appendLines appends a line, and more while it holds the file open.
func (s *saver) appendLines(more int) error {
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	for i := range more + 1 {
		if i > 0 {
			time.Sleep(time.Duration(s.random.IntN(1000)) * time.Microsecond)
			s.last++
		}
		if _, err := fmt.Fprintln(f, savedLine+strconv.Itoa(s.last)); err != nil {
			return err
		}
	}
	return f.Close()
}

// TestUpdateAmongForeignSaves has foreign programs save files in each way while others
// edit them: each save is there until the next one, or in a file that a reply names.
// SECTILE_LONG has some of them save 10,000 times.
func TestUpdateAmongForeignSaves(t *testing.T) {
	exchanges(t)
	saves := 150
	if testing.Short() {
		saves = 40
	}
	if testkit.Long() {
		saves = 10_000
	}
	if testkit.RaceDetector {
		saves /= 5
	}
	for _, way := range foreignWays {
		t.Run(way, func(t *testing.T) {
			if runtime.GOOS != "linux" && way != "rename" {
				t.Skip("who has a file open for writing isn't told here")
			}
			n := saves
			if way == "pieces" || way == "held" { // which take longer
				n /= 4
			}
			for tries := 1; hammer(t, way, n) == 0; tries++ { // a busy machine may let nobody edit
				if n *= 2; tries == 5 {
					t.Fatal("nothing was edited: it proves nothing")
				}
			}
		})
	}
}

// hammer has a foreign program save a file so many times while two others edit it, and returns how
// many edits were made.
func hammer(t *testing.T, way string, saves int) (edits int) {
	t.Helper()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, foreignFile), oursLine+"0\n")
	cmd, errs, out := process(t, "save", dir, file, way+":"+strconv.Itoa(saves))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var editors sync.WaitGroup
	var mu sync.Mutex
	conflicts := 0
	var named []string
	for range 2 {
		editors.Go(func() {
			for ctx.Err() == nil {
				kept, err := editOurs(ctx, file)
				mu.Lock()
				named = append(named, kept...)
				switch {
				case err == nil:
					edits++
				case codeOf(err) == fileerror.Conflict:
					conflicts++
				case ctx.Err() == nil:
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	var lost []string
	last := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		if number, _, _ := strings.Cut(rest, " "); what == "lost" {
			lost = append(lost, number)
		} else if n, err := strconv.Atoi(number); err == nil {
			last = n
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, errs)
	}
	cancel()
	editors.Wait()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	missing := lost // and whoever appends wants all of them
	if way == "append" || way == "held" {
		missing = missingSaves(last, string(text))
	}
	unnamed := slices.DeleteFunc(slices.Clone(missing), func(n string) bool { return inNamed(t, n, named) })
	if len(unnamed) > 0 {
		t.Errorf("%d saves are lost, and no reply names them: %.10q", len(unnamed), unnamed)
	}
	for _, name := range snapshotNames(t, dir) {
		name, _, _ = strings.Cut(name, " ")
		if name != foreignFile && name != foreignFile+"~" && !slices.Contains(named, filepath.Join(dir, name)) {
			t.Errorf("%s is left, and no reply names it", name)
		}
	}
	t.Logf("%s: %d saves, of which %d are not in the file; %d edits, %d conflicts, %d files kept",
		way, last, len(missing), edits, conflicts, len(named))
	return edits
}

// missingSaves returns the numbers of the saves, up to the last one, that a text has not.
func missingSaves(last int, text string) (numbers []string) {
	there := map[string]bool{}
	for _, m := range savedNumber.FindAllStringSubmatch(text, -1) {
		there[m[1]] = true
	}
	for n := 1; n <= last; n++ {
		if !there[strconv.Itoa(n)] {
			numbers = append(numbers, strconv.Itoa(n))
		}
	}
	return numbers
}

// inNamed reports whether a save is in one of the files that were named.
func inNamed(t *testing.T, n string, named []string) bool {
	t.Helper()
	for _, name := range named {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(text), savedLine+n+"\n") {
			return true
		}
	}
	return false
}

// editOurs changes the line of ours, and returns the files that it is told of.
func editOurs(ctx context.Context, file string) (kept []string, err error) {
	err = Update(ctx, []string{file}, UpdateOptions{}, func(tx *Tx) error {
		kept = tx.Kept().Paths()
		text, err := tx.Read(file)
		if err != nil {
			return err
		}
		ours, rest, _ := strings.Cut(string(text), "\n")
		n, _ := strconv.Atoi(strings.TrimPrefix(ours, oursLine))
		return tx.Write(file, []byte(oursLine+strconv.Itoa(n+1)+"\n"+rest))
	})
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		kept = e.Kept.Paths()
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return kept, err
}

// TestUpdateWaitsForWriters has another program hold the file open for writing: the edit
// waits until it is closed, and is refused if it stays open.
func TestUpdateWaitsForWriters(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who has a file open for writing isn't told here")
	}
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, foreignFile), "old")
	h, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	hasty := &update{seek: seekHost(nil), limit: textfile.DefaultLimit, patience: time.Millisecond}
	err = hasty.run(t.Context(), []string{file}, put(file, "new"))
	if codeOf(err) != fileerror.Conflict || !strings.Contains(reasonOf(err), "open for writing") {
		t.Errorf("got %v", err)
	}
	expect(t, dir, map[string]string{foreignFile: "old"})
	calls := 0
	err = Update(t.Context(), []string{file}, UpdateOptions{}, func(tx *Tx) error {
		text, err := tx.Read(file)
		if calls++; calls == 2 {
			_, writeErr := h.WriteString(" and foreign")
			if err := errors.Join(writeErr, h.Close()); err != nil {
				t.Error(err)
			}
		}
		if err != nil {
			return err
		}
		return tx.Write(file, append(text, '!'))
	})
	if err != nil || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	expect(t, dir, map[string]string{foreignFile: "old and foreign!"})
}

// TestInstallNoticesWriters has another program open the file for writing after the last
// look, and write nothing yet: the file is put back, for what it writes later is wanted.
func TestInstallNoticesWriters(t *testing.T) {
	exchanges(t)
	if runtime.GOOS != "linux" {
		t.Skip("who has a file open for writing isn't told here")
	}
	for _, late := range []bool{false, true} {
		dir := t.TempDir()
		file := write(t, filepath.Join(dir, "a.md"), "old")
		tx, list := staged(t, openRoots(t, RootOptions{}, dir), put("a.md", "ours"), "a.md")
		f := list[0]
		if late {
			if err := tx.put(f); err != nil {
				t.Fatal(err)
			}
			file = filepath.Join(dir, f.held)
		}
		h, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		if late {
			err = tx.settle(f)
		} else {
			err = tx.put(f)
		}
		if !errors.Is(err, errChanged) {
			t.Errorf("got %v", err)
		}
		tx.discard(list)
		if _, err := h.WriteString(" and foreign"); err != nil {
			t.Fatal(err)
		}
		expect(t, dir, map[string]string{"a.md": "old and foreign"})
	}
}
