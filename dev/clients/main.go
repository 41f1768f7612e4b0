// Command clients lets coding agents work with sectile and compares what their
// models are handed with what sectile answers, character for character. A stand-in
// takes the place of the models, so that nothing leaves the machine. Start it with
// scripts/clients.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// column is what became of the script in one way.
type column struct {
	way      *way
	version  string
	verdicts map[string]verdict // by case
	surfaces []*surface         // one for each of the trials
	changed  int                // replies that the model was handed otherwise later
	other    []string           // other requests
}

// row is a case.
type row struct {
	about      string
	characters int
	bytes      int
	measured   bool
}

func main() {
	program := flag.String("sectile", "", "the program to be tried")
	bin := flag.String("bin", "", "the folder with the clients")
	keep := flag.String("keep", "", "write the requests and the output of the clients to this new folder")
	only := flag.String("only", "", "only ways whose name has this in it")
	flag.Parse()
	ok, err := run(context.Background(), os.Stdout, *program, *bin, *keep, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run goes through all ways and prints the tables. It returns whether every reply
// that has to be verbatim was.
func run(ctx context.Context, out io.Writer, program, bin, keep, only string) (ok bool, err error) {
	scratch, err := os.MkdirTemp("", "clients-")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	var rows []row
	var columns []*column
	for i, w := range ways {
		if !strings.Contains(w.name, only) {
			continue
		}
		fmt.Fprintln(os.Stderr, "clients:", w.name)
		c := &column{way: w, verdicts: map[string]verdict{}}
		if c.version, err = version(ctx, bin, w.program, scratch); err != nil {
			return false, err
		}
		seen, err := c.fill(ctx, &trial{
			way: w, bin: bin, server: []string{program, "mcp"},
			dir: filepath.Join(scratch, fmt.Sprint(i)), keep: join(keep, fmt.Sprint(i)),
		})
		if err != nil {
			return false, fmt.Errorf("%s: %w", w.name, err)
		}
		rows, columns = seen, append(columns, c)
	}
	if len(columns) == 0 {
		return false, fmt.Errorf("no way has %q in its name", only)
	}
	var tables strings.Builder
	ok = report(&tables, rows, columns)
	_, err = io.WriteString(out, tables.String())
	return ok, err
}

// join returns the folder in another one, empty if that is empty.
func join(folder, name string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, name)
}

// fill lets the client work with servers of several flags.
func (c *column) fill(ctx context.Context, t *trial) (rows []row, err error) {
	for _, variant := range []struct {
		name  string
		flags []string
		calls []*call
	}{
		{"all", nil, script()},
		{"lean", []string{"--preset", "lean"}, leanScript()},
		{"structured", []string{"--structured"}, structuredScript()},
	} {
		one := *t
		one.server = slices.Concat(t.server, variant.flags)
		one.calls = variant.calls
		one.dir, one.keep = filepath.Join(t.dir, variant.name), join(t.keep, variant.name)
		seen, err := one.run(ctx, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, seen...)
	}
	return rows, nil
}

// trial is a run of a client.
type trial struct {
	way       *way
	bin       string
	server    []string
	calls     []*call
	dir, keep string
}

// run makes the project twice, lets the client work in one and the twin in the
// other, and adds the verdicts to the column.
func (t *trial) run(ctx context.Context, c *column) (rows []row, err error) {
	p := &place{home: filepath.Join(t.dir, "home"), project: filepath.Join(t.dir, "client", "project"), server: t.server}
	twinProject := filepath.Join(t.dir, "twin", "project")
	for _, dir := range []string{p.home, p.project, twinProject, cmp.Or(t.keep, p.home)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{p.project, twinProject} {
		if err := write(dir); err != nil {
			return nil, err
		}
	}
	second, err := newTwin(ctx, t.server, twinProject)
	if err != nil {
		return nil, err
	}
	defer func() { _ = second.session.Close() }()
	var tools []string
	for _, tool := range second.tools {
		tools = append(tools, tool.Name)
	}
	model, err := play(ctx, t.way, t.bin, p, tools, t.calls, t.keep)
	if err != nil {
		return nil, err
	}
	for _, call := range t.calls {
		want, err := second.ask(ctx, call)
		if err != nil {
			return nil, err
		}
		c.verdicts[call.about] = compare(want, model.results[call.id])
		rows = append(rows, row{call.about, utf8.RuneCountInString(want.text), len(want.text), call.measured})
	}
	s, err := look(second, model)
	c.surfaces = append(c.surfaces, s)
	c.changed += len(model.changed)
	c.other = append(c.other, model.other...)
	return rows, err
}
