package sent

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/rawjson"
	"github.com/sectile/sectile/internal/replies"
)

// TestRowsWithinMemory: rows take of the budget until the request ends, and those that are too many
// are refused before they are read.
func TestRowsWithinMemory(t *testing.T) {
	const budget = 128 << 20
	for what, text := range map[string]string{
		"rows": strings.Repeat("a\n", 2_000_000), "a row": strings.Repeat(",", 4_000_000), "wide rows": strings.Repeat(strings.Repeat(",", 999)+"\n", 4_000),
		"JSON": "[" + strings.TrimSuffix(strings.Repeat("[1],", 1_000_000), ",") + "]", "a text": strings.Repeat("a", 60_000_000),
	} {
		m := documents.NewMemory(budget)
		docs := host(t, "rows", text)
		docs.Work = m.Begin(t.Context(), nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadRows(docs)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 3*uint64(len(text)) {
			t.Errorf("%s: %d bytes took %d", what, len(text), took)
		}
		if err == nil || replies.AsError(err).Code != replies.CodeTooComplex || !strings.Contains(replies.AsError(err).Message.String(), "--max-memory") {
			t.Errorf("%s: %v", what, err)
		}
		docs.Work.End()
	}
	stream, large := documents.NewMemory(budget), strings.NewReader(strings.Repeat("a", 60_000_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadRows(documents.Set{Paths: []string{"-"}, Stdin: large, Work: stream.Begin(t.Context(), nil)})
	if runtime.ReadMemStats(&after); err == nil || replies.AsError(err).Code != replies.CodeTooComplex || after.TotalAlloc-before.TotalAlloc > budget || stream.Reserved() != 0 {
		t.Errorf("a stream: %v; it took %d bytes and %d are reserved", err, after.TotalAlloc-before.TotalAlloc, stream.Reserved())
	}
	for text, least := range map[string]int{strings.Repeat("name,value,x\n", 50_000): 1, "[" + strings.Repeat(`["name",1,"x"],`, 49_999) + `["name",1,"x"]]`: textCopies} {
		m := documents.NewMemory(budget)
		docs := host(t, "rows", text)
		docs.Work = m.Begin(t.Context(), nil)
		if rows, err := ReadRows(docs); err != nil || len(rows) != 50_000 || m.Reserved() < int64(least*len(text)+50_000*(perRow+3*perCell)) || m.Reserved() > 40*int64(len(text)) {
			t.Errorf("%.10q: %d rows, %v; %d bytes are reserved for %d", text, len(rows), err, m.Reserved(), len(text))
		}
		docs.Work.End()
		if m.Reserved() != 0 {
			t.Errorf("%d bytes stay reserved", m.Reserved())
		}
	}
}

// TestRowsEndings: rows end with each line ending, but within quotes.
func TestRowsEndings(t *testing.T) {
	want := [][]string{{"a", "b"}, {"1", "2"}}
	for _, text := range []string{"a,b\n1,2\n", "a,b\r\n1,2", "a,b\r1,2\r", "\ufeffa,b\n1,2"} {
		if rows, err := rowsOfText(nil, text); err != nil || !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
			t.Errorf("%q: %q, %v", text, rows, err)
		}
	}
}

// TestRows reads rows of CSV and of JSON.
func TestRows(t *testing.T) {
	for _, test := range []struct {
		text string
		want [][]string
	}{
		{"", [][]string{}},
		{"a,\"b, \"\"c\"\"\n d\"\n1\n", [][]string{{"a", "b, \"c\"\n d"}, {"1"}}},
		{"a,,\n\nb\n", [][]string{{"a", "", ""}, {"b"}}},
		{"[x],y\n", [][]string{{"[x]", "y"}}},
		{` [["a", 1.50, -1e3, 12345678901234567890], [true, false, null], []] `, [][]string{{"a", "1.50", "-1e3", "12345678901234567890"}, {"true", "false", ""}, {}}},
		{"\ufeff[ [\"a\\nb\"] ]\n", [][]string{{"a\nb"}}},
		{"[]", [][]string{}},
	} {
		rows, err := rowsOfText(nil, test.text)
		if diff := cmp.Diff(test.want, rows); diff != "" || err != nil {
			t.Errorf("%q: %v %s", test.text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"a,\"b\nc":          `rows: they are no CSV: record on line 1; parse error on line 2, column 2: extraneous or missing " in quoted-field; write a quote in a quoted cell twice, or send a list of lists in JSON`,
		`a,b"c`:             `rows: they are no CSV: parse error on line 1, column 4: bare " in non-quoted-field; write a quote in a quoted cell twice, or send a list of lists in JSON`,
		`[["a"], "b"]`:      "rows: row 2 is no list of cells",
		`[["a", {"b": 1}]]`: "rows: cell 2 of row 1 is no text, number, truth value or null",
		`[["a"]] [["b"]]`:   "rows: more stands behind the list; send one list of all rows",
		`[["a"`:             "rows: they can't be read: unexpected EOF",
		`[["\ud800"]]`:      "rows: " + rawjson.Broken,
		"[[\"\xff\"]]":      "rows: " + rawjson.Broken,
	} {
		rows, err := rowsOfText(nil, text)
		if err == nil || rows != nil || replies.AsError(err).Code != replies.CodeInvalidArgument || replies.AsError(err).Message.String() != want {
			t.Errorf("%q: %q, %v, want %s", text, rows, err, want)
		}
	}
	if rows, err := RowsOf(nil, "a,b\n"); err != nil || len(rows) != 1 || len(rows[0]) != 2 {
		t.Errorf("rows as a text: %q, %v", rows, err)
	}
	if _, err := RowsOf(nil, json.Number("1")); err == nil || !strings.Contains(err.Error(), `they should be a list of lists, such as [["Name", "Price"], ["Apple", 1]]`) {
		t.Errorf("a number: %v", err)
	}
	if _, err := ReadRows(documents.Set{}); err == nil || replies.AsError(err).Code != replies.CodeInvalidArgument {
		t.Errorf("no file: %v", err)
	}
}

// TestRowsAlike: rows that are written as CSV and as JSON are read as the same, whatever is in them.
func TestRowsAlike(t *testing.T) {
	cells := []string{"a", "", "a,b", `say "hi"`, "one\ntwo", "日本", "[x]", " blank ", "=1+2", "\t", "#"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		rows := make([][]string, 1+r.IntN(5))
		for i := range rows {
			rows[i] = []string{"x"} // a row of one empty cell is a blank line in CSV
			for range r.IntN(5) {
				rows[i] = append(rows[i], cells[r.IntN(len(cells))])
			}
		}
		var asCSV bytes.Buffer
		w := csv.NewWriter(&asCSV)
		w.UseCRLF = r.IntN(2) == 0
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{asCSV.String(), string(asJSON)} {
			if got, err := ReadRows(host(t, "rows", text)); err != nil || !cmp.Equal(rows, got) {
				t.Fatalf("%q: %q, %v", text, got, err)
			}
		}
	}
}
