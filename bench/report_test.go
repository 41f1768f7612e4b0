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
	took, err := inTurns(2, []contender{named("a"), named("b")})
	if err != nil || order.String() != "ababba" || len(took) != 2 || len(took[0]) != 2 {
		t.Errorf("%v, %s, %v", err, order.String(), took)
	}
	failed := errors.New("broken")
	if _, err := inTurns(1, []contender{{"a", func() error { return failed }}}); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

func TestTable(t *testing.T) {
	r := &report{}
	r.compare("Speed", "MB/s", []measured{{ours, sample{4, 4}}, {"other", sample{1, 2}}}, nil)
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
	page := "# P\n\n" + beginMark + "\nold\n" + endMark + "\nend\n"
	got, err := between(page, "\nnew\n")
	if want := "# P\n\n" + beginMark + "\n\nnew\n\n" + endMark + "\nend\n"; err != nil || got != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	if again, err := between(got, "new"); err != nil || again != got {
		t.Errorf("%v: another run changed it: %q", err, again)
	}
	if _, err := between("# P\n", "new"); err == nil {
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
	if _, err := parse([]string{"-only", "nothing"}); err == nil {
		t.Error("a part that is not there is no error")
	}
}

// TestLeftOut reads the lines that a reply of sectile names.
func TestLeftOut(t *testing.T) {
	calls := leftOut("a.md", "path: a.md\nleft_out: 9 of 20 lines: 7-12, 15, 17-18\ncontinue: x\n\n# A\n")
	want := []call{
		{"read_file", map[string]any{"path": "a.md", "start_line": "7", "end_line": "12"}},
		{"read_file", map[string]any{"path": "a.md", "start_line": "15", "end_line": "15"}},
		{"read_file", map[string]any{"path": "a.md", "start_line": "17", "end_line": "18"}},
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	if calls := leftOut("a.md", "path: a.md\n\n# A\n"); calls != nil {
		t.Error(calls)
	}
}
