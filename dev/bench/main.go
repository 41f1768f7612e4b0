// The command bench measures sectile beside what else people use on Markdown: on the
// same documents, in the same run, in turns. It prints a table, and can write it and
// a chart into the documentation. `scripts/bench` runs it; README.md tells how a tool
// is added.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are what a run was asked for.
type options struct {
	root, corpus, svg string
	queries           string // file
	tune, charts      bool
	seed              uint64
	quick, write      bool
	verbose           bool
	only              string
	flags             string // as the caller gave them, without paths

	extremes         bool
	extreme          int    // millions of bytes of extreme documents, 0 for each kind's own size
	request, program string // for extreme documents: the only ones that are asked, and who is

	// What follows from quick.
	rounds     int // of measurements of time
	generated  int // documents
	tasks      int // of each kind, and sections that are looked for
	undoneDocs int // documents of each line ending for edits and their inverses
	largeFile  int // bytes

	corpusBytes int // of the corpus that are measured, or 0 for all
	corpusDocs  int // that the corpus has
}

// bench is a run.
type bench struct {
	options
	machine       *machine
	measured      string // the commit, before anything is measured or written
	docs          []document
	folder        string // that has the documents
	tools         []tool
	reference     map[string][]heading
	referenceName string
	report        *report
}

// measurement is a part of a run.
type measurement struct {
	name string
	run  func(context.Context, *bench) error
}

var measurements = []measurement{
	{"parsing", measureParsing},
	{"inline", measureInline},
	{"outline", measureOutlines},
	{"headings", measureHeadings},
	{"editing", measureEditing},
	{"rounds", measureRounds},
	{"server", measureServers},
	{"tasks", measureErrands},
	{"search", measureSearch},
	{"speed", measureSpeed},
	{"peers", measurePeers},
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == packedArgument {
		if err := parsePacked(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := start(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parse reads the flags.
func parse(arguments []string) (*options, error) {
	o := &options{generated: 1000, tasks: 300, undoneDocs: 10, largeFile: 20_000_000}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.root, "root", ".", "the repository's folder")
	flags.StringVar(&o.corpus, "corpus", "", "also measure the Markdown files below this folder")
	flags.StringVar(&o.queries, "queries", filepath.Join(os.Getenv("SECTILE_CORPUS"), "search", "queries.jsonl"), "the queries that ranking is judged by")
	flags.BoolVar(&o.tune, "tune", false, "with -only search: also print the settings that are best for each engine")
	flags.BoolVar(&o.charts, "charts", false, "measure nothing: make docs/benchmarks.html again from docs/benchmarks-peers.json")
	flags.StringVar(&o.svg, "svg", "", "also draw the chart, as SVG, to this file")
	flags.StringVar(&o.only, "only", "", "measure these parts only, such as parsing,editing")
	flags.Uint64Var(&o.seed, "seed", 1, "what documents and tasks are generated from")
	flags.IntVar(&o.rounds, "rounds", 0, "measure times so often (default 15, or 3 with -quick)")
	flags.BoolVar(&o.quick, "quick", false, "measure little, and of a corpus some documents that the seed chooses")
	flags.BoolVar(&o.write, "write", false, "write the table and the chart into docs")
	flags.BoolVar(&o.extremes, "extremes", false, "measure instead what memory extreme documents take; -only chooses kinds")
	flags.IntVar(&o.extreme, "extreme-mb", 0, "with -extremes: the size of the documents, in millions of bytes (default: one for each kind)")
	flags.StringVar(&o.request, "requests", "", "with -extremes: ask these only, such as map,edit")
	flags.StringVar(&o.program, "program", "", "with -extremes: measure this program instead of a new build")
	flags.BoolVar(&o.verbose, "v", false, "print every edit that did not go right")
	if err := flags.Parse(arguments); err != nil {
		return nil, err
	}
	rounds := 15
	if o.quick {
		rounds, o.generated, o.tasks, o.undoneDocs, o.largeFile = 3, 100, 15, 1, 2_000_000
		o.corpusBytes = 1_000_000
	}
	if o.write && o.only != "" && !o.apart() {
		return nil, errors.New("-write writes the whole page, or the tables of one part: leave out -only, or give -only tasks, -only search, -only speed or -only peers")
	}
	if o.ofCorpus() && o.corpus == "" {
		return nil, fmt.Errorf("-only %s needs the documents of a corpus: give -corpus DIR; docs/benchmarks.md names them", o.only)
	}
	flags.Visit(func(f *flag.Flag) { o.flags += shown(f) })
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("%q is no flag; -help lists them", flags.Arg(0))
	case o.extremes || o.charts:
		return o, nil
	case o.only != "" && len(o.parts()) == 0:
		return nil, fmt.Errorf("-only %s names no part", o.only)
	}
	if o.rounds < 1 {
		o.rounds = rounds
	}
	for _, name := range o.parts() {
		if !slices.ContainsFunc(measurements, func(m measurement) bool { return m.name == name }) {
			return nil, fmt.Errorf("there is no part %q", name)
		}
	}
	return o, nil
}

// shown is a flag as the page has it: which folder somebody's documents are in is of
// no interest there.
func shown(f *flag.Flag) string {
	switch {
	case f.Name == "root" || f.Name == "svg" || f.Value.String() == "false":
		return ""
	case f.Name == "corpus":
		return " -corpus DIR"
	case f.Name == "queries":
		return " -queries FILE"
	case f.Value.String() == "true":
		return " -" + f.Name
	}
	return " -" + f.Name + " " + f.Value.String()
}

// parts are the names of the parts that -only asks for.
func (o *options) parts() []string {
	return strings.FieldsFunc(o.only, func(r rune) bool { return r == ',' })
}

// apart reports whether nothing is measured but a part that has tables of its own.
func (o *options) apart() bool { return slices.Contains(partsApart, o.only) }

// ofCorpus reports whether that part is one of a corpus alone, so that no other tool, document
// or reference is needed.
func (o *options) ofCorpus() bool { return o.apart() && o.only != "peers" }

// partsApart are the parts that have tables of their own.
var partsApart = []string{"tasks", "search", "speed", "peers"}

// start measures what the command line asks for and prints it.
func start(ctx context.Context) error {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.charts {
		return writeCharts(filepath.Join(o.root, "docs"))
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // it is in the system's folder for such things
	if o.extremes {
		return measureExtremes(ctx, o, scratch)
	}
	b, err := prepare(ctx, o, scratch)
	if err != nil {
		return err
	}
	for _, m := range measurements {
		if o.only != "" && !slices.Contains(o.parts(), m.name) {
			continue
		}
		begin, before := time.Now(), len(b.report.rows)
		if err := errors.Join(m.run(ctx, b), ctx.Err()); err != nil {
			return err
		}
		if len(b.report.rows) == before && !slices.Contains(partsApart, m.name) {
			return fmt.Errorf("%s: nothing was measured", m.name)
		}
		fmt.Fprintf(os.Stderr, "%s: %.1f s\n", m.name, time.Since(begin).Seconds())
	}
	fmt.Println(b.text(ctx))
	if o.svg != "" {
		if err := b.draw(o.svg); err != nil {
			return err
		}
	}
	if o.write {
		return b.write(ctx)
	}
	return nil
}

// references are the tools that say what is a heading, the best first.
var references = []string{"cmark", "goldmark"}

// prepare finds the tools, writes the documents, and asks the reference for their
// headings.
func prepare(ctx context.Context, o *options, scratch string) (*bench, error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return nil, err
	}
	o.root = root
	b := &bench{options: *o, report: &report{}, folder: filepath.Join(scratch, "documents")}
	b.machine = &machine{root: root, scratch: scratch, npm: filepath.Join(root, "dev", "bench", "npm")}
	b.measured = commitOf(ctx, root)
	all := tools(b.machine)
	switch {
	case o.ofCorpus():
		all = all[:1]
	case o.apart():
		all = slices.DeleteFunc(all, func(t tool) bool { return !t.forDocuments() && !slices.Contains(references, t.name) })
	}
	if b.tools, b.report.skipped, err = present(ctx, b.machine, all); err != nil || o.ofCorpus() {
		return b, err
	}
	var unfit []string
	if b.docs, unfit, err = gather(&b.options); err != nil {
		return nil, err
	}
	b.report.noteAll("files are left out for all", unfit)
	if err := writeAll(b.folder, b.docs); err != nil {
		return nil, err
	}
	// The first of these that is here is the reference for what is a heading.
	for _, name := range references {
		at := slices.IndexFunc(b.tools, func(t tool) bool { return t.name == name })
		if at >= 0 {
			b.referenceName = name
			b.reference, err = b.tools[at].headings(ctx, b.folder, b.docs)
			return b, err
		}
	}
	return nil, fmt.Errorf("there is no reference for headings")
}

// fails notes that a tool could not be measured, so that the others still are. If it is
// ours, or somebody has stopped the run, that ends it.
func (b *bench) fails(ctx context.Context, measure, tool string, err error) error {
	if strings.HasPrefix(tool, ours) || ctx.Err() != nil {
		return fmt.Errorf("%s: %s: %w", measure, tool, err)
	}
	b.report.note("%s: %s fails, so it has no figure: %v", measure, tool, err)
	return nil
}

// trace prints an edit that did not go right, for whoever wants to know why.
func (b *bench) trace(tool string, t *task, v verdict) {
	if b.verbose && v.outcome != right {
		fmt.Fprintf(os.Stderr, "%s: %s in %s, line %d: %s, %d bytes outside\n", tool, t.kind, t.name, t.change.line, v.outcome, v.outside)
	}
}
