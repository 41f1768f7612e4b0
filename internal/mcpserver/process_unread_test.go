package mcpserver

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
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
