//go:build unix

package undoing

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/journal"
)

// TestSinceByWrongClocks has changes be made while the clock was behind, or ahead: what was made since a time
// counts, and so does what says that it is older, and is behind such a change.
func TestSinceByWrongClocks(t *testing.T) {
	const behind, ahead, now = -2 * time.Hour, 1000 * 24 * time.Hour, 0
	for i, tt := range []struct {
		clocks []time.Duration // of the changes
		want   string          // what the document held an hour ago; "none" if no change was made since
	}{
		{[]time.Duration{now, now}, "0"},
		{[]time.Duration{behind, now}, "1"},
		{[]time.Duration{now, behind}, "0"},
		{[]time.Duration{now, behind, now}, "0"},
		{[]time.Duration{behind, now, behind, now}, "1"},
		{[]time.Duration{ahead, now}, "0"},
		{[]time.Duration{ahead, behind, now}, "2"},
		{[]time.Duration{ahead, behind}, "none"},
		{[]time.Duration{now, ahead}, "0"},
		{[]time.Duration{behind, ahead}, "1"},
	} {
		w := newWorld(t)
		writeFiles(t, w.dir, map[string]string{"a.md": "0"})
		since := time.Now().Add(-time.Hour)
		for n, clock := range tt.clocks {
			w.set(t, 0o600, map[string]string{"a.md": fmt.Sprint(n + 1)})
			var id string
			if err := w.journal.List(t.Context(), func(r *journal.Record) bool { id = r.ID; return false }); err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(clock).UTC().Format(time.RFC3339Nano)
			rewrite(t, w.journal.Dir(), id, func(record string) string {
				return regexp.MustCompile(`"time":"[^"]*"`).ReplaceAllString(record, `"time":"`+at+`"`)
			})
		}
		e, err := w.Since(t.Context(), w.docs, since.Format(time.RFC3339))
		got := "none"
		if err == nil && len(e.Texts) == 1 {
			got = string(e.Texts[0].Text)
		}
		if got != tt.want {
			t.Errorf("%d: %s, want %s: %v", i, got, tt.want, err)
		}
		first, _, err := w.Before(t.Context(), w.docs, since)
		got = "none"
		if was, ok := first["a.md"]; ok {
			text, _ := was.Load()
			got = string(text)
		}
		if got != tt.want || err != nil {
			t.Errorf("%d on the page: %s, want %s: %v", i, got, tt.want, err)
		}
	}
}

// TestSinceOfLongAgo: a time so long ago that it can't be reckoned with is one before all changes.
func TestSinceOfLongAgo(t *testing.T) {
	w := newWorld(t)
	w.set(t, 0o600, map[string]string{"a.md": "a"})
	for _, since := range []string{"1.5d", "106751d", "106752d", "2562047d", "999999999999999999999d"} {
		if e, err := w.Since(t.Context(), w.docs, since); err != nil || len(e.Texts) != 1 {
			t.Errorf("%s: %v", since, err)
		}
	}
	for _, since := range []string{"2h3d", "-1d", "infd", "nand", "d", "1.2.3d"} {
		if _, err := parseTime(since, time.Now()); err == nil {
			t.Errorf("%s is a time", since)
		}
	}
}

// TestSinceAChangeOfOthers names a change of another document than those that are asked for: what was
// changed after it counts, and what was changed before it doesn't.
func TestSinceAChangeOfOthers(t *testing.T) {
	w := newWorld(t)
	writeFiles(t, w.dir, map[string]string{"a.md": "a0", "b.md": "b0"})
	var ids []string
	for _, file := range []map[string]string{{"a.md": "a1"}, {"b.md": "b1"}, {"a.md": "a2"}} {
		w.set(t, 0o600, file)
		if err := w.journal.List(t.Context(), func(r *journal.Record) bool { ids = append(ids, r.ID); return false }); err != nil {
			t.Fatal(err)
		}
	}
	for path, all := range map[string][]string{"a.md": {"a0", "a1", "a1"}, "b.md": {"b0", "b0", "none"}} {
		docs := w.docs
		docs.Paths = []string{path}
		for i, want := range all {
			e, err := w.Since(t.Context(), docs, ids[i])
			got := "none"
			if err == nil && len(e.Texts) == 1 {
				got = string(e.Texts[0].Text)
			}
			if got != want {
				t.Errorf("%s before change %d: %s, want %s: %v", path, i, got, want, err)
			}
		}
	}
}
