package outline_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// FuzzCursor lists from any cursor. It is a number, of the sections that the pages before
// have shown, or ErrInvalidCursor; and page after page from there comes what the whole
// list has after them.
func FuzzCursor(f *testing.F) {
	for _, cursor := range []string{"", "0", "1", "3", "007", "2147483647", "2147483648", "-1", "+1", " 1", "1.0", "0x1", "1_0", "٣", "x", "\xff", strings.Repeat("9", 1000)} {
		for _, src := range fuzzSeeds[2:6] {
			f.Add([]byte(src), cursor, 2)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, cursor string, size int) {
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Skip()
		}
		whole, err := outline.List(doc, outline.ListOptions{})
		if err != nil || whole.NextCursor != "" || whole.Count != len(whole.Sections) {
			t.Fatalf("%+v, %v", whole, err)
		}
		from := 0
		if cursor != "" {
			n, wrong := strconv.ParseUint(cursor, 10, 31)
			if strings.Trim(cursor, "0123456789") != "" || wrong != nil {
				if _, err := outline.List(doc, outline.ListOptions{Cursor: cursor}); !errors.Is(err, outline.ErrInvalidCursor) {
					t.Errorf("cursor %q: %v", cursor, err)
				}
				return
			}
			from = min(int(n), whole.Count)
		}
		size = 1 + int(uint(size)%10)
		got := whole.Sections[:from:from]
		for range whole.Count + 1 {
			page, err := outline.List(doc, outline.ListOptions{Cursor: cursor, Max: size})
			if err != nil || page.Count != whole.Count || len(page.Sections) > size || page.NextCursor != "" && len(page.Sections) == 0 {
				t.Fatalf("cursor %q: %+v, %v", cursor, page, err)
			}
			got = append(got, page.Sections...)
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if diff := cmp.Diff(whole.Sections, got); diff != "" || cursor != "" {
			t.Errorf("cursor %q (-want +got)\n%s", cursor, diff)
		}
	})
}
