package guiding

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
)

// FuzzGuideCursor pages through a list from any cursor with any limit. A cursor is the
// name of something on the list or an error; the pages from there have each of what
// follows it once and in its order, and are no longer than the limit.
func FuzzGuideCursor(f *testing.F) {
	for _, cursor := range []string{"", "c0", "c3", "all0", "all1", "none", "C0", "\xff", "c0 ", strings.Repeat("x", 1000)} {
		for _, limit := range []int{0, 1, 600, 5000} {
			f.Add(cursor, "what it is for", limit)
		}
	}
	f.Fuzz(func(t *testing.T, cursor, description string, limit int) {
		limit = max(0, limit%20_000)
		if limit > 0 {
			limit += 500 // the least that a caller may ask for
		}
		var list GuideList
		for i := range 4 {
			list.Categories = append(list.Categories, GuideCategory{Name: "c" + strconv.Itoa(i), Description: strings.Repeat(description, i)})
		}
		for i := range 2 {
			list.Collections = append(list.Collections, GuideCollection{Name: "all" + strconv.Itoa(i), Description: description, Entries: []string{"c0", "c1/" + description}})
		}
		names := list.names()
		at := 0
		if cursor != "" {
			for at < len(names) && names[at] != cursor {
				at++
			}
			at++
		}
		for at < len(names) || cursor == "" {
			text, err := list.Page(cursor, limit)
			if err != nil {
				t.Fatal(err)
			}
			var page guidePage
			if err := json.Unmarshal(text, &page); err != nil || limit > 0 && utf8.RuneCount(text) > limit {
				t.Fatalf("%d characters, limit %d, %v: %s", utf8.RuneCount(text), limit, err, text)
			}
			var got []string
			for _, c := range page.Categories {
				got = append(got, c.Name)
			}
			for _, c := range page.Collections {
				got = append(got, c.Name)
			}
			if len(got) == 0 || len(got) > len(names)-at {
				t.Fatalf("%q after %q", got, names[:at])
			}
			for _, name := range got {
				if name != names[at] {
					t.Fatalf("%q after %q", got, names[:at])
				}
				at++
			}
			if cursor = page.Next; (cursor == "") != (at == len(names)) {
				t.Fatalf("the next cursor is %q after %q", cursor, names[:at])
			}
			if cursor == "" {
				return
			}
		}
		_, err := list.Page(cursor, limit)
		var e *replies.Error
		if at > len(names) && (!errors.As(err, &e) || e.Code != replies.CodeInvalidArgument || !utf8.ValidString(e.Message.String()) && utf8.ValidString(cursor) || utf8.RuneCountInString(e.Message.String()) > 1000) {
			t.Errorf("%q: %v", cursor, err)
		}
	})
}
