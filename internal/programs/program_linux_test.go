package programs

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestLimitMemory: a program that has reserved more than it may before its limit is set is ended,
// and one that hasn't goes on.
func TestLimitMemory(t *testing.T) {
	const variable = "SECTILE_TEST_RESERVES"
	if size := os.Getenv(variable); size != "" {
		bytes := map[string]int{"much": maxData + 1<<20, "little": 1 << 20}[size]
		if _, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("reserved\n")
		time.Sleep(time.Minute)
		return
	}
	t.Parallel()
	for size, ends := range map[string]bool{"much": true, "little": false} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLimitMemory$")
		cmd.Env = append(os.Environ(), variable+"="+size)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "reserved" {
			t.Skipf("so much can't be reserved here: %q, %v", line, err)
		}
		limitMemory(cmd.Process)
		var now unix.Rlimit
		if err := unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_DATA, nil, &now); !ends && (err != nil || now.Cur != maxData) {
			t.Errorf("%s: limit %d, %v", size, now.Cur, err)
		}
		begin := time.Now()
		if !ends {
			_ = cmd.Process.Kill()
		}
		if _ = cmd.Wait(); time.Since(begin) > 30*time.Second {
			t.Errorf("%s: it went on", size)
		}
	}
}
