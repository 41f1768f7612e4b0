package mcpserver

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// manyReads is a document of a megabyte and the lines that read it.
func manyReads(t *testing.T, calls int) (root, lines string) {
	t.Helper()
	var b strings.Builder
	for i := range calls {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":"b%d","method":"resources/read","params":{"uri":"doc:///big.md"}}`+"\n", i)
	}
	return docs(t, map[string]string{"big.md": "# Big\n\n" + strings.Repeat("Some words about it.\n", 1_000_000/21)}), b.String()
}

// A process that is told to end does, though its client neither reads nor goes
// away.
func TestProcessEndsThoughNobodyReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes there are not told by signals")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	root, lines := manyReads(t, 79)
	p := startProcess(t, root, false)
	p.initialize()
	p.send(lines + "words")
	time.Sleep(time.Second)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := p.cmd.Wait()
	if err == nil || !strings.Contains(p.errs.String(), "nobody has read for 5s") {
		t.Errorf("%v; standard error: %s", err, p.errs)
	}
}

// Whoever reads the log may stop to, and holds up neither answers nor the end.
func TestProcessThoughNobodyReadsTheLog(t *testing.T) {
	t.Parallel()
	root, _ := manyReads(t, 0)
	log, errs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(testkit.BuildProgram(t), "mcp", "--root", root, "--log-level", "debug")
	p := startCommandTo(t, cmd, errs)
	_ = errs.Close() // it is the server's
	p.initialize()
	text := strings.Repeat("x", 100)
	for range 2000 { // a line of the log each, and no pipe takes all
		p.send(`{"jsonrpc":"2.0","id":1,"method":7}`)
		if m := p.read(); m.Error == nil {
			t.Fatalf("%+v", m)
		}
	}
	for range 2000 {
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + text + `"}}`)
	}
	if m := p.answer(p.call("tools/list", "{}")); m.Error != nil {
		t.Errorf("%+v", m)
	}
	start := time.Now()
	p.end()
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the end took %v", took)
	}
}
