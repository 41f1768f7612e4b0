package files

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/internal/textfile"
)

// What only several processes show: that they keep out of each other's way, and
// what one leaves that is killed.

// asProcess is the variable that makes the test binary a process that changes
// files. Its standard input says what it does, the root, the path (absolute for
// the form without roots) and its name, with spaces between.
const asProcess = "SECTILE_TEST_UPDATE"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) == "" {
		os.Exit(m.Run())
	}
	task, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(beProcess(strings.Fields(string(task))))
}

// edits is how often each of several processes changes a file.
const edits = 25

func beProcess(task []string) int {
	what, root, path, name := task[0], task[1], task[2], task[3]
	switch what {
	case "die":
		return dieAt(root, path, name)
	case "hold":
		if _, err := LockFolder(context.Background(), root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("held")
		time.Sleep(time.Minute) // until it is killed
		return 1
	case "save":
		return saveAsForeign(path, name)
	}
	update := func(ctx context.Context, paths []string, change func(*Tx) error) error {
		return Update(ctx, paths, UpdateOptions{}, change)
	}
	ctx := context.Background()
	if what == "write" {
		ctx = filesystem.WithSteps(ctx, pauseBeforeSteps)
	}
	if !filepath.IsAbs(path) {
		r, err := OpenRoots([]string{root}, RootOptions{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		update = r.Update
	}
	for i := 0; what == "write" || i < edits; i++ {
		err := update(ctx, []string{path}, func(tx *Tx) error {
			text, err := tx.Read(path)
			if err != nil {
				return err
			}
			lines, err := parseList(text)
			if err != nil {
				return err
			}
			if what == "write" {
				lines = lines[:0]
				for range 1000 {
					lines = append(lines, strconv.Itoa(i))
				}
			} else {
				lines = append(lines, name+"-"+strconv.Itoa(i))
			}
			return tx.Write(path, formatList(lines))
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(i)
	}
	return 0
}

// pauseBeforeSteps pauses before a step, for up to a millisecond: in memory the whole of an
// update takes so little time that no kill would come between two steps.
func pauseBeforeSteps(string, string) error {
	time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
	return nil
}

// formatList returns a text from which no part can be missing unseen.
func formatList(lines []string) []byte {
	return fmt.Appendf(nil, "%d lines\n%s\nend\n", len(lines), strings.Join(lines, "\n"))
}

// parseList returns the lines of a text of formatList.
func parseList(text []byte) ([]string, error) {
	head, rest, _ := strings.Cut(string(text), "\n")
	n, err := strconv.Atoi(strings.TrimSuffix(head, " lines"))
	body, ok := strings.CutSuffix(rest, "\nend\n")
	lines := strings.Split(body, "\n")
	if n == 0 && body == "" {
		lines = nil
	}
	if err != nil || !ok || len(lines) != n {
		return nil, fmt.Errorf("half a file: %.40q, %d lines, %d bytes", head, len(lines), len(text))
	}
	return lines, nil
}

// testBinary returns the path of the program that runs.
func testBinary(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// process starts the test binary as a process that changes files.
func process(t *testing.T, what, root, path, name string) (*exec.Cmd, *bytes.Buffer, io.Reader) {
	t.Helper()
	errs := new(bytes.Buffer)
	cmd := exec.Command(testBinary(t))
	cmd.Env = append(os.Environ(), asProcess+"=1")
	cmd.Stdin = strings.NewReader(strings.Join([]string{what, root, path, name}, " "))
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := 2 * time.Minute
	if testkit.Long() {
		limit = 10 * time.Minute
	}
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, errs, out
}

// TestUpdateByManyProcesses has processes change one file by roots that overlap,
// by links and without roots, while somebody reads it: every change is there, and
// nobody ever sees half a file.
func TestUpdateByManyProcesses(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "docs", "deep")
	file := write(t, filepath.Join(dir, "a.md"), string(formatList(nil)))
	tree(t, base, map[string]string{"link.md": "docs/deep/a.md", "docs/d": "deep"})
	var all sync.WaitGroup
	ways := [][2]string{
		{base, "docs/deep/a.md"},
		{filepath.Join(base, "docs"), "deep/a.md"},
		{dir, "a.md"},
		{base, "link.md"},
		{filepath.Join(base, "docs"), "d/a.md"},
		{"-", file},
		{"-", filepath.Join(base, "link.md")},
		{dir, "a.md"},
	}
	for i, way := range ways {
		cmd, errs, out := process(t, "edit", way[0], way[1], strconv.Itoa(i))
		all.Go(func() {
			_, _ = io.Copy(io.Discard, out)
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, errs)
			}
		})
	}
	stop := make(chan struct{})
	var reads atomic.Int64
	var reader sync.WaitGroup
	reader.Go(func() {
		r := openRoots(t, RootOptions{}, base)
		var rd textfile.Reader
		for last := 0; ; reads.Add(1) {
			select {
			case <-stop:
				return
			default:
			}
			text, err := r.Read(&rd, "docs/deep/a.md")
			if err != nil {
				t.Error(err)
				return
			}
			lines, err := parseList(text)
			if err != nil || len(lines) < last {
				t.Errorf("%d lines after %d, %v", len(lines), last, err)
				return
			}
			last = len(lines)
		}
	})
	all.Wait()
	close(stop)
	reader.Wait()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := parseList(text)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, line := range lines {
		seen[line]++
	}
	for i := range ways {
		for j := range edits {
			if n := seen[fmt.Sprintf("%d-%d", i, j)]; n != 1 {
				t.Errorf("change %d of process %d is there %d times", j, i, n)
			}
		}
	}
	expect(t, dir, map[string]string{"a.md": string(text)})
	t.Logf("%d reads", reads.Load())
}

// TestUpdateKilled kills processes while they write: each leaves the old file or
// the new one, no lock, and nothing else after the next change. SECTILE_LONG has
// it kill a thousand of them.
func TestUpdateKilled(t *testing.T) {
	kills, writes, temps := testkit.Some(24, 3), testkit.Some(120, 3), 0
	if testing.Short() {
		kills, writes = 10, 0
	}
	if testkit.Long() {
		kills, writes = 1000, 1000
	}
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "a.md"), string(formatList([]string{"0"})))
	r := openRoots(t, RootOptions{}, dir)
	random := rand.New(rand.NewPCG(1, 2))
	done, killed := 0, 0
	for ; killed < kills || done < writes; killed++ {
		cmd, errs, out := process(t, "write", dir, "a.md", "w")
		acknowledged := bufio.NewScanner(out)
		last := -1
		for range 1 + random.IntN(3) {
			if !acknowledged.Scan() {
				t.Fatalf("the process ended by itself: %s", errs)
			}
			last++
		}
		time.Sleep(time.Duration(random.IntN(5000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for acknowledged.Scan() {
			last++
		}
		_ = cmd.Wait() // it was killed
		done += last + 1

		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := parseList(text)
		if err != nil {
			t.Fatal(err)
		}
		// The last one that it knew of, or the one that it was at.
		for _, line := range lines {
			if line != lines[0] || line != strconv.Itoa(last) && line != strconv.Itoa(last+1) {
				t.Fatalf("%q where %d changes were made", line, last+1)
			}
		}
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		temps += len(list) - 1
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		next := formatList([]string{"0"})
		if err := r.Update(ctx, []string{"a.md"}, put("a.md", string(next))); err != nil {
			t.Fatalf("the next change: %v", err)
		}
		cancel()
		expect(t, dir, map[string]string{"a.md": string(next)})
	}
	t.Logf("%d writes, %d kills, %d temporary files left by them", done, killed, temps)
	if temps == 0 && !testing.Short() {
		t.Error("no process was killed while it wrote: it proves nothing")
	}
}
