package cli

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

// FuzzLines reads any text as --lines. What is taken are the numbers in it, the first of
// them at least 1, and written anew it says the same; what is not taken is an error that
// says how it is written.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"", "1", "120-180", "120-", "120", "-5", "0", "5-0", "5-00", "9-3", "1-2-3", "+1", "01-02", "1 - 2", "٣", "1–2", "9223372036854775807", "9223372036854775808-", "x", "1,2", "\xff", "-",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		first, last, err := parseLines(s)
		if err != nil {
			var e *replies.Error
			if !errors.As(err, &e) || e.Code != "invalid_argument" || !strings.Contains(e.Message.String(), strconv.Quote(s)) || first != 0 || last != 0 {
				t.Errorf("%q: %d-%d, %v", s, first, last, err)
			}
			return
		}
		if s == "" {
			if first != 0 || last != 0 {
				t.Errorf("nothing is %d-%d", first, last)
			}
			return
		}
		if first < 1 || last < 0 || strings.Trim(s, "0123456789+-") != "" {
			t.Fatalf("%q is %d-%d", s, first, last)
		}
		anew := strconv.Itoa(first)
		if last == 0 {
			anew += "-"
		} else if last != first {
			anew += "-" + strconv.Itoa(last)
		}
		if again, end, err := parseLines(anew); err != nil || again != first || end != last {
			t.Errorf("%q is %d-%d, and %q is %d-%d, %v", s, first, last, anew, again, end, err)
		}
		from, to, isRange := strings.Cut(s, "-")
		if isRange && to != "" && last == 0 {
			t.Errorf("%q goes on to the end", s)
		}
		if n, err := strconv.Atoi(from); err != nil || n != first {
			t.Errorf("%q begins at %d", s, first)
		}
		if n, err := strconv.Atoi(to); isRange && to != "" && (err != nil || n != last) || !isRange && last != first {
			t.Errorf("%q ends at %d", s, last)
		}
	})
}
