package plan

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarkTexts are texts that are as large as the limits allow.
func benchmarkTexts() map[string]string {
	const header = "feat(api): a plan of some size\n\nwhy\n\n- Do not: stop\n\n"
	var tasks strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&tasks, "%s- [%s]: task number %d of a long plan\n", strings.Repeat("  ", i%5), []string{" ", "x"}[i%2], i)
	}
	// prose repeats lines up to 100,000 characters.
	prose := func(lines string) string {
		return ("feat(api): prose\n\n" + strings.Repeat(lines, 100_000/len(lines)+1))[:100_000]
	}
	return map[string]string{
		"tasks1000":      header + strings.TrimSpace(tasks.String()),
		"lines100k":      prose("A line of text that is about as long as usual in a commit.\n"),
		"bullets100k":    prose("text\n- Note: like a constraint\n- bullet\n")[:95_000],
		"short100k":      prose("a\n"),
		"constraint100k": strings.TrimSpace(prose("- Do not: abc\n")[:99_978]),
		"oneline100k":    prose("x"),
		"codepoint100k":  "feat(api): t\n\n" + strings.Repeat("é", 99_986),
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range benchmarkTexts() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r := Parse(text, nil); r.State != Parsed && r.Halt == nil {
					b.Fatal(r.State)
				}
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	for name, text := range benchmarkTexts() {
		b.Run(name, func(b *testing.B) {
			r := Parse(text, nil)
			if r.State != Parsed {
				b.Skip(r.State, r.Halt)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Format(r.Document, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSmall(b *testing.B) {
	const text = "feat(api): t\n\nd\n\n- Do not: x\n\n- [ ]: a\n  - [x]: b\n\n~~~ GO ~~~"
	b.ReportAllocs()
	for b.Loop() {
		Parse(text, nil)
	}
}
