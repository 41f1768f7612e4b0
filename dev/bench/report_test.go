package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSample(t *testing.T) {
	s := sample{4, 1, 3, 2}
	if got := []float64{s.median(), s.quantile(0), s.quantile(1), s.over(sample{2, 1, 1, 1})}; !cmp.Equal(got, []float64{2.5, 1, 4, 2}) {
		t.Error(got)
	}
	if !math.IsNaN(sample(nil).median()) {
		t.Error("nothing has a median")
	}
}

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.1234: "0.123", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234567: "1,234,567", -1000: "-1,000", math.NaN(): "none",
	} {
		if got := figure(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

func TestInTurns(t *testing.T) {
	var order strings.Builder
	named := func(name string) contender {
		return contender{name, func() error { order.WriteString(name); return nil }}
	}
	took, failed := inTurns(2, []contender{named("a"), named("b")})
	if failed[0] != nil || failed[1] != nil || order.String() != "ababba" || len(took) != 2 || len(took[0]) != 2 {
		t.Errorf("%v, %s, %v", failed, order.String(), took)
	}
}

// TestInTurnsFailing has one contender that fails in its second turn: it has no
// figures, and the other one has all.
func TestInTurnsFailing(t *testing.T) {
	broken := errors.New("broken")
	turns := 0
	failing := contender{"a", func() error {
		if turns++; turns > 1 {
			return broken
		}
		return nil
	}}
	b := &bench{options: options{rounds: 3}, report: &report{}}
	took := b.inTurns("Speed", []contender{failing, {"b", func() error { return nil }}})
	if len(took[0]) != 0 || len(took[1]) != 3 || turns != 2 {
		t.Errorf("%v after %d turns", took, turns)
	}
	b.report.compare("Speed", "ms", []measured{{tool: "a", values: took[0]}}, nil)
	want := report{
		rows:    []row{{measure: "Speed", tool: "a", result: "it fails"}},
		skipped: []string{"Speed: a fails, so it has no figure: broken"},
	}
	if diff := cmp.Diff(&want, b.report, cmp.AllowUnexported(report{}, row{})); diff != "" {
		t.Error(diff)
	}
}

func TestNoteAll(t *testing.T) {
	r := &report{}
	r.noteAll("nothing", nil)
	r.noteAll("files", []string{"a", "b"})
	r.noteAll("files", []string{"a", "b", "c", "d", "e", "f", "g"})
	if diff := cmp.Diff([]string{"2 files: a, b", "7 files: a, b, c, d, e and 2 more"}, r.skipped); diff != "" {
		t.Error(diff)
	}
}

// TestParseable leaves out what one parser panics on, for all, and names it.
func TestParseable(t *testing.T) {
	panics := tool{name: "weak", parse: func(source []byte) { _ = source[1] }}
	docs, cannot := parseable([]document{{"a.md", []byte("ab")}, {"b.md", []byte("a")}}, []tool{goldmarkTool(), panics, ctags()})
	if len(docs) != 1 || docs[0].name != "a.md" || len(cannot) != 1 || !strings.HasPrefix(cannot[0], "b.md (weak: it panics: ") {
		t.Errorf("%v, %q", docs, cannot)
	}
}

// TestSpeeds makes megabytes a second of a million bytes in so many milliseconds.
func TestSpeeds(t *testing.T) {
	got := speeds([]contender{{name: "a"}, {name: "b"}}, []sample{{1000, 500}, {4000}}, 1e6)
	want := []measured{{"a", sample{1, 2}, 0}, {"b", sample{0.25}, 0}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(measured{})); diff != "" {
		t.Error(diff)
	}
}

func TestTable(t *testing.T) {
	r := &report{}
	r.compare("Speed", "MB/s", []measured{{tool: ours, values: sample{4, 4}}, {tool: "other", values: sample{1, 2}}}, nil)
	r.add(row{measure: "Size", tool: "other", result: "3 bytes"})
	want := `| measure | tool | result | spread or parts | beside sectile |
| --- | --- | --- | --- | --- |
| Speed | **sectile** | 4.00 MB/s | 4.00 |  |
|  | other | 1.50 MB/s | 1.10 to 1.90 | 0.375 × |
| Size | other | 3 bytes |  |  |
`
	if diff := cmp.Diff(want, r.table()); diff != "" {
		t.Error(diff)
	}
}

// TestSVG draws a chart that is XML, with a bar for each figure, the longest as long
// as it can be.
func TestSVG(t *testing.T) {
	p := panel{title: "A & B", unit: "ms", better: fewer}
	p.add(ours, 1)
	p.add("<other>", 4)
	p.add("nothing", math.NaN())
	text := svg([]panel{p})
	bars := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			for _, a := range e.Attr {
				if a.Name.Local == "width" {
					bars[a.Value]++
				}
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"840": 1, "110.0": 1, "440.0": 1}, bars); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "prefers-color-scheme: dark") {
		t.Error("it can't be read in the dark")
	}
}

func TestBetween(t *testing.T) {
	page := "# P\n\n" + madeAll.begin + "\nold\n" + madeAll.end + "\nend\n"
	got, err := madeAll.between(page, "\nnew\n")
	if want := "# P\n\n" + madeAll.begin + "\n\nnew\n\n" + madeAll.end + "\nend\n"; err != nil || got != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	if again, err := madeAll.between(got, "new"); err != nil || again != got {
		t.Errorf("%v: another run changed it: %q", err, again)
	}
	if _, err := madeAll.between("# P\n", "new"); err == nil {
		t.Error("a page without marks is no error")
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"-quick", "-only", "parsing,server"})
	if err != nil || o.rounds != 3 || !cmp.Equal(o.parts(), []string{"parsing", "server"}) {
		t.Errorf("%v: %+v", err, o)
	}
	if o, err := parse([]string{"-quick", "-rounds", "7"}); err != nil || o.rounds != 7 || o.tasks != 15 {
		t.Errorf("%v: %+v", err, o)
	}
	for _, arguments := range [][]string{{"-only", "nothing"}, {"-only", ","}, {"-write", "-only", "server"}, {"parsing"}, {"-quick", "more"}} {
		if _, err := parse(arguments); err == nil {
			t.Errorf("%q is no error", arguments)
		}
	}
}

// TestConditions has the flags of a run, whatever folder they name, and what of a
// corpus was measured.
func TestConditions(t *testing.T) {
	o, err := parse([]string{"-root", "/there", "-corpus", "/secret/place", "-quick", "-write", "-rounds", "7"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{options: *o, docs: []document{{name: "corpus/a.md"}}, tools: []tool{goldmarkTool(), cmark(), expression()}}
	b.corpusDocs = 1234
	text := b.conditions(t.Context())
	for _, want := range []string{"`scripts/bench -corpus DIR -quick -rounds 7 -write`", "1 of the 1,234 of a corpus, which the seed chose", "Beside goldmark v1.", ", cmark "} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nhas no %q", text, want)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "/there") {
		t.Errorf("%s\nnames a folder", text)
	}
}

// TestCommit says of a folder whether it is as it was committed.
func TestCommit(t *testing.T) {
	root := t.TempDir()
	if got := commitOf(t.Context(), root); got != "an unknown commit" {
		t.Error(got)
	}
	git := func(arguments ...string) {
		t.Helper()
		if _, err := run(t.Context(), append([]string{"git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "-m", "first")
	clean := commitOf(t.Context(), root)
	if err := writeAll(root, []document{{"a.md", nil}}); err != nil {
		t.Fatal(err)
	}
	if got, want := commitOf(t.Context(), root), clean+" with changes that were not committed"; strings.Contains(clean, "with") || got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
