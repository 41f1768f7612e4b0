package sent

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/replies"
)

// FuzzParseEdits reads any text as a list of edits. It has as many as the JSON has, each
// read or with a reason, and what is read is what another decoder reads.
func FuzzParseEdits(f *testing.F) {
	for _, text := range []string{
		"", "null", "[]", "{}", "[{}]", "[1,null]", `[{"old_string":"a","new_string":"b","replace_all":true}]`, `[{"heading":"A","action":"remove","occurrence":2}]`,
		`[{"old_strin":"a"}]`, `[{"OLD_STRING":"a"}]`, `[{"old_string":"a","old_string":"b"}]`, "[\n{\n", `[{"occurrence":1.5}]`, `[{"content":"` + "\xff" + `"}]`, `[{"scope":{"a":[1]}}]`,
		`[{"old_string":"a\ud800b"}]`, `[{"old_string":"\ud83d\ude00"}]`, "\uFEFF[{}]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items, err := ParseEdits(text)
		var list []map[string]any
		asList := json.Unmarshal([]byte(text), &list)
		if err != nil {
			var e *replies.Error
			if !errors.As(err, &e) || e.Code != replies.CodeInvalidArgument || e.Message.String() == "" || utf8.RuneCountInString(e.Message.String()) > 600 {
				t.Errorf("%q: %#v", text, err)
			}
			if asList == nil && list != nil {
				t.Errorf("%q is a list, and refused: %v", text, err)
			}
			return
		}
		for i := range items {
			item := &items[i]
			if item.Wrong != "" {
				if utf8.RuneCountInString(item.Wrong) > 2000 {
					t.Errorf("%q: %d characters", text, len(item.Wrong))
				}
				continue
			}
			if asList != nil {
				continue // another one of the list is no object
			}
			if old, _ := list[i]["old_string"].(string); item.OldString != nil && old != *item.OldString {
				t.Errorf("%q: %q instead of %q", text, *item.OldString, old)
			}
		}
	})
}
