package replies

import (
	"encoding/json"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestJSONBytes: what is counted of a value is what its texts take in JSON, whatever they are made of.
func TestJSONBytes(t *testing.T) {
	type item struct {
		Text string          `json:"text"`
		Next *item           `json:"next,omitempty"`
		List []string        `json:"list,omitempty"`
		Raw  json.RawMessage `json:"raw,omitempty"`
		By   map[string]int  `json:"by,omitempty"`
	}
	const times = 10_000
	for _, unit := range []string{"a", "<", "\x01", "\n", "\"", "\\", "\x7f", "\xff", "é", "\u0085", "\u2028", "\u202e", "漢", "\ufffd", "\U000e0041"} {
		text := strings.Repeat(unit, times)
		if got, want := TextBytes(text), len(JSON(text)); got != want {
			t.Errorf("%q: %d bytes, want %d", unit, got, want)
		}
		v := []item{{Text: text, Next: &item{List: []string{"", text}}, Raw: JSON(text), By: map[string]int{text: 1}}}
		if got, want := JSONBytes(v), len(JSON(v)); got < want || got > want+want/100+500 {
			t.Errorf("%q in values: %d bytes, want %d", unit, got, want)
		}
	}
}

// TestAppendJSONInOneCopy: a value is encoded with one copy of it beside the encoder's own, which that keeps.
func TestAppendJSONInOneCopy(t *testing.T) {
	testkit.OneGoroutine(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // or the encoder's own is gone
	for _, unit := range []string{"a", "\x01", "\u202e", "\x7f"} {
		text := strings.Repeat(unit, 1<<16)
		want := uint64(len(JSON(text)))
		least := uint64(math.MaxUint64)
		for range 20 { // each processor has an encoder
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			JSON(text)
			runtime.ReadMemStats(&after)
			least = min(least, after.TotalAlloc-before.TotalAlloc)
		}
		if least > want*3/2 {
			t.Errorf("%q: %d bytes for %d", unit, least, want)
		}
	}
}
