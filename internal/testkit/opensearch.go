package testkit

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// openSearchVariable names the address of an engine that runs for the tests of all packages:
// it takes ten seconds to start one.
const openSearchVariable = "SECTILE_OPENSEARCH"

var engine struct {
	once sync.Once
	node *Node
	err  error
}

// OpenSearch returns the address of an engine with an index of its own for the test, which is
// not there yet. It is the one that SECTILE_OPENSEARCH names, or one that is started for the
// tests of the package, by SECTILE_LONG or SECTILE_REQUIRE_TOOLS alone.
func OpenSearch(t testing.TB) string {
	t.Helper()
	index := "/t-" + strings.ToLower(rand.Text())
	if address := os.Getenv(openSearchVariable); address != "" {
		return address + index
	}
	if testing.Short() || !Long() && os.Getenv("SECTILE_REQUIRE_TOOLS") == "" {
		t.Skip("there is no engine: SECTILE_OPENSEARCH names none")
	}
	engine.once.Do(func() {
		var dir string
		if dir, engine.err = os.MkdirTemp("", "sectile-opensearch-"); engine.err == nil { //nolint:usetesting // for all tests of the package
			engine.node, engine.err = startNode(t, dir, "discovery.type=single-node")
		}
	})
	if engine.err != nil {
		t.Fatal(engine.err)
	}
	return engine.node.URL + index
}

// Node is a running node of OpenSearch.
type Node struct {
	URL       string // of its interface
	Transport string // HOST:PORT by which other nodes reach it

	dir      string
	settings []string
	process  *exec.Cmd
	input    io.Closer
}

// StartNode starts a node that keeps its data in a folder, and returns when it answers. It ends
// with the test.
func StartNode(t testing.TB, dir string, settings ...string) *Node {
	t.Helper()
	n, err := startNode(t, dir, settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Kill)
	return n
}

// NewNode returns a node that isn't started, so that others can be told of it before.
func NewNode(t testing.TB, dir string, settings ...string) *Node {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	n := &Node{dir: dir}
	web, transport := freePort(t), freePort(t)
	n.URL, n.Transport = "http://127.0.0.1:"+web, "127.0.0.1:"+transport
	n.settings = append([]string{"http.port=" + web, "transport.port=" + transport, "cluster.name=sectile", "node.name=" + filepath.Base(dir), "network.host=127.0.0.1", "cluster.routing.allocation.disk.threshold_enabled=false"}, settings...)
	return n
}

func startNode(t testing.TB, dir string, settings ...string) (*Node, error) {
	t.Helper()
	n := NewNode(t, dir, settings...)
	err := n.Start(t)
	return n, err
}

// Set adds settings for the next start.
func (n *Node) Set(settings ...string) { n.settings = append(n.settings, settings...) }

// freePort returns a port that nobody listens at.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was sent
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// Launch starts the node, or starts it again with the same data, and doesn't wait for it.
func (n *Node) Launch(t testing.TB) error {
	t.Helper()
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/sectile/sectile").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	root := strings.TrimSpace(string(module))
	lib := filepath.Join(root, ".tools", "opensearch")
	if _, err := os.Stat(lib); err != nil {
		Missing(t, "OpenSearch is not here; scripts/install-opensearch installs it")
	}
	log, err := os.OpenFile(filepath.Join(n.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the process has its own handle
	args := append([]string{"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join(lib, "*"), filepath.Join(root, "dev", "opensearch", "Node.java"), n.dir}, n.settings...)
	n.process = exec.Command("java", args...) //nolint:gosec // the arguments are ours
	n.process.Stdout, n.process.Stderr = log, log
	if n.input, err = n.process.StdinPipe(); err != nil { // which is closed when this process ends
		return err
	}
	return n.process.Start()
}

// startPatience is how long a node may take to start on a busy machine.
const startPatience = 10 * time.Minute

// Start is Launch and Wait.
func (n *Node) Start(t testing.TB) error {
	t.Helper()
	if err := n.Launch(t); err != nil {
		return err
	}
	return n.Wait(t)
}

// Wait waits until the node answers that its cluster has all first copies at hand.
func (n *Node) Wait(t testing.TB) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startPatience)
	defer cancel()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.URL+"/_cluster/health?wait_for_status=yellow&timeout=10s", http.NoBody)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	said, _ := os.ReadFile(filepath.Join(n.dir, "log"))
	return fmt.Errorf("the node %s doesn't answer:\n%s", n.URL, said)
}

// Kill ends the node as a loss of power does.
func (n *Node) Kill() {
	if n.process != nil && n.process.Process != nil {
		_ = n.process.Process.Kill()
		_ = n.process.Wait()
		_ = n.input.Close()
		n.process = nil
	}
}
