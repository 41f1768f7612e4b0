package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// verdict is what became of a reply.
type verdict struct {
	verbatim bool
	how      string   // if it isn't: what was done to it
	around   []string // what the model is handed beside it
}

// boundary finds what separates the files of a category: a new one in each reply.
var boundary = regexp.MustCompile(`guide-boundary-[0-9a-f-]{36}`)

// mark finds what begins the lines of a reply that are sectile's: a new one in each reply.
var mark = regexp.MustCompile(`mark: ([0-9a-z]+) begins every line`)

// compare looks for the reply of the server in what the model was handed.
func compare(want expected, got result) verdict {
	v := verdict{around: got.beside}
	for _, part := range got.parts {
		if theirs := boundary.FindString(part); theirs != "" {
			want.text = boundary.ReplaceAllLiteralString(want.text, theirs)
		}
		ours, theirs := mark.FindStringSubmatch(want.text), mark.FindStringSubmatch(part)
		if ours != nil && theirs != nil {
			want.text = strings.ReplaceAll(want.text, ours[1], theirs[1])
		}
	}
	if got.failed != nil && *got.failed != want.failed {
		return verdict{how: fmt.Sprintf("error flag %v", *got.failed)}
	}
	at := slices.Index(got.parts, want.text)
	if at < 0 {
		at = slices.IndexFunc(got.parts, func(part string) bool { return strings.Contains(part, want.text) })
	}
	if at < 0 {
		v.how = change(want.text, strings.Join(got.parts, "\n"))
		v.verbatim = v.how == trimmed
		return v
	}
	v.verbatim = true
	for i, part := range got.parts {
		if i == at {
			before, after, _ := strings.Cut(part, want.text)
			part = before
			if after != "" {
				part += "…" + after
			}
		}
		if part != "" {
			v.around = append(v.around, part)
		}
	}
	return v
}

// trimmed is said of a text that is verbatim but for the end of its last line.
const trimmed = "verbatim but for the last newline"

// change says what was done to a text that isn't there as it is.
func change(want, got string) string {
	if strings.TrimSuffix(want, "\n") == got {
		return trimmed
	}
	inner := strings.Trim(asJSON(want), `"`)
	if strings.Contains(got, inner) {
		return "escaped"
	}
	first, last := common(want, got)
	whole := utf8.RuneCountInString(want)
	if first > 0 && first+last > min(1000, whole/2) {
		return fmt.Sprintf("cut: first %d, last %d", first, last)
	}
	if first, last = common(inner, got); first > 0 && first+last > min(1000, whole/2) {
		return fmt.Sprintf("escaped and cut: first %d, last %d", first, last)
	}
	if at := strings.Index(got, "{"); at >= 0 && json.Valid([]byte(got[at:])) {
		return "JSON in its place"
	}
	return fmt.Sprintf("other: `%.60q`", got)
}

// common returns how many characters of the beginning and of the end of want are
// in got, the beginning wherever it is, the end at the end.
func common(want, got string) (first, last int) {
	const mark = 20
	if len(want) < mark {
		return 0, 0
	}
	if at := strings.Index(got, want[:mark]); at >= 0 {
		rest := got[at:]
		n := 0
		for n < len(rest) && n < len(want) && rest[n] == want[n] {
			n++
		}
		first = utf8.RuneCountInString(want[:n])
	}
	if at := strings.LastIndex(got, want[len(want)-mark:]); at >= 0 {
		rest := got[:at+mark]
		n := 0
		for n < len(rest) && n < len(want) && rest[len(rest)-1-n] == want[len(want)-1-n] {
			n++
		}
		last = utf8.RuneCountInString(want[len(want)-n:])
	}
	return first, last
}

// number finds what differs between one run and the next.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// generic returns what is around a reply without its numbers, for a cell of a table.
func generic(around []string) string {
	if len(around) == 0 {
		return "nothing"
	}
	var quoted []string
	for _, text := range around {
		text = number.ReplaceAllString(text, "N")
		if runes := []rune(text); len(runes) > 160 {
			text = string(runes[:160]) + "…"
		}
		quoted = append(quoted, "`"+strings.NewReplacer("\n", `\n`, "|", `\|`, "`", "'").Replace(text)+"`")
	}
	return strings.Join(quoted, ", ")
}
