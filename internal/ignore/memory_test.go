package ignore_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/ignore"
)

// TestRulesTakeLittle: the patterns of an ignore file of 256 KiB take at most 5 MiB, whatever they are,
// and reading them ends where those with wildcards become too many.
func TestRulesTakeLittle(t *testing.T) {
	const size, most = 256 << 10, 20_000
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for name, line := range map[string]func(i int) string{
		"one name": func(int) string { return "a\n" },
		"names":    func(i int) string { return fmt.Sprintf("%04x\n", i) },
		"folders":  func(i int) string { return fmt.Sprintf("%04x/\n", i) },
		"paths":    func(i int) string { return fmt.Sprintf("/%04x\n", i) },
		"a line":   func(int) string { return strings.Repeat("a", size-2) + "*\n" },
		"lines":    func(int) string { return strings.Repeat("a", 24) + "*\n" },
		"stars":    func(int) string { return "*\n" },
		"classes":  func(int) string { return "?\n" },
		"no ends":  func(int) string { return "[a\n" },
		"bytes": func(i int) string {
			return "*" + string([]byte{byte(128 + i%128)}) + "[\x01-" + string(rune(11+i%100)) + "]\n"
		},
		"both": func(i int) string {
			if i < most/2 {
				return "?\n"
			}
			return fmt.Sprintf("%04x\n", i)
		},
	} {
		var text strings.Builder
		for i := 0; text.Len() < size; i++ {
			text.WriteString(line(i))
		}
		before := heap()
		rules := ignore.Parse([]byte(text.String()), most)
		if more := heap() - before; more > 20*size {
			t.Errorf("%s: %d bytes take %d", name, text.Len(), more)
		}
		if rules.Wild() > most+4 {
			t.Errorf("%s: patterns with %d parts were read", name, rules.Wild())
		}
		runtime.KeepAlive(&text)
	}
}
