package sent

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/documents"
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
	m := documents.NewMemory(budget)
	text := strings.Repeat("name,value,x\n", 50_000)
	docs := host(t, "rows", text)
	docs.Work = m.Begin(t.Context(), nil)
	if rows, err := ReadRows(docs); err != nil || len(rows) != 50_000 || m.Reserved() < int64(len(text)) || m.Reserved() > 20*int64(len(text)) {
		t.Errorf("%d rows, %v; %d bytes are reserved", len(rows), err, m.Reserved())
	}
	docs.Work.End()
	if m.Reserved() != 0 {
		t.Errorf("%d bytes stay reserved", m.Reserved())
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
