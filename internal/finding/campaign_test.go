package finding

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// TestEngineCampaign feeds and searches a cluster of three nodes, of which one is killed, and
// another one killed and started again, with a queue that is soon full, over connections that
// are cut. In the end the engine has all, and answers as the files do.
func TestEngineCampaign(t *testing.T) {
	if !testkit.Long() {
		t.Skip("it takes minutes; SECTILE_LONG asks for it")
	}
	nodes := cluster(t, 3)
	cutter := cutting(t, strings.TrimPrefix(nodes[0].URL, "http://"))
	files := map[string]string{}
	for i := range 1500 {
		files[fmt.Sprintf("d%d/%d.md", i%11, i)] = campaignText(i, 0)
	}
	dir := testkit.Folder(t, files)
	e := configured(t, "http://"+cutter.address+"/campaign", "root", dir)
	e.Patience = 20 * time.Minute
	docs := documents.Set{Paths: []string{dir}}

	stop := make(chan struct{})
	var searching sync.WaitGroup
	var byEngine, byFiles atomic.Int64
	searching.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			reply, err := Search(t.Context(), docs, SearchRequest{Query: fmt.Sprintf("kettle word%d", n%50), Elsewhere: e, JSON: true})
			if err != nil {
				if !strings.HasPrefix(err.Error(), "backend_") && !strings.Contains(err.Error(), "changed again and again") {
					t.Errorf("a search while nodes die: %v", err)
				}
				continue
			}
			var a answer
			if err := json.Unmarshal(reply.Text, &a); err != nil {
				t.Error(err)
			}
			if a.Backend != "" {
				byEngine.Add(1)
			} else {
				byFiles.Add(1)
			}
			if len(a.Hits) == 0 && a.Backend == "" {
				t.Errorf("an empty answer: %s", reply.Text)
			}
		}
	})

	round := func(name string, at int, fault func()) PushedRoot {
		var once sync.Once
		var faults sync.WaitGroup
		began := time.Now()
		reply, err := Push(t.Context(), PushRequest{Elsewhere: e, Shards: 3, Progress: func(_ string, _, written int) {
			if written >= at {
				once.Do(func() { faults.Go(fault) })
			}
		}})
		faults.Wait()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Logf("%s: %s in %v; %d connections cut", name, strings.TrimSpace(reply.Text()), time.Since(began).Round(time.Second), cutter.cut.Load())
		return reply.Roots[0]
	}
	change := func(generation, every int) {
		for i := 0; i < 1500; i += every {
			testkit.WriteFile(t, filepath.Join(dir, fmt.Sprintf("d%d/%d.md", i%11, i)), campaignText(i, generation))
		}
	}

	cutter.every.Store(3 << 20)
	if done := round("a node is killed", 200, nodes[2].Kill); done.Written != 1500 {
		t.Errorf("%+v", done)
	}
	change(1, 2)
	done := round("it is back, and the first node is killed and started again", 100, func() {
		if err := nodes[2].Launch(t); err != nil {
			t.Error(err)
		}
		nodes[0].Kill()
		if err := nodes[0].Start(t); err != nil {
			t.Error(err)
		}
	})
	if done.Written != 750 {
		t.Errorf("%+v", done)
	}
	close(stop)
	searching.Wait()
	cutter.every.Store(0)
	t.Logf("searches meanwhile: %d by the engine, %d in the files", byEngine.Load(), byFiles.Load())
	t.Logf("records that the nodes refused for a full queue: %d", rejected(t, nodes[1].URL))

	if err := nodes[0].Wait(t); err != nil {
		t.Fatal(err)
	}
	if again := round("again", 1<<30, func() {}); again.Written != 0 || again.Removed != 0 || again.Documents != 1500 {
		t.Errorf("not all has arrived: %+v", again)
	}
	for n := range 50 {
		req := SearchRequest{Query: fmt.Sprintf("word%d word%d", n, n+700)}
		here := asked(t, docs, req)
		req.Elsewhere = e
		there := asked(t, docs, req)
		if there.Backend == "" {
			t.Errorf("%q is answered by the files: %q", req.Query, there.Notes)
		}
		there.Backend = ""
		if diff := cmp.Diff(here, there); diff != "" {
			t.Errorf("%q (-files +engine):\n%s", req.Query, diff)
		}
	}
}

// campaignText returns the text of a document in one of its generations.
func campaignText(i, generation int) string {
	r := rand.New(rand.NewPCG(uint64(i), uint64(generation)))
	var b strings.Builder
	fmt.Fprintf(&b, "# Kettle %d\n\ngeneration %d\n", i, generation)
	for s := range 1 + r.IntN(8) {
		fmt.Fprintf(&b, "\n## Part %d\n\n", s)
		for range 20 + r.IntN(300) {
			fmt.Fprintf(&b, "word%d ", r.IntN(2000))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cluster starts nodes that know each other, with small queues for what is written.
func cluster(t *testing.T, n int) []*testkit.Node {
	t.Helper()
	dir := t.TempDir()
	var nodes []*testkit.Node
	var names, hosts []string
	for i := range n {
		name := fmt.Sprintf("n%d", i)
		node := testkit.NewNode(t, filepath.Join(dir, name), "thread_pool.write.queue_size=2")
		nodes, names, hosts = append(nodes, node), append(names, name), append(hosts, node.Transport)
	}
	for _, node := range nodes {
		node.Set("discovery.seed_hosts="+strings.Join(hosts, ","), "cluster.initial_cluster_manager_nodes="+strings.Join(names, ","))
		if err := node.Launch(t); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(node.Kill)
	}
	for _, node := range nodes {
		if err := node.Wait(t); err != nil {
			t.Fatal(err)
		}
	}
	return nodes
}

// cutter is a way to a server on which connections are cut, each after so many bytes.
type cutter struct {
	address    string
	every, cut atomic.Int64
}

func cutting(t *testing.T, to string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c := &cutter{address: l.Addr().String()}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go c.carry(from, to)
		}
	}()
	return c
}

// carry carries what a connection sends and gets.
func (c *cutter) carry(from net.Conn, address string) {
	defer from.Close()
	to, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(from, to)
		_ = from.Close()
	}()
	most := c.every.Load()
	if most == 0 {
		_, _ = io.Copy(to, from)
		return
	}
	if n, _ := io.CopyN(to, from, most/2+rand.N(most)); n > most/2 {
		c.cut.Add(1)
	}
}

// rejected returns how many requests to write the nodes have refused since they were started.
func rejected(t *testing.T, address string) (n int) {
	t.Helper()
	resp, err := http.Get(address + "/_nodes/stats/thread_pool") //nolint:noctx // it is on this machine
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var stats struct {
		Nodes map[string]struct {
			Pools map[string]struct{ Rejected int } `json:"thread_pool"`
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&stats); err != nil {
		t.Fatal(err)
	}
	for _, node := range stats.Nodes {
		n += node.Pools["write"].Rejected
	}
	return n
}
