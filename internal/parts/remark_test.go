package parts

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// remark is a process that reads documents as remark does, with its extension for tables.
type remark struct {
	in  io.WriteCloser
	out *json.Decoder
}

func startRemark(t *testing.T) *remark {
	t.Helper()
	testkit.OtherProcess(t)
	node, err := exec.LookPath("node")
	const folder = "../../dev/differential"
	if _, missing := os.Stat(folder + "/node_modules/mdast-util-gfm-table"); err != nil || missing != nil {
		testkit.Missing(t, "node or the npm packages of dev/differential are not installed; scripts/install-tools does that")
	}
	cmd := exec.Command(node, "tables.mjs")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &remark{in, json.NewDecoder(bufio.NewReaderSize(out, 1<<20))}
}

// read returns what remark reads in documents.
func (r *remark) read(t *testing.T, docs []string) []reading {
	t.Helper()
	go func() { // what it answers has to be taken meanwhile
		w := bufio.NewWriterSize(r.in, 1<<20)
		for _, d := range docs {
			line, _ := json.Marshal(d)
			_, _ = w.Write(append(line, '\n'))
		}
		_ = w.Flush()
	}()
	all := make([]reading, len(docs))
	for i := range all {
		if err := r.out.Decode(&all[i]); err != nil {
			t.Fatalf("%q: %v", docs[i], err)
		}
		for _, table := range all[i].Tables { // GFM leaves out what is beyond the head, and takes what is missing for empty
			for k, row := range table.Rows {
				for len(row) < len(table.Align) {
					row = append(row, "")
				}
				table.Rows[k] = row[:len(table.Align)]
			}
		}
	}
	return all
}

// TestTablesByRemark is TestTables with another judge.
func TestTablesByRemark(t *testing.T) {
	remark := startRemark(t)
	judged, n := 0, someTables()
	for i := 0; i < n; {
		var changes []*tableChange
		var docs []string
		for ; i < n && len(changes) < 1000; i++ {
			if c := changeTable(t, i); c != nil {
				changes, docs = append(changes, c), append(docs, c.src, c.now)
			}
		}
		for k, read := 0, remark.read(t, docs); k < len(changes); k++ {
			is, err := changes[k].judge(read[2*k], read[2*k+1])
			if err != nil {
				t.Fatal(err)
			}
			if is {
				judged++
			}
		}
	}
	t.Logf("remark judged %d changes of %d", judged, n)
	if judged < n/3 {
		t.Errorf("only %d of %d were made and judged", judged, n)
	}
}

func TestTablesByRemarkFaults(t *testing.T) {
	remark := startRemark(t)
	findsFaults(t, func(src string) reading { return remark.read(t, []string{src})[0] })
}
